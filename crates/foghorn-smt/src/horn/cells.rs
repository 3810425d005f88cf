//! Arrays as any one cell of each.
//!
//! An invariant about an array mostly says the same of every cell. So a predicate over an array `a` becomes one over an
//! index `k` and the value `a[k]`, for any `k`: the solver sees numbers only, and its interpretation `p(x, k, v)` stands for
//! `∀k. p(x, k, a[k])` (one index for each array, or as many as it has dimensions). A rule that reads a cell has its
//! premise once for each index that it reads, since the premise is true of any; a write becomes an `ite` in the head.
//!
//! The rules that are made follow from the original ones, not the other way round: of a premise only finitely many cells
//! are known. So a refutation says nothing, and an interpretation is checked against the original rules.

use super::simplify::{Simplified, View, declare, tidy_rule};
use super::{Application, Rule};
use foghorn_term::{FunctionId, Op, Sort, SortId, TermId, TermPool};
use rustc_hash::FxHashMap;

/// A premise is taken at most so often.
const MOST_INSTANCES: usize = 8;

/// Equal indices have equal values: said of so many reads of an array at most.
const MOST_COMPARED: usize = 12;

/// Equal arrays are said to be equal at so many indices at most.
const MOST_EQUATED: usize = 8;

/// The system over cells; `None` if no predicate has an array, or an array is used in another way than cell by cell.
pub(crate) fn cells(mut form: Simplified) -> Option<Simplified> {
    let is_array = |sort: &SortId| matches!(form.pool.sort_of(*sort), Sort::Array { .. });
    let has_array = |p: &FunctionId| form.pool.function_data(*p).arguments.iter().any(is_array);
    if !form.system.predicates.iter().any(has_array) {
        return None;
    }
    let renamed = redeclare(&mut form);
    let Simplified { pool, system, .. } = &mut form;
    for rule in &mut system.rules {
        let mut scope = Scope {
            pool,
            reads: FxHashMap::default(),
            order: Vec::new(),
            known: FxHashMap::default(),
            scalars: FxHashMap::default(),
            equalities: Vec::new(),
            variables: Vec::new(),
        };
        *rule = scope.rule(rule, &renamed)?;
        // A rule that says nothing may stay.
        tidy_rule(pool, rule);
    }
    form.is_weaker = true;
    Some(form)
}

/// The sorts of an array's indices and of its cells.
fn dimensions(pool: &TermPool, sort: SortId) -> (Vec<SortId>, SortId) {
    let (mut indices, mut at) = (Vec::new(), sort);
    while let Sort::Array { index, element } = pool.sort_of(at) {
        indices.push(index);
        at = element;
    }
    (indices, at)
}

/// Declares predicates over cells, and says what their arguments are of the old ones.
fn redeclare(form: &mut Simplified) -> FxHashMap<FunctionId, FunctionId> {
    let mut renamed = FxHashMap::default();
    for predicate in &mut form.system.predicates {
        let data = form.pool.function_data(*predicate).clone();
        let (mut sorts, mut views, mut count) = (vec![], vec![], 0);
        for (place, sort) in data.arguments.iter().enumerate() {
            let (indices, element) = dimensions(&form.pool, *sort);
            let own: Vec<usize> = (count..count + indices.len()).collect();
            count += indices.len();
            views.extend(own.iter().zip(&indices).map(|(n, s)| View::Index(*n, *s)));
            sorts.extend(indices);
            sorts.push(element);
            views.push(match own.is_empty() {
                true => View::Same(place),
                false => View::Cell(place, own),
            });
        }
        let made = declare(&mut form.pool, &data.name, &sorts);
        form.views.insert(made, views);
        renamed.insert(*predicate, made);
        *predicate = made;
    }
    form.rename(&renamed);
    renamed
}

/// A cell of an array variable: where it is, and a variable for its value.
#[derive(Clone)]
struct Read {
    indices: Vec<TermId>,
    value: TermId,
}

/// One rule at work.
struct Scope<'a> {
    pool: &'a mut TermPool,
    /// The cells of each array variable that are read, and the variables in the order in which they were met.
    reads: FxHashMap<TermId, Vec<Read>>,
    order: Vec<TermId>,
    /// Cells of terms that were worked out before.
    known: FxHashMap<(TermId, Vec<TermId>), TermId>,
    /// Terms that are no arrays, without arrays inside.
    scalars: FxHashMap<TermId, TermId>,
    /// A truth value that implies that two arrays are the same.
    equalities: Vec<(TermId, TermId, TermId)>,
    /// Variables that the rule did not have.
    variables: Vec<TermId>,
}

impl Scope<'_> {
    fn is_array(&self, term: TermId) -> bool {
        matches!(self.pool.sort(term), Sort::Array { .. })
    }

    fn fresh(&mut self, name: &str, sort: SortId) -> TermId {
        let sort = self.pool.sort_of(sort);
        let made = self.pool.fresh_symbol(name, sort);
        self.variables.push(made);
        made
    }

    /// The rule over cells.
    fn rule(&mut self, rule: &Rule, renamed: &FxHashMap<FunctionId, FunctionId>) -> Option<Rule> {
        let (body, constraint) = self.with_variables(rule);
        let mut conjuncts = vec![self.scalar(constraint)?];
        let head = match &rule.head {
            None => None,
            Some(head) => Some(self.head(head, renamed)?),
        };
        for argument in body.iter().flat_map(|premise| &premise.arguments) {
            if !self.is_array(*argument) {
                self.scalar(*argument)?;
            }
        }
        conjuncts.extend(self.equated()?);
        let mut premises = Vec::new();
        for premise in &body {
            premises.extend(self.instances(premise, renamed));
        }
        conjuncts.extend(self.compared());
        let old = rule.variables.iter().copied();
        let mut variables: Vec<TermId> = old.filter(|it| !self.is_array(*it)).collect();
        variables.append(&mut self.variables);
        Some(Rule {
            name: rule.name.clone(),
            variables,
            body: premises,
            constraint: self.pool.and(&conjuncts),
            head,
        })
    }

    /// The premises with variables as arrays, and the constraint that says what these are.
    fn with_variables(&mut self, rule: &Rule) -> (Vec<Application>, TermId) {
        let mut body = rule.body.clone();
        let mut conjuncts = vec![rule.constraint];
        for argument in body.iter_mut().flat_map(|it| it.arguments.iter_mut()) {
            if self.is_array(*argument) && !matches!(self.pool.op(*argument), Op::Symbol(_)) {
                let sort = self.pool.sort(*argument);
                let made = self.pool.fresh_symbol("array", sort);
                conjuncts.push(self.pool.equal(made, *argument));
                *argument = made;
            }
        }
        (body, self.pool.and(&conjuncts))
    }

    /// The head at cells of any indices.
    fn head(
        &mut self,
        head: &Application,
        renamed: &FxHashMap<FunctionId, FunctionId>,
    ) -> Option<Application> {
        let mut arguments = Vec::new();
        for argument in &head.arguments {
            if !self.is_array(*argument) {
                arguments.push(self.scalar(*argument)?);
                continue;
            }
            // Its indices and what is stored are terms like others.
            self.scalars_below(*argument)?;
            let (sorts, _) = dimensions(self.pool, self.pool.sort_id(*argument));
            let indices: Vec<TermId> = sorts.into_iter().map(|s| self.fresh("index", s)).collect();
            let value = self.read(*argument, &indices)?;
            arguments.extend(indices);
            arguments.push(value);
        }
        Some(Application {
            predicate: renamed[&head.predicate],
            arguments,
        })
    }

    fn scalar(&mut self, term: TermId) -> Option<TermId> {
        self.scalars_below(term)?;
        self.scalars.get(&term).copied()
    }

    /// Works out all terms inside a term that are no arrays.
    fn scalars_below(&mut self, root: TermId) -> Option<()> {
        let order: Vec<TermId> = self.pool.post_order(&[root]).collect();
        for term in order {
            if self.is_array(term) || self.scalars.contains_key(&term) {
                continue;
            }
            let (op, children) = (self.pool.op(term), self.pool.children(term).to_vec());
            let made = match (op, &children[..]) {
                (Op::Select, [array, index]) => {
                    let index = *self.scalars.get(index)?;
                    self.read(*array, &[index])?
                }
                (Op::Equal, [left, right]) if self.is_array(*left) => {
                    let bool = self.pool.sort_intern(Sort::Bool);
                    let same = self.fresh("same", bool);
                    self.equalities.push((same, *left, *right));
                    same
                }
                _ => {
                    let new: Option<Vec<TermId>> = children
                        .iter()
                        .map(|child| self.scalars.get(child).copied())
                        .collect();
                    let new = new?;
                    match new == children {
                        true => term,
                        false => self.pool.make(op, &new),
                    }
                }
            };
            self.scalars.insert(term, made);
        }
        Some(())
    }

    /// A cell of an array; `None` if the array is made in another way than by writing cells.
    fn read(&mut self, array: TermId, indices: &[TermId]) -> Option<TermId> {
        let key = (array, indices.to_vec());
        if let Some(known) = self.known.get(&key) {
            return Some(*known);
        }
        let children = self.pool.children(array).to_vec();
        let value = match (self.pool.op(array), &children[..]) {
            (Op::Symbol(_), _) => self.read_variable(array, indices),
            (Op::Store, [before, index, stored]) => {
                let (first, inner) = indices.split_first()?;
                let written = *self.scalars.get(index)?;
                let stored = self.inner(*stored, inner)?;
                let otherwise = self.read(*before, indices)?;
                let here = self.pool.equal(*first, written);
                self.pool.ite(here, stored, otherwise)
            }
            (Op::Ite, [condition, then, otherwise]) => {
                let condition = *self.scalars.get(condition)?;
                let then = self.read(*then, indices)?;
                let otherwise = self.read(*otherwise, indices)?;
                self.pool.ite(condition, then, otherwise)
            }
            (Op::ConstantArray(_), [everywhere]) => self.inner(*everywhere, &indices[1..])?,
            (Op::Select, [outer, index]) => {
                let mut all = vec![*self.scalars.get(index)?];
                all.extend(indices);
                self.read(*outer, &all)?
            }
            _ => return None,
        };
        self.known.insert(key, value);
        Some(value)
    }

    /// An element, which is an array where indices are left.
    fn inner(&mut self, element: TermId, indices: &[TermId]) -> Option<TermId> {
        match indices {
            [] => self.scalars.get(&element).copied(),
            _ => self.read(element, indices),
        }
    }

    fn read_variable(&mut self, array: TermId, indices: &[TermId]) -> TermId {
        let (_, element) = dimensions(self.pool, self.pool.sort_id(array));
        let value = self.fresh("cell", element);
        if !self.reads.contains_key(&array) {
            self.order.push(array);
        }
        self.reads.entry(array).or_default().push(Read {
            indices: indices.to_vec(),
            value,
        });
        value
    }

    /// What equal arrays have in common at the indices that are read of any array.
    fn equated(&mut self) -> Option<Vec<TermId>> {
        let mut said = Vec::new();
        for (same, left, right) in std::mem::take(&mut self.equalities) {
            let (sorts, _) = dimensions(self.pool, self.pool.sort_id(left));
            let mut places: Vec<Vec<TermId>> = Vec::new();
            for read in self.order.iter().flat_map(|array| &self.reads[array]) {
                let own: Vec<SortId> = read.indices.iter().map(|i| self.pool.sort_id(*i)).collect();
                if own == sorts && !places.contains(&read.indices) {
                    places.push(read.indices.clone());
                }
            }
            for place in places.into_iter().take(MOST_EQUATED) {
                let (a, b) = (self.read(left, &place)?, self.read(right, &place)?);
                let equal = self.pool.equal(a, b);
                said.push(self.pool.implies(same, equal));
            }
        }
        Some(said)
    }

    /// A premise for the cells that are read: all combinations while they are few, else each cell of an array with the
    /// first ones of the others.
    fn instances(
        &mut self,
        premise: &Application,
        renamed: &FxHashMap<FunctionId, FunctionId>,
    ) -> Vec<Application> {
        let arguments = premise.arguments.iter().copied();
        let arrays: Vec<TermId> = arguments.filter(|it| self.is_array(*it)).collect();
        let mut counts = Vec::with_capacity(arrays.len());
        for array in &arrays {
            if !self.reads.contains_key(array) {
                let (sorts, _) = dimensions(self.pool, self.pool.sort_id(*array));
                let any: Vec<TermId> = sorts.into_iter().map(|s| self.fresh("index", s)).collect();
                self.read_variable(*array, &any);
            }
            counts.push(self.reads[array].len());
        }
        let choices = combinations(&counts);
        let instance = |choice: &Vec<usize>| {
            let mut chosen = choice.iter();
            let mut arguments = Vec::new();
            for argument in &premise.arguments {
                match self
                    .reads
                    .get(argument)
                    .filter(|_| self.is_array(*argument))
                {
                    None => arguments.push(self.scalars[argument]),
                    Some(reads) => {
                        let read = &reads[chosen.next().copied().unwrap_or(0)];
                        arguments.extend(&read.indices);
                        arguments.push(read.value);
                    }
                }
            }
            Application {
                predicate: renamed[&premise.predicate],
                arguments,
            }
        };
        choices.iter().map(instance).collect()
    }

    /// Cells of equal indices are the same.
    fn compared(&mut self) -> Vec<TermId> {
        let mut said = Vec::new();
        for array in &self.order {
            let reads = &self.reads[array];
            let few = &reads[..reads.len().min(MOST_COMPARED)];
            for (number, one) in few.iter().enumerate() {
                for other in &few[..number] {
                    let mut equal = Vec::with_capacity(one.indices.len());
                    for (a, b) in one.indices.iter().zip(&other.indices) {
                        equal.push(self.pool.equal(*a, *b));
                    }
                    let place = self.pool.and(&equal);
                    let value = self.pool.equal(one.value, other.value);
                    said.push(self.pool.implies(place, value));
                }
            }
        }
        said
    }
}

/// Choices of one of so many for each place.
fn combinations(counts: &[usize]) -> Vec<Vec<usize>> {
    let all = counts
        .iter()
        .try_fold(1usize, |all, it| all.checked_mul(*it));
    let mut made = vec![vec![0; counts.len()]];
    if all.is_some_and(|all| all <= MOST_INSTANCES) {
        for (place, count) in counts.iter().enumerate() {
            let before = made.clone();
            for other in 1..*count {
                made.extend(before.iter().cloned().map(|mut choice| {
                    choice[place] = other;
                    choice
                }));
            }
        }
        return made;
    }
    for (place, count) in counts.iter().enumerate() {
        for other in 1..*count {
            let mut choice = vec![0; counts.len()];
            choice[place] = other;
            made.push(choice);
        }
    }
    made
}
