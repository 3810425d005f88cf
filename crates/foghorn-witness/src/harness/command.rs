//! The command lines that build and run a harness: plain clang, no script.

use foghorn_core::CheckKind;

/// What the command is made of; paths as a person at the working directory would type them.
#[derive(Clone, Debug, Default)]
pub struct Build {
    pub clang: String,
    /// The user's own sources.
    pub sources: Vec<String>,
    /// Sources that are compiled one by one, since each has arguments of its own.
    pub parts: Vec<Part>,
    pub harness: String,
    pub program: String,
    /// The user's arguments for clang: includes, macros, the data model.
    pub arguments: Vec<String>,
    /// Headers of verification dialects, for programs that include them.
    pub headers: Option<String>,
    /// What stands in front of every source: names that a dialect knows without being told.
    pub prelude: Option<String>,
    /// Whether a function of the harness stands in front of `main`.
    pub wraps_main: bool,
}

/// A source of a project, as its compilation database says.
#[derive(Clone, Debug, Default)]
pub struct Part {
    /// Where it is compiled.
    pub folder: String,
    /// The source, from there.
    pub source: String,
    pub arguments: Vec<String>,
    /// What becomes of it; an absolute path.
    pub object: String,
}

impl Build {
    /// What a person types to build a program which fails with this kind.
    pub fn command(&self, kind: CheckKind) -> String {
        let parts = self.parts.iter().map(|part| {
            let folder = shown(std::slice::from_ref(&part.folder));
            format!("(cd {folder} && {})", shown(&self.compile(part, kind)))
        });
        let steps: Vec<String> = parts.chain([shown(&self.words(kind))]).collect();
        steps.join(" && ")
    }

    /// The words that compile one part.
    fn compile(&self, part: &Part, kind: CheckKind) -> Vec<String> {
        let mut words = self.flags(kind);
        words.extend(part.arguments.iter().cloned());
        let rest = ["-c", &*part.source, "-o", &*part.object];
        words.extend(rest.map(str::to_owned));
        words
    }

    /// The words of the command that builds a program which fails with this kind.
    pub fn words(&self, kind: CheckKind) -> Vec<String> {
        let mut words = self.flags(kind);
        words.extend(self.sources.iter().cloned());
        words.extend(self.parts.iter().map(|part| part.object.clone()));
        let rest = [&*self.harness, "-o", &*self.program, "-lm"];
        words.extend(rest.map(str::to_owned));
        if self.is_cxx() {
            // The latter makes the sanitizers see `new` and `delete`.
            let both = ["-lstdc++", "-fsanitize-link-c++-runtime"];
            words.extend(both.map(str::to_owned));
        }
        if self.wraps_main {
            words.push(super::start::WRAP.to_owned());
        }
        words
    }

    /// Whether C++ is among the sources, whose library clang does not link for C.
    fn is_cxx(&self) -> bool {
        let parts = self.parts.iter().map(|part| &part.source);
        self.sources.iter().chain(parts).any(|source| {
            let extension = source.rsplit_once('.').map(|(_, extension)| extension);
            extension.is_some_and(|extension| CXX.contains(&extension))
        })
    }

    /// clang, and what it is told of every file.
    fn flags(&self, kind: CheckKind) -> Vec<String> {
        let mut words = vec![self.clang.clone()];
        let fixed = ["-g", "-O0", "-w", "-fno-omit-frame-pointer"];
        words.extend(fixed.map(str::to_owned));
        words.extend(
            LENIENT
                .iter()
                .map(|warning| format!("-Wno-error={warning}")),
        );
        words.extend(sanitizers(kind).iter().map(|&flag| flag.to_owned()));
        words.extend(self.arguments.iter().cloned());
        if let Some(headers) = &self.headers {
            // After the user's own folders.
            words.extend(["-idirafter".to_owned(), headers.clone()]);
        }
        if let Some(prelude) = &self.prelude {
            words.extend(["-include".to_owned(), prelude.clone()]);
        }
        words
    }
}

/// How sources of C++ end.
const CXX: &[&str] = &["cpp", "cc", "cxx", "c++", "C"];

/// What newer clangs refuse and the front end takes.
const LENIENT: &[&str] = &[
    "implicit-function-declaration",
    "implicit-int",
    "int-conversion",
    "incompatible-pointer-types",
];

/// The sanitizers that see this kind. Those that object to what Foghorn allows are left out, so
/// that the program does not fail before its time.
fn sanitizers(kind: CheckKind) -> &'static [&'static str] {
    match kind {
        CheckKind::Misaligned => &["-fsanitize=alignment", "-fno-sanitize-recover=all"],
        // Natively an uninitialised pointer holds anything; only this one knows that it does.
        CheckKind::UninitialisedPointer => &[
            "-fsanitize=memory",
            "-fsanitize-memory-track-origins",
            "-fno-sanitize-recover=all",
        ],
        // The overflow check of `abs` and the like wants calls known as what they are.
        CheckKind::SignedOverflow
        | CheckKind::Division
        | CheckKind::DivisionOverflow
        | CheckKind::Shift
        | CheckKind::ShiftOverflow
        | CheckKind::ArrayBounds
        | CheckKind::Unreachable
        | CheckKind::MissingReturn
        | CheckKind::VlaBound
        | CheckKind::FloatCast
        | CheckKind::InvalidValue
        | CheckKind::BuiltinArgument
        | CheckKind::Poison => &[
            "-fsanitize=undefined,float-cast-overflow",
            "-fno-sanitize=alignment,pointer-overflow,null,object-size",
            "-fno-sanitize-recover=all",
        ],
        CheckKind::InvalidCall => &["-fsanitize=address,function", "-fno-sanitize-recover=all"],
        CheckKind::Assertion
        | CheckKind::ReachError
        | CheckKind::NullDereference
        | CheckKind::OutOfBounds
        | CheckKind::UseAfterFree
        | CheckKind::UseAfterScope
        | CheckKind::UnknownPointer
        | CheckKind::ConstantWrite
        | CheckKind::DoubleFree
        | CheckKind::InvalidFree
        | CheckKind::Overlap
        | CheckKind::LibraryPrecondition
        | CheckKind::Leak
        | CheckKind::NotFreed
        | CheckKind::PointerComparison
        | CheckKind::Unsupported
        | CheckKind::Unwinding
        | CheckKind::NonTermination => &[
            "-fsanitize=address,pointer-compare,pointer-subtract,undefined",
            "-fno-sanitize=alignment,pointer-overflow,null,object-size,array-bounds",
            "-fsanitize-address-use-after-return=always",
            "-fsanitize-address-use-after-scope",
            "-fno-sanitize-recover=all",
            "-fno-builtin",
        ],
    }
}

/// A command as a person would type it.
pub fn shown(words: &[String]) -> String {
    let quoted = words.iter().map(|word| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=,:+@%".contains(c);
        match !word.is_empty() && word.chars().all(plain) {
            true => word.clone(),
            false => format!("'{}'", word.replace('\'', "'\\''")),
        }
    });
    quoted.collect::<Vec<_>>().join(" ")
}
