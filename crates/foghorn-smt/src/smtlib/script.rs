//! A growing SMT-LIB script: declarations, definitions of shared subterms, assertions, frames.
//!
//! A subterm gets a name (`define-fun`) when it is used twice, when an operator's spelling repeats
//! it, or when the text would nest too deep otherwise; so the script is linear in the graph of the
//! terms and no reader has to recurse deeply. What was said in a frame is forgotten with it.

use super::print::{Piece, expansion, head, literal, sort, symbol};
use crate::error::SolverError;
use foghorn_term::{FunctionId, Op, Sort, SortId, SortName, SymbolId, TermId, TermPool};
use rustc_hash::{FxHashMap, FxHashSet};

/// Deepest nesting of a printed expression.
const DEEPEST: u32 = 48;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Said {
    Symbol(SymbolId),
    Function(FunctionId),
    Sort(SortName),
    Term(TermId),
}

/// What has been said so far.
#[derive(Clone, Debug, Default)]
pub struct Script {
    said: FxHashSet<Said>,
    /// What was said first in each open frame.
    frames: Vec<Vec<Said>>,
}

/// The commands for one term, and how to write it after them.
pub struct Printed {
    pub commands: String,
    pub expression: String,
}

impl Script {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn push(&mut self) {
        self.frames.push(Vec::new());
    }

    pub fn pop(&mut self) {
        for said in self.frames.pop().unwrap_or_default() {
            self.said.remove(&said);
        }
    }

    /// True if this was not said before; it is now.
    fn say(&mut self, said: Said) -> bool {
        let new = self.said.insert(said);
        if new && let Some(frame) = self.frames.last_mut() {
            frame.push(said);
        }
        new
    }

    /// Declares and defines what the term needs.
    pub fn term(&mut self, pool: &TermPool, root: TermId) -> Result<Printed, SolverError> {
        let mut commands = String::new();
        for (term, named) in self.plan(pool, root) {
            self.declare_leaf(pool, term, &mut commands)?;
            if named {
                let text = self.expression(pool, term, true)?;
                self.say(Said::Term(term));
                commands.push_str(&format!(
                    "(define-fun {} () {} {text})\n",
                    name(term),
                    sort(pool, pool.sort_id(term))?
                ));
            }
        }
        Ok(Printed {
            commands,
            expression: self.expression(pool, root, false)?,
        })
    }

    /// The term with `let` instead of definitions, so that nothing new is said but declarations.
    pub fn closed_term(&mut self, pool: &TermPool, root: TermId) -> Result<Printed, SolverError> {
        let mut commands = String::new();
        let mut opened = String::new();
        let mut local = self.clone();
        let mut depth = 0;
        for (term, named) in self.plan(pool, root) {
            self.declare_leaf(pool, term, &mut commands)?;
            if named {
                let text = local.expression(pool, term, true)?;
                local.say(Said::Term(term));
                opened.push_str(&format!("(let (({} {text})) ", name(term)));
                depth += 1;
            }
        }
        let body = local.expression(pool, root, false)?;
        let expression = format!("{opened}{body}{}", ")".repeat(depth));
        Ok(Printed {
            commands,
            expression,
        })
    }

    /// Declares a free constant.
    pub fn declare(&mut self, pool: &TermPool, term: TermId) -> Result<String, SolverError> {
        let mut commands = String::new();
        self.declare_leaf(pool, term, &mut commands)?;
        Ok(commands)
    }

    /// The subterms not said before, children first, and whether each wants a name.
    fn plan(&self, pool: &TermPool, root: TermId) -> Vec<(TermId, bool)> {
        let known = |term: TermId| self.said.contains(&Said::Term(term));
        let order: Vec<TermId> = pool
            .post_order_where(&[root], |term| !known(term))
            .collect();
        let mut uses: FxHashMap<TermId, u32> = FxHashMap::default();
        for term in &order {
            let weight = if repeats_arguments(pool.op(*term)) {
                2
            } else {
                1
            };
            for child in pool.children(*term) {
                *uses.entry(*child).or_default() += weight;
            }
        }
        let mut depths: FxHashMap<TermId, u32> = FxHashMap::default();
        let mut plan = Vec::with_capacity(order.len());
        for term in order {
            let children = pool.children(term);
            let depth = children
                .iter()
                .filter_map(|child| depths.get(child))
                .max()
                .map_or(0, |deepest| deepest + 1);
            let shared = uses.get(&term).copied().unwrap_or(0) > 1;
            let named =
                !children.is_empty() && pool.is_closed(term) && (shared || depth >= DEEPEST);
            if !named {
                depths.insert(term, depth);
            }
            plan.push((term, named));
        }
        plan
    }

    fn declare_leaf(
        &mut self,
        pool: &TermPool,
        term: TermId,
        commands: &mut String,
    ) -> Result<(), SolverError> {
        match pool.op(term) {
            Op::Symbol(id) => {
                let data = pool.symbol_data(id);
                self.declare_sort(pool, data.sort, commands);
                if self.say(Said::Symbol(id)) {
                    let sort = sort(pool, data.sort)?;
                    let name = symbol(&data.name);
                    commands.push_str(&format!("(declare-fun {name} () {sort})\n"));
                }
            }
            Op::Apply(id) => self.declare_function(pool, id, commands)?,
            _ => {}
        }
        Ok(())
    }

    fn declare_function(
        &mut self,
        pool: &TermPool,
        id: FunctionId,
        commands: &mut String,
    ) -> Result<(), SolverError> {
        let data = pool.function_data(id);
        for sort in data.arguments.iter().chain([&data.sort]) {
            self.declare_sort(pool, *sort, commands);
        }
        if self.say(Said::Function(id)) {
            let arguments: Vec<String> = data
                .arguments
                .iter()
                .map(|argument| sort(pool, *argument))
                .collect::<Result<_, _>>()?;
            commands.push_str(&format!(
                "(declare-fun {} ({}) {})\n",
                symbol(&data.name),
                arguments.join(" "),
                sort(pool, data.sort)?
            ));
        }
        Ok(())
    }

    fn declare_sort(&mut self, pool: &TermPool, id: SortId, commands: &mut String) {
        match pool.sort_of(id) {
            Sort::Uninterpreted(name) => {
                if self.say(Said::Sort(name)) {
                    let name = symbol(pool.sort_name(name));
                    commands.push_str(&format!("(declare-sort {name} 0)\n"));
                }
            }
            Sort::Array { index, element } => {
                self.declare_sort(pool, index, commands);
                self.declare_sort(pool, element, commands);
            }
            Sort::Memory { cell, .. } => self.declare_sort(pool, cell, commands),
            Sort::FiniteMap { key, value, .. } => {
                self.declare_sort(pool, key, commands);
                self.declare_sort(pool, value, commands);
            }
            Sort::Bool | Sort::BitVec(_) | Sort::Int | Sort::Float(_) | Sort::Pointer { .. } => {}
        }
    }

    /// The text of a term, with names for what has one. `definition` writes the term itself out.
    fn expression(
        &self,
        pool: &TermPool,
        root: TermId,
        definition: bool,
    ) -> Result<String, SolverError> {
        let mut text = String::new();
        let mut stack = Vec::new();
        if definition {
            self.open(pool, root, &mut stack)?;
        } else {
            stack.push(Todo::Term(root));
        }
        while let Some(todo) = stack.pop() {
            match todo {
                Todo::Text(piece) => text.push_str(&piece),
                Todo::Term(term) if self.said.contains(&Said::Term(term)) => {
                    text.push_str(&name(term));
                }
                Todo::Term(term) => self.open(pool, term, &mut stack)?,
            }
        }
        Ok(text)
    }

    /// Pushes the pieces of a term, last one first.
    fn open(
        &self,
        pool: &TermPool,
        term: TermId,
        stack: &mut Vec<Todo>,
    ) -> Result<(), SolverError> {
        let children = pool.children(term);
        let op = pool.op(term);
        let whole = |text: String| Todo::Text(text);
        match op {
            Op::True | Op::False => stack.push(whole(op.kind().name().to_owned())),
            Op::Constant(id) => stack.push(whole(literal(pool.constant_data(id)))),
            Op::Symbol(id) => stack.push(whole(symbol(&pool.symbol_data(id).name))),
            Op::Bound(id) => stack.push(whole(format!("bound!{}", id.as_u32()))),
            Op::Apply(id) => {
                let name = symbol(&pool.function_data(id).name);
                if children.is_empty() {
                    stack.push(whole(name));
                } else {
                    push_call(&name, children, stack);
                }
            }
            Op::Lambda(id) => {
                let sort = sort(pool, pool.bound_sort(id))?;
                stack.push(whole(")".to_owned()));
                stack.push(Todo::Term(children[0]));
                let start = format!("(lambda ((bound!{} {sort})) ", id.as_u32());
                stack.push(whole(start));
            }
            _ => match head(op) {
                Some(head) => push_call(&head, children, stack),
                None => {
                    for piece in expansion(pool, term)?.into_iter().rev() {
                        stack.push(match piece {
                            Piece::Text(text) => Todo::Text(text),
                            Piece::Argument(i) => Todo::Term(children[i]),
                        });
                    }
                }
            },
        }
        Ok(())
    }
}

enum Todo {
    Term(TermId),
    Text(String),
}

fn push_call(head: &str, children: &[TermId], stack: &mut Vec<Todo>) {
    stack.push(Todo::Text(")".to_owned()));
    for child in children.iter().rev() {
        stack.push(Todo::Term(*child));
        stack.push(Todo::Text(" ".to_owned()));
    }
    stack.push(Todo::Text(format!("({head}")));
}

fn name(term: TermId) -> String {
    format!("t!{}", term.as_u32())
}

/// Whether the spelling of an operator writes an argument more than once.
fn repeats_arguments(op: Op) -> bool {
    matches!(
        op,
        Op::FloatToBits
            | Op::PointerAdd
            | Op::PointerLt
            | Op::PointerLe
            | Op::MemoryReadBytes(_)
            | Op::MemoryWriteBytes
    )
}
