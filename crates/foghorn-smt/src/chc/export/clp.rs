//! Constraint logic programs: a clause per rule, `false` as the goal.
//!
//! Truth values are the numbers 0 and 1. Conditions are written in negation normal form with `,`
//! and `;`, numbers with `=`, `=<`, `<` and `=\=` of clpq and clpfd.

use super::flat::flatten;
use super::unsupported;
use super::words::Names;
use crate::error::SolverError;
use crate::horn::{Application, HornSystem, Rule};
use foghorn_term::{Op, Sort, TermId, TermPool};

const LANGUAGE: &str = "CLP";

pub(super) fn export(pool: &TermPool, system: &HornSystem) -> Result<String, SolverError> {
    let mut pool = pool.clone();
    let mut predicates = Names::default();
    let mut text = String::from("% Constrained Horn clauses. Can false be derived?\n");
    for rule in &system.rules {
        text.push_str(&clause(&mut pool, &mut predicates, rule)?);
    }
    Ok(text)
}

fn clause(pool: &mut TermPool, predicates: &mut Names, rule: &Rule) -> Result<String, SolverError> {
    let applications: Vec<&Application> = rule.head.iter().chain(&rule.body).collect();
    let arguments: Vec<TermId> = applications
        .iter()
        .flat_map(|a| a.arguments.iter().copied())
        .collect();
    let flat = flatten(pool, LANGUAGE, rule.constraint, &arguments)?;
    let mut writer = Writer {
        pool: &*pool,
        names: Names::default(),
        extra: Vec::new(),
    };
    let mut terms = flat.terms.into_iter();
    let mut atoms = Vec::with_capacity(applications.len());
    for application in &applications {
        let own: Vec<TermId> = terms.by_ref().take(application.arguments.len()).collect();
        let name = predicates.predicate(writer.pool, "p_", application.predicate);
        atoms.push(writer.atom(&name, &own)?);
    }
    let head = match rule.head {
        Some(_) => atoms.remove(0),
        None => "false".to_owned(),
    };
    let variables: Vec<TermId> = rule.variables.iter().chain(&flat.added).copied().collect();
    let condition = writer.condition(flat.constraint, true)?;
    let mut goals = atoms;
    for variable in variables {
        if writer.pool.sort(variable) == Sort::Bool {
            let name = writer.names.variable(writer.pool, "V_", variable);
            goals.push(format!("0 =< {name}, {name} =< 1"));
        }
    }
    goals.append(&mut writer.extra);
    goals.push(condition);
    Ok(format!("{head} :-\n    {}.\n", goals.join(",\n    ")))
}

struct Writer<'a> {
    pool: &'a TermPool,
    names: Names,
    /// Goals that arguments brought with them.
    extra: Vec<String>,
}

impl Writer<'_> {
    fn atom(&mut self, name: &str, arguments: &[TermId]) -> Result<String, SolverError> {
        if arguments.is_empty() {
            return Ok(name.to_owned());
        }
        let mut texts = Vec::with_capacity(arguments.len());
        for argument in arguments {
            texts.push(self.argument(*argument)?);
        }
        Ok(format!("{name}({})", texts.join(", ")))
    }

    /// An argument is a variable or a number; anything else is named by an equation.
    fn argument(&mut self, term: TermId) -> Result<String, SolverError> {
        if matches!(self.pool.op(term), Op::Symbol(_)) {
            return Ok(self.names.variable(self.pool, "V_", term));
        }
        if let Some(truth) = self.pool.as_bool(term) {
            return Ok(u8::from(truth).to_string());
        }
        if let Some(number) = self.pool.as_int(term) {
            return Ok(number.to_string());
        }
        let name = self.names.fresh("V_", "argument");
        let goal = match self.pool.sort(term) {
            Sort::Bool => {
                let (yes, no) = (self.condition(term, true)?, self.condition(term, false)?);
                format!("({name} = 1, {yes} ; {name} = 0, {no})")
            }
            _ => format!("{name} = {}", self.number(term)?),
        };
        self.extra.push(goal);
        Ok(name)
    }

    /// A condition, or its opposite.
    fn condition(&mut self, term: TermId, positive: bool) -> Result<String, SolverError> {
        let children = self.pool.children(term);
        match (self.pool.op(term), children) {
            (Op::Symbol(_), _) => {
                let name = self.names.variable(self.pool, "V_", term);
                Ok(format!("{name} = {}", u8::from(positive)))
            }
            (Op::Not, [inner]) => self.condition(*inner, !positive),
            (Op::And, parts) => self.joined(parts, positive, positive),
            (Op::Or, parts) => self.joined(parts, positive, !positive),
            (Op::Implies, [left, right]) => {
                let (left, right) = (
                    self.condition(*left, !positive)?,
                    self.condition(*right, positive)?,
                );
                let joint = if positive { " ; " } else { ", " };
                Ok(format!("({left}{joint}{right})"))
            }
            (Op::Xor, [left, right]) => self.equivalence(*left, *right, !positive),
            (Op::Equal, [left, right]) if self.pool.sort(*left) == Sort::Bool => {
                self.equivalence(*left, *right, positive)
            }
            (Op::Ite, [test, then, otherwise]) => {
                let yes = (
                    self.condition(*test, true)?,
                    self.condition(*then, positive)?,
                );
                let no = (
                    self.condition(*test, false)?,
                    self.condition(*otherwise, positive)?,
                );
                Ok(format!("({}, {} ; {}, {})", yes.0, yes.1, no.0, no.1))
            }
            (op @ (Op::Equal | Op::IntLe | Op::IntLt), [left, right]) => {
                let (left, right) = (self.number(*left)?, self.number(*right)?);
                Ok(match (op, positive) {
                    (Op::Equal, true) => format!("{left} = {right}"),
                    (Op::Equal, false) => format!("{left} =\\= {right}"),
                    (Op::IntLe, true) => format!("{left} =< {right}"),
                    (Op::IntLe, false) => format!("{right} < {left}"),
                    (_, true) => format!("{left} < {right}"),
                    (_, false) => format!("{right} =< {left}"),
                })
            }
            (op, _) => match self.pool.as_bool(term) {
                Some(truth) if truth == positive => Ok("0 = 0".to_owned()),
                Some(_) => Ok("0 = 1".to_owned()),
                None => Err(unsupported(LANGUAGE, op.kind().name())),
            },
        }
    }

    fn joined(
        &mut self,
        parts: &[TermId],
        positive: bool,
        all: bool,
    ) -> Result<String, SolverError> {
        let mut texts = Vec::with_capacity(parts.len());
        for part in parts {
            texts.push(self.condition(*part, positive)?);
        }
        Ok(format!("({})", texts.join(if all { ", " } else { " ; " })))
    }

    fn equivalence(&mut self, a: TermId, b: TermId, same: bool) -> Result<String, SolverError> {
        let yes = (self.condition(a, true)?, self.condition(b, same)?);
        let no = (self.condition(a, false)?, self.condition(b, !same)?);
        Ok(format!("({}, {} ; {}, {})", yes.0, yes.1, no.0, no.1))
    }

    fn number(&mut self, term: TermId) -> Result<String, SolverError> {
        if let Some(number) = self.pool.as_int(term) {
            return Ok(match number.sign() {
                num_bigint::Sign::Minus => format!("({number})"),
                _ => number.to_string(),
            });
        }
        let children = self.pool.children(term);
        match (self.pool.op(term), children) {
            (Op::Symbol(_), _) if self.pool.sort(term) == Sort::Int => {
                Ok(self.names.variable(self.pool, "V_", term))
            }
            (Op::IntNeg, [inner]) => Ok(format!("(-({}))", self.number(*inner)?)),
            (op @ (Op::IntAdd | Op::IntMul), parts) => {
                let sign = if op == Op::IntAdd { " + " } else { " * " };
                let mut texts = Vec::with_capacity(parts.len());
                for part in parts {
                    texts.push(self.number(*part)?);
                }
                Ok(format!("({})", texts.join(sign)))
            }
            (op, _) => Err(unsupported(LANGUAGE, op.kind().name())),
        }
    }
}
