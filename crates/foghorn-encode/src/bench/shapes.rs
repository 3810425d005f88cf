//! Where time goes on six shapes that dominate proofs of real code, with growing bounds, under SEAM: array list push and
//! swap, byte buffer append, cursor advance, list push, string compare.
//!
//! Each phase of pre-processing, and solving, gets the exponent of its growth with the bound, and so does the formula. A
//! phase may grow as n log n, or as the formula does, or as the program: where its operations are more than linear in the
//! bound, nothing that looks at each of them can be less.

use super::machine::{Machine, WIDTH};
use super::measure::{Contestant, Tally, compare, growth};
use super::{Solve, UnexpectedAnswer, structures};
use foghorn_core::Figure;
use foghorn_term::Sort;
use std::fmt::Write as _;
use std::time::Duration;

/// A shape: its name, the bound up to which it is solved, and its program for a bound.
type Shape = (&'static str, u64, fn(&mut Machine, u64));

/// As in the benchmark's proofs, the bound is the size of the structure that one operation is done to; a cursor advances
/// that often.
const SHAPES: [Shape; 6] = [
    ("array_list_push", 64, array_list_push),
    ("array_list_swap", 16, structures::array_list_swap),
    ("byte_buf_append", 64, byte_buf_append),
    ("cursor_advance", 64, structures::cursor_advance),
    ("list_push", 16, list_push),
    ("string_compare", 64, string_compare),
];

/// One push to a list of unknown length, whose storage is moved when it is full: what was there stays.
fn array_list_push(machine: &mut Machine, bound: u64) {
    let (storage, larger, value) = (machine.object(), machine.object(), machine.any_int());
    let mut before = Vec::new();
    for index in 0..bound {
        let (place, element) = (machine.element(storage, index), machine.any_int());
        machine.store(place, element);
        before.push(element);
    }
    let length = machine.any_below(bound + 1);
    let full = machine.pool.bv(WIDTH, bound);
    let grows = machine.pool.equal(length, full);
    let four = machine.pool.bv(WIDTH, 4);
    let used = machine.pool.bv_mul(length, four);
    machine.when(grows, |machine| machine.copy_ints(larger, storage, used));
    let now = machine.pool.ite(grows, larger, storage);
    let place = machine.element_at(now, length);
    machine.store(place, value);
    let pushed = machine.load(place);
    structures::check_equal(machine, pushed, value);
    for (index, element) in (0..bound).zip(before) {
        let place = machine.element(now, index);
        let stored = machine.load(place);
        let index = machine.pool.bv(WIDTH, index);
        let kept = machine.pool.bv_ult(index, length);
        structures::check_implied(machine, kept, stored, element);
    }
}

/// One append of unknown length to a buffer that is filled to an unknown length: what was there stays, what comes is the
/// source, each looked at in one place that may be any.
fn byte_buf_append(machine: &mut Machine, bound: u64) {
    let (buffer, source) = (machine.object(), machine.object());
    for index in 0..bound {
        for object in [buffer, source] {
            let (place, byte) = (machine.plus(object, index), machine.any(Sort::BitVec(8)));
            machine.store_byte(place, byte);
        }
    }
    let (length, count) = (machine.any_below(bound + 1), machine.any_below(bound + 1));
    let (kept, copied) = (machine.any_below(bound), machine.any_below(bound));
    let (place, from) = (
        machine.pool.pointer_add(buffer, kept),
        machine.pool.pointer_add(source, copied),
    );
    let (old, new) = (machine.load_byte(place), machine.load_byte(from));
    let end = machine.pool.pointer_add(buffer, length);
    machine.copy_bytes(end, source, count);
    let stored = machine.load_byte(place);
    let is_old = machine.pool.bv_ult(kept, length);
    structures::check_implied(machine, is_old, stored, old);
    let appended = machine.pool.pointer_add(end, copied);
    let stored = machine.load_byte(appended);
    let is_new = machine.pool.bv_ult(copied, count);
    structures::check_implied(machine, is_new, stored, new);
}

/// One push to a list of unknown length: a walk meets what it met before, and the new value.
fn list_push(machine: &mut Machine, bound: u64) {
    let end = structures::sentinel(machine);
    let mut head = end;
    for _ in 0..bound {
        let (node, value, last) = (machine.object(), machine.any_int(), machine.any_bool());
        let next = machine.plus(node, 8);
        machine.store(node, value);
        let after = machine.pool.ite(last, end, head);
        machine.store_pointer(next, after);
        head = node;
    }
    let empty = machine.any_bool();
    head = machine.pool.ite(empty, end, head);
    let before = structures::list_content(machine, head, bound);
    let (node, value) = (machine.object(), machine.any_int());
    let next = machine.plus(node, 8);
    machine.store(node, value);
    machine.store_pointer(next, head);
    let after = structures::list_content(machine, node, bound + 1);
    let expected = machine.pool.bv_xor(before, value);
    structures::check_equal(machine, after, expected);
}

/// Comparing two strings byte by byte, each one of two, the second a copy of the first.
fn string_compare(machine: &mut Machine, bound: u64) {
    let objects = [0; 4].map(|_| machine.object());
    for index in 0..bound {
        for pair in [[0, 2], [1, 3]] {
            let byte = machine.any(Sort::BitVec(8));
            for object in pair {
                let place = machine.plus(objects[object], index);
                machine.store_byte(place, byte);
            }
        }
    }
    let chosen = machine.any_bool();
    let left = machine.pool.ite(chosen, objects[0], objects[1]);
    let right = machine.pool.ite(chosen, objects[2], objects[3]);
    for index in 0..bound {
        let (a, b) = (machine.plus(left, index), machine.plus(right, index));
        let (x, y) = (machine.load_byte(a), machine.load_byte(b));
        structures::check_equal(machine, x, y);
    }
}

/// The bounds, around those of §8.1's benchmark and beyond: 16 is its largest.
const BOUNDS: [u64; 5] = [4, 8, 16, 32, 64];

/// Runs of each shape at each bound.
const RUNS: u32 = 5;

/// A phase and how to find it in a tally.
type Phase = (&'static str, fn(&Tally) -> Duration);

const PHASES: [Phase; 6] = [
    ("read", |tally| tally.phases.reading),
    ("write", |tally| tally.phases.writing),
    ("merge", |tally| tally.phases.merging),
    ("assume", |tally| tally.phases.assuming),
    ("simplify", |tally| tally.phases.simplifying),
    ("solve", |tally| tally.solving),
];

/// Below this a phase is noise, whatever its exponent.
const NOTICEABLE: Duration = Duration::from_micros(20);

/// The growth of every phase on every shape whose name holds the text.
///
/// # Errors
/// When the solver says that a program is not safe that is.
pub fn shapes(named: &str, solve: &mut Solve<'_>) -> Result<Vec<Figure>, UnexpectedAnswer> {
    let mut figures = Vec::new();
    for (name, solved, build) in SHAPES {
        if !name.contains(named) {
            continue;
        }
        let mut tallies = Vec::new();
        for bound in BOUNDS {
            let build = |machine: &mut Machine| build(machine, bound);
            let tally = if bound <= solved {
                compare(name, &[Contestant::Seam], RUNS, &build, solve)?
            } else {
                compare(name, &[Contestant::Seam], RUNS, &build, &mut |_, _| {
                    Some(false)
                })?
            };
            let mut tally = tally[&Contestant::Seam];
            if bound > solved {
                tally.solving = Duration::ZERO;
            }
            tallies.push((bound, tally));
        }
        figures.extend(of_shape(name, &tallies));
    }
    Ok(figures)
}

fn of_shape(name: &str, tallies: &[(u64, Tally)]) -> Vec<Figure> {
    let figure = |what: &str, value: f64, detail: String| Figure {
        name: format!("shape_{name}_{what}"),
        value,
        unit: "exponent".to_owned(),
        detail,
    };
    let sizes = tallies
        .iter()
        .map(|(bound, tally)| (*bound as f64, tally.size as f64));
    let sizes: Vec<(f64, f64)> = sizes.collect();
    let mut text = String::new();
    for (bound, size) in &sizes {
        let _ = write!(text, "{bound}: {size}; ");
    }
    let mut figures = vec![figure("formula", growth(&sizes).unwrap_or(0.0), text)];
    for (phase, time) in PHASES {
        let noticeable = tallies
            .iter()
            .filter(|(_, tally)| time(tally) >= NOTICEABLE);
        let points: Vec<(f64, f64)> = noticeable
            .map(|(bound, tally)| (*bound as f64, time(tally).as_secs_f64()))
            .collect();
        let Some(exponent) = growth(&points) else {
            continue;
        };
        let mut text = String::new();
        for (bound, tally) in tallies {
            let time = time(tally);
            let _ = match (phase, time.is_zero()) {
                ("solve", true) => write!(text, "{bound}: not asked; "),
                _ => write!(text, "{bound}: {:.3} ms; ", 1e3 * time.as_secs_f64()),
            };
        }
        figures.push(figure(phase, exponent, text));
    }
    figures
}
