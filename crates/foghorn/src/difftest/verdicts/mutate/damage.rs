//! Mutations that break a program at one place, or that may.

use super::Edit;
use super::structure::Structure;
use super::token::{Kind, Token};
use crate::difftest::verdicts::random::Random;

/// Operators and what takes their place.
const OTHER_OPERATORS: [(&str, &str); 16] = [
    ("<", "<="),
    ("<=", "<"),
    (">", ">="),
    (">=", ">"),
    ("==", "!="),
    ("!=", "=="),
    ("&&", "||"),
    ("||", "&&"),
    ("+", "-"),
    ("+=", "-="),
    ("-=", "+="),
    ("<<", ">>"),
    (">>", "<<"),
    ("++", "--"),
    ("--", "++"),
    ("%", "/"),
];

/// One damage to the program, if there is a place for it.
pub fn damage(tokens: &[Token], structure: &Structure, random: &mut Random) -> Option<Edit> {
    match random.below(5) {
        0 | 1 => operator(tokens, structure, random),
        2 | 3 => number(tokens, structure, random),
        _ => missing_call(tokens, structure, random),
    }
}

/// The places in functions where the token is such a one.
fn places(tokens: &[Token], structure: &Structure, test: impl Fn(&Token) -> bool) -> Vec<usize> {
    let positions = 0..structure.words.len();
    let within = positions.filter(|&position| structure.is_in_function(position));
    let found = within.filter(|&position| test(&tokens[structure.words[position]]));
    found.collect()
}

/// A wrong operator, or a bound that is off by one.
fn operator(tokens: &[Token], structure: &Structure, random: &mut Random) -> Option<Edit> {
    let other = |text: &str| OTHER_OPERATORS.iter().find(|(from, _)| *from == text);
    let places = places(tokens, structure, |token| other(&token.text).is_some());
    if places.is_empty() {
        return None;
    }
    let index = structure.words[*random.of(&places)];
    let (from, to) = other(&tokens[index].text)?;
    Some(Edit {
        what: format!("{from} became {to}"),
        replacements: vec![(index, (*to).to_owned())],
    })
}

/// A number that is off by one.
fn number(tokens: &[Token], structure: &Structure, random: &mut Random) -> Option<Edit> {
    let value = |token: &Token| match token.kind {
        Kind::Number => token.text.parse::<u32>().ok(),
        _ => None,
    };
    let places = places(tokens, structure, |token| value(token).is_some());
    if places.is_empty() {
        return None;
    }
    let index = structure.words[*random.of(&places)];
    let old = value(&tokens[index])?;
    let new = match random.chance(50) && old > 0 {
        true => old - 1,
        false => old.checked_add(1)?,
    };
    Some(Edit {
        what: format!("{old} became {new}"),
        replacements: vec![(index, new.to_string())],
    })
}

/// A call whose result nobody uses is left out: a missing free.
fn missing_call(tokens: &[Token], structure: &Structure, random: &mut Random) -> Option<Edit> {
    let text = |position: usize| {
        let index = structure.words.get(position)?;
        Some(tokens[*index].text.as_str())
    };
    let calls: Vec<(usize, usize)> = structure
        .statements()
        .filter_map(|position| {
            let end = structure.end_of_simple(tokens, position)?;
            let called = tokens[structure.words[position]].kind == Kind::Word;
            let is_call = called
                && text(position + 1) == Some("(")
                && structure.partner(position + 1) == Some(end - 1);
            let kept = ["if", "for", "switch", "return", "assert", "sizeof"];
            (is_call && !kept.contains(&text(position)?)).then_some((position, end))
        })
        .collect();
    if calls.is_empty() {
        return None;
    }
    let &(begin, end) = random.of(&calls);
    let removed = structure.words[begin]..structure.words[end];
    Some(Edit {
        what: format!("the call of {} is missing", text(begin)?),
        replacements: removed.map(|index| (index, String::new())).collect(),
    })
}
