//! Programs for measurements, without memory.

use foghorn_ir::{Form, Module, parse_module};
use std::fmt::Write as _;

/// The module of some functions.
fn module(functions: &str) -> Module {
    let text = format!("foghorn-ir 1\nlayout pointer-bytes 8\nentry @main\n\n{functions}");
    let mut module = parse_module(&text).expect("invariant: programs of benchmarks are right");
    let ids: Vec<foghorn_ir::FunctionId> = module.functions.keys().collect();
    for id in ids {
        if let Some(body) = &mut module.functions[id].body {
            // Without memory both forms are the same.
            body.form = Form::Pure;
        }
    }
    module
}

/// Functions of which each calls the one before it, and goes round a loop.
pub(super) fn chain(functions: usize) -> Module {
    let mut text = String::new();
    for number in 0..functions {
        let step = match number.checked_sub(1) {
            Some(before) => format!("v5:i32 = call @f{before}(v1)\n  v6:i32 = and v5, 1"),
            None => "v6:i32 = and v0, 1".to_owned(),
        };
        let _ = write!(
            text,
            "function @f{number}(i32) -> i32 {{
block0(v0:i32):
  v1:i32 = and v0, 255
  {step}
  jump block1(v6, 0:i32)
block1(v2:i32, v7:i32):
  v3:i1 = compare slt v7, v1
  branch v3, block2, block3
block2:
  v4:i1 = compare slt v2, 10
  v8:i32 = add v2, 1
  v9:i32 = select v4, v8, v2
  v10:i32 = add v7, 1
  jump block1(v9, v10)
block3:
  v11:i1 = compare sle v2, 10
  check assertion v11 ! f.c:{line}:1
  return v2
}}

",
            line = number + 1
        );
    }
    let _ = write!(
        text,
        "function @main() -> i32 {{
block0:
  v0:i32 = nondet input \"n\"
  v1:i32 = call @f{last}(v0)
  v2:i1 = compare sle v1, 10
  check assertion v2 ! main.c:1:1
  return 0:i32
}}
",
        last = functions - 1
    );
    module(&text)
}

/// Two counters that a loop takes to a bound in different ways, one way for each number.
pub(super) fn loop_program(number: u32) -> Module {
    let (limit, step) = (50 + 37 * number, 1 + number % 3);
    let second = match number % 4 {
        0 => "add v1, 1",
        1 => "sub v1, 1",
        2 => "xor v1, 1",
        _ => "add v1, v0",
    };
    module(&format!(
        "function @main() -> i32 {{
block0:
  v20:i32 = nondet input \"n\"
  v21:i32 = and v20, 1023
  jump block1(0:i32, 0:i32)
block1(v0:i32, v1:i32):
  v2:i1 = compare slt v0, {limit}
  v3:i1 = compare slt v0, v21
  v4:i1 = and v2, v3
  branch v4, block2, block3
block2:
  v5:i32 = add v0, {step}
  v6:i32 = {second}
  jump block1(v5, v6)
block3:
  v7:i1 = compare sle v0, {most}
  check assertion v7 ! p.c:1:1
  return 0:i32
}}
",
        most = limit + step - 1
    ))
}

/// A counter up to a bound.
pub(super) fn count_to(bound: u64) -> Module {
    module(&format!(
        "function @main() -> i32 {{
block0:
  jump block1(0:i64)
block1(v0:i64):
  v1:i1 = compare ult v0, {bound}
  branch v1, block2, block3
block2:
  v2:i64 = add v0, 1
  jump block1(v2)
block3:
  v3:i1 = compare eq v0, {bound}
  check assertion v3 ! p.c:1:1
  return 0:i32
}}
"
    ))
}
