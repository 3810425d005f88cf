//! Workers that behave badly, and what becomes of them.
//!
//! The test program starts itself again as a worker, or as a supervisor of a worker, with the
//! test `other_process` and a variable that says which; without the variable that test does
//! nothing. What the test harness prints in such a process is noise on the pipe, which is part of
//! what is tested.

#![allow(clippy::print_stdout)]

use foghorn_core::{Budget, clock};
use foghorn_driver::letters::letter_box;
use foghorn_driver::reins::Reins;
use foghorn_driver::supervise::supervise_with;
use foghorn_driver::{End, Events, Limits, Supervised, interrupt, serve, supervise};
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const ROLE: &str = "FOGHORN_TEST_ROLE";

fn other(role: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("a test program"));
    command.args([
        "--exact",
        "other_process",
        "--nocapture",
        "--test-threads=1",
    ]);
    command.env(ROLE, role);
    command
}

#[test]
fn other_process() {
    match std::env::var(ROLE).as_deref() {
        Ok("supervisor") => supervisor(),
        Ok("solver") => hog(),
        Ok("orphan-maker") => {
            let _ = supervise::<_, String, u64>(
                other("sleeper"),
                &Request::default(),
                &Limits::default(),
                &Budget::unlimited(),
                |event| println!("\nevent {event}"),
            );
        }
        Ok("held-orphan-maker") => {
            let reins = Reins::default();
            let holder = reins.clone();
            let _ = supervise_held::<String, u64>(other("sleeper"), reins, None, |event| {
                holder.hold();
                // The group is stopped by the next look at it.
                std::thread::spawn(move || {
                    std::thread::sleep(Duration::from_millis(300));
                    println!("\nevent {event}");
                });
            });
        }
        Ok(role) => {
            if role == "steady" {
                clock::count_attention();
            }
            let role = role.to_owned();
            let _ = serve(|request, events, _| work(&role, &request, events));
        }
        Err(_) => {}
    }
}

#[derive(Default, serde::Serialize, serde::Deserialize)]
struct Request {
    text: String,
}

fn work(role: &str, request: &Request, events: &Events<String>) -> Result<u64, String> {
    events.send(std::process::id().to_string());
    match role {
        "echo" => return Ok(request.text.len() as u64),
        "steps" => (0..1000).for_each(|step| events.send(format!("step {step}"))),
        "steady" => return steady(events),
        "refuse" => return Err("no such engine".to_owned()),
        "panic" => panic!("index out of range"),
        "abort" => std::process::abort(),
        "exit" => std::process::exit(3),
        "sleeper" => std::thread::sleep(Duration::from_secs(60)),
        "hog" => hog(),
        "burst" => drop(std::hint::black_box(vec![1_u8; 4 << 30])),
        "garbage" => garbage(events),
        "child-hog" => {
            // A solver that uses too much is a child of the worker.
            let _ = other("solver")
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .spawn();
            std::thread::sleep(Duration::from_secs(60));
        }
        "pipe-holder" => {
            // Inherits the pipe and outlives the worker.
            let _ = Command::new("sleep").arg("60").stdin(Stdio::null()).spawn();
            std::process::abort();
        }
        _ => return Err(format!("no role {role}")),
    }
    Ok(7)
}

/// Works for a second, and for no more than a second and a half by its own clock.
fn steady(events: &Events<String>) -> Result<u64, String> {
    let budget = Budget::unlimited().within(Duration::from_millis(1500));
    for step in 0..20 {
        std::thread::sleep(Duration::from_millis(50));
        events.send(format!("step {step}"));
        budget.check().map_err(|exhausted| exhausted.to_string())?;
    }
    Ok(7)
}

/// A worker that can be held.
fn supervise_held<E, A>(
    command: Command,
    reins: Reins,
    time: Option<Duration>,
    on_event: impl FnMut(E),
) -> Supervised<A>
where
    E: serde::de::DeserializeOwned + Send + 'static,
    A: serde::de::DeserializeOwned + Send + 'static,
{
    let limits = Limits {
        time,
        ..Limits::default()
    };
    let (_, letters) = letter_box();
    let budget = Budget::unlimited();
    let ties = (letters, reins);
    supervise_with(
        command,
        &Request::default(),
        ties,
        &limits,
        &budget,
        on_event,
    )
}

/// Takes 1 MB every millisecond or so, and touches it.
fn hog() {
    let mut taken: Vec<Vec<u8>> = vec![];
    for _ in 0..4000 {
        taken.push(std::hint::black_box(vec![1; 1 << 20]));
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn garbage(events: &Events<String>) {
    let mut out = std::io::stdout();
    let _ = out.write_all(b"\xff\xfe\x00 not text\n{\"event\": \n[]\n{\"answer\":\"text\"}\n\n");
    let _ = out.write_all(&vec![b'x'; 3 << 20]);
    let _ = out.write_all(b"\n");
    events.send("after the garbage".to_owned());
}

/// What came of a worker, with its events.
fn run(role: &str, limits: Limits) -> (Supervised<u64>, Vec<String>) {
    run_within(role, limits, &Budget::unlimited())
}

fn run_within(role: &str, limits: Limits, budget: &Budget) -> (Supervised<u64>, Vec<String>) {
    let mut events = vec![];
    let request = Request {
        text: "a request".repeat(100_000),
    };
    let supervised = supervise(other(role), &request, &limits, budget, |event: String| {
        events.push(event);
    });
    (supervised, events)
}

/// Whether a process runs; one that has ended and was not waited for does not.
fn is_running(process: &str) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let state = status
        .rsplit(')')
        .next()
        .unwrap_or_default()
        .trim()
        .chars()
        .next();
    state.is_some_and(|state| state != 'Z')
}

#[test]
fn an_answer() {
    let (supervised, events) = run("echo", Limits::default());
    assert_eq!(supervised.end, End::Answered(900_000));
    assert_eq!(events.len(), 1);
    // A worker that ends at once may be gone before anyone looked at its memory.
    assert!(!is_running(&events[0]));
}

#[test]
fn every_event_in_order() {
    let (supervised, events) = run("steps", Limits::default());
    assert_eq!(supervised.end, End::Answered(7));
    let expected: Vec<String> = (0..1000).map(|step| format!("step {step}")).collect();
    assert!(events[1..] == expected[..], "{} events", events.len());
}

#[test]
fn a_worker_that_fails() {
    let (supervised, _) = run("refuse", Limits::default());
    assert_eq!(supervised.end, End::Failed("no such engine".to_owned()));
    let (supervised, events) = run("panic", Limits::default());
    let End::Failed(problem) = supervised.end else {
        panic!("{supervised:?}");
    };
    assert!(problem.contains("index out of range"), "{problem}");
    assert_eq!(events.len(), 1, "what came before is kept");
}

#[test]
fn a_worker_that_crashes() {
    for (role, expected) in [("abort", "signal 6"), ("exit", "code 3")] {
        let (supervised, events) = run(role, Limits::default());
        let End::Crashed { how, .. } = supervised.end else {
            panic!("{supervised:?}");
        };
        assert!(how.contains(expected), "{how}");
        let stderr = String::new();
        let reason = End::<u64>::Crashed { how, stderr }.unknown_reason();
        let told = reason.expect("no answer").to_string();
        assert!(told.starts_with("the engine crashed: it "), "{told}");
        assert_eq!(events.len(), 1, "what came before is kept");
    }
}

#[test]
fn a_crash_whose_pipe_stays_open() {
    let (supervised, events) = run("pipe-holder", Limits::default());
    assert!(
        matches!(supervised.end, End::Crashed { .. }),
        "{supervised:?}"
    );
    assert!(supervised.elapsed < Duration::from_secs(10));
    assert_eq!(events.len(), 1);
}

/// A machine with much to do reads slowly what a worker said before it ended.
#[test]
fn an_answer_that_is_read_long_after_the_end() {
    let (mut heard, request) = (0, Request::default());
    let supervised = supervise::<_, String, u64>(
        other("steps"),
        &request,
        &Limits::default(),
        &Budget::unlimited(),
        |_| {
            heard += 1;
            std::thread::sleep(Duration::from_millis(2));
        },
    );
    assert_eq!(supervised.end, End::Answered(7), "{supervised:?}");
    assert_eq!(heard, 1001);
}

#[test]
fn a_worker_that_does_not_exist() {
    let supervised = supervise::<_, String, u64>(
        Command::new("/nonexistent/foghorn"),
        &Request::default(),
        &Limits::default(),
        &Budget::unlimited(),
        |_| {},
    );
    let End::NotStarted(problem) = supervised.end else {
        panic!("{supervised:?}");
    };
    assert!(problem.contains("/nonexistent/foghorn"), "{problem}");
}

#[test]
fn the_time_limit_holds_within_a_second() {
    let limit = Duration::from_millis(700);
    let limits = Limits {
        time: Some(limit),
        ..Limits::default()
    };
    let (supervised, events) = run("sleeper", limits);
    assert_eq!(supervised.end, End::OutOfTime);
    let told = supervised
        .end
        .unknown_reason()
        .map(|reason| reason.to_string());
    assert_eq!(told.as_deref(), Some("out of time"));
    let late = supervised.elapsed.saturating_sub(limit);
    assert!(late < Duration::from_secs(1), "{late:?} too late");
    assert_eq!(events.len(), 1, "what came before is kept");
    assert!(!is_running(&events[0]));
}

#[test]
fn the_budget_s_deadline_holds_too() {
    let budget = Budget::unlimited().within(Duration::from_millis(300));
    let (supervised, _) = run_within("sleeper", Limits::default(), &budget);
    assert_eq!(supervised.end, End::OutOfTime);
    assert!(supervised.elapsed < Duration::from_secs(2));
}

/// A worker that is held does nothing, and its time does not pass, for us as for itself.
#[test]
fn a_held_worker_waits() {
    const HELD: Duration = Duration::from_secs(3);
    let reins = Reins::default();
    let (holder, mut steps) = (reins.clone(), 0);
    let mut last = Instant::now();
    let mut longest = Duration::ZERO;
    let limit = Some(Duration::from_secs(2));
    let supervised: Supervised<u64> = supervise_held(other("steady"), reins, limit, |_: String| {
        longest = longest.max(last.elapsed());
        last = Instant::now();
        steps += 1;
        if steps == 5 {
            let holder = holder.clone();
            std::thread::spawn(move || {
                holder.hold();
                std::thread::sleep(HELD);
                holder.release();
            });
        }
    });
    assert_eq!(supervised.end, End::Answered(7), "{supervised:?}");
    assert_eq!(steps, 21, "its number and its steps");
    assert!(longest >= HELD - Duration::from_millis(500), "{longest:?}");
}

/// Whatever it is doing: when the time of everything is over, it has to end.
#[test]
fn a_deadline_holds_for_a_held_worker_too() {
    let reins = Reins::default();
    reins.hold();
    let limits = Limits {
        deadline: Some(Instant::now() + Duration::from_millis(300)),
        ..Limits::default()
    };
    let ties = (letter_box().1, reins);
    let budget = Budget::unlimited();
    let request = Request::default();
    let supervised: Supervised<u64> = supervise_with(
        other("sleeper"),
        &request,
        ties,
        &limits,
        &budget,
        |_: String| {},
    );
    assert_eq!(supervised.end, End::OutOfTime);
    assert!(supervised.elapsed < Duration::from_secs(2));
}

#[test]
fn the_memory_limit_holds_within_ten_percent() {
    let limit: u64 = 200 << 20;
    let limits = Limits {
        memory_bytes: Some(limit),
        ..Limits::default()
    };
    for role in ["hog", "child-hog"] {
        let (supervised, events) = run(role, limits);
        assert_eq!(supervised.end, End::OutOfMemory, "{role}");
        let peak = supervised.peak_memory_bytes;
        assert!(peak > limit && peak < limit + limit / 10, "{role}: {peak}");
        assert!(!is_running(&events[0]), "{role}");
    }
}

/// One allocation that is larger than the kernel's limit never happens.
#[test]
fn a_burst_is_out_of_memory() {
    let limits = Limits {
        memory_bytes: Some(100 << 20),
        ..Limits::default()
    };
    let (supervised, _) = run("burst", limits);
    assert_eq!(supervised.end, End::OutOfMemory);
    assert!(supervised.peak_memory_bytes < 110 << 20);
}

#[test]
fn garbage_on_the_pipe_disturbs_nothing() {
    let (supervised, events) = run("garbage", Limits::default());
    assert_eq!(supervised.end, End::Answered(7));
    assert_eq!(events[1..], ["after the garbage"]);
    assert!(supervised.noise >= 6, "{}", supervised.noise);
}

#[test]
fn cancellation_is_prompt() {
    let budget = Budget::unlimited();
    let canceller = budget.clone();
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(300));
        canceller.cancel();
    });
    let (supervised, events) = run_within("sleeper", Limits::default(), &budget);
    assert_eq!(supervised.end, End::Cancelled);
    assert!(supervised.elapsed < Duration::from_millis(1300));
    assert_eq!(events.len(), 1, "what came before is kept");
    assert!(!is_running(&events[0]));
}

/// What a command does: an interrupt cancels, and the exit code says that nothing is known.
fn supervisor() {
    let budget = Budget::unlimited();
    interrupt::cancels(&budget).expect("signals");
    let supervised = supervise::<_, String, u64>(
        other("sleeper"),
        &Request::default(),
        &Limits::default(),
        &budget,
        |event| println!("\nevent {event}"),
    );
    let code = if supervised.end == End::Cancelled {
        20
    } else {
        70
    };
    std::process::exit(code);
}

/// Starts a process and waits until it has told the number of its worker.
fn started(role: &str) -> (std::process::Child, String) {
    use std::io::BufRead;
    let mut child = other(role).stdout(Stdio::piped()).spawn().expect("starts");
    let stdout = child.stdout.take().expect("piped");
    let lines = std::io::BufReader::new(stdout).lines();
    let worker = lines
        .map_while(Result::ok)
        .find_map(|line| line.strip_prefix("event ").map(str::to_owned));
    (child, worker.expect("an event"))
}

fn signal(child: &std::process::Child, name: &str) {
    let process = child.id().to_string();
    let sent = Command::new("kill").args([name, &process]).status();
    assert!(sent.expect("kill runs").success());
}

#[test]
fn an_interrupt_ends_worker_and_supervisor() {
    for name in ["-INT", "-TERM"] {
        let (mut child, worker) = started("supervisor");
        assert!(is_running(&worker));
        let sent = Instant::now();
        signal(&child, name);
        let status = child.wait().expect("ends");
        assert!(
            sent.elapsed() < Duration::from_secs(1),
            "{:?}",
            sent.elapsed()
        );
        assert_eq!(status.code(), Some(20), "{name}");
        assert!(!is_running(&worker), "{name}");
    }
}

/// A worker whose supervisor was killed does not go on for nobody.
#[test]
fn no_worker_is_orphaned() {
    for maker in ["orphan-maker", "held-orphan-maker"] {
        let (mut child, worker) = started(maker);
        signal(&child, "-KILL");
        child.wait().expect("ends");
        let end = Instant::now() + Duration::from_secs(5);
        while is_running(&worker) && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(10));
        }
        assert!(!is_running(&worker), "{maker}");
    }
}
