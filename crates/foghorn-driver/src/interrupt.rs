//! The user's interrupt as cancellation.

use foghorn_core::Budget;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use signal_hook::iterator::Signals;
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// From now on, SIGINT and SIGTERM cancel the budget and every clone of it. A second one ends the
/// process at once, in case the first is not heard.
pub fn cancels(budget: &Budget) -> io::Result<()> {
    let again = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        // The order matters: the first signal finds the flag unset and then sets it.
        flag::register_conditional_shutdown(signal, 128 + signal, again.clone())?;
        flag::register(signal, again.clone())?;
    }
    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    let budget = budget.clone();
    std::thread::spawn(move || {
        for _ in signals.forever() {
            budget.cancel();
        }
    });
    Ok(())
}
