//! Every check of the program as the report lists it, whatever the engines come to.
//!
//! An engine that is stopped has met some checks and not others, and how many depends on its luck. The
//! list here depends on the task alone: it gives checks their ids and their order.

use cranelift_entity::EntityRef;
use foghorn_core::{CheckKind, SpanId};
use foghorn_engine::{SitePlace, Task};
use foghorn_ir::interpret::{Failure, ProgramPoint};
use foghorn_ir::sites::{Site, SiteId};
use foghorn_witness::report::{CheckIds, CheckReport, VerdictName};
use std::cell::RefCell;

/// The checks of a task, undecided.
pub struct CheckList<'t> {
    task: &'t Task,
    /// By the numbers of sites.
    list: Vec<CheckReport>,
    /// For what is not listed.
    further: RefCell<CheckIds>,
}

impl<'t> CheckList<'t> {
    pub fn new(task: &'t Task) -> Self {
        let mut ids = CheckIds::default();
        let sites = task.sites().iter().map(|(_, site)| {
            let function = function_name(task, site.point);
            undecided(
                task,
                &mut ids,
                site.kind.representative(),
                site.span,
                function,
            )
        });
        CheckList {
            list: sites.collect(),
            task,
            further: RefCell::new(ids),
        }
    }

    /// The listed checks, by the numbers of their sites.
    pub fn all(&self) -> &[CheckReport] {
        &self.list
    }

    /// The check of a site.
    pub fn of(&self, site: SitePlace) -> CheckReport {
        match site {
            SitePlace::Listed(id) => self.list[id.index()].clone(),
            SitePlace::Further { kind, point, span } => {
                let function = point.map_or_else(String::new, |it| function_name(self.task, it));
                let mut ids = self.further.borrow_mut();
                undecided(self.task, &mut ids, kind.representative(), span, function)
            }
        }
    }

    /// The check that a run failed at, where the list has none.
    pub fn further(&self, failure: &Failure) -> CheckReport {
        let frame = failure.stack.iter().find(|frame| !frame.is_model);
        let function = frame.map_or_else(String::new, |frame| frame.function.to_string());
        let mut ids = self.further.borrow_mut();
        undecided(self.task, &mut ids, failure.kind, failure.span, function)
    }
}

/// The site that a run failed at, if it is listed. Sites at one place of the source are told apart by the
/// instruction, unless it is one that the pure form replaced (a call through a pointer).
pub fn site_of(task: &Task, failure: &Failure) -> Option<SiteId> {
    let spans = &task.program().spans;
    let place = spans.span(failure.span);
    let is_it = |site: &Site| {
        let own = spans.span(site.span);
        site.kind.admits(failure.kind)
            && (own.file, own.line, own.column) == (place.file, place.line, place.column)
    };
    let mut there = task.sites().iter().filter(|(_, site)| is_it(site));
    let first = there.next()?;
    let mut all = std::iter::once(first).chain(there);
    let exact = all.find(|(_, site)| failure.point == Some(site.point));
    Some(exact.unwrap_or(first).0)
}

fn undecided(
    task: &Task,
    ids: &mut CheckIds,
    kind: CheckKind,
    span: SpanId,
    function: String,
) -> CheckReport {
    let spans = &task.program().spans;
    let place = spans.span(span);
    CheckReport {
        id: ids.next(&function, kind, place.line, place.column),
        kind,
        file: spans.file_name(place.file).to_string(),
        line: place.line,
        column: place.column,
        function,
        verdict: VerdictName::Unknown,
        reason: None,
        unreached: false,
        proved_by: vec![],
        certified: None,
        trace: None,
        harness: None,
    }
}

/// The name of the function that a place is in; what the pure form adds has none.
fn function_name(task: &Task, point: ProgramPoint) -> String {
    let function = task.program().functions.get(point.function);
    function.map_or_else(String::new, |function| function.name.to_string())
}
