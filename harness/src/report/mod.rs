//! The reports of a run: terminal, one-file HTML, JUnit, text snapshot, tables of cells, step summary, timings.
//!
//! Every renderer is a pure function of a [`RunReport`] and the measurement summaries made from it, so
//! equal runs give equal bytes. Names come from other people's repositories: each renderer first
//! escapes their control characters with [`escape`]; maud and quick-junit escape what HTML and XML
//! forbid. [`splice`] writes recorded numbers into the documents of the checkout.

pub mod bench;
pub mod escape;
pub mod explorations;
pub mod figure;
pub mod html;
pub mod junit;
mod measurements;
mod model;
pub mod of_run;
pub mod plot;
mod provenance;
mod ranks;
pub mod snapshot;
pub mod splice;
pub mod step_summary;
pub mod table;
pub mod terminal;
pub mod text;
pub mod timings;

pub use measurements::{measurements, of_cells, summaries};
pub use model::{
    Commands, Deviation, Entry, GateSummary, RunReport, SCHEMA_VERSION, SKIPPED_CORPUS,
};
pub use ranks::{RankedCase, off_diagonal};

#[cfg(test)]
pub mod example;

/// Why a report could not be rendered.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The cells did not fit into a table.
    #[error("cannot summarise the cells of the run: {0}")]
    Measurements(#[from] frames::FrameError),
    /// The report could not be written as XML.
    #[error("cannot write the report as JUnit XML: {0}")]
    Junit(#[from] quick_junit::SerializeError),
    /// A plot could not be drawn.
    #[error("cannot draw the plot `{plot}`: {cause}")]
    Plot {
        /// Title of the plot.
        plot: String,
        /// What the drawing library said.
        cause: String,
    },
}
