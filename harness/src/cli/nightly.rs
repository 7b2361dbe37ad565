//! `parity nightly`: the steps that take hours, and their dated record.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use record::exit;

use crate::{
    Failure, Folders,
    console::Output,
    nightly::{
        record::{self as made, Record},
        steps::{self, STEPS, Step},
    },
    planning::SourceState,
};

/// Run what takes hours, and record what it came to.
#[derive(Debug, Args)]
pub struct Nightly {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run the steps one after the other, whatever each comes to. Exits with 10 if one failed.
    Run {
        /// The steps.
        #[arg(long, value_name = "FILE")]
        steps: Option<PathBuf>,
        /// Run only this step; may be given several times. What the others left stays.
        #[arg(long, value_name = "STEP")]
        only: Vec<String>,
    },
    /// Make the dated record of what the steps left on this commit. Exits with 10 if something regressed, with 11
    /// if a step did not run to its end.
    Record {
        /// The steps.
        #[arg(long, value_name = "FILE")]
        steps: Option<PathBuf>,
        /// The folder of the records.
        #[arg(long, value_name = "FOLDER")]
        records: Option<PathBuf>,
        /// A record of the same commit: a step that did not run to its end here has the result that it has there.
        #[arg(long = "continue", value_name = "RECORD")]
        continues: Option<String>,
    },
    /// Write history and page again from the records alone.
    Page {
        /// The folder of the records.
        #[arg(long, value_name = "FOLDER")]
        records: Option<PathBuf>,
    },
}

/// Where records are kept, from the root of the checkout.
const RECORDS: &str = "records/nightly";

impl Nightly {
    /// Runs the command.
    pub fn run(self) -> Result<u8, Failure> {
        let folders = Folders::find()?;
        let (root, artifacts) = (&folders.root, folders.artifacts());
        let read = |file: Option<PathBuf>| steps::read(&file.unwrap_or_else(|| root.join(STEPS)));
        let below = |folder: Option<PathBuf>| folder.unwrap_or_else(|| root.join(RECORDS));
        match self.command {
            Command::Run { steps, only } => {
                let steps = chosen(read(steps)?, &only)?;
                let mut code = exit::PASS;
                for step in &steps {
                    let source = SourceState::of(root)?;
                    // A record names a commit, so uncommitted changes are refused.
                    if !source.clean {
                        let why =
                            "the checkout has changes that are not committed; commit them first";
                        return Err(Failure::new(exit::SETUP, why.to_owned()));
                    }
                    let end = steps::run(root, &artifacts, &source.commit, step)?;
                    if end.exit_code != Some(0) {
                        code = exit::GATE_FAILED;
                    }
                }
                Ok(code)
            }
            Command::Record { steps, records, continues } => {
                let commit = SourceState::of(root)?.commit;
                let records = below(records);
                let (steps, continues) = (read(steps)?, continues.as_deref());
                let record = made::make(&artifacts, &records, &commit, &steps, continues)?;
                print(&record, &records)
            }
            Command::Page { records } => {
                let records = below(records);
                let record = made::again(&records)?;
                print(&record, &records)?;
                Ok(exit::PASS)
            }
        }
    }
}

/// The steps with these names, in their original order; all steps if no name is given.
fn chosen(steps: Vec<Step>, only: &[String]) -> Result<Vec<Step>, Failure> {
    if let Some(unknown) = only.iter().find(|name| !steps.iter().any(|step| step.name == **name)) {
        let names: Vec<&str> = steps.iter().map(|step| &*step.name).collect();
        let why = format!("no step is named {unknown:?}; there are {}", names.join(", "));
        return Err(Failure::new(exit::USAGE, why));
    }
    let wanted = |step: &Step| only.is_empty() || only.contains(&step.name);
    Ok(steps.into_iter().filter(wanted).collect())
}

/// Prints what changed since the record before, and where the record is.
fn print(record: &Record, records: &std::path::Path) -> Result<u8, Failure> {
    let code = record.exit_code();
    let mut out = Output::new();
    let printed = (|| {
        for mover in &record.movers {
            out.text(&format!("{}\n", mover.text))?;
        }
        if record.movers.is_empty() {
            writeln!(out, "every step passed, and nothing moved")?;
        }
        writeln!(out, "record: {}", records.join(&record.name).display())?;
        writeln!(out, "page: {}", records.join(made::PAGE).display())?;
        out.flush()
    })();
    Failure::after(printed.map_err(Failure::from), code)
}
