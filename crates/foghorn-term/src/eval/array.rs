//! Values of arrays, memories and finite maps: total functions made of finitely many pieces.
//!
//! A function is cut at boundaries into segments of the (ordered) domain. On each segment it is a constant or a shifted
//! λ. Invariants (the canonical form, kept by every operation): no segment is empty and neighbouring segments differ, so
//! that derived equality is extensional equality as long as no λ is involved. All operations share structure; a range
//! operation costs the pieces it touches, not the length of the range.

use super::value::Value;
use crate::op::BoundId;
use crate::pool::TermId;
use crate::value::BitVecValue;
use imbl::OrdMap;
use num_bigint::BigInt;
use std::sync::Arc;

/// A λ with the values of the variables bound around it.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Closure {
    pub(super) bound: BoundId,
    pub(super) body: TermId,
    pub(super) environment: Vec<(BoundId, Value)>,
}

/// What the function is on one segment.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) enum Piece {
    Constant(Arc<Value>),
    /// The λ at the index plus the shift.
    Closure(Arc<Closure>, Option<Arc<Value>>),
}

/// A cut just before a value, or just after one that has no successor.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Boundary {
    value: Value,
    after: bool,
}

/// A total function with finitely many pieces.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ArrayValue {
    /// The piece before the first boundary.
    first: Piece,
    rest: OrdMap<Boundary, Piece>,
}

/// The boundary after `value`; `None` when nothing follows it.
fn boundary_after(value: &Value) -> Option<Boundary> {
    match value.successor() {
        Some(Some(value)) => Some(Boundary {
            value,
            after: false,
        }),
        Some(None) => None,
        None => Some(Boundary {
            value: value.clone(),
            after: true,
        }),
    }
}

impl ArrayValue {
    /// The function that is `value` everywhere.
    pub fn constant(value: Value) -> Self {
        ArrayValue {
            first: Piece::Constant(Arc::new(value)),
            rest: OrdMap::new(),
        }
    }

    /// The function that a λ denotes.
    pub(super) fn closure(closure: Closure) -> Self {
        ArrayValue {
            first: Piece::Closure(Arc::new(closure), None),
            rest: OrdMap::new(),
        }
    }

    /// A function given by its default and its exceptions.
    pub fn table(default: Value, entries: impl IntoIterator<Item = (Value, Value)>) -> Self {
        entries
            .into_iter()
            .fold(Self::constant(default), |array, (index, value)| {
                array.store(index, value)
            })
    }

    fn piece_before(&self, boundary: &Boundary) -> &Piece {
        match self.rest.get_prev(boundary) {
            Some((_, piece)) => piece,
            None => &self.first,
        }
    }

    pub(super) fn piece_at(&self, index: &Value) -> &Piece {
        self.piece_before(&Boundary {
            value: index.clone(),
            after: false,
        })
    }

    /// The element at `index`, unless a λ has to be evaluated for it.
    pub fn get(&self, index: &Value) -> Option<&Value> {
        match self.piece_at(index) {
            Piece::Constant(value) => Some(value),
            Piece::Closure(..) => None,
        }
    }

    /// Whether no λ is part of this value.
    pub fn is_table(&self) -> bool {
        let constant = |piece: &Piece| matches!(piece, Piece::Constant(_));
        constant(&self.first) && self.rest.values().all(constant)
    }

    /// The pieces with the first index of each (`None` for the one that starts the domain), if no λ is involved. A piece
    /// reaches up to the next one.
    pub fn segments(&self) -> Option<Vec<(Option<Value>, Value)>> {
        let value = |piece: &Piece| match piece {
            Piece::Constant(value) => Some((**value).clone()),
            Piece::Closure(..) => None,
        };
        let mut segments = vec![(None, value(&self.first)?)];
        for (boundary, piece) in &self.rest {
            segments.push((Some(boundary.value.clone()), value(piece)?));
        }
        Some(segments)
    }

    /// The function with `value` at `index`.
    #[must_use]
    pub fn store(&self, index: Value, value: Value) -> Self {
        let end = boundary_after(&index);
        self.replace(index, end.as_ref(), Piece::Constant(Arc::new(value)))
    }

    /// The function with `value` at all indices from `from` to `to`, both included.
    #[must_use]
    pub fn store_range(&self, from: Value, to: &Value, value: Value) -> Self {
        debug_assert!(from <= *to);
        let end = boundary_after(to);
        self.replace(from, end.as_ref(), Piece::Constant(Arc::new(value)))
    }

    fn replace(&self, from: Value, end: Option<&Boundary>, piece: Piece) -> Self {
        let start = Boundary {
            value: from,
            after: false,
        };
        self.splice(&start, end, &[(start.clone(), piece)])
    }

    /// Replaces everything between `start` and `end` by these pieces, the first of which starts at `start`.
    fn splice(
        &self,
        start: &Boundary,
        end: Option<&Boundary>,
        pieces: &[(Boundary, Piece)],
    ) -> Self {
        let resumed = end.map(|end| (end.clone(), self.piece_before(end).clone()));
        let inside: Vec<Boundary> = match end {
            Some(end) => self
                .rest
                .range(start.clone()..=end.clone())
                .map(|(b, _)| b.clone())
                .collect(),
            None => self
                .rest
                .range(start.clone()..)
                .map(|(b, _)| b.clone())
                .collect(),
        };
        let mut result = self.clone();
        for boundary in inside {
            result.rest.remove(&boundary);
        }
        for (boundary, piece) in pieces.iter().cloned().chain(resumed) {
            result.append(boundary, piece);
        }
        result
    }

    /// Starts a segment, keeping the canonical form. The boundary is not there yet, and what follows it differs: it is
    /// either appended next or was the neighbour of an equal piece before.
    fn append(&mut self, boundary: Boundary, piece: Piece) {
        if !boundary.after && boundary.value.is_least() {
            self.first = piece;
        } else if self.piece_before(&boundary) != &piece {
            self.rest.insert(boundary, piece);
        }
    }

    /// The function that is `source` shifted by `shift` between `from` and `to`: at index i it is `source(i + shift)`.
    /// The shifted range must not wrap around.
    pub(super) fn copy_range(
        &self,
        from: &Value,
        to: &Value,
        source: &ArrayValue,
        shift: &Shift,
    ) -> Self {
        let start = Boundary {
            value: shift.apply(from),
            after: false,
        };
        let stop = Boundary {
            value: shift.apply(to),
            after: false,
        };
        let target = Boundary {
            value: from.clone(),
            after: false,
        };
        let mut pieces = vec![(target.clone(), shift.piece(source.piece_before(&start)))];
        let inside = (
            std::ops::Bound::Excluded(start),
            std::ops::Bound::Included(stop),
        );
        for (boundary, piece) in source.rest.range(inside) {
            let value = shift.undo(&boundary.value);
            pieces.push((
                Boundary {
                    value,
                    after: boundary.after,
                },
                shift.piece(piece),
            ));
        }
        self.splice(&target, boundary_after(to).as_ref(), &pieces)
    }
}

/// Translation of indices, modulo 2^width where the index is a bit-vector.
pub(super) enum Shift {
    Bits(BitVecValue),
    Int(BigInt),
    /// From one object's offsets to another's.
    Pointer {
        to_base: BitVecValue,
        from_base: BitVecValue,
        offset: BitVecValue,
    },
}

impl Shift {
    pub fn apply(&self, index: &Value) -> Value {
        match self {
            Shift::Bits(by) => Value::BitVec(index.as_bitvec().add(by)),
            Shift::Int(by) => Value::Int(index.as_int() + by),
            Shift::Pointer {
                to_base, offset, ..
            } => Value::Pointer {
                base: to_base.clone(),
                offset: index.as_pointer().1.add(offset),
            },
        }
    }

    fn undo(&self, index: &Value) -> Value {
        match self {
            Shift::Bits(by) => Value::BitVec(index.as_bitvec().sub(by)),
            Shift::Int(by) => Value::Int(index.as_int() - by),
            Shift::Pointer {
                from_base, offset, ..
            } => Value::Pointer {
                base: from_base.clone(),
                offset: index.as_pointer().1.sub(offset),
            },
        }
    }

    fn piece(&self, piece: &Piece) -> Piece {
        let by = match self {
            Shift::Bits(by) if !by.is_zero() => Value::BitVec(by.clone()),
            Shift::Int(by) if by != &BigInt::ZERO => Value::Int(by.clone()),
            // Memories hold no λ, so their pieces do not move.
            Shift::Bits(_) | Shift::Int(_) | Shift::Pointer { .. } => return piece.clone(),
        };
        match piece {
            Piece::Constant(_) => piece.clone(),
            Piece::Closure(closure, old) => {
                let total = match old {
                    None => by,
                    Some(old) => add(old, &by),
                };
                Piece::Closure(closure.clone(), Some(Arc::new(total)))
            }
        }
    }
}

/// Sum of two indices.
pub(super) fn add(a: &Value, b: &Value) -> Value {
    match a {
        Value::BitVec(a) => Value::BitVec(a.add(b.as_bitvec())),
        other => Value::Int(other.as_int() + b.as_int()),
    }
}
