//! Faults for tests: each must be noticed by whoever compares answers with complete unwinding.

/// A fault.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sabotage {
    #[default]
    None,
    /// The first memory of a head keeps its first contents: a loop-back cell is forgotten.
    ForgottenMemory,
    /// Lives of objects keep what they were.
    ForgottenLives,
    /// Invariants are assumed of the first values too.
    DroppedGuard,
    /// A bound is one too small where it has to hold, and as it was found where it is assumed.
    BoundOffByOne,
    /// Checks of earlier copies are assumed of executions from the start, as if another entry had shown them.
    OtherEntry,
    /// Rows of an inner loop are assumed in copies of the outer one in which nobody looks at the inner one's back edges, and
    /// which have rows of their own (record 0224).
    UnseenEntry,
    /// A function with a contract is called as it should not be, and nobody minds.
    DroppedPrecondition,
    /// A recursive call is assumed not to happen.
    AssumedRecursion,
    /// All calls of a function with a contract have the same result.
    SharedResult,
    /// What is said of arrays need not hold where a loop goes back.
    ForgottenElement,
}
