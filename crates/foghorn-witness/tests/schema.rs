//! What is serialised is what `docs/verification-report.schema.json` describes.

use foghorn_core::{AssumptionKind, CheckKind, UnknownReason};
use foghorn_ir::interpret::{Listed, Options};
use foghorn_ir::text::parse_module;
use foghorn_testkit::schema::Schema;
use foghorn_witness::report::{CheckIds, HarnessReport, VerdictName};
use foghorn_witness::{CheckReport, Trace, VerificationReport, replay_from};
use serde_json::Value;

/// Fields that the schema does not name are refused.
fn schema() -> Schema {
    Schema::new(include_str!(
        "../../../docs/verification-report.schema.json"
    ))
    .closed()
}

/// A run with every kind of step that is not an omission.
fn trace() -> Trace {
    let text = "foghorn-ir 1\nlayout pointer-bytes 8\nentry @main
        function @touch(ptr) ! a.c:1 {
          variable var0 p signed ! a.c:1:3
        block0(v0:ptr):
          bind var0, v0 ! a.c:1
          store 1:i8 to v0, align 1 ! a.c:2:3
          return ! a.c:3
        }
        function @main() -> i32 ! a.c:5 {
          variable var0 n signed ! a.c:6:3
        block0:
          v0:i32 = nondet input \"nd_int\" ! a.c:6:3
          bind var0, v0 ! a.c:6:3
          v1:ptr = allocate heap 4, align 8 ! a.c:7:3
          call @touch(v1) ! a.c:8:3
          jump block1(0:i32) ! a.c:9:3
        block1(v2:i32):
          v3:i1 = compare slt v2, v0 ! a.c:9:3
          branch v3, block2, block3 ! a.c:9:3
        block2:
          v4:i32 = add v2, 1 ! a.c:10:3
          jump block1(v4) ! a.c:9:3
        block3:
          free v1 ! a.c:11:3
          v5:i8 = load v1, align 1 ! a.c:12:3
          return 0:i32 ! a.c:13:3
        }";
    let module = parse_module(text).unwrap_or_else(|error| panic!("{error}"));
    let mut inputs = Listed::parse("20").expect("inputs");
    let replay = replay_from(&module, &Options::default(), &mut inputs, b"");
    replay.expect("starts").trace.expect("fails")
}

fn report() -> VerificationReport {
    let mut ids = CheckIds::default();
    let mut check = |verdict, reason, trace: Option<Trace>| CheckReport {
        id: ids.next("main", CheckKind::UseAfterFree, 12, 3),
        kind: CheckKind::UseAfterFree,
        file: "a.c".to_owned(),
        line: 12,
        column: 3,
        function: "main".to_owned(),
        verdict,
        reason,
        unreached: verdict == VerdictName::Safe,
        proved_by: vec!["bmc".to_owned()],
        certified: Some(true),
        harness: trace.is_some().then(|| HarnessReport {
            file: "out/harness.c".to_owned(),
            build: "clang a.c out/harness.c -o out/failing".to_owned(),
            run: "out/failing".to_owned(),
            notes: vec!["'x' may be read before it is written".to_owned()],
        }),
        trace,
    };
    let bounded = UnknownReason::Bounded { bound: 3 };
    let checks = vec![
        check(VerdictName::Safe, None, None),
        check(VerdictName::Unsafe, None, Some(trace())),
        check(VerdictName::Unknown, Some(bounded), None),
    ];
    let mut report = VerificationReport::new("bmc", checks, None);
    report.warnings.push("a check is never reached".to_owned());
    report.assume([AssumptionKind::AllocationsSucceed.into()]);
    report.note_early_end(&UnknownReason::AfterFailure);
    (report.partial, report.contradictory) = (true, true);
    report.statistics.insert("terms".to_owned(), 17.0);
    report
}

#[test]
fn a_report_is_as_the_schema_says() {
    let schema = schema();
    let json = serde_json::to_value(report()).expect("serialisable");
    schema.check(&json).unwrap_or_else(|e| panic!("{e}"));
    let steps = json["checks"][1]["trace"]["steps"]
        .as_array()
        .expect("steps");
    let mut seen: Vec<&str> = steps.iter().filter_map(|s| s["step"].as_str()).collect();
    seen.sort_unstable();
    seen.dedup();
    let expected = [
        "allocate",
        "assign",
        "branch",
        "call",
        "free",
        "input",
        "iteration",
        "omitted",
        "return",
        "start",
        "store",
    ];
    assert_eq!(seen, expected, "every kind of step was checked");
    for resource in ["time", "memory"] {
        let resource = resource.to_owned();
        let incomplete = UnknownReason::Budget { resource };
        let unknown = VerificationReport::new("bmc", vec![], Some(incomplete));
        let json = serde_json::to_value(unknown).expect("serialisable");
        schema.check(&json).unwrap_or_else(|e| panic!("{e}"));
    }
}

/// That the test above can fail.
#[test]
fn what_the_schema_does_not_say_is_refused() {
    let schema = schema();
    let json = serde_json::to_value(report()).expect("serialisable");
    for (pointer, value) in [
        ("/verdict", Value::from("maybe")),
        ("/checks/0/line", Value::from("12")),
        ("/checks/1/trace/steps/0/step", Value::from("jump")),
        ("/checks/2/reason/kind", Value::from("budget")),
    ] {
        let mut wrong = json.clone();
        *wrong.pointer_mut(pointer).expect("a field") = value;
        assert!(schema.check(&wrong).is_err(), "{pointer}");
    }
    let mut wrong = json;
    wrong["colour"] = Value::from("blue");
    assert!(schema.check(&wrong).is_err());
}

#[test]
fn an_error_is_as_the_schema_says() {
    let schema = schema();
    let error = serde_json::json!({
        "error": { "kind": "input", "message": "a.c: No such file", "exit_code": 2 }
    });
    let checked = schema.check(&error);
    checked.unwrap_or_else(|e| panic!("{e}"));
    let neither = serde_json::json!({ "reason": "" });
    assert!(schema.check(&neither).is_err());
}
