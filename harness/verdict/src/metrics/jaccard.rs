//! Agreement of two sets: the share of their union that both have.

use std::collections::BTreeSet;

/// Jaccard index of two sets, |a ∩ b| / |a ∪ b|, in [0, 1] (Jaccard 1901).
///
/// Repeated items count once. Two empty sets give `None`: nothing was compared, and that must never count as
/// full agreement.
pub fn jaccard<'a, T: Ord + ?Sized + 'a>(
    ours: impl IntoIterator<Item = &'a T>,
    theirs: impl IntoIterator<Item = &'a T>,
) -> Option<f64> {
    let ours: BTreeSet<&T> = ours.into_iter().collect();
    let theirs: BTreeSet<&T> = theirs.into_iter().collect();
    let shared = ours.intersection(&theirs).count();
    let either = ours.len() + theirs.len() - shared;
    (either > 0).then(|| shared as f64 / either as f64)
}

#[cfg(test)]
mod tests {
    use super::jaccard;
    use crate::metrics::sample::Sample;

    #[test]
    fn nothing_compared_is_not_agreement() {
        assert_eq!(jaccard::<str>([], []), None);
        assert_eq!(jaccard(["a"], []), Some(0.0));
    }

    #[test]
    fn repeated_items_count_once() {
        assert_eq!(jaccard(["a", "a", "b"], ["b", "b"]), Some(0.5));
    }

    #[test]
    fn it_is_symmetric_bounded_and_one_only_for_equal_sets() {
        let mut sample = Sample::new(1);
        for _ in 0..500 {
            let (ours, theirs) = (sample.integers(12, 10), sample.integers(12, 10));
            let value = jaccard(&ours, &theirs);
            assert_eq!(value, jaccard(&theirs, &ours));
            let sets = [&ours, &theirs].map(|items| items.iter().collect::<super::BTreeSet<_>>());
            match value {
                None => assert!(ours.is_empty() && theirs.is_empty()),
                Some(value) => {
                    assert!((0.0..=1.0).contains(&value));
                    assert_eq!(value == 1.0, sets[0] == sets[1]);
                    assert_eq!(value == 0.0, sets[0].is_disjoint(&sets[1]));
                }
            }
        }
    }
}
