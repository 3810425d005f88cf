//! Random programs: loops, branches, calls (also recursive ones), arrays.
//!
//! [`check_program`] analyses one with a domain and runs it: every state that a run reaches must
//! belong to the invariants there, and every check must turn out as the analysis said.

use std::collections::BTreeMap;

use crate::analysis::backward::Place;
use crate::analysis::checker::{CheckStatus, required};
use crate::domain::AnyDomain;
use crate::language::interpreter::{Event, Frame, Outcome, evaluate_condition, run};
use crate::language::{
    BlockId, Condition, Function, FunctionBuilder, FunctionId, Program, Statement,
};
use crate::laws::Integers;
use crate::laws::random::Random;
use crate::laws::universe::{Universe, belongs};
use crate::pipeline::{Mode, Report, Request, analyse_program};
use crate::variable::VariableId;

/// A random program of `main` and one more function.
#[must_use]
pub fn random_program(random: &mut Random) -> Program {
    let integers = *random.pick(&Integers::ALL);
    let mut program = Program::new();
    let callee = Universe::declare(&mut program, integers);
    let main = Universe::declare(&mut program, integers);
    let interface = |universe: &Universe| {
        vec![
            universe.numbers[0],
            universe.stored[0].0,
            universe.booleans[0],
            universe.arrays[0],
        ]
    };
    let mut f = FunctionBuilder::new("callee");
    f.parameters(interface(&callee));
    f.results(interface(&callee).iter().map(|x| x.ty()));
    body(&mut f, &callee, &interface(&callee), random);
    f.finish(&mut program);
    let mut f = FunctionBuilder::new("main");
    body(&mut f, &main, &interface(&main), random);
    f.finish(&mut program);
    program
}

fn body(
    f: &mut FunctionBuilder,
    universe: &Universe,
    interface: &[VariableId],
    random: &mut Random,
) {
    let count = 3 + random.below(6);
    let blocks: Vec<BlockId> = (0..count).map(|n| f.block(format!("b{n}"))).collect();
    // Guards at the start of blocks, so that a branch excludes something.
    for pair in blocks[1..].chunks(2) {
        let condition = universe.condition(random);
        let conditions = [condition.clone(), condition.negate()];
        for (block, condition) in pair.iter().zip(conditions) {
            if !random.once_in(3) {
                f.push(*block, Statement::Assume { condition });
            }
        }
    }
    for block in &blocks {
        for _ in 0..random.below(4) {
            f.push(*block, universe.statement(random));
        }
        if random.once_in(4) {
            f.push(
                *block,
                Statement::Assert {
                    condition: universe.condition(random),
                },
            );
        }
        if random.once_in(5) {
            let function = "callee".to_owned();
            let (results, arguments) = (interface.to_vec(), interface.to_vec());
            f.push(
                *block,
                Statement::Call {
                    results,
                    function,
                    arguments,
                },
            );
        }
    }
    for (position, block) in blocks.iter().enumerate() {
        if position + 1 == blocks.len() || random.once_in(8) {
            f.return_from(*block, interface.to_vec());
            continue;
        }
        let next = blocks[position + 1];
        let other = *random.pick(&blocks);
        if random.once_in(3) {
            f.goto(*block, [next]);
        } else {
            f.goto(*block, [next, other]);
        }
    }
}

/// Statistics of the runs of one program.
#[derive(Clone, Copy, Debug, Default)]
pub struct Runs {
    pub states: usize,
    pub checks: usize,
}

struct Observer<'a> {
    report: &'a Report,
    statuses: BTreeMap<Place, CheckStatus>,
    runs: Runs,
    violation: Option<String>,
}

impl Observer<'_> {
    fn block(&mut self, function: FunctionId, block: BlockId, frame: &Frame) {
        self.runs.states += 1;
        let mut reasons = Vec::new();
        for states in self.report.states.of(function) {
            match belongs(states.before_block(block), frame) {
                Ok(()) => return,
                Err(why) => reasons.push(why),
            }
        }
        let body: &Function = &self.report.program.functions[function];
        let label = &body.blocks[block].label;
        self.violation = Some(format!(
            "a state of {} at {label} is missed: {reasons:?} {frame:?}",
            body.name
        ));
    }

    fn check(&mut self, place: Place, condition: &Condition, frame: &Frame) {
        self.runs.checks += 1;
        let known = condition
            .variables()
            .iter()
            .all(|x| frame.scalars.contains_key(x));
        if !known {
            return;
        }
        let holds = evaluate_condition(condition, &mut frame.clone(), &mut Random::new(0, ""));
        let status = self
            .statuses
            .get(&place)
            .copied()
            .unwrap_or(CheckStatus::Unreachable);
        let wrong = match status {
            CheckStatus::Unreachable => true,
            CheckStatus::Safe => !holds,
            CheckStatus::Error => holds,
            CheckStatus::Warning => false,
        };
        if wrong {
            self.violation = Some(format!(
                "{place:?} is called {status}, {holds} in {frame:?}"
            ));
        }
    }

    fn observe(&mut self, event: &Event<'_>) {
        if self.violation.is_some() {
            return;
        }
        match event {
            Event::Block {
                function,
                block,
                frame,
            } => self.block(*function, *block, frame),
            Event::Statement {
                function,
                block,
                position,
                frame,
            } => {
                let place = Place {
                    function: *function,
                    block: *block,
                    position: *position,
                };
                let body = &self.report.program.functions[*function].blocks[*block];
                if let Some((_, condition)) = required(&body.statements[*position]) {
                    self.check(place, &condition, frame);
                }
            }
            Event::Stopped {
                function,
                block,
                position,
                outcome: Outcome::Failed,
            } => {
                let place = Place {
                    function: *function,
                    block: *block,
                    position: *position,
                };
                let status = self.statuses.get(&place);
                if matches!(
                    status,
                    None | Some(CheckStatus::Safe | CheckStatus::Unreachable)
                ) {
                    self.violation = Some(format!("{place:?} fails, but is called {status:?}"));
                }
            }
            Event::Stopped { .. } => {}
        }
    }
}

/// Analyses a program with a domain and compares with `count` runs.
pub fn check_program(
    program: &Program,
    top: &AnyDomain,
    mode: Mode,
    count: usize,
    random: &mut Random,
) -> Result<Runs, String> {
    let mut request = Request {
        mode,
        refinement_rounds: 1,
        ..Request::default()
    };
    request.analysis.liveness = mode == Mode::Summaries;
    let report = analyse_program(program.clone(), top, &request);
    let statuses = report
        .checks
        .iter()
        .map(|check| (check.place, check.status))
        .collect();
    let mut observer = Observer {
        report: &report,
        statuses,
        runs: Runs::default(),
        violation: None,
    };
    let Some(main) = program.main() else {
        return Ok(Runs::default());
    };
    for _ in 0..count {
        let mut oracle = random.clone();
        run(
            program,
            main,
            Frame::default(),
            120,
            &mut oracle,
            &mut |event| {
                observer.observe(event);
            },
        );
        random.draw();
        if let Some(violation) = observer.violation {
            return Err(violation);
        }
    }
    Ok(observer.runs)
}
