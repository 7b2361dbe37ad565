//! The output of a run: cells, report, and a sealed bundle.

use std::{
    fs,
    path::{Path, PathBuf},
};

use record::{exit, write_atomically};
use verdict::{
    Evaluation,
    bundle::{Accepted, Environment, keys},
};

use super::{Beginning, RunDir, RunDirError, derived, evidence_in, seal::seal};
use crate::{
    Failure, Folders,
    console::talk,
    history::{ENVIRONMENT, Side, compare},
    planning::Setup,
    process,
    report::{RunReport, escape::shell, html, junit, of_run, off_diagonal},
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

/// Writes cells, profile and report into the evidence, seals the run unless it is partial, and marks it
/// as complete.
///
/// # Errors
/// Something cannot be written, there is no key to sign with, or the user stops it.
pub fn publish(
    folders: &Folders,
    setup: &Setup,
    dir: &RunDir,
    evaluation: &Evaluation,
    beginning: &Beginning,
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
    let environment = beginning.environment(dir.durations(), setup.tuple.as_ref());
    // Found before sealing, which moves the pointer to the last bundle.
    let before = before(folders, &report);
    let bundle = if plan.partial || plan.unpinned.is_some() {
        talk(&match &plan.unpinned {
            Some(comparator) => format!("the comparator is {comparator}: nothing is signed"),
            None => "this was a partial run: nothing is sealed".to_owned(),
        });
        None
    } else {
        process::go_on()?;
        Some(seal(folders, setup, dir, evaluation, environment.clone(), key)?)
    };
    let html = around(dir, &report, &environment, before.as_deref(), bundle.as_deref())?;
    process::go_on()?;
    dir.complete().map_err(io)?;
    Ok(Published { report, html, bundle })
}

/// Writes the files about a run beside its evidence: when and where it was made, its page with what
/// moved, and its JUnit document with times. Returns the path of the page.
fn around(
    dir: &RunDir,
    report: &RunReport,
    environment: &Environment,
    before: Option<&Path>,
    bundle: Option<&Path>,
) -> Result<PathBuf, Failure> {
    let internal = |error: &dyn std::fmt::Display| Failure::internal(error.to_string());
    let write = |name: &str, bytes: &[u8]| {
        let path = dir.path().join(name);
        write_atomically(&path, bytes)
            .map_err(|error| Failure::new(exit::IO, error.to_string()))?;
        Ok::<PathBuf, Failure>(path)
    };
    let text = serde_json::to_vec_pretty(environment).map_err(|error| internal(&error))?;
    write(ENVIRONMENT, &text)?;
    let junit = junit::render(report, Some(environment)).map_err(|error| internal(&error))?;
    write("junit.xml", junit.as_bytes())?;
    let moved = before
        .and_then(|before| Side::read(before).ok())
        .and_then(|before| compare(&before, &Side::read(dir.path()).ok()?).ok());
    let mut report = report.clone();
    report.commands.verify =
        bundle.map(|bundle| format!("cargo parity verify {}", shell(&bundle.to_string_lossy())));
    let ranks = off_diagonal(&evidence_in(dir.path()), &report);
    let around = html::Around { made: Some(environment), moved: moved.as_ref(), ranks: &ranks };
    let page = html::render(&report, around).map_err(|error| internal(&error))?;
    write("report.html", page.as_bytes())
}

/// What a run is compared with: the bundle of its set and profile that the user accepted last, else the
/// one that was sealed here last. A partial run is compared with nothing.
fn before(folders: &Folders, report: &RunReport) -> Option<PathBuf> {
    if report.part.is_some() {
        return None;
    }
    let (set, profile) = (report.set.as_str(), report.profile.get("profile")?);
    let accepted = keys::config_dir().ok().and_then(|folder| Accepted::open(&folder).ok());
    let accepted = accepted.and_then(|accepted| Some(accepted.last(set, profile)?.path.clone()));
    accepted.filter(|path| path.is_dir()).or_else(|| {
        let pointer = folders.artifacts().join(format!("latest-bundle-{profile}"));
        let path = PathBuf::from(fs::read_to_string(pointer).ok()?.trim_end());
        Side::read(&path).is_ok_and(|side| side.set == set).then_some(path)
    })
}

/// The report of evidence, with the verdicts of an evaluation that was made again.
///
/// # Errors
/// The evidence has no readable report.
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
