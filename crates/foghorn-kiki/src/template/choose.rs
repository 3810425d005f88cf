//! Which rows a loop is given.

use super::{Bits, Linear, Power, Reading, Relation, Template, Values};
use crate::cut::lost;
use std::collections::BTreeSet;
use std::str::FromStr;

/// Rows within all power templates of a loop, for one of their cases.
const MOST_WITHIN_POWERS: usize = 1500;

/// A family of templates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    Intervals,
    Zones,
    Octagons,
    Equalities,
    Bits,
    Values,
    States,
    Power,
}

impl Kind {
    pub const ALL: [Kind; 8] = [
        Kind::Intervals,
        Kind::Zones,
        Kind::Octagons,
        Kind::Equalities,
        Kind::Bits,
        Kind::Values,
        Kind::States,
        Kind::Power,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Kind::Intervals => "intervals",
            Kind::Zones => "zones",
            Kind::Octagons => "octagons",
            Kind::Equalities => "equalities",
            Kind::Bits => "bits",
            Kind::Values => "values",
            Kind::States => "states",
            Kind::Power => "power",
        }
    }

    /// Its formulas are large, or its rows are many.
    fn is_dear(self) -> bool {
        matches!(self, Kind::Power | Kind::Octagons)
    }
}

/// The product of families: each one's rows are there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection(BTreeSet<Kind>);

impl Default for Selection {
    /// All but octagons, which seldom say what zones and equalities do not.
    fn default() -> Self {
        let all = Kind::ALL.into_iter();
        Selection(all.filter(|kind| *kind != Kind::Octagons).collect())
    }
}

impl Selection {
    pub fn of(kinds: &[Kind]) -> Self {
        Selection(kinds.iter().copied().collect())
    }

    /// The cheap families first, then states of the quantities that these have found to have few values, then the dear
    /// ones: what the cheap ones prove need not be looked at again.
    pub fn stages(&self) -> Vec<Selection> {
        let stage = |is_of: fn(Kind) -> bool| -> BTreeSet<Kind> {
            let kinds = self.0.iter().copied();
            kinds.filter(|kind| is_of(*kind)).collect()
        };
        let stages = [
            stage(|kind| !kind.is_dear() && kind != Kind::States),
            stage(|kind| kind == Kind::States),
            stage(Kind::is_dear),
        ];
        let stages = stages.into_iter().filter(|stage| !stage.is_empty());
        stages.map(Selection).collect()
    }

    /// Whether no family of it is dear.
    pub fn is_cheap(&self) -> bool {
        !self
            .0
            .iter()
            .any(|kind| kind.is_dear() || *kind == Kind::States)
    }

    /// Whether a family is there.
    pub fn has(&self, kind: Kind) -> bool {
        self.0.contains(&kind)
    }
}

/// A name that no family has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "there is no template `{0}`: choose among intervals, zones, octagons, equalities, bits, values, states and power"
)]
pub struct NoSuchTemplate(String);

impl FromStr for Selection {
    type Err = NoSuchTemplate;

    /// Names with `+` between them.
    fn from_str(text: &str) -> Result<Self, NoSuchTemplate> {
        let names = text.split('+');
        let kinds = names.map(|name| {
            let mut all = Kind::ALL.into_iter();
            all.find(|kind| kind.name() == name)
                .ok_or_else(|| NoSuchTemplate(name.to_owned()))
        });
        Ok(Selection(kinds.collect::<Result<_, _>>()?))
    }
}

/// A quantity as far as the choice of rows depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    pub width: u32,
    /// It names something: an object, whether it is dead. Order says nothing.
    pub is_name: bool,
    /// Iterations do not change it: rows relate others to it and say nothing of it alone.
    pub is_fixed: bool,
    /// What cheaper rows have found of its values.
    pub count: Count,
}

/// How many values a quantity has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Count {
    #[default]
    Unknown,
    /// No row need tell cases of it apart, nor say anything of it in a case.
    One,
    Few,
    /// Too many to tell cases apart.
    Many,
}

impl Shape {
    /// Whether sums and orders of it mean something.
    pub fn is_number(&self) -> bool {
        !self.is_name && self.width > 1 && self.width <= 64
    }
}

/// The rows that were chosen.
#[derive(Clone, Debug, Default)]
pub struct Chosen {
    pub rows: Vec<Box<dyn Template>>,
    /// Families that were left out, or of which only some rows are there, since there would be too many.
    pub left_out: Vec<Kind>,
}

/// Pairs of quantities that rows relate.
#[derive(Clone, Debug, Default)]
pub struct Pairs {
    pub all: BTreeSet<(usize, usize)>,
    /// Those of them that the program compares: the ones to keep where all are too many.
    pub compared: BTreeSet<(usize, usize)>,
}

/// The rows for these quantities: pairs only of those in `pairs`, and no more than `limit` rows.
pub fn choose(selection: &Selection, quantities: &[Shape], pairs: &Pairs, limit: usize) -> Chosen {
    let mut chosen = Chosen::default();
    // The cheapest come first.
    for kind in [
        Kind::Values,
        Kind::Intervals,
        Kind::Equalities,
        Kind::Zones,
        Kind::Bits,
        Kind::Power,
        Kind::Octagons,
    ] {
        if !selection.has(kind) {
            continue;
        }
        let have = chosen.rows.len();
        let fits = |rows: &Vec<Box<dyn Template>>| have + rows.len() <= limit || have == 0;
        let rows = of_kind(kind, quantities, &pairs.all);
        if fits(&rows) {
            chosen.rows.extend(rows);
            continue;
        }
        chosen.left_out.push(kind);
        let fewer = fewer_of_kind(kind, quantities, &pairs.compared);
        if fits(&fewer) {
            chosen.rows.extend(fewer);
        }
    }
    chosen
}

/// Those rows of a family that are kept where all are too many.
fn fewer_of_kind(
    kind: Kind,
    quantities: &[Shape],
    compared: &BTreeSet<(usize, usize)>,
) -> Vec<Box<dyn Template>> {
    match kind {
        Kind::Intervals => {
            let mut rows = vec![];
            for (at, shape) in quantities.iter().enumerate() {
                if shape.is_number() && !shape.is_fixed {
                    rows.extend(interval_of(at, shape.width, Reading::Signed));
                }
            }
            rows
        }
        Kind::Zones
        | Kind::Octagons
        | Kind::Equalities
        | Kind::Bits
        | Kind::Values
        | Kind::States
        | Kind::Power => of_kind(kind, quantities, compared),
    }
}

fn of_kind(
    kind: Kind,
    quantities: &[Shape],
    pairs: &BTreeSet<(usize, usize)>,
) -> Vec<Box<dyn Template>> {
    let numbers = || {
        let all = quantities.iter().enumerate();
        all.filter(|(_, shape)| shape.is_number() && !shape.is_fixed)
    };
    let changing = || {
        let all = quantities.iter().enumerate();
        all.filter(|(_, shape)| !shape.is_fixed)
    };
    let mut rows: Vec<Box<dyn Template>> = vec![];
    match kind {
        Kind::Intervals => {
            for (at, shape) in numbers() {
                rows.extend(interval(at, shape.width));
            }
        }
        Kind::Zones | Kind::Octagons => {
            let sign = if kind == Kind::Zones { -1 } else { 1 };
            for &(left, right) in pairs {
                let width = quantities[left].width.max(quantities[right].width);
                for factor in [1, -1] {
                    let terms = vec![(left, factor), (right, factor * sign)];
                    rows.push(Box::new(Linear::new(terms, Reading::Signed, width)));
                }
            }
        }
        Kind::Equalities => {
            for (at, shape) in changing() {
                if shape.width > 1 {
                    rows.push(Box::new(Relation::new(at, None)));
                }
            }
            for &(left, right) in pairs {
                if quantities[left].width == quantities[right].width {
                    rows.push(Box::new(Relation::new(left, Some(right))));
                }
            }
        }
        Kind::Bits => {
            for (at, shape) in numbers() {
                rows.push(Box::new(Bits::new(at, shape.width)));
            }
        }
        Kind::Values => {
            for (at, shape) in changing() {
                rows.push(Box::new(values(at, shape)));
            }
        }
        Kind::Power => rows = powers(quantities),
        // Which quantities make up a state depends on what cheaper rows have found.
        Kind::States => {}
    }
    rows
}

/// Rows for each value of a quantity, as many as formulas can bear.
fn powers(quantities: &[Shape]) -> Vec<Box<dyn Template>> {
    let changing = || {
        let all = quantities.iter().enumerate();
        all.filter(|(_, shape)| !shape.is_fixed && shape.count != Count::One)
    };
    let (mut rows, mut within): (Vec<Box<dyn Template>>, usize) = (vec![], 0);
    for (at, shape) in changing() {
        // A number that stands for many objects is no case.
        let names_many = shape.is_name && shape.width > 1;
        let is_case = shape.width <= 32 && !names_many && shape.count != Count::Many;
        if !is_case || quantities.len() < 2 {
            continue;
        }
        let others = changing().filter(|&(other, _)| other != at);
        let mut pattern: Vec<Box<dyn Template>> = vec![];
        for (other, shape) in others {
            pattern.push(Box::new(values(other, shape)));
            if shape.is_number() {
                pattern.extend(interval(other, shape.width));
            }
        }
        within += pattern.len();
        if within > MOST_WITHIN_POWERS {
            break;
        }
        rows.push(Box::new(Power::new(at, pattern)));
    }
    rows
}

/// The rows on one side of a split.
pub(crate) fn on_a_side(quantities: &[Shape]) -> Vec<Box<dyn Template>> {
    let mut rows = vec![];
    for kind in [Kind::Intervals, Kind::Values, Kind::Bits] {
        rows.extend(of_kind(kind, quantities, &BTreeSet::new()));
    }
    rows
}

/// The rows of the cell of an array, on one side of a place.
pub(crate) fn on_a_side_of(at: usize, shape: &Shape) -> Vec<Box<dyn Template>> {
    let mut rows: Vec<Box<dyn Template>> = vec![Box::new(values(at, shape))];
    if shape.is_number() {
        rows.extend(interval(at, shape.width));
        rows.push(Box::new(Relation::new(at, None)));
    }
    rows
}

fn values(at: usize, shape: &Shape) -> Values {
    match shape.is_name && shape.width > 1 {
        true => Values::of_names(at, lost(shape.width)),
        false => Values::new(at),
    }
}

fn interval(at: usize, width: u32) -> Vec<Box<dyn Template>> {
    let mut rows = interval_of(at, width, Reading::Signed);
    rows.extend(interval_of(at, width, Reading::Unsigned));
    rows
}

/// The bounds of one quantity.
pub(crate) fn interval_of(at: usize, width: u32, reading: Reading) -> Vec<Box<dyn Template>> {
    let row =
        |factor| -> Box<dyn Template> { Box::new(Linear::new(vec![(at, factor)], reading, width)) };
    vec![row(1), row(-1)]
}
