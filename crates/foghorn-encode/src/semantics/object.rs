//! Objects: what allocations of an executed program make.
//!
//! Each execution of an allocation makes one object; there are finitely many, and each has a
//! number that is a literal in formulas. Whether an object is dead is one Boolean term per object:
//! an event that ends a life under guard `g` makes it `dead ∨ g`. Events on paths that exclude the
//! present one have guards that are false here, so lives need no merging where paths meet. How that
//! term changed is kept, since only objects that live at the same time lie apart.
//!
//! Numbers 0 and 1 are no objects: null, and the pointers that no object explains (their offset is
//! the address).

use crate::execute::context::ContextId;
use foghorn_core::SpanId;
use foghorn_ir::interpret::{Allocation, ProgramPoint};
use foghorn_ir::{AllocationKind, FunctionId, GlobalId, InstId};
use foghorn_term::{TermId, TermPool};
use rustc_hash::FxHashMap;

/// Number of the null pointer.
pub const NULL: u64 = 0;
/// Number of pointers that belong to no object.
pub const UNKNOWN: u64 = 1;
const FIRST: u64 = 2;

/// What made an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    Function(FunctionId),
    Global(GlobalId),
    Allocation(ContextId, InstId),
    /// The n-th object of the program's arguments.
    Argument(u32),
}

/// Where an object lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Function(FunctionId),
    Global,
    Stack,
    Heap,
}

impl From<AllocationKind> for Kind {
    fn from(kind: AllocationKind) -> Self {
        match kind {
            AllocationKind::Stack => Kind::Stack,
            AllocationKind::Heap => Kind::Heap,
            AllocationKind::Permanent => Kind::Global,
        }
    }
}

/// Counts allocations, deaths and resumptions of objects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment(u32);

/// An object in the run at hand.
#[derive(Clone, Debug)]
pub struct Object {
    pub kind: Kind,
    /// Bytes, as wide as a pointer.
    pub size: TermId,
    pub align: u64,
    /// Writing to it is an error.
    pub constant: bool,
    /// The condition under which it was allocated.
    pub allocated: TermId,
    /// The condition under which its life has ended.
    pub dead: TermId,
    /// When that condition changed, and to what.
    pub history: Vec<(Moment, TermId)>,
    /// When its lives began, and under which conditions.
    pub beginnings: Vec<(Moment, TermId)>,
    /// Its base address, once somebody asked.
    pub base: Option<TermId>,
    /// The condition under which its address has been seen as a number.
    pub exposed: TermId,
    /// What made it, as the interpreter knows it.
    pub allocation: Allocation,
    /// Where it was made, outside of library models.
    pub site: Option<(ProgramPoint, SpanId)>,
}

/// The objects of a run. Numbers are kept from run to run.
#[derive(Debug, Default)]
pub struct Objects {
    numbers: FxHashMap<Origin, u64>,
    table: Vec<Option<Object>>,
    /// Numbers of the objects of this run, in the order of their allocation.
    order: Vec<u64>,
    /// The object of each base address.
    by_base: FxHashMap<TermId, u64>,
    now: Moment,
}

impl Objects {
    /// Forgets the objects but not their numbers.
    pub fn restart(&mut self) {
        self.table.iter_mut().for_each(|object| *object = None);
        self.order.clear();
        self.by_base.clear();
        self.now = Moment::default();
    }

    fn tick(&mut self) -> Moment {
        self.now.0 += 1;
        self.now
    }

    /// The number of the object that an origin makes.
    pub fn number(&mut self, origin: Origin) -> u64 {
        let next = FIRST + self.numbers.len() as u64;
        *self.numbers.entry(origin).or_insert(next)
    }

    /// An object is allocated: alive, unless it waits for the start of its scope.
    pub fn insert(&mut self, pool: &mut TermPool, number: u64, mut object: Object) {
        let now = self.tick();
        object.history = vec![(now, object.dead)];
        let alive = pool.not(object.dead);
        object.beginnings = vec![(now, pool.and(&[object.allocated, alive]))];
        let at = (number - FIRST) as usize;
        if self.table.len() <= at {
            self.table.resize(at + 1, None);
        }
        self.table[at] = Some(object);
        self.order.push(number);
    }

    /// The object of a number; `None` for null, unknown, and what does not exist yet.
    pub fn get(&self, number: u64) -> Option<&Object> {
        let at = number.checked_sub(FIRST)?;
        self.table.get(at as usize)?.as_ref()
    }

    pub fn get_mut(&mut self, number: u64) -> Option<&mut Object> {
        let at = number.checked_sub(FIRST)?;
        self.table.get_mut(at as usize)?.as_mut()
    }

    /// Gives an object its base address.
    pub fn set_base(&mut self, number: u64, base: TermId) {
        if let Some(object) = self.get_mut(number) {
            object.base = Some(base);
            self.by_base.insert(base, number);
        }
    }

    /// The object whose base address a term is.
    pub fn with_base(&self, base: TermId) -> Option<u64> {
        self.by_base.get(&base).copied()
    }

    /// Numbers of the objects of this run, in the order of their allocation.
    pub fn in_order(&self) -> &[u64] {
        &self.order
    }

    /// Ends a life under a condition.
    pub fn end(&mut self, pool: &mut TermPool, number: u64, condition: TermId) {
        let now = self.tick();
        if let Some(object) = self.get_mut(number) {
            object.dead = pool.or(&[object.dead, condition]);
            object.history.push((now, object.dead));
        }
    }

    /// From now on a life has ended under exactly this condition.
    pub fn set_dead(&mut self, number: u64, dead: TermId) {
        let now = self.tick();
        if let Some(object) = self.get_mut(number) {
            object.dead = dead;
            object.history.push((now, dead));
        }
    }

    /// Starts a life again under a condition.
    pub fn resume(&mut self, pool: &mut TermPool, number: u64, condition: TermId) {
        let now = self.tick();
        if let Some(object) = self.get_mut(number) {
            let otherwise = pool.not(condition);
            object.dead = pool.and(&[object.dead, otherwise]);
            object.history.push((now, object.dead));
            object.beginnings.push((now, condition));
        }
    }
}

impl Object {
    /// The condition under which it exists at a moment: allocated by then, and not dead.
    fn exists(&self, pool: &mut TermPool, at: Moment) -> TermId {
        let until = self.history.partition_point(|&(moment, _)| moment <= at);
        match self.history[..until].last() {
            Some(&(_, dead)) => {
                let alive = pool.not(dead);
                pool.and(&[self.allocated, alive])
            }
            None => pool.bool(false),
        }
    }

    /// The condition under which two objects exist at the same time. One of them is there when a
    /// life of the other begins.
    pub fn coexists(&self, pool: &mut TermPool, other: &Object) -> TermId {
        let mut cases = vec![];
        for (one, another) in [(self, other), (other, self)] {
            for &(moment, begins) in &one.beginnings {
                let exists = another.exists(pool, moment);
                cases.push(pool.and(&[begins, exists]));
            }
        }
        pool.or(&cases)
    }
}
