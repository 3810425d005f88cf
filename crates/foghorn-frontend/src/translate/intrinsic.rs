//! LLVM's intrinsic functions, by family. The dispatch only dispatches.

use super::Unsupported;
use super::function::{FunctionTranslator, Scalars};
use crate::llvm::{TypeShape, Value};
use foghorn_core::CheckKind;
use foghorn_ir::{HaltKind, Type};
use smallvec::smallvec;

impl<'p> FunctionTranslator<'_, 'p> {
    pub(crate) fn intrinsic(
        &mut self,
        name: &str,
        call: Value<'p>,
    ) -> Result<Scalars, Unsupported> {
        let stem = stem(name);
        if is_hint(stem) {
            return Ok(Scalars::new());
        }
        if let Some(results) = self.arithmetic_intrinsic(stem, call)? {
            return Ok(results);
        }
        if let Some(results) = self.memory_intrinsic(stem, call)? {
            return Ok(results);
        }
        if let Some(results) = self.control_intrinsic(stem, call)? {
            return Ok(results);
        }
        self.machine_intrinsic(name, call)
    }

    /// An instruction of the machine. One that neither reads nor writes memory is a function of
    /// its operands, and any result is an over-approximation.
    fn machine_intrinsic(&mut self, name: &str, call: Value<'p>) -> Result<Scalars, Unsupported> {
        let types = self.element_types(call)?;
        let touches_memory = call
            .arguments()
            .iter()
            .any(|argument| argument.ty().shape() == TypeShape::Pointer);
        if !name.starts_with("llvm.x86.") || types.is_empty() || touches_memory {
            return Err(Unsupported::new(name.to_owned()));
        }
        let any = types.into_iter();
        Ok(any.map(|ty| self.over_approximated(name, ty)).collect())
    }

    fn control_intrinsic(
        &mut self,
        stem: &str,
        call: Value<'p>,
    ) -> Result<Option<Scalars>, Unsupported> {
        Ok(Some(match stem {
            "ubsantrap" => {
                let kind = call.arguments()[0].int_bits().unwrap_or(0);
                self.fail(sanitizer_check(kind), None);
                Scalars::new()
            }
            "trap" | "debugtrap" => {
                let code = self.body.int(32, 132);
                self.halt(HaltKind::Abort, code);
                Scalars::new()
            }
            "assume" => {
                let condition = self.scalar_operand(call, 0)?;
                self.check(
                    CheckKind::Unreachable,
                    condition,
                    Some("assumption of the program"),
                );
                Scalars::new()
            }
            "expect"
            | "expect.with.probability"
            | "launder.invariant.group"
            | "strip.invariant.group"
            | "annotation"
            | "ptr.annotation"
            | "ssa.copy"
            | "arithmetic.fence"
            | "preserve.array.access.index"
            | "preserve.struct.access.index" => self.operand(call.operand(0))?,
            "is.constant" | "allow.runtime.check" | "allow.ubsan.check" => {
                smallvec![self.bool(stem != "is.constant")]
            }
            "returnaddress"
            | "frameaddress"
            | "addressofreturnaddress"
            | "sponentry"
            | "thread.pointer" => {
                smallvec![self.over_approximated(stem, Type::Ptr)]
            }
            "readcyclecounter" | "readsteadycounter" => {
                smallvec![self.over_approximated(stem, Type::I64)]
            }
            "threadlocal.address" => self.operand(call.operand(0))?,
            "get.rounding" => smallvec![self.body.int(32, 1)],
            "eh.typeid.for" => smallvec![self.body.int(32, 0)],
            "vector.reduce.add" | "vector.reduce.mul" | "vector.reduce.and"
            | "vector.reduce.or" | "vector.reduce.xor" | "vector.reduce.smax"
            | "vector.reduce.smin" | "vector.reduce.umax" | "vector.reduce.umin"
            | "vector.reduce.fadd" | "vector.reduce.fmul" | "vector.reduce.fmax"
            | "vector.reduce.fmin" => self.reduction(stem, call)?,
            "vector.reverse" => {
                let mut lanes = self.operand(call.operand(0))?;
                lanes.reverse();
                lanes
            }
            _ => return Ok(None),
        }))
    }
}

/// Intrinsics that say something to the optimiser or the debugger only.
fn is_hint(stem: &str) -> bool {
    matches!(
        stem,
        "donothing"
            | "prefetch"
            | "var.annotation"
            | "codeview.annotation"
            | "sideeffect"
            | "invariant.end"
            | "experimental.noalias.scope.decl"
            | "pseudoprobe"
            | "instrprof.increment"
            | "va_end"
            | "fake.use"
            | "clear_cache"
            | "localescape"
            | "eh.begincatch"
            | "set.rounding"
    ) || stem.starts_with("dbg.")
}

/// The name without `llvm.` and without the types at its end.
pub(crate) fn stem(name: &str) -> &str {
    let name = name.strip_prefix("llvm.").unwrap_or(name);
    let mut stem = name;
    while let Some((front, last)) = stem.rsplit_once('.') {
        if !is_type_suffix(last) {
            break;
        }
        stem = front;
    }
    stem
}

fn is_type_suffix(text: &str) -> bool {
    let digits = |rest: &str| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit());
    if matches!(text, "ppcf128" | "bf16" | "isVoid" | "x86amx") {
        return true;
    }
    if text.starts_with("sl_")
        || text.starts_with("a") && text[1..].starts_with(|c: char| c.is_ascii_digit())
    {
        return true;
    }
    if let Some(rest) = text.strip_prefix(['i', 'f', 'p'])
        && digits(rest)
    {
        return true;
    }
    // v4i32, v2p0
    text.strip_prefix('v').is_some_and(|rest| {
        let element = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        element.len() < rest.len() && is_type_suffix(element)
    })
}

/// The check that a trap of clang's sanitizer stands for, by the number of its handler.
fn sanitizer_check(handler: u128) -> CheckKind {
    match handler {
        0 | 12 | 13 | 21 => CheckKind::SignedOverflow,
        1 => CheckKind::Unreachable,
        3 => CheckKind::Division,
        5 => CheckKind::FloatCast,
        8 => CheckKind::BuiltinArgument,
        10 => CheckKind::InvalidValue,
        11 => CheckKind::MissingReturn,
        18 => CheckKind::ArrayBounds,
        19 => CheckKind::OutOfBounds,
        20 => CheckKind::Shift,
        22 => CheckKind::Misaligned,
        24 => CheckKind::VlaBound,
        6 => CheckKind::InvalidCall,
        14..=17 => CheckKind::NullDereference,
        _ => CheckKind::InvalidValue,
    }
}

#[cfg(test)]
mod tests {
    use super::stem;

    #[test]
    fn types_are_cut_from_names() {
        assert_eq!(stem("llvm.memcpy.p0.p0.i64"), "memcpy");
        assert_eq!(stem("llvm.sadd.with.overflow.i32"), "sadd.with.overflow");
        assert_eq!(stem("llvm.fabs.v4f32"), "fabs");
        assert_eq!(stem("llvm.lifetime.start.p0"), "lifetime.start");
        assert_eq!(stem("llvm.is.fpclass.f64"), "is.fpclass");
        assert_eq!(stem("llvm.memcpy.inline.p0.p0.i32"), "memcpy.inline");
    }
}
