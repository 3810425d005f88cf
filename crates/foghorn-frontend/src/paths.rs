//! How reports name source files: as the user gave them, so that they can be opened from where he is.
//!
//! Debug information names a file by a folder and a path below it, and clang divides an absolute path
//! between the two as it likes. What is one of the inputs gets the name of that input; what lies in
//! the folder of one, a name that begins like it; anything else a path that leads there from the
//! working directory, if there is such a file.

use crate::link::Input;
use rustc_hash::FxHashMap;
use std::path::{Component, Path, PathBuf};

pub(crate) struct Paths {
    /// The working directory.
    here: PathBuf,
    /// The same as the shell names it, which may go through links.
    shell: Option<PathBuf>,
    /// The inputs: where they are, and how they were given.
    given: Vec<(PathBuf, PathBuf)>,
    /// Names that were asked for before.
    known: FxHashMap<(String, String), String>,
}

impl Paths {
    pub(crate) fn new(inputs: &[Input]) -> Self {
        let here = std::env::current_dir().unwrap_or_default();
        let shell = std::env::var_os("PWD").map(PathBuf::from);
        let mut paths = Paths {
            shell: shell.filter(|path| path.is_absolute() && *path != here),
            here,
            given: vec![],
            known: FxHashMap::default(),
        };
        for input in inputs {
            let shown = match &input.folder {
                None => input.path.clone(),
                Some(folder) => paths.relative(&paths.whole(&folder.join(&input.path))),
            };
            paths.given.push((paths.whole(&shown), shown));
        }
        paths
    }

    /// The name of a file that debug information calls `name` in `folder`.
    pub(crate) fn shown(&mut self, name: &str, folder: &str) -> String {
        let key = (name.to_owned(), folder.to_owned());
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let shown = self.find(name, folder);
        self.known.insert(key, shown.clone());
        shown
    }

    fn find(&self, name: &str, folder: &str) -> String {
        if name.starts_with('<') || folder.starts_with('<') || name.is_empty() {
            return name.to_owned();
        }
        let text = |path: &Path| path.to_string_lossy().into_owned();
        let whole = self.whole(&Path::new(folder).join(name));
        if let Some((_, shown)) = self.given.iter().find(|(path, _)| *path == whole) {
            return text(shown);
        }
        let beside = self.given.iter().filter_map(|(path, shown)| {
            let (folder, shown) = (path.parent()?, shown.parent()?);
            let rest = whole.strip_prefix(folder).ok()?;
            Some((folder.components().count(), shown.join(rest)))
        });
        if let Some((_, shown)) = beside.max_by_key(|(depth, _)| *depth) {
            return text(&shown);
        }
        let is_here = folder.is_empty() || self.whole(Path::new(folder)) == self.here;
        match Path::new(name).is_relative() && is_here || !whole.exists() {
            true => name.to_owned(),
            false => text(&self.relative(&whole)),
        }
    }

    /// An absolute path without `.` and `..`.
    fn whole(&self, path: &Path) -> PathBuf {
        let mut whole = PathBuf::new();
        for part in self.here.join(path).components() {
            match part {
                Component::CurDir => {}
                Component::ParentDir => {
                    whole.pop();
                }
                Component::Prefix(_) | Component::RootDir | Component::Normal(_) => {
                    whole.push(part);
                }
            }
        }
        let below = self
            .shell
            .as_ref()
            .and_then(|shell| whole.strip_prefix(shell).ok());
        below.map(|rest| self.here.join(rest)).unwrap_or(whole)
    }

    /// A path relative to the working directory, if it lies below it.
    fn relative(&self, whole: &Path) -> PathBuf {
        match whole.strip_prefix(&self.here) {
            Ok(rest) => rest.to_owned(),
            Err(_) => whole.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(given: &[&str]) -> Paths {
        let inputs: Vec<Input> = given
            .iter()
            .map(|path| PathBuf::from(path).into())
            .collect();
        let mut paths = Paths::new(&inputs);
        paths.given.clear();
        paths.here = PathBuf::from("/home/me/project");
        paths.shell = Some(PathBuf::from("/link"));
        for path in given {
            let whole = paths.whole(Path::new(path));
            paths.given.push((whole, PathBuf::from(path)));
        }
        paths
    }

    #[test]
    fn an_input_has_the_name_that_it_was_given() {
        let mut paths = paths(&["./a.c", "/home/other/b.c", "../lib/c.c"]);
        let here = "/home/me/project";
        assert_eq!(paths.shown("./a.c", here), "./a.c");
        assert_eq!(paths.shown("a.c", "/link"), "./a.c");
        // clang takes the longest common folder.
        assert_eq!(paths.shown("other/b.c", "/home"), "/home/other/b.c");
        assert_eq!(paths.shown("../lib/c.c", here), "../lib/c.c");
    }

    #[test]
    fn headers_are_named_like_the_file_beside_them() {
        let mut paths = paths(&["src/a.c", "/home/other/b.c"]);
        assert_eq!(paths.shown("src/a.h", "/home/me/project"), "src/a.h");
        assert_eq!(paths.shown("other/inc/b.h", "/home"), "/home/other/inc/b.h");
        assert_eq!(
            paths.shown("<foghorn>/libc/string.c", "/tmp"),
            "<foghorn>/libc/string.c"
        );
        assert_eq!(paths.shown("gone.c", "/nonexistent"), "gone.c");
    }
}
