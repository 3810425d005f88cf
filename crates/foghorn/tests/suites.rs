//! Whole-path tests: the programs of `tests/suites/` through the release binary.

use foghorn_testkit::judge::Class;
use foghorn_testkit::{
    Engine, FoghornAbsint, FoghornBmc, FoghornIr, FoghornRun, Sanitizer, binary, check_snapshots,
    run_suite, suites,
};
use std::path::PathBuf;
use std::process::Command;

/// Ways to represent memory, besides the usual one.
const REPRESENTATIONS: [&[&str]; 4] = [
    &["--memory", "lambdas"],
    &["--memory", "arrays"],
    &["--no-store-map"],
    &["--no-arm", "--solver", "z3"],
];

#[test]
fn defects_are_found_and_repaired_twins_are_not_reported() {
    run_suite(&suites().join("defects"), &[&FoghornRun::new()]).assert_clean();
}

#[test]
fn programs_print_what_the_machine_prints() {
    run_suite(&suites().join("run"), &[&FoghornRun::new()]).assert_clean();
}

#[test]
fn what_verify_is_asked_can_be_run() {
    for suite in ["verify", "invariants", "arguments"] {
        run_suite(&suites().join(suite), &[&FoghornRun::new()]).assert_clean();
    }
}

#[test]
fn every_dialect_is_understood() {
    run_suite(&suites().join("dialects"), &[&FoghornRun::new()]).assert_clean();
}

#[test]
fn sanitizers_agree_with_the_headers() {
    run_suite(&suites().join("defects"), &[&Sanitizer::new()]).assert_clean();
}

#[test]
fn printed_ir_of_each_language_feature() {
    check_snapshots(&suites().join("ir"), &FoghornIr::new()).assert_clean();
}

/// Whether programs and settings are all tried that a usual run takes a sample of.
fn thorough() -> bool {
    std::env::var("FOGHORN_SUITES").is_ok_and(|which| which == "all")
}

/// In how many parts the programs are divided where each form or way of an engine is asked about one part, another for each:
/// `FOGHORN_SUITES=16` says so; with `all` each is asked about all.
fn parts() -> Option<u64> {
    match std::env::var("FOGHORN_SUITES").ok()?.as_str() {
        "all" => Some(1),
        number => number.parse().ok(),
    }
}

/// One for all programs in a thorough run, else for every n-th.
fn sample(every: u64) -> u64 {
    if thorough() { 1 } else { every }
}

/// What functions without a body, assembly and devices may do, in every engine. With
/// `FOGHORN_SUITES=all` every program goes through every memory representation.
#[test]
fn what_is_outside_may_change_what_it_reaches() {
    let suite = suites().join("externals");
    run_suite(
        &suite,
        &[
            &FoghornRun::new(),
            &FoghornRun::pure(),
            &FoghornBmc::new(),
            &FoghornBmc::within_plan(sample(3)),
            &FoghornAbsint::new(),
        ],
    )
    .assert_clean();
    for memory in ["lambdas", "arrays"] {
        let engine = FoghornBmc::with(&["--memory", memory], sample(4));
        let mut report = run_suite(&suite, &[&engine]);
        // They find runs with pointers that cannot be, and say so; and an access through a pointer that was
        // changed fails in several ways, of which each is a true one.
        let is_wrong = |class: Class| !matches!(class, Class::Precision | Class::WrongReport);
        report.failures.retain(|failure| is_wrong(failure.class));
        report.assert_clean();
    }
}

/// Programs of `externals` whose failing runs a machine cannot be made to repeat, and why.
const NOT_NATIVE: &[(&str, &str)] = &[
    ("assembly-clobber.c", "no run is shown"),
    ("call-back.c", "calls from outside are not repeated"),
    ("fail.c", "a call is no error on a machine"),
    (
        "linked-call-back.c",
        "the harness does not find functions that were given",
    ),
    (
        "linked-copy.c",
        "the pointer is looked at in a copy, of which the change knows nothing",
    ),
    ("stored-call-back.c", "calls from outside are not repeated"),
    (
        "stored-call-back-later.c",
        "calls from outside are not repeated",
    ),
    (
        "variable-arguments.c",
        "the harness does not find variable arguments",
    ),
    ("volatile-input.c", "nothing forces what a device says"),
];

/// Every other failing run has a harness that makes the changes and fails.
#[test]
fn harnesses_change_what_was_changed() {
    for path in foghorn_testkit::programs(&suites().join("externals")).expect("the suite") {
        let text = std::fs::read_to_string(&path).expect("a program");
        let name = path.file_name().expect("a name").to_string_lossy();
        let known = NOT_NATIVE.iter().any(|(known, _)| *known == name);
        if known || !text.contains("// expect:    unsafe") {
            continue;
        }
        let folder = tempfile::tempdir().expect("a folder");
        let options = text
            .lines()
            .find_map(|line| line.strip_prefix("// options:"));
        let output = Command::new(binary())
            .args(["verify", "--json", "-", "--harness"])
            .arg(folder.path())
            .args(options.unwrap_or_default().split_whitespace())
            .arg(&path)
            .output()
            .expect("foghorn runs");
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a report");
        let checks = report["checks"].as_array().expect("checks");
        let harness = checks.iter().find_map(|check| check.get("harness"));
        let harness = harness.unwrap_or_else(|| panic!("{name}: no harness"));
        for step in ["build", "run"] {
            let command = harness[step].as_str().expect("a command");
            let done = Command::new("sh").args(["-c", command]).output();
            let done = done.expect("a shell");
            let said = String::from_utf8_lossy(&done.stderr);
            let right = match step {
                "build" => done.status.success(),
                _run => !done.status.success() && done.status.code() != Some(98),
            };
            assert!(right, "{name}: {step}: {said}\n{harness}");
        }
    }
}

/// The pure form finds the same, prints the same and makes the same choices.
#[test]
fn the_pure_form_means_the_same() {
    for suite in ["run", "defects", "dialects"] {
        run_suite(&suites().join(suite), &[&FoghornRun::pure()]).assert_clean();
    }
}

/// For all inputs, not only for those of the header.
#[test]
fn bounded_model_checking_answers_for_every_defect_and_its_repair() {
    for suite in ["defects", "dialects", "run", "verify", "loops", "arguments"] {
        run_suite(&suites().join(suite), &[&FoghornBmc::new()]).assert_clean();
    }
}

/// Programs that look at addresses: whatever the memory model does not promise can happen, and is
/// executed with the layout that it needs. Every representation says so.
#[test]
fn addresses_promise_no_more_than_the_memory_model() {
    let folder = suites().join("addresses");
    run_suite(&folder, &[&FoghornBmc::new()]).assert_clean();
    run_suite(&folder, &[&FoghornAbsint::new()]).assert_clean();
    for way in REPRESENTATIONS {
        run_suite(&folder, &[&FoghornBmc::with(way, sample(4))]).assert_clean();
    }
}

/// What programs read is any input: the engine alone decides these, and invariants prove nothing of
/// them that is not true.
#[test]
fn input_is_anything_that_a_function_may_deliver() {
    let bmc = FoghornBmc::with(&[], sample(3));
    let engines: [&dyn Engine; 2] = [&bmc, &FoghornAbsint::new()];
    run_suite(&suites().join("inputs"), &engines).assert_clean();
}

/// Ordinary programs that read their input: what is wrong with one is found, and its repair is never
/// called wrong. Most loops over input have no bound, so a repair may stay unknown.
#[test]
fn ordinary_programs_fail_on_the_input_that_is_found() {
    let engine = match thorough() {
        true => FoghornBmc::reading(),
        false => FoghornBmc::reading().only_failures(),
    };
    let mut report = run_suite(&suites().join("readers"), &[&engine]);
    let is_repair = |path: &std::path::Path| path.to_string_lossy().ends_with("-good.c");
    report
        .failures
        .retain(|failure| failure.class != Class::Precision || !is_repair(&failure.file));
    report.assert_clean();
}

/// Any number of iterations at once: proofs for all lengths, and none of what fails.
#[test]
fn summarised_loops_prove_only_what_is_true() {
    run_suite(&suites().join("loops"), &[&FoghornBmc::acceleration()]).assert_clean();
}

/// The default plan, in which invariants prove checks and bound loops for the engine that follows.
#[test]
fn the_plan_answers_as_its_engines_do() {
    for (suite, every) in [("defects", 6), ("run", 6), ("verify", 2), ("invariants", 2)] {
        let engine = FoghornBmc::within_plan(sample(every));
        run_suite(&suites().join(suite), &[&engine]).assert_clean();
    }
}

/// Arguments and environment of any kind, in other memory representations.
#[test]
fn arguments_are_the_same_in_other_representations() {
    for way in [&["--memory", "lambdas"][..], &["--no-arm"]] {
        let engine = FoghornBmc::with(way, sample(5));
        let mut report = run_suite(&suites().join("arguments"), &[&engine]);
        if thorough() {
            // Not every representation is quick enough for every program.
            let is_wrong = |class: Class| class != Class::Precision;
            report.failures.retain(|failure| is_wrong(failure.class));
        }
        report.assert_clean();
    }
}

/// The same verdicts under every memory representation and solver on a sample. With
/// `FOGHORN_REPRESENTATIONS=all`, as with `FOGHORN_SUITES=all`, on every program of the suites; there a representation may run out of time, but it never answers otherwise.
#[test]
#[expect(
    clippy::print_stdout,
    reason = "what a test of everything found is for people"
)]
fn memory_representations_agree() {
    let asked = std::env::var("FOGHORN_REPRESENTATIONS").is_ok_and(|which| which == "all");
    let all = asked || thorough();
    let (names, every): (&[&str], u64) = if all {
        let all = &[
            "defects",
            "dialects",
            "run",
            "verify",
            "invariants",
            "loops",
            "arguments",
            "honest",
            "cpp",
            "externals",
        ];
        (all, 1)
    } else {
        (&["defects"], 9)
    };
    for way in REPRESENTATIONS {
        for suite in names {
            let engine = FoghornBmc::with(way, every);
            let mut report = run_suite(&suites().join(suite), &[&engine]);
            if all {
                let answered = |class: Class| !matches!(class, Class::Precision | Class::Broken);
                let (count, failures) = (report.count, report.failures.len());
                report.failures.retain(|failure| answered(failure.class));
                let open = failures - report.failures.len();
                println!(
                    "{} on {suite}: {open} of {count} without an answer",
                    way.join(" ")
                );
            }
            report.assert_clean();
        }
    }
}

/// What a new user tries first, and C++: every engine answers, in both forms.
#[test]
fn nothing_is_assumed_behind_the_users_back() {
    for suite in ["honest", "cpp"] {
        let folder = suites().join(suite);
        run_suite(&folder, &[&FoghornRun::new(), &FoghornAbsint::new()]).assert_clean();
        run_suite(&folder, &[&FoghornRun::pure()]).assert_clean();
        run_suite(&folder, &[&FoghornBmc::new()]).assert_clean();
        run_suite(&folder, &[&FoghornBmc::within_plan(sample(3))]).assert_clean();
        for memory in ["lambdas", "arrays"] {
            let engine = FoghornBmc::with(&["--memory", memory], sample(4));
            run_suite(&folder, &[&engine]).assert_clean();
        }
    }
}

/// What is proved is proved, and nothing that fails is ever called safe.
#[test]
fn invariants_prove_only_what_is_true() {
    for suite in ["defects", "dialects", "run", "verify", "invariants"] {
        run_suite(&suites().join(suite), &[&FoghornAbsint::new()]).assert_clean();
    }
}

/// Programs whose certificate is checked each time; all of them if `FOGHORN_ALL_CERTIFICATES` is
/// set.
const CERTIFIED_EACH_TIME: usize = 8;

/// Every invariant follows bit by bit, or was not decided in time; a solver refutes none.
#[test]
fn certificates_of_suite_programs_follow() {
    let mut programs: Vec<PathBuf> = Vec::new();
    for suite in ["defects", "dialects", "run", "invariants"] {
        let entries = std::fs::read_dir(suites().join(suite)).expect("the suite");
        let paths = entries.map(|entry| entry.expect("an entry").path());
        programs.extend(paths.filter(|path| path.extension().is_some_and(|it| it == "c")));
    }
    programs.sort();
    let all = std::env::var_os("FOGHORN_ALL_CERTIFICATES").is_some();
    let step = if all {
        1
    } else {
        programs.len() / CERTIFIED_EACH_TIME
    };
    let mut follow = 0;
    for program in programs.iter().step_by(step) {
        let output = Command::new(binary())
            .args(["check-certificate", "--timeout", "10"])
            .arg(program)
            .output()
            .expect("the binary");
        let told = String::from_utf8_lossy(&output.stdout);
        match output.status.code() {
            Some(0 | 20) => follow += usize::from(told.contains(" 0 not decided")),
            code => panic!("{}: exit {code:?}\n{told}", program.display()),
        }
    }
    // The others take longer than they are given on a busy machine.
    assert!(follow * 4 >= programs.len() / step * 3, "{follow} follow");
}

/// A claim that is not true does not follow, and a certificate that was written can be read.
#[test]
fn a_changed_certificate_does_not_follow() {
    let folder = tempfile::tempdir().expect("a folder");
    let (source, file) = (
        folder.path().join("loop.c"),
        folder.path().join("loop.json"),
    );
    let text = "int main(void) { int i = 0; while (i < 10) i++; return i; }";
    std::fs::write(&source, text).expect("a source");
    let check = |option: &str| {
        let mut command = Command::new(binary());
        command.arg("check-certificate").arg(&source).arg(option);
        command.arg(&file).output().expect("the binary")
    };
    assert_eq!(check("--write").status.code(), Some(0));
    assert_eq!(check("--certificate").status.code(), Some(0));
    let written = std::fs::read_to_string(&file).expect("a certificate");
    let changed = written.replace("10", "9");
    assert_ne!(written, changed, "the bound of the loop is claimed");
    std::fs::write(&file, changed).expect("a certificate");
    assert_eq!(check("--certificate").status.code(), Some(10));
}

/// Objects live as long as C says, copies are equal and leaks are what nothing reaches, whoever
/// looks and however memory is represented.
#[test]
fn objects_live_as_long_as_c_says() {
    let suite = suites().join("lifetimes");
    run_suite(&suite, &[&FoghornRun::new()]).assert_clean();
    run_suite(&suite, &[&FoghornRun::pure()]).assert_clean();
    run_suite(&suite, &[&FoghornBmc::new()]).assert_clean();
    run_suite(&suite, &[&FoghornAbsint::new()]).assert_clean();
    for memory in ["lambdas", "arrays"] {
        let engine = FoghornBmc::with(&["--memory", memory], sample(4));
        run_suite(&suite, &[&engine]).assert_clean();
    }
}

/// Forms of Horn clauses, besides the usual one.
const FORMS: [&[&str]; 6] = [
    &["--step", "small"],
    &["--horn-memory", "arrays"],
    &["--integers", "lia", "--procedures", "summaries"],
    &["--integers", "lia", "--procedures", "mixed"],
    &["--integers", "bits"],
    &[
        "--step",
        "small",
        "--horn-memory",
        "arrays",
        "--integers",
        "bits",
    ],
];

/// Horn clauses prove lists of any length, and say nothing wrong about programs of other suites. With
/// `FOGHORN_SUITES=all` every program of every suite is asked about, in every form, and with a number of parts each form
/// about one part.
#[test]
fn horn_clauses_answer_as_headers_say() {
    run_suite(&suites().join("horn"), &[&FoghornBmc::horn()]).assert_clean();
    for suite in ["defects", "loops", "invariants", "verify", "lifetimes"] {
        soundness_of_horn(suite, &FoghornBmc::horn_beside(&[], sample(11)));
    }
    let Some(parts) = parts() else {
        return;
    };
    for suite in [
        "addresses",
        "arguments",
        "dialects",
        "externals",
        "honest",
        "inputs",
        "run",
    ] {
        soundness_of_horn(suite, &FoghornBmc::horn_beside(&[], parts));
    }
    for form in FORMS {
        let engine = FoghornBmc::horn_beside(form, parts).on_programs_of("horn");
        soundness_of_horn("horn", &engine);
        for suite in [
            "defects",
            "loops",
            "invariants",
            "verify",
            "lifetimes",
            "run",
        ] {
            soundness_of_horn(suite, &FoghornBmc::horn_beside(form, parts));
        }
    }
}

/// Nothing wrong is said; how much is left open is not asked.
fn soundness_of_horn(suite: &str, engine: &FoghornBmc) {
    let mut report = run_suite(&suites().join(suite), &[engine]);
    report
        .failures
        .retain(|failure| failure.class == Class::Soundness);
    // A small part of a small suite may be empty.
    assert!(report.failures.is_empty(), "{report}");
}

/// Ways of kIkI, besides the usual one.
const KIKI_WAYS: [&[&str]; 15] = [
    &["--summaries"],
    &["--kiki", "ai"],
    &["--kiki", "kind"],
    &["--kiki", "bmc"],
    &["--strategy", "enumeration"],
    &["--strategy", "search"],
    &["--template", "intervals"],
    &["--template", "zones"],
    &["--template", "octagons"],
    &["--template", "equalities"],
    &["--template", "bits"],
    &["--template", "values"],
    &["--template", "states"],
    &["--template", "power"],
    &["--k-max", "2"],
];

/// Suites whose programs kIkI is asked about; the others are of things that come before any engine.
const KIKI_SUITES: [&str; 15] = [
    "addresses",
    "arguments",
    "defects",
    "dialects",
    "externals",
    "honest",
    "horn",
    "inputs",
    "invariants",
    "kiki",
    "lifetimes",
    "loops",
    "readers",
    "run",
    "verify",
];

/// kIkI proves and refutes what its own suite says.
#[test]
fn kiki_answers_as_headers_say() {
    run_suite(&suites().join("kiki"), &[&FoghornBmc::kiki_alone()]).assert_clean();
}

/// kIkI says nothing that a header contradicts. With `FOGHORN_SUITES=all` every program is asked about, with each
/// template, each strategy and each mode, and with a number of parts each of those about one part.
#[test]
fn kiki_says_nothing_that_headers_contradict() {
    let ask = |suite: &str, options: &[&'static str], every: u64| {
        let engine = FoghornBmc::kiki(options, every);
        let mut report = run_suite(&suites().join(suite), &[&engine]);
        report
            .failures
            .retain(|failure| matches!(failure.class, Class::Soundness | Class::Broken));
        assert!(report.failures.is_empty(), "{report}");
        report.count
    };
    let mut asked = 0;
    for suite in KIKI_SUITES {
        asked += ask(suite, &[], sample(41));
        for way in KIKI_WAYS.iter().filter(|_| parts().is_some()) {
            asked += ask(suite, way, parts().unwrap_or(1));
        }
    }
    if parts().is_none() {
        for way in KIKI_WAYS {
            asked += ask("loops", way, 7);
        }
    }
    assert!(asked > KIKI_WAYS.len(), "the samples are empty");
}
