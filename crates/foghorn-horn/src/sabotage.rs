//! Faults for tests: each must be noticed by whoever compares answers with complete unwinding.

/// A fault.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sabotage {
    #[default]
    None,
    /// Paths on which the place that is read is the tracked one are lost.
    LostHit,
    /// Sums over linear arithmetic do not wrap around.
    DroppedCarry,
    /// A procedure is entered, and its summary asked, with 0 for its first number.
    WrongArgument,
    /// The last number that is live at a cut is no argument of its predicate, and 0 behind it.
    MissingLive,
    /// Globals hold zeros when the program starts.
    LostInitial,
}
