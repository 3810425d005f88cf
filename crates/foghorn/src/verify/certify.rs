//! Invariants of the abstract interpreter as a certificate.
//!
//! A certificate is made from an analysis of its own: one context per function, because what holds
//! in several contexts taken together need not follow from itself, and without the contents of
//! memory, of which a certificate does not speak.

use foghorn_absint::registry::RegistryError;
use foghorn_certify::certificate::VERSION;
use foghorn_certify::{Certificate, FunctionCertificate, weaken};
use foghorn_core::{Budget, CheckSelection, UnknownReason};
use foghorn_encode::fact::BlockFacts;
use foghorn_engine::{
    Engine, EngineEntry, EngineOptions, EngineReport, Knowledge, OptionError, Power, Progress,
    Sink, Task,
};
use foghorn_invariants::{
    Analysis, AnalysisOptions, RegionTable, Scope, TranslationOptions, analyse,
};
use foghorn_ir::graph::{ControlFlowGraph, LoopForest};
use foghorn_ir::{FunctionId, Module};

/// The domain whose invariants are certified unless another is asked for.
pub const DOMAIN: &str = "zones+bool";

/// Infers invariants of a program in pure form and puts them into a certificate.
pub fn certificate(
    module: &Module,
    checks: &CheckSelection,
    domain: &str,
) -> Result<Certificate, RegistryError> {
    let options = AnalysisOptions {
        domain: domain.to_owned(),
        scope: Scope::Contexts,
        contexts: 1,
        translation: TranslationOptions {
            checks: checks.groups().collect(),
            alignment: false,
        },
        ..AnalysisOptions::default()
    };
    let mut analysis = analyse(module, &RegionTable::default(), &options)?;
    let mut certificate = Certificate {
        version: VERSION,
        checks: checks.to_string(),
        functions: Default::default(),
    };
    for (id, function) in module.functions.iter() {
        let claims = claims(module, &mut analysis, id);
        if !claims.blocks.is_empty() {
            certificate
                .functions
                .insert(function.name.to_string(), claims);
        }
    }
    Ok(certificate)
}

/// The engine in the table.
pub const ENTRY: EngineEntry = EngineEntry {
    name: NAME,
    about: "proves again what holds at loops, so that others may assume it",
    power: Power::Proves,
    make,
};

const NAME: &str = "certify";

fn make(_: &EngineOptions) -> Result<Box<dyn Engine>, OptionError> {
    Ok(Box::new(Certifier))
}

/// Finds invariants and keeps those that another encoding of the program shows to be inductive.
struct Certifier;

impl Engine for Certifier {
    fn name(&self) -> &'static str {
        NAME
    }

    fn can(&self, _: &Task) -> Result<(), String> {
        Ok(())
    }

    fn run(
        &self,
        task: &Task,
        _: &Knowledge,
        budget: &Budget,
        sink: &mut dyn Sink,
    ) -> EngineReport {
        sink.progress(Progress::phase("certifying"));
        let nothing = || UnknownReason::OnlyHelps {
            engine: NAME.to_owned(),
        };
        let failed = |what: String| EngineReport::undecided(UnknownReason::Failure { what });
        let claimed = match certificate(task.pure(), task.checks(), DOMAIN) {
            Ok(claimed) => claimed,
            Err(error) => return failed(error.to_string()),
        };
        let count = |certificate: &Certificate| {
            let functions = certificate.functions.values();
            let blocks = functions.flat_map(|function| function.blocks.values());
            blocks.map(Vec::len).sum::<usize>() as f64
        };
        let mut report = EngineReport::undecided(nothing());
        let statistics = &mut report.statistics;
        statistics.insert("facts_claimed".to_owned(), count(&claimed));
        match weaken(task.pure(), task.checks(), claimed, budget) {
            Ok(Some(certified)) => {
                statistics.insert("facts_certified".to_owned(), count(&certified));
                report.facts = facts(task.pure(), &certified);
                report.certified = true;
            }
            Ok(None) => {}
            Err(error) => return failed(error.to_string()),
        }
        report
    }
}

/// What is claimed at the heads of loops, and which blocks no run comes to.
fn facts(module: &Module, certificate: &Certificate) -> Vec<BlockFacts> {
    let mut all = vec![];
    for (id, function) in module.functions.iter() {
        let claims = certificate.functions.get(&*function.name);
        let (Some(body), Some(claims)) = (&function.body, claims) else {
            continue;
        };
        let loops = LoopForest::new(&ControlFlowGraph::new(body));
        for block in body.blocks.keys() {
            let facts = claims.blocks.get(&block.as_u32()).cloned();
            let is_head = loops.with_header(block).is_some();
            let says_something = match &facts {
                Some(facts) => is_head && !facts.is_empty(),
                None => true,
            };
            if says_something {
                all.push(BlockFacts {
                    function: id.as_u32(),
                    block: block.as_u32(),
                    facts,
                });
            }
        }
    }
    all
}

fn claims(module: &Module, analysis: &mut Analysis, id: FunctionId) -> FunctionCertificate {
    let mut claims = FunctionCertificate::default();
    let Some(body) = &module.functions[id].body else {
        return claims;
    };
    for block in body.blocks.keys() {
        if let Some(mut facts) = analysis.facts(module, id, block) {
            facts.extend(analysis.implied_facts(module, id, block));
            claims.blocks.insert(block.as_u32(), facts);
        }
    }
    claims.returns = analysis.facts_returned(module, id);
    claims
}
