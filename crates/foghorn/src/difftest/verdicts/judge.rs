//! Answers against the truth and against each other.
//!
//! | finding | when |
//! |---|---|
//! | wrong safe | a check is called safe at which a run fails, or a program of which a run fails |
//! | wrong alarm | a check or program is called unsafe of which no run fails, and all were tried |
//! | contradiction | one answer calls safe what another calls unsafe, and nobody knows the truth |
//! | broken | an answer is none: a crash, a report without sense, a failing run that is not one |
//! | machine | the program does natively what the interpreter does not |
//!
//! `unknown` is never wrong.

use super::engines::Answer;
use super::truth::{Place, Truth};
use foghorn_witness::report::{VerdictName, VerificationReport};
use std::collections::BTreeMap;

/// What sort of finding it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    WrongSafe,
    WrongAlarm,
    Contradiction,
    Broken,
    Machine,
}

impl Sort {
    pub fn name(self) -> &'static str {
        match self {
            Sort::WrongSafe => "wrong safe",
            Sort::WrongAlarm => "wrong alarm",
            Sort::Contradiction => "contradiction",
            Sort::Broken => "broken answer",
            Sort::Machine => "not what the machine does",
        }
    }
}

/// Something that must not be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub sort: Sort,
    /// Who is wrong, or the two that contradict each other.
    pub engines: Vec<&'static str>,
    pub what: String,
}

/// The first thing that is wrong with the answers.
pub fn judge(truth: &Truth, answers: &[(&'static str, Answer)]) -> Option<Finding> {
    let alone = answers.iter().find_map(|(engine, answer)| {
        let (sort, what) = match answer {
            Answer::Silent => return None,
            Answer::Broken(what) => (Sort::Broken, what.clone()),
            Answer::Report(report) => against_truth(truth, report)?,
        };
        Some(Finding {
            sort,
            engines: vec![engine],
            what,
        })
    });
    alone.or_else(|| among_each_other(answers))
}

/// The verdict at each place: of several checks that stand there the worst for the program.
fn by_place(report: &VerificationReport) -> BTreeMap<Place, VerdictName> {
    let badness = |verdict| match verdict {
        VerdictName::Safe => 0,
        VerdictName::Unknown => 1,
        VerdictName::Unsafe => 2,
    };
    let mut places = BTreeMap::new();
    for check in &report.checks {
        let place = Place {
            kind: check.kind,
            line: check.line,
            column: check.column,
        };
        let worst = places.entry(place).or_insert(check.verdict);
        if badness(check.verdict) > badness(*worst) {
            *worst = check.verdict;
        }
    }
    places
}

fn against_truth(truth: &Truth, report: &VerificationReport) -> Option<(Sort, String)> {
    let places = by_place(report);
    for (place, inputs) in &truth.failing {
        let safe = places.get(place) == Some(&VerdictName::Safe);
        if safe || report.verdict == VerdictName::Safe {
            let what = match safe {
                true => "this check is safe",
                false => "the program is safe",
            };
            let inputs: Vec<_> = inputs.iter().map(u64::to_string).collect();
            let inputs = inputs.join(" ");
            let text = format!("says {what}, but inputs [{inputs}] fail: {place}");
            return Some((Sort::WrongSafe, text));
        }
    }
    if !truth.complete {
        return None;
    }
    let alarms = places
        .iter()
        .filter(|(_, verdict)| **verdict == VerdictName::Unsafe);
    let mut wrong = alarms.filter(|(place, _)| !truth.failing.contains_key(place));
    if let Some((place, _)) = wrong.next() {
        let text = format!("says that this fails, but no input does it: {place}");
        return Some((Sort::WrongAlarm, text));
    }
    if report.verdict == VerdictName::Unsafe && truth.failing.is_empty() {
        let text = "says unsafe, but no input fails".to_owned();
        return Some((Sort::WrongAlarm, text));
    }
    None
}

fn among_each_other(answers: &[(&'static str, Answer)]) -> Option<Finding> {
    let reports = answers.iter().filter_map(|(engine, answer)| match answer {
        Answer::Report(report) => Some((*engine, by_place(report), report.verdict)),
        Answer::Silent | Answer::Broken(_) => None,
    });
    let reports: Vec<_> = reports.collect();
    for (first, places, verdict) in &reports {
        for (second, others, other) in &reports {
            let mut sites = places.iter().filter(|(place, verdict)| {
                **verdict == VerdictName::Safe && others.get(place) == Some(&VerdictName::Unsafe)
            });
            let site = sites.next().map(|(place, _)| place.to_string());
            let programs = (*verdict, *other) == (VerdictName::Safe, VerdictName::Unsafe);
            if site.is_some() || programs {
                let about = site.unwrap_or_else(|| "the program".to_owned());
                return Some(Finding {
                    sort: Sort::Contradiction,
                    engines: vec![first, second],
                    what: format!("{first} says safe, {second} says unsafe: {about}"),
                });
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use foghorn_core::CheckKind;

    fn report(verdict: &str, line: u32) -> Answer {
        let json = format!(
            r#"{{"verdict":"{verdict}","reason":"","checks":[{{"id":"x","kind":"assertion",
            "file":"a.c","line":{line},"column":3,"function":"main","verdict":"{verdict}"}}],
            "assumptions":[],"warnings":[],"engine":"bmc","time_s":0.1,"peak_memory_mb":1.0,
            "statistics":{{}}}}"#
        );
        Answer::Report(Box::new(serde_json::from_str(&json).expect("a report")))
    }

    fn truth(line: Option<u32>, complete: bool) -> Truth {
        let places = line.into_iter().map(|line| Place {
            kind: CheckKind::Assertion,
            line,
            column: 3,
        });
        Truth {
            failing: places.map(|place| (place, vec![1])).collect(),
            complete,
            ..Truth::default()
        }
    }

    fn sort(truth: &Truth, answers: &[(&'static str, Answer)]) -> Option<Sort> {
        judge(truth, answers).map(|finding| finding.sort)
    }

    #[test]
    fn the_opposite_of_the_truth_is_wrong_and_unknown_never_is() {
        let safe = [("bmc", report("safe", 5))];
        let fails = [("bmc", report("unsafe", 5))];
        let open = [("bmc", report("unknown", 5))];
        assert_eq!(sort(&truth(Some(5), false), &safe), Some(Sort::WrongSafe));
        assert_eq!(sort(&truth(Some(9), false), &safe), Some(Sort::WrongSafe));
        assert_eq!(sort(&truth(Some(5), true), &fails), None);
        assert_eq!(sort(&truth(Some(9), true), &fails), Some(Sort::WrongAlarm));
        assert_eq!(sort(&truth(None, true), &fails), Some(Sort::WrongAlarm));
        assert_eq!(sort(&truth(None, false), &fails), None);
        for truth in [truth(Some(5), true), truth(None, true)] {
            assert_eq!(sort(&truth, &open), None);
        }
    }

    #[test]
    fn safe_against_unsafe_is_a_contradiction() {
        let answers = [("absint", report("safe", 5)), ("bmc", report("unsafe", 5))];
        let found = judge(&truth(None, false), &answers).expect("a contradiction");
        assert_eq!(found.sort, Sort::Contradiction);
        assert_eq!(found.engines, ["absint", "bmc"]);
    }
}
