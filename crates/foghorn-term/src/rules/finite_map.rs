//! Rules for finite maps: reduction (fig. 4) and optimisation (fig. 5) of the finite-maps paper, for maps of any size.
//!
//! A map is a total function: at a key that it does not hold it has the default of its value sort (zero, `false`). Maps
//! in programs are well-formed, that is, used at keys they hold; two laws rest on that and say so (`assuming`): the last
//! comparison of a `get` may be left out, and a `set` may be distributed over the entries. All others always hold.

use super::{Context, rules};
use crate::op::{Op, OpKind};
use crate::pool::{TermId, TermPool};
use crate::rewrite::Step;
use crate::sort::Sort;

rules! {
    /// Finite maps (figs. 4 and 5).
    table FINITE_MAP = "finite-map";

    #[doc = "get(set(m, k, v), l) is v where ⊢ k = l (GET-OVER-SET-1) and get(m, l) where ⊢ k ≠ l (GET-OVER-SET-2)"]
    rule get_over_set_decided [FiniteMapGet] [
        "(fmap.get (fmap.set fm x y) x)", "(fmap.get (fmap.set fm x y) (bvadd x one))",
        "(fmap.get (fmap.set fm zero y) ones)"
    ] (cx, t) {
        let [map, l] = cx.args(t)?;
        let [m, k, v] = cx.view(map, OpKind::FiniteMapSet)?;
        if cx.decide_equal(k, l)? {
            return Some(Step::done(v));
        }
        Some(Step::full(cx.pool.finite_map_get(m, l)))
    }

    #[doc = "get([k0 ↦ v0 | …], k) is v0 where ⊢ k = k0 and get([…], k) where ⊢ k ≠ k0"]
    rule get_decided [FiniteMapGet] [
        "(fmap.get (fmap x y z x) x)", "(fmap.get (fmap x y z x) (bvadd x one))", "(fmap.get (fmap x y z x zero y) (bvadd z one))"
    ] (cx, t) {
        let [map, k] = cx.args(t)?;
        let entries = entries(cx, map)?;
        let mut kept: Vec<(TermId, TermId)> = Vec::new();
        for &(key, value) in &entries {
            match cx.decide_equal(k, key) {
                Some(true) if kept.is_empty() => return Some(Step::done(value)),
                Some(false) => {}
                Some(true) | None => kept.push((key, value)),
            }
        }
        if kept.is_empty() || kept.len() == entries.len() {
            return None;
        }
        let shorter = cx.pool.finite_map(&kept);
        Some(Step::full(cx.pool.finite_map_get(shorter, k)))
    }

    #[doc = "get([k0 ↦ v0 | … | kn ↦ vn], k) = ite(k = k0, v0, … vn) (GET, by toLmd) where k is one of the keys"]
    #[assuming(key_is_held)]
    rule get_as_ite [FiniteMapGet] [
        "(fmap.get (fmap x y) z)", "(fmap.get (fmap x y z x) k)", "(fmap.get (fmap x y z x k y l z) (bvadd x y))"
    ] (cx, t) {
        let [map, k] = cx.args(t)?;
        let entries = entries(cx, map)?;
        let (&(_, last), rest) = entries.split_last()?;
        let mut result = last;
        for &(key, value) in rest.iter().rev() {
            let hit = cx.pool.equal(k, key);
            result = cx.pool.ite(hit, value, result);
        }
        Some(Step::full(result))
    }

    #[doc = "get(set(m, k, v), l) = ite(k = l, v, get(m, l))"]
    rule get_over_set [FiniteMapGet] ["(fmap.get (fmap.set fm x y) z)"] (cx, t) {
        let [map, l] = cx.args(t)?;
        let [m, k, v] = cx.view(map, OpKind::FiniteMapSet)?;
        let (hit, old) = (cx.pool.equal(k, l), cx.pool.finite_map_get(m, l));
        Some(Step::full(cx.pool.ite(hit, v, old)))
    }

    #[doc = "get(ite(c, m, n), k) = ite(c, get(m, k), get(n, k)) (GET-OVER-ITE)"]
    rule get_over_ite [FiniteMapGet] ["(fmap.get (ite c fm gm) x)", "(fmap.get (ite c (fmap.set fm x y) gm) z)"] (cx, t) {
        let [map, k] = cx.args(t)?;
        let [c, m, n] = cx.view(map, OpKind::Ite)?;
        let (then, otherwise) = (cx.pool.finite_map_get(m, k), cx.pool.finite_map_get(n, k));
        Some(Step::full(cx.pool.ite(c, then, otherwise)))
    }

    #[doc = "set([… ki ↦ vi …], k, v) = [… ki ↦ v …] where ⊢ k = ki and k ≠ kj for the keys before it: in place"]
    rule set_in_place [FiniteMapSet] [
        "(fmap.set (fmap x y z x) x k)", "(fmap.set (fmap zero y ones x) ones z)",
        "(fmap.set (fmap x y (bvadd x one) z) (bvadd x one) k)"
    ] (cx, t) {
        let [map, k, v] = cx.args(t)?;
        let mut entries = entries(cx, map)?;
        for position in 0..entries.len() {
            if cx.decide_equal(k, entries[position].0)? {
                entries[position].1 = v;
                return Some(Step::rewrite(1, cx.pool.finite_map(&entries)));
            }
        }
        None
    }

    #[doc = "set([k0 ↦ v0 | …], k, v) = [k0 ↦ ite(k = k0, v, v0) | …] where k is one of the keys"]
    #[assuming(key_is_held)]
    rule set_as_ites [FiniteMapSet] ["(fmap.set (fmap x y z x) k l)", "(fmap.set (fmap x y z x) z k)", "(fmap.set (fmap x y) z k)"] (cx, t) {
        let [map, k, v] = cx.args(t)?;
        let mut entries = entries(cx, map)?;
        for (key, value) in &mut entries {
            let hit = cx.pool.equal(k, *key);
            *value = cx.pool.ite(hit, v, *value);
        }
        Some(Step::rewrite(3, cx.pool.finite_map(&entries)))
    }

    #[doc = "ite(c, [k0 ↦ v0 | …], [k0 ↦ w0 | …]) = [k0 ↦ ite(c, v0, w0) | …] for maps with the same keys"]
    rule ite_of_maps [Ite] ["(ite c (fmap x y z x) (fmap x z z y))"] (cx, t) {
        let [c, a, b] = cx.args(t)?;
        let (left, right) = (entries(cx, a)?, entries(cx, b)?);
        let same_keys = left.len() == right.len() && left.iter().zip(&right).all(|(a, b)| a.0 == b.0);
        if !same_keys {
            return None;
        }
        let mut merged = Vec::with_capacity(left.len());
        for (&(key, v), &(_, w)) in left.iter().zip(&right) {
            merged.push((key, cx.pool.ite(c, v, w)));
        }
        Some(Step::rewrite(2, cx.pool.finite_map(&merged)))
    }
}

/// The entries of a map that is written out.
fn entries(cx: &Context<'_>, map: TermId) -> Option<Vec<(TermId, TermId)>> {
    (cx.pool.op(map) == Op::FiniteMap).then(|| {
        cx.pool
            .children(map)
            .chunks_exact(2)
            .map(|entry| (entry[0], entry[1]))
            .collect()
    })
}

/// The key of a `get` or `set` over a map that is written out is one of the map's keys.
fn key_is_held(pool: &mut TermPool, term: TermId) -> TermId {
    let (map, key) = (pool.child(term, 0), pool.child(term, 1));
    let keys: Vec<TermId> = pool.children(map).iter().copied().step_by(2).collect();
    let held: Vec<TermId> = keys
        .into_iter()
        .map(|other| pool.equal(key, other))
        .collect();
    pool.or(&held)
}

/// A map with fresh symbols for its keys and values: how a map that is an argument or a free constant is expanded
/// (§5 of the finite-maps paper).
///
/// # Panics
/// When the sort is no finite map.
pub fn expand_finite_map(pool: &mut TermPool, name: &str, sort: Sort) -> TermId {
    let Sort::FiniteMap { key, value, size } = sort else {
        panic!("invariant: {sort:?} is a finite map");
    };
    let (key, value) = (pool.sort_of(key), pool.sort_of(value));
    let entries: Vec<(TermId, TermId)> = (0..size)
        .map(|number| {
            let key = pool.fresh_symbol(&format!("{name}.key{number}"), key);
            (
                key,
                pool.fresh_symbol(&format!("{name}.value{number}"), value),
            )
        })
        .collect();
    pool.finite_map(&entries)
}
