//! Each pass on small programs in text: what goes in, what must come out.

mod inline;
mod loops;
mod prepare;

use foghorn_ir::Module;
use foghorn_ir::text::{parse_module, print_module};

fn parse(functions: &str) -> Module {
    let text = format!("foghorn-ir 1\nlayout pointer-bytes 8\n{functions}");
    parse_module(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The text form of the same module, for comparison with what a pass made.
fn canonical(functions: &str) -> String {
    print_module(&parse(functions))
}
