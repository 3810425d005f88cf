//! Facts for people: `v0 <= 9`, `offset(v3) + 4 <= size(v3)`, `!v5`. Values are those of the IR.

use super::{Aspect, Fact, Operand, Quantity, Relation, Subject};
use std::fmt::{Display, Formatter, Result};

impl Display for Subject {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> Result {
        match self {
            Subject::Value(number) => write!(formatter, "v{number}"),
            Subject::Result(number) => write!(formatter, "result{number}"),
        }
    }
}

impl Display for Quantity {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> Result {
        let subject = self.subject;
        match self.aspect {
            Aspect::Integer | Aspect::Boolean => write!(formatter, "{subject}"),
            Aspect::IsObject => write!(formatter, "is_object({subject})"),
            Aspect::Offset => write!(formatter, "offset({subject})"),
            Aspect::Size => write!(formatter, "size({subject})"),
        }
    }
}

impl Display for Operand {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> Result {
        match self {
            Operand::Quantity(quantity) => write!(formatter, "{quantity}"),
            Operand::Number(number) => write!(formatter, "{number}"),
        }
    }
}

impl Display for Relation {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> Result {
        formatter.write_str(match self {
            Relation::LessOrEqual => "<=",
            Relation::Equal => "==",
            Relation::NotEqual => "!=",
        })
    }
}

impl Display for Fact {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> Result {
        match self {
            Fact::Linear {
                terms,
                constant,
                relation,
            } => {
                // What is subtracted is written on the other side.
                let side = |negative: bool| {
                    let own = terms
                        .iter()
                        .filter(|(_, it)| it.starts_with('-') == negative);
                    let mut parts: Vec<String> = own.map(product).collect();
                    let number = constant.trim_start_matches('-');
                    if constant.starts_with('-') == negative && number != "0" {
                        parts.push(number.to_owned());
                    }
                    match &parts[..] {
                        [] => "0".to_owned(),
                        parts => parts.join(" + "),
                    }
                };
                write!(formatter, "{} {relation} {}", side(false), side(true))
            }
            Fact::Unsigned {
                strict,
                left,
                right,
            } => {
                let relation = if *strict { "<" } else { "<=" };
                write!(formatter, "{left} {relation} {right} (unsigned)")
            }
            Fact::Truth { of, is: true } => write!(formatter, "{of}"),
            Fact::Truth { of, is: false } => write!(formatter, "!{of}"),
            Fact::Implied { when, then } => {
                let not = |is: bool| if is { "" } else { "!" };
                let (when, is, then, so) = (when.0, when.1, then.0, then.1);
                write!(formatter, "{}{when} => {}{then}", not(is), not(so))
            }
        }
    }
}

fn product((quantity, factor): &(Quantity, String)) -> String {
    match factor.trim_start_matches('-') {
        "1" => quantity.to_string(),
        factor => format!("{factor} * {quantity}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn integer(value: u32) -> Quantity {
        Quantity {
            subject: Subject::Value(value),
            aspect: Aspect::Integer,
        }
    }

    #[test]
    fn facts_read_like_conditions() {
        let bound = Fact::Linear {
            terms: vec![(integer(0), "1".into()), (integer(2), "-4".into())],
            constant: "-9".into(),
            relation: Relation::LessOrEqual,
        };
        assert_eq!(bound.to_string(), "v0 <= 4 * v2 + 9");
        let lower = Fact::Linear {
            terms: vec![(integer(0), "-1".into())],
            constant: "0".into(),
            relation: Relation::LessOrEqual,
        };
        assert_eq!(lower.to_string(), "0 <= v0");
        let of = integer(5);
        assert_eq!(Fact::Truth { of, is: false }.to_string(), "!v5");
        let (when, then) = ((of, true), (integer(6), false));
        assert_eq!(Fact::Implied { when, then }.to_string(), "v5 => !v6");
    }
}
