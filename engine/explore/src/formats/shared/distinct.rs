//! Counts the distinct values that do not fit into a list, in bounded memory.

use std::hash::{DefaultHasher, Hash, Hasher};

use indexmap::IndexSet;

/// Maximum number of values that are distinguished: together with the list, ten times as many as
/// the longest list has.
const MOST: usize = 1 << 20;

/// Distinct values by their 64-bit digests: among a million values, the chance that any two share a
/// digest is one in thirty million.
#[derive(Debug, Default)]
pub struct Distinct {
    seen: IndexSet<u64>,
    full: bool,
}

impl Distinct {
    /// Adds a value; true if it is new. Once [`MOST`] values were added, none counts as new.
    pub fn add(&mut self, one: impl Hash) -> bool {
        let digest = digest(one);
        if self.seen.len() < MOST {
            return self.seen.insert(digest);
        }
        self.full |= !self.seen.contains(&digest);
        false
    }

    /// Number of values that were distinguished.
    pub fn count(&self) -> u64 {
        self.seen.len() as u64
    }

    /// Whether there may be more than [`Distinct::count`] returns.
    pub const fn at_least(&self) -> bool {
        self.full
    }
}

/// A digest of a value, the same in every run.
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
