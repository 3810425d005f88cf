//! Reading the text syntax that [`crate::language::printer`] writes.
//!
//! Errors name the line and column. Types are checked while reading, since the same words mean
//! different statements at different types (`x := y` assigns integers, booleans, pointers or
//! arrays).

use std::collections::BTreeMap;

use crate::language::lexer::{Token, tokens};
use crate::language::program::{BlockId, FunctionBuilder, Program};
use crate::language::statement::{Condition, Operand, UnsignedRelation};
use crate::linear::{LinearConstraint, LinearExpression};
use crate::number::Number;
use crate::variable::{Type, VariableId};

mod statements;

/// A place in a text, counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    pub line: u32,
    pub column: u32,
}

/// A text that is no program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}:{}: {message}", position.line, position.column)]
pub struct SyntaxError {
    pub position: Position,
    pub message: String,
}

/// Reads a program.
pub fn parse_program(text: &str) -> Result<Program, SyntaxError> {
    let mut parser = Parser {
        tokens: tokens(text)?,
        next: 0,
        program: Program::new(),
        scope: BTreeMap::new(),
    };
    while *parser.peek() != Token::End {
        parser.function()?;
    }
    Ok(parser.program)
}

/// Reads a condition over the variables of a function, such as an expected invariant.
pub fn parse_condition(
    text: &str,
    program: &Program,
    function: crate::language::FunctionId,
) -> Result<Condition, SyntaxError> {
    let names = program.functions[function].variables().into_iter();
    let scope = names.map(|x| (program.name(x), x)).collect();
    let mut parser = Parser {
        tokens: tokens(text)?,
        next: 0,
        program: Program::new(),
        scope,
    };
    let condition = parser.condition()?;
    match parser.peek() {
        Token::End => Ok(condition),
        other => Err(parser.error(format!("unexpected {other:?} after the condition"))),
    }
}

struct Parser {
    tokens: Vec<(Token, Position)>,
    next: usize,
    program: Program,
    /// The variables of the function being read.
    scope: BTreeMap<String, VariableId>,
}

type Parsed<T> = Result<T, SyntaxError>;

impl Parser {
    fn peek(&self) -> &Token {
        &self.tokens[self.next].0
    }

    fn peek_second(&self) -> &Token {
        &self.tokens[(self.next + 1).min(self.tokens.len() - 1)].0
    }

    fn advance(&mut self) -> Token {
        let token = self.peek().clone();
        self.next = (self.next + 1).min(self.tokens.len() - 1);
        token
    }

    fn error(&self, message: impl Into<String>) -> SyntaxError {
        SyntaxError {
            position: self.tokens[self.next].1,
            message: message.into(),
        }
    }

    fn accept(&mut self, symbol: &str) -> bool {
        let found = matches!(self.peek(), Token::Symbol(own) if *own == symbol);
        if found {
            self.advance();
        }
        found
    }

    fn accept_word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Token::Word(own) if own == word);
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, symbol: &str) -> Parsed<()> {
        if self.accept(symbol) {
            return Ok(());
        }
        Err(self.error(format!("expected `{symbol}`, found {:?}", self.peek())))
    }

    fn word(&mut self, what: &str) -> Parsed<String> {
        match self.peek().clone() {
            Token::Word(word) => {
                self.advance();
                Ok(word)
            }
            other => Err(self.error(format!("expected {what}, found {other:?}"))),
        }
    }

    fn natural(&mut self, what: &str) -> Parsed<u32> {
        match self.peek() {
            Token::Number(value) => {
                let value = value
                    .to_u32()
                    .ok_or_else(|| self.error(format!("{what} too large")))?;
                self.advance();
                Ok(value)
            }
            other => Err(self.error(format!("expected {what}, found {other:?}"))),
        }
    }

    fn ty(&mut self) -> Parsed<Type> {
        let word = self.word("a type")?;
        let width = word
            .strip_prefix('i')
            .and_then(|width| width.parse::<u32>().ok());
        match (&*word, width) {
            ("int", _) => Ok(Type::Unbounded),
            ("bool", _) => Ok(Type::Boolean),
            ("ptr", _) => Ok(Type::Pointer),
            ("ref", _) => Ok(Type::Reference),
            ("array", _) => Ok(Type::Array),
            (_, Some(width)) if (1..=1024).contains(&width) => Ok(Type::Integer { width }),
            _ => Err(self.error(format!("`{word}` is no type"))),
        }
    }

    fn declaration(&mut self) -> Parsed<VariableId> {
        let name = self.word("a variable")?;
        self.expect(":")?;
        let ty = self.ty()?;
        if self.scope.contains_key(&name) {
            return Err(self.error(format!("`{name}` is declared twice")));
        }
        let x = self.program.variable(name.clone(), ty);
        self.scope.insert(name, x);
        Ok(x)
    }

    fn function(&mut self) -> Parsed<()> {
        if !self.accept_word("function") {
            return Err(self.error("expected `function`"));
        }
        self.scope.clear();
        let name = self.word("the name of a function")?;
        let mut builder = FunctionBuilder::new(name);
        self.expect("(")?;
        let mut parameters = Vec::new();
        while !self.accept(")") {
            parameters.push(self.declaration()?);
            self.accept(",");
        }
        builder.parameters(parameters);
        if self.accept("->") {
            self.expect("(")?;
            while !self.accept(")") {
                builder.results([self.ty()?]);
                self.accept(",");
            }
        }
        self.expect("{")?;
        while self.accept_word("var") {
            self.declaration()?;
            while self.accept(",") {
                self.declaration()?;
            }
        }
        let labels = self.labels(&mut builder)?;
        self.blocks(&mut builder, &labels)?;
        self.expect("}")?;
        builder.finish(&mut self.program);
        Ok(())
    }

    /// Finds the labels of a body beforehand, since jumps go forward too.
    fn labels(&self, builder: &mut FunctionBuilder) -> Parsed<BTreeMap<String, BlockId>> {
        let mut labels = BTreeMap::new();
        for (position, window) in self.tokens[self.next..].windows(2).enumerate() {
            match window {
                [(Token::Symbol("}"), _), _] => break,
                [(Token::Word(label), place), (Token::Symbol(":"), _)] => {
                    let block = builder.block(label.clone());
                    if labels.insert(label.clone(), block).is_some() {
                        let message = format!("the label `{label}` stands twice");
                        return Err(SyntaxError {
                            position: *place,
                            message,
                        });
                    }
                }
                _ => debug_assert!(position < self.tokens.len()),
            }
        }
        if labels.is_empty() {
            return Err(self.error("a function needs a block"));
        }
        Ok(labels)
    }

    fn blocks(
        &mut self,
        builder: &mut FunctionBuilder,
        labels: &BTreeMap<String, BlockId>,
    ) -> Parsed<()> {
        while !matches!(self.peek(), Token::Symbol("}") | Token::End) {
            let label = self.word("a label")?;
            self.expect(":")?;
            let block = *labels
                .get(&label)
                .ok_or_else(|| self.error("no such label"))?;
            loop {
                if self.accept_word("goto") {
                    let mut targets = Vec::new();
                    while let Token::Word(target) = self.peek().clone() {
                        if *self.peek_second() == Token::Symbol(":") {
                            break;
                        }
                        let found = labels.get(&target);
                        targets.push(*found.ok_or_else(|| self.error("no such label"))?);
                        self.advance();
                        if !self.accept(",") {
                            break;
                        }
                    }
                    builder.goto(block, targets);
                    break;
                }
                if self.accept_word("return") {
                    let results = self.returned()?;
                    builder.return_from(block, results);
                    break;
                }
                if matches!(self.peek(), Token::Symbol("}") | Token::End)
                    || *self.peek_second() == Token::Symbol(":")
                {
                    return Err(self.error("a block ends with `goto` or `return`"));
                }
                let statement = self.statement()?;
                builder.push(block, statement);
            }
        }
        Ok(())
    }

    fn returned(&mut self) -> Parsed<Vec<VariableId>> {
        let mut results = Vec::new();
        while let Token::Word(name) = self.peek().clone() {
            if *self.peek_second() == Token::Symbol(":") {
                break;
            }
            results.push(self.lookup(&name)?);
            self.advance();
            if !self.accept(",") {
                break;
            }
        }
        Ok(results)
    }

    fn lookup(&self, name: &str) -> Parsed<VariableId> {
        let found = self.scope.get(name).copied();
        found.ok_or_else(|| self.error(format!("no variable is called `{name}`")))
    }

    fn variable(&mut self, accepts: impl Fn(Type) -> bool, what: &str) -> Parsed<VariableId> {
        let Token::Word(name) = self.peek().clone() else {
            return Err(self.error(format!("expected {what}, found {:?}", self.peek())));
        };
        let x = self.lookup(&name)?;
        if !accepts(x.ty()) {
            return Err(self.error(format!("`{name}` is no {what} but {}", x.ty())));
        }
        self.advance();
        Ok(x)
    }

    fn number(&mut self) -> Parsed<Number> {
        let negative = self.accept("-");
        match self.advance() {
            Token::Number(value) => Ok(if negative { -value } else { value }),
            other => Err(self.error(format!("expected a number, found {other:?}"))),
        }
    }

    fn operand(&mut self) -> Parsed<Operand> {
        match self.peek() {
            Token::Word(_) => Ok(Operand::Variable(
                self.variable(Type::is_integer, "integer")?,
            )),
            Token::Number(_) | Token::Symbol(_) | Token::End => {
                Ok(Operand::Constant(self.number()?))
            }
        }
    }

    /// One term: n, x, n*x or x*n, with its sign.
    fn term(&mut self, negative: bool) -> Parsed<LinearExpression> {
        let term = match self.peek().clone() {
            Token::Number(value) => {
                self.advance();
                if self.accept("*") {
                    LinearExpression::term(self.variable(Type::is_integer, "integer")?, value)
                } else {
                    LinearExpression::constant(value)
                }
            }
            Token::Word(_) => {
                let x = self.variable(Type::is_integer, "integer")?;
                let factor = if self.accept("*") {
                    self.number()?
                } else {
                    Number::ONE
                };
                LinearExpression::term(x, factor)
            }
            other => return Err(self.error(format!("expected a term, found {other:?}"))),
        };
        Ok(if negative {
            term.scaled(&Number::MINUS_ONE)
        } else {
            term
        })
    }

    fn expression(&mut self) -> Parsed<LinearExpression> {
        let negative = self.accept("-");
        let mut sum = self.term(negative)?;
        loop {
            if self.accept("+") {
                sum = sum.plus(&self.term(false)?);
            } else if self.accept("-") {
                sum = sum.plus(&self.term(true)?);
            } else {
                return Ok(sum);
            }
        }
    }

    fn condition(&mut self) -> Parsed<Condition> {
        if self.accept_word("true") {
            return Ok(Condition::Constant(true));
        }
        if self.accept_word("false") {
            return Ok(Condition::Constant(false));
        }
        if self.accept_word("not") {
            let variable = self.variable(|ty| ty == Type::Boolean, "boolean")?;
            return Ok(Condition::Boolean {
                variable,
                value: false,
            });
        }
        if let Token::Word(name) = self.peek().clone() {
            let x = self.lookup(&name)?;
            if x.ty() == Type::Boolean {
                self.advance();
                return Ok(Condition::Boolean {
                    variable: x,
                    value: true,
                });
            }
            if x.ty().is_pointer() {
                return self.pointer_condition();
            }
        }
        let left = self.expression()?;
        let Token::Symbol(symbol) = self.advance() else {
            return Err(self.error("expected a comparison"));
        };
        let right = self.expression()?;
        match symbol {
            "<=" => Ok(LinearConstraint::less_or_equal(left, right).into()),
            "<" => Ok(LinearConstraint::less(left, right).into()),
            ">=" => Ok(LinearConstraint::less_or_equal(right, left).into()),
            ">" => Ok(LinearConstraint::less(right, left).into()),
            "==" => Ok(LinearConstraint::equal(left, right).into()),
            "!=" => Ok(LinearConstraint::not_equal(left, right).into()),
            "<u" => self.unsigned(UnsignedRelation::Less, &left, &right),
            "<=u" => self.unsigned(UnsignedRelation::LessOrEqual, &left, &right),
            ">u" => self.unsigned(UnsignedRelation::Less, &right, &left),
            ">=u" => self.unsigned(UnsignedRelation::LessOrEqual, &right, &left),
            _ => Err(self.error(format!("`{symbol}` is no comparison"))),
        }
    }

    fn unsigned(
        &self,
        relation: UnsignedRelation,
        left: &LinearExpression,
        right: &LinearExpression,
    ) -> Parsed<Condition> {
        let operand = |expression: &LinearExpression| {
            let constant = expression.as_constant().cloned().map(Operand::Constant);
            let operand = constant.or_else(|| expression.as_variable().map(Operand::Variable));
            operand.ok_or_else(|| self.error("unsigned comparisons take variables and numbers"))
        };
        let (left, right) = (operand(left)?, operand(right)?);
        let unbounded =
            |operand: &Operand| operand.as_variable().is_some_and(|x| x.width().is_none());
        if unbounded(&left) || unbounded(&right) {
            return Err(self.error("unsigned comparisons need machine integers"));
        }
        Ok(Condition::Unsigned {
            relation,
            left,
            right,
        })
    }

    fn pointer_condition(&mut self) -> Parsed<Condition> {
        let left = self.variable(Type::is_pointer, "pointer")?;
        let equal = if self.accept("==") {
            true
        } else {
            self.expect("!=")?;
            false
        };
        let right = if self.accept_word("null") {
            None
        } else {
            Some(self.variable(Type::is_pointer, "pointer")?)
        };
        Ok(Condition::Pointers { equal, left, right })
    }
}
