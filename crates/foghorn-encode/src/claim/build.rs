//! Short ways to write claims.
//!
//! ```
//! use foghorn_encode::claim::build::{number, signed, value};
//! use foghorn_encode::claim::{Argument, Expression, Formula, FunctionClaims, LoopClaim, View};
//!
//! // At block 3 of `fill`: 0 <= i <= n, and every cell of `a` below i holds 7. There v4 is `i`, v1 is `n`,
//! // v0 is `a`, and v9 the contents of the region of `a`.
//! let (i, n, a, memory) = (signed(value(4)), signed(value(1)), value(0), value(9));
//! let cell = Expression::content(memory, Expression::EveryObject, Expression::EveryOffset, 4, View::Signed);
//! let is_filled = Formula::all([
//!     Expression::EveryObject.equals(Expression::Object(a)),
//!     Expression::EveryOffset.remainder(4).equals(number(0)),
//!     number(0).at_most(Expression::EveryOffset),
//!     Expression::EveryOffset.less(i.clone().times(4)),
//! ]);
//! let holds = vec![
//!     number(0).at_most(i.clone()),
//!     i.at_most(n),
//!     Formula::for_every(is_filled.implies(cell.equals(number(7)))),
//! ];
//! let mut argument = Argument::by("horn");
//! let claims: &mut FunctionClaims = argument.function("fill");
//! claims.loops.insert(3, LoopClaim::invariant(holds));
//! assert_eq!(argument.functions["fill"].loops.len(), 1);
//! ```

use super::{
    Argument, BitOperation, Comparison, Content, Contract, Expression, Formula, FunctionClaims,
    Subject, View,
};

/// A value of the function.
pub fn value(number: u32) -> Subject {
    Subject::Value(number)
}

/// The n-th result of the function; memories that it returns follow the scalars.
pub fn result(number: u32) -> Subject {
    Subject::Result(number)
}

/// A literal.
pub fn number(value: i128) -> Expression {
    Expression::Number(value.to_string())
}

/// A machine integer read as signed.
pub fn signed(of: Subject) -> Expression {
    Expression::Signed(of)
}

/// A machine integer read as unsigned.
pub fn unsigned(of: Subject) -> Expression {
    Expression::Unsigned(of)
}

impl Expression {
    /// What a memory holds at a place.
    pub fn content(
        memory: Subject,
        object: Expression,
        offset: Expression,
        bytes: u32,
        view: View,
    ) -> Expression {
        Expression::Content(Box::new(Content {
            memory,
            object,
            offset,
            bytes,
            view,
        }))
    }

    /// The size of the object that a pointer names.
    pub fn size_of(pointer: Subject) -> Expression {
        Expression::Size(Box::new(Expression::Object(pointer)))
    }

    /// The sum of two numbers.
    #[must_use]
    pub fn plus(self, other: Expression) -> Expression {
        Expression::Sum(vec![self, other])
    }

    /// The difference of two numbers.
    #[must_use]
    pub fn minus(self, other: Expression) -> Expression {
        Expression::Sum(vec![self, other.times(-1)])
    }

    /// A multiple.
    #[must_use]
    pub fn times(self, factor: i128) -> Expression {
        Expression::Scaled(factor.to_string(), Box::new(self))
    }

    /// Division by a number above 0, rounded down.
    #[must_use]
    pub fn quotient(self, by: u64) -> Expression {
        Expression::Quotient(Box::new(self), by.to_string())
    }

    /// What division by a number above 0 leaves.
    #[must_use]
    pub fn remainder(self, by: u64) -> Expression {
        Expression::Remainder(Box::new(self), by.to_string())
    }

    /// The low bits as a machine integer.
    #[must_use]
    pub fn wrapped(self, bits: u32, signed: bool) -> Expression {
        let of = Box::new(self);
        Expression::Wrapped { bits, signed, of }
    }

    /// An operation on the low bits.
    #[must_use]
    pub fn with_bits(self, operation: BitOperation, bits: u32, other: Expression) -> Expression {
        Expression::Bits {
            operation,
            bits,
            left: Box::new(self),
            right: Box::new(other),
        }
    }

    fn compare(self, relation: Comparison, right: Expression) -> Formula {
        Formula::Compare {
            relation,
            left: self,
            right,
        }
    }

    /// `self <= other`.
    pub fn at_most(self, other: Expression) -> Formula {
        self.compare(Comparison::LessOrEqual, other)
    }

    /// `self < other`.
    pub fn less(self, other: Expression) -> Formula {
        self.compare(Comparison::Less, other)
    }

    /// `self == other`.
    pub fn equals(self, other: Expression) -> Formula {
        self.compare(Comparison::Equal, other)
    }

    /// `self != other`.
    pub fn differs(self, other: Expression) -> Formula {
        self.compare(Comparison::NotEqual, other)
    }
}

impl Formula {
    /// All of these.
    pub fn all(parts: impl IntoIterator<Item = Formula>) -> Formula {
        Formula::All(parts.into_iter().collect())
    }

    /// One of these.
    pub fn any(parts: impl IntoIterator<Item = Formula>) -> Formula {
        Formula::Any(parts.into_iter().collect())
    }

    /// Not this.
    #[must_use]
    pub fn negated(self) -> Formula {
        Formula::Not(Box::new(self))
    }

    /// The other, if this.
    #[must_use]
    pub fn implies(self, other: Formula) -> Formula {
        Formula::Implies(Box::new(self), Box::new(other))
    }

    /// Of every object and every offset.
    #[must_use]
    pub fn for_every(of: Formula) -> Formula {
        Formula::ForEvery(Box::new(of))
    }
}

impl Argument {
    /// An argument that claims nothing yet.
    pub fn by(engine: &str) -> Self {
        Argument {
            by: engine.to_owned(),
            ..Argument::default()
        }
    }

    /// The claims about a function, to be added to.
    pub fn function(&mut self, name: &str) -> &mut FunctionClaims {
        self.functions.entry(name.to_owned()).or_default()
    }
}

impl Contract {
    /// What callers grant, and what holds if it returns.
    pub fn new(requires: Vec<Formula>, ensures: Vec<Formula>) -> Self {
        Contract {
            requires,
            ensures: Some(ensures),
        }
    }
}
