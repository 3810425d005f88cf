//! How objects are numbered.
//!
//! A number tells what kind of object it names, so that no clause has to carry the kind. In ascending
//! order: stack objects that are made any number of times (from [`Numbering::first_stack`] down), the
//! unknown object, null, functions and globals, objects that are made at most once on the stack, then
//! on the heap, and heap objects that are made any number of times (from [`Numbering::first_heap`]
//! up). Objects that are made any number of times get their numbers from two counters that only ever
//! move away from zero, so a number names one object for ever.

use cranelift_entity::EntityRef;
use foghorn_ir::{FunctionId, GlobalId, InstId, Module};
use rustc_hash::FxHashMap;

/// The number of null.
pub const NULL: i64 = 0;
/// The number of pointers that no object explains.
pub const UNKNOWN: i64 = -1;
/// The first stack object that is made any number of times; the next ones are below.
pub const FIRST_STACK: i64 = -2;

/// Most objects of one kind that are made at most once.
pub const ROOM: i64 = 100_000;

/// The inlined calls around an instruction, outermost first.
pub type Context = Vec<InstId>;

/// The numbers of a program.
#[derive(Clone, Debug)]
pub struct Numbering {
    functions: i64,
    globals: i64,
    once: FxHashMap<(Context, FunctionId, InstId), i64>,
    stack: i64,
    heap: i64,
    /// Numbers that are kept for objects that are made at most once on the stack, and on the heap.
    room: (i64, i64),
}

impl Numbering {
    /// With room for so many objects that are made at most once. Small numbers are easier for solvers.
    pub fn new(module: &Module, room: (i64, i64)) -> Self {
        Numbering {
            functions: module.functions.len() as i64,
            globals: module.globals.len() as i64,
            once: FxHashMap::default(),
            stack: 0,
            heap: 0,
            room,
        }
    }

    /// The same objects with no more room than they need.
    #[must_use]
    pub fn compact(&self) -> Self {
        let mut made = self.clone();
        made.room = self.used();
        for number in made.once.values_mut() {
            let moved = self.compacted(*number);
            *number = moved.expect("invariant: an object that is made once has a number");
        }
        made
    }

    /// The number of an object once there is no more room than needed; `None` if it is made any number of times.
    pub fn compacted(&self, number: i64) -> Option<i64> {
        let (stack, heap) = (self.first_once_on_stack(), self.first_on_heap());
        if (UNKNOWN..stack).contains(&number) || (stack..stack + self.stack).contains(&number) {
            return Some(number);
        }
        (heap..heap + self.heap)
            .contains(&number)
            .then(|| number - self.room.0 + self.stack)
    }

    pub fn function(&self, function: FunctionId) -> i64 {
        1 + function.index() as i64
    }

    pub fn global(&self, global: GlobalId) -> i64 {
        1 + self.functions + global.index() as i64
    }

    /// All numbers below are functions and globals.
    pub fn first_once_on_stack(&self) -> i64 {
        1 + self.functions + self.globals
    }

    /// All numbers from here on are objects of the heap.
    pub fn first_on_heap(&self) -> i64 {
        self.first_once_on_stack() + self.room.0
    }

    /// The first heap object that is made any number of times.
    pub fn first_heap(&self) -> i64 {
        self.first_on_heap() + self.room.1
    }

    /// How many objects that are made at most once were numbered, on the stack and on the heap.
    pub fn used(&self) -> (i64, i64) {
        (self.stack, self.heap)
    }

    /// The objects that are made at most once, by their numbers.
    pub fn made_once(&self) -> Vec<(&Context, FunctionId, InstId, i64)> {
        let all = self.once.iter();
        let mut all: Vec<_> = all
            .map(|((context, function, instruction), number)| {
                (context, *function, *instruction, *number)
            })
            .collect();
        all.sort_by_key(|(_, _, _, number)| *number);
        all
    }

    /// The number of the object that an instruction makes at most once in a context; `None` if there
    /// are too many of them.
    pub fn once(
        &mut self,
        context: &Context,
        function: FunctionId,
        instruction: InstId,
        heap: bool,
    ) -> Option<i64> {
        let key = (context.clone(), function, instruction);
        if let Some(number) = self.once.get(&key) {
            return Some(*number);
        }
        let (first, room, count) = match heap {
            true => (self.first_on_heap(), self.room.1, &mut self.heap),
            false => (self.first_once_on_stack(), self.room.0, &mut self.stack),
        };
        if *count == room {
            return None;
        }
        let number = first + *count;
        *count += 1;
        self.once.insert(key, number);
        Some(number)
    }
}
