//! The program of a task with mixed semantics, and its answers in the terms of the task (record 0250).
//!
//! The pass works on the program as it is before memory becomes values, with all calls direct: instructions have the
//! numbers of the pure form there, and what pointers of the copies in the entry lead to is the pointer analysis' to say
//! again. The result is a task of its own. Its checks are those of the original one, some of them twice: in a function
//! that only returns, where a failure is not considered, and in the copy of the entry.
//!
//! Nothing that is said of it leaves this crate untranslated: sites and inputs are those of the original program, on
//! which every run is executed.

use crate::clauses::SiteRef;
use crate::form::{Form, ProcedureForm};
use crate::path::Refusal;
use foghorn_core::{CheckKind, SiteKind, SpanId};
use foghorn_dsa::memory_ssa::plan::{purify, resolve_calls};
use foghorn_encode::execute::settings::Settings;
use foghorn_engine::{Circumstances, Knowledge, Task};
use foghorn_ir::Module;
use foghorn_ir::graph::CallGraph;
use foghorn_ir::interpret::ProgramPoint;
use foghorn_ir::sites::reached_functions;
use foghorn_query::door;
use foghorn_transform::mixed::{Mixed, MixedOptions, mix};
use rustc_hash::FxHashSet;

/// A task whose program has mixed semantics.
pub struct MixedProgram {
    pub task: Task,
    pub settings: Settings,
    mixed: Mixed,
}

impl MixedProgram {
    /// Gives the program of a task mixed semantics.
    ///
    /// # Errors
    /// A phrase that says why it has none.
    pub fn new(task: &Task, settings: &Settings) -> Result<Self, String> {
        let options = foghorn_dsa::Options::default();
        let mut program = task.program().clone();
        resolve_calls(&mut program, &options);
        if !has_same_numbers(&program, task.pure()) {
            return Err("calls were made direct in another way".to_owned());
        }
        let is_open = |kind: SiteKind, point: ProgramPoint| {
            task.sites().find(kind, point).is_some() && !settings.is_proved(kind, Some(point))
        };
        let fails_here = FxHashSet::from_iter(task.sites().iter().filter_map(|(_, site)| {
            // What leaks is found at the end of the program.
            let later = matches!(site.kind, SiteKind::Leak | SiteKind::Cleanup);
            (!later && is_open(site.kind, site.point)).then_some(site.point)
        }));
        let mixed = mix(
            &mut program,
            &MixedOptions {
                can_fail: &|point| fails_here.contains(&point),
                counts: &|point, kind: CheckKind| is_open(SiteKind::Explicit(kind), point),
            },
        );
        let mixed = mixed.map_err(|refusal| refusal.to_string())?;
        let mut pure = program.clone();
        let pointers = purify(&mut pure, &options);
        let made = Task::new(
            program,
            pure,
            &pointers,
            task.checks().clone(),
            task.alignment(),
            Circumstances::default(),
        );
        let (own, _) = made.map_err(|error| error.to_string())?;
        let mut own_settings = door::settings(&own, &Knowledge::of(own.hash()));
        let sites = own.sites().iter().map(|(_, site)| (site.kind, site.point));
        own_settings.proved = sites
            .filter(|(kind, point)| {
                let original = mixed.original(*point);
                original.is_some_and(|point| !is_open(*kind, point))
            })
            .collect();
        Ok(MixedProgram {
            task: own,
            settings: own_settings,
            mixed,
        })
    }

    /// An instruction in the original program; `None` for a choice that only this one makes.
    pub fn original(&self, point: ProgramPoint) -> Option<ProgramPoint> {
        self.mixed.original(point)
    }

    /// A site in the original program.
    pub fn original_site(&self, site: SiteRef) -> SiteRef {
        SiteRef {
            kind: site.kind,
            point: site.point.and_then(|point| self.original(point)),
        }
    }

    /// All sites of this program that are one of these in the original one.
    pub fn copies_of(&self, sites: &FxHashSet<SiteRef>) -> FxHashSet<SiteRef> {
        let own = self.task.sites().iter().map(|(_, site)| SiteRef {
            kind: site.kind,
            point: Some(site.point),
        });
        own.filter(|site| sites.contains(&self.original_site(*site)))
            .collect()
    }
}

/// The forms in which a task is asked about. Beside others mixed semantics pays where functions call themselves: what is
/// not recursive is part of its callers there anyway.
pub fn forms_for(task: &Task, forms: &[Form]) -> Vec<Form> {
    let module = task.pure();
    let calls = CallGraph::new(module);
    let is_recursive = reached_functions(module)
        .iter()
        .any(|id| calls.is_recursive(*id));
    let is_mixed = |form: &Form| form.procedures == ProcedureForm::Mixed;
    let keeps_all = is_recursive || forms.iter().all(is_mixed);
    let wanted = forms.iter().filter(|form| keeps_all || !is_mixed(form));
    wanted.copied().collect()
}

/// The refusal of a program that has no mixed semantics.
pub fn not_mixed(why: &str) -> Refusal {
    Refusal {
        construct: format!("mixed semantics of this program ({why})"),
        span: SpanId::UNKNOWN,
    }
}

/// Whether each instruction of a program is the one with the same number in another.
fn has_same_numbers(program: &Module, pure: &Module) -> bool {
    program.entry == pure.entry
        && program.functions.iter().all(|(id, function)| {
            let other = pure.functions.get(id).and_then(|it| it.body.as_ref());
            let (Some(body), Some(other)) = (&function.body, other) else {
                return function.body.is_none() == other.is_none();
            };
            let mut ids = body.blocks.values().flat_map(|it| &it.instructions);
            ids.all(|id| {
                let theirs = other.instructions.get(*id).map(|it| &it.instruction);
                theirs == Some(&body.instructions[*id].instruction)
            })
        })
}
