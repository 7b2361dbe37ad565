//! The table of past records: one row per record and value.

use polars::{
    error::PolarsError,
    prelude::{Column, DataFrame},
};

use crate::{FrameError, parquet};

/// One value of one record.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point<'a> {
    /// What kind of value it is, such as `metric` or `seconds`: values of one kind are read alike.
    pub kind: &'a str,
    /// What was measured.
    pub name: &'a str,
    /// The value in the unit of its kind; absent if it could not be measured.
    pub value: Option<f64>,
}

/// One measurement over all records.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// What kind of value it is.
    pub kind: String,
    /// What was measured.
    pub name: String,
    /// A value for each record of the history, oldest first; absent where it was not measured.
    pub values: Vec<Option<f64>>,
}

/// Values of past records, oldest record first.
#[derive(Debug, Clone)]
pub struct History {
    frame: DataFrame,
}

/// The columns: `record`, `finished_at`, `commit`, `kind`, `name`, `value`.
const TEXTS: [&str; 5] = ["record", "finished_at", "commit", "kind", "name"];

impl History {
    /// A history without records.
    pub fn new() -> Result<Self, FrameError> {
        Self::of("", "", "", &[])
    }

    fn of(
        record: &str,
        finished_at: &str,
        commit: &str,
        points: &[Point<'_>],
    ) -> Result<Self, FrameError> {
        let text = |name: &str, values: Vec<&str>| Column::new(name.into(), values);
        let same = |value| vec![value; points.len()];
        // A value that is not finite measures nothing.
        let values = points.iter().map(|point| point.value.filter(|value| value.is_finite()));
        let columns = vec![
            text(TEXTS[0], same(record)),
            text(TEXTS[1], same(finished_at)),
            text(TEXTS[2], same(commit)),
            text(TEXTS[3], points.iter().map(|point| point.kind).collect()),
            text(TEXTS[4], points.iter().map(|point| point.name).collect()),
            Column::new("value".into(), values.collect::<Vec<Option<f64>>>()),
        ];
        let frame = DataFrame::new(points.len(), columns)
            .map_err(FrameError::during("building columns"))?;
        Ok(Self { frame })
    }

    /// Adds the values of a new record. A record without values adds nothing.
    ///
    /// # Errors
    /// The history has a record of this name: what was recorded is never replaced.
    pub fn append(
        &mut self,
        record: &str,
        finished_at: &str,
        commit: &str,
        points: &[Point<'_>],
    ) -> Result<(), FrameError> {
        self.extend(&Self::of(record, finished_at, commit, points)?)
    }

    /// Adds the records of another history after those of this one.
    ///
    /// # Errors
    /// Both have a record of the same name.
    pub fn extend(&mut self, other: &Self) -> Result<(), FrameError> {
        let failed = || FrameError::during("adding a record");
        let known = self.records()?;
        if let Some(record) = other.records()?.into_iter().find(|record| known.contains(record)) {
            let why = format!("{record} is in the history already");
            return Err(failed()(PolarsError::Duplicate(why.into())));
        }
        self.frame.vstack_mut(&other.frame).map_err(failed())?;
        Ok(())
    }

    /// The names of the records, oldest first.
    pub fn records(&self) -> Result<Vec<String>, FrameError> {
        let column = self.frame.column(TEXTS[0]).and_then(|column| column.str());
        let column = column.map_err(FrameError::during("reading the records"))?;
        let mut records: Vec<String> = Vec::new();
        for record in column.iter().flatten() {
            // The rows of a record are adjacent.
            if records.last().is_none_or(|last| last != record) {
                records.push(record.to_owned());
            }
        }
        Ok(records)
    }

    /// Everything that was ever measured, in the order in which it first appeared.
    pub fn series(&self) -> Result<Vec<Series>, FrameError> {
        let failed = || FrameError::during("grouping the history");
        let records = self.records()?;
        if records.is_empty() {
            return Ok(Vec::new());
        }
        let groups = self.frame.partition_by_stable(["kind", "name"], true).map_err(failed())?;
        let series = |group: &DataFrame| {
            let texts = |name: &str| group.column(name).and_then(|column| column.str());
            let (record, kind, name) = (texts(TEXTS[0])?, texts(TEXTS[3])?, texts(TEXTS[4])?);
            let value = group.column("value").and_then(|column| column.f64())?;
            let mut values = vec![None; records.len()];
            for at in 0..group.height() {
                let of = records.iter().position(|known| Some(known.as_str()) == record.get(at));
                if let Some(place) = of.and_then(|of| values.get_mut(of)) {
                    *place = value.get(at);
                }
            }
            let first =
                |column: &polars::prelude::StringChunked| column.get(0).unwrap_or("").to_owned();
            Ok(Series { kind: first(kind), name: first(name), values })
        };
        groups.iter().map(|group| series(group).map_err(failed())).collect()
    }

    /// As a Parquet file.
    pub fn to_parquet(&self) -> Result<Vec<u8>, FrameError> {
        parquet::write(&self.frame).map_err(FrameError::during("writing Parquet"))
    }

    /// The history in a Parquet file that [`History::to_parquet`] wrote.
    ///
    /// # Errors
    /// The bytes are no such file.
    pub fn from_parquet(bytes: &[u8]) -> Result<Self, FrameError> {
        let frame = parquet::read_like(&Self::new()?.frame, bytes)
            .map_err(FrameError::during("reading the history"))?;
        Ok(Self { frame })
    }
}
