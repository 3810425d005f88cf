//! Tests of ownership.

use super::*;
use crate::interpret::value::ObjectKind;

fn object(slot: usize) -> ObjectId {
    ObjectId::new(1, ObjectKind::Stack, slot)
}

#[test]
fn a_byte_keeps_its_owner() {
    let mut ownership = Ownership::default();
    let o = object(1);
    assert!(ownership.touch(o, 0, 4, &[1]));
    assert!(ownership.touch(o, 4, 4, &[2]));
    assert!(ownership.touch(o, 2, 1, &[1]));
    assert!(!ownership.touch(o, 3, 2, &[1]), "the last byte is of 2");
    assert!(ownership.touch(o, 0, 8, &[1, 2]));
    assert!(!ownership.touch(o, 0, 8, &[2, 3]));
    assert!(ownership.touch(object(2), 0, 8, &[7]));
    // The slot is used again by another object.
    assert!(ownership.touch(ObjectId::new(2, ObjectKind::Stack, 1), 0, 8, &[9]));
}

#[test]
fn several_possible_owners_become_fewer() {
    let mut ownership = Ownership::default();
    let o = object(1);
    assert!(ownership.touch(o, 0, 100, &[1, 2, 3]));
    assert!(ownership.touch(o, 10, 10, &[3, 4, 2]));
    assert!(!ownership.touch(o, 12, 1, &[1]));
    assert!(ownership.touch(o, 12, 1, &[2]));
    assert!(ownership.touch(o, 13, 1, &[3]));
    assert!(!ownership.touch(o, 12, 2, &[2]));
    assert!(ownership.touch(o, 20, 80, &[1]));
}

#[test]
fn copies_pair_sources_and_destinations() {
    let mut ownership = Ownership::default();
    let (a, b) = (object(1), object(2));
    assert!(ownership.touch(a, 0, 4, &[1]));
    assert!(ownership.touch(a, 4, 4, &[2]));
    assert!(ownership.touch_copy((b, 8), (a, 0), 8, &[11, 12], &[1, 2]));
    assert!(ownership.touch(b, 8, 4, &[11]));
    assert!(!ownership.touch(b, 12, 4, &[11]));
    assert!(!ownership.touch_copy((b, 12), (a, 0), 4, &[11, 12], &[1, 2]));
}

#[test]
fn typed_instances_share_bytes() {
    let mut ownership = Ownership::default();
    let whole = ownership.begin(false).instance;
    let [int, float] = [(); 2].map(|()| ownership.begin(true).instance);
    let o = object(1);
    assert!(ownership.touch(o, 0, 8, &[int]) && ownership.touch(o, 0, 8, &[float]));
    assert!(ownership.overwrite(o, 0, 4, &[int]));
    assert!(
        !ownership.touch(o, 2, 4, &[float]),
        "two bytes are integers"
    );
    assert!(ownership.touch(o, 4, 4, &[float]));
    assert!(ownership.overwrite(o, 2, 4, &[float]));
    assert!(ownership.touch(o, 2, 4, &[float]) && !ownership.touch(o, 2, 4, &[int]));
    assert!(ownership.overwrite(o, 0, 8, &[int, float, NOWHERE]));
    assert!(ownership.touch(o, 0, 8, &[int]) && ownership.touch(o, 0, 8, &[float]));
    assert!(ownership.overwrite(o, 8, 4, &[whole]));
    assert!(!ownership.touch(o, 8, 4, &[int]) && !ownership.overwrite(o, 8, 4, &[int]));
}

#[test]
fn copies_take_types_along() {
    let mut ownership = Ownership::default();
    let [int, float] = [(); 2].map(|()| ownership.begin(true).instance);
    let (a, b) = (object(1), object(2));
    assert!(ownership.overwrite(a, 0, 4, &[int]) && ownership.overwrite(b, 0, 4, &[float]));
    assert!(ownership.touch_copy((b, 0), (a, 0), 4, &[int, float], &[int, float]));
    assert!(ownership.touch(b, 0, 4, &[int]) && !ownership.touch(b, 0, 4, &[float]));
}

#[test]
fn ranges_join_and_agree_with_bytes() {
    // Compared with a byte-wise map on a fixed sequence of pseudo-random accesses.
    let mut ownership = Ownership::default();
    let mut bytes: Vec<Vec<Instance>> = vec![vec![0, 1, 2, 3]; 64];
    let mut state = 12345u64;
    let mut next = |bound: u64| {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 33) % bound
    };
    assert!(ownership.touch(object(1), 0, 64, &[0, 1, 2, 3]));
    let mut refused = 0;
    for _ in 0..400 {
        let (at, length) = (next(60), 1 + next(4));
        let among: Vec<Instance> = (0..4).filter(|_| next(3) > 0).collect();
        let range = at as usize..(at + length) as usize;
        let fits = |set: &Vec<Instance>| set.iter().any(|i| among.contains(i));
        let expected = bytes[range.clone()].iter().all(fits);
        // A refused access ends a run, so that what it leaves behind does not matter.
        let mut trial = ownership.clone();
        assert_eq!(trial.touch(object(1), at, length, &among), expected);
        if expected {
            ownership = trial;
            for set in &mut bytes[range] {
                set.retain(|i| among.contains(i));
            }
        } else {
            refused += 1;
        }
    }
    assert!((50..400).contains(&refused), "{refused}");
}

#[test]
fn versions_succeed_each_other() {
    let mut ownership = Ownership::default();
    let first = ownership.begin(false);
    let other = ownership.begin(false);
    let second = ownership.advance(first.instance);
    assert!(!ownership.is_current(first));
    assert!(ownership.is_current(second) && ownership.is_current(other));
}

#[test]
fn cells_lie_in_one_raster() {
    let mut ownership = Ownership::default();
    let word = Cell::Word { bytes: 4 };
    assert!(ownership.touch_cell(object(1), 5, 4, 0, word, 8));
    assert!(ownership.touch_cell(object(1), 9, 4, 0, word, 8));
    assert!(!ownership.touch_cell(object(1), 8, 4, 0, word, 8));
    assert!(!ownership.touch_cell(object(1), 9, 2, 0, word, 8));
    assert!(ownership.touch_cell(object(1), 8, 8, 1, Cell::Pointer, 8));
}
