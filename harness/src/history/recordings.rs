//! Which recordings two runs share.

use std::{collections::BTreeMap, fmt};

use record::Digest;
use serde::Serialize;

use super::times::kind_of;
use crate::report::{escape::visible, figure};

/// Recordings of two runs, compared by their digests.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Recordings {
    /// How many are the same bytes.
    pub equal: u64,
    /// How many differ, by kind: the part of a key behind the corpus, for example `raw` for seeded runs.
    pub differ: BTreeMap<String, u64>,
    /// How many only one of the runs has, by kind.
    pub alone: BTreeMap<String, u64>,
}

impl Recordings {
    /// Compares the indexes of two runs: digests of recordings by key.
    pub fn of(before: &BTreeMap<String, Digest>, after: &BTreeMap<String, Digest>) -> Self {
        let mut found = Self::default();
        let count = |kinds: &mut BTreeMap<String, u64>, key: &str| {
            *kinds.entry(kind_of(key).to_owned()).or_default() += 1;
        };
        for (key, digest) in before {
            match after.get(key) {
                Some(other) if other == digest => found.equal += 1,
                Some(_) => count(&mut found.differ, key),
                None => count(&mut found.alone, key),
            }
        }
        for key in after.keys().filter(|key| !before.contains_key(*key)) {
            count(&mut found.alone, key);
        }
        found
    }
}

impl fmt::Display for Recordings {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "recordings: {} equal", figure::count(self.equal))?;
        for (what, kinds) in [("differ", &self.differ), ("in one run alone", &self.alone)] {
            if kinds.is_empty() {
                continue;
            }
            let all = figure::count(kinds.values().sum());
            let each = |(kind, count): (&String, &u64)| {
                format!("{} {}", visible(kind), figure::count(*count))
            };
            let each: Vec<String> = kinds.iter().map(each).collect();
            write!(out, ", {all} {what} ({})", each.join(", "))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recordings_are_counted_by_what_they_are_of() {
        let index = |rows: &[(&str, &str)]| {
            rows.iter().map(|(key, text)| ((*key).to_owned(), Digest::of(text))).collect()
        };
        let before = index(&[("a/raw/0", "one"), ("a/raw/1", "two"), ("a/order", "same")]);
        let after = index(&[("a/raw/0", "other"), ("a/order", "same"), ("b/engine", "new")]);
        let found = Recordings::of(&before, &after);
        assert_eq!(
            found.to_string(),
            "recordings: 1 equal, 1 differ (raw 1), 2 in one run alone (engine 1, raw 1)"
        );
        assert_eq!(Recordings::of(&before, &before).to_string(), "recordings: 3 equal");
    }
}
