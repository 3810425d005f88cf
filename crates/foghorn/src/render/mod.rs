//! What people read. Everything here makes strings; the commands print them.
//!
//! - [`failure`]: a failed check of one run (`foghorn run`)
//! - [`report`]: the answer of `foghorn verify`, with [`trace`] for each failed check
//! - [`progress`]: the line that moves while an engine works
//! - [`style`]: colours, or none; [`source`]: lines of the program

pub mod failure;
pub mod progress;
pub mod report;
pub mod source;
pub mod style;
pub mod trace;

pub use failure::failure;
