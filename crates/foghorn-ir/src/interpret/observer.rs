//! Watching a run from outside.
//!
//! An [`Observer`] is a type parameter of the run, so that a run without one pays nothing.

use super::object::Allocation;
use super::value::{ObjectId, Pointer};
use crate::body::{BlockId, InstId, VariableId};
use crate::module::FunctionId;
use crate::types::Type;
use foghorn_core::SpanId;
use std::sync::Arc;

/// A place in the program that is executed now.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
pub struct ProgramPoint {
    pub function: FunctionId,
    pub instruction: InstId,
}

/// A valid access to a range of bytes of one object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    pub at: ProgramPoint,
    pub object: ObjectId,
    /// What made the object.
    pub allocation: Allocation,
    pub offset: i64,
    pub length: u64,
}

/// A change of an object by code outside the program.
#[derive(Clone, Copy, Debug)]
pub struct Change<'r> {
    /// The name of the code.
    pub by: &'r Arc<str>,
    /// How the object is reached from the global that says what the code knows; `None` where parts
    /// of pointers lead to it.
    pub route: Option<&'r [Hop]>,
}

/// A step along a pointer in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hop {
    /// Where the pointer lies in the object it is taken from, in bytes.
    pub at: u64,
    /// The object it leads to.
    pub to: ObjectId,
    /// Where in that object it points.
    pub offset: i64,
}

/// A value as it is told to an observer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Observed {
    Bits(u128),
    Pointer(Pointer),
}

/// Is told what happens, in order. The methods do nothing unless they are defined.
pub trait Observer {
    /// Whether anything is to be told at all.
    const ENABLED: bool = true;

    /// Bytes are read, by a load or as the source of a copy.
    fn read(&mut self, _: Access) {}
    /// Bytes are written, by a store, a fill or as the destination of a copy.
    fn write(&mut self, _: Access) {}
    /// A store writes this value; told after `write`.
    fn store(&mut self, _: Access, _: Type, _: Observed) {}
    /// Bytes lose their values by a builtin, until they are determined.
    fn havoc(&mut self, _: Access) {}
    /// Code outside the program may change all of an object: bytes lose their values until they are
    /// determined.
    fn change(&mut self, _: Access, _: &Change<'_>) {}
    /// Bytes without a value are given one, since somebody reads them: those of the range that
    /// had none get theirs from the bits, in little-endian order.
    fn determine(&mut self, _: Access, _bits: u128) {}
    /// Bytes without a value turn out to be a pointer that code outside the program left.
    fn determine_pointer(&mut self, _: Access, _: Pointer) {}
    /// Code outside the program returns a pointer to an object that it knows; how it got there is
    /// told as for a change of that object.
    fn return_known(&mut self, _: &Change<'_>, _: Pointer) {}
    /// A stack or heap object comes into being; the range is all of it. The span is the innermost
    /// place outside the models of library functions.
    fn allocate(&mut self, _: Access, _: SpanId) {}
    /// A heap object is freed; the range is all of it.
    fn free(&mut self, _: Access) {}
    /// A function with a body is called, directly or not, by the instruction at this place; `enter`
    /// follows.
    fn call(&mut self, _: ProgramPoint, _: SpanId, _callee: FunctionId) {}
    /// A function is called through a pointer.
    fn indirect_call(&mut self, _: ProgramPoint, _callee: FunctionId) {}
    /// A source variable gets a value. For a pointer the bits are its offset.
    fn bind(&mut self, _: ProgramPoint, _: VariableId, _: Type, _bits: u128) {}
    /// The same for a variable that holds a pointer, told after `bind`.
    fn bind_pointer(&mut self, _: ProgramPoint, _: VariableId, _: Pointer) {}
    /// A block is entered.
    fn block(&mut self, _: FunctionId, _: BlockId) {}
    /// A function is entered, with this many calls active.
    fn enter(&mut self, _: FunctionId, _depth: usize) {}
    /// A function returns, with this many calls left active.
    fn leave(&mut self, _: FunctionId, _depth: usize) {}
}

/// Nobody watches.
impl Observer for () {
    const ENABLED: bool = false;
}

impl<O: Observer> Observer for &mut O {
    const ENABLED: bool = O::ENABLED;

    fn read(&mut self, access: Access) {
        (**self).read(access);
    }
    fn write(&mut self, access: Access) {
        (**self).write(access);
    }
    fn store(&mut self, access: Access, ty: Type, value: Observed) {
        (**self).store(access, ty, value);
    }
    fn havoc(&mut self, access: Access) {
        (**self).havoc(access);
    }
    fn change(&mut self, access: Access, change: &Change<'_>) {
        (**self).change(access, change);
    }
    fn return_known(&mut self, change: &Change<'_>, pointer: Pointer) {
        (**self).return_known(change, pointer);
    }
    fn determine_pointer(&mut self, access: Access, pointer: Pointer) {
        (**self).determine_pointer(access, pointer);
    }
    fn determine(&mut self, access: Access, bits: u128) {
        (**self).determine(access, bits);
    }
    fn allocate(&mut self, access: Access, span: SpanId) {
        (**self).allocate(access, span);
    }
    fn free(&mut self, access: Access) {
        (**self).free(access);
    }
    fn call(&mut self, at: ProgramPoint, span: SpanId, callee: FunctionId) {
        (**self).call(at, span, callee);
    }
    fn indirect_call(&mut self, at: ProgramPoint, callee: FunctionId) {
        (**self).indirect_call(at, callee);
    }
    fn bind(&mut self, at: ProgramPoint, variable: VariableId, ty: Type, bits: u128) {
        (**self).bind(at, variable, ty, bits);
    }
    fn bind_pointer(&mut self, at: ProgramPoint, variable: VariableId, pointer: Pointer) {
        (**self).bind_pointer(at, variable, pointer);
    }
    fn block(&mut self, function: FunctionId, block: BlockId) {
        (**self).block(function, block);
    }
    fn enter(&mut self, function: FunctionId, depth: usize) {
        (**self).enter(function, depth);
    }
    fn leave(&mut self, function: FunctionId, depth: usize) {
        (**self).leave(function, depth);
    }
}
