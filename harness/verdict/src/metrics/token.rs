//! The token count that decides on strict budgets.

/// The larger of the comparator's estimate, rounded up, and the heuristic count plus 15 %, rounded
/// up. `None` when the estimate is not a count.
pub fn safety_count(estimate: f64, heuristic: u64) -> Option<u64> {
    let counts = estimate.is_finite() && estimate >= 0.0;
    // In integers, because 1.15 has no exact float and the ceiling would feel it.
    let padded = u64::try_from((u128::from(heuristic) * 115).div_ceil(100)).ok()?;
    counts.then(|| padded.max(estimate.ceil() as u64))
}

#[cfg(test)]
mod tests {
    use super::safety_count;

    #[test]
    fn the_safety_count_is_never_below_either_count() {
        assert_eq!(safety_count(100.5, 0), Some(101));
        assert_eq!(safety_count(0.0, 100), Some(115));
        assert_eq!(safety_count(0.0, 101), Some(117));
        assert_eq!(safety_count(1000.0, 100), Some(1000));
        assert_eq!(safety_count(f64::NAN, 100), None);
        assert_eq!(safety_count(1.0, u64::MAX), None);
    }
}
