//! Mean absolute percentage error of counts, with its zero denominators defined.

/// A running mean of relative errors.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Mape {
    sum: f64,
    /// Number of counts compared.
    pub n: u64,
}

impl Mape {
    /// Adds one count. `found` is ours; `None` means that we have none, which is an error of 1. If the true
    /// count is 0, the error is 0 if ours is 0, too, else 1. No error counts for more than 1, so that one
    /// absurd value cannot outweigh all others.
    pub fn add(&mut self, truth: f64, found: Option<f64>) {
        let error = match found {
            Some(found) if found == truth => 0.0,
            Some(found) if truth != 0.0 => ((found - truth) / truth).abs().min(1.0),
            _ => 1.0,
        };
        self.sum += error;
        self.n += 1;
    }

    /// Adds another mean's errors.
    pub fn merge(&mut self, other: Self) {
        self.sum += other.sum;
        self.n += other.n;
    }

    /// The mean in [0, 1]; `None` if nothing was compared.
    pub fn value(self) -> Option<f64> {
        (self.n > 0).then(|| self.sum / self.n as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::Mape;

    #[test]
    fn zero_denominators_and_missing_counts_are_defined() {
        for (truth, found, error) in [
            (10.0, Some(9.0), 0.1),
            (10.0, Some(100.0), 1.0),
            (0.0, Some(0.0), 0.0),
            (0.0, Some(3.0), 1.0),
            (5.0, None, 1.0),
        ] {
            let mut mape = Mape::default();
            mape.add(truth, found);
            assert!((mape.value().unwrap() - error).abs() < 1e-12, "{truth} {found:?}");
        }
        assert_eq!(Mape::default().value(), None);
    }
}
