//! Which files of a repository the declared deviations cover.

use std::collections::{BTreeMap, BTreeSet};

use super::Drawn;
use crate::deviations::{Covers, Deviations};

/// The rows that say which files may differ.
#[derive(Debug, Default)]
pub struct Declared(Vec<(String, Covers)>);

impl Declared {
    /// The rows that cover files.
    pub fn of(deviations: &Deviations) -> Self {
        let rows = deviations.rows.iter();
        Self(rows.filter_map(|row| Some((row.id.clone(), row.covers.clone()?))).collect())
    }

    /// The files that each row covers, for the rows that cover any. `skipped` holds the files that our
    /// map left out, with the reason.
    pub fn files(
        &self,
        drawn: &Drawn,
        skipped: &BTreeMap<String, String>,
    ) -> Vec<(&str, BTreeSet<String>)> {
        let covered = |covers: &Covers| -> BTreeSet<String> {
            drawn
                .files
                .iter()
                .filter(|(path, text)| {
                    let reason = skipped.get(*path).map_or("", String::as_str);
                    covers.covers(path, text, reason)
                })
                .map(|(path, _)| path.clone())
                .collect()
        };
        let rows = self.0.iter().map(|(id, covers)| (id.as_str(), covered(covers)));
        rows.filter(|(_, files)| !files.is_empty()).collect()
    }
}
