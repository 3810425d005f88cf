//! What engines know of a program.
//!
//! Knowledge is a union: it only grows, and nothing in it is ever taken back or written over. It names
//! the program that it speaks of, and what names another is refused: sites and values are numbers,
//! and the same number means something else elsewhere.

use crate::hash::ProgramHash;
use foghorn_encode::fact::{BlockFacts, Fact};
use foghorn_ir::sites::SiteId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Proved sites, and facts at the starts of blocks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Knowledge {
    program: ProgramHash,
    proved: BTreeMap<SiteId, Vec<Claim>>,
    facts: Vec<KnownFacts>,
}

/// Who proved a site.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    pub by: String,
    /// No execution reaches it.
    pub unreached: bool,
}

/// What one engine knows of one block.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct KnownFacts {
    by: String,
    /// Whether another program has proved it again.
    certified: bool,
    facts: BlockFacts,
}

/// Knowledge that speaks of another program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("what is known of program {theirs} says nothing about program {ours}")]
pub struct OtherProgram {
    pub ours: ProgramHash,
    pub theirs: ProgramHash,
}

impl Knowledge {
    /// Nothing is known.
    pub fn of(program: ProgramHash) -> Self {
        Knowledge {
            program,
            ..Knowledge::default()
        }
    }

    pub fn program(&self) -> ProgramHash {
        self.program
    }

    /// Notes that a site is proved; whether that is new.
    pub fn prove(&mut self, site: SiteId, claim: Claim) -> bool {
        let claims = self.proved.entry(site).or_default();
        let is_new = !claims.contains(&claim);
        if is_new {
            claims.push(claim);
        }
        is_new
    }

    /// Notes what holds whenever a block starts; whether any of it is new.
    pub fn add_facts(&mut self, by: &str, certified: bool, facts: BlockFacts) -> bool {
        let known = KnownFacts {
            by: by.to_owned(),
            certified,
            facts,
        };
        let is_new = !self.facts.contains(&known);
        if is_new {
            self.facts.push(known);
        }
        is_new
    }

    pub fn is_proved(&self, site: SiteId) -> bool {
        self.proved.contains_key(&site)
    }

    /// Who proved a site; `None` if nobody did.
    pub fn claims(&self, site: SiteId) -> Option<&[Claim]> {
        self.proved.get(&site).map(Vec::as_slice)
    }

    /// The proved sites, each with everybody who proved it.
    pub fn proved(&self) -> impl Iterator<Item = (SiteId, &[Claim])> {
        self.proved
            .iter()
            .map(|(&site, claims)| (site, &claims[..]))
    }

    /// The facts that were proved again: others may be assumed by whoever says so in its answer, and
    /// by nobody who calls anything safe.
    pub fn certified_facts(&self) -> Vec<BlockFacts> {
        let certified = self.facts.iter().filter(|known| known.certified);
        combine(certified.map(|known| &known.facts))
    }

    /// The facts that nobody has proved again yet.
    pub fn uncertified_facts(&self) -> Vec<BlockFacts> {
        let uncertified = self.facts.iter().filter(|known| !known.certified);
        combine(uncertified.map(|known| &known.facts))
    }

    /// Adds all that others know; whether any of it is new.
    pub fn join(&mut self, others: &Knowledge) -> Result<bool, OtherProgram> {
        if others.program != self.program {
            return Err(OtherProgram {
                ours: self.program,
                theirs: others.program,
            });
        }
        let mut grew = false;
        for (site, claims) in others.proved() {
            for claim in claims {
                grew |= self.prove(site, claim.clone());
            }
        }
        for known in &others.facts {
            grew |= self.add_facts(&known.by, known.certified, known.facts.clone());
        }
        Ok(grew)
    }
}

/// One entry for each block, with all that is known of it.
fn combine<'f>(all: impl Iterator<Item = &'f BlockFacts>) -> Vec<BlockFacts> {
    let mut blocks: BTreeMap<(u32, u32), Option<Vec<Fact>>> = BTreeMap::new();
    for one in all {
        let entry = blocks
            .entry((one.function, one.block))
            .or_insert_with(|| Some(vec![]));
        match (entry.as_mut(), &one.facts) {
            (Some(known), Some(facts)) => {
                for fact in facts {
                    if !known.contains(fact) {
                        known.push(fact.clone());
                    }
                }
            }
            // No run comes there, whatever else is known.
            (_, None) => *entry = None,
            (None, Some(_)) => {}
        }
    }
    let blocks = blocks.into_iter();
    let blocks = blocks.map(|((function, block), facts)| BlockFacts {
        function,
        block,
        facts,
    });
    blocks.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use cranelift_entity::EntityRef;
    use foghorn_encode::fact::{Aspect, Quantity, Subject};

    fn claim(by: &str) -> Claim {
        Claim {
            by: by.to_owned(),
            unreached: false,
        }
    }

    fn truth(value: u32) -> Fact {
        Fact::Truth {
            of: Quantity {
                subject: Subject::Value(value),
                aspect: Aspect::Boolean,
            },
            is: true,
        }
    }

    fn block(facts: Option<Vec<Fact>>) -> BlockFacts {
        BlockFacts {
            function: 0,
            block: 1,
            facts,
        }
    }

    #[test]
    fn a_union_only_grows() {
        let program = ProgramHash::of(b"program");
        let mut one = Knowledge::of(program);
        let mut other = Knowledge::of(program);
        assert!(one.prove(SiteId::new(3), claim("absint")));
        assert!(!one.prove(SiteId::new(3), claim("absint")));
        other.prove(SiteId::new(3), claim("bmc"));
        other.prove(SiteId::new(4), claim("bmc"));
        other.add_facts("absint", true, block(Some(vec![truth(1)])));
        assert_eq!(one.join(&other), Ok(true));
        assert_eq!(one.join(&other), Ok(false));
        assert_eq!(one.proved().map(|(_, by)| by.len()).sum::<usize>(), 3);
    }

    #[test]
    fn facts_of_one_block_are_put_together() {
        let mut known = Knowledge::of(ProgramHash::default());
        known.add_facts("a", true, block(Some(vec![truth(1)])));
        known.add_facts("b", true, block(Some(vec![truth(1), truth(2)])));
        known.add_facts("c", false, block(None));
        let certified = known.certified_facts();
        assert_eq!(certified, [block(Some(vec![truth(1), truth(2)]))]);
        assert_eq!(known.uncertified_facts(), [block(None)]);
    }

    #[test]
    fn what_names_another_program_is_refused() {
        let mut ours = Knowledge::of(ProgramHash::of(b"before"));
        let mut theirs = Knowledge::of(ProgramHash::of(b"after"));
        theirs.prove(SiteId::new(0), claim("bmc"));
        let error = ours.join(&theirs).expect_err("another program");
        assert_eq!(error.theirs, theirs.program());
        assert!(!ours.is_proved(SiteId::new(0)));
    }
}
