//! What a picture says of a node, in words: where its objects come from, and what its fields hold.

use super::{Drawn, Row, is_shown};
use crate::Analysis;
use crate::graph::{AccessKind, Cell, Flags, Graph, Node, NodeId, Site};
use cranelift_entity::EntityRef;
use foghorn_ir::{FunctionId, Global, GlobalContents, Module};
use rustc_hash::{FxHashMap, FxHashSet};

/// Rows of a node; more are counted.
const MOST_ROWS: usize = 24;

/// Lines of a title; more are counted.
const MOST_TITLE: usize = 6;

/// Characters of a row, and of a line of a title, which may have to name all kinds of objects;
/// longer ones are cut.
const WIDEST: usize = 44;
const WIDEST_TITLE: usize = 64;

/// Characters of a string; longer ones are cut.
const WIDEST_STRING: usize = 24;

/// What all descriptions of a picture need.
pub(super) struct Description<'a> {
    pub module: &'a Module,
    pub graph: &'a Graph,
    /// Nodes to which lines are drawn.
    pub lines: FxHashSet<NodeId>,
    /// Names of what callers pass.
    pub names: FxHashMap<NodeId, String>,
}

impl Analysis {
    /// What nodes are that come from outside: parameters of the function, or for the environment
    /// those of the functions that it calls.
    pub(super) fn parameter_names(
        &self,
        module: &Module,
        function: Option<FunctionId>,
    ) -> FxHashMap<NodeId, String> {
        let mut names = FxHashMap::default();
        let solution = &self.solution;
        let group = function.and_then(|function| solution.group_of[function]);
        let group = &solution.groups[group.unwrap_or(solution.root)];
        let mut add = |cell: Cell, text: String| {
            let node = group.graph.lookup(cell).node;
            names.entry(node).or_insert(text);
        };
        for &own in &group.functions {
            let cells = &solution.cells[own];
            for (index, &param) in cells.params.iter().enumerate() {
                if let Some(cell) = cells.get(param) {
                    add(cell, parameter(module, own, index));
                }
            }
        }
        for edge in group.calls.iter().filter(|edge| edge.site.is_none()) {
            let cells = &solution.cells[edge.callee];
            let params = cells.params.iter().enumerate();
            let with_cells = params.filter(|(_, param)| cells.get(**param).is_some());
            for ((index, _), &(_, own)) in with_cells.zip(&edge.roots) {
                add(own, parameter(module, edge.callee, index));
            }
        }
        names
    }
}

/// A parameter, by its name or number.
fn parameter(module: &Module, function: FunctionId, index: usize) -> String {
    let data = &module.functions[function];
    let named = data.body.as_ref().and_then(|body| {
        let param = body.blocks[body.entry].params.get(index)?;
        body.values[*param].name.clone()
    });
    match named {
        Some(name) => format!("{name} of {}()", data.name),
        None => format!("argument {index} of {}()", data.name),
    }
}

impl Description<'_> {
    pub fn node(&self, id: NodeId, column: usize) -> Drawn {
        let node = &self.graph.nodes[id];
        let mut rows = self.rows(id);
        shorten(&mut rows);
        Drawn {
            id,
            rows,
            title: self
                .title(id)
                .iter()
                .map(|line| cut(line, WIDEST_TITLE))
                .collect(),
            colour: match (node.collapsed, node.stride) {
                (true, _) => "#f4b6b0",
                (false, 0) => "#e8e8e8",
                (false, _) => "#bcd7f0",
            },
            column,
        }
    }

    fn title(&self, id: NodeId) -> Vec<String> {
        let node = &self.graph.nodes[id];
        let shape = match (node.collapsed, node.stride) {
            (true, _) => " collapsed".to_owned(),
            (false, 0) => String::new(),
            (false, stride) => format!(" array of {stride}"),
        };
        let mut title = vec![format!("{id}{shape}: {}", flags_text(node.flags))];
        title.extend(self.origins(id));
        if title.len() > MOST_TITLE {
            let more = title.len() - MOST_TITLE + 1;
            title.truncate(MOST_TITLE - 1);
            title.push(format!("… and {more} more"));
        }
        title
    }

    /// Where the objects of a node come from: what has a name in the source before what has none.
    fn origins(&self, id: NodeId) -> Vec<String> {
        let node = &self.graph.nodes[id];
        let functions = node.functions.iter();
        let functions = functions.map(|&f| format!("{}()", self.module.functions[f].name));
        let (unnamed, named): (Vec<Site>, Vec<Site>) = node
            .sites
            .iter()
            .partition(|site| is_unnamed(self.module, **site));
        let sites = named.into_iter().chain(unnamed);
        let outside = sites.clone().all(|site| site == Site::Environment);
        let passed = self.names.get(&id).filter(|_| outside);
        let sites = sites
            .filter(|&site| passed.is_none() || site != Site::Environment)
            .map(|site| site_text(self.module, site));
        passed
            .cloned()
            .into_iter()
            .chain(sites)
            .chain(functions)
            .collect()
    }

    fn rows(&self, id: NodeId) -> Vec<Row> {
        let node = &self.graph.nodes[id];
        let rows = node.fields.iter().map(|(start, field)| {
            let target = field.link.map(|link| self.graph.lookup(link));
            let kinds: Vec<String> = field.accesses.iter().map(kind_text).collect();
            let range = match node.collapsed {
                true => "all".to_owned(),
                false => format!("{start}..{}", start + field.length),
            };
            let leads = target.map_or_else(String::new, |cell| self.target_text(id, cell));
            let line = target.filter(|cell| self.lines.contains(&cell.node));
            Row {
                text: cut(&format!("{range} {}{leads}", kinds.join(" ")), WIDEST),
                target: line.filter(|cell| cell.node != id).map(|cell| cell.node),
            }
        });
        rows.collect()
    }

    /// What a line does not show: where it leads if there is none, and to which offset.
    fn target_text(&self, from: NodeId, cell: Cell) -> String {
        let offset = match cell.offset {
            0 => String::new(),
            offset => format!("+{offset}"),
        };
        if cell.node == from {
            return format!(" → itself{offset}");
        }
        if self.lines.contains(&cell.node) {
            return match cell.offset {
                0 => String::new(),
                _ => format!(" → {offset}"),
            };
        }
        let node = &self.graph.nodes[cell.node];
        if !is_shown(self.graph, cell.node) {
            return functions_text(self.module, node);
        }
        let single = node.sites.len() + node.functions.len() == 1 && !node.collapsed;
        let name = match self.origins(cell.node).first() {
            Some(name) if single => name.clone(),
            Some(_) | None => cell.node.to_string(),
        };
        format!(" → {name}{offset}")
    }
}

/// The functions that a node without fields stands for.
fn functions_text(module: &Module, node: &Node) -> String {
    let Some(&first) = node.functions.first() else {
        return String::new();
    };
    let name = &module.functions[first].name;
    match node.functions.len() {
        1 => format!(" → {name}()"),
        count => format!(" → {name}() or {} more", count - 1),
    }
}

/// Leaves out rows of nodes with many. Those that lead somewhere tell more than those that do not.
fn shorten(rows: &mut Vec<Row>) {
    if rows.len() <= MOST_ROWS {
        return;
    }
    let left_out = rows.len() - MOST_ROWS + 1;
    let mut plain = left_out;
    rows.retain(|row| {
        row.target.is_some() || plain == 0 || {
            plain -= 1;
            false
        }
    });
    rows.truncate(MOST_ROWS - 1);
    rows.push(Row {
        text: format!("… and {left_out} more fields"),
        target: None,
    });
}

/// The kinds of objects, and whether they are read or written.
fn flags_text(flags: Flags) -> String {
    let kinds = Flags::HEAP
        | Flags::STACK
        | Flags::GLOBAL
        | Flags::FUNCTION
        | Flags::EXTERNAL
        | Flags::UNKNOWN
        | Flags::FREED;
    let named = Flags::NAMES
        .iter()
        .filter(|(flag, _)| kinds.contains(*flag));
    let names = named
        .filter(|(flag, _)| flags.contains(*flag))
        .map(|(_, name)| *name);
    let access = match (flags.contains(Flags::READ), flags.contains(Flags::MODIFIED)) {
        (true, true) => Some("rw"),
        (true, false) => Some("r"),
        (false, true) => Some("w"),
        (false, false) => None,
    };
    names.chain(access).collect::<Vec<_>>().join(" ")
}

/// A kind of access, as the IR writes its type.
fn kind_text(kind: AccessKind) -> String {
    match kind {
        AccessKind::Int { bytes } => format!("i{}", 8 * u32::from(bytes)),
        AccessKind::Float { bytes } => format!("f{}", 8 * u32::from(bytes)),
        AccessKind::Pointer => "ptr".to_owned(),
        AccessKind::Raw => "raw".to_owned(),
    }
}

/// Whether an object has no name in the source.
fn is_unnamed(module: &Module, site: Site) -> bool {
    match site {
        Site::Global(global) => module.globals[global].name.starts_with('.'),
        Site::Environment => true,
        Site::Instruction(..) => false,
    }
}

fn site_text(module: &Module, site: Site) -> String {
    match site {
        Site::Global(global) => {
            let data = &module.globals[global];
            string_text(data).unwrap_or_else(|| data.name.to_string())
        }
        Site::Environment => "environment".to_owned(),
        Site::Instruction(function, id) => {
            let data = &module.functions[function];
            let span = data.body.as_ref().map(|body| body.instructions[id].span);
            let place = span.map_or_else(
                || format!("inst{}", id.index()),
                |span| format!("line {}", module.spans.span(span).line),
            );
            format!("{} {place}", data.name)
        }
    }
}

/// The text of a string constant, which has no name that means anything.
fn string_text(global: &Global) -> Option<String> {
    let GlobalContents::Initialised(initial) = &global.contents else {
        return None;
    };
    let [(0, bytes)] = &initial.chunks[..] else {
        return None;
    };
    let text = std::str::from_utf8(bytes).ok()?;
    let text = text.trim_end_matches('\0');
    let printable = global.name.starts_with(".str") && !text.contains('\0');
    printable.then(|| {
        format!(
            "\"{}\"",
            cut(&text.escape_debug().to_string(), WIDEST_STRING)
        )
    })
}

fn cut(text: &str, widest: usize) -> String {
    match text.char_indices().nth(widest) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
