//! What functions without a body changed in a run.
//!
//! The interpreter chooses changed bytes when somebody reads them, which may be long after the
//! change. A reader wants to see them where they were changed. So a run in which something is
//! changed is watched twice: the first time finds which bytes of which change were looked at, the
//! second tells them at their place.

use foghorn_ir::Type;
use foghorn_ir::interpret::{Access, ObjectId, Observed};

/// Bytes that got a value by a change.
#[derive(Clone, Copy, Debug)]
pub struct Determined {
    pub offset: i64,
    pub length: u64,
    pub ty: Type,
    pub value: Observed,
}

/// The changes of a run, in order.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    list: Vec<(ObjectId, Vec<Determined>)>,
}

impl Changes {
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// One more object is changed; the number of the change.
    pub fn begin(&mut self, object: ObjectId) -> usize {
        self.list.push((object, vec![]));
        self.list.len() - 1
    }

    /// Bytes of an object get a value, which its last change left open.
    pub fn determine(&mut self, access: &Access, ty: Type, value: Observed) {
        let mut newest = self.list.iter_mut().rev();
        if let Some((_, bytes)) = newest.find(|(object, _)| *object == access.object) {
            bytes.push(Determined {
                offset: access.offset,
                length: access.length,
                ty,
                value,
            });
        }
    }

    /// What was looked at of a change.
    pub fn of(&self, number: usize) -> &[Determined] {
        self.list.get(number).map_or(&[], |(_, bytes)| bytes)
    }
}
