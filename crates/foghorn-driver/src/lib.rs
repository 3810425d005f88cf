//! Runs engines.
