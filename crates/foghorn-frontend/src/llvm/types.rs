//! LLVM types.

use super::{ffi, llvm_sys};
use llvm_sys::LLVMTypeKind;
use llvm_sys::core as c;
use llvm_sys::prelude::LLVMTypeRef;
use std::marker::PhantomData;
use std::ptr;

/// A type of a [`super::Program`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ty<'p> {
    raw: LLVMTypeRef,
    program: PhantomData<&'p super::Program>,
}

/// A format of floating-point numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FloatKind {
    Half,
    BFloat,
    Single,
    Double,
    X86Extended,
    Quad,
    PowerPcDouble,
}

/// What a type is made of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TypeShape<'p> {
    Void,
    Int(u32),
    Float(FloatKind),
    Pointer,
    Struct(Vec<Ty<'p>>),
    Array(Ty<'p>, u64),
    Vector(Ty<'p>, u64),
    Function,
    /// Labels, metadata, tokens, opaque structures, scalable vectors, target extension types.
    Other(&'static str),
}

impl<'p> Ty<'p> {
    pub(super) fn new(raw: LLVMTypeRef) -> Self {
        debug_assert!(!raw.is_null());
        Ty {
            raw,
            program: PhantomData,
        }
    }

    pub(super) fn raw(self) -> LLVMTypeRef {
        self.raw
    }

    pub fn shape(self) -> TypeShape<'p> {
        match ffi!(c::LLVMGetTypeKind(self.raw)) {
            LLVMTypeKind::LLVMVoidTypeKind => TypeShape::Void,
            LLVMTypeKind::LLVMHalfTypeKind => TypeShape::Float(FloatKind::Half),
            LLVMTypeKind::LLVMBFloatTypeKind => TypeShape::Float(FloatKind::BFloat),
            LLVMTypeKind::LLVMFloatTypeKind => TypeShape::Float(FloatKind::Single),
            LLVMTypeKind::LLVMDoubleTypeKind => TypeShape::Float(FloatKind::Double),
            LLVMTypeKind::LLVMX86_FP80TypeKind => TypeShape::Float(FloatKind::X86Extended),
            LLVMTypeKind::LLVMFP128TypeKind => TypeShape::Float(FloatKind::Quad),
            LLVMTypeKind::LLVMPPC_FP128TypeKind => TypeShape::Float(FloatKind::PowerPcDouble),
            LLVMTypeKind::LLVMIntegerTypeKind => {
                TypeShape::Int(ffi!(c::LLVMGetIntTypeWidth(self.raw)))
            }
            LLVMTypeKind::LLVMPointerTypeKind => TypeShape::Pointer,
            LLVMTypeKind::LLVMStructTypeKind => {
                if ffi!(c::LLVMIsOpaqueStruct(self.raw)) != 0 {
                    TypeShape::Other("opaque structure")
                } else {
                    TypeShape::Struct(self.fields())
                }
            }
            LLVMTypeKind::LLVMArrayTypeKind => {
                TypeShape::Array(self.element(), ffi!(c::LLVMGetArrayLength2(self.raw)))
            }
            LLVMTypeKind::LLVMVectorTypeKind => TypeShape::Vector(
                self.element(),
                u64::from(ffi!(c::LLVMGetVectorSize(self.raw))),
            ),
            LLVMTypeKind::LLVMFunctionTypeKind => TypeShape::Function,
            LLVMTypeKind::LLVMLabelTypeKind => TypeShape::Other("label"),
            LLVMTypeKind::LLVMMetadataTypeKind => TypeShape::Other("metadata"),
            LLVMTypeKind::LLVMTokenTypeKind => TypeShape::Other("token"),
            LLVMTypeKind::LLVMScalableVectorTypeKind => TypeShape::Other("scalable vector"),
            LLVMTypeKind::LLVMX86_AMXTypeKind => TypeShape::Other("AMX tile"),
            LLVMTypeKind::LLVMTargetExtTypeKind => TypeShape::Other("target extension type"),
            #[allow(unreachable_patterns)]
            _ => TypeShape::Other("type that this version does not know"),
        }
    }

    fn element(self) -> Ty<'p> {
        Ty::new(ffi!(c::LLVMGetElementType(self.raw)))
    }

    fn fields(self) -> Vec<Ty<'p>> {
        let count = ffi!(c::LLVMCountStructElementTypes(self.raw)) as usize;
        let mut fields = vec![ptr::null_mut(); count];
        ffi!(c::LLVMGetStructElementTypes(self.raw, fields.as_mut_ptr()));
        fields.into_iter().map(Ty::new).collect()
    }

    /// Parameters of a function type.
    pub fn params(self) -> Vec<Ty<'p>> {
        debug_assert_eq!(self.shape(), TypeShape::Function);
        let count = ffi!(c::LLVMCountParamTypes(self.raw)) as usize;
        let mut params = vec![ptr::null_mut(); count];
        ffi!(c::LLVMGetParamTypes(self.raw, params.as_mut_ptr()));
        params.into_iter().map(Ty::new).collect()
    }

    /// Result of a function type.
    pub fn result(self) -> Ty<'p> {
        debug_assert_eq!(self.shape(), TypeShape::Function);
        Ty::new(ffi!(c::LLVMGetReturnType(self.raw)))
    }

    /// Whether a function type takes more arguments than its parameters.
    pub fn is_variadic(self) -> bool {
        debug_assert_eq!(self.shape(), TypeShape::Function);
        ffi!(c::LLVMIsFunctionVarArg(self.raw)) != 0
    }

    /// Whether values of the type have a size.
    pub fn is_sized(self) -> bool {
        ffi!(c::LLVMTypeIsSized(self.raw)) != 0
    }
}
