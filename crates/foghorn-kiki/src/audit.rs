//! Invariants against execution: a program is run, and each state that comes back to the head of a loop has to satisfy the
//! rows that were shown of it.
//!
//! The module is instrumented: the head of each loop of which something was shown begins with bindings of the numbers that
//! rows speak of, registers, offsets of pointers and cells of globals. A row that speaks of anything else is compared with
//! what is known of it, and says nothing wrong unless that alone decides it.

use crate::answer::ShownInvariant;
use crate::cut::record::Quantity;
use foghorn_core::{CheckSelection, SpanId};
use foghorn_encode::execute::plan::FunctionPlan;
use foghorn_ir::interpret::{
    Allocation, ObjectId, Observer, Options, Pointer, Program, ProgramPoint, RecordedWorld, Seeded,
};
use foghorn_ir::{
    BlockId, Body, Constant, FunctionId, InstId, Instruction, MemoryRole, MemoryUse, Module, Type,
    ValueId, Variable, VariableId,
};
use foghorn_term::{BitVecValue, Sort, TermId, TermPool};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// More violations than this are not told.
const MOST_TOLD: usize = 3;

/// Visits of a head that are all compared; of later ones ever fewer are.
const ALL_VISITS: u64 = 24;

/// How long to run, and how often.
#[derive(Clone, Debug)]
pub struct AuditOptions {
    pub checks: CheckSelection,
    pub steps: u64,
    /// Runs with other inputs.
    pub runs: u64,
    pub max_memory: u64,
}

/// What was compared.
#[derive(Clone, Debug, Default)]
pub struct Audit {
    pub states: usize,
    /// States that the invariants exclude.
    pub violations: Vec<String>,
    /// Why a program could not be run.
    pub problem: Option<String>,
}

/// Runs a program in pure form, and compares its states with what was shown.
pub fn audit(module: &Module, shown: &[ShownInvariant], options: &AuditOptions) -> Audit {
    let watched = Watched::new(module, shown);
    let program = Program::with_events(&watched.module);
    let run_options = Options {
        checks: options.checks.groups().collect(),
        max_steps: Some(options.steps),
        max_memory: options.max_memory,
        ..Options::default()
    };
    let mut audit = Audit::default();
    for seed in 0..options.runs {
        let mut checker = Checker::new(&watched);
        let (mut choices, mut world) = (Seeded::new(seed), RecordedWorld::default());
        let run = program.run_observed(&run_options, &mut choices, &mut world, &mut checker);
        if let Err(problem) = run {
            audit.problem = Some(problem.to_string());
        }
        audit.states += checker.states;
        audit.violations.extend(checker.violations);
    }
    audit.violations.truncate(MOST_TOLD);
    audit
}

/// What a binding tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Told {
    Register { parameter: usize },
    Pointer { parameter: usize },
    Cell { object: u64, offset: u64 },
    Outer { value: ValueId },
}

#[derive(Clone, Copy, Debug)]
struct Watch {
    block: BlockId,
    told: Told,
    is_last: bool,
}

/// A head of which something was shown.
struct Head<'s> {
    shown: Vec<&'s ShownInvariant>,
    /// The blocks of its loop.
    blocks: FxHashSet<BlockId>,
}

struct Watched<'s> {
    module: Module,
    watches: BTreeMap<(FunctionId, VariableId), Watch>,
    heads: BTreeMap<(FunctionId, BlockId), Head<'s>>,
}

impl<'s> Watched<'s> {
    fn new(module: &Module, shown: &'s [ShownInvariant]) -> Self {
        let mut watched = Watched {
            module: module.clone(),
            watches: BTreeMap::new(),
            heads: BTreeMap::new(),
        };
        for invariant in shown {
            let place = (invariant.key.function, invariant.key.block);
            let Some(body) = &module.functions[place.0].body else {
                continue;
            };
            let head = watched.heads.entry(place).or_insert_with(|| Head {
                shown: vec![],
                blocks: blocks_of(body, place.1),
            });
            head.shown.push(invariant);
        }
        let places: Vec<(FunctionId, BlockId)> = watched.heads.keys().copied().collect();
        for place in places {
            watched.instrument(place);
        }
        watched
    }

    fn instrument(&mut self, (function, block): (FunctionId, BlockId)) {
        let shown = &self.heads[&(function, block)].shown;
        let Some(body) = &mut self.module.functions[function].body else {
            return;
        };
        let mut inserted = vec![];
        let mut watches: Vec<(VariableId, Told)> = vec![];
        for (parameter, value) in body.blocks[block].params.clone().into_iter().enumerate() {
            let told = match body.ty(value) {
                Type::Int(_) => Told::Register { parameter },
                Type::Ptr => Told::Pointer { parameter },
                Type::F32 | Type::F64 | Type::Memory(_) => continue,
            };
            watches.push((bind(body, &mut inserted, value), told));
        }
        let mut cells: BTreeMap<Told, ValueId> = BTreeMap::new();
        for invariant in shown {
            for (quantity, &width) in invariant.quantities.iter().zip(&invariant.widths) {
                if let Quantity::Outer { value } = *quantity {
                    cells.insert(Told::Outer { value }, value);
                }
                let Quantity::Cell {
                    parameter,
                    object,
                    offset,
                } = *quantity
                else {
                    continue;
                };
                let told = Told::Cell { object, offset };
                let global = invariant.objects.get(&object);
                if let (Some(Allocation::Global(global)), false) =
                    (global, cells.contains_key(&told))
                {
                    let address = body.constant(Type::Ptr, Constant::Global(*global));
                    let place = (address, offset, width);
                    let memory = body.blocks[block].params[parameter];
                    cells.insert(told, load(body, &mut inserted, place, memory));
                }
            }
        }
        for (told, value) in cells {
            watches.push((bind(body, &mut inserted, value), told));
        }
        inserted.append(&mut body.blocks[block].instructions);
        body.blocks[block].instructions = inserted;
        let count = watches.len();
        for (index, (variable, told)) in watches.into_iter().enumerate() {
            let watch = Watch {
                block,
                told,
                is_last: index + 1 == count,
            };
            self.watches.insert((function, variable), watch);
        }
    }
}

fn blocks_of(body: &Body, head: BlockId) -> FxHashSet<BlockId> {
    let plan = FunctionPlan::new(body);
    let components = plan.components.iter();
    let mut own = components.filter(|it| plan.blocks[it.start] == head);
    match own.next() {
        Some(component) => plan.blocks[component.start..component.end]
            .iter()
            .copied()
            .collect(),
        None => FxHashSet::default(),
    }
}

fn bind(body: &mut Body, inserted: &mut Vec<InstId>, value: ValueId) -> VariableId {
    let variable = body.variables.push(Variable {
        name: "watch".into(),
        span: SpanId::UNKNOWN,
        signed: true,
        slot: None,
    });
    let bind = Instruction::Bind { variable, value };
    inserted.push(body.create_instruction(bind, &[], SpanId::UNKNOWN));
    variable
}

/// Reads a cell of a global from the contents that a parameter of the head is.
fn load(
    body: &mut Body,
    inserted: &mut Vec<InstId>,
    (base, offset, width): (ValueId, u64, u32),
    memory: ValueId,
) -> ValueId {
    let add = Instruction::PointerAdd {
        base,
        constant: i64::try_from(offset).unwrap_or(i64::MAX),
        scaled: [].into_iter().collect(),
    };
    let id = body.create_instruction(add, &[Type::Ptr], SpanId::UNKNOWN);
    inserted.push(id);
    let pointer = body.result(id);
    let load = Instruction::Load { pointer, align: 1 };
    let ty = Type::Int(u8::try_from(width).expect("invariant: a cell is no wider than a value"));
    let id = body.create_instruction(load, &[ty], SpanId::UNKNOWN);
    if let Some(region) = body.ty(memory).region() {
        body.instructions[id].memory.push(MemoryUse {
            region,
            input: memory,
            output: None,
            role: MemoryRole::Access,
        });
    }
    inserted.push(id);
    body.result(id)
}

/// A call that is active.
#[derive(Clone, Copy, Debug, Default)]
struct Activation {
    call: Option<InstId>,
    now: Option<BlockId>,
    before: Option<BlockId>,
}

struct Checker<'w, 's> {
    watched: &'w Watched<'s>,
    pool: TermPool,
    active: Vec<Activation>,
    called: Option<InstId>,
    told: BTreeMap<Told, u128>,
    visits: BTreeMap<(FunctionId, BlockId), u64>,
    states: usize,
    violations: Vec<String>,
}

impl<'w, 's> Checker<'w, 's> {
    fn new(watched: &'w Watched<'s>) -> Self {
        Checker {
            watched,
            pool: TermPool::new(),
            active: vec![],
            called: None,
            told: BTreeMap::new(),
            visits: BTreeMap::new(),
            states: 0,
            violations: vec![],
        }
    }

    fn compare(&mut self, function: FunctionId, block: BlockId) {
        let Some(head) = self.watched.heads.get(&(function, block)) else {
            return;
        };
        let before = self.active.last().and_then(|it| it.before);
        // What was shown is about states that come back.
        if before.is_none_or(|before| !head.blocks.contains(&before)) {
            return;
        }
        let visits = self.visits.entry((function, block)).or_default();
        *visits += 1;
        if *visits > ALL_VISITS && !visits.is_power_of_two() {
            return;
        }
        let calls: Vec<InstId> = self.active.iter().filter_map(|it| it.call).collect();
        let own = head.shown.iter().filter(|it| it.key.calls == calls);
        let own: Vec<&ShownInvariant> = own.copied().collect();
        if own.is_empty() {
            return;
        }
        self.states += 1;
        // Entries on the same way of calls may have invariants of their own: the state is of one of them.
        let mut groups: BTreeMap<&[Quantity], Vec<String>> = BTreeMap::new();
        for invariant in own {
            let values = self.values(invariant);
            let excluded = groups.entry(&invariant.quantities).or_default();
            for row in &invariant.invariant.rows {
                let holds = row.template.formula(&mut self.pool, &values);
                if self.pool.as_bool(holds) == Some(false) {
                    excluded.extend(row.template.describe(&invariant.invariant.names));
                }
            }
        }
        if groups.values().all(|excluded| !excluded.is_empty()) {
            let name = &self.watched.module.functions[function].name;
            let rows: Vec<String> = groups.into_values().flatten().collect();
            let told = &self.told;
            self.violations
                .push(format!("@{name} {block}: {rows:?} for {told:?}"));
        }
    }

    fn values(&mut self, invariant: &ShownInvariant) -> Vec<TermId> {
        let mut values = vec![];
        for (quantity, &width) in invariant.quantities.iter().zip(&invariant.widths) {
            let told = match *quantity {
                Quantity::Register { parameter } => Some(Told::Register { parameter }),
                Quantity::Offset { parameter } => Some(Told::Pointer { parameter }),
                Quantity::Cell { object, offset, .. } => Some(Told::Cell { object, offset }),
                Quantity::Outer { value } => Some(Told::Outer { value }),
                Quantity::Base { .. }
                | Quantity::CellBase { .. }
                | Quantity::CellOffset { .. }
                | Quantity::Dead { .. }
                | Quantity::Entered { .. }
                | Quantity::AnyOffset { .. }
                | Quantity::AnyElement { .. } => None,
            };
            let bits = told.and_then(|told| self.told.get(&told));
            values.push(match bits {
                Some(bits) => {
                    let bits = bits & (u128::MAX >> (128 - width.min(128)));
                    self.pool.bitvec(BitVecValue::from_u128(width, bits))
                }
                None => self.pool.fresh_symbol("unseen", Sort::BitVec(width)),
            });
        }
        values
    }

    fn finish(&mut self, function: FunctionId, variable: VariableId) {
        if let Some(watch) = self.watched.watches.get(&(function, variable))
            && watch.is_last
        {
            self.compare(function, watch.block);
            self.told.clear();
        }
    }
}

impl Observer for Checker<'_, '_> {
    fn call(&mut self, at: ProgramPoint, _: SpanId, _: FunctionId) {
        self.called = Some(at.instruction);
    }

    fn enter(&mut self, _: FunctionId, _: usize) {
        self.active.push(Activation {
            call: self.called.take(),
            ..Activation::default()
        });
    }

    fn leave(&mut self, _: FunctionId, _: usize) {
        self.active.pop();
    }

    fn block(&mut self, _: FunctionId, block: BlockId) {
        if let Some(active) = self.active.last_mut() {
            active.before = active.now.replace(block);
        }
    }

    fn bind(&mut self, at: ProgramPoint, variable: VariableId, ty: Type, bits: u128) {
        let Some(watch) = self.watched.watches.get(&(at.function, variable)) else {
            return;
        };
        if ty != Type::Ptr {
            self.told.insert(watch.told, bits);
            self.finish(at.function, variable);
        }
    }

    /// The offset of what is no object is its address, and that is not the same in formulas.
    fn bind_pointer(&mut self, at: ProgramPoint, variable: VariableId, pointer: Pointer) {
        let Some(watch) = self.watched.watches.get(&(at.function, variable)) else {
            return;
        };
        let nothing = [
            ObjectId::NULL,
            ObjectId::FROM_INTEGER,
            ObjectId::UNINITIALISED,
        ];
        if !nothing.contains(&pointer.object) {
            let offset = i128::from(pointer.offset).cast_unsigned();
            self.told.insert(watch.told, offset);
        }
        self.finish(at.function, variable);
    }
}
