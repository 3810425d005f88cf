//! The program's start: globals and functions as objects, initial memories, the call of the entry.

use super::{ExecuteError, Executor, Trace};
use crate::execute::context::Step;
use crate::semantics::access::cell_kind;
use crate::semantics::object::{Kind, Object, Origin};
use crate::semantics::reach::Reached;
use foghorn_core::CheckKind;
use foghorn_ir::interpret::Allocation;
use foghorn_ir::module::START_OF_MAIN;
use foghorn_ir::{
    Body, Cell, FunctionId, Global, GlobalContents, GlobalId, Initializer, RegionId, Symbol, Type,
};
use foghorn_term::TermId;
use std::collections::BTreeMap;

impl<'m> Executor<'m, '_> {
    /// Runs the program from its start to its end.
    pub fn whole_run(mut self) -> Result<Trace, ExecuteError> {
        let entry = self.module.entry.ok_or(ExecuteError::NoEntry)?;
        let body = self.module.functions[entry]
            .body
            .as_ref()
            .ok_or(ExecuteError::NoEntry)?;
        self.ask_policy(|policy, executor| policy.begin(executor));
        self.place_globals();
        let mut arguments = self.entry_arguments(entry, body);
        let memories: Vec<RegionId> = body.memory_parameters().map(|(_, region)| region).collect();
        for region in memories {
            let memory = self.initial_memory(body, region);
            arguments.push(memory);
        }
        self.push_frame(entry, arguments, Step::Start(0));
        self.run()?;
        if let Some((guard, values)) = self.returned.take()
            && self.pool.as_bool(guard) != Some(false)
        {
            let reached = match self.is_enabled(CheckKind::Leak) {
                true => self.find_reached(body, &values),
                false => Reached::default(),
            };
            self.final_checks(guard, &reached);
        }
        let axioms = self.memo.floats.axioms(self.float_axioms).to_vec();
        self.trace.axioms.extend(axioms);
        if let Some(policy) = &mut self.policy {
            policy.finish(self.pool, &mut self.trace);
        }
        // What the memory returned after the budget ended has no meaning.
        self.budget.check()?;
        Ok(self.trace)
    }

    fn place_globals(&mut self) {
        for (id, _) in &self.module.functions {
            let zero = self.pool.bv_zero(self.pointer_bits);
            self.place_permanent(Origin::Function(id), Kind::Function(id), zero, 16, true);
        }
        for (id, global) in &self.module.globals {
            let size = self.pool.bv(self.pointer_bits, global.size);
            let align = u64::from(global.align.max(1));
            self.place_permanent(
                Origin::Global(id),
                Kind::Global,
                size,
                align,
                global.constant,
            );
        }
    }

    /// An object that lives as long as the program.
    fn place_permanent(
        &mut self,
        origin: Origin,
        kind: Kind,
        size: TermId,
        align: u64,
        constant: bool,
    ) -> u64 {
        let number = self.memo.objects.number(origin);
        let object = Object {
            kind,
            size,
            align,
            constant,
            allocated: self.pool.bool(true),
            dead: self.pool.bool(false),
            history: vec![],
            beginnings: vec![],
            base: None,
            exposed: self.pool.bool(false),
            allocation: match origin {
                Origin::Function(function) => Allocation::Function(function),
                Origin::Global(global) => Allocation::Global(global),
                Origin::Allocation(..) | Origin::Argument(_) => Allocation::Arguments,
            },
            site: None,
        };
        self.memo.objects.insert(self.pool, number, object);
        number
    }

    fn entry_arguments(&mut self, entry: FunctionId, body: &Body) -> Vec<TermId> {
        let function = &self.module.functions[entry];
        let params = &function.signature.params;
        if matches!(&*function.name, "main" | START_OF_MAIN)
            && let [Type::Int(width), Type::Ptr, ..] = params[..]
        {
            return self.main_arguments(width, params.len() - 1);
        }
        let names = body.blocks[body.entry].params.clone();
        let mut arguments = vec![];
        for (index, &ty) in params.iter().enumerate() {
            let name = body.values[names[index]].name.clone();
            let name = name.unwrap_or_else(|| format!("{index}").into());
            arguments.push(self.choose_argument(&name, ty));
        }
        arguments
    }

    /// `main` is called as by a shell without arguments: the name of the program, then null.
    fn main_arguments(&mut self, width: u8, vectors: usize) -> Vec<TermId> {
        self.trace.notes.fixed_arguments = true;
        let mut arguments = vec![self.pool.bv(width.into(), 1)];
        let bytes = u64::from(self.pointer_bits / 8);
        for vector in 0..vectors {
            let entries = if vector == 0 { 2 } else { 1 };
            let size = self.pool.bv(self.pointer_bits, entries * bytes);
            let origin = Origin::Argument(2 * vector as u32);
            let number = self.place_permanent(origin, Kind::Global, size, bytes, false);
            if vector == 0 {
                let size = self.pool.bv(self.pointer_bits, PROGRAM_NAME.len() as u64);
                self.place_permanent(Origin::Argument(1), Kind::Global, size, 1, false);
            }
            arguments.push(self.pointer_to(number, 0));
        }
        arguments
    }

    /// What a region holds when the program starts.
    fn initial_memory(&mut self, body: &Body, region: RegionId) -> TermId {
        use cranelift_entity::EntityRef;
        let cell = self.cells.of(&body.regions[region]);
        let name = format!("initial{}", region.index());
        let mut memory = self.memory.arbitrary(self.pool, &name, cell_kind(cell));
        for (id, global) in &self.module.globals {
            if self.settings.initial.may_hold(region, id)
                && let GlobalContents::Initialised(initializer) = &global.contents
            {
                memory = self.initialise(memory, cell, id, global, initializer);
            }
        }
        if self.trace.notes.fixed_arguments && self.settings.initial.may_hold_arguments(region) {
            memory = self.argument_contents(memory, cell);
        }
        memory
    }

    fn argument_contents(&mut self, memory: TermId, cell: Cell) -> TermId {
        let vector = self.memo.objects.number(Origin::Argument(0));
        let text = self.memo.objects.number(Origin::Argument(1));
        let name = self.pointer_to(text, 0);
        let first = self.pointer_to(vector, 0);
        match cell {
            Cell::Pointer => {
                let second = self.pointer_to(vector, i64::from(self.pointer_bits / 8));
                let null = self.pointer_to(crate::semantics::object::NULL, 0);
                let memory = self.memory.write(self.pool, memory, first, name);
                self.memory.write(self.pool, memory, second, null)
            }
            Cell::Word { bytes: 1 } | Cell::Bytes => {
                let mut memory = memory;
                for (offset, &byte) in (0..).zip(PROGRAM_NAME) {
                    let place = self.pointer_to(text, offset);
                    let byte = self.pool.bv(8, byte.into());
                    memory = self.memory.write(self.pool, memory, place, byte);
                }
                memory
            }
            Cell::Word { .. } => memory,
        }
    }

    fn initialise(
        &mut self,
        memory: TermId,
        cell: Cell,
        id: GlobalId,
        global: &Global,
        initializer: &Initializer,
    ) -> TermId {
        let number = self.memo.objects.number(Origin::Global(id));
        let start = self.pointer_to(number, 0);
        let size = self.pool.bv(self.pointer_bits, global.size);
        let zero = self.pool.bv_zero(8);
        let mut memory = self.memory.set(self.pool, memory, start, zero, size);
        // The last cells of a global that is no multiple of the cell are never accessed whole.
        let _ = self.memory.take_obligations();
        for (offset, bytes) in self.cells(cell, initializer) {
            let place = self.pointer_to(number, offset.cast_signed());
            let bits = self.bytes_term(&bytes);
            let value = match cell {
                Cell::Pointer => self.pointer_from_address(bits),
                Cell::Bytes | Cell::Word { .. } => bits,
            };
            memory = self.memory.write(self.pool, memory, place, value);
        }
        for relocation in &initializer.relocations {
            let target = match relocation.target {
                Symbol::Global(global) => Origin::Global(global),
                Symbol::Function(function) => Origin::Function(function),
            };
            let target = self.memo.objects.number(target);
            let pointer = self.pointer_to(target, relocation.addend);
            let place = self.pointer_to(number, relocation.offset.cast_signed());
            let pointer_bytes = self.pointer_bits / 8;
            let value = match cell {
                Cell::Pointer => pointer,
                Cell::Bytes => self.address(pointer),
                Cell::Word { bytes } if bytes == pointer_bytes => self.address(pointer),
                Cell::Word { .. } => continue,
            };
            memory = self.memory.write(self.pool, memory, place, value);
        }
        memory
    }

    /// The cells of an initialiser that are not zero. A cell can lie across chunks.
    fn cells(&self, cell: Cell, initializer: &Initializer) -> BTreeMap<u64, Vec<u8>> {
        let size = match cell {
            Cell::Bytes => 1,
            Cell::Word { bytes } => u64::from(bytes),
            Cell::Pointer => u64::from(self.pointer_bits / 8),
        };
        let mut cells: BTreeMap<u64, Vec<u8>> = BTreeMap::new();
        for (offset, bytes) in &initializer.chunks {
            for (place, &byte) in (*offset..).zip(bytes) {
                if byte != 0 {
                    let start = place - place % size;
                    let cell = cells.entry(start).or_insert_with(|| vec![0; size as usize]);
                    cell[(place - start) as usize] = byte;
                }
            }
        }
        cells
    }
}

/// What `argv[0]` holds, as in a run of the interpreter.
const PROGRAM_NAME: &[u8] = b"program\0";
