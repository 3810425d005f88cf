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
    /// A virtual function without a body was called.
    PureVirtual,
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
    /// CBMC's questions and changes that no other dialect has: see [`super::cprover`].
    Cprover(CproverMeaning),
}

/// What names of CBMC mean that is made of several operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CproverMeaning {
    /// `(size, zero)`.
    Allocate,
    /// `(ptr, value)`: from the pointer to the end of its object.
    ArraySet,
    /// `(to, from)`: as many bytes as there are behind `to`.
    ArrayCopy,
    /// `(to, from)`: as many bytes as there are behind `from`.
    ArrayReplace,
    PointerObject,
    DynamicObject,
}

/// The name by which CBMC's programs ask whether an object is on the heap.
pub(crate) const DYNAMIC_OBJECT: &str = "__CPROVER_DYNAMIC_OBJECT";

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
    // Without <assert.h>, and where the program defines nothing of that name.
    ("assert", Meaning::Assert { negated: false }),
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
        "__CPROVER_allocate",
        Meaning::Memory(MemoryMeaning::Cprover(CproverMeaning::Allocate)),
    ),
    (
        "__CPROVER_array_set",
        Meaning::Memory(MemoryMeaning::Cprover(CproverMeaning::ArraySet)),
    ),
    (
        "__CPROVER_array_copy",
        Meaning::Memory(MemoryMeaning::Cprover(CproverMeaning::ArrayCopy)),
    ),
    (
        "__CPROVER_array_replace",
        Meaning::Memory(MemoryMeaning::Cprover(CproverMeaning::ArrayReplace)),
    ),
    (
        "__CPROVER_POINTER_OBJECT",
        Meaning::Memory(MemoryMeaning::Cprover(CproverMeaning::PointerObject)),
    ),
    (
        DYNAMIC_OBJECT,
        Meaning::Memory(MemoryMeaning::Cprover(CproverMeaning::DynamicObject)),
    ),
    (
        "__CPROVER_LIVE_OBJECT",
        Meaning::Memory(MemoryMeaning::IsAlive),
    ),
    (
        "__CPROVER_havoc_object",
        Meaning::Memory(MemoryMeaning::HavocObject),
    ),
    ("__cxa_pure_virtual", Meaning::PureVirtual),
    // The library's streams get ready, and are flushed.
    ("_ZNSt8ios_base4InitC1Ev", Meaning::Nothing),
    ("_ZNSt8ios_base4InitD1Ev", Meaning::Nothing),
    ("abort", Meaning::Abort),
    ("_ZSt9terminatev", Meaning::Abort),
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

/// How the names of dialects begin that we know.
const DIALECTS: &[&str] = &[
    "__CPROVER_",
    "__VERIFIER_",
    "__ESBMC_",
    "sea_",
    "klee_",
    "nd_",
];

/// Whether a name is one of a dialect's. One that means nothing to us, and has no body, must not
/// pass for a function of the program that is defined elsewhere.
pub(crate) fn belongs_to_dialect(name: &str) -> bool {
    DIALECTS.iter().any(|prefix| name.starts_with(prefix))
        && !name.starts_with("__VERIFIER_atomic_")
}

/// Whether a name needs no declaration, because it is a dialect's and means something.
pub(crate) fn is_recognised(name: &str) -> bool {
    meaning(name).is_some_and(|meaning| meaning != Meaning::Library) && name != "assert"
}

/// Whether a call of this is a model's way to say what it cannot do.
pub(crate) fn is_model_limit(name: &str) -> bool {
    meaning(name) == Some(Meaning::ModelLimit)
}

/// Whether a call of this name is its meaning rather than a call.
pub(crate) fn has_meaning(name: &str, is_declaration: bool) -> bool {
    is_declaration && meaning(name).is_some()
}

/// The name as the program's author wrote it: a C++ program that declares a dialect's function
/// without `extern "C"` means it all the same.
pub(crate) fn written_name(name: &str) -> &str {
    let Some(rest) = name.strip_prefix("_Z") else {
        return name;
    };
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let (length, rest) = rest.split_at(digits);
    let plain = length.parse().ok().and_then(|length| rest.get(..length));
    match plain {
        Some(plain) if plain == "assert" || is_recognised(plain) || belongs_to_dialect(plain) => {
            plain
        }
        _ => name,
    }
}

/// Functions of libraries that do what cannot be modelled: jumps out of, or back into, a call,
/// threads, processes.
pub(crate) fn is_unmodelled(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "setjmp",
        "_setjmp",
        "__setjmp",
        "sigsetjmp",
        "__sigsetjmp",
        "longjmp",
        "_longjmp",
        "siglongjmp",
        "getcontext",
        "setcontext",
        "swapcontext",
        "makecontext",
        "pthread_exit",
        "pthread_cancel",
        "pthread_cond_timedwait",
        "pthread_barrier_wait",
        "pthread_tryjoin_np",
        "pthread_timedjoin_np",
        "thrd_create",
        "thrd_join",
        "thrd_exit",
        "cnd_wait",
        "sem_wait",
        "clone",
        "__clone",
        "clone3",
        "daemon",
        "execl",
        "execlp",
        "execle",
        "execve",
        "execvpe",
        "fexecve",
        "posix_spawn",
        "posix_spawnp",
    ];
    NAMES.contains(&name) || name.starts_with("_ZNSt6thread")
}

#[cfg(test)]
mod tests {
    use super::{belongs_to_dialect, meaning, written_name};

    #[test]
    fn names_of_dialects_that_mean_nothing() {
        assert!(meaning("__CPROVER_something").is_none());
        assert!(belongs_to_dialect("__CPROVER_something"));
        assert!(!belongs_to_dialect("__VERIFIER_atomic_swap"));
        assert!(!belongs_to_dialect("seaside"));
    }

    #[test]
    fn names_that_cxx_decorates() {
        assert_eq!(written_name("_Z17__VERIFIER_assertb"), "__VERIFIER_assert");
        assert_eq!(written_name("_Z11reach_errorv"), "reach_error");
        assert_eq!(written_name("_Z3sind"), "_Z3sind");
        assert_eq!(written_name("_Z99short"), "_Z99short");
    }
}
