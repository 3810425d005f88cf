//! What is serialised is what `docs/verification-report.schema.json` describes: a small validator
//! for the part of JSON Schema that the file uses, which also refuses fields that it does not name.

use foghorn_core::{AssumptionKind, CheckKind, UnknownReason};
use foghorn_ir::interpret::{Listed, Options};
use foghorn_ir::text::parse_module;
use foghorn_witness::report::{CheckIds, HarnessReport, VerdictName};
use foghorn_witness::{CheckReport, Trace, VerificationReport, replay_from};
use serde_json::{Map, Value};

struct Schema(Value);

impl Schema {
    fn read() -> Self {
        let text = include_str!("../../../docs/verification-report.schema.json");
        Schema(serde_json::from_str(text).expect("the schema is JSON"))
    }

    fn resolved<'s>(&'s self, schema: &'s Value) -> &'s Value {
        match schema["$ref"].as_str() {
            Some(path) => {
                let pointer = path.strip_prefix('#').expect("a local reference");
                self.0.pointer(pointer).expect("a definition")
            }
            None => schema,
        }
    }

    /// The properties that a schema and those it includes name.
    fn properties(&self, schema: &Value) -> Map<String, Value> {
        let mut all = schema["properties"]
            .as_object()
            .cloned()
            .unwrap_or_default();
        for part in schema["allOf"].as_array().into_iter().flatten() {
            all.extend(self.properties(self.resolved(part)));
        }
        all
    }

    fn check(&self, value: &Value, schema: &Value, at: &str) -> Result<(), String> {
        let schema = self.resolved(schema);
        if let Some(options) = schema["oneOf"].as_array() {
            let fitting = options.iter().filter(|o| self.check(value, o, at).is_ok());
            return match fitting.count() {
                1 => Ok(()),
                count => Err(format!("{at}: {value} fits {count} of the forms")),
            };
        }
        for part in schema["allOf"].as_array().into_iter().flatten() {
            self.check_required(value, self.resolved(part), at)?;
        }
        if let Some(options) = schema["anyOf"].as_array() {
            let mut checked = options.iter().map(|o| self.check_required(value, o, at));
            if checked.all(|result| result.is_err()) {
                return Err(format!("{at}: fits none of the forms"));
            }
        }
        self.check_required(value, schema, at)?;
        check_scalar(value, schema, at)?;
        let properties = self.properties(schema);
        if let (Some(fields), false) = (value.as_object(), properties.is_empty()) {
            for (name, field) in fields {
                let at = format!("{at}.{name}");
                let described = properties.get(name).ok_or(format!("{at}: not described"))?;
                self.check(field, described, &at)?;
            }
        }
        for (index, item) in value.as_array().into_iter().flatten().enumerate() {
            self.check(item, &schema["items"], &format!("{at}[{index}]"))?;
        }
        Ok(())
    }

    fn check_required(&self, value: &Value, schema: &Value, at: &str) -> Result<(), String> {
        for name in schema["required"].as_array().into_iter().flatten() {
            let name = name.as_str().expect("a name");
            if value.get(name).is_none() {
                return Err(format!("{at}: no {name}"));
            }
        }
        Ok(())
    }
}

fn check_scalar(value: &Value, schema: &Value, at: &str) -> Result<(), String> {
    let is = |name: &str| match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("the schema has a type {other}"),
    };
    let typed = match &schema["type"] {
        Value::String(name) => is(name),
        Value::Array(names) => names.iter().filter_map(Value::as_str).any(is),
        _ => true,
    };
    let listed = schema["enum"].as_array().is_none_or(|e| e.contains(value));
    let constant = schema.get("const").is_none_or(|constant| constant == value);
    match typed && listed && constant {
        true => Ok(()),
        false => Err(format!("{at}: {value} is not {schema}")),
    }
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
    let schema = Schema::read();
    let json = serde_json::to_value(report()).expect("serialisable");
    schema
        .check(&json, &schema.0, "report")
        .unwrap_or_else(|e| panic!("{e}"));
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
        schema
            .check(&json, &schema.0, "report")
            .unwrap_or_else(|e| panic!("{e}"));
    }
}

/// That the test above can fail.
#[test]
fn what_the_schema_does_not_say_is_refused() {
    let schema = Schema::read();
    let json = serde_json::to_value(report()).expect("serialisable");
    for (pointer, value) in [
        ("/verdict", Value::from("maybe")),
        ("/checks/0/line", Value::from("12")),
        ("/checks/1/trace/steps/0/step", Value::from("jump")),
        ("/checks/2/reason/kind", Value::from("budget")),
    ] {
        let mut wrong = json.clone();
        *wrong.pointer_mut(pointer).expect("a field") = value;
        assert!(
            schema.check(&wrong, &schema.0, "report").is_err(),
            "{pointer}"
        );
    }
    let mut wrong = json;
    wrong["colour"] = Value::from("blue");
    assert!(schema.check(&wrong, &schema.0, "report").is_err());
}

#[test]
fn an_error_is_as_the_schema_says() {
    let schema = Schema::read();
    let error = serde_json::json!({
        "error": { "kind": "input", "message": "a.c: No such file", "exit_code": 2 }
    });
    let checked = schema.check(&error, &schema.0, "error");
    checked.unwrap_or_else(|e| panic!("{e}"));
    let neither = serde_json::json!({ "reason": "" });
    assert!(schema.check(&neither, &schema.0, "neither").is_err());
}
