//! The laws of transfer functions and of operations on variables.

use crate::domain::ProgramDomain;
use crate::language::Statement;
use crate::language::interpreter::{Oracle as _, Value, evaluate_condition};
use crate::laws::lattice::all_belong;
use crate::laws::universe::{belongs, successor};
use crate::laws::{Law, Trial};
use crate::variable::VariableId;

/// The laws, in the order in which they are tested.
#[must_use]
pub fn laws<D: ProgramDomain>() -> Vec<Law<D>> {
    vec![
        Law {
            name: "forward transfer is sound",
            check: forward,
        },
        Law {
            name: "array transfer is sound",
            check: arrays,
        },
        Law {
            name: "a transfer of bottom is bottom",
            check: strict,
        },
        Law {
            name: "backward transfer is sound",
            check: backward,
        },
        Law {
            name: "assume is sound",
            check: assume,
        },
        Law {
            name: "entailment is sound",
            check: entailment,
        },
        Law {
            name: "forget is sound",
            check: forget,
        },
        Law {
            name: "project is sound",
            check: project,
        },
        Law {
            name: "rename is sound",
            check: rename,
        },
        Law {
            name: "expand is sound",
            check: expand,
        },
    ]
}

fn forward<D: ProgramDomain>(trial: &mut Trial<'_, D>) -> Result<(), String> {
    let before = trial.element();
    let statement = trial.universe.statement(&mut trial.random);
    let mut after = before.domain.clone();
    after.transfer(&statement);
    for frame in &before.witnesses {
        if let Some(next) = successor(&statement, frame, &mut trial.random) {
            belongs(&after, &next).map_err(|why| {
                format!(
                    "{statement:?} from {frame:?} to {next:?}: {why}\n  before {:?}\n  after {after:?}\n  made by {:?}",
                    before.domain, before.history
                )
            })?;
        }
    }
    Ok(())
}

/// What was written to arrays is only seen by later reads, so there are several statements in a row.
fn arrays<D: ProgramDomain>(trial: &mut Trial<'_, D>) -> Result<(), String> {
    let mut element = trial.element();
    for _ in 0..8 {
        let statement = trial.universe.array_statement(&mut trial.random);
        element.advance(&statement, &mut trial.random);
    }
    all_belong(&element.domain, &element, "arrays")
}

fn strict<D: ProgramDomain>(trial: &mut Trial<'_, D>) -> Result<(), String> {
    let statement = trial.universe.statement(&mut trial.random);
    let mut bottom = trial.top.bottom();
    bottom.transfer(&statement);
    bottom.forget(&[trial.universe.numbers[0]]);
    if bottom.is_bottom() {
        Ok(())
    } else {
        Err(format!("{statement:?} on bottom: {bottom:?}"))
    }
}

fn backward<D: ProgramDomain>(trial: &mut Trial<'_, D>) -> Result<(), String> {
    let before = trial.element();
    let statement = trial.universe.statement(&mut trial.random);
    for frame in &before.witnesses {
        let Some(next) = successor(&statement, frame, &mut trial.random) else {
            continue;
        };
        // Some element that the successor belongs to, not only the image. What it says of arrays
        // is forgotten, as whether they belong is not decided.
        let mut after = trial.element().domain;
        after.project(&trial.universe.scalars());
        if belongs(&after, &next).is_err() {
            after = before.domain.clone();
            after.transfer(&statement);
        }
        let condition = trial.universe.true_condition(&next, &mut trial.random);
        after.assume(&condition);
        if belongs(&after, &next).is_err() {
            continue;
        }
        let mut predecessors = after.clone();
        predecessors.backward(&statement, &before.domain);
        belongs(&predecessors, frame).map_err(|why| {
            format!(
                "{statement:?} from {frame:?}: {why}\n  before {:?}\n  after {after:?}\n  predecessors {predecessors:?}\n  made by {:?}",
                before.domain, before.history
            )
        })?;
    }
    Ok(())
}

fn assume<D: ProgramDomain>(trial: &mut Trial<'_, D>) -> Result<(), String> {
    let element = trial.element();
    let condition = trial
        .universe
        .true_condition(&element.witnesses[0], &mut trial.random);
    let mut assumed = element.domain.clone();
    assumed.assume(&condition);
    for frame in &element.witnesses {
        if evaluate_condition(&condition, &mut frame.clone(), &mut trial.random) {
            belongs(&assumed, frame).map_err(|why| {
                format!(
                    "assume {condition:?}: {why}; {:?} to {assumed:?}",
                    element.domain
                )
            })?;
        }
    }
    Ok(())
}

fn entailment<D: ProgramDomain>(trial: &mut Trial<'_, D>) -> Result<(), String> {
    let element = trial.element();
    let condition = trial.universe.condition(&mut trial.random);
    if !element.domain.entails(&condition) {
        return Ok(());
    }
    for frame in &element.witnesses {
        if !evaluate_condition(&condition, &mut frame.clone(), &mut trial.random) {
            return Err(format!(
                "{:?} entails {condition:?}, not so {frame:?}",
                element.domain
            ));
        }
    }
    Ok(())
}

fn forget<D: ProgramDomain>(trial: &mut Trial<'_, D>) -> Result<(), String> {
    let mut element = trial.element();
    let scalars = trial.universe.scalars();
    let count = 1 + trial.random.below(3);
    let forgotten: Vec<VariableId> = (0..count).map(|_| *trial.random.pick(&scalars)).collect();
    element.domain.forget(&forgotten);
    for frame in &mut element.witnesses {
        for x in &forgotten {
            *frame = havoc(frame, *x, trial)?;
        }
    }
    all_belong(&element.domain, &element, "forget")
}

fn havoc<D: ProgramDomain>(
    frame: &crate::language::interpreter::Frame,
    x: VariableId,
    trial: &mut Trial<'_, D>,
) -> Result<crate::language::interpreter::Frame, String> {
    successor(&Statement::Havoc { target: x }, frame, &mut trial.random)
        .ok_or_else(|| "havoc always has a successor".to_owned())
}

fn project<D: ProgramDomain>(trial: &mut Trial<'_, D>) -> Result<(), String> {
    let mut element = trial.element();
    let (kept, lost): (Vec<VariableId>, Vec<VariableId>) = trial
        .universe
        .scalars()
        .into_iter()
        .partition(|_| trial.random.flip());
    element.domain.project(&kept);
    for frame in &mut element.witnesses {
        for x in &lost {
            *frame = havoc(frame, *x, trial)?;
        }
    }
    all_belong(&element.domain, &element, "project")
}

fn rename<D: ProgramDomain>(trial: &mut Trial<'_, D>) -> Result<(), String> {
    let mut element = trial.element();
    let numbers = &trial.universe.numbers;
    let (x, y, fresh) = (numbers[0], numbers[1], trial.universe.fresh);
    // Either one variable takes a new name, or two also exchange theirs.
    let (from, to) = if trial.random.flip() {
        (vec![x], vec![fresh])
    } else {
        (vec![x, y], vec![y, fresh])
    };
    element.domain.rename(&from, &to);
    for frame in &mut element.witnesses {
        let values: Vec<Option<Value>> = from.iter().map(|x| frame.scalars.remove(x)).collect();
        for (x, value) in to.iter().zip(values) {
            frame.set(*x, value.ok_or("witnesses give every scalar a value")?);
        }
        // The old name is free now, so any value will do.
        let any = trial.random.integer(x.ty());
        frame.set(x, Value::Integer(any));
    }
    all_belong(&element.domain, &element, "rename")
}

/// The copy may have any value that the original could have beside the same other variables. Two
/// states that differ in the original alone are made to belong to the element.
fn expand<D: ProgramDomain>(trial: &mut Trial<'_, D>) -> Result<(), String> {
    let element = trial.element();
    let (x, fresh) = (trial.universe.numbers[0], trial.universe.fresh);
    let first = element.witnesses[0].clone();
    let second = havoc(&first, x, trial)?;
    let mut havocked = element.domain.clone();
    havocked.transfer(&Statement::Havoc { target: x });
    for _ in 0..trial.random.below(3) {
        let condition = trial.universe.true_condition(&second, &mut trial.random);
        havocked.assume(&condition);
    }
    let original = element.domain.join(&havocked);
    let mut expanded = original.clone();
    expanded.expand(x, fresh);
    for frame in [&first, &second] {
        for other in [&first, &second] {
            let value = other
                .known_integer(x)
                .ok_or("witnesses give every scalar a value")?;
            let mut both = frame.clone();
            both.set(fresh, Value::Integer(value));
            belongs(&expanded, &both)
                .map_err(|why| format!("expand: {why}; {original:?} to {expanded:?}"))?;
        }
    }
    Ok(())
}
