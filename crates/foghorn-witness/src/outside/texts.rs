//! The strings from outside, put together while a run goes on.

use super::Outside;
use foghorn_ir::Module;
use foghorn_ir::interpret::{Access, Allocation, ObjectId, Observed};

/// The choice that says how many arguments there are besides the name of the program, and the bits of
/// it that count, as in `arguments.c`.
const COUNT: &str = "__foghorn_nondet_argument_count";
const COUNT_BITS: u128 = (1 << 27) - 1;

/// How the names of choices begin that only say what the strings are.
const CHOICES: [&str; 2] = [
    "__foghorn_nondet_argument_",
    "__foghorn_nondet_environment_",
];

/// Bytes of one string that are kept.
const LARGEST: u64 = 1 << 20;

/// What a byte that nobody looked at is shown as.
const ANY: u8 = b'a';

/// What a string is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Argument,
    /// An entry of the environment.
    Entry,
    /// The name of a variable of the environment …
    Name,
    /// … and its value.
    Value,
}

#[derive(Debug)]
struct Text {
    role: Role,
    object: ObjectId,
    /// The terminating zero included; `None` for what nobody has looked at.
    bytes: Vec<Option<u8>>,
}

/// Listens to a run.
#[derive(Debug)]
pub struct Texts<'m> {
    module: &'m Module,
    texts: Vec<Text>,
    count: Option<u64>,
    is_listed: bool,
}

impl<'m> Texts<'m> {
    pub fn new(module: &'m Module) -> Self {
        Texts {
            module,
            texts: vec![],
            count: None,
            is_listed: false,
        }
    }

    /// Whether a choice of this name says nothing beyond the strings.
    pub fn explains(name: &str) -> bool {
        CHOICES.iter().any(|prefix| name.starts_with(prefix))
    }

    /// A choice of the run.
    pub fn choice(&mut self, name: &str, bits: u128) {
        if name == COUNT {
            self.count = Some((bits & COUNT_BITS) as u64 + 1);
        }
    }

    /// An object comes into being.
    pub fn allocate(&mut self, access: &Access) {
        let Allocation::Instruction(function, _) = access.allocation else {
            return;
        };
        let role = match self.module.functions[function].handed_over() {
            Some("argument") => Role::Argument,
            Some("entry") => Role::Entry,
            Some("name") => Role::Name,
            Some("variable") => Role::Value,
            Some("environment") => {
                self.is_listed = true;
                return;
            }
            Some(_) | None => return,
        };
        self.texts.push(Text {
            role,
            object: access.object,
            bytes: vec![None; access.length.min(LARGEST) as usize],
        });
    }

    fn of(&mut self, object: ObjectId) -> Option<&mut Text> {
        self.texts.iter_mut().find(|text| text.object == object)
    }

    /// Bytes get values since somebody looks at them. Whether they are those of a string from
    /// outside.
    pub fn determine(&mut self, access: &Access, bits: u128) -> bool {
        let Some(text) = self.of(access.object) else {
            return false;
        };
        let values = bits.to_le_bytes();
        for (index, &value) in values[..access.length as usize].iter().enumerate() {
            let byte = text.bytes.get_mut(access.offset as usize + index);
            if let Some(byte) = byte {
                byte.get_or_insert(value);
            }
        }
        true
    }

    /// Bytes are written: what the program writes, nobody looked at before.
    pub fn write(&mut self, access: &Access) {
        if self.is_made_here(access) {
            return;
        }
        if let Some(text) = self.of(access.object) {
            let start = (access.offset as usize).min(text.bytes.len());
            let end = start.saturating_add(access.length as usize);
            let end = end.min(text.bytes.len());
            for byte in &mut text.bytes[start..end] {
                byte.get_or_insert(ANY);
            }
        }
    }

    /// A value is stored: a model writes a name, or the end of a string.
    pub fn store(&mut self, access: &Access, value: Observed) {
        let Observed::Bits(bits) = value else { return };
        if self.is_made_here(access)
            && let Some(text) = self.of(access.object)
            && let Some(byte) = text.bytes.get_mut(access.offset as usize)
        {
            *byte = Some(bits as u8);
        }
    }

    fn is_made_here(&self, access: &Access) -> bool {
        let function = &self.module.functions[access.at.function];
        function.handed_over().is_some()
    }

    /// What the run got.
    pub fn finish(self) -> Outside {
        let mut outside = Outside {
            count: self.count,
            entries: self.is_listed.then(Vec::new),
            ..Outside::default()
        };
        for text in self.texts {
            let string = string(&text.bytes);
            match text.role {
                Role::Argument => outside.arguments.push(string),
                Role::Entry => outside.entries.get_or_insert_default().push(string),
                Role::Name => outside.variables.push((string, None)),
                Role::Value => {
                    if let Some((_, value)) = outside.variables.last_mut() {
                        *value = Some(string);
                    }
                }
            }
        }
        outside
    }
}

/// The bytes before the first zero.
fn string(bytes: &[Option<u8>]) -> Vec<u8> {
    let bytes = bytes.iter().map(|byte| byte.unwrap_or(ANY));
    let mut string: Vec<u8> = bytes.take_while(|&byte| byte != 0).collect();
    // The end of a string that was cut short is not among the bytes.
    string.shrink_to_fit();
    string
}
