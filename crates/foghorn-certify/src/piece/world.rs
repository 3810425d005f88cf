//! What the execution of one piece shares: terms, axioms, objects.
//!
//! An object is a number. Numbers are given in the order in which the piece meets allocations, on
//! whichever way, so a number is of one allocation and its size and kind need no guard. They are counted
//! from a term: nothing at the program's start, what is not known at the head of a loop or behind a call
//! by contract.

use foghorn_core::CheckSelection;
use foghorn_encode::claim::{FIRST_OBJECT, NULL, UNKNOWN};
use foghorn_encode::fact::function_size;
use foghorn_encode::float::FloatEncoder;
use foghorn_ir::{FunctionId, GlobalContents, GlobalId, Module, Type};
use foghorn_term::{BitVecValue, Op, Sort, TermId, TermPool};
use rustc_hash::{FxHashMap, FxHashSet};

use super::life::LifeNode;
use super::memory::MemoryNode;

/// Bits of an object's number: no run allocates so often that it is used up.
pub const OBJECT_BITS: u32 = 48;
const KIND_BITS: u32 = 16;

/// A value as terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// An integer or a float as bits, an `i1` as a Boolean.
    Scalar(TermId),
    Pointer(Pointer),
    Memory(MemoryId),
}

/// A pointer as terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pointer {
    pub object: TermId,
    pub offset: TermId,
}

/// Contents of a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MemoryId(pub u32);

/// Which objects are alive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LifeId(pub u32);

/// What an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Null and what is no object.
    None,
    Function,
    Global,
    ConstantGlobal,
    Stack,
    /// Of one allocation of the program, by its number among all.
    Heap(u16),
}

impl Kind {
    const FIRST_HEAP: u16 = 8;

    fn code(self) -> u64 {
        match self {
            Kind::None => 0,
            Kind::Function => 1,
            Kind::Global => 2,
            Kind::ConstantGlobal => 3,
            Kind::Stack => 4,
            Kind::Heap(site) => u64::from(site.saturating_add(Self::FIRST_HEAP)),
        }
    }
}

/// An object comes to life.
#[derive(Clone, Copy, Debug)]
pub(super) struct Birth {
    pub object: TermId,
    pub before: LifeId,
    pub guard: TermId,
}

/// Terms, axioms and objects.
pub struct World<'a> {
    pub module: &'a Module,
    pub checks: &'a CheckSelection,
    pub pool: TermPool,
    /// What holds in every execution.
    pub axioms: Vec<TermId>,
    pub(super) memories: Vec<MemoryNode>,
    pub(super) lives: Vec<LifeNode>,
    pub(super) floats: FloatEncoder,
    pub(super) float_axioms: usize,
    sizes: FxHashMap<TermId, TermId>,
    kinds: FxHashMap<TermId, TermId>,
    pub(super) memory_reads: FxHashMap<(MemoryId, Pointer, Type), Known>,
    pub(super) base_reads: FxHashMap<(MemoryId, Type), Vec<(Pointer, Known)>>,
    pub(super) life_reads: FxHashMap<(LifeId, TermId), TermId>,
    pub(super) base_lives: FxHashMap<LifeId, Vec<(TermId, TermId)>>,
    /// Objects whose addresses were asked for, and where they lie.
    pub(super) bases: Vec<(TermId, TermId)>,
    /// Alignments of objects of which they are known.
    pub(super) aligns: FxHashMap<TermId, u64>,
    /// Objects that came to life in the piece: what was alive before, and on which way.
    pub(super) births: Vec<Birth>,
    /// Those of them that have addresses, and which of these are known to lie apart.
    pub(super) placed: Vec<Birth>,
    pub(super) parted: FxHashSet<(TermId, TermId)>,
    /// Objects whose addresses the piece made numbers of, and on which way.
    pub(super) exposures: Vec<(TermId, TermId)>,
    /// Pointers by their addresses.
    pub(super) addresses: FxHashMap<TermId, Pointer>,
    /// Places at which contents or lives that nobody knows were asked for: where claims about every
    /// object are of use.
    pub places: Vec<Pointer>,
    /// The number that the next object gets is this term plus `allocated`.
    counter: TermId,
    allocated: u64,
    /// No object of the program is ever freed.
    pub(super) never_frees: bool,
}

impl<'a> World<'a> {
    /// A world in which nothing has happened; the next object has the first number that an allocation
    /// can give.
    pub fn new(module: &'a Module, checks: &'a CheckSelection, mut pool: TermPool) -> Self {
        let first = FIRST_OBJECT + module.functions.len() as u64 + module.globals.len() as u64;
        let counter = pool.bv(OBJECT_BITS, first);
        let mut world = World {
            module,
            checks,
            pool,
            axioms: vec![],
            memories: vec![],
            lives: vec![],
            floats: FloatEncoder::default(),
            float_axioms: 0,
            sizes: FxHashMap::default(),
            kinds: FxHashMap::default(),
            memory_reads: FxHashMap::default(),
            base_reads: FxHashMap::default(),
            life_reads: FxHashMap::default(),
            base_lives: FxHashMap::default(),
            bases: vec![],
            aligns: FxHashMap::default(),
            births: vec![],
            placed: vec![],
            parted: FxHashSet::default(),
            exposures: vec![],
            addresses: FxHashMap::default(),
            places: vec![],
            counter,
            allocated: 0,
            never_frees: false,
        };
        world.place_permanent();
        world
    }

    fn place_permanent(&mut self) {
        let bits = self.bits();
        for number in [NULL, UNKNOWN] {
            let zero = self.pool.bv_zero(bits);
            self.describe_literal(number, zero, (Kind::None, 1));
        }
        for (id, _) in self.module.functions.iter() {
            let size = self.signed(bits, function_size(id).into());
            self.describe_literal(Self::function_number(id), size, (Kind::Function, 1));
        }
        for (id, global) in self.module.globals.iter() {
            let size = match global.contents {
                GlobalContents::Initialised(_) => self.pool.bv(bits, global.size),
                GlobalContents::External => self.any_size(),
            };
            let kind = match global.constant {
                true => Kind::ConstantGlobal,
                false => Kind::Global,
            };
            let number = self.global_number(id);
            self.describe_literal(number, size, (kind, global.align.into()));
        }
    }

    fn describe_literal(&mut self, number: u64, size: TermId, what: (Kind, u64)) {
        let object = self.pool.bv(OBJECT_BITS, number);
        self.describe(object, size, what);
    }

    fn any_size(&mut self) -> TermId {
        let bits = self.bits();
        let size = self.pool.fresh_symbol("size", Sort::BitVec(bits));
        let zero = self.pool.bv_zero(bits);
        let sane = self.pool.bv_sle(zero, size);
        self.axioms.push(sane);
        size
    }

    /// The number of a function as an object.
    pub fn function_number(function: FunctionId) -> u64 {
        FIRST_OBJECT + u64::from(function.as_u32())
    }

    /// The number of a global as an object.
    pub fn global_number(&self, global: GlobalId) -> u64 {
        FIRST_OBJECT + self.module.functions.len() as u64 + u64::from(global.as_u32())
    }

    /// The global with a number.
    pub(super) fn global_of(&self, number: u64) -> Option<GlobalId> {
        let first = FIRST_OBJECT + self.module.functions.len() as u64;
        let index = u32::try_from(number.checked_sub(first)?).ok()?;
        ((index as usize) < self.module.globals.len()).then(|| GlobalId::from_u32(index))
    }

    /// The least number that an allocation gives.
    pub fn first_allocated(&self) -> u64 {
        FIRST_OBJECT + self.module.functions.len() as u64 + self.module.globals.len() as u64
    }

    pub fn bits(&self) -> u32 {
        self.module.layout.pointer_bits()
    }

    /// A number in so many bits.
    pub fn signed(&mut self, bits: u32, value: i128) -> TermId {
        let value = value.cast_unsigned() & (u128::MAX >> (128 - bits));
        self.pool.bitvec(BitVecValue::from_u128(bits, value))
    }

    /// The number that the next object gets.
    pub fn next_object(&mut self) -> TermId {
        let more = self.pool.bv(OBJECT_BITS, self.allocated);
        self.pool.bv_add(self.counter, more)
    }

    /// From here on nobody knows how many objects there have been, except that they are not fewer.
    pub fn forget_counter(&mut self) -> TermId {
        let before = self.next_object();
        let now = self.any_counter(before);
        self.counter = now;
        self.allocated = 0;
        now
    }

    /// A number of objects that is not below another one, nor near the end of numbers.
    pub fn any_counter(&mut self, least: TermId) -> TermId {
        let now = self.pool.fresh_symbol("objects", Sort::BitVec(OBJECT_BITS));
        let limit = self.pool.bv(OBJECT_BITS, 1 << (OBJECT_BITS - 1));
        let at_least = self.pool.make(Op::BvUle, &[least, now]);
        let below = self.pool.make(Op::BvUlt, &[now, limit]);
        self.axioms.extend([at_least, below]);
        now
    }

    /// Says that no object of the program is ever freed.
    pub fn set_never_frees(&mut self, never: bool) {
        self.never_frees = never;
    }

    /// Begins to count objects from here.
    pub fn set_counter(&mut self, counter: TermId) {
        self.counter = counter;
        self.allocated = 0;
    }

    /// A new object.
    pub fn allocate(&mut self, size: TermId, what: (Kind, u64)) -> Pointer {
        let object = self.next_object();
        self.allocated += 1;
        self.describe(object, size, what);
        Pointer {
            object,
            offset: self.pool.bv_zero(self.module.layout.pointer_bits()),
        }
    }

    /// Says what an object is, and how it is aligned. Nobody has asked before.
    pub fn describe(&mut self, object: TermId, size: TermId, (kind, align): (Kind, u64)) {
        self.aligns.insert(object, align.max(1));
        let kind = self.pool.bv(KIND_BITS, kind.code());
        self.sizes.insert(object, size);
        self.kinds.insert(object, kind);
    }

    /// That two terms are the same number, decided where they are literals.
    pub fn same_object(&mut self, a: TermId, b: TermId) -> TermId {
        if a == b {
            return self.pool.bool(true);
        }
        self.by_leaf(a, 0, &mut |world, leaf| {
            world.by_leaf(b, 0, &mut |world, other| world.pool.equal(leaf, other))
        })
    }

    /// A function of an object's number, leaf by leaf of the choices that it is made of.
    pub(super) fn by_leaf(
        &mut self,
        term: TermId,
        depth: u32,
        of: &mut dyn FnMut(&mut Self, TermId) -> TermId,
    ) -> TermId {
        const DEEPEST: u32 = 12;
        match (self.pool.op(term), self.pool.child_array::<3>(term)) {
            (Op::Ite, Some([condition, then, otherwise])) if depth < DEEPEST => {
                let then = self.by_leaf(then, depth + 1, of);
                let otherwise = self.by_leaf(otherwise, depth + 1, of);
                self.pool.ite(condition, then, otherwise)
            }
            _ => of(self, term),
        }
    }

    /// Bytes of an object.
    pub fn size(&mut self, object: TermId) -> TermId {
        self.by_leaf(object, 0, &mut |world, leaf| {
            if let Some(size) = world.sizes.get(&leaf) {
                return *size;
            }
            let bits = world.bits();
            let size = world.pool.fresh_symbol("size", Sort::BitVec(bits));
            let known: Vec<(TermId, TermId)> =
                world.sizes.iter().map(|it| (*it.0, *it.1)).collect();
            world.agree(leaf, size, known);
            world.sizes.insert(leaf, size);
            size
        })
    }

    fn kind(&mut self, object: TermId) -> TermId {
        self.by_leaf(object, 0, &mut |world, leaf| {
            if let Some(kind) = world.kinds.get(&leaf) {
                return *kind;
            }
            let kind = world.pool.fresh_symbol("kind", Sort::BitVec(KIND_BITS));
            let known: Vec<(TermId, TermId)> =
                world.kinds.iter().map(|it| (*it.0, *it.1)).collect();
            world.agree(leaf, kind, known);
            world.kinds.insert(leaf, kind);
            kind
        })
    }

    /// Equal numbers have equal values.
    fn agree(&mut self, object: TermId, value: TermId, mut known: Vec<(TermId, TermId)>) {
        known.sort_unstable();
        for (other, theirs) in known {
            let same = self.pool.equal(object, other);
            if self.pool.as_bool(same) != Some(false) {
                let equal = self.pool.equal(value, theirs);
                let axiom = self.pool.implies(same, equal);
                self.axioms.push(axiom);
            }
        }
    }

    /// That an object is of a kind.
    pub fn is_kind(&mut self, object: TermId, kind: Kind) -> TermId {
        let own = self.kind(object);
        let code = self.pool.bv(KIND_BITS, kind.code());
        self.pool.equal(own, code)
    }

    /// That an object is on the heap.
    pub fn is_heap(&mut self, object: TermId) -> TermId {
        let own = self.kind(object);
        let first = self.pool.bv(KIND_BITS, Kind::FIRST_HEAP.into());
        self.pool.make(Op::BvUle, &[first, own])
    }

    /// That an object was there from the start and stays.
    pub fn is_permanent(&mut self, object: TermId) -> TermId {
        let (first, limit) = (FIRST_OBJECT, self.first_allocated());
        let first = self.pool.bv(OBJECT_BITS, first);
        let limit = self.pool.bv(OBJECT_BITS, limit);
        let at_least = self.pool.make(Op::BvUle, &[first, object]);
        let below = self.pool.make(Op::BvUlt, &[object, limit]);
        self.pool.and(&[at_least, below])
    }

    /// A bound above every number.
    pub(super) fn anywhere(&mut self) -> TermId {
        self.pool.bv(OBJECT_BITS, 1 << (OBJECT_BITS - 1))
    }

    /// Any value of a type. A pointer leads to an object with a number below the bound.
    pub fn any(&mut self, ty: Type, bound: TermId) -> Known {
        match ty {
            Type::Int(1) => Known::Scalar(self.pool.fresh_symbol("b", Sort::Bool)),
            Type::Int(width) => {
                Known::Scalar(self.pool.fresh_symbol("x", Sort::BitVec(width.into())))
            }
            Type::F32 => Known::Scalar(self.pool.fresh_symbol("f", Sort::BitVec(32))),
            Type::F64 => Known::Scalar(self.pool.fresh_symbol("f", Sort::BitVec(64))),
            Type::Ptr => {
                let object = self.pool.fresh_symbol("o", Sort::BitVec(OBJECT_BITS));
                let bits = self.bits();
                let offset = self.pool.fresh_symbol("p", Sort::BitVec(bits));
                let exists = self.pool.make(Op::BvUlt, &[object, bound]);
                self.axioms.push(exists);
                Known::Pointer(Pointer { object, offset })
            }
            Type::Memory(_) => Known::Memory(self.any_memory()),
        }
    }

    /// One value or the other.
    pub fn choose(&mut self, condition: TermId, a: Known, b: Known) -> Known {
        if a == b {
            return a;
        }
        match (a, b) {
            (Known::Scalar(a), Known::Scalar(b)) => Known::Scalar(self.pool.ite(condition, a, b)),
            (Known::Pointer(a), Known::Pointer(b)) => Known::Pointer(Pointer {
                object: self.pool.ite(condition, a.object, b.object),
                offset: self.pool.ite(condition, a.offset, b.offset),
            }),
            (Known::Memory(a), Known::Memory(b)) => {
                Known::Memory(self.choose_memory(condition, a, b))
            }
            (Known::Scalar(_) | Known::Pointer(_) | Known::Memory(_), _) => {
                unreachable!("invariant: both are of one type")
            }
        }
    }

    /// That two values are the same; of memories nothing is said.
    pub fn equal(&mut self, a: Known, b: Known) -> TermId {
        match (a, b) {
            (Known::Scalar(a), Known::Scalar(b)) => self.pool.equal(a, b),
            (Known::Pointer(a), Known::Pointer(b)) => {
                let object = self.pool.equal(a.object, b.object);
                let offset = self.pool.equal(a.offset, b.offset);
                self.pool.and(&[object, offset])
            }
            (Known::Scalar(_) | Known::Pointer(_) | Known::Memory(_), _) => self.pool.bool(true),
        }
    }

    /// A literal number.
    pub(super) fn literal(&self, term: TermId) -> Option<u64> {
        self.pool.as_bitvec(term)?.to_u64()
    }

    /// The pointer that is null.
    pub fn null(&mut self) -> Pointer {
        self.pointer_to(NULL)
    }

    /// The start of the object with a literal number.
    pub fn pointer_to(&mut self, number: u64) -> Pointer {
        let bits = self.bits();
        Pointer {
            object: self.pool.bv(OBJECT_BITS, number),
            offset: self.pool.bv_zero(bits),
        }
    }

    /// Takes over what the encoder of floats found out.
    pub fn take_float_axioms(&mut self) {
        let axioms = self.floats.axioms(self.float_axioms).to_vec();
        self.float_axioms += axioms.len();
        self.axioms.extend(axioms);
    }
}
