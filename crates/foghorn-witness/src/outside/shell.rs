//! Bytes as words of a shell's command line.

use std::fmt::Write;

/// A word that the shell takes as these bytes.
pub fn word(bytes: &[u8]) -> String {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"_./:=@%+,-".contains(byte);
    let is_shown = |byte: &u8| (b' '..=b'~').contains(byte);
    let text = || String::from_utf8_lossy(bytes).into_owned();
    if !bytes.is_empty() && bytes.iter().all(is_plain) {
        return text();
    }
    if bytes.iter().all(|byte| is_shown(byte) && *byte != b'\'') {
        return format!("'{}'", text());
    }
    let mut escaped = "$'".to_owned();
    for &byte in bytes {
        match byte {
            b'\'' => escaped += "\\'",
            b'\\' => escaped += "\\\\",
            b'\n' => escaped += "\\n",
            b'\t' => escaped += "\\t",
            b' '..=b'~' => escaped.push(byte.into()),
            // Writing to a string does not fail. Three digits, so that what follows is no part.
            _ => drop(write!(escaped, "\\{byte:03o}")),
        }
    }
    escaped + "'"
}

#[cfg(test)]
mod tests {
    use super::word;

    #[test]
    fn words_are_quoted_only_where_they_must() {
        assert_eq!(word(b"-n5"), "-n5");
        assert_eq!(word(b""), "''");
        assert_eq!(word(b"a b$"), "'a b$'");
        assert_eq!(word(b"it's"), "$'it\\'s'");
        assert_eq!(word(b"\xff1\n\\"), "$'\\3771\\n\\\\'");
    }
}
