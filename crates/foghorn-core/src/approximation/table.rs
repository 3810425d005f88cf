//! The list: one entry a construct. Edit it together with what it describes, and bless the page.

use super::Approximation;
use super::Direction::{Over, Under, Unsupported};

/// A row.
const fn entry(
    construct: &'static str,
    treatment: &'static str,
    direction: super::Direction,
    reported: &'static str,
    names: &'static [&'static str],
) -> Approximation {
    Approximation {
        construct,
        treatment,
        direction,
        reported,
        names,
    }
}

/// How a warning about an over-approximation reads.
const WARNING: &str = "warning: `FILE:LINE: … is not modelled precisely`";
/// How a construct that is not translated is reported.
const UNSUPPORTED: &str = "unknown, `unsupported` at its line, if it can be reached";

/// Constructs of C and of LLVM IR.
pub const LANGUAGE: &[Approximation] = &[
    entry(
        "`long double`, `_Float16`, `__float128`",
        "arithmetic, comparisons, rounding and conversions give any value; bits are kept",
        Over,
        WARNING,
        &[
            "long double",
            "long double comparison",
            "long double rounding",
            "long double classification",
        ],
    ),
    entry(
        "inline assembly other than an empty text and `bswap`",
        "outputs are any value, memory operands that are written hold anything; other memory is left as it is",
        Over,
        WARNING,
        &["inline assembly"],
    ),
    entry(
        "`asm goto`",
        "not translated",
        Unsupported,
        UNSUPPORTED,
        &["asm goto"],
    ),
    entry(
        "instructions of the machine (`llvm.x86.*`) without operands in memory",
        "any result",
        Over,
        WARNING,
        &[],
    ),
    entry(
        "addresses of frames and of return, cycle counters",
        "any value",
        Over,
        WARNING,
        &[],
    ),
    entry(
        "integers of more than 128 bits",
        "copied, compared and bit by bit; other arithmetic and conversions of vectors of them are not translated",
        Unsupported,
        UNSUPPORTED,
        &[
            "integer of",
            "integer of more than 128 bits",
            "arithmetic on an integer of",
            "constant of",
            "conversion of wide vectors",
            "integer constant",
            "empty integer",
            "switch over a wide integer",
        ],
    ),
    entry(
        "aggregates of many thousand scalars as values",
        "not translated; in memory they are",
        Unsupported,
        UNSUPPORTED,
        &["aggregate value of many thousand scalars"],
    ),
    entry(
        "variadic functions",
        "`va_arg` of a structure by the instruction of LLVM, and `va_start` where nothing is variadic, are not translated",
        Unsupported,
        UNSUPPORTED,
        &[
            "va_arg of an aggregate",
            "va_start in a function with a fixed parameter list",
        ],
    ),
    entry(
        "setjmp, longjmp and their relatives",
        "not translated",
        Unsupported,
        UNSUPPORTED,
        &[],
    ),
    entry(
        "exceptions of C++ (`invoke` that unwinds, `landingpad`, `resume`)",
        "not translated",
        Unsupported,
        UNSUPPORTED,
        &[],
    ),
    entry(
        "other instructions, intrinsics, predicates and constants of LLVM without a translation",
        "not translated; each is named",
        Unsupported,
        UNSUPPORTED,
        &[
            "address far outside its object",
            "address in a field of another width",
            "aggregate where a scalar is expected",
            "atomicrmw operation",
            "bitcast between types of different size",
            "constant",
            "constant expression",
            "empty reduction",
            "empty vector",
            "fcmp predicate",
            "field number that is not constant",
            "floating-point constant",
            "function as a value",
            "icmp predicate",
            "ifunc",
            "index into a scalar",
            "lifetime marker without a slot",
            "llvm.",
            "llvm.objectsize",
            "llvm.vector.reduce.",
            "operand",
            "operand that is no integer",
            "path into a scalar",
            "pointer with bits",
            "relative address",
            "three-way comparison",
            "vector of bits in memory",
            "φ-node without a value for a predecessor",
        ],
    ),
    entry(
        "an initialiser of a global that is not translated",
        "the global holds any bytes at the start",
        Over,
        "warning: `FILE:LINE: initialiser: … is not modelled precisely`",
        &[],
    ),
    entry(
        "objects larger than half of the address space",
        "`malloc` and `calloc` give null, as every C library does",
        Under,
        "not reported; [memory.md](memory.md)",
        &[],
    ),
    entry(
        "the size of the stack",
        "unlimited: deep recursion does not fail",
        Under,
        "not reported",
        &[],
    ),
    entry(
        "`volatile` objects",
        "changed by the program only",
        Under,
        "not reported",
        &[],
    ),
    entry(
        "checks of LLVM files (`.bc`, `.ll`)",
        "only what the file itself states and accesses to memory; undefined arithmetic has no checks",
        Under,
        "not reported",
        &[],
    ),
];

/// Models of the C library ([library.md](library.md)).
pub const LIBRARY: &[Approximation] = &[
    entry(
        "threads other than the first, waiting for them",
        "not modelled; locks succeed",
        Unsupported,
        UNSUPPORTED,
        &["pthread_create", "pthread_join", "pthread_cond_wait"],
    ),
    entry(
        "processes",
        "not modelled",
        Unsupported,
        UNSUPPORTED,
        &["fork", "vfork", "execv", "execvp"],
    ),
    entry(
        "more handlers for the end of the program than the model keeps",
        "not modelled",
        Unsupported,
        UNSUPPORTED,
        &["__cxa_atexit"],
    ),
    entry(
        "`printf`: positional arguments, wide characters beyond ASCII",
        "not modelled",
        Unsupported,
        UNSUPPORTED,
        &[
            "positional argument of printf",
            "printf of a wide character that is not ASCII",
        ],
    ),
    entry(
        "`scanf`: positional arguments, `%m`, wide text, numbers of more than 127 characters",
        "not modelled",
        Unsupported,
        UNSUPPORTED,
        &[
            "positional argument of scanf",
            "allocating conversion of scanf",
            "wide conversion of scanf",
            "scanf of a number of more than 127 characters",
        ],
    ),
    entry(
        "`printf` of floating-point numbers, where the text is used",
        "any text that fits, of any length",
        Over,
        WARNING,
        &["the text of a floating-point number"],
    ),
    entry(
        "`sin`, `pow` and the like in the engine that unwinds",
        "any result",
        Over,
        WARNING,
        &[],
    ),
    entry(
        "writing to a file or a descriptor",
        "any number of bytes up to the length is written, or it fails",
        Over,
        WARNING,
        &["the result of writing to a file"],
    ),
    entry(
        "reading from a file or a descriptor",
        "any bytes, any number of them up to the length, or an error",
        Over,
        WARNING,
        &["what is read from a file"],
    ),
    entry(
        "`rand`, `random` and relatives",
        "any number of their range, whatever the seed",
        Over,
        "an input of the failing run",
        &[],
    ),
    entry(
        "clocks",
        "any time from 1970 on, not necessarily later than the last one",
        Over,
        "an input of the failing run",
        &[],
    ),
    entry(
        "`getenv`",
        "null, or any text of up to 31 characters",
        Under,
        "[library.md](library.md)",
        &[],
    ),
    entry(
        "open files",
        "at most 16 at once; opening one more fails",
        Under,
        "[library.md](library.md)",
        &[],
    ),
    entry(
        "signals",
        "delivered by `raise` only",
        Under,
        "[library.md](library.md)",
        &[],
    ),
    entry(
        "`realloc`, `qsort`",
        "`realloc` always moves the block; `qsort` is stable",
        Under,
        "[library.md](library.md)",
        &[],
    ),
    entry("the locale", "is C", Under, "[library.md](library.md)", &[]),
    entry(
        "what the program prints",
        "is not made, only its length; `foghorn run` prints it",
        Over,
        "not reported: no check depends on it",
        &[],
    ),
];

/// What is around a program.
pub const ENVIRONMENT: &[Approximation] = &[
    entry(
        "globals, with `--entry FUNCTION`",
        "hold their initial values when it is called",
        Under,
        "not reported",
        &[],
    ),
    entry(
        "parameters, with `--entry FUNCTION`",
        "numbers are any; pointers point to nothing that may be accessed",
        Over,
        "a failing access names the parameter",
        &[],
    ),
    entry(
        "globals without a definition",
        "hold any bytes at the start",
        Over,
        "an input of the failing run",
        &[],
    ),
];

/// What single engines cannot do.
pub const ENGINES: &[Approximation] = &[
    entry(
        "loops and recursion beyond the bound (unwinding)",
        "not followed",
        Under,
        "unknown: `no violation within bound N`, with the loops that go on",
        &[],
    ),
    entry(
        "loops that are summarised (`--loops closed`)",
        "what cannot be followed is anything at all",
        Over,
        "unknown at the check; `verify` unwinds the loops then",
        &[
            "what loops do before this check",
            "the iterations of a loop do not go around the address space",
        ],
    ),
    entry(
        "cells of memory that turn out too coarse",
        "accesses that do not fit them hold anything; it is tried again with smaller ones",
        Over,
        "unknown at the access, if bytes do not fit either",
        &[
            "an access is at a multiple of the cell",
            "a range is a multiple of the cell",
            "a copy is between memories of the same cells",
        ],
    ),
    entry(
        "`memcpy` and `memset` of many bytes with `--memory arrays`",
        "bytes beyond the bound of unrolling hold anything",
        Over,
        "unknown at the call",
        &["the length of a set or copy is within the bound of unrolling"],
    ),
    entry(
        "an access through a pointer that nobody determined, with `memory-safety` off",
        "may reach anything",
        Over,
        "unknown at the access",
        &["an access through a pointer that nobody determined"],
    ),
    entry(
        "a call through a pointer that may point to any function, or to none that is known",
        "may do anything",
        Over,
        "unknown at the call",
        &[
            "a call through a pointer that the pointer analysis does not resolve",
            "a call through a pointer to no known function",
        ],
    ),
    entry(
        "shadow slots (`sea_set_shadowmem`) whose number is no constant",
        "not followed",
        Over,
        "unknown at the call",
        &["a shadow slot that is no constant"],
    ),
    entry(
        "values that a domain of the abstract interpreter cannot express",
        "anything that it cannot exclude",
        Over,
        "unknown: `not proved: all that is known here is …`; the next domain or engine goes on",
        &[],
    ),
    entry(
        "leaks in the engine that unwinds",
        "every object that is not freed counts; the interpreter then looks whether something reaches it",
        Over,
        "unknown at the end of the program",
        &[],
    ),
    entry(
        "executions of more steps than a replay makes",
        "not repeated",
        Over,
        "unknown: `… could not be repeated`",
        &[],
    ),
    entry(
        "limits on time and memory",
        "the search ends",
        Under,
        "unknown: `out of time`, `out of memory`, with what was found until then",
        &[],
    ),
];
