//! Parses operands.

use super::ParseError;
use super::body::BodyParser;
use super::stream::Stream;
use crate::body::{ValueId, truncate};
use crate::constant::Constant;
use crate::module::Symbol;
use crate::text::lex::{Number, Position, Token};
use crate::types::Type;

impl BodyParser<'_> {
    /// A value or a constant. A number without a type of its own has the expected one.
    pub fn operand(
        &mut self,
        stream: &mut Stream<'_, '_>,
        expected: Option<Type>,
    ) -> Result<ValueId, ParseError> {
        let position = stream.position();
        let (ty, constant) = match stream.peek() {
            Token::Value(number) => {
                stream.advance();
                let value = self.values.get(number).copied();
                return Stream::defined(position, value, || format!("v{number}"));
            }
            Token::Number(number) => {
                stream.advance();
                return self.number(stream, position, *number, expected);
            }
            Token::Float(text) => {
                stream.advance();
                let ty = self.literal_type(stream, expected)?;
                (ty, float(text, ty, position)?)
            }
            Token::Word(word) => {
                let (ty, constant) = match *word {
                    "true" => (Type::BOOL, Constant::Int(1)),
                    "false" => (Type::BOOL, Constant::Int(0)),
                    "null" => (Type::Ptr, Constant::Null),
                    _ => return stream.expected("a value or a constant"),
                };
                stream.advance();
                (ty, constant)
            }
            Token::Symbol(_) => {
                let name = stream.symbol()?;
                let constant = match self.module.symbol_named(&name, position)? {
                    Symbol::Global(global) => Constant::Global(global),
                    Symbol::Function(function) => Constant::Function(function),
                };
                return Ok(self.body.constant(Type::Ptr, constant));
            }
            _ => return stream.expected("a value or a constant"),
        };
        Ok(self.body.constant(ty, constant))
    }

    /// The constant of a number that has been read but for its type.
    pub fn number(
        &mut self,
        stream: &mut Stream<'_, '_>,
        position: Position,
        number: Number,
        expected: Option<Type>,
    ) -> Result<ValueId, ParseError> {
        let ty = self.literal_type(stream, expected)?;
        let constant = match ty {
            Type::Int(width) => Constant::Int(int(number, width.into(), position)?),
            Type::F32 => {
                let bits = float_bits(number, position)?;
                let bits = u32::try_from(bits);
                Constant::F32(bits.map_err(|_| out_of_range(position, "32 bits"))?)
            }
            Type::F64 => Constant::F64(float_bits(number, position)?),
            Type::Ptr | Type::Memory(_) => {
                let expected = format!("a value of type {ty}");
                return Err(ParseError::expected(position, expected, "a number"));
            }
        };
        Ok(self.body.constant(ty, constant))
    }

    fn literal_type(
        &self,
        stream: &mut Stream<'_, '_>,
        expected: Option<Type>,
    ) -> Result<Type, ParseError> {
        if stream.try_punctuation(":") {
            return stream.ty();
        }
        match expected {
            Some(ty) => Ok(ty),
            None => stream.expected("':' and the type of the number"),
        }
    }

    /// The type of an operand that was read.
    pub fn ty(&self, value: ValueId) -> Type {
        self.body.ty(value)
    }
}

fn out_of_range(position: Position, what: &str) -> ParseError {
    ParseError::expected(position, format!("a number of {what}"), "a greater one")
}

/// Numbers from -2^(width-1) to 2^width - 1 are written in `width` bits.
fn int(number: Number, width: u32, position: Position) -> Result<u128, ParseError> {
    let Number {
        negative,
        magnitude,
        hexadecimal: _,
    } = number;
    let fits = if negative {
        magnitude <= 1 << (width - 1)
    } else {
        truncate(magnitude, width) == magnitude
    };
    if !fits {
        return Err(out_of_range(position, &format!("{width} bits")));
    }
    let bits = if negative {
        magnitude.wrapping_neg()
    } else {
        magnitude
    };
    Ok(truncate(bits, width))
}

fn float_bits(number: Number, position: Position) -> Result<u64, ParseError> {
    if !number.hexadecimal || number.negative {
        let expected = "a number with a point, or the bits in hexadecimal";
        return Err(ParseError::expected(position, expected, "an integer"));
    }
    u64::try_from(number.magnitude).map_err(|_| out_of_range(position, "64 bits"))
}

fn float(text: &str, ty: Type, position: Position) -> Result<Constant, ParseError> {
    let wrong = |expected: &str| ParseError::expected(position, expected, format!("'{text}'"));
    match ty {
        Type::F32 => {
            let value: f32 = text.parse().map_err(|_| wrong("a number"))?;
            Ok(Constant::F32(value.to_bits()))
        }
        Type::F64 => {
            let value: f64 = text.parse().map_err(|_| wrong("a number"))?;
            Ok(Constant::F64(value.to_bits()))
        }
        Type::Int(_) => Err(wrong("an integer")),
        Type::Ptr => Err(wrong("a pointer")),
        Type::Memory(_) => Err(wrong("a memory")),
    }
}
