//! Programs from other programs: changes of C text that keep its meaning, and changes that break it
//! at one place.
//!
//! A mutation works on tokens ([`token`]) and on what little of the grammar it needs
//! ([`structure`]). It touches only what it understands; where it is not sure it does nothing, and
//! whatever comes out is compiled before anybody is asked about it.

mod damage;
mod keep;
mod structure;
mod token;

use super::random::Random;
use structure::Structure;
use token::{Token, join, tokenize};

/// Texts that take the place of tokens.
#[derive(Clone, Debug)]
pub struct Edit {
    /// What it does, in a few words.
    pub what: String,
    replacements: Vec<(usize, String)>,
}

impl Edit {
    fn apply(&self, tokens: &[Token]) -> Vec<Token> {
        let mut changed = tokens.to_vec();
        for (index, text) in &self.replacements {
            changed[*index].text.clone_from(text);
        }
        changed
    }
}

/// A program that was made of another one.
#[derive(Clone, Debug)]
pub struct Mutant {
    pub text: String,
    /// What was done, one after the other.
    pub what: Vec<String>,
    /// Whether it means the same.
    pub same: bool,
}

/// Attempts to find a place for a mutation.
const ATTEMPTS: usize = 8;

/// Some changes that keep the meaning, and then, if it is to be damaged, one that need not. `None`
/// where no place was found.
pub fn mutant(text: &str, damaged: bool, random: &mut Random) -> Option<Mutant> {
    let mut mutant = Mutant {
        text: text.to_owned(),
        what: vec![],
        same: !damaged,
    };
    let wanted = match damaged {
        true => random.below(2),
        false => 1 + random.below(3),
    };
    for _ in 0..ATTEMPTS {
        if mutant.what.len() < wanted {
            mutant.change(random, keep::keep);
        }
    }
    if damaged {
        let before = mutant.what.len();
        for _ in 0..ATTEMPTS {
            if mutant.what.len() == before {
                mutant.change(random, damage::damage);
            }
        }
        if mutant.what.len() == before {
            return None;
        }
    }
    (!mutant.what.is_empty()).then_some(mutant)
}

type Mutation = fn(&[Token], &Structure, &mut Random) -> Option<Edit>;

impl Mutant {
    fn change(&mut self, random: &mut Random, mutation: Mutation) {
        let tokens = tokenize(&self.text);
        let structure = Structure::of(&tokens);
        let edit = structure.and_then(|structure| mutation(&tokens, &structure, random));
        if let Some(edit) = edit {
            self.text = join(&edit.apply(&tokens));
            self.what.push(edit.what);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROGRAM: &str = "int main(void) {\n  int a = 1;\n  free(p);\n  return a < 3;\n}\n";

    #[test]
    fn damage_is_at_one_place() {
        let damages: std::collections::BTreeSet<String> = (0..200)
            .filter_map(|seed| mutant(PROGRAM, true, &mut Random::new(seed)))
            .filter_map(|mutant| mutant.what.last().cloned())
            .collect();
        for what in [
            "< became <=",
            "the call of free is missing",
            "3 became 4",
            "1 became 0",
        ] {
            assert!(damages.contains(what), "{what}: {damages:?}");
        }
    }

    #[test]
    fn what_is_not_c_is_left_alone() {
        assert!(mutant("((((", false, &mut Random::new(1)).is_none());
        assert!(mutant("", true, &mut Random::new(1)).is_none());
    }
}
