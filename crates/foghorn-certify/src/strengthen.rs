//! The inductive part of an argument (Houdini: Flanagan and Leino, FME 2001): claims that do not follow
//! are taken out until the rest follows from itself. A loop that goes round more often than was claimed of
//! it is passed by an invariant that says nothing.

use crate::piece::walk::{ClaimPlace, What};
use crate::prove::{Piece, Proof, prove, prove_claims};
use foghorn_core::{Budget, CheckSelection};
use foghorn_encode::claim::{Argument, LoopClaim};
use foghorn_ir::{BlockId, Module};
use foghorn_smt::SolverError;
use std::collections::BTreeSet;

/// The strongest part of an argument that holds, with its proof. The proof says so if nothing was left
/// to take out, or no time.
pub fn inductive_part(
    module: &Module,
    checks: &CheckSelection,
    mut argument: Argument,
    budget: &Budget,
) -> Result<(Argument, Proof), SolverError> {
    let mut only = None;
    loop {
        // Checks are asked when the claims hold: until then an answer about them is worth nothing.
        let proof = prove_claims(module, checks, &argument, budget, only.take())?;
        let failed = proof.failed_claims();
        let beyond = drop_bounds(module, &mut argument, &proof);
        if budget.check().is_err() || (failed.is_empty() && !beyond && !proof.holds()) {
            return Ok((argument, proof));
        }
        if failed.is_empty() && !beyond {
            let proof = prove(module, checks, &argument, budget)?;
            return Ok((argument, proof));
        }
        if !beyond && proof.holds_but_claims() {
            only = weakened(module, &failed);
        }
        // From the back, so that the numbers of claims before it stay what they are.
        for (place, index) in failed.into_iter().rev() {
            drop_claim(module, &mut argument, &place, index);
        }
    }
}

/// The pieces that suppose one of these claims; `None` if that is not so easily said. In the others whatever is left of
/// what had to follow still does.
fn weakened(module: &Module, failed: &BTreeSet<(ClaimPlace, usize)>) -> Option<BTreeSet<Piece>> {
    let mut pieces = BTreeSet::new();
    for (place, _) in failed {
        match place {
            ClaimPlace::Loop(function, head) => {
                pieces.insert(Piece::Loop(*function, BlockId::from_u32(*head)));
            }
            ClaimPlace::Requires(function) => {
                pieces.insert(Piece::Function(*function));
                if module.entry == Some(*function) {
                    pieces.insert(Piece::Program);
                }
            }
            ClaimPlace::Ensures(_) => return None,
        }
    }
    Some(pieces)
}

/// Takes out bounds of single loops that do not hold; whether there were any.
fn drop_bounds(module: &Module, argument: &mut Argument, proof: &Proof) -> bool {
    let mut dropped = false;
    for failure in &proof.failures {
        let What::Unwinding(function, Some(head)) = failure.what else {
            continue;
        };
        let claims = argument.function(&module.functions[function].name);
        if let Some(claim @ LoopClaim::Unwound { .. }) = claims.loops.get_mut(&head) {
            *claim = LoopClaim::invariant(vec![]);
            dropped = true;
        }
    }
    dropped
}

fn drop_claim(module: &Module, argument: &mut Argument, place: &ClaimPlace, index: usize) {
    let name = |function: foghorn_ir::FunctionId| module.functions[function].name.to_string();
    match place {
        ClaimPlace::Loop(function, head) => {
            let claims = argument.function(&name(*function));
            if let Some(LoopClaim::Invariant { holds, .. }) = claims.loops.get_mut(head) {
                remove(holds, index);
            }
        }
        ClaimPlace::Requires(function) => {
            if let Some(contract) = &mut argument.function(&name(*function)).contract {
                remove(&mut contract.requires, index);
            }
        }
        ClaimPlace::Ensures(function) => {
            if let Some(contract) = &mut argument.function(&name(*function)).contract {
                match &mut contract.ensures {
                    Some(ensures) => remove(ensures, index),
                    // It returns after all.
                    None => contract.ensures = Some(vec![]),
                }
            }
        }
    }
}

fn remove<T>(list: &mut Vec<T>, index: usize) {
    if index < list.len() {
        list.remove(index);
    }
}
