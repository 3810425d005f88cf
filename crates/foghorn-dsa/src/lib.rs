//! Pointer analysis: which accesses may touch the same memory, and who calls whom.

pub mod memory_ssa;
