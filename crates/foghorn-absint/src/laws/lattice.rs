//! The laws of the order, the lattice operations, widening and narrowing.

use crate::domain::ProgramDomain;
use crate::language::Statement;
use crate::laws::universe::{Element, belongs};
use crate::laws::{Law, Order, Trial};
use crate::linear::LinearExpression;
use crate::number::Number;
use crate::thresholds::Thresholds;

/// The laws, in the order in which they are tested.
#[must_use]
pub fn laws<D: ProgramDomain>() -> Vec<Law<D>> {
    vec![
        Law {
            name: "order",
            check: order,
        },
        Law {
            name: "inclusion of states",
            check: inclusion,
        },
        Law {
            name: "join covers",
            check: join_covers,
        },
        Law {
            name: "join is monotone",
            check: join_monotone,
        },
        Law {
            name: "meet is sound",
            check: meet_sound,
        },
        Law {
            name: "widening covers",
            check: widening_covers,
        },
        Law {
            name: "widening stabilises",
            check: widening_stabilises,
        },
        Law {
            name: "narrowing is sound",
            check: narrowing_sound,
        },
    ]
}

impl<D: ProgramDomain> Trial<'_, D> {
    pub(super) fn element(&mut self) -> Element<D> {
        self.universe.element(self.top, &mut self.random)
    }

    fn thresholds(&mut self) -> Thresholds {
        let count = self.random.below(4);
        Thresholds::new(
            (0..count)
                .map(|_| self.random.small())
                .collect::<Vec<Number>>(),
        )
    }
}

fn ensure(holds: bool, law: &str, elements: &[&dyn std::fmt::Debug]) -> Result<(), String> {
    if holds {
        Ok(())
    } else {
        Err(format!("not {law}: {elements:?}"))
    }
}

/// Every witness of `of` belongs to `domain`.
pub(super) fn all_belong<D: ProgramDomain>(
    domain: &D,
    of: &Element<D>,
    law: &str,
) -> Result<(), String> {
    for frame in &of.witnesses {
        belongs(domain, frame).map_err(|why| {
            format!(
                "{law}: {why}\n  element {domain:?}\n  made by {:?}",
                of.history
            )
        })?;
    }
    Ok(())
}

fn order<D: ProgramDomain>(trial: &mut Trial<'_, D>) -> Result<(), String> {
    let (a, b) = (trial.element(), trial.element());
    let (top, bottom) = (trial.top.top(), trial.top.bottom());
    all_belong(&a.domain, &a, "witnesses of an element")?;
    ensure(top.is_top() && !top.is_bottom(), "top is top", &[&top])?;
    ensure(
        bottom.is_bottom() && !bottom.is_top(),
        "bottom is bottom",
        &[&bottom],
    )?;
    ensure(a.domain.leq(&a.domain), "a <= a", &[&a.domain])?;
    ensure(bottom.leq(&a.domain), "bottom <= a", &[&a.domain])?;
    ensure(a.domain.leq(&top), "a <= top", &[&a.domain])?;
    ensure(
        !a.domain.leq(&bottom),
        "a is not below bottom",
        &[&a.domain],
    )?;
    if trial.order != Order::StatesOnly && a.domain.leq(&b.domain) {
        let c = trial.element();
        let above = b.domain.join(&c.domain);
        ensure(
            a.domain.leq(&above),
            "transitive",
            &[&a.domain, &b.domain, &above],
        )?;
    }
    Ok(())
}

fn inclusion<D: ProgramDomain>(trial: &mut Trial<'_, D>) -> Result<(), String> {
    let a = trial.element();
    // Elements that are related are rare by chance: an ancestor is often above.
    let mut b = a.clone();
    for _ in 0..trial.random.below(3) {
        let statement = trial.universe.statement(&mut trial.random);
        b.advance(&statement, &mut trial.random);
    }
    for (lower, upper) in [(&a, &b), (&b, &a)] {
        if lower.domain.leq(&upper.domain) {
            all_belong(&upper.domain, lower, "a <= b includes the states of a")?;
        }
    }
    Ok(())
}

fn join_covers<D: ProgramDomain>(trial: &mut Trial<'_, D>) -> Result<(), String> {
    let (a, b) = (trial.element(), trial.element());
    let join = a.domain.join(&b.domain);
    ensure(
        a.domain.leq(&join),
        "a <= a join b",
        &[&a.domain, &b.domain, &join],
    )?;
    ensure(
        b.domain.leq(&join),
        "b <= a join b",
        &[&a.domain, &b.domain, &join],
    )?;
    all_belong(&join, &a, "join")?;
    all_belong(&join, &b, "join")?;
    let (bottom, twice) = (trial.top.bottom(), a.domain.join(&a.domain));
    ensure(twice.leq(&a.domain), "a join a <= a", &[&a.domain, &twice])?;
    for same in [a.domain.join(&bottom), bottom.join(&a.domain)] {
        ensure(
            same.leq(&a.domain) && a.domain.leq(&same),
            "a join bottom = a",
            &[&a.domain, &same],
        )?;
    }
    if trial.order != Order::StatesOnly {
        let flipped = b.domain.join(&a.domain);
        let equal = join.leq(&flipped) && flipped.leq(&join);
        ensure(
            equal,
            "join commutes",
            &[&a.domain, &b.domain, &join, &flipped],
        )?;
    }
    Ok(())
}

fn join_monotone<D: ProgramDomain>(trial: &mut Trial<'_, D>) -> Result<(), String> {
    let (a, b, c) = (trial.element(), trial.element(), trial.element());
    let greater = a.domain.join(&c.domain);
    let (low, high) = (a.domain.join(&b.domain), greater.join(&b.domain));
    all_belong(&high, &a, "join of a greater element")?;
    all_belong(&high, &b, "join of a greater element")?;
    all_belong(&high, &c, "join of a greater element")?;
    if trial.order != Order::StatesOnly {
        ensure(
            low.leq(&high),
            "join is monotone",
            &[&a.domain, &b.domain, &c.domain, &low, &high],
        )?;
    }
    Ok(())
}

fn meet_sound<D: ProgramDomain>(trial: &mut Trial<'_, D>) -> Result<(), String> {
    let a = trial.element();
    // Both elements contain the witnesses of `a`.
    let mut b = trial.element();
    b.domain = b.domain.join(&a.domain);
    for _ in 0..trial.random.below(3) {
        let condition = trial
            .universe
            .true_condition(&a.witnesses[0], &mut trial.random);
        b.domain.assume(&condition);
    }
    let meet = a.domain.meet(&b.domain);
    for frame in &a.witnesses {
        if belongs(&b.domain, frame).is_ok() {
            belongs(&meet, frame).map_err(|why| {
                format!("meet: {why} of {:?} and {:?}: {meet:?}", a.domain, b.domain)
            })?;
        }
    }
    if trial.order == Order::Lattice {
        ensure(
            meet.leq(&a.domain),
            "a meet b <= a",
            &[&a.domain, &b.domain, &meet],
        )?;
        ensure(
            meet.leq(&b.domain),
            "a meet b <= b",
            &[&a.domain, &b.domain, &meet],
        )?;
    }
    Ok(())
}

fn widening_covers<D: ProgramDomain>(trial: &mut Trial<'_, D>) -> Result<(), String> {
    let (a, b) = (trial.element(), trial.element());
    let thresholds = trial.thresholds();
    let widened = a.domain.widen(&b.domain, &thresholds);
    all_belong(&widened, &a, "widening")?;
    all_belong(&widened, &b, "widening")?;
    ensure(
        a.domain.leq(&widened),
        "a <= a widen b",
        &[&a.domain, &b.domain, &widened],
    )?;
    ensure(
        b.domain.leq(&widened),
        "b <= a widen b",
        &[&a.domain, &b.domain, &widened],
    )
}

/// Longer chains than this are taken for infinite ones.
const LONGEST_CHAIN: usize = 120;

fn widening_stabilises<D: ProgramDomain>(trial: &mut Trial<'_, D>) -> Result<(), String> {
    let mut current = trial.element();
    let thresholds = trial.thresholds();
    let mut body: Vec<Statement> = (0..3)
        .map(|_| trial.universe.statement(&mut trial.random))
        .collect();
    if trial.random.once_in(3) {
        // A counter: what grows by one would grow forever without a widening.
        let target = trial.universe.numbers[0];
        let expression = LinearExpression::variable(target).plus_constant(&Number::ONE);
        body = vec![Statement::Assign { target, expression }];
    }
    let mut growths = 0;
    // A chain only counts as stable when it did not grow for a while.
    let mut quiet = 0;
    while quiet < 4 {
        let mut next = current.clone();
        for statement in &body {
            next.domain.transfer(statement);
        }
        if trial.random.once_in(3) && growths < 20 {
            next.domain = next.domain.join(&trial.element().domain);
        }
        let next = next.domain.join(&current.domain);
        let widened = current.domain.widen(&next, &thresholds);
        if widened.leq(&current.domain) {
            quiet += 1;
        } else {
            quiet = 0;
            growths += 1;
        }
        if growths > LONGEST_CHAIN {
            return Err(format!(
                "the chain still grows: {:?} by {body:?}",
                current.domain
            ));
        }
        current.domain = widened;
    }
    Ok(())
}

fn narrowing_sound<D: ProgramDomain>(trial: &mut Trial<'_, D>) -> Result<(), String> {
    let (a, b) = (trial.element(), trial.element());
    let mut upper = a.domain.widen(&b.domain, &Thresholds::none());
    let narrowed = upper.narrow(&a.domain.join(&b.domain));
    all_belong(&narrowed, &a, "narrowing")?;
    all_belong(&narrowed, &b, "narrowing")?;
    ensure(
        narrowed.leq(&upper) || trial.order == Order::StatesOnly,
        "narrowing descends",
        &[&upper, &narrowed],
    )?;
    let mut steps = 0;
    loop {
        let next = upper.narrow(&upper.meet(&a.domain));
        if upper.leq(&next) {
            break;
        }
        steps += 1;
        ensure(
            steps < LONGEST_CHAIN,
            "narrowing stabilises",
            &[&upper, &a.domain],
        )?;
        upper = next;
    }
    all_belong(&upper, &a, "repeated narrowing")
}
