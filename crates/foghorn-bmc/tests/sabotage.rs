//! An encoder that is broken on purpose: what it makes the solver believe does not happen when it is run, so the answer is
//! `unknown` and never `unsafe`. Each program is first checked with the encoder as it is, which answers with the truth.

use foghorn_bmc::{Bmc, BmcReport, GivenMemory, MemoryChoice, SiteVerdict, check};
use foghorn_core::{Budget, UnknownReason, Verdict};
use foghorn_encode::memory::{
    CellKind, MemoryRepresentation, Obligation, Seam, SeamOptions, Statistics,
};
use foghorn_ir::{Module, parse_module, verify_module};
use foghorn_term::{Sort, TermId, TermPool};

/// What is broken.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Defect {
    /// A read gives one more than is there.
    WrongRead,
    /// A write does nothing.
    LostWrite,
    /// A write lands in the cell behind.
    MisplacedWrite,
    /// A merge takes the other side.
    SwappedMerge,
}

/// SEAM with a defect.
struct Sabotaged {
    seam: Seam,
    width: u32,
    defect: Defect,
}

fn sabotaged(width: u32, defect: Defect) -> Box<dyn MemoryRepresentation> {
    let seam = Seam::new(width, SeamOptions::default());
    Box::new(Sabotaged {
        seam,
        width,
        defect,
    })
}

const DEFECTS: [GivenMemory; 4] = [
    GivenMemory {
        name: "wrong read",
        make: |width| sabotaged(width, Defect::WrongRead),
    },
    GivenMemory {
        name: "lost write",
        make: |width| sabotaged(width, Defect::LostWrite),
    },
    GivenMemory {
        name: "misplaced write",
        make: |width| sabotaged(width, Defect::MisplacedWrite),
    },
    GivenMemory {
        name: "swapped merge",
        make: |width| sabotaged(width, Defect::SwappedMerge),
    },
];

impl MemoryRepresentation for Sabotaged {
    fn name(&self) -> &'static str {
        "sabotaged"
    }

    fn arbitrary(&mut self, pool: &mut TermPool, name: &str, cell: CellKind) -> TermId {
        self.seam.arbitrary(pool, name, cell)
    }

    fn read(&mut self, pool: &mut TermPool, memory: TermId, pointer: TermId, sort: Sort) -> TermId {
        let value = self.seam.read(pool, memory, pointer, sort);
        match sort {
            Sort::BitVec(bits) if self.defect == Defect::WrongRead => {
                let one = pool.bv(bits, 1);
                pool.bv_add(value, one)
            }
            _ => value,
        }
    }

    fn write(
        &mut self,
        pool: &mut TermPool,
        memory: TermId,
        pointer: TermId,
        value: TermId,
    ) -> TermId {
        match self.defect {
            Defect::LostWrite => memory,
            Defect::MisplacedWrite => {
                let by = pool.bv(self.width, 4);
                let behind = pool.pointer_add(pointer, by);
                self.seam.write(pool, memory, behind, value)
            }
            Defect::WrongRead | Defect::SwappedMerge => {
                self.seam.write(pool, memory, pointer, value)
            }
        }
    }

    fn set(
        &mut self,
        pool: &mut TermPool,
        memory: TermId,
        pointer: TermId,
        byte: TermId,
        length: TermId,
    ) -> TermId {
        self.seam.set(pool, memory, pointer, byte, length)
    }

    fn copy(
        &mut self,
        pool: &mut TermPool,
        destination_memory: TermId,
        destination: TermId,
        source_memory: TermId,
        source: TermId,
        length: TermId,
    ) -> TermId {
        self.seam.copy(
            pool,
            destination_memory,
            destination,
            source_memory,
            source,
            length,
        )
    }

    fn merge(
        &mut self,
        pool: &mut TermPool,
        condition: TermId,
        on_true: TermId,
        on_false: TermId,
    ) -> TermId {
        match self.defect {
            Defect::SwappedMerge => self.seam.merge(pool, condition, on_false, on_true),
            Defect::WrongRead | Defect::LostWrite | Defect::MisplacedWrite => {
                self.seam.merge(pool, condition, on_true, on_false)
            }
        }
    }

    fn assume(&mut self, pool: &mut TermPool, fact: TermId) {
        self.seam.assume(pool, fact);
    }

    fn simplify(&mut self, pool: &mut TermPool, term: TermId) -> TermId {
        self.seam.simplify(pool, term)
    }

    fn take_obligations(&mut self) -> Vec<Obligation> {
        self.seam.take_obligations()
    }

    fn statistics(&self) -> Statistics {
        self.seam.statistics()
    }
}

fn program(body: &str) -> Module {
    let text = format!("foghorn-ir 1\nlayout pointer-bytes 8\nentry @main\n\n{body}\n");
    let mut module = parse_module(&text).expect("the text is right");
    assert!(verify_module(&module).is_empty());
    foghorn_dsa::memory_ssa::plan::purify(&mut module, &foghorn_dsa::Options::default());
    module
}

fn checked(module: &Module, memory: MemoryChoice) -> BmcReport {
    let options = Bmc {
        memory,
        ..Bmc::default()
    };
    check(module, &options, &Budget::unlimited(), &mut |_| {}).expect("the solver works")
}

/// Two cells of which a branch changes one, and a claim about their sum in the end.
fn cells(claim: &str) -> Module {
    program(&format!(
        r#"function @main() -> i32 {{
block0:
  v0:i32 = nondet input "x"
  v1:ptr = allocate stack 8, align 4
  v2:ptr = pointer-add v1 + 4
  store v0 to v1, align 4
  store 1:i32 to v2, align 4
  v3:i1 = compare sgt v0, 9
  branch v3, block1, block2
block1:
  store 2:i32 to v1, align 4
  jump block2
block2:
  v4:i32 = load v1, align 4
  v5:i32 = load v2, align 4
  v6:i32 = add v4, v5
{claim}
  check assertion v7
  return v6
}}"#
    ))
}

/// The sum is at most 10: the first cell is at most 9.
fn safe_program() -> Module {
    cells("  v7:i1 = compare sle v6, 10")
}

#[test]
fn the_encoder_as_it_is_tells_the_truth() {
    let report = checked(&safe_program(), MemoryChoice::default());
    assert_eq!(report.verdict(), Verdict::Safe);
    let unsafe_program = cells("  v7:i1 = compare ne v6, 8");
    let report = checked(&unsafe_program, MemoryChoice::default());
    assert_eq!(report.verdict(), Verdict::Unsafe);
}

#[test]
fn what_a_broken_encoder_refutes_is_unknown() {
    for defect in DEFECTS {
        let report = checked(&safe_program(), MemoryChoice::Given(defect));
        let not_replayed = report.answers.iter().any(|answer| {
            let verdict = &answer.verdict;
            matches!(
                verdict,
                SiteVerdict::Unknown(UnknownReason::Unrepeated { .. })
            )
        });
        assert!(not_replayed, "{}: {:?}", defect.name, report.answers);
        let verdict = report.verdict();
        let unknown = matches!(verdict, Verdict::Unknown { .. });
        assert!(unknown, "{}: {verdict:?}", defect.name);
    }
}

/// There is a failing input, but a broken encoder names another one: that is not a failure that anyone can see.
#[test]
fn a_wrong_input_for_a_real_failure_is_unknown() {
    let unsafe_program = cells("  v7:i1 = compare ne v6, 8");
    let wrong_read = MemoryChoice::Given(DEFECTS[0]);
    let report = checked(&unsafe_program, wrong_read);
    let verdict = report.verdict();
    assert!(
        matches!(verdict, Verdict::Unknown { .. }),
        "x = 5 gives 8 by the broken reads and 6 in truth: {verdict:?}"
    );
}
