//! Bottom-up and top-down over the call graph, to a fixed point.
//!
//! Functions are put into groups: sets of mutually recursive ones (`cs`), or all of them in one
//! (`ci`, `flat`). A group has one graph. Calls within a group unify arguments and parameters;
//! calls between groups import the callee's summary into the caller and export aliasing back
//! ([`crate::exchange`]). The group of the environment stands above all others: it calls the
//! constructors, the entry and the destructors, and it alone reads the initialisers of globals;
//! what they link reaches the functions by export.
//!
//! Indirect calls are resolved by the functions that flow to their pointer; new callees change the
//! call graph, and everything is done again until there are none.

use crate::calls::{Targets, calls_of, extend, targets_by_type};
use crate::exchange::Edge;
use crate::graph::{Cell, Flags, Graph, Site};
use crate::local::{self, FunctionCells};
use crate::options::{IndirectCalls, Integers, Mode, Options};
use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap, entity_impl};
use foghorn_ir::graph::{Digraph, StronglyConnected};
use foghorn_ir::{FunctionId, GlobalContents, InstId, Instruction, Module, Symbol};
use std::collections::{BTreeMap, BTreeSet};

/// A set of functions that share a graph.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GroupId(u32);
entity_impl!(GroupId, "group");

#[derive(Clone, Debug, Default)]
pub struct Group {
    pub functions: Vec<FunctionId>,
    pub graph: Graph,
    /// Calls of functions of other groups.
    pub calls: Vec<Edge>,
    /// Per group that is called: nodes of its graph that only derivations from globals reach, with
    /// cells of this one.
    pub hidden: BTreeMap<GroupId, Vec<(Cell, Cell)>>,
}

/// The fixed point.
#[derive(Clone, Debug)]
pub struct Solution {
    pub groups: PrimaryMap<GroupId, Group>,
    pub group_of: SecondaryMap<FunctionId, Option<GroupId>>,
    pub cells: SecondaryMap<FunctionId, FunctionCells>,
    pub root: GroupId,
    pub targets: Targets,
    /// How often the call graph was completed, and how many rounds of bottom-up and top-down the
    /// last one took.
    pub call_graph_rounds: u32,
    pub rounds: u32,
    /// Edges are in the order of their sites.
    pub(crate) sorted: bool,
}

/// After so many rounds the remaining indirect calls are resolved by type.
const MOST_CALL_GRAPH_ROUNDS: u32 = 24;

/// Most programs need fewer rounds. Those that need more may never end by themselves.
const ROUNDS_BEFORE_SHIFTS: u32 = 16;

/// Analyses a module.
pub fn solve(module: &Module, options: &Options) -> Solution {
    let by_type = targets_by_type(module);
    let mut targets = match options.indirect_calls {
        IndirectCalls::ByGraph => Targets::new(),
        IndirectCalls::ByType => by_type.clone(),
    };
    let mut rounds = 0;
    loop {
        rounds += 1;
        let mut solution = Solution::new(module, options, &targets);
        solution.call_graph_rounds = rounds;
        let fallback = (rounds >= MOST_CALL_GRAPH_ROUNDS).then_some(&by_type);
        solution.propagate(module, options);
        // With more calls everything changes, so nothing is finished before all are known.
        if extend(&mut targets, solution.resolve(module), fallback) {
            continue;
        }
        for group in solution.groups.values_mut() {
            group.graph.fill_gaps();
            group.graph.apply_copies();
        }
        solution.propagate(module, options);
        while solution.link_outside(module)
            || (options.integers == Integers::Exposed && solution.expose())
        {
            solution.propagate(module, options);
        }
        if extend(&mut targets, solution.resolve(module), fallback) {
            continue;
        }
        solution.targets = targets;
        solution.sort_calls();
        return solution;
    }
}

impl Solution {
    fn new(module: &Module, options: &Options, targets: &Targets) -> Self {
        let mut solution = Solution {
            groups: PrimaryMap::new(),
            group_of: SecondaryMap::new(),
            cells: SecondaryMap::new(),
            root: GroupId::new(0),
            targets: targets.clone(),
            call_graph_rounds: 0,
            rounds: 0,
            sorted: false,
        };
        solution.make_groups(module, options);
        for group in solution.groups.keys() {
            solution.build_group(module, group);
        }
        solution.call_roots(module);
        solution
    }

    fn make_groups(&mut self, module: &Module, options: &Options) {
        let with_body = |&id: &FunctionId| module.functions[id].body.is_some();
        let add = |solution: &mut Self, functions: Vec<FunctionId>| {
            let mut graph = Graph::new(module.layout.pointer_bytes);
            graph.sabotage = options.sabotage;
            if options.mode == Mode::Flat {
                graph.make_flat();
            }
            let group = solution.groups.push(Group {
                functions: functions.clone(),
                graph,
                ..Group::default()
            });
            for function in functions {
                solution.group_of[function] = Some(group);
            }
            group
        };
        match options.mode {
            Mode::Flat | Mode::Ci => {
                let all = module.functions.keys().filter(with_body).collect();
                self.root = add(self, all);
            }
            Mode::Cs => {
                let components = self.components(module);
                for members in components.iter() {
                    let mut members: Vec<_> = members.iter().copied().filter(with_body).collect();
                    members.sort_unstable();
                    if !members.is_empty() {
                        add(self, members);
                    }
                }
                self.root = add(self, vec![]);
            }
        }
    }

    fn components(&self, module: &Module) -> StronglyConnected<FunctionId> {
        let mut edges = vec![];
        for caller in module.functions.keys() {
            for (_, callees) in calls_of(module, caller, &self.targets) {
                edges.extend(callees.into_iter().map(|callee| (caller, callee)));
            }
        }
        edges.sort_unstable();
        edges.dedup();
        StronglyConnected::new(&Digraph::new(module.functions.len(), &edges))
    }

    fn build_group(&mut self, module: &Module, group: GroupId) {
        let mut graph = std::mem::take(&mut self.groups[group].graph);
        let functions = self.groups[group].functions.clone();
        for &function in &functions {
            self.cells[function] = local::build(module, function, &mut graph);
        }
        let mut calls = vec![];
        for &caller in &functions {
            for (id, callees) in calls_of(module, caller, &self.targets) {
                for callee in callees {
                    let Some(other) = self.group_of[callee] else {
                        continue;
                    };
                    if other != group {
                        calls.push(Edge::new(Some((caller, id)), callee));
                        continue;
                    }
                    for (theirs, ours) in self.call_pairs(module, caller, id, callee) {
                        graph.unify(theirs, ours);
                    }
                }
            }
        }
        graph.apply_copies();
        self.groups[group].calls = calls;
        self.groups[group].graph = graph;
    }

    /// Parameters with arguments, and results: callee's cell and caller's cell.
    fn call_pairs(
        &self,
        module: &Module,
        caller: FunctionId,
        id: InstId,
        callee: FunctionId,
    ) -> Vec<(Cell, Cell)> {
        let body = module.functions[caller].body.as_ref();
        let data = &body.expect("invariant: callers have bodies").instructions[id];
        let Instruction::Call { arguments, .. } = &data.instruction else {
            return vec![];
        };
        let (ours, theirs) = (&self.cells[caller], &self.cells[callee]);
        let params = theirs.params.iter().zip(arguments);
        let params = params.map(|(&param, &argument)| (theirs.get(param), ours.get(argument)));
        let results = theirs.returns.iter().zip(&data.results);
        let results = results.map(|(&theirs, &result)| (theirs, ours.get(result)));
        params
            .chain(results)
            .filter_map(|(theirs, ours)| Some((theirs?, ours?)))
            .collect()
    }

    /// The calls that the environment makes, and the roots of all calls.
    fn call_roots(&mut self, module: &Module) {
        let mut called: BTreeSet<FunctionId> = BTreeSet::new();
        for group in self.groups.keys() {
            let mut calls = std::mem::take(&mut self.groups[group].calls);
            for edge in &mut calls {
                called.insert(edge.callee);
                let (caller, id) = edge.site.expect("invariant: a call of a function");
                edge.roots = self.call_pairs(module, caller, id, edge.callee);
                let graph = &mut self.groups[group].graph;
                edge.roots
                    .extend(unpaired(&self.cells[edge.callee], &edge.roots, graph));
            }
            self.groups[group].calls = calls;
        }
        let root = self.root;
        for function in root_functions(module, &called) {
            let Some(group) = self.group_of[function] else {
                continue;
            };
            let cells = self.cells[function].clone();
            let params = cells.params.iter().filter_map(|&param| cells.get(param));
            if group == root {
                let graph = &mut self.groups[root].graph;
                params.for_each(|cell| graph.add_site(cell, Site::Environment));
                continue;
            }
            let mut edge = Edge::new(None, function);
            let graph = &mut self.groups[root].graph;
            for cell in params {
                let own = graph.fresh();
                graph.add_site(own, Site::Environment);
                edge.roots.push((cell, own));
            }
            self.groups[root].calls.push(edge);
        }
    }

    fn propagate(&mut self, module: &Module, options: &Options) {
        for round in 1_u32.. {
            self.rounds += 1;
            let mut busy = false;
            if round.is_multiple_of(ROUNDS_BEFORE_SHIFTS) {
                busy |= self.fold_shifts();
            }
            for group in self.groups.keys() {
                busy |= self.import_calls(group);
            }
            initialise(module, &mut self.groups[self.root].graph);
            spread_environment(&mut self.groups[self.root].graph);
            for group in self.groups.keys().rev() {
                busy |= self.export_calls(group, options);
            }
            if !busy {
                return;
            }
        }
    }

    /// Puts calls into the order of their sites.
    fn sort_calls(&mut self) {
        for group in self.groups.values_mut() {
            group.calls.sort_by_key(|edge| (edge.site, edge.callee));
        }
        self.sorted = true;
    }

    /// The graph in which a function with a body is.
    pub fn graph_of(&self, function: FunctionId) -> &Graph {
        let group = self.group_of[function].expect("invariant: functions with bodies have graphs");
        &self.groups[group].graph
    }
}

/// Parameters and results for which the caller has nothing, such as a null argument, stand for
/// nodes of their own: every memory parameter must be bound.
fn unpaired(theirs: &FunctionCells, pairs: &[(Cell, Cell)], ours: &mut Graph) -> Vec<(Cell, Cell)> {
    let params = theirs.params.iter().map(|&param| theirs.get(param));
    let cells = params.chain(theirs.returns.iter().copied()).flatten();
    let open = cells.filter(|cell| pairs.iter().all(|(known, _)| known != cell));
    open.map(|cell| (cell, ours.fresh())).collect()
}

/// What runs without being called: constructors, the entry, destructors; in a library and among
/// dead code, whatever nobody calls.
fn root_functions(module: &Module, called: &BTreeSet<FunctionId>) -> BTreeSet<FunctionId> {
    let mut roots: BTreeSet<FunctionId> = module.constructors.iter().copied().collect();
    roots.extend(&module.destructors);
    roots.extend(module.entry);
    let uncalled = module.functions.keys().filter(|id| !called.contains(id));
    roots.extend(uncalled);
    roots
}

/// Links of globals' initialisers, for all globals that the graph knows.
fn initialise(module: &Module, graph: &mut Graph) {
    while let Some(global) = graph.uninitialised.pop() {
        let data = &module.globals[global];
        graph.span = data.span;
        let cell = graph.global(global);
        let GlobalContents::Initialised(initializer) = &data.contents else {
            graph.add_flags(cell, Flags::EXTERNAL);
            continue;
        };
        for relocation in &initializer.relocations {
            let target = match relocation.target {
                Symbol::Global(global) => graph.global(global),
                Symbol::Function(function) => graph.function(function),
            };
            let offset = i64::try_from(relocation.offset).expect("invariant: objects are small");
            graph.initial_pointer(cell.plus(offset), target.plus(relocation.addend));
        }
    }
}

/// What is reachable from the environment's objects is the environment's too.
fn spread_environment(graph: &mut Graph) {
    let mut work: Vec<_> = graph
        .representatives()
        .filter(|(_, node)| node.sites.contains(&Site::Environment))
        .map(|(id, _)| id)
        .collect();
    while let Some(id) = work.pop() {
        let fields = graph.nodes[id].fields.values();
        let links: Vec<Cell> = fields.filter_map(|field| field.link).collect();
        for link in links {
            let target = graph.find(link).node;
            if !graph.nodes[target].sites.contains(&Site::Environment) {
                graph.add_site(link, Site::Environment);
                work.push(target);
            }
        }
    }
}
