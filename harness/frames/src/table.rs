//! The table: one row per measured cell, one column per field.

use polars::prelude::{Column, DataFrame};

use crate::{FrameError, parquet};

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
    /// Agreement of the comparator's canonical run with its seeded ones, on average; only in cells about these.
    pub canonical: Option<f64>,
    /// The least of these agreements.
    pub canonical_min: Option<f64>,
    /// The verdict, as printed.
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
            numbers("canonical", |row| row.canonical),
            numbers("canonical_min", |row| row.canonical_min),
            texts("verdict", |row| row.verdict.to_owned()),
        ];
        let frame =
            DataFrame::new(rows.len(), columns).map_err(FrameError::during("building columns"))?;
        Ok(Self { frame })
    }

    /// All rows, in their order.
    pub fn rows(&self) -> Result<Vec<Row<'_>>, FrameError> {
        let failed = || FrameError::during("reading a column");
        let column = |name: &str| self.frame.column(name).map_err(failed());
        let numbers = |name: &str| column(name)?.f64().map_err(failed());
        let texts = |name: &str| column(name)?.str().map_err(failed());
        let counts = |name: &str| column(name)?.u64().map_err(failed());
        let (gate, corpus, case, metric) =
            (texts("gate")?, texts("corpus")?, texts("case")?, texts("metric")?);
        let (value, threshold, margin) =
            (numbers("value")?, numbers("threshold")?, numbers("margin")?);
        let (floor, floor_min) = (numbers("noise_floor")?, numbers("noise_floor_min")?);
        let (canonical, canonical_min) = (numbers("canonical")?, numbers("canonical_min")?);
        let (budget, n, verdict) = (counts("budget")?, counts("n")?, texts("verdict")?);
        let row = |at: usize| Row {
            gate: gate.get(at).unwrap_or_default(),
            corpus: corpus.get(at).unwrap_or_default(),
            case: case.get(at).unwrap_or_default(),
            budget: budget.get(at),
            metric: metric.get(at).unwrap_or_default(),
            value: value.get(at),
            threshold: threshold.get(at),
            margin: margin.get(at),
            n: n.get(at).unwrap_or_default(),
            noise_floor: floor.get(at),
            noise_floor_min: floor_min.get(at),
            canonical: canonical.get(at),
            canonical_min: canonical_min.get(at),
            verdict: verdict.get(at).unwrap_or_default(),
        };
        Ok((0..self.len()).map(row).collect())
    }

    /// The table as a Parquet file. Each pair of `constant` is the name of one more column at the end and its
    /// value in every row.
    pub fn to_parquet(&self, constant: &[(&str, String)]) -> Result<Vec<u8>, FrameError> {
        let mut columns = self.frame.columns().to_vec();
        for (name, value) in constant {
            columns.push(Column::new((*name).into(), vec![value.as_str(); self.len()]));
        }
        let frame =
            DataFrame::new(self.len(), columns).map_err(FrameError::during("adding columns"))?;
        parquet::write(&frame).map_err(FrameError::during("writing Parquet"))
    }

    /// The table in a Parquet file that [`Measurements::to_parquet`] wrote, without the constant columns.
    ///
    /// # Errors
    /// The bytes are no such file.
    pub fn from_parquet(bytes: &[u8]) -> Result<Self, FrameError> {
        let frame = parquet::read_like(&Self::from_rows(&[])?.frame, bytes)
            .map_err(FrameError::during("reading Parquet"))?;
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
