//! `foghorn ir`: what Foghorn understood of a program.

use super::CommandResult;
use crate::arguments::IrArguments;
use crate::exit::Exit;
use crate::program;
use foghorn_ir::text::print_module;

pub fn execute(arguments: &IrArguments) -> CommandResult {
    let translation = program::load(&arguments.program, &arguments.clang)?;
    print!("{}", print_module(&translation.module));
    Ok(Exit::Success)
}
