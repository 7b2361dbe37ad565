//! Numbers that a gate counts case by case and adds up over a run.

use std::collections::BTreeMap;

/// Counts by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts(BTreeMap<&'static str, usize>);

impl Counts {
    /// Adds to a count.
    pub fn add(&mut self, name: &'static str, more: usize) {
        *self.0.entry(name).or_default() += more;
    }

    /// A count; 0 if nothing was counted.
    pub fn get(&self, name: &str) -> usize {
        self.0.get(name).copied().unwrap_or_default()
    }

    /// Adds all of other counts.
    pub fn merge(&mut self, other: &Self) {
        for (name, count) in &other.0 {
            self.add(name, *count);
        }
    }
}
