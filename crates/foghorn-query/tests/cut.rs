//! Loops that are cut (kIkI, §2.3): a policy that is written outside of the executor, with its public interface only.
//!
//! The head of a loop is `select ? loop-back : first`, where all loop-back values are anything: registers, memories, lives
//! of objects. So many copies of the body are executed, and what the last one would hand back to the head is looked at. A
//! candidate invariant is an obligation of the first values and of the last ones, and assumed at the heads between: if no
//! obligation and no check can fail, it is k-inductive and proves the program.

use foghorn_core::{Budget, SpanId};
use foghorn_encode::execute::event::What;
use foghorn_encode::execute::settings::Settings;
use foghorn_encode::execute::{
    Activation, CallTreatment, Executor, LoopHead, LoopPolicy, Memo, Repeat, Unwind,
};
use foghorn_encode::memory::MemoryChoice;
use foghorn_encode::semantics::object::Kind;
use foghorn_ir::{Body, Instruction, Module, ValueId, parse_module, verify_module};
use foghorn_query::{Question, Session, Settled};
use foghorn_smt::choice::{SolverChoice, SolverOptions};
use foghorn_smt::solver::Answer;
use foghorn_term::{Sort, TermId};

/// A candidate: a formula over the values of a head's parameters.
type Candidate = fn(&mut Executor<'_, '_>, &[TermId]) -> TermId;

/// Cuts every loop after so many copies of its body.
struct Cut {
    copies: u32,
    candidate: Candidate,
    /// Whether lives are loop-back values too. They have to be; a test shows it.
    with_lives: bool,
    cut_loops: u32,
}

impl Cut {
    fn new(copies: u32, candidate: Candidate) -> Self {
        Cut {
            copies,
            candidate,
            with_lives: true,
            cut_loops: 0,
        }
    }

    /// One that forgets that loops end lives.
    fn without_lives(copies: u32) -> Self {
        Cut {
            with_lives: false,
            ..Cut::new(copies, always)
        }
    }

    /// The values of the head's parameters: the first ones, or any that an earlier iteration hands back.
    fn choose_parameters(&self, executor: &mut Executor<'_, '_>, head: &LoopHead) {
        let select = executor.pool.fresh_symbol("loop_select", Sort::Bool);
        let body = executor.body();
        for &param in &body.blocks[head.block].params {
            let first = executor.get(param);
            let ty = body.ty(param);
            let back = executor.arbitrary_value(ty, "loop_back");
            let back = back.expect("the loops of these tests carry no pointers");
            let chosen = match ty.region() {
                Some(_) => executor.memory.merge(executor.pool, select, back, first),
                None => executor.pool.ite(select, back, first),
            };
            executor.set(param, chosen);
        }
        if self.with_lives {
            for object in executor.objects().in_order().to_vec() {
                let known = executor.objects().get(object);
                let known = known.expect("invariant: it is in the list");
                let (kind, first) = (known.kind, known.dead);
                if matches!(kind, Kind::Heap | Kind::Stack) {
                    let back = executor.pool.fresh_symbol("loop_back_dead", Sort::Bool);
                    let dead = executor.pool.ite(select, back, first);
                    executor.set_life(object, dead);
                }
            }
        }
    }

    fn oblige(&self, executor: &mut Executor<'_, '_>, guard: TermId, values: &[TermId]) {
        let condition = (self.candidate)(executor, values);
        let what = What::Obligation {
            condition,
            what: "the candidate is an invariant".into(),
            span: SpanId::UNKNOWN,
            of_cells: false,
        };
        executor.note_under(guard, what);
    }
}

fn parameters(executor: &mut Executor<'_, '_>, head: &LoopHead) -> Vec<TermId> {
    let params = &executor.body().blocks[head.block].params;
    params.iter().map(|&param| executor.get(param)).collect()
}

impl LoopPolicy for Cut {
    fn begin(&mut self, executor: &mut Executor<'_, '_>) {
        assert!(!executor.may_have_hidden_state());
    }

    fn enter(&mut self, executor: &mut Executor<'_, '_>, head: &LoopHead) {
        if head.iteration == 0 {
            self.cut_loops += 1;
            let (guard, first) = (executor.guard(), parameters(executor, head));
            self.oblige(executor, guard, &first);
            self.choose_parameters(executor, head);
        }
        let values = parameters(executor, head);
        let holds = (self.candidate)(executor, &values);
        executor.assume(holds);
    }

    fn repeat(&mut self, executor: &mut Executor<'_, '_>, head: &LoopHead) -> Repeat {
        if head.iteration + 1 < self.copies {
            return Repeat::Again;
        }
        let edge = executor.back_edge();
        assert_eq!(edge.guard, executor.repetition().guard);
        self.oblige(executor, edge.guard, &edge.arguments);
        Repeat::Stop
    }

    fn call(&mut self, _: &mut Executor<'_, '_>, _: &Activation<'_>) -> CallTreatment {
        CallTreatment::Enter
    }
}

fn module(body: &str) -> Module {
    let text = format!("foghorn-ir 1\nlayout pointer-bytes 8\nentry @main\n\n{body}");
    let mut module = parse_module(&text).expect("the text is right");
    assert!(verify_module(&module).is_empty());
    foghorn_dsa::memory_ssa::plan::purify(&mut module, &foghorn_dsa::Options::default());
    module
}

/// Whether a check or an obligation can fail.
fn can_fail(module: &Module, policy: &mut dyn LoopPolicy) -> bool {
    let budget = Budget::unlimited();
    let mut session = Session::new(&SolverOptions {
        choice: SolverChoice::Auto,
        dump: None,
        budget: budget.clone(),
    })
    .expect("the solver opens");
    let settings = Settings {
        checks: "assertions,memory-safety".parse().expect("both are groups"),
        ..Settings::default()
    };
    let mut memory = MemoryChoice::default().open(module.layout.pointer_bits());
    let mut memo = Memo::default();
    let pool = &mut session.pool;
    let executor = Executor::new(
        module,
        pool,
        &mut memo,
        &mut *memory,
        &settings,
        policy,
        &budget,
    );
    let mut trace = executor.whole_run().expect("the run ends");
    session.assert_axioms(&mut trace).expect("it can be said");
    let (_, answer) = session
        .pose(&trace, &Settled::default(), Question::Failure, &budget)
        .expect("the solver works");
    match answer {
        Answer::Satisfiable => true,
        Answer::Unsatisfiable => false,
        Answer::Unknown(why) => panic!("{why}"),
    }
}

fn proves(module: &Module, copies: u32, candidate: Candidate) -> bool {
    let mut cut = Cut::new(copies, candidate);
    let failing = can_fail(module, &mut cut);
    assert_eq!(cut.cut_loops, 1);
    !failing
}

fn always(executor: &mut Executor<'_, '_>, _: &[TermId]) -> TermId {
    executor.pool.bool(true)
}

/// A cell grows by two in each of ten iterations.
const CELL: &str = r#"function @main() -> i32 {
block0:
  v0:ptr = allocate stack 4, align 4
  store 0:i32 to v0, align 4
  jump block1(0:i32)
block1(v1:i32):
  v2:i1 = compare slt v1, 10
  branch v2, block2, block3
block2:
  v3:i32 = load v0, align 4
  v4:i32 = add v3, 2
  store v4 to v0, align 4
  v5:i32 = add v1, 1
  jump block1(v5)
block3:
  v6:i32 = load v0, align 4
  v7:i1 = compare eq v6, 20
  check assertion v7
  return 0:i32
}
"#;

/// The pointer that the first allocation of a function gives.
fn allocated(body: &Body) -> ValueId {
    let mut data = body.instructions.values();
    let allocation = data.find(|data| matches!(data.instruction, Instruction::Allocate { .. }));
    allocation.expect("there is one").results[0]
}

/// The counter and the contents of the cell, from the parameters of the head: a register and a memory.
fn counter_and_cell(executor: &mut Executor<'_, '_>, values: &[TermId]) -> (TermId, TermId) {
    let pointer = executor.get(allocated(executor.body()));
    let &[counter, memory] = values else {
        panic!("a register and a memory, not {values:?}");
    };
    let sort = Sort::BitVec(32);
    let cell = executor.memory.read(executor.pool, memory, pointer, sort);
    (counter, cell)
}

/// All objects are alive where the candidate is stated: their lives are loop-back values like others.
fn all_alive(executor: &mut Executor<'_, '_>, _: &[TermId]) -> TermId {
    let objects = executor.objects();
    let numbers = objects.in_order().iter();
    let ends = numbers.filter_map(|&number| objects.get(number));
    let ends: Vec<TermId> = ends.map(|object| object.dead).collect();
    let any = executor.pool.or(&ends);
    executor.pool.not(any)
}

fn is_twice(executor: &mut Executor<'_, '_>, values: &[TermId]) -> TermId {
    let (counter, cell) = counter_and_cell(executor, values);
    let alive = all_alive(executor, values);
    let sum = executor.pool.bv_add(counter, counter);
    let twice = executor.pool.equal(cell, sum);
    executor.pool.and(&[alive, twice])
}

fn is_twice_within(executor: &mut Executor<'_, '_>, values: &[TermId]) -> TermId {
    let twice = is_twice(executor, values);
    let ten = executor.pool.bv(32, 10);
    let within = executor.pool.bv_sle(values[0], ten);
    executor.pool.and(&[twice, within])
}

/// Holds of the first values, and of the second ones if contents were not handed back.
fn is_zero(executor: &mut Executor<'_, '_>, values: &[TermId]) -> TermId {
    let (_, cell) = counter_and_cell(executor, values);
    let alive = all_alive(executor, values);
    let zero = executor.pool.bv_zero(32);
    let is_zero = executor.pool.equal(cell, zero);
    executor.pool.and(&[alive, is_zero])
}

#[test]
fn an_invariant_of_registers_and_memory_proves_a_loop() {
    let module = module(CELL);
    assert!(proves(&module, 1, is_twice_within));
    assert!(proves(&module, 3, is_twice_within));
}

#[test]
fn what_is_no_invariant_or_too_weak_proves_nothing() {
    let module = module(CELL);
    assert!(!proves(&module, 1, is_zero), "not inductive");
    assert!(
        !proves(&module, 1, is_twice),
        "inductive, but too weak for the check"
    );
    assert!(!proves(&module, 1, all_alive), "memory is anything");
}

/// `a' = b, b' = 0`: that `a` is zero follows from the iteration before, but not from `a` being zero there.
const SHIFT: &str = r#"function @main() -> i32 {
block0:
  jump block1(0:i32, 0:i32)
block1(v0:i32, v1:i32):
  v2:i1 = compare eq v0, 0
  check assertion v2
  v3:i1 = nondet input "more"
  branch v3, block2, block3
block2:
  jump block1(v1, 0:i32)
block3:
  return 0:i32
}
"#;

fn first_is_zero(executor: &mut Executor<'_, '_>, values: &[TermId]) -> TermId {
    let zero = executor.pool.bv_zero(32);
    executor.pool.equal(values[0], zero)
}

#[test]
fn two_copies_prove_what_one_does_not() {
    let module = module(SHIFT);
    assert!(!proves(&module, 1, first_is_zero));
    assert!(proves(&module, 2, first_is_zero));
    // The base case: it holds of the first values, in as many iterations as there are copies.
    assert!(!can_fail(&module, &mut Unwind::new(2)));
}

/// Frees what it reads, and goes on: the second iteration is wrong.
const FREES: &str = r#"function @main() -> i32 {
block0:
  v0:ptr = allocate heap 4, align 4
  store 0:i32 to v0, align 4
  jump block1(0:i32)
block1(v1:i32):
  v2:i1 = nondet input "more"
  branch v2, block2, block3
block2:
  v3:i32 = load v0, align 4
  free v0
  v4:i32 = add v1, v3
  jump block1(v4)
block3:
  return 0:i32
}
"#;

#[test]
fn lives_of_objects_are_handed_back_too() {
    let module = module(FREES);
    assert!(
        !can_fail(&module, &mut Cut::without_lives(1)),
        "one is right"
    );
    assert!(can_fail(&module, &mut Cut::new(1, always)));
    assert!(can_fail(&module, &mut Unwind::new(3)));
}

/// A call that is not entered: its result is what the policy says.
const CALLS: &str = r#"function @three() -> i32 {
block0:
  return 3:i32
}

function @main() -> i32 {
block0:
  v0:i32 = call @three()
  v1:i1 = compare eq v0, 3
  check assertion v1
  return 0:i32
}
"#;

/// Replaces every call by a value.
struct Placeholder(u64);

impl LoopPolicy for Placeholder {
    fn repeat(&mut self, _: &mut Executor<'_, '_>, _: &LoopHead) -> Repeat {
        Repeat::Again
    }

    fn call(&mut self, executor: &mut Executor<'_, '_>, _: &Activation<'_>) -> CallTreatment {
        CallTreatment::Replace(vec![executor.pool.bv(32, self.0)])
    }
}

#[test]
fn a_policy_replaces_calls() {
    let module = module(CALLS);
    assert!(!can_fail(&module, &mut Unwind::new(1)));
    assert!(!can_fail(&module, &mut Placeholder(3)));
    assert!(can_fail(&module, &mut Placeholder(4)));
}
