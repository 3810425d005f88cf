//! Planted faults: the hunt finds what it is there to find.
//!
//! A fault is a change of the program that only the engine sees, or, for the front end, of which the
//! machine knows nothing: the engine that forgets an assumption is one whose program has none. So no
//! engine has a switch that makes it wrong, and every engine can be given any fault. Each must be
//! found within [`PROGRAMS`] generated programs; the tests say in how many it was.

use super::native::{Comparison, Machine};
use super::source::{CHECKS, asserting};
use super::truth::{Domain, Place, Truth};
use crate::program;
use foghorn_bmc::{Bmc, InitialRegion, InitialRegions, Settings};
use foghorn_core::{Budget, CheckSelection, SiteKind, SpanId, Verdict};
use foghorn_dsa::graph::Site;
use foghorn_engine::{
    Candidate, Circumstances, Engine, EngineEntry, EngineOptions, EngineReport, Knowledge,
    Progress, Sink, SitePlace, SiteVerdict, Task,
};
use foghorn_invariants::prove::LADDER;
use foghorn_invariants::{ProofOptions, RegionTable, Scope, prove};
use foghorn_ir::graph::ControlFlowGraph;
use foghorn_ir::sites::SiteId;
use foghorn_ir::{BinaryOp, Body, Constant, Instruction, IntPredicate, Module, Terminator, Type};
use std::path::Path;
use std::time::Duration;

/// Programs within which every fault is found.
const PROGRAMS: u64 = 500;

type Fault = fn(&mut Body);

/// What an engine says of a program of which the truth is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Judged {
    is_wrong: bool,
    /// It proved something: whoever proves nothing is not wrong either.
    proves: bool,
}

impl Judged {
    /// Of one that proved these.
    fn of(proved: &[Place], truth: &Truth) -> Self {
        Judged {
            proves: !proved.is_empty(),
            is_wrong: proved.iter().any(|it| truth.failing.contains_key(it)),
        }
    }
}

type Judge = fn(&Module, &Truth) -> Judged;

fn plant(module: &mut Module, fault: Fault) {
    for function in module.functions.values_mut() {
        if let Some(body) = &mut function.body {
            fault(body);
        }
    }
}

fn change(body: &mut Body, mut change: impl FnMut(&mut Instruction)) {
    for data in body.instructions.values_mut() {
        change(&mut data.instruction);
    }
}

/// Takes the instructions away that a test picks.
fn drop_instructions(body: &mut Body, mut dropped: impl FnMut(&Instruction) -> bool) {
    for block in body.blocks.values_mut() {
        let instructions = &body.instructions;
        let kept = |id: &foghorn_ir::InstId| !dropped(&instructions[*id].instruction);
        block.instructions.retain(kept);
    }
}

fn forget_assumptions(body: &mut Body) {
    drop_instructions(body, |it| matches!(it, Instruction::Assume { .. }));
}

fn drop_every_second_store(body: &mut Body) {
    let mut count = 0;
    drop_instructions(body, |it| {
        let is_store = matches!(it, Instruction::Store { .. });
        count += usize::from(is_store);
        is_store && count % 2 == 0
    });
}

fn add_instead_of_subtracting(body: &mut Body) {
    change(body, |it| {
        if let Instruction::Binary { op, .. } = it
            && *op == BinaryOp::Sub
        {
            *op = BinaryOp::Add;
        }
    });
}

/// A fixpoint that ends before loops go round: no execution takes an edge that leads back.
fn never_go_round(body: &mut Body) {
    let cfg = ControlFlowGraph::new(body);
    let leads_back = |from, to| {
        cfg.position(to)
            .zip(cfg.position(from))
            .is_some_and(|(to, from)| to <= from)
    };
    let blocks: Vec<_> = body.blocks.keys().collect();
    for block in blocks {
        let constant = |body: &mut Body, bit| body.constant(Type::BOOL, Constant::Int(bit));
        match body.blocks[block].terminator.clone() {
            Terminator::Jump(target) if leads_back(block, target.block) => {
                let condition = constant(body, 0);
                body.append(
                    block,
                    Instruction::Assume { condition },
                    &[],
                    SpanId::UNKNOWN,
                );
                body.blocks[block].terminator = Terminator::Unreachable;
            }
            Terminator::Branch {
                on_true, on_false, ..
            } => {
                let bit = match (
                    leads_back(block, on_true.block),
                    leads_back(block, on_false.block),
                ) {
                    (true, false) => 0,
                    (false, true) => 1,
                    _ => continue,
                };
                body.blocks[block].terminator = Terminator::Branch {
                    condition: constant(body, bit),
                    on_true,
                    on_false,
                };
            }
            _ => {}
        }
    }
}

fn compare_without_signs(body: &mut Body) {
    change(body, |it| {
        if let Instruction::Compare { predicate, .. } = it {
            *predicate = match *predicate {
                IntPredicate::Slt => IntPredicate::Ult,
                IntPredicate::Sle => IntPredicate::Ule,
                IntPredicate::Sgt => IntPredicate::Ugt,
                IntPredicate::Sge => IntPredicate::Uge,
                other => other,
            };
        }
    });
}

fn shift_in_zeros(body: &mut Body) {
    change(body, |it| {
        if let Instruction::Binary { op, .. } = it
            && *op == BinaryOp::AShr
        {
            *op = BinaryOp::LShr;
        }
    });
}

fn checks() -> CheckSelection {
    CHECKS.parse().expect("known groups")
}

fn purified(module: &Module) -> (Module, foghorn_dsa::Analysis) {
    let mut pure = module.clone();
    let pointers = program::purify(&mut pure);
    (pure, pointers)
}

/// Whether bounded model checking contradicts the truth when it is given this program.
fn ask_bmc(module: &Module, truth: &Truth) -> Judged {
    let (pure, pointers) = purified(module);
    let entry = pure.entry.expect("main");
    let regions = pointers.function(entry).regions.values();
    let initial = regions.map(|info| InitialRegion {
        globals: info
            .sites
            .iter()
            .filter_map(|site| match site {
                Site::Global(global) => Some(*global),
                Site::Instruction(..) | Site::Environment => None,
            })
            .collect(),
        environment: info.sites.contains(&Site::Environment),
    });
    let bmc = Bmc {
        settings: Settings {
            checks: checks(),
            initial: InitialRegions(initial.collect()),
            ..Settings::default()
        },
        vacuity: false,
        ..Bmc::default()
    };
    let budget = Budget::unlimited().within(Duration::from_secs(10));
    let report = foghorn_bmc::check(&pure, &bmc, &budget, &mut |_| {});
    let verdict = report.expect("a solver").verdict();
    Judged {
        is_wrong: match verdict {
            Verdict::Safe => !truth.failing.is_empty(),
            Verdict::Unsafe => truth.complete && truth.failing.is_empty(),
            Verdict::Unknown { .. } => false,
        },
        proves: verdict == Verdict::Safe,
    }
}

/// Whether invariants prove a check at which the true program fails.
fn ask_absint(module: &Module, truth: &Truth) -> Judged {
    let (pure, pointers) = purified(module);
    let regions = RegionTable::new(&pure, &pointers);
    let options = ProofOptions {
        // The cheap rungs; the others are the same analysis with dearer domains.
        ladder: LADDER[..2]
            .iter()
            .map(|&domain| domain.to_owned())
            .collect(),
        scope: Scope::Contexts,
        checks: checks(),
        alignment: false,
        backward: false,
    };
    let proof = prove(&pure, &regions, &options, &mut |_| false).expect("known domains");
    let place = |span: SpanId, kind| {
        let span = pure.spans.span(span);
        Place {
            kind,
            line: span.line,
            column: span.column,
        }
    };
    let proved = proof.sites.iter().filter(|site| site.status.is_proved());
    let written = proved.filter_map(|site| match site.kind {
        SiteKind::Explicit(kind) => Some(place(site.span, kind)),
        _ => None,
    });
    Judged::of(&written.collect::<Vec<_>>(), truth)
}

struct Silent;

impl Sink for Silent {
    fn progress(&mut self, _: Progress) {}

    fn failure(&mut self, _: Option<SitePlace>, _: &Candidate) {}

    fn interim(&mut self, _: &EngineReport) {}

    fn news(&mut self) -> Option<Knowledge> {
        None
    }
}

/// Whether an engine of the table proves a check at which the true program fails.
fn ask(engine: &dyn Engine, module: &Module, truth: &Truth) -> Judged {
    let (pure, pointers) = purified(module);
    let circumstances = Circumstances::default();
    let task = Task::new(
        module.clone(),
        pure,
        &pointers,
        checks(),
        false,
        circumstances,
    );
    let (task, _) = task.expect("a task");
    let budget = Budget::unlimited().within(Duration::from_secs(10));
    let report = engine.run(&task, &Knowledge::default(), &budget, &mut Silent);
    let is_proved = |site: SiteId| {
        let mut answers = report.answers.iter();
        match answers.find(|it| it.site == SitePlace::Listed(site)) {
            Some(answer) => matches!(answer.verdict, SiteVerdict::Safe),
            None => report.incomplete.is_none(),
        }
    };
    let spans = &task.pure().spans;
    let proved = task.sites().iter().filter(|(id, _)| is_proved(*id));
    let written = proved.filter_map(|(_, site)| match site.kind {
        SiteKind::Explicit(kind) => {
            let span = spans.span(site.span);
            Some(Place {
                kind,
                line: span.line,
                column: span.column,
            })
        }
        SiteKind::Dereference
        | SiteKind::Alignment
        | SiteKind::Free
        | SiteKind::Call
        | SiteKind::PointerOrder
        | SiteKind::Leak
        | SiteKind::Cleanup => None,
    });
    Judged::of(&written.collect::<Vec<_>>(), truth)
}

fn made(entry: &EngineEntry) -> Box<dyn Engine> {
    (entry.make)(&EngineOptions::default()).expect("no options")
}

fn ask_acceleration(module: &Module, truth: &Truth) -> Judged {
    ask(&*made(&foghorn_acceleration::door::ENTRY), module, truth)
}

/// The entry of the binary's own table starts this program again for each member of its portfolio, and here that is the
/// test, which answers nothing. So it is the crate's entry, with Spacer in this process.
fn ask_horn(module: &Module, truth: &Truth) -> Judged {
    ask(&*made(&foghorn_horn::door::ENTRY), module, truth)
}

fn ask_kiki(module: &Module, truth: &Truth) -> Judged {
    ask(&*made(&foghorn_kiki::door::ENTRY), module, truth)
}

/// The number of programs within which an engine with this fault is found to be wrong.
fn programs_until_wrong(fault: Option<Fault>, ask: Judge, most: u64) -> Option<u64> {
    (1..=most).find(|&seed| judge(seed, fault, ask).is_wrong)
}

/// What an engine with this fault says of the program of a seed.
fn judge(seed: u64, fault: Option<Fault>, ask: Judge) -> Judged {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("program.c");
    let load = |path: &Path| program::load_file(path);
    let text = asserting(seed, &path, &load).expect("a program");
    std::fs::write(&path, text).expect("a file");
    let mut module = program::load_file(&path).expect("a program");
    let truth = Truth::of(&module, checks().groups(), Domain::Small);
    if let Some(fault) = fault {
        plant(&mut module, fault);
    }
    ask(&module, &truth)
}

/// The number of programs within which the machine contradicts a front end with this fault.
fn programs_until_machine_disagrees(fault: Option<Fault>, most: u64) -> Option<u64> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("program.c");
    let clang = foghorn_frontend::default_clang();
    let machine = Machine::new(&clang, folder.path()).expect("clang");
    let load = |path: &Path| {
        let mut module = program::load_file(path)?;
        if let Some(fault) = fault {
            plant(&mut module, fault);
        }
        Ok(module)
    };
    (1..=most).find(|&seed| {
        let text = asserting(seed, &path, &load).expect("a program");
        std::fs::write(&path, text).expect("a file");
        let module = load(&path).expect("a program");
        let truth = Truth::of(&module, checks().groups(), Domain::Small);
        let compared = machine.compare(&path, &truth.executions);
        matches!(compared.expect("clang"), Comparison::Different(_))
    })
}

fn tell(what: &str, found: Option<u64>) {
    let programs = found.unwrap_or_else(|| panic!("{what}: not found in {PROGRAMS} programs"));
    println!("{what}: found in {programs} programs");
}

#[test]
fn faults_of_bounded_model_checking_are_found() {
    for (what, fault) in [
        ("forgets assumptions", forget_assumptions as Fault),
        ("drops every second store", drop_every_second_store),
    ] {
        tell(what, programs_until_wrong(Some(fault), ask_bmc, PROGRAMS));
    }
}

#[test]
fn faults_of_abstract_interpretation_are_found() {
    for (what, fault) in [
        (
            "adds instead of subtracting",
            add_instead_of_subtracting as Fault,
        ),
        ("ends the fixpoint early", never_go_round),
    ] {
        tell(
            what,
            programs_until_wrong(Some(fault), ask_absint, PROGRAMS),
        );
    }
}

/// Faults of the engines that prove: a loop that never goes round, and numbers that are added instead of subtracted.
const FAULTS_OF_PROOFS: [(&str, Fault); 2] = [
    ("adds instead of subtracting", add_instead_of_subtracting),
    ("never goes round", never_go_round),
];

fn find_faults(name: &str, ask: Judge) {
    let sound: Vec<Judged> = (1..=8).map(|seed| judge(seed, None, ask)).collect();
    assert!(sound.iter().all(|it| !it.is_wrong), "{name}: {sound:?}");
    assert!(sound.iter().any(|it| it.proves), "{name}: {sound:?}");
    for (what, fault) in FAULTS_OF_PROOFS {
        let found = programs_until_wrong(Some(fault), ask, PROGRAMS);
        tell(&format!("{name} {what}"), found);
    }
}

#[test]
fn faults_of_summarisation_are_found() {
    find_faults("acceleration", ask_acceleration);
}

/// These search for as long as they may, so whether a fault is found in time depends on the machine: they are hunted on
/// request, with `FOGHORN_SUITES=all`.
#[test]
fn faults_of_slower_engines_are_found() {
    if std::env::var("FOGHORN_SUITES").is_ok_and(|which| which == "all") {
        find_faults("kiki", ask_kiki);
        find_faults("horn", ask_horn);
    }
}

#[test]
fn faults_of_the_front_end_are_found() {
    for (what, fault) in [
        ("compares without signs", compare_without_signs as Fault),
        ("shifts in zeros", shift_in_zeros),
    ] {
        tell(
            what,
            programs_until_machine_disagrees(Some(fault), PROGRAMS),
        );
    }
}

/// The same without a fault: nothing is found.
#[test]
fn without_a_fault_nothing_is_found() {
    assert_eq!(programs_until_wrong(None, ask_bmc, 12), None);
    assert_eq!(programs_until_wrong(None, ask_absint, 12), None);
    assert_eq!(programs_until_machine_disagrees(None, 12), None);
}
