//! Small C programs become well-formed IR that says what they mean.

use foghorn_core::CheckKind;
use foghorn_frontend::{Entry, Input, Options, Translation, translate};
use foghorn_ir::interpret::{Outcome, Program, RecordedWorld, Zeros};
use foghorn_ir::{Instruction, NondetOrigin, print_module, verify_module};

fn translated(source: &str, options: &Options) -> Translation {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("test.c");
    std::fs::write(&path, source).expect("writable");
    let translation = translate(&[Input::from(path)], options).unwrap_or_else(|e| panic!("{e}"));
    let breaches = verify_module(&translation.module);
    assert!(
        breaches.is_empty(),
        "{}\n{}",
        breaches[0],
        print_module(&translation.module)
    );
    translation
}

fn program(source: &str) -> Translation {
    let translation = translated(source, &Options::default());
    assert_eq!(translation.unsupported, [], "unsupported");
    translation
}

fn run(translation: &Translation) -> Outcome {
    let mut world = RecordedWorld::default();
    let options = foghorn_ir::interpret::Options {
        max_steps: Some(1_000_000),
        ..Default::default()
    };
    let program = Program::new(&translation.module);
    let run = program
        .run(&options, &mut Zeros, &mut world)
        .expect("it starts");
    run.outcome
}

/// The program ends with this exit code.
fn exits(source: &str, expected: i32) {
    let outcome = run(&program(source));
    assert_eq!(outcome, Outcome::Exited { code: expected }, "{source}");
}

/// The program fails a check of this kind at this line.
fn fails(source: &str, kind: CheckKind, line: u32) {
    let translation = program(source);
    match run(&translation) {
        Outcome::Failed(failure) => {
            let at = translation.module.spans.span(failure.span).line;
            assert_eq!((failure.kind, at), (kind, line), "{source}");
        }
        other => panic!("{other:?}: {source}"),
    }
}

fn instructions(translation: &Translation) -> Vec<Instruction> {
    let bodies = translation
        .module
        .functions
        .values()
        .filter_map(|f| f.body.as_ref());
    bodies
        .flat_map(|body| {
            let placed = body.blocks.values().flat_map(|block| &block.instructions);
            placed
                .map(|&id| body.instructions[id].instruction.clone())
                .collect::<Vec<_>>()
        })
        .collect()
}

#[test]
fn arithmetic_and_control() {
    exits(
        "int main(void) { int s = 0; for (int i = 0; i < 10; i++) s += i; return s; }",
        45,
    );
    exits(
        "int f(int n) { return n < 2 ? 1 : n * f(n - 1); } int main(void) { return f(5); }",
        120,
    );
    exits(
        "int main(void) { int r = 0; for (unsigned i = 0; i < 40; i++) switch (i) {
           case 1: r += 1; break; case 3: r += 2; break; case 5: case 7: r += 3; break;
           case 20: r += 4; break; case 21: r += 5; break; case 22: r += 6; break;
           case 23: r += 7; break; case 30: r += 8; break; case 31: r += 9; break; default: ; }
         return r; }",
        48,
    );
}

#[test]
fn computed_goto() {
    exits(
        "int main(void) { static void *t[] = {&&a, &&b, &&c}; int i = 0, r = 0; goto *t[i];
           a: r += 1; i = 2; goto *t[i]; b: r += 10; return r; c: r += 100; i = 1; goto *t[i]; }",
        111,
    );
}

#[test]
fn aggregates_by_value() {
    exits(
        "struct small { int a; char b; }; struct big { long v[6]; };
         struct small f(struct small s) { s.a += s.b; return s; }
         long g(struct big b) { b.v[0] = 100; return b.v[5]; }
         int main(void) { struct small s = {3, 4}; struct big b = {{1, 2, 3, 4, 5, 6}};
           return f(s).a + (int)g(b) + (int)b.v[0]; }",
        14,
    );
}

#[test]
fn variable_arguments() {
    let source = "#include <stdarg.h>
         struct pair { long a, b; }; struct wide { int v[7]; };
         static int sum(int n, ...) { va_list ap, aq; va_start(ap, n); va_copy(aq, ap); int s = 0;
           for (int i = 0; i < n; i++) s += va_arg(ap, int);
           s += (int)va_arg(ap, double); struct pair p = va_arg(ap, struct pair); s += p.b;
           struct wide w = va_arg(ap, struct wide); s += w.v[6]; s += va_arg(aq, int);
           va_end(ap); va_end(aq); return s; }
         int main(void) { struct pair p = {1, 20}; struct wide w = {{0, 0, 0, 0, 0, 0, 30}};
           return sum(3, 1, 2, 3, 4.5, p, w); }";
    exits(source, 6 + 4 + 20 + 30 + 1);
    let options = Options {
        data_model: foghorn_frontend::DataModel::Ilp32,
        ..Options::default()
    };
    let translation = translated(source, &options);
    assert_eq!(run(&translation), Outcome::Exited { code: 61 });
}

#[test]
fn old_c_compiles_with_warnings() {
    let translation = program(
        "add(a, b) int a, b; { return a + b; }
         int main() { int *p = 5; undeclared(p); return add(3, 4); }",
    );
    assert!(!translation.warnings.is_empty());
    assert_eq!(translation.externals.len(), 1);
    assert_eq!(&*translation.externals[0], "undeclared");
    assert_eq!(run(&translation), Outcome::Exited { code: 7 });
    exits(
        "extern __inline int one(void) { return 1; } int main(void) { return one(); }",
        1,
    );
}

#[test]
fn unprototyped_pointers() {
    exits(
        "#include <stdarg.h>
         int plain(int a) { return a; }
         int variadic(int a, ...) { return a + 1; }
         int main(void) { int (*f)() = plain; int (*g)(int, ...) = variadic;
           return f(10) + g(20) + g(30, 1); }",
        62,
    );
}

#[test]
fn undefined_behaviour_is_checked() {
    fails(
        "int main(void) {\n int x = 2147483647;\n return x + 1 > 0;\n}",
        CheckKind::SignedOverflow,
        3,
    );
    fails(
        "int main(void) {\n int z = 0;\n return 1 / z;\n}",
        CheckKind::Division,
        3,
    );
    fails(
        "int main(void) {\n int s = 40;\n return 1 << s;\n}",
        CheckKind::Shift,
        3,
    );
    fails(
        "int a[3];\nint main(void) {\n int i = 3;\n return a[i];\n}",
        CheckKind::ArrayBounds,
        4,
    );
    fails(
        "int main(void) {\n int n = 0;\n int a[n];\n return sizeof a;\n}",
        CheckKind::VlaBound,
        3,
    );
    fails(
        "int main(void) {\n double d = 1e30;\n return (int)d;\n}",
        CheckKind::FloatCast,
        3,
    );
    fails(
        "int main(void) {\n int z = 0;\n return __builtin_clz(z);\n}",
        CheckKind::BuiltinArgument,
        3,
    );
    fails(
        "int main(void) {\n __builtin_unreachable();\n}",
        CheckKind::Unreachable,
        2,
    );
}

#[test]
fn memory_errors_have_the_callers_line() {
    fails(
        "#include <stdlib.h>\nint main(void) {\n int *p = malloc(8);\n free(p);\n return *p;\n}",
        CheckKind::UseAfterFree,
        5,
    );
    fails(
        "#include <string.h>\nint main(void) {\n char b[8] = \"abc\";\n memcpy(b + 1, b, 4);\n return 0;\n}",
        CheckKind::Overlap,
        4,
    );
    fails(
        "#include <string.h>\nint main(void) {\n char b[4];\n strcpy(b, \"much too long\");\n return 0;\n}",
        CheckKind::OutOfBounds,
        4,
    );
}

#[test]
fn dialects() {
    for assertion in [
        "void __VERIFIER_assert(int);\nint main(void) {\n __VERIFIER_assert(0); }",
        "#include <assert.h>\nint main(void) {\n assert(0); }",
        "int main(void) {\n\n __CPROVER_assert(0, \"text\"); }",
    ] {
        fails(assertion, CheckKind::Assertion, 3);
    }
    fails(
        "extern void reach_error(void);\nint main(void) {\n reach_error(); }",
        CheckKind::ReachError,
        3,
    );
    // The program's own definition wins, but calling it is still the error.
    fails(
        "void reach_error(void) {}\nint main(void) {\n reach_error(); }",
        CheckKind::ReachError,
        3,
    );
    exits(
        "void __VERIFIER_assert(int c) {} int main(void) { __VERIFIER_assert(0); return 4; }",
        4,
    );
    let assumed =
        program("void __VERIFIER_assume(int); int main(void) { __VERIFIER_assume(0); return 1; }");
    assert!(matches!(run(&assumed), Outcome::AssumptionViolated { .. }));
}

#[test]
fn nondet_has_the_declared_type() {
    let translation = program(
        "unsigned char __VERIFIER_nondet_uchar(void); long nd_long(void); int nondet_int(void);
         int main(void) { return __VERIFIER_nondet_uchar() + (int)nd_long() + nondet_int(); }",
    );
    let names: Vec<String> = instructions(&translation)
        .into_iter()
        .filter_map(|instruction| match instruction {
            Instruction::Nondet {
                origin: NondetOrigin::Input(name),
            } => Some(name.to_string()),
            _ => None,
        })
        .collect();
    assert_eq!(names, ["__VERIFIER_nondet_uchar", "nd_long", "nondet_int"]);
}

#[test]
fn ends_of_programs() {
    exits("#include <stdlib.h>\nint main(void) { exit(7); }", 7);
    exits("#include <unistd.h>\nint main(void) { _exit(8); }", 8);
    let aborted = program("#include <stdlib.h>\nint main(void) { abort(); }");
    assert!(matches!(run(&aborted), Outcome::Aborted { .. }));
}

#[test]
fn vectors_and_bits() {
    exits(
        "typedef int v4 __attribute__((vector_size(16)));
         int main(void) { v4 a = {1, 2, 3, 4}, b = {10, 20, 30, 40}; v4 c = a + b; int i = 2;
           v4 m = a > 2; c[i] += 1; return c[i] + c[3] + m[0] - m[3]; }",
        34 + 44 + 1,
    );
    exits(
        "struct b { unsigned a : 3, b : 5; int c : 9; }; union u { float f; unsigned i; };
         int main(void) { struct b x = {9, 33, -7}; union u y; y.f = 1.0f;
           return x.a + x.b + x.c + (y.i >> 23); }",
        1 + 1 - 7 + 127,
    );
}

#[test]
fn atomics_are_plain_steps() {
    exits(
        "#include <stdatomic.h>
         int main(void) { atomic_int a = 5; atomic_fetch_add(&a, 3); int e = 8;
           int ok = atomic_compare_exchange_strong(&a, &e, 40); return a + ok; }",
        41,
    );
}

#[test]
fn initialisers_constructors_and_aliases() {
    exits(
        "extern int w __attribute__((weak)); extern void absent(void) __attribute__((weak));
         struct s { char c; struct s *next; int (*f)(void); }; static int five(void) { return 5; }
         struct s one, two = {2, &one, five}; struct s one = {1, &two, five}; static int started;
         char *middle = \"hello\" + 2; __attribute__((constructor)) static void start(void) { started = 100; }
         static int named = 7; extern int other __attribute__((alias(\"named\")));
         int main(void) { if (absent) absent(); return two.next->next->c + one.f() + started + *middle - 'l' + other; }",
        2 + 5 + 100 + 7,
    );
}

#[test]
fn fractions() {
    exits(
        "#include <math.h>
         int main(void) { double whole, x = -3.75; double part = __builtin_modf(x, &whole);
           double none = __builtin_modf(-HUGE_VAL, &x);
           return (part == -0.75) + 2 * (whole == -3) + 4 * (none == 0 && signbit(none)) + 8 * (isinf(x) != 0); }",
        1 + 2 + 4 + 8,
    );
}

#[test]
fn over_approximations_are_named() {
    let translation = program(
        "int main(void) { long double x = 1.5L; int r; __asm__(\"mov $1, %0\" : \"=r\"(r)); return x > 1 ? r : 0; }",
    );
    let names: Vec<&str> = translation
        .over_approximations
        .iter()
        .map(|o| &*o.operation)
        .collect();
    assert!(names.contains(&"inline assembly"), "{names:?}");
    assert!(
        names.iter().any(|name| name.starts_with("long double")),
        "{names:?}"
    );
}

#[test]
fn what_is_unsupported_matters_only_where_it_is_reached() {
    let source = "#include <setjmp.h>\njmp_buf b; int main(int c, char **v) { if (c > 5) longjmp(b, 1); return 3; }";
    let translation = translated(source, &Options::default());
    assert_eq!(translation.unsupported.len(), 1);
    assert_eq!(&*translation.unsupported[0].construct, "longjmp");
    assert_eq!(run(&translation), Outcome::Exited { code: 3 });
}

#[test]
fn a_library_has_no_entry() {
    let options = Options {
        entry: Entry::Library,
        ..Options::default()
    };
    let translation = translated(
        "int f(int x) { return x; } static int g(void) { return 1; }",
        &options,
    );
    assert!(translation.module.entry.is_none());
    assert!(translation.module.function_named("f").is_some());
    assert!(translation.module.function_named("g").is_none());
}
