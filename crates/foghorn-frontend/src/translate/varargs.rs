//! Variable arguments.
//!
//! The caller stores them in one stack object, laid out as the target passes arguments in memory,
//! and hands its address over as an extra last argument. `va_start` sets up the `va_list` so that
//! every fetch takes the memory path: on x86-64 both register offsets say that the registers are
//! used up. The code that clang made of `va_arg` then works as it stands.

use super::Unsupported;
use super::function::{FunctionTranslator, Scalars};
use crate::llvm::{FloatKind, Ty, TypeShape, Value};
use foghorn_ir::{Type, ValueId};

/// The `gp_offset` of an x86-64 `va_list` whose six general registers are used up …
const GENERAL_REGISTERS_END: i128 = 48;
/// … and the `fp_offset` behind the eight vector registers.
const VECTOR_REGISTERS_END: i128 = 176;

/// Where one variable argument lies.
struct Slot<'p> {
    offset: u64,
    argument: Value<'p>,
    by_value: Option<Ty<'p>>,
}

impl<'p> FunctionTranslator<'_, 'p> {
    fn word(&self) -> u64 {
        self.module.module.layout.pointer_bytes.into()
    }

    /// Stores the arguments from the `fixed`-th on; `None` if there are none.
    pub(crate) fn variable_argument_area(
        &mut self,
        call: Value<'p>,
        fixed: usize,
    ) -> Result<Option<ValueId>, Unsupported> {
        let (slots, size) = self.place_arguments(call, fixed);
        if slots.is_empty() {
            return Ok(None);
        }
        let area = self.temporary(size, 16);
        for slot in slots {
            let at = self.offset(area, slot.offset.cast_signed());
            match slot.by_value {
                Some(ty) => {
                    let source = self.scalar(slot.argument)?;
                    let length = self.module.program.alloc_size(ty);
                    let length = self.size(length);
                    self.memory_copy(at, source, length);
                }
                None => {
                    let scalars = self.operand(slot.argument)?;
                    self.store_value(at, slot.argument.ty(), &scalars, 1)?;
                }
            }
        }
        Ok(Some(area))
    }

    fn place_arguments(&self, call: Value<'p>, fixed: usize) -> (Vec<Slot<'p>>, u64) {
        let word = self.word();
        let mut slots = vec![];
        let mut end = 0u64;
        for (index, argument) in call.arguments().into_iter().enumerate().skip(fixed) {
            let index = u32::try_from(index).expect("invariant: few arguments");
            let by_value = call.by_value_type(index);
            let ty = by_value.unwrap_or(argument.ty());
            let align = self.slot_align(ty);
            let offset = end.next_multiple_of(align);
            end = offset + self.module.program.alloc_size(ty).next_multiple_of(word);
            slots.push(Slot {
                offset,
                argument,
                by_value,
            });
        }
        (slots, end)
    }

    /// Types aligned to 16 start at multiples of 16 on x86-64; all else at words.
    fn slot_align(&self, ty: Ty<'p>) -> u64 {
        let align = u64::from(self.module.program.abi_align(ty));
        if self.word() == 8 {
            align.clamp(8, 16)
        } else {
            4
        }
    }

    /// `va_start`.
    pub(crate) fn start_variable_arguments(&mut self, list: ValueId) -> Result<(), Unsupported> {
        let area = self.variable_arguments.ok_or_else(|| {
            Unsupported::new("va_start in a function with a fixed parameter list")
        })?;
        if self.word() == 4 {
            self.store(list, area, 4);
            return Ok(());
        }
        let general = self.body.int(32, GENERAL_REGISTERS_END);
        self.store(list, general, 8);
        let vector = self.body.int(32, VECTOR_REGISTERS_END);
        let at = self.offset(list, 4);
        self.store(at, vector, 4);
        let at = self.offset(list, 8);
        self.store(at, area, 8);
        let null = self.null();
        let at = self.offset(list, 16);
        self.store(at, null, 8);
        Ok(())
    }

    /// Bytes of a `va_list`.
    pub(crate) fn variable_list_size(&self) -> u64 {
        if self.word() == 4 { 4 } else { 24 }
    }

    /// The `va_arg` instruction, which clang uses on few targets: a fetch from memory.
    pub(crate) fn variable_argument(
        &mut self,
        instruction: Value<'p>,
    ) -> Result<Scalars, Unsupported> {
        let simple = matches!(
            instruction.ty().shape(),
            TypeShape::Int(_) | TypeShape::Pointer | TypeShape::Float(FloatKind::Double)
        );
        if !simple {
            return Err(Unsupported::new("va_arg of an aggregate"));
        }
        let list = self.scalar_operand(instruction, 0)?;
        let field = if self.word() == 4 { 0 } else { 8 };
        let place = self.offset(list, field);
        let align = self.module.module.layout.pointer_bytes;
        let at = self.load(place, align, Type::Ptr);
        let size = self.module.program.alloc_size(instruction.ty());
        let next = self.offset(at, size.next_multiple_of(self.word()).cast_signed());
        self.store(place, next, align);
        self.load_value(at, instruction.ty(), 1)
    }
}
