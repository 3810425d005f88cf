//! Invariants of globals, signatures and lists.

use super::{Invariant, Place, Report};
use crate::module::{
    FunctionId, Global, GlobalContents, Initializer, Module, Relocation, Signature, Symbol,
};
use crate::types::Type;
use foghorn_core::SpanId;
use rustc_hash::FxHashSet;

pub(super) fn verify(module: &Module, report: &mut Report) {
    let bytes = module.layout.pointer_bytes;
    report.require(matches!(bytes, 4 | 8), Invariant::Layout, || {
        format!("a pointer has {bytes} bytes")
    });
    verify_names(module, report);
    for global in module.globals.values() {
        verify_global(module, global, report);
    }
    verify_lists(module, report);
    for function in module.functions.keys() {
        verify_signature(module, function, report);
    }
}

pub(super) fn span_exists(module: &Module, span: SpanId) -> bool {
    use cranelift_entity::EntityRef;
    span.index() < module.spans.len()
}

pub(super) fn width_is_valid(ty: Type) -> bool {
    match ty {
        Type::Int(width) => (1..=128).contains(&width),
        Type::Ptr | Type::F32 | Type::F64 | Type::Memory(_) => true,
    }
}

fn verify_names(module: &Module, report: &mut Report) {
    let mut seen = FxHashSet::default();
    let globals = module.globals.values().map(|g| &g.name);
    let functions = module.functions.values().map(|f| &f.name);
    for name in globals.chain(functions) {
        report.require(seen.insert(name), Invariant::Names, || {
            format!("@{name} names two things")
        });
    }
}

fn verify_global(module: &Module, global: &Global, report: &mut Report) {
    let name = &global.name;
    report.require(
        global.align.is_power_of_two(),
        Invariant::Alignments,
        || format!("@{name} is aligned to {}", global.align),
    );
    report.require(span_exists(module, global.span), Invariant::Spans, || {
        format!("the span of @{name} does not exist")
    });
    match &global.contents {
        GlobalContents::External => {}
        GlobalContents::Initialised(initializer) => {
            verify_chunks(global, initializer, report);
            verify_relocations(module, global, initializer, report);
        }
    }
}

fn verify_chunks(global: &Global, initializer: &Initializer, report: &mut Report) {
    let name = &global.name;
    let mut end = 0;
    for (offset, bytes) in &initializer.chunks {
        report.require(!bytes.is_empty(), Invariant::Chunks, || {
            format!("@{name} has an empty chunk at {offset}")
        });
        report.require(*offset >= end, Invariant::Chunks, || {
            format!("the chunk of @{name} at {offset} begins before the end of the one before")
        });
        end = offset.saturating_add(bytes.len() as u64);
        report.require(end <= global.size, Invariant::Chunks, || {
            format!(
                "the chunk of @{name} at {offset} ends beyond its {} bytes",
                global.size
            )
        });
    }
}

fn verify_relocations(
    module: &Module,
    global: &Global,
    initializer: &Initializer,
    report: &mut Report,
) {
    let name = &global.name;
    let width = u64::from(module.layout.pointer_bytes);
    let mut end = 0;
    let mut chunks = initializer.chunks.iter().peekable();
    for relocation in &initializer.relocations {
        let offset = relocation.offset;
        let mut demand = |holds, what: &str| {
            report.require(holds, Invariant::Relocations, || {
                format!("the relocation of @{name} at {offset} {what}")
            });
        };
        demand(offset >= end, "begins before the end of the one before");
        end = offset.saturating_add(width);
        demand(end <= global.size, "ends beyond the global");
        demand(
            target_exists(module, relocation),
            "names what does not exist",
        );
        let before =
            |chunk: &&(u64, Vec<u8>)| chunk.0.saturating_add(chunk.1.len() as u64) <= offset;
        while chunks.next_if(before).is_some() {}
        let overlapping = chunks.clone().take_while(|(start, _)| *start < end);
        let nonzero = overlapping.clone().any(|(start, bytes)| {
            let positions = (*start..).zip(bytes);
            positions
                .into_iter()
                .any(|(at, &byte)| byte != 0 && (offset..end).contains(&at))
        });
        demand(!nonzero, "lies on bytes that are not zero");
    }
}

fn target_exists(module: &Module, relocation: &Relocation) -> bool {
    match relocation.target {
        Symbol::Global(global) => module.globals.is_valid(global),
        Symbol::Function(function) => module.functions.is_valid(function),
    }
}

fn verify_lists(module: &Module, report: &mut Report) {
    if let Some(entry) = module.entry {
        let function = module.functions.get(entry);
        report.require(function.is_some(), Invariant::Lists, || {
            format!("the entry {entry} does not exist")
        });
        if let Some(function) = function {
            report.require(function.body.is_some(), Invariant::Lists, || {
                format!("the entry @{} has no body", function.name)
            });
        }
    }
    for &id in module.constructors.iter().chain(&module.destructors) {
        let Some(function) = module.functions.get(id) else {
            report.add(
                Invariant::Lists,
                format!("constructor or destructor {id} does not exist"),
            );
            continue;
        };
        let plain = function.signature == Signature::default();
        report.require(plain, Invariant::Lists, || {
            format!(
                "@{} is a constructor or destructor with parameters or results",
                function.name
            )
        });
    }
}

pub(super) fn verify_signature(module: &Module, id: FunctionId, report: &mut Report) {
    let function = &module.functions[id];
    report.place = Place {
        function: Some((id, function.name.clone())),
        block: None,
        instruction: None,
    };
    report.require(span_exists(module, function.span), Invariant::Spans, || {
        "its span does not exist".to_owned()
    });
    let Signature { params, results } = &function.signature;
    for &ty in params.iter().chain(results) {
        report.require(width_is_valid(ty), Invariant::Widths, || {
            format!("its signature has type {ty}")
        });
        report.require(ty.region().is_none(), Invariant::Form, || {
            "its signature has a memory".to_owned()
        });
    }
    report.place = Place::default();
}
