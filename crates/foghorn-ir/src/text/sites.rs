//! Printed locations and the table of inlined calls.

use super::quote;
use cranelift_entity::EntityRef;
use foghorn_core::{InlineSite, SpanId, SpanTable};
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// Inlined calls in the order in which the text first needs them, outer ones first.
pub(super) struct Sites<'m> {
    spans: &'m SpanTable,
    numbers: FxHashMap<&'m InlineSite, u32>,
    list: Vec<&'m InlineSite>,
}

impl<'m> Sites<'m> {
    pub fn new(spans: &'m SpanTable) -> Self {
        Sites {
            spans,
            numbers: FxHashMap::default(),
            list: vec![],
        }
    }

    /// ` ! file:line:column ^site`, or nothing for an unknown location.
    pub fn location(&mut self, span: SpanId) -> String {
        if !span.is_known() {
            return String::new();
        }
        if span.index() >= self.spans.len() {
            return format!(" ; {span} does not exist");
        }
        let place = self.spans.span(span);
        let file = quote::file(self.spans.file_name(place.file));
        let mut text = format!(" ! {file}:{}", place.line);
        if place.column != 0 {
            write!(text, ":{}", place.column).expect("invariant: writing to a string succeeds");
        }
        if let Some(site) = &place.inlined_at {
            let number = self.number(site);
            write!(text, " ^{number}").expect("invariant: writing to a string succeeds");
        }
        text
    }

    fn number(&mut self, site: &'m InlineSite) -> u32 {
        let mut chain = vec![site];
        while let Some(outer) = chain.last().and_then(|inner| self.around(inner)) {
            chain.push(outer);
        }
        for site in chain.into_iter().rev() {
            if !self.numbers.contains_key(site) {
                let number = u32::try_from(self.list.len()).expect("invariant: few sites");
                self.numbers.insert(site, number);
                self.list.push(site);
            }
        }
        self.numbers[site]
    }

    /// The site that a site's call was itself inlined at, if the table lacks it yet.
    fn around(&self, site: &'m InlineSite) -> Option<&'m InlineSite> {
        let outer = self.spans.span(site.call).inlined_at.as_ref()?;
        (!self.numbers.contains_key(outer)).then_some(outer)
    }

    /// The lines of the table.
    pub fn table(&mut self) -> String {
        let mut text = String::new();
        for number in 0..self.list.len() {
            let site = self.list[number];
            let call = self.location(site.call);
            let callee = quote::string(&site.callee);
            writeln!(text, "inline-site ^{number} = {callee}{call}")
                .expect("invariant: writing to a string succeeds");
        }
        text
    }
}
