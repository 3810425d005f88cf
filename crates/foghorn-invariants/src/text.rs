//! Invariants as text over the names of the source, for people.

use cranelift_entity::EntityRef as _;
use foghorn_absint::language::print_condition;
use foghorn_absint::variable::VariableId as GotoVariable;
use foghorn_ir::{Body, FunctionId, Instruction, Module, ValueId};
use rustc_hash::FxHashMap;

use crate::analysis::Invariant;
use crate::shape::Meaning;
use crate::translate::Translation;

/// How the values of a body are called.
#[derive(Clone, Debug)]
pub struct Names {
    of: FxHashMap<ValueId, String>,
    /// By the index of the region.
    regions: Vec<String>,
}

impl Names {
    /// A value that is bound to a source variable has its name; if several values of a variable are
    /// distinguished, later ones keep their number too.
    #[must_use]
    pub fn new(body: &Body) -> Names {
        let mut of: FxHashMap<ValueId, String> = FxHashMap::default();
        for data in body.instructions.values() {
            if let Instruction::Bind { variable, value } = &data.instruction
                && body.as_constant(*value).is_none()
            {
                let name = &body.variables[*variable].name;
                of.entry(*value).or_insert_with(|| name.to_string());
            }
        }
        for (value, data) in body.values.iter() {
            if let Some(name) = &data.name {
                of.entry(value).or_insert_with(|| name.to_string());
            }
        }
        let regions = body.regions.values().map(|it| it.name.to_string());
        let regions = regions.collect();
        Names { of, regions }
    }

    /// Whether a value has a name of its own.
    #[must_use]
    pub fn is_named(&self, value: ValueId) -> bool {
        self.of.contains_key(&value)
    }

    fn of(&self, value: ValueId) -> String {
        let name = self.of.get(&value).cloned();
        name.unwrap_or_else(|| value.to_string())
    }

    /// The name of what a goto variable stands for.
    #[must_use]
    pub fn of_meaning(&self, meaning: Meaning) -> String {
        match meaning {
            Meaning::Integer(value) | Meaning::Boolean(value) => self.of(value),
            Meaning::IsObject(value) => format!("is_object({})", self.of(value)),
            Meaning::Offset(value) => format!("offset({})", self.of(value)),
            Meaning::Size(value) => format!("size({})", self.of(value)),
            Meaning::Contents(region) => self.regions[region.index()].clone(),
            Meaning::Temporary => "?".to_owned(),
        }
    }
}

/// The facts of an invariant in a stable order; a single `false` where no run comes.
#[must_use]
pub fn invariant_text(
    module: &Module,
    translation: &Translation,
    function: FunctionId,
    invariant: &Invariant,
) -> Vec<String> {
    let Invariant::Conditions(conditions) = invariant else {
        return vec!["false".to_owned()];
    };
    let Some(body) = &module.functions[function].body else {
        return Vec::new();
    };
    let names = Names::new(body);
    let name = |x: GotoVariable| {
        let meaning = translation.meanings.get(x.index() as usize);
        names.of_meaning(meaning.copied().unwrap_or(Meaning::Temporary))
    };
    conditions
        .iter()
        .map(|condition| print_condition(condition, &name))
        .collect()
}
