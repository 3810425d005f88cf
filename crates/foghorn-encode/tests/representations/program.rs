//! Random memory programs: straight lines with merges, over one memory of bytes, one of words and one of pointers.
//!
//! A program is its seed. Run under two representations it makes the same choices, so that what it reads can be compared.

use foghorn_encode::memory::{CellKind, MemoryRepresentation, Obligation};
use foghorn_term::eval::{ArrayValue, FunctionValue, Model, Value};
use foghorn_term::generate::Random;
use foghorn_term::{BitVecValue, Sort, TermId, TermPool};
use std::collections::BTreeMap;

/// The cells of the three memories of a program.
pub fn cells(width: u32) -> [CellKind; 3] {
    let bytes = if width == 8 { 2 } else { 4 };
    [CellKind::Bytes, CellKind::Word { bytes }, CellKind::Pointer]
}

/// What a run of a program came to.
pub struct Outcome {
    pub reads: Vec<TermId>,
    pub obligations: Vec<Obligation>,
}

pub struct Run<'a> {
    pool: &'a mut TermPool,
    memory: &'a mut dyn MemoryRepresentation,
    random: Random,
    width: u32,
    /// Versions of each memory.
    versions: [Vec<TermId>; 3],
    scalars: Vec<TermId>,
    pointers: Vec<TermId>,
    outcome: Outcome,
}

/// Runs the program of a seed.
pub fn run(
    seed: u64,
    width: u32,
    steps: u64,
    pool: &mut TermPool,
    memory: &mut dyn MemoryRepresentation,
) -> Outcome {
    let prefix = match memory.name() {
        "theory" | "seam" => "theory",
        other => other,
    };
    let versions = [0, 1, 2].map(|number| {
        let name = format!("{prefix}.m{number}");
        vec![memory.arbitrary(pool, &name, cells(width)[number])]
    });
    let small = pool.bv_symbol("small", width);
    let bound = pool.bv(width, 8);
    let fact = pool.bv_ult(small, bound);
    memory.assume(pool, fact);
    let mut run = Run {
        pool,
        memory,
        random: Random::new(seed),
        width,
        versions,
        scalars: Vec::new(),
        pointers: Vec::new(),
        outcome: Outcome {
            reads: Vec::new(),
            obligations: Vec::new(),
        },
    };
    for _ in 0..steps {
        run.step();
    }
    for _ in 0..4 {
        run.read();
    }
    run.outcome.obligations = run.memory.take_obligations();
    run.outcome
}

impl Run<'_> {
    fn step(&mut self) {
        match self.random.below(10) {
            0..=3 => self.write(),
            4 | 5 => self.read(),
            6 => self.set(),
            7 => self.copy(),
            8 => self.merge(),
            _ => self.pointer_step(),
        }
    }

    fn latest(&self, number: usize) -> TermId {
        *self.versions[number].last().unwrap()
    }

    fn unit(&self, number: usize) -> u64 {
        u64::from(cells(self.width)[number].bytes(self.width))
    }

    /// The sort of an access to a memory.
    fn sort(&mut self, number: usize) -> Sort {
        match cells(self.width)[number] {
            CellKind::Bytes => Sort::BitVec(8 * *self.random.pick(&[1, 1, 2, 4, 4, 8])),
            cell => cell.sort(self.width),
        }
    }

    fn condition(&mut self) -> TermId {
        let name = format!("c{}", self.random.below(4));
        self.pool.symbol(&name, Sort::Bool)
    }

    /// An offset that is a multiple of `unit`.
    fn offset(&mut self, unit: u64) -> TermId {
        let literal = |run: &mut Self| {
            let count = run.random.below(6);
            run.pool.bv(run.width, count * unit)
        };
        let plain = literal(self);
        match self.random.below(8) {
            0..=3 => plain,
            4 => {
                let condition = self.condition();
                let other = literal(self);
                self.pool.ite(condition, plain, other)
            }
            5 => {
                let small = self.pool.bv_symbol("small", self.width);
                self.scaled(small, unit, plain)
            }
            6 => {
                let name = format!("i{}", self.random.below(2));
                let free = self.pool.bv_symbol(&name, self.width);
                self.scaled(free, unit, plain)
            }
            _ => self.pool.bv_neg(plain),
        }
    }

    fn scaled(&mut self, index: TermId, unit: u64, plus: TermId) -> TermId {
        let unit = self.pool.bv(self.width, unit);
        let scaled = self.pool.bv_mul(index, unit);
        self.pool.bv_add(scaled, plus)
    }

    /// A pointer whose offset is a multiple of `unit`.
    fn pointer(&mut self, unit: u64) -> TermId {
        if unit == 1 && !self.pointers.is_empty() && self.random.one_in(4) {
            let position = self.random.index(self.pointers.len());
            let offset = self.offset(1);
            return self.pool.pointer_add(self.pointers[position], offset);
        }
        let object = |run: &mut Self| {
            let base = run.random.below(3) + 2;
            let base = run.pool.bv(run.width, base);
            let offset = run.offset(unit);
            run.pool.pointer(base, offset)
        };
        let mut pointer = object(self);
        for _ in 0..self.random.below(3) {
            if self.random.one_in(2) {
                let (condition, other) = (self.condition(), object(self));
                pointer = self.pool.ite(condition, pointer, other);
            } else if self.random.one_in(2) {
                let by = self.offset(unit);
                pointer = self.pool.pointer_add(pointer, by);
            }
        }
        pointer
    }

    fn value(&mut self, sort: Sort) -> TermId {
        match sort {
            Sort::BitVec(width) => {
                let fitting: Vec<TermId> = self.scalars.clone();
                let reuse = self.random.one_in(2) && !fitting.is_empty();
                if reuse {
                    let scalar = *self.random.pick(&fitting);
                    return self.pool.zero_resize(width, scalar);
                }
                let name = format!("v{width}.{}", self.random.below(3));
                self.pool.bv_symbol(&name, width)
            }
            _ => self.pointer(1),
        }
    }

    fn read(&mut self) {
        let number = self.random.index(3);
        let sort = self.sort(number);
        let pointer = self.pointer(self.unit(number));
        let version = self.random.index(self.versions[number].len());
        let latest = self.versions[number].len() - 1;
        let version = if self.random.one_in(4) {
            version
        } else {
            latest
        };
        let memory = self.versions[number][version];
        let value = self.memory.read(self.pool, memory, pointer, sort);
        self.outcome.reads.push(value);
        match sort {
            Sort::Pointer { .. } => self.pointers.push(value),
            _ => self.scalars.push(value),
        }
    }

    fn write(&mut self) {
        let number = self.random.index(3);
        let sort = self.sort(number);
        let pointer = self.pointer(self.unit(number));
        let value = self.value(sort);
        let memory = self.latest(number);
        let written = self.memory.write(self.pool, memory, pointer, value);
        self.versions[number].push(written);
    }

    fn length(&mut self, unit: u64) -> TermId {
        match self.random.below(3) {
            0 => {
                let small = self.pool.bv_symbol("small", self.width);
                let unit = self.pool.bv(self.width, unit);
                self.pool.bv_mul(small, unit)
            }
            _ => {
                let count = self.random.below(5);
                self.pool.bv(self.width, count * unit)
            }
        }
    }

    fn set(&mut self) {
        let number = self.random.index(3);
        let unit = self.unit(number);
        let (pointer, length) = (self.pointer(unit), self.length(unit));
        let byte = if number == 2 {
            self.pool.bv_zero(8)
        } else {
            self.value(Sort::BitVec(8))
        };
        let memory = self.latest(number);
        let set = self.memory.set(self.pool, memory, pointer, byte, length);
        self.versions[number].push(set);
    }

    fn copy(&mut self) {
        let number = self.random.index(3);
        let unit = self.unit(number);
        let (to, from) = (self.pointer(unit), self.pointer(unit));
        let length = self.length(unit);
        let memory = self.latest(number);
        let position = self.random.index(self.versions[number].len());
        let source = self.versions[number][position];
        let copied = self
            .memory
            .copy(self.pool, memory, to, source, from, length);
        self.versions[number].push(copied);
    }

    fn merge(&mut self) {
        let number = self.random.index(3);
        let condition = self.condition();
        let position = self.random.index(self.versions[number].len());
        let (a, b) = (self.latest(number), self.versions[number][position]);
        let merged = self.memory.merge(self.pool, condition, a, b);
        self.versions[number].push(merged);
    }

    /// Branches: some writes on one side only.
    fn pointer_step(&mut self) {
        let number = self.random.index(3);
        let before = self.latest(number);
        for _ in 0..=self.random.below(3) {
            self.write();
        }
        let condition = self.condition();
        let after = self.latest(number);
        let merged = self.memory.merge(self.pool, condition, after, before);
        self.versions[number].push(merged);
    }
}

/// A random model, which gives the initial memories of all representations the same contents.
pub fn model(pool: &mut TermPool, width: u32, random: &mut Random) -> Model {
    let mut model = Model::new();
    let symbols: Vec<_> = pool
        .symbols()
        .map(|(id, symbol)| (id, symbol.name.to_string(), pool.sort_of(symbol.sort)))
        .collect();
    for (id, name, sort) in symbols {
        match sort {
            Sort::Bool => model.set(id, Value::Bool(random.one_in(2))),
            Sort::BitVec(bits) if name == "small" => {
                let value = BitVecValue::from_u64(bits, random.below(8));
                model.set(id, Value::BitVec(value));
            }
            Sort::BitVec(bits) if name.starts_with('i') && random.one_in(2) => {
                let value = BitVecValue::from_u64(bits, random.below(6));
                model.set(id, Value::BitVec(value));
            }
            Sort::BitVec(bits) => model.set(id, Value::BitVec(random.bits(bits))),
            _ => {}
        }
    }
    for (number, cell) in cells(width).into_iter().enumerate() {
        initial_memory(pool, width, random, &mut model, number, cell);
    }
    model
}

fn cell_value(random: &mut Random, width: u32, cell: CellKind) -> Value {
    match cell.sort(width) {
        Sort::BitVec(bits) => Value::BitVec(random.bits(bits)),
        _ => Value::Pointer {
            base: BitVecValue::from_u64(width, random.below(4) + 1),
            offset: BitVecValue::from_u64(width, random.below(16)),
        },
    }
}

fn flat(value: &Value) -> Value {
    match value {
        Value::Pointer { base, offset } => Value::BitVec(base.concat(offset)),
        other => other.clone(),
    }
}

fn initial_memory(
    pool: &mut TermPool,
    width: u32,
    random: &mut Random,
    model: &mut Model,
    number: usize,
    cell: CellKind,
) {
    let default = cell_value(random, width, cell);
    let mut table = Vec::new();
    for base in 1..6 {
        for offset in 0..24u64 {
            let base = BitVecValue::from_u64(width, base);
            let offset = BitVecValue::from_u64(width, offset);
            table.push((base, offset, cell_value(random, width, cell)));
        }
    }
    let pointer = |base: &BitVecValue, offset: &BitVecValue| Value::Pointer {
        base: base.clone(),
        offset: offset.clone(),
    };
    if let Some(symbol) = pool.find_symbol(&format!("theory.m{number}")) {
        let entries = table.iter().map(|(b, o, v)| (pointer(b, o), v.clone()));
        model.set(
            symbol,
            Value::Array(ArrayValue::table(default.clone(), entries)),
        );
    }
    if let Some(function) = pool.find_function(&format!("theory.m{number}.read")) {
        let entries: BTreeMap<Vec<Value>, Value> = table
            .iter()
            .map(|(b, o, v)| {
                (
                    vec![Value::BitVec(b.clone()), Value::BitVec(o.clone())],
                    v.clone(),
                )
            })
            .collect();
        let default = default.clone();
        model.set_function(function, FunctionValue { default, entries });
    }
    let flattened = || {
        table
            .iter()
            .map(|(b, o, v)| (Value::BitVec(b.concat(o)), flat(v)))
    };
    if let Some(symbol) = pool.find_symbol(&format!("arrays.m{number}")) {
        model.set(
            symbol,
            Value::Array(ArrayValue::table(flat(&default), flattened())),
        );
    }
    if let Some(function) = pool.find_function(&format!("lambdas.m{number}")) {
        let entries = flattened()
            .map(|(index, value)| (vec![index], value))
            .collect();
        let default = flat(&default);
        model.set_function(function, FunctionValue { default, entries });
    }
}
