//! SARIF 2.1.0 (OASIS): what code hosts and editors read.
//!
//! A failing check is a result of kind `fail` with its run as a code flow; one that is open is a result of kind `open`,
//! which viewers do not count as a finding. Rules are the kinds of checks, with their numbers in the Common Weakness
//! Enumeration as tags.

use super::fingerprint::Fingerprints;
use super::message;
use crate::report::{CheckReport, VerdictName, VerificationReport};
use crate::trace::{Event, Location, Omission, Step, Trace};
use foghorn_core::{CheckKind, Explanation};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt::Write;

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The name under which our fingerprints are known; the number changes when what they are made of does.
const FINGERPRINT: &str = "foghorn/v1";

/// The log of one run.
pub fn sarif(report: &VerificationReport) -> String {
    let told = report
        .checks
        .iter()
        .filter(|it| it.verdict != VerdictName::Safe);
    let told: Vec<&CheckReport> = told.collect();
    let kinds: BTreeSet<CheckKind> = told.iter().map(|check| check.kind).collect();
    let kinds: Vec<CheckKind> = kinds.into_iter().collect();
    let mut fingerprints = Fingerprints::default();
    let results: Vec<Value> = told
        .iter()
        .map(|check| {
            let fingerprint = fingerprints.next(check);
            result(check, report, &kinds, &fingerprint)
        })
        .collect();
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "Foghorn",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": kinds.iter().map(|kind| rule(kind.explanation())).collect::<Vec<_>>(),
            }},
            "columnKind": "unicodeCodePoints",
            "results": results,
            "properties": {
                "verdict": report.verdict.name(),
                "reason": report.reason,
                "assumptions": report.assumptions,
            },
        }],
    });
    format!("{log:#}\n")
}

fn rule(of: &Explanation) -> Value {
    let tags: Vec<String> = of
        .cwe
        .iter()
        .map(|it| format!("external/cwe/cwe-{it}"))
        .collect();
    json!({
        "id": of.kind.name(),
        "shortDescription": {"text": of.meaning},
        "help": {"text": of.repair},
        "defaultConfiguration": {"level": "error"},
        "properties": {"tags": tags},
    })
}

fn result(
    check: &CheckReport,
    report: &VerificationReport,
    kinds: &[CheckKind],
    fingerprint: &str,
) -> Value {
    let is_failure = check.verdict == VerdictName::Unsafe;
    let said = match is_failure {
        true => message(check),
        false => {
            let why = check.reason.as_ref().or(report.unknown.as_ref());
            why.map_or_else(|| "not decided".to_owned(), |why| format!("unknown: {why}"))
        }
    };
    let place = Location {
        file: check.file.clone(),
        line: check.line,
        column: check.column,
        function: check.function.clone(),
    };
    let mut value = json!({
        "ruleId": check.kind.name(),
        "ruleIndex": kinds.iter().position(|kind| *kind == check.kind),
        "kind": if is_failure { "fail" } else { "open" },
        "level": if is_failure { "error" } else { "none" },
        "message": {"text": said},
        "locations": [location(&place, None)],
        "partialFingerprints": {FINGERPRINT: fingerprint},
        "properties": {"id": check.id},
    });
    if let Some(trace) = &check.trace {
        value["codeFlows"] = json!([{"threadFlows": [{"locations": flow(trace)}]}]);
    }
    value
}

/// The run, and the failure as its last place.
fn flow(trace: &Trace) -> Vec<Value> {
    let step = |(order, step): (usize, &Step)| {
        let said = describe(&step.event);
        json!({
            "location": location(&step.location, Some(&said)),
            "nestingLevel": step.depth.saturating_sub(1),
            "executionOrder": order + 1,
        })
    };
    let mut places: Vec<Value> = trace.steps.iter().enumerate().map(step).collect();
    let failure = &trace.failure;
    places.push(json!({
        "location": location(&failure.location, Some(&format!("{} fails here", failure.kind))),
        "nestingLevel": failure.stack.len().saturating_sub(1),
        "executionOrder": trace.steps.len() + 1,
        "importance": "essential",
    }));
    places
}

fn location(place: &Location, said: Option<&str>) -> Value {
    let mut physical = json!({"artifactLocation": {"uri": uri(&place.file)}});
    if place.line > 0 {
        physical["region"] = match place.column {
            0 => json!({"startLine": place.line}),
            column => json!({"startLine": place.line, "startColumn": column}),
        };
    }
    let mut value = json!({"physicalLocation": physical});
    if !place.function.is_empty() {
        let function = json!({"name": place.function, "kind": "function"});
        value["logicalLocations"] = json!([function]);
    }
    if let Some(said) = said {
        value["message"] = json!({"text": said});
    }
    value
}

/// A file as a reference: absolute ones are `file:` addresses.
fn uri(file: &str) -> String {
    let mut text = String::new();
    if file.starts_with('/') {
        text += "file://";
    }
    for byte in file.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                text.push(byte.into());
            }
            other => write!(text, "%{other:02X}").expect("strings take everything"),
        }
    }
    text
}

fn describe(event: &Event) -> String {
    match event {
        Event::Start => "the program starts".to_owned(),
        Event::Call { callee } => format!("call of {callee}"),
        Event::Return { callee } => format!("{callee} returns"),
        Event::Assign {
            variable, value, ..
        } => format!("{variable} = {value}"),
        Event::Store { target, value, .. } => format!("{target} = {value}"),
        Event::Change {
            by, target, value, ..
        } => format!("{by} sets {target} = {value}"),
        Event::Input(input) => format!("{} gives {}", input.name, input.value),
        Event::Allocate { object, bytes } => format!("{object} is allocated: {bytes} bytes"),
        Event::Free { object } => format!("{object} is freed"),
        Event::Branch { to_line } => format!("goes on in line {to_line}"),
        Event::Iteration { number } => format!("iteration {number}"),
        Event::Omitted { what, count } => match what {
            Omission::Iterations => format!("{count} iterations are not shown"),
            Omission::Calls => format!("{count} calls are not shown"),
            Omission::Steps => format!("{count} steps are not shown"),
        },
    }
}
