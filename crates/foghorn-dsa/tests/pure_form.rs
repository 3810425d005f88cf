//! The pure form of the front end's snapshots: valid, printable, and the same when it runs. Three of
//! them are snapshots themselves, in `pure/`; `FOGHORN_BLESS=1` writes these anew.

use foghorn_dsa::memory_ssa::plan::purify;
use foghorn_dsa::{Mode, Options};
use foghorn_ir::interpret::{self, Choice, Outcome, Program, RecordedWorld, Seeded};
use foghorn_ir::{Module, parse_module, print_module, verify_module};
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/suites/ir")
}

fn read(path: &Path) -> Module {
    let text = std::fs::read_to_string(path).expect("a text");
    parse_module(&text).unwrap_or_else(|error| panic!("{}:{error}", path.display()))
}

/// Name and path of every snapshot, sorted.
fn snapshots() -> Vec<(String, PathBuf)> {
    let entries = std::fs::read_dir(folder()).expect("the folder of snapshots");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut found: Vec<_> = paths
        .filter(|path| path.extension().is_some_and(|extension| extension == "fir"))
        .map(|path| {
            (
                path.file_stem()
                    .expect("a name")
                    .to_string_lossy()
                    .into_owned(),
                path,
            )
        })
        .collect();
    found.sort();
    found
}

/// What a run did, as far as it must not depend on the form.
fn observe(module: &Module) -> Option<(String, Vec<u8>, Vec<Choice>)> {
    let options = interpret::Options {
        max_steps: Some(1_000_000),
        ..interpret::Options::default()
    };
    let mut world = RecordedWorld::with_input("7 words of input\n");
    let run = Program::new(module).run(&options, &mut Seeded::new(3), &mut world);
    let run = run.ok()?;
    // Stacks name the caller of constructors, and messages the way in which a call was wrong.
    let outcome = match &run.outcome {
        Outcome::Failed(failure) => format!("{} {:?}", failure.kind, failure.span),
        other => format!("{other:?}"),
    };
    Some((outcome, world.output, run.choices))
}

#[test]
fn the_pure_form_is_valid_and_does_the_same() {
    let (mut executed, mut count) = (0, 0);
    for (name, path) in snapshots() {
        let impure = read(&path);
        let expected = observe(&impure);
        executed += usize::from(expected.is_some());
        for mode in Mode::ALL {
            count += 1;
            let mut module = impure.clone();
            let options = Options {
                mode,
                ..Options::default()
            };
            purify(&mut module, &options);
            let breaches = verify_module(&module);
            assert!(breaches.is_empty(), "{name} {mode:?}: {}", breaches[0]);
            let text = print_module(&module);
            let again = parse_module(&text).unwrap_or_else(|e| panic!("{name}: {e}\n{text}"));
            assert_eq!(print_module(&again), text, "{name} {mode:?}");
            assert_eq!(observe(&module), expected, "{name} {mode:?}");
        }
    }
    assert!(count >= 90 && executed >= 20, "{count} {executed}");
}

#[test]
fn snapshots_of_the_pure_form() {
    for name in ["function-pointers", "memory-operations", "structs"] {
        let mut module = read(&folder().join(format!("{name}.fir")));
        purify(&mut module, &Options::default());
        let text = print_module(&module);
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/pure/{name}.fir"));
        if std::env::var_os("FOGHORN_BLESS").is_some() {
            std::fs::write(&path, &text).expect("a folder to write to");
        }
        let expected = std::fs::read_to_string(&path).expect("a snapshot");
        assert_eq!(text, expected, "{name}: FOGHORN_BLESS=1 writes it anew");
    }
}
