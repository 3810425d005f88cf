//! Operations on the machine and on the memory model.

use super::access::Marks;
use super::pointer::literal;
use crate::execute::Executor;
use crate::execute::event::What;
use foghorn_ir::{Body, Builtin, Cell, InstId, NondetOrigin, Type};
use foghorn_term::{BitVecValue, Op, Sort, TermId};
use std::sync::Arc;

impl<'m> Executor<'m, '_> {
    pub(crate) fn builtin(
        &mut self,
        body: &'m Body,
        id: InstId,
        builtin: &Builtin,
        arguments: &[TermId],
    ) {
        match builtin {
            Builtin::WriteOutput => {
                self.dereference(id, arguments[1], arguments[2], false);
                self.outside(id, "the result of writing to a file", arguments[2]);
            }
            Builtin::ReadInput => {
                self.dereference(id, arguments[1], arguments[2], true);
                self.havoc(body, id, arguments[1], arguments[2]);
                self.outside(id, "what is read from a file", arguments[2]);
            }
            Builtin::FormatFloat => {
                self.dereference(id, arguments[0], arguments[1], true);
                self.havoc(body, id, arguments[0], arguments[1]);
                let span = self.span(id);
                self.note_over_approximation(&"the text of a floating-point number".into(), span);
                let length = self.open(id, 0, "format", Sort::BitVec(32));
                let zero = self.pool.bv_zero(32);
                let sane = self.pool.make(Op::BvSle, &[zero, length]);
                self.assume(sane);
                self.set_result(id, length);
            }
            Builtin::IsDereferenceable => {
                self.oblige_to_have_number(id, arguments[0]);
                let valid = self.is_valid(arguments[0], arguments[1], false);
                let valid = self.memory.simplify(self.pool, valid);
                self.set_result(id, valid);
            }
            Builtin::ObjectSize => {
                self.oblige_to_have_number(id, arguments[0]);
                let zero = self.pool.bv_zero(self.pointer_bits);
                let size = self.by_object(arguments[0], zero, |executor, number, _| {
                    let object = executor.memo.objects.get(number);
                    object.map_or(zero, |object| object.size)
                });
                self.set_result(id, size);
            }
            Builtin::ObjectOffset => {
                let offset = self.offset_of(arguments[0]);
                self.set_result(id, offset);
            }
            Builtin::SameObject => {
                let (left, right) = (self.base_of(arguments[0]), self.base_of(arguments[1]));
                let same = self.equal_bases(left, right);
                self.set_result(id, same);
            }
            Builtin::IsAlive => {
                self.oblige_to_have_number(id, arguments[0]);
                let never = self.pool.bool(false);
                let alive =
                    self.by_object(arguments[0], never, |executor, number, _| {
                        match executor.memo.objects.get(number).map(|object| object.dead) {
                            Some(dead) => executor.pool.not(dead),
                            None => never,
                        }
                    });
                let alive = self.memory.simplify(self.pool, alive);
                self.set_result(id, alive);
            }
            Builtin::HavocMemory => {
                self.dereference(id, arguments[0], arguments[1], true);
                self.havoc(body, id, arguments[0], arguments[1]);
            }
            Builtin::HavocReachable(_) => self.havoc_reachable(body, id, arguments[1]),
            Builtin::IsModified
            | Builtin::IsRead
            | Builtin::ResetModified
            | Builtin::ResetRead
            | Builtin::TrackAccesses => self.marks(id, builtin, arguments),
            Builtin::SetShadow | Builtin::GetShadow => self.shadow(id, builtin, arguments),
            Builtin::Math(name) => {
                let span = self.span(id);
                self.note_over_approximation(name, span);
                let value = self.open(id, 0, name, Sort::BitVec(64));
                self.set_result(id, value);
            }
        }
    }

    /// A value of our own making that the interpreter computes rather than asks for.
    fn open(&mut self, id: InstId, number: u32, name: &str, sort: Sort) -> TermId {
        self.symbol(id, number, name, sort)
    }

    /// What the system says: a count up to the length, or -1.
    fn outside(&mut self, id: InstId, what: &str, length: TermId) {
        let span = self.span(id);
        let what: Arc<str> = what.into();
        self.note_over_approximation(&what, span);
        let count = self.open(id, 0, "count", Sort::BitVec(self.pointer_bits));
        let within = self.pool.make(Op::BvUle, &[count, length]);
        let ones = self.pool.bv_ones(self.pointer_bits);
        let failed = self.pool.equal(count, ones);
        let sane = self.pool.or(&[within, failed]);
        self.assume(sane);
        self.set_result(id, count);
    }

    fn current_marks(&mut self) -> Marks {
        if let Some(marks) = self.marks {
            return marks;
        }
        let zero = self.pool.bv_zero(8);
        let clean = |executor: &mut Self, name: &str| {
            let memory = executor.arbitrary_memory(name, Cell::Bytes);
            let numbers = executor.memo.objects.in_order().to_vec();
            numbers.into_iter().fold(memory, |memory, number| {
                executor.clear(memory, number, zero)
            })
        };
        let marks = Marks {
            modified: clean(self, "modified"),
            read: clean(self, "read"),
            tracking: self.pool.bool(false),
        };
        self.marks = Some(marks);
        marks
    }

    /// A new object has no marks.
    pub(crate) fn clear_marks(&mut self, number: u64) {
        if let Some(marks) = self.marks {
            let zero = self.pool.bv_zero(8);
            self.marks = Some(Marks {
                modified: self.clear(marks.modified, number, zero),
                read: self.clear(marks.read, number, zero),
                ..marks
            });
        }
    }

    /// The marks of one object all set to a byte.
    fn clear(&mut self, memory: TermId, number: u64, byte: TermId) -> TermId {
        let Some(size) = self.memo.objects.get(number).map(|object| object.size) else {
            return memory;
        };
        let start = self.pointer_to(number, 0);
        self.memory.set(self.pool, memory, start, byte, size)
    }

    fn marks(&mut self, id: InstId, builtin: &Builtin, arguments: &[TermId]) {
        let marks = self.current_marks();
        match builtin {
            Builtin::TrackAccesses => {
                let guard = self.guard();
                let tracking = self.pool.ite(guard, arguments[0], marks.tracking);
                self.marks = Some(Marks { tracking, ..marks });
            }
            Builtin::IsModified => self.is_marked(id, marks.modified, arguments[0]),
            Builtin::IsRead => self.is_marked(id, marks.read, arguments[0]),
            Builtin::ResetModified => {
                let modified = self.reset(marks.modified, arguments[0]);
                self.marks = Some(Marks { modified, ..marks });
            }
            Builtin::ResetRead => {
                let read = self.reset(marks.read, arguments[0]);
                self.marks = Some(Marks { read, ..marks });
            }
            other => unreachable!("invariant: {other:?} is about marks"),
        }
    }

    fn is_marked(&mut self, id: InstId, memory: TermId, pointer: TermId) {
        let byte = self
            .memory
            .read(self.pool, memory, pointer, Sort::BitVec(8));
        let one = self.pool.bv(8, 1);
        let marked = self.pool.equal(byte, one);
        let marked = self.memory.simplify(self.pool, marked);
        self.set_result(id, marked);
    }

    fn reset(&mut self, memory: TermId, pointer: TermId) -> TermId {
        let zero = self.pool.bv_zero(8);
        let nothing = self.pool.bv_zero(self.pointer_bits);
        let size = self.by_object(pointer, nothing, |executor, number, _| {
            let object = executor.memo.objects.get(number);
            object.map_or(nothing, |object| object.size)
        });
        let base = self.base_of(pointer);
        let start = self.pool.pointer(base, nothing);
        let reset = self.memory.set(self.pool, memory, start, zero, size);
        let guard = self.guard();
        self.memory.merge(self.pool, guard, reset, memory)
    }

    /// A slot of an object, for the user. The slot is a constant of the program.
    fn shadow(&mut self, id: InstId, builtin: &Builtin, arguments: &[TermId]) {
        let slot = self.memory.simplify(self.pool, arguments[0]);
        let Some(slot) = literal(self.pool, slot) else {
            let (span, never) = (self.span(id), self.pool.bool(false));
            self.note(What::Obligation {
                condition: never,
                what: "a shadow slot that is no constant".into(),
                span,
                of_cells: false,
            });
            return;
        };
        let zero = self.pool.bv_zero(self.pointer_bits);
        match builtin {
            Builtin::SetShadow => {
                let guard = self.guard();
                let base = self.base_of(arguments[1]);
                let numbers = match self.possible_objects(arguments[1]) {
                    Some(numbers) => numbers,
                    None => self.memo.objects.in_order().to_vec(),
                };
                for number in numbers {
                    let number_term = self.pool.bv(self.pointer_bits, number);
                    let here = self.equal_bases(base, number_term);
                    let condition = self.pool.and(&[guard, here]);
                    let old = self.shadows.get(&(slot, number)).copied().unwrap_or(zero);
                    let new = self.pool.ite(condition, arguments[2], old);
                    self.shadows.insert((slot, number), new);
                }
            }
            Builtin::GetShadow => {
                let value = self.by_object(arguments[1], zero, |executor, number, _| {
                    let value = executor.shadows.get(&(slot, number)).copied();
                    value.unwrap_or(zero)
                });
                self.set_result(id, value);
            }
            other => unreachable!("invariant: {other:?} is about shadows"),
        }
    }

    /// The results of a function that is started from outside the program.
    pub(crate) fn choose_argument(&mut self, name: &str, ty: Type) -> TermId {
        let width = match ty {
            Type::Ptr => self.pointer_bits,
            Type::Int(width) => width.into(),
            Type::F32 => 32,
            Type::F64 => 64,
            Type::Memory(_) => unreachable!("invariant: memories are no inputs"),
        };
        let symbol = self
            .pool
            .symbol(&format!("argument {name}"), Sort::BitVec(width));
        let guard = self.pool.bool(true);
        self.note_under(
            guard,
            What::Input {
                point: None,
                bits: symbol,
            },
        );
        let origin = NondetOrigin::Input(name.into());
        match (ty, origin) {
            (Type::Ptr, _) => self.pointer_from_address(symbol),
            (Type::Int(_) | Type::F32 | Type::F64 | Type::Memory(_), _) => {
                crate::scalar::from_bits(self.pool, symbol)
            }
        }
    }

    /// A little-endian number of at most 8 bytes.
    pub(crate) fn bytes_term(&mut self, bytes: &[u8]) -> TermId {
        let value = bytes
            .iter()
            .rev()
            .fold(0_u128, |value, &byte| (value << 8) | u128::from(byte));
        let width = bytes.len() as u32 * 8;
        self.pool.bitvec(BitVecValue::from_u128(width, value))
    }
}
