//! How long the units of two runs took, kind by kind. No verdict depends on it.

use std::{collections::BTreeMap, fmt};

use serde::Serialize;

use super::{
    Side,
    significance::{self, Compared},
};
use crate::report::{escape::visible, figure};

/// The kind of a unit or a recording: the part of its key behind the corpus, such as `maps`.
pub fn kind_of(key: &str) -> &str {
    key.split('/').nth(1).unwrap_or(key)
}

/// Wall time of each unit in milliseconds, by its key.
pub type Units = BTreeMap<String, u64>;

/// What the units of one kind took in two runs, over the units that both have.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Times {
    /// What [`kind_of`] gives.
    pub kind: String,
    /// How many units of this kind both runs have.
    pub units: usize,
    /// The sum of their wall times in seconds, in the older and in the newer run.
    pub seconds: [f64; 2],
    /// How many earlier runs have all these units too. The older run is one of them.
    pub earlier: usize,
    /// How the newer time compares with those of the earlier runs.
    pub compared: Compared,
}

impl Times {
    /// Compares two runs. `earlier` are the units of other runs before the newer one, of the same set and
    /// profile.
    pub fn of(before: &Units, after: &Units, earlier: &[Units]) -> Vec<Self> {
        let mut shared: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for unit in after.keys().filter(|unit| before.contains_key(*unit)) {
            shared.entry(kind_of(unit)).or_default().push(unit);
        }
        let rows = shared.into_iter().map(|(kind, units)| {
            let took = |run: &Units| {
                let each = units.iter().map(|unit| run.get(*unit));
                each.sum::<Option<u64>>().map(|milliseconds| milliseconds as f64 / 1e3)
            };
            let known: Vec<f64> = earlier.iter().chain([before]).filter_map(took).collect();
            let seconds = [before, after].map(|run| took(run).unwrap_or_default());
            Self {
                kind: kind.to_owned(),
                units: units.len(),
                seconds,
                earlier: known.len(),
                compared: significance::compare(&known, seconds[1]),
            }
        });
        rows.collect()
    }

    /// How the newer time compares, in words.
    pub fn comparison(&self) -> String {
        let than = match self.compared {
            Compared::TooFew => "too few to compare with:",
            Compared::Ordinary => "as in",
            Compared::Slower => "slower than in",
            Compared::Faster => "faster than in",
        };
        let runs = if self.earlier == 1 { "run" } else { "runs" };
        format!("{than} {} earlier {runs}", self.earlier)
    }
}

/// The units of the runs among `sides` that were complete before `after`, are of its set, profile and
/// extent, and are not `before`.
pub fn earlier(sides: &[Side], before: &Side, after: &Side) -> Vec<Units> {
    let kind = |side: &Side| (side.set.clone(), side.profile.clone(), side.partial);
    let is_earlier = |side: &&Side| {
        kind(side) == kind(after)
            && side.finished_at < after.finished_at
            && side.finished_at != before.finished_at
    };
    sides.iter().filter(is_earlier).map(|side| side.units.clone()).collect()
}

impl fmt::Display for Times {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [was, is] = self.seconds;
        let (kind, units) = (visible(&self.kind), figure::count(self.units as u64));
        write!(out, "{kind}: {was:.1} s, then {is:.1} s for {units} units, {}", self.comparison())
    }
}

#[cfg(test)]
mod tests {
    use super::{Compared, Times, Units};

    fn units(rows: &[(&str, u64)]) -> Units {
        rows.iter().map(|(key, took)| ((*key).to_owned(), *took)).collect()
    }

    #[test]
    fn only_units_that_both_have_count() {
        let before = units(&[("a/maps", 1000), ("b/maps", 500), ("a/raw/0", 7)]);
        let after = units(&[("a/maps", 1500), ("c/maps", 9000), ("a/raw/0", 7)]);
        let found = Times::of(&before, &after, &[]);
        let kinds: Vec<&str> = found.iter().map(|row| &*row.kind).collect();
        assert_eq!(kinds, ["maps", "raw"]);
        assert_eq!((found[0].units, found[0].seconds), (1, [1.0, 1.5]));
        assert_eq!((found[0].earlier, found[0].compared), (1, Compared::TooFew));
    }

    #[test]
    fn a_time_is_compared_with_runs_that_have_all_units() {
        let run = |took| units(&[("a/maps", took), ("b/maps", 0)]);
        // Quartiles of 1, 2, 3, 4 are 1.75 and 3.25, so the bound is 3.25 + 3 · 1.5 = 7.75.
        let earlier = [run(1000), run(2000), run(3000), units(&[("a/maps", 99)])];
        let of = |took| Times::of(&run(4000), &run(took), &earlier).remove(0);
        assert_eq!((of(7700).earlier, of(7700).compared), (4, Compared::Ordinary));
        assert_eq!(of(7800).compared, Compared::Slower);
        assert_eq!(
            of(7800).to_string(),
            "maps: 4.0 s, then 7.8 s for 2 units, slower than in 4 earlier runs"
        );
    }
}
