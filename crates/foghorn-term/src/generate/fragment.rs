//! Which part of the language random terms are drawn from.

use crate::pool::TermPool;
use crate::sort::{FloatFormat, Sort, SortId};

/// A fragment of the language. The default is quantifier-free bit-vectors.
#[derive(Clone, Debug)]
pub struct Fragment {
    /// Widths of bit-vectors; empty for none.
    pub widths: Vec<u32>,
    pub integers: bool,
    /// Products of integers that are no literals.
    pub nonlinear: bool,
    /// Division, of bit-vectors by anything and of integers by literals other than zero.
    pub division: bool,
    /// Formats of floats; empty for none.
    pub floats: Vec<FloatFormat>,
    /// Arrays from each width to each width, and over the integers.
    pub arrays: bool,
    /// Ranges over arrays: set and copy.
    pub ranges: bool,
    /// λ-arrays. Then arrays are not compared.
    pub lambdas: bool,
    /// Uninterpreted functions and one uninterpreted sort.
    pub functions: bool,
    /// Finite maps of these sizes, over the first width.
    pub finite_maps: Vec<u32>,
    /// Pointers of this width, with a byte memory.
    pub memory: Option<u32>,
    /// Free constants per sort.
    pub symbols: usize,
}

impl Default for Fragment {
    fn default() -> Self {
        Fragment {
            widths: vec![1, 3, 8],
            integers: false,
            nonlinear: false,
            division: true,
            floats: Vec::new(),
            arrays: false,
            ranges: false,
            lambdas: false,
            functions: false,
            finite_maps: Vec::new(),
            memory: None,
            symbols: 3,
        }
    }
}

impl Fragment {
    /// Bit-vectors of these widths.
    pub fn bit_vectors(widths: &[u32]) -> Self {
        Fragment {
            widths: widths.to_vec(),
            ..Self::default()
        }
    }

    /// Bit-vectors, arrays over them and uninterpreted functions.
    pub fn arrays_and_functions() -> Self {
        Fragment {
            widths: vec![2, 4],
            arrays: true,
            functions: true,
            ..Self::default()
        }
    }

    /// Linear integers, arrays over them and uninterpreted functions.
    pub fn linear_integers() -> Self {
        Fragment {
            widths: Vec::new(),
            integers: true,
            arrays: true,
            functions: true,
            ..Self::default()
        }
    }

    /// Small floats and conversions between them and bit-vectors.
    pub fn floats() -> Self {
        let small = FloatFormat {
            exponent: 3,
            significand: 4,
        };
        let floats = vec![
            small,
            FloatFormat {
                exponent: 2,
                significand: 3,
            },
        ];
        Fragment {
            widths: vec![4, 7],
            floats,
            ..Self::default()
        }
    }

    /// Everything there is.
    pub fn everything() -> Self {
        Fragment {
            widths: vec![1, 4, 8],
            integers: true,
            nonlinear: true,
            division: true,
            floats: vec![
                FloatFormat {
                    exponent: 3,
                    significand: 4,
                },
                FloatFormat::HALF,
            ],
            arrays: true,
            ranges: true,
            lambdas: true,
            functions: true,
            finite_maps: vec![1, 2, 3],
            memory: Some(6),
            symbols: 3,
        }
    }

    /// The sorts of the fragment, Bool first.
    pub(super) fn sorts(&self, pool: &mut TermPool) -> Vec<SortId> {
        let mut sorts = vec![Sort::Bool];
        sorts.extend(self.widths.iter().map(|&width| Sort::BitVec(width)));
        if self.integers {
            sorts.push(Sort::Int);
        }
        sorts.extend(self.floats.iter().map(|&format| Sort::Float(format)));
        if self.functions {
            sorts.push(pool.uninterpreted_sort("Element"));
        }
        if let Some(width) = self.memory {
            sorts.push(Sort::Pointer { width });
            sorts.push(Sort::BitVec(width));
            sorts.push(Sort::BitVec(8));
            sorts.push(pool.memory_sort(width, Sort::BitVec(8)));
        }
        if self.arrays {
            self.array_sorts(pool, &mut sorts);
        }
        if let Some(&width) = self.widths.first() {
            for &size in &self.finite_maps {
                sorts.push(pool.finite_map_sort(Sort::BitVec(width), Sort::BitVec(width), size));
            }
        }
        let mut ids: Vec<SortId> = Vec::new();
        for sort in sorts {
            let id = pool.sort_intern(sort);
            if !ids.contains(&id) {
                ids.push(id);
            }
        }
        ids
    }

    fn array_sorts(&self, pool: &mut TermPool, sorts: &mut Vec<Sort>) {
        for &index in &self.widths {
            for &element in &self.widths {
                sorts.push(pool.array_sort(Sort::BitVec(index), Sort::BitVec(element)));
            }
        }
        if self.integers {
            sorts.push(pool.array_sort(Sort::Int, Sort::Int));
        }
    }
}
