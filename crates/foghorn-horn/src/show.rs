//! Interpretations in the words of C.
//!
//! An interpretation is an SMT-LIB definition over `x!0, x!1, …`; the signature of the predicate says what
//! each of them stands for.

use crate::clauses::{Clauses, Cut, Part, Role};
use crate::memory::Kept;
use foghorn_ir::{Body, FunctionId, Module, ValueId};
use foghorn_smt::horn::Interpretation;

/// What holds at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The function, and where in it.
    pub function: String,
    pub location: String,
    /// `loop` or `contract`.
    pub place: &'static str,
    pub text: String,
}

/// What the interpretations of a proof say, in the order of the cuts.
pub fn show(module: &Module, clauses: &Clauses, found: &[Interpretation]) -> Vec<Shown> {
    let mut all = vec![];
    for cut in &clauses.cuts {
        let own = found.iter().find(|it| it.predicate == cut.predicate);
        let Some(own) = own else { continue };
        let names: Vec<String> = cut
            .signature
            .entries
            .iter()
            .filter(|entry| entry.fixed.is_none())
            .map(|entry| name(module, cut, &entry.role, &entry.name))
            .collect();
        let (function, block, _, _) = cut.key.frames[cut.key.frames.len() - 1];
        let body = module.functions[function].body.as_ref();
        let span = body.map(|body| {
            let block = &body.blocks[block];
            let first = block.instructions.iter();
            let mut spans = first.map(|id| body.instructions[*id].span);
            spans
                .find(|span| span.is_known())
                .unwrap_or(block.terminator_span)
        });
        all.push(Shown {
            function: module.functions[function].name.to_string(),
            location: span.map_or_else(String::new, |span| module.spans.describe(span)),
            place: if cut.is_entry() { "contract" } else { "loop" },
            text: translate(&own.definition, &names),
        });
    }
    all
}

/// What people call an argument.
fn name(module: &Module, cut: &Cut, role: &Role, otherwise: &str) -> String {
    let function_of = |frame: usize| cut.key.frames[frame].0;
    let suffix = |part: Part| match part {
        Part::Number => "",
        Part::Object => ".object",
        Part::Offset => ".offset",
    };
    match role {
        Role::Value { frame, value, part } => {
            let function = function_of(*frame);
            format!("{}{}", value_name(module, function, *value), suffix(*part))
        }
        Role::Content {
            frame,
            value,
            part,
            single,
            ..
        } => {
            let function = function_of(*frame);
            let region = region_name(module, function, *value);
            match single {
                true => format!("{region}{}", suffix(*part)),
                false => format!("{region}[k]{}", suffix(*part)),
            }
        }
        Role::Ghost { kept, .. } => match kept {
            Kept::Life => "alive(k)".to_owned(),
            Kept::Size => "size(k)".to_owned(),
            Kept::Origin | Kept::Region(..) => "origin(k)".to_owned(),
        },
        Role::TrackedObject => "k".to_owned(),
        Role::TrackedOffset => "k.offset".to_owned(),
        Role::NextHeap => "allocated".to_owned(),
        Role::Entry { value, part, .. } => {
            let name = value_name(module, cut.key.procedure, *value);
            format!("\\old({name}){}", suffix(*part))
        }
        _ => otherwise.to_owned(),
    }
}

fn body(module: &Module, function: FunctionId) -> Option<&Body> {
    module.functions[function].body.as_ref()
}

fn value_name(module: &Module, function: FunctionId, value: ValueId) -> String {
    let name = body(module, function).and_then(|body| body.values[value].name.clone());
    name.map_or_else(|| value.to_string(), |name| name.to_string())
}

fn region_name(module: &Module, function: FunctionId, value: ValueId) -> String {
    let region = body(module, function).and_then(|body| {
        let region = body.ty(value).region()?;
        Some(body.regions[region].name.to_string())
    });
    region.unwrap_or_else(|| value.to_string())
}

/// A definition with the names put in and operators where C has them; what is not understood stays as
/// it is.
fn translate(definition: &str, names: &[String]) -> String {
    let tokens = tokens(definition);
    let mut position = 0;
    let Some(Tree::List(parts)) = parse(&tokens, &mut position) else {
        return definition.to_owned();
    };
    // (define-fun name ((x!0 Sort) …) Bool body)
    let Some(Tree::List(formals)) = parts.get(2) else {
        return definition.to_owned();
    };
    let formal = |tree: &Tree| match tree {
        Tree::List(pair) => match pair.first() {
            Some(Tree::Atom(name)) => Some(name.clone()),
            _ => None,
        },
        Tree::Atom(_) => None,
    };
    let formals: Vec<String> = formals.iter().filter_map(formal).collect();
    match parts.last() {
        Some(body) => infix(body, &formals, names),
        None => definition.to_owned(),
    }
}

enum Tree {
    Atom(String),
    List(Vec<Tree>),
}

fn tokens(text: &str) -> Vec<String> {
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    spaced.split_whitespace().map(str::to_owned).collect()
}

fn parse(tokens: &[String], position: &mut usize) -> Option<Tree> {
    let token = tokens.get(*position)?;
    *position += 1;
    if token != "(" {
        return Some(Tree::Atom(token.clone()));
    }
    let mut parts = vec![];
    while tokens.get(*position)? != ")" {
        parts.push(parse(tokens, position)?);
    }
    *position += 1;
    Some(Tree::List(parts))
}

fn infix(tree: &Tree, formals: &[String], names: &[String]) -> String {
    let inner = |tree: &Tree| infix(tree, formals, names);
    match tree {
        Tree::Atom(name) => {
            let place = formals.iter().position(|formal| formal == name);
            let known = place.and_then(|place| names.get(place));
            known.cloned().unwrap_or_else(|| name.clone())
        }
        Tree::List(parts) => {
            let operator = match parts.first() {
                Some(Tree::Atom(operator)) => operator.as_str(),
                _ => "",
            };
            let arguments: Vec<String> = parts.iter().skip(1).map(inner).collect();
            let joined = |with: &str| format!("({})", arguments.join(with));
            match (operator, arguments.len()) {
                ("and", _) => joined(" && "),
                ("or", _) => joined(" || "),
                ("not", 1) => format!("!{}", arguments[0]),
                ("=", _) => joined(" == "),
                ("-", 1) => format!("-{}", arguments[0]),
                ("=>", 2) => format!("(!{} || {})", arguments[0], arguments[1]),
                ("ite", 3) => format!("({} ? {} : {})", arguments[0], arguments[1], arguments[2]),
                ("+" | "-" | "*" | "<" | "<=" | ">" | ">=", _) => joined(&format!(" {operator} ")),
                ("div", 2) => joined(" / "),
                ("mod", 2) => joined(" % "),
                _ => {
                    let all: Vec<String> = parts.iter().map(inner).collect();
                    format!("({})", all.join(" "))
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::translate;

    #[test]
    fn names_take_the_place_of_formals() {
        let text =
            "(define-fun p ((x!0 Int) (x!1 Int)) Bool (and (<= x!0 x!1) (not (= x!1 (- 3)))))";
        let names = ["i".to_owned(), "n".to_owned()];
        assert_eq!(translate(text, &names), "((i <= n) && !(n == -3))");
    }
}
