//! S-expressions, as SMT-LIB 2 writes them.
//!
//! Expressions live in one arena and are named by [`SExprId`], so that neither reading nor
//! dropping a deeply nested file recurses.

use cranelift_entity::{PrimaryMap, entity_impl};
use std::ops::Range;

/// An expression of a [`Document`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SExprId(u32);
entity_impl!(SExprId, "e");

/// An expression: an atom or a list.
#[derive(Clone, Debug)]
pub enum SExpr {
    /// A symbol, keyword, numeral or literal, exactly as written.
    Atom(Range<usize>),
    List(Vec<SExprId>),
}

/// Why a text is not a sequence of s-expressions.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct SyntaxError {
    pub line: usize,
    pub problem: &'static str,
}

/// A text and the expressions in it.
#[derive(Clone, Debug)]
pub struct Document {
    text: String,
    expressions: PrimaryMap<SExprId, SExpr>,
    lines: PrimaryMap<SExprId, u32>,
    top: Vec<SExprId>,
}

impl Document {
    /// Reads all expressions of a text.
    pub fn read(text: &str) -> Result<Self, SyntaxError> {
        let mut document = Document {
            text: text.to_owned(),
            expressions: PrimaryMap::new(),
            lines: PrimaryMap::new(),
            top: Vec::new(),
        };
        let mut open: Vec<(usize, Vec<SExprId>)> = Vec::new();
        let mut lexer = Lexer::new(text.as_bytes());
        while let Some(token) = lexer.next_token()? {
            let line = lexer.token_line;
            let finished = match token {
                Token::Open => {
                    open.push((line, Vec::new()));
                    continue;
                }
                Token::Close => {
                    let (line, items) = open.pop().ok_or(SyntaxError {
                        line,
                        problem: "a parenthesis closes that was never opened",
                    })?;
                    document.add(SExpr::List(items), line)
                }
                Token::Atom(range) => document.add(SExpr::Atom(range), line),
            };
            match open.last_mut() {
                Some((_, items)) => items.push(finished),
                None => document.top.push(finished),
            }
        }
        match open.last() {
            Some((line, _)) => Err(SyntaxError {
                line: *line,
                problem: "a parenthesis is never closed",
            }),
            None => Ok(document),
        }
    }

    fn add(&mut self, expression: SExpr, line: usize) -> SExprId {
        self.lines.push(u32::try_from(line).unwrap_or(u32::MAX));
        self.expressions.push(expression)
    }

    /// The expressions that stand in no other.
    pub fn top(&self) -> &[SExprId] {
        &self.top
    }

    pub fn get(&self, id: SExprId) -> &SExpr {
        &self.expressions[id]
    }

    /// The line an expression starts on, counted from 1.
    pub fn line(&self, id: SExprId) -> usize {
        self.lines[id] as usize
    }

    /// The text of an atom, with the bars of a quoted symbol removed.
    pub fn atom(&self, id: SExprId) -> Option<&str> {
        match &self.expressions[id] {
            SExpr::Atom(range) => {
                let text = &self.text[range.clone()];
                let inner = text.strip_prefix('|').and_then(|t| t.strip_suffix('|'));
                Some(inner.unwrap_or(text))
            }
            SExpr::List(_) => None,
        }
    }

    /// Whether the expression is a symbol between bars: a name, whatever it looks like.
    pub fn is_quoted(&self, id: SExprId) -> bool {
        match &self.expressions[id] {
            SExpr::Atom(range) => self.text[range.clone()].starts_with('|'),
            SExpr::List(_) => false,
        }
    }

    /// The elements of a list.
    pub fn list(&self, id: SExprId) -> Option<&[SExprId]> {
        match &self.expressions[id] {
            SExpr::Atom(_) => None,
            SExpr::List(items) => Some(items),
        }
    }

    /// A list whose first element is an atom: that atom and the rest.
    pub fn call(&self, id: SExprId) -> Option<(&str, &[SExprId])> {
        let (head, rest) = self.list(id)?.split_first()?;
        Some((self.atom(*head)?, rest))
    }
}

enum Token {
    Open,
    Close,
    Atom(Range<usize>),
}

struct Lexer<'a> {
    bytes: &'a [u8],
    position: usize,
    line: usize,
    token_line: usize,
}

impl<'a> Lexer<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        Lexer {
            bytes,
            position: 0,
            line: 1,
            token_line: 1,
        }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.position).copied()
    }

    fn advance(&mut self) {
        if self.peek() == Some(b'\n') {
            self.line += 1;
        }
        self.position += 1;
    }

    fn skip_blank(&mut self) {
        while let Some(byte) = self.peek() {
            if byte == b';' {
                while self.peek().is_some_and(|b| b != b'\n') {
                    self.advance();
                }
            } else if byte.is_ascii_whitespace() {
                self.advance();
            } else {
                break;
            }
        }
    }

    fn next_token(&mut self) -> Result<Option<Token>, SyntaxError> {
        self.skip_blank();
        self.token_line = self.line;
        let Some(byte) = self.peek() else {
            return Ok(None);
        };
        let start = self.position;
        match byte {
            b'(' => {
                self.advance();
                return Ok(Some(Token::Open));
            }
            b')' => {
                self.advance();
                return Ok(Some(Token::Close));
            }
            b'|' => self.until(b'|', false)?,
            b'"' => self.until(b'"', true)?,
            _ => {
                while self.peek().is_some_and(is_atom_byte) {
                    self.advance();
                }
            }
        }
        Ok(Some(Token::Atom(start..self.position)))
    }

    /// Past the closing delimiter; a doubled delimiter stands for itself if `doubled`.
    fn until(&mut self, delimiter: u8, doubled: bool) -> Result<(), SyntaxError> {
        self.advance();
        loop {
            match self.peek() {
                None => {
                    return Err(SyntaxError {
                        line: self.token_line,
                        problem: "a quoted text never ends",
                    });
                }
                Some(byte) if byte == delimiter => {
                    self.advance();
                    if doubled && self.peek() == Some(delimiter) {
                        self.advance();
                        continue;
                    }
                    return Ok(());
                }
                Some(_) => self.advance(),
            }
        }
    }
}

/// Whether an atom without bars or quotes can go on with this byte.
pub fn is_atom_byte(byte: u8) -> bool {
    !byte.is_ascii_whitespace() && !matches!(byte, b'(' | b')' | b';' | b'"' | b'|')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_symbols_strings_comments_and_lists() {
        let document = Document::read("; hello\n(a |b c| (\"x\"\"y\" #x0f) ) d").unwrap();
        assert_eq!(document.top().len(), 2);
        let (head, rest) = document.call(document.top()[0]).unwrap();
        assert_eq!(head, "a");
        assert_eq!(document.atom(rest[0]), Some("b c"));
        let inner = document.list(rest[1]).unwrap();
        assert_eq!(document.atom(inner[0]), Some("\"x\"\"y\""));
        assert_eq!(document.atom(inner[1]), Some("#x0f"));
        assert_eq!(document.line(document.top()[0]), 2);
    }

    #[test]
    fn complains_with_the_line() {
        let error = Document::read("(a)\n(b").unwrap_err();
        assert_eq!(error.line, 2);
        assert_eq!(Document::read(")").unwrap_err().line, 1);
        assert_eq!(Document::read("\n|a").unwrap_err().line, 2);
    }

    #[test]
    fn a_million_parentheses_neither_read_nor_drop_recursively() {
        let depth = 1_000_000;
        let text = "(".repeat(depth) + &")".repeat(depth);
        let document = Document::read(&text).unwrap();
        assert_eq!(document.top().len(), 1);
        drop(document);
    }
}
