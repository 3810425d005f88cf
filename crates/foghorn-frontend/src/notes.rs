//! Those of clang's warnings that a reader of a verdict must not miss.

/// The mark of clang's warning about a call of an undeclared function.
const UNDECLARED: &str = "[-Wimplicit-function-declaration]";

/// A sentence for each function that is called without a declaration. C took such a function to
/// return `int` and to take what it is given; most often a header is missing. Names of verification
/// dialects need none.
pub(crate) fn of_warnings(warnings: &[String]) -> Vec<String> {
    let lines = warnings.iter().flat_map(|text| text.lines());
    lines.filter_map(undeclared).collect()
}

fn undeclared(line: &str) -> Option<String> {
    let (place, rest) = line.strip_suffix(UNDECLARED)?.split_once(": warning: ")?;
    let name = rest.split('\'').nth(1)?;
    if crate::translate::is_recognised(name) {
        return None;
    }
    let consequence = match name {
        "assert" => "it is taken as the assertion of <assert.h>",
        _ => "C takes it to return int",
    };
    Some(format!(
        "{place}: '{name}' is called without a declaration; {consequence}"
    ))
}

#[cfg(test)]
mod tests {
    use super::of_warnings;

    #[test]
    fn calls_without_a_declaration_are_told() {
        let text = "a.c:1:2: warning: call to undeclared function 'f'; ISO C99 and later do not \
            support implicit function declarations [-Wimplicit-function-declaration]\n\
            a.c:2:2: warning: call to undeclared function 'nondet_int'; ISO C99 and later do not \
            support implicit function declarations [-Wimplicit-function-declaration]\n\
            a.c:3:1: warning: unused variable 'x' [-Wunused]";
        let notes = of_warnings(&[text.to_owned()]);
        let expected = "a.c:1:2: 'f' is called without a declaration; C takes it to return int";
        assert_eq!(notes, [expected]);
    }
}
