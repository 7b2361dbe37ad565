//! `parity report`: shows a run again, writes its report elsewhere, or updates the documents that show
//! recorded numbers.

use std::{
    fs,
    path::{Path, PathBuf},
};

use clap::{Args, ValueEnum};
use record::{Set, exit, write_atomically};
use verdict::{
    Evidence,
    gate::{Counted, LanguageTable, as_floors, real_files},
};

use crate::{
    Failure, Folders,
    console::Output,
    history::environment,
    report::{
        ReportError, RunReport, html, junit, measurements, off_diagonal,
        splice::{self, DOCUMENTS},
        step_summary,
        table::Table,
        terminal, text, timings,
    },
    run::evidence_in,
};

/// Show the report of a run or bundle.
#[derive(Debug, Args)]
pub struct Report {
    /// The folder of a run or of a bundle.
    #[arg(required_unless_present = "splice")]
    run: Option<PathBuf>,
    /// In which form.
    #[arg(long, value_enum, default_value_t = Form::Text)]
    format: Form,
    /// Short for --format json.
    #[arg(long)]
    json: bool,
    /// Write it into this file instead of to standard output.
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write the recorded numbers into the README and the pages of benchmarks. With a run of the smoke
    /// set, its table is recorded first.
    #[arg(long, conflicts_with_all = ["format", "json", "output"])]
    splice: bool,
    /// Write nothing, and fail if something would change.
    #[arg(long, requires = "splice")]
    check: bool,
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
    /// Every cell as a row of comma-separated values.
    Csv,
    /// The same columns as a Parquet file.
    Parquet,
    /// Wall times of all units and values of all cells, in Bencher's metric format.
    Bencher,
    /// Wall times of all units, as hyperfine exports them.
    Hyperfine,
    /// Markdown for the summary of a step in GitHub Actions.
    Github,
    /// The snapshot that is committed.
    Snapshot,
    /// What the run's corpora hold of each language, as rows for floors.toml of the protocol.
    Floors,
}

impl Report {
    /// Renders and prints.
    pub fn run(self) -> Result<u8, Failure> {
        let evidence = self.run.as_deref().map(evidence_in);
        if self.splice {
            return bring_up_to_date(evidence.as_deref(), self.check);
        }
        let folder = evidence.unwrap_or_default();
        if matches!(self.format, Form::Floors) {
            return self.print(&floors(&folder)?);
        }
        let (bytes, report) = read(&folder)?;
        let internal = |error: ReportError| Failure::internal(error.to_string());
        // From the file beside a run's evidence, or from a bundle's note. `parity verify` says whether
        // the note is signed by a key that the reader trusts.
        let made = self.run.as_deref().and_then(environment);
        let form = if self.json { Form::Json } else { self.format };
        let rendered = match form {
            Form::Text => terminal::table(&report)?,
            Form::Json => String::from_utf8_lossy(&bytes).into_owned(),
            Form::Html => {
                let ranks = off_diagonal(&folder, &report);
                let around = html::Around { made: made.as_ref(), moved: None, ranks: &ranks };
                html::render(&report, around).map_err(internal)?
            }
            Form::Junit => junit::render(&report, made.as_ref()).map_err(internal)?,
            Form::Csv | Form::Parquet => {
                let table = measurements(&report).map_err(internal)?;
                let provenance = report.provenance().map_err(|error| {
                    let path = folder.join("report.json");
                    let why = format!("{}: comparator_tuple: {error}", path.display());
                    Failure::new(exit::IO, why)
                })?;
                if matches!(form, Form::Parquet) {
                    return self.write(&table.to_parquet(&provenance)?);
                }
                table.to_csv(&provenance)?
            }
            Form::Bencher => pretty(&timings::bencher(&report, made.as_ref()))?,
            Form::Hyperfine => {
                let made = made.as_ref().ok_or_else(|| {
                    let why = "this run or bundle does not say how long its units took";
                    Failure::new(exit::NOTHING_RAN, why.to_owned())
                })?;
                pretty(&timings::hyperfine(&report, made))?
            }
            Form::Github => step_summary::render(&report).map_err(internal)?,
            Form::Snapshot | Form::Floors => text::render(&report),
        };
        self.print(&rendered)
    }

    const fn form(&self) -> Form {
        if self.json { Form::Json } else { self.format }
    }

    /// Writes bytes that must not go to a terminal.
    fn write(&self, bytes: &[u8]) -> Result<u8, Failure> {
        let Some(file) = &self.output else {
            let why = "Parquet is no text: name the file with --output FILE";
            return Err(Failure::new(exit::USAGE, why.to_owned()));
        };
        write_atomically(file, bytes).map_err(|error| Failure::new(exit::IO, error.to_string()))?;
        Ok(exit::PASS)
    }

    fn print(&self, rendered: &str) -> Result<u8, Failure> {
        if let Some(file) = &self.output {
            fs::write(file, rendered).map_err(|error| {
                Failure::new(exit::IO, format!("{} cannot be written: {error}", file.display()))
            })?;
            return Ok(exit::PASS);
        }
        let mut out = Output::new().paged();
        match self.form() {
            Form::Json | Form::Bencher | Form::Hyperfine => out.json_text(rendered)?,
            Form::Text => out.table(rendered)?,
            _ => out.text(rendered)?,
        }
        out.flush()?;
        Ok(exit::PASS)
    }
}

/// A JSON document, indented for printing.
fn pretty(document: &serde_json::Value) -> Result<String, Failure> {
    let text = serde_json::to_string_pretty(document);
    text.map(|text| text + "\n").map_err(|error| Failure::internal(error.to_string()))
}

/// The report of a run: the bytes of its file, and the parsed report.
fn read(evidence: &Path) -> Result<(Vec<u8>, RunReport), Failure> {
    let path = evidence.join("report.json");
    let bytes = fs::read(&path).map_err(|error| {
        Failure::new(
            exit::IO,
            format!(
                "{} cannot be read: {error}; name the folder of a finished run, see artifacts/runs",
                path.display()
            ),
        )
    })?;
    let report = serde_json::from_slice(&bytes)
        .map_err(|error| Failure::new(exit::IO, format!("{}: {error}", path.display())))?;
    Ok((bytes, report))
}

/// The record of the smoke run's table, for the README.
const SMOKE_TABLE: &str = "reports/smoke.table.json";

/// Updates the records and the documents; with `check`, only reports what would change.
fn bring_up_to_date(evidence: Option<&Path>, check: bool) -> Result<u8, Failure> {
    let root = Folders::find()?.root;
    let mut stale = Vec::new();
    let mut update = |file: &str, old: &str, new: &str| -> Result<(), Failure> {
        if old != new {
            stale.push(file.to_owned());
            if !check {
                write_atomically(&root.join(file), new.as_bytes())
                    .map_err(|error| Failure::new(exit::IO, error.to_string()))?;
            }
        }
        Ok(())
    };
    if let Some(evidence) = evidence {
        let old = fs::read_to_string(root.join(SMOKE_TABLE)).unwrap_or_default();
        update(SMOKE_TABLE, &old, &smoke_table(evidence)?)?;
    }
    for document in DOCUMENTS {
        let path = root.join(document);
        let old = fs::read_to_string(&path).map_err(|error| {
            Failure::new(exit::IO, format!("{} cannot be read: {error}", path.display()))
        })?;
        let new = splice::splice(&root, document, &old)
            .map_err(|error| Failure::new(exit::SETUP, error.to_string()))?;
        update(document, &old, &new)?;
    }
    if check && !stale.is_empty() {
        return Err(Failure::new(
            exit::DIGEST,
            format!(
                "{} not up to date; run `cargo parity report {}--splice`",
                stale.join(", ") + if stale.len() == 1 { " is" } else { " are" },
                evidence.map_or_else(String::new, |_| "RUN ".to_owned()),
            ),
        ));
    }
    let mut out = Output::new().paged();
    for file in stale {
        writeln!(out, "wrote {file}")?;
    }
    out.flush()?;
    Ok(exit::PASS)
}

/// The table of a run of the whole smoke set in the parity profile.
fn smoke_table(evidence: &Path) -> Result<String, Failure> {
    let opened =
        Evidence::open(evidence).map_err(|error| Failure::new(exit::SETUP, error.to_string()))?;
    let plan = opened.plan;
    let whole = !plan.partial && plan.skipped.is_empty() && plan.unexplored.is_empty();
    if plan.set != Set::Smoke || !plan.profile.is_parity() || !whole {
        return Err(Failure::new(
            exit::USAGE,
            "the README shows a whole run of the smoke set in the parity profile; this is another run"
                .to_owned(),
        ));
    }
    let (_, report) = read(evidence)?;
    let table = Table::of(&report).map_err(|error| Failure::internal(error.to_string()))?;
    let text = serde_json::to_string_pretty(&table)
        .map_err(|error| Failure::internal(error.to_string()))?;
    Ok(text + "\n")
}

/// The floors that the evidence of a run reaches.
fn floors(evidence: &Path) -> Result<String, Failure> {
    let set_up = |error: &dyn std::fmt::Display| Failure::new(exit::SETUP, error.to_string());
    let opened = Evidence::open(evidence).map_err(|error| set_up(&error))?;
    let table = LanguageTable::read(evidence).map_err(|error| set_up(&error))?;
    let mut rows = Vec::new();
    for counted in [Counted::All, Counted::Required] {
        let counts = real_files(&opened, &table, counted).map_err(|error| set_up(&error))?;
        rows.push(as_floors(opened.plan.set, counted, &counts));
    }
    Ok(rows.join("\n"))
}
