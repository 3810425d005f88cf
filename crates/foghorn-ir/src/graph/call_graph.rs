//! The call graph of a module.
//!
//! A direct call has one callee. An indirect call may call any function of a fitting signature
//! whose address the program takes: by naming it as an operand other than as a direct callee, or
//! in the initialiser of a global. This over-approximates every execution of a program that is
//! whole; the pointer analysis refines it.

use super::digraph::Digraph;
use super::scc::StronglyConnected;
use crate::body::{Body, InstId};
use crate::constant::Constant;
use crate::instruction::{Callee, Instruction};
use crate::module::{FunctionId, GlobalContents, Module, Signature, Symbol};
use cranelift_entity::{EntitySet, SecondaryMap};
use rustc_hash::FxHashMap;

/// A call within a function, in a block (reachable or not).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallSite {
    pub instruction: InstId,
    /// What may be called, in the order of ids.
    pub callees: Vec<FunctionId>,
    pub is_indirect: bool,
}

/// Who calls whom.
#[derive(Clone, Debug)]
pub struct CallGraph {
    graph: Digraph<FunctionId>,
    sites: SecondaryMap<FunctionId, Vec<CallSite>>,
    address_taken: EntitySet<FunctionId>,
    components: StronglyConnected<FunctionId>,
}

impl CallGraph {
    pub fn new(module: &Module) -> Self {
        let address_taken = address_taken(module);
        let mut candidates: FxHashMap<&Signature, Vec<FunctionId>> = FxHashMap::default();
        for (id, function) in module.functions.iter() {
            if address_taken.contains(id) {
                candidates.entry(&function.signature).or_default().push(id);
            }
        }
        let mut sites: SecondaryMap<FunctionId, Vec<CallSite>> = SecondaryMap::new();
        let mut edges = vec![];
        for (caller, function) in module.functions.iter() {
            let Some(body) = &function.body else { continue };
            let found = call_sites(body, &candidates);
            let callees = found.iter().flat_map(|site| &site.callees);
            edges.extend(callees.map(|&callee| (caller, callee)));
            sites[caller] = found;
        }
        edges.sort_unstable();
        edges.dedup();
        let graph = Digraph::new(module.functions.len(), &edges);
        let components = StronglyConnected::new(&graph);
        CallGraph {
            graph,
            sites,
            address_taken,
            components,
        }
    }

    /// Edges from callers to callees, without repetition.
    pub fn graph(&self) -> &Digraph<FunctionId> {
        &self.graph
    }

    /// Functions that `function` may call itself.
    pub fn callees(&self, function: FunctionId) -> &[FunctionId] {
        self.graph.successors(function)
    }

    /// Functions that may call `function` themselves.
    pub fn callers(&self, function: FunctionId) -> &[FunctionId] {
        self.graph.predecessors(function)
    }

    /// The calls in `function`, block by block; those of builtins are not among them.
    pub fn sites(&self, function: FunctionId) -> &[CallSite] {
        &self.sites[function]
    }

    /// Whether a pointer to `function` may exist.
    pub fn is_address_taken(&self, function: FunctionId) -> bool {
        self.address_taken.contains(function)
    }

    /// Sets of mutually recursive functions.
    pub fn components(&self) -> &StronglyConnected<FunctionId> {
        &self.components
    }

    /// Whether a call of `function` may lead to another call of it.
    pub fn is_recursive(&self, function: FunctionId) -> bool {
        self.components
            .is_cyclic(self.components.component(function))
    }

    /// All functions, callees before their callers but for recursion.
    pub fn bottom_up(&self) -> impl DoubleEndedIterator<Item = FunctionId> + '_ {
        self.components.iter().flatten().copied()
    }
}

fn call_sites(body: &Body, candidates: &FxHashMap<&Signature, Vec<FunctionId>>) -> Vec<CallSite> {
    let mut sites = vec![];
    let in_blocks = body.blocks.values().flat_map(|block| &block.instructions);
    for &instruction in in_blocks {
        let data = &body.instructions[instruction];
        let Instruction::Call { callee, arguments } = &data.instruction else {
            continue;
        };
        let (callees, is_indirect) = match callee {
            Callee::Builtin(_) => continue,
            Callee::Direct(function) => (vec![*function], false),
            Callee::Indirect(_) => {
                let signature = Signature {
                    params: arguments.iter().map(|&v| body.ty(v)).collect(),
                    results: data.results.iter().map(|&v| body.ty(v)).collect(),
                };
                (
                    candidates.get(&signature).cloned().unwrap_or_default(),
                    true,
                )
            }
        };
        sites.push(CallSite {
            instruction,
            callees,
            is_indirect,
        });
    }
    sites
}

fn address_taken(module: &Module) -> EntitySet<FunctionId> {
    let mut taken = EntitySet::new();
    for global in module.globals.values() {
        match &global.contents {
            GlobalContents::External => {}
            GlobalContents::Initialised(initializer) => {
                for relocation in &initializer.relocations {
                    if let Symbol::Function(function) = relocation.target {
                        taken.insert(function);
                    }
                }
            }
        }
    }
    for body in module.functions.values().filter_map(|f| f.body.as_ref()) {
        let mut uses = |value| {
            if let Some(Constant::Function(function)) = body.as_constant(value) {
                taken.insert(function);
            }
        };
        for block in body.blocks.values() {
            for &instruction in &block.instructions {
                body.instructions[instruction]
                    .instruction
                    .for_each_operand(&mut uses);
            }
            block.terminator.for_each_operand(&mut uses);
        }
    }
    taken
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::module::{DataLayout, Function, Global, Initializer, Relocation};
    use crate::types::Type;
    use foghorn_core::SpanId;

    fn function(module: &mut Module, name: &str, params: &[Type]) -> FunctionId {
        let mut body = Body::new();
        for &ty in params {
            body.add_param(body.entry, ty);
        }
        module.functions.push(Function {
            name: name.into(),
            signature: Signature {
                params: params.to_vec(),
                results: vec![],
            },
            body: Some(body),
            span: SpanId::UNKNOWN,
            is_model: false,
        })
    }

    fn call(module: &mut Module, caller: FunctionId, callee: Callee, arguments: &[Constant]) {
        let body = module.functions[caller].body.as_mut().expect("has a body");
        let arguments = arguments
            .iter()
            .map(|&c| body.constant(Type::Ptr, c))
            .collect();
        let call = Instruction::Call { callee, arguments };
        body.append(body.entry, call, &[], SpanId::UNKNOWN);
    }

    #[test]
    fn direct_indirect_and_recursive_calls() {
        let mut module = Module::new(DataLayout { pointer_bytes: 8 });
        let [main, even, odd, handler, other, unused] =
            ["main", "even", "odd", "handler", "other", "unused"]
                .map(|name| function(&mut module, name, &[]));
        let takes = function(&mut module, "takes", &[Type::Ptr]);
        call(&mut module, main, Callee::Direct(even), &[]);
        call(&mut module, even, Callee::Direct(odd), &[]);
        call(&mut module, odd, Callee::Direct(even), &[]);
        call(
            &mut module,
            main,
            Callee::Direct(takes),
            &[Constant::Function(handler)],
        );
        let body = module.functions[takes].body.as_ref().expect("has a body");
        let pointer = body.blocks[body.entry].params[0];
        call(&mut module, takes, Callee::Indirect(pointer), &[]);
        let initializer = Initializer {
            chunks: vec![],
            relocations: vec![Relocation {
                offset: 0,
                target: Symbol::Function(other),
                addend: 0,
            }],
        };
        module.globals.push(Global {
            name: "table".into(),
            size: 8,
            align: 8,
            constant: true,
            contents: GlobalContents::Initialised(initializer),
            span: SpanId::UNKNOWN,
        });

        let calls = CallGraph::new(&module);
        assert_eq!(calls.callees(takes), [handler, other]);
        assert!(calls.sites(takes)[0].is_indirect);
        assert_eq!(calls.callees(main), [even, takes]);
        assert_eq!(calls.callers(even), [main, odd]);
        assert!(calls.is_recursive(even) && calls.is_recursive(odd) && !calls.is_recursive(main));
        assert!(calls.is_address_taken(handler) && !calls.is_address_taken(unused));
        let order: Vec<_> = calls.bottom_up().collect();
        let position = |f| order.iter().position(|&g| g == f).expect("every function");
        assert!(position(even) < position(main) && position(handler) < position(takes));
        assert_eq!(order.len(), 7);
    }
}
