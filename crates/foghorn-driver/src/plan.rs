//! What is going to be run: data, made before anything runs.

use foghorn_core::CheckGroup;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

/// Stages one after the other; a stage runs for the checks that the earlier ones left undecided.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    pub checks: Vec<CheckGroup>,
    pub stages: Vec<Stage>,
}

/// One engine with its budget.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stage {
    pub engine: String,
    /// `None` for no limit.
    pub time: Option<Duration>,
    pub memory_mb: Option<u64>,
    /// What the engine is told, by the names of the command line.
    pub options: BTreeMap<String, String>,
    /// Why this engine, now.
    pub why: String,
}

impl Stage {
    pub fn new(engine: &str, why: &str) -> Self {
        Stage {
            engine: engine.to_owned(),
            time: None,
            memory_mb: None,
            options: BTreeMap::new(),
            why: why.to_owned(),
        }
    }
}

impl Plan {
    /// One engine with the whole budget.
    pub fn single(checks: Vec<CheckGroup>, stage: Stage) -> Self {
        Plan {
            checks,
            stages: vec![stage],
        }
    }
}

/// What `--explain` prints.
impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let checks: Vec<_> = self.checks.iter().map(|group| group.name()).collect();
        writeln!(f, "checks: {}", checks.join(", "))?;
        for (index, stage) in self.stages.iter().enumerate() {
            writeln!(f, "{}. {stage}", index + 1)?;
        }
        Ok(())
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "engine {}", self.engine)?;
        match self.time {
            Some(time) => write!(f, ", {} s", time.as_secs_f64())?,
            None => write!(f, ", no time limit")?,
        }
        match self.memory_mb {
            Some(limit) => write!(f, ", {limit} MB")?,
            None => write!(f, ", no memory limit")?,
        }
        for (name, value) in &self.options {
            write!(f, ", {name} {value}")?;
        }
        write!(f, ": {}", self.why)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_explains_itself() {
        let mut stage = Stage::new("bmc", "the only engine for these checks");
        stage.time = Some(Duration::from_secs(30));
        stage.options.insert("memory".into(), "seam".into());
        let plan = Plan::single(vec![CheckGroup::Assertions, CheckGroup::Undefined], stage);
        let expected = "checks: assertions, undefined\n1. engine bmc, 30 s, no memory limit, \
                        memory seam: the only engine for these checks\n";
        assert_eq!(plan.to_string(), expected);
    }
}
