//! Global value numbering along the dominator tree.
//!
//! Two pure instructions with the same operator and the same operands compute the same; the one
//! that is dominated gives way to the other. Operands are compared after earlier replacements, so
//! whole expressions meet. Block parameters of one block that receive the same arguments are one.
//!
//! A check whose condition was checked or assumed on every path before cannot fail: its condition
//! becomes `true`, so that the site keeps its verdict ([`crate::slice`] drops it). The earlier
//! check must be of the same kind, or stop the execution whether its group is on or off.
//!
//! Not numbered: what reads memory or lifetimes, what asks for an input, and `inttoptr`, whose
//! result depends on which objects are alive.

mod key;

use crate::cleanup::cleanup;
use crate::replacements::Replacements;
use foghorn_core::CheckKind;
use foghorn_ir::graph::{ControlFlowGraph, DominatorTree};
use foghorn_ir::{BlockId, Body, Constant, InstId, Instruction, Type, ValueId};
use key::{Key, key_of};
use rustc_hash::{FxHashMap, FxHashSet};

/// What [`number_values`] did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Numbered {
    /// Values that gave way to others.
    pub values: usize,
    /// Checks that were found to be made already.
    pub checks: usize,
}

/// What is known to hold because control came here.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Fact {
    /// The condition was assumed, or checked by a check that always stops.
    Holds(ValueId),
    /// The condition was checked under this kind.
    Checked(ValueId, CheckKind),
}

/// What to do next on the walk over the dominator tree.
enum Step {
    Enter(BlockId),
    /// Forget what was learnt since.
    Leave {
        keys: usize,
        facts: usize,
    },
}

#[derive(Default)]
struct Numbering {
    replacements: Replacements,
    numbers: FxHashMap<Key, ValueId>,
    facts: FxHashSet<Fact>,
    /// What was entered into the maps, innermost last.
    entered_keys: Vec<Key>,
    entered_facts: Vec<Fact>,
    checks: usize,
    /// Instructions that gave way. A `ptrtoint` has an effect, but the first one had it already.
    gone: Vec<InstId>,
}

/// Runs the pass on one body.
pub fn number_values(body: &mut Body) -> Numbered {
    let cfg = ControlFlowGraph::new(body);
    let tree = DominatorTree::new(cfg.graph(), cfg.entry());
    let mut numbering = Numbering::default();
    let mut steps = vec![Step::Enter(tree.root())];
    while let Some(step) = steps.pop() {
        match step {
            Step::Leave { keys, facts } => numbering.forget(keys, facts),
            Step::Enter(block) => {
                steps.push(Step::Leave {
                    keys: numbering.entered_keys.len(),
                    facts: numbering.entered_facts.len(),
                });
                numbering.params(body, &cfg, block);
                numbering.block(body, block);
                let children = tree.children(block).iter().rev();
                steps.extend(children.map(|&child| Step::Enter(child)));
            }
        }
    }
    numbering.replacements.apply(body);
    let gone: FxHashSet<InstId> = numbering.gone.into_iter().collect();
    for block in body.blocks.values_mut() {
        block.instructions.retain(|id| !gone.contains(id));
    }
    cleanup(body);
    Numbered {
        values: numbering.replacements.len(),
        checks: numbering.checks,
    }
}

impl Numbering {
    fn forget(&mut self, keys: usize, facts: usize) {
        for key in self.entered_keys.drain(keys..) {
            self.numbers.remove(&key);
        }
        for fact in self.entered_facts.drain(facts..) {
            self.facts.remove(&fact);
        }
    }

    /// Parameters of one block that receive the same from everywhere are one.
    fn params(&mut self, body: &Body, cfg: &ControlFlowGraph, block: BlockId) {
        if body.blocks[block].params.len() < 2 || block == body.entry {
            return;
        }
        let mut columns: Vec<Vec<ValueId>> = vec![vec![]; body.blocks[block].params.len()];
        let mut before: Option<BlockId> = None;
        let mut predecessors = cfg.predecessors(block).to_vec();
        predecessors.sort_unstable();
        for predecessor in predecessors {
            if !cfg.is_reachable(predecessor) || before == Some(predecessor) {
                continue;
            }
            before = Some(predecessor);
            let targets = body.blocks[predecessor].terminator.targets();
            for target in targets.filter(|target| target.block == block) {
                for (column, &argument) in columns.iter_mut().zip(&target.arguments) {
                    column.push(self.replacements.resolve(argument));
                }
            }
        }
        let mut first: FxHashMap<(Type, Vec<ValueId>), ValueId> = FxHashMap::default();
        for (&param, column) in body.blocks[block].params.iter().zip(columns) {
            let known = *first.entry((body.ty(param), column)).or_insert(param);
            if known != param {
                self.replacements.set(param, known);
            }
        }
    }

    fn block(&mut self, body: &mut Body, block: BlockId) {
        for index in 0..body.blocks[block].instructions.len() {
            let id = body.blocks[block].instructions[index];
            let instruction = &mut body.instructions[id].instruction;
            instruction.map_operands(|value| self.replacements.resolve(value));
            match body.instructions[id].instruction {
                Instruction::Assume { condition } => self.learn(Fact::Holds(condition)),
                Instruction::Check {
                    kind, condition, ..
                } => self.check(body, id, kind, condition),
                _ => self.instruction(body, id),
            }
        }
    }

    fn learn(&mut self, fact: Fact) {
        if self.facts.insert(fact) {
            self.entered_facts.push(fact);
        }
    }

    fn check(&mut self, body: &mut Body, id: InstId, kind: CheckKind, condition: ValueId) {
        if body.as_constant(condition).is_some() {
            return;
        }
        let known = self.facts.contains(&Fact::Holds(condition))
            || self.facts.contains(&Fact::Checked(condition, kind));
        if known {
            let holds = body.constant(Type::BOOL, Constant::Int(1));
            if let Instruction::Check { condition, .. } = &mut body.instructions[id].instruction {
                *condition = holds;
            }
            self.checks += 1;
            return;
        }
        self.learn(Fact::Checked(condition, kind));
        if kind.always_stops() {
            self.learn(Fact::Holds(condition));
        }
    }

    fn instruction(&mut self, body: &mut Body, id: InstId) {
        let Some(key) = key_of(body, id) else { return };
        let result = body.result(id);
        let Some(&known) = self.numbers.get(&key) else {
            self.numbers.insert(key.clone(), result);
            self.entered_keys.push(key);
            return;
        };
        if body.values[known].name.is_none() {
            body.values[known].name = body.values[result].name.clone();
        }
        self.replacements.set(result, known);
        self.gone.push(id);
    }
}
