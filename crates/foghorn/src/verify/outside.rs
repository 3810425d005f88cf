//! What an answer assumes of code and devices that are not part of the program.

use super::Request;
use crate::arguments::VolatileArgument;
use crate::program;
use foghorn_core::{Assumption, AssumptionKind};
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

    /// What is assumed, given the functions without a body that may be called.
    pub fn assumptions(&self, called: &[&str]) -> Vec<Assumption> {
        let functions = called.iter().filter_map(|name| self.of_function(name));
        let volatile = self.ordinary_volatile;
        let volatile = volatile.then(|| AssumptionKind::VolatileByProgram.into());
        functions.chain(volatile).collect()
    }

    fn of_function(&self, name: &str) -> Option<Assumption> {
        let kind = match self.externals.of(name) {
            External::Pure => AssumptionKind::ExternalFunctionsChangeNothing,
            External::Havoc => AssumptionKind::ExternalFunctionsFreeNothing,
            External::Fail => return None,
        };
        Some(Assumption::of(kind, name))
    }
}
