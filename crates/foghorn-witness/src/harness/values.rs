//! Who asked for which value in a run.

use super::outside::{Changed, Outsider, Way, Ways, outsiders};
use super::streams::{Reading, called};
use crate::outside::{Outside, Texts};
use crate::stream::{self, Block, Streams};
use crate::trace::naming::source_variables;
use foghorn_core::SpanId;
use foghorn_ir::interpret::{
    Access, Allocation, Change, Choice, ChoiceRequest, ChoiceSource, Listed, ObjectId, Observed,
    Observer, Options, Pointer, Program, RecordedWorld, StartError,
};
use foghorn_ir::{GlobalContents, GlobalId, Instruction, Module, NondetOrigin, Type};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

/// The values of one function, in the order of its calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    pub ty: Type,
    pub bits: Vec<u128>,
}

/// Everything that a harness has to give.
#[derive(Clone, Debug, Default)]
pub struct Values {
    /// By the name of the function: the nondet functions of the program, called or not, and
    /// functions without a body that were called.
    pub functions: BTreeMap<String, Asked>,
    /// Functions without a body that do something or return a value that was asked for.
    pub outsiders: BTreeMap<String, Outsider>,
    /// The bytes that memory got each time it was havocked; 0 where nobody looked.
    pub havocs: Vec<Vec<u8>>,
    /// What the program read.
    pub reading: Reading,
    /// Globals that are declared and not defined.
    pub globals: BTreeMap<String, Vec<u8>>,
    /// Arguments and environment.
    pub outside: Outside,
    /// Whether they are put in front of `main`.
    pub wraps_main: bool,
    /// Variables that were read before they were written.
    uninitialised: BTreeSet<String>,
    /// Choices of library models and of operations that are not modelled precisely.
    unforced: BTreeSet<String>,
}

impl Values {
    /// Runs the program and notes.
    pub fn of_run(
        module: &Module,
        options: &Options,
        choices: &[Choice],
        stdin: &[u8],
    ) -> Result<Self, StartError> {
        let asked = Cell::new(0);
        let mut contents = Contents::new(module, &asked);
        let mut source = Counted {
            inner: Listed::replay(choices),
            asked: &asked,
        };
        let mut world = RecordedWorld::with_input(stdin);
        let run = Program::with_events(module).run_observed(
            options,
            &mut source,
            &mut world,
            &mut contents,
        )?;
        let (read, havocs): (Vec<Havoc>, Vec<Havoc>) = contents
            .havocs
            .into_iter()
            .partition(|havoc| comes_with(&run.choices, havoc.at));
        for choice in &run.choices {
            contents.texts.choice(choice.origin.name(), choice.bits);
        }
        let mut values = Values {
            outside: contents.texts.finish(),
            wraps_main: super::start::is_needed(module),
            functions: uncalled(module),
            havocs: havocs.into_iter().map(|havoc| havoc.bytes).collect(),
            reading: reading(module, &run.choices, &read),
            uninitialised: contents.uninitialised,
            ..Self::default()
        };
        values.note_changes(module, contents.changes, &run.choices, &contents.of_memory);
        let variables = source_variables(module);
        for (id, bytes) in contents.globals {
            let name = module.globals[id].name.to_string();
            values.globals.insert(name, bytes);
        }
        for (index, choice) in run.choices.iter().enumerate() {
            // Memory was noted where it was read.
            let ours = match &choice.origin {
                // A slot that the compiler made up.
                NondetOrigin::Uninitialised(name) => !variables.contains(&**name),
                NondetOrigin::Input(_)
                | NondetOrigin::External(_)
                | NondetOrigin::Change(_)
                | NondetOrigin::Undefined
                | NondetOrigin::OverApproximated(_) => false,
            };
            if !ours && !contents.of_memory.contains(&index) {
                if let Some(returned) = contents.returned.remove(&index) {
                    values.note_returned(choice, returned);
                }
                values.enter(module, choice);
            }
        }
        // Who returns something that nobody asked for was not called: the machine's own will do.
        let asked = &values.functions;
        values
            .outsiders
            .retain(|name, outsider| !outsider.returns() || asked.contains_key(name));
        Ok(values)
    }

    /// Gives each change to the call that made it. A call of a function without a body begins with the
    /// choice whether it changes anything, and a second one if it does.
    fn note_changes(
        &mut self,
        module: &Module,
        changes: Vec<Made>,
        choices: &[Choice],
        of_memory: &BTreeSet<usize>,
    ) {
        self.outsiders = outsiders(module);
        let mut calls: BTreeMap<&str, usize> = BTreeMap::new();
        let mut call_of: BTreeMap<usize, usize> = BTreeMap::new();
        let mut open: Option<&str> = None;
        for (index, choice) in choices.iter().enumerate() {
            let NondetOrigin::Change(name) = &choice.origin else {
                continue;
            };
            if of_memory.contains(&index) {
                continue;
            }
            let number = calls.entry(name).or_default();
            if open.take() == Some(name) {
                call_of.insert(index, *number - 1);
                continue;
            }
            *number += 1;
            if choice.bits == 1 {
                open = Some(name);
            }
        }
        for made in changes.into_iter().filter(|made| made.looked_at) {
            let call = call_of.get(&made.choice).copied();
            let outsider = self.outsiders.get_mut(&made.by);
            let (Some(changed), Some(call), Some(outsider)) = (made.changed, call, outsider) else {
                let what = format!("{}() changed memory that is hard to find", made.by);
                self.unforced.insert(what);
                continue;
            };
            outsider.changes.entry(call).or_default().push(changed);
        }
    }

    /// A function without a body returned a pointer to an object that it knew.
    fn note_returned(&mut self, choice: &Choice, returned: Option<(Way, i64)>) {
        let name = choice.origin.name();
        let asked = self.functions.get(name);
        let number = asked.map_or(0, |asked| asked.bits.len());
        match (returned, self.outsiders.get_mut(name)) {
            (Some(returned), Some(outsider)) => {
                outsider.returned.insert(number, returned);
            }
            _other => {
                let what = format!("{name}() returned a pointer that is hard to find");
                self.unforced.insert(what);
            }
        }
    }

    fn enter(&mut self, module: &Module, choice: &Choice) {
        match &choice.origin {
            origin if stream::is_stream(origin) => {}
            NondetOrigin::Input(name) if name.starts_with(LIBRARY) => {}
            NondetOrigin::Input(name) if Texts::explains(name) => {}
            NondetOrigin::Input(name) if name.starts_with("__foghorn_") => {
                let what = format!("a library model chose a value ({name})");
                self.unforced.insert(what);
            }
            NondetOrigin::Input(name) => self.give(name, choice),
            NondetOrigin::External(name) => {
                if module.function_named(name).is_some() {
                    self.give(name, choice);
                }
            }
            // What was changed is noted where it was read.
            NondetOrigin::Change(_) => {}
            NondetOrigin::Uninitialised(name) => {
                self.uninitialised.insert(name.to_string());
            }
            NondetOrigin::Undefined => {
                self.unforced
                    .insert("an undefined value was used".to_owned());
            }
            NondetOrigin::OverApproximated(operation) => {
                let what = format!("{operation} is not modelled precisely");
                self.unforced.insert(what);
            }
        }
    }

    fn give(&mut self, name: &str, choice: &Choice) {
        let new = || Asked {
            ty: choice.ty,
            bits: vec![],
        };
        let asked = self.functions.entry(name.to_owned()).or_insert_with(new);
        asked.bits.push(choice.bits);
    }

    /// What cannot be forced, a sentence each.
    pub fn limits(&self) -> Vec<String> {
        let variables = self.uninitialised.iter();
        let variables = variables.map(|name| {
            format!(
                "'{name}' may be read before it is written; on a real machine it holds anything"
            )
        });
        variables.chain(self.unforced.iter().cloned()).collect()
    }
}

/// The nondet functions that the program's own code names: a linker wants them all.
fn uncalled(module: &Module) -> BTreeMap<String, Asked> {
    let mut functions = BTreeMap::new();
    for function in module.functions.values().filter(|f| !f.is_model) {
        let Some(body) = &function.body else {
            continue;
        };
        for data in body.instructions.values() {
            if let Instruction::Nondet {
                origin: NondetOrigin::Input(name),
            } = &data.instruction
                && !name.starts_with("__foghorn_")
                && let Some(&result) = data.results.first()
            {
                functions.entry(name.to_string()).or_insert(Asked {
                    ty: body.ty(result),
                    bits: vec![],
                });
            }
        }
    }
    functions
}

/// How the choices of a library function that are no text begin.
const LIBRARY: &str = "__foghorn_library_";

/// Whether the choice before is one that memory is filled for.
fn comes_with(choices: &[Choice], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|index| choices.get(index));
    before.is_some_and(|choice| stream::has_block(&choice.origin) || choice.origin.name() == RANDOM)
}

const RANDOM: &str = "__foghorn_library_getrandom";

fn reading(module: &Module, choices: &[Choice], blocks: &[Havoc]) -> Reading {
    let shown: Vec<Block<'_>> = blocks
        .iter()
        .map(|havoc| Block {
            at: havoc.at,
            bytes: &havoc.bytes,
        })
        .collect();
    let mut reading = Reading {
        streams: Streams::of_run(choices, &shown),
        called: called(module),
        ..Reading::default()
    };
    for (index, choice) in choices.iter().enumerate() {
        let Some(name) = choice.origin.name().strip_prefix(LIBRARY) else {
            continue;
        };
        if choice.origin.name() == RANDOM {
            let block = blocks.iter().find(|havoc| havoc.at == index + 1);
            let bytes = block.map(|havoc| havoc.bytes.clone());
            reading.random.push(bytes);
            continue;
        }
        let new = || Asked {
            ty: choice.ty,
            bits: vec![],
        };
        let asked = reading.library.entry(name.to_owned()).or_insert_with(new);
        asked.bits.push(choice.bits);
    }
    reading
}

/// One havoc of memory.
struct Havoc {
    /// The number of choices made before.
    at: usize,
    object: ObjectId,
    offset: i64,
    bytes: Vec<u8>,
    /// Bytes that somebody has looked at: the first look decides.
    determined: Vec<bool>,
}

/// An object that a function without a body changed.
struct Made {
    by: String,
    /// The number of the last choice before it.
    choice: usize,
    object: ObjectId,
    /// How to find the object, and what it got.
    changed: Option<Changed>,
    /// How it was found then, for pointers that were left to it.
    way: Option<Way>,
    looked_at: bool,
}

/// The observer: which bytes got which values when they were first looked at.
struct Contents<'m> {
    module: &'m Module,
    ways: Ways<'m>,
    changes: Vec<Made>,
    /// Pointers to known objects that were returned, by the number of the choice.
    returned: BTreeMap<usize, Option<(Way, i64)>>,
    havocs: Vec<Havoc>,
    globals: BTreeMap<GlobalId, Vec<u8>>,
    uninitialised: BTreeSet<String>,
    /// Choices made so far.
    asked: &'m Cell<usize>,
    /// The choices that were made for bytes of memory.
    of_memory: BTreeSet<usize>,
    /// Strings from outside.
    texts: Texts<'m>,
}

/// Counts the choices of a run.
struct Counted<'c> {
    inner: Listed,
    asked: &'c Cell<usize>,
}

impl ChoiceSource for Counted<'_> {
    fn choose(&mut self, request: &ChoiceRequest<'_>) -> Option<u128> {
        self.asked.set(request.index + 1);
        self.inner.choose(request)
    }
}

/// More bytes of a havoc or global than this are not written into a file.
const LARGEST: u64 = 1 << 20;

impl<'m> Contents<'m> {
    fn new(module: &'m Module, asked: &'m Cell<usize>) -> Self {
        let external = module.globals.iter().filter(|(_, global)| {
            global.contents == GlobalContents::External && global.size <= LARGEST
        });
        Contents {
            module,
            ways: Ways::new(module, &outsiders(module)),
            changes: vec![],
            returned: BTreeMap::new(),
            havocs: vec![],
            globals: external
                .map(|(id, global)| (id, vec![0; global.size as usize]))
                .collect(),
            uninitialised: BTreeSet::new(),
            asked,
            of_memory: BTreeSet::new(),
            texts: Texts::new(module),
        }
    }

    /// Whether a havoc explains the byte; then it gets its value.
    fn set(&mut self, object: ObjectId, offset: i64, value: u8) -> bool {
        let covers = |havoc: &&mut Havoc| {
            let end = havoc.offset + havoc.bytes.len() as i64;
            havoc.object == object && (havoc.offset..end).contains(&offset)
        };
        let Some(havoc) = self.havocs.iter_mut().rev().find(covers) else {
            return false;
        };
        let index = (offset - havoc.offset) as usize;
        if !std::mem::replace(&mut havoc.determined[index], true) {
            havoc.bytes[index] = value;
        }
        true
    }

    /// Whether a change explains the bytes; then it gets their values.
    fn determine_change(&mut self, access: &Access, values: &[u8]) -> bool {
        let mut newest = self.changes.iter_mut().rev();
        let Some(made) = newest.find(|made| made.object == access.object) else {
            return false;
        };
        made.looked_at = true;
        if let Some(changed) = &mut made.changed {
            for (offset, &value) in (access.offset..).zip(values) {
                changed.bytes.entry(offset).or_insert(value);
            }
        }
        true
    }

    /// A change left a pointer.
    fn determine_left(&mut self, access: &Access, pointer: Pointer) {
        let made = &mut self.changes;
        let Some(at) = made.iter().rposition(|it| it.object == access.object) else {
            return;
        };
        let choice = made[at].choice;
        let same = |it: &&Made| it.choice == choice && it.object == pointer.object;
        let target = made.iter().find(same).and_then(|it| it.way.clone());
        made[at].looked_at = true;
        match (target, &mut made[at].changed) {
            (Some(way), Some(changed)) => {
                let left = (way, pointer.offset);
                changed.pointers.insert(access.offset, left);
            }
            (_, changed) => *changed = None,
        }
    }

    fn name(&self, allocation: Allocation) -> String {
        let Allocation::Instruction(function, id) = allocation else {
            return "memory".to_owned();
        };
        let body = self.module.functions[function].body.as_ref();
        let name = body.and_then(|body| {
            let result = *body.instructions[id].results.first()?;
            body.values[result].name.as_deref()
        });
        name.unwrap_or("memory").to_owned()
    }
}

impl Observer for Contents<'_> {
    fn allocate(&mut self, access: Access, _: SpanId) {
        self.texts.allocate(&access);
    }

    fn write(&mut self, access: Access) {
        self.texts.write(&access);
    }

    fn store(&mut self, access: Access, _: Type, value: Observed) {
        self.texts.store(&access, value);
    }

    fn havoc(&mut self, access: Access) {
        let function = &self.module.functions[access.at.function];
        if function.handed_over().is_some() {
            return;
        }
        let length = access.length.min(LARGEST) as usize;
        self.havocs.push(Havoc {
            at: self.asked.get(),
            object: access.object,
            offset: access.offset,
            bytes: vec![0; length],
            determined: vec![false; length],
        });
    }

    fn change(&mut self, access: Access, change: &Change<'_>) {
        let route = change.route;
        let way = route.and_then(|route| self.ways.find(change.by, route));
        self.changes.push(Made {
            by: change.by.to_string(),
            choice: self.asked.get().saturating_sub(1),
            object: access.object,
            changed: way.clone().map(Changed::from),
            way,
            looked_at: false,
        });
    }

    fn return_known(&mut self, change: &Change<'_>, pointer: Pointer) {
        let route = change.route;
        let way = route.and_then(|route| self.ways.find(change.by, route));
        let choice = self.asked.get().saturating_sub(1);
        self.returned
            .insert(choice, way.map(|way| (way, pointer.offset)));
    }

    fn determine_pointer(&mut self, access: Access, pointer: Pointer) {
        self.of_memory.insert(self.asked.get().saturating_sub(1));
        self.determine_left(&access, pointer);
    }

    fn determine(&mut self, access: Access, bits: u128) {
        // The choice was made just now.
        self.of_memory.insert(self.asked.get().saturating_sub(1));
        if self.texts.determine(&access, bits) {
            return;
        }
        let values = bits.to_le_bytes();
        if self.determine_change(&access, &values[..access.length as usize]) {
            return;
        }
        let range = (access.offset..).zip(&values[..access.length as usize]);
        if let Allocation::Global(id) = access.allocation
            && let Some(contents) = self.globals.get_mut(&id)
        {
            for (offset, &value) in range {
                if let Some(byte) = contents.get_mut(offset as usize) {
                    *byte = value;
                }
            }
            return;
        }
        let mut explained = false;
        for (offset, &value) in range {
            explained |= self.set(access.object, offset, value);
        }
        if !explained {
            let name = self.name(access.allocation);
            self.uninitialised.insert(name);
        }
    }
}
