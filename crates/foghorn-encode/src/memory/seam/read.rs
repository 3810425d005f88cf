//! The walk of a read down the writes of a memory: figures 4.6 and 4.7 of the SEAM thesis, with explicit stacks.
//!
//! Tasks are done last in, first out; each leaves its value on the stack of results. What a read finds undecided waits as
//! a task below the read that goes on. Reads of memories at which two sides of a merge meet are remembered, and so is
//! every merge, so that a graph of memories is walked as a graph.

use super::Seam;
use super::overlay::{Overlay, covers, slice};
use super::relate::{Access, Relation};
use crate::memory::cell::{CellKind, concatenated, is_multiple};
use crate::memory::pointer::children;
use crate::memory::restrict::chosen;
use foghorn_term::{Op, TermId, TermPool};

/// Something that waits to be done.
pub(super) enum Task {
    Read(TermId, Access),
    /// The topmost result is the value of that read.
    Remember(TermId, Access),
    /// `ite` of the two topmost results, the one for true on top.
    Choose(TermId),
    /// The topmost result is what is below the write.
    Overlay(Box<Overlay>),
    /// That many results, the least significant on top, are one value.
    Concatenate(u32),
}

/// The stacks of the walk.
#[derive(Default)]
pub(super) struct Walk {
    tasks: Vec<Task>,
    results: Vec<TermId>,
    performed: u64,
}

/// Tasks between two looks at the budget.
const BURST: u64 = 256;

/// What a step of the walk came to.
pub(super) enum Step {
    /// The value is found.
    Value(TermId),
    /// The read goes on at this memory, perhaps elsewhere.
    On(TermId, Access),
    /// Tasks were pushed that will leave the value.
    Waiting,
}

impl Seam {
    /// The value of an access, the pointer in normal form.
    pub(super) fn read_access(
        &mut self,
        pool: &mut TermPool,
        memory: TermId,
        access: Access,
    ) -> TermId {
        if self.options.store_map
            && let Some(value) = self.hit(pool, memory, access)
        {
            return value;
        }
        if let Some(&value) = self.remembered.get(&(memory, access)) {
            self.statistics.remembered += 1;
            return value;
        }
        // A walk may be asked for within a walk: each works above what it finds on the stacks.
        let (tasks, results) = (self.walk.tasks.len(), self.walk.results.len());
        self.walk.tasks.push(Task::Remember(memory, access));
        self.walk.tasks.push(Task::Read(memory, access));
        while self.walk.tasks.len() > tasks {
            self.walk.performed += 1;
            if self.walk.performed.is_multiple_of(BURST) && self.budget.check().is_err() {
                self.walk.tasks.truncate(tasks);
                self.walk.results.truncate(results);
                return self.without_meaning(pool, memory, access);
            }
            let task = self.walk.tasks.pop().expect("invariant: a task is there");
            self.perform(pool, task);
        }
        debug_assert_eq!(self.walk.results.len(), results + 1);
        self.result()
    }

    /// Some value of the sort that a read has.
    fn without_meaning(&self, pool: &mut TermPool, memory: TermId, access: Access) -> TermId {
        match Self::cell(pool, memory) {
            CellKind::Bytes => pool.bv_zero(access.size * 8),
            CellKind::Word { bytes } => pool.bv_zero(bytes * 8),
            CellKind::Pointer => {
                let zero = pool.bv_zero(self.width);
                pool.pointer(zero, zero)
            }
        }
    }

    fn result(&mut self) -> TermId {
        let result = self.walk.results.pop();
        result.expect("invariant: each task finds the results it needs")
    }

    fn perform(&mut self, pool: &mut TermPool, task: Task) {
        match task {
            Task::Read(memory, access) => self.descend(pool, memory, access),
            Task::Remember(memory, access) => {
                let value = *self
                    .walk
                    .results
                    .last()
                    .expect("invariant: a value was found");
                self.remembered.insert((memory, access), value);
            }
            Task::Choose(condition) => {
                let (then, otherwise) = (self.result(), self.result());
                let value = chosen(pool, condition, then, otherwise);
                self.walk.results.push(value);
            }
            Task::Overlay(overlay) => {
                let below = self.result();
                let value = self.overlaid(pool, &overlay, below);
                self.walk.results.push(value);
            }
            Task::Concatenate(count) => {
                let bytes: Vec<TermId> = (0..count).map(|_| self.result()).collect();
                let value = concatenated(pool, &bytes);
                let value = self.simplifier.rewrite(pool, value);
                self.walk.results.push(value);
            }
        }
    }

    /// Walks until a value is found or tasks are needed.
    fn descend(&mut self, pool: &mut TermPool, memory: TermId, access: Access) {
        let (mut memory, mut access) = (memory, access);
        loop {
            let choice = self.choice(pool, access);
            if self.options.store_map && choice.is_none() {
                match self.look_up(pool, memory, access) {
                    Step::Value(value) => {
                        self.walk.results.push(value);
                        return;
                    }
                    Step::On(next, at) => (memory, access) = (next, at),
                    Step::Waiting => unreachable!("invariant: a look-up ends or goes on"),
                }
            }
            if self.is_shared(pool, memory, access) {
                if let Some(&value) = self.remembered.get(&(memory, access)) {
                    self.statistics.remembered += 1;
                    self.walk.results.push(value);
                    return;
                }
                self.walk.tasks.push(Task::Remember(memory, access));
            }
            let step = match choice {
                Some(choice) => self.step_with_choice(pool, memory, access, choice),
                None => self.step(pool, memory, access),
            };
            match step {
                Step::Value(value) => {
                    self.walk.results.push(value);
                    return;
                }
                Step::On(next, at) => (memory, access) = (next, at),
                Step::Waiting => return,
            }
        }
    }

    /// Whether other reads are likely to come by: at a merge and where its sides meet, at the leaves of a pointer, and at
    /// every memory that store-maps lead to.
    fn is_shared(&self, pool: &TermPool, memory: TermId, access: Access) -> bool {
        let pointer = access.pointer;
        pool.op(memory) == Op::Ite
            || pool.op(pointer) == Op::Ite
            || pool.op(pool.child(pointer, 1)) == Op::Ite
            || self.history.is_joint(memory)
            || (self.options.store_map && pool.is_literal(pool.child(pointer, 0)))
    }

    /// Leaves something to be done after what is being read.
    pub(super) fn wait(&mut self, task: Task) {
        self.walk.tasks.push(task);
    }

    /// One step down.
    pub(super) fn step(&mut self, pool: &mut TermPool, memory: TermId, access: Access) -> Step {
        match pool.op(memory) {
            Op::Symbol(_) => Step::Value(self.initial(pool, memory, access)),
            Op::ConstantMemory(_) => {
                let cell = pool.child(memory, 0);
                Step::Value(self.repeated(pool, cell, access.size))
            }
            Op::MemoryWrite | Op::MemoryWriteBytes => self.over_write(pool, memory, access),
            Op::MemorySet => self.over_set(pool, memory, access),
            Op::MemoryCopy => self.over_copy(pool, memory, access),
            Op::Ite => {
                let [condition, then, otherwise] = children(pool, memory);
                self.choose(condition, (then, access), (otherwise, access))
            }
            other => unreachable!("invariant: {other:?} makes no memory"),
        }
    }

    pub(super) fn choose(
        &mut self,
        condition: TermId,
        then: (TermId, Access),
        otherwise: (TermId, Access),
    ) -> Step {
        let tasks = &mut self.walk.tasks;
        tasks.push(Task::Choose(condition));
        tasks.push(Task::Read(then.0, then.1));
        tasks.push(Task::Read(otherwise.0, otherwise.1));
        Step::Waiting
    }

    /// A read of a symbol: an uninterpreted function of base and offset, for each cell.
    fn initial(&mut self, pool: &mut TermPool, memory: TermId, access: Access) -> TermId {
        let function = self.function(pool, memory);
        let (base, offset) = self.pointers.halves(pool, access.pointer);
        let mut cells = Vec::new();
        for position in 0..access.size {
            let by = pool.bv(self.width, u64::from(position));
            let offset = pool.bv_add(offset, by);
            cells.push(pool.apply(function, &[base, offset]));
        }
        concatenated(pool, &cells)
    }

    /// ROW-HIT, ROW-SKIP and ROW (fig. 4.6).
    fn over_write(&mut self, pool: &mut TermPool, memory: TermId, read: Access) -> Step {
        let [below, pointer, value] = children(pool, memory);
        let size = match pool.op(memory) {
            Op::MemoryWriteBytes => pool.width(value) / 8,
            _ => 1,
        };
        let written = Access { pointer, size };
        let cases = match self.relate(pool, read, written) {
            Relation::Apart => Vec::new(),
            Relation::At(distance) => vec![(pool.bool(true), distance)],
            Relation::Unknown => self.overlaps(pool, read, written),
        };
        if let [(condition, distance)] = cases[..]
            && pool.as_bool(condition) == Some(true)
            && covers(read.size, size, distance)
        {
            self.statistics.hits += 1;
            let from = u32::try_from(distance).expect("invariant: a covered read starts inside");
            let whole = read.size == size;
            let seen = if whole {
                value
            } else {
                slice(pool, value, from, from + read.size)
            };
            return Step::Value(seen);
        }
        if cases.is_empty() {
            self.statistics.skips += 1;
        } else {
            self.statistics.splits += 1;
            let overlay = Overlay {
                size: read.size,
                value,
                written: size,
                cases,
            };
            self.walk.tasks.push(Task::Overlay(Box::new(overlay)));
        }
        Step::On(below, read)
    }

    /// Read over set (fig. 4.7).
    fn over_set(&mut self, pool: &mut TermPool, memory: TermId, read: Access) -> Step {
        let [below, start, cell, length] = children(pool, memory);
        match self.in_range(pool, read, start, length) {
            Some(true) => {
                self.statistics.hits += 1;
                Step::Value(self.repeated(pool, cell, read.size))
            }
            Some(false) => {
                self.statistics.skips += 1;
                Step::On(below, read)
            }
            None if self.all_or_nothing(pool, read, start, length) => {
                self.statistics.splits += 1;
                let condition = self.in_range_condition(pool, read.pointer, start, length);
                let value = self.repeated(pool, cell, read.size);
                let overlay = Overlay {
                    size: read.size,
                    value,
                    written: read.size,
                    cases: vec![(condition, 0)],
                };
                self.walk.tasks.push(Task::Overlay(Box::new(overlay)));
                Step::On(below, read)
            }
            None => self.by_bytes(pool, memory, read),
        }
    }

    /// Read over copy (fig. 4.7).
    fn over_copy(&mut self, pool: &mut TermPool, memory: TermId, read: Access) -> Step {
        let [below, start, source, from, length] = children(pool, memory);
        match self.in_range(pool, read, start, length) {
            Some(true) => {
                self.statistics.hits += 1;
                let origin = self.origin(pool, read, start, from);
                Step::On(source, origin)
            }
            Some(false) => {
                self.statistics.skips += 1;
                Step::On(below, read)
            }
            None if self.all_or_nothing(pool, read, start, length) => {
                self.statistics.splits += 1;
                let condition = self.in_range_condition(pool, read.pointer, start, length);
                let origin = self.origin(pool, read, start, from);
                self.choose(condition, (source, origin), (below, read))
            }
            None => self.by_bytes(pool, memory, read),
        }
    }

    /// Reads each byte for itself.
    fn by_bytes(&mut self, pool: &mut TermPool, memory: TermId, read: Access) -> Step {
        self.walk.tasks.push(Task::Concatenate(read.size));
        for position in 0..read.size {
            let by = pool.bv(self.width, u64::from(position));
            let pointer = self.pointers.moved(pool, read.pointer, by);
            let access = Access { pointer, size: 1 };
            self.walk.tasks.push(Task::Read(memory, access));
        }
        Step::Waiting
    }

    /// Where a copied value comes from: `from + (p - start)`.
    fn origin(&mut self, pool: &mut TermPool, read: Access, start: TermId, from: TermId) -> Access {
        let (_, offset) = self.pointers.halves(pool, read.pointer);
        let (_, start) = self.pointers.halves(pool, start);
        let by = match super::relate::distance(pool, offset, start) {
            Some(distance) => {
                pool.bitvec(foghorn_term::BitVecValue::from_i64(self.width, distance))
            }
            None => pool.bv_sub(offset, start),
        };
        let pointer = self.pointers.moved(pool, from, by);
        Access {
            pointer,
            size: read.size,
        }
    }

    /// Whether all cells of a read are in a range or none is because both are multiples of the read's size.
    fn all_or_nothing(
        &mut self,
        pool: &TermPool,
        read: Access,
        start: TermId,
        length: TermId,
    ) -> bool {
        if read.size == 1 {
            return true;
        }
        if !self.options.arm || !read.size.is_power_of_two() {
            return false;
        }
        let bits = read.size.trailing_zeros();
        let a = self.address_range_map(pool, read.pointer).low_bits;
        let b = self.address_range_map(pool, start).low_bits;
        a.count >= bits
            && b.count >= bits
            && a.admit_distance(b, 0)
            && (a.value ^ b.value).trailing_zeros() >= bits
            && is_multiple(pool, &mut self.facts, length, read.size)
    }
}
