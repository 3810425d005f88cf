//! Functions and globals as objects, in place before the program starts.

use super::Machine;
use crate::interpret::decode::{function_object, global_object};
use crate::interpret::object::{Allocation, Birth};
use crate::interpret::observer::Observer;
use crate::interpret::value::{ObjectId, ObjectKind, Pointer};
use crate::module::{GlobalContents, Initializer, Module, Symbol};

impl<O: Observer> Machine<'_, O> {
    /// Creates the object of each function and global; `None` if they do not fit.
    pub(super) fn place_globals(&mut self) -> Option<()> {
        let module = self.program.module;
        for (id, function) in &module.functions {
            let birth = Birth {
                size: 0,
                align: 16,
                allocation: Allocation::Function(id),
                span: function.span,
                zeroed: true,
            };
            let object = self.memory.allocate(ObjectKind::Function, &birth)?;
            debug_assert_eq!(object, function_object(id));
        }
        for (id, global) in &module.globals {
            let birth = Birth {
                size: global.size,
                align: global.align.max(1),
                allocation: Allocation::Global(id),
                span: global.span,
                zeroed: matches!(global.contents, GlobalContents::Initialised(_)),
            };
            let object = self.memory.allocate(ObjectKind::Global, &birth)?;
            debug_assert_eq!(object, global_object(module, id));
        }
        for (id, global) in &module.globals {
            let object = global_object(module, id);
            if let GlobalContents::Initialised(initializer) = &global.contents {
                self.initialise(object, initializer);
            }
            if global.constant {
                self.memory.set_constant(object);
            }
        }
        (!self.memory.is_exhausted()).then_some(())
    }

    fn initialise(&mut self, object: ObjectId, initializer: &Initializer) {
        for (offset, bytes) in &initializer.chunks {
            self.memory.write(object, *offset, bytes);
        }
        for relocation in &initializer.relocations {
            let pointer = Pointer {
                object: symbol_object(self.program.module, relocation.target),
                offset: relocation.addend,
            };
            self.memory
                .write_pointer(object, relocation.offset, pointer);
        }
    }
}

fn symbol_object(module: &Module, symbol: Symbol) -> ObjectId {
    match symbol {
        Symbol::Global(global) => global_object(module, global),
        Symbol::Function(function) => function_object(function),
    }
}
