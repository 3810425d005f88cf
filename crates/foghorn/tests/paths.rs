//! Files are named as the user gave them, from any folder, and their lines are found.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The release binary if the test command built one, else the one that cargo built.
fn foghorn() -> PathBuf {
    std::env::var_os("FOGHORN").map_or(env!("CARGO_BIN_EXE_foghorn").into(), PathBuf::from)
}

const MAIN: &str = "#include \"part.h\"
int main(void) {
  int x = 4;
  return half(x - 4);
}
";

const HEADER: &str = "static int half(int x) {
  return 10 / x;
}
";

/// A project: `src/main.c`, `src/part.h`, and an empty folder `elsewhere`.
struct Project(tempfile::TempDir);

impl Project {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["src", "elsewhere"] {
            std::fs::create_dir(folder.path().join(name)).expect("a folder");
        }
        std::fs::write(folder.path().join("src/main.c"), MAIN).expect("a file");
        std::fs::write(folder.path().join("src/part.h"), HEADER).expect("a file");
        Project(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        let folder = self.0.path().canonicalize().expect("a folder");
        match name {
            "" => folder,
            name => folder.join(name),
        }
    }

    fn run(&self, folder: &str, arguments: &[&str]) -> Output {
        let mut command = Command::new(foghorn());
        let folder = self.path(folder);
        command
            .env("PWD", &folder)
            .current_dir(folder)
            .args(arguments);
        command.output().expect("the binary starts")
    }

    /// What is printed about the division in the header names it so, and shows its line.
    #[track_caller]
    fn check(&self, folder: &str, given: &str, header: &str) {
        let output = self.run(folder, &["verify", given]);
        let report = String::from_utf8_lossy(&output.stdout);
        let place = format!("error: division at {header}:2:13\n");
        assert!(report.contains(&place), "no {place} in {report}");
        assert!(report.contains("return 10 / x;"), "no line in {report}");
        assert!(
            report.contains("return half(x - 4);"),
            "no line in {report}"
        );
        let output = self.run(folder, &["run", given]);
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(told.contains(&place), "no {place} in {told}");
    }
}

#[test]
fn a_relative_path() {
    let project = Project::new();
    project.check("", "src/main.c", "src/part.h");
    project.check("src", "main.c", "part.h");
    project.check("elsewhere", "../src/main.c", "../src/part.h");
}

#[test]
fn an_absolute_path_from_anywhere() {
    let project = Project::new();
    let (given, header) = (project.path("src/main.c"), project.path("src/part.h"));
    let (given, header) = (
        given.to_str().expect("text"),
        header.to_str().expect("text"),
    );
    for folder in ["", "src", "elsewhere"] {
        project.check(folder, given, header);
    }
}

fn database(project: &Project, directory: &str) -> PathBuf {
    let entry = serde_json::json!([{
        "directory": directory,
        "file": "main.c",
        "arguments": ["cc", "-DUNUSED=1", "-c", "main.c"],
    }]);
    let path = project.path("").join("compile_commands.json");
    std::fs::write(&path, entry.to_string()).expect("a file");
    path
}

#[test]
fn a_compilation_database() {
    let project = Project::new();
    let source = project.path("src");
    database(&project, source.to_str().expect("text"));
    project.check("", "compile_commands.json", "src/part.h");
    let header = project.path("src/part.h");
    let header = header.to_str().expect("text");
    project.check("elsewhere", "../compile_commands.json", header);
    // A folder that is not absolute is meant from the database.
    database(&project, "src");
    project.check("", "compile_commands.json", "src/part.h");
}

#[test]
fn the_harness_of_a_project_is_built_from_its_sources() {
    let project = Project::new();
    let source = project.path("src");
    database(&project, source.to_str().expect("text"));
    let arguments = [
        "verify",
        "--json",
        "-",
        "--harness",
        "out",
        "compile_commands.json",
    ];
    let output = project.run("", &arguments);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a report");
    let checks = report["checks"].as_array().expect("checks");
    let failed = checks.iter().find(|check| check["verdict"] == "unsafe");
    let harness = &failed.expect("a failure")["harness"];
    let command = |name: &str| harness[name].as_str().expect("a command").to_owned();
    assert!(!command("build").contains(".json"), "{harness}");
    let shell = |text: &str, folder: &Path| {
        let mut command = Command::new("sh");
        let output = command.arg("-c").arg(text).current_dir(folder).output();
        output.expect("a shell")
    };
    let built = shell(&command("build"), &project.path(""));
    let told = String::from_utf8_lossy(&built.stderr);
    assert!(built.status.success(), "{told}");
    let run = shell(&command("run"), &project.path(""));
    let told = String::from_utf8_lossy(&run.stderr);
    assert!(told.contains("division by zero"), "{told}");
}
