//! Against ordered maps.

use std::collections::BTreeMap;

use super::{Merged, OneSided, PersistentMap};
use crate::variable::{Type, VariableId};

fn variable(index: u32) -> VariableId {
    VariableId::new(index, Type::Unbounded)
}

fn pseudo_random(seed: &mut u64) -> u32 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
    (*seed >> 40) as u32
}

fn random(seed: &mut u64) -> (PersistentMap<u32>, BTreeMap<u32, u32>) {
    let (mut map, mut model) = (PersistentMap::new(), BTreeMap::new());
    for _ in 0..pseudo_random(seed) % 40 {
        let (key, value) = (pseudo_random(seed) % 64, pseudo_random(seed) % 3);
        if pseudo_random(seed).is_multiple_of(4) {
            map.remove(variable(key));
            model.remove(&key);
        } else {
            map.insert(variable(key), value);
            model.insert(key, value);
        }
    }
    (map, model)
}

fn entries(map: &PersistentMap<u32>) -> Vec<(u32, u32)> {
    map.iter().map(|(x, value)| (x.index(), *value)).collect()
}

#[test]
fn merges_agree_with_ordered_maps() {
    let mut seed = 7;
    for _ in 0..2000 {
        let ((a, model_a), (b, model_b)) = (random(&mut seed), random(&mut seed));
        assert_eq!(entries(&a), model_a.clone().into_iter().collect::<Vec<_>>());
        let max = |_, x: &u32, y: &u32| if x >= y { Merged::Left } else { Merged::Right };
        let union = a.merge(&b, OneSided::Keep, OneSided::Keep, max);
        let mut model = model_a.clone();
        for (key, value) in &model_b {
            model
                .entry(*key)
                .and_modify(|old| *old = (*old).max(*value))
                .or_insert(*value);
        }
        assert_eq!(entries(&union), model.into_iter().collect::<Vec<_>>());
        let common = a.merge(&b, OneSided::Drop, OneSided::Drop, max);
        assert!(
            common
                .iter()
                .all(|(x, _)| a.get(x).is_some() && b.get(x).is_some())
        );
        assert_eq!(
            common.iter().count(),
            model_a
                .keys()
                .filter(|key| model_b.contains_key(key))
                .count()
        );
        assert!(union.covers(&a, |x, y| x >= y) && a.covers(&common, |x, y| x <= y));
        let expected = model_b
            .iter()
            .all(|(key, value)| model_a.get(key) == Some(value));
        assert_eq!(a.covers(&b, |x, y| x == y), expected);
    }
}

#[test]
fn merges_share_what_did_not_change() {
    let base: PersistentMap<u32> = (0..1024).map(|index| (variable(index), 0)).collect();
    let mut changed = base.clone();
    changed.insert(variable(500), 1);
    let mut asked = 0;
    let merged = base.merge(&changed, OneSided::Drop, OneSided::Drop, |_, _, _| {
        asked += 1;
        Merged::Left
    });
    assert_eq!(asked, 1);
    assert!(merged.is_same(&base));
    assert!(changed.unshared_nodes(&base) <= 11);
}

#[test]
fn differing_keys_are_found_and_shared_ones_are_not_looked_at() {
    let mut seed = 7;
    for _ in 0..300 {
        let (base, _) = random(&mut seed);
        let (mut left, mut right) = (base.clone(), base);
        let mut touched = std::collections::BTreeSet::new();
        for _ in 0..pseudo_random(&mut seed) % 4 {
            let (key, value) = (pseudo_random(&mut seed) % 64, pseudo_random(&mut seed) % 3);
            touched.insert(key);
            match pseudo_random(&mut seed) % 3 {
                0 => left.insert(variable(key), value),
                1 => right.insert(variable(key), value),
                _ => left.remove(variable(key)),
            }
        }
        let found: Vec<u32> = left.differing(&right).iter().map(|x| x.index()).collect();
        for key in 0..64 {
            let same = left.get(variable(key)) == right.get(variable(key));
            assert!(same || found.contains(&key), "{key} differs");
        }
        assert!(found.iter().all(|key| touched.contains(key)), "{found:?}");
        let once: std::collections::BTreeSet<&u32> = found.iter().collect();
        assert_eq!(once.len(), found.len());
    }
}
