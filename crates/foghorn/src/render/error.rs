//! An error of the command as JSON, for those who asked for JSON.

use crate::exit::Exit;
use serde::Serialize;
use std::path::Path;

#[derive(Serialize)]
struct Document<'a> {
    error: Error<'a>,
}

#[derive(Serialize)]
struct Error<'a> {
    kind: &'static str,
    message: &'a str,
    exit_code: u8,
}

/// The document.
fn document(exit: Exit, message: &str) -> String {
    let kind = match exit {
        Exit::Usage => "usage",
        Exit::Input => "input",
        Exit::Success | Exit::Unsafe | Exit::Unknown | Exit::Internal | Exit::Program(_) => {
            "internal"
        }
    };
    let document = Document {
        error: Error {
            kind,
            message,
            exit_code: exit.code(),
        },
    };
    serde_json::to_string_pretty(&document).unwrap_or_default()
}

/// Writes it where the answer would have been. What cannot be written is said on standard error all
/// the same.
pub fn write(out: &Path, exit: Exit, message: &str) {
    let text = document(exit, message);
    if out == Path::new("-") {
        println!("{text}");
    } else {
        let _ = std::fs::write(out, text + "\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_says_whose_fault_it_is() {
        let text = document(Exit::Input, "a.c: No such file");
        let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(json["error"]["kind"], "input");
        assert_eq!(json["error"]["exit_code"], 2);
        assert_eq!(json["error"]["message"], "a.c: No such file");
    }
}
