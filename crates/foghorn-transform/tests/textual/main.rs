//! Each pass on small programs in text: what goes in, what must come out.

mod constants;
mod inline;
mod loop_closed;
mod loops;
mod prepare;
mod select_checks;
mod simplify;
mod slice;
mod unroll;
mod value_numbering;

use foghorn_ir::Module;
use foghorn_ir::text::{parse_module, print_module};
use foghorn_transform::{PassOptions, parse_passes, run_passes};

fn parse(functions: &str) -> Module {
    let text = format!("foghorn-ir 1\nlayout pointer-bytes 8\n{functions}");
    parse_module(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The text form of the same module, for comparison with what a pass made.
fn canonical(functions: &str) -> String {
    print_module(&parse(functions))
}

/// Runs passes by name.
#[track_caller]
fn run(passes: &str, options: &PassOptions, before: &str) -> Module {
    let mut module = parse(before);
    let passes = parse_passes(passes).expect("passes of the table");
    run_passes(&mut module, &passes, options).expect("passes that can be run");
    module
}

/// Runs passes by name and compares texts.
#[track_caller]
fn expect(passes: &str, options: &PassOptions, before: &str, after: &str) {
    let found = print_module(&run(passes, options, before));
    let expected = canonical(after);
    assert!(found == expected, "found:\n{found}\nexpected:\n{expected}");
}

#[test]
fn an_unknown_pass_lists_the_known_ones() {
    let error = parse_passes("cleanup, inlin").err().expect("no such pass");
    let text = error.to_string();
    assert!(text.contains("'inlin'") && text.contains("slice"), "{text}");
}
