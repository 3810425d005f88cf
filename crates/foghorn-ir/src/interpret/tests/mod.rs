//! Programs that are run and what must come of them.
