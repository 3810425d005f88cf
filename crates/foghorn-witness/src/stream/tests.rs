//! Tests of streams.

use super::*;
use foghorn_core::SpanId;

fn choice(name: &str, ty: Type, bits: u128) -> Choice {
    Choice {
        origin: NondetOrigin::Input(name.into()),
        ty,
        span: SpanId::UNKNOWN,
        bits,
    }
}

fn byte(form: &str, byte: u8) -> Choice {
    let name = format!("__foghorn_stdin_{form}");
    choice(&name, Type::Int(16), u128::from(byte) + 1)
}

fn number(form: &str, bits: u128) -> Choice {
    choice(&format!("__foghorn_stdin_{form}_32"), Type::I32, bits)
}

fn text(choices: &[Choice]) -> String {
    escaped(&Streams::of_run(choices, &[]).standard.bytes())
}

#[test]
fn numbers_become_text() {
    let minus_five = number("decimal", 0xffff_fffb);
    let choices = [minus_five, byte("following", b'\n'), byte("byte", 0xff)];
    assert_eq!(text(&choices), "-5\\n\\xff");
    assert_eq!(text(&[number("hexadecimal", 255)]), "ff");
    let zero = [number("hexadecimal", 0), byte("following", b'x')];
    assert_eq!(text(&zero), "00x");
    let prefixed = [number("prefixed", 8), byte("following", b'9')];
    assert_eq!(text(&prefixed), "0109");
    let half = choice(
        "__foghorn_stdin_double",
        Type::F64,
        0.5_f64.to_bits().into(),
    );
    assert_eq!(text(std::slice::from_ref(&half)), "0.5");
    assert_eq!(text(&[half, byte("following", b'.')]), "5e-1.");
}

#[test]
fn what_is_no_number_stays_none() {
    assert_eq!(text(&[byte("stray_integer", b'a')]), "a");
    assert_eq!(text(&[byte("stray_integer", b' ')]), "- ");
    assert_eq!(text(&[byte("stray_float", b'7')]), "-ix7");
    assert_eq!(text(&[byte("stray_float", b'.')]), "-..");
}

#[test]
fn the_rest_of_a_number_stands_behind_its_first_digit() {
    let choices = [byte("byte", b'4'), number("rest_decimal", 42)];
    assert_eq!(text(&choices), "42");
    let choices = [byte("byte", b'0'), number("behind_zero", 42)];
    assert_eq!(text(&choices), "052");
}

#[test]
fn blocks_belong_to_the_choice_before_them() {
    let choices = [
        choice("__foghorn_stdin_read", Type::I64, 2),
        choice("__foghorn_stdin_read", Type::I64, 4096),
        choice("__foghorn_file_refuses", Type::BOOL, 1),
    ];
    let blocks = [Block {
        at: 1,
        bytes: b"ab",
    }];
    let streams = Streams::of_run(&choices, &blocks);
    assert_eq!(streams.standard.bytes(), b"ab");
    let interrupted = ReadResult::Error { interrupted: true };
    assert_eq!(streams.standard.reads, [ReadResult::Bytes(2), interrupted]);
    assert_eq!(streams.refused, [true]);
}
