//! The call graph and its strongly connected components, callees first.

use cranelift_entity::{EntityRef as _, SecondaryMap};

use crate::fixpoint::{Graph, NodeId, WeakTopologicalOrder, WtoKind};
use crate::language::{Function, FunctionId, Program, Statement};

/// Who calls whom.
#[derive(Clone, Debug)]
pub struct CallGraph {
    /// Callers before callees, except within cycles.
    pub callers_first: Vec<FunctionId>,
    /// Functions in the same cycle have the same number; others have numbers of their own.
    component: SecondaryMap<FunctionId, u32>,
    recursive: SecondaryMap<FunctionId, bool>,
}

/// The functions that a function calls, those without a body left out.
pub fn callees<'a>(
    program: &'a Program,
    function: &'a Function,
) -> impl Iterator<Item = FunctionId> + 'a {
    let statements = function.blocks.values().flat_map(|block| &block.statements);
    statements.filter_map(|statement| {
        let Statement::Call { function, .. } = statement else {
            return None;
        };
        program.function(function)
    })
}

impl CallGraph {
    #[must_use]
    pub fn new(program: &Program) -> CallGraph {
        let node = |function: FunctionId| NodeId::new(function.index());
        let main = program.main();
        let roots = main.into_iter().chain(program.functions.keys()).map(node);
        let mut graph = Graph::new(program.functions.len(), roots);
        let mut recursive: SecondaryMap<FunctionId, bool> = SecondaryMap::new();
        for (id, function) in &program.functions {
            for callee in callees(program, function) {
                graph.add_edge(node(id), node(callee));
                recursive[id] |= callee == id;
            }
        }
        // Outermost components of a weak topological order are the strongly connected ones.
        let order = WeakTopologicalOrder::new(&graph, graph.roots());
        let mut component: SecondaryMap<FunctionId, u32> = SecondaryMap::new();
        let mut callers_first = Vec::new();
        let (mut current, mut current_end) = (0, 0);
        for (position, item) in order.items().iter().enumerate() {
            let function = FunctionId::new(item.node.index());
            if position >= current_end {
                current += 1;
                if let WtoKind::Head { end } = item.kind {
                    current_end = end;
                }
            }
            recursive[function] |= position < current_end;
            component[function] = current;
            callers_first.push(function);
        }
        CallGraph {
            callers_first,
            component,
            recursive,
        }
    }

    /// Whether the function can call itself, perhaps through others.
    #[must_use]
    pub fn is_recursive(&self, function: FunctionId) -> bool {
        self.recursive[function]
    }

    /// Whether two functions can call each other.
    #[must_use]
    pub fn same_cycle(&self, a: FunctionId, b: FunctionId) -> bool {
        self.component[a] == self.component[b] && self.recursive[a]
    }
}
