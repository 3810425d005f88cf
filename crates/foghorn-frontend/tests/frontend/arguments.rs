//! The start of programs that take arguments: which of them are made.

use foghorn_frontend::{Arguments, Input, Options, Translation, translate};
use foghorn_ir::module::START_WITH_ARGUMENTS;
use foghorn_ir::{Callee, Constant, Instruction, verify_module};

fn translated(source: &str) -> Translation {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("test.c");
    std::fs::write(&path, source).expect("writable");
    let options = Options {
        arguments: Arguments::Any { most: None },
        ..Options::default()
    };
    let translation = translate(&[Input::from(path)], &options).unwrap_or_else(|e| panic!("{e}"));
    let breaches = verify_module(&translation.module);
    assert!(breaches.is_empty(), "{}", breaches[0]);
    translation
}

/// How many arguments the start makes: none if there is no vector.
fn made(source: &str) -> Option<i128> {
    let module = translated(source).module;
    let start = module
        .function_named(START_WITH_ARGUMENTS)
        .expect("a start");
    assert_eq!(module.entry, Some(start));
    let body = module.functions[start].body.as_ref().expect("a body");
    body.instructions
        .values()
        .find_map(|data| match &data.instruction {
            Instruction::Call {
                callee: Callee::Direct(callee),
                arguments,
            } if &*module.functions[*callee].name == "__model_outside_argv" => {
                match body.as_constant(arguments[1]) {
                    Some(Constant::Int(count)) => Some(count.cast_signed()),
                    _ => None,
                }
            }
            _ => None,
        })
}

const ALL: Option<i128> = Some(i32::MAX as i128);

#[test]
fn without_a_use_there_is_no_vector() {
    assert_eq!(
        made("int main(int argc, char **argv) { return argc; }"),
        None
    );
    assert_eq!(made("int main(int argc) { return argc; }"), None);
}

#[test]
fn constant_indices_say_how_many_are_looked_at() {
    let one = "int main(int argc, char **argv) { return argc > 1 ? argv[1][0] : 0; }";
    assert_eq!(made(one), Some(2));
    let first = "int main(int argc, char **argv) { return **argv; }";
    assert_eq!(made(first), Some(1));
    let written = "int main(int argc, char **argv) { argv[2] = argv[0]; return 0; }";
    assert_eq!(made(written), Some(3));
}

#[test]
fn functions_that_get_the_vector_count_too() {
    let helper = "static int f(char **v) { return v[3] != 0; }
        int main(int argc, char **argv) { return argv[1] == 0 || f(argv); }";
    assert_eq!(made(helper), Some(4));
    let unknown = "int f(char **v);
        int main(int argc, char **argv) { return f(argv); }";
    assert_eq!(made(unknown), ALL);
    let moved = "static int f(char **v) { return v[0] != 0; }
        int main(int argc, char **argv) { return f(argv + 1); }";
    assert_eq!(made(moved), ALL);
    let again = "int main(int argc, char **argv) { return argc > 9 ? main(argc - 1, argv) : 0; }";
    assert_eq!(made(again), ALL);
}

#[test]
fn whatever_else_is_done_with_the_vector_wants_all() {
    for body in [
        "int n = 0; for (int i = 0; i < argc; i++) n += argv[i][0]; return n;",
        "while (*++argv) argc--; return argc;",
        "kept = argv; return 0;",
        "char ***p = &argv; return (*p)[1] != 0;",
        "return argv[-1] != 0;",
        "return ((int *)argv)[3];",
        "argv[0] = (char *)argv; return argv[0][100];",
        "return argv != 0;",
    ] {
        let source = format!("char **kept; int main(int argc, char **argv) {{ {body} }}");
        assert_eq!(made(&source), ALL, "{body}");
    }
}

#[test]
fn a_program_that_sees_the_environment_as_a_list_has_one_environment() {
    let source = "extern char **environ; char *getenv(const char *);
        int main(void) { return environ[0] != 0 && getenv(\"A\") != 0; }";
    let module = translated(source).module;
    assert!(module.function_named("__model_listed_getenv").is_some());
    assert!(module.function_named("getenv").is_none());
    let source = "char *getenv(const char *); int main(void) { return getenv(\"A\") != 0; }";
    let module = translated(source).module;
    assert!(module.function_named("getenv").is_some());
}
