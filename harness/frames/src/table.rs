//! The table: one row per measured cell, one column per field.

use polars::prelude::{Column, DataFrame};

use crate::FrameError;

/// One measured cell as plain values. Numbers are in the unit of their metric.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Row<'a> {
    /// Gate id, such as `A1`.
    pub gate: &'a str,
    /// Corpus name.
    pub corpus: &'a str,
    /// Case name, empty for a whole corpus.
    pub case: &'a str,
    /// Budget in tokens, absent where none applies.
    pub budget: Option<u64>,
    /// What was measured.
    pub metric: &'a str,
    /// The measured value.
    pub value: Option<f64>,
    /// The bound it is held against.
    pub threshold: Option<f64>,
    /// Distance to the bound in the passing direction, negative when missed.
    pub margin: Option<f64>,
    /// Number of samples behind the value.
    pub n: u64,
    /// The comparator's agreement with itself, on average.
    pub noise_floor: Option<f64>,
    /// The least of these agreements.
    pub noise_floor_min: Option<f64>,
    /// What the cell came to, as printed.
    pub verdict: &'a str,
}

/// A table of measured cells in the order they were given.
#[derive(Debug, Clone)]
pub struct Measurements {
    pub(crate) frame: DataFrame,
}

impl Measurements {
    /// Builds the table column by column.
    ///
    /// A value that is not finite (NaN, an infinity) measures nothing and is stored as missing, so
    /// that no minimum or mean can be poisoned or hidden by it.
    pub fn from_rows(rows: &[Row<'_>]) -> Result<Self, FrameError> {
        let texts = |name: &str, field: fn(&Row<'_>) -> String| {
            Column::new(name.into(), rows.iter().map(field).collect::<Vec<_>>())
        };
        let numbers = |name: &str, field: fn(&Row<'_>) -> Option<f64>| {
            let finite = |row| field(row).filter(|number| number.is_finite());
            Column::new(name.into(), rows.iter().map(finite).collect::<Vec<_>>())
        };
        let columns = vec![
            texts("gate", |row| row.gate.to_owned()),
            texts("corpus", |row| row.corpus.to_owned()),
            texts("case", |row| row.case.to_owned()),
            Column::new("budget".into(), rows.iter().map(|row| row.budget).collect::<Vec<_>>()),
            texts("metric", |row| row.metric.to_owned()),
            numbers("value", |row| row.value),
            numbers("threshold", |row| row.threshold),
            numbers("margin", |row| row.margin),
            Column::new("n".into(), rows.iter().map(|row| row.n).collect::<Vec<_>>()),
            numbers("noise_floor", |row| row.noise_floor),
            numbers("noise_floor_min", |row| row.noise_floor_min),
            texts("verdict", |row| row.verdict.to_owned()),
        ];
        let frame =
            DataFrame::new(rows.len(), columns).map_err(FrameError::during("building columns"))?;
        Ok(Self { frame })
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.frame.height()
    }

    /// Whether nothing was measured.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
