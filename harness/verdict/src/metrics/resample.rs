//! Intervals by resampling: the percentile bootstrap of Efron and Tibshirani, *An Introduction to the Bootstrap*
//! (1993), chapter 13.

/// The interval that the middle of the resampled means covers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

/// How often is drawn, from which seed on, and how much an interval covers.
#[derive(Debug, Clone, Copy)]
pub struct Resampling {
    draws: usize,
    seed: u64,
    confidence: f64,
}

impl Resampling {
    /// So many draws from a seed on, and the share of the means that an interval covers.
    pub const fn new(draws: usize, seed: u64, confidence: f64) -> Self {
        Self { draws, seed, confidence }
    }

    /// The interval of the mean over groups, where the members of each group are drawn again.
    pub fn of_members(self, groups: &[Vec<f64>]) -> Option<Interval> {
        self.of(groups, |draw| {
            let drawn: Vec<Vec<f64>> = groups.iter().map(|group| draw_from(group, draw)).collect();
            mean_of_means(&drawn)
        })
    }

    /// The interval of the mean over groups, where the groups are drawn again.
    pub fn of_groups(self, groups: &[Vec<f64>]) -> Option<Interval> {
        let means: Vec<f64> = groups.iter().map(|group| mean(group)).collect();
        self.of(groups, |draw| Some(mean(&draw_from(&means, draw))))
    }

    fn of(
        self,
        groups: &[Vec<f64>],
        sample: impl Fn(&mut fastrand::Rng) -> Option<f64>,
    ) -> Option<Interval> {
        if groups.is_empty() || groups.iter().any(Vec::is_empty) || self.draws == 0 {
            return None;
        }
        let mut draw = fastrand::Rng::with_seed(self.seed);
        let mut means: Vec<f64> =
            (0..self.draws).map(|_| sample(&mut draw)).collect::<Option<_>>()?;
        means.sort_unstable_by(f64::total_cmp);
        let outside = ((1.0 - self.confidence) / 2.0 * self.draws as f64) as usize;
        let low = means.get(outside).copied()?;
        let high = means.get(self.draws.checked_sub(outside + 1)?).copied()?;
        Some(Interval { low, high })
    }
}

/// The mean over the means of groups; absent if there is none, or one is empty.
pub fn mean_of_means(groups: &[Vec<f64>]) -> Option<f64> {
    let whole = !groups.is_empty() && groups.iter().all(|group| !group.is_empty());
    whole.then(|| groups.iter().map(|group| mean(group)).sum::<f64>() / groups.len() as f64)
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// As many values as there are, each drawn from all of them.
fn draw_from(values: &[f64], draw: &mut fastrand::Rng) -> Vec<f64> {
    (0..values.len()).filter_map(|_| values.get(draw.usize(..values.len())).copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::{Interval, Resampling, mean_of_means};

    const RESAMPLING: Resampling = Resampling { draws: 2000, seed: 1, confidence: 0.95 };

    #[test]
    fn the_mean_is_over_groups() {
        assert_eq!(mean_of_means(&[vec![1.0, 1.0, 1.0], vec![0.0]]), Some(0.5));
        assert_eq!(mean_of_means(&[vec![1.0], vec![]]), None);
        assert_eq!(mean_of_means(&[]), None);
    }

    #[test]
    fn intervals_cover_what_the_normal_distribution_says() {
        // 400 of 0 and 1 each: the mean has a deviation of 0.5 / sqrt(400).
        let values: Vec<f64> = (0..400).map(|number| f64::from(number % 2)).collect();
        let Interval { low, high } = RESAMPLING.of_members(&[values]).unwrap();
        let expected = 1.96 * 0.5 / 400_f64.sqrt();
        assert!((low - (0.5 - expected)).abs() < 0.01, "{low}");
        assert!((high - (0.5 + expected)).abs() < 0.01, "{high}");
    }

    #[test]
    fn groups_are_drawn_whole() {
        let Interval { low, high } = RESAMPLING.of_groups(&[vec![0.0; 9], vec![1.0]]).unwrap();
        assert_eq!((low, high), (0.0, 1.0));
        // The members of a group of equal values leave no doubt.
        let Interval { low, high } = RESAMPLING.of_members(&[vec![0.0; 9], vec![1.0]]).unwrap();
        assert_eq!((low, high), (0.5, 0.5));
        assert_eq!(RESAMPLING.of_groups(&[]), None);
    }
}
