//! `parity report`: show a run again, or write its report elsewhere.

use std::{fs, io::Write, path::PathBuf};

use clap::{Args, ValueEnum};

use super::{Failure, exit, outcome};
use crate::report::{RunReport, html, junit, text};

/// Show the report of a run or bundle.
#[derive(Debug, Args)]
pub struct Report {
    /// The folder of a run or of a bundle.
    run: PathBuf,
    /// In which form.
    #[arg(long, value_enum, default_value_t = Form::Text)]
    format: Form,
    /// Short for --format json.
    #[arg(long)]
    json: bool,
    /// Write it into this file instead of to standard output.
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// The forms of a report.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Form {
    /// The verdict table.
    Text,
    /// The data behind all other forms.
    Json,
    /// One self-contained page.
    Html,
    /// For continuous integration.
    Junit,
    /// The snapshot that is committed.
    Snapshot,
}

impl Report {
    /// Renders and prints.
    pub fn run(self) -> Result<u8, Failure> {
        let inner = self.run.join("evidence");
        let folder = if inner.is_dir() { inner } else { self.run.clone() };
        let path = folder.join("report.json");
        let bytes = fs::read(&path).map_err(|error| {
            Failure::new(
                exit::IO,
                format!(
                    "{} cannot be read: {error}; name the folder of a finished run, see artifacts/runs",
                    path.display()
                ),
            )
        })?;
        let report: RunReport = serde_json::from_slice(&bytes)
            .map_err(|error| Failure::new(exit::IO, format!("{}: {error}", path.display())))?;
        let internal = |error: crate::report::ReportError| Failure::internal(error.to_string());
        let form = if self.json { Form::Json } else { self.format };
        let rendered = match form {
            Form::Text => outcome::table(&report)?,
            Form::Json => String::from_utf8_lossy(&bytes).into_owned(),
            Form::Html => html::render(&report).map_err(internal)?,
            Form::Junit => junit::render(&report),
            Form::Snapshot => text::render(&report),
        };
        match self.output {
            Some(file) => fs::write(&file, rendered).map_err(|error| {
                Failure::new(exit::IO, format!("{} cannot be written: {error}", file.display()))
            })?,
            None => std::io::stdout().lock().write_all(rendered.as_bytes())?,
        }
        Ok(exit::PASS)
    }
}
