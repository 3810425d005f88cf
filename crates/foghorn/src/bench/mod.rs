//! Benchmarks: one way against another, in one run.
//!
//! A figure is a ratio, a growth exponent or a count. Seconds are told as detail only, because
//! they say more about the machine than about us.

pub mod interpreter;
pub mod libraries;

use serde::Serialize;

/// All figures of one benchmark.
#[derive(Debug, Default, Serialize)]
pub struct Figures {
    pub figures: Vec<Figure>,
}

/// One measured number.
#[derive(Debug, Serialize)]
pub struct Figure {
    pub name: String,
    pub value: f64,
    pub unit: String,
    pub detail: String,
}
