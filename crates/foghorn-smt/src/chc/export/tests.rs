//! What is written is what was meant: snapshots, and transition systems read back.

use super::{Format, export};
use crate::chc;
use crate::chc::{ChcFile, ChcOptions};
use crate::error::SolverError;
use foghorn_term::sexpr::{Document, SExprId};

/// A counter that stops at 10; `BOUND` is a property of it.
const COUNTER: &str = "(set-logic HORN)
(declare-fun inv (Int Bool) Bool)
(assert (forall ((x Int)) (=> (= x 0) (inv x true))))
(assert (forall ((x Int) (b Bool) (y Int))
  (=> (and (inv x b) (< x 10) (= y (ite b (+ x 1) (div x 2)))) (inv y (not (= y 7))))))
(assert (forall ((x Int) (b Bool)) (=> (and (inv x b) (> x BOUND)) false)))
(check-sat)";

fn counter(bound: i32) -> ChcFile {
    chc::read(&COUNTER.replace("BOUND", &bound.to_string())).unwrap()
}

fn word(file: &ChcFile) -> &'static str {
    chc::solve(file, &ChcOptions::default()).unwrap().word()
}

fn text(file: &ChcFile, format: Format) -> String {
    export(&file.pool, &file.system, format).unwrap()
}

#[test]
fn smt2_is_read_back_as_the_same_system() {
    for (bound, expected) in [(7, "sat"), (6, "unsat")] {
        let file = counter(bound);
        let again = chc::read(&text(&file, Format::Smt2)).unwrap();
        assert_eq!(again.system.rules.len(), file.system.rules.len());
        for (old, new) in file.system.rules.iter().zip(&again.system.rules) {
            assert_eq!(
                (&old.name, old.variables.len()),
                (&new.name, new.variables.len())
            );
        }
        assert_eq!((word(&file), word(&again)), (expected, expected));
    }
}

#[test]
fn clp_is_clauses() {
    let written = text(&counter(7), Format::Clp);
    assert!(
        written.starts_with("% Constrained Horn clauses. Can false be derived?\np_inv("),
        "{written}"
    );
    let clauses: Vec<&str> = written.split(".\n").filter(|c| c.contains(":-")).collect();
    assert_eq!(clauses.len(), 3, "{written}");
    assert!(clauses[2].contains("false :-"), "{written}");
    assert!(
        clauses[1].contains(" ; "),
        "an ite is a disjunction: {written}"
    );
    for clause in clauses {
        let opened = clause.matches('(').count();
        assert_eq!(opened, clause.matches(')').count(), "{clause}");
        assert!(!clause.contains("ite("), "{clause}");
    }
}

#[test]
fn boogie_is_a_procedure_per_predicate() {
    let written = text(&counter(7), Format::Boogie);
    assert!(
        written.contains("procedure p_inv() returns (r0: int, r1: bool)\n{\n"),
        "{written}"
    );
    assert!(
        written.contains("procedure {:entrypoint} main()\n{\n"),
        "{written}"
    );
    assert!(written.contains("  goto rule0, rule1;\n"), "{written}");
    assert!(written.contains(" := p_inv();\n"), "{written}");
    assert_eq!(written.matches("assert false;").count(), 1);
    assert_eq!(written.matches('{').count(), written.matches('}').count());
}

/// An expression as text again.
fn written_out(document: &Document, at: SExprId) -> String {
    match document.list(at) {
        Some(items) => {
            let items: Vec<String> = items.iter().map(|i| written_out(document, *i)).collect();
            format!("({})", items.join(" "))
        }
        None => document.atom(at).unwrap_or_default().to_owned(),
    }
}

/// Reads a transition system of ours back as Horn clauses.
fn read_mcmt(text: &str) -> ChcFile {
    let document = Document::read(text).unwrap();
    let definition = |keyword: &str| -> Vec<SExprId> {
        let found = document.top().iter().find_map(|command| {
            let (name, arguments) = document.call(*command)?;
            (name == keyword).then(|| arguments.to_vec())
        });
        found.unwrap_or_else(|| panic!("no {keyword} in {text}"))
    };
    let fields = |list: SExprId| -> Vec<String> {
        let pairs = document.list(list).unwrap().iter();
        pairs.map(|pair| written_out(&document, *pair)).collect()
    };
    let names = |fields: &[String]| -> Vec<String> {
        let name = |field: &String| field[1..].split(' ').next().unwrap().to_owned();
        fields.iter().map(name).collect()
    };
    let state_type = definition("define-state-type");
    let (state, inputs) = (fields(state_type[1]), fields(state_type[2]));
    let prefixed = |prefix: &str, fields: &[String]| -> Vec<String> {
        let one = |field: &String| field.replacen('(', &format!("({prefix}."), 1);
        fields.iter().map(one).collect()
    };
    let sorts: Vec<String> = state
        .iter()
        .map(|field| {
            field[1..field.len() - 1]
                .split_once(' ')
                .unwrap()
                .1
                .to_owned()
        })
        .collect();
    let applied = |prefix: &str| -> String {
        let all = names(&prefixed(prefix, &state));
        format!("(reached {})", all.join(" "))
    };
    let all = [
        prefixed("state", &state),
        prefixed("next", &state),
        prefixed("input", &inputs),
    ];
    let plain = format!("(reached {})", names(&state).join(" "));
    let script = format!(
        "(declare-fun reached ({}) Bool)
         (assert (forall ({}) (=> {} {plain})))
         (assert (forall ({}) (=> (and {} {}) {})))
         (assert (forall ({}) (=> (and {plain} (not {})) false)))",
        sorts.join(" "),
        state.join(" "),
        written_out(&document, definition("define-states")[2]),
        all.concat().join(" "),
        applied("state"),
        written_out(&document, definition("define-transition")[2]),
        applied("next"),
        state.join(" "),
        written_out(&document, definition("query")[1]),
    );
    chc::read(&script).unwrap_or_else(|error| panic!("{error}: {script}"))
}

#[test]
fn a_transition_system_has_the_answer_of_its_clauses() {
    for (bound, expected) in [(7, "sat"), (6, "unsat")] {
        let written = text(&counter(bound), Format::Mcmt);
        assert_eq!(word(&read_mcmt(&written)), expected, "{written}");
    }
}

#[test]
fn what_a_language_does_not_have_is_said() {
    let tree = chc::read(
        "(declare-fun p (Int) Bool)
         (assert (p 1))
         (assert (forall ((x Int) (y Int)) (=> (and (p x) (p y)) (p (+ x y)))))
         (assert (forall ((x Int)) (=> (and (p x) (< x 1)) false)))",
    )
    .unwrap();
    let error = export(&tree.pool, &tree.system, Format::Mcmt).unwrap_err();
    assert!(matches!(error, SolverError::Unsupported { .. }), "{error}");
    let arrays = chc::read(
        "(declare-fun p ((Array Int Int)) Bool)
         (assert (forall ((a (Array Int Int))) (=> (= (select a 0) 1) (p a))))",
    )
    .unwrap();
    let error = export(&arrays.pool, &arrays.system, Format::Clp).unwrap_err();
    assert!(
        error.to_string().starts_with("CLP does not support"),
        "{error}"
    );
    assert!(text(&arrays, Format::Boogie).contains("[0]"));
}

#[test]
fn formats_have_names() {
    for (name, format) in Format::ALL {
        assert_eq!(Format::named(name), Some(*format));
    }
    assert_eq!(Format::named("pdf"), None);
}
