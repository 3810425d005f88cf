//! Calls of Z3's building functions.
//!
//! Most operators are one call whose arguments are the children. [`super::form`] names that call; what
//! needs more than one is put together in [`super::convert`]. Unsafe code: the function pointers
//! are made in that table only, from functions of Z3 with exactly that signature, and the
//! arguments are checked to be of the context by [`Context::raw_ast`].

#![allow(unsafe_code)]

#[cfg(test)]
use super::context::c_string;
use super::context::{Ast, Context, SortHandle, count};
use super::form::{Form, form};
use crate::error::SolverError;
use foghorn_term::{FloatFormat, Op, RoundingMode};
use std::os::raw::c_uint;
use z3_sys::{Z3_app, Z3_ast, Z3_context};

type Unary = unsafe extern "C" fn(Z3_context, Z3_ast) -> Option<Z3_ast>;
type Binary = unsafe extern "C" fn(Z3_context, Z3_ast, Z3_ast) -> Option<Z3_ast>;
type Ternary = unsafe extern "C" fn(Z3_context, Z3_ast, Z3_ast, Z3_ast) -> Option<Z3_ast>;
type Quaternary =
    unsafe extern "C" fn(Z3_context, Z3_ast, Z3_ast, Z3_ast, Z3_ast) -> Option<Z3_ast>;
type Nary = unsafe extern "C" fn(Z3_context, c_uint, *const Z3_ast) -> Option<Z3_ast>;
type Indexed = unsafe extern "C" fn(Z3_context, c_uint, Z3_ast) -> Option<Z3_ast>;

/// A building function of Z3.
#[derive(Clone, Copy)]
pub(crate) enum Plain {
    One(Unary),
    Two(Binary),
    Three(Ternary),
    /// Any number at once.
    Many(Nary),
    /// Any number, from the left, two at a time.
    Fold(Binary),
    /// One child and a number.
    Indexed(Indexed, u32),
    /// A rounding mode, then one child.
    Rounded1(Binary, RoundingMode),
    Rounded2(Ternary, RoundingMode),
    Rounded3(Quaternary, RoundingMode),
}

impl Context {
    /// Calls a building function.
    pub fn build(&self, plain: Plain, children: &[Ast]) -> Result<Ast, SolverError> {
        let raw = self.raw_asts(children);
        let arity = |wanted: usize| {
            assert_eq!(raw.len(), wanted, "invariant: terms have their arity");
        };
        // SAFETY: every function pointer comes from `form`, all expressions are of this context,
        // and as many are passed as the function takes.
        let made = unsafe {
            match plain {
                Plain::One(f) => {
                    arity(1);
                    f(self.raw, raw[0])
                }
                Plain::Two(f) => {
                    arity(2);
                    f(self.raw, raw[0], raw[1])
                }
                Plain::Three(f) => {
                    arity(3);
                    f(self.raw, raw[0], raw[1], raw[2])
                }
                Plain::Many(f) => f(self.raw, count(raw.len()), raw.as_ptr()),
                Plain::Fold(f) => return self.fold(f, children),
                Plain::Indexed(f, index) => {
                    arity(1);
                    f(self.raw, index, raw[0])
                }
                Plain::Rounded1(f, mode) => {
                    arity(1);
                    f(self.raw, self.rounding(mode)?.raw, raw[0])
                }
                Plain::Rounded2(f, mode) => {
                    arity(2);
                    f(self.raw, self.rounding(mode)?.raw, raw[0], raw[1])
                }
                Plain::Rounded3(f, mode) => {
                    arity(3);
                    f(self.raw, self.rounding(mode)?.raw, raw[0], raw[1], raw[2])
                }
            }
        };
        self.ast(made)
    }

    fn fold(&self, f: Binary, children: &[Ast]) -> Result<Ast, SolverError> {
        let (first, rest) = children
            .split_first()
            .expect("invariant: an n-ary operator has children");
        rest.iter().try_fold(*first, |left, right| {
            // SAFETY: `f` comes from `form`; both expressions are of this context.
            self.ast(unsafe { f(self.raw, self.raw_ast(left), self.raw_ast(*right)) })
        })
    }

    /// Builds an operator that is one call.
    pub fn build_op(&self, op: Op, children: &[Ast]) -> Result<Ast, SolverError> {
        match form(op) {
            Form::Plain(plain) => self.build(plain, children),
            Form::Assembled(_) => Err(SolverError::Internal(format!(
                "{} is more than one call",
                op.kind().name()
            ))),
        }
    }

    fn rounding(&self, mode: RoundingMode) -> Result<Ast, SolverError> {
        // SAFETY: these take the context only.
        self.ast(unsafe {
            match mode {
                RoundingMode::NearestEven => z3_sys::Z3_mk_fpa_rne(self.raw),
                RoundingMode::NearestAway => z3_sys::Z3_mk_fpa_rna(self.raw),
                RoundingMode::TowardPositive => z3_sys::Z3_mk_fpa_rtp(self.raw),
                RoundingMode::TowardNegative => z3_sys::Z3_mk_fpa_rtn(self.raw),
                RoundingMode::TowardZero => z3_sys::Z3_mk_fpa_rtz(self.raw),
            }
        })
    }

    pub fn boolean(&self, value: bool) -> Result<Ast, SolverError> {
        // SAFETY: these take the context only.
        self.ast(unsafe {
            if value {
                z3_sys::Z3_mk_true(self.raw)
            } else {
                z3_sys::Z3_mk_false(self.raw)
            }
        })
    }

    pub fn boolean_sort(&self) -> Result<SortHandle, SolverError> {
        // SAFETY: takes the context only.
        self.sort(unsafe { z3_sys::Z3_mk_bool_sort(self.raw) })
    }

    pub fn integer_sort(&self) -> Result<SortHandle, SolverError> {
        // SAFETY: takes the context only.
        self.sort(unsafe { z3_sys::Z3_mk_int_sort(self.raw) })
    }

    pub fn bit_vector_sort(&self, width: u32) -> Result<SortHandle, SolverError> {
        // SAFETY: takes the context and a number that terms keep positive.
        self.sort(unsafe { z3_sys::Z3_mk_bv_sort(self.raw, width) })
    }

    pub fn float_sort(&self, format: FloatFormat) -> Result<SortHandle, SolverError> {
        // SAFETY: takes the context and numbers; bad ones are an error Z3 records.
        self.sort(unsafe { z3_sys::Z3_mk_fpa_sort(self.raw, format.exponent, format.significand) })
    }

    pub fn array_sort(
        &self,
        index: SortHandle,
        element: SortHandle,
    ) -> Result<SortHandle, SolverError> {
        let (index, element) = (self.raw_sort(index), self.raw_sort(element));
        // SAFETY: both sorts are of this context.
        self.sort(unsafe { z3_sys::Z3_mk_array_sort(self.raw, index, element) })
    }

    pub fn uninterpreted_sort(&self, name: &str) -> Result<SortHandle, SolverError> {
        let symbol = self.symbol(name)?;
        // SAFETY: the symbol is of this context.
        self.sort(unsafe { z3_sys::Z3_mk_uninterpreted_sort(self.raw, symbol) })
    }

    pub fn bit_vector(&self, bits: &[bool]) -> Result<Ast, SolverError> {
        // SAFETY: as many bits are passed as we say, least significant first.
        self.ast(unsafe { z3_sys::Z3_mk_bv_numeral(self.raw, count(bits.len()), bits.as_ptr()) })
    }

    pub fn extract(&self, high: u32, low: u32, of: Ast) -> Result<Ast, SolverError> {
        // SAFETY: the expression is of this context; bad bounds are an error Z3 records.
        self.ast(unsafe { z3_sys::Z3_mk_extract(self.raw, high, low, self.raw_ast(of)) })
    }

    pub fn bit_vector_to_int(&self, of: Ast) -> Result<Ast, SolverError> {
        // SAFETY: the expression is of this context.
        self.ast(unsafe { z3_sys::Z3_mk_bv2int(self.raw, self.raw_ast(of), false) })
    }

    /// No overflow upwards (and, with sign, none downwards) in a product.
    pub fn product_fits(&self, left: Ast, right: Ast, signed: bool) -> Result<Ast, SolverError> {
        let (left, right) = (self.raw_ast(left), self.raw_ast(right));
        // SAFETY: both expressions are of this context.
        let above =
            self.ast(unsafe { z3_sys::Z3_mk_bvmul_no_overflow(self.raw, left, right, signed) })?;
        if !signed {
            return Ok(above);
        }
        // SAFETY: as above.
        let below = self.ast(unsafe { z3_sys::Z3_mk_bvmul_no_underflow(self.raw, left, right) })?;
        self.build(Plain::Many(z3_sys::Z3_mk_and), &[above, below])
    }

    pub fn constant_array(&self, index: SortHandle, element: Ast) -> Result<Ast, SolverError> {
        let (index, element) = (self.raw_sort(index), self.raw_ast(element));
        // SAFETY: sort and expression are of this context.
        self.ast(unsafe { z3_sys::Z3_mk_const_array(self.raw, index, element) })
    }

    /// λ over a constant: the array whose element at `bound` is `body`.
    pub fn lambda(&self, bound: Ast, body: Ast) -> Result<Ast, SolverError> {
        let apps: [Z3_app; 1] = [self.raw_ast(bound).cast()];
        // SAFETY: `bound` was made as a constant of this context, which is an application.
        self.ast(unsafe {
            z3_sys::Z3_mk_lambda_const(self.raw, 1, apps.as_ptr(), self.raw_ast(body))
        })
    }

    /// ∀ over constants; the body itself if there are none.
    pub fn for_all(&self, bound: &[Ast], body: Ast) -> Result<Ast, SolverError> {
        if bound.is_empty() {
            return Ok(body);
        }
        let apps: Vec<Z3_app> = bound.iter().map(|b| self.raw_ast(*b).cast()).collect();
        // SAFETY: the bound expressions were made as constants of this context; no patterns.
        self.ast(unsafe {
            z3_sys::Z3_mk_forall_const(
                self.raw,
                0,
                count(apps.len()),
                apps.as_ptr(),
                0,
                std::ptr::null(),
                self.raw_ast(body),
            )
        })
    }

    /// The de Bruijn variable of this index.
    pub fn de_bruijn(&self, index: u32, sort: SortHandle) -> Result<Ast, SolverError> {
        let sort = self.raw_sort(sort);
        // SAFETY: the sort is of this context.
        self.ast(unsafe { z3_sys::Z3_mk_bound(self.raw, index, sort) })
    }

    pub fn float_from_bits(&self, bits: Ast, sort: SortHandle) -> Result<Ast, SolverError> {
        let (bits, sort) = (self.raw_ast(bits), self.raw_sort(sort));
        // SAFETY: expression and sort are of this context.
        self.ast(unsafe { z3_sys::Z3_mk_fpa_to_fp_bv(self.raw, bits, sort) })
    }

    pub fn float_to_bits(&self, float: Ast) -> Result<Ast, SolverError> {
        // SAFETY: the expression is of this context.
        self.ast(unsafe { z3_sys::Z3_mk_fpa_to_ieee_bv(self.raw, self.raw_ast(float)) })
    }

    /// Conversion to a float of another sort, from a float or a bit-vector with or without sign.
    pub fn float_from(
        &self,
        source: FloatSource,
        mode: RoundingMode,
        from: Ast,
        sort: SortHandle,
    ) -> Result<Ast, SolverError> {
        let mode = self.rounding(mode)?.raw;
        let (from, sort) = (self.raw_ast(from), self.raw_sort(sort));
        // SAFETY: mode, expression and sort are of this context.
        self.ast(unsafe {
            match source {
                FloatSource::Float => z3_sys::Z3_mk_fpa_to_fp_float(self.raw, mode, from, sort),
                FloatSource::Signed => z3_sys::Z3_mk_fpa_to_fp_signed(self.raw, mode, from, sort),
                FloatSource::Unsigned => {
                    z3_sys::Z3_mk_fpa_to_fp_unsigned(self.raw, mode, from, sort)
                }
            }
        })
    }

    /// Conversion of a float to a bit-vector.
    pub fn float_to_integer(
        &self,
        signed: bool,
        mode: RoundingMode,
        float: Ast,
        width: u32,
    ) -> Result<Ast, SolverError> {
        let mode = self.rounding(mode)?.raw;
        let float = self.raw_ast(float);
        // SAFETY: mode and expression are of this context.
        self.ast(unsafe {
            if signed {
                z3_sys::Z3_mk_fpa_to_sbv(self.raw, mode, float, width)
            } else {
                z3_sys::Z3_mk_fpa_to_ubv(self.raw, mode, float, width)
            }
        })
    }

    /// Replaces constants by expressions.
    pub fn substitute(&self, within: Ast, pairs: &[(Ast, Ast)]) -> Result<Ast, SolverError> {
        let from: Vec<Z3_ast> = pairs.iter().map(|(f, _)| self.raw_ast(*f)).collect();
        let to: Vec<Z3_ast> = pairs.iter().map(|(_, t)| self.raw_ast(*t)).collect();
        let within = self.raw_ast(within);
        // SAFETY: both vectors have the length we say and hold expressions of this context.
        self.ast(unsafe {
            z3_sys::Z3_substitute(
                self.raw,
                within,
                count(from.len()),
                from.as_ptr(),
                to.as_ptr(),
            )
        })
    }

    /// Replaces the de Bruijn variable `i` by `to[i]`.
    pub fn substitute_variables(&self, within: Ast, to: &[Ast]) -> Result<Ast, SolverError> {
        let to = self.raw_asts(to);
        let within = self.raw_ast(within);
        // SAFETY: the vector has the length we say and holds expressions of this context.
        self.ast(unsafe {
            z3_sys::Z3_substitute_vars(self.raw, within, count(to.len()), to.as_ptr())
        })
    }

    /// Reads assertions in SMT-LIB, to see that what we print is understood.
    #[cfg(test)]
    pub fn parse(&self, script: &str) -> Result<Vec<Ast>, SolverError> {
        let script = c_string(script);
        // SAFETY: the string lives through the call; no sorts or declarations are passed.
        let vector = unsafe {
            z3_sys::Z3_parse_smtlib2_string(
                self.raw,
                script.as_ptr(),
                0,
                std::ptr::null(),
                std::ptr::null(),
                0,
                std::ptr::null(),
                std::ptr::null(),
            )
        };
        self.check_error()?;
        self.vector(vector)
    }

    /// The elements of a vector that Z3 has just returned.
    pub(super) fn vector(
        &self,
        vector: Option<z3_sys::Z3_ast_vector>,
    ) -> Result<Vec<Ast>, SolverError> {
        let vector = vector.ok_or_else(super::context::null_result)?;
        // SAFETY: Z3 has just returned the vector; it is kept alive while it is read.
        unsafe {
            z3_sys::Z3_ast_vector_inc_ref(self.raw, vector);
            let length = z3_sys::Z3_ast_vector_size(self.raw, vector);
            let elements = (0..length)
                .map(|i| self.ast(z3_sys::Z3_ast_vector_get(self.raw, vector, i)))
                .collect();
            z3_sys::Z3_ast_vector_dec_ref(self.raw, vector);
            elements
        }
    }
}

/// What a float is converted from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FloatSource {
    Float,
    Signed,
    Unsigned,
}
