//! Programs over data structures, in the manner of §8.1 of the SEAM thesis: pointers that depend on what was decided
//! before, under nested `ite`s, and indices that are bounded but unknown.
//!
//! The bounds are those of the thesis' benchmark, the proofs of `aws-c-common` in `verify-c-common`: buffers of 10 bytes,
//! strings of 16, lists of 5 nodes, hash tables of 4 entries, priority queues of 5 items; array lists, for which it sets
//! none, hold as many items as a buffer has bytes, and a ring buffer the power of two below that. Buffers are put together
//! from 3 pieces, as `aws_byte_buf_cat`'s proof does. They are not to be changed for a ratio.

use super::machine::{Machine, WIDTH};
use foghorn_term::{Sort, TermId};

/// Bytes of a buffer.
pub(super) const BUFFER: u64 = 10;
const STRING: u64 = 16;
const LIST: u64 = 5;
const TABLE: u64 = 4;
const QUEUE: u64 = 5;
const RING: u64 = 8;
const PIECES: u64 = 3;

/// A program with the group that it is reported in.
pub(super) type Program = (&'static str, &'static str, fn(&mut Machine));

/// The programs, group by group.
pub(super) const PROGRAMS: [Program; 12] = [
    ("linked_list", "push", |machine| list_push(machine, LIST)),
    ("linked_list", "push-two", list_push_two),
    ("array_list", "swap", |machine| {
        array_list_swap(machine, BUFFER);
    }),
    ("array_list", "push", |machine| {
        array_list_push(machine, BUFFER);
    }),
    ("byte_buf", "append", |machine| {
        buffer_append(machine, PIECES);
    }),
    ("byte_buf", "append-chosen", buffer_append_chosen),
    ("byte_cursor", "advance", |machine| {
        cursor_advance(machine, BUFFER);
    }),
    ("byte_cursor", "read", cursor_read),
    ("hash_table", "put", hash_table_put),
    ("priority_queue", "sift", priority_queue),
    ("ring_buffer", "turn", ring_buffer),
    ("string", "compare", |machine| {
        string_compare(machine, STRING);
    }),
];

pub(super) fn check_equal(machine: &mut Machine, a: TermId, b: TermId) {
    let equal = machine.pool.equal(a, b);
    machine.check(equal);
}

pub(super) fn check_implied(machine: &mut Machine, condition: TermId, a: TermId, b: TermId) {
    let equal = machine.pool.equal(a, b);
    let implied = machine.pool.implies(condition, equal);
    machine.check(implied);
}

/// Pushes a node where the condition holds; the new head.
fn push(machine: &mut Machine, head: TermId, node: TermId, value: TermId, when: TermId) -> TermId {
    let next = machine.plus(node, 8);
    machine.when(when, |machine| {
        machine.store(node, value);
        machine.store_pointer(next, head);
    });
    machine.pool.ite(when, node, head)
}

/// The empty list: a node that comes after itself and holds nothing.
pub(super) fn sentinel(machine: &mut Machine) -> TermId {
    let (node, nothing) = (machine.object(), machine.pool.bv_zero(32));
    let next = machine.plus(node, 8);
    machine.store(node, nothing);
    machine.store_pointer(next, node);
    node
}

/// The exclusive or of the values in a list of at most `most` nodes.
pub(super) fn list_content(machine: &mut Machine, head: TermId, most: u64) -> TermId {
    let (mut at, mut content) = (head, machine.pool.bv_zero(32));
    for _ in 0..most {
        let value = machine.load(at);
        content = machine.pool.bv_xor(content, value);
        let link = machine.plus(at, 8);
        at = machine.load_pointer(link);
    }
    content
}

/// What is pushed is what a walk meets.
fn list_push(machine: &mut Machine, count: u64) {
    let zero = machine.pool.bv_zero(32);
    let (mut head, mut expected) = (sentinel(machine), zero);
    for _ in 0..count {
        let (node, value, when) = (machine.object(), machine.any_int(), machine.any_bool());
        head = push(machine, head, node, value, when);
        let pushed = machine.pool.ite(when, value, zero);
        expected = machine.pool.bv_xor(expected, pushed);
    }
    let content = list_content(machine, head, count);
    check_equal(machine, content, expected);
}

/// Two lists share no node: a push to one does not change the other.
fn list_push_two(machine: &mut Machine) {
    let empty = [sentinel(machine), sentinel(machine)];
    let mut heads = empty;
    for _ in 0..LIST {
        for head in &mut heads {
            let (node, value, when) = (machine.object(), machine.any_int(), machine.any_bool());
            *head = push(machine, *head, node, value, when);
        }
    }
    let before = list_content(machine, heads[0], LIST);
    let (node, value, when) = (machine.object(), machine.any_int(), machine.any_bool());
    push(machine, heads[1], node, value, when);
    let other_empty = machine.pool.equal(heads[1], empty[1]);
    let not_empty = machine.pool.not(other_empty);
    machine.when(not_empty, |machine| machine.store(heads[1], value));
    let after = list_content(machine, heads[0], LIST);
    check_equal(machine, before, after);
}

/// Swapping two elements at unknown indices moves these two and nothing else.
pub(super) fn array_list_swap(machine: &mut Machine, size: u64) {
    let (list, other) = (machine.object(), machine.object());
    for index in 0..size {
        for array in [list, other] {
            let (place, value) = (machine.element(array, index), machine.any_int());
            machine.store(place, value);
        }
    }
    let chosen = machine.any_bool();
    let kept = machine.any_below(size);
    for _ in 0..3 {
        let (i, j) = (machine.any_below(size), machine.any_below(size));
        let (a, b) = (machine.element_at(list, i), machine.element_at(list, j));
        let either = machine.pool.ite(chosen, list, other);
        let place = machine.element_at(either, kept);
        let before = machine.load(place);
        let (x, y) = (machine.load(a), machine.load(b));
        machine.store(a, y);
        machine.store(b, x);
        let after = machine.load(place);
        let (at_i, at_j) = (machine.pool.equal(kept, i), machine.pool.equal(kept, j));
        let moved = machine.pool.or(&[at_i, at_j]);
        let moved = machine.pool.and(&[chosen, moved]);
        let still = machine.pool.not(moved);
        check_implied(machine, still, before, after);
        let (now, _) = (machine.load(a), machine.load(b));
        check_equal(machine, now, y);
    }
}

/// A push to a list whose storage was moved or not keeps what was there.
fn array_list_push(machine: &mut Machine, size: u64) {
    let (mut storage, mut expected) = (machine.object(), Vec::new());
    for index in 0..size {
        let (value, grows) = (machine.any_int(), machine.any_bool());
        let (old, larger) = (storage, machine.object());
        let used = machine.pool.bv(WIDTH, 4 * index);
        machine.when(grows, |machine| machine.copy_ints(larger, old, used));
        storage = machine.pool.ite(grows, larger, old);
        let place = machine.element(storage, index);
        machine.store(place, value);
        expected.push(value);
    }
    for (index, value) in (0..size).zip(expected) {
        let place = machine.element(storage, index);
        let stored = machine.load(place);
        check_equal(machine, stored, value);
    }
}

/// Appending pieces of unknown length: what was there stays, what comes is the source.
fn buffer_append(machine: &mut Machine, pieces: u64) {
    let (buffer, source) = (machine.object(), machine.object());
    let mut length = machine.pool.bv_zero(WIDTH);
    let probe = machine.any_below(BUFFER);
    for _ in 0..pieces {
        let count = machine.any_below(BUFFER + 1);
        let place = machine.pool.pointer_add(buffer, probe);
        let before = machine.load_byte(place);
        let end = machine.pool.pointer_add(buffer, length);
        machine.copy_bytes(end, source, count);
        let after = machine.load_byte(place);
        let old = machine.pool.bv_ult(probe, length);
        check_implied(machine, old, before, after);
        let from = machine.pool.pointer_add(source, probe);
        let to = machine.pool.pointer_add(end, probe);
        let (copied, original) = (machine.load_byte(to), machine.load_byte(from));
        let new = machine.pool.bv_ult(probe, count);
        check_implied(machine, new, copied, original);
        length = machine.pool.bv_add(length, count);
    }
}

/// Appending to one of two buffers leaves a third one alone.
fn buffer_append_chosen(machine: &mut Machine) {
    let (one, two, third) = (machine.object(), machine.object(), machine.object());
    let probe = machine.any_below(BUFFER);
    let place = machine.pool.pointer_add(third, probe);
    let before = machine.load_byte(place);
    for _ in 0..BUFFER {
        let chosen = machine.any_bool();
        let buffer = machine.pool.ite(chosen, one, two);
        let at = machine.any_below(BUFFER);
        let (to, value) = (
            machine.pool.pointer_add(buffer, at),
            machine.any(Sort::BitVec(8)),
        );
        machine.store_byte(to, value);
        let written = machine.load_byte(to);
        check_equal(machine, written, value);
        let after = machine.load_byte(place);
        check_equal(machine, before, after);
    }
}

/// A cursor that moves or stays writes behind itself only.
pub(super) fn cursor_advance(machine: &mut Machine, steps: u64) {
    let (text, spare) = (machine.object(), machine.object());
    let tail: Vec<TermId> = (0..4).map(|_| machine.any(Sort::BitVec(8))).collect();
    for (index, &value) in (steps..).zip(&tail) {
        for object in [text, spare] {
            let place = machine.plus(object, index);
            machine.store_byte(place, value);
        }
    }
    let chosen = machine.any_bool();
    let mut cursor = machine.pool.ite(chosen, text, spare);
    for _ in 0..steps {
        let value = machine.any(Sort::BitVec(8));
        machine.store_byte(cursor, value);
        let written = machine.load_byte(cursor);
        check_equal(machine, written, value);
        let next = machine.plus(cursor, 1);
        let moves = machine.any_bool();
        cursor = machine.pool.ite(moves, next, cursor);
    }
    for (index, value) in (steps..).zip(tail) {
        for object in [text, spare] {
            let place = machine.plus(object, index);
            let kept = machine.load_byte(place);
            check_equal(machine, kept, value);
        }
    }
}

/// A word read from a buffer is made of the bytes that were written, wherever the cursor is.
fn cursor_read(machine: &mut Machine) {
    let (text, spare) = (machine.object(), machine.object());
    let count = BUFFER;
    for index in 0..count {
        for object in [text, spare] {
            let (place, value) = (machine.plus(object, index), machine.any(Sort::BitVec(8)));
            machine.store_byte(place, value);
        }
    }
    for _ in 0..4 {
        let (chosen, at) = (machine.any_bool(), machine.any_below(count - 1));
        let start = machine.pool.ite(chosen, text, spare);
        let cursor = machine.pool.pointer_add(start, at);
        let following = machine.plus(cursor, 1);
        let (low, high) = (machine.load_byte(cursor), machine.load_byte(following));
        machine.store_byte(cursor, high);
        machine.store_byte(following, low);
        let (now, then) = (machine.load_byte(cursor), machine.load_byte(following));
        check_equal(machine, now, high);
        check_equal(machine, then, low);
    }
}

/// Entries of a hash table: a slot holds the entry that was put there last.
fn hash_table_put(machine: &mut Machine) {
    let slots = machine.object();
    let mut entries = Vec::new();
    for _ in 0..TABLE {
        let (entry, key, value) = (
            machine.object(),
            machine.any_below(TABLE),
            machine.any_int(),
        );
        let eight = machine.pool.bv(WIDTH, 8);
        let at = machine.pool.bv_mul(key, eight);
        let slot = machine.pool.pointer_add(slots, at);
        machine.store(entry, value);
        machine.store_pointer(slot, entry);
        entries.push((key, slot, value));
    }
    for position in 0..entries.len() {
        let (key, slot, value) = entries[position];
        let mut overwritten = Vec::new();
        for &(later, ..) in &entries[position + 1..] {
            overwritten.push(machine.pool.equal(key, later));
        }
        let overwritten = machine.pool.or(&overwritten);
        let last = machine.pool.not(overwritten);
        let entry = machine.load_pointer(slot);
        let found = machine.load(entry);
        check_implied(machine, last, found, value);
    }
}

/// Sifting conditionally swaps: the first element ends up the least of those met.
fn priority_queue(machine: &mut Machine) {
    let (queue, other) = (machine.object(), machine.object());
    let chosen = machine.any_bool();
    let heap = machine.pool.ite(chosen, queue, other);
    let size = QUEUE;
    for index in 0..size {
        let (place, value) = (machine.element(heap, index), machine.any_int());
        machine.store(place, value);
    }
    for index in (1..size).rev() {
        let (child, parent) = (
            machine.element(heap, index),
            machine.element(heap, (index - 1) / 2),
        );
        let (x, y) = (machine.load(child), machine.load(parent));
        let less = machine.pool.bv_ult(x, y);
        machine.when(less, |machine| {
            machine.store(child, y);
            machine.store(parent, x);
        });
    }
    let least = machine.load(heap);
    for index in 1..size {
        let place = machine.element(heap, index);
        let value = machine.load(place);
        let ordered = machine.pool.bv_ule(least, value);
        machine.check(ordered);
    }
}

/// A ring buffer gives back what was put in, in order.
fn ring_buffer(machine: &mut Machine) {
    let (ring, size) = (machine.object(), RING);
    let mask = machine.pool.bv(WIDTH, size - 1);
    let start = machine.any_below(size);
    let mut put = Vec::new();
    for index in 0..size {
        let by = machine.pool.bv(WIDTH, index);
        let at = machine.pool.bv_add(start, by);
        let at = machine.pool.bv_and(at, mask);
        let (place, value) = (machine.element_at(ring, at), machine.any_int());
        machine.store(place, value);
        put.push((place, value));
    }
    for (place, value) in put {
        let got = machine.load(place);
        check_equal(machine, got, value);
    }
}

/// Comparing two strings, each in one of two buffers, while a third buffer is written to.
fn string_compare(machine: &mut Machine, length: u64) {
    let objects: Vec<TermId> = (0..4).map(|_| machine.object()).collect();
    let scratch = machine.object();
    let (c, d) = (machine.any_bool(), machine.any_bool());
    let left = machine.pool.ite(c, objects[0], objects[1]);
    let right = machine.pool.ite(d, objects[2], objects[3]);
    let mut equal = Vec::new();
    for index in 0..length {
        let (a, b) = (machine.plus(left, index), machine.plus(right, index));
        let value = machine.any(Sort::BitVec(8));
        machine.store_byte(a, value);
        let at = machine.any_below(STRING);
        let place = machine.pool.pointer_add(scratch, at);
        machine.store_byte(place, value);
        let same = machine.load_byte(a);
        machine.store_byte(b, same);
    }
    for index in 0..length {
        let (a, b) = (machine.plus(left, index), machine.plus(right, index));
        let (x, y) = (machine.load_byte(a), machine.load_byte(b));
        equal.push(machine.pool.equal(x, y));
    }
    let all = machine.pool.and(&equal);
    machine.check(all);
}
