//! What an answer assumes of code and devices that are not part of the program.

use super::Request;
use crate::arguments::VolatileArgument;
use crate::program;
use foghorn_frontend::{External, Externals, Translation};

/// What the user said of the outside, and what of it the program meets.
#[derive(Clone, Debug)]
pub struct Outside {
    externals: Externals,
    /// The program reads volatile objects, and these are taken for ordinary ones.
    ordinary_volatile: bool,
}

impl Outside {
    pub fn new(request: &Request, translation: &Translation) -> Self {
        let program = &request.program;
        Outside {
            externals: program::externals(program),
            ordinary_volatile: translation.reads_volatile
                && program.volatile == VolatileArgument::Program,
        }
    }

    /// What is assumed, a sentence each, given the functions without a body that may be called.
    pub fn assumptions<'n>(&self, called: impl Iterator<Item = &'n str>) -> Vec<String> {
        let mut sentences: Vec<String> = called.filter_map(|name| self.of_function(name)).collect();
        if self.ordinary_volatile {
            let text = "volatile objects are changed by the program only \
                (--volatile input: each read gives anything)";
            sentences.push(text.to_owned());
        }
        sentences
    }

    fn of_function(&self, name: &str) -> Option<String> {
        match self.externals.of(name) {
            External::Pure => Some(format!(
                "'{name}' has no body: it returns anything and changes no memory"
            )),
            External::Havoc => Some(format!(
                "'{name}' has no body: it returns anything and may change what it reaches, but frees \
                 nothing and makes no new aliases (--external-function {name}=pure: changes nothing)"
            )),
            External::Fail => None,
        }
    }
}
