//! Source locations.
//!
//! A [`SpanTable`] belongs to one program. It interns file names and locations, so that an
//! instruction carries four bytes and two instructions of one line share them. A location that
//! came into a function by inlining points at the call it was inlined at, and so a whole call
//! stack can be told from one [`SpanId`].
//!
//! Invariant: [`SpanId::UNKNOWN`] is entry 0 of every table and has line 0.

use cranelift_entity::{PrimaryMap, entity_impl};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::Arc;

/// A source file named by a [`SpanTable`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FileId(u32);
entity_impl!(FileId, "file");

/// A location named by a [`SpanTable`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SpanId(u32);
entity_impl!(SpanId, "span");

impl SpanId {
    /// The location of what has none: code that the compiler or Foghorn itself made up.
    pub const UNKNOWN: SpanId = SpanId(0);

    /// Whether this names a real place in a source file.
    pub fn is_known(self) -> bool {
        self != Self::UNKNOWN
    }
}

impl Default for SpanId {
    fn default() -> Self {
        Self::UNKNOWN
    }
}

/// The call at which a piece of code was inlined.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct InlineSite {
    /// The name of the function whose body was inlined.
    pub callee: Arc<str>,
    /// The location of the call itself, which may in turn be inlined.
    pub call: SpanId,
}

/// One location: a file, a line and a column, both counted from 1; 0 says "not known".
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Span {
    pub file: FileId,
    pub line: u32,
    pub column: u32,
    pub inlined_at: Option<InlineSite>,
}

/// Interner of files and locations.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(from = "StoredSpanTable")]
pub struct SpanTable {
    files: PrimaryMap<FileId, Arc<str>>,
    #[serde(skip_serializing)]
    file_index: HashMap<Arc<str>, FileId>,
    spans: PrimaryMap<SpanId, Span>,
    #[serde(skip_serializing)]
    span_index: HashMap<Span, SpanId>,
}

/// What is written of a [`SpanTable`]: its indices follow from the rest.
#[derive(Deserialize)]
struct StoredSpanTable {
    files: PrimaryMap<FileId, Arc<str>>,
    spans: PrimaryMap<SpanId, Span>,
}

impl From<StoredSpanTable> for SpanTable {
    fn from(stored: StoredSpanTable) -> Self {
        let StoredSpanTable { files, spans } = stored;
        let file_index = files.iter().map(|(id, name)| (name.clone(), id)).collect();
        let span_index = spans.iter().map(|(id, span)| (span.clone(), id)).collect();
        SpanTable {
            files,
            file_index,
            spans,
            span_index,
        }
    }
}

impl Default for SpanTable {
    fn default() -> Self {
        let mut table = SpanTable {
            files: PrimaryMap::new(),
            file_index: HashMap::new(),
            spans: PrimaryMap::new(),
            span_index: HashMap::new(),
        };
        let nowhere = table.file("<unknown>");
        table.intern(Span {
            file: nowhere,
            line: 0,
            column: 0,
            inlined_at: None,
        });
        table
    }
}

impl SpanTable {
    /// The file of that name, entered if it is new.
    pub fn file(&mut self, name: &str) -> FileId {
        if let Some(&id) = self.file_index.get(name) {
            return id;
        }
        let name: Arc<str> = name.into();
        let id = self.files.push(name.clone());
        self.file_index.insert(name, id);
        id
    }

    /// The location with these parts, entered if it is new.
    pub fn intern(&mut self, span: Span) -> SpanId {
        if let Some(&id) = self.span_index.get(&span) {
            return id;
        }
        let id = self.spans.push(span.clone());
        self.span_index.insert(span, id);
        id
    }

    /// A location that was not inlined.
    pub fn at(&mut self, file: &str, line: u32, column: u32) -> SpanId {
        let file = self.file(file);
        self.intern(Span {
            file,
            line,
            column,
            inlined_at: None,
        })
    }

    /// `span` as it stands after its function was inlined at `site`: the chain of calls that
    /// `span` already had is kept, and `site` becomes its outermost link.
    pub fn inlined(&mut self, span: SpanId, site: &InlineSite) -> SpanId {
        let mut chain = vec![span];
        while let Some(inner) = &self.spans[*chain.last().expect("invariant: not empty")].inlined_at
        {
            chain.push(inner.call);
        }
        let mut outer = None;
        for id in chain.into_iter().rev() {
            let mut copy = self.spans[id].clone();
            copy.inlined_at = match (outer, copy.inlined_at.take()) {
                (Some(call), Some(inner)) => Some(InlineSite {
                    callee: inner.callee,
                    call,
                }),
                (Some(_), None) | (None, _) => Some(site.clone()),
            };
            outer = Some(self.intern(copy));
        }
        outer.expect("invariant: the chain has at least the span itself")
    }

    pub fn span(&self, id: SpanId) -> &Span {
        &self.spans[id]
    }

    pub fn file_name(&self, id: FileId) -> &Arc<str> {
        &self.files[id]
    }

    /// All locations, [`SpanId::UNKNOWN`] first.
    pub fn iter(&self) -> impl Iterator<Item = (SpanId, &Span)> {
        self.spans.iter()
    }

    /// `file:line:column`, without the parts that are not known.
    pub fn describe(&self, id: SpanId) -> String {
        let span = self.span(id);
        let file = &self.files[span.file];
        match (span.line, span.column) {
            (0, _) => file.to_string(),
            (line, 0) => format!("{file}:{line}"),
            (line, column) => format!("{file}:{line}:{column}"),
        }
    }

    /// Number of locations.
    pub fn len(&self) -> usize {
        self.spans.len()
    }

    /// Never true: the unknown location is always there.
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cranelift_entity::EntityRef;

    #[test]
    fn unknown_is_entry_zero() {
        let table = SpanTable::default();
        assert_eq!(SpanId::UNKNOWN.index(), 0);
        assert_eq!(table.describe(SpanId::UNKNOWN), "<unknown>");
    }

    #[test]
    fn equal_places_share_an_id() {
        let mut table = SpanTable::default();
        assert_eq!(table.at("a.c", 3, 1), table.at("a.c", 3, 1));
        assert_ne!(table.at("a.c", 3, 1), table.at("b.c", 3, 1));
    }

    #[test]
    fn inlining_appends_the_outermost_call() {
        let mut table = SpanTable::default();
        let body = table.at("a.c", 10, 1);
        let inner_call = table.at("a.c", 20, 1);
        let outer_call = table.at("a.c", 30, 1);
        let once = table.inlined(
            body,
            &InlineSite {
                callee: "f".into(),
                call: inner_call,
            },
        );
        let twice = table.inlined(
            once,
            &InlineSite {
                callee: "g".into(),
                call: outer_call,
            },
        );
        let mut stack = vec![];
        let mut at = Some(twice);
        while let Some(id) = at {
            let span = table.span(id);
            stack.push((
                span.line,
                span.inlined_at.as_ref().map(|s| s.callee.to_string()),
            ));
            at = span.inlined_at.as_ref().map(|s| s.call);
        }
        assert_eq!(
            stack,
            [(10, Some("f".into())), (20, Some("g".into())), (30, None)]
        );
    }
}
