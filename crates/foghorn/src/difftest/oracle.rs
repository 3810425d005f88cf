//! The machine as an oracle: what must agree, and what "agree" means. For the pointer analysis and
//! the pure form the interpreter itself is the oracle; one child then does all that is asked.

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
    /// Compare the pure form with the impure one, instead of the machine with the interpreter.
    pub pure: bool,
    /// Compare every access of the run with the pointer analysis, instead of the machine with the
    /// interpreter.
    pub regions: bool,
    /// In both, divide regions by the types of accesses.
    pub types: bool,
    /// Compare every state of the run with invariants, instead of the machine with the interpreter.
    pub invariants: bool,
}

/// What one program showed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Comparison {
    Agree,
    /// Agree as far as it was compared: the program takes more steps.
    Beginning,
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
    const AUDITED_STEPS: &'static str = "2000000";
    /// Seconds for which kIkI looks for invariants of a program.
    const KIKI_SECONDS: &'static str = "4";
    const COMPILE_LIMIT: Duration = Duration::from_secs(60);

    /// Compares all ways on one source file; `folder` is for binaries.
    pub fn compare(&self, source: &Path, folder: &Path) -> io::Result<Comparison> {
        if self.pure || self.regions || self.invariants {
            return self.analyses_agree(source);
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
        let interpreted = self.interpreted(source)?;
        let reports_a_check = interpreted.as_ref().is_some_and(|f| f.code == Some(10));
        Ok(match judge(&slow, interpreted.as_ref()) {
            Comparison::Differ { .. } if reports_a_check && !self.is_defined(source, folder)? => {
                Comparison::Undefined
            }
            other => other,
        })
    }

    /// Whether what analyses say of the program is true of its run.
    fn analyses_agree(&self, source: &Path) -> io::Result<Comparison> {
        let mut agreed = Comparison::Agree;
        if self.pure || self.regions {
            agreed = self.pointers_agree(source)?;
        }
        if self.invariants && matches!(agreed, Comparison::Agree | Comparison::Beginning) {
            agreed = self.invariants_agree(source)?;
        }
        Ok(agreed)
    }

    /// Whether every access was within the regions that the pointer analysis predicts, and whether
    /// the pure form did the same.
    fn pointers_agree(&self, source: &Path) -> io::Result<Comparison> {
        let mut command = Command::new(&self.foghorn);
        command.args(["dsa", "--steps", Self::AUDITED_STEPS]);
        if self.regions {
            command.arg("--audit");
        }
        if self.pure {
            command.arg("--audit-pure");
        }
        if self.types {
            command.arg("--types");
        }
        self.audit(command, source, "pointers")
    }

    /// Whether every state at the start of a block satisfied the invariant there.
    fn invariants_agree(&self, source: &Path) -> io::Result<Comparison> {
        let mut command = Command::new(&self.foghorn);
        command
            .args(["invariants", "--audit", "--domain", Self::AUDITED_DOMAINS])
            .args(["--steps", Self::AUDITED_STEPS]);
        let agreed = self.audit(command, source, "invariants")?;
        if !matches!(agreed, Comparison::Agree | Comparison::Beginning) {
            return Ok(agreed);
        }
        let mut command = Command::new(&self.foghorn);
        command
            .args(["kiki", "--audit", "--timeout", Self::KIKI_SECONDS])
            .args(["--steps", Self::AUDITED_STEPS]);
        self.audit(command, source, "invariants")
    }

    /// Whether a command that compares a run with an analysis finds nothing.
    fn audit(&self, mut command: Command, source: &Path, name: &str) -> io::Result<Comparison> {
        command.arg("-I").arg(generate::INCLUDE).arg(source);
        let finished = child::run(&mut command, self.native_limit * Self::SLOWER)?;
        let (code, what) = match finished {
            Some(finished) => (
                finished.code,
                String::from_utf8_lossy(&finished.stdout).into_owned(),
            ),
            // An analysis that is slow says nothing wrong.
            None if name == "invariants" => return Ok(Comparison::Skipped),
            None => (None, "the audit did not end in time".to_owned()),
        };
        if code != Some(0) {
            let first = what.lines().next().unwrap_or("the analysis failed");
            return Ok(Comparison::Differ {
                what: format!("{name}: {first}"),
                unsupported: false,
            });
        }
        Ok(match what.contains("cut off") {
            true => Comparison::Beginning,
            false => Comparison::Agree,
        })
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

    fn interpreted(&self, source: &Path) -> io::Result<Option<Finished>> {
        let mut command = Command::new(&self.foghorn);
        command
            .arg("run")
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
