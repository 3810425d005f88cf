//! What a running program sees of the outside: files by descriptor.
//!
//! A library must not print, so whoever starts a run lends it a [`World`].

/// Receives the program's output and provides its input.
pub trait World {
    /// Takes `bytes` written to a file descriptor; the number of bytes taken, or `None` for an
    /// error such as a closed descriptor.
    fn write(&mut self, descriptor: i32, bytes: &[u8]) -> Option<usize>;

    /// Fills the front of `buffer` from a file descriptor; the number of bytes, 0 at the end of
    /// the file, or `None` for an error.
    fn read(&mut self, descriptor: i32, buffer: &mut [u8]) -> Option<usize>;
}

/// A world in memory: fixed standard input, recorded output.
#[derive(Clone, Debug, Default)]
pub struct RecordedWorld {
    input: Vec<u8>,
    position: usize,
    pub output: Vec<u8>,
    pub errors: Vec<u8>,
}

impl RecordedWorld {
    /// A world whose standard input holds `input`.
    pub fn with_input(input: impl Into<Vec<u8>>) -> Self {
        RecordedWorld {
            input: input.into(),
            ..Self::default()
        }
    }
}

impl World for RecordedWorld {
    fn write(&mut self, descriptor: i32, bytes: &[u8]) -> Option<usize> {
        match descriptor {
            1 => self.output.extend_from_slice(bytes),
            2 => self.errors.extend_from_slice(bytes),
            _ => return None,
        }
        Some(bytes.len())
    }

    fn read(&mut self, descriptor: i32, buffer: &mut [u8]) -> Option<usize> {
        if descriptor != 0 {
            return None;
        }
        let rest = &self.input[self.position..];
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        self.position += count;
        Some(count)
    }
}
