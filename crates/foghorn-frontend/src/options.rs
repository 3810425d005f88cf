//! What a user can choose about the way in.

use std::path::PathBuf;

/// Widths of `int`, `long` and pointers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DataModel {
    /// 32-bit pointers and `long` (i386).
    Ilp32,
    /// 64-bit pointers and `long` (x86-64).
    #[default]
    Lp64,
}

impl DataModel {
    pub fn name(self) -> &'static str {
        match self {
            DataModel::Ilp32 => "ilp32",
            DataModel::Lp64 => "lp64",
        }
    }

    /// What clang is told.
    pub(crate) fn flag(self) -> &'static str {
        match self {
            DataModel::Ilp32 => "-m32",
            DataModel::Lp64 => "-m64",
        }
    }
}

impl std::str::FromStr for DataModel {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.to_ascii_lowercase().as_str() {
            "ilp32" | "32bit" | "32" => Ok(DataModel::Ilp32),
            "lp64" | "64bit" | "64" => Ok(DataModel::Lp64),
            _ => Err(format!("unknown data model '{text}'; one of: ilp32, lp64")),
        }
    }
}

/// Where translation starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// At this function, which must exist.
    Function(String),
    /// Everywhere: all visible functions are translated, and the program has no entry.
    Library,
}

impl Default for Entry {
    fn default() -> Self {
        Entry::Function("main".to_owned())
    }
}

/// What `main` is called with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Arguments {
    /// What whoever runs the program says.
    #[default]
    Given,
    /// Any arguments beside the name of the program, in any environment.
    Any {
        /// How many there are at most, if that is limited.
        most: Option<u32>,
    },
}

/// What a call of a function without a body does, besides returning any value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum External {
    /// It may change what its arguments reach, and every variable that it can name.
    #[default]
    Havoc,
    /// It changes no memory.
    Pure,
    /// It is an error.
    Fail,
}

/// What functions without a body do.
#[derive(Clone, Debug, Default)]
pub struct Externals {
    pub otherwise: External,
    /// By name; the last word counts.
    pub functions: Vec<(String, External)>,
}

impl Externals {
    /// What the function of that name does.
    pub fn of(&self, name: &str) -> External {
        let own = self.functions.iter().rev().find(|(own, _)| own == name);
        own.map_or(self.otherwise, |(_, external)| *external)
    }
}

/// Choices of the user.
#[derive(Clone, Debug)]
pub struct Options {
    pub data_model: DataModel,
    pub entry: Entry,
    pub arguments: Arguments,
    /// Further arguments for clang.
    pub clang_args: Vec<String>,
    /// Calling one of these is an error, even if the program defines it.
    pub error_functions: Vec<String>,
    /// Link Foghorn's models of library functions.
    pub models: bool,
    /// Whether `malloc` and `calloc` return null in some executions.
    pub malloc_may_fail: bool,
    pub externals: Externals,
    /// Whether every read of a volatile object gives any value.
    pub volatile_input: bool,
    /// Whether nobody looks at what the program prints. Then its text is not made, only its length,
    /// which saves an engine all loops over digits.
    pub quiet: bool,
    /// Whether what the program reads is chosen, like the results of nondet functions, and not the
    /// real standard input of whoever executes it.
    pub chosen_input: bool,
    /// Whether loads and stores are to tell the class of C types as which they access memory. Then
    /// clang is asked to assume that programs respect effective types, and says so per access.
    pub effective_types: bool,
    /// Whether this process may crash: then bitcode is read by LLVM without having a child read it
    /// first, which is a matter of a tenth of a second.
    pub isolated: bool,
    /// The clang to use instead of the one that belongs to the LLVM we are built with.
    pub clang: Option<PathBuf>,
    /// Where compiled models are kept between runs; `None` for no cache.
    pub cache: Option<PathBuf>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            data_model: DataModel::default(),
            entry: Entry::default(),
            arguments: Arguments::default(),
            clang_args: vec![],
            error_functions: vec!["reach_error".to_owned(), "__VERIFIER_error".to_owned()],
            models: true,
            malloc_may_fail: false,
            externals: Externals::default(),
            volatile_input: false,
            quiet: false,
            chosen_input: false,
            effective_types: false,
            isolated: false,
            clang: None,
            cache: default_cache(),
        }
    }
}

/// `$XDG_CACHE_HOME/foghorn`, or `~/.cache/foghorn`.
fn default_cache() -> Option<PathBuf> {
    let base = std::env::var_os("XDG_CACHE_HOME")
        .filter(|value| !value.is_empty())
        .map(PathBuf::from)
        .or_else(|| std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache")))?;
    Some(base.join("foghorn"))
}
