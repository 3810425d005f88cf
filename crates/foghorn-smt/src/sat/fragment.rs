//! What `sat` takes: quantifier-free bit-vectors, pointers and uninterpreted functions.
//!
//! [`Fragment`] looks at a term before anything is built from it, so that a refusal comes at once
//! and costs nothing; `auto` asks it where to send a formula. A term is looked at once.

use crate::error::SolverError;
use cranelift_entity::EntitySet;
use foghorn_term::{Op, Sort, TermId, TermPool};

pub(super) fn unsupported(construct: &str) -> SolverError {
    SolverError::Unsupported {
        solver: "sat",
        construct: construct.to_owned(),
    }
}

/// How many bits a sort has here.
pub(super) fn sort_bits(sort: Sort) -> Result<usize, SolverError> {
    match sort {
        Sort::Bool => Ok(1),
        Sort::BitVec(width) => Ok(width as usize),
        Sort::Pointer { width } => Ok(2 * width as usize),
        Sort::Int => Err(unsupported("integers")),
        Sort::Float(_) => Err(unsupported("floating-point numbers")),
        Sort::Array { .. } => Err(unsupported("arrays")),
        Sort::Memory { .. } => Err(unsupported("memories")),
        Sort::FiniteMap { .. } => Err(unsupported("finite maps")),
        Sort::Uninterpreted(_) => Err(unsupported("uninterpreted sorts")),
    }
}

/// Remembers which terms have been looked at and found inside.
#[derive(Default)]
pub struct Fragment {
    inside: EntitySet<TermId>,
    /// A function whose values are pointers was applied.
    gives_pointers: bool,
}

impl Fragment {
    /// Whether some term that was looked at is a pointer that an uninterpreted function gives.
    pub fn gives_pointers(&self) -> bool {
        self.gives_pointers
    }

    /// An error that names the first construct that `sat` does not take.
    pub fn check(&mut self, pool: &TermPool, root: TermId) -> Result<(), SolverError> {
        if self.inside.contains(root) {
            return Ok(());
        }
        let mut pending = vec![root];
        let mut seen = Vec::new();
        let mut result = Ok(());
        while let Some(term) = pending.pop() {
            if !self.inside.insert(term) {
                continue;
            }
            seen.push(term);
            self.gives_pointers |= matches!(pool.op(term), Op::Apply(_))
                && matches!(pool.sort(term), Sort::Pointer { .. });
            result = look_at(pool, term);
            if result.is_err() {
                break;
            }
            pending.extend_from_slice(pool.children(term));
        }
        if result.is_err() {
            // What was entered on the way has not all been looked at below.
            for term in seen {
                self.inside.remove(term);
            }
        }
        result
    }
}

/// The sorts of a term and its children decide: every operator outside the fragment has a result or
/// a child of a sort outside it. The exception is a bound variable.
fn look_at(pool: &TermPool, term: TermId) -> Result<(), SolverError> {
    sort_bits(pool.sort(term))?;
    if let Op::Bound(_) = pool.op(term) {
        return Err(unsupported("bound variables"));
    }
    Ok(())
}
