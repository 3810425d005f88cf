//! What numbers leave when they are divided, as likely claims.
//!
//! A number that begins with a constant and only gets multiples of 4 added leaves the same remainder in each iteration,
//! wherever it wraps around. No linear fact says so. The divisors come from the constants by which the loop multiplies,
//! shifts and counts; claims that do not follow are taken out of the argument.

use super::contents::function::Function;
use foghorn_encode::claim::build::number;
use foghorn_encode::claim::{Argument, Expression, Formula, LoopClaim, Subject};
use foghorn_ir::{BinaryOp, BlockId, Callee, Instruction, Module, ValueId};
use std::collections::BTreeSet;

/// The largest power of two that is tried.
const LARGEST: i128 = 64;
/// Divisors that are no powers of two, at one head.
const MOST_ODD: usize = 2;
/// Claims at one head.
const MOST_CLAIMS: usize = 40;
/// Loops around each other through which a first value is followed.
const DEEPEST: u32 = 4;

/// Adds such claims to those of an argument that has invariants.
pub fn add_residues(module: &Module, argument: &mut Argument) {
    for function in module.functions.values() {
        let Some(body) = &function.body else { continue };
        let Some(claims) = argument.functions.get_mut(&*function.name) else {
            continue;
        };
        let function = Function::new(body);
        for (_, data) in function.loops.iter() {
            let head = data.header;
            if let Some(LoopClaim::Invariant { holds, .. }) = claims.loops.get_mut(&head.as_u32()) {
                let divisors = divisors(module, &function, head);
                let likely = likely(&function, head, &divisors);
                holds.extend(likely.into_iter().take(MOST_CLAIMS));
            }
        }
    }
}

fn likely(function: &Function<'_>, head: BlockId, divisors: &BTreeSet<i128>) -> Vec<Formula> {
    let mut all = vec![];
    for &param in &function.body.blocks[head].params {
        if function.body.ty(param).int_width().is_none_or(|it| it <= 1) {
            continue;
        }
        let Some(first) = first(function, head, param, 0) else {
            continue;
        };
        for &divisor in divisors {
            let Ok(by) = u64::try_from(divisor) else {
                continue;
            };
            let value = Subject::Value(param.as_u32());
            // A power of two divides what wraps around; others are tried where nothing does.
            let value = match by.is_power_of_two() {
                true => Expression::Unsigned(value),
                false => Expression::Signed(value),
            };
            let rest = number(first.rem_euclid(divisor));
            all.push(value.remainder(by).equals(rest));
        }
    }
    all
}

/// The constant with which a parameter of a head begins.
fn first(function: &Function<'_>, head: BlockId, param: ValueId, depth: u32) -> Option<i128> {
    let initial = function.initial(head, param)?;
    if let Some(constant) = function.number(initial) {
        return Some(constant);
    }
    let mut heads = function.loops.iter().map(|(_, data)| data.header);
    let outer = heads.find(|it| function.body.blocks[*it].params.contains(&initial))?;
    match depth < DEEPEST {
        true => first(function, outer, initial, depth + 1),
        false => None,
    }
}

/// Divisors of what the loop computes with, and the functions that it calls.
fn divisors(module: &Module, function: &Function<'_>, head: BlockId) -> BTreeSet<i128> {
    let mut found = Divisors::default();
    let Some(id) = function.loops.with_header(head) else {
        return found.powers;
    };
    let blocks = function.body.blocks.iter();
    let inside = blocks.filter(|(block, _)| function.loops.contains(id, *block));
    for id in inside.flat_map(|(_, data)| &data.instructions) {
        let instruction = &function.body.instructions[*id].instruction;
        found.note(function, instruction);
        if let Instruction::Call {
            callee: Callee::Direct(callee),
            ..
        } = instruction
            && let Some(body) = &module.functions[*callee].body
        {
            let callee = Function::new(body);
            for data in body.instructions.values() {
                found.note(&callee, &data.instruction);
            }
        }
    }
    found.powers.extend(found.others.into_iter().take(MOST_ODD));
    found.powers
}

#[derive(Default)]
struct Divisors {
    /// Powers of two.
    powers: BTreeSet<i128>,
    others: BTreeSet<i128>,
}

impl Divisors {
    fn note(&mut self, function: &Function<'_>, instruction: &Instruction) {
        let Instruction::Binary { op, lhs, rhs } = instruction else {
            return;
        };
        let constant = function.number(*rhs).or_else(|| function.number(*lhs));
        let multiple = match (op, constant) {
            (BinaryOp::Mul | BinaryOp::Add | BinaryOp::Sub, Some(constant)) => constant.abs(),
            (BinaryOp::Shl, Some(constant @ 1..=6)) => 1 << constant,
            _ => return,
        };
        if multiple < 2 {
            return;
        }
        let power = 1_i128 << multiple.trailing_zeros().min(64);
        let powers = (1..=6).map(|it| 1_i128 << it);
        let dividing = powers.filter(|it| *it <= power && *it <= LARGEST);
        self.powers.extend(dividing);
        if multiple != power && multiple <= LARGEST {
            self.others.insert(multiple);
        }
    }
}
