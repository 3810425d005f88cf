//! Calls of the scanf family with a literal format.
//!
//! Interpreting a format costs an engine a loop over its bytes, and its pointers go through a list of
//! arguments in which all are alike. Where the format is a constant of the program, the call becomes
//! the steps that the model would take (`runtime/libc/foghorn_scan.h`), each with its own pointer.

use super::Unsupported;
use super::function::{FunctionTranslator, Scalars};
use super::scan_format::{Kind, Step, parse};
use crate::llvm::{Value, ValueKind};
use foghorn_ir::{Type, ValueId};

/// Bytes for the state of a call, in both data models.
const STATE: u64 = 48;

/// Where a member of the family reads.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    Standard,
    Stream,
    String,
}

/// glibc's headers rename the family by the C standard in force.
fn source(name: &str) -> Option<Source> {
    let name = name
        .strip_prefix("__isoc99_")
        .or_else(|| name.strip_prefix("__isoc23_"))
        .unwrap_or(name);
    match name {
        "scanf" => Some(Source::Standard),
        "fscanf" => Some(Source::Stream),
        "sscanf" => Some(Source::String),
        _ => None,
    }
}

impl<'p> FunctionTranslator<'_, 'p> {
    /// The result of a call of the family, taken apart; `None` if it is another call, or one that
    /// cannot be.
    pub(crate) fn scan_call(
        &mut self,
        name: &str,
        call: Value<'p>,
        callee: Value<'p>,
    ) -> Result<Option<Scalars>, Unsupported> {
        let Some(source) = source(name).filter(|_| self.module.is_model(callee)) else {
            return Ok(None);
        };
        let arguments = call.arguments();
        let fixed = if source == Source::Standard { 1 } else { 2 };
        let Some(&format) = arguments.get(fixed - 1) else {
            return Ok(None);
        };
        let pointer_bytes = self.module.module.layout.pointer_bytes as u8;
        let text = literal(format);
        let Some(steps) = text.and_then(|text| parse(&text, pointer_bytes)) else {
            return Ok(None);
        };
        let takes = |step: &&Step| {
            matches!(
                step,
                Step::Conversion {
                    suppressed: false,
                    ..
                }
            )
        };
        let targets = self.targets(arguments.get(fixed..).unwrap_or_default())?;
        if targets.len() < steps.iter().filter(takes).count() {
            return Ok(None);
        }
        let state = self.temporary(STATE, 16);
        match source {
            Source::Standard => self.scan_step("__model_scan_standard", vec![state])?,
            Source::Stream => {
                let stream = self.scalar(arguments[0])?;
                self.scan_step("__model_scan_stream", vec![state, stream])?
            }
            Source::String => {
                let text = self.scalar(arguments[0])?;
                self.scan_step("__model_scan_string", vec![state, text])?
            }
        };
        let mut targets = targets.into_iter();
        for step in steps {
            self.take_step(state, step, format, &mut targets)?;
        }
        let result = self.scan_step("__model_scan_result", vec![state])?;
        self.end_temporary(state);
        self.adapt_results(&result, call.ty()).map(Some)
    }

    /// The pointers among the variable arguments, up to the first that is none.
    fn targets(&mut self, arguments: &[Value<'p>]) -> Result<Vec<ValueId>, Unsupported> {
        let mut targets = vec![];
        for &argument in arguments {
            match self.operand(argument)?.as_slice() {
                &[pointer] if self.body.ty(pointer) == Type::Ptr => targets.push(pointer),
                _ => break,
            }
        }
        Ok(targets)
    }

    fn take_step(
        &mut self,
        state: ValueId,
        step: Step,
        format: Value<'p>,
        targets: &mut impl Iterator<Item = ValueId>,
    ) -> Result<(), Unsupported> {
        let (name, values) = match step {
            Step::Space => ("__model_scan_space", vec![state]),
            Step::Percent => ("__model_scan_percent", vec![state]),
            Step::Literal(byte) => {
                let byte = self.body.int(32, byte.into());
                ("__model_scan_literal", vec![state, byte])
            }
            Step::Conversion {
                suppressed,
                width,
                kind,
            } => {
                let target = match suppressed {
                    true => self.null(),
                    false => targets.next().expect("invariant: they were counted"),
                };
                let assign = self.body.int(32, i128::from(!suppressed));
                let unlimited = u64::MAX >> (64 - 8 * self.module.module.layout.pointer_bytes);
                let width = self.size(width.unwrap_or(unlimited).min(unlimited));
                let mut values = vec![state, target, assign, width];
                let name = self.conversion_step(kind, format, &mut values)?;
                (name, values)
            }
        };
        self.scan_step(name, values).map(|_| ())
    }

    /// The name of a conversion's step; its further arguments are added.
    fn conversion_step(
        &mut self,
        kind: Kind,
        format: Value<'p>,
        values: &mut Vec<ValueId>,
    ) -> Result<&'static str, Unsupported> {
        Ok(match kind {
            Kind::Integer { base, size, signed } => {
                values.push(self.body.int(32, base.into()));
                values.push(self.body.int(32, size.into()));
                values.push(self.body.int(32, signed.into()));
                "__model_scan_integer"
            }
            Kind::Float { size } => {
                values.push(self.body.int(32, size.into()));
                "__model_scan_float"
            }
            Kind::Word => "__model_scan_word",
            Kind::Characters => "__model_scan_characters",
            Kind::Set { offset } => {
                let format = self.scalar(format)?;
                let set = self.offset(format, offset as i64);
                values.push(set);
                "__model_scan_set"
            }
        })
    }

    fn scan_step(&mut self, name: &str, values: Vec<ValueId>) -> Result<Scalars, Unsupported> {
        let missing = || Unsupported::new(format!("a library without {name}"));
        let function = self.module.program.function(name).ok_or_else(missing)?;
        let id = self.module.function_id(function).ok_or_else(missing)?;
        Ok(self.call_adapted(id, values))
    }
}

/// The bytes of a constant string.
fn literal(format: Value<'_>) -> Option<Vec<u8>> {
    if format.kind() != ValueKind::LLVMGlobalVariableValueKind || !format.is_global_constant() {
        return None;
    }
    format.initializer()?.byte_string()
}
