//! Cutting a stream of bytes into complete s-expressions: what the process driver listens through.

use foghorn_term::sexpr::is_atom_byte;

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
    fn the_splitter_finds_each_answer() {
        let mut splitter = Splitter::default();
        let answers: Vec<String> = b"sat\n((x #b1)\n (y true)) \"a)b\" unsat\n"
            .iter()
            .filter_map(|byte| splitter.push(*byte))
            .collect();
        assert_eq!(answers, ["sat", "((x #b1)\n (y true))", "\"a)b\"", "unsat"]);
    }
}
