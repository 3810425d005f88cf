//! Source locations and names, from debug information.

use super::function::FunctionTranslator;
use super::module::ModuleTranslator;
use crate::llvm::{DebugVariable, Metadata, Value};
use foghorn_core::{InlineSite, Span, SpanId};
use foghorn_ir::{Instruction, Variable};

impl<'p> ModuleTranslator<'p> {
    /// The span of a debug location. Line 0 stands for code that the compiler added; where that
    /// claims to be inlined (clang's trap reasons), the place it was added at is meant.
    pub(crate) fn location_span(&mut self, location: Metadata<'p>, context: Value<'p>) -> SpanId {
        if let Some(&known) = self.spans.get(&location) {
            return known;
        }
        // Innermost first; turned into spans from the outside in.
        let mut chain = vec![location];
        while let Some(outer) = chain.last().and_then(|l| l.inlined_at()) {
            chain.push(outer);
        }
        let mut result = SpanId::UNKNOWN;
        let mut outer: Option<SpanId> = None;
        for location in chain.into_iter().rev() {
            let (line, column) = location.line_and_column();
            let scope = location.location_scope();
            if line == 0 {
                result = outer.unwrap_or(SpanId::UNKNOWN);
                continue;
            }
            let file = scope.and_then(Metadata::scope_file);
            let file = file.map(|(name, folder)| self.paths.shown(&name, &folder));
            let inlined_at = outer.map(|call| InlineSite {
                callee: scope
                    .and_then(|s| s.subprogram_name(context))
                    .unwrap_or_default()
                    .into(),
                call,
            });
            let file = self
                .module
                .spans
                .file(file.as_deref().unwrap_or("<unknown>"));
            result = self.module.spans.intern(Span {
                file,
                line,
                column,
                inlined_at,
            });
            outer = Some(result);
        }
        self.spans.insert(location, result);
        result
    }

    /// Where a function is defined.
    pub(crate) fn function_span(&mut self, function: Value<'p>) -> SpanId {
        let Some(subprogram) = function.subprogram() else {
            return SpanId::UNKNOWN;
        };
        match subprogram.scope_file() {
            Some((name, folder)) => {
                let file = self.paths.shown(&name, &folder);
                self.module.spans.at(&file, subprogram.subprogram_line(), 0)
            }
            None => SpanId::UNKNOWN,
        }
    }

    /// How the source calls a global, and where it is. A static local of a function keeps LLVM's
    /// name, which is unique.
    pub(crate) fn global_name_and_span(&mut self, global: Value<'p>) -> (String, SpanId) {
        let mut name = global.name();
        if name.is_empty() {
            name = format!("unnamed.{}", self.module.globals.len());
        }
        let Some((file, folder, line)) = global.global_debug_info() else {
            return (name, SpanId::UNKNOWN);
        };
        let span = match file.as_str() {
            "" => SpanId::UNKNOWN,
            file => {
                let file = self.paths.shown(file, &folder);
                self.module.spans.at(&file, line, 0)
            }
        };
        (name, span)
    }
}

impl<'p> FunctionTranslator<'_, 'p> {
    /// The span of an instruction; that of the previous one if it has none.
    pub(crate) fn instruction_span(&mut self, instruction: Value<'p>) -> SpanId {
        instruction
            .debug_location()
            .map_or(SpanId::UNKNOWN, |location| {
                self.module.location_span(location, instruction)
            })
    }

    /// Records what the debug information says before `instruction`.
    pub(crate) fn debug_variables(&mut self, instruction: Value<'p>) {
        for variable in instruction.debug_variables() {
            self.debug_variable(instruction, variable);
        }
    }

    fn debug_variable(&mut self, context: Value<'p>, debug: DebugVariable<'p>) {
        let Some(name) = debug.variable.variable_name(context) else {
            return;
        };
        let Some(&[value]) = self
            .values
            .get(&debug.value)
            .map(smallvec::SmallVec::as_slice)
        else {
            return;
        };
        let span = debug.location.map_or(SpanId::UNKNOWN, |location| {
            self.module.location_span(location, context)
        });
        let known = self.variables.get(&debug.variable).copied();
        let variable = known.unwrap_or_else(|| {
            let variable = self.body.variables.push(Variable {
                name: name.as_str().into(),
                span,
                signed: debug.variable.variable_is_signed(context),
                slot: debug.is_address.then_some(value),
            });
            self.variables.insert(debug.variable, variable);
            variable
        });
        if debug.is_address {
            self.name_slot(value, &name, span);
        } else {
            self.emit(Instruction::Bind { variable, value }, &[]);
        }
    }

    /// A stack slot bears the name of its variable, and its allocation the place of the
    /// declaration, by which promotion finds the variable.
    fn name_slot(&mut self, slot: foghorn_ir::ValueId, name: &str, span: SpanId) {
        use foghorn_ir::ValueDef;
        if let ValueDef::Result(instruction, _) = self.body.values[slot].def {
            let data = &mut self.body.instructions[instruction];
            if matches!(data.instruction, Instruction::Allocate { .. }) {
                data.span = span;
                self.body.values[slot].name = Some(name.into());
            }
        }
    }
}
