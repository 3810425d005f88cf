//! Tokens of the text syntax.

use crate::language::parser::{Position, SyntaxError};
use crate::number::Number;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token {
    Word(String),
    Number(Number),
    Symbol(&'static str),
    End,
}

/// Longer symbols first: the first that fits is taken.
const SYMBOLS: &[&str] = &[
    "<=u", ">=u", ":=", "->", "<=", ">=", "==", "!=", "<u", ">u", "<", ">", "+", "-", "*", "(",
    ")", "{", "}", ",", ":", "&",
];

/// The tokens of a text, each with its place. `//` and `#` start comments.
pub(super) fn tokens(text: &str) -> Result<Vec<(Token, Position)>, SyntaxError> {
    let mut tokens = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line_number = u32::try_from(number + 1).unwrap_or(u32::MAX);
        line_tokens(line, line_number, &mut tokens)?;
    }
    let end = Position {
        line: u32::try_from(text.lines().count()).unwrap_or(u32::MAX),
        column: 1,
    };
    tokens.push((Token::End, end));
    Ok(tokens)
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '.' | '\'' | '@' | '$' | '%')
}

fn line_tokens(
    line: &str,
    number: u32,
    tokens: &mut Vec<(Token, Position)>,
) -> Result<(), SyntaxError> {
    let mut rest = line;
    loop {
        rest = rest.trim_start();
        if rest.is_empty() || rest.starts_with("//") || rest.starts_with('#') {
            return Ok(());
        }
        let column = u32::try_from(line.len() - rest.len() + 1).unwrap_or(u32::MAX);
        let position = Position {
            line: number,
            column,
        };
        let word_end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        if word_end > 0 {
            let (word, after) = rest.split_at(word_end);
            let token = if word.starts_with(|c: char| c.is_ascii_digit()) {
                let value = word.parse().map_err(|_| SyntaxError {
                    position,
                    message: format!("`{word}` is no number"),
                })?;
                Token::Number(value)
            } else {
                Token::Word(word.to_owned())
            };
            tokens.push((token, position));
            rest = after;
            continue;
        }
        // `<u` is only a symbol before something that is no letter: `a <uint` compares.
        let fits = |symbol: &&&'static str| {
            rest.strip_prefix(**symbol)
                .is_some_and(|after| !symbol.ends_with('u') || !after.starts_with(is_word))
        };
        let Some(symbol) = SYMBOLS.iter().find(fits) else {
            let message = format!("unexpected `{}`", rest.chars().next().unwrap_or(' '));
            return Err(SyntaxError { position, message });
        };
        tokens.push((Token::Symbol(symbol), position));
        rest = &rest[symbol.len()..];
    }
}
