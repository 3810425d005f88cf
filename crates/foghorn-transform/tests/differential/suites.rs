//! The programs in IR of `tests/suites/ir` through every pass.

use crate::harness::{Tally, differs, selections};
use foghorn_ir::parse_module;
use foghorn_transform::PASSES;
use std::path::Path;

#[test]
fn every_pass_keeps_what_the_programs_of_the_suite_do() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/suites/ir");
    let mut programs = 0;
    let mut tally = Tally::default();
    let mut paths: Vec<_> = std::fs::read_dir(&folder)
        .expect("the suite")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "fir"))
        .collect();
    paths.sort();
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("readable");
        let module = parse_module(&text).expect("well formed");
        if module.entry.is_none() {
            continue;
        }
        programs += 1;
        let lists = PASSES
            .iter()
            .map(|pass| vec![*pass])
            .chain([PASSES.to_vec()]);
        for passes in lists {
            for checks in selections() {
                match differs(&module, &passes, &checks, 0..3) {
                    Ok(more) => tally.add(more),
                    Err(difference) => {
                        let names: Vec<_> = passes.iter().map(|pass| pass.name).collect();
                        panic!("{names:?} on {}: {difference}", path.display())
                    }
                }
            }
        }
    }
    eprintln!("{programs} programs: {tally:?}");
    assert!(
        programs > 20 && tally.compared > 0,
        "{programs} programs, {tally:?}"
    );
}
