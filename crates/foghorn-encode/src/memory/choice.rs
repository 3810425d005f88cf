//! Which memory representation encodes a program: a table, and what callers bring along.

use super::{Arrays, Lambdas, MemoryRepresentation, Seam, SeamOptions};

/// How memory is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryChoice {
    Arrays,
    Lambdas,
    Seam {
        arm: bool,
        store_map: bool,
    },
    /// By a representation from elsewhere.
    Given(GivenMemory),
}

/// A memory representation that the caller brings along: a new one, or in tests a broken one.
#[derive(Clone, Copy)]
pub struct GivenMemory {
    pub name: &'static str,
    /// Makes it for pointers of that width.
    pub make: fn(u32) -> Box<dyn MemoryRepresentation>,
}

impl PartialEq for GivenMemory {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for GivenMemory {}

impl std::fmt::Debug for GivenMemory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl Default for MemoryChoice {
    fn default() -> Self {
        MemoryChoice::Seam {
            arm: true,
            store_map: true,
        }
    }
}

impl MemoryChoice {
    /// Makes the representation for pointers of that width.
    pub fn open(self, width: u32) -> Box<dyn MemoryRepresentation> {
        match self {
            MemoryChoice::Arrays => Box::new(Arrays::new(width)),
            MemoryChoice::Lambdas => Box::new(Lambdas::new(width)),
            MemoryChoice::Seam { arm, store_map } => {
                Box::new(Seam::new(width, SeamOptions { arm, store_map }))
            }
            MemoryChoice::Given(given) => (given.make)(width),
        }
    }
}
