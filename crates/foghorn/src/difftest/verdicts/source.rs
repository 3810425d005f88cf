//! Where the programs of a hunt come from.

use super::generate::{Draft, Observed};
use super::mutate;
use super::random::Random;
use super::truth::{Domain, Truth};
use crate::difftest::generate as csmith;
use crate::program;
use foghorn_core::CheckSelection;
use foghorn_ir::Module;
use foghorn_witness::report::VerdictName;
use std::io;
use std::path::{Path, PathBuf};

/// A program, and what is known of it before anybody looks.
#[derive(Clone, Debug)]
pub struct Case {
    /// Where it comes from, in a few words.
    pub origin: String,
    pub text: String,
    /// The groups of checks, as `--check` takes them.
    pub check: String,
    pub domain: Domain,
    /// What the header of a suite program says, if the program still means the same.
    pub expected: Option<VerdictName>,
    /// A folder of headers.
    pub include: Option<&'static str>,
}

/// The groups that generated programs are checked for.
pub(super) const CHECKS: &str = "default,memory-leak";

/// Programs that our own suites have, to be changed.
#[derive(Clone, Debug, Default)]
pub struct Suites {
    programs: Vec<PathBuf>,
}

/// Longer programs of suites are about something else than verdicts.
const LONGEST: usize = 150;

impl Suites {
    /// All C programs in a folder and its folders.
    pub fn of(folder: &Path) -> io::Result<Self> {
        let mut programs = vec![];
        let mut folders = vec![folder.to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder)? {
                let path = entry?.path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|it| it == "c") {
                    programs.push(path);
                }
            }
        }
        programs.sort();
        Ok(Suites { programs })
    }

    pub fn is_empty(&self) -> bool {
        self.programs.is_empty()
    }

    /// A changed program; `None` if this one says what is not understood here.
    fn mutant(&self, random: &mut Random) -> io::Result<Option<Case>> {
        let path = random.of(&self.programs);
        // Not every program is text that is ours to change.
        let Ok(text) = std::fs::read_to_string(path) else {
            return Ok(None);
        };
        let Some(header) = Header::of(&text) else {
            return Ok(None);
        };
        if text.lines().count() > LONGEST {
            return Ok(None);
        }
        let damaged = random.chance(50);
        let Some(mutant) = mutate::mutant(&text, damaged, random) else {
            return Ok(None);
        };
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let folder = path.parent().and_then(Path::file_name).unwrap_or_default();
        let folder = folder.to_string_lossy();
        Ok(Some(Case {
            origin: format!("{folder}/{name} in which {}", mutant.what.join(", ")),
            text: mutant.text,
            check: header.check,
            domain: Domain::Some(24),
            expected: mutant.same.then_some(header.expected),
            include: None,
        }))
    }
}

/// What a suite program says about itself, as far as it is needed here.
struct Header {
    check: String,
    expected: VerdictName,
}

impl Header {
    fn of(text: &str) -> Option<Header> {
        let (mut check, mut expected) = (None, None);
        for line in text.lines().map_while(|line| line.strip_prefix("// ")) {
            let Some((key, value)) = line.split_once(':') else {
                continue;
            };
            let value = value.trim();
            match key {
                "check" => check = Some(value.replace(' ', ",")),
                // Reported by an option that a hunt does not give.
                "expect" if value.contains("misaligned") => return None,
                "expect" if value == "safe" => expected = Some(VerdictName::Safe),
                "expect" if value.starts_with("unsafe") => expected = Some(VerdictName::Unsafe),
                // These depend on more than the text.
                "options" | "args" | "stdin" | "regions" => return None,
                _ => {}
            }
        }
        Some(Header {
            check: check.filter(|it| it.parse::<CheckSelection>().is_ok())?,
            expected: expected?,
        })
    }
}

/// Chances in a hundred of programs that are no generated ones.
const FROM_CSMITH: u64 = 1;
const FROM_SUITES: u64 = 35;

/// The program of that seed. `None` if there is none: csmith took too long, or nothing could be
/// changed.
pub fn case(seed: u64, suites: &Suites, folder: &Path) -> io::Result<Option<Case>> {
    let mut random = Random::new(seed);
    let which = random.below(100) as u64;
    if which < FROM_CSMITH {
        return csmith_case(seed, random.chance(50), folder);
    }
    if which < FROM_CSMITH + FROM_SUITES && !suites.is_empty() {
        return suites.mutant(&mut random);
    }
    generated(seed, &mut random, folder).map(Some)
}

/// A program of ours; a third of them are changed afterwards.
fn generated(seed: u64, random: &mut Random, folder: &Path) -> io::Result<Case> {
    let path = folder.join("observing.c");
    let text = asserting(seed, &path, &|path| program::load_file(path));
    let mut text = text.map_err(|error| io::Error::other(format!("seed {seed}: {error:#}")))?;
    let mut origin = "generated".to_owned();
    if random.chance(33) {
        let damaged = random.chance(50);
        if let Some(mutant) = mutate::mutant(&text, damaged, random) {
            text = mutant.text;
            origin = format!("generated, {}", mutant.what.join(", "));
        }
    }
    Ok(Case {
        origin,
        text,
        check: CHECKS.to_owned(),
        domain: Domain::Small,
        expected: None,
        include: None,
    })
}

/// The generated program of that seed, with assertions of what its executions show. `path` is where
/// the program that observes is written, and `load` the front end.
pub(super) fn asserting(
    seed: u64,
    path: &Path,
    load: &dyn Fn(&Path) -> anyhow::Result<Module>,
) -> anyhow::Result<String> {
    let draft = Draft::new(seed);
    std::fs::write(path, draft.observing())?;
    let module = load(path)?;
    let checks: CheckSelection = CHECKS.parse().map_err(anyhow::Error::msg)?;
    let truth = Truth::of(&module, checks.groups(), Domain::Small);
    let mut observed = vec![Observed::default(); draft.probes()];
    for record in truth
        .printed
        .iter()
        .flat_map(|bytes| bytes.chunks_exact(16))
    {
        let word = |half: usize| {
            let bytes = record[8 * half..8 * half + 8].try_into();
            i64::from_le_bytes(bytes.expect("invariant: eight bytes"))
        };
        let number = usize::try_from(word(0)).ok();
        if let Some(probe) = number.and_then(|number| observed.get_mut(number)) {
            probe.enter(word(1));
        }
    }
    Ok(draft.assert_of(&observed))
}

/// A csmith program that asserts its own checksum, or denies it.
fn csmith_case(seed: u64, negated: bool, folder: &Path) -> io::Result<Option<Case>> {
    let path = folder.join("csmith.c");
    // csmith's seeds are as wide as an unsigned int.
    if !csmith::program(seed & 0xffff_ffff, true, &path)? {
        return Ok(None);
    }
    let text = std::fs::read_to_string(&path)?;
    let Some(checksum) = checksum(&path) else {
        return Ok(None);
    };
    let operator = if negated { "!=" } else { "==" };
    let assertion =
        format!("if (!((crc32_context ^ 0xFFFFFFFFUL) {operator} 0x{checksum}UL)) reach_error();");
    let lines = text.lines().map(|line| match line.trim_start() {
        end if end.starts_with("platform_main_end(") => assertion.as_str(),
        _ => line,
    });
    let mut changed = "extern void reach_error(void);\n".to_owned();
    for line in lines {
        changed += line;
        changed.push('\n');
    }
    Ok(Some(Case {
        origin: "csmith".to_owned(),
        text: changed,
        check: "assertions".to_owned(),
        domain: Domain::None,
        expected: None,
        include: Some(csmith::INCLUDE),
    }))
}

/// What the program prints at its end, in a run that is not too long.
fn checksum(path: &Path) -> Option<String> {
    let module = load(path, Some(csmith::INCLUDE)).ok()?;
    let checks: CheckSelection = CHECKS.parse().ok()?;
    let truth = Truth::of(&module, checks.groups(), Domain::None);
    if !truth.complete || !truth.failing.is_empty() {
        return None;
    }
    let printed = String::from_utf8_lossy(truth.printed.first()?).into_owned();
    let number = printed.trim().strip_prefix("checksum = ")?;
    number
        .chars()
        .all(|c| c.is_ascii_hexdigit())
        .then(|| number.to_owned())
}

/// Translates a program, with a folder of headers.
pub fn load(path: &Path, include: Option<&str>) -> anyhow::Result<Module> {
    match include {
        None => program::load_file(path),
        Some(folder) => program::load_file_with(path, folder),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_say_what_is_true() {
        let text = "// About it.\n// check:   memory-safety undefined\n// expect:  unsafe leak @ line 3\nint x;\n";
        let header = Header::of(text).expect("a header");
        assert_eq!(header.check, "memory-safety,undefined");
        assert_eq!(header.expected, VerdictName::Unsafe);
        let open = text.replace("// About", "// options: --misaligned\n// About");
        assert!(Header::of(&open).is_none());
        let misaligned = text.replace("unsafe leak", "unsafe misaligned");
        assert!(Header::of(&misaligned).is_none());
        assert!(Header::of("int x;").is_none());
    }
}
