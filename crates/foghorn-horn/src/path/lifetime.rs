//! Allocation and death of objects, and what is left at the end.

use super::{Interrupt, Refusal, State, Step};
use crate::clauses::Maker;
use crate::datum::{Datum, Pointer};
use crate::form::ProcedureForm;
use crate::layout::Layout;
use crate::memory::{Contents, Node, Target};
use crate::objects::NULL;
use foghorn_core::{CheckKind, SiteKind};
use foghorn_encode::integers::Value;
use foghorn_ir::{
    AllocationKind, BlockId, Body, FunctionId, HaltKind, InstId, Instruction, IntPredicate,
};
use foghorn_term::TermId;

impl<'t> Maker<'t> {
    pub fn lifetime(&mut self, state: &mut State, body: &'t Body, id: InstId) -> Step<()> {
        match body.instructions[id].instruction {
            Instruction::Allocate { kind, size, .. } => self.allocate(state, body, id, kind, size),
            // Where neither lives nor this site matter the pointer was sliced away: it would be another in each attempt.
            Instruction::Free { .. } if !self.needs.life && !self.is_free_asked(state, id) => {
                Ok(())
            }
            Instruction::Free { pointer } => {
                let pointer = self.pointer(state, pointer);
                self.free(state, id, &pointer)
            }
            Instruction::LifetimeStart { pointer } => {
                let pointer = self.pointer(state, pointer);
                self.set_life(state, &pointer, true);
                let most = self.distance(i64::MAX);
                let start = Pointer {
                    object: pointer.object,
                    offset: self.distance(0),
                };
                for used in &body.instructions[id].memory {
                    let layout = self.layout_of(state.frame().function, used);
                    let fresh = self.unwritten(layout.cell);
                    self.change(state, used, |before| match layout.is_single() {
                        true => Node::Single(fresh),
                        false => Node::Havoc {
                            before,
                            at: start.clone(),
                            length: most.clone(),
                        },
                    });
                }
                Ok(())
            }
            Instruction::LifetimeEnd { pointer } => {
                let pointer = self.pointer(state, pointer);
                self.set_life(state, &pointer, false);
                Ok(())
            }
            Instruction::StackSave => {
                let any = self.any_number("mark", self.pointer_bits);
                let result = body.instructions[id].results[0];
                self.set(state, result, Datum::number(any));
                Ok(())
            }
            // Nothing dies: the program sees no difference but by failing.
            Instruction::StackRestore { .. } => match self.needs.life {
                true => Err(Interrupt::Refused(Refusal {
                    construct: "variable-length array".to_owned(),
                    span: body.instructions[id].span,
                })),
                false => Ok(()),
            },
            ref other => unreachable!("invariant: {other:?} is about no life"),
        }
    }

    fn allocate(
        &mut self,
        state: &mut State,
        body: &'t Body,
        id: InstId,
        kind: AllocationKind,
        size: foghorn_ir::ValueId,
    ) -> Step<()> {
        let function = state.frame().function;
        let size = self.number(state, size);
        // No object is as large as half of the address space.
        let zero = self.distance(0);
        let exists = self.compare(IntPredicate::Sle, &zero, &size);
        self.assume(state, exists)?;
        let refused = |construct: &str| {
            Interrupt::Refused(Refusal {
                construct: construct.to_owned(),
                span: body.instructions[id].span,
            })
        };
        let object = match (self.is_once(state), kind) {
            (true, _) => {
                let context = state.context();
                let heap = kind == AllocationKind::Heap;
                let number = self.numbering.once(&context, function, id, heap);
                let number = number.ok_or_else(|| refused("more objects than can be numbered"))?;
                self.pool.int(number)
            }
            (false, AllocationKind::Heap) => {
                let object = state.next_heap;
                let one = self.pool.int(1);
                state.next_heap = self.pool.int_add(object, one);
                state.new.push(object);
                object
            }
            (false, AllocationKind::Stack) => {
                let object = state.next_stack;
                let one = self.pool.int(-1);
                state.next_stack = self.pool.int_add(object, one);
                state.new.push(object);
                object
            }
            (false, AllocationKind::Permanent) => {
                return Err(refused("an object of the outside that is made in a loop"));
            }
        };
        let pointer = Pointer {
            object,
            offset: zero,
        };
        let starts_dead = kind == AllocationKind::Stack && self.starts_dead(function, id);
        self.set_life(state, &pointer, !starts_dead);
        if self.needs.size {
            let value = Datum::number(size);
            state.size = state
                .size
                .write(pointer.clone(), self.pointer_bits / 8, value);
        }
        if self.needs.origin && kind == AllocationKind::Heap {
            let site = self.site(state, SiteKind::Leak, id);
            let number = self.origin_number(site.point);
            let value = Datum::number(self.literal(32, number.into()));
            state.origin = state.origin.write(pointer.clone(), 4, value);
        }
        for used in &body.instructions[id].memory {
            let layout = self.layout_of(function, used);
            if layout.is_single() {
                let fresh = self.unwritten(layout.cell);
                self.change(state, used, |_| Node::Single(fresh));
            } else if let Some(output) = used.output {
                // Nobody has written to a new object, and nothing is said about its number.
                let before = self.contents(state, used.input);
                self.set(state, output, Datum::Contents(before));
            }
        }
        self.set(
            state,
            body.instructions[id].results[0],
            Datum::Pointer(pointer),
        );
        Ok(())
    }

    /// Whether an instruction is executed at most once: it is in no loop, nor are the calls around it,
    /// and the procedure itself runs once.
    fn is_once(&mut self, state: &State) -> bool {
        self.runs_once(state)
            && state
                .frames
                .iter()
                .all(|frame| !self.in_loop(frame.function, frame.block))
    }

    /// From now on an object is alive, or not.
    pub fn set_life(&mut self, state: &mut State, pointer: &Pointer, alive: bool) {
        if self.needs.life {
            let alive = self.pool.bool(alive);
            let value = Datum::number(self.integers.any(1, alive));
            state.life = state.life.write(pointer.clone(), 1, value);
        }
    }

    /// Whether the object is alive; true where no open site needs to know.
    pub fn is_alive(&mut self, state: &mut State, pointer: &Pointer) -> Step<TermId> {
        if !self.needs.life {
            return Ok(self.pool.bool(true));
        }
        let (life, layout) = (state.life.clone(), Layout::of_objects(1));
        self.of_object(state, &life, &layout, pointer)
            .map(|value| value.term)
    }

    /// The bytes of the object.
    pub fn size_of(&mut self, state: &mut State, pointer: &Pointer) -> Step<Value> {
        let layout = Layout::of_objects(self.pointer_bits);
        let size = state.size.clone();
        let size = self.of_object(state, &size, &layout, pointer)?;
        let all = foghorn_encode::integers::Range::signed(self.pointer_bits);
        let natural = foghorn_encode::integers::Range {
            low: 0.into(),
            high: all.high,
        };
        let zero = self.distance(0);
        let sane = self.compare(IntPredicate::Sle, &zero, &size);
        self.assume(state, sane)?;
        Ok(size.within(&natural))
    }

    pub(crate) fn of_object(
        &mut self,
        state: &mut State,
        contents: &Contents,
        layout: &Layout,
        pointer: &Pointer,
    ) -> Step<Value> {
        let target = Target {
            object: pointer.object,
            offset: self.distance(0),
        };
        match self.read(state, contents, layout, &target)? {
            Datum::Number { value, .. } => Ok(value),
            other => unreachable!("invariant: {other:?} is a number"),
        }
    }

    fn is_free_asked(&self, state: &State, id: InstId) -> bool {
        let site = self.site(state, SiteKind::Free, id);
        self.is_asked(&site)
    }

    fn free(&mut self, state: &mut State, id: InstId, pointer: &Pointer) -> Step<()> {
        let (site, kind) = (SiteKind::Free, CheckKind::InvalidFree);
        let zero = self.distance(0);
        let at_start = self.offsets_equal(state, &pointer.offset, &zero);
        let is_null = self.leads_to(state, pointer, NULL);
        match self.known(state, is_null) {
            Some(true) => return self.check_kind(state, id, site, kind, at_start),
            Some(false) => {}
            None => return Err(Interrupt::Split(is_null)),
        }
        let first = self.pool.int(self.numbering.first_on_heap());
        let on_heap = self.pool.int_le(first, pointer.object);
        self.check_kind(state, id, site, kind, on_heap)?;
        self.check_kind(state, id, site, kind, at_start)?;
        let alive = self.is_alive(state, pointer)?;
        self.check_kind(state, id, site, kind, alive)?;
        self.set_life(state, pointer, false);
        Ok(())
    }

    /// The stack objects of the frame on top die.
    pub fn end_frame(&mut self, state: &mut State) {
        if !self.needs.life {
            return;
        }
        let (function, mark) = (state.frame().function, state.frame().mark);
        let callers = state.frames[..state.frames.len() - 1].to_vec();
        let once = self.runs_once(state)
            && callers
                .iter()
                .all(|frame| !self.in_loop(frame.function, frame.block));
        let context = state.context();
        for (id, block) in self.stack_objects(function) {
            if once
                && !self.in_loop(function, block)
                && let Some(number) = self.numbering.once(&context, function, id, false)
            {
                let pointer = self.pointer_to(number, 0);
                self.set_life(state, &pointer, false);
            }
        }
        if self.needs.stack {
            state.life = Contents::new(Node::Ended {
                before: state.life.clone(),
                mark,
            });
        }
    }

    /// The program ends here.
    pub fn end_program(&mut self, state: &mut State, kind: HaltKind) -> Step<()> {
        // With mixed semantics a call in which the program ends is a jump into a copy.
        let is_mixed = self.form.procedures == ProcedureForm::Mixed;
        if is_mixed && self.has_summary(self.procedure) {
            return Ok(());
        }
        if self.needs.origin {
            let kinds: &[SiteKind] = match kind {
                HaltKind::Exit => &[SiteKind::Leak, SiteKind::Cleanup],
                HaltKind::Abort => &[SiteKind::Cleanup],
            };
            self.check_heap(state, kinds)?;
        }
        self.note_arrival(state, None);
        Ok(())
    }

    /// One rule for each allocation: an object of it is alive.
    fn check_heap(&mut self, state: &mut State, kinds: &[SiteKind]) -> Step<()> {
        let tracked = self.tracked(state);
        let alive = self.is_alive(state, &tracked)?;
        let (origin, layout) = (state.origin.clone(), Layout::of_objects(32));
        let origin = self.of_object(state, &origin, &layout, &tracked)?;
        for (number, point) in (1u128..).zip(self.origins.clone()) {
            let literal = self.literal(32, number);
            let from_here = self.pool.equal(origin.term, literal.term);
            let left = self.pool.and(&[alive, from_here]);
            let freed = self.pool.not(left);
            for &kind in kinds {
                let site = crate::clauses::SiteRef { kind, point };
                self.check(state, site, freed)?;
            }
        }
        Ok(())
    }

    /// Stack objects that a function makes, with their blocks.
    fn stack_objects(&self, function: FunctionId) -> Vec<(InstId, BlockId)> {
        let Some(body) = &self.module.functions[function].body else {
            return vec![];
        };
        let mut made = vec![];
        for (block, data) in body.blocks.iter() {
            let on_stack = |id: &&InstId| {
                matches!(
                    body.instructions[**id].instruction,
                    Instruction::Allocate {
                        kind: AllocationKind::Stack,
                        ..
                    }
                )
            };
            made.extend(
                data.instructions
                    .iter()
                    .filter(on_stack)
                    .map(|id| (*id, block)),
            );
        }
        made
    }
}
