//! How an LLVM type falls apart into scalars.

use super::Unsupported;
use super::module::ModuleTranslator;
use super::wide::limb_types;
use crate::llvm::{FloatKind, Program, Ty, TypeShape};
use foghorn_ir::Type;
use std::rc::Rc;

/// Aggregates with more scalars than this are not taken apart; clang copies such things in memory.
const MOST_LEAVES: u64 = 1 << 16;

/// One scalar of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Leaf {
    pub ty: Type,
    /// Bytes from the start of the whole.
    pub offset: u64,
}

/// The scalars of a type, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    pub leaves: Vec<Leaf>,
    /// A vector of `i1`, which memory holds as one integer of that many bits.
    pub is_bit_vector: bool,
}

impl Layout {
    pub(crate) fn types(&self) -> Vec<Type> {
        self.leaves.iter().map(|leaf| leaf.ty).collect()
    }
}

/// The IR type that holds a float. Formats that the IR does not compute with are kept as bits.
pub(crate) fn float_type(kind: FloatKind) -> Type {
    match kind {
        FloatKind::Half | FloatKind::BFloat => Type::Int(16),
        FloatKind::Single => Type::F32,
        FloatKind::Double => Type::F64,
        FloatKind::X86Extended => Type::Int(80),
        FloatKind::Quad | FloatKind::PowerPcDouble => Type::Int(128),
    }
}

/// What reports call a format that is over-approximated.
pub(crate) fn float_name(kind: FloatKind) -> &'static str {
    match kind {
        FloatKind::Half => "_Float16",
        FloatKind::BFloat => "__bf16",
        FloatKind::Single => "float",
        FloatKind::Double => "double",
        FloatKind::X86Extended => "long double",
        FloatKind::Quad => "__float128",
        FloatKind::PowerPcDouble => "IBM long double",
    }
}

fn int_type(width: u32) -> Result<Type, Unsupported> {
    match u8::try_from(width) {
        Ok(width @ 1..=128) => Ok(Type::Int(width)),
        _ => Err(Unsupported::new(format!("integer of {width} bits"))),
    }
}

fn add_leaves<'p>(
    program: &'p Program,
    ty: Ty<'p>,
    offset: u64,
    leaves: &mut Vec<Leaf>,
) -> Result<(), Unsupported> {
    if leaves.len() as u64 > MOST_LEAVES {
        return Err(Unsupported::new("aggregate value of many thousand scalars"));
    }
    match ty.shape() {
        TypeShape::Void => {}
        TypeShape::Int(width) if width > 128 => {
            let mut at = offset;
            for ty in limb_types(width) {
                leaves.push(Leaf { ty, offset: at });
                at += 8;
            }
        }
        TypeShape::Int(width) => leaves.push(Leaf {
            ty: int_type(width)?,
            offset,
        }),
        TypeShape::Float(kind) => leaves.push(Leaf {
            ty: float_type(kind),
            offset,
        }),
        TypeShape::Pointer => leaves.push(Leaf {
            ty: Type::Ptr,
            offset,
        }),
        TypeShape::Struct(fields) => {
            for (index, field) in fields.into_iter().enumerate() {
                let index = u32::try_from(index).expect("invariant: few fields");
                let at = offset + program.field_offset(ty, index);
                add_leaves(program, field, at, leaves)?;
            }
        }
        TypeShape::Array(element, count) => {
            let stride = program.alloc_size(element);
            add_elements(program, element, count, stride, offset, leaves)?;
        }
        TypeShape::Vector(element, count) => {
            // Elements of a vector lie without padding; those of less than a byte are handled by
            // `is_bit_vector`.
            let stride = match element.shape() {
                TypeShape::Int(width) => u64::from(width).div_ceil(8),
                TypeShape::Float(FloatKind::X86Extended) => 10,
                _ => program.store_size(element),
            };
            add_elements(program, element, count, stride, offset, leaves)?;
        }
        TypeShape::Function => return Err(Unsupported::new("function as a value")),
        TypeShape::Other(name) => return Err(Unsupported::new(name)),
    }
    Ok(())
}

fn add_elements<'p>(
    program: &'p Program,
    element: Ty<'p>,
    count: u64,
    stride: u64,
    offset: u64,
    leaves: &mut Vec<Leaf>,
) -> Result<(), Unsupported> {
    if count > MOST_LEAVES {
        return Err(Unsupported::new("aggregate value of many thousand scalars"));
    }
    for index in 0..count {
        add_leaves(program, element, offset + index * stride, leaves)?;
    }
    Ok(())
}

impl<'p> ModuleTranslator<'p> {
    /// The scalars of a type.
    pub(crate) fn layout(&mut self, ty: Ty<'p>) -> Result<Rc<Layout>, Unsupported> {
        if let Some(known) = self.layouts.get(&ty) {
            return known.clone();
        }
        let mut leaves = vec![];
        let is_bit_vector = matches!(ty.shape(), TypeShape::Vector(element, _)
            if matches!(element.shape(), TypeShape::Int(width) if width % 8 != 0));
        let layout = add_leaves(self.program, ty, 0, &mut leaves).map(|()| {
            Rc::new(Layout {
                leaves,
                is_bit_vector,
            })
        });
        self.layouts.insert(ty, layout.clone());
        layout
    }

    /// How many scalars a type has.
    pub(crate) fn leaf_count(&mut self, ty: Ty<'p>) -> Result<usize, Unsupported> {
        Ok(self.layout(ty)?.leaves.len())
    }
}
