//! Top-down analysis with memoised contexts, recursion included.
//!
//! A table has one row per (function, entry state): a call whose entry state lies below that of a
//! row uses its summary. Rows start with the summary ⊥; when a summary grows, the rows that used
//! it are analysed again, until nothing changes. So recursion needs no special case, except that
//! entries and summaries are widened where they could grow forever: a recursive function has one
//! row, and any other at most [`ContextOptions::limit`], of which the last takes what does not fit.
//!
//! A callee that is not recursive is analysed in the middle of its caller, which then goes on with
//! the summary; otherwise a function would be analysed as often as it has calls.

use std::cell::RefCell;
use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;

use cranelift_entity::{EntityRef as _, PrimaryMap, SecondaryMap, entity_impl};

use crate::analysis::forward::{AnalysisOptions, CallSemantics, FunctionStates, Prepared};
use crate::analysis::interprocedural::ProgramStates;
use crate::analysis::interprocedural::call_graph::CallGraph;
use crate::analysis::interprocedural::passing::{Call, Interface};
use crate::domain::ProgramDomain;
use crate::language::{FunctionId, Program, Statement};
use crate::thresholds::Thresholds;

/// Calls within calls that are analysed at once; deeper ones wait, as the stack is not endless.
const MOST_NESTED: u32 = 64;

/// A row of the table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct ContextId(u32);
entity_impl!(ContextId, "context");

/// How finely contexts are kept apart.
#[derive(Clone, Copy, Debug)]
pub struct ContextOptions {
    /// Contexts per function, at least 1.
    pub limit: usize,
    /// Growths of an entry or summary before it is widened.
    pub delay: u32,
}

impl Default for ContextOptions {
    fn default() -> ContextOptions {
        ContextOptions { limit: 8, delay: 3 }
    }
}

struct Context<D> {
    function: FunctionId,
    entry: D,
    summary: D,
    growths: u32,
    users: BTreeSet<ContextId>,
    states: Option<FunctionStates<D>>,
}

struct Table<D> {
    program: Rc<Program>,
    interface: Interface,
    graph: CallGraph,
    options: ContextOptions,
    analysis: AnalysisOptions,
    prepared: SecondaryMap<FunctionId, Option<Rc<Prepared>>>,
    contexts: PrimaryMap<ContextId, Context<D>>,
    pending: VecDeque<ContextId>,
    /// Once the table is complete, calls only look things up.
    complete: bool,
}

impl<D: ProgramDomain> Table<D> {
    fn prepared(&mut self, function: FunctionId) -> Rc<Prepared> {
        let Table {
            program, analysis, ..
        } = self;
        let prepared = &mut self.prepared[function];
        let new = || Rc::new(Prepared::new(program, function, analysis));
        Rc::clone(prepared.get_or_insert_with(new))
    }

    /// Takes a row from those that wait, if it can be analysed in the middle of another.
    fn take_now(&mut self, context: ContextId, nested: u32) -> bool {
        let function = self.contexts[context].function;
        if nested >= MOST_NESTED || self.graph.is_recursive(function) {
            return false;
        }
        let place = self.pending.iter().position(|it| *it == context);
        place.is_some_and(|place| self.pending.remove(place).is_some())
    }

    fn enqueue(&mut self, context: ContextId) {
        if !self.pending.contains(&context) {
            // The newest first: a callee should be known before its caller is tried again.
            self.pending.push_front(context);
        }
    }

    fn grown(&self, old: &D, new: &D, growths: u32) -> D {
        let joined = old.join(new);
        if growths < self.options.delay {
            joined
        } else {
            old.widen(&joined, &Thresholds::none())
        }
    }

    /// The row for an entry state; made, or its entry enlarged, if need be.
    fn context_for(&mut self, function: FunctionId, entry: &D) -> Option<ContextId> {
        let own = |(_, context): &(ContextId, &Context<D>)| context.function == function;
        let mut rows = self.contexts.iter().filter(own);
        if let Some((found, _)) = rows.find(|(_, context)| entry.leq(&context.entry)) {
            return Some(found);
        }
        if self.complete {
            return None;
        }
        let rows: Vec<ContextId> = self
            .contexts
            .iter()
            .filter(own)
            .map(|(context, _)| context)
            .collect();
        let limit = if self.graph.is_recursive(function) {
            1
        } else {
            self.options.limit
        };
        if rows.len() < limit {
            let context = self.contexts.push(Context {
                function,
                entry: entry.clone(),
                summary: entry.bottom(),
                growths: 0,
                users: BTreeSet::new(),
                states: None,
            });
            self.enqueue(context);
            return Some(context);
        }
        let last = *rows.last().expect("invariant: the limit is at least 1");
        let row = &self.contexts[last];
        let enlarged = self.grown(&row.entry, entry, row.growths);
        let row = &mut self.contexts[last];
        row.entry = enlarged;
        row.growths += 1;
        self.enqueue(last);
        Some(last)
    }

    fn update_summary(&mut self, context: ContextId, new: &D) {
        let row = &self.contexts[context];
        if new.leq(&row.summary) {
            return;
        }
        let summary = self.grown(&row.summary, new, row.growths);
        let row = &mut self.contexts[context];
        row.summary = summary;
        row.growths += 1;
        for user in row.users.clone() {
            self.enqueue(user);
        }
    }
}

/// Calls made while one row is analysed.
struct TableCalls<D> {
    table: Rc<RefCell<Table<D>>>,
    user: Option<ContextId>,
    /// How many analyses this one is in the middle of.
    nested: u32,
}

impl<D: ProgramDomain> CallSemantics<D> for TableCalls<D> {
    fn call(&mut self, statement: &Statement, state: &mut D) {
        if state.is_bottom() {
            return;
        }
        let mut table = self.table.borrow_mut();
        let program = table.program.clone();
        let Some(call) = Call::of(&program, statement) else {
            state.transfer(statement);
            return;
        };
        let entry = table.interface.enter(&program, &call, state);
        let Some(context) = table.context_for(call.callee, &entry) else {
            state.transfer(statement);
            return;
        };
        if table.take_now(context, self.nested) {
            drop(table);
            analyse_context(&program, &self.table, context, self.nested + 1);
            table = self.table.borrow_mut();
        }
        if let Some(user) = self.user {
            table.contexts[context].users.insert(user);
        }
        let summary = table.contexts[context].summary.clone();
        table.interface.apply(&program, &call, &summary, state);
    }
}

/// Analyses a program from `main`, whose parameters are described by `entry`.
pub fn analyse_program<D: ProgramDomain>(
    program: &Program,
    entry: &D,
    options: &AnalysisOptions,
    contexts: ContextOptions,
) -> ProgramStates<D> {
    let table = Rc::new(RefCell::new(Table {
        program: Rc::new(program.clone()),
        interface: Interface::new(program),
        graph: CallGraph::new(program),
        options: contexts,
        analysis: options.clone(),
        prepared: SecondaryMap::new(),
        contexts: PrimaryMap::new(),
        pending: VecDeque::new(),
        complete: false,
    }));
    if let Some(main) = program.main() {
        table.borrow_mut().context_for(main, entry);
    }
    loop {
        let next = table.borrow_mut().pending.pop_front();
        let Some(context) = next else { break };
        analyse_context(program, &table, context, 0);
    }
    table.borrow_mut().complete = true;
    let rows = table.borrow();
    let functions = rows
        .contexts
        .values()
        .filter_map(|row| row.states.clone())
        .collect();
    drop(rows);
    ProgramStates {
        functions,
        calls: Box::new(TableCalls {
            table,
            user: None,
            nested: 0,
        }),
    }
}

fn analyse_context<D: ProgramDomain>(
    program: &Program,
    table: &Rc<RefCell<Table<D>>>,
    context: ContextId,
    nested: u32,
) {
    let (function, prepared, start, interface, bottom) = {
        let mut table = table.borrow_mut();
        let function = table.contexts[context].function;
        let prepared = table.prepared(function);
        let row = &table.contexts[context];
        debug_assert!(context.index() < table.contexts.len());
        let start = table
            .interface
            .remember_entry(program, row.function, &row.entry);
        (
            function,
            prepared,
            start,
            table.interface.clone(),
            row.entry.bottom(),
        )
    };
    let mut calls = TableCalls {
        table: table.clone(),
        user: Some(context),
        nested,
    };
    let states = prepared.analyse(program, &start, &mut calls);
    let exit = states.at_returns(program, &mut calls, &mut |state, returned| {
        interface.summarise(program, function, state, returned);
    });
    let mut table = table.borrow_mut();
    table.contexts[context].states = Some(states);
    table.update_summary(context, &exit.unwrap_or(bottom));
}
