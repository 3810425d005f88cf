//! Text that a program may be waiting for, made up for trials.
//!
//! Random bytes are no input: a reader of lines wants newlines, a parser its own punctuation. The
//! characters and words that the program's own code mentions are a good guess at both, so a typist
//! mixes them with digits, white space, repetitions and a few bytes of any kind. What is no text is
//! left to [`Seeded`].

use foghorn_ir::interpret::{ChoiceRequest, ChoiceSource, Seeded};
use foghorn_ir::{Constant, GlobalContents, Module, NondetOrigin, Type, ValueDef};
use foghorn_witness::stream;
use std::collections::{BTreeSet, VecDeque};

/// Words longer than this are messages.
const LONGEST_WORD: usize = 12;
/// Bytes that one trial reads at most.
const LENGTH: u64 = 96;

/// What the program's code mentions.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    characters: Vec<u8>,
    words: Vec<Vec<u8>>,
    /// Sizes, perhaps of what is read.
    sizes: Vec<u64>,
}

impl Vocabulary {
    pub fn of(module: &Module) -> Self {
        let (mut characters, mut sizes) = (BTreeSet::new(), BTreeSet::new());
        for function in module.functions.values().filter(|f| !f.is_model) {
            let values = function.body.iter().flat_map(|body| body.values.values());
            for value in values {
                let ValueDef::Constant(Constant::Int(number)) = value.def else {
                    continue;
                };
                if let Ok(byte @ b' '..=b'~') = u8::try_from(number) {
                    characters.insert(byte);
                }
                if number > 0 && number <= 4096 {
                    sizes.insert(number as u64);
                }
            }
        }
        Vocabulary {
            characters: characters.into_iter().collect(),
            words: words(module).into_iter().collect(),
            sizes: sizes.into_iter().collect(),
        }
    }
}

/// Short texts among the constants.
fn words(module: &Module) -> BTreeSet<Vec<u8>> {
    let mut words = BTreeSet::new();
    for global in module.globals.values() {
        let GlobalContents::Initialised(initial) = &global.contents else {
            continue;
        };
        let [(0, bytes)] = &initial.chunks[..] else {
            continue;
        };
        let text: Vec<u8> = bytes.iter().copied().take_while(|&b| b != 0).collect();
        let plain = |&b: &u8| b == b'\n' || (b' '..=b'~').contains(&b);
        let is_format = text.contains(&b'%');
        if (1..=LONGEST_WORD).contains(&text.len()) && text.iter().all(plain) && !is_format {
            words.insert(text);
        }
    }
    words
}

/// A source of choices that types text.
pub struct Typist<'v> {
    vocabulary: &'v Vocabulary,
    others: Seeded,
    state: u64,
    /// Bytes that are typed next.
    pending: VecDeque<u8>,
    last: u8,
    /// Bytes left until the end of all input.
    left: u64,
}

impl<'v> Typist<'v> {
    pub fn new(vocabulary: &'v Vocabulary, seed: u64) -> Self {
        let mut typist = Typist {
            vocabulary,
            others: Seeded::new(seed),
            state: seed,
            pending: VecDeque::new(),
            last: b'a',
            left: 0,
        };
        typist.left = 1 + typist.below(LENGTH);
        typist
    }

    /// A number below a bound that is not 0, by the generator SplitMix64.
    fn below(&mut self, bound: u64) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound
    }

    fn pick<T: Clone>(&mut self, of: &[T]) -> Option<T> {
        let count = of.len() as u64;
        (count > 0).then(|| of[self.below(count) as usize].clone())
    }

    fn byte(&mut self) -> u8 {
        if self.pending.is_empty() {
            self.refill();
        }
        self.last = self.pending.pop_front().unwrap_or(b'\n');
        self.last
    }

    fn refill(&mut self) {
        let vocabulary = self.vocabulary;
        match self.below(16) {
            0..=5 => {
                let character = self.pick(&vocabulary.characters).unwrap_or(b'x');
                self.pending.push_back(character);
            }
            6 => {
                let word = self.pick(&vocabulary.words).unwrap_or_default();
                self.pending.extend(word);
            }
            7 | 8 => self.pending.push_back(b'\n'),
            9 => self.pending.push_back(b' '),
            10 | 11 => {
                let digit = b'0' + self.below(10) as u8;
                self.pending.push_back(digit);
            }
            12 => {
                let letter = b'a' + self.below(26) as u8;
                self.pending.push_back(letter);
            }
            13 | 14 => {
                let count = 1 + self.below(20);
                for _ in 0..count {
                    self.pending.push_back(self.last);
                }
            }
            _ => {
                let any = self.below(256) as u8;
                self.pending.push_back(any);
            }
        }
    }

    /// Whether the input goes on with one more piece.
    fn goes_on(&mut self) -> bool {
        self.left = self.left.saturating_sub(1);
        self.left > 0
    }

    fn count(&mut self, width: u32) -> u128 {
        let sizes = &self.vocabulary.sizes;
        match self.below(8) {
            0 => 0,
            1 => u128::from(u64::MAX >> (64 - width.min(64))),
            2..=4 => self.pick(sizes).unwrap_or(8).into(),
            _ => self.below(17).into(),
        }
    }

    fn chosen(&mut self, form: stream::Form, request: &ChoiceRequest<'_>) -> Option<u128> {
        use stream::Form;
        match form {
            Form::Byte if self.goes_on() => Some(u128::from(self.byte()) + 1),
            Form::Following if self.goes_on() => {
                let byte = match self.below(8) {
                    0 => self.byte(),
                    1..=4 => b' ',
                    _ => b'\n',
                };
                Some(u128::from(byte) + 1)
            }
            Form::Outcome if self.goes_on() => Some(match self.below(16) {
                0 => 3,
                1 => 4,
                _ => 2,
            }),
            Form::Byte | Form::Following | Form::Outcome => Some(0),
            Form::Count if self.goes_on() => Some(self.count(request.width)),
            Form::Count => Some(0),
            Form::Other => None,
        }
    }
}

impl ChoiceSource for Typist<'_> {
    fn choose(&mut self, request: &ChoiceRequest<'_>) -> Option<u128> {
        let typed = match request.origin {
            // A block that was read gets its bytes when somebody looks at them.
            NondetOrigin::Uninitialised(_) if request.ty == Type::I8 => Some(self.byte().into()),
            // Most results of library functions say that all is well, or nothing is.
            NondetOrigin::Input(name) if name.starts_with("__foghorn_library_") => {
                match self.below(4) {
                    0 | 1 => Some(0),
                    2 => Some(u128::MAX),
                    _ => None,
                }
            }
            origin => {
                let form = stream::form_of(origin);
                form.and_then(|form| self.chosen(form, request))
            }
        };
        typed.or_else(|| self.others.choose(request))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use foghorn_core::SpanId;

    #[test]
    fn text_ends_and_mentions_what_the_program_does() {
        let vocabulary = Vocabulary {
            characters: vec![b','],
            words: vec![b"level".to_vec()],
            sizes: vec![],
        };
        let mut typed = vec![];
        for seed in 0..20 {
            let mut typist = Typist::new(&vocabulary, seed);
            let origin = NondetOrigin::Input("__foghorn_stdin_byte".into());
            for index in 0.. {
                let request = ChoiceRequest {
                    origin: &origin,
                    ty: Type::Int(16),
                    width: 16,
                    span: SpanId::UNKNOWN,
                    index,
                    at: None,
                    known: &[],
                };
                match typist.choose(&request) {
                    Some(code @ 1..=256) => typed.push((code - 1) as u8),
                    _ => break,
                }
            }
        }
        let text = String::from_utf8_lossy(&typed);
        assert!(text.contains("level") && text.contains(','), "{text}");
    }
}
