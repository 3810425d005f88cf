//! Checks that a module is well formed.
//!
//! Everything below the front end relies on these invariants without checking them again.
//! [`verify_module`] reports every breach, not only the first; a body whose references lead
//! nowhere (invariants 9 to 11) is not looked at further.
//!
//! Of the module:
//!
//! 1. **layout**: a pointer has 4 or 8 bytes.
//! 2. **names**: no two globals or functions have one name.
//! 3. **alignments** (of globals, allocations, loads and stores) are powers of two.
//! 4. **chunks** of an initialiser are not empty, lie within the global, and come at increasing
//!    offsets without overlap.
//! 5. **relocations** of an initialiser name what exists, lie within the global, come at increasing
//!    offsets without overlap, and the chunks are zero there.
//! 6. **lists**: entry, constructors and destructors exist; the entry has a body; constructors and
//!    destructors have neither parameters nor results.
//! 7. **spans** of globals, functions, variables, instructions and terminators exist.
//! 8. **widths** of integer types, in signatures and of values, are from 1 to 128.
//!
//! Of a body, also where it is not reachable:
//!
//! 9. **ids** of blocks, instructions, values, variables, functions and globals exist.
//! 10. **placement**: an instruction is at most once in at most one block.
//! 11. **definitions**: a parameter of a block is defined by that block at that index, a result of
//!     an instruction by that instruction at that index, and nothing else defines a value.
//! 12. **constants** fit their type, have no bits beyond their width and no name, and equal ones of
//!     one type are one value.
//! 13. **entry**: the entry block has no predecessors, and its parameters are those of the
//!     signature.
//! 14. **targets** give each parameter of the block an argument of its type.
//! 15. **returns**: at most one block returns, and what the signature says.
//! 16. **operands** of each instruction and terminator have the types that it demands, and its
//!     results the types and number that it gives (`types` has the rules).
//!
//! Of the blocks that the entry reaches:
//!
//! 17. **dominance**: an operand is a constant, or its definition precedes the use on every path
//!     from the entry.
//! 18. **unreachable**: the last instruction before `unreachable` is a check or an assumption of
//!     the constant false, so that nothing is ever lost silently.
//!
//! Of memory (see [`crate::memory`]; `memory` and `versions` have the rules):
//!
//! 19. **form**: signatures and impure bodies have no memory types, impure bodies neither regions
//!     nor memory uses; a pure body calls no impure one directly.
//! 20. **regions**: words have 1 to 16 bytes; a block has at most one parameter per region, the
//!     entry exactly one for each that is not local, after all others, and it is these that the
//!     return gives if they are modified (13 and 15); only block parameters, memory uses and, for
//!     local regions, nondets define memories.
//! 21. **memory-uses**: a load has one use without and a store one with an output; a fill or the
//!     start of a life has destinations, a copy destinations and then as many sources, a builtin
//!     what it reads and writes, all else none; values have the region's type; no region is
//!     changed twice; memories are no operands of anything else.
//! 22. **bindings**: a call has one use for each memory parameter of the callee, in order, of a
//!     region with the same cells, with an output where the callee modifies it; a region that is
//!     changed is bound once.
//! 23. **versions**: a use takes the current contents of its region, those that were defined last
//!     on every path; so contents that a write consumed are never used again.

mod body;
mod dominance;
mod memory;
mod module;
mod types;
mod versions;

#[cfg(test)]
mod pure_tests;
#[cfg(test)]
mod tests;

use crate::body::{BlockId, InstId};
use crate::module::{FunctionId, Module};
use std::fmt;
use std::sync::Arc;

macro_rules! invariants {
    ($($variant:ident = $name:literal,)*) => {
        /// A rule of the list above.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Invariant { $($variant,)* }

        impl Invariant {
            /// Every invariant, in the order of the list.
            pub const ALL: &'static [Invariant] = &[$(Invariant::$variant,)*];

            /// The word by which the list names it.
            pub fn name(self) -> &'static str {
                match self { $(Invariant::$variant => $name,)* }
            }
        }
    };
}

invariants! {
    Layout = "layout",
    Names = "names",
    Alignments = "alignments",
    Chunks = "chunks",
    Relocations = "relocations",
    Lists = "lists",
    Spans = "spans",
    Widths = "widths",
    Ids = "ids",
    Placement = "placement",
    Definitions = "definitions",
    Constants = "constants",
    Entry = "entry",
    Targets = "targets",
    Returns = "returns",
    Operands = "operands",
    Dominance = "dominance",
    Unreachable = "unreachable",
    Form = "form",
    Regions = "regions",
    MemoryUses = "memory-uses",
    Bindings = "bindings",
    Versions = "versions",
}

/// A breach of an invariant. Numbers are the indices in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breach {
    pub invariant: Invariant,
    pub place: Place,
    pub detail: String,
}

/// Where a breach is; what is not given is the whole of what is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    pub function: Option<(FunctionId, Arc<str>)>,
    pub block: Option<BlockId>,
    /// `None` within a block: its parameters or its terminator.
    pub instruction: Option<InstId>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.function {
            None => return f.write_str("module"),
            Some((_, name)) => write!(f, "function {name}")?,
        }
        if let Some(block) = self.block {
            write!(f, ", {block}")?;
        }
        if let Some(instruction) = self.instruction {
            write!(f, ", {instruction}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = self.invariant as usize + 1;
        let name = self.invariant.name();
        write!(
            f,
            "{}: {} (invariant {number}, {name})",
            self.place, self.detail
        )
    }
}

/// Every breach in the module, in the order of its parts.
pub fn verify_module(module: &Module) -> Vec<Breach> {
    let mut report = Report::default();
    module::verify(module, &mut report);
    for function in module.functions.keys() {
        verify_body(module, function, &mut report);
    }
    report.breaches
}

/// Every breach in one function.
pub fn verify_function(module: &Module, function: FunctionId) -> Vec<Breach> {
    let mut report = Report::default();
    module::verify_signature(module, function, &mut report);
    verify_body(module, function, &mut report);
    report.breaches
}

fn verify_body(module: &Module, id: FunctionId, report: &mut Report) {
    let function = &module.functions[id];
    let Some(body) = &function.body else { return };
    report.place = Place {
        function: Some((id, function.name.clone())),
        block: None,
        instruction: None,
    };
    if body::verify_references(module, body, report) && memory::verify_form(body, report) {
        body::verify(module, function, body, report);
        types::verify(module, body, report);
        dominance::verify(body, report);
        memory::verify(module, body, report);
        versions::verify(body, report);
    }
    report.place = Place::default();
}

/// Breaches found so far, and the place that is being looked at.
#[derive(Default)]
struct Report {
    breaches: Vec<Breach>,
    place: Place,
}

impl Report {
    fn add(&mut self, invariant: Invariant, detail: impl Into<String>) {
        self.breaches.push(Breach {
            invariant,
            place: self.place.clone(),
            detail: detail.into(),
        });
    }

    /// Reports `detail` unless the condition holds; gives the condition back.
    fn require(
        &mut self,
        holds: bool,
        invariant: Invariant,
        detail: impl FnOnce() -> String,
    ) -> bool {
        if !holds {
            self.add(invariant, detail());
        }
        holds
    }

    fn at(&mut self, block: Option<BlockId>, instruction: Option<InstId>) {
        self.place.block = block;
        self.place.instruction = instruction;
    }
}
