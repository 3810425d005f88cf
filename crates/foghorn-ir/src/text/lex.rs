//! Tokens of textual IR.

use super::parse::ParseError;
use super::quote::is_identifier_part;

/// A piece of text.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token<'t> {
    /// Keywords, operators, types, plain names.
    Word(&'t str),
    /// `v7`
    Value(u32),
    /// `block7`
    Block(u32),
    /// `var7`
    Variable(u32),
    /// `^7`
    Site(u32),
    /// `@name` or `@"name"`
    Symbol(Vec<u8>),
    /// `.name` or `."name"`, right after a value
    ValueName(Vec<u8>),
    Number(Number),
    /// A number with a point or an exponent.
    Float(&'t str),
    Text(Vec<u8>),
    /// `! file:line:column`
    Location {
        file: Vec<u8>,
        line: u32,
        column: u32,
    },
    /// `->` and single characters.
    Punctuation(&'static str),
    End,
}

/// An integer literal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Number {
    pub negative: bool,
    pub magnitude: u128,
    pub hexadecimal: bool,
}

/// Where a token begins, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct Position {
    pub line: u32,
    pub column: u32,
}

impl Token<'_> {
    /// What the token is, for messages.
    pub fn describe(&self) -> String {
        match self {
            Token::Word(word) => format!("'{word}'"),
            Token::Value(number) => format!("'v{number}'"),
            Token::Block(number) => format!("'block{number}'"),
            Token::Variable(number) => format!("'var{number}'"),
            Token::Site(number) => format!("'^{number}'"),
            Token::Symbol(name) => format!("'@{}'", String::from_utf8_lossy(name)),
            Token::ValueName(name) => format!("'.{}'", String::from_utf8_lossy(name)),
            Token::Number(number) => {
                let sign = if number.negative { "-" } else { "" };
                format!("'{sign}{}'", number.magnitude)
            }
            Token::Float(text) => format!("'{text}'"),
            Token::Text(_) => "a quoted text".to_owned(),
            Token::Location { .. } => "a location".to_owned(),
            Token::Punctuation(text) => format!("'{text}'"),
            Token::End => "the end of the text".to_owned(),
        }
    }
}

/// All tokens with their positions; the last is [`Token::End`].
pub(super) fn tokens(text: &str) -> Result<Vec<(Token<'_>, Position)>, ParseError> {
    let mut lexer = Lexer {
        text,
        at: 0,
        line: 1,
        counted: 0,
        columns: 0,
    };
    let mut tokens = vec![];
    loop {
        lexer.skip_blank();
        lexer.count_columns();
        let position = lexer.position();
        let token = lexer.token()?;
        let is_end = token == Token::End;
        tokens.push((token, position));
        if is_end {
            return Ok(tokens);
        }
    }
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
    line: u32,
    /// The place in this line up to which its characters are counted, and how many there are. Each is
    /// counted once, so that long lines cost no more than short ones.
    counted: usize,
    columns: usize,
}

const PUNCTUATION: [&str; 12] = ["->", "(", ")", "{", "}", "[", "]", ",", ":", "=", "+", "*"];

impl<'t> Lexer<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn count_columns(&mut self) {
        self.columns += self.text[self.counted..self.at].chars().count();
        self.counted = self.at;
    }

    fn position(&self) -> Position {
        let column = self.columns + self.text[self.counted..self.at].chars().count() + 1;
        Position {
            line: self.line,
            column: u32::try_from(column).unwrap_or(u32::MAX),
        }
    }

    fn skip_blank(&mut self) {
        while let Some(c) = self.peek() {
            match c {
                '\n' => {
                    self.at += 1;
                    self.line += 1;
                    (self.counted, self.columns) = (self.at, 0);
                }
                ';' => self.at += self.rest().find('\n').unwrap_or(self.rest().len()),
                c if c.is_whitespace() => self.at += c.len_utf8(),
                _ => return,
            }
        }
    }

    fn token(&mut self) -> Result<Token<'t>, ParseError> {
        let Some(c) = self.peek() else {
            return Ok(Token::End);
        };
        match c {
            '"' => Ok(Token::Text(self.quoted()?)),
            '@' => {
                self.at += 1;
                Ok(Token::Symbol(self.name("a name after '@'")?))
            }
            '.' => {
                self.at += 1;
                Ok(Token::ValueName(self.name("a name after '.'")?))
            }
            '^' => {
                self.at += 1;
                Ok(Token::Site(self.decimal("a number after '^'")?))
            }
            '!' => {
                self.at += 1;
                self.location()
            }
            '0'..='9' => self.number(),
            '-' if self.rest()[1..].starts_with(|c: char| c.is_ascii_digit()) => self.number(),
            c if c.is_ascii_alphabetic() || c == '_' || c == '$' => Ok(self.word()),
            _ => self.punctuation(),
        }
    }

    fn error<T>(&self, expected: &str) -> Result<T, ParseError> {
        let found = match self.peek() {
            Some(c) => format!("'{}'", c.escape_debug()),
            None => "the end of the text".to_owned(),
        };
        Err(ParseError::expected(self.position(), expected, found))
    }

    fn punctuation(&mut self) -> Result<Token<'t>, ParseError> {
        let known = PUNCTUATION.iter().find(|p| self.rest().starts_with(**p));
        match known {
            Some(text) => {
                self.at += text.len();
                Ok(Token::Punctuation(text))
            }
            None => self.error("a token"),
        }
    }

    fn take_while(&mut self, belongs: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let length = rest.find(|c| !belongs(c)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    /// Words may contain dashes; a value's name after its number does not belong to the word.
    fn word(&mut self) -> Token<'t> {
        let start = self.at;
        for (prefix, token) in [
            ("v", Token::Value as fn(u32) -> Token<'t>),
            ("block", Token::Block),
            ("var", Token::Variable),
        ] {
            let Some(rest) = self.rest().strip_prefix(prefix) else {
                continue;
            };
            let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            let ends = !rest[digits..].starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
            if let (Ok(number), true) = (rest[..digits].parse(), ends) {
                self.at = start + prefix.len() + digits;
                return token(number);
            }
        }
        Token::Word(self.take_while(|c| is_identifier_part(c) || c == '-'))
    }

    fn number(&mut self) -> Result<Token<'t>, ParseError> {
        let start = self.at;
        let negative = self.rest().starts_with('-');
        self.at += usize::from(negative);
        let hexadecimal = self.rest().starts_with("0x");
        let digits = if hexadecimal {
            self.at += 2;
            self.take_while(|c| c.is_ascii_hexdigit())
        } else {
            self.take_while(|c| c.is_ascii_digit())
        };
        if !hexadecimal && self.rest().starts_with(['.', 'e']) {
            self.take_while(|c| c.is_ascii_digit() || c == '.');
            if self.rest().starts_with('e') {
                self.at += 1;
                self.at += usize::from(self.rest().starts_with(['-', '+']));
                self.take_while(|c| c.is_ascii_digit());
            }
            return Ok(Token::Float(&self.text[start..self.at]));
        }
        let radix = if hexadecimal { 16 } else { 10 };
        let Ok(magnitude) = u128::from_str_radix(digits, radix) else {
            self.at = start;
            return self.error("a number of at most 128 bits");
        };
        Ok(Token::Number(Number {
            negative,
            magnitude,
            hexadecimal,
        }))
    }

    fn decimal(&mut self, expected: &str) -> Result<u32, ParseError> {
        match self.take_while(|c| c.is_ascii_digit()).parse() {
            Ok(number) => Ok(number),
            Err(_) => self.error(expected),
        }
    }

    /// A name, plain or quoted.
    fn name(&mut self, expected: &str) -> Result<Vec<u8>, ParseError> {
        if self.peek() == Some('"') {
            return self.quoted();
        }
        let name = self.take_while(is_identifier_part);
        if name.is_empty() {
            return self.error(expected);
        }
        Ok(name.into())
    }

    fn quoted(&mut self) -> Result<Vec<u8>, ParseError> {
        self.at += 1;
        let mut bytes = vec![];
        loop {
            bytes.extend(self.take_while(|c| !matches!(c, '"' | '\\' | '\n')).bytes());
            match self.peek() {
                Some('"') => {
                    self.at += 1;
                    return Ok(bytes);
                }
                Some('\\') => {
                    self.at += 1;
                    let digits = self.rest().get(..2);
                    match digits.and_then(|d| u8::from_str_radix(d, 16).ok()) {
                        Some(byte) => bytes.push(byte),
                        None => return self.error("two hexadecimal digits after '\\'"),
                    }
                    self.at += 2;
                }
                Some(_) | None => return self.error("'\"' on the same line"),
            }
        }
    }

    fn location(&mut self) -> Result<Token<'t>, ParseError> {
        self.take_while(|c| c == ' ');
        let file = if self.peek() == Some('"') {
            self.quoted()?
        } else {
            let file = self.take_while(|c| c.is_ascii_graphic() && c != ':');
            file.into()
        };
        if file.is_empty() {
            return self.error("a file name after '!'");
        }
        if self.take_while(|c| c == ':') != ":" {
            return self.error("':' and a line");
        }
        let line = self.decimal("a line")?;
        let mut column = 0;
        if self.rest().starts_with(':') {
            self.at += 1;
            column = self.decimal("a column")?;
        }
        Ok(Token::Location { file, line, column })
    }
}
