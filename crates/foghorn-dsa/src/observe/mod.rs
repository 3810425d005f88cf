//! The analysis compared with what a program really does.
//!
//! A [`RegionObserver`] watches a run in the interpreter. At every access it looks up the region
//! that the analysis predicts, in the function that executes it and, through the bindings of the
//! active calls, in every caller. It reports
//! - a byte that two accesses of one active call reach through different regions,
//! - an object that one active call knows at two places of a node that is no array, or an array's
//!   elements that do not begin at multiples of its stride (see [`place`]),
//! - with fields divided by types, a byte that is read as another type than it was written as,
//! - an access of an object whose allocation site the region does not list,
//! - a region that a call should have bound and did not: an object that one call kept to itself
//!   is seen by another after it,
//! - a read or write that the function's summary does not tell,
//! - an access that does not fit the region's cells,
//! - an indirect call of a function that is not in the call graph.

mod place;
mod types;

use crate::Analysis;
use crate::graph::node::WHOLE;
use crate::graph::sorted::SortedSet;
use crate::graph::{Cell, Graph, Site};
use crate::local::builtin_ranges;
use crate::regions::{FunctionRegions, RegionKey, key_at};
use foghorn_ir::interpret::{Access, Allocation, ObjectId, Observer, ProgramPoint};
use foghorn_ir::{
    Callee, Cell as CellLayout, FunctionId, InstId, Instruction, Module, RegionId, ValueId,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// Something that the analysis says does not happen, and that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    pub function: FunctionId,
    pub instruction: InstId,
    pub what: String,
}

/// Violations kept; the rest is only counted.
const MOST_KEPT: usize = 20;

/// Watches a run. See the [module doc](self).
#[derive(Debug)]
pub struct RegionObserver<'a> {
    module: &'a Module,
    analysis: &'a Analysis,
    frames: Vec<Frame>,
    /// Objects that ended calls kept to themselves.
    closed: FxHashSet<ObjectId>,
    written: types::Written,
    pub violations: Vec<Violation>,
    pub violation_count: u64,
    /// Accesses that were compared.
    pub accesses: u64,
}

#[derive(Debug)]
struct Frame {
    function: FunctionId,
    /// The call that is active in this frame.
    call: Option<InstId>,
    /// The first region of the field that each byte is in.
    bytes: FxHashMap<(ObjectId, i64), RegionId>,
    places: place::Places,
    /// Accesses that were compared while this call was active. What the analysis predicts for them
    /// is the same each time: one contradiction is as good as a thousand.
    compared: FxHashSet<(InstId, bool, ObjectId, i64, u64)>,
    /// Objects that this call accessed in regions that are no parameters.
    private: FxHashSet<ObjectId>,
}

impl<'a> RegionObserver<'a> {
    pub fn new(module: &'a Module, analysis: &'a Analysis) -> Self {
        RegionObserver {
            module,
            analysis,
            frames: vec![],
            closed: FxHashSet::default(),
            written: types::Written::default(),
            violations: vec![],
            violation_count: 0,
            accesses: 0,
        }
    }

    fn violation(&mut self, at: ProgramPoint, what: String) {
        self.violation_count += 1;
        if self.violations.len() < MOST_KEPT {
            self.violations.push(Violation {
                function: at.function,
                instruction: at.instruction,
                what,
            });
        }
    }

    fn access(&mut self, access: Access, write: bool) {
        self.accesses += 1;
        if self.analysis.types.is_some() {
            self.check_types(&access, write);
        }
        if self.closed.contains(&access.object) {
            let what = "an object that an ended call kept to itself is accessed".to_owned();
            self.violation(access.at, what);
        }
        if let Some(frame) = self.frames.last_mut() {
            let at = access.at.instruction;
            let what = (at, write, access.object, access.offset, access.length);
            if !frame.compared.insert(what) {
                return;
            }
        }
        let Some(pointer) = self.pointer_of(access.at, write) else {
            return;
        };
        let (Some(graph), Some(cell)) = (
            self.analysis.graph(access.at.function),
            self.analysis.cell(access.at.function, pointer),
        ) else {
            self.violation(
                access.at,
                "an access through a pointer without a cell".into(),
            );
            return;
        };
        self.check_cells(&access);
        let regions = self.analysis.function(access.at.function);
        let mut from = 0;
        while from < access.length {
            let here = graph.lookup(cell.plus(from.cast_signed()));
            let (key, length) = field_from(graph, here);
            let length = length.min(access.length - from);
            let start = access.offset + from.cast_signed();
            self.check_displacement(&access, start, here);
            let bytes = start..start + length.cast_signed();
            let mut found = false;
            for region in key.into_iter().flat_map(|key| regions.of_field(key)) {
                if self.is_part_of(access.at, region) {
                    self.bytes(&access, bytes.clone(), region, write);
                    found = true;
                }
            }
            if !found && self.is_single(access.at) {
                self.violation(access.at, "a load or store without a region".into());
            }
            from += length;
        }
    }

    /// Whether an instruction accesses this region of a field: a load or store is of one type only.
    fn is_part_of(&self, at: ProgramPoint, region: RegionId) -> bool {
        match self.single_region(at) {
            Some(only) => only == region,
            None => true,
        }
    }

    /// The region of a load or store.
    fn single_region(&self, at: ProgramPoint) -> Option<RegionId> {
        let accesses = &self.analysis.function(at.function).accesses;
        match &accesses.get(&at.instruction)?[..] {
            [one] if self.is_single(at) => Some(one.region),
            _ => None,
        }
    }

    /// What is read in a region that is a part of a field must have been written as its type.
    fn check_types(&mut self, access: &Access, write: bool) {
        let regions = &self.analysis.function(access.at.function).regions;
        let region = self.single_region(access.at);
        let class = region.and_then(|region| regions[region].key.class);
        match (self.instruction(access.at), write) {
            (Some(Instruction::MemoryCopy { .. }), false) => self.written.take(access),
            (Some(Instruction::MemoryCopy { .. }), true) => self.written.put(access),
            (_, true) => self.written.write(access, class),
            (_, false) => {
                let other = class.and_then(|class| self.written.read(access, class));
                if let (Some(_), Some(region)) = (other, region) {
                    let name = &regions[region].name;
                    let what = format!("region {name} is read and was written as another type");
                    self.violation(access.at, what);
                }
            }
        }
    }

    fn is_single(&self, at: ProgramPoint) -> bool {
        matches!(
            self.instruction(at),
            Some(Instruction::Load { .. } | Instruction::Store { .. })
        )
    }

    fn instruction(&self, at: ProgramPoint) -> Option<&'a Instruction> {
        let body = self.module.functions[at.function].body.as_ref()?;
        Some(&body.instructions[at.instruction].instruction)
    }

    /// The operand through which an instruction reads or writes.
    fn pointer_of(&self, at: ProgramPoint, write: bool) -> Option<ValueId> {
        match self.instruction(at)? {
            Instruction::Load { pointer, .. }
            | Instruction::Store { pointer, .. }
            | Instruction::Free { pointer } => Some(*pointer),
            Instruction::MemoryCopy {
                destination,
                source,
                ..
            } => Some(if write { *destination } else { *source }),
            Instruction::MemorySet { destination, .. } => Some(*destination),
            Instruction::Call {
                callee: Callee::Builtin(builtin),
                arguments,
            } => {
                let range = builtin_ranges(builtin).iter().find(|r| r.writes == write)?;
                arguments.get(range.pointer).copied()
            }
            _other => None,
        }
    }

    /// A load or store must be of one whole cell.
    fn check_cells(&mut self, access: &Access) {
        if !self.is_single(access.at) {
            return;
        }
        let regions = self.analysis.function(access.at.function);
        let Some([one]) = regions
            .accesses
            .get(&access.at.instruction)
            .map(|list| &list[..])
        else {
            self.violation(
                access.at,
                "a load or store without exactly one region".into(),
            );
            return;
        };
        let bytes = match regions.regions[one.region].cell {
            CellLayout::Bytes => return,
            CellLayout::Word { bytes } => bytes,
            CellLayout::Pointer => self.module.layout.pointer_bytes,
        };
        if access.length != u64::from(bytes) {
            let what = format!("{} bytes accessed in cells of {bytes}", access.length);
            self.violation(access.at, what);
        }
    }

    /// Bytes of one region, in the frame that accesses them and in all that called it.
    fn bytes(&mut self, access: &Access, bytes: Range<i64>, mut region: RegionId, write: bool) {
        for depth in (0..self.frames.len()).rev() {
            let function = self.frames[depth].function;
            let regions = self.analysis.function(function);
            self.check_region(access, regions, region, write);
            // Parts of a field share its bytes.
            let place = regions.of_field(regions.regions[region].key).next();
            let place = place.expect("invariant: at least the region itself");
            for offset in bytes.clone() {
                let known = self.frames[depth]
                    .bytes
                    .insert((access.object, offset), place);
                if let Some(known) = known.filter(|&known| known != place) {
                    self.two_regions(access, offset, function, (known, place));
                }
            }
            self.check_window(access, &bytes, depth, place);
            // Parameters are in the order of their regions.
            let Ok(position) = regions.parameters.binary_search(&region) else {
                self.frames[depth].private.insert(access.object);
                self.check_unseen(access, bytes, depth);
                return;
            };
            if depth == 0 {
                return;
            }
            match self.bound(depth - 1, function, position) {
                Some(outer) => region = outer,
                None => {
                    self.violation(access.at, "a call without a binding".into());
                    return;
                }
            }
        }
    }

    fn two_regions(
        &mut self,
        access: &Access,
        offset: i64,
        function: FunctionId,
        (known, region): (RegionId, RegionId),
    ) {
        let regions = self.analysis.function(function);
        let what = format!(
            "byte {offset} of {:?} is in region {} and in region {} of {}",
            access.allocation,
            regions.regions[known].name,
            regions.regions[region].name,
            self.module.functions[function].name,
        );
        self.violation(access.at, what);
    }

    /// The region of a caller for a memory parameter of its active callee.
    fn bound(&self, depth: usize, callee: FunctionId, position: usize) -> Option<RegionId> {
        let frame = &self.frames[depth];
        let regions = self.analysis.function(frame.function);
        let bindings = regions.calls.get(&frame.call?)?;
        let binding = bindings.iter().find(|binding| binding.callee == callee)?;
        binding.regions.get(position).copied()
    }

    fn check_region(
        &mut self,
        access: &Access,
        regions: &FunctionRegions,
        region: RegionId,
        write: bool,
    ) {
        let info = &regions.regions[region];
        if !(if write { info.modified } else { info.read }) {
            let what = format!("region {} is not known to be accessed so", info.name);
            self.violation(access.at, what);
        }
        if !allows(&info.sites, access.allocation) {
            let what = format!(
                "region {} does not list the site {:?}",
                info.name, access.allocation
            );
            self.violation(access.at, what);
        }
    }

    /// What a call keeps to itself its callers have not seen before.
    fn check_unseen(&mut self, access: &Access, mut bytes: Range<i64>, depth: usize) {
        let outer = &self.frames[..depth];
        let seen = |offset: i64| {
            let byte = (access.object, offset);
            outer.iter().any(|frame| frame.bytes.contains_key(&byte))
        };
        if bytes.any(seen) {
            let what = "a byte that a caller knows is in a region that is not bound".to_owned();
            self.violation(access.at, what);
        }
    }
}

/// The field that holds a cell of a representative, and how many bytes it goes on from there; one
/// byte in no field.
fn field_from(graph: &Graph, cell: Cell) -> (Option<RegionKey>, u64) {
    let Some(key) = key_at(graph, cell) else {
        return (None, 1);
    };
    let field = &graph.nodes[key.node].fields[&key.start];
    let rest = match field.length {
        WHOLE => WHOLE,
        length => key.start + length - cell.offset,
    };
    (Some(key), rest.cast_unsigned())
}

fn allows(sites: &SortedSet<Site>, allocation: Allocation) -> bool {
    match allocation {
        Allocation::Global(global) => sites.contains(&Site::Global(global)),
        Allocation::Instruction(function, id) => sites.contains(&Site::Instruction(function, id)),
        Allocation::Arguments => sites.contains(&Site::Environment),
        Allocation::Function(_) => true,
    }
}

impl Observer for RegionObserver<'_> {
    fn read(&mut self, access: Access) {
        self.access(access, false);
    }

    fn write(&mut self, access: Access) {
        self.access(access, true);
    }

    fn free(&mut self, access: Access) {
        let function = access.at.function;
        let pointer = self.pointer_of(access.at, true);
        let cell: Option<Cell> = pointer.and_then(|p| self.analysis.cell(function, p));
        let (Some(graph), Some(cell)) = (self.analysis.graph(function), cell) else {
            self.violation(access.at, "a pointer without a cell is freed".into());
            return;
        };
        let sites = graph.nodes[graph.lookup(cell).node].all_sites();
        if !allows(&sites, access.allocation) {
            let what = format!("{:?} is freed through a node without it", access.allocation);
            self.violation(access.at, what);
        }
    }

    fn call(&mut self, at: ProgramPoint, _: foghorn_core::SpanId, _callee: FunctionId) {
        if let Some(frame) = self.frames.last_mut() {
            frame.call = Some(at.instruction);
        }
    }

    fn indirect_call(&mut self, at: ProgramPoint, callee: FunctionId) {
        if !self
            .analysis
            .targets(at.function, at.instruction)
            .contains(&callee)
        {
            let name = &self.module.functions[callee].name;
            self.violation(at, format!("{name} is called and not in the call graph"));
        }
    }

    fn enter(&mut self, function: FunctionId, _depth: usize) {
        self.frames.push(Frame {
            function,
            call: None,
            bytes: FxHashMap::default(),
            places: place::Places::default(),
            compared: FxHashSet::default(),
            private: FxHashSet::default(),
        });
    }

    fn leave(&mut self, _: FunctionId, _depth: usize) {
        if let Some(frame) = self.frames.pop() {
            self.closed.extend(frame.private);
        }
    }
}
