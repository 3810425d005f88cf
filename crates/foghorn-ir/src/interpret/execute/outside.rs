//! What code outside the program does to memory.
//!
//! A function without a body knows the pointers that it was given, now or earlier, and the variables
//! that it can name; a global of the program's prelude ([`crate::OUTSIDE`]) points to all of them.
//! What it may change is what pointers reach from there. New contents are chosen when somebody reads
//! them, as for any memory without a value; so a run says no more than it must of what was changed.

use super::{Machine, Step};
use crate::interpret::global_object;
use crate::interpret::object::{Allocation, Object, Outsider};
use crate::interpret::observer::{Change, Hop, Observer};
use crate::interpret::value::{ObjectId, Pointer};
use crate::{Builtin, Callee, Constant, Instruction};
use rustc_hash::FxHashSet;
use std::collections::VecDeque;
use std::sync::Arc;

/// An object that code outside the program knows.
pub(super) struct Known {
    pub object: ObjectId,
    size: u64,
    /// The way to it; `None` if there is none along whole pointers.
    pub route: Option<Vec<Hop>>,
    changeable: bool,
}

impl<O: Observer> Machine<'_, O> {
    /// Makes indeterminate what can be reached from an object and may be changed.
    pub(super) fn havoc_reachable(
        &mut self,
        root: Pointer,
        with_pointers: bool,
        by: &Arc<str>,
    ) -> Step<()> {
        let known = self.known_from(root.object);
        let outsider = Outsider {
            name: by.clone(),
            known: known.iter().map(|known| known.object).collect(),
        };
        for known in known.into_iter().filter(|known| known.changeable) {
            let Known { object, size, .. } = known;
            let start = Pointer { object, offset: 0 };
            self.note_range(start, size, true);
            if O::ENABLED
                && let Some(access) = self.observed_access(start, size)
            {
                let route = known.route.as_deref();
                self.observer.change(access, &Change { by, route });
            }
            self.memory
                .change_from_outside(object, with_pointers, &outsider);
        }
        self.check_memory_left()
    }

    /// The objects that the function which runs knows, if it stands for code outside the program.
    pub(super) fn known_to_this_function(&self) -> Vec<Known> {
        let module = self.program.module;
        let function = self.point().map(|point| &module.functions[point.function]);
        let Some(body) = function.and_then(|function| function.body.as_ref()) else {
            return vec![];
        };
        let root = body.instructions.values().find_map(|data| {
            let Instruction::Call {
                callee: Callee::Builtin(Builtin::HavocReachable(_)),
                arguments,
            } = &data.instruction
            else {
                return None;
            };
            match body.as_constant(*arguments.first()?) {
                Some(Constant::Global(root)) => Some(root),
                _other => None,
            }
        });
        root.map_or(vec![], |root| self.known_from(global_object(module, root)))
    }

    /// Objects that code which knows this one knows by that, nearest first.
    fn known_from(&self, root: ObjectId) -> Vec<Known> {
        let mut found = vec![];
        let mut seen = FxHashSet::default();
        let mut work = VecDeque::from([(root, Some(vec![]))]);
        while let Some((id, route)) = work.pop_front() {
            let Some(object) = self.memory.object(id).filter(|object| object.live != 0) else {
                continue;
            };
            if !seen.insert(id) {
                continue;
            }
            for at in object.pointer_places() {
                if let Some(pointer) = self.memory.whole_pointer(id, at) {
                    let hop = Hop {
                        at,
                        to: pointer.object,
                        offset: pointer.offset,
                    };
                    let longer = route.as_ref().map(|route| [&route[..], &[hop]].concat());
                    work.push_back((pointer.object, longer));
                }
            }
            let others = object.referenced().into_iter();
            work.extend(others.map(|other| (other, None)));
            if !self.only_says_what_is_known(object) {
                found.push(Known {
                    object: id,
                    size: object.size,
                    route,
                    changeable: self.is_changeable(object),
                });
            }
        }
        found
    }

    fn only_says_what_is_known(&self, object: &Object) -> bool {
        match object.allocation {
            Allocation::Global(global) => self.program.module.globals[global].is_outside(),
            Allocation::Function(_) | Allocation::Instruction(..) | Allocation::Arguments => false,
        }
    }

    fn is_changeable(&self, object: &Object) -> bool {
        let may_change = match object.allocation {
            Allocation::Global(global) => self.program.module.is_changed_outside(global),
            Allocation::Function(_) => false,
            Allocation::Instruction(..) | Allocation::Arguments => true,
        };
        may_change && object.size > 0 && !object.constant
    }
}
