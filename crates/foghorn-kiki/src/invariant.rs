//! The invariants that are looked for: a product of templates for each loop.

use crate::cut::record::{CutLoop, LoopKey, Quantity};
use crate::template::{Count, Pairs, Selection, Shape, Template, choose};
use foghorn_encode::execute::LoopHead;
use foghorn_term::TermPool;
use std::collections::{BTreeMap, BTreeSet};

/// One row or a few of them, and how it has fared.
#[derive(Clone, Debug)]
pub struct Row {
    pub template: Box<dyn Template>,
    /// How often a state made it larger.
    pub grown: u32,
    /// How often its bound was searched for.
    pub searched: u32,
}

impl Row {
    /// One that no state has reached.
    pub fn new(template: Box<dyn Template>) -> Self {
        Row {
            template,
            grown: 0,
            searched: 0,
        }
    }
}

/// What is said of one loop.
#[derive(Clone, Debug)]
pub struct Invariant {
    pub rows: Vec<Row>,
    pub names: Vec<String>,
    pub loop_name: String,
}

/// What was shown of one entry into a loop.
#[derive(Clone, Debug)]
pub struct Remembered {
    head: LoopHead,
    quantities: Vec<Quantity>,
    pub invariant: Invariant,
}

impl Remembered {
    /// Whether it speaks of this entry: the same values at the same head.
    pub fn is_of(&self, cut: &CutLoop) -> bool {
        self.head == cut.head && self.quantities == cut.quantities
    }
}

/// Entries into a loop that share an invariant: from the same calls, with the same quantities.
type Key = (LoopKey, Vec<Quantity>);

/// What is said of all loops.
#[derive(Clone, Debug, Default)]
pub struct Invariants {
    known: BTreeMap<Key, Invariant>,
    /// What was left out, for people.
    pub left_out: Vec<String>,
}

fn key(cut: &CutLoop) -> Key {
    (cut.key.clone(), cut.quantities.clone())
}

impl Invariants {
    /// Rows for all loops, all at bottom. `found` is what cheaper rows have found; `compared` has the pairs of quantities of each loop that formulas compare.
    pub fn choose(
        pool: &TermPool,
        loops: &[CutLoop],
        compared: &BTreeMap<usize, BTreeSet<(usize, usize)>>,
        (selection, found): (&Selection, &Invariants),
        limit: usize,
    ) -> Invariants {
        let mut invariants = Invariants::default();
        for (index, cut) in loops.iter().enumerate() {
            if invariants.known.contains_key(&key(cut)) {
                continue;
            }
            let shapes = shapes(pool, cut, found);
            let own = compared.get(&index).cloned().unwrap_or_default();
            let chosen = choose(selection, &shapes, &pairs(&shapes, own), limit);
            for kind in chosen.left_out {
                let what = format!("{} of {}", kind.name(), cut.name);
                invariants.left_out.push(what);
            }
            let rows = chosen.rows.into_iter();
            invariants.insert(cut, rows.map(Row::new).collect());
        }
        invariants
    }

    /// Says something of a loop of which nothing is said yet.
    pub(crate) fn insert(&mut self, cut: &CutLoop, rows: Vec<Row>) {
        let invariant = Invariant {
            rows,
            names: cut.names.clone(),
            loop_name: cut.name.to_string(),
        };
        self.known.insert(key(cut), invariant);
    }

    /// Says more of a loop.
    pub(crate) fn extend(&mut self, cut: &CutLoop, rows: Vec<Row>) {
        match self.known.get_mut(&key(cut)) {
            Some(invariant) => invariant.rows.extend(rows),
            None => self.insert(cut, rows),
        }
    }

    /// What is said of a loop.
    pub fn of(&self, cut: &CutLoop) -> Option<&Invariant> {
        self.known.get(&key(cut))
    }

    /// The same, to be changed.
    pub fn of_mut(&mut self, cut: &CutLoop) -> Option<&mut Invariant> {
        self.known.get_mut(&key(cut))
    }

    /// All, in the order of loops.
    pub fn iter(&self) -> impl Iterator<Item = (&LoopKey, &[Quantity], &Invariant)> {
        let all = self.known.iter();
        all.map(|((key, quantities), invariant)| (key, &quantities[..], invariant))
    }

    /// Keeps what was found of these entries, for runs with more copies. The number of an object that a loop makes means
    /// another one in another copy, so that only the very same entry inherits it.
    pub fn remember(&self, loops: &[CutLoop]) -> Vec<Remembered> {
        let known = loops.iter().filter_map(|cut| {
            Some(Remembered {
                head: cut.head,
                quantities: cut.quantities.clone(),
                invariant: self.of(cut)?.clone(),
            })
        });
        known.collect()
    }

    /// Nothing is said by rows that states have made larger more than once, but for one of a loop.
    pub fn forget_growing(&mut self, cut: &CutLoop, kept: usize) {
        let own = key(cut);
        for (key, invariant) in &mut self.known {
            for (at, row) in invariant.rows.iter_mut().enumerate() {
                if row.grown > 1 && (*key != own || at != kept) {
                    row.template.forget();
                }
            }
        }
    }

    /// Nothing is said of anything.
    pub fn forget(&mut self) {
        for invariant in self.known.values_mut() {
            for row in &mut invariant.rows {
                row.template.forget();
            }
        }
    }
}

/// How many values quantities of a loop have, as far as rows say it.
fn counts(found: &Invariants, cut: &CutLoop) -> BTreeMap<usize, Count> {
    let rows = found.of(cut).into_iter().flat_map(|it| &it.rows);
    let counted = rows.filter_map(|row| row.template.counted_values());
    let counts = counted.map(|(quantity, count)| match count {
        Some(0 | 1) => (quantity, Count::One),
        Some(_) => (quantity, Count::Few),
        None => (quantity, Count::Many),
    });
    counts.collect()
}

/// The quantities of a loop as far as rows depend on them; `found` is what cheaper rows have found.
pub(crate) fn shapes(pool: &TermPool, cut: &CutLoop, found: &Invariants) -> Vec<Shape> {
    let counts = counts(found, cut);
    let quantities = cut.quantities.iter().zip(&cut.first.values).enumerate();
    let shapes = quantities.map(|(at, (quantity, &value))| Shape {
        width: pool.width(value),
        is_name: match quantity {
            Quantity::Base { .. }
            | Quantity::CellBase { .. }
            | Quantity::Dead { .. }
            | Quantity::Entered { .. }
            | Quantity::AnyOffset { .. }
            | Quantity::AnyElement { .. } => true,
            Quantity::Register { .. }
            | Quantity::Offset { .. }
            | Quantity::Cell { .. }
            | Quantity::CellOffset { .. }
            | Quantity::Outer { .. } => false,
        },
        // Of arrays only their own rows speak.
        is_fixed: !quantity.is_carried() || matches!(quantity, Quantity::AnyElement { .. }),
        count: counts.get(&at).copied().unwrap_or_default(),
    });
    shapes.collect()
}

/// Pairs that rows relate: of numbers of one width, all if there are few, else neighbours and those that are compared.
fn pairs(shapes: &[Shape], mut compared: BTreeSet<(usize, usize)>) -> Pairs {
    const FEW: usize = 7;
    let mut by_width: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (at, shape) in shapes.iter().enumerate() {
        if shape.is_number() {
            by_width.entry(shape.width).or_default().push(at);
        }
    }
    compared.retain(|&(left, right)| {
        let (left, right) = (&shapes[left], &shapes[right]);
        left.width == right.width && left.is_number() && right.is_number()
    });
    let mut pairs = compared.clone();
    for numbers in by_width.values() {
        for (at, &left) in numbers.iter().enumerate() {
            for &right in &numbers[at + 1..] {
                let is_fixed = shapes[left].is_fixed && shapes[right].is_fixed;
                if !is_fixed && (numbers.len() <= FEW || right == left + 1) {
                    pairs.insert((left, right));
                }
            }
        }
    }
    Pairs {
        all: pairs,
        compared,
    }
}
