//! Streams of the C++ library.
//!
//! Their state lies in objects of the library's binary, so even those functions that come as
//! templates with the program cannot be followed. What is written to a stream is not looked at, and
//! the stream is what comes back; what reads from one, or asks for its state, is unsupported. So is
//! every other function of the library that has no body: its result must not be taken for anything.

use super::Unsupported;
use super::function::{FunctionTranslator, Scalars};
use crate::llvm::{TypeShape, Value, ValueKind};
use foghorn_ir::Type;
use smallvec::smallvec;

/// How names of functions begin that write to a stream and return it.
const OUTPUT: &[&str] = &[
    "_ZNSols",
    "_ZNSo3put",
    "_ZNSo5flush",
    "_ZNSo9_M_insert",
    "_ZStlsI",
    "_ZSt4endlI",
    "_ZSt4endsI",
    "_ZSt5flushI",
];

/// How other names of functions on streams begin.
const STREAMS: &[&str] = &[
    "_ZNSo",
    "_ZNSi",
    "_ZNKSo",
    "_ZNKSi",
    "_ZStrsI",
    "_ZSt7getline",
    "_ZSt2ws",
    "_ZSt16__ostream_insert",
    "_ZNSt8ios_base",
    "_ZNKSt8ios_base",
    "_ZNSt9basic_ios",
    "_ZNKSt9basic_ios",
    "_ZNSt13basic_ostream",
    "_ZNSt13basic_istream",
];

/// Functions that may stand to the right of `<<`.
const MANIPULATORS: &[&str] = &[
    "_ZSt4endlI",
    "_ZSt4endsI",
    "_ZSt5flushI",
    "_ZSt3hex",
    "_ZSt3dec",
    "_ZSt3oct",
    "_ZSt5fixed",
    "_ZSt10scientific",
    "_ZSt9boolalpha",
    "_ZSt11noboolalpha",
];

fn begins(name: &str, prefixes: &[&str]) -> bool {
    prefixes.iter().any(|prefix| name.starts_with(prefix))
}

/// Whether a name lies in the namespace of the C++ library.
fn is_library(name: &str) -> bool {
    let Some(rest) = name.strip_prefix("_Z") else {
        return false;
    };
    let rest = rest.strip_prefix('N').unwrap_or(rest);
    let rest = rest.strip_prefix('K').unwrap_or(rest);
    let mut letters = rest.bytes();
    letters.next() == Some(b'S') && letters.next().is_some_and(|it| b"tabsiod".contains(&it))
}

impl<'p> FunctionTranslator<'_, 'p> {
    /// A call of a function of the C++ library; `None` if it is followed like any other.
    pub(super) fn stream_call(
        &mut self,
        name: &str,
        call: Value<'p>,
        is_declaration: bool,
    ) -> Result<Option<Scalars>, Unsupported> {
        // The operators of the library are also those of other classes.
        let is_operator = begins(name, &["_ZStlsI", "_ZStrsI"]);
        let is_other =
            is_operator && !name.contains("basic_ostream") && !name.contains("basic_istream");
        if begins(name, OUTPUT) && !is_other {
            return self.stream_output(name, call).map(Some);
        }
        let is_stream = begins(name, STREAMS) && !is_other;
        if is_stream || is_declaration && is_library(name) {
            let construct = format!("C++ library function {name}");
            return Err(Unsupported::new(construct));
        }
        Ok(None)
    }

    fn stream_output(&mut self, name: &str, call: Value<'p>) -> Result<Scalars, Unsupported> {
        let arguments = call.arguments();
        let refuse = |what: &str| Err(Unsupported::new(format!("output of {what} ({name})")));
        for &argument in arguments.iter().skip(1) {
            if argument.ty().shape() != TypeShape::Pointer || name == "_ZNSolsEPKv" {
                continue;
            }
            match argument.kind() {
                ValueKind::LLVMFunctionValueKind if begins(&argument.name(), MANIPULATORS) => {}
                ValueKind::LLVMGlobalVariableValueKind if is_text(argument) => {}
                _ if name.ends_with("PKc") => return refuse("text that is no literal"),
                _ if name.contains("basic_string") => {
                    // It is read; more than that it exists is not looked at.
                    let text = self.scalar(argument)?;
                    self.load(text, 1, Type::I8);
                }
                _ => return refuse("what is written by a function"),
            }
        }
        let stream = arguments.first().copied();
        let stream = stream.ok_or_else(|| Unsupported::new(name.to_owned()))?;
        let stream = self.scalar(stream)?;
        let types = self.element_types(call)?;
        Ok(match types.as_slice() {
            [Type::Ptr] => smallvec![stream],
            _ => self.undefined_of(call),
        })
    }
}

/// Whether a global is a constant text with an end.
fn is_text(global: Value<'_>) -> bool {
    let text = global.initializer().filter(|_| global.is_global_constant());
    let bytes = text.and_then(Value::byte_string);
    bytes.is_some_and(|bytes| bytes.contains(&0))
}

#[cfg(test)]
mod tests {
    use super::is_library;

    #[test]
    fn names_of_the_library() {
        assert!(is_library("_ZNSolsEi"));
        assert!(is_library("_ZSt9terminatev"));
        assert!(is_library("_ZNKSt9exception4whatEv"));
        assert!(!is_library("_ZN3std2rt10lang_start17h0123456789abcdefE"));
        assert!(!is_library("_Z1fv"));
        assert!(!is_library("_ZS"));
    }
}
