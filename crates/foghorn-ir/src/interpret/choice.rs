//! Where the values come from that the program does not determine.
//!
//! Each time a run needs such a value it asks a [`ChoiceSource`] and notes the answer, so that
//! the same run can be had again from the notes ([`Listed::replay`]).
//!
//! # Text form of inputs
//!
//! One value per line: a decimal integer, `0x…` (the bits, also of a float), a decimal float with
//! a point or exponent, `nan`, `inf`, `true`, `false` or `null`. `name=value` reserves a value for
//! the origin of that name (for an input its function, such as `__VERIFIER_nondet_int`); values
//! without a name go to whoever asks next and has none reserved. `address=value` says where the next
//! object lies whose address is asked for. `&2` is a pointer to the second of the objects that code
//! outside the program knew when it left that pointer, and `&2+8` one 8 bytes further on. `#` starts a
//! comment.

use super::address::scramble;
use super::arithmetic::cut;
use super::object::Allocation;
use super::observer::ProgramPoint;
use super::value::ObjectId;
use crate::instruction::NondetOrigin;
use crate::types::Type;
use foghorn_core::SpanId;
use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write;

/// What a run asks for.
#[derive(Clone, Copy, Debug)]
pub struct ChoiceRequest<'a> {
    pub origin: &'a NondetOrigin,
    /// For a pointer the answer is an address.
    pub ty: Type,
    /// The width in bits of what is asked for.
    pub width: u32,
    pub span: SpanId,
    /// The number of requests before this one.
    pub index: usize,
    /// The instruction that asks; `None` for the program's start.
    pub at: Option<ProgramPoint>,
    /// For a pointer that code outside the program left: the objects that the code knew. The answer
    /// may be [`pointer_to_known`].
    pub known: &'a [ObjectId],
}

impl ChoiceRequest<'_> {
    /// The bits of an answer that count: those of the width, unless it is a pointer to one of the
    /// known objects.
    pub fn counted(&self, bits: u128) -> u128 {
        let (index, _) = known_object(bits);
        match index.is_some_and(|index| index < self.known.len()) {
            true => bits,
            false => cut(bits, self.width),
        }
    }
}

/// The answer that is a pointer to the object of this index among those that are known, so many bytes
/// from its start. It means the same wherever objects lie.
pub fn pointer_to_known(index: usize, offset: u64) -> u128 {
    ((index as u128 + 1) << 64) | u128::from(offset)
}

/// What an answer says: the index of a known object, if it is a pointer to one, and the bits below.
pub fn known_object(bits: u128) -> (Option<usize>, u64) {
    let number = (bits >> 64) as usize;
    (number.checked_sub(1), bits as u64)
}

/// Decides what the program does not.
pub trait ChoiceSource {
    /// The bits of a value; bits above the width are ignored. `None` if there are no more, which
    /// ends the run.
    fn choose(&mut self, request: &ChoiceRequest<'_>) -> Option<u128>;

    /// The base address that an object should have, now that the program asks for it. It counts if
    /// it keeps the promises of the memory model; `None` leaves it to the run.
    fn base(&mut self, _: &BaseRequest) -> Option<u64> {
        None
    }
}

/// An object whose address the program asks for, for the first time.
#[derive(Clone, Copy, Debug)]
pub struct BaseRequest {
    pub object: ObjectId,
    /// What made the object.
    pub allocation: Allocation,
}

/// A choice that a run made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    pub origin: NondetOrigin,
    pub ty: Type,
    pub span: SpanId,
    pub bits: u128,
}

impl NondetOrigin {
    /// The name under which inputs are reserved for this origin.
    pub fn name(&self) -> &str {
        match self {
            NondetOrigin::Input(name)
            | NondetOrigin::External(name)
            | NondetOrigin::Change(name)
            | NondetOrigin::Uninitialised(name)
            | NondetOrigin::OverApproximated(name) => name,
            NondetOrigin::Undefined => "undefined",
        }
    }
}

/// Zero, always.
#[derive(Clone, Copy, Debug, Default)]
pub struct Zeros;

impl ChoiceSource for Zeros {
    fn choose(&mut self, _: &ChoiceRequest<'_>) -> Option<u128> {
        Some(0)
    }
}

/// Pseudo-random values: small ones and the ends of the range are likely.
#[derive(Clone, Copy, Debug)]
pub struct Seeded {
    state: u64,
}

impl Seeded {
    pub fn new(seed: u64) -> Self {
        Seeded { state: seed }
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        scramble(self.state)
    }

    fn integer(&mut self, width: u32) -> u128 {
        let (high, low) = (u128::from(self.next()), u128::from(self.next()));
        let any = (high << 64) | low;
        let largest = cut(u128::MAX, width);
        let small = any % 17;
        let bits = match self.next() % 16 {
            0..=5 => small,
            6 | 7 => small.wrapping_neg(),
            8 => largest >> 1,
            9 => (largest >> 1) + 1,
            10 => any % 1000,
            11 => 1 << (any % u128::from(width)),
            12 => (1_u128 << (any % u128::from(width))).wrapping_sub(1),
            _ => any,
        };
        cut(bits, width)
    }

    fn float(&mut self) -> f64 {
        let any = self.next();
        match self.next() % 8 {
            0 => 0.0,
            1 | 2 => (any % 33) as f64 - 16.0,
            3 | 4 => (any % 2001) as f64 / 8.0 - 125.0,
            5 => [
                f64::INFINITY,
                f64::NEG_INFINITY,
                f64::NAN,
                -0.0,
                f64::MAX,
                f64::MIN_POSITIVE,
            ][(any % 6) as usize],
            _ => f64::from_bits(any),
        }
    }
}

impl ChoiceSource for Seeded {
    fn choose(&mut self, request: &ChoiceRequest<'_>) -> Option<u128> {
        Some(match request.ty {
            Type::Int(_) if is_amount(request.origin) => u128::from(self.next() % 9),
            Type::Int(_) => self.integer(request.width),
            // An address that no object has, or null.
            Type::Ptr if self.next().is_multiple_of(2) => 0,
            Type::Ptr => u128::from(self.next() & 0xfff0) + 16,
            Type::F32 => u128::from((self.float() as f32).to_bits()),
            Type::F64 => u128::from(self.float().to_bits()),
            Type::Memory(_) => 0,
        })
    }
}

/// Whether a model asks how many there are of something: most amounts that fit into memory at all are
/// of no interest, and few programs are run that way.
fn is_amount(origin: &NondetOrigin) -> bool {
    match origin {
        NondetOrigin::Input(name) => {
            name.starts_with("__foghorn_nondet_")
                && (name.ends_with("_count") || name.ends_with("_length"))
        }
        NondetOrigin::External(_)
        | NondetOrigin::Change(_)
        | NondetOrigin::Uninitialised(_)
        | NondetOrigin::Undefined
        | NondetOrigin::OverApproximated(_) => false,
    }
}

/// Values from a list.
#[derive(Clone, Debug, Default)]
pub struct Listed {
    next: VecDeque<Literal>,
    reserved: BTreeMap<String, VecDeque<Literal>>,
    zeros_at_end: bool,
}

/// The name under which bases of objects are reserved.
const ADDRESS: &str = "address";

/// A value as it was written.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Literal {
    Number(i128),
    Bits(u128),
    Float(f64),
}

/// A line of an input file that is not a value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: '{text}' is not a value")]
pub struct ParseInputsError {
    pub line: usize,
    pub text: String,
}

impl Listed {
    /// The values of a text in the form that the module doc describes.
    pub fn parse(text: &str) -> Result<Self, ParseInputsError> {
        let mut listed = Listed::default();
        for (number, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            let (name, value) = match line.rsplit_once('=') {
                Some((name, value)) => (Some(name.trim()), value.trim()),
                None => (None, line),
            };
            let literal = Literal::parse(value).ok_or_else(|| ParseInputsError {
                line: number + 1,
                text: line.to_owned(),
            })?;
            match name {
                Some(name) => listed.reserve(name, literal),
                None => listed.next.push_back(literal),
            }
        }
        Ok(listed)
    }

    fn reserve(&mut self, name: &str, literal: Literal) {
        let queue = self.reserved.entry(name.to_owned()).or_default();
        queue.push_back(literal);
    }

    /// Exactly the choices of an earlier run, in order.
    pub fn replay(choices: &[Choice]) -> Self {
        Self::of_bits(choices.iter().map(|choice| choice.bits))
    }

    /// The given bits, in order.
    pub fn of_bits(bits: impl IntoIterator<Item = u128>) -> Self {
        Listed {
            next: bits.into_iter().map(Literal::Bits).collect(),
            ..Self::default()
        }
    }

    /// Zeros once the values are used up, rather than the end of the run.
    #[must_use]
    pub fn then_zeros(mut self) -> Self {
        self.zeros_at_end = true;
        self
    }
}

impl ChoiceSource for Listed {
    fn choose(&mut self, request: &ChoiceRequest<'_>) -> Option<u128> {
        let reserved = self.reserved.get_mut(request.origin.name());
        let literal = reserved
            .and_then(VecDeque::pop_front)
            .or_else(|| self.next.pop_front());
        match literal {
            Some(literal) => Some(literal.bits(request.ty)),
            None => self.zeros_at_end.then_some(0),
        }
    }

    fn base(&mut self, _: &BaseRequest) -> Option<u64> {
        let literal = self.reserved.get_mut(ADDRESS)?.pop_front()?;
        Some(literal.bits(Type::Ptr) as u64)
    }
}

impl Literal {
    fn parse(text: &str) -> Option<Literal> {
        match text {
            "true" => return Some(Literal::Bits(1)),
            "false" | "null" => return Some(Literal::Bits(0)),
            _ => {}
        }
        if let Some(place) = text.strip_prefix('&') {
            let (number, offset) = place.split_once('+').unwrap_or((place, "0"));
            let index = number.trim().parse::<usize>().ok()?.checked_sub(1)?;
            let offset = offset.trim().parse().ok()?;
            return Some(Literal::Bits(pointer_to_known(index, offset)));
        }
        if let Some(digits) = text.strip_prefix("0x") {
            return u128::from_str_radix(digits, 16).ok().map(Literal::Bits);
        }
        if let Ok(number) = text.parse::<i128>() {
            return Some(Literal::Number(number));
        }
        if let Ok(number) = text.parse::<u128>() {
            return Some(Literal::Number(number.cast_signed()));
        }
        text.parse::<f64>().ok().map(Literal::Float)
    }

    fn bits(self, ty: Type) -> u128 {
        match (self, ty) {
            (Literal::Bits(bits), _) => bits,
            (Literal::Number(number), Type::Int(_) | Type::Ptr) => number.cast_unsigned(),
            (Literal::Number(number), Type::F32) => (number as f32).to_bits().into(),
            (Literal::Number(number), Type::F64) => (number as f64).to_bits().into(),
            (Literal::Float(number), Type::F32) => (number as f32).to_bits().into(),
            (Literal::Float(number), Type::F64) => number.to_bits().into(),
            (Literal::Float(number), Type::Int(_) | Type::Ptr) => (number as i128).cast_unsigned(),
            (_, Type::Memory(_)) => 0,
        }
    }
}

/// Choices in the text form of inputs; reading it back gives the same run.
pub fn choices_to_text(choices: &[Choice]) -> String {
    let mut text = String::new();
    for choice in choices {
        let (bits, ty) = (choice.bits, choice.ty);
        // Writing to a string does not fail.
        let _ = writeln!(text, "{bits:#x} # {ty} {}", choice.origin.name());
    }
    text
}

#[cfg(test)]
mod tests;
