//! Linear use of memory: at each point a region has at most one current version of its contents.
//!
//! Machines have one memory, so the contents that a write consumed are gone. What is current is
//! found by going forward over the reachable blocks: a definition makes its value current; where
//! paths meet, the block's own parameter is, or the one value that is current on all of them. A
//! region without a current version (not begun yet, or different ones from two sides) cannot be
//! used until it is defined.

use super::{Invariant, Report};
use crate::body::{BlockId, Body, InstructionData, ValueId};
use crate::graph::ControlFlowGraph;
use crate::instruction::Terminator;
use crate::memory::RegionId;
use cranelift_entity::SecondaryMap;

/// The current version of each region; `None` if there is none.
type Versions = SecondaryMap<RegionId, Option<ValueId>>;

pub(super) fn verify(body: &Body, report: &mut Report) {
    if !body.is_pure() || body.regions.is_empty() {
        return;
    }
    let cfg = ControlFlowGraph::new(body);
    let order = cfg.reverse_postorder();
    // Versions at the end of the blocks visited so far.
    let mut ends: SecondaryMap<BlockId, Option<Versions>> = SecondaryMap::new();
    loop {
        let mut changed = false;
        for &block in order {
            let mut versions = versions_at_start(body, &cfg, &ends, block);
            for &instruction in &body.blocks[block].instructions {
                define(body, &body.instructions[instruction], &mut versions);
            }
            if ends[block].as_ref() != Some(&versions) {
                ends[block] = Some(versions);
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    for &block in order {
        let versions = versions_at_start(body, &cfg, &ends, block);
        verify_block(body, block, versions, report);
    }
    report.at(None, None);
}

/// What all predecessors that were visited agree on, and the block's own parameters.
fn versions_at_start(
    body: &Body,
    cfg: &ControlFlowGraph,
    ends: &SecondaryMap<BlockId, Option<Versions>>,
    block: BlockId,
) -> Versions {
    let mut visited = cfg
        .predecessors(block)
        .iter()
        .filter_map(|&p| ends[p].as_ref());
    let mut versions = visited.next().cloned().unwrap_or_default();
    for other in visited {
        for region in body.regions.keys() {
            if versions[region] != other[region] {
                versions[region] = None;
            }
        }
    }
    for &param in &body.blocks[block].params {
        if let Some(region) = body.ty(param).region() {
            versions[region] = Some(param);
        }
    }
    versions
}

fn define(body: &Body, data: &InstructionData, versions: &mut Versions) {
    data.for_each_definition(|value| {
        if let Some(region) = body.ty(value).region() {
            versions[region] = Some(value);
        }
    });
}

fn verify_block(body: &Body, block: BlockId, mut versions: Versions, report: &mut Report) {
    for &instruction in &body.blocks[block].instructions {
        report.at(Some(block), Some(instruction));
        let data = &body.instructions[instruction];
        for memory in &data.memory {
            demand_current(body, memory.input, &versions, report);
        }
        define(body, data, &mut versions);
    }
    report.at(Some(block), None);
    let terminator = &body.blocks[block].terminator;
    if let Terminator::Return { values } = terminator {
        values
            .iter()
            .for_each(|&value| demand_current(body, value, &versions, report));
    }
    for target in terminator.targets() {
        let arguments = target.arguments.iter();
        arguments.for_each(|&value| demand_current(body, value, &versions, report));
    }
}

fn demand_current(body: &Body, value: ValueId, versions: &Versions, report: &mut Report) {
    let Some(region) = body.ty(value).region() else {
        return;
    };
    report.require(
        versions[region] == Some(value),
        Invariant::Versions,
        || match versions[region] {
            Some(current) => format!("uses {value} where {current} is current in {region}"),
            None => format!("uses {value} where nothing is current in {region}"),
        },
    );
}
