//! Printed IR: `foghorn ir`.

use crate::process;
use crate::snapshot::Printer;
use crate::workspace;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// `foghorn ir` as the printer of snapshots.
#[derive(Clone, Debug)]
pub struct FoghornIr {
    limit: Duration,
}

impl Default for FoghornIr {
    fn default() -> Self {
        Self::new()
    }
}

impl FoghornIr {
    pub fn new() -> Self {
        let limit = Duration::from_secs(60);
        FoghornIr { limit }
    }

    /// Run in the folder of the file, so that locations in the text do not depend on where the
    /// project lies.
    fn command(path: &Path) -> Command {
        let mut command = Command::new(workspace::binary());
        command.current_dir(path.parent().unwrap_or(Path::new(".")));
        command.arg("ir").arg(path.file_name().unwrap_or_default());
        command
    }
}

impl Printer for FoghornIr {
    fn print(&self, path: &Path) -> Result<String, String> {
        let finished = process::run(&mut Self::command(path), b"", self.limit);
        let finished = finished.map_err(|error| error.to_string())?;
        if finished.code != Some(0) {
            return Err(finished.stderr);
        }
        String::from_utf8(finished.stdout).map_err(|error| error.to_string())
    }

    fn reproduce(&self, path: &Path) -> String {
        let folder = workspace::shown(path.parent().unwrap_or(Path::new(".")));
        format!("cd {folder} && {}", process::shown(&Self::command(path)))
    }
}
