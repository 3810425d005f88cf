//! Random programs in textual IR, line by line.

use std::fmt::Write;

/// Numbers from a seed.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (bits ^ (bits >> 31)) % limit
    }
}

/// A function's text; every line has its own place in the source.
#[derive(Default)]
pub struct Lines {
    pub text: String,
    line: u32,
    /// The number of the next value.
    pub next: u32,
}

impl Lines {
    pub fn emit(&mut self, text: &str) {
        self.line += 1;
        let line = self.line;
        writeln!(self.text, "  {text} ! p.c:{line}:1").expect("strings take everything");
    }

    pub fn define(&mut self, ty: &str, text: &str) -> u32 {
        let value = self.next;
        self.next += 1;
        self.emit(&format!("v{value}:{ty} = {text}"));
        value
    }

    /// A module with these lines as its function `main`.
    pub fn module_text(&self) -> String {
        format!(
            "foghorn-ir 1\nlayout pointer-bytes 8\nentry @main\n\nfunction @main() -> i32 {{\nblock0:\n{}}}\n",
            self.text
        )
    }
}
