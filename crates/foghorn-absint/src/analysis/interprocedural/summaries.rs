//! Bottom-up summaries, then top-down (§4.2.6 of the SeaHorn paper).
//!
//! Callees first, each function is analysed from ⊤ and summarised; a call to a function of the same
//! cycle is opaque. Then, callers first, each function is analysed from the join of the states at
//! its calls; functions that can call themselves start from ⊤.

use std::rc::Rc;

use cranelift_entity::SecondaryMap;

use crate::analysis::forward::{AnalysisOptions, CallSemantics, FunctionStates, analyse};
use crate::analysis::interprocedural::ProgramStates;
use crate::analysis::interprocedural::call_graph::CallGraph;
use crate::analysis::interprocedural::passing::{Call, Interface};
use crate::domain::ProgramDomain;
use crate::language::{FunctionId, Program, Statement};

struct SummaryCalls<D: Clone> {
    program: Rc<Program>,
    interface: Interface,
    /// `None` where calls are opaque; ⊥ for a function that never returns.
    summaries: SecondaryMap<FunctionId, Option<D>>,
    /// The states that calls were made in, joined by callee, while the top-down pass listens.
    entries: SecondaryMap<FunctionId, Option<D>>,
    listening: bool,
}

impl<D: ProgramDomain> CallSemantics<D> for SummaryCalls<D> {
    fn call(&mut self, statement: &Statement, state: &mut D) {
        let program = self.program.clone();
        let call = Call::of(&program, statement);
        if let Some(call) = &call
            && self.listening
            && !state.is_bottom()
        {
            let entry = self.interface.enter(&program, call, state);
            let joined = self.entries[call.callee].take();
            self.entries[call.callee] = Some(joined.map_or(entry.clone(), |old| old.join(&entry)));
        }
        match call
            .as_ref()
            .and_then(|call| self.summaries[call.callee].as_ref().zip(Some(call)))
        {
            Some((summary, call)) => self.interface.apply(&program, call, summary, state),
            None => state.transfer(statement),
        }
    }
}

/// Analyses a program from `main`, whose parameters are described by `entry`.
pub fn analyse_program<D: ProgramDomain>(
    program: &Program,
    entry: &D,
    options: &AnalysisOptions,
) -> ProgramStates<D> {
    let graph = CallGraph::new(program);
    let mut calls = SummaryCalls {
        program: Rc::new(program.clone()),
        interface: Interface::new(program),
        summaries: SecondaryMap::new(),
        entries: SecondaryMap::new(),
        listening: false,
    };
    for function in graph.callers_first.iter().rev() {
        let summary = summary_of(program, *function, &entry.top(), &mut calls, options);
        calls.summaries[*function] = Some(summary);
    }
    let functions = top_down(program, &graph, entry, &mut calls, options);
    ProgramStates {
        functions,
        calls: Box::new(calls),
    }
}

fn summary_of<D: ProgramDomain>(
    program: &Program,
    function: FunctionId,
    entry: &D,
    calls: &mut SummaryCalls<D>,
    options: &AnalysisOptions,
) -> D {
    let start = calls.interface.remember_entry(program, function, entry);
    let states = analyse(program, function, &start, calls, options);
    let interface = calls.interface.clone();
    let exit = states.at_returns(program, calls, &mut |state, returned| {
        interface.summarise(program, function, state, returned);
    });
    exit.unwrap_or_else(|| entry.bottom())
}

fn top_down<D: ProgramDomain>(
    program: &Program,
    graph: &CallGraph,
    entry: &D,
    calls: &mut SummaryCalls<D>,
    options: &AnalysisOptions,
) -> Vec<FunctionStates<D>> {
    let mut functions = Vec::new();
    for function in &graph.callers_first {
        let called = calls.entries[*function].take();
        let is_main = program.main() == Some(*function);
        let start = match (is_main, called) {
            // All calls of a cycle would have to be known before any of its functions.
            _ if graph.is_recursive(*function) => entry.top(),
            (true, None) => entry.clone(),
            (true, Some(called)) => called.join(entry),
            (false, Some(called)) => called,
            (false, None) => continue,
        };
        let states = analyse(program, *function, &start, calls, options);
        // Calls are recorded from the final states only, not from iterates.
        calls.listening = true;
        states.walk(program, calls, &mut |_, _, _, _| {});
        calls.listening = false;
        functions.push(states);
    }
    functions
}
