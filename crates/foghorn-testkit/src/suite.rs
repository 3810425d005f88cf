//! Runs a folder of programs through engines.

use crate::engine::Engine;
use crate::header::{self, Case};
use crate::judge::{Class, judge};
use crate::report::{Failure, Report};
use crate::workspace;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Engines that headers may name; a suite may be run through some of them only.
pub const ENGINES: &[&str] = &["run", "bmc", "absint", "acceleration", "horn", "kiki"];

/// Programs at work at once.
const THREADS: usize = 2;

/// Every program of a folder through every engine that applies to it.
pub fn run_suite(folder: &Path, engines: &[&dyn Engine]) -> Report {
    let paths = match workspace::programs(folder) {
        Ok(paths) => paths,
        Err(error) => return unreadable(folder, &error),
    };
    let next = AtomicUsize::new(0);
    let results = Mutex::new(vec![]);
    thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                while let Some(path) = paths.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let result = run_case(path, engines);
                    results
                        .lock()
                        .expect("invariant: nothing panics under the lock")
                        .push(result);
                }
            });
        }
    });
    let mut report = Report::default();
    for result in results
        .into_inner()
        .expect("invariant: nothing panics under the lock")
    {
        report.count += result.count;
        report.failures.extend(result.failures);
    }
    // Threads finish in any order; the sort is stable, so engines stay in theirs.
    report.failures.sort_by(|a, b| a.file.cmp(&b.file));
    report
}

fn unreadable(folder: &Path, error: &std::io::Error) -> Report {
    let failure = Failure {
        file: folder.to_owned(),
        line: 0,
        engine: String::new(),
        class: Class::Header,
        detail: format!("cannot be read: {error}"),
        reproduce: String::new(),
    };
    Report {
        count: 1,
        failures: vec![failure],
    }
}

fn run_case(path: &Path, engines: &[&dyn Engine]) -> Report {
    let failure = |line, engine: &str, class, detail, reproduce| Failure {
        file: path.to_owned(),
        line,
        engine: engine.to_owned(),
        class,
        detail,
        reproduce,
    };
    let mut report = Report::default();
    let case = match header::read(path) {
        Ok(case) => case,
        Err(error) => {
            report.count = 1;
            let failure = failure(error.line, "", Class::Header, error.problem, String::new());
            report.failures.push(failure);
            return report;
        }
    };
    if let Some(name) = unknown_engine(&case, engines) {
        let detail = format!("'{name}' is no engine");
        report
            .failures
            .push(failure(1, "", Class::Header, detail, String::new()));
    }
    for engine in engines.iter().filter(|engine| engine.applies(&case)) {
        let answer = engine.answer(&case);
        report.count += 1;
        if let Err((class, line, detail)) = judge(&case, engine.name(), &answer.found) {
            let failure = failure(line, engine.name(), class, detail, answer.reproduce);
            report.failures.push(failure);
        }
    }
    report
}

fn unknown_engine<'c>(case: &'c Case, engines: &[&dyn Engine]) -> Option<&'c String> {
    let given = |name: &str| engines.iter().any(|engine| engine.name() == name);
    let known = |name: &String| ENGINES.contains(&name.as_str()) || given(name);
    case.engines.iter().find(|name| !known(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Answer, Found};

    /// Answers what the name of the file says.
    struct Oracle;

    impl Engine for Oracle {
        fn name(&self) -> &str {
            "oracle"
        }

        fn answer(&self, case: &Case) -> Answer {
            let stem = case.path.file_stem().expect("a name").to_string_lossy();
            let found = match &*stem {
                "safe" => Found::Safe,
                other => Found::Unknown {
                    reason: other.to_owned(),
                },
            };
            let reproduce = format!("oracle {stem}");
            Answer { found, reproduce }
        }
    }

    fn write(folder: &Path, name: &str, header: &str) {
        let text = format!("// About.\n// check: undefined\n{header}\n");
        std::fs::write(folder.join(name), text).expect("written");
    }

    #[test]
    fn failures_are_sorted_and_say_how_to_reproduce() {
        let folder = tempfile::tempdir().expect("a folder");
        write(
            folder.path(),
            "safe.c",
            "// expect: safe\n// engines: oracle",
        );
        write(folder.path(), "b.c", "// expect: safe\n// engines: oracle");
        write(
            folder.path(),
            "a.c",
            "// expect: safe\n// engines: oracle bmw",
        );
        write(
            folder.path(),
            "c.c",
            "// expect: safe\n// engines: oracle\n// oracle: unknown FIXME: why",
        );
        write(folder.path(), "d.c", "// engines: oracle");
        write(folder.path(), "e.c", "// expect: safe\n// engines: run");
        let report = run_suite(folder.path(), &[&Oracle]);
        let found: Vec<_> = report
            .failures
            .iter()
            .map(|f| {
                (
                    f.file
                        .file_name()
                        .expect("a name")
                        .to_string_lossy()
                        .into_owned(),
                    f.class,
                )
            })
            .collect();
        let expected = [
            ("a.c", Class::Header),
            ("a.c", Class::Precision),
            ("b.c", Class::Precision),
            ("d.c", Class::Header),
        ];
        assert_eq!(
            found,
            expected.map(|(name, class)| (name.to_owned(), class))
        );
        assert_eq!(report.count, 5);
        let text = report.to_string();
        assert!(text.contains("b.c:3: precision failure (oracle)"), "{text}");
        assert!(text.contains("reproduce: oracle b"), "{text}");
    }

    #[test]
    #[should_panic(expected = "the suite is empty")]
    fn an_empty_suite_is_a_failure() {
        let folder = tempfile::tempdir().expect("a folder");
        run_suite(folder.path(), &[&Oracle]).assert_clean();
    }

    #[test]
    #[should_panic(expected = "cannot be read")]
    fn a_missing_folder_is_a_failure() {
        run_suite(Path::new("/nonexistent"), &[&Oracle]).assert_clean();
    }
}
