//! Reading one statement.

use super::{Parsed, Parser};
use crate::language::lexer::Token;
use crate::language::statement::{
    ArrayAccess, BinaryOperator, BooleanOperator, Cast, Endianness, Operand, Statement,
};
use crate::linear::{LinearConstraint, LinearExpression};
use crate::number::Number;
use crate::variable::{Type, VariableId};

impl Parser {
    pub(super) fn statement(&mut self) -> Parsed<Statement> {
        let Token::Word(word) = self.peek().clone() else {
            return Err(self.error(format!("expected a statement, found {:?}", self.peek())));
        };
        // A variable may have the name of a keyword; then it is followed by `:=` or `,`.
        if !matches!(self.peek_second(), Token::Symbol(":=" | ",")) {
            match &*word {
                "assume" | "assert" => {
                    self.advance();
                    let condition = self.condition()?;
                    return Ok(if word == "assume" {
                        Statement::Assume { condition }
                    } else {
                        Statement::Assert { condition }
                    });
                }
                "store" => return self.store(),
                "array_write" => return self.array_write(),
                "call" => return self.call(Vec::new()),
                _ => {}
            }
        }
        let mut targets = vec![self.variable(|_| true, "variable")?];
        while self.accept(",") {
            targets.push(self.variable(|_| true, "variable")?);
        }
        self.expect(":=")?;
        let is_call = matches!(self.peek(), Token::Word(word) if word == "call")
            && matches!(self.peek_second(), Token::Word(_));
        match (is_call, &targets[..]) {
            (true, _) => self.call(targets),
            (false, [target]) => self.definition(*target),
            (false, _) => Err(self.error("only a call defines several variables")),
        }
    }

    fn call(&mut self, results: Vec<VariableId>) -> Parsed<Statement> {
        self.advance();
        let function = self.word("the name of a function")?;
        self.expect("(")?;
        let mut arguments = Vec::new();
        while !self.accept(")") {
            arguments.push(self.variable(|_| true, "variable")?);
            self.accept(",");
        }
        Ok(Statement::Call {
            results,
            function,
            arguments,
        })
    }

    fn definition(&mut self, target: VariableId) -> Parsed<Statement> {
        if self.accept_word("havoc") {
            return Ok(Statement::Havoc { target });
        }
        match target.ty() {
            Type::Integer { .. } | Type::Unbounded => self.integer_definition(target),
            Type::Boolean => self.boolean_definition(target),
            Type::Pointer | Type::Reference => self.pointer_definition(target),
            Type::Array => self.array_definition(target),
        }
    }

    /// Whether the next word is a keyword here, and not the name of a variable in an expression.
    fn keyword(&self) -> Option<String> {
        match (self.peek(), self.peek_second()) {
            (Token::Word(word), Token::Word(_) | Token::Number(_))
                if !self.scope.contains_key(word) =>
            {
                Some(word.clone())
            }
            (Token::Word(word), Token::Symbol("-")) if !self.scope.contains_key(word) => {
                Some(word.clone())
            }
            _ => None,
        }
    }

    fn integer_definition(&mut self, target: VariableId) -> Parsed<Statement> {
        let Some(keyword) = self.keyword() else {
            return Ok(Statement::Assign {
                target,
                expression: self.expression()?,
            });
        };
        let binary = BinaryOperator::ALL
            .into_iter()
            .find(|one| one.keyword() == keyword);
        if let Some(operator) = binary {
            if operator.needs_width() && target.width().is_none() {
                return Err(self.error(format!("`{keyword}` needs machine integers")));
            }
            self.advance();
            let left = self.same_type_operand(target)?;
            self.expect(",")?;
            let right = self.same_type_operand(target)?;
            return Ok(Statement::Binary {
                operator,
                target,
                left,
                right,
            });
        }
        self.advance();
        match &*keyword {
            "sext" => self.cast(Cast::SignExtend, target),
            "zext" => self.cast(Cast::ZeroExtend, target),
            "trunc" => self.cast(Cast::Truncate, target),
            "booltoint" => {
                let source = self.variable(|ty| ty == Type::Boolean, "boolean")?;
                Ok(Statement::BooleanToInteger { target, source })
            }
            "load" => self.load(target),
            "array_read" => self.array_read(target),
            _ => Err(self.error(format!("`{keyword}` is no operation on integers"))),
        }
    }

    fn same_type_operand(&mut self, target: VariableId) -> Parsed<Operand> {
        let operand = self.operand()?;
        match operand.as_variable() {
            Some(x) if x.ty() != target.ty() => {
                Err(self.error(format!("operands of type {} and {}", x.ty(), target.ty())))
            }
            Some(_) | None => Ok(operand),
        }
    }

    fn cast(&mut self, cast: Cast, target: VariableId) -> Parsed<Statement> {
        let source = self.variable(|ty| ty.width().is_some(), "machine integer")?;
        let widens = match (source.width(), target.width()) {
            (Some(from), Some(to)) => from < to,
            (None, _) | (_, None) => return Err(self.error("casts need machine integers")),
        };
        if widens == (cast == Cast::Truncate) {
            return Err(self.error("the cast goes the wrong way"));
        }
        Ok(Statement::Cast {
            cast,
            target,
            source,
        })
    }

    fn boolean_definition(&mut self, target: VariableId) -> Parsed<Statement> {
        if let Some(keyword) = self.keyword() {
            let operator = match &*keyword {
                "and" => Some(BooleanOperator::And),
                "or" => Some(BooleanOperator::Or),
                "xor" => Some(BooleanOperator::Xor),
                _ => None,
            };
            if let Some(operator) = operator {
                self.advance();
                let left = self.variable(|ty| ty == Type::Boolean, "boolean")?;
                self.expect(",")?;
                let right = self.variable(|ty| ty == Type::Boolean, "boolean")?;
                return Ok(Statement::BooleanBinary {
                    operator,
                    target,
                    left,
                    right,
                });
            }
            if keyword == "inttobool" {
                self.advance();
                let x = self.variable(Type::is_integer, "integer")?;
                let condition = LinearConstraint::not_equal(x, 0).into();
                return Ok(Statement::BooleanAssign { target, condition });
            }
            if keyword == "load" {
                self.advance();
                return self.load(target);
            }
        }
        Ok(Statement::BooleanAssign {
            target,
            condition: self.condition()?,
        })
    }

    fn pointer_definition(&mut self, target: VariableId) -> Parsed<Statement> {
        let none = LinearExpression::constant(Number::ZERO);
        if self.accept_word("null") {
            return Ok(Statement::PointerAssign {
                target,
                base: None,
                offset: none,
            });
        }
        if self.accept("&") {
            let function = self.word("the name of a function")?;
            return Ok(Statement::AddressOfFunction { target, function });
        }
        match self.keyword().as_deref() {
            Some("ptradd") => {
                self.advance();
                let base = Some(self.variable(Type::is_pointer, "pointer")?);
                self.expect(",")?;
                Ok(Statement::PointerAssign {
                    target,
                    base,
                    offset: self.expression()?,
                })
            }
            Some("alloc") => {
                self.advance();
                Ok(Statement::Allocate {
                    target,
                    size: self.operand()?,
                })
            }
            Some("load") => {
                self.advance();
                self.load(target)
            }
            Some(_) | None => {
                let base = Some(self.variable(Type::is_pointer, "pointer")?);
                Ok(Statement::PointerAssign {
                    target,
                    base,
                    offset: none,
                })
            }
        }
    }

    fn load(&mut self, target: VariableId) -> Parsed<Statement> {
        let pointer = self.variable(Type::is_pointer, "pointer")?;
        Ok(Statement::Load { target, pointer })
    }

    fn store(&mut self) -> Parsed<Statement> {
        self.advance();
        let pointer = self.variable(Type::is_pointer, "pointer")?;
        self.expect(",")?;
        let value = self.stored_value()?;
        self.expect(",")?;
        let size = self.natural("a size")?;
        Ok(Statement::Store {
            pointer,
            value,
            size,
        })
    }

    /// An integer, or another scalar that is a variable.
    fn stored_value(&mut self) -> Parsed<Operand> {
        match self.peek() {
            Token::Word(_) => Ok(self.variable(|ty| ty != Type::Array, "scalar")?.into()),
            Token::Number(_) | Token::Symbol(_) | Token::End => self.operand(),
        }
    }

    fn array_definition(&mut self, target: VariableId) -> Parsed<Statement> {
        if self.keyword().as_deref() == Some("array_init") {
            self.advance();
            let lower = self.operand()?;
            self.expect(",")?;
            let upper = self.operand()?;
            self.expect(",")?;
            let value = self.operand()?;
            self.expect(",")?;
            let (size, endianness) = self.size_and_order()?;
            return Ok(Statement::ArrayInit {
                target,
                lower,
                upper,
                value,
                size,
                endianness,
            });
        }
        let source = self.variable(|ty| ty == Type::Array, "array")?;
        Ok(Statement::ArrayAssign { target, source })
    }

    fn size_and_order(&mut self) -> Parsed<(u32, Endianness)> {
        let size = self.natural("a size")?;
        if size == 0 {
            return Err(self.error("a size is at least 1"));
        }
        let endianness = if self.accept_word("little") {
            Endianness::Little
        } else if self.accept_word("big") {
            Endianness::Big
        } else {
            Endianness::Unknown
        };
        Ok((size, endianness))
    }

    fn access(&mut self) -> Parsed<ArrayAccess> {
        let array = self.variable(|ty| ty == Type::Array, "array")?;
        self.expect(",")?;
        let index = self.operand()?;
        self.expect(",")?;
        let (size, endianness) = self.size_and_order()?;
        Ok(ArrayAccess {
            array,
            index,
            size,
            endianness,
        })
    }

    fn fits(&self, x: VariableId, size: u32) -> Parsed<()> {
        match x.width() {
            Some(width) if u64::from(width) != 8 * u64::from(size) => Err(self.error(format!(
                "{size} bytes do not hold a value of type {}",
                x.ty()
            ))),
            Some(_) | None => Ok(()),
        }
    }

    fn array_read(&mut self, target: VariableId) -> Parsed<Statement> {
        let access = self.access()?;
        self.fits(target, access.size)?;
        Ok(Statement::ArrayRead { target, access })
    }

    fn array_write(&mut self) -> Parsed<Statement> {
        self.advance();
        let array = self.variable(|ty| ty == Type::Array, "array")?;
        self.expect(",")?;
        let index = self.operand()?;
        self.expect(",")?;
        let value = self.operand()?;
        self.expect(",")?;
        let (size, endianness) = self.size_and_order()?;
        if let Operand::Variable(x) = value {
            self.fits(x, size)?;
        }
        let access = ArrayAccess {
            array,
            index,
            size,
            endianness,
        };
        Ok(Statement::ArrayWrite { access, value })
    }
}
