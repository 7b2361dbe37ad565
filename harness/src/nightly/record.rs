//! The record of a night: the results of its steps, the cells of its runs, what changed, and the
//! history up to it.
//!
//! A record is a folder of its own, named after date and commit, and is never overwritten:
//! `record.json`, and as Parquet the cells of each run and the values of this record. Beside the
//! records are the history, which is the values of all of them in order, and its page.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

use frames::{History, Measurements, Point};
use record::{Schema, exit, write_atomically};
use serde::{Deserialize, Serialize};

use super::{
    continued::{Continued, current},
    movers::{self, MARGIN, Mover, SECONDS, Weight},
    page,
    steps::{Left, Step, left},
};
use crate::{
    Failure,
    history::{Side, compare, environment},
};

/// The description of a record, in its folder.
pub const RECORD: &str = "record.json";
/// The values of a record, in its folder.
pub(super) const VALUES: &str = "values.parquet";
/// The values of all records, in the folder of the records.
pub const HISTORY: &str = "history.parquet";
/// The page that shows the values of all records.
pub const PAGE: &str = "index.html";

/// The result of a step of a night.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// It ended with 0.
    Passed,
    /// It ended with something else.
    Failed,
    /// It began and did not end.
    Interrupted,
    /// It never began.
    NotRun,
    /// It was run on another commit than that of the record.
    Outdated,
    /// It ended with 0 and names no bundle of the commit.
    Unsealed,
}

impl State {
    /// Whether the step ran to its end on the commit of the record, whatever the result.
    pub const fn has_ended(self) -> bool {
        matches!(self, Self::Passed | Self::Failed | Self::Unsealed)
    }
}

/// A step in a record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outcome {
    /// Its name.
    pub name: String,
    /// What it shows.
    pub what: String,
    /// What bash ran or would have run.
    pub command: String,
    /// Its result.
    pub state: State,
    /// Its exit code, if it ended and no signal ended it.
    pub exit_code: Option<i32>,
    /// When it began, in UTC.
    pub started_at: Option<String>,
    /// When it ended, in UTC.
    pub finished_at: Option<String>,
    /// How long it took, in seconds.
    pub seconds: Option<f64>,
    /// The earlier record of the same commit that this result was taken from; absent if the step was run where
    /// this record was made.
    pub record: Option<String>,
}

/// The run of a step, in a record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeptRun {
    /// The step that made it.
    pub step: String,
    /// The name of its bundle.
    pub bundle: String,
    /// The set of corpora.
    pub set: String,
    /// The profile.
    pub profile: String,
    /// The commit of the source.
    pub source_commit: String,
    /// sha256 of the engine.
    pub engine_sha256: String,
    /// Its profile object, with the comparator tuple and the digest of its corpora.
    pub run_profile: Option<serde_json::Value>,
    /// When it was complete, in UTC.
    pub finished_at: Option<String>,
    /// The verdict of each gate.
    pub gates: BTreeMap<String, String>,
    /// The commit of each corpus.
    pub corpora: BTreeMap<String, String>,
}

/// A record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// Schema of this file.
    pub schema_version: Schema<1>,
    /// The name of its folder.
    pub name: String,
    /// The commit that was measured.
    pub commit: String,
    /// When its last step ended, in UTC.
    pub finished_at: String,
    /// The record that its runs are compared with, if there is one.
    pub before: Option<String>,
    /// The record of the same commit that it continues. That record is then left out of history and comparisons.
    pub continues: Option<String>,
    /// Its steps, in their order.
    pub steps: Vec<Outcome>,
    /// The runs of the steps that sealed one.
    pub runs: Vec<KeptRun>,
    /// What changed since the record before, missing things first.
    pub movers: Vec<Mover>,
}

impl Record {
    /// The exit code for the record: 10 if something regressed, else 11 if something is missing, else 0.
    pub fn exit_code(&self) -> u8 {
        let has = |weight| self.movers.iter().any(|mover| mover.weight == weight);
        if has(Weight::Regressed) {
            exit::GATE_FAILED
        } else if has(Weight::Missing) {
            exit::INSUFFICIENT
        } else {
            exit::PASS
        }
    }
}

/// The file with the cells of a step's run, in the folder of a record.
pub(super) fn cells_of(step: &str) -> String {
    format!("{step}.cells.parquet")
}

/// Makes the record of the steps' results in a new folder below `records`, and updates the history and
/// its page. `continues` names a record of the same commit: a step that did not run to its end here has the
/// result that it has there. So a night can be longer than any machine is kept.
///
/// # Errors
/// No step of this commit has ended, the record exists already, the record to continue is of another commit or
/// is continued already, or something cannot be read or written.
pub fn make(
    artifacts: &Path,
    records: &Path,
    commit: &str,
    steps: &[Step],
    continues: Option<&str>,
) -> Result<Record, Failure> {
    let all = read_all(records)?;
    let continued =
        continues.map(|name| Continued::read(records, &all, name, commit)).transpose()?;
    let (mut outcomes, mut runs) = (Vec::new(), Vec::new());
    for step in steps {
        let left = left(artifacts, step)?;
        let (mut outcome, mut side) = outcome(commit, step, left.as_ref());
        if let Some(there) = continued.as_ref().filter(|_| !outcome.state.has_ended())
            && let Some(ended) = there.outcome(step)
        {
            (outcome, side) = (ended, there.run(&step.name)?);
        }
        runs.extend(side.map(|side| (step.name.clone(), side)));
        outcomes.push(outcome);
    }
    let Some(finished_at) = outcomes.iter().filter_map(|step| step.finished_at.clone()).max()
    else {
        let why = "no step of this commit has ended; run `parity nightly run` first";
        return Err(Failure::new(exit::NOTHING_RAN, why.to_owned()));
    };
    let day = finished_at.get(..10).unwrap_or(&finished_at);
    let mut name = format!("{day}-{}", commit.get(..12).unwrap_or(commit));
    if continued.is_some() {
        name = free_name(records, &name);
    }
    let folder = records.join(&name);
    if folder.exists() {
        let why = format!(
            "{} exists, and a record is never written again; add to it with `--continue {name}`, or commit \
             something first",
            folder.display()
        );
        return Err(Failure::new(exit::USAGE, why));
    }
    let earlier = current(all, continues);
    let before = earlier.last().map(|record| record.name.clone());
    let mut movers = movers::of_steps(&outcomes);
    for (step, side) in &runs {
        if let Some(before) = side_before(records, &earlier, step)? {
            movers.extend(movers::of_run(step, &compare(&before, side)?));
        } else if side.gates.values().any(|verdict| verdict != "pass") {
            let text =
                format!("{step}: not every gate passes, and there is no record to compare with.");
            movers.push(Mover { weight: Weight::Regressed, text });
        }
    }
    let mut history = read_history(records, &earlier)?;
    let (here, taken): (Vec<&Outcome>, Vec<&Outcome>) =
        outcomes.iter().partition(|step| step.record.is_none());
    let mut points = points(&here, &runs)?;
    if let Some(there) = &continued {
        points.extend(there.points(&taken)?);
    }
    let borrowed: Vec<Point<'_>> = points
        .iter()
        .map(|(kind, name, value)| Point { kind, name, value: Some(*value) })
        .collect();
    let mut values = History::new()?;
    values.append(&name, &finished_at, commit, &borrowed)?;
    history.extend(&values)?;
    movers.extend(movers::of_history(&history.series()?));
    movers.sort();
    let kept = runs.iter().map(|(step, side)| kept(step, side)).collect();
    let record = Record {
        schema_version: Schema,
        name,
        commit: commit.to_owned(),
        finished_at,
        before,
        continues: continues.map(str::to_owned),
        steps: outcomes,
        runs: kept,
        movers,
    };
    write(records, &folder, &record, &runs, &values)?;
    publish(records, &record, &history)?;
    Ok(record)
}

/// The first of the names `NAME`, `NAME-2`, `NAME-3` and so on that no record has.
fn free_name(records: &Path, name: &str) -> String {
    let mut free = name.to_owned();
    for part in 2.. {
        if !records.join(&free).exists() {
            break;
        }
        free = format!("{name}-{part}");
    }
    free
}

/// The result of a step, and its run if it sealed one of this commit.
fn outcome(commit: &str, step: &Step, left: Option<&Left>) -> (Outcome, Option<Side>) {
    let end = left.and_then(|left| left.end.as_ref());
    let side = end.and_then(|end| end.bundle.as_ref()).and_then(|bundle| {
        let side = Side::read(bundle).ok()?;
        // A bundle that was complete before this step began comes from an earlier run of the commit,
        // not from the step.
        let since = side.finished_at.as_ref() >= left.map(|left| &left.started_at);
        (side.source_commit == commit && !side.partial && since).then_some(side)
    });
    let state = match (left, end) {
        (None, _) => State::NotRun,
        (Some(left), _) if left.commit != commit || left.command != step.command => State::Outdated,
        (Some(_), None) => State::Interrupted,
        (Some(_), Some(end)) if end.exit_code != Some(0) => State::Failed,
        (Some(_), Some(_)) if step.bundle.is_some() && side.is_none() => State::Unsealed,
        (Some(_), Some(_)) => State::Passed,
    };
    // For an interrupted step, or one run on an earlier commit, only the state is recorded.
    let ended = state.has_ended();
    let (left, end) = (left.filter(|_| ended), end.filter(|_| ended));
    let outcome = Outcome {
        name: step.name.clone(),
        what: step.what.clone(),
        command: step.command.clone(),
        state,
        exit_code: end.and_then(|end| end.exit_code),
        started_at: left.map(|left| left.started_at.clone()),
        finished_at: end.map(|end| end.finished_at.clone()),
        seconds: end.map(|end| end.seconds),
        record: None,
    };
    (outcome, side.filter(|_| ended))
}

/// A value of a record: kind, name and value.
pub(super) type Value = (String, String, f64);

/// The values of some steps and of their runs.
fn points(steps: &[&Outcome], runs: &[(String, Side)]) -> Result<Vec<Value>, Failure> {
    let mut points: Vec<Value> = Vec::new();
    let mut add =
        |kind: &str, name: String, value: f64| points.push((kind.to_owned(), name, value));
    for step in steps.iter().filter(|step| step.state == State::Passed) {
        if let Some(seconds) = step.seconds {
            add(SECONDS, format!("step {}", step.name), seconds);
        }
    }
    let is_of_them = |(step, _): &&(String, Side)| steps.iter().any(|one| one.name == *step);
    for (step, side) in runs.iter().filter(is_of_them) {
        for summary in side.cells.summary()? {
            if let Some(margin) = summary.worst_margin {
                add(MARGIN, format!("{step} {} {}", summary.gate, summary.metric), margin);
            }
        }
        // Units of one corpus and kind are added up: single units are too short to compare.
        let mut sums: BTreeMap<String, u64> = BTreeMap::new();
        for (unit, took) in environment(&side.path).map(|made| made.units).unwrap_or_default() {
            let kind: Vec<&str> = unit.split('/').take(2).collect();
            *sums.entry(format!("{step} {}", kind.join(" "))).or_default() += took;
        }
        for (name, took) in sums {
            add(SECONDS, name, took as f64 / 1e3);
        }
    }
    Ok(points)
}

fn kept(step: &str, side: &Side) -> KeptRun {
    let bundle = side.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    KeptRun {
        step: step.to_owned(),
        bundle,
        set: side.set.clone(),
        profile: side.profile.clone(),
        source_commit: side.source_commit.clone(),
        engine_sha256: side.engine_sha256.clone(),
        run_profile: side.run_profile.clone(),
        finished_at: side.finished_at.clone(),
        gates: side.gates.clone(),
        corpora: side.corpora.clone(),
    }
}

/// The records of a folder, oldest first.
///
/// # Errors
/// One cannot be read.
pub fn read_all(records: &Path) -> Result<Vec<Record>, Failure> {
    let failed =
        |path: &Path, why: String| Failure::new(exit::IO, format!("{}: {why}", path.display()));
    let entries = match fs::read_dir(records) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(|error| failed(records, error.to_string()))?,
    };
    let mut found: Vec<Record> = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| failed(records, error.to_string()))?.path().join(RECORD);
        if path.is_file() {
            let bytes = fs::read(&path).map_err(|error| failed(&path, error.to_string()))?;
            let record =
                serde_json::from_slice(&bytes).map_err(|error| failed(&path, error.to_string()))?;
            found.push(record);
        }
    }
    found.sort_by(|one, other| {
        (&one.finished_at, &one.name).cmp(&(&other.finished_at, &other.name))
    });
    Ok(found)
}

/// The latest run of a step in the earlier records, with its cells.
fn side_before(records: &Path, earlier: &[Record], step: &str) -> Result<Option<Side>, Failure> {
    for record in earlier.iter().rev() {
        if let Some(mut side) = side_of(records, record, step)? {
            side.path = PathBuf::from(&record.name);
            return Ok(Some(side));
        }
    }
    Ok(None)
}

/// The run of a step in a record, with its cells; its path is the name of its bundle.
pub(super) fn side_of(
    records: &Path,
    record: &Record,
    step: &str,
) -> Result<Option<Side>, Failure> {
    let Some(run) = record.runs.iter().find(|run| run.step == step) else { return Ok(None) };
    let path = records.join(&record.name).join(cells_of(step));
    let cells = Measurements::from_parquet(&bytes(&path)?)
        .map_err(|error| Failure::new(exit::IO, format!("{}: {error}", path.display())))?;
    Ok(Some(Side {
        path: PathBuf::from(&run.bundle),
        set: run.set.clone(),
        profile: run.profile.clone(),
        partial: false,
        source_commit: run.source_commit.clone(),
        engine_sha256: run.engine_sha256.clone(),
        run_profile: run.run_profile.clone(),
        finished_at: run.finished_at.clone(),
        // The values of a record have its times.
        units: BTreeMap::new(),
        gates: run.gates.clone(),
        corpora: run.corpora.clone(),
        recordings: BTreeMap::new(),
        cells,
    }))
}

/// The values of the records, in their order.
fn read_history(records: &Path, earlier: &[Record]) -> Result<History, Failure> {
    let mut history = History::new()?;
    for record in earlier {
        let path = records.join(&record.name).join(VALUES);
        let read = History::from_parquet(&bytes(&path)?)
            .and_then(|values| history.extend(&values).map(|()| values));
        read.map_err(|error| Failure::new(exit::IO, format!("{}: {error}", path.display())))?;
    }
    Ok(history)
}

pub(super) fn bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    fs::read(path).map_err(|error| Failure::new(exit::IO, format!("{}: {error}", path.display())))
}

/// Writes the folder of a record under a temporary name first, so that it appears whole or not at all.
fn write(
    records: &Path,
    folder: &Path,
    record: &Record,
    runs: &[(String, Side)],
    values: &History,
) -> Result<(), Failure> {
    let io = |error: io::Error| Failure::new(exit::IO, format!("{}: {error}", folder.display()));
    fs::create_dir_all(records).map_err(io)?;
    let partial = tempfile::Builder::new().prefix(".partial-").tempdir_in(records).map_err(io)?;
    let file = |name: &str, bytes: &[u8]| {
        write_atomically(&partial.path().join(name), bytes)
            .map_err(|error| Failure::new(exit::IO, error.to_string()))
    };
    for (step, side) in runs {
        file(&cells_of(step), &side.cells.to_parquet(&[])?)?;
    }
    file(VALUES, &values.to_parquet()?)?;
    let mut text =
        serde_json::to_vec_pretty(record).map_err(|error| Failure::internal(error.to_string()))?;
    text.push(b'\n');
    file(RECORD, &text)?;
    // The rename fails if the folder exists and is not empty, so a record is never replaced.
    fs::rename(partial.path(), folder).map_err(io)?;
    drop(partial.keep());
    readable(folder).map_err(io)
}

/// Makes a folder readable for everyone; temporary folders are created for their owner only.
fn readable(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(folder, fs::Permissions::from_mode(0o755))
}

/// Writes the history and its page.
fn publish(records: &Path, record: &Record, history: &History) -> Result<(), Failure> {
    let write = |name: &str, bytes: &[u8]| {
        write_atomically(&records.join(name), bytes)
            .map_err(|error| Failure::new(exit::IO, error.to_string()))
    };
    write(HISTORY, &history.to_parquet()?)?;
    write(PAGE, page::render(record, history)?.as_bytes())
}

/// Writes the history and its page again, from the records alone.
///
/// # Errors
/// There is no record, or one cannot be read.
pub fn again(records: &Path) -> Result<Record, Failure> {
    let all = current(read_all(records)?, None);
    let history = read_history(records, &all)?;
    let Some(last) = all.into_iter().next_back() else {
        let why =
            format!("{} has no record; make one with `parity nightly record`", records.display());
        return Err(Failure::new(exit::NOTHING_RAN, why));
    };
    publish(records, &last, &history)?;
    Ok(last)
}
