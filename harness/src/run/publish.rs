//! What a run leaves behind: cells, report, and a sealed bundle.

use std::{
    fs,
    path::{Path, PathBuf},
};

use record::exit;
use verdict::Evaluation;

use super::{RunDir, RunDirError, derived, seal::seal};
use crate::{
    Failure, Folders,
    console::talk,
    planning::Setup,
    process,
    report::{RunReport, of_run},
};

/// What was published.
#[derive(Debug)]
pub struct Published {
    /// The report.
    pub report: RunReport,
    /// The one-file page.
    pub html: PathBuf,
    /// The sealed bundle; absent if only a part of the set was run.
    pub bundle: Option<PathBuf>,
}

/// Writes cells, profile and report into the evidence, seals a complete run, and declares the
/// run complete.
///
/// # Errors
/// Something cannot be written, there is no key to sign with, or the user stops it.
pub fn publish(
    folders: &Folders,
    setup: &Setup,
    dir: &RunDir,
    evaluation: &Evaluation,
    key: Option<&Path>,
) -> Result<Published, Failure> {
    let io = |error: RunDirError| Failure::new(exit::IO, error.to_string());
    let plan = &setup.plan;
    let mut cells = serde_json::to_vec_pretty(&evaluation.cells)
        .map_err(|error| Failure::internal(error.to_string()))?;
    cells.push(b'\n');
    dir.write("cells.json", &cells).map_err(io)?;
    for (name, bytes) in derived(&dir.evidence(), plan, evaluation)? {
        dir.write(&name, &bytes).map_err(io)?;
    }
    let report = replayed(&dir.evidence(), evaluation)?;
    let bundle = if plan.partial {
        talk("this was a partial run: nothing is sealed");
        None
    } else {
        process::go_on()?;
        Some(seal(folders, setup, dir, evaluation, key)?)
    };
    process::go_on()?;
    dir.complete().map_err(io)?;
    Ok(Published { report, html: dir.evidence().join("report.html"), bundle })
}

/// The report of evidence that was judged again.
///
/// # Errors
/// The evidence has no report.
pub fn replayed(evidence: &Path, evaluation: &Evaluation) -> Result<RunReport, Failure> {
    let path = evidence.join("report.json");
    let recorded: Result<RunReport, String> = fs::read(&path)
        .map_err(|error| error.to_string())
        .and_then(|bytes| serde_json::from_slice(&bytes).map_err(|error| error.to_string()));
    let mut report = recorded.map_err(|why| {
        Failure::new(exit::IO, format!("{} cannot be used: {why}", path.display()))
    })?;
    report.verdict = evaluation.verdict;
    report.gates = of_run::gates(evaluation);
    Ok(report)
}
