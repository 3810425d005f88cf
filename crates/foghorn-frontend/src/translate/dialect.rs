//! Names that mean something to verification tools, in every common dialect.
//!
//! This is the table of `docs/guide/dialects.md`. A name counts only where no linked unit gives
//! it a body; the declared type, not the name, decides the type of a nondet value. What each
//! meaning does is in [`super::meaning`].

/// What a name means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    Assume {
        negated: bool,
    },
    Assert {
        negated: bool,
    },
    /// `sassert`: a false condition is an error.
    AssertReach,
    /// `(a, c)`: if a then c.
    AssertIf,
    Error,
    Fail,
    Nondet,
    NondetBool,
    NondetRange,
    Nothing,
    Zero,
    Identity,
    Exit,
    Abort,
    CheckLibrary,
    CheckOverlap,
    /// Runs the functions that run when the program ends.
    RunDestructors,
    /// A model met what it cannot do.
    ModelLimit,
    /// A question to, or a change of, the memory model.
    Memory(MemoryMeaning),
    /// The C library's own: see [`super::library`].
    Library,
}

/// What a name that speaks about memory, or to the outside, means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MemoryMeaning {
    /// `(ptr, size)`.
    Havoc,
    /// SeaHorn's proofs havoc what an allocator gave them before they ask whether it gave
    /// anything.
    HavocUnlessNull,
    HavocObject,
    IsDereferenceable,
    CheckDereferenceable,
    ObjectSize,
    ObjectOffset,
    SameObject,
    IsAlive,
    IsModified,
    ResetModified,
    IsRead,
    ResetRead,
    TrackAccesses(bool),
    SetShadow,
    GetShadow,
    Write,
    Read,
    FormatFloat,
}

const EXACT: &[(&str, Meaning)] = &[
    ("__VERIFIER_assume", Meaning::Assume { negated: false }),
    ("__SEA_assume", Meaning::Assume { negated: false }),
    ("verifier.assume", Meaning::Assume { negated: false }),
    ("verifier.assume.not", Meaning::Assume { negated: true }),
    ("assume", Meaning::Assume { negated: false }),
    ("assume_abort_if_not", Meaning::Assume { negated: false }),
    ("ldv_assume", Meaning::Assume { negated: false }),
    ("__CPROVER_assume", Meaning::Assume { negated: false }),
    ("__ESBMC_assume", Meaning::Assume { negated: false }),
    ("__llbmc_assume", Meaning::Assume { negated: false }),
    ("__SMACK_assume", Meaning::Assume { negated: false }),
    ("__CRAB_assume", Meaning::Assume { negated: false }),
    ("crab.assume", Meaning::Assume { negated: false }),
    ("klee_assume", Meaning::Assume { negated: false }),
    ("__foghorn_assume", Meaning::Assume { negated: false }),
    ("__VERIFIER_assert", Meaning::Assert { negated: false }),
    ("__VERIFIER_assert_not", Meaning::Assert { negated: true }),
    ("__VERIFIER_assert_if", Meaning::AssertIf),
    ("sea_assert_if", Meaning::AssertIf),
    ("verifier.assert", Meaning::Assert { negated: false }),
    ("verifier.assert.not", Meaning::Assert { negated: true }),
    ("__CPROVER_assert", Meaning::Assert { negated: false }),
    ("__CPROVER_precondition", Meaning::Assert { negated: false }),
    (
        "__CPROVER_postcondition",
        Meaning::Assert { negated: false },
    ),
    ("__ESBMC_assert", Meaning::Assert { negated: false }),
    ("__llbmc_assert", Meaning::Assert { negated: false }),
    ("__SMACK_assert", Meaning::Assert { negated: false }),
    ("__CRAB_assert", Meaning::Assert { negated: false }),
    ("crab.assert", Meaning::Assert { negated: false }),
    ("klee_assert", Meaning::Assert { negated: false }),
    ("sassert", Meaning::AssertReach),
    ("reach_error", Meaning::Error),
    ("__VERIFIER_error", Meaning::Error),
    ("verifier.error", Meaning::Error),
    ("seahorn.error", Meaning::Error),
    ("seahorn.fail", Meaning::Error),
    ("__SEAHORN_error", Meaning::Error),
    ("__SEAHORN_fail", Meaning::Error),
    ("ldv_error", Meaning::Error),
    ("__blast_assert", Meaning::Error),
    ("blast_error", Meaning::Error),
    ("__assert_fail", Meaning::Fail),
    ("__assert_perror_fail", Meaning::Fail),
    ("__assert", Meaning::Fail),
    ("__assert_rtn", Meaning::Fail),
    ("__assert13", Meaning::Fail),
    ("__assert2", Meaning::Fail),
    ("klee_abort", Meaning::Fail),
    ("klee_report_error", Meaning::Fail),
    ("__VERIFIER_nondet", Meaning::Nondet),
    ("nondet", Meaning::Nondet),
    ("__nondet", Meaning::Nondet),
    ("klee_int", Meaning::Nondet),
    ("__VERIFIER_nondet_bool", Meaning::NondetBool),
    ("__VERIFIER_nondet__Bool", Meaning::NondetBool),
    ("nondet_bool", Meaning::NondetBool),
    ("nondet__Bool", Meaning::NondetBool),
    ("nd_bool", Meaning::NondetBool),
    ("klee_range", Meaning::NondetRange),
    (
        "__VERIFIER_nondet_memory",
        Meaning::Memory(MemoryMeaning::Havoc),
    ),
    ("memhavoc", Meaning::Memory(MemoryMeaning::HavocUnlessNull)),
    (
        "sea_memhavoc",
        Meaning::Memory(MemoryMeaning::HavocUnlessNull),
    ),
    (
        "__CPROVER_havoc_slice",
        Meaning::Memory(MemoryMeaning::Havoc),
    ),
    ("klee_make_symbolic", Meaning::Memory(MemoryMeaning::Havoc)),
    (
        "__CPROVER_havoc_object",
        Meaning::Memory(MemoryMeaning::HavocObject),
    ),
    ("abort", Meaning::Abort),
    ("__foghorn_abort", Meaning::Abort),
    ("klee_silent_exit", Meaning::Abort),
    ("_exit", Meaning::Exit),
    ("_Exit", Meaning::Exit),
    ("quick_exit", Meaning::Exit),
    ("exit", Meaning::Exit),
    ("__foghorn_exit", Meaning::Exit),
    ("__foghorn_run_destructors", Meaning::RunDestructors),
    ("__VERIFIER_atomic_begin", Meaning::Nothing),
    ("__VERIFIER_atomic_end", Meaning::Nothing),
    ("__CPROVER_atomic_begin", Meaning::Nothing),
    ("__CPROVER_atomic_end", Meaning::Nothing),
    ("__CPROVER_input", Meaning::Nothing),
    ("__CPROVER_output", Meaning::Nothing),
    ("__CPROVER_printf", Meaning::Nothing),
    ("__CPROVER_cover", Meaning::Nothing),
    ("__ESBMC_atomic_begin", Meaning::Nothing),
    ("__ESBMC_atomic_end", Meaning::Nothing),
    ("__ESBMC_yield", Meaning::Nothing),
    ("seahorn.fn.enter", Meaning::Nothing),
    ("sea_dsa_alias", Meaning::Nothing),
    ("sea_dsa_set_read", Meaning::Nothing),
    ("sea_dsa_set_modified", Meaning::Nothing),
    ("sea_printf", Meaning::Nothing),
    ("__SMACK_code", Meaning::Nothing),
    ("klee_warning", Meaning::Nothing),
    ("klee_warning_once", Meaning::Nothing),
    ("klee_print_expr", Meaning::Nothing),
    ("klee_open_merge", Meaning::Nothing),
    ("klee_close_merge", Meaning::Nothing),
    ("klee_mark_global", Meaning::Nothing),
    ("klee_prefer_cex", Meaning::Nothing),
    ("klee_posix_prefer_cex", Meaning::Nothing),
    ("klee_stack_trace", Meaning::Nothing),
    ("klee_set_forking", Meaning::Nothing),
    ("klee_alias_function", Meaning::Nothing),
    ("klee_is_symbolic", Meaning::Zero),
    ("klee_is_replay", Meaning::Zero),
    (
        "__CPROVER_same_object",
        Meaning::Memory(MemoryMeaning::SameObject),
    ),
    (
        "__foghorn_same_object",
        Meaning::Memory(MemoryMeaning::SameObject),
    ),
    (
        "__CPROVER_OBJECT_SIZE",
        Meaning::Memory(MemoryMeaning::ObjectSize),
    ),
    (
        "klee_get_obj_size",
        Meaning::Memory(MemoryMeaning::ObjectSize),
    ),
    (
        "__foghorn_object_size",
        Meaning::Memory(MemoryMeaning::ObjectSize),
    ),
    (
        "__CPROVER_POINTER_OFFSET",
        Meaning::Memory(MemoryMeaning::ObjectOffset),
    ),
    (
        "__foghorn_object_offset",
        Meaning::Memory(MemoryMeaning::ObjectOffset),
    ),
    (
        "__CPROVER_r_ok",
        Meaning::Memory(MemoryMeaning::IsDereferenceable),
    ),
    (
        "__CPROVER_w_ok",
        Meaning::Memory(MemoryMeaning::IsDereferenceable),
    ),
    (
        "__CPROVER_rw_ok",
        Meaning::Memory(MemoryMeaning::IsDereferenceable),
    ),
    (
        "sea_is_dereferenceable",
        Meaning::Memory(MemoryMeaning::IsDereferenceable),
    ),
    (
        "sea_is_deref",
        Meaning::Memory(MemoryMeaning::IsDereferenceable),
    ),
    (
        "sea.is_dereferenceable",
        Meaning::Memory(MemoryMeaning::IsDereferenceable),
    ),
    (
        "__CRAB_intrinsic_is_dereferenceable",
        Meaning::Memory(MemoryMeaning::IsDereferenceable),
    ),
    (
        "__foghorn_is_dereferenceable",
        Meaning::Memory(MemoryMeaning::IsDereferenceable),
    ),
    (
        "klee_check_memory_access",
        Meaning::Memory(MemoryMeaning::CheckDereferenceable),
    ),
    ("sea_is_alloc", Meaning::Memory(MemoryMeaning::IsAlive)),
    ("sea.is_alloc", Meaning::Memory(MemoryMeaning::IsAlive)),
    (
        "sea_is_modified",
        Meaning::Memory(MemoryMeaning::IsModified),
    ),
    (
        "sea.is_modified",
        Meaning::Memory(MemoryMeaning::IsModified),
    ),
    (
        "sea_reset_modified",
        Meaning::Memory(MemoryMeaning::ResetModified),
    ),
    (
        "sea.reset_modified",
        Meaning::Memory(MemoryMeaning::ResetModified),
    ),
    ("sea_is_read", Meaning::Memory(MemoryMeaning::IsRead)),
    ("sea.is_read", Meaning::Memory(MemoryMeaning::IsRead)),
    ("sea_reset_read", Meaning::Memory(MemoryMeaning::ResetRead)),
    ("sea.reset_read", Meaning::Memory(MemoryMeaning::ResetRead)),
    (
        "sea_tracking_on",
        Meaning::Memory(MemoryMeaning::TrackAccesses(true)),
    ),
    (
        "sea_tracking_off",
        Meaning::Memory(MemoryMeaning::TrackAccesses(false)),
    ),
    (
        "sea_set_shadowmem",
        Meaning::Memory(MemoryMeaning::SetShadow),
    ),
    (
        "sea_get_shadowmem",
        Meaning::Memory(MemoryMeaning::GetShadow),
    ),
    ("__foghorn_check_library", Meaning::CheckLibrary),
    ("__foghorn_check_overlap", Meaning::CheckOverlap),
    ("__foghorn_havoc", Meaning::Memory(MemoryMeaning::Havoc)),
    ("__foghorn_nondet_bool", Meaning::NondetBool),
    ("__foghorn_unsupported", Meaning::ModelLimit),
    ("__foghorn_write", Meaning::Memory(MemoryMeaning::Write)),
    ("__foghorn_read", Meaning::Memory(MemoryMeaning::Read)),
    (
        "__foghorn_format_double",
        Meaning::Memory(MemoryMeaning::FormatFloat),
    ),
];

const PREFIXES: &[(&str, Meaning)] = &[
    ("__VERIFIER_nondet_", Meaning::Nondet),
    ("__VERIFIER_error_", Meaning::Error),
    ("__CPROVER_nondet_", Meaning::Nondet),
    ("__SMACK_nondet_", Meaning::Nondet),
    ("__foghorn_nondet_", Meaning::Nondet),
    ("__foghorn_stdin_", Meaning::Nondet),
    ("__foghorn_file_", Meaning::Nondet),
    ("__foghorn_library_", Meaning::Nondet),
    ("nondet_", Meaning::Nondet),
    ("nd_", Meaning::Nondet),
    ("sea_nd_", Meaning::Nondet),
    ("verifier.nondet.", Meaning::Nondet),
    ("__CRAB_intrinsic_", Meaning::Nothing),
    ("sea_abc_", Meaning::Nothing),
    ("klee_get_value_", Meaning::Identity),
];

/// What a name without a body means.
pub(crate) fn meaning(name: &str) -> Option<Meaning> {
    let exact = EXACT.iter().find(|(known, _)| *known == name);
    let prefix = || PREFIXES.iter().find(|(prefix, _)| name.starts_with(prefix));
    exact
        .or_else(prefix)
        .map(|&(_, meaning)| meaning)
        .or_else(|| super::library::is_known(name).then_some(Meaning::Library))
}

/// Whether a call of this name is its meaning rather than a call.
pub(crate) fn has_meaning(name: &str, is_declaration: bool) -> bool {
    is_declaration && meaning(name).is_some()
}

/// The functions that jump out of, or back into, a call.
pub(crate) fn is_non_local_jump(name: &str) -> bool {
    matches!(
        name,
        "setjmp"
            | "_setjmp"
            | "__setjmp"
            | "sigsetjmp"
            | "__sigsetjmp"
            | "longjmp"
            | "_longjmp"
            | "siglongjmp"
            | "getcontext"
            | "setcontext"
            | "swapcontext"
            | "makecontext"
    )
}
