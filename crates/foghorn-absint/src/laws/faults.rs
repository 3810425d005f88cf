//! Deliberately broken domains: what a suite does not catch here, it does not test.
