//! What `foghorn bench terms` measures: the shape of figure 7.1 of the SEAM thesis, built and rewritten.
//!
//! A memory state is shared by both branches of an `ite`, each of which writes to it, and the result is the shared state
//! of the next layer: as a tree it doubles with each layer, as a graph it grows by three nodes. A read at a symbolic index
//! goes through all layers. Theorem 5 says that rewriting it is linear with multi-step caching; without, it is exponential
//! in the layers.

use crate::pool::{TermId, TermPool};
use crate::rewrite::{Rewriter, StepLimit};
use crate::rules::{RuleSet, TABLES};
use crate::sort::Sort;
use foghorn_core::Figure;
use std::time::{Duration, Instant};

/// Sizes of the shape, in nodes.
pub const SIZES: [usize; 4] = [1_000, 10_000, 100_000, 1_000_000];

/// Different symbols per role: few, as a program has few variables and many states.
const SYMBOLS: usize = 64;

/// The rules of the thesis' chapter 2 that the shape meets.
const RULE_TABLES: [&str; 4] = ["boolean", "ite", "comparison", "array"];

/// A read of the memory after that many layers.
fn shared_states(pool: &mut TermPool, layers: usize) -> TermId {
    let mut symbols = |prefix: &str, sort: Sort| -> Vec<TermId> {
        (0..SYMBOLS)
            .map(|number| pool.symbol(&format!("{prefix}{number}"), sort))
            .collect()
    };
    let conditions = symbols("c", Sort::Bool);
    let pointers = symbols("p", Sort::BitVec(64));
    let values = symbols("v", Sort::BitVec(64));
    let sort = pool.array_sort(Sort::BitVec(64), Sort::BitVec(64));
    let mut memory = pool.symbol("m", sort);
    for layer in 0..layers {
        let pick = |from: &[TermId], salt: usize| {
            from[layer.wrapping_mul(salt).wrapping_add(layer >> 6) % SYMBOLS]
        };
        let then = pool.store(memory, pick(&pointers, 7), pick(&values, 11));
        let otherwise = pool.store(memory, pick(&pointers, 13), pick(&values, 17));
        memory = pool.ite(pick(&conditions, 5), then, otherwise);
    }
    let index = pool.symbol("j", Sort::BitVec(64));
    pool.select(memory, index)
}

fn rewriter() -> Rewriter<RuleSet> {
    let tables: Vec<_> = TABLES
        .iter()
        .copied()
        .filter(|table| RULE_TABLES.contains(&table.name))
        .collect();
    Rewriter::new(RuleSet::new(&tables))
}

/// What a run at one size took, on average over its repetitions.
struct Run {
    nodes: usize,
    nodes_after: usize,
    build: Duration,
    rewrite: Duration,
    pool_bytes: usize,
    rewriter_bytes: usize,
}

/// Time that this thread has run. A machine that does other things as well must not make a long run look slow; where the
/// system does not tell, the time of day has to do.
struct Clock {
    start: Instant,
    on_processor: Option<u64>,
}

impl Clock {
    fn start() -> Self {
        Clock {
            start: Instant::now(),
            on_processor: nanoseconds_on_processor(),
        }
    }

    fn elapsed(&self) -> Duration {
        match (self.on_processor, nanoseconds_on_processor()) {
            (Some(before), Some(after)) => Duration::from_nanos(after.saturating_sub(before)),
            _ => self.start.elapsed(),
        }
    }
}

fn nanoseconds_on_processor() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok()
}

/// Builds and rewrites as often as it takes to do the work of the largest size, since the clock may be coarse.
fn run(size: usize) -> Run {
    let repeats = SIZES[SIZES.len() - 1] / size;
    let clock = Clock::start();
    let mut built: Vec<(TermPool, TermId)> = Vec::with_capacity(repeats);
    for _ in 0..repeats {
        let mut pool = TermPool::new();
        let root = shared_states(&mut pool, size / 3);
        built.push((pool, root));
    }
    let build = clock.elapsed() / repeats as u32;
    let nodes = built[0].0.len();
    let (mut nodes_after, mut pool_bytes, mut rewriter_bytes) = (0, 0, 0);
    let clock = Clock::start();
    for (mut pool, root) in built {
        let mut rewriter = rewriter();
        std::hint::black_box(rewriter.rewrite(&mut pool, root));
        (nodes_after, pool_bytes, rewriter_bytes) = (pool.len(), pool.bytes(), rewriter.bytes());
    }
    let rewrite = clock.elapsed() / repeats as u32;
    Run {
        nodes,
        nodes_after,
        build,
        rewrite,
        pool_bytes,
        rewriter_bytes,
    }
}

impl Run {
    fn nanoseconds_per_node(&self) -> f64 {
        (self.build + self.rewrite).as_secs_f64() * 1e9 / self.nodes as f64
    }
}

/// The best of several alternating runs at each size, so that the sizes share the weather.
fn best_runs(sizes: &[usize], rounds: usize) -> Vec<Run> {
    let mut best: Vec<Option<Run>> = sizes.iter().map(|_| None).collect();
    for _ in 0..rounds {
        for (slot, &size) in best.iter_mut().zip(sizes) {
            let new = run(size);
            if slot
                .as_ref()
                .is_none_or(|old| new.nanoseconds_per_node() < old.nanoseconds_per_node())
            {
                *slot = Some(new);
            }
        }
    }
    best.into_iter().flatten().collect()
}

/// Applications of rules over that many layers, or the limit.
fn applications(layers: usize, multi_step: bool, limit: u64) -> Result<u64, StepLimit> {
    let mut pool = TermPool::new();
    let root = shared_states(&mut pool, layers);
    let mut rewriter = rewriter().with_step_limit(limit);
    if !multi_step {
        rewriter = rewriter.without_multi_step_caching();
    }
    rewriter.try_rewrite(&mut pool, root)?;
    Ok(rewriter.statistics().applications)
}

/// Runs the benchmark.
pub fn terms() -> Vec<Figure> {
    let runs = best_runs(&SIZES, 3);
    let mut figures = vec![linearity(&runs), growth(&runs)];
    figures.extend(without_multi_step_caching());
    figures.extend(bytes(&runs));
    figures
}

fn linearity(runs: &[Run]) -> Figure {
    let times: Vec<String> = runs
        .iter()
        .map(|run| {
            let (build, rewrite) = (
                run.build.as_secs_f64() * 1e3,
                run.rewrite.as_secs_f64() * 1e3,
            );
            let each = run.nanoseconds_per_node();
            format!(
                "{} nodes: build {build:.3} ms, rewrite {rewrite:.3} ms, {each:.0} ns per node",
                run.nodes
            )
        })
        .collect();
    Figure {
        name: "time per node, 10^6 over 10^4 nodes".to_owned(),
        value: runs[3].nanoseconds_per_node() / runs[1].nanoseconds_per_node(),
        unit: "ratio".to_owned(),
        detail: times.join("; "),
    }
}

/// The slope of log time over log size between the second and the last size.
fn growth(runs: &[Run]) -> Figure {
    let total = |run: &Run| (run.build + run.rewrite).as_secs_f64();
    let (small, large) = (&runs[1], &runs[runs.len() - 1]);
    let exponent =
        (total(large) / total(small)).ln() / (large.nodes as f64 / small.nodes as f64).ln();
    Figure {
        name: "growth of time with multi-step caching".to_owned(),
        value: exponent,
        unit: "exponent".to_owned(),
        detail: "1 is linear; from 10^4 to 10^6 nodes".to_owned(),
    }
}

fn without_multi_step_caching() -> Vec<Figure> {
    const LIMIT: u64 = 20_000_000;
    let (few, many) = (8, 16);
    let growth = |multi_step: bool| {
        let (small, large) = (
            applications(few, multi_step, LIMIT),
            applications(many, multi_step, LIMIT),
        );
        let count =
            |outcome: Result<u64, StepLimit>| outcome.unwrap_or_else(|reached| reached.limit);
        (count(small), count(large))
    };
    [(true, "with"), (false, "without")]
        .into_iter()
        .map(|(multi_step, word)| {
            let (small, large) = growth(multi_step);
            Figure {
                name: format!(
                    "growth of rule applications {word} multi-step caching, 16 over 8 layers"
                ),
                value: large as f64 / small as f64,
                unit: "ratio".to_owned(),
                detail: format!(
                    "2 is linear; {small} applications for {few} layers, {large} for {many}"
                ),
            }
        })
        .collect()
}

fn bytes(runs: &[Run]) -> Vec<Figure> {
    let per_node = |bytes: fn(&Run) -> usize| {
        let worst = runs
            .iter()
            .skip(1)
            .map(|run| (bytes(run) as f64 / run.nodes_after as f64, run));
        let worst = worst
            .max_by(|a, b| a.0.total_cmp(&b.0))
            .expect("invariant: there are several sizes");
        let detail = format!(
            "{} bytes for {} terms; the worst of the sizes from 10^4 on",
            bytes(worst.1),
            worst.1.nodes_after
        );
        (worst.0, detail)
    };
    let pool = per_node(|run| run.pool_bytes);
    let all = per_node(|run| run.pool_bytes + run.rewriter_bytes);
    [
        ("bytes per term, pool with hash table", pool),
        ("bytes per term, pool and rewriter", all),
    ]
    .into_iter()
    .map(|(name, (value, detail))| Figure {
        name: name.to_owned(),
        value,
        unit: "bytes".to_owned(),
        detail,
    })
    .collect()
}
