//! What an answer takes for granted, as one table: a kind, the sentence of the report, and the few
//! words of the verdict line (`safe, if malloc does not fail`).
//!
//! Whoever reports an assumption names its kind here, so that no answer rests on something that the
//! verdict line keeps quiet about, and so that the guide's table of approximations is complete
//! ([`crate::approximation`]).

use serde::{Deserialize, Serialize};

/// The kinds of assumptions; each is explained in [`AssumptionKind::entry`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AssumptionKind {
    AssertionsHold,
    MemorySafety,
    NoUndefinedBehaviour,
    NoDivisionOverflow,
    ExternalFunctionsChangeNothing,
    ExternalFunctionsFreeNothing,
    VolatileByProgram,
    Misaligned,
    AllocationsSucceed,
    UnrelatedIntegers,
    NoArguments,
    NameOfProgram,
    FewArguments,
    ParametersOfEntry,
    InitialGlobals,
    UnlimitedStack,
    SignalsByRaise,
    NewDoesNotThrow,
    ExternalFunctionsDoNotThrow,
    CompiledElsewhere,
}

/// What is to be said of a kind of assumptions.
#[derive(Clone, Copy, Debug)]
pub struct AssumptionEntry {
    /// What of a program it is about.
    pub construct: &'static str,
    /// The sentence of the report; `{}` stands for a name.
    pub sentence: &'static str,
    /// The words of the verdict line behind "if"; `None` where a check is not made rather than
    /// something assumed that could be wrong.
    pub condition: Option<&'static str>,
    /// How the user does without it.
    pub instead: &'static str,
}

impl AssumptionKind {
    /// Every kind, in the order of declaration.
    pub const ALL: &'static [AssumptionKind] = &[
        Self::AssertionsHold,
        Self::MemorySafety,
        Self::NoUndefinedBehaviour,
        Self::NoDivisionOverflow,
        Self::ExternalFunctionsChangeNothing,
        Self::ExternalFunctionsFreeNothing,
        Self::VolatileByProgram,
        Self::Misaligned,
        Self::AllocationsSucceed,
        Self::UnrelatedIntegers,
        Self::NoArguments,
        Self::NameOfProgram,
        Self::FewArguments,
        Self::ParametersOfEntry,
        Self::InitialGlobals,
        Self::UnlimitedStack,
        Self::SignalsByRaise,
        Self::NewDoesNotThrow,
        Self::ExternalFunctionsDoNotThrow,
        Self::CompiledElsewhere,
    ];

    /// The table.
    pub fn entry(self) -> AssumptionEntry {
        let (construct, sentence, condition, instead) = match self {
            Self::AssertionsHold => (
                "assertions, with the group `assertions` off",
                "assumes that assertions hold",
                Some("assertions hold"),
                "`--check default,assertions`",
            ),
            Self::MemorySafety => (
                "invalid accesses, with the group `memory-safety` off",
                "assumes memory safety",
                Some("memory is safe"),
                "`--check default,memory-safety`",
            ),
            Self::NoUndefinedBehaviour => (
                "division by zero and the like, with the group `undefined` off",
                "assumes no undefined behaviour that machines give no meaning to",
                Some("nothing is undefined"),
                "`--check default,undefined`",
            ),
            Self::NoDivisionOverflow => (
                "`INT_MIN / -1`, with the group `integer-overflow` off",
                "assumes that no division overflows",
                Some("no division overflows"),
                "`--check default,integer-overflow`",
            ),
            Self::ExternalFunctionsChangeNothing => (
                "a function without a body, with `--external pure`",
                "'{}' has no body: it returns anything and changes no memory",
                Some("functions without a body change nothing"),
                "`--external havoc`, or a definition in C, linked with the program",
            ),
            Self::ExternalFunctionsFreeNothing => (
                "a function without a body",
                "'{}' has no body: it returns anything and may change what it reaches and \
                 call what it knows, but frees nothing and leaves pointers only to what is used \
                 like that \
                 (--external-function {}=pure: changes nothing)",
                Some("functions without bodies free nothing and keep to types"),
                "a definition in C, linked with the program",
            ),
            Self::VolatileByProgram => (
                "a volatile object",
                "volatile objects are changed by the program only (--volatile input: each read \
                 gives anything)",
                Some("volatile objects do not change by themselves"),
                "`--volatile input`",
            ),
            Self::Misaligned => (
                "an access through a pointer that is not aligned",
                "misaligned accesses are no errors (--misaligned reports them)",
                None,
                "`--misaligned`",
            ),
            Self::AllocationsSucceed => (
                "`malloc`, `calloc` and what calls them",
                "malloc and calloc do not fail (--malloc-may-fail lets them)",
                Some("malloc does not fail"),
                "`--malloc-may-fail`",
            ),
            Self::UnrelatedIntegers => (
                "an integer that becomes a pointer",
                "an integer that was not computed from an object's address does not reach it",
                Some("no integer reaches an unrelated object"),
                "nothing: no engine considers it",
            ),
            Self::NoArguments => (
                "`main(argc, argv)`",
                "main is called without arguments (argc is 1)",
                Some("main gets no arguments"),
                "no `--no-arguments`, or no `--property`",
            ),
            Self::NameOfProgram => (
                "`argc` and `argv[0]`",
                "argc is at least 1: main is given the name of the program",
                None,
                "a call of `main` from an entry of your own",
            ),
            Self::FewArguments => (
                "`main(argc, argv)`, with `--max-arguments N`",
                "main is given at most {} arguments beside that (--max-arguments)",
                Some("main gets no more arguments than --max-arguments says"),
                "no `--max-arguments`",
            ),
            Self::ParametersOfEntry => (
                "parameters of the function that `--entry` names",
                "'{}' is called with any values; a pointer among them leads to no object",
                Some("no pointer among the parameters is used"),
                "an entry that calls it with the objects that it needs",
            ),
            Self::InitialGlobals => (
                "globals, with `--entry`",
                "globals have their initial values when '{}' is called",
                Some("globals have their initial values"),
                "an entry that sets them to anything",
            ),
            Self::UnlimitedStack => (
                "recursion",
                "the stack has room for every recursive call ({})",
                Some("the stack suffices"),
                "nothing: no engine counts the bytes of a stack",
            ),
            Self::SignalsByRaise => (
                "a signal handler",
                "signals are delivered by raise only",
                Some("signals come from raise only"),
                "a call of the handler where a signal may come",
            ),
            Self::NewDoesNotThrow => (
                "`new` of C++",
                "new does not throw",
                Some("new does not throw"),
                "the nothrow form of `new`, with `--malloc-may-fail`",
            ),
            Self::ExternalFunctionsDoNotThrow => (
                "a function of C++ without a body",
                "functions without a body do not throw",
                Some("functions without a body do not throw"),
                "a definition, linked with the program",
            ),
            Self::CompiledElsewhere => (
                "bitcode and textual IR",
                "{}: checks are those of LLVM's semantics; what its compiler removed before is \
                 not seen",
                Some("the compiler of the bitcode removed no failure"),
                "the source",
            ),
        };
        AssumptionEntry {
            construct,
            sentence,
            condition,
            instead,
        }
    }
}

/// One assumption of an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assumption {
    pub kind: AssumptionKind,
    /// The sentence of the report.
    pub sentence: String,
}

impl Assumption {
    /// About a function or another thing that has a name.
    pub fn of(kind: AssumptionKind, name: &str) -> Self {
        Assumption {
            kind,
            sentence: kind.entry().sentence.replace("{}", name),
        }
    }
}

impl From<AssumptionKind> for Assumption {
    fn from(kind: AssumptionKind) -> Self {
        Assumption::of(kind, "")
    }
}

/// Conditions as they stand behind the verdict: `a, b and c`.
pub fn enumerate(conditions: &[String]) -> String {
    match conditions {
        [] => String::new(),
        [only] => only.clone(),
        [before @ .., last] => format!("{} and {last}", before.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_name_their_subject() {
        let assumption = Assumption::of(
            AssumptionKind::ExternalFunctionsChangeNothing,
            "read_sensor",
        );
        assert!(assumption.sentence.starts_with("'read_sensor' has no body"));
        let unnamed = Assumption::from(AssumptionKind::AllocationsSucceed);
        assert!(unnamed.sentence.contains("--malloc-may-fail"));
    }

    #[test]
    fn conditions_are_words_and_not_sentences() {
        for kind in AssumptionKind::ALL {
            let entry = kind.entry();
            if let Some(condition) = entry.condition {
                assert!(condition.split(' ').count() < 10, "{condition}");
                assert!(!condition.ends_with('.'), "{condition}");
            }
        }
    }

    #[test]
    fn conditions_are_enumerated() {
        let words = |list: &[&str]| list.iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(enumerate(&words(&["a"])), "a");
        assert_eq!(enumerate(&words(&["a", "b", "c"])), "a, b and c");
    }
}
