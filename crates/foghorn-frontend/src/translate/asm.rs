//! Inline assembly.
//!
//! We do not read assembly, with two exceptions. An empty text is a barrier for the compiler and does
//! nothing; a lone `bswap` of one register is the idiom of byte-order headers. For any other, every
//! output is any value (a named over-approximation), registers and memory operands
//! alike. With a `memory` clobber, what its operands reach and what else is known outside the program
//! may be changed, as by a function without a body ([`super::external`]); memory that is not clobbered
//! is untouched.

use super::Unsupported;
use super::function::{FunctionTranslator, Scalars};
use crate::llvm::Value;
use crate::options::External;
use foghorn_ir::{Builtin, Callee, Instruction, Type, UnaryOp, ValueId};
use smallvec::smallvec;

pub(crate) const NAME: &str = "inline assembly";

impl<'p> FunctionTranslator<'_, 'p> {
    pub(crate) fn inline_assembly(&mut self, call: Value<'p>) -> Result<Scalars, Unsupported> {
        let (text, constraints) = call.callee().inline_assembly();
        if text.trim().is_empty() {
            return self.empty_assembly(call, &constraints);
        }
        if let Some(value) = self.byte_swapped(call, &text, &constraints)? {
            return Ok(smallvec![value]);
        }
        for pointer in self.indirect_outputs(call, &constraints)? {
            let (pointer, size) = pointer;
            self.module.note_over_approximation(NAME.into(), self.span);
            let size = self.size(size);
            self.builtin(Builtin::HavocMemory, vec![pointer, size], &[]);
        }
        if constraints.split(',').any(|it| it == "~{memory}") {
            self.clobber(call)?;
        }
        self.any_results(call)
    }

    /// Whatever is known outside, and what the operands lead to, may be changed.
    fn clobber(&mut self, call: Value<'p>) -> Result<(), Unsupported> {
        if self.module.options.externals.otherwise == External::Pure {
            return Ok(());
        }
        let changes = self.over_approximated(NAME, Type::BOOL);
        let operands = self.argument_scalars(call)?.into_iter().flatten();
        let pointers = operands.filter(|&operand| self.body.ty(operand) == Type::Ptr);
        let arguments: Vec<ValueId> = std::iter::once(changes).chain(pointers).collect();
        let function = self.module.assembly_function(arguments.len() - 1);
        let callee = Callee::Direct(function);
        self.emit(Instruction::Call { callee, arguments }, &[]);
        Ok(())
    }

    /// The result of `asm("bswap %0" : "=r"(y) : "0"(x))`, if that is what this is.
    fn byte_swapped(
        &mut self,
        call: Value<'p>,
        text: &str,
        constraints: &str,
    ) -> Result<Option<ValueId>, Unsupported> {
        let mut operands = constraints.split(',').filter(|c| !c.starts_with('~'));
        let tied = operands.next() == Some("=r") && operands.next() == Some("0");
        let arguments = call.arguments();
        let (true, None, [input]) = (tied, operands.next(), arguments.as_slice()) else {
            return Ok(None);
        };
        let value = self.scalar(*input)?;
        let types = self.element_types(call)?;
        let same = types.as_slice() == [self.body.ty(value)];
        let words: Vec<&str> = text.split_whitespace().collect();
        let known = match self.body.ty(value) {
            Type::Int(64) => matches!(words.as_slice(), ["bswap" | "bswapq", "$0" | "${0:q}"]),
            Type::Int(32) => matches!(words.as_slice(), ["bswap" | "bswapl", "$0" | "${0:k}"]),
            Type::Int(_) | Type::F32 | Type::F64 | Type::Ptr | Type::Memory(_) => false,
        };
        Ok((same && known).then(|| self.unary(UnaryOp::ByteSwap, value)))
    }

    fn any_results(&mut self, call: Value<'p>) -> Result<Scalars, Unsupported> {
        let types = self.element_types(call)?;
        if types.is_empty() {
            self.module.note_over_approximation(NAME.into(), self.span);
        }
        Ok(types
            .into_iter()
            .map(|ty| self.over_approximated(NAME, ty))
            .collect())
    }

    /// `asm("" : "+r"(x))` hides a value from the optimiser: an output tied to an input is it.
    fn empty_assembly(
        &mut self,
        call: Value<'p>,
        constraints: &str,
    ) -> Result<Scalars, Unsupported> {
        let types = self.element_types(call)?;
        if types.is_empty() {
            return Ok(Scalars::new());
        }
        let inputs = constraints
            .split(',')
            .filter(|c| !c.starts_with('=') && !c.starts_with('~') && !c.starts_with('!'));
        let arguments = call.arguments();
        let mut results: Vec<Option<ValueId>> = vec![None; types.len()];
        for (constraint, argument) in inputs.zip(arguments) {
            if let Ok(output) = constraint.parse::<usize>()
                && output < results.len()
            {
                results[output] = Some(self.scalar(argument)?);
            }
        }
        let pairs = results.into_iter().zip(types);
        Ok(pairs
            .map(|(value, ty)| match value {
                Some(value) if self.body.ty(value) == ty => value,
                Some(_) | None => self.over_approximated(NAME, ty),
            })
            .collect())
    }

    /// Addresses and sizes of the memory operands that are written (`=*m`).
    fn indirect_outputs(
        &mut self,
        call: Value<'p>,
        constraints: &str,
    ) -> Result<Vec<(ValueId, u64)>, Unsupported> {
        let mut argument = 0u32;
        let arguments = call.arguments();
        let mut outputs = vec![];
        for constraint in constraints.split(',') {
            if constraint.starts_with('~') || constraint.starts_with('!') {
                continue;
            }
            let is_output = constraint.starts_with('=');
            let is_indirect = constraint.contains('*');
            if is_output && !is_indirect {
                continue;
            }
            if let (true, true, Some(&value)) =
                (is_output, is_indirect, arguments.get(argument as usize))
            {
                let size = call
                    .element_type(argument)
                    .map_or(1, |ty| self.module.program.store_size(ty));
                outputs.push((self.scalar(value)?, size));
            }
            argument += 1;
        }
        Ok(outputs)
    }
}
