//! Gate A3's checks of token counts and of the search that fits a map into its budget.

/// Largest relative distance from the target at which the comparator accepts a map as it is.
pub const ACCEPTED_ERROR: f64 = 0.15;

/// One step of the search: a map of the first `middle` candidates was rendered and counted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Probe {
    /// Number of candidates rendered.
    pub middle: u64,
    /// The comparator's token estimate of that map, a float because long maps are sampled.
    pub estimate: f64,
    /// Whether the search kept this map as the best so far.
    pub kept: bool,
}

/// Two searches, step by step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ProbeAgreement {
    /// Number of steps of the longer search.
    pub steps: usize,
    /// Number of steps with the same candidates and the same estimate, bit for bit.
    pub equal: usize,
    /// Index of the first step that differs, if one does.
    pub first_difference: Option<usize>,
    /// Whether both kept the same candidates in the end (or both kept none).
    pub same_map: bool,
}

impl ProbeAgreement {
    /// Whether the searches are the same in every step and in their result. Two searches without a
    /// step are not: there was nothing to compare.
    pub fn is_exact(&self) -> bool {
        self.steps > 0 && self.equal == self.steps && self.same_map
    }
}

/// Compares our search with the recorded one.
///
/// Estimates are compared exactly: both sides divide and multiply the same integers in the same
/// order, so any difference is a different text or a different count. A NaN equals nothing.
pub fn compare_probes(ours: &[Probe], theirs: &[Probe]) -> ProbeAgreement {
    let steps = ours.len().max(theirs.len());
    let same = |step: &usize| match (ours.get(*step), theirs.get(*step)) {
        (Some(ours), Some(theirs)) => {
            ours.middle == theirs.middle
                && ours.estimate == theirs.estimate
                && ours.kept == theirs.kept
        }
        _ => false,
    };
    let kept = |probes: &[Probe]| probes.iter().rev().find(|probe| probe.kept).map(|p| p.middle);
    ProbeAgreement {
        steps,
        equal: (0..steps).filter(same).count(),
        first_difference: (0..steps).find(|step| !same(step)),
        same_map: kept(ours) == kept(theirs),
    }
}

/// A token count as a share of its target: 1 fits exactly, 1.15 is 15 % too large.
///
/// `None` without a target or with an estimate that is not finite.
pub fn share_of_target(estimate: f64, target: u64) -> Option<f64> {
    (target > 0 && estimate.is_finite()).then(|| estimate / target as f64)
}

/// The count that decides on strict budgets: the larger of the comparator's estimate, rounded
/// up, and the heuristic count plus 15 %, rounded up. `None` when the estimate is not a count.
pub fn safety_count(estimate: f64, heuristic: u64) -> Option<u64> {
    let counts = estimate.is_finite() && estimate >= 0.0;
    // In integers, because 1.15 has no exact float and the ceiling would feel it.
    let padded = u64::try_from((u128::from(heuristic) * 115).div_ceil(100)).ok()?;
    counts.then(|| padded.max(estimate.ceil() as u64))
}

#[cfg(test)]
mod tests {
    use super::{Probe, compare_probes, safety_count, share_of_target};

    fn probe(middle: u64, estimate: f64, kept: bool) -> Probe {
        Probe { middle, estimate, kept }
    }

    #[test]
    fn nothing_searched_is_not_exact() {
        assert!(!compare_probes(&[], &[]).is_exact());
    }

    #[test]
    fn equal_searches_are_exact() {
        let search = [probe(40, 800.0, true), probe(60, 1010.25, true)];
        assert!(compare_probes(&search, &search).is_exact());
    }

    #[test]
    fn one_unit_in_the_last_place_is_a_difference() {
        let theirs = [probe(40, 800.1, true)];
        let ours = [probe(40, 800.1_f64.next_up(), true)];
        let agreement = compare_probes(&ours, &theirs);
        assert_eq!((agreement.equal, agreement.first_difference), (0, Some(0)));
        assert!(agreement.same_map && !agreement.is_exact());
    }

    #[test]
    fn a_count_off_by_a_fifth_a_missing_step_and_another_map_are_found() {
        let theirs = [probe(40, 800.0, true), probe(60, 1010.0, true)];
        let inflated = theirs.map(|step| Probe { estimate: step.estimate * 1.2, ..step });
        assert_eq!(compare_probes(&inflated, &theirs).equal, 0);

        let shorter = compare_probes(&theirs[..1], &theirs);
        assert_eq!((shorter.steps, shorter.first_difference), (2, Some(1)));
        assert!(!shorter.same_map);

        let other = [theirs[0], probe(60, 1010.0, false)];
        assert!(!compare_probes(&other, &theirs).same_map);
    }

    #[test]
    fn a_nan_estimate_agrees_with_nothing() {
        let search = [probe(1, f64::NAN, true)];
        assert!(!compare_probes(&search, &search).is_exact());
    }

    #[test]
    fn the_safety_count_is_never_below_either_count() {
        assert_eq!(safety_count(100.5, 0), Some(101));
        assert_eq!(safety_count(0.0, 100), Some(115));
        assert_eq!(safety_count(0.0, 101), Some(117));
        assert_eq!(safety_count(1000.0, 100), Some(1000));
        assert_eq!(safety_count(f64::NAN, 100), None);
        assert_eq!(safety_count(1.0, u64::MAX), None);
    }

    #[test]
    fn a_share_needs_a_target() {
        assert_eq!(share_of_target(512.0, 1024), Some(0.5));
        assert_eq!(share_of_target(512.0, 0), None);
        assert_eq!(share_of_target(f64::NAN, 1024), None);
    }
}
