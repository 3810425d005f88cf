//! Regions by the types of accesses, an option.
//!
//! Bytes that were written as one type and are read as another one have no defined meaning in C
//! (the rule of effective types, section 6.5 of the standard), unless one of the types is a
//! character type or both are members of a union. So loads and stores of one field of a node may be
//! put into regions of their own by the types as which they access memory. A store may give memory
//! a new type; what was stored before in another type can then no longer be read, so that it does
//! no harm that the other region still holds it.
//!
//! The type of an access is what the front end knows of it ([`foghorn_ir::InstructionData`]), not
//! its width: an `i64` that a compiler loads from a structure of two integers is an access of no
//! type, as is one of a character or of a member of a union.
//!
//! - A field is divided only if *all* its loads and stores have types. What is one field through
//!   calls and copies is decided once, so that callers and callees divide it in the same way.
//! - Fills, copies and ends of lives are of all regions of a field; copies from each to its own
//!   kind. Builtins read and write bytes, so that their fields stay whole.

use super::layout;
use super::{FunctionRegions, RegionKey};
use crate::graph::AccessKind;
use crate::solve::{GroupId, Solution};
use cranelift_entity::{PrimaryMap, SecondaryMap, entity_impl};
use foghorn_ir::{Body, FunctionId, InstId, Instruction, Module, Type};
use rustc_hash::FxHashMap;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What is assumed of programs whose fields are divided by types.
pub const ASSUMPTION: &str = "accesses respect effective types";

/// A class of C types that accesses may have.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeClass(u32);
entity_impl!(TypeClass, "type");

/// What one class of fields is divided into: types in the order of their names, each with what its
/// accesses read or write.
type Division = BTreeMap<TypeClass, Vec<AccessKind>>;

/// How fields are divided.
#[derive(Debug, Default)]
pub struct Refinement {
    pub names: PrimaryMap<TypeClass, Arc<str>>,
    by_name: BTreeMap<Arc<str>, TypeClass>,
    divisions: Vec<Division>,
    fields: FxHashMap<(GroupId, RegionKey), usize>,
    counts: RefinementCounts,
}

/// What came of it, in numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RefinementCounts {
    /// What is assumed.
    pub assumption: &'static str,
    /// Loads and stores with and without a type. In files that were compiled elsewhere there may be
    /// none with one; then nothing is divided.
    pub typed_accesses: usize,
    pub untyped_accesses: usize,
    /// Fields that were divided (one through calls and copies is one), and the regions that this
    /// added over all functions.
    pub divided_fields: usize,
    pub regions_added: usize,
    /// Fields that stay whole, by the reason.
    pub whole_fields: BTreeMap<&'static str, usize>,
}

/// What happens to one field.
#[derive(Default)]
struct Seen {
    types: BTreeMap<Arc<str>, BTreeSet<AccessKind>>,
    untyped: bool,
    builtin: bool,
}

impl Seen {
    fn access(&mut self, body: &Body, id: InstId) {
        let data = &body.instructions[id];
        let ty: Type = match &data.instruction {
            Instruction::Load { .. } => body.ty(data.results[0]),
            Instruction::Store { value, .. } => body.ty(*value),
            Instruction::MemorySet { .. }
            | Instruction::MemoryCopy { .. }
            | Instruction::LifetimeStart { .. } => return,
            _builtin => {
                self.builtin = true;
                return;
            }
        };
        match &data.effective_type {
            None => self.untyped = true,
            Some(name) => {
                let kinds = self.types.entry(name.clone()).or_default();
                kinds.insert(AccessKind::of(ty));
            }
        }
    }

    /// Why the field stays whole, if it does.
    fn whole(&self) -> Option<&'static str> {
        if self.untyped {
            Some("an access of any type")
        } else if self.builtin {
            Some("a builtin")
        } else if self.types.len() < 2 {
            Some("one type")
        } else {
            None
        }
    }
}

impl Refinement {
    /// Decides on all fields, given the undivided regions.
    pub fn new(
        module: &Module,
        solution: &Solution,
        regions: &SecondaryMap<FunctionId, FunctionRegions>,
    ) -> Self {
        let mut refinement = Refinement::default();
        refinement.counts.assumption = ASSUMPTION;
        let mut classes = layout::classes(module, regions);
        let mut first: FxHashMap<(GroupId, RegionKey), usize> = FxHashMap::default();
        for (function, region, key) in fields(module, solution, regions) {
            let index = classes.index(function, region);
            let known = *first.entry(key).or_insert(index);
            classes.union(known, index);
        }
        let mut seen: BTreeMap<usize, Seen> = BTreeMap::new();
        for (function, data) in &module.functions {
            let Some(body) = &data.body else { continue };
            for (&id, accesses) in &regions[function].accesses {
                refinement.count_access(body, id);
                for access in accesses {
                    let class = classes.find(classes.index(function, access.region));
                    seen.entry(class).or_default().access(body, id);
                }
            }
        }
        let divisions = refinement.divide(&seen);
        for (&key, &index) in &first {
            if let Some(&division) = divisions.get(&classes.find(index)) {
                refinement.fields.insert(key, division);
            }
        }
        refinement
    }

    fn count_access(&mut self, body: &Body, id: InstId) {
        let data = &body.instructions[id];
        if let Instruction::Load { .. } | Instruction::Store { .. } = data.instruction {
            match data.effective_type {
                Some(_) => self.counts.typed_accesses += 1,
                None => self.counts.untyped_accesses += 1,
            }
        }
    }

    fn divide(&mut self, seen: &BTreeMap<usize, Seen>) -> FxHashMap<usize, usize> {
        let names: BTreeSet<&Arc<str>> = seen.values().flat_map(|seen| seen.types.keys()).collect();
        for name in names {
            let class = self.names.push(name.clone());
            self.by_name.insert(name.clone(), class);
        }
        let mut found = FxHashMap::default();
        for (&class, seen) in seen {
            if let Some(reason) = seen.whole() {
                *self.counts.whole_fields.entry(reason).or_default() += 1;
                continue;
            }
            self.counts.divided_fields += 1;
            found.insert(class, self.divisions.len());
            let types = seen.types.iter();
            let division = types
                .map(|(name, kinds)| (self.by_name[name], kinds.iter().copied().collect()))
                .collect();
            self.divisions.push(division);
        }
        found
    }

    /// Whether nothing is divided.
    pub fn is_empty(&self) -> bool {
        self.divisions.is_empty()
    }

    /// The numbers, given how many regions there are now and were before.
    pub fn counts(&self, before: usize, now: usize) -> RefinementCounts {
        let mut counts = self.counts.clone();
        counts.regions_added = now - before;
        counts
    }

    fn division(&self, group: GroupId, field: RegionKey) -> Option<&Division> {
        Some(&self.divisions[*self.fields.get(&(group, field))?])
    }

    /// The region of a field that an access of a type has.
    pub fn key(&self, group: GroupId, field: RegionKey, ty: Option<&Arc<str>>) -> RegionKey {
        let class = self.division(group, field).map(|_| {
            let name = ty.expect("invariant: divided fields have accesses with types only");
            self.by_name[name]
        });
        RegionKey { class, ..field }
    }

    /// All regions of a field.
    pub fn keys(&self, group: GroupId, field: RegionKey) -> Vec<RegionKey> {
        match self.division(group, field) {
            None => vec![field],
            Some(division) => {
                let classes = division.keys();
                classes
                    .map(|&class| RegionKey {
                        class: Some(class),
                        ..field
                    })
                    .collect()
            }
        }
    }

    /// What accesses of a region read or write, if it is a part of a field.
    pub fn kinds(&self, group: GroupId, key: RegionKey) -> Option<&[AccessKind]> {
        let field = RegionKey { class: None, ..key };
        Some(&self.division(group, field)?[&key.class?])
    }

    /// How the type of a part of a field is called.
    pub fn type_name(&self, key: RegionKey) -> Option<&str> {
        let name = &*self.names[key.class?];
        Some(name.strip_prefix("any ").unwrap_or(name))
    }
}

/// All regions of all functions, with the fields they are.
fn fields<'a>(
    module: &'a Module,
    solution: &'a Solution,
    regions: &'a SecondaryMap<FunctionId, FunctionRegions>,
) -> impl Iterator<Item = (FunctionId, foghorn_ir::RegionId, (GroupId, RegionKey))> + 'a {
    module.functions.keys().flat_map(move |function| {
        let group = solution.group_of[function];
        let own = regions[function].regions.iter();
        own.filter_map(move |(region, info)| Some((function, region, (group?, info.key))))
    })
}
