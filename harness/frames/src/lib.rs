//! Measurement tables on polars.
//!
//! A [`Measurements`] table holds one row per measured cell, and answers the questions that a report asks
//! about many cells at once: how many there were per gate and metric, how far the worst one was from its
//! threshold, what their verdicts were, and which of them another table has, too ([`Joined`]). A [`History`]
//! has one row per value of each past record. Both can be kept as Parquet. The crate has plain columns and no
//! types of gates or verdicts, so it rarely changes: polars is the slowest dependency to build.

mod csv;
mod history;
mod join;
mod parquet;
mod summary;
mod table;

pub use history::{History, Point, Series};
pub use join::{Joined, Place};
pub use summary::Summary;
pub use table::{Measurements, Row};

/// Why a measurement table could not be built or read.
#[derive(Debug)]
pub struct FrameError {
    operation: &'static str,
    cause: polars::error::PolarsError,
}

impl FrameError {
    /// Names the operation that a polars error interrupted.
    fn during(operation: &'static str) -> impl FnOnce(polars::error::PolarsError) -> Self {
        move |cause| Self { operation, cause }
    }
}

impl std::fmt::Display for FrameError {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "measurement table: {} failed: {}", self.operation, self.cause)
    }
}

impl std::error::Error for FrameError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.cause)
    }
}
