//! What C++ needs of its runtime: `new` and `delete`, and the refusal of exceptions.
//!
//! Names are those of the Itanium ABI. `new` gives an object or throws; that it throws is not
//! followed, so it is taken not to fail, as `malloc` is, and to be unsupported where it must. Which
//! function gave an object is kept in a shadow slot of it, so that `delete` of an array, `free` of
//! what `new` gave and the like are found (decision 0120).

use super::function::{FunctionTranslator, Scalars};
use foghorn_core::CheckKind;
use foghorn_ir::{AllocationKind, Builtin, Constant, Instruction, IntPredicate, Type, ValueId};
use smallvec::smallvec;

/// The shadow slot of an object that says who gave it; users have 1 … 127.
const GIVEN_BY: i128 = 128;

/// Alignment that `new` promises.
const ALIGN: u32 = 16;

/// Who gives and takes heap objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    /// `malloc` and `free`.
    Malloc,
    New,
    NewArray,
}

impl Family {
    fn number(self) -> u64 {
        match self {
            Family::Malloc => 0,
            Family::New => 1,
            Family::NewArray => 2,
        }
    }
}

/// A form of `operator new` or `operator delete`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Operator {
    family: Family,
    gives: bool,
    /// The second parameter is an alignment.
    aligned: bool,
    /// Null where others throw.
    nothrow: bool,
}

const NOTHROW: &str = "RKSt9nothrow_t";
const ALIGNMENT: &str = "St11align_val_t";

/// The form of `new` or `delete` that a mangled name is.
fn operator(name: &str) -> Option<Operator> {
    let (gives, family, rest) = if let Some(rest) = name.strip_prefix("_Znw") {
        (true, Family::New, rest)
    } else if let Some(rest) = name.strip_prefix("_Zna") {
        (true, Family::NewArray, rest)
    } else if let Some(rest) = name.strip_prefix("_ZdlPv") {
        (false, Family::New, rest)
    } else if let Some(rest) = name.strip_prefix("_ZdaPv") {
        (false, Family::NewArray, rest)
    } else {
        return None;
    };
    // The size: m is unsigned long, j is unsigned.
    let sized = rest.strip_prefix(['m', 'j']);
    let rest = match (gives, sized) {
        (_, Some(rest)) => rest,
        (true, None) => return None,
        (false, None) => rest,
    };
    let (aligned, rest) = match rest.strip_prefix(ALIGNMENT) {
        Some(rest) => (true, rest),
        None => (false, rest),
    };
    let nothrow = rest == NOTHROW;
    (nothrow || rest.is_empty()).then_some(Operator {
        family,
        gives,
        aligned,
        nothrow,
    })
}

/// Whether this is a form of `new` or `delete`.
pub(super) fn is_operator(name: &str) -> bool {
    operator(name).is_some()
}

/// What of the C++ runtime is not modelled, by what a reader calls it.
pub(super) fn unsupported(name: &str) -> Option<&'static str> {
    let what = match name {
        "__cxa_allocate_exception"
        | "__cxa_throw"
        | "__cxa_rethrow"
        | "__cxa_begin_catch"
        | "__cxa_end_catch"
        | "__cxa_get_exception_ptr"
        | "_Unwind_Resume"
        | "__cxa_throw_bad_array_new_length" => "C++ exception",
        "__dynamic_cast" | "__cxa_bad_cast" => "dynamic_cast",
        "__cxa_bad_typeid" => "typeid",
        "__cxa_thread_atexit" => "destructor of an object of a thread",
        _ if name.starts_with("_ZSt") && name.contains("__throw_") => "C++ exception",
        _ => return None,
    };
    Some(what)
}

impl FunctionTranslator<'_, '_> {
    /// A call of a form of `new` or `delete`.
    pub(super) fn operator_call(&mut self, name: &str, values: &[ValueId]) -> Option<Scalars> {
        let operator = operator(name)?;
        let first = *values.first()?;
        if !operator.gives {
            let pointer = self.adapt(first, Type::Ptr);
            self.check_family(pointer, operator.family);
            self.emit(Instruction::Free { pointer }, &[]);
            return Some(Scalars::new());
        }
        let size = self.adapt(first, self.size_type());
        let align = match values.get(1).filter(|_| operator.aligned) {
            Some(&align) => match self.body.as_constant(align) {
                Some(Constant::Int(bits)) => u32::try_from(bits).unwrap_or(ALIGN).max(ALIGN),
                _ => ALIGN,
            },
            None => ALIGN,
        };
        let give = |this: &mut Self| {
            let object = this.allocate(AllocationKind::Heap, size, align);
            this.note_family(object, operator.family);
            object
        };
        if operator.nothrow {
            return Some(smallvec![self.perhaps(|this| this.fitting(size, give))]);
        }
        self.check_no_throw(size);
        Some(smallvec![give(self)])
    }

    /// An object of more than half the address space is not given; `new` throws.
    fn check_no_throw(&mut self, size: ValueId) {
        let bits = self.pointer_bits();
        let largest = (1u128 << (bits - 1)) - 1;
        if matches!(self.body.as_constant(size), Some(Constant::Int(known)) if known <= largest) {
            return;
        }
        let largest = self.body.int(bits, largest.cast_signed());
        let fits = self.compare(IntPredicate::Ule, size, largest);
        let what = "C++ exception (std::bad_alloc)";
        self.check(CheckKind::Unsupported, fits, Some(what));
    }

    fn note_family(&mut self, object: ValueId, family: Family) {
        let slot = self.body.int(8, GIVEN_BY);
        let number = self.size(family.number());
        self.builtin(Builtin::SetShadow, vec![slot, object, number], &[]);
    }

    /// What `free` and `delete` get must come from their counterpart. Asked only of programs that
    /// have both kinds.
    pub(super) fn check_family(&mut self, pointer: ValueId, family: Family) {
        if family == Family::Malloc && !self.module.has_operators() {
            return;
        }
        let size_type = self.size_type();
        let slot = self.body.int(8, GIVEN_BY);
        let given = self.builtin(Builtin::GetShadow, vec![slot, pointer], &[size_type])[0];
        let expected = self.size(family.number());
        let fits = self.compare(IntPredicate::Eq, given, expected);
        let null = self.null();
        let is_null = self.compare(IntPredicate::Eq, pointer, null);
        let fine = self.or(is_null, fits);
        let message = match family {
            Family::Malloc => "free of an object that did not come from malloc",
            Family::New => "delete of an object that did not come from new",
            Family::NewArray => "delete[] of an object that did not come from new[]",
        };
        self.check(CheckKind::InvalidFree, fine, Some(message));
    }
}

#[cfg(test)]
mod tests {
    use super::{Family, operator, unsupported};

    #[test]
    fn forms_of_new_and_delete() {
        let plain = operator("_Znwm").expect("new");
        assert!(plain.gives && !plain.nothrow && plain.family == Family::New);
        let careful = operator("_ZnamRKSt9nothrow_t").expect("new[]");
        assert!(careful.nothrow && careful.family == Family::NewArray);
        assert!(operator("_ZnwmSt11align_val_t").is_some_and(|it| it.aligned));
        assert!(operator("_ZdaPvmSt11align_val_t").is_some_and(|it| !it.gives));
        assert!(operator("_ZdlPv").is_some_and(|it| !it.gives));
        // Placement, and a class of another name.
        assert_eq!(operator("_ZnwmPv"), None);
        assert_eq!(operator("_ZdlPvS_"), None);
    }

    #[test]
    fn what_throws_is_named() {
        assert!(unsupported("__cxa_throw").is_some());
        assert!(unsupported("_ZSt17__throw_bad_allocv").is_some());
        assert_eq!(unsupported("__cxa_atexit"), None);
    }
}
