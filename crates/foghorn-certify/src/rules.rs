//! An argument made complete: what is done at every loop and every call of a program.

use crate::exposure::may_expose;
use crate::piece::plan::Plan;
use foghorn_encode::claim::{Argument, Contract, LoopClaim};
use foghorn_ir::graph::CallGraph;
use foghorn_ir::{
    AllocationKind, BlockId, Builtin, Callee, FunctionId, InstId, Instruction, Module,
    sites::reached_functions,
};
use std::collections::{BTreeMap, BTreeSet};

/// What becomes of loops and calls.
pub struct Rules<'a> {
    module: &'a Module,
    plans: BTreeMap<FunctionId, Plan>,
    contracts: BTreeMap<FunctionId, Contract>,
    loops: BTreeMap<(FunctionId, BlockId), LoopClaim>,
    most_recursion: u32,
    heap_sites: Vec<(FunctionId, InstId)>,
    frees: BTreeSet<FunctionId>,
    reached: BTreeSet<FunctionId>,
    /// Whether the program notes anything of objects.
    uses_shadows: bool,
    /// Whether an address may become a number anywhere.
    exposes: bool,
    /// Those that somebody in the program calls.
    called: BTreeSet<FunctionId>,
    nothing: LoopClaim,
}

impl<'a> Rules<'a> {
    /// The rules of an argument about a program in pure form.
    pub fn new(module: &'a Module, argument: &Argument) -> Self {
        let mut rules = Rules {
            module,
            plans: BTreeMap::new(),
            contracts: BTreeMap::new(),
            loops: BTreeMap::new(),
            most_recursion: argument.unwinding.unwrap_or(0),
            heap_sites: vec![],
            frees: BTreeSet::new(),
            reached: reached_functions(module),
            uses_shadows: false,
            exposes: false,
            called: BTreeSet::new(),
            nothing: LoopClaim::invariant(vec![]),
        };
        let calls = CallGraph::new(module);
        for &id in &rules.reached {
            let function = &module.functions[id];
            let Some(body) = &function.body else { continue };
            let claims = argument.functions.get(&*function.name);
            let plan = Plan::new(body, claims);
            let mut has_invariant = false;
            for head in plan.heads() {
                let own = claims.and_then(|claims| claims.loops.get(&head.as_u32()));
                let claim = match (own, argument.unwinding) {
                    (Some(claim), _) => claim.clone(),
                    (None, Some(times)) => LoopClaim::Unwound { times },
                    (None, None) => LoopClaim::invariant(vec![]),
                };
                has_invariant |= matches!(claim, LoopClaim::Invariant { .. });
                rules.loops.insert((id, head), claim);
            }
            rules.plans.insert(id, plan);
            let own = claims.and_then(|claims| claims.contract.clone());
            let endless = calls.is_recursive(id) && argument.unwinding.is_none();
            let contract =
                own.or_else(|| (has_invariant || endless).then(|| Contract::new(vec![], vec![])));
            if let Some(contract) = contract {
                rules.contracts.insert(id, contract);
            }
        }
        let callers = rules.reached.iter();
        rules.called = callers.flat_map(|id| calls.callees(*id)).copied().collect();
        rules.find_heap(&calls);
        rules
    }

    fn find_heap(&mut self, calls: &CallGraph) {
        for &id in &self.reached {
            let Some(body) = &self.module.functions[id].body else {
                continue;
            };
            for &inst in body.blocks.values().flat_map(|block| &block.instructions) {
                match &body.instructions[inst].instruction {
                    Instruction::Allocate {
                        kind: AllocationKind::Heap,
                        ..
                    } => self.heap_sites.push((id, inst)),
                    Instruction::Free { .. } => {
                        self.frees.insert(id);
                    }
                    Instruction::Call {
                        callee: Callee::Builtin(Builtin::SetShadow),
                        ..
                    } => self.uses_shadows = true,
                    _ => {}
                }
            }
        }
        self.heap_sites.sort_unstable();
        self.exposes = may_expose(self.module, &self.reached);
        let mut pending: Vec<FunctionId> = self.frees.iter().copied().collect();
        while let Some(function) = pending.pop() {
            for &caller in calls.callers(function) {
                if self.frees.insert(caller) {
                    pending.push(caller);
                }
            }
        }
    }

    /// What is claimed of a loop.
    pub fn loop_claim(&self, function: FunctionId, head: BlockId) -> &LoopClaim {
        self.loops.get(&(function, head)).unwrap_or(&self.nothing)
    }

    /// Whether a loop is passed by an invariant.
    pub fn is_cut(&self, function: FunctionId, head: BlockId) -> bool {
        matches!(self.loop_claim(function, head), LoopClaim::Invariant { .. })
    }

    /// How many copies of a loop are looked at together.
    pub fn copies(&self, function: FunctionId, head: BlockId) -> u32 {
        match self.loop_claim(function, head) {
            LoopClaim::Invariant { copies, .. } => {
                let plan = self.plan(function);
                let holds_another = plan.holds_another(head, |other| self.is_cut(function, other));
                match holds_another || plan.is_entered_aside(head) {
                    true => 1,
                    false => (*copies).max(1),
                }
            }
            LoopClaim::Unwound { .. } => 1,
        }
    }

    /// Whether an address may become a number anywhere. If not, no number leads to an object.
    pub fn exposes(&self) -> bool {
        self.exposes
    }

    /// Whether the program notes anything of objects.
    pub fn uses_shadows(&self) -> bool {
        self.uses_shadows
    }

    /// The contract by which a function is called; `None` if it is part of its callers.
    pub fn contract(&self, function: FunctionId) -> Option<&Contract> {
        self.contracts.get(&function)
    }

    pub fn plan(&self, function: FunctionId) -> &Plan {
        self.plans
            .get(&function)
            .expect("invariant: every function that is reached has a plan")
    }

    /// Whether the program itself calls a function.
    pub fn is_called(&self, function: FunctionId) -> bool {
        self.called.contains(&function)
    }

    pub fn is_entry(&self, function: FunctionId) -> bool {
        self.module.entry == Some(function)
    }

    /// How often a function is part of itself at most.
    pub fn most_recursion(&self) -> u32 {
        self.most_recursion
    }

    /// The allocations on the heap.
    pub fn heap_sites(&self) -> &[(FunctionId, InstId)] {
        &self.heap_sites
    }

    /// The number of an allocation on the heap.
    pub fn heap_number(&self, function: FunctionId, id: InstId) -> u16 {
        let index = self.heap_sites.binary_search(&(function, id));
        u16::try_from(index.unwrap_or(usize::MAX)).unwrap_or(u16::MAX)
    }

    /// Whether a function or what it calls frees anything.
    pub fn may_free(&self, function: FunctionId) -> bool {
        self.frees.contains(&function)
    }

    /// Whether anything is ever freed.
    pub fn frees_at_all(&self) -> bool {
        !self.frees.is_empty()
    }

    /// The functions that a run may come to, with their bodies.
    pub fn functions(&self) -> impl Iterator<Item = (FunctionId, &'a foghorn_ir::Body)> + '_ {
        let module = self.module;
        let reached = self.reached.iter();
        reached.filter_map(move |&id| Some((id, module.functions[id].body.as_ref()?)))
    }
}
