//! Every check of the program, whatever the engines come to.
//!
//! An engine that is stopped has met some checks and not others, and how many depends on its luck. The
//! list here depends on the program alone: it gives checks their ids and their order, and what an
//! engine has no answer for is in the report with the reason.

use super::absint::is_explicit;
use foghorn_core::{CheckSelection, SiteKind, UnknownReason};
use foghorn_invariants::site::all_sites;
use foghorn_ir::Module;
use foghorn_ir::interpret::{Failure, ProgramPoint};
use foghorn_witness::report::{CheckId, CheckIds, CheckReport, VerdictName};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// The checks of a program.
pub struct Sites<'m> {
    /// The program as it was before the pure form.
    module: &'m Module,
    /// In the order of the program.
    list: Vec<(SiteKind, ProgramPoint, CheckReport)>,
    numbers: BTreeMap<(SiteKind, ProgramPoint), usize>,
    /// For what is not listed.
    further: RefCell<CheckIds>,
}

impl<'m> Sites<'m> {
    pub fn new(
        module: &'m Module,
        pure: &Module,
        checks: &CheckSelection,
        misaligned: bool,
    ) -> Self {
        let mut ids = CheckIds::default();
        let (mut list, mut numbers) = (vec![], BTreeMap::new());
        for site in all_sites(pure, checks, misaligned) {
            numbers.insert((site.kind, site.point), list.len());
            let kind = site.kind.representative();
            let span = module.spans.span(site.span);
            let function = function_name(module, site.point);
            let check = CheckReport {
                id: ids.next(&function, kind, span.line, span.column),
                kind,
                file: module.spans.file_name(span.file).to_string(),
                line: span.line,
                column: span.column,
                function,
                verdict: VerdictName::Unknown,
                reason: None,
                unreached: false,
                trace: None,
                harness: None,
            };
            list.push((site.kind, site.point, check));
        }
        Sites {
            module,
            list,
            numbers,
            further: RefCell::new(ids),
        }
    }

    /// The checks themselves, undecided.
    pub fn checks(&self) -> Vec<CheckReport> {
        self.list.iter().map(|(.., check)| check.clone()).collect()
    }

    /// The check of a site, undecided.
    pub fn check(
        &self,
        kind: SiteKind,
        point: Option<ProgramPoint>,
        span: foghorn_core::SpanId,
    ) -> CheckReport {
        let number = point.and_then(|point| self.numbers.get(&(kind, point)));
        if let Some(&number) = number {
            return self.list[number].2.clone();
        }
        let place = self.module.spans.span(span);
        let function = point.map_or_else(String::new, |point| function_name(self.module, point));
        let kind = kind.representative();
        CheckReport {
            id: self.further_id(&function, kind, place.line, place.column),
            kind,
            file: self.module.spans.file_name(place.file).to_string(),
            line: place.line,
            column: place.column,
            function,
            verdict: VerdictName::Unknown,
            reason: None,
            unreached: false,
            trace: None,
            harness: None,
        }
    }

    /// The check that a run failed at, undecided.
    pub fn failed(&self, failure: &Failure) -> CheckReport {
        let span = self.module.spans.span(failure.span);
        let file = self.module.spans.file_name(span.file);
        let is_it = |kind: SiteKind, check: &CheckReport| {
            kind.admits(failure.kind)
                && (&*check.file, check.line, check.column) == (&*file, span.line, span.column)
        };
        let mut list = self.list.iter();
        if let Some((.., check)) = list.find(|(kind, _, check)| is_it(*kind, check)) {
            return check.clone();
        }
        let frame = failure.stack.iter().find(|frame| !frame.is_model);
        let function = frame.map_or_else(String::new, |frame| frame.function.to_string());
        CheckReport {
            id: self.further_id(&function, failure.kind, span.line, span.column),
            kind: failure.kind,
            file: file.to_string(),
            line: span.line,
            column: span.column,
            function,
            verdict: VerdictName::Unknown,
            reason: None,
            unreached: false,
            trace: None,
            harness: None,
        }
    }

    fn further_id(
        &self,
        function: &str,
        kind: foghorn_core::CheckKind,
        line: u32,
        column: u32,
    ) -> CheckId {
        let mut further = self.further.borrow_mut();
        further.next(function, kind, line, column)
    }

    /// All checks: those with an answer, and the others, which hold if they are proved or if there
    /// is no reason why they should not be decided.
    pub fn complete(
        &self,
        answered: Vec<CheckReport>,
        is_proved: &dyn Fn(SiteKind, ProgramPoint) -> bool,
        open: Option<&UnknownReason>,
    ) -> Vec<CheckReport> {
        let mut all = answered;
        let listed: BTreeSet<CheckId> = all.iter().map(|check| check.id.clone()).collect();
        for (kind, point, check) in &self.list {
            if !listed.contains(&check.id) {
                let proved = is_proved(*kind, *point);
                let reason = open.filter(|_| !proved);
                let mut check = decided(check, reason);
                // An engine that came to its end met every check that a run comes to.
                check.unreached = !proved && reason.is_none() && is_explicit(*kind);
                all.push(check);
            }
        }
        in_order(&mut all, self.list.iter().map(|(.., check)| check));
        all
    }
}

/// The name of the function that a place is in; what the pure form adds has none.
fn function_name(module: &Module, point: ProgramPoint) -> String {
    let function = module.functions.get(point.function);
    function.map_or_else(String::new, |function| function.name.to_string())
}

fn decided(check: &CheckReport, reason: Option<&UnknownReason>) -> CheckReport {
    CheckReport {
        verdict: match reason {
            None => VerdictName::Safe,
            Some(_) => VerdictName::Unknown,
        },
        reason: reason.cloned(),
        ..check.clone()
    }
}

/// The order of the program; what is not listed comes last.
fn in_order<'c>(checks: &mut [CheckReport], listed: impl Iterator<Item = &'c CheckReport>) {
    let places: BTreeMap<&CheckId, usize> = listed
        .enumerate()
        .map(|(index, check)| (&check.id, index))
        .collect();
    checks.sort_by_key(|check| places.get(&check.id).copied().unwrap_or(usize::MAX));
}

/// The checks that an engine which was stopped has answered, and all others, open for this reason.
pub fn stopped(
    answered: Vec<CheckReport>,
    all: &[CheckReport],
    reason: &UnknownReason,
) -> Vec<CheckReport> {
    let mut checks = answered;
    let listed: BTreeSet<CheckId> = checks.iter().map(|check| check.id.clone()).collect();
    let open = all.iter().filter(|check| !listed.contains(&check.id));
    checks.extend(open.map(|check| decided(check, Some(reason))));
    in_order(&mut checks, all.iter());
    checks
}
