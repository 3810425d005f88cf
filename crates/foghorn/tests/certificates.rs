//! Certificates of the programs of `tests/suites/`, through the release binary: how many proofs are certified, and whether
//! anything is accepted that should not be.
//!
//! A sample each time. `FOGHORN_SUITES=all` looks at every program; `FOGHORN_MUTATIONS=N` changes so many certificates.

use foghorn_testkit::header::{Case, Expectation, read};
use foghorn_testkit::workspace::{root, shown};
use foghorn_testkit::{binary, programs, suites};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;

fn thorough() -> bool {
    std::env::var("FOGHORN_SUITES").is_ok_and(|which| which == "all")
}

/// All programs whose headers say this, in order.
fn cases(is_wanted: impl Fn(&Case) -> bool) -> Vec<Case> {
    let mut folders: Vec<_> = std::fs::read_dir(suites())
        .expect("the suites")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.is_dir())
        .collect();
    folders.sort();
    let files = folders
        .iter()
        .flat_map(|folder| programs(folder).expect("a suite"));
    // Suites of other tests have other headers.
    let cases = files.filter_map(|path| read(&path).ok());
    cases.filter(is_wanted).collect()
}

/// Every n-th, from the given one on.
fn sample(cases: Vec<Case>, wanted: usize, from: usize) -> Vec<Case> {
    let step = (cases.len() / wanted.max(1)).max(1);
    cases
        .into_iter()
        .skip(from % step)
        .step_by(step)
        .take(wanted)
        .collect()
}

fn verify(case: &Case, timeout: &str) -> Command {
    let mut command = Command::new(binary());
    let groups: Vec<_> = case.checks.iter().map(|group| group.name()).collect();
    command
        .current_dir(root())
        .arg("verify")
        .arg(shown(&case.path));
    command.args([
        "--check",
        &groups.join(","),
        "--json",
        "-",
        "--timeout",
        timeout,
    ]);
    command.args(&case.options);
    command
}

fn report(command: &mut Command) -> Value {
    let output = command.output().expect("the binary");
    serde_json::from_slice(&output.stdout).unwrap_or(Value::Null)
}

/// Most proofs are certified completely by default; those that are not are listed with the reason.
#[test]
#[expect(clippy::print_stdout, reason = "what is not certified is for people")]
fn proofs_are_certified() {
    let safe = cases(|case| case.expect == Expectation::Safe);
    let asked = match thorough() {
        true => safe,
        false => sample(safe, 24, 5),
    };
    let (mut proved, mut certified, mut ratios) = (0_u32, 0_u32, vec![]);
    for case in &asked {
        let report = report(&mut verify(case, "20"));
        if report["verdict"] != "safe" {
            continue;
        }
        proved += 1;
        let checks = report["checks"].as_array().expect("checks");
        let is_whole = checks.iter().all(|check| check["certified"] == true);
        certified += u32::from(is_whole);
        let took = report["statistics"]["certifying_s"]
            .as_f64()
            .expect("a time");
        let all = report["time_s"].as_f64().expect("a time");
        ratios.push(took / (all - took).max(0.001));
        if !is_whole {
            let open = checks.iter().find(|check| check["certified"] != true);
            let kind = open.map_or("nothing", |open| open["kind"].as_str().expect("a kind"));
            println!("{}: {} ({kind})", shown(&case.path), report["certificate"]);
        }
    }
    ratios.sort_by(f64::total_cmp);
    let median = ratios.get(ratios.len() / 2).copied().unwrap_or(0.0);
    println!(
        "{certified} of {proved} proofs certified completely, {median:.2} of the proof's time in the median"
    );
    assert!(proved > 10, "{proved}");
    // A busy machine takes its share of a sample. FIXME: the goal is 95 of 100; it was 92 on a machine with eight times
    // the work that it has cores for. Sums over arrays, lists, what outside functions link, and reachable leaks are not
    // claimed yet.
    let (wanted, of) = if thorough() { (90, 100) } else { (80, 100) };
    assert!(certified * of >= proved * wanted, "{certified} of {proved}");
    assert!(median <= 2.0, "{median}");
}

/// Proofs whose engine gives no argument and that nobody unwinds: each stands for a sort of claim that is guessed.
const GUESSED: [&str; 5] = [
    "invariants/remainder-good.c",
    "loops/copied-twice-good.c",
    "loops/in-place-good.c",
    "loops/reversed-good.c",
    "loops/two-counters-good.c",
];

#[test]
fn claims_are_guessed() {
    for name in GUESSED {
        let case = read(&suites().join(name)).expect("a program");
        let certificate = certificate(&case).unwrap_or_else(|| panic!("{name}: not certified"));
        let (code, told) = check(&certificate, &case.path, &[]);
        assert_eq!(code, Some(0), "{name}: {told}");
    }
}

/// What `check-certificate` says of a certificate: its exit code, and what it printed.
fn check(certificate: &Value, source: &Path, options: &[&str]) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("certificate.json");
    std::fs::write(&file, certificate.to_string()).expect("a file");
    let mut command = Command::new(binary());
    command
        .current_dir(root())
        .args(["check-certificate", "--timeout", "60"]);
    let output = command.args(options).arg(&file).arg(shown(source)).output();
    let output = output.expect("the binary");
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    (output.status.code(), told)
}

/// The certificate of a program that follows completely.
fn certificate(case: &Case) -> Option<Value> {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("certificate.json");
    let mut command = verify(case, "60");
    let report = report(command.arg("--certificate").arg(&file));
    if report["certificate"] != "certified" {
        return None;
    }
    let text = std::fs::read_to_string(&file).expect("a certificate");
    serde_json::from_str(&text).expect("JSON")
}

/// A change of a certificate.
type Mutation = (&'static str, fn(&mut Value) -> bool);

const MUTATIONS: [Mutation; 6] = [
    ("dropped", drop_claim),
    ("weakened", weaken_claim),
    ("turned round", turn_claim),
    ("moved", move_claim),
    ("bound", lower_bound),
    ("without arguments", drop_arguments),
];

/// The lists of claims, wherever they stand.
fn lists(value: &mut Value) -> Vec<&mut Vec<Value>> {
    let mut found = vec![];
    match value {
        Value::Object(fields) => {
            for (key, field) in fields.iter_mut() {
                let is_list = matches!(key.as_str(), "holds" | "requires" | "ensures");
                let has_claims = field.as_array().is_some_and(|list| !list.is_empty());
                match is_list && has_claims {
                    true => found.extend(field.as_array_mut()),
                    false => found.extend(lists(field)),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| found.extend(lists(item))),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
    found
}

fn drop_claim(certificate: &mut Value) -> bool {
    let mut lists = lists(certificate);
    let Some(list) = lists.last_mut() else {
        return false;
    };
    list.remove(0);
    true
}

/// The first number of a claim, one further away from 0.
fn change_number(value: &mut Value) -> bool {
    match value {
        Value::Object(fields) => {
            if let Some(Value::String(text)) = fields.get_mut("number")
                && let Ok(number) = text.parse::<i128>()
            {
                *text = (number + number.signum().max(1)).to_string();
                return true;
            }
            fields.values_mut().any(change_number)
        }
        Value::Array(items) => items.iter_mut().any(change_number),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

fn weaken_claim(certificate: &mut Value) -> bool {
    let mut lists = lists(certificate);
    lists
        .iter_mut()
        .any(|list| list.iter_mut().any(change_number))
}

/// The opposite of a claim.
fn turn_claim(certificate: &mut Value) -> bool {
    let mut lists = lists(certificate);
    let Some(claim) = lists.first_mut().and_then(|list| list.last_mut()) else {
        return false;
    };
    *claim = json!({ "not": claim.clone() });
    true
}

/// The claims of one block stand at another.
fn move_claim(certificate: &mut Value) -> bool {
    let Some(arguments) = certificate["arguments"].as_array_mut() else {
        return false;
    };
    for argument in arguments {
        let functions = argument["functions"].as_object_mut();
        for claims in functions.into_iter().flat_map(|it| it.values_mut()) {
            let Some(loops) = claims["loops"].as_object_mut() else {
                continue;
            };
            let Some(head) = loops.keys().next().cloned() else {
                continue;
            };
            let claim = loops.remove(&head).expect("the claim");
            let other = loops
                .keys()
                .next()
                .cloned()
                .unwrap_or_else(|| format!("{head}0"));
            loops.insert(other, claim);
            return true;
        }
    }
    false
}

fn lower_bound(certificate: &mut Value) -> bool {
    let arguments = certificate["arguments"].as_array_mut();
    let mut changed = false;
    for argument in arguments.into_iter().flatten() {
        if let Some(bound @ 1..) = argument["unwinding"].as_u64() {
            argument["unwinding"] = json!(bound - 1);
            changed = true;
        }
    }
    changed
}

fn drop_arguments(certificate: &mut Value) -> bool {
    certificate["arguments"] = json!([]);
    true
}

/// A certificate that was changed is refused, or still shows everything without belief in the solver; that of another
/// program is always refused.
#[test]
#[expect(clippy::print_stdout, reason = "what was tried is for people")]
fn changed_certificates_are_refused() {
    let wanted = std::env::var("FOGHORN_MUTATIONS").ok();
    let wanted: usize = wanted.and_then(|text| text.parse().ok()).unwrap_or(5);
    let safe = cases(|case| case.expect == Expectation::Safe && case.options.is_empty());
    // Not every program has a complete certificate.
    let candidates = sample(safe, wanted + wanted / 3 + 1, 2);
    let (mut certificates, mut refused, mut inductive) = (0, 0, 0);
    let mut before: Option<Value> = None;
    for case in &candidates {
        let Some(certificate) = certificate(case) else {
            continue;
        };
        certificates += 1;
        let name = shown(&case.path);
        if let Some(before) = before.replace(certificate.clone()) {
            let (code, told) = check(&before, &case.path, &[]);
            assert_eq!(code, Some(10), "{name}: of another program\n{told}");
        }
        for (what, change) in MUTATIONS {
            let mut changed = certificate.clone();
            if !change(&mut changed) || changed == certificate {
                continue;
            }
            let (code, told) = check(&changed, &case.path, &[]);
            match code {
                Some(10 | 20) => refused += 1,
                Some(0) if what == "without arguments" => {
                    assert!(told.contains("0 of 0"), "{name}: {what}\n{told}");
                }
                Some(0) => {
                    let (code, told) = check(&changed, &case.path, &["--proofs"]);
                    assert!(matches!(code, Some(0 | 20)), "{name}: {what}\n{told}");
                    inductive += 1;
                }
                code => panic!("{name}: {what}: exit {code:?}\n{told}"),
            }
        }
    }
    println!("{certificates} certificates, {refused} changes refused, {inductive} still inductive");
    assert!(certificates > 0 && refused > 0, "{certificates} {refused}");
}

/// Nothing that is made up proves a program that fails: complete unwinding, claims that say nothing, and the certificate of
/// the repaired twin under the name of the failing program.
#[test]
#[expect(clippy::print_stdout, reason = "what was tried is for people")]
fn programs_that_fail_have_no_certificate() {
    let failing = cases(|case| case.expect != Expectation::Safe && case.options.is_empty());
    let asked = match thorough() {
        true => failing,
        false => sample(failing, 12, 3),
    };
    let mut forged = 0;
    for case in &asked {
        let groups: Vec<_> = case.checks.iter().map(|group| group.name()).collect();
        let template = json!({
            "version": 2, "program": "", "checks": groups.join(","), "alignment": true, "arguments": [], "sites": [],
        });
        let (code, told) = check(&template, &case.path, &[]);
        let Some(hash) = told.split("this one is ").nth(1) else {
            continue;
        };
        assert_eq!(code, Some(10), "{told}");
        let hash = hash.lines().next().expect("a line");
        let count = told
            .split(" of ")
            .last()
            .and_then(|it| it.split(' ').next());
        let count: u32 = count.and_then(|it| it.parse().ok()).expect("a count");
        let sites: Vec<Value> = (0..count)
            .map(|site| json!({ "site": site, "by": [], "argument": 0, "reason": null }))
            .collect();
        let mut made_up = vec![];
        for unwinding in [json!(50), Value::Null] {
            let argument = json!({ "by": "forger", "functions": {}, "unwinding": unwinding });
            made_up.push(json!([argument]));
        }
        let twin = case.path.to_string_lossy().replace("-bad.c", "-good.c");
        let twin = Some(twin).filter(|twin| *twin != case.path.to_string_lossy());
        let twin = twin.and_then(|twin| read(Path::new(&twin)).ok());
        if let Some(theirs) = twin.and_then(|twin| certificate(&twin)) {
            made_up.push(theirs["arguments"].clone());
        }
        for arguments in made_up {
            let mut certificate = template.clone();
            certificate["program"] = json!(hash);
            certificate["arguments"] = arguments;
            certificate["sites"] = json!(sites);
            let (code, told) = check(&certificate, &case.path, &[]);
            assert_ne!(code, Some(0), "{}\n{told}", shown(&case.path));
            forged += 1;
        }
    }
    println!(
        "{forged} forged certificates of {} programs that fail, none accepted",
        asked.len()
    );
    assert!(forged > 0);
}
