//! What code outside the program does to memory.
//!
//! A function without a body knows the pointers that it was given, now or earlier, and the variables
//! that it can name; a global of the program's prelude ([`crate::OUTSIDE`]) points to all of them.
//! What it may change is what pointers reach from there. New contents are chosen when somebody reads
//! them, as for any memory without a value; so a run says no more than it must of what was changed.

use super::{Machine, Step};
use crate::interpret::object::{Allocation, Object};
use crate::interpret::observer::{Change, Hop, Observer};
use crate::interpret::value::{ObjectId, Pointer};
use rustc_hash::FxHashSet;
use std::collections::VecDeque;
use std::sync::Arc;

/// An object that may be changed.
struct Changeable {
    object: ObjectId,
    size: u64,
    route: Option<Vec<Hop>>,
}

impl<O: Observer> Machine<'_, O> {
    /// Makes indeterminate what can be reached from an object and may be changed.
    pub(super) fn havoc_reachable(
        &mut self,
        root: Pointer,
        with_pointers: bool,
        by: &Arc<str>,
    ) -> Step<()> {
        for changeable in self.changeable_from(root.object) {
            let Changeable { object, size, .. } = changeable;
            let start = Pointer { object, offset: 0 };
            self.note_range(start, size, true);
            if O::ENABLED
                && let Some(access) = self.observed_access(start, size)
            {
                let route = changeable.route.as_deref();
                self.observer.change(access, &Change { by, route });
            }
            self.memory.change_from_outside(object, with_pointers, by);
        }
        self.check_memory_left()
    }

    /// Objects that code which knows this one can change, nearest first.
    fn changeable_from(&self, root: ObjectId) -> Vec<Changeable> {
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
            if self.is_changeable(object) {
                found.push(Changeable {
                    object: id,
                    size: object.size,
                    route,
                });
            }
        }
        found
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
