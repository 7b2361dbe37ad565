//! Whether a time differs significantly from earlier ones.

use serde::Serialize;

/// The fewest earlier values for a comparison; fewer do not show how much a time varies.
pub const FEWEST: usize = 4;
/// How many interquartile ranges beyond a quartile a time must lie to be significant.
const RANGES: f64 = 3.0;

/// How a time compares with earlier ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Compared {
    /// There are fewer than [`FEWEST`] earlier times.
    TooFew,
    /// Within what was seen before.
    Ordinary,
    /// Above the third quartile by more than three interquartile ranges.
    Slower,
    /// Below the first quartile by as much.
    Faster,
}

/// Compares a time with earlier ones, all in one unit.
pub fn compare(earlier: &[f64], now: f64) -> Compared {
    if earlier.len() < FEWEST {
        return Compared::TooFew;
    }
    let mut sorted = earlier.to_vec();
    sorted.sort_by(f64::total_cmp);
    let (first, third) = (quantile(&sorted, 0.25), quantile(&sorted, 0.75));
    let reach = RANGES * (third - first);
    if now > third + reach {
        Compared::Slower
    } else if now < first - reach {
        Compared::Faster
    } else {
        Compared::Ordinary
    }
}

/// A quantile of sorted values, by linear interpolation between the two around it.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share * (sorted.len().saturating_sub(1)) as f64;
    let at = |index: f64| sorted.get(index as usize).copied().unwrap_or_default();
    let (below, above) = (at(place.floor()), at(place.ceil()));
    below + (above - below) * place.fract()
}

#[cfg(test)]
mod tests {
    use super::{Compared, compare};

    #[test]
    fn a_time_is_significant_beyond_three_ranges_of_the_quartiles() {
        // Quartiles of 1 to 5 are 2 and 4: the bounds are 4 + 3·2 and 2 − 3·2.
        let earlier = [3.0, 1.0, 5.0, 2.0, 4.0];
        assert_eq!(compare(&earlier, 10.0), Compared::Ordinary);
        assert_eq!(compare(&earlier, 10.1), Compared::Slower);
        assert_eq!(compare(&earlier, -4.1), Compared::Faster);
        assert_eq!(compare(&earlier[..3], 99.0), Compared::TooFew);
        // Between two values: quartiles of 0 0 1 1 are 0 and 1.
        assert_eq!(compare(&[0.0, 1.0, 0.0, 1.0], 4.0), Compared::Ordinary);
        assert_eq!(compare(&[0.0, 1.0, 0.0, 1.0], 4.1), Compared::Slower);
    }
}
