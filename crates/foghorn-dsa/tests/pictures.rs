//! Pictures of graphs: everything has a name, nothing covers anything else.

use foghorn_dsa::draw::Picture;
use foghorn_dsa::{Options, analyse};
use foghorn_ir::{Module, parse_module};

const PROGRAMS: &[&str] = &[
    include_str!("programs/container-of.fir"),
    include_str!("programs/function-table.fir"),
    include_str!("programs/one-list.fir"),
    include_str!("programs/recursion-tree.fir"),
];

fn svg(module: &Module) -> String {
    let analysis = analyse(module, &Options::default());
    let picture = Picture {
        function: module.entry,
        most: 60,
    };
    analysis.svg(module, picture)
}

/// Left, top, right and bottom of all boxes; those of titles lie within others and are left out.
fn boxes(svg: &str) -> Vec<[usize; 4]> {
    let rectangles = svg.lines().filter(|line| line.starts_with("<rect x="));
    rectangles
        .map(|line| {
            let number = |name: &str| -> usize {
                let (_, rest) = line
                    .split_once(&format!(" {name}=\""))
                    .expect("an attribute");
                let digits = rest.split('"').next().expect("a value");
                digits.parse().expect("a number")
            };
            let (x, y) = (number("x"), number("y"));
            [x, y, x + number("width"), y + number("height")]
        })
        .collect()
}

#[test]
fn boxes_do_not_cover_each_other() {
    for text in PROGRAMS {
        let module = parse_module(text).expect("the program parses");
        let boxes = boxes(&svg(&module));
        assert!(!boxes.is_empty());
        for (index, a) in boxes.iter().enumerate() {
            for b in &boxes[index + 1..] {
                let apart = a[2] < b[0] || b[2] < a[0] || a[3] < b[1] || b[3] < a[1];
                assert!(apart, "{a:?} and {b:?}");
            }
        }
    }
}

/// A table of functions, and a function that nobody calls.
const TABLE: &str = "foghorn-ir 1
layout pointer-bytes 8

global @table size 16 align 8 = { 8: @work }

function @work(ptr) {
block0(v0.device:ptr):
  store 1:i32 to v0, align 4
  return
}

function @enter() {
block0:
  v0:ptr = load @table, align 8
  store 1:i32 to v0, align 4
  return
}
";

#[test]
fn nodes_are_named_after_what_they_are() {
    let module = parse_module(TABLE).expect("the program parses");
    let svg = svg(&module);
    for text in ["table", "work()", "device of work()", "0..4 i32"] {
        assert!(svg.contains(text), "{text} in {svg}");
    }
}
