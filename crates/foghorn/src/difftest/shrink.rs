//! A smaller program that shows the same difference.
//!
//! Delta debugging (Zeller and Hildebrandt's ddmin) over the lines of the program: a run of lines
//! is dropped if the rest still compiles, is free of undefined behaviour as far as the sanitizers
//! see, and still makes the interpreter differ from the machine. Runs halve in length until single
//! lines are left. The number of attempts is limited, so that a report comes in minutes.

use super::oracle::{Comparison, Oracle};
use std::io;
use std::path::Path;

/// Attempts at most; each costs a few compilations once the program parses.
const MOST_ATTEMPTS: usize = 1500;

/// The smallest program found that still differs.
pub fn shrink(oracle: &Oracle, text: &str, folder: &Path) -> io::Result<String> {
    let path = folder.join("smaller.c");
    let still_differs = |text: &str| -> io::Result<bool> {
        std::fs::write(&path, text)?;
        Ok(oracle.compiles(&path)?
            && oracle.is_defined(&path, folder)?
            && matches!(oracle.compare(&path, folder)?, Comparison::Differ { .. }))
    };
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    let kept = minimise(lines, MOST_ATTEMPTS, &mut |lines| {
        still_differs(&(lines.join("\n") + "\n"))
    })?;
    Ok(kept.join("\n") + "\n")
}

/// ddmin by complements: the fewest lines found, in so many attempts, on which `test` holds.
pub fn minimise<'a>(
    mut lines: Vec<&'a str>,
    most_attempts: usize,
    test: &mut dyn FnMut(&[&'a str]) -> io::Result<bool>,
) -> io::Result<Vec<&'a str>> {
    let mut attempts = 0;
    let mut length = lines.len().div_ceil(2).max(1);
    loop {
        let mut start = 0;
        let mut dropped = false;
        while start < lines.len() && attempts < most_attempts {
            let end = (start + length).min(lines.len());
            let rest: Vec<&str> = [&lines[..start], &lines[end..]].concat();
            attempts += 1;
            if !rest.is_empty() && test(&rest)? {
                lines = rest;
                dropped = true;
            } else {
                start = end;
            }
        }
        if attempts >= most_attempts || (length == 1 && !dropped) {
            return Ok(lines);
        }
        if !dropped || length > 1 {
            length = length.div_ceil(2).max(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_only_what_the_difference_needs() {
        let lines: Vec<String> = (0..40).map(|i| i.to_string()).collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let mut test = |l: &[&str]| Ok(l.contains(&"7") && l.contains(&"31"));
        assert_eq!(
            minimise(lines, 1500, &mut test).expect("no i/o"),
            ["7", "31"]
        );
    }

    #[test]
    fn gives_up_after_enough_attempts() {
        let lines: Vec<String> = (0..5000).map(|i| i.to_string()).collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let mut attempts = 0;
        let kept = minimise(lines, MOST_ATTEMPTS, &mut |_| {
            attempts += 1;
            Ok(false)
        });
        assert_eq!(kept.expect("no i/o").len(), 5000);
        assert_eq!(attempts, MOST_ATTEMPTS);
    }
}
