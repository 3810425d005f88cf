//! What the cut of a loop leaves behind: the data of the formulas of §2.3 and §2.4 of the 2LS thesis.

use foghorn_encode::execute::LoopHead;
use foghorn_encode::execute::event::Event;
use foghorn_ir::{BlockId, FunctionId, InstId, ValueId};
use foghorn_term::TermId;
use rustc_hash::FxHashSet;
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

/// A loop by what stays the same when it is entered again from another iteration around it: the calls that lead there.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LoopKey {
    /// The calls, the first one first.
    pub calls: Vec<InstId>,
    pub function: FunctionId,
    pub block: BlockId,
}

/// What a row of a template may speak of: a number that a loop carries to its next iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Quantity {
    /// A parameter of the head that is an integer or a truth value.
    Register { parameter: usize },
    /// The object of a parameter that is a pointer.
    Base { parameter: usize },
    /// The offset of a parameter that is a pointer.
    Offset { parameter: usize },
    /// A cell of a memory: an integer.
    Cell {
        parameter: usize,
        object: u64,
        offset: u64,
    },
    /// The object of a pointer that a cell holds.
    CellBase {
        parameter: usize,
        object: u64,
        offset: u64,
    },
    /// The offset of a pointer that a cell holds.
    CellOffset {
        parameter: usize,
        object: u64,
        offset: u64,
    },
    /// Whether the life of an object has ended.
    Dead { object: u64 },
    /// An integer that was computed before the loop and that the loop uses: the same in all iterations of one entry. Rows
    /// relate others to it.
    Outer { value: ValueId },
    /// What another quantity was when the loop was entered, by its number: the same in all iterations of one entry.
    Entered { of: usize },
    /// Any offset of an array, a symbol: the same in all iterations of one entry.
    AnyOffset { of: Array, symbol: TermId },
    /// What the array holds there.
    AnyElement { of: Array, symbol: TermId },
}

impl Quantity {
    /// Whether iterations can change it.
    pub fn is_carried(self) -> bool {
        match self {
            Quantity::Outer { .. } | Quantity::Entered { .. } | Quantity::AnyOffset { .. } => false,
            Quantity::Register { .. }
            | Quantity::Base { .. }
            | Quantity::Offset { .. }
            | Quantity::Cell { .. }
            | Quantity::CellBase { .. }
            | Quantity::CellOffset { .. }
            | Quantity::Dead { .. }
            | Quantity::AnyElement { .. } => true,
        }
    }
}

/// A cell of a memory that is a parameter of the head.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Followed {
    pub parameter: usize,
    pub object: u64,
    pub offset: u64,
}

/// An object that a memory holds which is a parameter of the head.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Array {
    pub parameter: usize,
    pub object: u64,
}

/// One entry into a loop that was cut.
#[derive(Clone, Debug)]
pub struct CutLoop {
    pub head: LoopHead,
    pub key: LoopKey,
    pub name: Arc<str>,
    /// Whether the first copy starts from loop-back values.
    pub select: TermId,
    pub quantities: Vec<Quantity>,
    /// For each quantity, how it is called; by the source where it has a name.
    pub names: Vec<String>,
    /// The objects that existed then.
    pub known: Rc<FxHashSet<u64>>,
    /// Those of them that are alive at the head, whatever iterations did.
    pub alive: Vec<u64>,
    /// What the quantities are when the loop is entered from outside, and the condition that it is.
    pub first: State,
    pub copies: Vec<Copy>,
    /// Other places where what is said of the loop holds: behind calls of a function within itself.
    pub placeholders: Vec<State>,
    /// The quantities at the head from loop-back values, with places that formulas read for the symbols of arrays.
    pub places: Vec<Vec<TermId>>,
    /// Functions whose values are what the loop-back memories hold, with the parameter of each.
    pub memories: Vec<(String, usize)>,
}

/// The quantities at one place.
#[derive(Clone, Debug)]
pub struct State {
    pub guard: TermId,
    /// Bit-vectors, in the order of the quantities.
    pub values: Vec<TermId>,
    /// How many events come before.
    pub position: usize,
}

/// One copy of a loop's body.
#[derive(Clone, Debug)]
pub struct Copy {
    pub head: State,
    /// What leads back; `None` if nothing does.
    pub back: Option<State>,
    /// The events of the copy; those after a way out are not among them.
    pub events: Range<usize>,
}

/// Everything that a run with cut loops gave.
#[derive(Debug)]
pub struct Cuts {
    pub loops: Vec<CutLoop>,
    pub events: Vec<Event>,
}
