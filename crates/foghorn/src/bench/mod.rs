//! Benchmarks: one way against another, in one run.
//!
//! A figure is a ratio, a growth exponent or a count. Seconds are told as detail only, because
//! they say more about the machine than about us.

pub mod interpreter;
pub mod libraries;
pub mod start;

use foghorn_core::Figure;
use serde::Serialize;

/// All figures of one benchmark.
#[derive(Debug, Default, Serialize)]
pub struct Figures {
    pub figures: Vec<Figure>,
}
