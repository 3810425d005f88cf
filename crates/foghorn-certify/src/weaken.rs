//! The inductive part of claims (Houdini: Flanagan and Leino, FME 2001): what does not follow is taken
//! out, until the rest follows from itself.

use crate::certificate::Certificate;
use crate::check::{Claim, check};
use foghorn_core::{Budget, CheckSelection};
use foghorn_ir::Module;
use foghorn_smt::SolverError;
use std::collections::BTreeSet;

/// The strongest part of the claims that is inductive on a program in pure form; `None` if the budget
/// ends before it is found.
pub fn weaken(
    module: &Module,
    checks: &CheckSelection,
    mut certificate: Certificate,
    budget: &Budget,
) -> Result<Option<Certificate>, SolverError> {
    loop {
        let outcome = check(module, checks, &certificate, budget)?;
        if budget.check().is_err() {
            return Ok(None);
        }
        if outcome.failures.is_empty() {
            return Ok(Some(certificate));
        }
        let claims: BTreeSet<Claim> = outcome.failures.into_iter().map(|it| it.claim).collect();
        // From the back, so that the numbers of facts before it stay what they are.
        for claim in claims.iter().rev() {
            drop_claim(&mut certificate, claim);
        }
    }
}

fn drop_claim(certificate: &mut Certificate, claim: &Claim) {
    let functions = &mut certificate.functions;
    let function = functions.entry(claim.function.clone()).or_default();
    match (claim.block, claim.fact) {
        // A run may come there, and nothing is known of it.
        (Some(block), None) => {
            function.blocks.entry(block).or_default();
        }
        (Some(block), Some(index)) => {
            let facts = function.blocks.get_mut(&block);
            facts.map(|facts| facts.remove(index));
        }
        (None, None) => {
            function.returns.get_or_insert_default();
        }
        (None, Some(index)) => {
            function.returns.as_mut().map(|facts| facts.remove(index));
        }
    }
}
