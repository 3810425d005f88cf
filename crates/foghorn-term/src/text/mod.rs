//! Our text form of terms: s-expressions close to SMT-LIB, printed with sharing and parsed back exactly.
//!
//! Differences to SMT-LIB, all of them so that what is printed is parsed to the very same term: `let*` binds one name
//! after the other in a flat list, a bound variable is written `(% n sort)` wherever it occurs, rounding modes and formats
//! are indices of the operator, floats are `(_ float e s bits)`, negative integers are single tokens. Neither direction
//! recurses over terms.

mod parse;
mod print;

pub use parse::{ParseError, Scope, parse_script, parse_term};
pub use print::{print_script, print_sort, print_term};

/// Whether a name can be written without bars.
fn is_simple(name: &str) -> bool {
    let plain = |c: char| c.is_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c);
    let reserved = crate::op::OpKind::ALL
        .iter()
        .any(|kind| kind.name() == name)
        || matches!(
            name,
            "_" | "as" | "let*" | "%" | "declare-const" | "declare-fun" | "declare-sort"
        );
    !name.is_empty()
        && name.chars().all(plain)
        && !name.starts_with(|c: char| c.is_ascii_digit() || c == '-')
        && !reserved
}

/// The name as it is written.
fn quoted(name: &str) -> String {
    if is_simple(name) {
        name.to_owned()
    } else {
        format!("|{name}|")
    }
}
