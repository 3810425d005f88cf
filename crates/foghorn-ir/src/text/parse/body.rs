//! Parses the blocks of a function.

use super::ParseError;
use super::module::{ModuleParser, duplicate};
use super::stream::{Stream, utf8};
use crate::body::{
    BlockId, Body, InstructionData, ValueData, ValueDef, ValueId, Variable, VariableId,
};
use crate::constant::Constant;
use crate::memory::{Cell, Form, Interface, MemoryRole, MemoryUse, Region};
use crate::text::lex::Token;
use crate::types::Type;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Reads one body; its numbers are those of the text.
pub struct BodyParser<'p> {
    pub module: &'p mut ModuleParser,
    pub body: Body,
    pub values: FxHashMap<u32, ValueId>,
    pub blocks: FxHashMap<u32, BlockId>,
    pub variables: FxHashMap<u32, VariableId>,
}

impl<'p> BodyParser<'p> {
    /// Enters what the text up to `}` defines, so that it can be used before its definition.
    pub fn new(module: &'p mut ModuleParser, stream: Stream<'_, '_>) -> Result<Self, ParseError> {
        let mut parser = BodyParser {
            module,
            body: Body::new(),
            values: FxHashMap::default(),
            blocks: FxHashMap::default(),
            variables: FxHashMap::default(),
        };
        parser.enter_definitions(stream)?;
        Ok(parser)
    }

    fn enter_definitions(&mut self, mut stream: Stream<'_, '_>) -> Result<(), ParseError> {
        while !stream.is_punctuation("}") && *stream.peek() != Token::End {
            let position = stream.position();
            if let Some((number, data, length)) = value_definition(&stream) {
                let id = self.body.values.push(data);
                if self.values.insert(number, id).is_some() {
                    return duplicate(position, format!("v{number}"));
                }
                (0..length - 1).for_each(|_| {
                    stream.advance();
                });
            } else if let Some(number) = block_header(&stream) {
                let id = if self.blocks.is_empty() {
                    self.body.entry
                } else {
                    self.body.add_block()
                };
                if self.blocks.insert(number, id).is_some() {
                    return duplicate(position, format!("block{number}"));
                }
            }
            stream.advance();
        }
        Ok(())
    }

    pub fn parse(mut self, stream: &mut Stream<'_, '_>) -> Result<Body, ParseError> {
        if stream.try_word("pure") {
            self.body.form = Form::Pure;
        }
        while stream.try_word("region") {
            self.region(stream)?;
        }
        while stream.try_word("variable") {
            self.variable(stream)?;
        }
        self.block(stream)?;
        while !stream.is_punctuation("}") {
            self.block(stream)?;
        }
        Ok(self.body)
    }

    /// Regions come in the order of their numbers.
    fn region(&mut self, stream: &mut Stream<'_, '_>) -> Result<(), ParseError> {
        let expected = self.body.regions.next_key().to_string();
        stream.word(&expected)?;
        let name = stream.name()?;
        let cell = cell(stream)?;
        let likely = if stream.try_word("likely") {
            self::cell(stream)?
        } else {
            cell
        };
        let typed = stream.try_word("typed");
        let interface = stream.named("'local', 'read' or 'modified'", |word| match word {
            "local" => Some(Interface::Local),
            "read" => Some(Interface::Read),
            "modified" => Some(Interface::Modified),
            _ => None,
        })?;
        self.body.regions.push(Region {
            name,
            cell,
            likely,
            typed,
            interface,
        });
        Ok(())
    }

    fn variable(&mut self, stream: &mut Stream<'_, '_>) -> Result<(), ParseError> {
        let position = stream.position();
        let number = stream.take("a variable such as 'var0'", |token| match token {
            Token::Variable(number) => Some(*number),
            _ => None,
        })?;
        let name = stream.name()?;
        let signed = stream.try_word("signed");
        let slot = match stream.try_word("in") {
            true => Some(self.slot(stream)?),
            false => None,
        };
        let span = self.module.location(stream)?;
        let id = self.body.variables.push(Variable {
            name,
            span,
            signed,
            slot,
        });
        match self.variables.insert(number, id) {
            None => Ok(()),
            Some(_) => duplicate(position, format!("var{number}")),
        }
    }

    /// The value, defined below, that is the slot of a variable.
    fn slot(&self, stream: &mut Stream<'_, '_>) -> Result<ValueId, ParseError> {
        stream.take("the slot of a variable such as 'v3'", |token| match token {
            Token::Value(number) => self.values.get(number).copied(),
            _ => None,
        })
    }

    fn block(&mut self, stream: &mut Stream<'_, '_>) -> Result<(), ParseError> {
        let Some(number) = block_header(stream) else {
            return stream.expected("a block such as 'block0:', or '}'");
        };
        let block = self.blocks[&number];
        stream.advance();
        if stream.is_punctuation("(") {
            let params = stream.parenthesised(|stream| self.definition(stream))?;
            for (index, &param) in (0..).zip(&params) {
                self.body.values[param].def = ValueDef::Param(block, index);
            }
            self.body.blocks[block].params = params;
        }
        stream.punctuation(":")?;
        loop {
            if let Some(terminator) = self.terminator(stream)? {
                let span = self.module.location(stream)?;
                let block = &mut self.body.blocks[block];
                (block.terminator, block.terminator_span) = (terminator, span);
                return Ok(());
            }
            self.statement(stream, block)?;
        }
    }

    /// An instruction with its results.
    fn statement(&mut self, stream: &mut Stream<'_, '_>, block: BlockId) -> Result<(), ParseError> {
        let mut results: SmallVec<[ValueId; 1]> = SmallVec::new();
        if matches!(stream.peek(), Token::Value(_)) {
            results.extend(stream.list(",", |stream| self.definition(stream))?);
            stream.punctuation("=")?;
        }
        let result = results.first().map(|&value| self.body.ty(value));
        let instruction = self.instruction(stream, result)?;
        let effective_type = match stream.try_word("as") {
            true => Some(stream.name()?),
            false => None,
        };
        let memory = self.memory_uses(stream)?;
        let span = self.module.location(stream)?;
        let id = self.body.instructions.push(InstructionData {
            instruction,
            results: results.clone(),
            memory: memory.clone(),
            effective_type,
            span,
        });
        for (index, memory) in (0..).zip(&memory) {
            if let Some(output) = memory.output {
                self.body.values[output].def = ValueDef::Memory(id, index);
            }
        }
        for (index, &value) in (0..).zip(&results) {
            self.body.values[value].def = ValueDef::Result(id, index);
        }
        self.body.blocks[block].instructions.push(id);
        Ok(())
    }

    /// `[to v1 -> v2:region0, from v3]`, or nothing.
    fn memory_uses(
        &mut self,
        stream: &mut Stream<'_, '_>,
    ) -> Result<SmallVec<[MemoryUse; 1]>, ParseError> {
        if !stream.try_punctuation("[") {
            return Ok(SmallVec::new());
        }
        let uses = stream.list(",", |stream| self.memory_use(stream))?;
        stream.punctuation("]")?;
        Ok(uses.into())
    }

    fn memory_use(&mut self, stream: &mut Stream<'_, '_>) -> Result<MemoryUse, ParseError> {
        let role = if stream.try_word("to") {
            MemoryRole::Destination
        } else if stream.try_word("from") {
            MemoryRole::Source
        } else if let Token::Number(_) = stream.peek() {
            let number = stream.unsigned("the number of a memory parameter")?;
            stream.punctuation("=")?;
            MemoryRole::Argument(number)
        } else {
            MemoryRole::Access
        };
        let position = stream.position();
        let input = self.operand(stream, None)?;
        let Some(region) = self.body.ty(input).region() else {
            let found = format!("a value of type {}", self.body.ty(input));
            return Err(ParseError::expected(position, "a memory", found));
        };
        let output = match stream.try_punctuation("->") {
            true => Some(self.definition(stream)?),
            false => None,
        };
        Ok(MemoryUse {
            region,
            input,
            output,
            role,
        })
    }

    /// `v1.name:i32`, entered before.
    fn definition(&self, stream: &mut Stream<'_, '_>) -> Result<ValueId, ParseError> {
        let Some((number, _, length)) = value_definition(stream) else {
            return stream.expected("a definition such as 'v0:i32'");
        };
        (0..length).for_each(|_| {
            stream.advance();
        });
        Ok(self.values[&number])
    }
}

/// The value defined by the next tokens, and how many they are. Uses have no type behind them.
fn value_definition(stream: &Stream<'_, '_>) -> Option<(u32, ValueData, usize)> {
    let Token::Value(number) = stream.peek() else {
        return None;
    };
    let (name, named) = match stream.peek_after(1) {
        Token::ValueName(name) => (Some(utf8(name)?), 1),
        _ => (None, 0),
    };
    if *stream.peek_after(1 + named) != Token::Punctuation(":") {
        return None;
    }
    let mut rest = *stream;
    (0..2 + named).for_each(|_| {
        rest.advance();
    });
    let ty: Type = rest.ty().ok()?;
    // Where it is defined is filled in when its definition is read.
    let def = ValueDef::Constant(Constant::Null);
    Some((*number, ValueData { ty, def, name }, 3 + named))
}

/// The number of the block whose header the next tokens are: only a header has a colon.
fn block_header(stream: &Stream<'_, '_>) -> Option<u32> {
    let Token::Block(number) = stream.peek() else {
        return None;
    };
    let mut rest = *stream;
    rest.advance();
    if rest.try_punctuation("(") {
        while !rest.try_punctuation(")") {
            if *rest.peek() == Token::End {
                return None;
            }
            rest.advance();
        }
    }
    rest.is_punctuation(":").then_some(*number)
}

fn cell(stream: &mut Stream<'_, '_>) -> Result<Cell, ParseError> {
    if stream.try_word("bytes") {
        Ok(Cell::Bytes)
    } else if stream.try_word("pointer") {
        Ok(Cell::Pointer)
    } else if stream.try_word("word") {
        let bytes = stream.unsigned("a size in bytes")?;
        Ok(Cell::Word { bytes })
    } else {
        stream.expected("'bytes', 'word' or 'pointer'")
    }
}
