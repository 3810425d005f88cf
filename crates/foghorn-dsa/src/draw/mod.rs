//! Pictures of graphs: for Graphviz, and as SVG with a layout of our own.
//!
//! A node is a box: a title with its allocation sites and their lines, then one row per field
//! ([`describe`]). Edges go from a field's row to the node that it links to. Collapsed nodes are red,
//! arrays blue. The layout is layered: a node stands one column to the right of the first node that
//! links to it, and within a column in the order in which it was reached, which keeps lists and
//! trees readable without any crossing minimisation. Columns that grow too high go on beside
//! themselves; what no edge touches stands behind all others.
//!
//! Some nodes, such as the one of all exposed objects, have links from everywhere. Lines to them
//! would hide the rest, so the rows only name them.
//!
//! The graph of a driver has thousands of nodes, which nobody can read. Only the most connected ones
//! are drawn then, with a note that says how many were left out; what links to them says so too.

mod describe;

use crate::Analysis;
use crate::graph::{Graph, NodeId};
use describe::{Description, escape};
use foghorn_ir::{FunctionId, Module};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write;

/// What is drawn of a node.
struct Drawn {
    id: NodeId,
    title: Vec<String>,
    rows: Vec<Row>,
    colour: &'static str,
    column: usize,
}

struct Row {
    text: String,
    target: Option<NodeId>,
}

/// What to draw.
#[derive(Clone, Copy, Debug)]
pub struct Picture {
    /// The function whose graph is drawn; the environment's if none.
    pub function: Option<FunctionId>,
    /// The most nodes that are drawn.
    pub most: usize,
}

/// Nodes that a person can take in.
pub const MOST_NODES: usize = 60;

/// Lines that may end at one node; where there are more, none is drawn.
const MOST_LINES: usize = 8;

/// Height at which a column goes on beside itself.
const HIGHEST: usize = 1500;

const CHARACTER: usize = 7;
const LINE: usize = 16;
const GAP_X: usize = 90;
const GAP_Y: usize = 18;

impl Analysis {
    /// For Graphviz.
    pub fn dot(&self, module: &Module, picture: Picture) -> String {
        let mut text = String::from("digraph regions {\n  rankdir=LR;\n  node [shape=plain];\n");
        let (nodes, note) = self.drawn(module, picture);
        if let Some(note) = note {
            let _ = writeln!(text, "  label=\"{note}\";");
        }
        for node in nodes {
            let mut rows = String::new();
            let title: Vec<String> = node.title.iter().map(|line| escape(line)).collect();
            // Writing to a string does not fail.
            let _ = write!(
                rows,
                "<tr><td bgcolor=\"{}\">{}</td></tr>",
                node.colour,
                title.join("<br/>")
            );
            for (index, row) in node.rows.iter().enumerate() {
                let _ = write!(
                    rows,
                    "<tr><td port=\"f{index}\">{}</td></tr>",
                    escape(&row.text)
                );
            }
            let _ = writeln!(
                text,
                "  {} [label=<<table border=\"0\" cellborder=\"1\" cellspacing=\"0\">{rows}</table>>];",
                node.id
            );
            for (index, row) in node.rows.iter().enumerate() {
                if let Some(target) = row.target {
                    let _ = writeln!(text, "  {}:f{index} -> {target};", node.id);
                }
            }
        }
        text + "}\n"
    }

    /// As SVG.
    pub fn svg(&self, module: &Module, picture: Picture) -> String {
        let (mut nodes, note) = self.drawn(module, picture);
        break_columns(&mut nodes);
        let width = |node: &Drawn| {
            let rows = node.rows.iter().map(|row| &row.text);
            let longest = node
                .title
                .iter()
                .chain(rows)
                .map(|t| t.chars().count())
                .max();
            longest.unwrap_or(1) * CHARACTER + 12
        };
        let columns = nodes.iter().map(|node| node.column + 1).max().unwrap_or(0);
        let mut left = vec![GAP_Y; columns + 1];
        for column in 0..columns {
            let widest = nodes.iter().filter(|n| n.column == column).map(width).max();
            left[column + 1] = left[column] + widest.unwrap_or(0) + GAP_X;
        }
        let mut next = vec![2 * GAP_Y; columns];
        let mut places: FxHashMap<NodeId, (usize, usize)> = FxHashMap::default();
        for node in &nodes {
            places.insert(node.id, (left[node.column], next[node.column]));
            next[node.column] += height(node);
        }
        let height = next.iter().max().copied().unwrap_or(0).max(4 * GAP_Y);
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{height}\" \
             font-family=\"monospace\" font-size=\"11\">\n<rect width=\"100%\" height=\"100%\" \
             fill=\"white\"/>\n",
            left[columns].max(600)
        );
        if let Some(note) = note {
            let _ = writeln!(text, "<text x=\"{GAP_Y}\" y=\"{GAP_Y}\">{note}</text>");
        }
        for node in &nodes {
            draw_edges(&mut text, node, width(node), &places);
        }
        for node in &nodes {
            draw_box(&mut text, node, width(node), places[&node.id]);
        }
        text + "</svg>\n"
    }

    /// Nodes worth drawing, in the order in which links reach them, and a note if these are not
    /// all.
    fn drawn(&self, module: &Module, picture: Picture) -> (Vec<Drawn>, Option<String>) {
        let group = picture
            .function
            .and_then(|function| self.solution.group_of[function]);
        let graph = &self.solution.groups[group.unwrap_or(self.solution.root)].graph;
        let (shown, count) = most_connected(graph, picture.most);
        let is_shown = |id: NodeId| shown.contains(&id);
        let mut reached: FxHashMap<NodeId, usize> = FxHashMap::default();
        let mut order: Vec<NodeId> = vec![];
        let lines = lines(graph, &shown);
        let targets: FxHashSet<NodeId> = shown
            .iter()
            .flat_map(|&id| links(graph, id).into_iter().filter(move |&to| to != id))
            .filter(|target| lines.contains(target))
            .collect();
        let all = graph.representatives().map(|(id, _)| id);
        let (roots, rest): (Vec<_>, Vec<_>) = all.partition(|id| !targets.contains(id));
        for start in roots.into_iter().chain(rest) {
            if reached.contains_key(&start) || !is_shown(start) {
                continue;
            }
            reached.insert(start, 0);
            let first = order.len();
            order.push(start);
            let mut at = first;
            while at < order.len() {
                let id = order[at];
                at += 1;
                for target in links(graph, id) {
                    if lines.contains(&target) && !reached.contains_key(&target) {
                        reached.insert(target, reached[&id] + 1);
                        order.push(target);
                    }
                }
            }
        }
        let note = match (count, shown.len()) {
            (0, _) => Some(
                "No memory is accessed here through pointers, so there is nothing to draw. \
                 --function draws one function."
                    .to_owned(),
            ),
            (count, few) if few < count => Some(format!(
                "{few} of {count} nodes: the most connected ones. More with --most, one function \
                 with --function."
            )),
            _ => None,
        };
        let description = Description {
            module,
            graph,
            lines,
            names: self.parameter_names(module, picture.function),
        };
        let mut nodes: Vec<Drawn> = order
            .into_iter()
            .map(|id| description.node(id, reached[&id]))
            .collect();
        set_apart(&mut nodes);
        (nodes, note)
    }
}

/// The nodes among those drawn to which lines are drawn too.
fn lines(graph: &Graph, shown: &FxHashSet<NodeId>) -> FxHashSet<NodeId> {
    let mut count: FxHashMap<NodeId, usize> = FxHashMap::default();
    for &id in shown {
        for target in links(graph, id) {
            *count.entry(target).or_default() += 1;
        }
    }
    let mut few = shown.clone();
    few.retain(|id| count.get(id).is_none_or(|&count| count <= MOST_LINES));
    few
}

/// Puts nodes without lines into a column of their own, behind the others: those that have the most
/// to tell first.
fn set_apart(nodes: &mut [Drawn]) {
    let mut touched: FxHashSet<NodeId> = FxHashSet::default();
    for node in nodes.iter() {
        for target in node.rows.iter().filter_map(|row| row.target) {
            touched.extend([node.id, target]);
        }
    }
    let columns = nodes.iter().filter(|node| touched.contains(&node.id));
    let last = columns.map(|node| node.column + 1).max().unwrap_or(0);
    for node in nodes.iter_mut().filter(|node| !touched.contains(&node.id)) {
        node.column = last;
    }
    nodes.sort_by_key(|node| match touched.contains(&node.id) {
        true => 0,
        false => usize::MAX - height(node),
    });
}

/// The nodes with the most fields and links among those worth drawing, and how many these are.
fn most_connected(graph: &Graph, most: usize) -> (FxHashSet<NodeId>, usize) {
    let mut degree: FxHashMap<NodeId, usize> = FxHashMap::default();
    let all: Vec<NodeId> = graph
        .representatives()
        .map(|(id, _)| id)
        .filter(|&id| is_shown(graph, id))
        .collect();
    for &id in &all {
        let targets = links(graph, id);
        *degree.entry(id).or_default() += graph.nodes[id].fields.len().min(8) + 2 * targets.len();
        for target in targets {
            *degree.entry(target).or_default() += 3;
        }
    }
    let mut ranked = all.clone();
    ranked.sort_by_key(|id| (std::cmp::Reverse(degree[id]), *id));
    ranked.truncate(most);
    (ranked.into_iter().collect(), all.len())
}

fn height(node: &Drawn) -> usize {
    (node.title.len() + node.rows.len()) * LINE + GAP_Y
}

/// Columns that are too high become several.
fn break_columns(nodes: &mut [Drawn]) {
    let columns = nodes.iter().map(|node| node.column + 1).max().unwrap_or(0);
    let mut places = vec![0; nodes.len()];
    let mut place = 0;
    for column in 0..columns {
        let mut filled = 0;
        for (index, node) in nodes.iter().enumerate() {
            if node.column != column {
                continue;
            }
            let own = height(node);
            if filled > 0 && filled + own > HIGHEST {
                (place, filled) = (place + 1, 0);
            }
            filled += own;
            places[index] = place;
        }
        place += 1;
    }
    for (node, place) in nodes.iter_mut().zip(places) {
        node.column = place;
    }
}

/// Functions have nothing to show but their names, which stand where they are linked.
fn is_shown(graph: &Graph, id: NodeId) -> bool {
    !graph.nodes[id].fields.is_empty()
}

fn links(graph: &Graph, id: NodeId) -> Vec<NodeId> {
    let fields = graph.nodes[id].fields.values();
    let cells = fields.filter_map(|field| field.link);
    cells.map(|cell| graph.lookup(cell).node).collect()
}

fn draw_edges(
    text: &mut String,
    node: &Drawn,
    width: usize,
    places: &FxHashMap<NodeId, (usize, usize)>,
) {
    let (x, y) = places[&node.id];
    for (index, row) in node.rows.iter().enumerate() {
        let Some(&(to_x, to_y)) = row.target.and_then(|target| places.get(&target)) else {
            continue;
        };
        let (from_x, from_y) = (x + width, y + (node.title.len() + index) * LINE + LINE / 2);
        let (to_y, bend) = (to_y + LINE / 2, GAP_X / 2);
        let before = i64::try_from(to_x).unwrap_or(0) - i64::try_from(bend).unwrap_or(0);
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            "<path d=\"M{from_x} {from_y} C{} {from_y} {before} {to_y} {to_x} {to_y}\" fill=\"none\" \
             stroke=\"#666\"/><circle cx=\"{to_x}\" cy=\"{to_y}\" r=\"3\" fill=\"#666\"/>",
            from_x + bend
        );
    }
}

fn draw_box(text: &mut String, node: &Drawn, width: usize, (x, y): (usize, usize)) {
    let lines = node.title.len() + node.rows.len();
    let head = node.title.len() * LINE;
    // Writing to a string does not fail.
    let _ = writeln!(
        text,
        "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{}\" fill=\"white\" stroke=\"#333\"/>\
         <rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{head}\" fill=\"{}\" stroke=\"#333\"/>",
        lines * LINE,
        node.colour
    );
    let rows = node.rows.iter().map(|row| &row.text);
    for (index, line) in node.title.iter().chain(rows).enumerate() {
        let _ = writeln!(
            text,
            "<text x=\"{}\" y=\"{}\">{}</text>",
            x + 5,
            y + index * LINE + 12,
            escape(line)
        );
    }
}
