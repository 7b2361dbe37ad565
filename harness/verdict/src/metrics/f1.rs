//! Precision, recall and their harmonic mean.

/// How many items are true, how many were found, and how many are both.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Items that are true and were found.
    pub paired: u64,
    /// Items that are true.
    pub gold: u64,
    /// Items that were found.
    pub found: u64,
}

impl Counts {
    /// Share of the true items that were found, in [0, 1]; `None` if there are no true items.
    pub fn recall(self) -> Option<f64> {
        share(self.paired, self.gold)
    }

    /// Share of the found items that are true, in [0, 1]. It is 0 if nothing was found although there are
    /// true items, so that silence does not count as precision. `None` if there are neither.
    pub fn precision(self) -> Option<f64> {
        if self.found == 0 && self.gold > 0 { Some(0.0) } else { share(self.paired, self.found) }
    }

    /// Harmonic mean of both (van Rijsbergen 1979, F1); `None` where either is undefined.
    pub fn f1(self) -> Option<f64> {
        share(2 * self.paired, self.gold + self.found)
            .filter(|_| self.recall().is_some() && self.precision().is_some())
    }

    /// Adds other counts.
    pub const fn add(&mut self, other: Self) {
        self.paired += other.paired;
        self.gold += other.gold;
        self.found += other.found;
    }
}

/// `part` divided by `whole`, in [0, 1]; `None` if `whole` is 0.
pub fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

#[cfg(test)]
mod tests {
    use super::Counts;

    #[test]
    fn each_kind_of_error_lowers_its_own_measure() {
        let perfect = Counts { paired: 10, gold: 10, found: 10 };
        assert_eq!(
            (perfect.recall(), perfect.precision(), perfect.f1()),
            (Some(1.0), Some(1.0), Some(1.0))
        );
        let missed = Counts { paired: 9, gold: 10, found: 9 };
        assert_eq!((missed.recall(), missed.precision()), (Some(0.9), Some(1.0)));
        let invented = Counts { paired: 10, gold: 10, found: 20 };
        assert_eq!((invented.recall(), invented.precision()), (Some(1.0), Some(0.5)));
        assert!((invented.f1().unwrap() - 2.0 / 3.0).abs() < 1e-12);
    }

    #[test]
    fn nothing_is_undefined_and_silence_is_not_precise() {
        let nothing = Counts::default();
        assert_eq!((nothing.recall(), nothing.precision(), nothing.f1()), (None, None, None));
        let silent = Counts { gold: 3, ..nothing };
        assert_eq!(
            (silent.recall(), silent.precision(), silent.f1()),
            (Some(0.0), Some(0.0), Some(0.0))
        );
    }
}
