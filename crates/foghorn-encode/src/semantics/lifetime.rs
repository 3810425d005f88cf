//! Allocation and death of objects, and what is left at the end.

use super::access::LOST_FREED;
use super::reach::Reached;
use crate::execute::Executor;
use crate::execute::event::What;
use crate::semantics::object::{Kind, NULL, Object, Origin};
use foghorn_core::{CheckKind, SiteKind, SpanId};
use foghorn_ir::interpret::Allocation;
use foghorn_ir::{AllocationKind, Body, HaltKind, InstId, Instruction};
use foghorn_term::{Op, TermId};

impl<'m> Executor<'m, '_> {
    pub(crate) fn lifetime(&mut self, body: &'m Body, id: InstId) {
        match body.instructions[id].instruction {
            Instruction::Allocate { kind, size, align } => {
                let size = self.get(size);
                let size = self.memory.simplify(self.pool, size);
                self.allocate(body, id, kind, size, align);
            }
            Instruction::Free { pointer } => {
                let pointer = self.get(pointer);
                self.free(id, pointer);
            }
            Instruction::LifetimeStart { pointer } => {
                let pointer = self.get(pointer);
                self.restart(body, id, pointer);
            }
            Instruction::LifetimeEnd { pointer } => {
                let pointer = self.get(pointer);
                self.end_lives(pointer, |kind| kind == Kind::Stack);
            }
            Instruction::StackSave => {
                let mark = self.frame().stack_objects.len() as u64;
                let mark = self.pool.bv(self.pointer_bits, mark);
                self.set_result(id, mark);
            }
            Instruction::StackRestore { mark } => {
                let mark = self.get(mark);
                self.restore(mark);
            }
            _ => {}
        }
        self.note_obligations(id);
    }

    fn allocate(
        &mut self,
        body: &Body,
        id: InstId,
        kind: AllocationKind,
        size: TermId,
        align: u32,
    ) {
        // No object is as large as half of the address space.
        let zero = self.pool.bv_zero(self.pointer_bits);
        let exists = self.pool.make(Op::BvSle, &[zero, size]);
        self.assume(exists);
        let context = self.context();
        let number = self.memo.objects.number(Origin::Allocation(context, id));
        let starts_dead =
            kind == AllocationKind::Stack && self.frame().plan.starts_dead.contains(&id);
        let never = self.pool.bool(false);
        let object = Object {
            kind: kind.into(),
            size,
            align: u64::from(align.max(1)).next_power_of_two(),
            constant: false,
            allocated: self.guard(),
            dead: self.pool.bool(starts_dead),
            history: vec![],
            beginnings: vec![],
            base: None,
            exposed: never,
            allocation: Allocation::Instruction(self.frame().function, id),
            site: Some(self.outside_models(id)),
        };
        self.memo.objects.insert(self.pool, number, object);
        self.clear_marks(number);
        if kind == AllocationKind::Stack {
            self.frame_mut().stack_objects.push(number);
        }
        // Nobody has written to a new object, and no memory says anything about its number.
        for memory_use in &body.instructions[id].memory {
            let memory = self.get(memory_use.input);
            self.set_output(memory_use, memory);
        }
        let pointer = self.pointer_to(number, 0);
        self.set_result(id, pointer);
    }

    fn free(&mut self, id: InstId, pointer: TermId) {
        if !self.is_enabled(SiteKind::Free.representative()) {
            self.oblige_to_have_number(id, pointer);
        }
        let lost = self.undetermined_if_lost((id, LOST_FREED), pointer, false);
        let valid = self.by_object(pointer, lost, |executor, number, offset| {
            let zero = executor.pool.bv_zero(executor.pointer_bits);
            let at_start = executor.pool.equal(offset, zero);
            if number == NULL {
                return at_start;
            }
            match executor.memo.objects.get(number) {
                Some(object) if object.kind == Kind::Heap => {
                    let dead = object.dead;
                    let alive = executor.pool.not(dead);
                    executor.pool.and(&[at_start, alive])
                }
                Some(_) | None => executor.pool.bool(false),
            }
        });
        self.check(SiteKind::Free, id, valid);
        self.end_lives(pointer, |kind| kind == Kind::Heap);
    }

    /// The objects of some kind that a pointer may lead to, each with the condition that it does.
    fn targets(&mut self, pointer: TermId, of: impl Fn(Kind) -> bool) -> Vec<(u64, TermId)> {
        let numbers = match self.possible_objects(pointer) {
            Some(numbers) => numbers,
            None => self.memo.objects.in_order().to_vec(),
        };
        let base = self.base_of(pointer);
        let guard = self.guard();
        let mut targets = vec![];
        for number in numbers {
            let object = self.memo.objects.get(number);
            if object.is_some_and(|object| of(object.kind)) {
                let literal = self.pool.bv(self.pointer_bits, number);
                let here = self.equal_bases(base, literal);
                targets.push((number, self.pool.and(&[guard, here])));
            }
        }
        targets
    }

    fn end_lives(&mut self, pointer: TermId, of: impl Fn(Kind) -> bool) {
        for (number, condition) in self.targets(pointer, of) {
            self.memo.objects.end(self.pool, number, condition);
        }
    }

    fn restart(&mut self, body: &Body, id: InstId, pointer: TermId) {
        for (number, condition) in self.targets(pointer, |kind| kind == Kind::Stack) {
            self.memo.objects.resume(self.pool, number, condition);
            self.keep_apart(number);
        }
        let zero = self.pool.bv_zero(self.pointer_bits);
        let size = self.by_object(pointer, zero, |executor, number, _| {
            let size = executor.memo.objects.get(number).map(|object| object.size);
            size.unwrap_or(zero)
        });
        let base = self.base_of(pointer);
        let start = self.pool.pointer(base, zero);
        self.havoc(body, id, start, size);
    }

    /// Ends the stack objects of this call that are younger than a mark.
    fn restore(&mut self, mark: TermId) {
        let guard = self.guard();
        let objects = self.frame().stack_objects.clone();
        for (index, number) in objects.into_iter().enumerate() {
            let position = self.pool.bv(self.pointer_bits, index as u64);
            let younger = self.pool.make(foghorn_term::Op::BvUle, &[mark, position]);
            let condition = self.pool.and(&[guard, younger]);
            self.memo.objects.end(self.pool, number, condition);
        }
    }

    /// The program ends here.
    pub(crate) fn halt(&mut self, kind: HaltKind) {
        match kind {
            HaltKind::Exit => {
                let guard = self.guard();
                // Calls are still active whose objects and values may lead anywhere.
                self.final_checks(guard, &Reached::default());
            }
            HaltKind::Abort => {
                let guard = self.guard();
                self.check_all_freed(guard);
            }
        }
    }

    /// The program ends here if a condition does not hold.
    pub(crate) fn end_unless(&mut self, condition: TermId) {
        let (guard, fails) = (self.guard(), self.pool.not(condition));
        let ends = self.pool.and(&[guard, fails]);
        self.check_all_freed(ends);
        self.assume(condition);
    }

    /// What must hold at every end of the program, that by `abort` or a failing assertion too.
    pub(crate) fn check_all_freed(&mut self, guard: TermId) {
        if self.is_enabled(CheckKind::NotFreed) {
            self.heap_is_empty(guard, SiteKind::Cleanup, &Reached::default());
        }
    }

    /// Checks on the memory that is left when the program ends under a guard.
    pub(crate) fn final_checks(&mut self, guard: TermId, reached: &Reached) {
        if self.is_enabled(CheckKind::Leak) {
            self.heap_is_empty(guard, SiteKind::Leak, reached);
        }
        self.check_all_freed(guard);
    }

    /// One check per allocation site: none of its objects is alive that is not reached.
    fn heap_is_empty(&mut self, guard: TermId, kind: SiteKind, reached: &Reached) {
        for number in self.memo.objects.in_order().to_vec() {
            let Some(object) = self.memo.objects.get(number) else {
                continue;
            };
            if object.kind != Kind::Heap {
                continue;
            }
            let (allocated, dead, site) = (object.allocated, object.dead, object.site);
            let unallocated = self.pool.not(allocated);
            let mut fine = vec![unallocated, dead];
            fine.extend(reached.get(&number));
            let condition = self.pool.or(&fine);
            let condition = self.memory.simplify(self.pool, condition);
            let (point, span) =
                site.map_or((None, SpanId::UNKNOWN), |(point, span)| (Some(point), span));
            let site = self.site_at(kind, point, span);
            let proved = self.settings.is_proved(kind, point);
            if !proved && self.pool.as_bool(condition) != Some(true) {
                self.note_under(guard, What::Check { condition, site });
            }
        }
    }
}
