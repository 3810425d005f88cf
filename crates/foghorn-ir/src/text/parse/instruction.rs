//! Parses instructions and terminators.

use super::ParseError;
use super::body::BodyParser;
use super::stream::{Stream, signed};
use crate::body::ValueId;
use crate::instruction::{
    AllocationKind, Builtin, Callee, HaltKind, Instruction, NondetOrigin, Target, Terminator,
};
use crate::operation::{
    BinaryOp, CastOp, FloatBinaryOp, FloatPredicate, FloatUnaryOp, IntPredicate, OverflowOp,
    UnaryOp,
};
use crate::text::lex::{Position, Token};
use crate::types::Type;

/// What became of an attempt to read an instruction by its first word.
type Attempt = Result<Option<Instruction>, ParseError>;

impl BodyParser<'_> {
    /// An instruction without its results, the first of which has type `result`.
    pub fn instruction(
        &mut self,
        stream: &mut Stream<'_, '_>,
        result: Option<Type>,
    ) -> Result<Instruction, ParseError> {
        let start = *stream;
        let Token::Word(word) = stream.advance() else {
            return start.expected("an instruction");
        };
        if let Some(instruction) = self.arithmetic(stream, word, result)? {
            return Ok(instruction);
        }
        if let Some(instruction) = self.memory(stream, word)? {
            return Ok(instruction);
        }
        if let Some(instruction) = self.other(stream, word, result)? {
            return Ok(instruction);
        }
        start.expected("an instruction")
    }

    /// Operators that are named by themselves.
    fn arithmetic(&mut self, s: &mut Stream<'_, '_>, word: &str, result: Option<Type>) -> Attempt {
        Ok(Some(if let Some(op) = BinaryOp::from_name(word) {
            let (lhs, rhs) = self.two(s, result)?;
            Instruction::Binary { op, lhs, rhs }
        } else if let Some(op) = UnaryOp::from_name(word) {
            let operand = self.operand(s, result)?;
            Instruction::Unary { op, operand }
        } else if let Some(op) = CastOp::from_name(word) {
            let operand = self.operand(s, None)?;
            Instruction::Cast { op, operand }
        } else if let Some(op) = FloatUnaryOp::from_name(word) {
            let operand = self.operand(s, result)?;
            Instruction::FloatUnary { op, operand }
        } else if let Some(op) = FloatBinaryOp::from_name(word) {
            let (lhs, rhs) = self.two(s, result)?;
            Instruction::FloatBinary { op, lhs, rhs }
        } else {
            return Ok(None);
        }))
    }

    fn memory(&mut self, s: &mut Stream<'_, '_>, word: &str) -> Attempt {
        Ok(Some(match word {
            "pointer-add" => self.pointer_add(s)?,
            "allocate" => {
                let kind = s.named("'stack' or 'heap'", |word| match word {
                    "stack" => Some(AllocationKind::Stack),
                    "heap" => Some(AllocationKind::Heap),
                    "permanent" => Some(AllocationKind::Permanent),
                    _ => None,
                })?;
                let size = self.sized(s)?;
                let align = align(s)?;
                Instruction::Allocate { kind, size, align }
            }
            "free" => Instruction::Free {
                pointer: self.pointer(s)?,
            },
            "lifetime-start" => Instruction::LifetimeStart {
                pointer: self.pointer(s)?,
            },
            "lifetime-end" => Instruction::LifetimeEnd {
                pointer: self.pointer(s)?,
            },
            "stack-save" => Instruction::StackSave,
            "stack-restore" => Instruction::StackRestore {
                mark: self.sized(s)?,
            },
            "load" => Instruction::Load {
                pointer: self.pointer(s)?,
                align: align(s)?,
            },
            "store" => {
                let value = self.operand(s, None)?;
                s.word("to")?;
                let pointer = self.pointer(s)?;
                let align = align(s)?;
                Instruction::Store {
                    pointer,
                    value,
                    align,
                }
            }
            "memory-copy" => {
                let destination = self.pointer(s)?;
                s.punctuation(",")?;
                let source = self.pointer(s)?;
                s.punctuation(",")?;
                let length = self.sized(s)?;
                Instruction::MemoryCopy {
                    destination,
                    source,
                    length,
                }
            }
            "memory-set" => {
                let destination = self.pointer(s)?;
                s.punctuation(",")?;
                let byte = self.operand(s, Some(Type::I8))?;
                s.punctuation(",")?;
                let length = self.sized(s)?;
                Instruction::MemorySet {
                    destination,
                    byte,
                    length,
                }
            }
            _ => return Ok(None),
        }))
    }

    fn other(&mut self, s: &mut Stream<'_, '_>, word: &str, result: Option<Type>) -> Attempt {
        Ok(Some(match word {
            "overflows" => {
                let signed = s.named("'signed' or 'unsigned'", |word| match word {
                    "signed" => Some(true),
                    "unsigned" => Some(false),
                    _ => None,
                })?;
                let op = s.named("'add', 'sub' or 'mul'", OverflowOp::from_name)?;
                let (lhs, rhs) = self.pair(s)?;
                Instruction::Overflows {
                    op,
                    signed,
                    lhs,
                    rhs,
                }
            }
            "compare" => {
                let predicate = s.named("a predicate on integers", IntPredicate::from_name)?;
                let (lhs, rhs) = self.pair(s)?;
                Instruction::Compare {
                    predicate,
                    lhs,
                    rhs,
                }
            }
            "fcompare" => {
                let predicate = s.named("a predicate on floats", FloatPredicate::from_name)?;
                let (lhs, rhs) = self.pair(s)?;
                Instruction::FloatCompare {
                    predicate,
                    lhs,
                    rhs,
                }
            }
            "fma" => {
                let (a, b) = self.two(s, result)?;
                s.punctuation(",")?;
                let c = self.operand(s, result)?;
                Instruction::FusedMultiplyAdd { a, b, c }
            }
            "select" => {
                let condition = self.bool(s)?;
                s.punctuation(",")?;
                let (on_true, on_false) = self.two(s, result)?;
                Instruction::Select {
                    condition,
                    on_true,
                    on_false,
                }
            }
            "nondet" => Instruction::Nondet { origin: nondet(s)? },
            "call" | "call-indirect" | "call-builtin" | "call-math" | "call-havoc-reachable" => {
                let callee = self.callee(s, word)?;
                let arguments = s.parenthesised(|s| self.operand(s, None))?;
                Instruction::Call { callee, arguments }
            }
            "check" => self.check(s)?,
            "assume" => Instruction::Assume {
                condition: self.bool(s)?,
            },
            "bind" => self.bind(s)?,
            _ => return Ok(None),
        }))
    }

    fn check(&mut self, s: &mut Stream<'_, '_>) -> Result<Instruction, ParseError> {
        let kind = s.named("a kind of check", |word| word.parse().ok())?;
        let condition = self.bool(s)?;
        let message = match s.peek() {
            Token::Text(_) => Some(s.text("a message in UTF-8")?),
            _ => None,
        };
        Ok(Instruction::Check {
            kind,
            condition,
            message,
        })
    }

    fn bind(&mut self, s: &mut Stream<'_, '_>) -> Result<Instruction, ParseError> {
        let position = s.position();
        let number = s.take("a variable such as 'var0'", |token| match token {
            Token::Variable(number) => Some(*number),
            _ => None,
        })?;
        let variable = self.variables.get(&number).copied();
        let variable = Stream::defined(position, variable, || format!("var{number}"))?;
        s.punctuation(",")?;
        let value = self.operand(s, None)?;
        Ok(Instruction::Bind { variable, value })
    }

    fn pointer_add(&mut self, s: &mut Stream<'_, '_>) -> Result<Instruction, ParseError> {
        let base = self.pointer(s)?;
        let mut constant = 0;
        let mut scaled = vec![];
        while s.try_punctuation("+") {
            let start = *s;
            let size = self.module.module.layout.pointer_int();
            // A number is the constant part unless a scale follows.
            if let Token::Number(number) = s.peek() {
                s.advance();
                if !s.is_punctuation(":") && !s.is_punctuation("*") {
                    let first = constant == 0 && scaled.is_empty();
                    match signed(*number).filter(|_| first) {
                        Some(value) => constant = value,
                        None => return start.expected("one constant of 64 bits, then products"),
                    }
                    continue;
                }
                *s = start;
            }
            let index = self.operand(s, Some(size))?;
            s.punctuation("*")?;
            scaled.push((index, s.signed("a scale of 64 bits")?));
        }
        Ok(Instruction::PointerAdd {
            base,
            constant,
            scaled,
        })
    }

    fn callee(&mut self, s: &mut Stream<'_, '_>, word: &str) -> Result<Callee, ParseError> {
        let position = s.position();
        Ok(match word {
            "call" => Callee::Direct(self.module.function_named(&s.symbol()?, position)?),
            "call-indirect" => Callee::Indirect(self.pointer(s)?),
            "call-math" => Callee::Builtin(Builtin::Math(s.text("a quoted name")?)),
            "call-havoc-reachable" => {
                Callee::Builtin(Builtin::HavocReachable(s.text("a quoted name")?))
            }
            _ => Callee::Builtin(s.named("a builtin", Builtin::from_name)?),
        })
    }

    /// A terminator, if the next word begins one.
    pub fn terminator(&mut self, s: &mut Stream<'_, '_>) -> Result<Option<Terminator>, ParseError> {
        let Token::Word(word) = s.peek() else {
            return Ok(None);
        };
        if !matches!(*word, "jump" | "branch" | "return" | "halt" | "unreachable") {
            return Ok(None);
        }
        s.advance();
        Ok(Some(match *word {
            "jump" => Terminator::Jump(self.target(s)?),
            "branch" => {
                let condition = self.bool(s)?;
                s.punctuation(",")?;
                let on_true = self.target(s)?;
                s.punctuation(",")?;
                let on_false = self.target(s)?;
                Terminator::Branch {
                    condition,
                    on_true,
                    on_false,
                }
            }
            "return" => Terminator::Return {
                values: self.returned(s)?,
            },
            "halt" => {
                let kind = s.named("'exit' or 'abort'", |word| match word {
                    "exit" => Some(HaltKind::Exit),
                    "abort" => Some(HaltKind::Abort),
                    _ => None,
                })?;
                let code = self.operand(s, Some(Type::I32))?;
                Terminator::Halt { kind, code }
            }
            _ => Terminator::Unreachable,
        }))
    }

    fn returned(&mut self, s: &mut Stream<'_, '_>) -> Result<Vec<ValueId>, ParseError> {
        match s.peek() {
            Token::Punctuation("}") | Token::Block(_) | Token::Location { .. } => Ok(vec![]),
            _ => s.list(",", |s| self.operand(s, None)),
        }
    }

    fn target(&mut self, s: &mut Stream<'_, '_>) -> Result<Target, ParseError> {
        let position: Position = s.position();
        let number = s.take("a block", |token| match token {
            Token::Block(number) => Some(*number),
            _ => None,
        })?;
        let block = self.blocks.get(&number).copied();
        let block = Stream::defined(position, block, || format!("block{number}"))?;
        let arguments = if s.is_punctuation("(") {
            s.parenthesised(|s| self.operand(s, None))?
        } else {
            vec![]
        };
        Ok(Target { block, arguments })
    }

    fn two(
        &mut self,
        s: &mut Stream<'_, '_>,
        expected: Option<Type>,
    ) -> Result<(ValueId, ValueId), ParseError> {
        let lhs = self.operand(s, expected)?;
        s.punctuation(",")?;
        Ok((lhs, self.operand(s, expected)?))
    }

    /// Two operands of one type, which the first tells.
    fn pair(&mut self, s: &mut Stream<'_, '_>) -> Result<(ValueId, ValueId), ParseError> {
        let lhs = self.operand(s, None)?;
        s.punctuation(",")?;
        let ty = self.ty(lhs);
        Ok((lhs, self.operand(s, Some(ty))?))
    }

    fn bool(&mut self, s: &mut Stream<'_, '_>) -> Result<ValueId, ParseError> {
        self.operand(s, Some(Type::BOOL))
    }

    fn pointer(&mut self, s: &mut Stream<'_, '_>) -> Result<ValueId, ParseError> {
        self.operand(s, Some(Type::Ptr))
    }

    /// An operand as wide as a pointer.
    fn sized(&mut self, s: &mut Stream<'_, '_>) -> Result<ValueId, ParseError> {
        let size = self.module.module.layout.pointer_int();
        self.operand(s, Some(size))
    }
}

fn align(s: &mut Stream<'_, '_>) -> Result<u32, ParseError> {
    s.punctuation(",")?;
    s.word("align")?;
    s.unsigned("an alignment in bytes")
}

fn nondet(s: &mut Stream<'_, '_>) -> Result<NondetOrigin, ParseError> {
    let start = *s;
    let Token::Word(word) = s.advance() else {
        return start.expected("an origin");
    };
    let mut name = || s.text("a quoted name");
    Ok(match *word {
        "input" => NondetOrigin::Input(name()?),
        "external" => NondetOrigin::External(name()?),
        "change" => NondetOrigin::Change(name()?),
        "uninitialised" => NondetOrigin::Uninitialised(name()?),
        "undefined" => NondetOrigin::Undefined,
        "over-approximated" => NondetOrigin::OverApproximated(name()?),
        _ => return start.expected("an origin"),
    })
}
