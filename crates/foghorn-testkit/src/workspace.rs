//! Where things are.

use std::path::{Path, PathBuf};

/// The root of the workspace.
pub fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = manifest.ancestors().nth(2);
    root.expect("invariant: the crate is two folders below the root")
        .to_owned()
}

/// The folder of all suites.
pub fn suites() -> PathBuf {
    root().join("tests/suites")
}

/// The binary under test; a relative path is one from the root.
pub fn binary() -> PathBuf {
    let path = std::env::var_os("FOGHORN").map(PathBuf::from);
    root().join(path.unwrap_or_else(|| "target/release/foghorn".into()))
}

/// A path as a person at the root would type it.
pub fn shown(path: &Path) -> String {
    path.strip_prefix(root())
        .unwrap_or(path)
        .display()
        .to_string()
}

/// The C and C++ files of a folder and of the folders within it, sorted.
pub fn programs(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut found = with_extension(folder, "c")?;
    found.extend(with_extension(folder, "cpp")?);
    found.sort();
    Ok(found)
}

/// The files of a folder and of the folders within it that end like this, sorted.
pub fn with_extension(folder: &Path, extension: &str) -> std::io::Result<Vec<PathBuf>> {
    let mut found = vec![];
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}
