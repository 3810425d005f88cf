//! The formats of the scanf family, as far as they are known when a program is translated.

/// One step of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// White space.
    Space,
    Literal(u8),
    Percent,
    /// A conversion that takes an argument unless it is suppressed.
    Conversion {
        suppressed: bool,
        /// `None` for no limit.
        width: Option<u64>,
        kind: Kind,
    },
}

/// What a conversion reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Integer {
        /// 0 if the text decides.
        base: u8,
        size: u8,
        signed: bool,
    },
    Float {
        size: u8,
    },
    Word,
    Characters,
    /// The set begins at this offset of the format.
    Set {
        offset: usize,
    },
}

/// The steps of a format; `None` if it has one that only its interpretation can do or reject.
///
/// `%n` is among these: it counts bytes, which a number that is read as a whole has none of.
pub(super) fn parse(format: &[u8], pointer_bytes: u8) -> Option<Vec<Step>> {
    let mut steps = vec![];
    let mut at = 0;
    while let Some(&byte) = format.get(at).filter(|&&byte| byte != 0) {
        at += 1;
        if is_space(byte) {
            if steps.last() != Some(&Step::Space) {
                steps.push(Step::Space);
            }
        } else if byte != b'%' {
            steps.push(Step::Literal(byte));
        } else {
            let step = conversion(format, &mut at, pointer_bytes)?;
            // Most conversions skip white space themselves.
            if skips_space(step) && steps.last() == Some(&Step::Space) {
                steps.pop();
            }
            steps.push(step);
        }
    }
    Some(steps)
}

fn is_space(byte: u8) -> bool {
    byte == b' ' || (b'\t'..=b'\r').contains(&byte)
}

fn skips_space(step: Step) -> bool {
    match step {
        Step::Space | Step::Literal(_) => false,
        Step::Percent => true,
        Step::Conversion { kind, .. } => match kind {
            Kind::Integer { .. } | Kind::Float { .. } | Kind::Word => true,
            Kind::Characters | Kind::Set { .. } => false,
        },
    }
}

fn conversion(format: &[u8], at: &mut usize, pointer_bytes: u8) -> Option<Step> {
    let peek = |at: usize| format.get(at).copied().unwrap_or(0);
    let suppressed = peek(*at) == b'*';
    if suppressed {
        *at += 1;
    }
    let mut width: u64 = 0;
    while peek(*at).is_ascii_digit() {
        let digit = u64::from(peek(*at) - b'0');
        width = width.checked_mul(10)?.checked_add(digit)?;
        *at += 1;
    }
    let mut length = 0;
    if matches!(peek(*at), b'h' | b'l' | b'j' | b'z' | b't' | b'L' | b'q') {
        length = peek(*at);
        *at += 1;
        if matches!(length, b'h' | b'l') && peek(*at) == length {
            length = if length == b'h' { b'H' } else { b'q' };
            *at += 1;
        }
    }
    let conversion = peek(*at);
    *at += 1;
    let integer = |base: u8, signed: bool| Kind::Integer {
        base,
        size: match length {
            b'H' => 1,
            b'h' => 2,
            b'q' | b'L' | b'j' => 8,
            b'l' | b'z' | b't' => pointer_bytes,
            _ => 4,
        },
        signed,
    };
    let kind = match conversion {
        b'%' => return Some(Step::Percent),
        b'd' => integer(10, true),
        b'i' => integer(0, true),
        b'u' => integer(10, false),
        b'o' => integer(8, false),
        b'x' | b'X' => integer(16, false),
        b'p' => Kind::Integer {
            base: 16,
            size: pointer_bytes,
            signed: false,
        },
        b'a' | b'A' | b'e' | b'E' | b'f' | b'F' | b'g' | b'G' => Kind::Float {
            size: match length {
                b'L' => 16,
                b'l' => 8,
                _ => 4,
            },
        },
        // Wide text is left to the model, which says that it is unsupported.
        b's' if length != b'l' => Kind::Word,
        b'c' if length != b'l' => Kind::Characters,
        b'[' if length != b'l' => {
            let offset = *at;
            *at = end_of_set(format, offset)?;
            Kind::Set { offset }
        }
        _ => return None,
    };
    Some(Step::Conversion {
        suppressed,
        width: (width > 0).then_some(width),
        kind,
    })
}

/// The offset behind the bracket that ends a set.
fn end_of_set(format: &[u8], mut at: usize) -> Option<usize> {
    if format.get(at) == Some(&b'^') {
        at += 1;
    }
    if format.get(at) == Some(&b']') {
        at += 1;
    }
    loop {
        match format.get(at) {
            None | Some(0) => return None,
            Some(b']') => return Some(at + 1),
            Some(_) => at += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(base: u8, size: u8, signed: bool) -> Step {
        Step::Conversion {
            suppressed: false,
            width: None,
            kind: Kind::Integer { base, size, signed },
        }
    }

    #[test]
    fn steps_stand_in_their_order() {
        let steps = parse(b" %d,%hhx\n%li%%\0", 8).expect("known");
        let expected = [
            number(10, 4, true),
            Step::Literal(b','),
            number(16, 1, false),
            number(0, 8, true),
            Step::Percent,
        ];
        assert_eq!(steps, expected);
    }

    #[test]
    fn sets_may_hold_their_bracket() {
        let steps = parse(b"%*3[^]a]x", 4).expect("known");
        let set = Step::Conversion {
            suppressed: true,
            width: Some(3),
            kind: Kind::Set { offset: 4 },
        };
        assert_eq!(steps, [set, Step::Literal(b'x')]);
        assert_eq!(parse(b"%[abc", 8), None);
    }

    #[test]
    fn white_space_before_a_character_stays() {
        let steps = parse(b"  %c", 8).expect("known");
        assert_eq!(steps.len(), 2);
        assert_eq!(steps[0], Step::Space);
    }

    #[test]
    fn the_rest_is_left_to_the_model() {
        for format in [&b"%n"[..], b"%ms", b"%1$d", b"%ls", b"%y", b"%"] {
            assert_eq!(parse(format, 8), None);
        }
    }
}
