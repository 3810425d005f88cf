//! C text as tokens that can be put together again, byte by byte.

/// What a token is, as far as a mutation needs to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Word,
    Number,
    /// A string or a character.
    Quoted,
    Punctuation,
    /// White space and comments.
    Blank,
    /// A line that begins with `#`.
    Directive,
}

/// A piece of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    pub kind: Kind,
    pub text: String,
}

/// Operators of more than one character, longest first.
const OPERATORS: [&str; 22] = [
    "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=",
    "-=", "*=", "/=", "%=", "&=", "|=", "^=",
];

/// The tokens of a text; together they are the text.
pub fn tokenize(text: &str) -> Vec<Token> {
    let mut tokens = vec![];
    let mut rest = text;
    let mut at_line_start = true;
    while let Some(first) = rest.chars().next() {
        let (kind, length) = next(rest, first, at_line_start);
        let (token, remainder) = rest.split_at(length);
        at_line_start = match kind {
            Kind::Blank => token.contains('\n') || (at_line_start && !token.contains('/')),
            _ => false,
        };
        tokens.push(Token {
            kind,
            text: token.to_owned(),
        });
        rest = remainder;
    }
    tokens
}

/// The text of tokens.
pub fn join(tokens: &[Token]) -> String {
    tokens.iter().map(|token| token.text.as_str()).collect()
}

fn next(rest: &str, first: char, at_line_start: bool) -> (Kind, usize) {
    let while_true =
        |test: &dyn Fn(char) -> bool| rest.find(|c: char| !test(c)).unwrap_or(rest.len());
    match first {
        '#' if at_line_start => (Kind::Directive, directive(rest)),
        c if c.is_whitespace() => (Kind::Blank, while_true(&char::is_whitespace)),
        '/' if rest.starts_with("//") => (Kind::Blank, rest.find('\n').unwrap_or(rest.len())),
        '/' if rest.starts_with("/*") => {
            let end = rest.find("*/").map(|end| end + 2);
            (Kind::Blank, end.unwrap_or(rest.len()))
        }
        c if c.is_alphabetic() || c == '_' => {
            (Kind::Word, while_true(&|c| c.is_alphanumeric() || c == '_'))
        }
        c if c.is_ascii_digit() => (
            Kind::Number,
            while_true(&|c| c.is_alphanumeric() || c == '.' || c == '_'),
        ),
        '"' | '\'' => (Kind::Quoted, quoted(rest, first)),
        c => {
            let operator = OPERATORS.iter().find(|it| rest.starts_with(**it));
            (
                Kind::Punctuation,
                operator.map_or(c.len_utf8(), |it| it.len()),
            )
        }
    }
}

/// The length of a directive, lines that it continues on included.
fn directive(rest: &str) -> usize {
    let mut end = 0;
    for line in rest.split_inclusive('\n') {
        end += line.len();
        if !line.trim_end().ends_with('\\') {
            break;
        }
    }
    rest[..end].trim_end_matches('\n').len()
}

/// The length of what stands between quotes.
fn quoted(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (index, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return index + 1,
            _ => {}
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_together_are_the_text() {
        let text = "// a\n#include <x.h>\n#define A \\\n 1\nint f(void) {\n  char c = '\\'';\n  \
                    return \"a;\\\"b\"[0] <<= 0x1fu /* b */ ? c : 1.5e3;\n}\n";
        assert_eq!(join(&tokenize(text)), text);
    }

    #[test]
    fn each_token_is_of_its_kind() {
        let kinds: Vec<(Kind, String)> = tokenize("#if 1\nx->y>=2;'a'")
            .into_iter()
            .filter(|token| token.kind != Kind::Blank)
            .map(|token| (token.kind, token.text))
            .collect();
        let expected = [
            (Kind::Directive, "#if 1"),
            (Kind::Word, "x"),
            (Kind::Punctuation, "->"),
            (Kind::Word, "y"),
            (Kind::Punctuation, ">="),
            (Kind::Number, "2"),
            (Kind::Punctuation, ";"),
            (Kind::Quoted, "'a'"),
        ];
        let expected = expected.map(|(kind, text)| (kind, text.to_owned()));
        assert_eq!(kinds, expected);
    }

    #[test]
    fn ends_that_are_missing_are_the_end_of_the_text() {
        for text in ["\"abc", "/* abc", "'", "#", "// é", "\\"] {
            assert_eq!(join(&tokenize(text)), text);
        }
    }
}
