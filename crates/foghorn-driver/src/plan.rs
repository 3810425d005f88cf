//! What is going to be run: data, made before anything runs.

use foghorn_core::CheckGroup;
use foghorn_engine::EngineOptions;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;

/// Stages that run side by side as far as there are cores and as far as they do not wait for each
/// other; each runs for the checks that are undecided.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    pub checks: Vec<CheckGroup>,
    /// How many stages run at once at most.
    pub jobs: usize,
    /// For everything; `None` for no limit.
    pub time: Option<Duration>,
    /// For all stages that run at once.
    pub memory_mb: Option<u64>,
    pub after_failure: AfterFailure,
    /// Those that come first are started first.
    pub stages: Vec<Stage>,
}

/// One engine with its budget.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stage {
    pub engine: String,
    pub options: EngineOptions,
    pub share: Share,
    pub condition: Condition,
    /// The numbers of earlier stages that have to end first.
    pub after: Vec<usize>,
    /// How long the first turn is, for a stage that takes turns: it waits, and goes on later, when the turn is over
    /// and another stage could work in its place; each turn is twice as long as the one before. One without runs
    /// from its start to its end.
    pub first_turn: Option<Duration>,
    /// Where checks stay open, the reason is that of the stage with the strongest voice, and of two such
    /// stages that of the later one.
    pub voice: u8,
    /// Why this engine, now.
    pub why: String,
}

/// What a stage gets of the whole time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Share {
    /// A part of the whole, if that is limited.
    pub part: Option<f64>,
    /// And at most this.
    pub limit: Option<Duration>,
}

impl Share {
    /// All that is left.
    pub const REST: Share = Share {
        part: None,
        limit: None,
    };

    /// What that is of so much.
    pub fn of(self, whole: Option<Duration>) -> Option<Duration> {
        let part = match (whole, self.part) {
            (Some(whole), Some(part)) => Some(whole.mul_f64(part)),
            (Some(_) | None, _) => None,
        };
        part.into_iter().chain(self.limit).min()
    }
}

/// When a stage is worth its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Condition {
    Always,
    /// A program without loops and recursion is unwound completely at once.
    HasLoops,
}

/// What follows the first failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum AfterFailure {
    /// The answer is known.
    Stop,
    /// The search goes on if checks are open, for as long as the first failure took, and at least a
    /// second.
    AsLongAgain,
    /// The search goes on for the rest of the time.
    Rest,
    /// The search goes on for so long.
    For(Duration),
}

impl Plan {
    /// One engine with the whole budget.
    pub fn single(checks: Vec<CheckGroup>, stage: Stage) -> Self {
        Plan {
            checks,
            jobs: 1,
            time: None,
            memory_mb: None,
            after_failure: AfterFailure::AsLongAgain,
            stages: vec![stage],
        }
    }

    /// Adds a stage; its number.
    pub fn add(&mut self, stage: Stage) -> usize {
        self.stages.push(stage);
        self.stages.len() - 1
    }
}

impl Stage {
    pub fn new(engine: &str, why: &str) -> Self {
        Stage {
            engine: engine.to_owned(),
            options: EngineOptions::default(),
            share: Share::REST,
            condition: Condition::Always,
            after: vec![],
            first_turn: None,
            voice: 1,
            why: why.to_owned(),
        }
    }

    #[must_use]
    pub fn with_share(self, part: f64, limit: Duration) -> Self {
        Stage {
            share: Share {
                part: Some(part),
                limit: Some(limit),
            },
            ..self
        }
    }

    #[must_use]
    pub fn with_voice(self, voice: u8) -> Self {
        Stage { voice, ..self }
    }

    #[must_use]
    pub fn in_turns(self, first: Duration) -> Self {
        Stage {
            first_turn: Some(first),
            ..self
        }
    }

    #[must_use]
    pub fn only_loops(self) -> Self {
        Stage {
            condition: Condition::HasLoops,
            ..self
        }
    }

    #[must_use]
    pub fn after(self, stages: &[usize]) -> Self {
        Stage {
            after: stages.to_vec(),
            ..self
        }
    }
}

/// What `--explain` prints.
impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let checks: Vec<_> = self.checks.iter().map(|group| group.name()).collect();
        writeln!(f, "checks: {}", checks.join(", "))?;
        let jobs = match self.jobs {
            1 => "1 stage".to_owned(),
            jobs => format!("{jobs} stages"),
        };
        write!(f, "at once: {jobs}")?;
        match self.time {
            Some(time) => write!(f, ", {} s", time.as_secs_f64())?,
            None => write!(f, ", no time limit")?,
        }
        match self.memory_mb {
            Some(limit) => writeln!(f, ", {limit} MB")?,
            None => writeln!(f, ", no memory limit")?,
        }
        writeln!(f, "after a failure: {}", self.after_failure)?;
        for (index, stage) in self.stages.iter().enumerate() {
            write!(f, "{}. engine {}", index + 1, stage.engine)?;
            match stage.share.of(self.time) {
                Some(time) => write!(f, ", {} s", time.as_secs_f64())?,
                None => write!(f, ", the rest of the time")?,
            }
            if let Some(turn) = stage.first_turn {
                write!(f, " in turns from {} s", turn.as_secs_f64())?;
            }
            for (name, value) in stage.options.iter() {
                write!(f, ", {name} {value}")?;
            }
            if stage.condition == Condition::HasLoops {
                write!(f, ", if there are loops")?;
            }
            if !stage.after.is_empty() {
                let numbers: Vec<String> =
                    stage.after.iter().map(|it| (it + 1).to_string()).collect();
                write!(f, ", after {}", numbers.join(" and "))?;
            }
            writeln!(f, ": {}", stage.why)?;
        }
        Ok(())
    }
}

impl fmt::Display for AfterFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stop => f.write_str("stop"),
            Self::AsLongAgain => f.write_str("as long again, at least 1 s"),
            Self::Rest => f.write_str("the rest of the time"),
            Self::For(time) => write!(f, "{} s", time.as_secs_f64()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_explains_itself() {
        let checks = vec![CheckGroup::Assertions, CheckGroup::Undefined];
        let mut plan = Plan::single(checks, Stage::new("trial", "refutes in moments"));
        plan.time = Some(Duration::from_secs(30));
        plan.jobs = 2;
        let stage = Stage::new("bmc", "unwinds loops").only_loops().after(&[0]);
        let number = plan.add(stage.with_share(0.5, Duration::from_secs(10)));
        plan.stages[number].options.set("memory", "seam");
        let expected = "checks: assertions, undefined\nat once: 2 stages, 30 s, no memory limit\n\
             after a failure: as long again, at least 1 s\n\
             1. engine trial, the rest of the time: refutes in moments\n\
             2. engine bmc, 10 s, memory seam, if there are loops, after 1: unwinds loops\n";
        assert_eq!(plan.to_string(), expected);
    }

    #[test]
    fn a_share_is_a_part_and_at_most_its_limit() {
        let second = Duration::from_secs(1);
        let share = Share {
            part: Some(0.5),
            limit: Some(4 * second),
        };
        assert_eq!(share.of(Some(2 * second)), Some(second));
        assert_eq!(share.of(Some(20 * second)), Some(4 * second));
        assert_eq!(share.of(None), Some(4 * second));
        assert_eq!(Share::REST.of(Some(second)), None);
    }
}
