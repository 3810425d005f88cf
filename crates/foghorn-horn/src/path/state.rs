//! What a path knows.

use crate::datum::Datum;
use crate::memory::Contents;
use foghorn_encode::integers::Range;
use foghorn_ir::interpret::ProgramPoint;
use foghorn_ir::{BlockId, FunctionId, InstId, ValueId};
use foghorn_smt::horn::Application;
use foghorn_term::TermId;
use rustc_hash::{FxHashMap, FxHashSet};

/// A call that is executed.
#[derive(Clone, Debug)]
pub struct Frame {
    pub function: FunctionId,
    pub block: BlockId,
    /// The next instruction of the block.
    pub index: usize,
    pub values: FxHashMap<ValueId, Datum>,
    /// Where the frame below called this one; `None` in the lowest.
    pub call: Option<InstId>,
    /// The counter of stack objects when the call began.
    pub mark: TermId,
}

/// Something that a run asks for, in the order in which it does.
#[derive(Clone, Debug)]
pub enum Event {
    /// A value that the program does not determine.
    Input {
        point: Option<ProgramPoint>,
        term: TermId,
        width: u32,
    },
    /// What a load gives, some bytes of which nobody may have written.
    Read {
        point: ProgramPoint,
        term: TermId,
        width: u32,
    },
    /// A call by its summary: the number of the premise in the rule's body.
    Called { premise: usize },
}

/// A premise about a place: the predicate at the start of the path, asked for another object or cell.
#[derive(Clone, Debug)]
pub struct Premise {
    pub object: TermId,
    pub offset: Option<TermId>,
    /// The arguments of the predicate.
    pub arguments: Vec<TermId>,
}

/// A call by its summary, which can be asked about further places.
#[derive(Clone, Debug)]
pub struct CalledFunction {
    pub function: FunctionId,
    /// The arguments that are the same for every place; `None` where a place decides.
    pub arguments: Vec<Option<TermId>>,
    /// What memory was before the call, by the places of arguments.
    pub before: FxHashMap<usize, Contents>,
    /// What was asked already.
    pub premises: Vec<Premise>,
}

/// The path so far.
#[derive(Clone, Debug)]
pub struct State {
    pub frames: Vec<Frame>,
    pub constraints: Vec<TermId>,
    /// Conditions that were decided on the way.
    pub decided: FxHashMap<TermId, bool>,
    /// What is known of terms beyond their own ranges.
    pub ranges: FxHashMap<TermId, Range>,
    /// The rule's body. The first is the predicate at the start, if there is one.
    pub body: Vec<Application>,
    /// Where the predicate at the start was asked for a place.
    pub premises: Vec<Premise>,
    pub calls: Vec<CalledFunction>,
    pub life: Contents,
    pub size: Contents,
    pub origin: Contents,
    /// The next object of the heap, and of the stack, that are made any number of times.
    pub next_heap: TermId,
    pub next_stack: TermId,
    /// Objects that this path made: different from each other and from older ones.
    pub new: Vec<TermId>,
    /// Numbers of objects that are older than the path.
    pub old: FxHashSet<TermId>,
    pub events: Vec<Event>,
    /// The place that was read first is the tracked one.
    pub hit: bool,
    /// How many conditions were split on.
    pub splits: usize,
    /// Whether it has come to a cut, and only its rule is missing.
    pub arriving: bool,
    /// How it was when the procedure was called, if that has a summary.
    pub entry: Option<AtEntry>,
}

/// What a procedure was called with.
#[derive(Clone, Debug)]
pub struct AtEntry {
    pub data: FxHashMap<ValueId, Datum>,
    pub life: Contents,
    pub size: Contents,
    pub origin: Contents,
    pub next_heap: TermId,
    pub next_stack: TermId,
}

impl State {
    /// The frame on top.
    pub fn frame(&self) -> &Frame {
        self.frames.last().expect("invariant: a path has a frame")
    }

    pub fn frame_mut(&mut self) -> &mut Frame {
        self.frames
            .last_mut()
            .expect("invariant: a path has a frame")
    }

    /// The place of an instruction of the frame on top.
    pub fn point(&self, instruction: InstId) -> ProgramPoint {
        ProgramPoint {
            function: self.frame().function,
            instruction,
        }
    }

    /// The calls around the frame on top, outermost first.
    pub fn context(&self) -> Vec<InstId> {
        self.frames.iter().filter_map(|frame| frame.call).collect()
    }
}
