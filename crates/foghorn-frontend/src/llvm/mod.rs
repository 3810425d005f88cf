//! A thin safe layer over LLVM's C interface: the only place that knows `llvm-sys`.
//!
//! Everything borrows from a [`Program`], which owns the context and the module, so no handle can
//! outlive what it names. Handles are copied freely and compare by identity. Reading never
//! changes the module; linking takes `&mut`, and so ends all borrows.
//!
//! LLVM ends the process on errors nobody handles. So each context has a diagnostic handler that
//! collects messages, and input is looked at before LLVM sees it ([`Program::parse`]).

#![allow(unsafe_code)]

mod metadata;
mod types;
mod value;

pub use metadata::{DebugVariable, Metadata};
pub use types::{FloatKind, Ty, TypeShape};
pub use value::{BasicBlock, Linkage, Opcode, Value, ValueKind};

#[cfg(all(feature = "llvm19", not(feature = "llvm22")))]
use llvm_sys_19 as llvm_sys;
#[cfg(feature = "llvm22")]
use llvm_sys_22 as llvm_sys;

use llvm_sys::prelude::{
    LLVMContextRef, LLVMDiagnosticInfoRef, LLVMMemoryBufferRef, LLVMModuleRef,
};
use llvm_sys::target::LLVMTargetDataRef;
use std::ffi::{CStr, CString, c_char, c_void};
use std::ptr;

/// Calls into LLVM.
///
/// SAFETY of every use: the handles passed come from a [`Program`] that is alive, because the
/// wrappers that carry them borrow from it, and each wrapper checks the kind of a handle before it
/// asks a question that only that kind can answer.
macro_rules! ffi {
    ($($call:tt)*) => {
        // SAFETY: see the macro's documentation.
        unsafe { $($call)* }
    };
}
pub(crate) use ffi;

/// A context with one module in it.
pub struct Program {
    context: LLVMContextRef,
    module: LLVMModuleRef,
    /// What LLVM had to say; boxed, because the context keeps its address.
    #[allow(clippy::box_collection)]
    messages: Box<Vec<String>>,
}

extern "C" fn collect_diagnostic(info: LLVMDiagnosticInfoRef, messages: *mut c_void) {
    use llvm_sys::LLVMDiagnosticSeverity::LLVMDSError;
    use llvm_sys::core::{LLVMGetDiagInfoDescription, LLVMGetDiagInfoSeverity};
    // SAFETY: LLVM passes the pointer given to `LLVMContextSetDiagnosticHandler`, which is the
    // boxed vector of the program whose context this is.
    let messages = unsafe { &mut *messages.cast::<Vec<String>>() };
    if matches!(ffi!(LLVMGetDiagInfoSeverity(info)), LLVMDSError) {
        messages.push(take_message(ffi!(LLVMGetDiagInfoDescription(info))));
    }
}

/// Copies and releases a string that LLVM allocated.
fn take_message(text: *mut c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    let copy = ffi!(CStr::from_ptr(text)).to_string_lossy().into_owned();
    ffi!(llvm_sys::core::LLVMDisposeMessage(text));
    copy
}

/// Copies a string of known length that LLVM keeps.
fn copy_text(text: *const c_char, length: usize) -> String {
    if text.is_null() {
        return String::new();
    }
    let bytes = ffi!(std::slice::from_raw_parts(text.cast::<u8>(), length));
    String::from_utf8_lossy(bytes).into_owned()
}

impl Program {
    /// Reads bitcode or textual IR. The error is what LLVM says about it.
    pub fn parse(bytes: &[u8]) -> Result<Self, String> {
        let mut program = Self::empty();
        program.module = program.parse_module(bytes)?;
        Ok(program)
    }

    /// Gives an attribute of ours to every function that the program defines.
    pub fn mark_definitions(&mut self, mark: &str) {
        mark_definitions(self.context, self.module, mark);
    }

    fn empty() -> Self {
        let context = ffi!(llvm_sys::core::LLVMContextCreate());
        #[allow(clippy::box_collection)]
        let mut messages: Box<Vec<String>> = Box::default();
        let address: *mut Vec<String> = &raw mut *messages;
        ffi!(llvm_sys::core::LLVMContextSetDiagnosticHandler(
            context,
            Some(collect_diagnostic),
            address.cast()
        ));
        Program {
            context,
            module: ptr::null_mut(),
            messages,
        }
    }

    fn parse_module(&mut self, bytes: &[u8]) -> Result<LLVMModuleRef, String> {
        let is_bitcode = bytes.starts_with(b"BC\xC0\xDE") || bytes.starts_with(b"\xDE\xC0\x17\x0B");
        let buffer = memory_buffer(bytes);
        let mut module = ptr::null_mut();
        let failed = if is_bitcode {
            let failed = ffi!(llvm_sys::bit_reader::LLVMParseBitcodeInContext2(
                self.context,
                buffer,
                &raw mut module
            ));
            ffi!(llvm_sys::core::LLVMDisposeMemoryBuffer(buffer));
            failed
        } else {
            let mut message = ptr::null_mut();
            // Takes the buffer.
            #[allow(deprecated)]
            let failed = ffi!(llvm_sys::ir_reader::LLVMParseIRInContext(
                self.context,
                buffer,
                &raw mut module,
                &raw mut message
            ));
            if !message.is_null() {
                self.messages.push(take_message(message));
            }
            failed
        };
        if failed != 0 || module.is_null() {
            return Err(self.take_messages("not readable as LLVM IR"));
        }
        #[cfg(all(feature = "llvm19", not(feature = "llvm22")))]
        ffi!(llvm_sys::core::LLVMSetIsNewDbgInfoFormat(module, 0));
        Ok(module)
    }

    fn take_messages(&mut self, otherwise: &str) -> String {
        if self.messages.is_empty() {
            return otherwise.to_owned();
        }
        std::mem::take(&mut *self.messages).join("; ")
    }

    /// Checks LLVM's own rules, so that what follows may rely on them.
    pub fn verify(&self) -> Result<(), String> {
        use llvm_sys::analysis::{LLVMVerifierFailureAction, LLVMVerifyModule};
        let mut message = ptr::null_mut();
        let failed = ffi!(LLVMVerifyModule(
            self.module,
            LLVMVerifierFailureAction::LLVMReturnStatusAction,
            &raw mut message
        ));
        let message = take_message(message);
        if failed == 0 { Ok(()) } else { Err(message) }
    }

    /// Links the module in `bytes` into this one; its definitions get the attribute of ours.
    pub fn link(&mut self, bytes: &[u8], mark: Option<&str>) -> Result<(), String> {
        let other = self.parse_module(bytes)?;
        if let Some(mark) = mark {
            mark_definitions(self.context, other, mark);
        }
        let failed = ffi!(llvm_sys::linker::LLVMLinkModules2(self.module, other));
        if failed != 0 || !self.messages.is_empty() {
            return Err(self.take_messages("the linker failed"));
        }
        Ok(())
    }

    /// Links from the module in `bytes` what this one lacks: its definitions give way to ours.
    pub fn link_if_needed(&mut self, bytes: &[u8]) -> Result<(), String> {
        let other = self.parse_module(bytes)?;
        let ours = self.defined_names();
        for value in module_globals(other) {
            let may_clash = !value.is_declaration()
                && !value.is_internal()
                && value.linkage() != Linkage::LLVMAppendingLinkage;
            if !may_clash || !ours.contains(&value.name()) {
                continue;
            }
            // Weak definitions are replaced by strong ones of the same name.
            ffi!(llvm_sys::core::LLVMSetLinkage(
                value.raw(),
                Linkage::LLVMWeakAnyLinkage
            ));
        }
        let failed = ffi!(llvm_sys::linker::LLVMLinkModules2(self.module, other));
        if failed != 0 || !self.messages.is_empty() {
            return Err(self.take_messages("the linker failed"));
        }
        Ok(())
    }

    /// Uses of a function that is only declared become uses of another one, if that is defined.
    pub fn redirect(&mut self, from: &str, to: &str) {
        let declared = self.function(from).filter(|f| f.is_declaration());
        let defined = self.function(to).filter(|f| !f.is_declaration());
        if let (Some(declared), Some(defined)) = (declared, defined) {
            ffi!(llvm_sys::core::LLVMReplaceAllUsesWith(
                declared.raw(),
                defined.raw()
            ));
        }
    }

    fn defined_names(&self) -> std::collections::BTreeSet<String> {
        let all = module_globals(self.module).into_iter();
        all.filter(|value| !value.is_declaration() && !value.is_internal())
            .map(Value::name)
            .collect()
    }

    /// All functions, declared or defined.
    pub fn functions(&self) -> Vec<Value<'_>> {
        use llvm_sys::core::{LLVMGetFirstFunction, LLVMGetNextFunction};
        let first = ffi!(LLVMGetFirstFunction(self.module));
        value::chain(first, |value| ffi!(LLVMGetNextFunction(value)))
    }

    /// All global variables, declared or defined.
    pub fn globals(&self) -> Vec<Value<'_>> {
        use llvm_sys::core::{LLVMGetFirstGlobal, LLVMGetNextGlobal};
        let first = ffi!(LLVMGetFirstGlobal(self.module));
        value::chain(first, |value| ffi!(LLVMGetNextGlobal(value)))
    }

    /// The function of that name.
    pub fn function(&self, name: &str) -> Option<Value<'_>> {
        let name = CString::new(name).ok()?;
        Value::new(ffi!(llvm_sys::core::LLVMGetNamedFunction(
            self.module,
            name.as_ptr()
        )))
    }

    /// The global variable of that name.
    pub fn global(&self, name: &str) -> Option<Value<'_>> {
        let name = CString::new(name).ok()?;
        Value::new(ffi!(llvm_sys::core::LLVMGetNamedGlobal(
            self.module,
            name.as_ptr()
        )))
    }

    /// The target triple.
    pub fn triple(&self) -> String {
        let text = ffi!(llvm_sys::core::LLVMGetTarget(self.module));
        if text.is_null() {
            return String::new();
        }
        ffi!(CStr::from_ptr(text)).to_string_lossy().into_owned()
    }

    fn layout(&self) -> LLVMTargetDataRef {
        ffi!(llvm_sys::target::LLVMGetModuleDataLayout(self.module))
    }

    /// Bytes of a pointer in the default address space.
    pub fn pointer_bytes(&self) -> u32 {
        ffi!(llvm_sys::target::LLVMPointerSize(self.layout()))
    }

    /// Whether numbers are stored with their low byte first.
    pub fn is_little_endian(&self) -> bool {
        use llvm_sys::target::{LLVMByteOrder, LLVMByteOrdering};
        matches!(
            ffi!(LLVMByteOrder(self.layout())),
            LLVMByteOrdering::LLVMLittleEndian
        )
    }

    /// Bytes from one element of an array of `ty` to the next.
    pub fn alloc_size(&self, ty: Ty<'_>) -> u64 {
        ffi!(llvm_sys::target::LLVMABISizeOfType(self.layout(), ty.raw()))
    }

    /// Bytes that a store of `ty` may write.
    pub fn store_size(&self, ty: Ty<'_>) -> u64 {
        ffi!(llvm_sys::target::LLVMStoreSizeOfType(
            self.layout(),
            ty.raw()
        ))
    }

    /// Alignment that the target gives `ty`.
    pub fn abi_align(&self, ty: Ty<'_>) -> u32 {
        ffi!(llvm_sys::target::LLVMABIAlignmentOfType(
            self.layout(),
            ty.raw()
        ))
    }

    /// Offset of a field of a structure.
    pub fn field_offset(&self, structure: Ty<'_>, field: u32) -> u64 {
        ffi!(llvm_sys::target::LLVMOffsetOfElement(
            self.layout(),
            structure.raw(),
            field
        ))
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        if !self.module.is_null() {
            ffi!(llvm_sys::core::LLVMDisposeModule(self.module));
        }
        ffi!(llvm_sys::core::LLVMContextDispose(self.context));
    }
}

fn mark_definitions(context: LLVMContextRef, module: LLVMModuleRef, mark: &str) {
    use llvm_sys::core as c;
    let length = u32::try_from(mark.len()).expect("invariant: a short name");
    let attribute = ffi!(c::LLVMCreateStringAttribute(
        context,
        mark.as_ptr().cast(),
        length,
        c"".as_ptr(),
        0
    ));
    let functions = value::chain(ffi!(c::LLVMGetFirstFunction(module)), |value| {
        ffi!(c::LLVMGetNextFunction(value))
    });
    for function in functions.into_iter().filter(|it| !it.is_declaration()) {
        ffi!(c::LLVMAddAttributeAtIndex(
            function.raw(),
            llvm_sys::LLVMAttributeFunctionIndex,
            attribute
        ));
    }
}

/// Functions and global variables of a module.
fn module_globals<'p>(module: LLVMModuleRef) -> Vec<Value<'p>> {
    use llvm_sys::core as c;
    let mut all = value::chain(ffi!(c::LLVMGetFirstFunction(module)), |value| {
        ffi!(c::LLVMGetNextFunction(value))
    });
    all.extend(value::chain(ffi!(c::LLVMGetFirstGlobal(module)), |value| {
        ffi!(c::LLVMGetNextGlobal(value))
    }));
    all
}

fn memory_buffer(bytes: &[u8]) -> LLVMMemoryBufferRef {
    ffi!(llvm_sys::core::LLVMCreateMemoryBufferWithMemoryRangeCopy(
        bytes.as_ptr().cast(),
        bytes.len(),
        c"input".as_ptr()
    ))
}
