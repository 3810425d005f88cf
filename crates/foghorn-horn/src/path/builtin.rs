//! Operations on the machine and on the memory model.

use super::{Interrupt, Refusal, State, Step};
use crate::clauses::Maker;
use crate::datum::Pointer;
use crate::memory::Node;
use crate::objects::{NULL, UNKNOWN};
use foghorn_encode::integers::Value;
use foghorn_ir::{Body, Builtin, InstId, IntPredicate, ValueId};

impl<'t> Maker<'t> {
    pub fn builtin(
        &mut self,
        state: &mut State,
        body: &'t Body,
        id: InstId,
        builtin: &Builtin,
        arguments: &[ValueId],
    ) -> Step<()> {
        match builtin {
            Builtin::WriteOutput => {
                let at = self.pointer(state, arguments[1]);
                let length = self.number(state, arguments[2]);
                self.dereference(state, id, &at, &length, false, None)?;
                self.count(state, id, "the result of writing to a file", &length)
            }
            Builtin::ReadInput => {
                let at = self.pointer(state, arguments[1]);
                let length = self.number(state, arguments[2]);
                self.dereference(state, id, &at, &length, true, None)?;
                self.havoc_range(state, body, id, &at, &length);
                self.count(state, id, "what is read from a file", &length)
            }
            Builtin::FormatFloat => {
                let at = self.pointer(state, arguments[0]);
                let length = self.number(state, arguments[1]);
                self.dereference(state, id, &at, &length, true, None)?;
                self.havoc_range(state, body, id, &at, &length);
                self.note_over_approximation(
                    &"the text of a floating-point number".into(),
                    body.instructions[id].span,
                );
                self.any_result(state, id, "the text of a floating-point number");
                Ok(())
            }
            Builtin::IsDereferenceable => self.is_dereferenceable(state, id, arguments),
            Builtin::ObjectSize => {
                let at = self.pointer(state, arguments[0]);
                let size = self.size_or_zero(state, &at)?;
                self.set_number(state, id, size);
                Ok(())
            }
            Builtin::ObjectOffset => {
                let at = self.pointer(state, arguments[0]);
                self.set_number(state, id, at.offset);
                Ok(())
            }
            Builtin::SameObject => {
                let (a, b) = (
                    self.pointer(state, arguments[0]),
                    self.pointer(state, arguments[1]),
                );
                let same = self.same_object(state, a.object, b.object);
                self.set_truth(state, id, same);
                Ok(())
            }
            Builtin::IsAlive => {
                if !self.needs.life {
                    self.any_result(state, id, "whether an object is alive");
                    return Ok(());
                }
                let at = self.pointer(state, arguments[0]);
                let object = self.is_object(state, &at);
                let alive = self.is_alive(state, &at)?;
                let alive = self.pool.and(&[object, alive]);
                self.set_truth(state, id, alive);
                Ok(())
            }
            Builtin::HavocMemory => {
                let at = self.pointer(state, arguments[0]);
                let length = self.number(state, arguments[1]);
                self.dereference(state, id, &at, &length, true, None)?;
                self.havoc_range(state, body, id, &at, &length);
                Ok(())
            }
            Builtin::HavocReachable(_) => {
                self.havoc_reachable(state, body, id);
                Ok(())
            }
            Builtin::IsModified | Builtin::IsRead | Builtin::GetShadow => {
                self.any_result(state, id, "marks and shadows of memory");
                Ok(())
            }
            Builtin::ResetModified
            | Builtin::ResetRead
            | Builtin::TrackAccesses
            | Builtin::SetShadow => Ok(()),
            Builtin::Math(name) => {
                self.note_over_approximation(name, body.instructions[id].span);
                self.any_result(state, id, "a function of <math.h>");
                Ok(())
            }
        }
    }

    fn is_object(&mut self, state: &State, at: &Pointer) -> foghorn_term::TermId {
        let no = [NULL, UNKNOWN].map(|number| self.leads_to(state, at, number));
        let none = self.pool.or(&no);
        self.pool.not(none)
    }

    fn is_dereferenceable(
        &mut self,
        state: &mut State,
        id: InstId,
        arguments: &[ValueId],
    ) -> Step<()> {
        if !self.needs.life || !self.needs.size {
            self.any_result(state, id, "whether memory can be accessed");
            return Ok(());
        }
        let at = self.pointer(state, arguments[0]);
        let length = self.number(state, arguments[1]);
        let object = self.is_object(state, &at);
        let alive = self.is_alive(state, &at)?;
        let within = self.is_within(state, &at, &length, None)?;
        let zero = self.distance(0);
        let nothing = self.compare(IntPredicate::Eq, &length, &zero);
        let valid = self.pool.and(&[object, alive, within]);
        let valid = self.pool.or(&[nothing, valid]);
        self.set_truth(state, id, valid);
        Ok(())
    }

    fn size_or_zero(&mut self, state: &mut State, at: &Pointer) -> Step<Value> {
        if !self.needs.size {
            return Ok(self.any_number("size", self.pointer_bits));
        }
        let object = self.is_object(state, at);
        let size = self.size_of(state, at)?;
        let zero = self.distance(0);
        Ok(self.select_value(object, &size, &zero))
    }

    /// What the system says: a count up to the length, or -1.
    fn count(&mut self, state: &mut State, id: InstId, what: &str, length: &Value) -> Step<()> {
        let body = self.body(state.frame().function);
        self.note_over_approximation(&what.into(), body.instructions[id].span);
        let count = self.any_number("count", self.pointer_bits);
        let within = self.compare(IntPredicate::Ule, &count, length);
        let failed = self.distance(-1);
        let failed = self.compare(IntPredicate::Eq, &count, &failed);
        let sane = self.pool.or(&[within, failed]);
        self.assume(state, sane)?;
        self.set_number(state, id, count);
        Ok(())
    }

    /// Bytes become indeterminate in every region that an instruction says it writes.
    fn havoc_range(
        &mut self,
        state: &mut State,
        body: &'t Body,
        id: InstId,
        at: &Pointer,
        length: &Value,
    ) {
        for used in &body.instructions[id].memory {
            let layout = self.layout_of(state.frame().function, used);
            let any = self.any_cell(layout.cell);
            self.change(state, used, |before| match layout.is_single() {
                true => Node::Single(any),
                false => Node::Havoc {
                    before,
                    at: at.clone(),
                    length: length.clone(),
                },
            });
        }
    }

    /// Code outside the program changes the regions that an instruction names.
    fn havoc_reachable(&mut self, state: &mut State, body: &'t Body, id: InstId) {
        for used in &body.instructions[id].memory {
            let layout = self.layout_of(state.frame().function, used);
            let any = self.any_cell(layout.cell);
            self.change(state, used, |_| match layout.is_single() {
                true => Node::Single(any),
                false => Node::Anything,
            });
        }
    }

    /// A construct that is not expressed here.
    pub fn refuse(&self, state: &State, construct: &str) -> Interrupt {
        Interrupt::Refused(Refusal {
            construct: construct.to_owned(),
            span: self.span(state),
        })
    }
}
