//! The formulas of a run for people: heads, back edges, assumptions and checks, in the order of execution (fig. 2.3 of the
//! 2LS thesis).

use crate::problem::Problem;
use foghorn_encode::execute::event::What;
use foghorn_term::TermPool;
use foghorn_term::text::print_term;
use std::fmt::Write;

/// One line for each thing that happens, with the guard under which it does.
pub fn describe(pool: &TermPool, problem: &Problem) -> String {
    let mut text = String::new();
    for position in 0..=problem.events.len() {
        for cut in &problem.loops {
            for (number, copy) in cut.copies.iter().enumerate() {
                if copy.head.position == position {
                    let guard = print_term(pool, copy.head.guard);
                    line(
                        &mut text,
                        &format!("{} copy {number}: head if {guard}", cut.name),
                    );
                    if number == 0 {
                        let select = print_term(pool, cut.select);
                        line(&mut text, &format!("  loop-back values if {select}"));
                    }
                    state(&mut text, pool, &cut.names, &copy.head.values);
                }
                if let Some(back) = copy.back.as_ref().filter(|it| it.position == position) {
                    let guard = print_term(pool, back.guard);
                    line(
                        &mut text,
                        &format!("{} copy {number}: back if {guard}", cut.name),
                    );
                    state(&mut text, pool, &cut.names, &back.values);
                }
            }
        }
        let Some(event) = problem.events.get(position) else {
            break;
        };
        let guard = print_term(pool, event.guard);
        let what = match &event.what {
            What::Assume { condition } => format!("assume {}", print_term(pool, *condition)),
            What::Check { condition, .. } => format!("check {}", print_term(pool, *condition)),
            What::Obligation {
                condition, what, ..
            } => format!("oblige {} ({what})", print_term(pool, *condition)),
            What::Unwinding { name, .. } => format!("beyond {name}"),
            What::Input { bits, .. } => format!("input {}", print_term(pool, *bits)),
            What::Read { .. } => continue,
        };
        line(&mut text, &format!("{what} if {guard}"));
    }
    text
}

fn state(text: &mut String, pool: &TermPool, names: &[String], values: &[foghorn_term::TermId]) {
    for (name, &value) in names.iter().zip(values) {
        line(text, &format!("  {name} = {}", print_term(pool, value)));
    }
}

fn line(text: &mut String, line: &str) {
    writeln!(text, "{line}").expect("invariant: strings take everything");
}
