//! The engine by itself, on rules made up for the purpose.

use foghorn_term::rewrite::{RewriteRules, Rewriter, Status, Step};
use foghorn_term::{Op, OpKind, Sort, TermId, TermPool};

/// Counts down: a symbol `n7` becomes `n6` and so on to `n0`, each in a step of its own.
struct Countdown {
    status: Status,
    steps: Vec<(TermId, TermId)>,
}

fn number(pool: &mut TermPool, n: usize) -> TermId {
    pool.symbol(&format!("n{n}"), Sort::Bool)
}

impl RewriteRules for Countdown {
    fn apply(&mut self, pool: &mut TermPool, term: TermId) -> Step {
        let Op::Symbol(symbol) = pool.op(term) else {
            return Step::done(term);
        };
        match pool
            .symbol_data(symbol)
            .name
            .strip_prefix('n')
            .and_then(|text| text.parse::<usize>().ok())
        {
            Some(0) | None => Step::done(term),
            Some(n) => Step {
                term: number(pool, n - 1),
                status: self.status,
            },
        }
    }

    fn after_step(&mut self, _pool: &TermPool, old: TermId, new: TermId) {
        self.steps.push((old, new));
    }
}

fn countdown(status: Status) -> Rewriter<Countdown> {
    Rewriter::new(Countdown {
        status,
        steps: Vec::new(),
    })
}

#[test]
fn a_chain_of_steps_is_followed_and_remembered_whole() {
    for status in [Status::Full, Status::Rewrite(1), Status::Rewrite(5)] {
        let mut pool = TermPool::new();
        let (start, middle, end) = (
            number(&mut pool, 9),
            number(&mut pool, 4),
            number(&mut pool, 0),
        );
        let mut rewriter = countdown(status);
        assert_eq!(rewriter.rewrite(&mut pool, start), end);
        let after_first = rewriter.statistics();
        assert_eq!(after_first.steps, 9);
        assert_eq!(after_first.multi_step_cached, 9);
        // Both the start and the middle of the chain are answered by the cache.
        assert_eq!(rewriter.rewrite(&mut pool, start), end);
        assert_eq!(rewriter.rewrite(&mut pool, middle), end);
        assert_eq!(rewriter.statistics().applications, after_first.applications);
        assert_eq!(rewriter.statistics().cache_hits, after_first.cache_hits + 2);
    }
}

#[test]
fn without_multi_step_caching_the_start_is_forgotten() {
    let mut pool = TermPool::new();
    let (start, end) = (number(&mut pool, 9), number(&mut pool, 0));
    let mut rewriter = countdown(Status::Full).without_multi_step_caching();
    assert_eq!(rewriter.rewrite(&mut pool, start), end);
    let first = rewriter.statistics().steps;
    assert_eq!(rewriter.rewrite(&mut pool, start), end);
    assert_eq!(rewriter.statistics().steps, 2 * first);
}

#[test]
fn done_and_skip_end_a_rewrite() {
    for status in [Status::Done, Status::Skip, Status::Rewrite(0)] {
        let mut pool = TermPool::new();
        let (start, next) = (number(&mut pool, 9), number(&mut pool, 8));
        assert_eq!(
            countdown(status).rewrite(&mut pool, start),
            next,
            "{status:?}"
        );
    }
}

#[test]
fn the_hook_sees_every_step() {
    let mut pool = TermPool::new();
    let start = number(&mut pool, 3);
    let mut rewriter = countdown(Status::Full);
    rewriter.rewrite(&mut pool, start);
    let seen: Vec<(TermId, TermId)> = rewriter.rules().steps.clone();
    let numbers: Vec<TermId> = (0..=3).rev().map(|n| number(&mut pool, n)).collect();
    assert_eq!(
        seen,
        vec![
            (numbers[0], numbers[1]),
            (numbers[1], numbers[2]),
            (numbers[2], numbers[3]),
            (numbers[3], numbers[3])
        ]
    );
}

/// Replaces `or` by a nest of new terms, which a bounded status rewrites only so far down.
struct Unfold {
    status: Status,
}

impl RewriteRules for Unfold {
    fn apply(&mut self, pool: &mut TermPool, term: TermId) -> Step {
        match pool.op(term).kind() {
            OpKind::Or => {
                let a = pool.child(term, 0);
                let inner = pool.intern(Op::Xor, &[a, a]);
                let middle = pool.intern(Op::Not, &[inner]);
                Step {
                    term: pool.intern(Op::Not, &[middle]),
                    status: self.status,
                }
            }
            OpKind::Xor => Step::done(pool.bool(false)),
            _ => Step::done(term),
        }
    }
}

#[test]
fn a_bounded_rewrite_stops_at_its_depth() {
    let depth_of_xor = |status: Status| {
        let mut pool = TermPool::new();
        let (a, b) = (pool.symbol("a", Sort::Bool), pool.symbol("b", Sort::Bool));
        let or = pool.intern(Op::Or, &[a, b]);
        let result = Rewriter::new(Unfold { status }).rewrite(&mut pool, or);
        pool.post_order(&[result])
            .any(|term| pool.op(term) == Op::Xor)
    };
    assert!(depth_of_xor(Status::Done));
    assert!(depth_of_xor(Status::Rewrite(1)));
    assert!(depth_of_xor(Status::Rewrite(2)));
    assert!(
        !depth_of_xor(Status::Rewrite(3)),
        "the new exclusive or is three levels down"
    );
    assert!(!depth_of_xor(Status::Full));
}

/// Never content.
struct Endless;

impl RewriteRules for Endless {
    fn apply(&mut self, pool: &mut TermPool, term: TermId) -> Step {
        let next = pool.fresh_symbol("next", pool.sort(term));
        Step::full(next)
    }
}

#[test]
fn rules_that_do_not_end_meet_the_limit() {
    let mut pool = TermPool::new();
    let start = pool.symbol("a", Sort::Bool);
    let mut rewriter = Rewriter::new(Endless).with_step_limit(1000);
    assert_eq!(
        rewriter.try_rewrite(&mut pool, start).unwrap_err().limit,
        1000
    );
}

/// Refuses to look at `and`.
struct Picky;

impl RewriteRules for Picky {
    fn should_rewrite(&mut self, pool: &TermPool, term: TermId) -> bool {
        pool.op(term) != Op::And
    }

    fn apply(&mut self, pool: &mut TermPool, term: TermId) -> Step {
        match pool.op(term) {
            Op::Symbol(_) => Step::done(pool.bool(true)),
            _ => Step::done(term),
        }
    }
}

#[test]
fn what_is_refused_is_not_entered() {
    let mut pool = TermPool::new();
    let (a, b) = (pool.symbol("a", Sort::Bool), pool.symbol("b", Sort::Bool));
    let and = pool.intern(Op::And, &[a, b]);
    let or = pool.intern(Op::Or, &[and, b]);
    assert_eq!(Rewriter::new(Picky).rewrite(&mut pool, and), and);
    assert_eq!(Rewriter::new(Picky).rewrite(&mut pool, or), pool.bool(true));
}
