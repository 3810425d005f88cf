//! Traces of small programs in textual IR.

use super::{Event, InputSource, Omission, Trace};
use crate::replay::replay_from;
use foghorn_ir::interpret::{ChoiceSource, Listed, Options};
use foghorn_ir::text::parse_module;

fn trace_with(text: &str, choices: &mut dyn ChoiceSource) -> Trace {
    let text = format!("foghorn-ir 1\nlayout pointer-bytes 8\nentry @main\n{text}");
    let module = parse_module(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let replay = replay_from(&module, &Options::default(), choices, b"").expect("starts");
    let outcome = replay.run.outcome;
    replay
        .trace
        .unwrap_or_else(|| panic!("no failure but {outcome:?}"))
}

fn trace(text: &str, inputs: &str) -> Trace {
    trace_with(text, &mut Listed::parse(inputs).expect("inputs"))
}

/// One line a step: line number, then what happened.
fn told(trace: &Trace) -> Vec<String> {
    let steps = trace.steps.iter().map(|step| {
        let what = match &step.event {
            Event::Start => "start".to_owned(),
            Event::Call { callee } => format!("call {callee}"),
            Event::Return { callee } => format!("return {callee}"),
            Event::Assign {
                variable, value, ..
            } => format!("{variable} = {value}"),
            Event::Store { target, value, .. } => format!("*{target} = {value}"),
            Event::Change {
                by, target, value, ..
            } => format!("{by} sets {target} = {value}"),
            Event::Input(input) => format!("{}() = {}", input.name, input.value),
            Event::Allocate { object, bytes } => format!("{object}: {bytes}"),
            Event::Free { object } => format!("free {object}"),
            Event::Branch { to_line } => format!("to {to_line}"),
            Event::Iteration { number } => format!("iteration {number}"),
            Event::Omitted { what, count } => format!("{count} {what:?} omitted"),
        };
        format!("{} {what}", step.location.line)
    });
    steps.collect()
}

const LOOP: &str = "
    function @main() -> i32 ! a.c:1 {
      variable var0 n signed ! a.c:2:3
      variable var1 i signed ! a.c:3:3
    block0:
      v0:i32 = nondet input \"__VERIFIER_nondet_int\" ! a.c:2:11
      bind var0, v0 ! a.c:2:7
      jump block1(0:i32) ! a.c:3:3
    block1(v1.i:i32):
      v2:i1 = compare slt v1, v0 ! a.c:3:19
      branch v2, block2, block3 ! a.c:3:3
    block2:
      v3:i32 = add v1, 1 ! a.c:4:8
      bind var1, v3 ! a.c:4:6
      jump block1(v3) ! a.c:3:3
    block3:
      check assertion false ! a.c:6:3
      return 0:i32 ! a.c:7:3
    }";

#[test]
fn a_short_loop_is_told_in_full() {
    let trace = trace(LOOP, "2");
    let expected = [
        "1 start",
        "2 __VERIFIER_nondet_int() = 2",
        "2 n = 2",
        "3 iteration 1",
        "4 i = 1",
        "3 iteration 2",
        "4 i = 2",
        "3 iteration 3",
        "3 to 6",
    ];
    assert_eq!(told(&trace), expected);
    assert_eq!(trace.failure.location.line, 6);
    let values: Vec<_> = trace.failure.variables.iter().map(|v| &*v.value).collect();
    assert_eq!(values, ["2", "2"]);
}

#[test]
fn of_a_long_loop_both_ends_are_told() {
    let trace = trace(LOOP, "100000");
    let expected = [
        "3 iteration 1",
        "4 i = 1",
        "3 iteration 2",
        "4 i = 2",
        "3 99996 Iterations omitted",
        "3 iteration 99999",
        "4 i = 99999",
        "3 iteration 100000",
        "4 i = 100000",
        "3 iteration 100001",
        "3 to 6",
    ];
    assert_eq!(told(&trace)[3..], expected);
}

const RECURSION: &str = "
    function @down(i32) -> i32 ! a.c:1 {
      variable var0 n signed ! a.c:1:3
    block0(v0.n:i32):
      bind var0, v0 ! a.c:1
      v1:i1 = compare eq v0, 0 ! a.c:2:7
      branch v1, block1, block2 ! a.c:2:7
    block1:
      check reach-error false ! a.c:3:5
      return 0:i32 ! a.c:3
    block2:
      v2:i32 = sub v0, 1 ! a.c:4:10
      v3:i32 = call @down(v2) ! a.c:4:20
      return v3 ! a.c:4:5
    }
    function @main() -> i32 ! a.c:7 {
    block0:
      v0:i32 = nondet input \"f\" ! a.c:8:3
      v1:i32 = call @down(v0) ! a.c:9:3
      return v1 ! a.c:9:3
    }";

#[test]
fn deep_recursion_is_cut_in_the_middle() {
    let trace = trace(RECURSION, "10000");
    assert!(trace.steps.len() < 100, "{}", trace.steps.len());
    let omitted = trace.steps.iter().find_map(|step| match step.event {
        Event::Omitted { what, count } => Some((what, count)),
        _ => None,
    });
    let Some((Omission::Calls, count)) = omitted else {
        panic!("{omitted:?}");
    };
    assert!(count > 9900, "{count}");
    assert_eq!(trace.failure.stack.len(), 10_002);
    assert_eq!(trace.failure.location.function, "down");
}

#[test]
fn pointers_and_objects_have_names() {
    let text = "
        global @table size 16 align 4 = zero ! a.c:1
        function @main() -> i32 ! a.c:2 {
          variable var0 p signed ! a.c:3:3
          variable var1 q signed ! a.c:4:3
        block0:
          bind var0, null ! a.c:3:7
          bind var0, @table ! a.c:4:7
          v0:ptr = allocate heap 12, align 8 ! a.c:5:7
          v1:ptr = pointer-add v0 + 4 ! a.c:6:7
          bind var1, v1 ! a.c:6:7
          store -7:i32 to v1, align 4 ! a.c:7:7
          free v0 ! a.c:8:7
          v2:i32 = load v1, align 4 ! a.c:9:7
          return v2 ! a.c:9:7
        }";
    let trace = trace(text, "");
    let expected = [
        "2 start",
        "3 p = NULL",
        "4 p = &table",
        "5 heap object 1: 12",
        "6 q = &heap object 1 + 4",
        "7 *heap object 1 + 4 = -7",
        "8 free heap object 1",
    ];
    assert_eq!(told(&trace), expected);
    let object = trace.failure.object.expect("an object");
    assert_eq!(object.ended_at.expect("freed").line, 8);
    assert_eq!(object.allocated_at.expect("allocated").line, 5);
    assert_eq!((object.bytes, object.offset), (Some(12), 4));
}

/// A model of a library function that allocates, asks for an input and calls back.
const MODELS: &str = "
    model function @make() -> ptr ! <foghorn>/make.c:1 {
      variable var0 inside signed ! <foghorn>/make.c:2:1
    block0:
      v0:i64 = nondet input \"size\" ! <foghorn>/make.c:2:1
      bind var0, v0 ! <foghorn>/make.c:2:1
      v1:ptr = allocate heap v0, align 8 ! <foghorn>/make.c:3:1
      call @back() ! <foghorn>/make.c:4:1
      return v1 ! <foghorn>/make.c:5:1
    }
    function @back() ! a.c:1 {
      variable var0 seen signed ! a.c:2:3
    block0:
      bind var0, 5:i32 ! a.c:2:3
      return ! a.c:3
    }
    function @main() -> i32 ! a.c:5 {
    block0:
      v0:ptr = call @make() ! a.c:6:7
      v1:i8 = load v0, align 1 ! a.c:7:7
      return 0:i32 ! a.c:8
    }";

#[test]
fn models_are_told_at_their_call() {
    let trace = trace(MODELS, "0");
    let expected = [
        "5 start",
        "6 size() = 0",
        "6 heap object 1: 0",
        "6 call back",
        "2 seen = 5",
        "6 return back",
    ];
    assert_eq!(told(&trace), expected);
    assert_eq!(trace.failure.location.line, 7);
}

#[test]
fn inputs_say_where_they_come_from() {
    let text = "
        function @main() -> i32 ! a.c:1 {
          variable var0 x signed ! a.c:2:3
        block0:
          v0:i32 = nondet uninitialised \"x\" ! a.c:2:7
          v1:i8 = nondet input \"__VERIFIER_nondet_uchar\" ! a.c:3:7
          v2:f64 = nondet external \"sensor\" ! a.c:4:7
          check assertion false ! a.c:5:7
          return v0 ! a.c:6
        }";
    let trace = trace(text, "-3\n255\n1.5");
    let inputs: Vec<_> = trace
        .inputs
        .iter()
        .map(|input| (input.source, &*input.value, &*input.bits))
        .collect();
    let expected = [
        (InputSource::Uninitialised, "-3", "0xfffffffd"),
        (InputSource::Input, "255", "0xff"),
        (InputSource::External, "1.5", "0x3ff8000000000000"),
    ];
    assert_eq!(inputs, expected);
    let json = serde_json::to_value(&trace).expect("serialisable");
    assert_eq!(json["steps"][1]["step"], "input");
    assert_eq!(json["steps"][1]["source"], "uninitialised");
    assert_eq!(json["failure"]["kind"], "assertion");
    let back: Trace = serde_json::from_value(json).expect("readable");
    assert_eq!(back, trace);
}

/// Two runs of one program are told in the same bytes.
#[test]
fn a_trace_is_deterministic() {
    let once = serde_json::to_string(&trace(LOOP, "50")).expect("serialisable");
    let again = serde_json::to_string(&trace(LOOP, "50")).expect("serialisable");
    assert_eq!(once, again);
}
