//! Arguments and environment in a harness.
//!
//! The linker lets a function of the harness stand in front of `main` (`--wrap=main`). There the
//! strings are objects of their own, outside the heap, so that the sanitizers see where each ends and
//! that none may be freed.

use super::source::listed;
use crate::outside::Outside;
use foghorn_ir::Module;
use std::fmt::Write;

/// The flag of the command that builds a harness in front of `main`.
pub const WRAP: &str = "-Wl,--wrap=main";

/// Whether programs of this module are handed anything from outside.
pub fn is_needed(module: &Module) -> bool {
    let mut functions = module.functions.values();
    functions.any(|function| function.handed_over().is_some())
}

/// The function in front of `main`, with all it needs.
pub(super) fn source(outside: &Outside) -> String {
    let mut text = "/* What the run got from outside. */\nextern char **environ;\n".to_owned();
    let arguments = strings(&mut text, "argument", &outside.arguments);
    let count = outside
        .count
        .unwrap_or(0)
        .max(outside.arguments.len() as u64);
    let mut body = String::new();
    if outside.count.is_some() {
        // Writing to a string does not fail.
        let _ = write!(
            text,
            "static char foghorn_unseen[] = \"a\";\nstatic char *foghorn_arguments[{}] = \
             {{{arguments}}};\n",
            count + 1
        );
        let _ = write!(
            body,
            "  for (size_t i = {}; i < {count}; i++)\n    foghorn_arguments[i] = foghorn_unseen;\n  \
             argc = {count};\n  argv = foghorn_arguments;\n",
            outside.arguments.len()
        );
    }
    if let Some(entries) = &outside.entries {
        let listed = strings(&mut text, "entry", entries);
        let _ = writeln!(
            text,
            "static char *foghorn_environment[{}] = {{{listed}}};",
            entries.len() + 1
        );
        body += "  environ = foghorn_environment;\n  envp = foghorn_environment;\n";
    }
    let names: Vec<Vec<u8>> = outside.variables.iter().map(|it| it.0.clone()).collect();
    strings(&mut text, "name", &names);
    for (index, (_, value)) in outside.variables.iter().enumerate() {
        let _ = match value {
            None => writeln!(body, "  unsetenv(foghorn_name_{index});"),
            Some(value) => writeln!(
                body,
                "  static const char value_{index}[] = {{{}}};\n  \
                 setenv(foghorn_name_{index}, value_{index}, 1);",
                listed(&terminated(value))
            ),
        };
    }
    let _ = write!(
        text,
        "int __real_main(int, char **, char **);\nint __wrap_main(int argc, char **argv, char **envp) \
         {{\n{body}  return __real_main(argc, argv, envp);\n}}\n\n"
    );
    text
}

/// Declares an array for each string; their names.
fn strings(text: &mut String, name: &str, strings: &[Vec<u8>]) -> String {
    let mut names = String::new();
    for (index, string) in strings.iter().enumerate() {
        let bytes = terminated(string);
        let _ = writeln!(
            text,
            "static char foghorn_{name}_{index}[{}] = {{{}}};",
            bytes.len(),
            listed(&bytes)
        );
        let _ = write!(names, "foghorn_{name}_{index}, ");
    }
    names + "0"
}

fn terminated(string: &[u8]) -> Vec<u8> {
    let mut bytes = string.to_vec();
    bytes.push(0);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_objects_of_their_own() {
        let text = source(&Outside {
            count: Some(3),
            arguments: vec![b"p".to_vec(), b"-x".to_vec()],
            entries: None,
            variables: vec![(b"HOME".to_vec(), None)],
        });
        for expected in [
            "static char foghorn_argument_1[3] = {45, 120, 0};",
            "static char *foghorn_arguments[4] = {foghorn_argument_0, foghorn_argument_1, 0};",
            "for (size_t i = 2; i < 3; i++)",
            "unsetenv(foghorn_name_0);",
            "return __real_main(argc, argv, envp);",
        ] {
            assert!(text.contains(expected), "no {expected} in\n{text}");
        }
    }
}
