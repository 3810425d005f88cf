//! The machine as an oracle: what must agree, and what "agree" means.

use super::child::{self, Finished};
use super::generate;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Runs programs in all ways that are compared.
pub struct Oracle {
    /// This binary.
    pub foghorn: PathBuf,
    pub clang: PathBuf,
    /// Limit for a native run; the interpreter gets [`Oracle::SLOWER`] times as long.
    pub native_limit: Duration,
    /// Whether the pure form is interpreted as well.
    pub pure: bool,
    /// Also compare every access of the run with the pointer analysis.
    pub regions: bool,
    /// Compare every state of the run with invariants, and nothing else.
    pub invariants: bool,
}

/// What one program showed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Comparison {
    Agree,
    /// Does not compile, or does not end natively within the limit.
    Skipped,
    /// -O0 and -O2 do not agree with each other.
    NativeDisagreement,
    /// The interpreter reports a check, and clang's sanitizers report undefined behaviour too.
    Undefined,
    Differ {
        what: String,
        unsupported: bool,
    },
}

impl Oracle {
    const SLOWER: u32 = 200;
    /// The domains whose invariants are compared with a run.
    const AUDITED_DOMAINS: &'static str = "intervals+bool+adapt,zones+bool+adapt";
    /// Steps of a run that are compared with an analysis.
    const AUDITED_STEPS: &'static str = "1000000";
    const COMPILE_LIMIT: Duration = Duration::from_secs(60);

    /// Compares all ways on one source file; `folder` is for binaries.
    pub fn compare(&self, source: &Path, folder: &Path) -> io::Result<Comparison> {
        if self.invariants {
            return self.invariants_agree(source);
        }
        let Some(slow) = self.native(source, "-O0", folder)? else {
            return Ok(Comparison::Skipped);
        };
        let Some(fast) = self.native(source, "-O2", folder)? else {
            return Ok(Comparison::Skipped);
        };
        if slow != fast {
            return Ok(Comparison::NativeDisagreement);
        }
        let record = folder.join("choices");
        let interpreted = self.interpreted(source, &[], &record)?;
        if let (true, Some(interpreted)) = (self.pure, &interpreted) {
            return self.compare_forms(source, interpreted, folder);
        }
        let reports_a_check = interpreted.as_ref().is_some_and(|f| f.code == Some(10));
        Ok(match judge(&slow, interpreted.as_ref()) {
            Comparison::Differ { .. } if reports_a_check && !self.is_defined(source, folder)? => {
                Comparison::Undefined
            }
            Comparison::Agree if self.regions => self.regions_agree(source)?,
            other => other,
        })
    }

    /// Whether every state at the start of a block satisfied the invariant there.
    fn invariants_agree(&self, source: &Path) -> io::Result<Comparison> {
        let mut command = Command::new(&self.foghorn);
        command
            .args(["invariants", "--audit", "--domain", Self::AUDITED_DOMAINS])
            .args(["--steps", Self::AUDITED_STEPS]);
        self.audit(command, source, "invariants")
    }

    /// Whether a command that compares a run with an analysis finds nothing.
    fn audit(&self, mut command: Command, source: &Path, name: &str) -> io::Result<Comparison> {
        command.arg("-I").arg(generate::INCLUDE).arg(source);
        let finished = child::run(&mut command, self.native_limit * Self::SLOWER)?;
        let what = match finished {
            Some(finished) if finished.code == Some(0) => return Ok(Comparison::Agree),
            Some(finished) => String::from_utf8_lossy(&finished.stdout).into_owned(),
            // An analysis that is slow says nothing wrong.
            None if self.invariants => return Ok(Comparison::Skipped),
            None => "the audit did not end in time".to_owned(),
        };
        let first = what.lines().next().unwrap_or("the analysis failed");
        Ok(Comparison::Differ {
            what: format!("{name}: {first}"),
            unsupported: false,
        })
    }

    /// Whether every access was within the regions that the pointer analysis predicts.
    fn regions_agree(&self, source: &Path) -> io::Result<Comparison> {
        let mut command = Command::new(&self.foghorn);
        command.args(["dsa", "--audit", "--steps", Self::AUDITED_STEPS]);
        self.audit(command, source, "regions")
    }

    /// Whether clang takes the file at all, and quickly so: for shrinking.
    pub fn compiles(&self, source: &Path) -> io::Result<bool> {
        let mut command = Command::new(&self.clang);
        command
            .args(["-fsyntax-only", "-w", "-I", generate::INCLUDE])
            .arg(source);
        Ok(child::run(&mut command, Self::COMPILE_LIMIT)?.is_some_and(|f| f.code == Some(0)))
    }

    /// Whether clang's sanitizers find nothing wrong: a shrunk program must not become undefined.
    pub fn is_defined(&self, source: &Path, folder: &Path) -> io::Result<bool> {
        let binary = folder.join("sanitized");
        let mut command = Command::new(&self.clang);
        command
            .args(["-O0", "-g", "-w", "-fsanitize=address,undefined"])
            .args([
                "-fno-sanitize-recover=all",
                "-Werror=uninitialized",
                "-I",
                generate::INCLUDE,
            ])
            .arg(source)
            .arg("-o")
            .arg(&binary);
        let built = child::run(&mut command, Self::COMPILE_LIMIT)?;
        if built.is_none_or(|f| f.code != Some(0)) {
            return Ok(false);
        }
        let run = child::run(&mut Command::new(&binary), self.native_limit * 10)?;
        Ok(run.is_some_and(|f| f.stderr.is_empty()))
    }

    fn native(&self, source: &Path, level: &str, folder: &Path) -> io::Result<Option<Finished>> {
        let binary = folder.join("native");
        let mut command = Command::new(&self.clang);
        command
            .args([level, "-w", "-I", generate::INCLUDE])
            .arg(source)
            .arg("-lm")
            .arg("-o")
            .arg(&binary);
        match child::run(&mut command, Self::COMPILE_LIMIT)? {
            Some(built) if built.code == Some(0) => {}
            Some(_) | None => return Ok(None),
        }
        child::run(&mut Command::new(&binary), self.native_limit)
    }

    /// Output, exit code, failed check and choices of the two forms must be the same.
    fn compare_forms(
        &self,
        source: &Path,
        impure: &Finished,
        folder: &Path,
    ) -> io::Result<Comparison> {
        let choices = std::fs::read(folder.join("choices")).unwrap_or_default();
        let record = folder.join("pure-choices");
        let differ = |what: String| Comparison::Differ {
            what,
            unsupported: false,
        };
        let Some(pure) = self.interpreted(source, &["--pure"], &record)? else {
            return Ok(differ("the pure form did not end in time".into()));
        };
        let first = |finished: &Finished| {
            let report = String::from_utf8_lossy(&finished.stderr);
            report.lines().next().unwrap_or("").to_owned()
        };
        let same = pure.code == impure.code
            && pure.stdout == impure.stdout
            && first(&pure) == first(impure)
            && std::fs::read(record).unwrap_or_default() == choices;
        Ok(match same {
            true => Comparison::Agree,
            false => differ(format!(
                "pure: exit {:?} {}; impure: exit {:?} {}",
                pure.code,
                first(&pure),
                impure.code,
                first(impure)
            )),
        })
    }

    fn interpreted(
        &self,
        source: &Path,
        options: &[&str],
        record: &Path,
    ) -> io::Result<Option<Finished>> {
        let mut command = Command::new(&self.foghorn);
        command
            .arg("run")
            .args(options)
            .arg("--record")
            .arg(record)
            .arg("-I")
            .arg(generate::INCLUDE)
            .arg(source);
        child::run(&mut command, self.native_limit * Self::SLOWER)
    }
}

fn judge(native: &Finished, interpreted: Option<&Finished>) -> Comparison {
    let differ = |what: String, unsupported| Comparison::Differ { what, unsupported };
    let Some(interpreted) = interpreted else {
        return differ("the interpreter did not end in time".into(), false);
    };
    if interpreted.code == native.code && interpreted.stdout == native.stdout {
        return Comparison::Agree;
    }
    let report = String::from_utf8_lossy(&interpreted.stderr);
    let first = report.lines().next().unwrap_or("");
    if !first.is_empty() {
        return differ(first.to_owned(), first.contains("unsupported"));
    }
    let show = |f: &Finished| {
        let text = String::from_utf8_lossy(&f.stdout);
        format!(
            "exit {:?}, last line {:?}",
            f.code,
            text.lines().last().unwrap_or("")
        )
    };
    differ(
        format!(
            "machine: {}; interpreter: {}",
            show(native),
            show(interpreted)
        ),
        false,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finished(code: i32, stdout: &str, stderr: &str) -> Finished {
        Finished {
            code: Some(code),
            stdout: stdout.into(),
            stderr: stderr.into(),
        }
    }

    #[test]
    fn output_and_exit_code_must_agree() {
        let native = finished(0, "checksum = 1\n", "");
        assert_eq!(judge(&native, Some(&native)), Comparison::Agree);
        let other = finished(0, "checksum = 2\n", "");
        assert!(matches!(
            judge(&native, Some(&other)),
            Comparison::Differ {
                unsupported: false,
                ..
            }
        ));
        let code = finished(1, "checksum = 1\n", "");
        assert!(matches!(
            judge(&native, Some(&code)),
            Comparison::Differ { .. }
        ));
        assert!(matches!(judge(&native, None), Comparison::Differ { .. }));
    }

    #[test]
    fn unsupported_is_told_apart() {
        let native = finished(0, "", "");
        let stopped = finished(20, "", "unknown: unsupported at a.c:1:1\n");
        assert!(matches!(
            judge(&native, Some(&stopped)),
            Comparison::Differ {
                unsupported: true,
                ..
            }
        ));
    }
}
