//! Pairing two lists one to one by a key and a place.

use std::collections::BTreeMap;

/// Pairs items of `gold` with items of `found`: those of equal keys whose places differ by at most
/// `tolerance`, the nearest first, none twice. Items without a key are never paired.
///
/// Each list is a slice of (key, place). Returns pairs of indices into both, sorted. Of two equal distances,
/// the earlier gold item wins, so the result does not depend on chance. `taken` says which items are paired
/// already; the new pairs are added to it.
pub fn pair<K: Ord>(
    gold: &[(Option<K>, u32)],
    found: &[(Option<K>, u32)],
    tolerance: u32,
    taken: &mut Taken,
) -> Vec<(usize, usize)> {
    let mut by_key: BTreeMap<&K, Vec<(u32, usize)>> = BTreeMap::new();
    for (index, (key, place)) in found.iter().enumerate() {
        if let Some(key) = key.as_ref().filter(|_| !Taken::has(&taken.found, index)) {
            by_key.entry(key).or_default().push((*place, index));
        }
    }
    let mut near = Vec::new();
    for (index, (key, place)) in gold.iter().enumerate() {
        let Some(key) = key.as_ref().filter(|_| !Taken::has(&taken.gold, index)) else { continue };
        for (other, at) in by_key.get(key).into_iter().flatten() {
            let distance = place.abs_diff(*other);
            if distance <= tolerance {
                near.push((distance, index, *at));
            }
        }
    }
    near.sort_unstable();
    let mut pairs = Vec::new();
    for (_, one, other) in near {
        if !Taken::has(&taken.gold, one) && !Taken::has(&taken.found, other) {
            Taken::set(&mut taken.gold, one);
            Taken::set(&mut taken.found, other);
            pairs.push((one, other));
        }
    }
    pairs.sort_unstable();
    pairs
}

/// Which items of both lists are paired.
#[derive(Debug, Default)]
pub struct Taken {
    gold: Vec<bool>,
    found: Vec<bool>,
}

impl Taken {
    /// Whether an item of gold is paired.
    pub fn gold(&self, index: usize) -> bool {
        Self::has(&self.gold, index)
    }

    /// Whether an item that was found is paired.
    pub fn found(&self, index: usize) -> bool {
        Self::has(&self.found, index)
    }

    fn has(list: &[bool], index: usize) -> bool {
        list.get(index).copied().unwrap_or_default()
    }

    fn set(list: &mut Vec<bool>, index: usize) {
        if list.len() <= index {
            list.resize(index + 1, false);
        }
        if let Some(item) = list.get_mut(index) {
            *item = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Taken, pair};

    fn pairs(gold: &[(&str, u32)], found: &[(&str, u32)], tolerance: u32) -> Vec<(usize, usize)> {
        let keyed = |list: &[(&str, u32)]| -> Vec<_> {
            list.iter().map(|(key, place)| (Some((*key).to_owned()), *place)).collect()
        };
        pair(&keyed(gold), &keyed(found), tolerance, &mut Taken::default())
    }

    #[test]
    fn the_nearest_is_taken_and_none_twice() {
        assert_eq!(pairs(&[("a", 1), ("a", 5)], &[("a", 5), ("a", 1)], 0), [(0, 1), (1, 0)]);
        assert_eq!(pairs(&[("a", 1), ("a", 2)], &[("a", 2)], 1), [(1, 0)]);
        assert_eq!(pairs(&[("a", 1)], &[("a", 2), ("a", 2)], 1), [(0, 0)]);
    }

    #[test]
    fn other_keys_and_far_places_are_not_paired() {
        assert_eq!(pairs(&[("a", 1)], &[("b", 1), ("a", 3)], 1), []);
        assert_eq!(pair::<u32>(&[(None, 1)], &[(None, 1)], 9, &mut Taken::default()), []);
    }

    #[test]
    fn a_second_pass_leaves_the_pairs_of_the_first_alone() {
        let mut taken = Taken::default();
        let gold = [(Some(1), 1), (Some(2), 1)];
        assert_eq!(pair(&gold, &[(Some(1), 1), (None, 1)], 0, &mut taken), [(0, 0)]);
        assert_eq!(pair(&gold, &[(Some(2), 1), (Some(2), 1)], 0, &mut taken), [(1, 1)]);
        assert!(taken.gold(1) && taken.found(1) && !taken.found(2));
    }
}
