//! The types as which bytes were last written, in a run.
//!
//! Regions that divide a field by types share its bytes. That they are right means something else
//! than for regions of different places: what is read in one of them was not written in another
//! since. A copy takes what its bytes were written as along.

use crate::regions::types::TypeClass;
use foghorn_ir::interpret::{Access, ObjectId};
use rustc_hash::FxHashMap;

/// Bytes that a typed store or a copy of what one wrote was the last to write.
#[derive(Debug, Default)]
pub(super) struct Written {
    as_type: FxHashMap<(ObjectId, i64), TypeClass>,
    /// What the source of the copy that is executed now was written as.
    copied: Vec<Option<TypeClass>>,
}

fn bytes_of(access: &Access) -> impl Iterator<Item = (ObjectId, i64)> + use<> {
    let object = access.object;
    let end = access.offset + access.length.cast_signed();
    (access.offset..end).map(move |offset| (object, offset))
}

impl Written {
    /// A store of a type, or a fill.
    pub fn write(&mut self, access: &Access, class: Option<TypeClass>) {
        for byte in bytes_of(access) {
            match class {
                Some(class) => self.as_type.insert(byte, class),
                None => self.as_type.remove(&byte),
            };
        }
    }

    /// The other type that a byte of a load was written as.
    pub fn read(&self, access: &Access, class: TypeClass) -> Option<TypeClass> {
        let mut written = bytes_of(access).filter_map(|byte| self.as_type.get(&byte).copied());
        written.find(|&other| other != class)
    }

    /// The source of a copy.
    pub fn take(&mut self, access: &Access) {
        let classes = bytes_of(access).map(|byte| self.as_type.get(&byte).copied());
        self.copied = classes.collect();
    }

    /// The destination of the copy whose source was taken last.
    pub fn put(&mut self, access: &Access) {
        for (byte, class) in bytes_of(access).zip(std::mem::take(&mut self.copied)) {
            match class {
                Some(class) => self.as_type.insert(byte, class),
                None => self.as_type.remove(&byte),
            };
        }
    }
}
