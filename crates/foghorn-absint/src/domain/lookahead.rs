//! Lookahead widening (Gopan and Reps, "Lookahead widening").
//!
//! Many loops run in phases, and a widening in the first phase enters the second one too early.
//! Here a state is a pair: the *main* element decides which paths can be taken, the *pilot* runs
//! along those paths and is the one that is widened. Once the pilot is stable, the phase is
//! solved and the pilot becomes the main element, which opens the next phase.
//!
//! γ is that of the main element. The number of promotions is limited, after which the main
//! element is widened itself, so that chains end.

use crate::domain::{AbstractDomain, ProgramDomain, VariableDomain};
use crate::language::{Condition, Statement};
use crate::thresholds::Thresholds;
use crate::value::interval::Interval;
use crate::variable::VariableId;

/// Promotions before ordinary widening takes over.
const PROMOTIONS: u32 = 8;

/// A main element and its pilot.
#[derive(Clone, Debug)]
pub struct Lookahead<D> {
    main: D,
    pilot: D,
    promotions: u32,
}

impl<D: ProgramDomain> Lookahead<D> {
    #[must_use]
    pub fn new(below: D) -> Lookahead<D> {
        Lookahead {
            pilot: below.clone(),
            main: below,
            promotions: 0,
        }
    }

    fn of(main: D, pilot: D) -> Lookahead<D> {
        if main.is_bottom() {
            return Lookahead::new(main);
        }
        Lookahead {
            main,
            pilot,
            promotions: 0,
        }
    }

    fn both(&mut self, operation: impl Fn(&mut D)) {
        operation(&mut self.main);
        if self.main.is_bottom() {
            self.pilot = self.main.clone();
        } else {
            operation(&mut self.pilot);
        }
    }
}

impl<D: ProgramDomain> AbstractDomain for Lookahead<D> {
    fn top(&self) -> Lookahead<D> {
        Lookahead::new(self.main.top())
    }

    fn bottom(&self) -> Lookahead<D> {
        Lookahead::new(self.main.bottom())
    }

    fn is_top(&self) -> bool {
        self.main.is_top()
    }

    fn is_bottom(&self) -> bool {
        self.main.is_bottom()
    }

    /// The main element alone: when it is stable, it is an invariant.
    fn leq(&self, other: &Lookahead<D>) -> bool {
        self.main.leq(&other.main)
    }

    fn join(&self, other: &Lookahead<D>) -> Lookahead<D> {
        Lookahead::of(self.main.join(&other.main), self.pilot.join(&other.pilot))
    }

    fn meet(&self, other: &Lookahead<D>) -> Lookahead<D> {
        Lookahead::of(self.main.meet(&other.main), self.pilot.meet(&other.pilot))
    }

    fn widen(&self, other: &Lookahead<D>, thresholds: &Thresholds) -> Lookahead<D> {
        if self.is_bottom() || other.is_bottom() {
            return if self.is_bottom() {
                other.clone()
            } else {
                self.clone()
            };
        }
        let main = self.main.join(&other.main);
        if self.promotions >= PROMOTIONS {
            let widened = self.main.widen(&main, thresholds);
            return Lookahead {
                pilot: widened.clone(),
                main: widened,
                promotions: self.promotions,
            };
        }
        if other.pilot.leq(&self.pilot) {
            let promoted = main.join(&other.pilot);
            let promotions = self.promotions + 1;
            return Lookahead {
                pilot: promoted.clone(),
                main: promoted,
                promotions,
            };
        }
        let pilot = self.pilot.widen(&self.pilot.join(&other.pilot), thresholds);
        Lookahead {
            main,
            pilot,
            promotions: self.promotions,
        }
    }

    fn narrow(&self, other: &Lookahead<D>) -> Lookahead<D> {
        Lookahead::new(self.main.narrow(&other.main))
    }
}

impl<D: ProgramDomain> VariableDomain for Lookahead<D> {
    fn forget(&mut self, variables: &[VariableId]) {
        self.both(|element| element.forget(variables));
    }

    fn project(&mut self, variables: &[VariableId]) {
        self.both(|element| element.project(variables));
    }

    fn rename(&mut self, from: &[VariableId], to: &[VariableId]) {
        self.both(|element| element.rename(from, to));
    }

    fn expand(&mut self, original: VariableId, copy: VariableId) {
        self.both(|element| element.expand(original, copy));
    }
}

impl<D: ProgramDomain> ProgramDomain for Lookahead<D> {
    fn transfer(&mut self, statement: &Statement) {
        self.both(|element| element.transfer(statement));
    }

    fn assume(&mut self, condition: &Condition) {
        self.both(|element| element.assume(condition));
    }

    fn entails(&self, condition: &Condition) -> bool {
        self.main.entails(condition)
    }

    fn bounds(&self, variable: VariableId) -> Interval {
        self.main.bounds(variable)
    }

    fn to_conditions(&self) -> Vec<Condition> {
        self.main.to_conditions()
    }

    fn describe_beyond_conditions(&self, name: &dyn Fn(VariableId) -> String) -> Vec<String> {
        self.main.describe_beyond_conditions(name)
    }

    fn backward(&mut self, statement: &Statement, before: &Lookahead<D>) {
        self.main.backward(statement, &before.main);
        self.pilot = self.main.clone();
    }
}
