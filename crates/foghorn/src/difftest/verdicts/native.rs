//! The same executions on the machine.
//!
//! Truth comes from the interpreter, and so through our front end. Here the program is compiled by
//! clang with sanitizers and run with the same inputs, in one process that forks for each: where the
//! interpreter says that the program exits, it exits with that code and no sanitizer speaks; where it
//! says that an assertion fails, it aborts.

use super::super::child;
use super::truth::{End, Execution};
use std::io;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// Executions of one program that are compared, evenly over all: a process each costs more than the
/// interpreter does.
const MOST: usize = 64;
const LIMIT: Duration = Duration::from_secs(60);

/// What the driver reports of a run in which an assumption did not hold.
const ASSUMED: i32 = 500;

/// A driver that runs the program once for each list of inputs and prints how each ended.
fn driver(executions: &[&Execution]) -> String {
    let lists: Vec<String> = executions
        .iter()
        .map(|execution| {
            let inputs = execution.inputs.iter().map(u64::to_string);
            let inputs: Vec<_> = inputs.chain(["0".to_owned()]).collect();
            format!("  {{{}}},", inputs.join(", "))
        })
        .collect();
    let longest = executions.iter().map(|it| it.inputs.len()).max();
    let width = longest.unwrap_or(0) + 1;
    let count = executions.len();
    let lists = lists.join("\n");
    format!(
        "#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/wait.h>
int program_main(void);
static const unsigned long inputs[{count}][{width}] = {{
{lists}
}};
static int run, next;
static unsigned long input(void) {{ return next < {width} ? inputs[run][next++] : 0; }}
unsigned char __VERIFIER_nondet_uchar(void) {{ return input(); }}
unsigned short __VERIFIER_nondet_ushort(void) {{ return input(); }}
_Bool __VERIFIER_nondet_bool(void) {{ return input(); }}
static int assumed[2];
void __VERIFIER_assume(int holds) {{
  if (holds) return;
  if (write(assumed[1], \"a\", 1) != 1) abort();
  _exit(0);
}}
int main(void) {{
  for (run = 0; run < {count}; run++) {{
    if (pipe(assumed)) return 1;
    fflush(stdout);
    int child = fork();
    if (child < 0) return 1;
    if (child == 0) {{
      close(1);
      close(2);
      _exit(program_main());
    }}
    int status = 0;
    waitpid(child, &status, 0);
    close(assumed[1]);
    char byte;
    int stopped = read(assumed[0], &byte, 1) == 1;
    close(assumed[0]);
    printf(\"%d\\n\", stopped ? {ASSUMED} : WIFEXITED(status) ? WEXITSTATUS(status) : -1);
  }}
  return 0;
}}
"
    )
}

/// What the machine does otherwise, in one line.
pub fn compare(
    clang: &Path,
    source: &Path,
    executions: &[Execution],
    folder: &Path,
) -> io::Result<Option<String>> {
    let told = executions.iter().filter(|it| it.end != End::Other);
    let told: Vec<&Execution> = told.collect();
    let told = evenly(&told, MOST);
    if told.is_empty() {
        return Ok(None);
    }
    let driver_path = folder.join("driver.c");
    std::fs::write(&driver_path, driver(&told))?;
    let (object, binary) = (folder.join("program.o"), folder.join("native"));
    let mut compile = Command::new(clang);
    compile
        .args(["-O0", "-w", "-Dmain=program_main", "-c"])
        .args(["-fsanitize=address,undefined", "-fno-sanitize-recover=all"])
        .arg(source)
        .arg("-o")
        .arg(&object);
    let mut link = Command::new(clang);
    link.args(["-O0", "-w", "-fsanitize=address,undefined"])
        .args([&object, &driver_path])
        .arg("-o")
        .arg(&binary);
    for command in [&mut compile, &mut link] {
        let built = child::run(command, LIMIT)?;
        if built.is_none_or(|finished| finished.code != Some(0)) {
            return Ok(None);
        }
    }
    let mut command = Command::new(&binary);
    command.env("ASAN_OPTIONS", "detect_leaks=0");
    let Some(finished) = child::run(&mut command, LIMIT)? else {
        return Ok(None);
    };
    let printed = String::from_utf8_lossy(&finished.stdout);
    let codes = printed.lines().filter_map(|line| line.parse::<i32>().ok());
    for (execution, code) in told.iter().zip(codes) {
        if !agrees(execution.end, code) {
            let inputs: Vec<_> = execution.inputs.iter().map(u64::to_string).collect();
            let how = match code {
                ASSUMED => "an assumption fails".to_owned(),
                -1 => "a signal".to_owned(),
                code => format!("exit {code}"),
            };
            return Ok(Some(format!(
                "with inputs [{}] the interpreter says {:?}, the machine {how}",
                inputs.join(" "),
                execution.end
            )));
        }
    }
    Ok(None)
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
    fn a_driver_has_a_list_for_each_run() {
        let execution = |inputs: &[u64]| Execution {
            inputs: inputs.to_vec(),
            end: End::Exited(0),
        };
        let (first, second) = (execution(&[1, 2]), execution(&[]));
        let text = driver(&[&first, &second]);
        assert!(text.contains("{1, 2, 0},\n  {0},"));
        assert!(text.contains("inputs[2][3]"));
    }
}
