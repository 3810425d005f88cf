//! The same executions on the machine.
//!
//! Truth comes from the interpreter, and so through our front end. Here the program is compiled by
//! clang with sanitizers and run with the same inputs, in one process that forks for each: where the
//! interpreter says that the program exits, it exits with that code and no sanitizer speaks; where it
//! says that an assertion fails, it aborts.

use super::super::child;
use super::truth::{End, Execution};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Executions of one program that are compared, evenly over all: a process each costs more than the
/// interpreter does.
const MOST: usize = 64;
const LIMIT: Duration = Duration::from_secs(60);

/// What the driver reports of a run in which an assumption did not hold.
const ASSUMED: i32 = 500;

/// Runs the program, a shared object, once for each list of inputs, and prints how each run ended.
const DRIVER: &str = r#"#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/wait.h>
static unsigned long *inputs;
static int width, next;
static unsigned long input(void) { return next < width ? inputs[next++] : 0; }
unsigned char __VERIFIER_nondet_uchar(void) { return input(); }
unsigned short __VERIFIER_nondet_ushort(void) { return input(); }
_Bool __VERIFIER_nondet_bool(void) { return input(); }
static int assumed[2];
void __VERIFIER_assume(int holds) {
  if (holds) return;
  if (write(assumed[1], "a", 1) != 1) abort();
  _exit(0);
}
int main(int argc, char **argv) {
  if (argc < 3) return 1;
  void *program = dlopen(argv[1], RTLD_NOW);
  int (*program_main)(void) = program ? (int (*)(void))dlsym(program, "program_main") : 0;
  FILE *lists = fopen(argv[2], "r");
  if (!program_main || !lists) return 1;
  while (fscanf(lists, "%d", &width) == 1) {
    inputs = malloc((width + 1) * sizeof *inputs);
    for (int i = 0; i < width; i++)
      if (fscanf(lists, "%lu", &inputs[i]) != 1) return 1;
    if (pipe(assumed)) return 1;
    fflush(stdout);
    int child = fork();
    if (child < 0) return 1;
    if (child == 0) {
      close(1);
      close(2);
      _exit(program_main());
    }
    int status = 0;
    waitpid(child, &status, 0);
    close(assumed[1]);
    char byte;
    int stopped = read(assumed[0], &byte, 1) == 1;
    close(assumed[0]);
    free(inputs);
    printf("%d\n", stopped ? ASSUMED : WIFEXITED(status) ? WEXITSTATUS(status) : -1);
  }
  return 0;
}
"#;

/// The inputs of each run in a line, their number first.
fn lists(executions: &[&Execution]) -> String {
    let lines = executions.iter().map(|execution| {
        let inputs = execution.inputs.iter().map(u64::to_string);
        let line: Vec<_> = std::iter::once(execution.inputs.len().to_string())
            .chain(inputs)
            .collect();
        line.join(" ") + "\n"
    });
    lines.collect()
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// There was nothing to compare, or it is no native program.
    None,
    Same,
    /// How it differs, in one line.
    Different(String),
}

/// A machine: what starts programs, built once, and a folder for them.
///
/// The runtime of the sanitizers is linked into the driver alone, and a program is a shared object beside it: to link
/// the runtime anew takes longer than everything else that is done natively with a program.
pub struct Machine {
    clang: PathBuf,
    folder: PathBuf,
    driver: PathBuf,
}

impl Machine {
    /// Builds the driver in the folder.
    pub fn new(clang: &Path, folder: &Path) -> io::Result<Self> {
        let (source, driver) = (folder.join("driver.c"), folder.join("driver"));
        std::fs::write(&source, DRIVER)?;
        let mut command = Command::new(clang);
        command
            .args(["-O0", "-w", "-rdynamic", "-fsanitize=address,undefined"])
            .arg(format!("-DASSUMED={ASSUMED}"))
            .arg(&source)
            .arg("-o")
            .arg(&driver)
            .arg("-ldl");
        let built = child::run(&mut command, LIMIT)?;
        if built.is_none_or(|finished| finished.code != Some(0)) {
            return Err(io::Error::other(
                "clang does not build a program with sanitizers",
            ));
        }
        Ok(Machine {
            clang: clang.to_owned(),
            folder: folder.to_owned(),
            driver,
        })
    }

    /// Whether the machine does what was told of these executions.
    pub fn compare(&self, source: &Path, executions: &[Execution]) -> io::Result<Comparison> {
        let told = executions.iter().filter(|it| it.end != End::Other);
        let told: Vec<&Execution> = told.collect();
        let told = evenly(&told, MOST);
        if told.is_empty() {
            return Ok(Comparison::None);
        }
        let (object, inputs) = (self.folder.join("program.so"), self.folder.join("inputs"));
        std::fs::write(&inputs, lists(&told))?;
        let mut compile = Command::new(&self.clang);
        compile
            .args(["-O0", "-w", "-Dmain=program_main", "-fPIC", "-shared"])
            // What the program defines is its own, also where a library has the same name.
            .arg("-Wl,-Bsymbolic")
            .args(["-fsanitize=address,undefined", "-fno-sanitize-recover=all"])
            .arg(source)
            .arg("-o")
            .arg(&object);
        let built = child::run(&mut compile, LIMIT)?;
        if built.is_none_or(|finished| finished.code != Some(0)) {
            return Ok(Comparison::None);
        }
        let mut command = Command::new(&self.driver);
        command.args([&object, &inputs]);
        command.env("ASAN_OPTIONS", "detect_leaks=0");
        let finished = child::run(&mut command, LIMIT)?;
        let Some(finished) = finished.filter(|it| it.code == Some(0)) else {
            return Ok(Comparison::None);
        };
        let different = first_difference(&told, &finished.stdout);
        Ok(different.map_or(Comparison::Same, Comparison::Different))
    }
}

/// The first run that ended otherwise than was told.
fn first_difference(told: &[&Execution], printed: &[u8]) -> Option<String> {
    let printed = String::from_utf8_lossy(printed);
    let codes = printed.lines().filter_map(|line| line.parse::<i32>().ok());
    for (execution, code) in told.iter().zip(codes) {
        if !agrees(execution.end, code) {
            let inputs: Vec<_> = execution.inputs.iter().map(u64::to_string).collect();
            let how = match code {
                ASSUMED => "an assumption fails".to_owned(),
                -1 => "a signal".to_owned(),
                code => format!("exit {code}"),
            };
            return Some(format!(
                "with inputs [{}] the interpreter says {:?}, the machine {how}",
                inputs.join(" "),
                execution.end
            ));
        }
    }
    None
}

/// So many of all at most, the first and the last among them.
fn evenly<T: Copy>(all: &[T], most: usize) -> Vec<T> {
    if all.len() <= most {
        return all.to_vec();
    }
    let last = all.len() - 1;
    (0..most)
        .map(|part| all[part * last / (most - 1)])
        .collect()
}

/// Whether the machine's end is the one that was predicted.
fn agrees(end: End, code: i32) -> bool {
    match end {
        End::Exited(expected) => code == i32::from(expected),
        // abort is a signal; a sanitizer would exit with a code of its own.
        End::Aborted => code == -1,
        End::Assumed => code == ASSUMED,
        End::Other => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_same_end_agrees() {
        assert!(agrees(End::Exited(3), 3));
        assert!(!agrees(End::Exited(3), 4));
        assert!(!agrees(End::Exited(3), -1));
        assert!(agrees(End::Aborted, -1));
        assert!(!agrees(End::Aborted, 1));
        assert!(!agrees(End::Assumed, 0));
    }

    #[test]
    fn executions_are_taken_evenly() {
        assert_eq!(evenly(&[1, 2, 3], 4), [1, 2, 3]);
        assert_eq!(evenly(&[1, 2, 3, 4, 5, 6, 7], 3), [1, 4, 7]);
    }

    #[test]
    fn each_run_has_a_line_of_inputs() {
        let execution = |inputs: &[u64]| Execution {
            inputs: inputs.to_vec(),
            end: End::Exited(0),
        };
        let (first, second) = (execution(&[1, 2]), execution(&[]));
        assert_eq!(lists(&[&first, &second]), "2 1 2\n0\n");
    }

    #[test]
    fn the_machine_says_how_runs_end() {
        let folder = tempfile::tempdir().expect("a folder");
        let clang = foghorn_frontend::default_clang();
        let machine = Machine::new(&clang, folder.path()).expect("clang");
        let source = folder.path().join("program.c");
        // Its own function goes before the library's of the same name.
        let text = "unsigned char __VERIFIER_nondet_uchar(void); void __VERIFIER_assume(int);\n\
            int index(int at) { int all[2] = {5, 6}; return all[at]; }\n\
            int main(void) { int at = __VERIFIER_nondet_uchar(); __VERIFIER_assume(at < 3);\n\
            return index(at); }\n";
        std::fs::write(&source, text).expect("a file");
        let run = |inputs: &[u64], end| Execution {
            inputs: inputs.to_vec(),
            end,
        };
        let ends = [
            run(&[0], End::Exited(5)),
            run(&[1], End::Exited(6)),
            run(&[2], End::Other),
            run(&[3], End::Assumed),
        ];
        let compare = |ends: &[Execution]| machine.compare(&source, ends).expect("the driver");
        assert_eq!(compare(&ends), Comparison::Same);
        // A sanitizer speaks of an access that is out of bounds.
        let is_different = |end| matches!(compare(&[end]), Comparison::Different(_));
        assert!(is_different(run(&[2], End::Exited(0))));
        assert!(is_different(run(&[1], End::Exited(5))));
    }
}
