//! Replay of counterexamples: a model of the solver, run; only what fails in the interpreter too is a failure.
//!
//! The executor names what it left open by instruction and order of execution; the interpreter asks
//! by instruction and order of execution. So the n-th time that an instruction asks for an input it
//! gets the n-th value that the model has for it, and a load of bytes that nobody wrote gets what
//! the model read there. A pointer that code outside the program left is told by the object: the n-th
//! that an allocation made.
//!
//! Most failures do not depend on where objects lie, so that a run with the interpreter's own layout
//! is tried first. If that does not fail, objects lie where the model has them.

use crate::layout::Layout;
use foghorn_core::{Budget, SpanId};
use foghorn_encode::execute::event::{Event, Site, What};
use foghorn_encode::execute::settings::Settings;
use foghorn_encode::semantics::object::Objects;
use foghorn_ir::interpret::{
    Access, Allocation, BaseRequest, Choice, ChoiceRequest, ChoiceSource, Failure, ObjectId,
    Observer, Options, Outcome, Program, ProgramPoint, RecordedWorld, Run, function_object,
    global_object, pointer_to_known,
};
use foghorn_ir::{Instruction, Module, Type};
use foghorn_term::TermId;
use foghorn_term::eval::{EvalError, Evaluator, Value};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

/// Steps after which a replay is given up.
const MAX_STEPS: u64 = 200_000_000;

/// A failing execution.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// Everything that the program did not determine, in order.
    pub choices: Vec<Choice>,
    pub failure: Box<Failure>,
    pub steps: u64,
    /// Where objects have to lie, as [`Options::layout`] has it; empty if anywhere will do.
    pub layout: Vec<u64>,
}

/// What came of a replay.
#[derive(Debug)]
pub enum Replay {
    /// It fails at the site that was expected.
    Confirmed(Counterexample),
    /// It fails, but elsewhere.
    FailedElsewhere(Counterexample),
    /// It comes to something that is not modelled before it fails: what, and where.
    Unsupported { construct: String, location: String },
    /// It does not fail; why not.
    NotConfirmed(String),
}

/// What the model says about one execution.
#[derive(Clone, Debug, Default)]
pub struct Script {
    inputs: FxHashMap<Option<ProgramPoint>, VecDeque<u128>>,
    reads: FxHashMap<ProgramPoint, Vec<u128>>,
    executed: FxHashMap<ProgramPoint, usize>,
    layout: Layout,
    /// The objects of the model by their numbers: what made each, and how many it made before.
    objects: FxHashMap<u64, (Allocation, usize)>,
    /// How many objects each allocation has made, and which one an object is.
    allocations: FxHashMap<Allocation, usize>,
    places: FxHashMap<ObjectId, usize>,
    by_place: FxHashMap<(Allocation, usize), ObjectId>,
}

impl Script {
    /// An execution that is given these inputs, and reads this where nobody wrote: by instruction, in
    /// the order of execution. Objects lie wherever the interpreter puts them.
    pub fn given(
        inputs: FxHashMap<Option<ProgramPoint>, VecDeque<u128>>,
        reads: FxHashMap<ProgramPoint, Vec<u128>>,
    ) -> Self {
        Script {
            inputs,
            reads,
            ..Script::default()
        }
    }

    /// The inputs and reads of the execution that a model describes.
    pub fn new(
        evaluator: &mut Evaluator<'_>,
        events: &[Event],
        objects: &Objects,
    ) -> Result<Self, EvalError> {
        let mut script = Script {
            layout: Layout::new(evaluator, objects)?,
            ..Script::default()
        };
        for event in events {
            if !matches!(event.what, What::Input { .. } | What::Read { .. })
                || !evaluator.evaluate(event.guard)?.as_bool()
            {
                continue;
            }
            match &event.what {
                What::Input { point, bits } => {
                    let bits = number(&evaluator.evaluate(*bits)?);
                    script.inputs.entry(*point).or_default().push_back(bits);
                }
                What::Read { point, bits } => {
                    let bits = number(&evaluator.evaluate(*bits)?);
                    script.reads.entry(*point).or_default().push(bits);
                }
                What::Assume { .. }
                | What::Check { .. }
                | What::Unwinding { .. }
                | What::Obligation { .. } => {}
            }
        }
        let mut counts: FxHashMap<Allocation, usize> = FxHashMap::default();
        for &number in objects.in_order() {
            let Some(object) = objects.get(number) else {
                continue;
            };
            if evaluator.evaluate(object.allocated)?.as_bool() {
                let count = counts.entry(object.allocation).or_default();
                let named = (object.allocation, *count);
                script.objects.insert(number, named);
                *count += 1;
            }
        }
        Ok(script)
    }

    /// The terms, besides those of events and of the layout, whose values a script is made of.
    pub fn terms(objects: &Objects) -> impl Iterator<Item = TermId> + '_ {
        let numbers = objects.in_order().iter();
        numbers.filter_map(|&number| Some(objects.get(number)?.allocated))
    }

    /// Whether an object lies where no program has objects.
    pub fn is_unlikely(&self) -> bool {
        self.layout.is_unlikely()
    }
}

fn number(value: &Value) -> u128 {
    match value {
        Value::Bool(truth) => u128::from(*truth),
        other => other.as_bitvec().to_u128().unwrap_or(0),
    }
}

/// Answers the interpreter's questions from a script, and counts loads to know which one asks.
#[derive(Clone)]
struct Prompter<'m> {
    module: &'m Module,
    script: Rc<RefCell<Script>>,
}

impl Prompter<'_> {
    /// The answer to a question for a pointer: the model's number has the object above the offset,
    /// the interpreter's the place among the objects that are known.
    fn pointer(&self, request: &ChoiceRequest<'_>, bits: u128) -> u128 {
        let width = self.module.layout.pointer_bits();
        let offset = bits & ((1 << width) - 1);
        let script = self.script.borrow();
        let known = u64::try_from(bits >> width)
            .ok()
            .and_then(|number| script.objects.get(&number))
            .and_then(|&(allocation, place)| match allocation {
                Allocation::Global(global) => Some(global_object(self.module, global)),
                Allocation::Function(function) => Some(function_object(function)),
                Allocation::Instruction(..) | Allocation::Arguments => {
                    script.by_place.get(&(allocation, place)).copied()
                }
            })
            .and_then(|object| request.known.iter().position(|&known| known == object));
        match known {
            Some(index) => pointer_to_known(index, offset as u64),
            None => offset,
        }
    }

    /// What the model says.
    fn answer(&self, request: &ChoiceRequest<'_>) -> u128 {
        let mut script = self.script.borrow_mut();
        if let Some(point) = request.at
            && self.is_load(point)
        {
            let count = script.executed.get(&point).copied().unwrap_or(0);
            let reads = script.reads.get(&point);
            let bits = reads.and_then(|reads| reads.get(count.checked_sub(1)?));
            return bits.copied().unwrap_or(0);
        }
        let queue = script.inputs.get_mut(&request.at);
        queue.and_then(VecDeque::pop_front).unwrap_or(0)
    }

    fn is_load(&self, point: ProgramPoint) -> bool {
        let body = self.module.functions[point.function].body.as_ref();
        body.is_some_and(|body| {
            matches!(
                body.instructions[point.instruction].instruction,
                Instruction::Load { .. }
            )
        })
    }
}

impl ChoiceSource for Prompter<'_> {
    fn choose(&mut self, request: &ChoiceRequest<'_>) -> Option<u128> {
        let bits = self.answer(request);
        Some(match request.ty {
            Type::Ptr => self.pointer(request, bits),
            Type::Int(_) | Type::F32 | Type::F64 | Type::Memory(_) => bits,
        })
    }

    fn base(&mut self, request: &BaseRequest) -> Option<u64> {
        let script = self.script.borrow();
        let place = script.places.get(&request.object).copied().unwrap_or(0);
        script.layout.base(request.allocation, place)
    }
}

impl Observer for Prompter<'_> {
    fn read(&mut self, access: Access) {
        if self.is_load(access.at) {
            *self
                .script
                .borrow_mut()
                .executed
                .entry(access.at)
                .or_default() += 1;
        }
    }

    fn allocate(&mut self, access: Access, _: SpanId) {
        let mut script = self.script.borrow_mut();
        let count = script.allocations.entry(access.allocation).or_default();
        let place = *count;
        *count += 1;
        script.places.insert(access.object, place);
        let named = (access.allocation, place);
        script.by_place.insert(named, access.object);
    }
}

/// Runs a script in the interpreter and says whether it fails at the site. If it needs the layout
/// of the model, `relocate` may give a script with a more likely one.
pub fn replay(
    module: &Module,
    settings: &Settings,
    budget: &Budget,
    script: Script,
    site: &Site,
    relocate: impl FnOnce(&Script) -> Option<Script>,
) -> Replay {
    let anywhere = Script {
        layout: Layout::default(),
        ..script.clone()
    };
    let own = attempt(module, settings, budget, anywhere, site);
    if script.layout.is_empty() || matches!(own, Replay::Confirmed(_)) {
        return own;
    }
    if let Some(likely) = relocate(&script)
        && let confirmed @ Replay::Confirmed(_) = attempt(module, settings, budget, likely, site)
    {
        return confirmed;
    }
    match (own, attempt(module, settings, budget, script, site)) {
        (_, confirmed @ Replay::Confirmed(_)) => confirmed,
        (known @ (Replay::FailedElsewhere(_) | Replay::Unsupported { .. }), _) => known,
        (Replay::Confirmed(_) | Replay::NotConfirmed(_), other) => other,
    }
}

fn attempt(
    module: &Module,
    settings: &Settings,
    budget: &Budget,
    script: Script,
    site: &Site,
) -> Replay {
    let given = !script.layout.is_empty();
    let prompter = Prompter {
        module,
        script: Rc::new(RefCell::new(script)),
    };
    let options = Options {
        checks: settings.checks.groups().collect(),
        alignment: settings.alignment,
        max_steps: Some(MAX_STEPS),
        budget: budget.clone(),
        ..Options::default()
    };
    let mut world = RecordedWorld::default();
    let mut source = prompter.clone();
    let program = Program::new(module);
    match program.run_observed(&options, &mut source, &mut world, prompter) {
        Ok(run) => judge(module, run, site, given),
        Err(error) => Replay::NotConfirmed(error.to_string()),
    }
}

fn judge(module: &Module, run: Run, site: &Site, given_layout: bool) -> Replay {
    let trustworthy = run.is_trustworthy();
    let over_approximated = run.over_approximations.first().cloned();
    match run.outcome {
        Outcome::Failed(failure) => {
            let expected = site.kind.admits(failure.kind) && failure.is_at(site.span, site.point);
            if !trustworthy {
                let what = over_approximated.map_or_else(String::new, |(what, span)| {
                    format!("{}: {what}", module.spans.describe(span))
                });
                return Replay::NotConfirmed(format!(
                    "the failing run passes an operation that is not modelled precisely ({what})"
                ));
            }
            let counterexample = Counterexample {
                choices: run.choices,
                failure,
                steps: run.steps,
                layout: match given_layout {
                    true => run.layout.iter().map(|placement| placement.base).collect(),
                    false => vec![],
                },
            };
            if expected {
                Replay::Confirmed(counterexample)
            } else {
                Replay::FailedElsewhere(counterexample)
            }
        }
        Outcome::Unsupported { construct, span } => Replay::Unsupported {
            construct: construct.to_string(),
            location: module.spans.describe(span),
        },
        other => Replay::NotConfirmed(describe(module, &other)),
    }
}

fn describe(module: &Module, outcome: &Outcome) -> String {
    let at = |span| module.spans.describe(span);
    match outcome {
        Outcome::Exited { code } => format!("the replay ended with exit code {code}"),
        Outcome::Aborted { .. } => "the replay ended by abort".to_owned(),
        Outcome::Failed(failure) => format!("the replay failed at {}", at(failure.span)),
        Outcome::AssumptionViolated { span } => {
            format!("the replay violates the assumption at {}", at(*span))
        }
        Outcome::AssumedAway { kind, span } => {
            format!(
                "the replay ends in a {kind} at {}, which is not checked",
                at(*span)
            )
        }
        Outcome::Unsupported { construct, span } => {
            format!("the replay reaches {construct} at {}", at(*span))
        }
        Outcome::InputExhausted { span } => format!("the replay has no input at {}", at(*span)),
        Outcome::OutOfSteps => "the replay takes too many steps".to_owned(),
        Outcome::OutOfMemory { span } => format!("the replay is out of memory at {}", at(*span)),
        Outcome::TooDeep { span } => format!("the replay is too deep at {}", at(*span)),
        Outcome::OutOfBudget(resource) => format!("the replay ran out of {resource}"),
        Outcome::Inconsistent { detail, span } => {
            format!("the pure form is wrong at {}: {detail}", at(*span))
        }
    }
}
