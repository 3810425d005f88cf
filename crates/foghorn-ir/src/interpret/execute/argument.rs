//! The call of the entry function: `main`'s arguments, or chosen values for any other entry.

use super::{Machine, Step};
use crate::instruction::NondetOrigin;
use crate::interpret::object::{Allocation, Birth};
use crate::interpret::observer::Observer;
use crate::interpret::value::{ObjectId, ObjectKind, Pointer, Slot};
use crate::module::{FunctionId, START_OF_MAIN};
use crate::types::Type;
use foghorn_core::SpanId;

impl<O: Observer> Machine<'_, O> {
    /// Calls the entry. Its exit code is its first result, if that is an integer, else 0.
    pub(super) fn call_entry(&mut self, entry: FunctionId) -> Step<i32> {
        let function = &self.program.module.functions[entry];
        let is_main = matches!(&*function.name, "main" | START_OF_MAIN);
        let arguments = match function.signature.params[..] {
            [Type::Int(_), Type::Ptr] if is_main => self.main_arguments(false)?,
            [Type::Int(_), Type::Ptr, Type::Ptr] if is_main => self.main_arguments(true)?,
            _ => self.chosen_arguments(entry)?,
        };
        let results = self.call_function(entry, &arguments)?;
        let signature = &self.program.module.functions[entry].signature;
        Ok(match (signature.results.first(), results.first()) {
            (Some(Type::Int(_)), Some(slot)) => (slot.low as u32).cast_signed(),
            _ => 0,
        })
    }

    /// Inputs named after the parameters.
    fn chosen_arguments(&mut self, entry: FunctionId) -> Step<Vec<Slot>> {
        let function = &self.program.module.functions[entry];
        let params = function.body.as_ref().map(|body| {
            let params = &body.blocks[body.entry].params;
            params.iter().map(|&param| body.values[param].name.clone())
        });
        let names: Vec<_> = params.into_iter().flatten().collect();
        let mut arguments = vec![];
        for (index, &ty) in function.signature.params.iter().enumerate() {
            let name = names.get(index).cloned().flatten();
            let name = name.unwrap_or_else(|| format!("argument {index}").into());
            arguments.push(self.nondet(&NondetOrigin::Input(name), ty)?);
        }
        Ok(arguments)
    }

    fn main_arguments(&mut self, with_environment: bool) -> Step<Vec<Slot>> {
        let options = self.options;
        let count = Slot::narrow(options.arguments.len() as u64);
        let vector = self.string_vector(&options.arguments)?;
        let mut arguments = vec![count, vector];
        if with_environment {
            arguments.push(self.string_vector(&options.environment)?);
        }
        Ok(arguments)
    }

    /// An array of pointers to strings that ends in null.
    fn string_vector(&mut self, strings: &[Vec<u8>]) -> Step<Slot> {
        let bytes = u64::from(self.program.module.layout.pointer_bytes);
        let vector = self.argument_object((strings.len() as u64 + 1) * bytes, bytes as u32)?;
        for (index, string) in strings.iter().enumerate() {
            let object = self.argument_object(string.len() as u64 + 1, 1)?;
            self.memory.write(object, 0, string);
            let pointer = Pointer { object, offset: 0 };
            self.memory
                .write_pointer(vector, index as u64 * bytes, pointer);
        }
        Ok(Slot::from(Pointer {
            object: vector,
            offset: 0,
        }))
    }

    /// A zeroed object that lives as long as the program.
    fn argument_object(&mut self, size: u64, align: u32) -> Step<ObjectId> {
        let birth = Birth {
            size,
            align,
            allocation: Allocation::Arguments,
            span: SpanId::UNKNOWN,
            zeroed: true,
        };
        let object = self.memory.allocate(ObjectKind::Global, &birth);
        object.ok_or_else(|| self.out_of_memory())
    }
}
