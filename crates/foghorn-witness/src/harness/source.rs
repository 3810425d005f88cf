//! The text of a harness.

use super::values::{Asked, Values};
use super::{About, outside};
use crate::trace::record::is_unsigned_name;
use foghorn_ir::Type;
use std::fmt::Write;

/// The verifier's own functions, the same in every harness.
const VERIFIER: &str = include_str!("verifier.c");

/// The whole file.
pub(super) fn write(values: &Values, limits: &[String], about: &About<'_>) -> String {
    let mut text = preamble(limits, about);
    for (name, asked) in &values.functions {
        if !values.outsiders.contains_key(name) {
            text += &function(name, asked);
        }
    }
    text += &outside::declarations(&values.outsiders);
    for (name, outsider) in &values.outsiders {
        text += &outside::definition(name, outsider, values.functions.get(name));
    }
    for (name, bytes) in &values.globals {
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            "/* '{name}' is declared and not defined. */\n__attribute__((weak, aligned(16))) \
             unsigned char {name}[{}] = {{{}}};\n",
            bytes.len().max(1),
            listed(bytes)
        );
    }
    for (name, asked) in &values.reading.library {
        if !super::streams::has_piece(name) {
            // Headers may declare it, so in the text it has another name.
            text += &function_called(&format!("foghorn_library_{name}"), name, asked);
        }
    }
    text += &super::streams::write(&values.reading);
    if values.wraps_main {
        text += &super::start::source(&values.outside);
    }
    text += &havocs(&values.havocs);
    text += VERIFIER;
    text
}

fn preamble(limits: &[String], about: &About<'_>) -> String {
    let place = about.location;
    let mut text = format!(
        "/* A run that fails: {} at {}:{}:{} in {}.\n *\n * build: {}\n * run:   {}\n",
        about.kind,
        place.file,
        place.line,
        place.column,
        place.function,
        comment(about.build),
        comment(about.run)
    );
    if !limits.is_empty() {
        text += " *\n * This file cannot force everything that happened in the run:\n";
        for limit in limits {
            let _ = writeln!(text, " * - {}", comment(limit));
        }
    }
    text += " */\n#define _GNU_SOURCE\n#include <stddef.h>\n#include <stdio.h>\n#include <stdlib.h>\n\
             #include <string.h>\n\nstatic void foghorn_no_more_values(const char *name) {\n  \
             fprintf(stderr, \"foghorn: this is not the run that was found: one more call of \
             %s\\n\", name);\n  _Exit(98);\n}\n\n";
    text
}

/// Text that may stand in a comment.
fn comment(text: &str) -> String {
    text.replace("*/", "* /")
}

/// A function that returns its values one after the other.
fn function(name: &str, asked: &Asked) -> String {
    function_called(&identifier(name), name, asked)
}

/// The same under another name in the text than for the linker.
fn function_called(identifier: &str, name: &str, asked: &Asked) -> String {
    let ty = c_type(name, asked.ty);
    let mut text = String::new();
    if identifier != name {
        let _ = writeln!(text, "{ty} {identifier}() __asm__(\"{name}\");");
    }
    if asked.bits.is_empty() {
        let _ = writeln!(
            text,
            "__attribute__((weak)) {ty} {identifier}() {{\n  \
             foghorn_no_more_values(\"{name}\");\n  return 0;\n}}\n"
        );
        return text;
    }
    let values: Vec<String> = asked
        .bits
        .iter()
        .map(|&bits| literal(ty, asked.ty, bits))
        .collect();
    let _ = writeln!(
        text,
        "{ty} {identifier}() {{\n  static {ty} const values[] = {{{}}};\n  static size_t next;\n  \
         if (next == sizeof values / sizeof *values)\n    foghorn_no_more_values(\"{name}\");\n  \
         return values[next++];\n}}\n",
        values.join(", ")
    );
    text
}

/// A name that C takes; the linker's name may have dots.
pub(super) fn identifier(name: &str) -> String {
    name.replace('.', "_dot_")
}

/// The type that a function returns. The caller was compiled elsewhere, so it is the width that
/// matters, and the sign for how the values read.
pub(super) fn c_type(name: &str, ty: Type) -> &'static str {
    let unsigned = is_unsigned_name(name);
    match ty {
        Type::Int(1) => "_Bool",
        Type::Int(..=8) if unsigned => "unsigned char",
        Type::Int(..=8) => "signed char",
        Type::Int(..=16) if unsigned => "unsigned short",
        Type::Int(..=16) => "short",
        Type::Int(..=32) if unsigned => "unsigned int",
        Type::Int(..=32) => "int",
        Type::Int(..=64) if unsigned => "unsigned long long",
        Type::Int(..=64) => "long long",
        Type::Int(_) => "unsigned __int128",
        Type::Ptr => "void *",
        Type::F32 => "float",
        Type::F64 => "double",
        Type::Memory(_) => unreachable!("invariant: functions return scalars"),
    }
}

/// A value as C writes it.
pub(super) fn literal(c_type: &str, ty: Type, bits: u128) -> String {
    match ty {
        Type::Int(width) if width > 64 => {
            let (high, low) = ((bits >> 64) as u64, bits as u64);
            format!("(unsigned __int128){high:#x}ull << 64 | {low:#x}ull")
        }
        Type::Int(_) if c_type.starts_with("unsigned") || c_type == "_Bool" => {
            format!("{bits}ull")
        }
        Type::Int(width) => signed_literal(width, bits),
        // What lies above is a known object's number, which is looked for elsewhere.
        Type::Ptr => format!("(void *){:#x}ul", bits as u64),
        Type::F32 => float_literal(f32::from_bits(bits as u32).into(), "f"),
        Type::F64 => float_literal(f64::from_bits(bits as u64), ""),
        Type::Memory(_) => unreachable!("invariant: functions return scalars"),
    }
}

fn signed_literal(width: u8, bits: u128) -> String {
    let unused = 128 - u32::from(width);
    match (bits << unused).cast_signed() >> unused {
        // C has no literal for it.
        smallest if smallest == i128::from(i64::MIN) => format!("{}ll - 1", smallest + 1),
        value if i32::try_from(value).is_ok() && value != i128::from(i32::MIN) => value.to_string(),
        value => format!("{value}ll"),
    }
}

fn float_literal(value: f64, suffix: &str) -> String {
    if value.is_nan() {
        return format!("__builtin_nan{suffix}(\"\")");
    }
    if value.is_infinite() {
        let sign = if value < 0.0 { "-" } else { "" };
        return format!("{sign}__builtin_inf{suffix}()");
    }
    match suffix {
        "f" => format!("{:?}f", value as f32),
        _ => format!("{value:?}"),
    }
}

pub(super) fn listed(bytes: &[u8]) -> String {
    let words: Vec<String> = bytes.iter().map(ToString::to_string).collect();
    words.join(", ")
}

/// The table of what memory holds after each havoc.
fn havocs(havocs: &[Vec<u8>]) -> String {
    let mut text = "struct foghorn_bytes {\n  size_t size;\n  const char *start;\n};\n".to_owned();
    for (index, bytes) in havocs.iter().enumerate() {
        let _ = writeln!(
            text,
            "static const unsigned char foghorn_havoc_{index}[{}] = {{{}}};",
            bytes.len().max(1),
            listed(bytes)
        );
    }
    text += "static const struct foghorn_bytes foghorn_havocs[] = {\n";
    for (index, bytes) in havocs.iter().enumerate() {
        let _ = writeln!(
            text,
            "  {{{}, (const char *)foghorn_havoc_{index}}},",
            bytes.len()
        );
    }
    let _ = write!(
        text,
        "  {{0, 0}}}};\nstatic const size_t foghorn_havoc_count = {};\n\
         static size_t foghorn_next_havoc;\n\n",
        havocs.len()
    );
    text
}
