//! Snapshots of printed IR.
//!
//! Beside each `name.c` of a folder lies `name.fir`, what the front end makes of it. With
//! `FOGHORN_BLESS=1` snapshots are rewritten instead of compared, and then read by a person.

use crate::judge::Class;
use crate::report::{Failure, Report};
use crate::workspace;
use std::path::Path;

/// Prints the text whose snapshot is kept.
pub trait Printer {
    /// The text for one program, or why there is none.
    fn print(&self, path: &Path) -> Result<String, String>;

    /// A command that prints it.
    fn reproduce(&self, path: &Path) -> String;
}

/// Whether snapshots are to be rewritten.
fn is_blessing() -> bool {
    std::env::var_os("FOGHORN_BLESS").is_some_and(|value| value == "1")
}

/// Compares the snapshot of every program of a folder, or rewrites it.
pub fn check_snapshots(folder: &Path, printer: &dyn Printer) -> Report {
    check(folder, printer, is_blessing())
}

fn check(folder: &Path, printer: &dyn Printer, bless: bool) -> Report {
    let mut report = Report::default();
    let listed = workspace::programs(folder).and_then(|programs| {
        let snapshots = workspace::with_extension(folder, "fir")?;
        Ok((programs, snapshots))
    });
    let (programs, snapshots) = match listed {
        Ok(listed) => listed,
        Err(error) => {
            report.fail(folder, 0, format!("cannot be read: {error}"), String::new());
            return report;
        }
    };
    for path in &programs {
        report.count += 1;
        if let Err((line, detail)) = compare(path, printer, bless) {
            report.fail(
                &path.with_extension("fir"),
                line,
                detail,
                printer.reproduce(path),
            );
        }
    }
    for orphan in snapshots
        .iter()
        .filter(|path| !path.with_extension("c").exists())
    {
        let detail = "there is no program to this snapshot".to_owned();
        report.fail(orphan, 1, detail, String::new());
    }
    report
}

impl Report {
    fn fail(&mut self, file: &Path, line: usize, detail: String, reproduce: String) {
        self.failures.push(Failure {
            file: file.to_owned(),
            line,
            engine: String::new(),
            class: Class::Snapshot,
            detail,
            reproduce,
        });
    }
}

fn compare(path: &Path, printer: &dyn Printer, bless: bool) -> Result<(), (usize, String)> {
    let printed = printer.print(path).map_err(|problem| (1, problem))?;
    let snapshot = path.with_extension("fir");
    let expected = std::fs::read_to_string(&snapshot);
    if bless {
        if expected.is_ok_and(|expected| expected == printed) {
            return Ok(());
        }
        let written = std::fs::write(&snapshot, printed);
        return written.map_err(|error| (1, format!("cannot be written: {error}")));
    }
    let Ok(expected) = expected else {
        return Err((
            1,
            "there is no snapshot; FOGHORN_BLESS=1 writes it".to_owned(),
        ));
    };
    match first_difference(&expected, &printed) {
        None => Ok(()),
        Some((line, detail)) => Err((line, detail)),
    }
}

/// The first line that differs, and some lines of both texts from there.
fn first_difference(expected: &str, printed: &str) -> Option<(usize, String)> {
    if expected == printed {
        return None;
    }
    let (wanted, found): (Vec<_>, Vec<_>) = (expected.lines().collect(), printed.lines().collect());
    let same = wanted
        .iter()
        .zip(&found)
        .take_while(|(a, b)| a == b)
        .count();
    let lines = |texts: &[&str], mark: char| {
        let lines = texts.iter().skip(same).take(6);
        lines
            .map(|line| format!("{mark} {line}\n"))
            .collect::<String>()
    };
    let detail = format!("{}{}", lines(&wanted, '-'), lines(&found, '+'));
    Some((same + 1, detail))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Prints the program itself.
    struct Echo;

    impl Printer for Echo {
        fn print(&self, path: &Path) -> Result<String, String> {
            let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
            match text.contains("bad") {
                true => Err("cannot print this".to_owned()),
                false => Ok(text),
            }
        }

        fn reproduce(&self, path: &Path) -> String {
            format!("cat {}", path.display())
        }
    }

    #[test]
    fn differences_orphans_and_blessing() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| {
            std::fs::write(folder.path().join(name), text).expect("written");
        };
        write("same.c", "one\ntwo\n");
        write("same.fir", "one\ntwo\n");
        write("other.c", "one\ntwo\n");
        write("other.fir", "one\nthree\n");
        write("new.c", "one\n");
        write("orphan.fir", "");
        let report = check(folder.path(), &Echo, false);
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
                    f.line,
                )
            })
            .collect();
        let expected = [("new.fir", 1), ("other.fir", 2), ("orphan.fir", 1)];
        assert_eq!(found, expected.map(|(name, line)| (name.to_owned(), line)));
        assert_eq!(report.failures[1].detail, "- three\n+ two\n");

        std::fs::remove_file(folder.path().join("orphan.fir")).expect("removed");
        assert!(check(folder.path(), &Echo, true).failures.is_empty());
        check(folder.path(), &Echo, false).assert_clean();

        write("same.c", "bad\n");
        assert_eq!(check(folder.path(), &Echo, true).failures.len(), 1);
        let kept = std::fs::read_to_string(folder.path().join("same.fir")).expect("still there");
        assert_eq!(kept, "one\ntwo\n");
    }
}
