//! A position in the tokens, and what every part of the grammar needs.

use super::{ParseError, Problem};
use crate::memory::RegionId;
use crate::text::lex::{Number, Position, Token};
use crate::types::Type;
use std::sync::Arc;

/// Tokens from a position on.
#[derive(Clone, Copy)]
pub struct Stream<'s, 't> {
    tokens: &'s [(Token<'t>, Position)],
    at: usize,
}

impl<'s, 't> Stream<'s, 't> {
    pub fn new(tokens: &'s [(Token<'t>, Position)]) -> Self {
        Stream { tokens, at: 0 }
    }

    /// The next token; [`Token::End`] for ever after the last.
    pub fn peek(&self) -> &'s Token<'t> {
        self.peek_after(0)
    }

    /// The token `count` after the next one.
    pub fn peek_after(&self, count: usize) -> &'s Token<'t> {
        &self.tokens[(self.at + count).min(self.tokens.len() - 1)].0
    }

    pub fn position(&self) -> Position {
        self.tokens[self.at.min(self.tokens.len() - 1)].1
    }

    pub fn advance(&mut self) -> &'s Token<'t> {
        let token = self.peek();
        self.at += 1;
        token
    }

    /// An error at the next token.
    pub fn expected<T>(&self, what: impl Into<String>) -> Result<T, ParseError> {
        Err(ParseError::expected(
            self.position(),
            what,
            self.peek().describe(),
        ))
    }

    /// The next token, if `accept` makes something of it, else an error.
    pub fn take<T>(
        &mut self,
        what: &str,
        accept: impl FnOnce(&'s Token<'t>) -> Option<T>,
    ) -> Result<T, ParseError> {
        match accept(self.peek()) {
            Some(result) => {
                self.at += 1;
                Ok(result)
            }
            None => self.expected(what),
        }
    }

    pub fn is_punctuation(&self, text: &str) -> bool {
        matches!(self.peek(), Token::Punctuation(p) if *p == text)
    }

    pub fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Token::Word(w) if *w == word)
    }

    /// Whether the punctuation was there and has been taken.
    pub fn try_punctuation(&mut self, text: &str) -> bool {
        let found = self.is_punctuation(text);
        self.at += usize::from(found);
        found
    }

    /// Whether the word was there and has been taken.
    pub fn try_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        self.at += usize::from(found);
        found
    }

    pub fn punctuation(&mut self, text: &str) -> Result<(), ParseError> {
        if self.try_punctuation(text) {
            return Ok(());
        }
        self.expected(format!("'{text}'"))
    }

    pub fn word(&mut self, word: &str) -> Result<(), ParseError> {
        if self.try_word(word) {
            return Ok(());
        }
        self.expected(format!("'{word}'"))
    }

    /// A word that `meaning` knows.
    pub fn named<T>(
        &mut self,
        what: &str,
        meaning: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, ParseError> {
        self.take(what, |token| match token {
            Token::Word(word) => meaning(word),
            _ => None,
        })
    }

    pub fn unsigned<T: TryFrom<u128>>(&mut self, what: &str) -> Result<T, ParseError> {
        self.take(what, |token| match token {
            Token::Number(number) if !number.negative => T::try_from(number.magnitude).ok(),
            _ => None,
        })
    }

    pub fn signed(&mut self, what: &str) -> Result<i64, ParseError> {
        self.take(what, |token| match token {
            Token::Number(number) => signed(*number),
            _ => None,
        })
    }

    pub fn ty(&mut self) -> Result<Type, ParseError> {
        self.named("a type", parse_type)
    }

    pub fn text(&mut self, what: &str) -> Result<Arc<str>, ParseError> {
        self.take(what, |token| match token {
            Token::Text(bytes) => utf8(bytes),
            _ => None,
        })
    }

    pub fn symbol(&mut self) -> Result<Arc<str>, ParseError> {
        self.take("a name with '@'", |token| match token {
            Token::Symbol(name) => utf8(name),
            _ => None,
        })
    }

    /// A variable's name: a word or quoted.
    pub fn name(&mut self) -> Result<Arc<str>, ParseError> {
        self.take("a name", |token| match token {
            Token::Word(word) => Some((*word).into()),
            Token::Text(bytes) => utf8(bytes),
            _ => None,
        })
    }

    /// The entity of a reference, or an error at `position` that it is not defined.
    pub fn defined<T>(
        position: Position,
        found: Option<T>,
        what: impl FnOnce() -> String,
    ) -> Result<T, ParseError> {
        found.ok_or_else(|| ParseError::new(position, Problem::Undefined(what())))
    }

    /// Items with `separator` between them, at least one.
    pub fn list<T>(
        &mut self,
        separator: &str,
        mut item: impl FnMut(&mut Self) -> Result<T, ParseError>,
    ) -> Result<Vec<T>, ParseError> {
        let mut items = vec![item(self)?];
        while self.try_punctuation(separator) {
            items.push(item(self)?);
        }
        Ok(items)
    }

    /// `( item, … )`, also with nothing between the parentheses.
    pub fn parenthesised<T>(
        &mut self,
        item: impl FnMut(&mut Self) -> Result<T, ParseError>,
    ) -> Result<Vec<T>, ParseError> {
        self.punctuation("(")?;
        if self.try_punctuation(")") {
            return Ok(vec![]);
        }
        let items = self.list(",", item)?;
        self.punctuation(")")?;
        Ok(items)
    }
}

pub fn utf8(bytes: &[u8]) -> Option<Arc<str>> {
    std::str::from_utf8(bytes).ok().map(Into::into)
}

pub fn signed(number: Number) -> Option<i64> {
    let magnitude = i128::try_from(number.magnitude).ok()?;
    let value = if number.negative {
        -magnitude
    } else {
        magnitude
    };
    i64::try_from(value).ok()
}

fn parse_type(word: &str) -> Option<Type> {
    match word {
        "ptr" => Some(Type::Ptr),
        "f32" => Some(Type::F32),
        "f64" => Some(Type::F64),
        _ => {
            if let Some(region) = word.strip_prefix("region") {
                return region
                    .parse()
                    .ok()
                    .map(|n| Type::Memory(RegionId::from_u32(n)));
            }
            let digits = word.strip_prefix('i')?;
            let width = digits.parse().ok().filter(|w| (1..=128).contains(w))?;
            (!digits.starts_with(['0', '+'])).then_some(Type::Int(width))
        }
    }
}
