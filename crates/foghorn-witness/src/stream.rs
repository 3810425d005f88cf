//! The bytes that a run read, put together from its choices.
//!
//! The models of library functions choose what a program reads by functions whose names say what a
//! choice stands for: `__foghorn_stdin_FORM` for standard input, `__foghorn_file_FORM` for every
//! other source. Most forms are bytes; a number that `scanf` reads is one choice, and its text is
//! made here. So is the text in front of a byte at which a number turned out to be none. [`Streams`]
//! is what a native run has to be given for the same to happen.

use crate::trace::{StreamEnd, StreamText};
use foghorn_ir::interpret::Choice;
use foghorn_ir::{NondetOrigin, Type};

const STANDARD: &str = "__foghorn_stdin_";
const FILES: &str = "__foghorn_file_";

/// What a source gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    Byte(u8),
    End,
    Error,
}

/// One result of `read` or a function like it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadResult {
    /// That many bytes of the source.
    Bytes(usize),
    /// `EINTR` or `EIO`.
    Error { interrupted: bool },
}

/// One source and how it was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    pub items: Vec<Item>,
    /// Results of calls that read a block by a descriptor, in order.
    pub reads: Vec<ReadResult>,
}

/// All that a run read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Streams {
    pub standard: Source,
    /// All other files together, in the order in which they were read.
    pub files: Source,
    /// For each attempt to open a file, whether it failed.
    pub refused: Vec<bool>,
}

/// Bytes that memory got at once, and the number of choices made before.
#[derive(Clone, Debug)]
pub struct Block<'a> {
    pub at: usize,
    pub bytes: &'a [u8],
}

/// Whether a choice is about what the program reads.
pub fn is_stream(origin: &NondetOrigin) -> bool {
    form(origin).is_some()
}

/// The source and the form of a choice.
fn form(origin: &NondetOrigin) -> Option<(bool, &str)> {
    let NondetOrigin::Input(name) = origin else {
        return None;
    };
    let standard = name.strip_prefix(STANDARD).map(|form| (true, form));
    standard.or_else(|| name.strip_prefix(FILES).map(|form| (false, form)))
}

/// What kind of thing a choice decides, for whoever makes up input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A byte: 0 is the end, 1 to 256 are bytes, the rest is an error.
    Byte,
    /// The same, of the byte after a number.
    Following,
    /// Whether there is a number: 0 and 1 are ends, 3 is none, 4 one that is too large, the rest one.
    Outcome,
    /// How many bytes of a block there are.
    Count,
    /// A number, or something seldom.
    Other,
}

/// Codes of bytes that are easy to read, the easiest first.
pub const READABLE: [u128; 5] = [
    0,
    b'a' as u128 + 1,
    b'0' as u128 + 1,
    b' ' as u128 + 1,
    b'\n' as u128 + 1,
];

/// How hard a chosen byte is to read; `None` for other choices.
pub fn difficulty(origin: &NondetOrigin, bits: u128) -> Option<u128> {
    if !matches!(form_of(origin)?, Form::Byte | Form::Following) {
        return None;
    }
    if let Some(rank) = READABLE.iter().position(|&code| code == bits) {
        return Some(rank as u128);
    }
    let printable = (b' ' as u128 + 1..=b'~' as u128 + 1).contains(&bits);
    Some(if printable { bits } else { 1000 + bits })
}

/// The form of a choice about what the program reads.
pub fn form_of(origin: &NondetOrigin) -> Option<Form> {
    Some(match form(origin)?.1 {
        "byte" => Form::Byte,
        "following" => Form::Following,
        "outcome" | "more" => Form::Outcome,
        "block" | "read" => Form::Count,
        _ => Form::Other,
    })
}

/// Whether the choice comes with a block of memory.
pub fn has_block(origin: &NondetOrigin) -> bool {
    matches!(form(origin), Some((_, "block" | "read")))
}

impl Item {
    /// The model's code: 0 is the end, 1 to 256 are bytes, the rest is an error.
    fn of_code(bits: u128) -> Item {
        match bits {
            0 => Item::End,
            1..=256 => Item::Byte((bits - 1) as u8),
            _ => Item::Error,
        }
    }

    fn byte(self) -> Option<u8> {
        match self {
            Item::Byte(byte) => Some(byte),
            Item::End | Item::Error => None,
        }
    }
}

/// How a choice about what the program reads is told: who gives what; `None` for what only makes
/// sense with the choice that follows it.
pub fn told(origin: &NondetOrigin, ty: Type, bits: u128) -> Option<(&'static str, String)> {
    let (standard, form) = form(origin)?;
    let name = if standard { "standard input" } else { "a file" };
    let choice = Choice {
        origin: origin.clone(),
        ty,
        span: foghorn_core::SpanId::UNKNOWN,
        bits,
    };
    let what = match form {
        "byte" | "following" | "stray_integer" | "stray_float" => match Item::of_code(bits) {
            Item::Byte(byte) => format!("{byte} '{}'", escaped(&[byte])),
            Item::End => "its end".to_owned(),
            Item::Error => "an error".to_owned(),
        },
        "more" | "outcome" | "fails" if bits == 0 => "its end".to_owned(),
        "more" | "outcome" | "fails" if bits == 1 => "an error".to_owned(),
        "more" | "outcome" | "fails" | "block" => return None,
        "read" => format!("{bits} bytes, or an error if that is more than there is room for"),
        "refuses" if bits & 1 == 1 => "an error: it cannot be opened".to_owned(),
        "refuses" => return None,
        number => {
            let mut source = Source::default();
            source.enter(number, &choice, &[], None);
            escaped(&source.bytes())
        }
    };
    Some((name, what))
}

impl Source {
    pub fn is_empty(&self) -> bool {
        self.items.is_empty() && self.reads.is_empty()
    }

    /// The bytes without the marks of ends.
    pub fn bytes(&self) -> Vec<u8> {
        self.items.iter().filter_map(|item| item.byte()).collect()
    }

    fn push_text(&mut self, text: &str) {
        self.items.extend(text.bytes().map(Item::Byte));
    }

    fn push_end(&mut self, failed: bool) {
        self.items
            .push(if failed { Item::Error } else { Item::End });
    }
}

impl Streams {
    /// What the choices of a run say. Blocks stand in the order in which they were filled.
    pub fn of_run(choices: &[Choice], blocks: &[Block<'_>]) -> Self {
        let mut streams = Streams::default();
        for (index, choice) in choices.iter().enumerate() {
            let Some((standard, form)) = form(&choice.origin) else {
                continue;
            };
            if form == "refuses" {
                streams.refused.push(choice.bits & 1 == 1);
                continue;
            }
            let block = blocks.iter().find(|block| block.at == index + 1);
            let block = block.map_or(&[][..], |block| block.bytes);
            let next = choices.get(index + 1).and_then(following);
            let source = match standard {
                true => &mut streams.standard,
                false => &mut streams.files,
            };
            source.enter(form, choice, block, next);
        }
        streams
    }
}

impl Streams {
    /// The sources that were read, for a report.
    pub fn told(&self) -> Vec<StreamText> {
        let sources = [("standard input", &self.standard), ("files", &self.files)];
        let read = sources.into_iter().filter(|(_, source)| !source.is_empty());
        read.map(|(name, source)| {
            let bytes = source.bytes();
            StreamText {
                source: name.to_owned(),
                text: escaped(&bytes),
                bytes: bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
                end: source.end(),
            }
        })
        .collect()
    }
}

impl Source {
    fn end(&self) -> Option<StreamEnd> {
        let of_items = match self.items.last() {
            Some(Item::End) => Some(StreamEnd::End),
            Some(Item::Error) => Some(StreamEnd::Error),
            Some(Item::Byte(_)) | None => None,
        };
        let of_reads = match self.reads.last() {
            Some(ReadResult::Bytes(0)) => Some(StreamEnd::End),
            Some(ReadResult::Error { .. }) => Some(StreamEnd::Error),
            Some(ReadResult::Bytes(_)) | None => None,
        };
        of_items.or(of_reads)
    }
}

/// The byte that a choice says to follow a number.
fn following(choice: &Choice) -> Option<u8> {
    match form(&choice.origin) {
        Some((_, "following")) => Item::of_code(choice.bits).byte(),
        Some(_) | None => None,
    }
}

impl Source {
    fn enter(&mut self, form: &str, choice: &Choice, block: &[u8], next: Option<u8>) {
        let bits = choice.bits;
        match form {
            "byte" | "following" => self.items.push(Item::of_code(bits)),
            // 0 and 1 are the two ends; anything else goes on with another choice.
            "more" | "outcome" if bits <= 1 => self.push_end(bits == 1),
            "more" | "outcome" => {}
            "fails" => self.push_end(bits & 1 == 1),
            "block" => self.items.extend(block.iter().copied().map(Item::Byte)),
            "read" => self.enter_read(choice, block),
            "overflow" => {
                let sign = if bits & 1 == 1 { "-" } else { "" };
                self.push_text(&format!("{sign}{}", "7".repeat(30)));
            }
            "stray_integer" => {
                let item = Item::of_code(bits);
                // After a sign no byte but a digit makes a number.
                if item
                    .byte()
                    .is_none_or(|b| is_space(b) || b"+-".contains(&b))
                {
                    self.push_text("-");
                }
                self.items.push(item);
            }
            "stray_float" => {
                let item = Item::of_code(bits);
                self.push_text(match item.byte() {
                    // glibc also takes the byte at which a word breaks off.
                    Some(b'0'..=b'9') => "-ix",
                    Some(b) if !is_space(b) && !b"+-.iInN".contains(&b) => "",
                    Some(_) | None => "-.",
                });
                self.items.push(item);
            }
            "float" | "double" => self.push_text(&float_text(choice, next)),
            number => self.push_text(&integer_text(number, choice, next)),
        }
    }

    fn enter_read(&mut self, choice: &Choice, block: &[u8]) {
        // More than there is room for stands for an error, and then nothing was filled.
        let result = match usize::try_from(choice.bits) {
            Ok(0) => ReadResult::Bytes(0),
            Ok(count) if count == block.len() => ReadResult::Bytes(count),
            Ok(_) | Err(_) => ReadResult::Error {
                interrupted: choice.bits.is_multiple_of(2),
            },
        };
        if let ReadResult::Bytes(_) = result {
            self.items.extend(block.iter().copied().map(Item::Byte));
        }
        self.reads.push(result);
    }
}

fn is_space(byte: u8) -> bool {
    byte == b' ' || (b'\t'..=b'\r').contains(&byte)
}

/// A text that an integer conversion reads as this value and of which `next` is no part.
fn integer_text(form: &str, choice: &Choice, next: Option<u8>) -> String {
    let kind = form.rsplit_once('_').map_or(form, |(kind, _)| kind);
    let width = choice.ty.int_width().unwrap_or(64);
    let unused = 128 - width;
    let signed = (choice.bits << unused).cast_signed() >> unused;
    // A zero that an x follows would be a prefix.
    let before_x = matches!(next, Some(b'x' | b'X'));
    match kind {
        "natural" | "hexadecimal" if choice.bits == 0 && before_x => "00".to_owned(),
        "natural" if matches!(next, Some(b'8' | b'9')) => format!("0{:o}", choice.bits),
        "natural" => choice.bits.to_string(),
        "rest_decimal" => choice.bits.to_string()[1..].to_owned(),
        "rest_hexadecimal" => format!("{:x}", choice.bits)[1..].to_owned(),
        "rest_octal" => format!("{:o}", choice.bits)[1..].to_owned(),
        // Behind a zero that decides the base.
        "behind_zero" => format!("{:o}", choice.bits),
        "octal" => format!("{:o}", choice.bits),
        "hexadecimal" => format!("{:x}", choice.bits),
        "prefixed" if signed == 0 && before_x => "00".to_owned(),
        "prefixed" if matches!(next, Some(b'8' | b'9')) => {
            let sign = if signed < 0 { "-" } else { "" };
            format!("{sign}0{:o}", signed.unsigned_abs())
        }
        _ => signed.to_string(),
    }
}

/// A text that a floating-point conversion reads as this value, whatever but a digit follows.
fn float_text(choice: &Choice, next: Option<u8>) -> String {
    let (value, short, long) = match choice.ty {
        Type::F32 => {
            let value = f32::from_bits(choice.bits as u32);
            (f64::from(value), format!("{value:?}"), format!("{value:e}"))
        }
        _ => {
            let value = f64::from_bits(choice.bits as u64);
            (value, format!("{value:?}"), format!("{value:e}"))
        }
    };
    let sign = if value.is_sign_negative() { "-" } else { "" };
    if value.is_nan() {
        return format!("{sign}nan");
    }
    if value.is_infinite() {
        return format!("{sign}infinity");
    }
    match next {
        Some(byte) if !is_space(byte) => long,
        Some(_) | None => short,
    }
}

/// Bytes as a C string literal would have them, without the quotes.
pub fn escaped(bytes: &[u8]) -> String {
    let mut text = String::new();
    for &byte in bytes {
        match byte {
            b'\n' => text.push_str("\\n"),
            b'\t' => text.push_str("\\t"),
            b'\r' => text.push_str("\\r"),
            b'"' | b'\\' => text.extend(['\\', byte.into()]),
            b' '..=b'~' => text.push(byte.into()),
            other => text.push_str(&format!("\\x{other:02x}")),
        }
    }
    text
}

#[cfg(test)]
mod tests;
