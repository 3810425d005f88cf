//! What rustc's output needs: panics, the allocator's marks, the runtime's start.
//!
//! The standard library comes precompiled, so its functions have no bodies here. A call of a
//! panicking function is a failing assertion at the caller's line.

use super::Unsupported;
use super::function::{FunctionTranslator, Scalars};
use crate::llvm::Value;
use foghorn_core::CheckKind;
use foghorn_ir::{Callee, HaltKind, Instruction, Type};
use smallvec::smallvec;

impl<'p> FunctionTranslator<'_, 'p> {
    /// The results of a call into Rust's runtime; `None` if the name is none of it.
    pub(crate) fn rust_runtime_call(
        &mut self,
        name: &str,
        call: Value<'p>,
    ) -> Result<Option<Scalars>, Unsupported> {
        if !is_rust(name) {
            return Ok(None);
        }
        if is_panic(name) {
            let message = panic_message(name);
            self.fail(CheckKind::Assertion, Some(&message));
            return Ok(Some(self.undefined_of(call)));
        }
        if name.contains("lang_start_internal") {
            return self.language_start(call).map(Some);
        }
        if name.contains("process4exit") {
            let code = self.scalar_operand(call, 0)?;
            self.halt(HaltKind::Exit, code);
            return Ok(Some(self.undefined_of(call)));
        }
        if name.contains("process5abort") {
            let code = self.body.int(32, 134);
            self.halt(HaltKind::Abort, code);
            return Ok(Some(self.undefined_of(call)));
        }
        if name.contains("__rust_no_alloc_shim_is_unstable") {
            return Ok(Some(self.undefined_of(call)));
        }
        if let Some(allocator) = allocator_name(name) {
            let arguments = self.argument_scalars(call)?;
            let types = self.element_types(call)?;
            return Ok(self.library_call(allocator, &arguments, &types));
        }
        Ok(None)
    }

    /// `lang_start_internal(data, vtable, argc, argv, sigpipe)` calls the closure that wraps
    /// `main`; what that returns is the exit code. A vtable starts with destructor, size and
    /// alignment, then come `call_once`, `call_mut` and `call`.
    fn language_start(&mut self, call: Value<'p>) -> Result<Scalars, Unsupported> {
        const CALL_ENTRY: i64 = 5;
        let data = self.scalar_operand(call, 0)?;
        let vtable = self.scalar_operand(call, 1)?;
        let word = self.module.module.layout.pointer_bytes;
        let entry = self.offset(vtable, CALL_ENTRY * i64::from(word));
        let function = self.load(entry, word, Type::Ptr);
        let run = Instruction::Call {
            callee: Callee::Indirect(function),
            arguments: vec![data],
        };
        let code = self.emit1(run, Type::I32);
        let code = self.resize_signed(code, self.pointer_bits())?;
        Ok(smallvec![code])
    }
}

/// Whether rustc made the name. The older of its schemes is that of C++ with a hash at the end.
fn is_rust(name: &str) -> bool {
    const HASH: usize = "17h0123456789abcdefE".len();
    let has_hash = || {
        let hash = name.len().checked_sub(HASH).and_then(|at| name.get(at..));
        hash.and_then(|hash| hash.strip_prefix("17h"))
            .and_then(|hash| hash.strip_suffix('E'))
            .is_some_and(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))
    };
    name.starts_with("_R") || name.starts_with("_ZN") && has_hash()
}

fn is_panic(name: &str) -> bool {
    let panics = [
        "panicking",
        "panic_fmt",
        "unwrap_failed",
        "expect_failed",
        "slice_index_fail",
        "slice_start_index_len_fail",
        "slice_end_index_len_fail",
        "slice_index_order_fail",
        "handle_alloc_error",
        "capacity_overflow",
        "rust_begin_unwind",
        "handle_error",
    ];
    panics.iter().any(|part| name.contains(part))
}

/// The allocator's functions have mangled names since they left the C namespace.
fn allocator_name(name: &str) -> Option<&'static str> {
    [
        "__rust_alloc_zeroed",
        "__rust_realloc",
        "__rust_dealloc",
        "__rust_alloc",
    ]
    .into_iter()
    .find(|known| name.contains(known))
}

/// `panic_const_add_overflow` and the like say what happened.
fn panic_message(name: &str) -> String {
    match name.find("panic_const_") {
        Some(at) => {
            let rest = &name[at + "panic_const_".len()..];
            let words = rest.trim_end_matches(|c: char| !c.is_ascii_lowercase());
            let words = words.split("17h").next().unwrap_or(words);
            format!(
                "panic: {}",
                words
                    .trim_end_matches(|c: char| c.is_ascii_digit())
                    .replace('_', " ")
            )
        }
        None => "panic".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::is_rust;

    #[test]
    fn names_of_cxx_are_not_those_of_rust() {
        assert!(is_rust("_ZN4core9panicking5panic17h0123456789abcdefE"));
        assert!(is_rust("_RNvCs1_7___rustc12___rust_alloc"));
        assert!(!is_rust("_ZN6Parser12handle_errorEv"));
        assert!(!is_rust("_ZN1AE"));
    }
}
