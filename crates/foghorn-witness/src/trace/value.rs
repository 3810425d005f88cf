//! Values as the source would write them.

use super::naming::Names;
use foghorn_ir::Type;
use foghorn_ir::interpret::{ObjectId, Observed, Pointer, known_object};

/// A number or pointer; integers are signed if `signed` says so.
pub(super) fn show(names: &Names<'_>, ty: Type, value: Observed, signed: bool) -> String {
    match value {
        Observed::Bits(bits) => show_bits(ty, bits, signed),
        Observed::Pointer(pointer) => show_pointer(names, pointer),
    }
}

/// A number; a pointer's bits are an address.
pub fn show_bits(ty: Type, bits: u128, signed: bool) -> String {
    match ty {
        Type::Int(1) => (if bits & 1 == 1 { "true" } else { "false" }).to_owned(),
        Type::Int(width) if signed => sign_extended(bits, width.into()).to_string(),
        Type::Int(_) => bits.to_string(),
        Type::Ptr if bits == 0 => "NULL".to_owned(),
        Type::Ptr if known_object(bits).0.is_some() => show_known(bits),
        Type::Ptr => format!("{bits:#x}"),
        Type::F32 => format!("{:?}", f32::from_bits(bits as u32)),
        Type::F64 => format!("{:?}", f64::from_bits(bits as u64)),
        Type::Memory(_) => "memory".to_owned(),
    }
}

/// A pointer to an object that code outside the program knows, by the number of the object.
fn show_known(bits: u128) -> String {
    let (index, offset) = known_object(bits);
    let number = index.map_or(0, |index| index + 1);
    displaced(&format!("&{number}"), offset.cast_signed())
}

/// The low `width` bits as a signed number.
fn sign_extended(bits: u128, width: u32) -> i128 {
    let unused = 128 - width.clamp(1, 128);
    (bits << unused).cast_signed() >> unused
}

fn show_pointer(names: &Names<'_>, pointer: Pointer) -> String {
    match pointer.object {
        ObjectId::NULL if pointer.offset == 0 => "NULL".to_owned(),
        ObjectId::NULL => format!("NULL + {}", pointer.offset),
        ObjectId::UNINITIALISED => "an uninitialised pointer".to_owned(),
        ObjectId::FROM_INTEGER => format!("{:#x}", pointer.offset),
        object => format!("&{}", displaced(&names.object(object), pointer.offset)),
    }
}

/// `name`, `name + 8` or `name - 8`.
fn displaced(name: &str, offset: i64) -> String {
    match offset {
        0 => name.to_owned(),
        1.. => format!("{name} + {offset}"),
        _ => format!("{name} - {}", offset.unsigned_abs()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_at_their_width() {
        assert_eq!(show_bits(Type::I8, 0xff, true), "-1");
        assert_eq!(show_bits(Type::I8, 0xff, false), "255");
        assert_eq!(show_bits(Type::Int(128), u128::MAX, true), "-1");
        assert_eq!(show_bits(Type::I32, 0x7fff_ffff, true), "2147483647");
        assert_eq!(show_bits(Type::F32, 1.5_f32.to_bits().into(), false), "1.5");
        assert_eq!(show_bits(Type::Ptr, 0, false), "NULL");
        assert_eq!(show_bits(Type::BOOL, 1, false), "true");
    }
}
