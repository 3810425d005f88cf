//! What a translation has to say besides the program.

use foghorn_core::SpanId;
use serde::Serialize;
use std::sync::Arc;
use std::time::Duration;

/// A construct that was not translated: reaching it is a failing `check unsupported`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnsupportedUse {
    pub construct: Arc<str>,
    pub span: SpanId,
}

/// An operation that was translated to something that can do more than it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OverApproximation {
    pub operation: Arc<str>,
    pub span: SpanId,
}

/// How long each phase took.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Timings {
    /// In clang, for the program's own files.
    pub compile: Duration,
    /// Reading and linking bitcode, compiling the models that are not cached.
    pub link: Duration,
    /// LLVM IR to Foghorn IR.
    pub translate: Duration,
}
