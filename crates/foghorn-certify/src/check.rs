//! Are the claims inductive? One question per edge, call, return and check.

use crate::certificate::Certificate;
use crate::encode::{BlockEncoder, Known};
use crate::entering::entering;
use cranelift_entity::EntityRef as _;
use foghorn_core::{Budget, CheckSelection};
use foghorn_encode::fact::{Aspect, Fact, Quantity, Subject, least_size};
use foghorn_ir::{
    BlockId, Body, Callee, Constant, FunctionId, InstId, Instruction, Module, Target, Terminator,
    ValueId,
};
use foghorn_smt::SolverError;
use foghorn_smt::choice::{EngineSolver, SolverChoice, SolverOptions, open};
use foghorn_smt::solver::Answer;
use foghorn_term::{TermId, TermPool};

/// A claim that does not follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    pub function: String,
    /// The block whose instructions lead to it.
    pub block: u32,
    /// What it is about: an edge, a call, a return.
    pub place: String,
    pub fact: String,
    /// The solver gave no answer; otherwise it found a counterexample.
    pub undecided: bool,
    pub claim: Claim,
}

/// One claim of a certificate.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Claim {
    pub function: String,
    /// The block at whose start it holds; `None` for where the function returns.
    pub block: Option<u32>,
    /// Which of the facts there; `None` if it is that no run comes there.
    pub fact: Option<usize>,
}

/// What a check of a certificate found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Questions about edges, calls and returns.
    pub edges: usize,
    /// Conditions that were claimed there.
    pub facts: usize,
    pub failures: Vec<Failure>,
    /// Checks of the program that follow from the claims, and others.
    pub checks_proved: usize,
    pub checks_open: usize,
}

/// Checks every claim of a certificate on a program in pure form.
pub fn check(
    module: &Module,
    checks: &CheckSelection,
    certificate: &Certificate,
    budget: &Budget,
) -> Result<Outcome, SolverError> {
    let mut checker = Checker {
        module,
        checks,
        certificate,
        solver: open(&SolverOptions {
            choice: SolverChoice::Auto,
            dump: None,
            budget: budget.clone(),
        })?,
        pool: TermPool::new(),
        least_size: least_size(module),
        outcome: Outcome::default(),
    };
    for (id, function) in module.functions.iter() {
        if let Some(body) = &function.body {
            checker.function(id, body)?;
        }
    }
    Ok(checker.outcome)
}

struct Checker<'a> {
    module: &'a Module,
    checks: &'a CheckSelection,
    certificate: &'a Certificate,
    solver: Box<dyn EngineSolver>,
    pool: TermPool,
    /// What no pointer's size is below.
    least_size: i64,
    outcome: Outcome,
}

/// Where a question is asked.
struct Asked<'p> {
    function: &'p str,
    block: u32,
    place: String,
    /// What the claims are about: a function, and one of its blocks or its returns.
    of: (&'p str, Option<u32>),
}

/// Gives the terms of quantities at a place.
type Resolve<'r, 'a> = &'r mut dyn FnMut(&mut BlockEncoder<'a>, Subject) -> Option<Known>;

impl<'a> Checker<'a> {
    fn is_root(&self, id: FunctionId) -> bool {
        match self.module.entry {
            None => true,
            Some(entry) => {
                entry == id
                    || self.module.constructors.contains(&id)
                    || self.module.destructors.contains(&id)
            }
        }
    }

    fn function(&mut self, id: FunctionId, body: &'a Body) -> Result<(), SolverError> {
        let name = &self.module.functions[id].name;
        let claims = self.certificate.functions.get(&**name);
        if self.is_root(id) {
            // The outside may call it with anything.
            let mut encoder = self.encoder(body);
            let asked = Asked {
                function: name,
                block: 0,
                place: "the start of the program".to_owned(),
                of: (name, Some(body.entry.index() as u32)),
            };
            let entry = body.entry.index() as u32;
            let facts = claims.and_then(|claims| claims.blocks.get(&entry));
            let facts = facts.map(Vec::as_slice);
            self.implied(&mut encoder, &asked, facts, &mut own_value)?;
            self.pool = encoder.pool;
        }
        let Some(claims) = claims else { return Ok(()) };
        for &block in claims.blocks.keys() {
            if (block as usize) < body.blocks.len() {
                let id = BlockId::new(block as usize);
                self.block(name, body, id)?;
            }
        }
        Ok(())
    }

    fn block(&mut self, name: &str, body: &'a Body, block: BlockId) -> Result<(), SolverError> {
        let claims = &self.certificate.functions[name];
        let number = block.index() as u32;
        let mut encoder = self.encoder(body);
        for fact in &claims.blocks[&number] {
            if let Some(term) = fact_term(&mut encoder, fact, &mut own_value) {
                encoder.facts.push(term);
            }
        }
        if let Some(entering) = entering(&mut encoder, claims, block) {
            encoder.facts.push(entering);
        }
        for &id in &body.blocks[block].instructions {
            self.instruction(name, number, body, &mut encoder, id)?;
        }
        self.terminator(name, block, body, &mut encoder)?;
        self.pool = encoder.pool;
        Ok(())
    }

    /// An encoder that has the one pool which the solver knows, until it is given back.
    fn encoder(&mut self, body: &'a Body) -> BlockEncoder<'a> {
        let pool = std::mem::replace(&mut self.pool, TermPool::new());
        BlockEncoder::new(self.module, body, self.checks, pool, self.least_size)
    }

    fn instruction(
        &mut self,
        name: &str,
        block: u32,
        body: &'a Body,
        encoder: &mut BlockEncoder<'a>,
        id: InstId,
    ) -> Result<(), SolverError> {
        match &body.instructions[id].instruction {
            Instruction::Check {
                kind, condition, ..
            } if self.checks.contains(*kind) => {
                let condition = encoder.truth(*condition);
                let holds = self.follows(encoder, condition)? == Some(true);
                self.outcome.checks_proved += usize::from(holds);
                self.outcome.checks_open += usize::from(!holds);
                encoder.instruction(id);
            }
            Instruction::Call {
                callee: Callee::Direct(callee),
                arguments,
            } if self.module.functions[*callee].body.is_some() => {
                self.call(name, block, body, encoder, (id, *callee, arguments))?;
            }
            _ => encoder.instruction(id),
        }
        Ok(())
    }

    /// The arguments satisfy what is claimed at the callee's start, and then what is claimed of its
    /// results is known.
    fn call(
        &mut self,
        name: &str,
        block: u32,
        body: &'a Body,
        encoder: &mut BlockEncoder<'a>,
        (id, callee, arguments): (InstId, FunctionId, &[ValueId]),
    ) -> Result<(), SolverError> {
        let callee_name = &self.module.functions[callee].name;
        let Some(callee_body) = &self.module.functions[callee].body else {
            return Ok(());
        };
        let arguments: Vec<Known> = arguments.iter().map(|it| encoder.get(*it)).collect();
        let params = &callee_body.blocks[callee_body.entry].params;
        let mut resolve = |encoder: &mut BlockEncoder<'a>, subject: Subject| match subject {
            Subject::Value(value) => {
                match params.iter().position(|it| it.index() as u32 == value) {
                    Some(index) => arguments.get(index).copied(),
                    None => constant_of(encoder, callee_body, value),
                }
            }
            Subject::Result(_) => None,
        };
        let claims = self.certificate.functions.get(&**callee_name);
        let entry = callee_body.entry.index() as u32;
        let facts = claims.and_then(|claims| claims.blocks.get(&entry));
        let asked = Asked {
            function: name,
            block,
            place: format!("the call of {callee_name}"),
            of: (callee_name, Some(entry)),
        };
        let facts = facts.map(Vec::as_slice);
        self.implied(encoder, &asked, facts, &mut resolve)?;
        encoder.instruction(id);
        let own = &body.instructions[id].results;
        for (index, &result) in own.iter().enumerate() {
            if let Some(constant) = always_returned(callee_body, index) {
                let known = encoder.constant(body.ty(result), constant);
                encoder.set(result, known);
            }
        }
        let results: Vec<Known> = own.iter().map(|it| encoder.get(*it)).collect();
        let mut resolve = |encoder: &mut BlockEncoder<'a>, subject: Subject| match subject {
            Subject::Value(_) => resolve(encoder, subject),
            Subject::Result(index) => results.get(index as usize).copied(),
        };
        match claims.and_then(|claims| claims.returns.as_ref()) {
            Some(returns) => {
                for fact in returns {
                    if let Some(term) = fact_term(encoder, fact, &mut resolve) {
                        encoder.facts.push(term);
                    }
                }
            }
            None => {
                let never = encoder.pool.bool(false);
                encoder.facts.push(never);
            }
        }
        Ok(())
    }

    fn terminator(
        &mut self,
        name: &str,
        block: BlockId,
        body: &'a Body,
        encoder: &mut BlockEncoder<'a>,
    ) -> Result<(), SolverError> {
        match &body.blocks[block].terminator {
            Terminator::Jump(target) => self.edge(name, block, encoder, target),
            Terminator::Branch {
                condition,
                on_true,
                on_false,
            } => {
                let condition = encoder.truth(*condition);
                let opposite = encoder.pool.not(condition);
                for (fact, target) in [(condition, on_true), (opposite, on_false)] {
                    encoder.facts.push(fact);
                    self.edge(name, block, encoder, target)?;
                    encoder.facts.pop();
                }
                Ok(())
            }
            Terminator::Return { values } => {
                let claims = &self.certificate.functions[name];
                let asked = Asked {
                    function: name,
                    block: block.index() as u32,
                    place: "the return".to_owned(),
                    of: (name, None),
                };
                let mut resolve = |encoder: &mut BlockEncoder<'a>, subject: Subject| match subject {
                    Subject::Value(_) => own_value(encoder, subject),
                    Subject::Result(index) => values.get(index as usize).map(|it| encoder.get(*it)),
                };
                let returns = claims.returns.as_deref();
                self.implied(encoder, &asked, returns, &mut resolve)
            }
            Terminator::Halt { .. } | Terminator::Unreachable => Ok(()),
        }
    }

    fn edge(
        &mut self,
        name: &str,
        block: BlockId,
        encoder: &mut BlockEncoder<'a>,
        target: &Target,
    ) -> Result<(), SolverError> {
        let claims = &self.certificate.functions[name];
        let to = target.block.index() as u32;
        let asked = Asked {
            function: name,
            block: block.index() as u32,
            place: format!("the edge to {}", target.block),
            of: (name, Some(to)),
        };
        let params = &encoder.body.blocks[target.block].params;
        let mut resolve = |encoder: &mut BlockEncoder<'a>, subject: Subject| {
            let Subject::Value(value) = subject else {
                return None;
            };
            let param = params.iter().position(|it| it.index() as u32 == value);
            match param {
                Some(index) => Some(encoder.get(target.arguments[index])),
                None => own_value(encoder, subject),
            }
        };
        let facts = claims.blocks.get(&to).map(Vec::as_slice);
        self.implied(encoder, &asked, facts, &mut resolve)
    }

    /// Asks whether claims follow from what is known; `None` claims that no run comes there.
    fn implied(
        &mut self,
        encoder: &mut BlockEncoder<'a>,
        asked: &Asked<'_>,
        claims: Option<&[Fact]>,
        resolve: Resolve<'_, 'a>,
    ) -> Result<(), SolverError> {
        self.outcome.edges += 1;
        let mut goals: Vec<(Option<usize>, TermId)> = Vec::new();
        match claims {
            None => goals.push((None, encoder.pool.bool(false))),
            Some(facts) => {
                for (index, fact) in facts.iter().enumerate() {
                    match fact_term(encoder, fact, resolve) {
                        Some(term) => goals.push((Some(index), term)),
                        // It would be assumed there, so it has to be shown here.
                        None => self.fail(asked, claims, Some(index), true),
                    }
                }
            }
        }
        self.outcome.facts += goals.len();
        let terms: Vec<TermId> = goals.iter().map(|(_, term)| *term).collect();
        let all = encoder.pool.and(&terms);
        if self.follows(encoder, all)? == Some(true) {
            return Ok(());
        }
        for (fact, term) in goals {
            let answer = self.follows(encoder, term)?;
            if answer != Some(true) {
                self.fail(asked, claims, fact, answer.is_none());
            }
        }
        Ok(())
    }

    fn fail(
        &mut self,
        asked: &Asked<'_>,
        claims: Option<&[Fact]>,
        fact: Option<usize>,
        undecided: bool,
    ) {
        let text = fact.and_then(|index| claims?.get(index));
        let text = text.map_or_else(|| "no run comes there".to_owned(), ToString::to_string);
        let (function, block) = asked.of;
        self.outcome.failures.push(Failure {
            function: asked.function.to_owned(),
            block: asked.block,
            place: asked.place.clone(),
            fact: text,
            undecided,
            claim: Claim {
                function: function.to_owned(),
                block,
                fact,
            },
        });
    }

    /// Whether a term follows from the facts; `None` if the solver does not say.
    fn follows(
        &mut self,
        encoder: &mut BlockEncoder<'a>,
        goal: TermId,
    ) -> Result<Option<bool>, SolverError> {
        let not = encoder.pool.not(goal);
        let mut all = encoder.facts.clone();
        all.push(not);
        let formula = encoder.pool.and(&all);
        if encoder.pool.as_bool(formula) == Some(false) {
            return Ok(Some(true));
        }
        self.solver.push()?;
        self.solver.assert(&encoder.pool, formula)?;
        let answer = self.solver.check(&encoder.pool);
        self.solver.pop(1)?;
        match answer {
            Ok(Answer::Unsatisfiable) => Ok(Some(true)),
            Ok(Answer::Satisfiable) => Ok(Some(false)),
            Ok(Answer::Unknown(_)) | Err(SolverError::Exhausted(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// The constant that every return of a function gives, if it is one.
fn always_returned(body: &Body, index: usize) -> Option<Constant> {
    let mut always = None;
    for block in body.blocks.values() {
        if let Terminator::Return { values } = &block.terminator {
            let constant = body.as_constant(*values.get(index)?)?;
            if always.is_some_and(|always| always != constant) {
                return None;
            }
            always = Some(constant);
        }
    }
    always
}

/// A constant of another function.
fn constant_of(encoder: &mut BlockEncoder<'_>, body: &Body, value: u32) -> Option<Known> {
    let value = ValueId::new(value as usize);
    if !body.values.is_valid(value) {
        return None;
    }
    let constant = body.as_constant(value)?;
    Some(encoder.constant(body.ty(value), constant))
}

/// A value of the function itself.
pub(crate) fn own_value(encoder: &mut BlockEncoder<'_>, subject: Subject) -> Option<Known> {
    match subject {
        // The largest number stands for no value at all; a certificate may say anything.
        Subject::Value(u32::MAX) => None,
        Subject::Value(value) => {
            let value = ValueId::new(value as usize);
            encoder
                .body
                .values
                .is_valid(value)
                .then(|| encoder.get(value))
        }
        Subject::Result(_) => None,
    }
}

fn quantity<'a>(
    encoder: &mut BlockEncoder<'a>,
    quantity: Quantity,
    resolve: Resolve<'_, 'a>,
) -> Option<TermId> {
    match (resolve(encoder, quantity.subject)?, quantity.aspect) {
        (Known::Integer(term), Aspect::Integer) | (Known::Truth(term), Aspect::Boolean) => {
            Some(term)
        }
        (Known::Pointer(pointer), Aspect::IsObject) => Some(pointer.is_object),
        (Known::Pointer(pointer), Aspect::Offset) => Some(pointer.offset),
        (Known::Pointer(pointer), Aspect::Size) => Some(pointer.size),
        (Known::Integer(_) | Known::Truth(_) | Known::Pointer(_) | Known::Nothing, _) => None,
    }
}

/// The term of a fact; `None` if it speaks of what is not there, which then is no claim that could
/// be used or checked.
pub(crate) fn fact_term<'a>(
    encoder: &mut BlockEncoder<'a>,
    fact: &Fact,
    resolve: Resolve<'_, 'a>,
) -> Option<TermId> {
    let quantities: Option<Vec<TermId>> = fact
        .quantities()
        .map(|of| quantity(encoder, of, resolve))
        .collect();
    fact.term(&mut encoder.pool, &quantities?)
}
