//! `parity report`: show a run again, or write its report elsewhere.

use std::{
    fs,
    path::{Path, PathBuf},
};

use clap::{Args, ValueEnum};
use record::exit;
use verdict::{
    Evidence,
    gate::{
        language_table::LanguageTable,
        languages::{self, Counted},
    },
};

use crate::{
    Failure,
    console::Output,
    report::{RunReport, html, junit, terminal, text},
    run::evidence_in,
};

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
    /// What the run's corpora hold of each language, as rows for protocols/v1/floors.toml.
    Floors,
}

impl Report {
    /// Renders and prints.
    pub fn run(self) -> Result<u8, Failure> {
        let folder = evidence_in(&self.run);
        if matches!(self.format, Form::Floors) {
            return self.print(&floors(&folder)?);
        }
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
        let rendered = match self.form() {
            Form::Text => terminal::table(&report)?,
            Form::Json => String::from_utf8_lossy(&bytes).into_owned(),
            Form::Html => html::render(&report).map_err(internal)?,
            Form::Junit => junit::render(&report),
            Form::Snapshot | Form::Floors => text::render(&report),
        };
        self.print(&rendered)
    }

    const fn form(&self) -> Form {
        if self.json { Form::Json } else { self.format }
    }

    fn print(&self, rendered: &str) -> Result<u8, Failure> {
        if let Some(file) = &self.output {
            fs::write(file, rendered).map_err(|error| {
                Failure::new(exit::IO, format!("{} cannot be written: {error}", file.display()))
            })?;
            return Ok(exit::PASS);
        }
        let mut out = Output::new();
        match self.form() {
            Form::Json => out.json_text(rendered)?,
            Form::Text => out.table(rendered)?,
            _ => out.text(rendered)?,
        }
        out.flush()?;
        Ok(exit::PASS)
    }
}

/// The floors that the evidence of a run reaches.
fn floors(evidence: &Path) -> Result<String, Failure> {
    let set_up = |error: &dyn std::fmt::Display| Failure::new(exit::SETUP, error.to_string());
    let opened = Evidence::open(evidence).map_err(|error| set_up(&error))?;
    let table = LanguageTable::read(evidence).map_err(|error| set_up(&error))?;
    let mut rows = Vec::new();
    for counted in [Counted::All, Counted::Required] {
        let counts = languages::count(&opened, &table, counted).map_err(|error| set_up(&error))?;
        rows.push(languages::as_floors(opened.plan.set, counted, &counts));
    }
    Ok(rows.join("\n"))
}
