//! A Boogie program: a procedure per predicate that returns some fact of it, and `main`, whose
//! assertion fails if `false` can be derived.
//!
//! A procedure chooses one of the predicate's rules, calls the procedures of the premises, assumes
//! the constraint and returns the head's arguments. So an execution of a procedure to its end is a
//! derivation of what it returns, and the other way round.

use super::unsupported;
use super::words::Names;
use crate::error::SolverError;
use crate::horn::{HornSystem, Rule};
use foghorn_term::{FunctionId, Op, Sort, SortId, TermId, TermPool};

const LANGUAGE: &str = "Boogie";

pub(super) fn export(pool: &TermPool, system: &HornSystem) -> Result<String, SolverError> {
    let mut procedures = Names::default();
    let mut text =
        String::from("// Constrained Horn clauses: the assertion fails if false is derivable.\n");
    for predicate in &system.predicates {
        let sorts = pool.function_data(*predicate).arguments.clone();
        let mut results = Vec::with_capacity(sorts.len());
        for (place, sort) in sorts.iter().enumerate() {
            results.push(format!("r{place}: {}", type_of(pool, *sort)?));
        }
        let name = procedures.predicate(pool, "p_", *predicate);
        let returns = match results.is_empty() {
            true => String::new(),
            false => format!(" returns ({})", results.join(", ")),
        };
        text.push_str(&format!("\nprocedure {name}(){returns}\n"));
        let of = |rule: &&Rule| rule.head.as_ref().map(|head| head.predicate) == Some(*predicate);
        let rules: Vec<&Rule> = system.rules.iter().filter(of).collect();
        body(pool, &mut procedures, &rules, &mut text)?;
    }
    text.push_str("\nprocedure {:entrypoint} main()\n");
    let queries: Vec<&Rule> = system.rules.iter().filter(|r| r.head.is_none()).collect();
    body(pool, &mut procedures, &queries, &mut text)?;
    Ok(text)
}

fn type_of(pool: &TermPool, sort: SortId) -> Result<String, SolverError> {
    match pool.sort_of(sort) {
        Sort::Bool => Ok("bool".to_owned()),
        Sort::Int => Ok("int".to_owned()),
        Sort::BitVec(width) => Ok(format!("bv{width}")),
        Sort::Array { index, element } => Ok(format!(
            "[{}]{}",
            type_of(pool, index)?,
            type_of(pool, element)?
        )),
        _ => Err(unsupported(LANGUAGE, "this sort")),
    }
}

/// A block per rule; without rules nothing returns.
fn body(
    pool: &TermPool,
    procedures: &mut Names,
    rules: &[&Rule],
    text: &mut String,
) -> Result<(), SolverError> {
    let mut names = Names::default();
    for place in 0..rules
        .iter()
        .filter_map(|rule| rule.head.as_ref())
        .map(|head| head.arguments.len())
        .max()
        .unwrap_or(0)
    {
        names.fresh("", &format!("r{place}"));
    }
    let (mut declarations, mut blocks) = (String::new(), String::new());
    for (number, rule) in rules.iter().enumerate() {
        let mut block = Block {
            pool,
            names: &mut names,
            declarations: &mut declarations,
        };
        let steps = block.steps(procedures, rule)?;
        blocks.push_str(&format!("rule{number}:\n{steps}"));
    }
    let labels: Vec<String> = (0..rules.len()).map(|n| format!("rule{n}")).collect();
    let start = match labels.is_empty() {
        true => "  assume false;\n".to_owned(),
        false => format!("  goto {};\n", labels.join(", ")),
    };
    text.push_str(&format!("{{\n{declarations}{start}{blocks}}}\n"));
    Ok(())
}

struct Block<'a> {
    pool: &'a TermPool,
    names: &'a mut Names,
    declarations: &'a mut String,
}

impl Block<'_> {
    fn declare(&mut self, name: &str, sort: SortId) -> Result<(), SolverError> {
        let sort = type_of(self.pool, sort)?;
        self.declarations
            .push_str(&format!("  var {name}: {sort};\n"));
        Ok(())
    }

    fn variable(&mut self, variable: TermId) -> Result<String, SolverError> {
        Ok(self.names.variable(self.pool, "v_", variable))
    }

    fn results(&mut self, of: FunctionId) -> Result<Vec<String>, SolverError> {
        let sorts = self.pool.function_data(of).arguments.clone();
        let mut names = Vec::with_capacity(sorts.len());
        for sort in sorts.iter() {
            let name = self.names.fresh("c_", "result");
            self.declare(&name, *sort)?;
            names.push(name);
        }
        Ok(names)
    }

    fn steps(&mut self, procedures: &mut Names, rule: &Rule) -> Result<String, SolverError> {
        let mut text = String::new();
        for variable in &rule.variables {
            // Rules may share variables; each is declared once.
            let name = self.variable(*variable)?;
            let line = format!("  var {name}:");
            if !self.declarations.contains(&line) {
                self.declare(&name, self.pool.sort_id(*variable))?;
            }
            text.push_str(&format!("  havoc {name};\n"));
        }
        for premise in &rule.body {
            let name = procedures.predicate(self.pool, "p_", premise.predicate);
            let results = self.results(premise.predicate)?;
            let assigned = match results.is_empty() {
                true => String::new(),
                false => format!("{} := ", results.join(", ")),
            };
            text.push_str(&format!("  call {assigned}{name}();\n"));
            for (result, argument) in results.iter().zip(&premise.arguments) {
                let argument = self.expression(*argument)?;
                text.push_str(&format!("  assume {result} == {argument};\n"));
            }
        }
        text.push_str(&format!(
            "  assume {};\n",
            self.expression(rule.constraint)?
        ));
        match &rule.head {
            None => text.push_str("  assert false;\n"),
            Some(head) => {
                for (place, argument) in head.arguments.iter().enumerate() {
                    let argument = self.expression(*argument)?;
                    text.push_str(&format!("  r{place} := {argument};\n"));
                }
            }
        }
        text.push_str("  return;\n");
        Ok(text)
    }

    fn expression(&mut self, term: TermId) -> Result<String, SolverError> {
        if let Some(truth) = self.pool.as_bool(term) {
            return Ok(truth.to_string());
        }
        if let Some(number) = self.pool.as_int(term) {
            return Ok(match number.sign() {
                num_bigint::Sign::Minus => format!("({number})"),
                _ => number.to_string(),
            });
        }
        let op = self.pool.op(term);
        if let Op::Symbol(_) = op {
            return self.variable(term);
        }
        let children = self.pool.children(term).to_vec();
        let mut parts = Vec::with_capacity(children.len());
        for child in children {
            parts.push(self.expression(child)?);
        }
        let infix = |sign: &str| Ok(format!("({})", parts.join(sign)));
        match (op, parts.as_slice()) {
            (Op::Not, [a]) => Ok(format!("(!{a})")),
            (Op::And, _) => infix(" && "),
            (Op::Or, _) => infix(" || "),
            (Op::Implies, _) => infix(" ==> "),
            (Op::Xor, [a, b]) => Ok(format!("({a} != {b})")),
            (Op::Equal, _) => infix(" == "),
            (Op::Ite, [c, a, b]) => Ok(format!("(if {c} then {a} else {b})")),
            (Op::IntAdd, _) => infix(" + "),
            (Op::IntMul, _) => infix(" * "),
            (Op::IntNeg, [a]) => Ok(format!("(-{a})")),
            (Op::IntDiv, _) => infix(" div "),
            (Op::IntMod, _) => infix(" mod "),
            (Op::IntLe, _) => infix(" <= "),
            (Op::IntLt, _) => infix(" < "),
            (Op::Select, [a, i]) => Ok(format!("{a}[{i}]")),
            (Op::Store, [a, i, v]) => Ok(format!("{a}[{i} := {v}]")),
            _ => Err(unsupported(LANGUAGE, op.kind().name())),
        }
    }
}
