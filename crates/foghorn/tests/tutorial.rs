//! The tutorial shows what Foghorn prints: every command in it is run, and its output compared.
//!
//! A block of code with lines `$ foghorn …` shows commands and their outputs; `[…]` stands for lines that
//! are left out. A block behind `<!-- NAME -->` is the file NAME, which later commands find. Numbers
//! that depend on the machine, and the values of a failing run, are not compared. `FOGHORN_BLESS=1` rewrites
//! the page instead, leaving out the same parts, for a person to read.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The release binary if the test command built one, else the one that cargo built.
fn foghorn() -> PathBuf {
    std::env::var_os("FOGHORN").map_or(env!("CARGO_BIN_EXE_foghorn").into(), PathBuf::from)
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

const INDENT: &str = "    ";
/// How often a command is given before its output counts as another one: on a busy machine a search may
/// end before it finds the run that it finds otherwise.
const ATTEMPTS: usize = 3;
const LEFT_OUT: &str = "[…]";

/// A command and the lines below it.
struct Example {
    /// The line of the page at which the output begins, from 0.
    line: usize,
    command: String,
    output: Vec<String>,
}

/// A file that the page shows.
struct Shown {
    name: String,
    text: String,
}

fn block(lines: &[&str], from: usize) -> Vec<String> {
    let rest = lines[from..].iter();
    let inside = rest.take_while(|line| line.starts_with(INDENT) || line.trim().is_empty());
    let mut block: Vec<String> = inside
        .map(|line| line.strip_prefix(INDENT).unwrap_or("").to_owned())
        .collect();
    while block.last().is_some_and(String::is_empty) {
        block.pop();
    }
    block
}

/// Everything that the page shows, in its order.
fn read(page: &str) -> (Vec<Shown>, Vec<Example>) {
    let lines: Vec<&str> = page.lines().collect();
    let (mut files, mut examples) = (vec![], vec![]);
    for (index, line) in lines.iter().enumerate() {
        if let Some(name) = line.strip_prefix("<!-- ") {
            let name = name.trim_end_matches(" -->").to_owned();
            let text = block(&lines, index + 2).into_iter();
            let text: Vec<String> = text.take_while(|line| !line.starts_with("$ ")).collect();
            let text = text.join("\n").trim_end().to_owned() + "\n";
            files.push(Shown { name, text });
        }
        if let Some(command) = line.strip_prefix("    $ foghorn ") {
            let output = block(&lines, index + 1).into_iter();
            let output = output.take_while(|line| !line.starts_with("$ ")).collect();
            examples.push(Example {
                line: index + 1,
                command: command.to_owned(),
                output,
            });
        }
    }
    (files, examples)
}

fn run(folder: &Path, command: &str) -> Vec<String> {
    let mut child = Command::new(foghorn());
    child.current_dir(folder).args(command.split_whitespace());
    child.env("PWD", folder);
    // Side by side, what is found first depends on the machine.
    child.env("FOGHORN_JOBS", "1");
    let output = child.output().expect("the binary starts");
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    text += &String::from_utf8_lossy(&output.stderr);
    text.lines().map(str::to_owned).collect()
}

/// A line without what depends on the machine, or on which of several failing runs a solver finds: plain
/// numbers, what it took, how many other checks were decided by then.
fn comparable(line: &str) -> String {
    let verdict = ["verdict: unsafe: ", "verdict: unknown: "];
    if let Some(start) = verdict.iter().find(|start| line.starts_with(**start)) {
        return (*start).to_owned();
    }
    let line = match line.rfind(" [").filter(|_| line.starts_with("verdict: ")) {
        Some(at) => &line[..at],
        None => line,
    };
    let plain = |word: &str| {
        let number = word.trim_end_matches([',', ':', ';', ')']);
        number
            .parse::<i64>()
            .map_or_else(|_| word.to_owned(), |_| word.replace(number, "N"))
    };
    let words: Vec<String> = line.split(' ').map(plain).collect();
    words.join(" ")
}

/// The parts of an output that are shown, between what is left out.
fn parts(output: &[String]) -> Vec<&[String]> {
    output.split(|line| line == LEFT_OUT).collect()
}

/// Whether an output is what is shown: its first part at the beginning, the last at the end, the
/// others between in their order.
fn agrees(shown: &[String], printed: &[String]) -> bool {
    let same = |left: &[String], right: &[String]| {
        let mut pairs = left.iter().zip(right);
        left.len() == right.len() && pairs.all(|(l, r)| comparable(l) == comparable(r))
    };
    let parts = parts(shown);
    let mut at = 0;
    for (number, part) in parts.iter().enumerate() {
        let last = number + 1 == parts.len();
        let starts = match (number, last) {
            (0, true) => return same(part, printed),
            (0, false) => 0..1,
            (_, true) => printed.len().saturating_sub(part.len()).max(at)..printed.len() + 1,
            (_, false) => at..printed.len(),
        };
        let fits = |start: &usize| {
            let piece = printed.get(*start..*start + part.len());
            piece.is_some_and(|piece| same(part, piece))
        };
        let Some(start) = starts.into_iter().find(fits) else {
            return false;
        };
        at = start + part.len();
    }
    true
}

/// What is shown of an output, with as many lines in each part as before. A part between others begins
/// at the next line that begins like it.
fn shorten(shown: &[String], printed: &[String]) -> Vec<String> {
    let parts = parts(shown);
    if parts.len() == 1 {
        return printed.to_vec();
    }
    let mut kept: Vec<String> = vec![];
    let mut at = 0;
    for (number, part) in parts.iter().enumerate() {
        let start = match number {
            0 => 0,
            _ if number + 1 == parts.len() => printed.len().saturating_sub(part.len()).max(at),
            _ => {
                let word = part
                    .first()
                    .and_then(|line| line.split(' ').next())
                    .unwrap_or("");
                let rest = printed[at..].iter();
                let found = rest.clone().position(|line| line.starts_with(word));
                at + found.unwrap_or(0)
            }
        };
        if number > 0 {
            kept.push(LEFT_OUT.to_owned());
        }
        let end = (start + part.len()).min(printed.len());
        kept.extend(printed[start..end].iter().cloned());
        at = end;
    }
    kept
}

/// A folder in which the commands of the page can be given.
fn workplace(files: &[Shown]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let examples = root().join("examples").canonicalize().expect("examples");
    std::os::unix::fs::symlink(examples, folder.path().join("examples")).expect("a link");
    for file in files {
        std::fs::write(folder.path().join(&file.name), &file.text).expect("a file");
    }
    folder
}

#[test]
fn the_tutorial_shows_what_is_printed() {
    let path = root().join("docs/guide/tutorial.md");
    let page = std::fs::read_to_string(&path).expect("the page");
    let (files, examples) = read(&page);
    assert!(examples.len() > 12, "{}", examples.len());
    let folder = workplace(&files);
    let bless = std::env::var_os("FOGHORN_BLESS").is_some_and(|value| value == "1");
    let mut lines: Vec<String> = page.lines().map(str::to_owned).collect();
    let mut differences = String::new();
    for example in examples.iter().rev() {
        let mut printed = vec![];
        let agreed = (0..ATTEMPTS).any(|_| {
            printed = run(folder.path(), &example.command);
            agrees(&example.output, &printed)
        });
        if agreed && !bless {
            continue;
        }
        let shown = shorten(&example.output, &printed);
        // Writing to a string does not fail.
        let _ = writeln!(
            differences,
            "$ foghorn {}\nshown:\n{}\nprinted:\n{}\n",
            example.command,
            example.output.join("\n"),
            shown.join("\n")
        );
        let indented = shown.iter().map(|line| match line.is_empty() {
            true => String::new(),
            false => format!("{INDENT}{line}"),
        });
        let range = example.line..example.line + example.output.len();
        lines.splice(range, indented);
    }
    if bless {
        std::fs::write(&path, lines.join("\n") + "\n").expect("the page can be written");
        return;
    }
    assert!(
        differences.is_empty(),
        "the tutorial shows something else (FOGHORN_BLESS=1 rewrites it):\n{differences}"
    );
}

#[test]
fn parts_that_are_left_out() {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let printed = lines("a\nb\nc\nd\nverdict: safe: x [bmc, 1 s]");
    assert!(agrees(
        &lines("a\n[…]\nverdict: safe: x [bmc, 2 s]"),
        &printed
    ));
    assert!(agrees(&lines("a\n[…]\nc\n[…]\nverdict: safe: x"), &printed));
    assert!(!agrees(&lines("b\n[…]\nverdict: safe: x"), &printed));
    assert!(!agrees(&lines("a\nb\nverdict: safe: x"), &printed));
    let shorter = shorten(&lines("a\n[…]\nold"), &printed);
    assert_eq!(shorter.len(), 3);
    assert_eq!(shorter[2], printed[4]);
}
