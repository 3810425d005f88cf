//! Names and signatures of builtins.

use crate::instruction::Builtin;
use crate::module::{DataLayout, Signature};
use crate::types::Type;

impl Builtin {
    /// Every builtin but those that have a name of their own: the functions of `<math.h>`, and changes
    /// from outside.
    pub const ALL: &'static [Builtin] = &[
        Builtin::WriteOutput,
        Builtin::ReadInput,
        Builtin::FormatFloat,
        Builtin::IsDereferenceable,
        Builtin::ObjectSize,
        Builtin::ObjectOffset,
        Builtin::SameObject,
        Builtin::IsAlive,
        Builtin::HavocMemory,
        Builtin::IsModified,
        Builtin::ResetModified,
        Builtin::IsRead,
        Builtin::ResetRead,
        Builtin::TrackAccesses,
        Builtin::SetShadow,
        Builtin::GetShadow,
    ];

    /// The name in textual IR.
    pub fn name(&self) -> &'static str {
        match self {
            Builtin::WriteOutput => "write-output",
            Builtin::ReadInput => "read-input",
            Builtin::FormatFloat => "format-float",
            Builtin::IsDereferenceable => "is-dereferenceable",
            Builtin::ObjectSize => "object-size",
            Builtin::ObjectOffset => "object-offset",
            Builtin::SameObject => "same-object",
            Builtin::IsAlive => "is-alive",
            Builtin::HavocMemory => "havoc-memory",
            Builtin::HavocReachable(_) => "havoc-reachable",
            Builtin::IsModified => "is-modified",
            Builtin::ResetModified => "reset-modified",
            Builtin::IsRead => "is-read",
            Builtin::ResetRead => "reset-read",
            Builtin::TrackAccesses => "track-accesses",
            Builtin::SetShadow => "set-shadow",
            Builtin::GetShadow => "get-shadow",
            Builtin::Math(_) => "math",
        }
    }

    /// The builtin with that name, but for those of [`Self::ALL`]'s exceptions.
    pub fn from_name(name: &str) -> Option<Builtin> {
        Self::ALL.iter().find(|b| b.name() == name).cloned()
    }

    /// Types of parameters and results; `None` for the functions of `<math.h>`, which take any
    /// positive number of `f64` and give one.
    pub fn signature(&self, layout: DataLayout) -> Option<Signature> {
        let size = layout.pointer_int();
        let (params, results): (&[Type], &[Type]) = match self {
            Builtin::WriteOutput | Builtin::ReadInput => (&[Type::I32, Type::Ptr, size], &[size]),
            Builtin::FormatFloat => (&[Type::Ptr, size, Type::Ptr, Type::F64], &[Type::I32]),
            Builtin::IsDereferenceable => (&[Type::Ptr, size], &[Type::BOOL]),
            Builtin::ObjectSize | Builtin::ObjectOffset => (&[Type::Ptr], &[size]),
            Builtin::SameObject => (&[Type::Ptr, Type::Ptr], &[Type::BOOL]),
            Builtin::IsAlive | Builtin::IsModified | Builtin::IsRead => {
                (&[Type::Ptr], &[Type::BOOL])
            }
            Builtin::HavocMemory => (&[Type::Ptr, size], &[]),
            Builtin::HavocReachable(_) => (&[Type::Ptr, Type::BOOL], &[]),
            Builtin::ResetModified | Builtin::ResetRead => (&[Type::Ptr], &[]),
            Builtin::TrackAccesses => (&[Type::BOOL], &[]),
            Builtin::SetShadow => (&[Type::I8, Type::Ptr, size], &[]),
            Builtin::GetShadow => (&[Type::I8, Type::Ptr], &[size]),
            Builtin::Math(_) => return None,
        };
        Some(Signature {
            params: params.to_vec(),
            results: results.to_vec(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for builtin in Builtin::ALL {
            assert_eq!(Builtin::from_name(builtin.name()).as_ref(), Some(builtin));
            assert!(builtin.signature(DataLayout { pointer_bytes: 8 }).is_some());
        }
    }
}
