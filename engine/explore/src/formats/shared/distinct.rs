//! Counts different things that no list has room for, each once, in bounded memory.

use std::hash::{DefaultHasher, Hash, Hasher};

use indexmap::IndexSet;

/// Things that are told apart: with the list that they have no room in, ten times the longest one.
const MOST: usize = 1 << 20;

/// Different things, by their digests of 64 bits: two of a million share one with a chance of one
/// in thirty million.
#[derive(Debug, Default)]
pub struct Distinct {
    seen: IndexSet<u64>,
    full: bool,
}

impl Distinct {
    /// Takes one in; true if it is new. When [`MOST`] are in, nothing is new.
    pub fn add(&mut self, one: impl Hash) -> bool {
        let digest = digest(one);
        if self.seen.len() < MOST {
            return self.seen.insert(digest);
        }
        self.full |= !self.seen.contains(&digest);
        false
    }

    /// How many there are, or were told apart.
    pub fn count(&self) -> u64 {
        self.seen.len() as u64
    }

    /// Whether there may be more than [`Distinct::count`] says.
    pub const fn at_least(&self) -> bool {
        self.full
    }
}

/// A number that stands for a thing, the same in every run.
pub fn digest(one: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    one.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::{Distinct, MOST};

    #[test]
    fn each_counts_once_until_there_are_too_many() {
        let mut distinct = Distinct::default();
        for number in (0..MOST as u64).chain(0..10) {
            distinct.add(("a", number));
        }
        assert_eq!((distinct.count(), distinct.at_least()), (MOST as u64, false));
        assert!(!distinct.add(("b", 0_u64)));
        assert_eq!((distinct.count(), distinct.at_least()), (MOST as u64, true));
    }
}
