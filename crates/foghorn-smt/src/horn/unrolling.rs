//! Derivations of growing depth, each one formula.
//!
//! From the queries backwards: a node stands for a fact of one predicate and says that one of the
//! predicate's rules derives it from facts of the layer below. Nodes of the last layer are assumed
//! not to be derived; a model is a derivation, and otherwise the last layer grows leaves of its own.
//! If every rule has one premise at most, a derivation is a path and the nodes of a layer are shared;
//! otherwise every premise has a node of its own, and the depth that can be reached is small.
//!
//! It finds refutations only, and those that need few steps with much arithmetic better than Spacer.

use super::skeleton::{Instance, Instances, Skeleton};
use super::{HornSystem, Rule};
use crate::error::SolverError;
use crate::patience::Patience;
use crate::solver::Answer;
use crate::z3::context::{Ast, Context, SortHandle};
use crate::z3::engine::{Engine, EngineKind, Model};
use foghorn_term::{FunctionId, Op};
use rustc_hash::FxHashMap;
use z3_sys::DeclKind;

/// More nodes than this are not made.
const MOST_NODES: usize = 40_000;

/// A fact to be derived.
struct Node {
    predicate: FunctionId,
    arguments: Vec<Ast>,
    /// True if the fact is derived.
    derived: Ast,
    /// The rules that may derive it, once it has grown: the choice and the nodes of the premises.
    ways: Vec<Way>,
}

/// A rule at a node.
struct Way {
    rule: usize,
    chosen: Ast,
    premises: Vec<usize>,
}

/// The unrolling so far.
struct Tree<'a, 'b> {
    context: &'a Context,
    engine: &'a Engine,
    instances: &'a mut Instances<'b>,
    system: &'a HornSystem,
    by_head: FxHashMap<FunctionId, Vec<usize>>,
    nodes: Vec<Node>,
    roots: Vec<Way>,
    linear: bool,
    boolean: SortHandle,
}

/// Whether a derivation is a path.
fn is_linear(system: &HornSystem) -> bool {
    system.rules.iter().all(|rule| rule.body.len() <= 1)
}

/// The shape of a derivation of `false`; `None` if the rules run out of ways or we of nodes.
pub(super) fn unroll(
    instances: &mut Instances<'_>,
    system: &HornSystem,
    patience: &Patience,
) -> Result<Option<Skeleton>, SolverError> {
    let context = instances.context.clone();
    let engine = Engine::new(context.clone(), &EngineKind::Default)?;
    let mut by_head: FxHashMap<FunctionId, Vec<usize>> = FxHashMap::default();
    for (index, rule) in system.rules.iter().enumerate() {
        if let Some(head) = &rule.head {
            by_head.entry(head.predicate).or_default().push(index);
        }
    }
    let mut tree = Tree {
        boolean: context.boolean_sort()?,
        context: &context,
        engine: &engine,
        instances,
        system,
        by_head,
        nodes: Vec::new(),
        roots: Vec::new(),
        linear: is_linear(system),
    };
    let mut leaves = tree.plant()?;
    loop {
        let mut assumptions = Vec::with_capacity(leaves.len());
        for leaf in &leaves {
            assumptions.push(context.build_op(Op::Not, &[tree.nodes[*leaf].derived])?);
        }
        match engine.check(&assumptions, patience)? {
            Answer::Satisfiable => return tree.read(&engine.model()?).map(Some),
            Answer::Unsatisfiable => {}
            Answer::Unknown(_) => return Ok(None),
        }
        if leaves.is_empty() || tree.nodes.len() > MOST_NODES {
            return Ok(None);
        }
        let mut next = Vec::new();
        let mut shared = FxHashMap::default();
        for leaf in leaves {
            tree.grow(leaf, &mut shared, &mut next)?;
        }
        leaves = next;
    }
}

impl Tree<'_, '_> {
    fn truth(&self) -> Result<Ast, SolverError> {
        self.context.fresh_constant(self.boolean)
    }

    /// The queries; returns the nodes of their premises.
    fn plant(&mut self) -> Result<Vec<usize>, SolverError> {
        let mut leaves = Vec::new();
        let mut shared = FxHashMap::default();
        let mut choices = Vec::new();
        for index in 0..self.system.rules.len() {
            if self.system.rules[index].head.is_none() {
                let (way, _) = self.way(index, &mut shared, &mut leaves)?;
                choices.push(way.chosen);
                self.roots.push(way);
            }
        }
        self.engine.assert(self.any(&choices)?)?;
        Ok(leaves)
    }

    fn any(&self, choices: &[Ast]) -> Result<Ast, SolverError> {
        match choices {
            [] => self.context.boolean(false),
            [one] => Ok(*one),
            _ => self.context.build_op(Op::Or, choices),
        }
    }

    /// Says how a node can be derived.
    fn grow(
        &mut self,
        node: usize,
        shared: &mut FxHashMap<FunctionId, usize>,
        leaves: &mut Vec<usize>,
    ) -> Result<(), SolverError> {
        let predicate = self.nodes[node].predicate;
        let rules = self.by_head.get(&predicate).cloned().unwrap_or_default();
        let mut choices = vec![
            self.context
                .build_op(Op::Not, &[self.nodes[node].derived])?,
        ];
        for rule in rules {
            let (way, instance) = self.way(rule, shared, leaves)?;
            for (formal, actual) in self.nodes[node].arguments.iter().zip(&instance.head) {
                let equal = self.context.build_op(Op::Equal, &[*formal, *actual])?;
                let implied = self.context.build_op(Op::Implies, &[way.chosen, equal])?;
                self.engine.assert(implied)?;
            }
            choices.push(way.chosen);
            self.nodes[node].ways.push(way);
        }
        self.engine.assert(self.any(&choices)?)
    }

    /// An application of a rule, with nodes for its premises.
    fn way(
        &mut self,
        rule: usize,
        shared: &mut FxHashMap<FunctionId, usize>,
        leaves: &mut Vec<usize>,
    ) -> Result<(Way, Instance), SolverError> {
        let instance = self.instances.instance(rule)?;
        let chosen = self.truth()?;
        let says = |what: Ast| self.context.build_op(Op::Implies, &[chosen, what]);
        self.engine.assert(says(instance.constraint)?)?;
        let body: &Rule = &self.system.rules[rule];
        let mut premises = Vec::with_capacity(body.body.len());
        for (application, arguments) in body.body.iter().zip(&instance.body) {
            let known = shared.get(&application.predicate).copied();
            let node = match known {
                Some(node) => node,
                None => {
                    let node = self.nodes.len();
                    self.nodes.push(Node {
                        predicate: application.predicate,
                        arguments: self.fresh(arguments)?,
                        derived: self.truth()?,
                        ways: Vec::new(),
                    });
                    leaves.push(node);
                    if self.linear {
                        shared.insert(application.predicate, node);
                    }
                    node
                }
            };
            self.engine.assert(says(self.nodes[node].derived)?)?;
            for (formal, actual) in self.nodes[node].arguments.iter().zip(arguments) {
                let equal = self.context.build_op(Op::Equal, &[*formal, *actual])?;
                self.engine.assert(says(equal)?)?;
            }
            premises.push(node);
        }
        let way = Way {
            rule,
            chosen,
            premises,
        };
        Ok((way, instance))
    }

    fn fresh(&self, like: &[Ast]) -> Result<Vec<Ast>, SolverError> {
        like.iter()
            .map(|ast| self.context.fresh_constant(self.context.sort_of(*ast)?))
            .collect()
    }

    /// The derivation that a model chooses, premises first.
    fn read(&self, model: &Model) -> Result<Skeleton, SolverError> {
        let root = self.chosen(&self.roots, model)?;
        let mut skeleton = Skeleton::default();
        // Where the derivation of a node is, once it is written.
        let mut places: FxHashMap<usize, usize> = FxHashMap::default();
        let mut stack = vec![(None, root)];
        while let Some((node, way)) = stack.pop() {
            let open: Vec<usize> = way
                .premises
                .iter()
                .copied()
                .filter(|premise| !places.contains_key(premise))
                .collect();
            if open.is_empty() {
                let premises = way.premises.iter().map(|p| places[p]).collect();
                if let Some(node) = node {
                    places.insert(node, skeleton.steps.len());
                }
                skeleton.steps.push((way.rule, premises));
            } else {
                stack.push((node, way));
                for premise in open {
                    let way = self.chosen(&self.nodes[premise].ways, model)?;
                    stack.push((Some(premise), way));
                }
            }
        }
        Ok(skeleton)
    }

    fn chosen<'t>(&self, ways: &'t [Way], model: &Model) -> Result<&'t Way, SolverError> {
        for way in ways {
            let value = model.evaluate(way.chosen)?;
            if self.context.decl_kind(self.context.app_decl(value)?) == DeclKind::True {
                return Ok(way);
            }
        }
        Err(SolverError::Internal(
            "a model of an unrolling chooses no rule".into(),
        ))
    }
}
