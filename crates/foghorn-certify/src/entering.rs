//! How a block is entered: what holds at its start because of where a run came from.
//!
//! Claims are conjunctions. Where two branches meet, a domain may know more than that: `b` is false,
//! or it is what a comparison said. That is found again in the predecessors: a run comes from one of
//! them, with its claims, by its branch, with its arguments. In SSA form their values are visible
//! with the same meaning, unless the block dominates the predecessor: then they are of an earlier
//! round.

use super::check::{fact_term, own_value};
use super::encode::{BlockEncoder, Known};
use crate::certificate::FunctionCertificate;
use cranelift_entity::EntityRef as _;
use foghorn_ir::graph::{ControlFlowGraph, DominatorTree};
use foghorn_ir::{BlockId, Target, Terminator, ValueId};
use foghorn_term::{TermId, TermPool};

/// More ways than this say too little to be worth their size.
const MOST_WAYS: usize = 4;

/// From where, by which side of a branch, with which arguments.
type Way<'b> = (BlockId, Option<(ValueId, bool)>, &'b Target);

/// That the block was entered from one of its predecessors; `None` if that says nothing.
pub(crate) fn entering(
    encoder: &mut BlockEncoder<'_>,
    claims: &FunctionCertificate,
    block: BlockId,
) -> Option<TermId> {
    let body = encoder.body;
    if block == body.entry {
        return None;
    }
    let dominators = DominatorTree::new(ControlFlowGraph::new(body).graph(), body.entry);
    let mut ways: Vec<Way<'_>> = vec![];
    for (from, data) in body.blocks.iter() {
        match &data.terminator {
            Terminator::Jump(target) => ways.push((from, None, target)),
            Terminator::Branch {
                condition,
                on_true,
                on_false,
            } => {
                ways.push((from, Some((*condition, true)), on_true));
                ways.push((from, Some((*condition, false)), on_false));
            }
            Terminator::Return { .. } | Terminator::Halt { .. } | Terminator::Unreachable => {}
        }
    }
    ways.retain(|(_, _, target)| target.block == block);
    if ways.len() < 2
        || ways.len() > MOST_WAYS
        || ways.iter().any(|way| dominators.dominates(block, way.0))
    {
        return None;
    }
    let mut cases = vec![];
    for (from, branch, target) in ways {
        let Some(facts) = claims.blocks.get(&(from.index() as u32)) else {
            continue;
        };
        let mut holds: Vec<TermId> = vec![];
        for fact in facts {
            holds.extend(fact_term(encoder, fact, &mut own_value));
        }
        if let Some((condition, value)) = branch {
            let condition = encoder.truth(condition);
            holds.push(match value {
                true => condition,
                false => encoder.pool.not(condition),
            });
        }
        let params = body.blocks[block].params.clone();
        for (param, argument) in params.iter().zip(&target.arguments) {
            let (param, argument) = (encoder.get(*param), encoder.get(*argument));
            holds.extend(same(&mut encoder.pool, param, argument));
        }
        cases.push(encoder.pool.and(&holds));
    }
    Some(encoder.pool.or(&cases))
}

fn same(pool: &mut TermPool, a: Known, b: Known) -> Vec<TermId> {
    match (a, b) {
        (Known::Integer(a), Known::Integer(b)) | (Known::Truth(a), Known::Truth(b)) => {
            vec![pool.equal(a, b)]
        }
        (Known::Pointer(a), Known::Pointer(b)) => vec![
            pool.equal(a.is_object, b.is_object),
            pool.equal(a.offset, b.offset),
            pool.equal(a.size, b.size),
        ],
        (Known::Integer(_) | Known::Truth(_) | Known::Pointer(_) | Known::Nothing, _) => vec![],
    }
}
