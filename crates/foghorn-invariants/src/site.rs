//! What is known of check sites ([`foghorn_ir::sites`]): a site is proved if each of its obligations is.

use foghorn_absint::analysis::checker::CheckStatus;
use foghorn_core::{CheckSelection, SiteKind, SpanId};
use foghorn_ir::Module;
use foghorn_ir::interpret::ProgramPoint;
use foghorn_ir::sites::{Claim, gather};

use crate::analysis::CheckResult;
use crate::obligation::ObligationKind;

/// The site that an obligation belongs to.
fn site_of(kind: ObligationKind) -> SiteKind {
    match kind {
        ObligationKind::Check(kind) => SiteKind::Explicit(kind),
        ObligationKind::Access { .. } => SiteKind::Dereference,
        ObligationKind::Alignment => SiteKind::Alignment,
        ObligationKind::Free => SiteKind::Free,
        ObligationKind::Call => SiteKind::Call,
        ObligationKind::PointerOrder => SiteKind::PointerOrder,
        ObligationKind::Leak => SiteKind::Leak,
        ObligationKind::Cleanup => SiteKind::Cleanup,
    }
}

/// What is known of a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SiteStatus {
    /// No run comes here.
    Unreached,
    /// It holds in every run.
    Proved,
    /// Neither is known. The obligation by which it stays open is given by its number in the list
    /// of results.
    Open(usize),
}

impl SiteStatus {
    #[must_use]
    pub fn is_proved(self) -> bool {
        match self {
            SiteStatus::Unreached | SiteStatus::Proved => true,
            SiteStatus::Open(_) => false,
        }
    }

    fn combine(self, other: SiteStatus) -> SiteStatus {
        match (self, other) {
            (open @ SiteStatus::Open(_), _) | (_, open @ SiteStatus::Open(_)) => open,
            (SiteStatus::Proved, _) | (_, SiteStatus::Proved) => SiteStatus::Proved,
            (SiteStatus::Unreached, SiteStatus::Unreached) => SiteStatus::Unreached,
        }
    }
}

/// A site and what is known of it.
#[derive(Clone, Copy, Debug)]
pub struct SiteResult {
    pub kind: SiteKind,
    pub point: ProgramPoint,
    pub span: SpanId,
    pub status: SiteStatus,
}

/// What an obligation contributes.
fn status(result: &CheckResult, index: usize) -> SiteStatus {
    match (result.status, result.kind.is_complete()) {
        (CheckStatus::Unreachable, _) => SiteStatus::Unreached,
        (CheckStatus::Safe, true) => SiteStatus::Proved,
        (CheckStatus::Safe | CheckStatus::Warning | CheckStatus::Error, _) => {
            SiteStatus::Open(index)
        }
    }
}

/// The sites of the functions that the program may call, in the order of the program.
#[must_use]
pub fn sites(module: &Module, results: &[CheckResult], checks: &CheckSelection) -> Vec<SiteResult> {
    let claims = results.iter().enumerate().map(|(index, result)| Claim {
        function: result.function,
        instruction: result.instruction,
        kind: site_of(result.kind),
        status: status(result, index),
    });
    let sites = gather(module, claims, checks, SiteStatus::combine).into_iter();
    let results = sites.map(|(site, status)| SiteResult {
        kind: site.kind,
        point: site.point,
        span: site.span,
        status,
    });
    results.collect()
}
