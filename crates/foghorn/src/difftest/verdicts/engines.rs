//! Who is asked for verdicts, and which engines have their turn. How they are asked is in [`super::asking`].

use foghorn_core::UnknownReason;
use foghorn_witness::report::{VerdictName, VerificationReport};

/// A way of asking `foghorn verify`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Engine {
    pub name: &'static str,
    pub arguments: &'static [&'static str],
    pub turn: Turn,
}

/// When an engine is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// About each program.
    Always,
    /// In turn with the others that take long: of each program one of them.
    Long,
    /// In turn with the other ways of bounded model checking.
    Way,
}

/// All ways. An engine enrols here; a memory representation too.
pub const ENGINES: [Engine; 11] = [
    engine("auto", &["--engine", "auto"], Turn::Long),
    engine("bmc", &["--engine", "bmc", "--no-trials"], Turn::Always),
    engine("absint", &["--engine", "absint"], Turn::Always),
    engine("kiki", &["--engine", "kiki"], Turn::Always),
    engine("horn", &["--engine", "horn"], Turn::Long),
    engine(
        "acceleration",
        &["--engine", "bmc", "--no-trials", "--loops", "summarised"],
        Turn::Long,
    ),
    engine(
        "lambdas",
        &["--engine", "bmc", "--no-trials", "--memory", "lambdas"],
        Turn::Way,
    ),
    engine(
        "arrays",
        &["--engine", "bmc", "--no-trials", "--memory", "arrays"],
        Turn::Way,
    ),
    engine(
        "no-store-map",
        &["--engine", "bmc", "--no-trials", "--no-store-map"],
        Turn::Way,
    ),
    engine(
        "no-arm",
        &[
            "--engine",
            "bmc",
            "--no-trials",
            "--no-arm",
            "--solver",
            "z3",
        ],
        Turn::Way,
    ),
    engine(
        "facts",
        &["--engine", "auto", "--no-trials", "--loops", "unwound"],
        Turn::Way,
    ),
];

const fn engine(name: &'static str, arguments: &'static [&'static str], turn: Turn) -> Engine {
    Engine {
        name,
        arguments,
        turn,
    }
}

impl Engine {
    /// Whether it is asked on the command line, as a user does, and so certifies its proofs. To do so for each engine of
    /// a program would take longer than the answers: the program is translated for each, and certified to no new end.
    pub fn is_asked_as_by_users(&self) -> bool {
        self.name == "auto"
    }
}

/// The engines of a list of names; `default` is those that are always asked and two more in turn.
pub fn parse(list: &str) -> Result<Vec<Engine>, String> {
    let mut chosen: Vec<Engine> = vec![];
    for name in list.split(',').map(str::trim) {
        let known: Vec<Engine> = match name {
            "default" | "all" => ENGINES.to_vec(),
            name => ENGINES
                .iter()
                .filter(|it| it.name == name)
                .copied()
                .collect(),
        };
        if known.is_empty() {
            let names: Vec<_> = ENGINES.iter().map(|it| it.name).collect();
            return Err(format!(
                "unknown engine '{name}'; one of: {}, default, all",
                names.join(", ")
            ));
        }
        let in_turn = name == "default";
        chosen.extend(known.into_iter().map(|it| Engine {
            turn: if in_turn { it.turn } else { Turn::Always },
            ..it
        }));
    }
    Ok(chosen)
}

/// Those of the list that are asked about this program.
pub fn asked(engines: &[Engine], seed: u64) -> Vec<Engine> {
    let of = |turn: Turn| engines.iter().filter(move |it| it.turn == turn).copied();
    let mut asked: Vec<Engine> = of(Turn::Always).collect();
    for turn in [Turn::Long, Turn::Way] {
        let in_turn: Vec<Engine> = of(turn).collect();
        let number = seed.checked_rem(in_turn.len() as u64);
        let number = number.and_then(|it| usize::try_from(it).ok());
        asked.extend(number.map(|number| in_turn[number]));
    }
    asked
}

/// What an engine answered.
#[derive(Clone, Debug)]
pub enum Answer {
    Report(Box<VerificationReport>),
    /// It took longer than it may, even for an unknown.
    Silent,
    /// It did not answer as it should: no report, or an internal error.
    Broken(String),
}

impl Answer {
    /// The verdict, of one that gave one.
    pub fn verdict(&self) -> Option<VerdictName> {
        match self {
            Answer::Report(report) => Some(report.verdict),
            Answer::Silent | Answer::Broken(_) => None,
        }
    }
}

/// A report that tells of something that must not happen: a part that failed, or a failing run that
/// could not be repeated. What functions without a body know is overestimated, and a run finds out.
pub fn fault(report: &VerificationReport) -> Option<String> {
    let mut assumed = report.assumptions.iter();
    let has_outside = assumed.any(|it| it.contains("has no body"));
    let reasons = report
        .checks
        .iter()
        .filter_map(|check| check.reason.as_ref());
    let mut reasons = reasons.chain(&report.unknown).chain(&report.ended_early);
    let fault = reasons.find(|reason| match reason {
        UnknownReason::Failure { .. } => true,
        UnknownReason::Unrepeated { .. } => !has_outside,
        UnknownReason::Budget { .. }
        | UnknownReason::Interrupted
        | UnknownReason::AfterFailure
        | UnknownReason::Unsupported { .. }
        | UnknownReason::Imprecision { .. }
        | UnknownReason::Bounded { .. }
        | UnknownReason::OnlyRefutes { .. }
        | UnknownReason::OnlyHelps { .. }
        | UnknownReason::NotAsked { .. }
        | UnknownReason::Unproved { .. } => false,
    });
    fault.map(ToString::to_string)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_asks_some_in_turn() {
        let engines = parse("default").expect("known");
        let first = asked(&engines, 0);
        assert_eq!(first.len(), 5);
        assert_ne!(first, asked(&engines, 1));
        let mut all: Vec<_> = (0..15)
            .flat_map(|seed| asked(&engines, seed))
            .map(|it| it.name)
            .collect();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), ENGINES.len());
        assert_eq!(asked(&parse("bmc,arrays").expect("known"), 0).len(), 2);
        assert!(parse("none").is_err());
    }
}
