//! Numbers on a path: literals, unknown values, what is assumed and what follows from it.

use super::{Interrupt, State, Step};
use crate::clauses::Maker;
use crate::datum::{Datum, Pointer};
use crate::layout::CellKind;
use crate::objects::{NULL, UNKNOWN};
use foghorn_core::SpanId;
use foghorn_encode::integers::{Integers, Range, Value};
use foghorn_ir::Type;
use foghorn_term::{Op, Sort, TermId, TermPool};
use num_bigint::BigInt;

/// Splits of one path, after which cases become `ite` terms.
const MOST_SPLITS: usize = 8;

impl Maker<'_> {
    /// The literal of a width.
    pub fn literal(&mut self, width: u32, bits: u128) -> Value {
        self.integers.literal(&mut self.pool, width, bits)
    }

    /// A number as wide as a pointer.
    pub fn distance(&mut self, bytes: i64) -> Value {
        let width = self.pointer_bits;
        let bits = foghorn_ir::body::truncate(i128::from(bytes).cast_unsigned(), width);
        self.literal(width, bits)
    }

    /// Any number of a width.
    pub fn any_number(&mut self, name: &str, width: u32) -> Value {
        let symbol = self.pool.fresh_symbol(name, self.integers.sort(width));
        self.note_validity(width, symbol);
        self.integers.any(width, symbol)
    }

    /// What is true of a symbol that stands for a number.
    pub fn note_validity(&mut self, width: u32, symbol: TermId) {
        let validity = self.integers.validity(&mut self.pool, width, symbol);
        self.true_of.entry(symbol).or_default().extend(validity);
        if width > 1 {
            self.ranges.insert(symbol, Range::signed(width));
        }
    }

    /// Any pointer: to any object, null, or to none.
    pub fn any_pointer(&mut self, name: &str) -> Pointer {
        let object = self.pool.fresh_symbol(name, Sort::Int);
        let offset = self.any_number(name, self.pointer_bits);
        Pointer { object, offset }
    }

    /// A pointer that belongs to no object.
    pub fn unknown_pointer(&mut self) -> Pointer {
        self.pointer_to(UNKNOWN, 0)
    }

    /// The start of nothing.
    pub fn null_pointer(&mut self) -> Pointer {
        self.pointer_to(NULL, 0)
    }

    pub fn pointer_to(&mut self, object: i64, offset: i64) -> Pointer {
        Pointer {
            object: self.pool.int(object),
            offset: self.distance(offset),
        }
    }

    /// The bits of a type's values.
    pub fn width_of(&self, ty: Type) -> u32 {
        match ty {
            Type::Int(width) => width.into(),
            Type::F32 => 32,
            Type::F64 => 64,
            Type::Ptr => self.pointer_bits,
            Type::Memory(_) => unreachable!("invariant: memories are no numbers"),
        }
    }

    /// Any value of a type that is not contents.
    pub fn any_datum(&mut self, name: &str, ty: Type) -> Datum {
        match ty {
            Type::Ptr => Datum::Pointer(self.any_pointer(name)),
            Type::Int(_) | Type::F32 | Type::F64 | Type::Memory(_) => {
                let width = self.width_of(ty);
                Datum::number(self.any_number(name, width))
            }
        }
    }

    /// What a cell holds that nobody has written: any number, a pointer to no object.
    pub fn unwritten(&mut self, cell: CellKind) -> Datum {
        match cell {
            CellKind::Number { width } => Datum::number(self.any_number("unwritten", width)),
            CellKind::Pointer if self.has_external_contents => {
                Datum::Pointer(self.any_pointer("unwritten"))
            }
            CellKind::Pointer => Datum::Pointer(self.unknown_pointer()),
        }
    }

    /// What a cell holds that may hold anything.
    pub fn any_cell(&mut self, cell: CellKind) -> Datum {
        match cell {
            CellKind::Number { width } => Datum::number(self.any_number("anything", width)),
            CellKind::Pointer => Datum::Pointer(self.any_pointer("anything")),
        }
    }

    /// Notes what the integers could not say exactly.
    pub fn note_havocs(&mut self, span: SpanId) {
        for havoc in self.integers.take_havocs() {
            let known = self.true_of.entry(havoc.symbol).or_default();
            known.push(havoc.assumption);
            self.note_imprecision(&havoc.operation, span);
        }
    }

    /// Something is over-approximated.
    pub fn note_imprecision(&mut self, what: &str, span: SpanId) {
        if !self.imprecisions.iter().any(|(known, _)| known == what) {
            self.imprecisions.push((what.to_owned(), span));
        }
    }

    /// One of two values, by a condition.
    pub fn select(&mut self, condition: TermId, then: &Datum, otherwise: &Datum) -> Datum {
        match (then, otherwise) {
            (Datum::Number { value: a, .. }, Datum::Number { value: b, .. }) => {
                Datum::number(self.select_value(condition, a, b))
            }
            (Datum::Pointer(a), Datum::Pointer(b)) => Datum::Pointer(Pointer {
                object: self.pool.ite(condition, a.object, b.object),
                offset: self.select_value(condition, &a.offset, &b.offset),
            }),
            _ => unreachable!("invariant: values of one type are selected"),
        }
    }

    pub fn select_value(&mut self, condition: TermId, then: &Value, otherwise: &Value) -> Value {
        self.integers
            .select(&mut self.pool, condition, then, otherwise)
    }

    /// What holds from here on; no execution goes on if it cannot.
    pub fn assume(&mut self, state: &mut State, condition: TermId) -> Step<()> {
        if let Some(known) = self.known(state, condition) {
            return if known {
                Ok(())
            } else {
                Err(Interrupt::Stopped)
            };
        }
        if self.pool.op(condition) == Op::And {
            for part in self.pool.children(condition).to_vec() {
                self.assume(state, part)?;
            }
            return Ok(());
        }
        if self.pool.op(condition) == Op::Not {
            let inner = self.pool.child(condition, 0);
            if self.pool.op(inner) == Op::Or {
                for part in self.pool.children(inner).to_vec() {
                    let part = self.pool.not(part);
                    self.assume(state, part)?;
                }
                return Ok(());
            }
        }
        let opposite = self.pool.not(condition);
        state.decided.insert(condition, true);
        state.decided.insert(opposite, false);
        state.constraints.push(condition);
        self.refine(state, condition)
    }

    /// Whether a condition is known to hold, or not to.
    pub fn known(&self, state: &State, condition: TermId) -> Option<bool> {
        if let Some(literal) = self.pool.as_bool(condition) {
            return Some(literal);
        }
        if let Some(decided) = state.decided.get(&condition) {
            return Some(*decided);
        }
        let op = self.pool.op(condition);
        let decisive = match op {
            Op::And => false,
            Op::Or => true,
            Op::Not => {
                return self
                    .known(state, self.pool.child(condition, 0))
                    .map(|it| !it);
            }
            _ => return None,
        };
        let mut all = true;
        for part in self.pool.children(condition) {
            match self.known(state, *part) {
                Some(known) if known == decisive => return Some(decisive),
                Some(_) => {}
                None => all = false,
            }
        }
        all.then_some(!decisive)
    }

    /// Whether a condition holds; `None` if the path has split too often to find out.
    pub fn decide(&mut self, state: &State, condition: TermId) -> Step<Option<bool>> {
        match self.known(state, condition) {
            Some(known) => Ok(Some(known)),
            None if state.splits < MOST_SPLITS => Err(Interrupt::Split(condition)),
            None => Ok(None),
        }
    }

    /// Narrows ranges by a comparison of numbers.
    fn refine(&mut self, state: &mut State, condition: TermId) -> Step<()> {
        let (term, holds) = match self.pool.op(condition) {
            Op::Not => (self.pool.child(condition, 0), false),
            _ => (condition, true),
        };
        let op = self.pool.op(term);
        if !matches!(op, Op::IntLe | Op::IntLt | Op::Equal) {
            return Ok(());
        }
        let (left, right) = (self.pool.child(term, 0), self.pool.child(term, 1));
        if self.pool.sort(left) != Sort::Int {
            return Ok(());
        }
        match (op, holds) {
            (Op::IntLe, true) => self.order(state, left, right, 0),
            (Op::IntLt, true) => self.order(state, left, right, 1),
            (Op::IntLe, false) => self.order(state, right, left, 1),
            (Op::IntLt, false) => self.order(state, right, left, 0),
            (Op::Equal, true) => {
                self.order(state, left, right, 0)?;
                self.order(state, right, left, 0)
            }
            _ => Ok(()),
        }
    }

    /// `left + gap <= right`
    fn order(&mut self, state: &mut State, left: TermId, right: TermId, gap: u32) -> Step<()> {
        if let Some(most) = self.range_of(state, right).map(|it| it.high) {
            self.bound(state, left, None, Some(most - gap))?;
        }
        if let Some(least) = self.range_of(state, left).map(|it| it.low) {
            self.bound(state, right, Some(least + gap), None)?;
        }
        Ok(())
    }

    fn bound(
        &mut self,
        state: &mut State,
        term: TermId,
        low: Option<BigInt>,
        high: Option<BigInt>,
    ) -> Step<()> {
        let Some(known) = self.range_of(state, term) else {
            return Ok(());
        };
        if self.pool.as_int(term).is_some() {
            return Ok(());
        }
        let range = Range {
            low: low.map_or(known.low.clone(), |low| low.max(known.low)),
            high: high.map_or(known.high.clone(), |high| high.min(known.high)),
        };
        if range.low > range.high {
            return Err(Interrupt::Stopped);
        }
        state.ranges.insert(term, range);
        Ok(())
    }

    /// What is known of a number on a path.
    pub fn range_of(&self, state: &State, term: TermId) -> Option<Range> {
        if let Some(number) = self.pool.as_int(term) {
            return Some(Range::one(number.clone()));
        }
        let here = state.ranges.get(&term);
        here.or_else(|| self.ranges.get(&term)).cloned()
    }

    /// A value with what the path knows of it.
    pub fn narrow(&self, state: &State, value: &Value) -> Value {
        match state.ranges.get(&value.term) {
            Some(range) => value.within(range),
            None => value.clone(),
        }
    }
}

/// The integers of a form.
pub fn integers(form: crate::form::IntegerForm) -> Box<dyn Integers> {
    match form {
        crate::form::IntegerForm::Linear => Box::<foghorn_encode::integers::Linear>::default(),
        crate::form::IntegerForm::Bits => Box::new(foghorn_encode::integers::Bits),
    }
}

/// The conjunction of terms.
pub fn all(pool: &mut TermPool, terms: &[TermId]) -> TermId {
    match terms {
        [] => pool.bool(true),
        [one] => *one,
        many => pool.and(many),
    }
}
