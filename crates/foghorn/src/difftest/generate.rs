//! Random C programs from csmith.

use super::child;
use std::io;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// Where Debian's libcsmith-dev puts the header that csmith's programs include.
pub const INCLUDE: &str = "/usr/include/csmith";

/// Shapes of programs; the seed chooses one, so that a run over many seeds meets them all.
const SHAPES: &[&[&str]] = &[
    &[],
    &["--max-funcs", "4", "--max-block-depth", "3"],
    &["--max-funcs", "3", "--float"],
    &[
        "--max-funcs",
        "5",
        "--no-packed-struct",
        "--max-pointer-depth",
        "4",
    ],
    &[
        "--max-funcs",
        "3",
        "--max-struct-fields",
        "5",
        "--max-expr-complexity",
        "6",
    ],
    &[
        "--max-funcs",
        "4",
        "--max-array-dim",
        "2",
        "--max-array-len-per-dim",
        "16",
        "--no-volatiles",
    ],
];

/// The shape of programs that an analysis can take in whole.
const SMALL: &[&str] = &[
    "--max-funcs",
    "4",
    "--max-block-depth",
    "3",
    "--max-block-size",
    "3",
    "--max-expr-complexity",
    "5",
    "--max-array-dim",
    "2",
];

/// Writes the program of that seed; `false` if csmith finds none in time, as it does now and then.
pub fn program(seed: u64, small: bool, path: &Path) -> io::Result<bool> {
    let shapes = SHAPES.len() as u64;
    let index = usize::try_from(seed % shapes).expect("invariant: few shapes");
    let shape = if small { SMALL } else { SHAPES[index] };
    let mut command = Command::new("csmith");
    // csmith leaves a file `platform.info` where it runs.
    command.current_dir(path.parent().unwrap_or(Path::new(".")));
    command
        .arg("--seed")
        .arg(seed.to_string())
        .arg("--output")
        .arg(path)
        .args(shape);
    let output = child::run(&mut command, Duration::from_secs(60))?;
    match output {
        Some(output) if output.code == Some(0) => Ok(true),
        None => Ok(false),
        Some(output) => Err(io::Error::other(format!(
            "csmith failed on seed {seed}: {}",
            String::from_utf8_lossy(&output.stderr).trim()
        ))),
    }
}
