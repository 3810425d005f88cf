//! S-expressions, as SMT-LIB 2 writes them.
//!
//! Expressions live in one arena and are named by [`SExprId`], so that neither reading nor
//! dropping a deeply nested file recurses. [`Splitter`] cuts a stream of bytes into complete
//! expressions and is what the process driver listens through.

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

fn is_atom_byte(byte: u8) -> bool {
    !byte.is_ascii_whitespace() && !matches!(byte, b'(' | b')' | b';' | b'"' | b'|')
}

/// Where a [`Splitter`] is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    Between,
    Atom,
    Text(u8),
    Comment,
}

/// Cuts a stream into complete top-level expressions.
#[derive(Debug)]
pub struct Splitter {
    buffer: Vec<u8>,
    depth: usize,
    place: Place,
}

impl Default for Splitter {
    fn default() -> Self {
        Splitter {
            buffer: Vec::new(),
            depth: 0,
            place: Place::Between,
        }
    }
}

impl Splitter {
    /// Takes one byte; gives an expression if that byte completes one.
    pub fn push(&mut self, byte: u8) -> Option<String> {
        match self.place {
            Place::Comment => {
                if byte == b'\n' {
                    self.place = Place::Between;
                }
                None
            }
            Place::Text(delimiter) => {
                self.buffer.push(byte);
                if byte == delimiter {
                    self.place = Place::Between;
                    return self.complete_at_top();
                }
                None
            }
            Place::Atom if is_atom_byte(byte) => {
                self.buffer.push(byte);
                None
            }
            // A parenthesis after an atom at top level is dropped with it: an answer that glues
            // the two is garbage anyway, and the next complete expression is found.
            Place::Atom => {
                self.place = Place::Between;
                let finished = self.complete_at_top();
                self.between(byte).or(finished)
            }
            Place::Between => self.between(byte),
        }
    }

    /// Bytes held of an expression that is not complete yet.
    pub fn pending(&self) -> usize {
        self.buffer.len()
    }

    fn between(&mut self, byte: u8) -> Option<String> {
        match byte {
            b';' => {
                self.place = Place::Comment;
                None
            }
            b'"' | b'|' => {
                self.buffer.push(byte);
                self.place = Place::Text(byte);
                None
            }
            b'(' => {
                self.buffer.push(byte);
                self.depth += 1;
                None
            }
            b')' => {
                self.buffer.push(byte);
                self.depth = self.depth.saturating_sub(1);
                self.complete_at_top()
            }
            _ if byte.is_ascii_whitespace() => {
                if self.depth > 0 {
                    self.buffer.push(byte);
                }
                None
            }
            _ => {
                self.buffer.push(byte);
                self.place = Place::Atom;
                None
            }
        }
    }

    fn complete_at_top(&mut self) -> Option<String> {
        if self.depth > 0 || self.buffer.is_empty() {
            return None;
        }
        let bytes = std::mem::take(&mut self.buffer);
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }
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

    #[test]
    fn the_splitter_finds_each_answer() {
        let mut splitter = Splitter::default();
        let answers: Vec<String> = b"sat\n((x #b1)\n (y true)) \"a)b\" unsat\n"
            .iter()
            .filter_map(|byte| splitter.push(*byte))
            .collect();
        assert_eq!(answers, ["sat", "((x #b1)\n (y true))", "\"a)b\"", "unsat"]);
    }
}
