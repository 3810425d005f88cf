//! What a function and its callees touch, and how calls bind it.

use super::access;
use super::types::Refinement;
use super::{CallBinding, FunctionRegions, RegionKey, key_at};
use crate::calls::calls_of;
use crate::graph::import::Nodes;
use crate::graph::{Cell, Graph, Node, NodeId, Site};
use crate::solve::{GroupId, Solution};
use cranelift_entity::SecondaryMap;
use foghorn_ir::graph::{ControlFlowGraph, LoopForest};
use foghorn_ir::{BlockId, FunctionId, InstId, Module};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

/// How a field is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    pub reads: bool,
    pub writes: bool,
}

impl Usage {
    /// Whether the other use is new.
    fn add(&mut self, other: Usage) -> bool {
        let before = *self;
        self.reads |= other.reads;
        self.writes |= other.writes;
        *self != before
    }
}

/// Where the callee's nodes are in the caller: those that globals reach, and the others.
#[derive(Clone, Debug)]
struct CallSimulation {
    globals: Rc<Nodes>,
    own: Rc<Nodes>,
}

/// A call of a function with a body.
#[derive(Clone, Debug)]
struct Call {
    instruction: InstId,
    callee: FunctionId,
    /// Origins of the callee's nodes in the caller's graph; `None` within a group.
    simulation: Option<CallSimulation>,
}

/// Touched fields of all functions.
#[derive(Debug)]
pub struct Touched {
    pub of: SecondaryMap<FunctionId, BTreeMap<RegionKey, Usage>>,
    calls: SecondaryMap<FunctionId, Vec<Call>>,
    /// Nodes that exist outside a call; `None` for all.
    outside: SecondaryMap<FunctionId, Option<FxHashSet<NodeId>>>,
}

/// Computes them, callees first, to a fixed point within each group.
pub fn compute(module: &Module, solution: &Solution, refinement: &Refinement) -> Touched {
    let mut touched = Touched {
        of: SecondaryMap::new(),
        calls: SecondaryMap::new(),
        outside: SecondaryMap::new(),
    };
    for group in solution.groups.keys() {
        touched.group(module, solution, group, refinement);
    }
    touched
}

impl Touched {
    fn group(
        &mut self,
        module: &Module,
        solution: &Solution,
        group: GroupId,
        refinement: &Refinement,
    ) {
        let functions = &solution.groups[group].functions;
        for &function in functions {
            let of = &mut self.of[function];
            for (_, accesses) in access::of_function(module, solution, function, refinement) {
                for access in accesses {
                    let usage = of.entry(access.key).or_default();
                    usage.reads |= access.reads;
                    usage.writes |= access.writes;
                }
            }
            // With one graph for all there is nothing to gain from telling.
            let all = group == solution.root;
            self.outside[function] = (!all).then(|| outside(solution, function));
        }
        let mut known = Simulations::default();
        for &function in functions {
            self.calls[function] = calls(module, solution, function, &mut known);
        }
        for &function in functions {
            self.absorb_others(solution, function);
        }
        self.absorb_each_other(functions);
    }

    /// What is touched by callees of other groups, which is final. Calls that one stands for bind
    /// the same.
    fn absorb_others(&mut self, solution: &Solution, function: FunctionId) {
        let mut done: FxHashSet<(FunctionId, *const Nodes)> = FxHashSet::default();
        for call in std::mem::take(&mut self.calls[function]) {
            if let Some(simulation) = &call.simulation
                && done.insert((call.callee, Rc::as_ptr(&simulation.own)))
            {
                self.absorb(solution, function, &call);
            }
            self.calls[function].push(call);
        }
    }

    /// What is touched by callees of the same group, whose graph is the same: whoever learns
    /// something tells its callers that, and no more.
    fn absorb_each_other(&mut self, functions: &[FunctionId]) {
        let mut callers: FxHashMap<FunctionId, BTreeSet<FunctionId>> = FxHashMap::default();
        for &function in functions {
            let calls = self.calls[function].iter();
            for call in calls.filter(|call| call.simulation.is_none()) {
                callers.entry(call.callee).or_default().insert(function);
            }
        }
        let mut news: FxHashMap<FunctionId, Vec<RegionKey>> = FxHashMap::default();
        for &function in functions {
            news.insert(function, self.of[function].keys().copied().collect());
        }
        let mut work: VecDeque<FunctionId> = functions.iter().copied().collect();
        while let Some(callee) = work.pop_front() {
            let mut learned = news.remove(&callee).unwrap_or_default();
            learned.retain(|&key| self.is_parameter(callee, key));
            for &caller in callers.get(&callee).into_iter().flatten() {
                for &key in &learned {
                    let usage = self.of[callee][&key];
                    if self.of[caller].entry(key).or_default().add(usage) {
                        let told = news.entry(caller).or_insert_with(|| {
                            work.push_back(caller);
                            vec![]
                        });
                        told.push(key);
                    }
                }
            }
        }
    }

    /// Adds what a callee touches and callers see.
    fn absorb(&mut self, solution: &Solution, function: FunctionId, call: &Call) {
        let graph = solution.graph_of(function);
        let theirs: Vec<_> = self.of[call.callee].iter().map(|(k, u)| (*k, *u)).collect();
        for (key, usage) in theirs {
            if !self.is_parameter(call.callee, key) {
                continue;
            }
            if let Some(own) = bind(graph, call, key) {
                self.of[function].entry(own).or_default().add(usage);
            }
        }
    }

    /// Whether a touched field exists outside a call of the function.
    pub fn is_parameter(&self, function: FunctionId, key: RegionKey) -> bool {
        let outside = self.outside[function].as_ref();
        outside.is_none_or(|nodes| nodes.contains(&key.node))
    }

    /// The bindings of all calls of a function.
    pub fn bindings(
        &self,
        solution: &Solution,
        function: FunctionId,
        regions: &SecondaryMap<FunctionId, FunctionRegions>,
    ) -> BTreeMap<InstId, Vec<CallBinding>> {
        let graph = solution.graph_of(function);
        let mut found: BTreeMap<InstId, Vec<CallBinding>> = BTreeMap::new();
        for call in &self.calls[function] {
            let theirs = &regions[call.callee];
            let bound = theirs.parameters.iter().map(|&parameter| {
                let key = theirs.regions[parameter].key;
                let own = bind(graph, call, key).expect("invariant: parameters are bound");
                regions[function]
                    .by_key(own)
                    .expect("invariant: what a callee touches its caller touches")
            });
            let binding = CallBinding {
                callee: call.callee,
                regions: bound.collect(),
            };
            found.entry(call.instruction).or_default().push(binding);
        }
        found
    }
}

/// The caller's field for a callee's. Callers and callees divide fields in the same way.
fn bind(graph: &Graph, call: &Call, key: RegionKey) -> Option<RegionKey> {
    match &call.simulation {
        None => Some(key),
        Some(simulation) => {
            let own = simulation.own.get(&key.node);
            let origin = own.or_else(|| simulation.globals.get(&key.node))?;
            let field = key_at(graph, origin.plus(key.start))?;
            Some(RegionKey {
                class: key.class,
                ..field
            })
        }
    }
}

/// A call and its callee.
type CallKey = (Option<(FunctionId, InstId)>, FunctionId);

/// Simulations of calls from one group: by group that is called, and by the calls that stand for
/// others.
#[derive(Default)]
struct Simulations {
    globals: FxHashMap<GroupId, Rc<Nodes>>,
    own: FxHashMap<CallKey, Rc<Nodes>>,
}

fn calls(
    module: &Module,
    solution: &Solution,
    function: FunctionId,
    known: &mut Simulations,
) -> Vec<Call> {
    let group = solution.group_of[function].expect("invariant: functions with bodies have groups");
    let mut found = vec![];
    for (instruction, callees) in calls_of(module, function, &solution.targets) {
        for callee in callees {
            let Some(other) = solution.group_of[callee] else {
                continue;
            };
            let simulation = (other != group).then(|| {
                let edge = solution.edge(group, function, instruction, callee);
                let globals = known
                    .globals
                    .entry(other)
                    .or_insert_with(|| Rc::new(solution.simulate_globals(group, other)));
                let own = known
                    .own
                    .entry((edge.site, callee))
                    .or_insert_with(|| Rc::new(solution.simulate_call(group, edge, globals)));
                CallSimulation {
                    globals: globals.clone(),
                    own: own.clone(),
                }
            });
            found.push(Call {
                instruction,
                callee,
                simulation,
            });
        }
    }
    found
}

/// Nodes reachable from parameters, results and globals.
pub(super) fn outside(solution: &Solution, function: FunctionId) -> FxHashSet<NodeId> {
    let graph = solution.graph_of(function);
    let cells = &solution.cells[function];
    let params = cells.params.iter().filter_map(|&param| cells.get(param));
    let returns = cells.returns.iter().filter_map(|&cell| cell);
    let globals = graph.globals.values().copied();
    let exposed = graph.exposed;
    reachable(graph, params.chain(returns).chain(globals).chain(exposed))
}

fn reachable(graph: &Graph, roots: impl Iterator<Item = Cell>) -> FxHashSet<NodeId> {
    let mut work: Vec<NodeId> = roots.map(|cell| graph.lookup(cell).node).collect();
    let mut seen: FxHashSet<NodeId> = work.iter().copied().collect();
    while let Some(id) = work.pop() {
        let node = &graph.nodes[id];
        let links = node.fields.values().filter_map(|field| field.link);
        let derived = node.derived.iter().map(|&source| Cell::new(source, 0));
        for cell in links.chain(derived) {
            let target = graph.lookup(cell).node;
            if seen.insert(target) {
                work.push(target);
            }
        }
    }
    seen
}

/// What is executed at most once in a run.
#[derive(Debug)]
pub struct Once {
    /// Allocations outside loops of functions that are called once.
    sites: BTreeSet<(FunctionId, InstId)>,
}

impl Once {
    /// Whether all of a node is one object that is made at most once.
    pub fn is_singleton(&self, node: &Node) -> bool {
        let all = node.all_sites();
        let mut sites = all.iter();
        match (sites.next(), sites.next()) {
            (Some(Site::Global(_)), None) => true,
            (Some(&Site::Instruction(function, id)), None) => self.sites.contains(&(function, id)),
            (Some(Site::Environment) | None, _) | (_, Some(_)) => false,
        }
    }
}

/// Allocations that are executed at most once: those outside loops in functions that run once.
/// These are the entry, constructors and destructors, as long as nobody calls them again, and what
/// one of them calls outside loops if that is the only call.
pub fn functions_run_once(module: &Module, solution: &Solution) -> Once {
    let mut calls: BTreeMap<FunctionId, Vec<(FunctionId, InstId)>> = BTreeMap::new();
    for caller in module.functions.keys() {
        for (call, callees) in calls_of(module, caller, &solution.targets) {
            for callee in callees {
                calls.entry(callee).or_default().push((caller, call));
            }
        }
    }
    let mut roots: BTreeMap<FunctionId, u32> = BTreeMap::new();
    let all = module.constructors.iter().chain(&module.destructors);
    for &root in all.chain(&module.entry) {
        *roots.entry(root).or_default() += 1;
    }
    let uncalled =
        |(id, count): (&FunctionId, &u32)| (*count == 1 && !calls.contains_key(id)).then_some(*id);
    let mut pending: Vec<FunctionId> = roots.iter().filter_map(uncalled).collect();
    let only_calls: BTreeMap<(FunctionId, InstId), FunctionId> = calls
        .iter()
        .filter(|(callee, _)| !roots.contains_key(callee))
        .filter_map(|(callee, sites)| match sites[..] {
            [only] => Some((only, *callee)),
            _ => None,
        })
        .collect();
    let mut sites = BTreeSet::new();
    while let Some(function) = pending.pop() {
        for id in straight_line(module, function) {
            pending.extend(only_calls.get(&(function, id)));
            sites.insert((function, id));
        }
    }
    Once { sites }
}

/// Instructions of a function that are in no loop.
pub(super) fn straight_line(
    module: &Module,
    function: FunctionId,
) -> impl Iterator<Item = InstId> + '_ {
    let body = module.functions[function].body.as_ref();
    body.into_iter().flat_map(|body| {
        let loops = LoopForest::new(&ControlFlowGraph::new(body));
        let outside = move |block: &BlockId| loops.innermost(*block).is_none();
        let blocks = body.blocks.keys().filter(outside);
        blocks.flat_map(move |block| body.blocks[block].instructions.iter().copied())
    })
}
