//! Names that mean something to verification tools, in every common dialect.
//!
//! This is the table of `docs/guide/dialects.md`. A name counts only where no linked unit gives
//! it a body; the declared type, not the name, decides the type of a nondet value.

use super::function::{FunctionTranslator, Scalars};
use foghorn_core::CheckKind;
use foghorn_ir::{Builtin, HaltKind, IntPredicate, NondetOrigin, Type, ValueId};
use smallvec::smallvec;

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
    /// `(ptr, size)`.
    Havoc,
    HavocObject,
    Nothing,
    Zero,
    Identity,
    Exit,
    Abort,
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
    CheckLibrary,
    CheckOverlap,
    Write,
    Read,
    FormatFloat,
    ParseFloat,
    /// A model met what it cannot do.
    ModelLimit,
    /// The C library's own: see [`super::library`].
    Library,
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
    ("__VERIFIER_nondet_memory", Meaning::Havoc),
    ("memhavoc", Meaning::Havoc),
    ("sea_memhavoc", Meaning::Havoc),
    ("__CPROVER_havoc_slice", Meaning::Havoc),
    ("klee_make_symbolic", Meaning::Havoc),
    ("__CPROVER_havoc_object", Meaning::HavocObject),
    ("abort", Meaning::Abort),
    ("__foghorn_abort", Meaning::Abort),
    ("klee_silent_exit", Meaning::Abort),
    ("_exit", Meaning::Exit),
    ("_Exit", Meaning::Exit),
    ("quick_exit", Meaning::Exit),
    ("exit", Meaning::Exit),
    ("__foghorn_exit", Meaning::Exit),
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
    ("__CPROVER_same_object", Meaning::SameObject),
    ("__foghorn_same_object", Meaning::SameObject),
    ("__CPROVER_OBJECT_SIZE", Meaning::ObjectSize),
    ("klee_get_obj_size", Meaning::ObjectSize),
    ("__foghorn_object_size", Meaning::ObjectSize),
    ("__CPROVER_POINTER_OFFSET", Meaning::ObjectOffset),
    ("__foghorn_object_offset", Meaning::ObjectOffset),
    ("__CPROVER_r_ok", Meaning::IsDereferenceable),
    ("__CPROVER_w_ok", Meaning::IsDereferenceable),
    ("__CPROVER_rw_ok", Meaning::IsDereferenceable),
    ("sea_is_dereferenceable", Meaning::IsDereferenceable),
    ("sea_is_deref", Meaning::IsDereferenceable),
    ("sea.is_dereferenceable", Meaning::IsDereferenceable),
    (
        "__CRAB_intrinsic_is_dereferenceable",
        Meaning::IsDereferenceable,
    ),
    ("__foghorn_is_dereferenceable", Meaning::IsDereferenceable),
    ("klee_check_memory_access", Meaning::CheckDereferenceable),
    ("sea_is_alloc", Meaning::IsAlive),
    ("sea.is_alloc", Meaning::IsAlive),
    ("sea_is_modified", Meaning::IsModified),
    ("sea.is_modified", Meaning::IsModified),
    ("sea_reset_modified", Meaning::ResetModified),
    ("sea.reset_modified", Meaning::ResetModified),
    ("sea_is_read", Meaning::IsRead),
    ("sea.is_read", Meaning::IsRead),
    ("sea_reset_read", Meaning::ResetRead),
    ("sea.reset_read", Meaning::ResetRead),
    ("sea_tracking_on", Meaning::TrackAccesses(true)),
    ("sea_tracking_off", Meaning::TrackAccesses(false)),
    ("sea_set_shadowmem", Meaning::SetShadow),
    ("sea_get_shadowmem", Meaning::GetShadow),
    ("__foghorn_check_library", Meaning::CheckLibrary),
    ("__foghorn_check_overlap", Meaning::CheckOverlap),
    ("__foghorn_havoc", Meaning::Havoc),
    ("__foghorn_nondet_bool", Meaning::NondetBool),
    ("__foghorn_parse_double", Meaning::ParseFloat),
    ("__foghorn_unsupported", Meaning::ModelLimit),
    ("__foghorn_write", Meaning::Write),
    ("__foghorn_read", Meaning::Read),
    ("__foghorn_format_double", Meaning::FormatFloat),
];

const PREFIXES: &[(&str, Meaning)] = &[
    ("__VERIFIER_nondet_", Meaning::Nondet),
    ("__VERIFIER_error_", Meaning::Error),
    ("__CPROVER_nondet_", Meaning::Nondet),
    ("__SMACK_nondet_", Meaning::Nondet),
    ("__foghorn_nondet_", Meaning::Nondet),
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

impl FunctionTranslator<'_, '_> {
    /// Does what the name means; `None` if it means nothing, or not with these arguments.
    pub(crate) fn named_call(
        &mut self,
        name: &str,
        arguments: &[Scalars],
        results: &[Type],
    ) -> Option<Scalars> {
        let meaning = meaning(name)?;
        if meaning == Meaning::Library {
            return self.library_call(name, arguments, results);
        }
        let values: Vec<ValueId> = arguments.iter().flatten().copied().collect();
        let produced = self.perform(name, meaning, &values, results)?;
        Some(self.fit_results(&produced, results))
    }

    /// Results at the types that the program declared; missing ones are any value.
    pub(crate) fn fit_results(&mut self, produced: &[ValueId], results: &[Type]) -> Scalars {
        let wanted = results.iter().enumerate();
        wanted
            .map(|(index, &ty)| match produced.get(index) {
                Some(&value) => self.adapt(value, ty),
                None => self.undefined(ty),
            })
            .collect()
    }

    fn perform(
        &mut self,
        name: &str,
        meaning: Meaning,
        values: &[ValueId],
        results: &[Type],
    ) -> Option<Scalars> {
        match meaning {
            Meaning::Assume { negated } => {
                let condition = self.condition(*values.first()?, negated);
                self.assume(condition);
            }
            Meaning::Assert { negated } => {
                let condition = self.condition(*values.first()?, negated);
                self.check(CheckKind::Assertion, condition, None);
            }
            Meaning::AssertReach => {
                let condition = self.condition(*values.first()?, false);
                self.check(CheckKind::ReachError, condition, None);
            }
            Meaning::AssertIf => {
                let given = self.condition(*values.first()?, true);
                let claim = self.condition(*values.get(1)?, false);
                let condition = self.or(given, claim);
                self.check(CheckKind::Assertion, condition, None);
            }
            Meaning::Error => self.fail(CheckKind::ReachError, None),
            Meaning::Fail => self.fail(CheckKind::Assertion, None),
            Meaning::Nondet | Meaning::NondetBool | Meaning::NondetRange => {
                return self.nondet_call(name, meaning, values, results);
            }
            Meaning::Nothing => {}
            Meaning::Zero => return Some(smallvec![self.body.int(32, 0)]),
            Meaning::Identity => return Some(smallvec![*values.first()?]),
            Meaning::Exit => {
                let code = match values.first() {
                    Some(&code) => self.adapt(code, Type::I32),
                    None => self.body.int(32, 0),
                };
                self.halt(HaltKind::Exit, code);
            }
            Meaning::Abort => {
                let code = self.body.int(32, 134);
                self.halt(HaltKind::Abort, code);
            }
            Meaning::CheckLibrary | Meaning::CheckOverlap => {
                let kind = match meaning {
                    Meaning::CheckOverlap => CheckKind::Overlap,
                    _ => CheckKind::LibraryPrecondition,
                };
                let condition = self.condition(*values.first()?, false);
                self.check(kind, condition, None);
            }
            Meaning::ParseFloat => {
                return Some(smallvec![self.over_approximated("strtod", Type::F64)]);
            }
            Meaning::ModelLimit => {
                let construct = "what the model of a library function cannot do";
                self.fail(CheckKind::Unsupported, Some(construct));
            }
            Meaning::Library => return None,
            _ => return self.memory_query(meaning, values),
        }
        Some(Scalars::new())
    }

    fn condition(&mut self, value: ValueId, negated: bool) -> ValueId {
        let truth = self.truth(value);
        if negated { self.not(truth) } else { truth }
    }

    fn nondet_call(
        &mut self,
        name: &str,
        meaning: Meaning,
        values: &[ValueId],
        results: &[Type],
    ) -> Option<Scalars> {
        let origin = NondetOrigin::Input(name.into());
        if meaning == Meaning::NondetBool
            && let &[Type::Int(width)] = results
        {
            let bit = self.nondet(origin, Type::BOOL);
            return Some(smallvec![self.resize_unsigned(bit, width).ok()?]);
        }
        let fresh: Scalars = results
            .iter()
            .map(|&ty| self.nondet(origin.clone(), ty))
            .collect();
        if meaning == Meaning::NondetRange
            && let (&[value], [low, high, ..]) = (fresh.as_slice(), values)
        {
            let at_least = self.compare(IntPredicate::Sge, value, *low);
            let below = self.compare(IntPredicate::Slt, value, *high);
            let within = self.and(at_least, below);
            self.assume(within);
        }
        Some(fresh)
    }

    /// A question to, or a change of, the memory model.
    fn memory_query(&mut self, meaning: Meaning, values: &[ValueId]) -> Option<Scalars> {
        let size_type = self.size_type();
        let pointer = |this: &mut Self, index: usize| {
            let value = *values.get(index)?;
            Some(this.adapt(value, Type::Ptr))
        };
        let size = |this: &mut Self, index: usize| {
            let value = *values.get(index)?;
            Some(this.adapt(value, size_type))
        };
        let results: &[Type] = match meaning {
            Meaning::IsDereferenceable
            | Meaning::CheckDereferenceable
            | Meaning::SameObject
            | Meaning::IsAlive
            | Meaning::IsModified
            | Meaning::IsRead => &[Type::BOOL],
            Meaning::ObjectSize
            | Meaning::ObjectOffset
            | Meaning::GetShadow
            | Meaning::Write
            | Meaning::Read => &[size_type],
            Meaning::FormatFloat => &[Type::I32],
            _ => &[],
        };
        let (builtin, arguments) = match meaning {
            Meaning::Havoc => (
                Builtin::HavocMemory,
                vec![pointer(self, 0)?, size(self, 1)?],
            ),
            Meaning::HavocObject => {
                let pointer = pointer(self, 0)?;
                return self.havoc_object(pointer);
            }
            Meaning::IsDereferenceable | Meaning::CheckDereferenceable => (
                Builtin::IsDereferenceable,
                vec![pointer(self, 0)?, size(self, 1)?],
            ),
            Meaning::ObjectSize => (Builtin::ObjectSize, vec![pointer(self, 0)?]),
            Meaning::ObjectOffset => (Builtin::ObjectOffset, vec![pointer(self, 0)?]),
            Meaning::SameObject => (
                Builtin::SameObject,
                vec![pointer(self, 0)?, pointer(self, 1)?],
            ),
            Meaning::IsAlive => (Builtin::IsAlive, vec![pointer(self, 0)?]),
            Meaning::IsModified => (Builtin::IsModified, vec![pointer(self, 0)?]),
            Meaning::ResetModified => (Builtin::ResetModified, vec![pointer(self, 0)?]),
            Meaning::IsRead => (Builtin::IsRead, vec![pointer(self, 0)?]),
            Meaning::ResetRead => (Builtin::ResetRead, vec![pointer(self, 0)?]),
            Meaning::TrackAccesses(on) => (Builtin::TrackAccesses, vec![self.bool(on)]),
            Meaning::SetShadow => {
                let slot = self.adapt(*values.first()?, Type::I8);
                (
                    Builtin::SetShadow,
                    vec![slot, pointer(self, 1)?, size(self, 2)?],
                )
            }
            Meaning::GetShadow => {
                let slot = self.adapt(*values.first()?, Type::I8);
                (Builtin::GetShadow, vec![slot, pointer(self, 1)?])
            }
            Meaning::Write | Meaning::Read => {
                let file = self.adapt(*values.first()?, Type::I32);
                let builtin = if meaning == Meaning::Write {
                    Builtin::WriteOutput
                } else {
                    Builtin::ReadInput
                };
                (builtin, vec![file, pointer(self, 1)?, size(self, 2)?])
            }
            Meaning::FormatFloat => {
                let number = self.adapt(*values.get(3)?, Type::F64);
                let arguments = vec![pointer(self, 0)?, size(self, 1)?, pointer(self, 2)?, number];
                (Builtin::FormatFloat, arguments)
            }
            _ => return None,
        };
        let produced = self.builtin(builtin, arguments, results);
        if meaning == Meaning::CheckDereferenceable {
            self.check(CheckKind::OutOfBounds, produced[0], None);
            return Some(Scalars::new());
        }
        Some(produced)
    }

    fn havoc_object(&mut self, pointer: ValueId) -> Option<Scalars> {
        let size_type = self.size_type();
        let size = self.builtin(Builtin::ObjectSize, vec![pointer], &[size_type])[0];
        let offset = self.builtin(Builtin::ObjectOffset, vec![pointer], &[size_type])[0];
        let start = self.pointer_add(pointer, 0, vec![(offset, -1)]);
        self.builtin(Builtin::HavocMemory, vec![start, size], &[]);
        Some(Scalars::new())
    }
}
