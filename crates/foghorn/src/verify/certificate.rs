//! Certificates: what engines proved is shown again, by `foghorn-certify`.

use super::argument;
use super::certify::DOMAIN;
use foghorn_certify::document::{VERSION, program_text};
use foghorn_certify::piece::walk::What;
use foghorn_certify::prove::prove_with_proofs;
use foghorn_certify::{Proof, ProofCertificate, SiteRecord, inductive_part, prove};
use foghorn_core::{Budget, CheckKind, CheckSelection, SiteKind};
use foghorn_encode::claim::Argument;
use foghorn_engine::{ProgramHash, Task};
use foghorn_ir::sites::{Claim, SiteId, SiteTable, gather};
use foghorn_ir::{Callee, Instruction, Module};
use foghorn_smt::SolverError;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The stack of the thread that executes pieces: chains of writes are followed to their ends.
const STACK: usize = 1 << 30;
/// Iterations beyond which nobody unwinds: the check finds out by itself where loops end.
const MOST_ROUNDS: u32 = 20_000;

/// The domain that is tried where the usual one does not imply everything, on programs of so many blocks at most.
const STRONGER_DOMAIN: &str = "polyhedra+bool";
const MOST_BLOCKS: usize = 200;

/// What is to be certified.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CertificateRequest {
    pub task: PathBuf,
    pub hash: ProgramHash,
    pub time: Option<Duration>,
    /// Who proved which sites.
    pub proved: BTreeMap<u32, Vec<String>>,
    /// The bound within which everything was unwound, if an engine did that.
    pub bound: Option<u32>,
    /// The arguments that engines gave.
    pub arguments: Vec<Argument>,
}

/// Makes a certificate in a thread with a stack that is deep enough.
pub fn certify(request: CertificateRequest) -> Result<ProofCertificate, String> {
    let work = move || {
        let task = Task::read(&request.task, request.hash).map_err(|error| error.to_string())?;
        let budget = match request.time {
            Some(time) => Budget::unlimited().within(time),
            None => Budget::unlimited(),
        };
        let mut maker = Maker::new(&task, &request, budget);
        maker.run().map_err(|error| error.to_string())?;
        Ok(maker.finish())
    };
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(work);
    let thread = thread.map_err(|error| error.to_string())?;
    match thread.join() {
        Ok(result) => result,
        Err(_) => Err("the check failed inside".to_owned()),
    }
}

struct Maker<'t> {
    task: &'t Task,
    request: &'t CertificateRequest,
    budget: Budget,
    arguments: Vec<Argument>,
    /// The argument of each site that follows.
    shown: BTreeMap<SiteId, u32>,
    /// Why the last argument that was tried did not do.
    reason: Option<String>,
    /// How many arguments are still to be tried, at most.
    turns: usize,
}

impl<'t> Maker<'t> {
    fn new(task: &'t Task, request: &'t CertificateRequest, budget: Budget) -> Self {
        Maker {
            task,
            request,
            budget,
            arguments: vec![],
            shown: BTreeMap::new(),
            reason: None,
            turns: 1,
        }
    }

    fn is_done(&self) -> bool {
        self.shown.len() == self.task.sites().len()
    }

    /// Tries arguments, those of engines first, until all sites follow. What does not follow is taken out of them.
    fn run(&mut self) -> Result<(), SolverError> {
        let (task, request) = (self.task, self.request);
        let unwinds = task.is_loop_free() || request.bound.is_some();
        let with_loops = request.arguments.iter().filter(|it| has_loops(it)).count();
        self.turns = request.arguments.len() + 1;
        if !task.is_loop_free() {
            self.turns += with_loops + 3;
        }
        for argument in &request.arguments {
            self.try_argument(argument.clone(), true)?;
        }
        if unwinds {
            self.try_argument(argument::unwinding("bmc", MOST_ROUNDS), false)?;
        }
        if !self.is_done()
            && !task.is_loop_free()
            && let Some(invariants) = self.invariants(DOMAIN)
        {
            self.try_with(invariants)?;
        }
        // Nobody said that all loops end soon, but they may.
        if !unwinds {
            self.try_argument(argument::unwinding("bmc", MOST_ROUNDS), false)?;
        }
        if !self.is_done()
            && !task.is_loop_free()
            && is_small(task.pure())
            && let Some(invariants) = self.invariants(STRONGER_DOMAIN)
        {
            self.try_argument(invariants, true)?;
        }
        Ok(())
    }

    /// The invariants of an analysis, which looks at no clock: it has a thread of its own and half of the time that is
    /// left. A thread that comes to no end is left behind and ends with the process.
    fn invariants(&mut self, domain: &'static str) -> Option<Argument> {
        let (sender, receiver) = std::sync::mpsc::channel();
        let (module, checks) = (self.task.pure().clone(), self.task.checks().clone());
        let analyse = move || {
            // Nobody listens any more if it took too long.
            let _ = sender.send(argument::invariants(&module, &checks, domain));
        };
        let thread = std::thread::Builder::new().stack_size(STACK);
        let found = match (thread.spawn(analyse), self.budget.remaining()) {
            (Ok(_), Some(left)) => receiver.recv_timeout(left / 2).ok(),
            (Ok(_), None) => receiver.recv().ok(),
            (Err(_), _) => None,
        };
        match found {
            Some(Ok(invariants)) => Some(invariants),
            Some(Err(error)) => {
                self.reason = Some(error.to_string());
                None
            }
            None => {
                self.reason = Some("the analysis takes longer than the proof took".to_owned());
                None
            }
        }
    }

    /// Tries the invariants of an analysis, first together with what engines claim of the same loops, then with what
    /// may hold case by case.
    fn try_with(&mut self, invariants: Argument) -> Result<(), SolverError> {
        let task = self.task;
        for argument in self.request.arguments.iter().filter(|it| has_loops(it)) {
            let both = argument::union(task.pure(), argument, &invariants);
            self.try_argument(both, true)?;
        }
        self.try_argument(invariants.clone(), true)?;
        self.try_argument(argument::with_cases(task.pure(), invariants), true)
    }

    /// What one argument may take: half of what is left, so that the next ones have their turn; the last one all. Where
    /// everything was unwound, that is the argument.
    fn share(&mut self, is_reported: bool) -> Budget {
        self.turns = self.turns.saturating_sub(1);
        let Some(left) = self.budget.remaining() else {
            return self.budget.clone();
        };
        self.budget.within(match (self.turns, is_reported) {
            (0, _) => left,
            (_, true) => left * 4 / 5,
            (_, false) => left / 2,
        })
    }

    fn try_argument(&mut self, argument: Argument, weaken: bool) -> Result<(), SolverError> {
        if self.is_done() {
            return Ok(());
        }
        let is_reported = self.request.bound.is_some() && argument.unwinding.is_some();
        let (task, budget) = (self.task, &self.share(is_reported));
        let (module, checks) = (task.pure(), task.checks());
        if self.budget.check().is_err() {
            self.reason = Some("it takes longer than the proof took".to_owned());
            return Ok(());
        }
        let (mut argument, proof) = match weaken {
            true => inductive_part(module, checks, argument, budget)?,
            false => {
                let proof = prove(module, checks, &argument, budget)?;
                (argument, proof)
            }
        };
        if !proof.holds() {
            self.reason = Some(why(&proof, budget));
            return Ok(());
        }
        if argument.unwinding.is_some() {
            argument.unwinding = Some(proof.rounds);
        }
        let number = u32::try_from(self.arguments.len()).expect("invariant: few arguments");
        let open = open_sites(module, checks, task.sites(), &proof);
        let before = self.shown.len();
        for (site, _) in task.sites().iter() {
            if !open.contains(&site) {
                self.shown.entry(site).or_insert(number);
            }
        }
        if self.shown.len() > before {
            self.arguments.push(argument);
        }
        if !self.is_done() {
            self.reason = Some(match budget.check() {
                Ok(()) => "it does not follow from what was claimed".to_owned(),
                Err(_) => "it takes longer than the proof took".to_owned(),
            });
        }
        Ok(())
    }

    fn finish(self) -> ProofCertificate {
        let mut sites = vec![];
        for (id, site) in self.task.sites().iter() {
            let argument = self.shown.get(&id).copied();
            let reason = match (argument, site.kind) {
                (Some(_), _) => None,
                (None, SiteKind::Alignment) => Some("alignment is not expressed".to_owned()),
                (None, _) => self.reason.clone(),
            };
            sites.push(SiteRecord {
                site: id.as_u32(),
                by: self
                    .request
                    .proved
                    .get(&id.as_u32())
                    .cloned()
                    .unwrap_or_default(),
                argument,
                reason,
            });
        }
        ProofCertificate {
            version: VERSION,
            program: program_hash(self.task.pure()),
            checks: self.task.checks().to_string(),
            alignment: self.task.alignment(),
            arguments: self.arguments,
            sites,
        }
    }
}

/// Whether a strong domain takes seconds at most.
fn is_small(module: &Module) -> bool {
    let bodies = module.functions.values().filter_map(|it| it.body.as_ref());
    bodies.map(|body| body.blocks.len()).sum::<usize>() <= MOST_BLOCKS
}

fn has_loops(argument: &Argument) -> bool {
    let mut functions = argument.functions.values();
    functions.any(|it| !it.loops.is_empty())
}

/// What names a program in a certificate.
pub fn program_hash(module: &Module) -> String {
    ProgramHash::of(program_text(module).as_bytes()).to_string()
}

/// Why an argument was refused, in a few words.
fn why(proof: &Proof, budget: &Budget) -> String {
    if budget.check().is_err() {
        return "it takes longer than the proof took".to_owned();
    }
    let Some(failure) = proof.failures.first() else {
        return String::new();
    };
    if let Some(why) = &failure.why {
        return why.clone();
    }
    match &failure.what {
        What::Unwinding(..) => "a loop goes round more often in the check's eyes".to_owned(),
        What::Obligation(what) => format!("the check does not express {what}"),
        What::Claim(..) | What::Inexpressible(..) | What::Site(..) => {
            "a claim does not follow".to_owned()
        }
    }
}

/// The sites that do not follow from an argument.
pub fn open_sites(
    module: &Module,
    checks: &CheckSelection,
    table: &SiteTable,
    proof: &Proof,
) -> BTreeSet<SiteId> {
    let open = proof.sites.iter().filter(|(_, holds)| !**holds);
    let claims = open.map(|(&(function, instruction, kind), _)| Claim {
        function,
        instruction,
        kind,
        status: (),
    });
    let gathered = gather(module, claims, checks, |(), ()| ());
    let mut found: BTreeSet<SiteId> = BTreeSet::new();
    for (site, ()) in gathered {
        found.extend(table.find(site.kind, site.point));
    }
    let unexpressed = table
        .iter()
        .filter(|(_, it)| it.kind == SiteKind::Alignment);
    found.extend(unexpressed.map(|(id, _)| id));
    found
}

/// What a check of a certificate found.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    /// What is wrong with the certificate, a sentence each.
    pub wrong: Vec<String>,
    /// What was not decided.
    pub undecided: Vec<String>,
    pub shown: usize,
    pub sites: usize,
    /// Refutations of the solver, and how many were checked by their proofs.
    pub refutations: (usize, usize),
}

/// Checks a certificate of a program in pure form, by itself.
pub fn check(
    module: &Module,
    certificate: &ProofCertificate,
    budget: &Budget,
    proofs: Option<&Path>,
) -> Result<Checked, String> {
    let mut checked = Checked::default();
    let checks: CheckSelection = match certificate.checks.parse() {
        Ok(checks) => checks,
        Err(error) => return Err(format!("its checks are not understood: {error}")),
    };
    let table = SiteTable::new(module, &checks, certificate.alignment);
    checked.sites = table.len();
    let own = program_hash(module);
    if certificate.program != own {
        let what = format!("it is a certificate of another program: this one is {own}");
        checked.wrong.push(what);
        return Ok(checked);
    }
    let mut open: Vec<Option<BTreeSet<SiteId>>> = vec![];
    for (number, argument) in certificate.arguments.iter().enumerate() {
        let proof = match proofs {
            Some(folder) => prove_with_proofs(module, &checks, argument, budget, folder),
            None => prove(module, &checks, argument, budget),
        };
        let proof = proof.map_err(|error| error.to_string())?;
        checked.refutations.0 += proof.refutations;
        checked.refutations.1 += proof.refutations_checked;
        for failure in &proof.failures {
            let sentence = format!("argument {number}: {}", describe(module, &failure.what));
            match failure.undecided {
                true => checked.undecided.push(sentence),
                false => checked.wrong.push(sentence),
            }
        }
        open.push(
            proof
                .holds()
                .then(|| open_sites(module, &checks, &table, &proof)),
        );
    }
    let has_argument = open.iter().any(Option::is_some);
    if !has_argument && calls_the_unknown(module) {
        let what = "no argument shows that every call leads to a known function";
        checked.undecided.push(what.to_owned());
    }
    let mut shown: BTreeSet<SiteId> = BTreeSet::new();
    for record in &certificate.sites {
        let id = SiteId::from_u32(record.site);
        let Some(number) = record.argument else {
            continue;
        };
        match open.get(number as usize) {
            Some(Some(open)) if table.get(id).is_some() && !open.contains(&id) => {
                shown.insert(id);
            }
            Some(Some(_)) | None => {
                let sentence = format!("{id} does not follow from argument {number}");
                checked.wrong.push(sentence);
            }
            Some(None) => {}
        }
    }
    checked.shown = shown.len();
    Ok(checked)
}

/// Whether a call may lead to no known function: what it would do is not in the program.
fn calls_the_unknown(module: &Module) -> bool {
    let bodies = module.functions.values().filter_map(|it| it.body.as_ref());
    let mut instructions = bodies.flat_map(|body| body.instructions.values());
    instructions.any(|data| match &data.instruction {
        Instruction::Check { kind, .. } => *kind == CheckKind::InvalidCall,
        Instruction::Call { callee, .. } => matches!(callee, Callee::Indirect(_)),
        _ => false,
    })
}

/// Checks a certificate in a thread with a stack that is deep enough.
pub fn check_deep(
    module: Module,
    certificate: ProofCertificate,
    budget: Budget,
    proofs: Option<PathBuf>,
) -> Result<Checked, String> {
    let work = move || check(&module, &certificate, &budget, proofs.as_deref());
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(work);
    let thread = thread.map_err(|error| error.to_string())?;
    match thread.join() {
        Ok(result) => result,
        Err(_) => Err("the check failed inside".to_owned()),
    }
}

fn describe(module: &Module, what: &What) -> String {
    use foghorn_certify::piece::walk::ClaimPlace;
    let name = |id: &foghorn_ir::FunctionId| module.functions[*id].name.clone();
    let place = |place: &ClaimPlace| match place {
        ClaimPlace::Loop(function, head) => format!("at block{head} of {}", name(function)),
        ClaimPlace::Requires(function) => format!("required by {}", name(function)),
        ClaimPlace::Ensures(function) => format!("ensured by {}", name(function)),
    };
    match what {
        What::Claim(at, index) => format!("claim {index} {} does not follow", place(at)),
        What::Inexpressible(at, index) => {
            format!("claim {index} {} says nothing there", place(at))
        }
        What::Unwinding(function, Some(head)) => {
            format!(
                "block{head} of {} can be reached more often",
                name(function)
            )
        }
        What::Unwinding(function, None) => format!("{} can call itself deeper", name(function)),
        What::Obligation(what) => format!("not expressed: {what}"),
        What::Site(..) => "a check does not follow".to_owned(),
    }
}
