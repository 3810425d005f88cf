//! What CBMC's names mean that are made of several operations.

use super::dialect::{CproverMeaning, DYNAMIC_OBJECT};
use super::function::{FunctionTranslator, Scalars};
use foghorn_ir::{
    AllocationKind, BinaryOp, Builtin, CastOp, Constant, Instruction, IntPredicate, Type, ValueId,
};
use smallvec::smallvec;

/// The shadow slot of an object that says whether it is on the heap; users have 1 … 127.
const IS_DYNAMIC: i128 = 129;

/// Alignment of what `__CPROVER_allocate` gives.
const ALIGN: u32 = 16;

impl FunctionTranslator<'_, '_> {
    pub(super) fn cprover_query(
        &mut self,
        meaning: CproverMeaning,
        values: &[ValueId],
        results: &[Type],
    ) -> Option<Scalars> {
        let size_type = self.size_type();
        let pointer = |this: &mut Self, index: usize| {
            let value = *values.get(index)?;
            Some(this.adapt(value, Type::Ptr))
        };
        match meaning {
            CproverMeaning::Allocate => {
                // Without a declaration the result would be an int, half of a pointer.
                if results != [Type::Ptr] {
                    return None;
                }
                let size = self.adapt(*values.first()?, size_type);
                let zero = self.truth(*values.get(1)?);
                Some(smallvec![self.cprover_allocate(size, zero)])
            }
            CproverMeaning::ArraySet => {
                let destination = pointer(self, 0)?;
                let byte = self.repeated_byte(*values.get(1)?)?;
                let length = self.rest_of_object(destination);
                let fill = Instruction::MemorySet {
                    destination,
                    byte,
                    length,
                };
                self.emit(fill, &[]);
                Some(Scalars::new())
            }
            CproverMeaning::ArrayCopy | CproverMeaning::ArrayReplace => {
                let (to, from) = (pointer(self, 0)?, pointer(self, 1)?);
                let whole = match meaning {
                    CproverMeaning::ArrayCopy => to,
                    _ => from,
                };
                let length = self.rest_of_object(whole);
                self.memory_copy(to, from, length);
                Some(Scalars::new())
            }
            CproverMeaning::PointerObject => {
                // The address of an object's start is a number that no other live object has.
                let pointer = pointer(self, 0)?;
                let offset = self.builtin(Builtin::ObjectOffset, vec![pointer], &[size_type])[0];
                let start = self.pointer_add(pointer, 0, vec![(offset, -1)]);
                Some(smallvec![self.cast(CastOp::PtrToInt, start, size_type)])
            }
            CproverMeaning::DynamicObject => {
                let pointer = pointer(self, 0)?;
                let slot = self.body.int(8, IS_DYNAMIC);
                let arguments = vec![slot, pointer];
                let mark = self.builtin(Builtin::GetShadow, arguments, &[size_type])[0];
                Some(smallvec![self.truth(mark)])
            }
        }
    }

    /// Notes that an object is on the heap, where the program asks.
    pub(super) fn mark_dynamic(&mut self, object: ValueId) {
        if self.module.program.function(DYNAMIC_OBJECT).is_none() {
            return;
        }
        let slot = self.body.int(8, IS_DYNAMIC);
        let one = self.size(1);
        self.builtin(Builtin::SetShadow, vec![slot, object, one], &[]);
    }

    fn cprover_allocate(&mut self, size: ValueId, zero: ValueId) -> ValueId {
        let object = self.allocate(AllocationKind::Heap, size, ALIGN);
        let nothing = self.size(0);
        let length = self.select(zero, size, nothing);
        let byte = self.body.int(8, 0);
        let fill = Instruction::MemorySet {
            destination: object,
            byte,
            length,
        };
        self.emit(fill, &[]);
        object
    }

    /// Bytes from a pointer to the end of its object.
    fn rest_of_object(&mut self, pointer: ValueId) -> ValueId {
        let size_type = self.size_type();
        let size = self.builtin(Builtin::ObjectSize, vec![pointer], &[size_type])[0];
        let offset = self.builtin(Builtin::ObjectOffset, vec![pointer], &[size_type])[0];
        let rest = self.binary(BinaryOp::Sub, size, offset);
        // Behind its object a pointer has nothing; an access of one byte then fails.
        let within = self.compare(IntPredicate::Sle, offset, size);
        let one = self.size(1);
        self.select(within, rest, one)
    }

    /// The byte that a value consists of, whatever the width of the elements is: without the
    /// header's macro nothing else tells it.
    fn repeated_byte(&mut self, value: ValueId) -> Option<ValueId> {
        let width = match self.body.ty(value) {
            Type::Int(width @ 8..=128) => width,
            Type::Int(_) | Type::Ptr | Type::F32 | Type::F64 | Type::Memory(_) => return None,
        };
        match self.body.as_constant(value) {
            Some(Constant::Int(0)) => Some(self.body.int(8, 0)),
            Some(Constant::Int(bits)) if bits == u128::MAX >> (128 - u32::from(width)) => {
                Some(self.body.int(8, -1))
            }
            _ => None,
        }
    }
}
