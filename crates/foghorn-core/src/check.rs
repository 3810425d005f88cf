//! What a program can be checked for.
//!
//! A [`CheckKind`] is the precise thing that went wrong; a [`CheckGroup`] is what a user switches
//! on and off. Each kind belongs to exactly one group.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

macro_rules! named_enum {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $text:literal,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum $name { $($(#[$doc])* #[serde(rename = $text)] $variant,)* }

        impl $name {
            /// Every variant, in the order of declaration.
            pub const ALL: &'static [$name] = &[$($name::$variant,)*];

            /// The name used in reports, in textual IR and on the command line.
            pub fn name(self) -> &'static str {
                match self { $($name::$variant => $text,)* }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { f.write_str(self.name()) }
        }

        impl FromStr for $name {
            type Err = String;
            fn from_str(text: &str) -> Result<Self, String> {
                match text {
                    $($text => Ok($name::$variant),)*
                    other => Err(format!("unknown {} '{other}'; one of: {}", stringify!($name),
                        [$($text),*].join(", "))),
                }
            }
        }
    };
}

named_enum! {
    /// A set of checks that is switched on or off as one.
    CheckGroup {
        /// Failing assertions and calls of error functions.
        Assertions = "assertions",
        /// Invalid dereferences and frees, preconditions of library functions.
        MemorySafety = "memory-safety",
        /// Heap objects that nothing reaches any more when the program ends.
        MemoryLeak = "memory-leak",
        /// Heap objects that are still allocated when the program ends.
        MemoryCleanup = "memory-cleanup",
        /// Signed arithmetic whose result does not fit.
        IntegerOverflow = "integer-overflow",
        /// Other undefined behaviour: division by zero, bad shifts, bounds of arrays, ….
        Undefined = "undefined",
        /// Executions that never end.
        Termination = "termination",
    }
}

named_enum! {
    /// The precise property that one check site states.
    CheckKind {
        /// `assert`, `sassert`, `__VERIFIER_assert`, …, or a Rust panic.
        Assertion = "assertion",
        /// A call of an error function (`reach_error`, `__VERIFIER_error`, …).
        ReachError = "reach-error",
        /// Dereference of a null pointer.
        NullDereference = "null-dereference",
        /// Access that does not lie within the bounds of its object.
        OutOfBounds = "out-of-bounds",
        /// Access to a heap object after `free`.
        UseAfterFree = "use-after-free",
        /// Access to a stack object whose scope or function has ended.
        UseAfterScope = "use-after-scope",
        /// Dereference of a pointer that was never given a value.
        UninitialisedPointer = "uninitialised-pointer",
        /// Dereference of a pointer that belongs to no object (made from an integer).
        UnknownPointer = "unknown-pointer",
        /// Write to an object declared constant, or to a string literal.
        ConstantWrite = "constant-write",
        /// Access through a pointer that is not aligned for it.
        Misaligned = "misaligned",
        /// `free` of a heap object that is freed already.
        DoubleFree = "double-free",
        /// `free` of something that is not the start of a heap object.
        InvalidFree = "invalid-free",
        /// Overlapping buffers where a library function forbids them.
        Overlap = "overlap",
        /// Any other precondition of a library function.
        LibraryPrecondition = "library-precondition",
        /// Call through a pointer that is no function of a fitting type.
        InvalidCall = "invalid-call",
        /// Unreachable heap object when the program ends.
        Leak = "leak",
        /// Heap object not freed when the program ends.
        NotFreed = "not-freed",
        /// Signed addition, subtraction, multiplication or negation that does not fit.
        SignedOverflow = "signed-overflow",
        /// Signed division or remainder of the smallest integer by -1.
        DivisionOverflow = "division-overflow",
        /// Division or remainder by zero.
        Division = "division",
        /// Shift of a signed value to the left that does not fit.
        ShiftOverflow = "shift-overflow",
        /// Shift by a negative amount or by at least the width, or of a negative value to the left.
        Shift = "shift",
        /// Index outside the declared bounds of an array.
        ArrayBounds = "array-bounds",
        /// Control reached a place declared unreachable.
        Unreachable = "unreachable",
        /// The end of a function with a result was reached without a `return`.
        MissingReturn = "missing-return",
        /// Variable-length array whose length is not positive.
        VlaBound = "vla-bound",
        /// Conversion of a floating-point number that does not fit.
        FloatCast = "float-cast",
        /// A `_Bool` or enumeration that holds a value it cannot have.
        InvalidValue = "invalid-value",
        /// A compiler builtin called outside its domain (`__builtin_clz(0)`).
        BuiltinArgument = "builtin-argument",
        /// Use of the result of an LLVM operation whose promise (`nuw`, `exact`, …) was broken.
        Poison = "poison",
        /// Comparison by `<` or subtraction of pointers to different objects.
        PointerComparison = "pointer-comparison",
        /// A construct that Foghorn cannot execute was reached.
        Unsupported = "unsupported",
        /// A loop or recursion would go beyond the bound it was unrolled to.
        Unwinding = "unwinding",
        /// An execution that does not end.
        NonTermination = "non-termination",
    }
}

impl CheckKind {
    /// Whether the program ends, as if it called `abort`, where this check fails and is off.
    pub fn ends_program(self) -> bool {
        matches!(self, Self::Assertion | Self::ReachError)
    }

    /// The group that switches this kind on and off; `None` for the kinds that speak about
    /// Foghorn's own limits and are always on.
    pub fn group(self) -> Option<CheckGroup> {
        use CheckGroup::*;
        Some(match self {
            Self::Assertion | Self::ReachError => Assertions,
            Self::NullDereference
            | Self::OutOfBounds
            | Self::UseAfterFree
            | Self::UseAfterScope
            | Self::UninitialisedPointer
            | Self::UnknownPointer
            | Self::ConstantWrite
            | Self::DoubleFree
            | Self::InvalidFree
            | Self::Overlap
            | Self::LibraryPrecondition
            | Self::InvalidCall => MemorySafety,
            Self::Leak => MemoryLeak,
            Self::NotFreed => MemoryCleanup,
            Self::SignedOverflow | Self::DivisionOverflow | Self::ShiftOverflow => IntegerOverflow,
            Self::Division
            | Self::Misaligned
            | Self::Shift
            | Self::ArrayBounds
            | Self::Unreachable
            | Self::MissingReturn
            | Self::VlaBound
            | Self::FloatCast
            | Self::InvalidValue
            | Self::BuiltinArgument
            | Self::Poison
            | Self::PointerComparison => Undefined,
            Self::NonTermination => Termination,
            Self::Unsupported | Self::Unwinding => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for &kind in CheckKind::ALL {
            assert_eq!(kind.name().parse::<CheckKind>(), Ok(kind));
        }
        for &group in CheckGroup::ALL {
            assert_eq!(group.name().parse::<CheckGroup>(), Ok(group));
        }
    }

    #[test]
    fn an_unknown_name_lists_the_known_ones() {
        let error = "memsafety".parse::<CheckGroup>().expect_err("not a group");
        assert!(error.contains("memory-safety"), "{error}");
    }
}
