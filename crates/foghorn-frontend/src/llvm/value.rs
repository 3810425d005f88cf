//! LLVM values: constants, globals, functions, arguments, instructions, and basic blocks.

use super::types::Ty;
use super::{FloatKind, Metadata, TypeShape, copy_text, ffi, llvm_sys, take_message};
use llvm_sys::core as c;
use llvm_sys::prelude::{LLVMBasicBlockRef, LLVMValueRef};
use std::marker::PhantomData;

pub use llvm_sys::LLVMLinkage as Linkage;
pub use llvm_sys::LLVMOpcode as Opcode;
pub use llvm_sys::LLVMValueKind as ValueKind;

/// A value of a [`super::Program`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Value<'p> {
    raw: LLVMValueRef,
    program: PhantomData<&'p super::Program>,
}

/// A basic block of a function of a [`super::Program`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BasicBlock<'p> {
    raw: LLVMBasicBlockRef,
    program: PhantomData<&'p super::Program>,
}

/// The handles of an intrusive list.
pub(super) fn chain<'p>(
    first: LLVMValueRef,
    next: impl Fn(LLVMValueRef) -> LLVMValueRef,
) -> Vec<Value<'p>> {
    let mut all = vec![];
    let mut at = first;
    while let Some(value) = Value::new(at) {
        all.push(value);
        at = next(at);
    }
    all
}

impl<'p> BasicBlock<'p> {
    fn new(raw: LLVMBasicBlockRef) -> Self {
        debug_assert!(!raw.is_null());
        BasicBlock {
            raw,
            program: PhantomData,
        }
    }

    /// What clang calls the block; empty if names were not kept.
    pub fn name(self) -> String {
        Value::new(ffi!(c::LLVMBasicBlockAsValue(self.raw))).map_or_else(String::new, Value::name)
    }

    pub fn instructions(self) -> Vec<Value<'p>> {
        let first = ffi!(c::LLVMGetFirstInstruction(self.raw));
        chain(first, |value| ffi!(c::LLVMGetNextInstruction(value)))
    }

    /// The φ-nodes, which come first.
    pub fn phis(self) -> Vec<Value<'p>> {
        let mut phis = vec![];
        let mut at = Value::new(ffi!(c::LLVMGetFirstInstruction(self.raw)));
        while let Some(value) = at.filter(|value| value.opcode() == Opcode::LLVMPHI) {
            phis.push(value);
            at = Value::new(ffi!(c::LLVMGetNextInstruction(value.raw)));
        }
        phis
    }

    pub fn terminator(self) -> Option<Value<'p>> {
        Value::new(ffi!(c::LLVMGetBasicBlockTerminator(self.raw)))
    }
}

impl<'p> Value<'p> {
    pub(super) fn new(raw: LLVMValueRef) -> Option<Self> {
        (!raw.is_null()).then_some(Value {
            raw,
            program: PhantomData,
        })
    }

    fn some(raw: LLVMValueRef) -> Self {
        Self::new(raw).expect("invariant: LLVM has such a value")
    }

    pub(super) fn raw(self) -> LLVMValueRef {
        self.raw
    }

    pub fn kind(self) -> ValueKind {
        ffi!(c::LLVMGetValueKind(self.raw))
    }

    pub fn ty(self) -> Ty<'p> {
        Ty::new(ffi!(c::LLVMTypeOf(self.raw)))
    }

    pub fn name(self) -> String {
        let mut length = 0;
        let text = ffi!(c::LLVMGetValueName2(self.raw, &raw mut length));
        let name = copy_text(text, length);
        // A leading \01 keeps the assembler's name mangling away; it is no part of the name.
        name.strip_prefix('\u{1}')
            .map(str::to_owned)
            .unwrap_or(name)
    }

    /// The text of the value, as in `.ll` files.
    pub fn print(self) -> String {
        take_message(ffi!(c::LLVMPrintValueToString(self.raw)))
    }

    pub fn operand_count(self) -> u32 {
        u32::try_from(ffi!(c::LLVMGetNumOperands(self.raw))).unwrap_or(0)
    }

    pub fn operand(self, index: u32) -> Value<'p> {
        Self::some(ffi!(c::LLVMGetOperand(self.raw, index)))
    }

    pub fn operands(self) -> Vec<Value<'p>> {
        (0..self.operand_count()).map(|i| self.operand(i)).collect()
    }

    pub fn is_constant(self) -> bool {
        ffi!(c::LLVMIsConstant(self.raw)) != 0
    }

    // --- constants --------------------------------------------------------------------------

    /// The bits of an integer constant of at most 128 bits.
    pub fn int_bits(self) -> Option<u128> {
        let TypeShape::Int(width) = self.ty().shape() else {
            return None;
        };
        if self.kind() != ValueKind::LLVMConstantIntValueKind || width > 128 {
            return None;
        }
        if width <= 64 {
            return Some(u128::from(ffi!(c::LLVMConstIntGetZExtValue(self.raw))));
        }
        // There is no getter for wide constants; they print as signed decimals.
        let text = self.print();
        let digits = text.rsplit(' ').next()?;
        if digits.starts_with('-') {
            digits.parse::<i128>().ok().map(i128::cast_unsigned)
        } else {
            digits.parse::<u128>().ok()
        }
    }

    /// The bits of an integer constant of any width in limbs of 64, the lowest first.
    pub fn int_limbs(self) -> Option<Vec<u64>> {
        let TypeShape::Int(width) = self.ty().shape() else {
            return None;
        };
        if self.kind() != ValueKind::LLVMConstantIntValueKind {
            return None;
        }
        let text = self.print();
        decimal_limbs(text.rsplit(' ').next()?, width.div_ceil(64) as usize)
    }

    /// The bits of a floating-point constant.
    pub fn float_bits(self) -> Option<u128> {
        let TypeShape::Float(kind) = self.ty().shape() else {
            return None;
        };
        if self.kind() != ValueKind::LLVMConstantFPValueKind {
            return None;
        }
        let mut loses = 0;
        let value = || ffi!(c::LLVMConstRealGetDouble(self.raw, &raw mut loses));
        match kind {
            FloatKind::Single | FloatKind::Double => {
                let mut value = value;
                let number = value();
                if number.is_nan() {
                    return self.printed_float(kind);
                }
                Some(if kind == FloatKind::Single {
                    // Exact: the constant is a single to begin with.
                    #[allow(clippy::cast_possible_truncation)]
                    u128::from((number as f32).to_bits())
                } else {
                    u128::from(number.to_bits())
                })
            }
            FloatKind::Half
            | FloatKind::BFloat
            | FloatKind::X86Extended
            | FloatKind::Quad
            | FloatKind::PowerPcDouble => self.printed_float(kind),
        }
    }

    /// Formats other than single and double print as `0x`, a letter and the bits; NaNs of these
    /// two print as the bits of a double.
    fn printed_float(self, kind: FloatKind) -> Option<u128> {
        let text = self.print();
        let word = text.rsplit(' ').next()?.strip_prefix("0x")?;
        let digits = word.trim_start_matches(['K', 'L', 'M', 'H', 'R']);
        let bits = u128::from_str_radix(digits, 16).ok()?;
        Some(match kind {
            FloatKind::Single => {
                let double = u64::try_from(bits).ok()?;
                let payload = u32::try_from((double >> 29) & 0x007f_ffff).ok()?;
                let sign = u32::from(double >> 63 == 1) << 31;
                u128::from(sign | 0x7f80_0000 | payload)
            }
            // Printed with the low half first.
            FloatKind::Quad | FloatKind::PowerPcDouble => bits.rotate_left(64),
            FloatKind::Half | FloatKind::BFloat | FloatKind::Double | FloatKind::X86Extended => {
                bits
            }
        })
    }

    /// Whether this is a zero or null constant of any type.
    pub fn is_null_constant(self) -> bool {
        ffi!(c::LLVMIsNull(self.raw)) != 0
    }

    /// An element of a constant aggregate.
    pub fn aggregate_element(self, index: u64) -> Option<Value<'p>> {
        let index = u32::try_from(index).ok()?;
        Self::new(ffi!(c::LLVMGetAggregateElement(self.raw, index)))
    }

    /// The bytes of a constant array of `i8`.
    pub fn byte_string(self) -> Option<Vec<u8>> {
        if ffi!(c::LLVMIsConstantString(self.raw)) == 0 {
            return None;
        }
        let mut length = 0;
        let text = ffi!(c::LLVMGetAsString(self.raw, &raw mut length));
        Some(ffi!(std::slice::from_raw_parts(text.cast::<u8>(), length)).to_vec())
    }

    /// The operation of a constant expression.
    pub fn constant_opcode(self) -> Opcode {
        ffi!(c::LLVMGetConstOpcode(self.raw))
    }

    /// The block of a `blockaddress`.
    pub fn block_address(self) -> BasicBlock<'p> {
        BasicBlock::new(ffi!(c::LLVMGetBlockAddressBasicBlock(self.raw)))
    }

    // --- globals and functions --------------------------------------------------------------

    pub fn linkage(self) -> Linkage {
        ffi!(c::LLVMGetLinkage(self.raw))
    }

    /// Visible in its own translation unit only.
    pub fn is_internal(self) -> bool {
        matches!(
            self.linkage(),
            Linkage::LLVMInternalLinkage | Linkage::LLVMPrivateLinkage
        )
    }

    /// Declared, not defined.
    pub fn is_declaration(self) -> bool {
        ffi!(c::LLVMIsDeclaration(self.raw)) != 0
    }

    /// The type of a global variable's contents, or of a function.
    pub fn value_type(self) -> Ty<'p> {
        Ty::new(ffi!(c::LLVMGlobalGetValueType(self.raw)))
    }

    pub fn initializer(self) -> Option<Value<'p>> {
        Self::new(ffi!(c::LLVMGetInitializer(self.raw)))
    }

    pub fn is_global_constant(self) -> bool {
        ffi!(c::LLVMIsGlobalConstant(self.raw)) != 0
    }

    /// Alignment of a global, alloca, load or store; 0 if it is not given.
    pub fn alignment(self) -> u32 {
        ffi!(c::LLVMGetAlignment(self.raw))
    }

    /// Of a load or store.
    pub fn is_volatile(self) -> bool {
        ffi!(c::LLVMGetVolatile(self.raw)) != 0
    }

    pub fn aliasee(self) -> Value<'p> {
        Self::some(ffi!(c::LLVMAliasGetAliasee(self.raw)))
    }

    pub fn params(self) -> Vec<Value<'p>> {
        (0..ffi!(c::LLVMCountParams(self.raw)))
            .map(|i| Self::some(ffi!(c::LLVMGetParam(self.raw, i))))
            .collect()
    }

    pub fn blocks(self) -> Vec<BasicBlock<'p>> {
        let mut all = vec![];
        let mut at = ffi!(c::LLVMGetFirstBasicBlock(self.raw));
        while !at.is_null() {
            all.push(BasicBlock::new(at));
            at = ffi!(c::LLVMGetNextBasicBlock(at));
        }
        all
    }

    /// Whether something uses the value.
    pub fn is_used(self) -> bool {
        !ffi!(c::LLVMGetFirstUse(self.raw)).is_null()
    }

    /// Those that use the value, with repetitions.
    pub fn users(self) -> Vec<Value<'p>> {
        let mut all = vec![];
        let mut at = ffi!(c::LLVMGetFirstUse(self.raw));
        while !at.is_null() {
            all.push(Self::some(ffi!(c::LLVMGetUser(at))));
            at = ffi!(c::LLVMGetNextUse(at));
        }
        all
    }

    /// Whether a function has the attribute.
    pub fn function_has(self, attribute: &str) -> bool {
        let kind = attribute_kind(attribute);
        !ffi!(c::LLVMGetEnumAttributeAtIndex(
            self.raw,
            llvm_sys::LLVMAttributeFunctionIndex,
            kind
        ))
        .is_null()
    }

    /// Whether a function has the attribute, one that LLVM does not know.
    pub fn has_attribute_text(self, attribute: &str) -> bool {
        let length = u32::try_from(attribute.len()).expect("invariant: short");
        !ffi!(c::LLVMGetStringAttributeAtIndex(
            self.raw,
            llvm_sys::LLVMAttributeFunctionIndex,
            attribute.as_ptr().cast(),
            length
        ))
        .is_null()
    }

    /// The subprogram of a function.
    pub fn subprogram(self) -> Option<Metadata<'p>> {
        Metadata::new(ffi!(llvm_sys::debuginfo::LLVMGetSubprogram(self.raw)))
    }

    // --- instructions -----------------------------------------------------------------------

    pub fn opcode(self) -> Opcode {
        ffi!(c::LLVMGetInstructionOpcode(self.raw))
    }

    pub fn debug_location(self) -> Option<Metadata<'p>> {
        Metadata::new(ffi!(llvm_sys::debuginfo::LLVMInstructionGetDebugLoc(
            self.raw
        )))
    }

    pub fn successors(self) -> Vec<BasicBlock<'p>> {
        (0..ffi!(c::LLVMGetNumSuccessors(self.raw)))
            .map(|i| BasicBlock::new(ffi!(c::LLVMGetSuccessor(self.raw, i))))
            .collect()
    }

    /// Whether a branch has a condition.
    pub fn is_conditional(self) -> bool {
        ffi!(c::LLVMIsConditional(self.raw)) != 0
    }

    /// The value of the `index`-th case of a switch; successor 0 is the default, so it belongs
    /// to successor `index + 1`.
    pub fn switch_case(self, index: u32) -> Value<'p> {
        #[cfg(feature = "llvm22")]
        let raw = ffi!(c::LLVMGetSwitchCaseValue(self.raw, index + 1));
        #[cfg(not(feature = "llvm22"))]
        let raw = ffi!(c::LLVMGetOperand(self.raw, 2 + 2 * index));
        Self::some(raw)
    }

    /// What a φ-node is when control comes from `block`.
    pub fn incoming(self, block: BasicBlock<'p>) -> Option<Value<'p>> {
        (0..ffi!(c::LLVMCountIncoming(self.raw)))
            .find(|&i| ffi!(c::LLVMGetIncomingBlock(self.raw, i)) == block.raw)
            .map(|i| Self::some(ffi!(c::LLVMGetIncomingValue(self.raw, i))))
    }

    /// The predicate of an `icmp`, as LLVM numbers them.
    pub fn int_predicate(self) -> llvm_sys::LLVMIntPredicate {
        ffi!(c::LLVMGetICmpPredicate(self.raw))
    }

    /// The predicate of an `fcmp`, as LLVM numbers them.
    pub fn float_predicate(self) -> u32 {
        ffi!(c::LLVMGetFCmpPredicate(self.raw)) as u32
    }

    pub fn allocated_type(self) -> Ty<'p> {
        Ty::new(ffi!(c::LLVMGetAllocatedType(self.raw)))
    }

    /// The type whose layout a `getelementptr` (instruction or expression) goes by.
    pub fn source_element_type(self) -> Ty<'p> {
        Ty::new(ffi!(c::LLVMGetGEPSourceElementType(self.raw)))
    }

    /// Whether an operation promises that its signed result fits.
    pub fn has_no_signed_wrap(self) -> bool {
        ffi!(c::LLVMGetNSW(self.raw)) != 0
    }

    /// Whether an operation promises that its unsigned result fits.
    pub fn has_no_unsigned_wrap(self) -> bool {
        ffi!(c::LLVMGetNUW(self.raw)) != 0
    }

    /// Whether a division or a shift to the right promises that nothing is lost.
    pub fn is_exact(self) -> bool {
        ffi!(c::LLVMGetExact(self.raw)) != 0
    }

    /// Whether an `or` promises that its operands have no bit in common.
    pub fn is_disjoint(self) -> bool {
        ffi!(c::LLVMGetIsDisjoint(self.raw)) != 0
    }

    /// Whether a comparison promises that its operands have one sign. Older versions do not know it.
    pub fn has_same_sign(self) -> bool {
        #[cfg(feature = "llvm22")]
        let promised = ffi!(c::LLVMGetICmpSameSign(self.raw)) != 0;
        #[cfg(not(feature = "llvm22"))]
        let promised = false;
        promised
    }

    /// Whether a conversion promises that its operand is not negative.
    pub fn is_non_negative(self) -> bool {
        ffi!(c::LLVMGetNNeg(self.raw)) != 0
    }

    /// The path of an `extractvalue` or `insertvalue`.
    pub fn indices(self) -> Vec<u32> {
        let count = ffi!(c::LLVMGetNumIndices(self.raw)) as usize;
        let indices = ffi!(c::LLVMGetIndices(self.raw));
        ffi!(std::slice::from_raw_parts(indices, count)).to_vec()
    }

    /// The mask of a `shufflevector`; `None` for an element that may be anything.
    pub fn shuffle_mask(self) -> Vec<Option<u32>> {
        (0..ffi!(c::LLVMGetNumMaskElements(self.raw)))
            .map(|i| u32::try_from(ffi!(c::LLVMGetMaskValue(self.raw, i))).ok())
            .collect()
    }

    /// The operation of an `atomicrmw`, as LLVM numbers them.
    pub fn atomic_operation(self) -> u32 {
        ffi!(c::LLVMGetAtomicRMWBinOp(self.raw)) as u32
    }

    // --- calls ------------------------------------------------------------------------------

    pub fn callee(self) -> Value<'p> {
        Self::some(ffi!(c::LLVMGetCalledValue(self.raw)))
    }

    pub fn called_type(self) -> Ty<'p> {
        Ty::new(ffi!(c::LLVMGetCalledFunctionType(self.raw)))
    }

    pub fn arguments(self) -> Vec<Value<'p>> {
        (0..ffi!(c::LLVMGetNumArgOperands(self.raw)))
            .map(|i| self.operand(i))
            .collect()
    }

    /// Whether the call, or the function it names, has the attribute.
    pub fn call_has(self, attribute: &str) -> bool {
        let kind = attribute_kind(attribute);
        let here = ffi!(c::LLVMGetCallSiteEnumAttribute(
            self.raw,
            llvm_sys::LLVMAttributeFunctionIndex,
            kind
        ));
        let callee = self.callee();
        !here.is_null()
            || (callee.kind() == ValueKind::LLVMFunctionValueKind && callee.function_has(attribute))
    }

    /// The type of a `byval` argument.
    pub fn by_value_type(self, argument: u32) -> Option<Ty<'p>> {
        self.argument_type_attribute(argument, "byval")
    }

    /// The type that an argument of inline assembly points to.
    pub fn element_type(self, argument: u32) -> Option<Ty<'p>> {
        self.argument_type_attribute(argument, "elementtype")
    }

    fn argument_type_attribute(self, argument: u32, name: &str) -> Option<Ty<'p>> {
        let kind = attribute_kind(name);
        let attribute = ffi!(c::LLVMGetCallSiteEnumAttribute(
            self.raw,
            argument + 1,
            kind
        ));
        (!attribute.is_null()).then(|| Ty::new(ffi!(c::LLVMGetTypeAttributeValue(attribute))))
    }

    /// Text and constraints of inline assembly.
    pub fn inline_assembly(self) -> (String, String) {
        let mut length = 0;
        let text = ffi!(c::LLVMGetInlineAsmAsmString(self.raw, &raw mut length));
        let text = copy_text(text, length);
        let mut length = 0;
        let constraints = ffi!(c::LLVMGetInlineAsmConstraintString(
            self.raw,
            &raw mut length
        ));
        (text, copy_text(constraints, length))
    }

    /// Where an `invoke` goes on.
    pub fn normal_destination(self) -> BasicBlock<'p> {
        BasicBlock::new(ffi!(c::LLVMGetNormalDest(self.raw)))
    }
}

fn attribute_kind(name: &str) -> u32 {
    ffi!(c::LLVMGetEnumAttributeKindForName(
        name.as_ptr().cast(),
        name.len()
    ))
}

/// A signed decimal number in two's complement, cut to that many limbs of 64 bits.
fn decimal_limbs(text: &str, limbs: usize) -> Option<Vec<u64>> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let mut number = vec![0u64; limbs];
    for digit in digits.chars() {
        let mut carry = u128::from(digit.to_digit(10)?);
        for limb in &mut number {
            let next = u128::from(*limb) * 10 + carry;
            *limb = (next & u128::from(u64::MAX)) as u64;
            carry = next >> 64;
        }
    }
    if negative {
        let mut carry = true;
        for limb in &mut number {
            (*limb, carry) = (!*limb).overflowing_add(u64::from(carry));
        }
    }
    Some(number)
}

#[cfg(test)]
mod tests {
    use super::decimal_limbs;

    #[test]
    fn decimals_of_any_width() {
        assert_eq!(
            decimal_limbs("18446744073709551617", 3),
            Some(vec![1, 1, 0])
        );
        assert_eq!(decimal_limbs("-1", 3), Some(vec![u64::MAX; 3]));
        assert_eq!(
            decimal_limbs("-18446744073709551616", 2),
            Some(vec![0, u64::MAX])
        );
        assert_eq!(decimal_limbs("x", 2), None);
    }
}
