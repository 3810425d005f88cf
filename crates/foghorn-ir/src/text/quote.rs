//! Quoting of names and bytes.

use std::fmt::Write;

/// A name as it stands, or quoted if it is no identifier.
pub(super) fn name(text: &str) -> String {
    if is_identifier(text) {
        text.to_owned()
    } else {
        string(text)
    }
}

/// As [`name`], also quoted if it could be read as the number of a value, block or variable.
pub(super) fn word(text: &str) -> String {
    let is_numbered = |prefix: &str| {
        text.strip_prefix(prefix)
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    if ["v", "block", "var"].into_iter().any(is_numbered) {
        string(text)
    } else {
        name(text)
    }
}

/// A file name as it stands, or quoted where the text around it could not be told from it.
pub(super) fn file(text: &str) -> String {
    let plain = |c: char| c.is_ascii_graphic() && !matches!(c, '"' | ':' | '\\' | ';');
    if !text.is_empty() && text.chars().all(plain) {
        text.to_owned()
    } else {
        string(text)
    }
}

fn is_identifier(text: &str) -> bool {
    let mut characters = text.chars();
    let first = |c: char| c.is_ascii_alphabetic() || matches!(c, '_' | '$');
    characters.next().is_some_and(first) && characters.all(is_identifier_part)
}

/// Characters of a symbol or of a value's name after the first.
pub(super) fn is_identifier_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.')
}

/// A quoted text; characters that show are left as they are.
pub(super) fn string(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        if c == '"' || c == '\\' || c.is_control() || c.is_whitespace() && c != ' ' {
            let mut buffer = [0; 4];
            for byte in c.encode_utf8(&mut buffer).bytes() {
                escape(&mut out, byte);
            }
        } else {
            out.push(c);
        }
    }
    out.push('"');
    out
}

/// Quoted bytes; all but printable ASCII is escaped.
pub(super) fn bytes(data: &[u8]) -> String {
    let mut out = String::from("\"");
    for &byte in data {
        if matches!(byte, b' '..=b'~') && byte != b'"' && byte != b'\\' {
            out.push(char::from(byte));
        } else {
            escape(&mut out, byte);
        }
    }
    out.push('"');
    out
}

fn escape(out: &mut String, byte: u8) {
    write!(out, "\\{byte:02x}").expect("invariant: writing to a string succeeds");
}
