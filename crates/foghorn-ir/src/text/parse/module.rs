//! Parses what stands outside of bodies.

use super::body::BodyParser;
use super::stream::Stream;
use super::{ParseError, Problem};
use crate::module::{
    DataLayout, Function, FunctionId, Global, GlobalContents, GlobalId, Initializer, Module,
    Relocation, Signature, Symbol,
};
use crate::text::lex::{Position, Token};
use foghorn_core::{InlineSite, Span, SpanId};
use rustc_hash::FxHashMap;
use std::sync::Arc;

pub fn parse(tokens: &[(Token<'_>, Position)]) -> Result<Module, ParseError> {
    let mut stream = Stream::new(tokens);
    let layout = header(&mut stream)?;
    let mut parser = ModuleParser {
        module: Module::new(layout),
        symbols: FxHashMap::default(),
        sites: FxHashMap::default(),
    };
    let lists = parser.lists(&mut stream)?;
    let definitions = stream;
    parser.declare_all(stream)?;
    parser.resolve_lists(lists)?;
    parser.define_all(definitions)?;
    Ok(parser.module)
}

fn header(stream: &mut Stream<'_, '_>) -> Result<DataLayout, ParseError> {
    stream.word("foghorn-ir")?;
    stream.take("version 1", |token| match token {
        Token::Number(n) if n.magnitude == 1 && !n.negative => Some(()),
        _ => None,
    })?;
    stream.word("layout")?;
    stream.word("pointer-bytes")?;
    let pointer_bytes = stream.take("4 or 8", |token| match token {
        Token::Number(n) if matches!(n.magnitude, 4 | 8) => u32::try_from(n.magnitude).ok(),
        _ => None,
    })?;
    Ok(DataLayout { pointer_bytes })
}

/// A name and where it was read.
type Name = (Arc<str>, Position);

/// Functions named at the top of the text.
#[derive(Default)]
struct Lists {
    entry: Option<Name>,
    constructors: Vec<Name>,
    destructors: Vec<Name>,
}

pub struct ModuleParser {
    pub module: Module,
    symbols: FxHashMap<Arc<str>, Symbol>,
    sites: FxHashMap<u32, InlineSite>,
}

impl ModuleParser {
    fn lists(&mut self, stream: &mut Stream<'_, '_>) -> Result<Lists, ParseError> {
        let mut lists = Lists::default();
        let name = |stream: &mut Stream<'_, '_>| {
            let position = stream.position();
            stream.symbol().map(|name| (name, position))
        };
        loop {
            if stream.try_word("entry") {
                lists.entry = Some(name(stream)?);
            } else if stream.try_word("constructors") {
                lists.constructors = stream.list(",", name)?;
            } else if stream.try_word("destructors") {
                lists.destructors = stream.list(",", name)?;
            } else if stream.is_word("inline-site") {
                self.site(stream)?;
            } else {
                return Ok(lists);
            }
        }
    }

    fn resolve_lists(&mut self, lists: Lists) -> Result<(), ParseError> {
        let find = |(name, position): Name| self.function_named(&name, position);
        let entry = lists.entry.map(find).transpose()?;
        let constructors: Result<_, _> = lists.constructors.into_iter().map(find).collect();
        let destructors: Result<_, _> = lists.destructors.into_iter().map(find).collect();
        let (constructors, destructors) = (constructors?, destructors?);
        self.module.entry = entry;
        self.module.constructors = constructors;
        self.module.destructors = destructors;
        Ok(())
    }

    fn site(&mut self, stream: &mut Stream<'_, '_>) -> Result<(), ParseError> {
        stream.word("inline-site")?;
        let position = stream.position();
        let number = stream.take("a site such as '^0'", |token| match token {
            Token::Site(number) => Some(*number),
            _ => None,
        })?;
        stream.punctuation("=")?;
        let callee = stream.text("the quoted name of the inlined function")?;
        let call = self.location(stream)?;
        match self.sites.insert(number, InlineSite { callee, call }) {
            None => Ok(()),
            Some(_) => duplicate(position, format!("site ^{number}")),
        }
    }

    /// The location that follows, unknown if there is none.
    pub fn location(&mut self, stream: &mut Stream<'_, '_>) -> Result<SpanId, ParseError> {
        let Token::Location { file, line, column } = stream.peek() else {
            return Ok(SpanId::UNKNOWN);
        };
        let Ok(name) = std::str::from_utf8(file) else {
            return stream.expected("a file name in UTF-8");
        };
        stream.advance();
        let position = stream.position();
        let inlined_at = match stream.peek() {
            Token::Site(number) => {
                stream.advance();
                let site = self.sites.get(number).cloned();
                Some(Stream::defined(position, site, || {
                    format!("site ^{number}")
                })?)
            }
            _ => None,
        };
        let file = self.module.spans.file(name);
        Ok(self.module.spans.intern(Span {
            file,
            line: *line,
            column: *column,
            inlined_at,
        }))
    }

    pub fn symbol_named(&self, name: &str, position: Position) -> Result<Symbol, ParseError> {
        let symbol = self.symbols.get(name).copied();
        Stream::defined(position, symbol, || format!("@{name}"))
    }

    pub fn function_named(&self, name: &str, position: Position) -> Result<FunctionId, ParseError> {
        match self.symbol_named(name, position)? {
            Symbol::Function(function) => Ok(function),
            Symbol::Global(_) => Err(ParseError::expected(
                position,
                "a function",
                format!("the global @{name}"),
            )),
        }
    }

    fn enter(&mut self, name: Name, symbol: Symbol) -> Result<(), ParseError> {
        let (name, position) = name;
        match self.symbols.insert(name.clone(), symbol) {
            None => Ok(()),
            Some(_) => duplicate(position, format!("@{name}")),
        }
    }

    fn declare_all(&mut self, mut stream: Stream<'_, '_>) -> Result<(), ParseError> {
        while *stream.peek() != Token::End {
            let external = stream.try_word("external");
            if external || stream.is_word("global") || stream.is_word("constant") {
                self.declare_global(&mut stream, external)?;
            } else {
                self.declare_function(&mut stream)?;
            }
        }
        Ok(())
    }

    fn declare_global(
        &mut self,
        stream: &mut Stream<'_, '_>,
        external: bool,
    ) -> Result<(), ParseError> {
        let constant = stream.named("'global' or 'constant'", |word| match word {
            "global" => Some(false),
            "constant" => Some(true),
            _ => None,
        })?;
        let position = stream.position();
        let name = stream.symbol()?;
        stream.word("size")?;
        let size = stream.unsigned("a size in bytes")?;
        stream.word("align")?;
        let align = stream.unsigned("an alignment in bytes")?;
        let contents = if external {
            GlobalContents::External
        } else {
            stream.punctuation("=")?;
            skip_initializer(stream)?;
            GlobalContents::Initialised(Initializer::default())
        };
        let span = self.location(stream)?;
        let id = self.module.globals.push(Global {
            name: name.clone(),
            size,
            align,
            constant,
            contents,
            span,
        });
        self.enter((name, position), Symbol::Global(id))
    }

    fn declare_function(&mut self, stream: &mut Stream<'_, '_>) -> Result<(), ParseError> {
        let is_model = stream.try_word("model");
        let has_body = stream.named("a global or a function", |word| match word {
            "function" => Some(true),
            "declare" => Some(false),
            _ => None,
        })?;
        let position = stream.position();
        let name = stream.symbol()?;
        let params = stream.parenthesised(Stream::ty)?;
        let results = if stream.try_punctuation("->") {
            stream.list(",", Stream::ty)?
        } else {
            vec![]
        };
        let span = self.location(stream)?;
        if has_body {
            stream.punctuation("{")?;
            while !stream.is_punctuation("}") {
                if *stream.peek() == Token::End {
                    return stream.expected("'}'");
                }
                stream.advance();
            }
            stream.advance();
        }
        let id = self.module.functions.push(Function {
            name: name.clone(),
            signature: Signature { params, results },
            body: None,
            span,
            is_model,
        });
        self.enter((name, position), Symbol::Function(id))
    }

    /// Second pass. What the first one took is right in shape, so only the insides are read.
    fn define_all(&mut self, mut stream: Stream<'_, '_>) -> Result<(), ParseError> {
        let mut globals = self.module.globals.keys().collect::<Vec<_>>().into_iter();
        let mut functions = self.module.functions.keys().collect::<Vec<_>>().into_iter();
        while *stream.peek() != Token::End {
            match stream.advance() {
                Token::Word("global" | "constant") => {
                    let id = globals
                        .next()
                        .expect("invariant: declared in the first pass");
                    self.define_global(&mut stream, id)?;
                }
                Token::Word("declare") => {
                    functions.next();
                }
                Token::Word("function") => {
                    let id = functions
                        .next()
                        .expect("invariant: declared in the first pass");
                    self.define_function(&mut stream, id)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn define_global(
        &mut self,
        stream: &mut Stream<'_, '_>,
        id: GlobalId,
    ) -> Result<(), ParseError> {
        if matches!(self.module.globals[id].contents, GlobalContents::External) {
            return Ok(());
        }
        while !stream.try_punctuation("=") {
            stream.advance();
        }
        let initializer = self.initializer(stream)?;
        self.module.globals[id].contents = GlobalContents::Initialised(initializer);
        Ok(())
    }

    fn initializer(&self, stream: &mut Stream<'_, '_>) -> Result<Initializer, ParseError> {
        let mut initializer = Initializer::default();
        if stream.try_word("zero") {
            return Ok(initializer);
        }
        stream.punctuation("{")?;
        stream.list(",", |stream| {
            let offset = stream.unsigned("an offset in bytes")?;
            stream.punctuation(":")?;
            match stream.peek() {
                Token::Text(_) => initializer.chunks.push((offset, bytes(stream))),
                _ => {
                    let relocation = self.relocation(stream, offset)?;
                    initializer.relocations.push(relocation);
                }
            }
            Ok(())
        })?;
        stream.punctuation("}")?;
        Ok(initializer)
    }

    fn relocation(
        &self,
        stream: &mut Stream<'_, '_>,
        offset: u64,
    ) -> Result<Relocation, ParseError> {
        let position = stream.position();
        let Token::Symbol(_) = stream.peek() else {
            return stream.expected("quoted bytes or a name with '@'");
        };
        let name = stream.symbol()?;
        let target = self.symbol_named(&name, position)?;
        let addend = if stream.try_punctuation("+") {
            stream.signed("an addend of 64 bits")?
        } else {
            0
        };
        Ok(Relocation {
            offset,
            target,
            addend,
        })
    }

    fn define_function(
        &mut self,
        stream: &mut Stream<'_, '_>,
        id: FunctionId,
    ) -> Result<(), ParseError> {
        while !stream.try_punctuation("{") {
            stream.advance();
        }
        let body = BodyParser::new(self, *stream)?.parse(stream)?;
        self.module.functions[id].body = Some(body);
        stream.punctuation("}")
    }
}

pub fn duplicate<T>(position: Position, what: String) -> Result<T, ParseError> {
    Err(ParseError::new(position, Problem::Duplicate(what)))
}

/// Adjacent texts are one run of bytes.
fn bytes(stream: &mut Stream<'_, '_>) -> Vec<u8> {
    let mut bytes = vec![];
    while let Token::Text(piece) = stream.peek() {
        bytes.extend_from_slice(piece);
        stream.advance();
    }
    bytes
}

fn skip_initializer(stream: &mut Stream<'_, '_>) -> Result<(), ParseError> {
    if stream.try_word("zero") {
        return Ok(());
    }
    if !stream.is_punctuation("{") {
        return stream.expected("'zero' or '{'");
    }
    while !stream.is_punctuation("}") {
        if *stream.peek() == Token::End {
            return stream.expected("'}'");
        }
        stream.advance();
    }
    stream.advance();
    Ok(())
}
