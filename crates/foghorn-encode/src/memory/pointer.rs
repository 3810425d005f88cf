//! Pointers in normal form: `ptr(base, offset)`, under `ite`s only where the bases differ.
//!
//! Figure 4.3 of the thesis (`ptr(b, o) + d = ptr(b, o + d)`) pushed through `ite`, and `ite(c, ptr(b, o), ptr(b, o')) =
//! ptr(b, ite(c, o, o'))`. The latter keeps a cursor that moves through one object as small as its moves, where pushing
//! the moves to the leaves would be quadratic. A pointer of which nothing is known is `ptr(base(p), offset(p))`.

use super::restrict::chosen;
use foghorn_term::{Op, TermId, TermPool};
use rustc_hash::FxHashMap;

/// Normal forms, remembered for the terms of one pool.
#[derive(Default)]
pub(super) struct Pointers {
    normal: FxHashMap<TermId, TermId>,
    moved: FxHashMap<(TermId, TermId), TermId>,
    flat: FxHashMap<TermId, TermId>,
    halves: FxHashMap<TermId, (TermId, TermId)>,
    stack: Vec<TermId>,
    moves: Vec<(TermId, TermId)>,
}

impl Pointers {
    /// The normal form of a pointer.
    pub fn normal(&mut self, pool: &mut TermPool, pointer: TermId) -> TermId {
        if pool.op(pointer) == Op::Pointer {
            return pointer;
        }
        if let Some(&normal) = self.normal.get(&pointer) {
            return normal;
        }
        let mut stack = std::mem::take(&mut self.stack);
        stack.push(pointer);
        while let Some(&top) = stack.last() {
            if self.normal.contains_key(&top) {
                stack.pop();
                continue;
            }
            let waiting = stack.len();
            for &child in inner_pointers(pool, top) {
                if !self.normal.contains_key(&child) {
                    stack.push(child);
                }
            }
            if stack.len() == waiting {
                stack.pop();
                let normal = self.compute(pool, top);
                self.normal.insert(top, normal);
                self.normal.insert(normal, normal);
            }
        }
        self.stack = stack;
        self.normal[&pointer]
    }

    fn compute(&mut self, pool: &mut TermPool, pointer: TermId) -> TermId {
        match pool.op(pointer) {
            Op::Pointer => pointer,
            Op::PointerAdd => {
                let [inner, by] = children(pool, pointer);
                self.moved(pool, self.normal[&inner], by)
            }
            Op::Ite => {
                let [condition, then, otherwise] = children(pool, pointer);
                choose(pool, condition, self.normal[&then], self.normal[&otherwise])
            }
            _ => {
                let base = pool.pointer_base(pointer);
                let offset = pool.pointer_offset(pointer);
                pool.pointer(base, offset)
            }
        }
    }

    /// A pointer in normal form moved by a number of bytes, in normal form.
    pub fn moved(&mut self, pool: &mut TermPool, pointer: TermId, by: TermId) -> TermId {
        if pool
            .as_bitvec(by)
            .is_some_and(foghorn_term::BitVecValue::is_zero)
        {
            return pointer;
        }
        if pool.op(pointer) == Op::Pointer {
            let [base, offset] = children(pool, pointer);
            let offset = pool.bv_add(offset, by);
            return pool.pointer(base, offset);
        }
        let mut moves = std::mem::take(&mut self.moves);
        moves.push((pointer, by));
        while let Some(&(top, by)) = moves.last() {
            if self.moved.contains_key(&(top, by)) {
                moves.pop();
                continue;
            }
            let moved = match pool.op(top) {
                Op::Pointer => {
                    let [base, offset] = children(pool, top);
                    let offset = pool.bv_add(offset, by);
                    Some(pool.pointer(base, offset))
                }
                Op::Ite => {
                    let [condition, then, otherwise] = children(pool, top);
                    let known = [then, otherwise].map(|side| self.moved.get(&(side, by)).copied());
                    match known {
                        [Some(then), Some(otherwise)] => {
                            Some(choose(pool, condition, then, otherwise))
                        }
                        [None, _] => {
                            moves.push((then, by));
                            None
                        }
                        [Some(_), None] => {
                            moves.push((otherwise, by));
                            None
                        }
                    }
                }
                other => unreachable!("invariant: {other:?} is in no normal form of a pointer"),
            };
            if let Some(moved) = moved {
                moves.pop();
                self.moved.insert((top, by), moved);
                self.normal.insert(moved, moved);
            }
        }
        self.moves = moves;
        self.moved[&(pointer, by)]
    }

    /// Base and offset of a pointer in normal form, `ite`s pushed into both.
    pub fn halves(&mut self, pool: &mut TermPool, pointer: TermId) -> (TermId, TermId) {
        let mut stack = std::mem::take(&mut self.stack);
        stack.push(pointer);
        while let Some(&top) = stack.last() {
            if self.halves.contains_key(&top) {
                stack.pop();
                continue;
            }
            let halves = match pool.op(top) {
                Op::Pointer => {
                    let [base, offset] = children(pool, top);
                    (base, offset)
                }
                Op::Ite => {
                    let [condition, then, otherwise] = children(pool, top);
                    match (self.halves.get(&then), self.halves.get(&otherwise)) {
                        (Some(&(base, offset)), Some(&(other_base, other_offset))) => {
                            let base = pool.ite(condition, base, other_base);
                            (base, pool.ite(condition, offset, other_offset))
                        }
                        (None, _) => {
                            stack.push(then);
                            continue;
                        }
                        (Some(_), None) => {
                            stack.push(otherwise);
                            continue;
                        }
                    }
                }
                other => unreachable!("invariant: {other:?} is in no normal form of a pointer"),
            };
            stack.pop();
            self.halves.insert(top, halves);
        }
        self.stack = stack;
        self.halves[&pointer]
    }

    /// A pointer as one bit-vector, the base in the high half.
    pub fn flat(&mut self, pool: &mut TermPool, pointer: TermId) -> TermId {
        let normal = self.normal(pool, pointer);
        let mut stack = std::mem::take(&mut self.stack);
        stack.push(normal);
        while let Some(&top) = stack.last() {
            if self.flat.contains_key(&top) {
                stack.pop();
                continue;
            }
            let flat = match pool.op(top) {
                Op::Pointer => {
                    let [base, offset] = children(pool, top);
                    Some(flat_pair(pool, base, offset))
                }
                Op::Ite => {
                    let [condition, then, otherwise] = children(pool, top);
                    match (self.flat.get(&then), self.flat.get(&otherwise)) {
                        (Some(&then), Some(&otherwise)) => {
                            Some(pool.ite(condition, then, otherwise))
                        }
                        (None, _) => {
                            stack.push(then);
                            None
                        }
                        (Some(_), None) => {
                            stack.push(otherwise);
                            None
                        }
                    }
                }
                other => unreachable!("invariant: {other:?} is in no normal form of a pointer"),
            };
            if let Some(flat) = flat {
                stack.pop();
                self.flat.insert(top, flat);
            }
        }
        self.stack = stack;
        self.flat[&normal]
    }
}

/// Base and offset side by side; the two halves of one bit-vector are that bit-vector again.
fn flat_pair(pool: &mut TermPool, base: TermId, offset: TermId) -> TermId {
    let width = pool.width(base);
    if let (Op::Extract(high, low), Op::Extract(below, 0)) = (pool.op(base), pool.op(offset))
        && low == width
        && below + 1 == width
        && high + 1 == 2 * width
    {
        let (whole, same) = (pool.child(base, 0), pool.child(offset, 0));
        if whole == same && pool.width(whole) == 2 * width {
            return whole;
        }
    }
    pool.concat(base, offset)
}

/// The pointer that a flattened one stands for.
pub(super) fn unflattened(pool: &mut TermPool, flat: TermId, width: u32) -> TermId {
    let base = pool.extract(2 * width - 1, width, flat);
    let offset = pool.extract(width - 1, 0, flat);
    pool.pointer(base, offset)
}

/// `ite` of pointers in normal form, in normal form: where both choose between the same bases by the same conditions, the
/// offsets choose, so that a cursor through one of two objects has two leaves wherever it may be.
pub(super) fn choose(
    pool: &mut TermPool,
    condition: TermId,
    then: TermId,
    otherwise: TermId,
) -> TermId {
    if then == otherwise {
        return then;
    }
    let mut shape = Vec::new();
    if !same_shape(pool, then, otherwise, &mut shape) {
        return chosen(pool, condition, then, otherwise);
    }
    let mut built: Vec<TermId> = Vec::new();
    for node in shape {
        let pointer = match node {
            Shape::Leaf(a, b) => {
                let [base, offset] = children(pool, a);
                let other_offset = pool.child(b, 1);
                let offset = pool.ite(condition, offset, other_offset);
                pool.pointer(base, offset)
            }
            Shape::Choice(condition) => {
                let (otherwise, then) = (built.pop(), built.pop());
                let both = then.zip(otherwise);
                let (then, otherwise) = both.expect("invariant: the sides come before");
                pool.ite(condition, then, otherwise)
            }
        };
        built.push(pointer);
    }
    built
        .pop()
        .expect("invariant: a shape is of one pointer at least")
}

/// Nodes up to which the shapes of two pointers are compared.
const MOST_NODES: usize = 16;

/// A node of two pointers of one shape, the sides of a choice before it.
enum Shape {
    Leaf(TermId, TermId),
    Choice(TermId),
}

/// Whether two pointers choose between the same bases by the same conditions; their nodes in post-order.
fn same_shape(pool: &TermPool, a: TermId, b: TermId, shape: &mut Vec<Shape>) -> bool {
    enum Task {
        Compare(TermId, TermId),
        Done(TermId),
    }
    let mut tasks = vec![Task::Compare(a, b)];
    while let Some(task) = tasks.pop() {
        match task {
            Task::Done(condition) => shape.push(Shape::Choice(condition)),
            Task::Compare(a, b) => match (pool.op(a), pool.op(b)) {
                (Op::Pointer, Op::Pointer) if pool.child(a, 0) == pool.child(b, 0) => {
                    shape.push(Shape::Leaf(a, b));
                }
                (Op::Ite, Op::Ite) if pool.child(a, 0) == pool.child(b, 0) => {
                    tasks.push(Task::Done(pool.child(a, 0)));
                    tasks.push(Task::Compare(pool.child(a, 2), pool.child(b, 2)));
                    tasks.push(Task::Compare(pool.child(a, 1), pool.child(b, 1)));
                }
                _ => return false,
            },
        }
        if shape.len() + tasks.len() > MOST_NODES {
            return false;
        }
    }
    true
}

/// The children of a term whose operator has that many.
pub(super) fn children<const N: usize>(pool: &TermPool, term: TermId) -> [TermId; N] {
    pool.child_array(term)
        .expect("invariant: the operator has that many children")
}

/// The pointers that a pointer is made of.
fn inner_pointers(pool: &TermPool, pointer: TermId) -> &[TermId] {
    let children = pool.children(pointer);
    match pool.op(pointer) {
        Op::PointerAdd => &children[..1],
        Op::Ite => &children[1..],
        _ => &[],
    }
}
