//! Colours, where somebody sees them.

use std::fmt;
use std::io::IsTerminal;

/// Whether text is marked up for a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    Plain,
    Coloured,
}

/// What a piece of text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Good,
    Bad,
    Unsure,
    Strong,
    Faint,
}

impl Style {
    /// Coloured on a terminal, unless `NO_COLOR` is set or the terminal is a dumb one.
    pub fn of(stream: &impl IsTerminal) -> Self {
        let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
            || std::env::var_os("TERM").is_some_and(|value| value == "dumb");
        match stream.is_terminal() && !refused {
            true => Style::Coloured,
            false => Style::Plain,
        }
    }

    /// The text, marked up as what it is.
    pub fn paint(self, role: Role, text: impl fmt::Display) -> String {
        let code = match (self, role) {
            (Style::Plain, _) => return text.to_string(),
            (Style::Coloured, Role::Good) => "1;32",
            (Style::Coloured, Role::Bad) => "1;31",
            (Style::Coloured, Role::Unsure) => "1;33",
            (Style::Coloured, Role::Strong) => "1",
            (Style::Coloured, Role::Faint) => "2",
        };
        format!("\x1b[{code}m{text}\x1b[0m")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_text_has_no_codes() {
        assert_eq!(Style::Plain.paint(Role::Bad, "error"), "error");
        assert_eq!(
            Style::Coloured.paint(Role::Bad, "error"),
            "\x1b[1;31merror\x1b[0m"
        );
    }
}
