//! Strings from outside that a person can type.

use foghorn_ir::interpret::{Choice, Listed, Options, Program, RecordedWorld, Run, StartError};
use foghorn_ir::{Module, NondetOrigin, Type};

/// What the strings are called whose bytes a run asks for (the models in `arguments.c`, `getenv.c` and
/// `environment.c`).
const STRINGS: [&str; 3] = ["argument", "variable", "entry"];

/// The run in which bytes of strings that cannot be printed are letters; `None` if there are none. It
/// may well be another run: who asks for it looks at how it ends.
pub fn printable(
    module: &Module,
    options: &Options,
    choices: &[Choice],
    stdin: &[u8],
) -> Result<Option<Run>, StartError> {
    let printable: Vec<u128> = choices.iter().map(letters).collect();
    if choices
        .iter()
        .map(|choice| choice.bits)
        .eq(printable.iter().copied())
    {
        return Ok(None);
    }
    let mut source = Listed::of_bits(printable);
    let mut world = RecordedWorld::with_input(stdin);
    let run = Program::new(module).run(options, &mut source, &mut world)?;
    Ok(Some(run))
}

/// The bits of a choice with letters for what cannot be printed.
fn letters(choice: &Choice) -> u128 {
    let (NondetOrigin::Uninitialised(name), Type::Int(width)) = (&choice.origin, choice.ty) else {
        return choice.bits;
    };
    if !STRINGS.contains(&&**name) {
        return choice.bits;
    }
    let mut bytes = choice.bits.to_le_bytes();
    for byte in &mut bytes[..usize::from(width / 8)] {
        if *byte != 0 && !(b' '..=b'~').contains(byte) {
            *byte = b'a';
        }
    }
    u128::from_le_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use foghorn_core::SpanId;

    #[test]
    fn only_bytes_of_strings_become_letters() {
        let choice = |name: &str| Choice {
            origin: NondetOrigin::Uninitialised(name.into()),
            ty: Type::Int(32),
            span: SpanId::UNKNOWN,
            bits: 0x01_ff_00_41,
        };
        assert_eq!(letters(&choice("argument")), 0x61_61_00_41);
        assert_eq!(letters(&choice("x")), 0x01_ff_00_41);
    }
}
