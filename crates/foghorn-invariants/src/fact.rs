//! Invariants as facts, for the other engines and for certificates.

use foghorn_absint::domain::{ProgramDomain as _, VariableDomain as _};
use foghorn_absint::language::{Condition, Operand as GotoOperand, UnsignedRelation};
use foghorn_absint::linear::Relation as GotoRelation;
use foghorn_absint::variable::VariableId as GotoVariable;
use foghorn_encode::fact::{Aspect, BlockFacts, Fact, Operand, Quantity, Relation, Subject};
use foghorn_ir::graph::{ControlFlowGraph, LoopForest};
use foghorn_ir::{BlockId, Constant, FunctionId, Module, ValueId};

use crate::analysis::{Analysis, Invariant};
use crate::shape::Meaning;

/// Facts about more quantities than this say little to an engine that knows their definitions.
const MOST_QUANTITIES: usize = 2;

/// More blocks than these are not told of.
const MOST_BLOCKS: usize = 4096;

impl Analysis {
    /// What helps an engine that follows paths: what holds at the heads of loops, and which blocks
    /// no run comes to.
    #[must_use]
    pub fn facts_for_paths(&self, module: &Module) -> Vec<BlockFacts> {
        let mut all = vec![];
        for function in foghorn_ir::sites::reached_functions(module) {
            let Some(body) = &module.functions[function].body else {
                continue;
            };
            let cfg = ControlFlowGraph::new(body);
            let loops = LoopForest::new(&cfg);
            for block in body.blocks.keys() {
                let is_reached = self.states(function, block).next().is_some();
                if is_reached && loops.with_header(block).is_none() {
                    continue;
                }
                let mut facts = self.facts(module, function, block);
                if let Some(facts) = &mut facts {
                    facts.retain(is_for_paths);
                }
                if facts.as_ref().is_none_or(|facts| !facts.is_empty()) {
                    let (function, block) = (function.as_u32(), block.as_u32());
                    all.push(BlockFacts {
                        function,
                        block,
                        facts,
                    });
                }
            }
        }
        all.truncate(MOST_BLOCKS);
        all
    }

    /// What holds whenever a block starts; `None` if no run comes there. What a fact cannot say is
    /// left out.
    #[must_use]
    pub fn facts(
        &self,
        module: &Module,
        function: FunctionId,
        block: BlockId,
    ) -> Option<Vec<Fact>> {
        let Invariant::Conditions(conditions) = self.invariant(module, function, block) else {
            return None;
        };
        let speak = |x: GotoVariable| self.quantity(x);
        let facts = conditions.iter().filter_map(|it| fact(it, &speak));
        Some(facts.collect())
    }

    /// What follows from truth values whenever a block starts, about other truth values.
    #[must_use]
    pub fn implied_facts(
        &self,
        module: &Module,
        function: FunctionId,
        block: BlockId,
    ) -> Vec<Fact> {
        let Some(mut state) = self.joined(function, block) else {
            return vec![];
        };
        state.project(&self.visible_variables(module, function, block));
        let speak = |(x, is): (GotoVariable, bool)| Some((self.quantity(x)?, is));
        let implications = state.implications().into_iter();
        let facts = implications.filter_map(|it| match it.then {
            Condition::Boolean { variable, value } => Some(Fact::Implied {
                when: speak(it.when)?,
                then: speak((variable, value))?,
            }),
            Condition::Constant(_)
            | Condition::Linear(_)
            | Condition::Unsigned { .. }
            | Condition::Pointers { .. } => None,
        });
        facts.collect()
    }

    /// What holds of parameters and results whenever a function returns; `None` if it never does.
    pub fn facts_returned(&mut self, module: &Module, function: FunctionId) -> Option<Vec<Fact>> {
        let conditions = self.returned(module, function)?;
        let translation = self.translation.functions[function].as_ref()?;
        let (_, values) = translation.returns.as_ref()?;
        // What is returned may be a parameter: then the facts are about both.
        let body = module.functions[function].body.as_ref()?;
        let params = &body.blocks[body.entry].params;
        let as_result = |x: GotoVariable| {
            let (value, aspect) = self.spoken_of(x)?;
            let subject = match values.iter().position(|it| *it == value) {
                Some(index) => Subject::Result(index as u32),
                None => Subject::Value(value.as_u32()),
            };
            Some(Quantity { subject, aspect })
        };
        let as_parameter = |x: GotoVariable| {
            let (value, _) = self.spoken_of(x)?;
            self.quantity(x).filter(|_| params.contains(&value))
        };
        let mut facts: Vec<Fact> = vec![];
        for condition in &conditions {
            facts.extend(fact(condition, &as_result));
            facts.extend(fact(condition, &as_parameter));
        }
        facts.dedup();
        for (index, value) in (0..).zip(values) {
            facts.extend(constant(module, function, *value, index));
        }
        Some(facts)
    }

    /// What a variable says of a value of the function.
    fn quantity(&self, x: GotoVariable) -> Option<Quantity> {
        let (value, aspect) = self.spoken_of(x)?;
        let subject = Subject::Value(value.as_u32());
        Some(Quantity { subject, aspect })
    }

    fn spoken_of(&self, x: GotoVariable) -> Option<(ValueId, Aspect)> {
        let meaning = self.translation.meanings.get(x.index() as usize)?;
        match *meaning {
            Meaning::Integer(value) => Some((value, Aspect::Integer)),
            Meaning::Boolean(value) => Some((value, Aspect::Boolean)),
            Meaning::IsObject(value) => Some((value, Aspect::IsObject)),
            Meaning::Offset(value) => Some((value, Aspect::Offset)),
            Meaning::Size(value) => Some((value, Aspect::Size)),
            Meaning::Contents(_) | Meaning::Temporary => None,
        }
    }
}

/// Such an engine knows the objects of pointers and their sizes.
fn is_for_paths(fact: &Fact) -> bool {
    let mut quantities = 0;
    fact.quantities().all(|quantity| {
        quantities += 1;
        let is_known = matches!(
            quantity.aspect,
            Aspect::Integer | Aspect::Boolean | Aspect::Offset
        );
        is_known && quantities <= MOST_QUANTITIES
    })
}

/// What a function returns as a constant.
fn constant(module: &Module, id: FunctionId, value: ValueId, index: u32) -> Option<Fact> {
    let body = module.functions[id].body.as_ref()?;
    let subject = Subject::Result(index);
    match (body.as_constant(value)?, body.ty(value).int_width()?) {
        (Constant::Int(bits), 1) => Some(Fact::Truth {
            of: Quantity {
                subject,
                aspect: Aspect::Boolean,
            },
            is: bits == 1,
        }),
        (Constant::Int(bits), width) => {
            let unused = 128 - width;
            let number = (bits << unused).cast_signed() >> unused;
            let aspect = Aspect::Integer;
            Some(Fact::Linear {
                terms: vec![(Quantity { subject, aspect }, "1".to_owned())],
                constant: number.checked_neg()?.to_string(),
                relation: Relation::Equal,
            })
        }
        _ => None,
    }
}

/// A condition of a domain as a fact; `None` if it speaks of anything else.
fn fact(condition: &Condition, speak: &dyn Fn(GotoVariable) -> Option<Quantity>) -> Option<Fact> {
    match condition {
        Condition::Linear(constraint) => {
            let expression = &constraint.expression;
            let terms: Option<Vec<(Quantity, String)>> = expression
                .terms()
                .iter()
                .map(|(x, factor)| Some((speak(*x)?, factor.to_string())))
                .collect();
            Some(Fact::Linear {
                terms: terms?,
                constant: expression.constant_part().to_string(),
                relation: match constraint.relation {
                    GotoRelation::LessOrEqual => Relation::LessOrEqual,
                    GotoRelation::Equal => Relation::Equal,
                    GotoRelation::NotEqual => Relation::NotEqual,
                },
            })
        }
        Condition::Unsigned {
            relation,
            left,
            right,
        } => {
            let operand = |operand: &GotoOperand| match operand {
                GotoOperand::Variable(x) => speak(*x).map(Operand::Quantity),
                GotoOperand::Constant(value) => Some(Operand::Number(value.to_string())),
            };
            Some(Fact::Unsigned {
                strict: *relation == UnsignedRelation::Less,
                left: operand(left)?,
                right: operand(right)?,
            })
        }
        Condition::Boolean { variable, value } => Some(Fact::Truth {
            of: speak(*variable)?,
            is: *value,
        }),
        Condition::Constant(_) | Condition::Pointers { .. } => None,
    }
}
