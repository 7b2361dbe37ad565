//! Agreement of two orderings.

use std::collections::BTreeMap;

use statrs::statistics::{Data, OrderStatistics, RankTieBreaker, Statistics};

/// Smallest number of pairs for which a rank correlation is meaningful.
pub const MIN_PAIRS: usize = 3;

/// Spearman's rank correlation of paired values, in [-1, 1] (Spearman 1904): Pearson's correlation
/// of the ranks, tied values sharing the average of their ranks.
///
/// `None` when it is undefined: slices of different length, fewer than [`MIN_PAIRS`] pairs, a value
/// that is not finite, or one side all equal (a constant has no order to agree with).
pub fn spearman(ours: &[f64], theirs: &[f64]) -> Option<f64> {
    let comparable = ours.len() == theirs.len() && ours.len() >= MIN_PAIRS;
    // Ranking sorts by value, and a NaN has no place in an order.
    if !comparable || ours.iter().chain(theirs).any(|value| !value.is_finite()) {
        return None;
    }
    let ours = average_ranks(ours);
    let theirs = average_ranks(theirs);
    // Ranks are multiples of one half, so the variance of a constant is exactly zero.
    let spread = ours.as_slice().variance().sqrt() * theirs.as_slice().variance().sqrt();
    let correlation = ours.as_slice().covariance(theirs.as_slice()) / spread;
    (spread > 0.0 && correlation.is_finite()).then(|| correlation.clamp(-1.0, 1.0))
}

/// Spearman's correlation of two ordered lists over the items that both have.
///
/// The positions are re-ranked over the shared items, so an item that only one list has changes nothing. If
/// a list repeats an item, its first position counts. Returns the number of shared items and the
/// correlation, which is `None` for fewer than [`MIN_PAIRS`] of them.
pub fn spearman_of_orders<T: Ord>(ours: &[T], theirs: &[T]) -> (usize, Option<f64>) {
    let positions = first_positions(theirs);
    let mut pairs: Vec<(f64, f64)> = first_positions(ours)
        .into_iter()
        .filter_map(|(item, ours)| positions.get(item).map(|theirs| (ours, *theirs)))
        .collect();
    // Summed in list order, so that the result does not depend on how items compare.
    pairs.sort_by(|(left, _), (right, _)| left.total_cmp(right));
    let (ours, theirs): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
    (ours.len(), spearman(&ours, &theirs))
}

/// Ranks from 1, ties averaged.
fn average_ranks(values: &[f64]) -> Vec<f64> {
    Data::new(values.to_vec()).ranks(RankTieBreaker::Average)
}

/// Where each item of a list appears first.
fn first_positions<T: Ord>(list: &[T]) -> BTreeMap<&T, f64> {
    let mut positions = BTreeMap::new();
    for (position, item) in list.iter().enumerate() {
        positions.entry(item).or_insert(position as f64);
    }
    positions
}

#[cfg(test)]
mod tests {
    use super::{spearman, spearman_of_orders};
    use crate::metrics::sample::{Sample, close};

    #[test]
    fn too_few_constant_or_undefined_is_none() {
        assert_eq!(spearman(&[1.0, 2.0], &[1.0, 2.0]), None);
        assert_eq!(spearman(&[1.0, 1.0, 1.0], &[1.0, 2.0, 3.0]), None);
        assert_eq!(spearman(&[1.0, f64::NAN, 3.0], &[1.0, 2.0, 3.0]), None);
        assert_eq!(spearman(&[1.0, f64::INFINITY, 3.0], &[1.0, 2.0, 3.0]), None);
        assert_eq!(spearman(&[1.0, 2.0, 3.0], &[1.0, 2.0]), None);
    }

    #[test]
    fn equal_order_is_one_and_reversed_order_minus_one() {
        let list: Vec<u32> = (0..30).collect();
        let reversed: Vec<u32> = (0..30).rev().collect();
        assert!(close(spearman_of_orders(&list, &list).1, Some(1.0)));
        assert!(close(spearman_of_orders(&list, &reversed).1, Some(-1.0)));
    }

    #[test]
    fn items_of_one_list_only_move_nothing() {
        let ours = ["a", "x", "b", "y", "c", "d"];
        let theirs = ["b", "a", "p", "c", "q", "d"];
        let (shared, value) = spearman_of_orders(&ours, &theirs);
        let (_, alone) = spearman_of_orders(&["a", "b", "c", "d"], &["b", "a", "c", "d"]);
        assert_eq!(shared, 4);
        assert!(close(value, alone));
        // One swap of neighbours among four: 1 - 6·2 / (4·15).
        assert!(close(alone, Some(0.8)));
    }

    #[test]
    fn only_the_order_counts_and_sides_may_be_exchanged() {
        let mut sample = Sample::new(2);
        for _ in 0..500 {
            let length = 3 + sample.below(20) as usize;
            let ours = sample.numbers(length, 8);
            let theirs = sample.numbers(length, 8);
            let value = spearman(&ours, &theirs);
            assert!(close(value, spearman(&theirs, &ours)));
            let stretched: Vec<f64> = ours.iter().map(|x| (x * 3.0 + 1.0).exp()).collect();
            assert!(close(value, spearman(&stretched, &theirs)));
            let mirrored: Vec<f64> = ours.iter().map(|x| -x).collect();
            assert!(close(value.map(|value| -value), spearman(&mirrored, &theirs)));
            assert!(value.is_none_or(|value| (-1.0..=1.0).contains(&value)));
        }
    }
}
