//! The command lines that build and run a harness: plain clang, no script.

use foghorn_core::CheckKind;

/// What the command is made of; paths as a person at the working directory would type them.
#[derive(Clone, Debug, Default)]
pub struct Build {
    pub clang: String,
    /// The user's own sources.
    pub sources: Vec<String>,
    pub harness: String,
    pub program: String,
    /// The user's arguments for clang: includes, macros, the data model.
    pub arguments: Vec<String>,
    /// Headers of verification dialects, for programs that include them.
    pub headers: Option<String>,
    /// Whether a function of the harness stands in front of `main`.
    pub wraps_main: bool,
}

impl Build {
    /// The words of the command that builds a program which fails with this kind.
    pub fn words(&self, kind: CheckKind) -> Vec<String> {
        let mut words = vec![self.clang.clone()];
        let fixed = ["-g", "-O0", "-w", "-fno-omit-frame-pointer"];
        words.extend(fixed.map(str::to_owned));
        words.extend(
            LENIENT
                .iter()
                .map(|warning| format!("-Wno-error={warning}")),
        );
        words.extend(sanitizers(kind).iter().map(|&flag| flag.to_owned()));
        words.extend(self.arguments.iter().cloned());
        if let Some(headers) = &self.headers {
            // After the user's own folders.
            words.extend(["-idirafter".to_owned(), headers.clone()]);
        }
        words.extend(self.sources.iter().cloned());
        let rest = [&*self.harness, "-o", &*self.program, "-lm"];
        words.extend(rest.map(str::to_owned));
        if self.wraps_main {
            words.push(super::outside::WRAP.to_owned());
        }
        words
    }
}

/// What newer clangs refuse and the front end takes.
const LENIENT: &[&str] = &[
    "implicit-function-declaration",
    "implicit-int",
    "int-conversion",
    "incompatible-pointer-types",
];

/// The sanitizers that see this kind. Those that object to what Foghorn allows are left out, so
/// that the program does not fail before its time.
fn sanitizers(kind: CheckKind) -> &'static [&'static str] {
    match kind {
        CheckKind::Misaligned => &["-fsanitize=alignment", "-fno-sanitize-recover=all"],
        // Natively an uninitialised pointer holds anything; only this one knows that it does.
        CheckKind::UninitialisedPointer => &[
            "-fsanitize=memory",
            "-fsanitize-memory-track-origins",
            "-fno-sanitize-recover=all",
        ],
        // The overflow check of `abs` and the like wants calls known as what they are.
        CheckKind::SignedOverflow
        | CheckKind::Division
        | CheckKind::DivisionOverflow
        | CheckKind::Shift
        | CheckKind::ShiftOverflow
        | CheckKind::ArrayBounds
        | CheckKind::Unreachable
        | CheckKind::MissingReturn
        | CheckKind::VlaBound
        | CheckKind::FloatCast
        | CheckKind::InvalidValue
        | CheckKind::BuiltinArgument => &[
            "-fsanitize=undefined,float-cast-overflow",
            "-fno-sanitize=alignment,pointer-overflow,null,object-size",
            "-fno-sanitize-recover=all",
        ],
        CheckKind::InvalidCall => &["-fsanitize=address,function", "-fno-sanitize-recover=all"],
        CheckKind::Assertion
        | CheckKind::ReachError
        | CheckKind::NullDereference
        | CheckKind::OutOfBounds
        | CheckKind::UseAfterFree
        | CheckKind::UseAfterScope
        | CheckKind::UnknownPointer
        | CheckKind::ConstantWrite
        | CheckKind::DoubleFree
        | CheckKind::InvalidFree
        | CheckKind::Overlap
        | CheckKind::LibraryPrecondition
        | CheckKind::Leak
        | CheckKind::NotFreed
        | CheckKind::PointerComparison
        | CheckKind::Unsupported
        | CheckKind::Unwinding
        | CheckKind::NonTermination => &[
            "-fsanitize=address,pointer-compare,pointer-subtract,undefined",
            "-fno-sanitize=alignment,pointer-overflow,null,object-size,array-bounds",
            "-fsanitize-address-use-after-return=always",
            "-fsanitize-address-use-after-scope",
            "-fno-sanitize-recover=all",
            "-fno-builtin",
        ],
    }
}

/// A command as a person would type it.
pub fn shown(words: &[String]) -> String {
    let quoted = words.iter().map(|word| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=,:+@%".contains(c);
        match !word.is_empty() && word.chars().all(plain) {
            true => word.clone(),
            false => format!("'{}'", word.replace('\'', "'\\''")),
        }
    });
    quoted.collect::<Vec<_>>().join(" ")
}
