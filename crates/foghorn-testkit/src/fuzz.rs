//! Fuzzing of what is read: texts that are nearly right, and never a panic or a hang.
//!
//! A text is one of the seeds after a few changes: pieces are left out, repeated, exchanged or taken
//! from other seeds, numbers become extreme ones, brackets nest without end. The changes follow from
//! the number of the round, so a usual test always tries the same texts; with `FOGHORN_FUZZ_SECONDS`
//! each reader gets so many seconds, and with `FOGHORN_FUZZ_SEED` other texts.
//!
//! A text that makes a reader panic is written to a file, and so is one at which it works longer than
//! [`LONGEST`]; a reader that never comes back is ended with the whole test. What counts is processor time, so that a
//! busy machine makes no fault; only a reader that waits for something is ended by the clock on the wall.

use crate::processor::ThreadClock;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// What a text may take of the processor; readers need microseconds.
pub const LONGEST: Duration = Duration::from_secs(10);
/// What a text may take of the processor before the test is ended.
const HANGS: Duration = Duration::from_secs(60);
/// What a text may take by the clock on the wall before the test is ended.
const WAITS: Duration = Duration::from_secs(1800);

/// Rounds of a usual test.
const ROUNDS: u64 = 400;

/// What came of fuzzing a reader.
#[derive(Debug, Default)]
pub struct Fuzzed {
    pub texts: u64,
    /// Texts that the reader took for good.
    pub accepted: u64,
    /// The longest that one text took of the processor.
    pub longest: Duration,
    /// What went wrong, a line each.
    pub faults: Vec<String>,
}

/// Tries a reader, which says whether it accepted the text.
pub fn fuzz(name: &str, seeds: &[String], read: impl Fn(&str) -> bool) -> Fuzzed {
    assert!(!seeds.is_empty(), "{name}: no seeds");
    let seconds = number("FOGHORN_FUZZ_SECONDS");
    let first = number("FOGHORN_FUZZ_SEED").unwrap_or(0) << 32;
    let end = seconds.map(|seconds| Instant::now() + Duration::from_secs(seconds));
    let watch = Watch::start(name, ThreadClock::of_this_thread());
    let mut fuzzed = Fuzzed::default();
    for round in first.. {
        let over = match end {
            Some(end) => Instant::now() >= end,
            None => round >= first + ROUNDS,
        };
        if over || fuzzed.faults.len() >= 10 {
            break;
        }
        let text = Mutator::new(round).mutate(seeds);
        watch.begin(&text);
        let outcome = catch_unwind(AssertUnwindSafe(|| read(&text)));
        let worked = watch.end();
        fuzzed.texts += 1;
        fuzzed.longest = fuzzed.longest.max(worked);
        let fault = match outcome {
            Err(_) => "panics",
            Ok(_) if worked > LONGEST => "takes too long",
            Ok(accepted) => {
                fuzzed.accepted += u64::from(accepted);
                continue;
            }
        };
        let file = keep(name, round, &text);
        fuzzed
            .faults
            .push(format!("{name} {fault}: {}", file.display()));
    }
    fuzzed
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

/// Writes a text to where a person can find it.
fn keep(name: &str, round: u64, text: &str) -> PathBuf {
    let file = std::env::temp_dir().join(format!("foghorn-fuzz-{name}-{round}"));
    // The fault is told even if the text cannot be kept.
    let _ = std::fs::write(&file, text);
    file
}

/// A text that is being read.
struct Reading {
    since: Instant,
    worked_before: Duration,
    text: String,
}

/// Ends the process when a text takes for ever.
struct Watch {
    clock: ThreadClock,
    current: Arc<Mutex<Option<Reading>>>,
    over: Arc<AtomicBool>,
}

impl Watch {
    fn start(name: &str, clock: ThreadClock) -> Self {
        let watch = Watch {
            clock,
            current: Arc::default(),
            over: Arc::new(AtomicBool::new(false)),
        };
        let (name, clock) = (name.to_owned(), watch.clock.clone());
        let (current, over) = (watch.current.clone(), watch.over.clone());
        std::thread::spawn(move || {
            while !over.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(500));
                let current = current.lock().expect("invariant: no panic while locked");
                if let Some(reading) = &*current
                    && (clock.now().saturating_sub(reading.worked_before) > HANGS
                        || reading.since.elapsed() > WAITS)
                {
                    let file = keep(&name, 0, &reading.text);
                    panic_everywhere(&format!("{name} hangs: {}", file.display()));
                }
            }
        });
        watch
    }

    fn begin(&self, text: &str) {
        let mut current = self
            .current
            .lock()
            .expect("invariant: no panic while locked");
        *current = Some(Reading {
            since: Instant::now(),
            worked_before: self.clock.now(),
            text: text.to_owned(),
        });
    }

    /// What was worked at the text.
    fn end(&self) -> Duration {
        let mut current = self
            .current
            .lock()
            .expect("invariant: no panic while locked");
        let reading = current.take();
        let before = reading.map_or(Duration::ZERO, |it| it.worked_before);
        self.clock.now().saturating_sub(before)
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
    }
}

/// The thread that hangs cannot be stopped, so all are.
fn panic_everywhere(what: &str) -> ! {
    // Nobody is left to be told if this fails.
    let _ = writeln!(std::io::stderr(), "{what}");
    std::process::exit(101);
}

/// Numbers at which readers stumble.
const NUMBERS: [&str; 12] = [
    "0",
    "-1",
    "1",
    "255",
    "65536",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "18446744073709551615",
    "18446744073709551616",
    "-170141183460469231731687303715884105728",
    "999999999999999999999999999999999999999999999",
];

/// Pieces of other languages than the one that is read.
const PIECES: [&str; 16] = [
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "\"",
    "\\",
    "\0",
    "é",
    "\u{10ffff}",
    "\n",
    ",",
    ":",
    "null",
    "\\u0000",
];

/// How deep brackets nest, at most.
const DEEPEST: usize = 100_000;

/// Changes texts; the same number changes them in the same way.
struct Mutator {
    state: u64,
}

impl Mutator {
    fn new(round: u64) -> Self {
        Mutator { state: round }
    }

    /// SplitMix64.
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.state;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % limit.max(1) as u64).expect("invariant: below a usize")
    }

    fn mutate(&mut self, seeds: &[String]) -> String {
        let seed = self.below(seeds.len());
        let mut text = seeds[seed].clone();
        for _ in 0..1 + self.below(4) {
            let other = self.below(seeds.len());
            text = self.change(&text, &seeds[other]);
        }
        text
    }

    fn change(&mut self, text: &str, other: &str) -> String {
        let (begin, end) = self.range(text);
        let (before, piece, after) = (&text[..begin], &text[begin..end], &text[end..]);
        match self.below(12) {
            0 => format!("{before}{after}"),
            1 => format!("{before}{piece}{piece}{after}"),
            2 => before.to_owned(),
            3 | 4 => self.with_number(text),
            5 => {
                let (begin, end) = self.range(other);
                format!("{before}{}{after}", &other[begin..end])
            }
            6 => {
                let index = self.below(PIECES.len());
                format!("{before}{}{piece}{after}", PIECES[index])
            }
            7 if self.below(8) == 0 => {
                let bracket = ["(", "[", "{\"a\":", "(and ", "[["][self.below(5)];
                let depth = [100, 5_000, DEEPEST][self.below(3)];
                format!("{before}{}{after}", bracket.repeat(depth))
            }
            8 => self.exchange_words(text),
            9 => self.exchange_lines(text),
            _ => self.with_word(text, other),
        }
    }

    /// The beginning and the end of a piece, often a short one.
    fn range(&mut self, text: &str) -> (usize, usize) {
        let begin = boundary(text, self.below(text.len() + 1));
        let most = match self.below(4) {
            0 => text.len(),
            _ => 12,
        };
        let end = boundary(text, (begin + self.below(most + 1)).min(text.len()));
        (begin.min(end), begin.max(end))
    }

    /// Another number in the place of one.
    fn with_number(&mut self, text: &str) -> String {
        let number = NUMBERS[self.below(NUMBERS.len())];
        self.replace(text, |c| c.is_ascii_digit(), number)
    }

    /// A word of another text in the place of one.
    fn with_word(&mut self, text: &str, other: &str) -> String {
        let words: Vec<&str> = other
            .split(|c: char| !c.is_alphanumeric() && c != '-' && c != '_')
            .filter(|word| !word.is_empty())
            .collect();
        if words.is_empty() {
            return text.to_owned();
        }
        let word = words[self.below(words.len())];
        self.replace(text, |c| c.is_alphanumeric() || c == '-' || c == '_', word)
    }

    /// Something in the place of a run of such characters.
    fn replace(&mut self, text: &str, is_part: impl Fn(char) -> bool, by: &str) -> String {
        let from = boundary(text, self.below(text.len() + 1));
        let Some(begin) = text[from..].find(&is_part).map(|at| from + at) else {
            return text.to_owned();
        };
        let length = text[begin..].find(|c| !is_part(c));
        let end = length.map_or(text.len(), |length| begin + length);
        format!("{}{by}{}", &text[..begin], &text[end..])
    }

    fn exchange_words(&mut self, text: &str) -> String {
        let mut words: Vec<&str> = text.split(' ').collect();
        let (first, second) = (self.below(words.len()), self.below(words.len()));
        words.swap(first, second);
        words.join(" ")
    }

    fn exchange_lines(&mut self, text: &str) -> String {
        let mut lines: Vec<&str> = text.split('\n').collect();
        let (first, second) = (self.below(lines.len()), self.below(lines.len()));
        lines.swap(first, second);
        lines.join("\n")
    }
}

/// The nearest place at or before an index where a character begins.
fn boundary(text: &str, mut index: usize) -> usize {
    while !text.is_char_boundary(index) {
        index -= 1;
    }
    index
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_round_gives_the_same_text() {
        let seeds = ["(assert (= é 12))\n(check)".to_owned(), "a b c".to_owned()];
        let text = |round| Mutator::new(round).mutate(&seeds);
        for round in 0..2000 {
            assert_eq!(text(round), text(round));
        }
        assert!((0..100).filter(|&round| text(round) != seeds[0]).count() > 90);
    }

    #[test]
    fn a_panic_is_a_fault_with_its_text() {
        let seeds = ["12 34".to_owned()];
        let fuzzed = fuzz("self-test", &seeds, |text| {
            assert!(text.len() < 8, "expected by the test");
            true
        });
        assert!(!fuzzed.faults.is_empty());
        assert!(fuzzed.accepted > 0);
    }
}
