//! What people read. Almost everything here makes strings; the commands print them.
//!
//! - [`failure`]: a failed check of one run (`foghorn run`)
//! - [`report`]: the answer of `foghorn verify`, with [`trace`] for each failed check
//! - [`advice`]: what to try where there is no answer
//! - [`error`]: an error of the command, as JSON
//! - [`progress`]: the line that moves while an engine works
//! - [`style`]: colours, or none; [`source`]: lines of the program

mod advice;
pub mod error;
pub mod failure;
pub mod formats;
pub mod progress;
pub mod report;
pub mod source;
pub mod stream;
pub mod style;
pub mod trace;

pub use failure::failure;
