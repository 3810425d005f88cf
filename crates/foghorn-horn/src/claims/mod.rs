//! Interpretations as claims that another program can prove again (`docs/guide/certificates.md`).
//!
//! What a solver says of the predicate at a loop's head is an invariant there; what it says of the entry and the summary
//! of a procedure is its contract. Each conjunct is a claim of its own ([`read`]), in the words of the function that it is
//! about ([`words`]); what is certain by the way clauses are made, and so is no part of an interpretation, is claimed
//! beside it ([`likely`]). Who checks the claims takes out what does not follow, so a claim that is wrong costs time only.
//!
//! A claim speaks of one function, whoever called it. So values of callers have no word, and of a loop that is entered on
//! several ways of calls it is claimed that what was found on one of the ways holds.

mod bits;
mod facts;
mod likely;
mod mentions;
mod read;
mod sum;
mod words;

use crate::clauses::summary::Summary;
use crate::clauses::{Cut, Signature};
use crate::solve::Proof;
use foghorn_encode::claim::{Argument, Contract, Formula, LoopClaim, Subject};
use foghorn_encode::fact::BlockFacts;
use foghorn_ir::graph::{CallGraph, ControlFlowGraph, LoopForest};
use foghorn_ir::sites::reached_functions;
use foghorn_ir::{BlockId, FunctionId, Module};
use foghorn_term::FunctionId as Predicate;
use mentions::Mentions;
use std::collections::BTreeMap;
use words::{Place, When};

/// Claims at one place beyond this are not made: each is a question to a solver.
const MOST_CLAIMS: usize = 80;

/// What was claimed, and what of the interpretations could not be.
#[derive(Clone, Debug, Default)]
pub struct Claimed {
    pub argument: Argument,
    /// Conjuncts of the interpretations that were used, and those that have no word.
    pub conjuncts: usize,
    pub unsaid: usize,
    /// Linear conjuncts that hold at loops' heads however they are reached, for other engines.
    pub facts: Vec<BlockFacts>,
}

/// The heads of the loops of a function.
pub fn heads(module: &Module, function: FunctionId) -> Vec<BlockId> {
    let Some(body) = &module.functions[function].body else {
        return vec![];
    };
    let loops = LoopForest::new(&ControlFlowGraph::new(body));
    loops.iter().map(|(_, it)| it.header).collect()
}

/// Whether a loop of some proof is in a function that is part of its callers there: nothing is known of its contract.
pub fn lacks_contracts(module: &Module, proofs: &[Proof]) -> bool {
    let mut cuts = proofs.iter().flat_map(|proof| &proof.clauses.cuts);
    cuts.any(|cut| {
        let (function, block, index, _) = cut.place();
        cut.key.frames.len() > 1 && index == 0 && heads(module, function).contains(&block)
    })
}

/// The claims that proofs are.
pub fn argument(module: &Module, proofs: &[Proof]) -> Claimed {
    let mut claimed = Claimed {
        argument: Argument::by("horn"),
        ..Claimed::default()
    };
    for proof in proofs {
        Claims { module, proof }.add(&mut claimed);
    }
    claimed
}

struct Claims<'a> {
    module: &'a Module,
    proof: &'a Proof,
}

impl Claims<'_> {
    fn add(&self, claimed: &mut Claimed) {
        let calls = CallGraph::new(self.module);
        for function in reached_functions(self.module) {
            let heads = heads(self.module, function);
            for head in &heads {
                self.add_loop(function, *head, claimed);
            }
            if !heads.is_empty() || calls.is_recursive(function) {
                self.add_contract(function, claimed);
            }
        }
    }

    fn add_loop(&self, function: FunctionId, head: BlockId, claimed: &mut Claimed) {
        let cuts = self.proof.clauses.cuts.iter().filter(|cut| {
            let (of, block, index, _) = cut.place();
            (of, block, index) == (function, head, 0)
        });
        let mut ways: Vec<Vec<Formula>> = vec![];
        let mut further = vec![];
        for cut in cuts {
            let frame = cut.key.frames.len() - 1;
            let Some(place) = self.place(function, When::Head(head), frame) else {
                continue;
            };
            ways.push(self.conjuncts(&place, cut.predicate, &cut.signature, claimed));
            further.extend(likely::at_head(&place, cut, self.proof));
        }
        claimed
            .facts
            .extend(facts::at_head(self.module, (function, head), &ways));
        let holds = meet(ways).into_iter().chain(further);
        let name = &self.module.functions[function].name;
        let claims = claimed.argument.function(name);
        let entry = claims.loops.entry(head.as_u32());
        let claim = entry.or_insert_with(|| LoopClaim::invariant(vec![]));
        if let LoopClaim::Invariant { holds: known, .. } = claim {
            extend(known, holds);
        }
    }

    fn add_contract(&self, function: FunctionId, claimed: &mut Claimed) {
        let clauses = &self.proof.clauses;
        let Some(summary) = clauses.summaries.get(&function) else {
            return;
        };
        let Summary {
            predicate,
            signature,
            entry,
        } = summary;
        let cut = &clauses.cuts[*entry];
        let (Some(called), Some(returned)) = (
            self.place(function, When::Called, 0),
            self.place(function, When::Returned, 0),
        ) else {
            return;
        };
        let requires = self.conjuncts(&called, cut.predicate, &cut.signature, claimed);
        let ensures = self.conjuncts(&returned, *predicate, signature, claimed);
        let name = &self.module.functions[function].name;
        let claims = claimed.argument.function(name);
        let contract = claims
            .contract
            .get_or_insert_with(|| Contract::new(vec![], vec![]));
        extend(&mut contract.requires, requires);
        extend(contract.ensures.get_or_insert_default(), ensures);
    }

    fn place(&self, function: FunctionId, when: When, frame: usize) -> Option<Place<'_>> {
        let body = self.module.functions[function].body.as_ref()?;
        let clauses = &self.proof.clauses;
        let form = (&clauses.layouts, self.proof.form);
        Some(Place::new(self.module, form, (function, body), when, frame))
    }

    /// What the interpretation of a predicate says, and which of its arguments are literals.
    fn conjuncts(
        &self,
        place: &Place<'_>,
        predicate: Predicate,
        signature: &Signature,
        claimed: &mut Claimed,
    ) -> Vec<Formula> {
        let mut guards: BTreeMap<Subject, Formula> = BTreeMap::new();
        for entry in &signature.entries {
            if let Some(memory) = place.memory(entry)
                && let Some(guard) = place.guard(entry)
            {
                guards.insert(memory, guard);
            }
        }
        let free = signature.entries.iter().filter(|it| it.fixed.is_none());
        let words: Vec<_> = free.map(|entry| place.word(entry)).collect();
        let mut interpretations = self.proof.interpretations.iter();
        let own = interpretations.find(|it| it.predicate == predicate);
        let mut all = vec![];
        if let Some(own) = own {
            let (found, count) = read::conjuncts(&own.definition, &words);
            claimed.conjuncts += found.len();
            claimed.unsaid += count - found.len();
            all.extend(found);
        }
        let fixed = signature.entries.iter().filter_map(|entry| {
            let literal = entry.fixed.as_ref()?;
            place.word(entry)?.is(literal)
        });
        all.extend(fixed);
        all.into_iter().map(|it| quantify(it, &guards)).collect()
    }
}

impl Cut {
    /// The place in the function that runs.
    fn place(&self) -> crate::clauses::cut::FramePlace {
        let frames = &self.key.frames;
        frames[frames.len() - 1]
    }
}

/// A conjunct about the arbitrary object as one about every object that the memories it reads have.
fn quantify(formula: Formula, guards: &BTreeMap<Subject, Formula>) -> Formula {
    let mentions = Mentions::of(&formula);
    if !mentions.every {
        return formula;
    }
    let guards = mentions.memories.iter().filter_map(|it| guards.get(it));
    let mut guards: Vec<Formula> = guards.cloned().collect();
    guards.dedup();
    Formula::for_every(match guards.len() {
        0 => formula,
        1 => guards.remove(0).implies(formula),
        _ => Formula::All(guards).implies(formula),
    })
}

/// What holds on every way; of several, that one of them does, and what is the same on all.
fn meet(mut ways: Vec<Vec<Formula>>) -> Vec<Formula> {
    match ways.len() {
        // No way leads there.
        0 => vec![Formula::Constant(false)],
        1 => ways.remove(0),
        _ => {
            let mut all: Vec<Formula> = vec![];
            for way in &ways {
                extend(&mut all, way.iter().cloned());
            }
            let is_plain = |way: &Vec<Formula>| way.iter().all(|it| !Mentions::of(it).every);
            if ways.iter().all(is_plain) {
                all.push(Formula::any(ways.into_iter().map(Formula::All)));
            }
            all
        }
    }
}

fn extend(known: &mut Vec<Formula>, more: impl IntoIterator<Item = Formula>) {
    for formula in more {
        let is_new = formula != Formula::Constant(true) && !known.contains(&formula);
        if is_new && known.len() < MOST_CLAIMS {
            known.push(formula);
        }
    }
}
