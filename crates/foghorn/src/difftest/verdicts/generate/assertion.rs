//! From what was observed of an expression to an assertion about it.

use super::Random;
use std::collections::BTreeSet;

/// The values of an expression over all executions.
#[derive(Clone, Debug, Default)]
pub struct Observed {
    values: BTreeSet<i64>,
}

impl Observed {
    pub fn enter(&mut self, value: i64) {
        self.values.insert(value);
    }

    /// A condition that held each time, and would not if it said a little more; or, where it is to
    /// break, one that did not hold at least once. Of an expression that was never evaluated anything
    /// holds.
    pub fn condition(&self, expression: &str, breaks: bool, random: &mut Random) -> String {
        let (Some(&low), Some(&high)) = (self.values.first(), self.values.last()) else {
            return format!("({expression}) == {}", random.between(1000, 2000));
        };
        let value = format!("(long)({expression})");
        let values: Vec<i64> = self.values.iter().copied().collect();
        if breaks {
            return match random.below(3) {
                0 => format!("{value} < {}", literal(high)),
                1 => format!("{value} > {}", literal(low)),
                _ => format!("{value} != {}", literal(*random.of(&values))),
            };
        }
        match random.below(6) {
            0 => format!("{value} <= {}", literal(high)),
            1 => format!("{value} >= {}", literal(low)),
            2 if values.len() <= 3 => {
                let cases: Vec<_> = values.iter().map(|it| literal(*it)).collect();
                let cases: Vec<_> = cases.iter().map(|it| format!("{value} == {it}")).collect();
                cases.join(" || ")
            }
            3 if high.abs_diff(low) >= values.len() as u64 => {
                let gap = (low..high).find(|it| !self.values.contains(it));
                let gap = gap.expect("invariant: fewer values than the range has");
                format!("{value} != {}", literal(gap))
            }
            4 if values.iter().all(|it| it & 1 == low & 1) => {
                format!("({value} & 1) == {}", low & 1)
            }
            _ => format!(
                "{value} >= {} && {value} <= {}",
                literal(low),
                literal(high)
            ),
        }
    }
}

fn literal(value: i64) -> String {
    match value {
        i64::MIN => "(-9223372036854775807L - 1)".to_owned(),
        value => format!("{value}L"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_tight() {
        let mut observed = Observed::default();
        for value in [3, 5, 9] {
            observed.enter(value);
        }
        let draw = |breaks| -> BTreeSet<String> {
            let draws = 0..60;
            draws
                .map(|seed| observed.condition("x", breaks, &mut Random::new(seed)))
                .collect()
        };
        let held = draw(false);
        for condition in [
            "(long)(x) <= 9L",
            "(long)(x) >= 3L",
            "(long)(x) >= 3L && (long)(x) <= 9L",
            "(long)(x) != 4L",
            "((long)(x) & 1) == 1",
        ] {
            assert!(held.contains(condition), "{condition}: {held:?}");
        }
        let broken = draw(true);
        assert!(broken.contains("(long)(x) < 9L"), "{broken:?}");
        assert!(broken.contains("(long)(x) != 5L"), "{broken:?}");
    }
}
