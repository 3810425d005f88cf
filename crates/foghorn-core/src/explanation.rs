//! What each kind of failure means, for people: a sentence, a program that fails like that, what to do about it, and
//! its number in the Common Weakness Enumeration.

use crate::check::CheckKind;

/// What `foghorn explain` says of a kind of failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Explanation {
    pub kind: CheckKind,
    /// One or two sentences.
    pub meaning: &'static str,
    /// A whole C program that fails in this way; empty where C cannot show it.
    pub example: &'static str,
    pub repair: &'static str,
    /// The number of the weakness, where the enumeration has one.
    pub cwe: Option<u32>,
}

/// One entry a kind, in the order of [`CheckKind::ALL`].
pub const EXPLANATIONS: &[Explanation] = &[
    Explanation {
        kind: CheckKind::Assertion,
        meaning: "An assertion of the program does not hold.",
        example: "\
#include <assert.h>\n\
int main(int argc, char **argv) {\n\
\x20\x20assert(argc < 3);\n\
\x20\x20return 0;\n\
}\n",
        repair: "Find the input in the report and repair the code before the assertion, or the assertion.",
        cwe: Some(617),
    },
    Explanation {
        kind: CheckKind::ReachError,
        meaning: "A function that must not be called is called.",
        example: "\
void reach_error(void);\n\
int main(int argc, char **argv) {\n\
\x20\x20if (argc == 2) reach_error();\n\
\x20\x20return 0;\n\
}\n",
        repair: "Repair what leads to the call.",
        cwe: Some(617),
    },
    Explanation {
        kind: CheckKind::NullDereference,
        meaning: "A null pointer is read or written through.",
        example: "\
#include <stddef.h>\n\
int main(void) {\n\
\x20\x20int *p = NULL;\n\
\x20\x20return *p;\n\
}\n",
        repair: "Test the pointer before its use, or give it an object.",
        cwe: Some(476),
    },
    Explanation {
        kind: CheckKind::OutOfBounds,
        meaning: "An access lies outside the object that its pointer belongs to.",
        example: "\
#include <stdlib.h>\n\
int main(void) {\n\
\x20\x20char *text = malloc(4);\n\
\x20\x20text[4] = 0;\n\
\x20\x20free(text);\n\
\x20\x20return 0;\n\
}\n",
        repair: "Compare the index with the length before the access.",
        cwe: Some(119),
    },
    Explanation {
        kind: CheckKind::UseAfterFree,
        meaning: "A heap object is read or written after it was freed.",
        example: "\
#include <stdlib.h>\n\
int main(void) {\n\
\x20\x20int *p = malloc(sizeof *p);\n\
\x20\x20*p = 1;\n\
\x20\x20free(p);\n\
\x20\x20return *p;\n\
}\n",
        repair: "Use it before `free`, and set pointers to it to null there.",
        cwe: Some(416),
    },
    Explanation {
        kind: CheckKind::UseAfterScope,
        meaning: "A local object is used after its block or its function has ended.",
        example: "\
int main(void) {\n\
\x20\x20int *p;\n\
\x20\x20{\n\
\x20\x20\x20\x20int x = 1;\n\
\x20\x20\x20\x20p = &x;\n\
\x20\x20}\n\
\x20\x20return *p;\n\
}\n",
        repair: "Declare the object where it lives long enough, or allocate it.",
        cwe: Some(825),
    },
    Explanation {
        kind: CheckKind::UninitialisedPointer,
        meaning: "A pointer is used that was never given a value.",
        example: "\
int main(void) {\n\
\x20\x20int *p;\n\
\x20\x20return *p;\n\
}\n",
        repair: "Give it a value where it is declared.",
        cwe: Some(824),
    },
    Explanation {
        kind: CheckKind::UnknownPointer,
        meaning: "A pointer is used that belongs to no object: it was made from an integer.",
        example: "\
int main(void) {\n\
\x20\x20int *p = (int *)4096;\n\
\x20\x20return *p;\n\
}\n",
        repair: "Keep the pointer instead of its number.",
        cwe: Some(587),
    },
    Explanation {
        kind: CheckKind::ConstantWrite,
        meaning: "An object that is declared constant, or a string literal, is written.",
        example: "\
int main(void) {\n\
\x20\x20char *text = \"abc\";\n\
\x20\x20text[0] = 'x';\n\
\x20\x20return 0;\n\
}\n",
        repair: "Copy it into an array and change the copy.",
        cwe: Some(758),
    },
    Explanation {
        kind: CheckKind::Misaligned,
        meaning: "An access goes through a pointer that is not aligned for its type. Only with `--misaligned`.",
        example: "\
int main(void) {\n\
\x20\x20_Alignas(4) char bytes[8] = {0};\n\
\x20\x20char *p = bytes + 1;\n\
\x20\x20return *(int *)p;\n\
}\n",
        repair: "Copy the bytes with memcpy.",
        cwe: Some(758),
    },
    Explanation {
        kind: CheckKind::DoubleFree,
        meaning: "A heap object is freed twice.",
        example: "\
#include <stdlib.h>\n\
int main(void) {\n\
\x20\x20char *p = malloc(4);\n\
\x20\x20free(p);\n\
\x20\x20free(p);\n\
\x20\x20return 0;\n\
}\n",
        repair: "Free it in one place, and set pointers to it to null there.",
        cwe: Some(415),
    },
    Explanation {
        kind: CheckKind::InvalidFree,
        meaning: "What is freed is not the start of a heap object.",
        example: "\
#include <stdlib.h>\n\
int main(void) {\n\
\x20\x20char *p = malloc(4);\n\
\x20\x20free(p + 1);\n\
\x20\x20return 0;\n\
}\n",
        repair: "Keep the pointer that malloc returned, and free that.",
        cwe: Some(590),
    },
    Explanation {
        kind: CheckKind::Overlap,
        meaning: "The arguments of a library function overlap, which it forbids.",
        example: "\
#include <string.h>\n\
int main(void) {\n\
\x20\x20char text[8] = \"abcdefg\";\n\
\x20\x20memcpy(text, text + 1, 4);\n\
\x20\x20return text[0];\n\
}\n",
        repair: "Use memmove.",
        cwe: Some(475),
    },
    Explanation {
        kind: CheckKind::LibraryPrecondition,
        meaning: "A library function is called with something that it does not take.",
        example: "\
#include <ctype.h>\n\
int main(void) {\n\
\x20\x20return toupper(100000);\n\
}\n",
        repair: "Look its arguments up in its manual page, and test them before the call.",
        cwe: Some(475),
    },
    Explanation {
        kind: CheckKind::InvalidCall,
        meaning: "A call leads to no function, or to one of another type.",
        example: "\
int main(void) {\n\
\x20\x20int (*f)(void) = 0;\n\
\x20\x20return f();\n\
}\n",
        repair: "Declare the function as it is defined; test a pointer before the call.",
        cwe: Some(686),
    },
    Explanation {
        kind: CheckKind::Leak,
        meaning: "A heap object is lost: when the program ends nothing points to it. In the group `memory-leak`.",
        example: "\
#include <stdlib.h>\n\
int main(void) {\n\
\x20\x20char *p = malloc(4);\n\
\x20\x20p = 0;\n\
\x20\x20return p != 0;\n\
}\n",
        repair: "Free it before the last pointer to it goes.",
        cwe: Some(401),
    },
    Explanation {
        kind: CheckKind::NotFreed,
        meaning: "A heap object is still there when the program ends. In the group `memory-cleanup`.",
        example: "\
#include <stdlib.h>\n\
char *kept;\n\
int main(void) {\n\
\x20\x20kept = malloc(4);\n\
\x20\x20return 0;\n\
}\n",
        repair: "Free it before the end.",
        cwe: Some(772),
    },
    Explanation {
        kind: CheckKind::SignedOverflow,
        meaning: "The result of signed arithmetic does not fit its type.",
        example: "\
int main(int argc, char **argv) {\n\
\x20\x20return 2147483647 + argc > 0;\n\
}\n",
        repair: "Compare with the limits before, use a wider type, or an unsigned one.",
        cwe: Some(190),
    },
    Explanation {
        kind: CheckKind::DivisionOverflow,
        meaning: "The smallest number of a type is divided by -1: the quotient does not fit.",
        example: "\
#include <limits.h>\n\
int main(int argc, char **argv) {\n\
\x20\x20int d = argc == 2 ? -1 : 1;\n\
\x20\x20return INT_MIN / d == 0;\n\
}\n",
        repair: "Test for this case before the division.",
        cwe: Some(190),
    },
    Explanation {
        kind: CheckKind::Division,
        meaning: "A division by zero.",
        example: "\
int main(int argc, char **argv) {\n\
\x20\x20return 100 / (argc - 2);\n\
}\n",
        repair: "Test the divisor before.",
        cwe: Some(369),
    },
    Explanation {
        kind: CheckKind::ShiftOverflow,
        meaning: "A signed value is shifted to the left until it does not fit.",
        example: "\
int main(int argc, char **argv) {\n\
\x20\x20int x = argc == 2 ? 1 << 30 : 1;\n\
\x20\x20return (x << 2) == 0;\n\
}\n",
        repair: "Shift an unsigned value.",
        cwe: Some(190),
    },
    Explanation {
        kind: CheckKind::Shift,
        meaning: "A shift by a negative amount or by at least the width, or of a negative value to the left.",
        example: "\
int main(int argc, char **argv) {\n\
\x20\x20int amount = argc == 2 ? 32 : 1;\n\
\x20\x20return 1u << amount;\n\
}\n",
        repair: "Test the amount before; shift an unsigned value.",
        cwe: Some(1335),
    },
    Explanation {
        kind: CheckKind::ArrayBounds,
        meaning: "An index is outside the declared bounds of its array.",
        example: "\
int main(int argc, char **argv) {\n\
\x20\x20int table[4] = {0};\n\
\x20\x20int index = argc == 2 ? 4 : 0;\n\
\x20\x20return table[index];\n\
}\n",
        repair: "Compare the index with the number of elements.",
        cwe: Some(129),
    },
    Explanation {
        kind: CheckKind::Unreachable,
        meaning: "Control comes to a place that the program says it never does.",
        example: "\
int main(int argc, char **argv) {\n\
\x20\x20if (argc == 2) __builtin_unreachable();\n\
\x20\x20return 0;\n\
}\n",
        repair: "Handle the case.",
        cwe: Some(758),
    },
    Explanation {
        kind: CheckKind::MissingReturn,
        meaning: "A function ends without `return`, and its result is used.",
        example: "\
static int sign(int x) {\n\
\x20\x20if (x != 7) return 1;\n\
}\n\
int main(int argc, char **argv) {\n\
\x20\x20return sign(argc);\n\
}\n",
        repair: "Return a value on every path.",
        cwe: Some(758),
    },
    Explanation {
        kind: CheckKind::VlaBound,
        meaning: "The length of a variable-length array is not positive.",
        example: "\
int main(int argc, char **argv) {\n\
\x20\x20int length = argc == 2 ? 0 : 1;\n\
\x20\x20int table[length];\n\
\x20\x20table[0] = 1;\n\
\x20\x20return table[0];\n\
}\n",
        repair: "Test the length before the declaration.",
        cwe: Some(1284),
    },
    Explanation {
        kind: CheckKind::FloatCast,
        meaning: "A floating-point number does not fit the integer that it is converted to.",
        example: "\
int main(int argc, char **argv) {\n\
\x20\x20double x = argc == 2 ? 1e30 : 1.0;\n\
\x20\x20return (int)x;\n\
}\n",
        repair: "Compare it with the limits of the type before.",
        cwe: Some(681),
    },
    Explanation {
        kind: CheckKind::InvalidValue,
        meaning: "A `_Bool` or an enumeration holds a value that it cannot have.",
        example: "\
#include <string.h>\n\
int main(void) {\n\
\x20\x20_Bool b;\n\
\x20\x20memset(&b, 2, sizeof b);\n\
\x20\x20return b;\n\
}\n",
        repair: "Give it its values by assignment, not by copying bytes.",
        cwe: Some(758),
    },
    Explanation {
        kind: CheckKind::BuiltinArgument,
        meaning: "A builtin of the compiler is called outside its domain.",
        example: "\
int main(int argc, char **argv) {\n\
\x20\x20return __builtin_clz((unsigned)argc - 2);\n\
}\n",
        repair: "Test the argument before.",
        cwe: Some(475),
    },
    Explanation {
        kind: CheckKind::Poison,
        meaning: "In bitcode: the result of an operation is used whose promise (`nuw`, `exact`, …) was broken.",
        example: "",
        repair: "Look at the source that the bitcode was made from.",
        cwe: Some(758),
    },
    Explanation {
        kind: CheckKind::PointerComparison,
        meaning: "Pointers to different objects are subtracted or compared by `<`.",
        example: "\
int main(void) {\n\
\x20\x20int a[2], b[2];\n\
\x20\x20return (int)(b - a);\n\
}\n",
        repair: "Compare indices, or the addresses as uintptr_t.",
        cwe: Some(469),
    },
    Explanation {
        kind: CheckKind::Unsupported,
        meaning: "The program does something that Foghorn cannot follow, at this line.",
        example: "",
        repair: "Leave that part out of what is verified, or give it a model in C.",
        cwe: None,
    },
    Explanation {
        kind: CheckKind::Unwinding,
        meaning: "A loop or recursion goes beyond the bound that it was unwound to.",
        example: "",
        repair: "A larger --unwind, or an assumption that limits it.",
        cwe: None,
    },
    Explanation {
        kind: CheckKind::NonTermination,
        meaning: "An execution does not end. Not checked yet.",
        example: "",
        repair: "Make something smaller in each iteration.",
        cwe: Some(835),
    },
];

impl CheckKind {
    /// What it means.
    pub fn explanation(self) -> &'static Explanation {
        let found = EXPLANATIONS.iter().find(|it| it.kind == self);
        found.expect("invariant: every kind is explained")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_explained_once_and_in_order() {
        let explained: Vec<CheckKind> = EXPLANATIONS.iter().map(|it| it.kind).collect();
        assert_eq!(explained, CheckKind::ALL);
    }

    #[test]
    fn sentences_end() {
        for it in EXPLANATIONS {
            assert!(
                it.meaning.ends_with('.') && it.repair.ends_with('.'),
                "{}",
                it.kind
            );
        }
    }
}
