//! What the names of [`super::dialect`] do.

use super::dialect::{Meaning, MemoryMeaning, meaning};
use super::function::{FunctionTranslator, Scalars};
use foghorn_core::CheckKind;
use foghorn_ir::{Builtin, HaltKind, IntPredicate, NondetOrigin, Type, ValueId};
use smallvec::smallvec;

impl FunctionTranslator<'_, '_> {
    /// Does what the name means; `None` if it means nothing, or not with these arguments.
    pub(crate) fn named_call(
        &mut self,
        name: &str,
        arguments: &[Scalars],
        results: &[Type],
    ) -> Option<Scalars> {
        let meaning = meaning(name)?;
        if meaning == Meaning::Library {
            return self.library_call(name, arguments, results);
        }
        let values: Vec<ValueId> = arguments.iter().flatten().copied().collect();
        let produced = self.perform(name, meaning, &values, results)?;
        Some(self.fit_results(&produced, results))
    }

    /// Results at the types that the program declared; missing ones are any value.
    pub(crate) fn fit_results(&mut self, produced: &[ValueId], results: &[Type]) -> Scalars {
        let wanted = results.iter().enumerate();
        wanted
            .map(|(index, &ty)| match produced.get(index) {
                Some(&value) => self.adapt(value, ty),
                None => self.undefined(ty),
            })
            .collect()
    }

    fn perform(
        &mut self,
        name: &str,
        meaning: Meaning,
        values: &[ValueId],
        results: &[Type],
    ) -> Option<Scalars> {
        match meaning {
            Meaning::Assume { negated } => {
                let condition = self.condition(*values.first()?, negated);
                self.assume(condition);
            }
            // Something else that is called so has another number of arguments.
            Meaning::Assert { .. } if name == "assert" && values.len() != 1 => return None,
            Meaning::Assert { negated } => {
                let condition = self.condition(*values.first()?, negated);
                self.check(CheckKind::Assertion, condition, None);
            }
            Meaning::AssertReach => {
                let condition = self.condition(*values.first()?, false);
                self.check(CheckKind::ReachError, condition, None);
            }
            Meaning::AssertIf => {
                let given = self.condition(*values.first()?, true);
                let claim = self.condition(*values.get(1)?, false);
                let condition = self.or(given, claim);
                self.check(CheckKind::Assertion, condition, None);
            }
            Meaning::Error => self.fail(CheckKind::ReachError, None),
            Meaning::Fail => self.fail(CheckKind::Assertion, None),
            Meaning::Nondet | Meaning::NondetBool | Meaning::NondetRange => {
                return self.nondet_call(name, meaning, values, results);
            }
            Meaning::Nothing => {}
            Meaning::Zero => return Some(smallvec![self.body.int(32, 0)]),
            Meaning::Identity => return Some(smallvec![*values.first()?]),
            Meaning::Exit => {
                let code = match values.first() {
                    Some(&code) => self.adapt(code, Type::I32),
                    None => self.body.int(32, 0),
                };
                self.halt(HaltKind::Exit, code);
            }
            Meaning::Abort => {
                let code = self.body.int(32, 134);
                self.halt(HaltKind::Abort, code);
            }
            Meaning::CheckLibrary => {
                let condition = self.condition(*values.first()?, false);
                self.check(CheckKind::LibraryPrecondition, condition, None);
            }
            Meaning::CheckOverlap => {
                let condition = self.condition(*values.first()?, false);
                self.check(CheckKind::Overlap, condition, None);
            }
            Meaning::RunDestructors => {
                for destructor in self.module.module.destructors.clone() {
                    self.call_directly(destructor);
                }
            }
            Meaning::PureVirtual => {
                let message = "call of a pure virtual function";
                self.fail(CheckKind::InvalidCall, Some(message));
            }
            Meaning::ModelLimit => {
                let construct = "what the model of a library function cannot do";
                self.fail(CheckKind::Unsupported, Some(construct));
            }
            Meaning::Library => return None,
            Meaning::Memory(MemoryMeaning::Cprover(query)) => {
                return self.cprover_query(query, values, results);
            }
            Meaning::Memory(query) => return self.memory_query(query, values),
        }
        Some(Scalars::new())
    }

    fn condition(&mut self, value: ValueId, negated: bool) -> ValueId {
        let truth = self.truth(value);
        if negated { self.not(truth) } else { truth }
    }

    fn nondet_call(
        &mut self,
        name: &str,
        meaning: Meaning,
        values: &[ValueId],
        results: &[Type],
    ) -> Option<Scalars> {
        let origin = NondetOrigin::Input(name.into());
        if meaning == Meaning::NondetBool
            && let &[Type::Int(width)] = results
        {
            let bit = self.nondet(origin, Type::BOOL);
            return Some(smallvec![self.resize_unsigned(bit, width).ok()?]);
        }
        let fresh: Scalars = results
            .iter()
            .map(|&ty| self.nondet(origin.clone(), ty))
            .collect();
        if meaning == Meaning::NondetRange
            && let (&[value], [low, high, ..]) = (fresh.as_slice(), values)
        {
            let at_least = self.compare(IntPredicate::Sge, value, *low);
            let below = self.compare(IntPredicate::Slt, value, *high);
            let within = self.and(at_least, below);
            self.assume(within);
        }
        Some(fresh)
    }
}

impl FunctionTranslator<'_, '_> {
    /// A question to, or a change of, the memory model.
    fn memory_query(&mut self, meaning: MemoryMeaning, values: &[ValueId]) -> Option<Scalars> {
        let size_type = self.size_type();
        let pointer = |this: &mut Self, index: usize| {
            let value = *values.get(index)?;
            Some(this.adapt(value, Type::Ptr))
        };
        let size = |this: &mut Self, index: usize| {
            let value = *values.get(index)?;
            Some(this.adapt(value, size_type))
        };
        let results: &[Type] = match meaning {
            MemoryMeaning::IsDereferenceable
            | MemoryMeaning::CheckDereferenceable
            | MemoryMeaning::SameObject
            | MemoryMeaning::IsAlive
            | MemoryMeaning::IsModified
            | MemoryMeaning::IsRead => &[Type::BOOL],
            MemoryMeaning::ObjectSize
            | MemoryMeaning::ObjectOffset
            | MemoryMeaning::GetShadow
            | MemoryMeaning::Write
            | MemoryMeaning::Read => &[size_type],
            MemoryMeaning::FormatFloat => &[Type::I32],
            MemoryMeaning::Havoc
            | MemoryMeaning::HavocUnlessNull
            | MemoryMeaning::HavocObject
            | MemoryMeaning::ResetModified
            | MemoryMeaning::ResetRead
            | MemoryMeaning::TrackAccesses(_)
            | MemoryMeaning::SetShadow
            | MemoryMeaning::Cprover(_) => &[],
        };
        let (builtin, arguments) = match meaning {
            MemoryMeaning::Havoc => (
                Builtin::HavocMemory,
                vec![pointer(self, 0)?, size(self, 1)?],
            ),
            MemoryMeaning::HavocUnlessNull => {
                let (pointer, size) = (pointer(self, 0)?, size(self, 1)?);
                let null = self.null();
                let is_null = self.compare(IntPredicate::Eq, pointer, null);
                let nothing = self.zero(size_type);
                let length = self.select(is_null, nothing, size);
                (Builtin::HavocMemory, vec![pointer, length])
            }
            MemoryMeaning::HavocObject => {
                let pointer = pointer(self, 0)?;
                return self.havoc_object(pointer);
            }
            MemoryMeaning::IsDereferenceable | MemoryMeaning::CheckDereferenceable => (
                Builtin::IsDereferenceable,
                vec![pointer(self, 0)?, size(self, 1)?],
            ),
            MemoryMeaning::ObjectSize => (Builtin::ObjectSize, vec![pointer(self, 0)?]),
            MemoryMeaning::ObjectOffset => (Builtin::ObjectOffset, vec![pointer(self, 0)?]),
            MemoryMeaning::SameObject => (
                Builtin::SameObject,
                vec![pointer(self, 0)?, pointer(self, 1)?],
            ),
            MemoryMeaning::IsAlive => (Builtin::IsAlive, vec![pointer(self, 0)?]),
            MemoryMeaning::IsModified => (Builtin::IsModified, vec![pointer(self, 0)?]),
            MemoryMeaning::ResetModified => (Builtin::ResetModified, vec![pointer(self, 0)?]),
            MemoryMeaning::IsRead => (Builtin::IsRead, vec![pointer(self, 0)?]),
            MemoryMeaning::ResetRead => (Builtin::ResetRead, vec![pointer(self, 0)?]),
            MemoryMeaning::TrackAccesses(on) => (Builtin::TrackAccesses, vec![self.bool(on)]),
            MemoryMeaning::SetShadow => {
                let slot = self.adapt(*values.first()?, Type::I8);
                (
                    Builtin::SetShadow,
                    vec![slot, pointer(self, 1)?, size(self, 2)?],
                )
            }
            MemoryMeaning::GetShadow => {
                let slot = self.adapt(*values.first()?, Type::I8);
                (Builtin::GetShadow, vec![slot, pointer(self, 1)?])
            }
            MemoryMeaning::Write | MemoryMeaning::Read => {
                let file = self.adapt(*values.first()?, Type::I32);
                let builtin = if meaning == MemoryMeaning::Write {
                    Builtin::WriteOutput
                } else {
                    Builtin::ReadInput
                };
                (builtin, vec![file, pointer(self, 1)?, size(self, 2)?])
            }
            MemoryMeaning::FormatFloat => {
                let number = self.adapt(*values.get(3)?, Type::F64);
                let arguments = vec![pointer(self, 0)?, size(self, 1)?, pointer(self, 2)?, number];
                (Builtin::FormatFloat, arguments)
            }
            MemoryMeaning::Cprover(_) => return None,
        };
        let produced = self.builtin(builtin, arguments, results);
        if meaning == MemoryMeaning::CheckDereferenceable {
            self.check(CheckKind::OutOfBounds, produced[0], None);
            return Some(Scalars::new());
        }
        Some(produced)
    }

    fn havoc_object(&mut self, pointer: ValueId) -> Option<Scalars> {
        let size_type = self.size_type();
        let size = self.builtin(Builtin::ObjectSize, vec![pointer], &[size_type])[0];
        let offset = self.builtin(Builtin::ObjectOffset, vec![pointer], &[size_type])[0];
        let start = self.pointer_add(pointer, 0, vec![(offset, -1)]);
        self.builtin(Builtin::HavocMemory, vec![start, size], &[]);
        Some(Scalars::new())
    }
}
