//! Invariants of the abstract interpreter as a certificate.
//!
//! A certificate is made from an analysis of its own: one context per function, because what holds
//! in several contexts taken together need not follow from itself, and without the contents of
//! memory, of which a certificate does not speak.

use foghorn_absint::language::{Condition, Operand, UnsignedRelation};
use foghorn_absint::linear::Relation as LinearRelation;
use foghorn_absint::registry::RegistryError;
use foghorn_absint::variable::VariableId;
use foghorn_certify::certificate::VERSION;
use foghorn_certify::{
    Aspect, Certificate, Fact, FunctionCertificate, Operand as FactOperand, Quantity, Relation,
    Subject,
};
use foghorn_core::{Budget, CheckSelection};
use foghorn_invariants::shape::Meaning;
use foghorn_invariants::{
    Analysis, AnalysisOptions, Invariant, RegionTable, Scope, TranslationOptions, analyse,
};
use foghorn_ir::{Constant, FunctionId, Module, ValueId};
use foghorn_witness::report::VerificationReport;

/// The domain whose invariants are certified unless another is asked for.
pub const DOMAIN: &str = "zones+bool";

/// Infers invariants of a program in pure form and puts them into a certificate.
pub fn certificate(
    module: &Module,
    checks: &CheckSelection,
    domain: &str,
) -> Result<Certificate, RegistryError> {
    let options = AnalysisOptions {
        domain: domain.to_owned(),
        scope: Scope::Contexts,
        contexts: 1,
        translation: TranslationOptions {
            checks: checks.groups().collect(),
            alignment: false,
        },
        ..AnalysisOptions::default()
    };
    let mut analysis = analyse(module, &RegionTable::default(), &options)?;
    let mut certificate = Certificate {
        version: VERSION,
        checks: checks.to_string(),
        functions: Default::default(),
    };
    for (id, function) in module.functions.iter() {
        let claims = claims(module, &mut analysis, id);
        if !claims.blocks.is_empty() {
            certificate
                .functions
                .insert(function.name.to_string(), claims);
        }
    }
    Ok(certificate)
}

/// Adds to a report whether the invariants of the program are inductive.
pub fn add_certificate(
    report: &mut VerificationReport,
    module: &Module,
    checks: &CheckSelection,
    budget: &Budget,
) -> anyhow::Result<()> {
    let certificate = certificate(module, checks, DOMAIN)?;
    let outcome = foghorn_certify::check(module, checks, &certificate, budget)?;
    let counts = [
        ("certificate_edges", outcome.edges),
        ("certificate_facts", outcome.facts),
        ("certificate_failures", outcome.failures.len()),
        ("certificate_checks", outcome.checks_proved),
    ];
    for (name, count) in counts {
        report.statistics.insert(name.to_owned(), count as f64);
    }
    for failure in &outcome.failures {
        let how = match failure.undecided {
            true => "was not decided",
            false => "does not follow",
        };
        report.warnings.push(format!(
            "certificate: in {} block{}, {}: {} {how}",
            failure.function, failure.block, failure.place, failure.fact
        ));
    }
    Ok(())
}

fn claims(module: &Module, analysis: &mut Analysis, id: FunctionId) -> FunctionCertificate {
    let mut claims = FunctionCertificate::default();
    let Some(body) = &module.functions[id].body else {
        return claims;
    };
    for block in body.blocks.keys() {
        let Invariant::Conditions(conditions) = analysis.invariant(module, id, block) else {
            continue;
        };
        let speak = |x: VariableId| {
            let (value, aspect) = spoken_of(analysis, x)?;
            let subject = Subject::Value(value.as_u32());
            Some(Quantity { subject, aspect })
        };
        let facts = conditions.iter().filter_map(|it| fact(it, &speak));
        claims.blocks.insert(block.as_u32(), facts.collect());
    }
    let returned = analysis.returned(module, id);
    let translation = analysis.translation.functions[id].as_ref();
    let values = translation.and_then(|it| it.returns.clone());
    if let (Some(conditions), Some((_, values))) = (returned, values) {
        let speak = |x: VariableId| {
            let (value, aspect) = spoken_of(analysis, x)?;
            let subject = match values.iter().position(|it| *it == value) {
                Some(index) => Subject::Result(index as u32),
                None => Subject::Value(value.as_u32()),
            };
            Some(Quantity { subject, aspect })
        };
        let facts = conditions.iter().filter_map(|it| fact(it, &speak));
        let mut facts: Vec<Fact> = facts.collect();
        for (index, value) in (0..).zip(&values) {
            facts.extend(constant(module, id, *value, index));
        }
        claims.returns = Some(facts);
    }
    claims
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
            let unused = 128 - u32::from(width);
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

fn spoken_of(analysis: &Analysis, x: VariableId) -> Option<(ValueId, Aspect)> {
    let meaning = analysis.translation.meanings.get(x.index() as usize)?;
    match *meaning {
        Meaning::Integer(value) => Some((value, Aspect::Integer)),
        Meaning::Boolean(value) => Some((value, Aspect::Boolean)),
        Meaning::IsObject(value) => Some((value, Aspect::IsObject)),
        Meaning::Offset(value) => Some((value, Aspect::Offset)),
        Meaning::Size(value) => Some((value, Aspect::Size)),
        Meaning::Contents(_) | Meaning::Temporary => None,
    }
}

/// A condition of a domain as a fact; `None` if it speaks of anything else.
fn fact(condition: &Condition, speak: &dyn Fn(VariableId) -> Option<Quantity>) -> Option<Fact> {
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
                    LinearRelation::LessOrEqual => Relation::LessOrEqual,
                    LinearRelation::Equal => Relation::Equal,
                    LinearRelation::NotEqual => Relation::NotEqual,
                },
            })
        }
        Condition::Unsigned {
            relation,
            left,
            right,
        } => {
            let operand = |operand: &Operand| match operand {
                Operand::Variable(x) => speak(*x).map(FactOperand::Quantity),
                Operand::Constant(value) => Some(FactOperand::Number(value.to_string())),
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
