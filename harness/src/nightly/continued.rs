//! A record that another one continues: the results of a night whose steps did not all fit on one machine.

use std::path::Path;

use frames::History;
use record::exit;

use super::{
    record::{Outcome, Record, VALUES, Value, bytes, side_of},
    steps::Step,
};
use crate::{Failure, history::Side};

/// The record that a new one continues.
pub struct Continued<'a> {
    records: &'a Path,
    record: Record,
}

impl<'a> Continued<'a> {
    /// Finds the record with this name among all records of a folder.
    ///
    /// # Errors
    /// There is none, it is of another commit, or another record continues it already.
    pub fn read(
        records: &'a Path,
        all: &[Record],
        name: &str,
        commit: &str,
    ) -> Result<Self, Failure> {
        let wrong = |why: String| Err(Failure::new(exit::USAGE, why));
        let Some(record) = all.iter().find(|record| record.name == name) else {
            let of: Vec<&str> = all.iter().map(|record| &*record.name).collect();
            let has = if of.is_empty() { "no record".to_owned() } else { of.join(", ") };
            return wrong(format!("{} has no record {name:?}; it has {has}", records.display()));
        };
        if record.commit != commit {
            return wrong(format!(
                "the record {name} is of commit {} and this checkout is of {commit}; check out that commit, or \
                 leave out --continue",
                record.commit
            ));
        }
        if let Some(later) = all.iter().find(|other| other.continues.as_deref() == Some(name)) {
            return wrong(format!("{} continues {name} already; continue that one", later.name));
        }
        Ok(Self { records, record: record.clone() })
    }

    /// The result of a step, if it ended and ran the same command.
    pub fn outcome(&self, step: &Step) -> Option<Outcome> {
        let same = |other: &&Outcome| other.name == step.name && other.command == step.command;
        let mut found =
            self.record.steps.iter().find(same).filter(|other| other.state.has_ended())?.clone();
        found.record.get_or_insert_with(|| self.record.name.clone());
        Some(found)
    }

    /// The run that a step sealed.
    ///
    /// # Errors
    /// Its cells cannot be read.
    pub fn run(&self, step: &str) -> Result<Option<Side>, Failure> {
        side_of(self.records, &self.record, step)
    }

    /// The values of these steps.
    ///
    /// # Errors
    /// The values cannot be read.
    pub fn points(&self, steps: &[&Outcome]) -> Result<Vec<Value>, Failure> {
        let path = self.records.join(&self.record.name).join(VALUES);
        let series = History::from_parquet(&bytes(&path)?).and_then(|values| values.series());
        let series = series
            .map_err(|error| Failure::new(exit::IO, format!("{}: {error}", path.display())))?;
        // A value is named after its step: `step NAME`, or `NAME`, a space, and what was measured.
        let of = |name: &str| {
            let rest = name.strip_prefix("step ").unwrap_or(name);
            let step = rest.split(' ').next().unwrap_or(rest);
            steps.iter().any(|one| one.name == step)
        };
        let known = series.into_iter().filter(|one| of(&one.name));
        Ok(known
            .filter_map(|one| Some((one.kind, one.name, one.values.first().copied().flatten()?)))
            .collect())
    }
}

/// The records that no other record continues, in their order. `also` names one more to leave out.
pub fn current(all: Vec<Record>, also: Option<&str>) -> Vec<Record> {
    let mut over: Vec<String> = all.iter().filter_map(|record| record.continues.clone()).collect();
    over.extend(also.map(str::to_owned));
    all.into_iter().filter(|record| !over.contains(&record.name)).collect()
}
