//! Claims as people read them.

use super::{BitOperation, Comparison, Content, Expression, Formula, View};
use std::fmt::{Display, Formatter, Result};

impl Display for Comparison {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(match self {
            Comparison::LessOrEqual => "<=",
            Comparison::Less => "<",
            Comparison::Equal => "==",
            Comparison::NotEqual => "!=",
        })
    }
}

impl Display for Formula {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Formula::Constant(value) => write!(f, "{value}"),
            Formula::Truth(subject) => write!(f, "{subject}"),
            Formula::Compare {
                relation,
                left,
                right,
            } => write!(f, "{left} {relation} {right}"),
            Formula::Alive(object) => write!(f, "alive({object})"),
            Formula::AliveAtEntry(object) => write!(f, "alive-at-entry({object})"),
            Formula::OnHeap(object) => write!(f, "on-heap({object})"),
            Formula::Not(of) => write!(f, "!({of})"),
            Formula::All(parts) => joined(f, parts, " && ", "true"),
            Formula::Any(parts) => joined(f, parts, " || ", "false"),
            Formula::Implies(when, then) => write!(f, "({when}) => ({then})"),
            Formula::ForEvery(of) => write!(f, "for every k, o: {of}"),
        }
    }
}

fn joined<T: Display>(f: &mut Formatter<'_>, parts: &[T], by: &str, none: &str) -> Result {
    match parts {
        [] => f.write_str(none),
        [one] => write!(f, "{one}"),
        parts => {
            let parts: Vec<String> = parts.iter().map(|part| format!("({part})")).collect();
            f.write_str(&parts.join(by))
        }
    }
}

impl Display for Expression {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Expression::Number(number) => f.write_str(number),
            Expression::Signed(subject) => write!(f, "{subject}"),
            Expression::Unsigned(subject) => write!(f, "unsigned({subject})"),
            Expression::Object(subject) => write!(f, "object({subject})"),
            Expression::Offset(subject) => write!(f, "offset({subject})"),
            Expression::Size(object) => write!(f, "size({object})"),
            Expression::Content(content) => write!(f, "{content}"),
            Expression::EveryObject => f.write_str("k"),
            Expression::EveryOffset => f.write_str("o"),
            Expression::NextObject => f.write_str("next-object"),
            Expression::NextObjectAtEntry => f.write_str("next-object-at-entry"),
            Expression::Sum(parts) => {
                let parts: Vec<String> = parts.iter().map(ToString::to_string).collect();
                match &parts[..] {
                    [] => f.write_str("0"),
                    parts => write!(f, "({})", parts.join(" + ")),
                }
            }
            Expression::Scaled(factor, of) => write!(f, "{factor} * {of}"),
            Expression::Product(left, right) => write!(f, "({left}) * ({right})"),
            Expression::Quotient(of, by) => write!(f, "({of}) div {by}"),
            Expression::Remainder(of, by) => write!(f, "({of}) mod {by}"),
            Expression::Choice(when, then, otherwise) => {
                write!(f, "(if {when} then {then} else {otherwise})")
            }
            Expression::Wrapped { bits, signed, of } => {
                let sign = if *signed { "signed" } else { "unsigned" };
                write!(f, "{sign}-{bits}({of})")
            }
            Expression::Bits {
                operation,
                bits,
                left,
                right,
            } => {
                let operation = match operation {
                    BitOperation::And => "and",
                    BitOperation::Or => "or",
                    BitOperation::Xor => "xor",
                };
                write!(f, "{operation}-{bits}({left}, {right})")
            }
        }
    }
}

impl Display for Content {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let Content {
            memory,
            object,
            offset,
            bytes,
            view,
        } = self;
        let view = match view {
            View::Signed => "",
            View::Unsigned => "unsigned ",
            View::Object => "object of ",
            View::Offset => "offset of ",
        };
        write!(f, "{view}{memory}[{object}, {offset}; {bytes}]")
    }
}

#[cfg(test)]
mod tests {
    use super::super::build::{number, signed, value};
    use super::*;

    #[test]
    fn claims_read_like_conditions_and_survive_being_written() {
        let k = Expression::EveryObject;
        let cell = Expression::content(
            value(9),
            k.clone(),
            Expression::EveryOffset,
            4,
            View::Signed,
        );
        let claim = Formula::for_every(
            Formula::all([
                k.clone().equals(Expression::Object(value(0))),
                Formula::Alive(k),
            ])
            .implies(cell.less(signed(value(3)).minus(number(1)))),
        );
        assert_eq!(
            claim.to_string(),
            "for every k, o: ((k == object(v0)) && (alive(k))) => (v9[k, o; 4] < (v3 + -1 * 1))"
        );
        let text = serde_json::to_string(&claim).expect("it is data");
        assert_eq!(
            serde_json::from_str::<Formula>(&text).expect("it was written so"),
            claim
        );
    }
}
