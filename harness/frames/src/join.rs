//! Two tables side by side: which cells one has, which the other, and which both.
//!
//! The join is over two sorted indices of rows: polars' own would add the crate polars-ops to the build
//! (docs/decisions/0002-polars-features.md).

use std::collections::BTreeMap;

use crate::{FrameError, Measurements, Row};

/// Where a cell was measured: what identifies a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place<'a> {
    /// Gate id.
    pub gate: &'a str,
    /// Corpus name.
    pub corpus: &'a str,
    /// Case name, empty for a whole corpus.
    pub case: &'a str,
    /// Budget in tokens.
    pub budget: Option<u64>,
    /// What was measured.
    pub metric: &'a str,
}

/// Two tables, joined by place, each list in the order of places. Of several rows of one place the last counts.
#[derive(Debug, Clone, PartialEq)]
pub struct Joined<'a> {
    /// Rows that only the first table has.
    pub first: Vec<Row<'a>>,
    /// Rows that only the second table has.
    pub second: Vec<Row<'a>>,
    /// Rows that both have.
    pub both: Vec<[Row<'a>; 2]>,
}

impl<'a> Row<'a> {
    /// Where it was measured.
    pub const fn place(&self) -> Place<'a> {
        let Self { gate, corpus, case, budget, metric, .. } = *self;
        Place { gate, corpus, case, budget, metric }
    }
}

impl Measurements {
    /// Joins this table, the first, with another one.
    pub fn join<'a>(&'a self, other: &'a Self) -> Result<Joined<'a>, FrameError> {
        let (first, mut second) = (self.by_place()?, other.by_place()?);
        let mut joined = Joined { first: Vec::new(), second: Vec::new(), both: Vec::new() };
        for (place, row) in first {
            match second.remove(&place) {
                Some(of_second) => joined.both.push([row, of_second]),
                None => joined.first.push(row),
            }
        }
        joined.second = second.into_values().collect();
        Ok(joined)
    }

    fn by_place(&self) -> Result<BTreeMap<Place<'_>, Row<'_>>, FrameError> {
        Ok(self.rows()?.into_iter().map(|row| (row.place(), row)).collect())
    }
}
