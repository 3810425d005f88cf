//! A Z3 context and the handles that live in it.
//!
//! All unsafe calls that build or inspect expressions are in this module and in [`super::engine`].
//! The rules that make the safe methods safe:
//! - A handle carries the number of the context it came from, and every method compares it with
//!   its own before the pointer goes to Z3. Numbers are never reused, so a handle of a context
//!   that is gone is never dereferenced.
//! - Every handle's reference is counted once when it is made and given back only by the end of
//!   the context, so a handle is valid as long as its context.
//! - The error handler records and returns; each building call checks for an error afterwards, so
//!   a null pointer never becomes a handle.

#![allow(unsafe_code)]

use crate::error::SolverError;
use std::cell::RefCell;
use std::ffi::{CStr, CString};
use std::os::raw::c_uint;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use z3_sys::{
    AstKind, DeclKind, ErrorCode, Z3_app, Z3_ast, Z3_config, Z3_context, Z3_func_decl, Z3_sort,
    Z3_string, Z3_symbol,
};

/// The version we are built and tested with; see the traps of linking in the crate's decisions.
pub const EXPECTED_VERSION: &str = "5.4.";

/// What the loaded library calls itself.
pub fn loaded_version() -> String {
    // SAFETY: takes nothing and returns a static string.
    text(unsafe { z3_sys::Z3_get_full_version() })
}

/// An error unless the loaded library is the one we were built for. A program should ask once
/// when it starts; making a context asks too.
pub fn assert_z3_version() -> Result<(), SolverError> {
    static FOUND: OnceLock<String> = OnceLock::new();
    let found = FOUND.get_or_init(loaded_version);
    if found.starts_with(EXPECTED_VERSION) {
        Ok(())
    } else {
        Err(SolverError::WrongZ3 {
            found: found.clone(),
            expected: EXPECTED_VERSION,
        })
    }
}

/// Copies a string that Z3 owns.
pub(super) fn text(string: Z3_string) -> String {
    if string.is_null() {
        return String::new();
    }
    // SAFETY: Z3 returns NUL-terminated strings that live until the next call in the context.
    unsafe { CStr::from_ptr(string) }
        .to_string_lossy()
        .into_owned()
}

pub(super) fn c_string(text: &str) -> CString {
    CString::new(text.replace('\0', "")).expect("invariant: NULs were removed")
}

pub(super) fn count(length: usize) -> c_uint {
    c_uint::try_from(length).expect("invariant: fewer than 2^32 arguments")
}

macro_rules! handles {
    ($($(#[$doc:meta])* $name:ident($raw:ty),)+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub(crate) struct $name {
            pub(super) raw: $raw,
            owner: u32,
        }
    )+};
}

handles! {
    /// An expression.
    Ast(Z3_ast),
    /// A sort.
    SortHandle(Z3_sort),
    /// A function or constant declaration.
    FuncDecl(Z3_func_decl),
}

extern "C" fn record_only(_: Z3_context, _: ErrorCode) {}

/// A Z3 context. Not shared between threads; only interrupting it from another is allowed.
pub(crate) struct Context {
    pub(super) raw: Z3_context,
    number: u32,
    /// One entry per reference counted. Z3's own clean-up of references that nobody gave back takes
    /// quadratic time.
    counted: RefCell<Vec<Z3_ast>>,
}

impl Context {
    /// A context with these global parameters.
    pub fn new(parameters: &[(&str, &str)]) -> Result<Self, SolverError> {
        assert_z3_version()?;
        static NEXT: AtomicU32 = AtomicU32::new(0);
        // SAFETY: the configuration is made here, used for one context and deleted here; the
        // handler is a function that only returns, installed before any other call.
        let raw = unsafe {
            let config: Z3_config = z3_sys::Z3_mk_config().ok_or_else(no_memory)?;
            for (name, value) in parameters {
                let (name, value) = (c_string(name), c_string(value));
                z3_sys::Z3_set_param_value(config, name.as_ptr(), value.as_ptr());
            }
            let raw = z3_sys::Z3_mk_context_rc(config);
            z3_sys::Z3_del_config(config);
            let raw = raw.ok_or_else(no_memory)?;
            z3_sys::Z3_set_error_handler(raw, Some(record_only));
            raw
        };
        Ok(Context {
            raw,
            number: NEXT.fetch_add(1, Ordering::Relaxed),
            counted: RefCell::default(),
        })
    }

    /// The error of the last call, if it made one.
    pub fn check_error(&self) -> Result<(), SolverError> {
        // SAFETY: the context is alive; the message is copied at once.
        unsafe {
            let code = z3_sys::Z3_get_error_code(self.raw);
            if code == ErrorCode::Ok {
                return Ok(());
            }
            Err(SolverError::Z3(text(z3_sys::Z3_get_error_msg(
                self.raw, code,
            ))))
        }
    }

    /// Keeps a node alive that Z3 has just returned.
    fn count_reference(&self, raw: Z3_ast) {
        // SAFETY: the callers pass what Z3 has just returned for this context.
        unsafe { z3_sys::Z3_inc_ref(self.raw, raw) };
        self.counted.borrow_mut().push(raw);
    }

    fn own(&self, owner: u32) {
        assert_eq!(
            owner, self.number,
            "invariant: a handle is used in the context it came from"
        );
    }

    pub(super) fn raw_ast(&self, ast: Ast) -> Z3_ast {
        self.own(ast.owner);
        ast.raw
    }

    pub(super) fn raw_sort(&self, sort: SortHandle) -> Z3_sort {
        self.own(sort.owner);
        sort.raw
    }

    pub(super) fn raw_decl(&self, decl: FuncDecl) -> Z3_func_decl {
        self.own(decl.owner);
        decl.raw
    }

    pub(super) fn raw_asts(&self, asts: &[Ast]) -> Vec<Z3_ast> {
        asts.iter().map(|ast| self.raw_ast(*ast)).collect()
    }

    /// Makes a handle of what a building call returned.
    pub(super) fn ast(&self, raw: Option<Z3_ast>) -> Result<Ast, SolverError> {
        self.check_error()?;
        let raw = raw.ok_or_else(null_result)?;
        self.count_reference(raw);
        Ok(Ast {
            raw,
            owner: self.number,
        })
    }

    pub(super) fn sort(&self, raw: Option<Z3_sort>) -> Result<SortHandle, SolverError> {
        self.check_error()?;
        let raw = raw.ok_or_else(null_result)?;
        // A sort is a node like any other to Z3.
        self.count_reference(raw.cast());
        Ok(SortHandle {
            raw,
            owner: self.number,
        })
    }

    pub(super) fn decl(&self, raw: Option<Z3_func_decl>) -> Result<FuncDecl, SolverError> {
        self.check_error()?;
        let raw = raw.ok_or_else(null_result)?;
        // So is a declaration.
        self.count_reference(raw.cast());
        Ok(FuncDecl {
            raw,
            owner: self.number,
        })
    }

    pub(super) fn symbol(&self, name: &str) -> Result<Z3_symbol, SolverError> {
        let name = c_string(name);
        // SAFETY: the string lives through the call; Z3 copies it.
        unsafe { z3_sys::Z3_mk_string_symbol(self.raw, name.as_ptr()) }.ok_or_else(null_result)
    }

    /// Declares a function, or a constant if there are no arguments.
    pub fn declare(
        &self,
        name: &str,
        domain: &[SortHandle],
        range: SortHandle,
    ) -> Result<FuncDecl, SolverError> {
        let symbol = self.symbol(name)?;
        let domain: Vec<Z3_sort> = domain.iter().map(|sort| self.raw_sort(*sort)).collect();
        // SAFETY: the vector holds as many sorts of this context as we say.
        let raw = unsafe {
            z3_sys::Z3_mk_func_decl(
                self.raw,
                symbol,
                count(domain.len()),
                domain.as_ptr(),
                self.raw_sort(range),
            )
        };
        self.decl(raw)
    }

    /// A constant that nothing else is equal to, whatever names are in use.
    pub fn fresh_constant(&self, sort: SortHandle) -> Result<Ast, SolverError> {
        let prefix = c_string("fresh");
        let sort = self.raw_sort(sort);
        // SAFETY: the sort is of this context; the string lives through the call.
        self.ast(unsafe { z3_sys::Z3_mk_fresh_const(self.raw, prefix.as_ptr(), sort) })
    }

    pub fn apply(&self, decl: FuncDecl, arguments: &[Ast]) -> Result<Ast, SolverError> {
        let arguments = self.raw_asts(arguments);
        // SAFETY: the vector holds as many expressions of this context as we say.
        let raw = unsafe {
            z3_sys::Z3_mk_app(
                self.raw,
                self.raw_decl(decl),
                count(arguments.len()),
                arguments.as_ptr(),
            )
        };
        self.ast(raw)
    }

    /// A numeral of any numeric sort, from decimal text.
    pub fn numeral(&self, digits: &str, sort: SortHandle) -> Result<Ast, SolverError> {
        let digits = c_string(digits);
        // SAFETY: the string lives through the call.
        let raw = unsafe { z3_sys::Z3_mk_numeral(self.raw, digits.as_ptr(), self.raw_sort(sort)) };
        self.ast(raw)
    }

    pub fn sort_of(&self, ast: Ast) -> Result<SortHandle, SolverError> {
        // SAFETY: the expression is of this context and alive.
        self.sort(unsafe { z3_sys::Z3_get_sort(self.raw, self.raw_ast(ast)) })
    }

    pub fn ast_kind(&self, ast: Ast) -> AstKind {
        // SAFETY: the expression is of this context and alive.
        unsafe { z3_sys::Z3_get_ast_kind(self.raw, self.raw_ast(ast)) }
    }

    fn app(&self, ast: Ast) -> Result<Z3_app, SolverError> {
        match self.ast_kind(ast) {
            // SAFETY: the kinds were checked: these are applications of this context.
            AstKind::App | AstKind::Numeral => {
                unsafe { z3_sys::Z3_to_app(self.raw, self.raw_ast(ast)) }.ok_or_else(null_result)
            }
            other => Err(SolverError::Z3(format!(
                "{other:?} where an application was expected"
            ))),
        }
    }

    /// The declaration an application applies.
    pub fn app_decl(&self, ast: Ast) -> Result<FuncDecl, SolverError> {
        let app = self.app(ast)?;
        // SAFETY: `app` is an application of this context.
        self.decl(unsafe { z3_sys::Z3_get_app_decl(self.raw, app) })
    }

    /// The arguments of an application.
    pub fn app_arguments(&self, ast: Ast) -> Result<Vec<Ast>, SolverError> {
        let app = self.app(ast)?;
        // SAFETY: `app` is an application of this context; the index is below its arity.
        let arity = unsafe { z3_sys::Z3_get_app_num_args(self.raw, app) };
        (0..arity)
            .map(|i| self.ast(unsafe { z3_sys::Z3_get_app_arg(self.raw, app, i) }))
            .collect()
    }

    pub fn decl_kind(&self, decl: FuncDecl) -> DeclKind {
        // SAFETY: the declaration is of this context and alive.
        unsafe { z3_sys::Z3_get_decl_kind(self.raw, self.raw_decl(decl)) }
    }

    pub fn decl_name(&self, decl: FuncDecl) -> String {
        // SAFETY: the declaration is of this context; the string is copied at once.
        unsafe {
            z3_sys::Z3_get_decl_name(self.raw, self.raw_decl(decl))
                .map(|symbol| self.symbol_text(symbol))
                .unwrap_or_default()
        }
    }

    pub(super) fn symbol_text(&self, symbol: Z3_symbol) -> String {
        // SAFETY: symbols live as long as the context; the string is copied at once.
        text(unsafe { z3_sys::Z3_get_symbol_string(self.raw, symbol) })
    }

    /// The digits of a numeral.
    pub fn numeral_text(&self, ast: Ast) -> Result<String, SolverError> {
        // SAFETY: the expression is of this context; the string is copied at once.
        let digits = text(unsafe { z3_sys::Z3_get_numeral_string(self.raw, self.raw_ast(ast)) });
        self.check_error()?;
        Ok(digits)
    }

    pub fn is_numeral(&self, ast: Ast) -> bool {
        // SAFETY: the expression is of this context and alive.
        unsafe { z3_sys::Z3_is_numeral_ast(self.raw, self.raw_ast(ast)) }
    }

    /// The expression in SMT-LIB's syntax, with sharing.
    pub fn ast_text(&self, ast: Ast) -> String {
        // SAFETY: the expression is of this context; the string is copied at once.
        text(unsafe { z3_sys::Z3_ast_to_string(self.raw, self.raw_ast(ast)) })
    }

    pub fn sort_text(&self, sort: SortHandle) -> String {
        // SAFETY: the sort is of this context; the string is copied at once.
        text(unsafe { z3_sys::Z3_sort_to_string(self.raw, self.raw_sort(sort)) })
    }

    pub fn simplify(&self, ast: Ast) -> Result<Ast, SolverError> {
        // SAFETY: the expression is of this context and alive.
        self.ast(unsafe { z3_sys::Z3_simplify(self.raw, self.raw_ast(ast)) })
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: each reference is given back once, youngest first, and then the context is deleted
        // once. Handles compare their owner before use and the number is never given out again.
        unsafe {
            for raw in self.counted.get_mut().drain(..).rev() {
                z3_sys::Z3_dec_ref(self.raw, raw);
            }
            z3_sys::Z3_del_context(self.raw);
        }
    }
}

pub(super) fn no_memory() -> SolverError {
    SolverError::Z3("out of memory".into())
}

pub(super) fn null_result() -> SolverError {
    SolverError::Z3("a call returned nothing".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_library_is_the_one_we_were_built_for() {
        assert_z3_version().unwrap();
        assert!(loaded_version().starts_with("5.4"), "{}", loaded_version());
    }
}
