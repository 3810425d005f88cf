//! Proving the checks of a program: cheap domains first, dearer ones for what is still open.
//!
//! Each rung of the ladder analyses the program with one domain and keeps what it proves. A check
//! that any rung proved is proved: all rungs over-approximate the same runs.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use foghorn_absint::analysis::checker::CheckStatus;
use foghorn_absint::registry::RegistryError;
use foghorn_core::{CheckKind, CheckSelection, SpanId};
use foghorn_encode::fact::BlockFacts;
use foghorn_ir::{Callee, FunctionId, Instruction, Module, NondetOrigin};

use crate::analysis::{AnalysisOptions, CheckResult, Scope, analyse_translation};
use crate::dropped::Dropped;
use crate::site::{SiteResult, SiteStatus, sites};
use crate::translate::{TranslationOptions, translate};
use foghorn_dsa::table::RegionTable;

/// The domains that are tried, in this order: what single variables can be, then differences, then
/// what needs disjunctions, then elements of arrays and sums. The offset of an element is a multiple
/// of its index, so that segments of arrays need more than differences; those of populations do not.
pub const LADDER: &[&str] = &[
    "ric+bool+adapt",
    "zones+bool+adapt",
    "boxes+bool+adapt",
    "zones+bool+partition",
    "polyhedra+bool+partition",
    "polyhedra+bool+adapt",
];

/// Rounds of a loop before disjunctions are widened: they need to see the cases first.
const DELAY_OF_BOXES: u32 = 12;

/// The grid on which disjunctions are widened tells the values of a state machine apart.
const THRESHOLDS_OF_BOXES: usize = 512;

/// Open checks beyond these are not explained.
const MOST_TOLD: usize = 50;

/// How to prove.
#[derive(Clone, Debug)]
pub struct ProofOptions {
    pub ladder: Vec<String>,
    pub scope: Scope,
    pub checks: CheckSelection,
    pub alignment: bool,
    /// Whether each domain also looks at open checks from their failures backwards.
    pub backward: bool,
}

/// What is proved so far.
#[derive(Clone, Debug, Default)]
pub struct Proof {
    pub sites: Vec<SiteResult>,
    /// What the last domain knows at open obligations, by their number.
    pub invariants: BTreeMap<usize, Vec<String>>,
    /// What the last domain knows, for engines that follow paths.
    pub facts: Vec<BlockFacts>,
    /// The domain of the last rung.
    pub domain: String,
    pub dropped: Dropped,
    pub notes: Notes,
}

impl Proof {
    /// Whether every check of the program is proved.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.sites.iter().all(|site| site.status.is_proved())
    }
}

/// What a proof rests on beside the program, in the order of the program.
#[derive(Clone, Debug, Default)]
pub struct Notes {
    /// Functions without a body that are called.
    pub external_calls: Vec<String>,
    /// What is not modelled precisely, each with its first place.
    pub over_approximations: Vec<(String, SpanId)>,
}

/// Proves what it can, and tells the proof after each rung. The ladder ends early if whoever is told
/// says that this is enough.
pub fn prove(
    module: &Module,
    regions: &RegionTable,
    options: &ProofOptions,
    tell: &mut dyn FnMut(&Proof) -> bool,
) -> Result<Proof, RegistryError> {
    let mut known: Vec<CheckResult> = Vec::new();
    let mut proof = Proof {
        notes: notes(module),
        ..Proof::default()
    };
    let translation_options = TranslationOptions {
        checks: options.checks.groups().collect(),
        alignment: options.alignment,
    };
    let translation = Rc::new(translate(module, regions, &translation_options));
    for domain in &options.ladder {
        let mut analysis_options = AnalysisOptions {
            domain: domain.clone(),
            scope: options.scope,
            translation: translation_options.clone(),
            ..AnalysisOptions::default()
        };
        // Only what is claimed counts here, and that is read.
        analysis_options.fixpoint.liveness = true;
        if domain.starts_with("boxes") {
            analysis_options.fixpoint.delay = DELAY_OF_BOXES;
            analysis_options.fixpoint.thresholds = THRESHOLDS_OF_BOXES;
        }
        let mut analysis = analyse_translation(&translation, &analysis_options)?;
        merge(&mut known, analysis.checks());
        if options.backward {
            analysis.prove_backwards(&mut known, &analysis_options);
        }
        proof.domain = domain.clone();
        proof.dropped = analysis.translation.dropped.clone();
        proof.sites = sites(module, &known, &options.checks);
        let open: BTreeSet<usize> = open_obligations(&proof.sites).take(MOST_TOLD).collect();
        proof.invariants = analysis.known_at_obligations(module, &open);
        proof.facts = analysis.facts_for_paths(module);
        if tell(&proof) || proof.is_complete() {
            break;
        }
    }
    Ok(proof)
}

fn open_obligations(sites: &[SiteResult]) -> impl Iterator<Item = usize> + '_ {
    sites.iter().filter_map(|site| match site.status {
        SiteStatus::Open(obligation) => Some(obligation),
        SiteStatus::Unreached | SiteStatus::Proved => None,
    })
}

/// Keeps the better of what two rungs say. The obligations are the same, as the translation does
/// not depend on the domain.
fn merge(known: &mut Vec<CheckResult>, found: Vec<CheckResult>) {
    if known.is_empty() {
        *known = found;
        return;
    }
    debug_assert_eq!(known.len(), found.len());
    let rank = |status: CheckStatus| match status {
        CheckStatus::Unreachable => 0,
        CheckStatus::Safe => 1,
        CheckStatus::Warning | CheckStatus::Error => 2,
    };
    for (old, new) in known.iter_mut().zip(found) {
        if rank(new.status) < rank(old.status) {
            *old = new;
        }
    }
}

/// What the program does that is not in it.
fn notes(module: &Module) -> Notes {
    let mut notes = Notes::default();
    for function in foghorn_ir::sites::reached_functions(module) {
        let Some(body) = &module.functions[function].body else {
            continue;
        };
        for data in body.instructions.values() {
            if let Instruction::Call {
                callee: Callee::Direct(callee),
                ..
            } = &data.instruction
            {
                note_call(module, *callee, &mut notes);
            }
            if let Instruction::Nondet {
                origin: NondetOrigin::External(name) | NondetOrigin::Change(name),
            } = &data.instruction
            {
                note_external(name, &mut notes);
            }
            if let Instruction::Nondet {
                origin: NondetOrigin::OverApproximated(what),
            } = &data.instruction
            {
                let known = &mut notes.over_approximations;
                if !known.iter().any(|(name, _)| **name == **what) {
                    known.push((what.to_string(), data.span));
                }
            }
        }
    }
    notes
}

fn note_call(module: &Module, callee: FunctionId, notes: &mut Notes) {
    let function = &module.functions[callee];
    if function.body.is_none() {
        note_external(&function.name, notes);
    }
}

fn note_external(name: &str, notes: &mut Notes) {
    let known = &mut notes.external_calls;
    if !known.iter().any(|it| it == name) {
        known.push(name.to_owned());
    }
}

/// Whether an analysis of states says anything about checks of that kind.
#[must_use]
pub fn decides(kind: CheckKind) -> bool {
    kind != CheckKind::NonTermination
}
