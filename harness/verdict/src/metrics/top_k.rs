//! Gate A1's comparison of two rankings: their first K files as sets and as orders.

use super::{jaccard::jaccard, spearman::spearman_of_orders};

/// Most files of a ranking that are compared.
pub const MAX_K: usize = 30;

/// What the first K files of two rankings have in common.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TopK {
    /// Number of files compared on each side: min([`MAX_K`], eligible).
    pub k: usize,
    /// Number of files that are among the first K of both.
    pub shared: usize,
    /// Agreement of the two sets; `None` when nothing was eligible.
    pub jaccard: Option<f64>,
    /// Agreement of the order of the shared files, re-ranked among themselves; `None` when fewer
    /// than three are shared, where gate A1 judges by `jaccard` alone.
    pub spearman: Option<f64>,
}

/// Compares two rankings, best file first, without chat files and without repetitions.
///
/// `eligible` is the number of files that could be ranked. If it is zero, there is nothing to judge: both
/// measures are `None` and the cell is insufficient, whatever the lists hold. A list shorter than K is
/// compared as it is, so a missing file lowers the agreement.
pub fn compare<T: Ord>(ours: &[T], theirs: &[T], eligible: usize) -> TopK {
    let k = eligible.min(MAX_K);
    let ours = ours.get(..k).unwrap_or(ours);
    let theirs = theirs.get(..k).unwrap_or(theirs);
    let (shared, spearman) = spearman_of_orders(ours, theirs);
    TopK { k, shared, jaccard: jaccard(ours, theirs), spearman }
}

#[cfg(test)]
mod tests {
    use super::{MAX_K, compare};
    use crate::metrics::sample::{Sample, close};

    #[test]
    fn nothing_eligible_measures_nothing() {
        let result = compare(&["a", "b", "c"], &["a", "b", "c"], 0);
        assert_eq!((result.k, result.jaccard, result.spearman), (0, None, None));
    }

    #[test]
    fn a_small_repository_is_compared_whole() {
        let result = compare(&["a", "b"], &["b", "a"], 2);
        assert_eq!((result.k, result.shared), (2, 2));
        assert_eq!((result.jaccard, result.spearman), (Some(1.0), None));
    }

    #[test]
    fn files_after_the_thirtieth_do_not_count() {
        let ours: Vec<u32> = (0..40).collect();
        let mut theirs = ours.clone();
        theirs[30..].reverse();
        let result = compare(&ours, &theirs, 40);
        assert_eq!((result.k, result.shared, result.jaccard), (MAX_K, 30, Some(1.0)));
        assert!(close(result.spearman, Some(1.0)));
    }

    #[test]
    fn a_missing_file_costs_agreement() {
        let ours: Vec<u32> = (0..29).collect();
        let theirs: Vec<u32> = (0..30).collect();
        assert_eq!(compare(&ours, &theirs, 30).jaccard, Some(29.0 / 30.0));
    }

    #[test]
    fn a_shuffled_ranking_misses_both_thresholds() {
        let theirs: Vec<u32> = (0..200).collect();
        let mut sample = Sample::new(3);
        for _ in 0..50 {
            let mut ours = theirs.clone();
            sample.shuffle(&mut ours);
            let result = compare(&ours, &theirs, 200);
            assert!(result.jaccard.is_some_and(|value| value < 0.85));
        }
    }

    #[test]
    fn swapped_blocks_of_the_same_files_miss_the_order_threshold_alone() {
        let theirs: Vec<u32> = (0..30).collect();
        let ours: Vec<u32> = (10..30).chain(0..10).collect();
        let result = compare(&ours, &theirs, 30);
        assert_eq!(result.jaccard, Some(1.0));
        assert!(result.spearman.is_some_and(|value| value < 0.80));
    }
}
