//! A small deterministic source of test inputs: the same seed gives the same inputs everywhere.

/// A SplitMix64 sequence (Steele, Lea and Flood 2014).
pub struct Sample(u64);

impl Sample {
    /// Starts the sequence of one seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// An integer below a positive bound.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    /// Up to `most` integers below a bound, with repetitions, possibly none.
    pub fn integers(&mut self, most: u64, bound: u64) -> Vec<u64> {
        let length = self.below(most + 1);
        (0..length).map(|_| self.below(bound)).collect()
    }

    /// Whole numbers below a bound as floats; a small bound gives many ties.
    pub fn numbers(&mut self, length: usize, bound: u64) -> Vec<f64> {
        (0..length).map(|_| self.below(bound) as f64).collect()
    }

    /// Puts the items in a random order (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.below(last as u64 + 1) as usize;
            items.swap(last, other);
        }
    }
}

/// Whether two measures are both undefined, or differ by rounding only.
pub fn close(left: Option<f64>, right: Option<f64>) -> bool {
    match (left, right) {
        (Some(left), Some(right)) => (left - right).abs() <= 1e-12,
        (left, right) => left.is_none() && right.is_none(),
    }
}
