//! `parity matrix`: runs against several releases of the comparator, and how the verdicts move.

use std::{
    num::NonZeroUsize,
    path::{Path, PathBuf},
};

use clap::Args;
use record::{exit, write_atomically};

use crate::{
    Failure, Folders,
    comparator::ComparatorSpec,
    console::{Output, talk},
    matrix::{Asked, Document, MatrixFile, Outcome, Row, csv, made, plot, room, text},
    planning::{Raw, Wanted},
    process,
    run::Conduct,
};

/// Run the gates against several releases of the comparator. Only the pinned one can pass and be signed; the others are
/// reported. The same command resumes an interrupted matrix.
#[derive(Debug, Args)]
pub struct Matrix {
    /// Releases, sets and profiles; cluster/matrix/aider.toml is an example.
    #[arg(value_name = "FILE.toml")]
    file: PathBuf,
    /// Where table, values and drawing go [default: artifacts/matrix and the name of the file].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// How many programs run at once; one for each processor if left out.
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Make every run again, and ask the comparators again, whatever they answered in earlier runs.
    #[arg(long)]
    fresh: bool,
    /// The signing key; made on first use.
    #[arg(long, value_name = "FILE", env = "PARITY_SIGNING_KEY")]
    key: Option<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

impl Matrix {
    /// Runs the command.
    pub fn run(self) -> Result<u8, Failure> {
        let matrix = MatrixFile::open(&self.file)
            .map_err(|error| Failure::new(exit::USAGE, error.to_string()))?;
        let folders = Folders::find()?;
        let pinned = ComparatorSpec::open(&folders.comparator())
            .map_err(|error| Failure::new(exit::SETUP, error.to_string()))?;
        let name = self.file.file_stem().unwrap_or_else(|| "matrix".as_ref());
        let out = self.out.clone().unwrap_or_else(|| folders.artifacts().join("matrix").join(name));
        let conduct = Conduct { jobs: self.jobs, fresh: self.fresh, ..Conduct::default() };
        let mut rows = Vec::new();
        for release in &matrix.releases {
            let prepared = room(release, &folders.comparator(), &out.join("rooms"));
            for (set, profile) in pairs(&matrix) {
                process::go_on()?;
                let version = release.version.clone();
                talk(&format!("parity matrix: {version}, {set} set, {profile} profile"));
                let mut asked = Asked { version, set, profile, changed: Vec::new() };
                let outcome = match &prepared {
                    Err(error) => {
                        Outcome::Failed { exit_code: exit::SETUP, why: error.to_string() }
                    }
                    Ok((comparator, changed)) => {
                        asked.changed.clone_from(changed);
                        let wanted = Wanted {
                            set,
                            profile,
                            gates: matrix.gates.clone(),
                            corpora: matrix.corpora.clone(),
                            budgets: matrix.budgets.clone(),
                            languages: Vec::new(),
                            raw: Raw::Due,
                            comparator: comparator.clone(),
                        };
                        made(&folders, &wanted, &conduct, self.key.as_deref())?
                    }
                };
                if let Outcome::Failed { why, .. } = &outcome {
                    talk(&format!("not run: {why}"));
                }
                rows.push(Row { asked, outcome });
            }
        }
        let document = Document::new(pinned.definition.aider_release, rows);
        write(&out, &document)?;
        Failure::after(self.print(&out, &document), document.exit_code())
    }

    fn print(&self, folder: &Path, document: &Document) -> Result<(), Failure> {
        let mut out = Output::new();
        if self.json {
            out.json(document)?;
            return Ok(out.flush()?);
        }
        write!(out, "{}", text(&document.runs))?;
        for row in &document.runs {
            for changed in &row.asked.changed {
                writeln!(out, "{}: {changed}", row.asked.version)?;
            }
        }
        let answers = &document.answers;
        writeln!(
            out,
            "{} answers of comparators, {} of them shared: {} were made",
            answers.used,
            answers.shared(),
            answers.distinct
        )?;
        writeln!(
            out,
            "only {} is pinned; what is reported is no verdict on parity and is not signed",
            document.pinned
        )?;
        writeln!(out, "table, values and drawing: {}", folder.display())?;
        Ok(out.flush()?)
    }
}

/// Every set with every profile.
fn pairs(matrix: &MatrixFile) -> impl Iterator<Item = (record::Set, record::Profile)> {
    matrix.sets.iter().flat_map(|set| matrix.profiles.iter().map(move |profile| (*set, *profile)))
}

/// Writes the object, the values, the table and the drawing.
fn write(folder: &Path, document: &Document) -> Result<(), Failure> {
    let internal = |error: &dyn std::fmt::Display| Failure::internal(error.to_string());
    let object = serde_json::to_vec_pretty(document).map_err(|error| internal(&error))?;
    let drawn = plot(document).map_err(|error| internal(&error))?;
    let files = [
        ("matrix.json", object),
        ("matrix.csv", csv(&document.runs).into_bytes()),
        ("matrix.txt", text(&document.runs).into_bytes()),
        ("matrix.svg", drawn.svg.into_bytes()),
    ];
    for (name, bytes) in files {
        write_atomically(&folder.join(name), &bytes)
            .map_err(|error| Failure::new(exit::IO, error.to_string()))?;
    }
    Ok(())
}
