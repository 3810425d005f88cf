//! What it takes to add an engine: the example of docs/guide/adding-an-engine.md.
//!
//! The test program is its own worker: it starts itself again with the test `stage_process` and a
//! variable that says so.

use foghorn_core::{Budget, CheckSelection, UnknownReason};
use foghorn_driver::schedule::{Launcher, Notice, Prepared, carry_out};
use foghorn_driver::{HarnessWriter, Plan, Stage, StageWork, checks::CheckList, serve_stage};
use foghorn_engine::{Circumstances, EngineEntry, Task};
use foghorn_witness::report::{VerdictName, VerificationReport};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

const ROLE: &str = "FOGHORN_TEST_STAGE";

/// The table: one line for each engine.
const ENGINES: &[EngineEntry] = &[
    constant::ENTRY,
    listener::ENTRY,
    liar::ENTRY,
    patient::FIRST,
    patient::SECOND,
];

// --- begin of the example
/// Proves assertions whose condition is a constant that is true.
mod constant {
    use foghorn_core::{Budget, UnknownReason};
    use foghorn_engine::{
        Engine, EngineEntry, EngineOptions, EngineReport, Knowledge, OptionError, Power, Progress,
        Sink, SiteAnswer, SitePlace, SiteVerdict, Task,
    };
    use foghorn_ir::sites::Site;
    use foghorn_ir::{Constant, Instruction};

    pub const ENTRY: EngineEntry = EngineEntry {
        name: "constant",
        about: "proves assertions of constants",
        power: Power::Proves,
        make: |_: &EngineOptions| -> Result<Box<dyn Engine>, OptionError> {
            Ok(Box::new(Constants))
        },
    };

    struct Constants;

    impl Engine for Constants {
        fn name(&self) -> &'static str {
            ENTRY.name
        }

        fn can(&self, task: &Task) -> Result<(), String> {
            match task.sites().is_empty() {
                true => Err("there is nothing to prove".to_owned()),
                false => Ok(()),
            }
        }

        fn run(&self, task: &Task, _: &Knowledge, _: &Budget, sink: &mut dyn Sink) -> EngineReport {
            sink.progress(Progress::phase("looking at constants"));
            let sites = task.sites().iter();
            let proved = sites.filter(|(_, site)| is_true(task, site));
            EngineReport {
                answers: proved
                    .map(|(id, _)| SiteAnswer {
                        site: SitePlace::Listed(id),
                        verdict: SiteVerdict::Safe,
                        unreached: false,
                    })
                    .collect(),
                ..EngineReport::undecided(UnknownReason::Unproved { invariant: vec![] })
            }
        }
    }

    fn is_true(task: &Task, site: &Site) -> bool {
        let body = task.pure().functions[site.point.function].body.as_ref();
        body.is_some_and(
            |body| match body.instructions[site.point.instruction].instruction {
                Instruction::Check { condition, .. } => {
                    body.as_constant(condition) == Some(Constant::Int(1))
                }
                _ => false,
            },
        )
    }
}
// --- end of the example

/// Waits for the knowledge of others, and says what it heard.
mod listener {
    use foghorn_core::{Budget, UnknownReason};
    use foghorn_engine::{
        Engine, EngineEntry, EngineOptions, EngineReport, Knowledge, OptionError, Power, Sink, Task,
    };
    use std::time::{Duration, Instant};

    pub const ENTRY: EngineEntry = EngineEntry {
        name: "listener",
        about: "hears",
        power: Power::Proves,
        make: |_: &EngineOptions| -> Result<Box<dyn Engine>, OptionError> {
            Ok(Box::new(Listener))
        },
    };

    struct Listener;

    impl Engine for Listener {
        fn name(&self) -> &'static str {
            ENTRY.name
        }

        fn can(&self, _: &Task) -> Result<(), String> {
            Ok(())
        }

        fn run(
            &self,
            _: &Task,
            known: &Knowledge,
            _: &Budget,
            sink: &mut dyn Sink,
        ) -> EngineReport {
            let mut known = known.clone();
            let started = Instant::now();
            while known.proved().next().is_none() && started.elapsed() < Duration::from_secs(20) {
                if let Some(news) = sink.news() {
                    known.join(&news).expect("the same program");
                }
                std::thread::sleep(Duration::from_millis(5));
            }
            let heard = known.proved().count() as f64;
            let mut report = EngineReport::undecided(UnknownReason::Unproved { invariant: vec![] });
            report.statistics.insert("heard".to_owned(), heard);
            report
        }
    }
}

/// Works as long as it may, and says that it came to an end by itself.
mod patient {
    use foghorn_core::{Budget, Exhausted, UnknownReason};
    use foghorn_engine::{
        Engine, EngineEntry, EngineOptions, EngineReport, Knowledge, OptionError, Power, Sink, Task,
    };
    use std::time::Duration;

    pub const FIRST: EngineEntry = EngineEntry {
        name: "first",
        about: "waits for the end",
        power: Power::Proves,
        make: |_: &EngineOptions| -> Result<Box<dyn Engine>, OptionError> {
            Ok(Box::new(Patient(FIRST.name)))
        },
    };

    pub const SECOND: EngineEntry = EngineEntry {
        name: "second",
        make: |_: &EngineOptions| -> Result<Box<dyn Engine>, OptionError> {
            Ok(Box::new(Patient(SECOND.name)))
        },
        ..FIRST
    };

    struct Patient(&'static str);

    impl Engine for Patient {
        fn name(&self) -> &'static str {
            self.0
        }

        fn can(&self, _: &Task) -> Result<(), String> {
            Ok(())
        }

        fn run(&self, _: &Task, _: &Knowledge, budget: &Budget, _: &mut dyn Sink) -> EngineReport {
            while budget.check().is_ok() {
                std::thread::sleep(Duration::from_millis(5));
            }
            let resource = Exhausted::Time.to_string();
            let mut report = EngineReport::undecided(UnknownReason::Budget { resource });
            report.statistics.insert("ended".to_owned(), 1.0);
            report
        }
    }
}

/// Claims failures that do not happen.
mod liar {
    use foghorn_core::{Budget, CheckKind, UnknownReason};
    use foghorn_engine::{
        Candidate, Engine, EngineEntry, EngineOptions, EngineReport, Knowledge, OptionError, Power,
        Sink, SitePlace, Task,
    };
    use foghorn_ir::interpret::Failure;

    pub const ENTRY: EngineEntry = EngineEntry {
        name: "liar",
        about: "refutes what holds",
        power: Power::Refutes,
        make: |_: &EngineOptions| -> Result<Box<dyn Engine>, OptionError> { Ok(Box::new(Liar)) },
    };

    struct Liar;

    impl Engine for Liar {
        fn name(&self) -> &'static str {
            ENTRY.name
        }

        fn can(&self, _: &Task) -> Result<(), String> {
            Ok(())
        }

        fn run(&self, task: &Task, _: &Knowledge, _: &Budget, sink: &mut dyn Sink) -> EngineReport {
            for (id, site) in task.sites().iter() {
                let candidate = Candidate {
                    choices: vec![],
                    layout: vec![],
                    failure: Box::new(Failure {
                        kind: CheckKind::Assertion,
                        span: site.span,
                        point: Some(site.point),
                        message: String::new(),
                        stack: vec![],
                        object: None,
                    }),
                    steps: 1,
                };
                sink.failure(Some(SitePlace::Listed(id)), &candidate);
            }
            EngineReport::undecided(UnknownReason::OnlyRefutes {
                engine: ENTRY.name.to_owned(),
            })
        }
    }
}

/// An assertion of a constant, and one of an input.
const TEXT: &str = "foghorn-ir 1\nlayout pointer-bytes 8\nentry @main\n\
    function @main() -> i32 {\nblock0:\nv0:i32 = nondet input \"f\"\n\
    check assertion 1:i1\nv1:i1 = compare eq v0, v0\ncheck assertion v1\nreturn 0:i32\n}\n";

fn task() -> (Task, Vec<u8>) {
    let program = foghorn_ir::parse_module(TEXT).unwrap_or_else(|error| panic!("{error}"));
    let mut pure = program.clone();
    let options = foghorn_dsa::Options::default();
    let pointers = foghorn_dsa::memory_ssa::plan::purify(&mut pure, &options);
    let checks = CheckSelection::default();
    let circumstances = Circumstances::default();
    let task = Task::new(program, pure, &pointers, checks, false, circumstances);
    task.expect("a task")
}

fn plan(engines: &[&str]) -> Plan {
    let groups = CheckSelection::default().groups().collect();
    let stages = engines
        .iter()
        .map(|engine| Stage::new(engine, "to be seen"));
    let mut plan = Plan::single(groups, Stage::new("", ""));
    plan.stages = stages.collect();
    plan.jobs = 2;
    plan
}

fn verify(engines: &[&str], change: impl FnOnce(&Path)) -> VerificationReport {
    verify_by(&plan(engines), change)
}

/// On one core, in turns that begin with a tenth of a second.
fn in_turns(engines: &[&str]) -> Plan {
    let mut plan = plan(engines);
    plan.jobs = 1;
    for stage in &mut plan.stages {
        stage.first_turn = Some(Duration::from_millis(100));
    }
    plan
}

fn verify_by(plan: &Plan, change: impl FnOnce(&Path)) -> VerificationReport {
    let (task, bytes) = task();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("program.task");
    Task::write(&bytes, &path).expect("written");
    change(&path);
    let prepared = Prepared {
        task: path,
        hash: task.hash(),
        checks: CheckList::new(&task).all().to_vec(),
        is_loop_free: true,
        has_nothing: false,
        assumptions: vec![],
    };
    let launcher = Launcher {
        command: &|| {
            let mut command = Command::new(std::env::current_exe()?);
            command.args([
                "--exact",
                "stage_process",
                "--nocapture",
                "--test-threads=1",
            ]);
            command.env(ROLE, "yes");
            Ok(command)
        },
        request: &|stage| StageWork::<()> {
            stage,
            harness: None,
        },
    };
    let budget = Budget::unlimited();
    let mut notify = |_: Notice<'_>| {};
    let start = Instant::now();
    carry_out(plan, &prepared, &launcher, start, &budget, &mut notify)
}

/// Not a test: the process of a stage.
#[test]
fn stage_process() {
    if std::env::var_os(ROLE).is_some() {
        let writer = |()| -> Box<dyn HarnessWriter> { unreachable!("no harness is asked for") };
        let _ = serve_stage::<()>(ENGINES, writer);
    }
}

#[test]
fn a_new_engine_takes_part_in_a_plan() {
    let report = verify(&["constant"], |_| {});
    let verdicts: Vec<VerdictName> = report.checks.iter().map(|check| check.verdict).collect();
    assert_eq!(verdicts, [VerdictName::Safe, VerdictName::Unknown]);
    assert_eq!(report.checks[0].proved_by, ["constant"]);
    assert_eq!(report.verdict, VerdictName::Unknown);
    assert!(
        plan(&["constant"])
            .to_string()
            .contains("1. engine constant")
    );
}

#[test]
fn knowledge_goes_to_engines_that_run() {
    // The listener is started first, so that it hears of the proof while it runs.
    let report = verify(&["listener", "constant"], |_| {});
    assert_eq!(report.statistics["listener_heard"], 1.0);
}

/// The listener would wait for twenty seconds; in turns it makes room for the one that it waits for.
#[test]
fn stages_take_turns_on_one_core() {
    let report = verify_by(&in_turns(&["listener", "constant"]), |_| {});
    assert_eq!(report.statistics["listener_heard"], 1.0);
}

/// Neither the one whose turn it is nor the one that waits is cut off when the time is over.
#[test]
fn all_are_told_that_the_time_is_over() {
    let mut plan = in_turns(&["first", "second"]);
    plan.time = Some(Duration::from_secs(1));
    let started = Instant::now();
    let report = verify_by(&plan, |_| {});
    assert!(started.elapsed() < Duration::from_secs(3));
    assert_eq!(report.statistics["first_ended"], 1.0);
    assert_eq!(report.statistics["ended"], 1.0, "that of the last one");
}

#[test]
fn what_does_not_fail_is_not_believed_to_fail() {
    let report = verify(&["liar"], |_| {});
    assert_eq!(report.verdict, VerdictName::Unknown);
    assert!(report.with_verdict(VerdictName::Unsafe).next().is_none());
}

/// A program that changed after it was prepared lends its proof to nobody.
#[test]
fn another_program_in_the_place_of_the_first_is_refused() {
    let report = verify(&["constant"], |path| {
        let mut bytes = std::fs::read(path).expect("readable");
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        std::fs::write(path, bytes).expect("written");
    });
    assert!(report.with_verdict(VerdictName::Safe).next().is_none());
    let Some(UnknownReason::Failure { what }) = &report.unknown else {
        panic!("{:?}", report.unknown);
    };
    assert!(what.contains("changed meanwhile"), "{what}");
}

#[test]
fn an_engine_that_nobody_enrolled_is_a_reason() {
    let report = verify(&["nobody"], |_| {});
    assert!(
        report.reason.contains("no engine 'nobody'"),
        "{}",
        report.reason
    );
}
