//! Prints modules and functions.

use super::number::Numbering;
use super::print_instruction::InstructionPrinter;
use super::quote;
use super::sites::Sites;
use crate::body::{Block, Body, InstructionData, ValueId};
use crate::memory::{MemoryRole, MemoryUse};
use crate::module::{
    Function, FunctionId, Global, GlobalContents, Initializer, Module, Relocation, Symbol,
};
use crate::types::Type;
use foghorn_core::SpanId;
use std::fmt::{self, Write};

/// The canonical text of a module.
pub fn print_module(module: &Module) -> String {
    let mut printer = Printer::new(module);
    let mut text = String::new();
    for global in module.globals.values() {
        text += &printer.global(global);
    }
    for function in module.functions.values() {
        let numbering = function.body.as_ref().map(Numbering::canonical);
        text += &printer.function(function, numbering.as_ref());
    }
    printer.header() + &text
}

/// The text of one function. It cannot be parsed without the module around it.
pub fn print_function(module: &Module, function: FunctionId, numbering: &Numbering) -> String {
    Printer::new(module).function(&module.functions[function], Some(numbering))
}

impl fmt::Display for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&print_module(self))
    }
}

/// Bytes of an initialiser that go on one line.
const BYTES_PER_LINE: usize = 64;
/// Where the locations of instructions begin.
const LOCATION_COLUMN: usize = 46;

struct Printer<'m> {
    module: &'m Module,
    sites: Sites<'m>,
}

impl<'m> Printer<'m> {
    fn new(module: &'m Module) -> Self {
        let sites = Sites::new(&module.spans);
        Printer { module, sites }
    }

    fn header(&mut self) -> String {
        let bytes = self.module.layout.pointer_bytes;
        let mut text = format!("foghorn-ir 1\nlayout pointer-bytes {bytes}\n");
        let entry: Vec<_> = self.module.entry.into_iter().collect();
        for (keyword, functions) in [
            ("entry", &entry),
            ("constructors", &self.module.constructors),
            ("destructors", &self.module.destructors),
        ] {
            if !functions.is_empty() {
                let names: Vec<_> = functions
                    .iter()
                    .map(|&f| function_name(self.module, f))
                    .collect();
                text += &format!("{keyword} {}\n", names.join(", "));
            }
        }
        text + &self.sites.table()
    }

    fn global(&mut self, global: &Global) -> String {
        let external = match global.contents {
            GlobalContents::External => "external ",
            GlobalContents::Initialised(_) => "",
        };
        let kind = if global.constant {
            "constant"
        } else {
            "global"
        };
        let name = quote::name(&global.name);
        let (size, align) = (global.size, global.align);
        let mut text = format!("\n{external}{kind} @{name} size {size} align {align}");
        if let GlobalContents::Initialised(initializer) = &global.contents {
            text += " = ";
            text += &self.initializer(initializer);
        }
        text += &self.sites.location(global.span);
        text + "\n"
    }

    fn initializer(&self, initializer: &Initializer) -> String {
        let chunks = initializer.chunks.iter().map(|(offset, bytes)| {
            let pieces: Vec<_> = bytes.chunks(BYTES_PER_LINE).map(quote::bytes).collect();
            let pieces = if pieces.is_empty() {
                "\"\"".to_owned()
            } else {
                pieces.join("\n     ")
            };
            format!("{offset}: {pieces}")
        });
        let relocations = initializer.relocations.iter().map(|r| self.relocation(r));
        let entries: Vec<_> = chunks.chain(relocations).collect();
        match entries.as_slice() {
            [] => "zero".to_owned(),
            [one] if !one.contains('\n') => format!("{{ {one} }}"),
            many => format!("{{\n  {}\n}}", many.join(",\n  ")),
        }
    }

    fn relocation(&self, relocation: &Relocation) -> String {
        let name = match relocation.target {
            Symbol::Global(global) => global_name(self.module, global),
            Symbol::Function(function) => function_name(self.module, function),
        };
        match relocation.addend {
            0 => format!("{}: {name}", relocation.offset),
            addend => format!("{}: {name} + {addend}", relocation.offset),
        }
    }

    fn function(&mut self, function: &Function, numbering: Option<&Numbering>) -> String {
        let model = if function.is_model { "model " } else { "" };
        let keyword = match function.body {
            Some(_) => "function",
            None => "declare",
        };
        let name = quote::name(&function.name);
        let params = types(&function.signature.params);
        let mut text = format!("\n{model}{keyword} @{name}({params})");
        if !function.signature.results.is_empty() {
            text += &format!(" -> {}", types(&function.signature.results));
        }
        text += &self.sites.location(function.span);
        if let (Some(body), Some(numbering)) = (&function.body, numbering) {
            text += " {\n";
            self.body(&mut text, body, numbering);
            text += "}";
        }
        text + "\n"
    }

    fn body(&mut self, text: &mut String, body: &Body, numbering: &Numbering) {
        if body.is_pure() {
            *text += "  pure\n";
        }
        for (id, region) in body.regions.iter() {
            let name = quote::word(&region.name);
            let (cell, interface) = (region.cell, region.interface);
            let likely = if region.likely == cell {
                String::new()
            } else {
                format!(" likely {}", region.likely)
            };
            let typed = if region.typed { " typed" } else { "" };
            *text += &format!("  region {id} {name} {cell}{likely}{typed} {interface}\n");
        }
        for (id, variable) in body.variables.iter() {
            let name = quote::word(&variable.name);
            let signed = if variable.signed { " signed" } else { "" };
            // A slot that no block defines any more holds nothing.
            let slot = variable.slot.filter(|&slot| numbering.is_defined(slot));
            let slot = slot.map(|slot| format!(" in {}", numbering.value(slot)));
            let slot = slot.unwrap_or_default();
            let location = self.sites.location(variable.span);
            *text += &format!("  variable {id} {name}{signed}{slot}{location}\n");
        }
        let printer = InstructionPrinter {
            module: self.module,
            body,
            numbering,
        };
        for block in Numbering::block_order(body) {
            *text += &numbering.block(block);
            if let Some(block) = body.blocks.get(block) {
                self.block(text, block, &printer);
            }
        }
    }

    fn block(&mut self, text: &mut String, block: &Block, printer: &InstructionPrinter<'_>) {
        if !block.params.is_empty() {
            *text += &format!("({})", definitions(&block.params, printer));
        }
        *text += ":\n";
        for &instruction in &block.instructions {
            let Some(data) = printer.body.instructions.get(instruction) else {
                writeln!(text, "  ; {instruction} does not exist").expect("invariant: succeeds");
                continue;
            };
            let mut line = String::from("  ");
            if !data.results.is_empty() {
                line += &definitions(&data.results, printer);
                line += " = ";
            }
            line += &printer.instruction(data);
            if let Some(name) = &data.effective_type {
                line += " as ";
                line += &quote::name(name);
            }
            line += &memory(data, printer);
            self.line(text, &line, data.span);
        }
        let terminator = format!("  {}", printer.terminator(&block.terminator));
        self.line(text, &terminator, block.terminator_span);
    }

    fn line(&mut self, text: &mut String, line: &str, span: SpanId) {
        let location = self.sites.location(span);
        let width = if location.is_empty() {
            0
        } else {
            LOCATION_COLUMN
        };
        writeln!(text, "{line:width$}{location}").expect("invariant: writing to a string succeeds");
    }
}

/// `v1.name:i32, …`
fn definitions(values: &[ValueId], printer: &InstructionPrinter<'_>) -> String {
    let define = |&value: &ValueId| {
        let number = printer.numbering.value(value);
        let Some(data) = printer.body.values.get(value) else {
            return number;
        };
        match &data.name {
            None => format!("{number}:{}", data.ty),
            Some(name) => format!("{number}.{}:{}", quote::name(name), data.ty),
        }
    };
    values.iter().map(define).collect::<Vec<_>>().join(", ")
}

/// ` [to v1 -> v2:region0, from v3]`, or nothing.
fn memory(data: &InstructionData, printer: &InstructionPrinter<'_>) -> String {
    if data.memory.is_empty() {
        return String::new();
    }
    let show = |memory: &MemoryUse| {
        let role = match memory.role {
            MemoryRole::Access => String::new(),
            MemoryRole::Destination => "to ".to_owned(),
            MemoryRole::Source => "from ".to_owned(),
            MemoryRole::Argument(number) => format!("{number} = "),
        };
        let input = printer.numbering.value(memory.input);
        match memory.output {
            None => format!("{role}{input}"),
            Some(output) => format!("{role}{input} -> {}", definitions(&[output], printer)),
        }
    };
    let uses: Vec<_> = data.memory.iter().map(show).collect();
    format!(" [{}]", uses.join(", "))
}

fn types(types: &[Type]) -> String {
    types
        .iter()
        .map(Type::to_string)
        .collect::<Vec<_>>()
        .join(", ")
}

/// `@name`, also for what does not exist.
pub(super) fn function_name(module: &Module, function: FunctionId) -> String {
    match module.functions.get(function) {
        Some(function) => format!("@{}", quote::name(&function.name)),
        None => format!("@?{function}"),
    }
}

/// `@name`, also for what does not exist.
pub(super) fn global_name(module: &Module, global: crate::module::GlobalId) -> String {
    match module.globals.get(global) {
        Some(global) => format!("@{}", quote::name(&global.name)),
        None => format!("@?{global}"),
    }
}
