//! When two floating-point numbers count as the same measurement.

/// Largest relative difference between a rank of ours and the recorded one.
///
/// Both sides add the same terms, but the comparator's linear algebra may add them in another
/// order; 1e-12 leaves room for that and for nothing else.
pub const RANK_TOLERANCE: f64 = 1e-12;

/// |ours − theirs| divided by the larger magnitude, in [0, 2].
///
/// Equal values, two zeros of either sign and equal infinities give 0. `None` if a side is NaN, if only one
/// is infinite, or if two infinities have opposite signs: no number describes these differences.
pub fn relative_error(ours: f64, theirs: f64) -> Option<f64> {
    if ours == theirs {
        return Some(0.0);
    }
    if !ours.is_finite() || !theirs.is_finite() {
        return None;
    }
    let scale = ours.abs().max(theirs.abs());
    let difference = (ours - theirs).abs();
    // The difference of two huge values of opposite sign overflows. Scaling them first costs at most one
    // rounding.
    Some(if difference.is_finite() {
        difference / scale
    } else {
        (ours / scale - theirs / scale).abs()
    })
}

/// Whether two values are equal within a relative tolerance. A NaN equals nothing, not even NaN.
pub fn within(ours: f64, theirs: f64, tolerance: f64) -> bool {
    relative_error(ours, theirs).is_some_and(|error| error <= tolerance)
}

/// The largest relative error over pairs of values.
///
/// `None` when there is no pair, the lengths differ, or some pair cannot be compared: then no
/// number describes the difference.
pub fn worst_relative_error(ours: &[f64], theirs: &[f64]) -> Option<f64> {
    if ours.is_empty() || ours.len() != theirs.len() {
        return None;
    }
    ours.iter().zip(theirs).try_fold(0.0_f64, |worst, (ours, theirs)| {
        relative_error(*ours, *theirs).map(|error| worst.max(error))
    })
}

#[cfg(test)]
mod tests {
    use super::{RANK_TOLERANCE, relative_error, within, worst_relative_error};
    use crate::metrics::sample::Sample;

    #[test]
    fn nan_equals_nothing_and_infinity_only_itself() {
        assert!(!within(f64::NAN, f64::NAN, 1.0));
        assert!(!within(f64::INFINITY, 1.0, 1.0));
        assert!(!within(f64::INFINITY, f64::NEG_INFINITY, 2.0));
        assert!(within(f64::INFINITY, f64::INFINITY, 0.0));
        assert!(within(0.0, -0.0, 0.0));
    }

    #[test]
    fn a_zero_and_a_tiny_value_are_far_apart() {
        assert_eq!(relative_error(0.0, f64::MIN_POSITIVE), Some(1.0));
    }

    #[test]
    fn huge_and_subnormal_values_have_a_defined_error() {
        assert_eq!(relative_error(f64::MAX, -f64::MAX), Some(2.0));
        let smallest = f64::from_bits(1);
        assert_eq!(relative_error(smallest, smallest * 2.0), Some(0.5));
    }

    #[test]
    fn the_tolerance_is_relative_and_symmetric() {
        let mut sample = Sample::new(4);
        for value in sample.numbers(500, 1_000_000) {
            let value = value + 1.0;
            assert!(within(value, value * (1.0 + 5e-13), RANK_TOLERANCE));
            assert!(!within(value, value * (1.0 + 5e-12), RANK_TOLERANCE));
            let other = value * 1.25;
            assert_eq!(relative_error(value, other), relative_error(other, value));
        }
    }

    #[test]
    fn one_incomparable_pair_makes_the_whole_incomparable() {
        assert_eq!(worst_relative_error(&[1.0, f64::NAN], &[1.0, 1.0]), None);
        assert_eq!(worst_relative_error(&[1.0], &[1.0, 1.0]), None);
        assert_eq!(worst_relative_error(&[], &[]), None);
        assert_eq!(worst_relative_error(&[1.0, 2.0], &[1.0, 4.0]), Some(0.5));
    }
}
