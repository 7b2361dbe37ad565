//! The folder of a run: its growing evidence, and an event log from which a killed run resumes.

use std::{
    collections::BTreeMap,
    fs::{self, File, OpenOptions},
    io::{self, BufRead, BufReader, Write},
    path::{Path, PathBuf},
};

use record::{
    Digest, Kept, Plan, Store, StoreError, WriteError, atomic::remove_partial, fault, further_key,
    write_atomically,
};
use serde::{Deserialize, Serialize};
use verdict::{INDEX, Index, PLAN};

const EVENTS: &str = "events.jsonl";
const COMPLETE: &str = "complete";
const LOCK: &str = "lock";

/// A run cannot be kept.
#[derive(Debug, thiserror::Error)]
pub enum RunDirError {
    /// Reading or writing failed.
    #[error("{path} cannot be {action}: {error}")]
    Io {
        /// `read` or `written`.
        action: &'static str,
        /// Where.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// Another process works on the same run.
    #[error("another process is executing the run {0}; wait until it ends")]
    Busy(PathBuf),
    /// A file could not be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The remains of an interrupted attempt could not be told from evidence, or not be removed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Something could not be serialised.
    #[error("the run's records cannot be written: {0}")]
    Json(#[from] serde_json::Error),
}

/// One line of the event log: a unit that was recorded.
#[derive(Debug, Serialize, Deserialize)]
struct Event {
    unit: String,
    #[serde(flatten)]
    recorded: Recorded,
}

impl Event {
    /// The keys of its recordings in the index.
    fn entries(self) -> impl Iterator<Item = (String, Kept)> {
        let Self { unit, recorded: Recorded { first, further } } = self;
        let key = unit.clone();
        let further = further.into_iter().zip(1..);
        let further = further.map(move |(kept, number)| (further_key(&key, number), kept));
        std::iter::once((unit, first)).chain(further)
    }
}

/// What was recorded of one unit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recorded {
    /// The first recording.
    pub first: Kept,
    /// Later recordings: of the files after one that ended our program, or of the next processes of a
    /// scenario.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub further: Vec<Kept>,
}

impl From<Kept> for Recorded {
    fn from(first: Kept) -> Self {
        Self { first, further: Vec::new() }
    }
}

/// An open run folder. It is locked until dropped; the system releases the lock of a process that ends.
#[derive(Debug)]
pub struct RunDir {
    path: PathBuf,
    kept: BTreeMap<String, Kept>,
    events: File,
    _lock: File,
}

impl RunDir {
    /// Opens the folder of a plan below `runs`: an incomplete run of the same plan is resumed,
    /// otherwise a new one begins.
    pub fn open(runs: &Path, plan: &Plan) -> Result<Self, RunDirError> {
        let id = plan.id()?;
        let short = id.as_str().get(..12).unwrap_or_default();
        let mut number = 1_u32;
        let path = loop {
            let path = runs.join(format!("{}-{short}-{number}", plan.set));
            if !path.join(COMPLETE).exists() {
                break path;
            }
            number += 1;
        };
        let evidence = path.join("evidence");
        fs::create_dir_all(&evidence).map_err(|error| written(&evidence, error))?;
        let lock_path = path.join(LOCK);
        let lock = File::create(&lock_path).map_err(|error| written(&lock_path, error))?;
        lock.try_lock().map_err(|_| RunDirError::Busy(path.clone()))?;
        remove_partial(&evidence)?;
        write_atomically(&evidence.join(PLAN), &pretty(plan)?)?;
        let log = path.join(EVENTS);
        let kept = read_events(&log, &Store::at(&evidence));
        let mut events = OpenOptions::new()
            .create(true)
            .append(true)
            .open(&log)
            .map_err(|error| written(&log, error))?;
        // Ends a line that was cut off, so that the next event starts on its own line.
        events.write_all(b"\n").map_err(|error| written(&log, error))?;
        Ok(Self { path, kept, events, _lock: lock })
    }

    /// The newest complete run of a plan below `runs`; `None` if there is none.
    pub fn last_complete(runs: &Path, plan: &Plan) -> Option<PathBuf> {
        let id = plan.id().ok()?;
        let short = id.as_str().get(..12)?;
        let complete = |number: u32| {
            let path = runs.join(format!("{}-{short}-{number}", plan.set));
            let kept = fs::read(path.join("evidence").join(PLAN)).ok()?;
            let kept: Plan = serde_json::from_slice(&kept).ok()?;
            (path.join(COMPLETE).exists() && kept == *plan).then_some(path)
        };
        (1..).map_while(complete).last()
    }

    /// The run's folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The folder of its evidence.
    pub fn evidence(&self) -> PathBuf {
        self.path.join("evidence")
    }

    /// The recording of a unit, if it has been made.
    pub fn recorded(&self, unit: &str) -> Option<&Digest> {
        self.kept.get(unit).map(|kept| &kept.name)
    }

    /// Everything that was recorded of a unit, if it has been made.
    pub fn all_recorded(&self, unit: &str) -> Option<Recorded> {
        let first = self.kept.get(unit)?.clone();
        let further = (1..).map_while(|number| self.kept.get(&further_key(unit, number)).cloned());
        Some(Recorded { first, further: further.collect() })
    }

    /// Logs a recorded unit and flushes the log to the disk.
    pub fn note(&mut self, unit: &str, recorded: Recorded) -> Result<(), RunDirError> {
        let event = Event { unit: unit.to_owned(), recorded };
        let mut line = serde_json::to_vec(&event)?;
        line.push(b'\n');
        let log = self.path.join(EVENTS);
        fault::point();
        self.events
            .write_all(&line)
            .and_then(|()| self.events.sync_data())
            .map_err(|error| written(&log, error))?;
        fault::point();
        self.kept.extend(event.entries());
        Ok(())
    }

    /// Writes the index that makes the recordings evidence. Recordings that a killed attempt made but
    /// did not log are removed: no reader could say which unit they belong to.
    pub fn write_index(&self) -> Result<(), RunDirError> {
        let index: Index =
            self.kept.iter().map(|(key, kept)| (key.clone(), kept.name.clone())).collect();
        Store::at(self.evidence()).keep_only(index.values())?;
        Ok(write_atomically(&self.evidence().join(INDEX), &pretty(&index)?)?)
    }

    /// Wall time in milliseconds of each recorded run, by key, where it is known. This is not evidence,
    /// because it differs from run to run.
    pub fn durations(&self) -> BTreeMap<String, u64> {
        let known = |(key, kept): (&String, &Kept)| Some((key.clone(), kept.took_ms?));
        self.kept.iter().filter_map(known).collect()
    }

    /// Writes a file into the evidence.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), RunDirError> {
        Ok(write_atomically(&self.evidence().join(name), bytes)?)
    }

    /// Marks the run as complete; after that it is neither resumed nor changed.
    pub fn complete(&self) -> Result<(), RunDirError> {
        Ok(write_atomically(&self.path.join(COMPLETE), b"")?)
    }
}

/// Reads the log of a killed run. A cut-off last line and units whose recording is missing or damaged
/// are left out, so that they are run again.
fn read_events(log: &Path, store: &Store) -> BTreeMap<String, Kept> {
    let Ok(file) = File::open(log) else { return BTreeMap::new() };
    BufReader::new(file)
        .lines()
        .map_while(Result::ok)
        .filter_map(|line| serde_json::from_str::<Event>(&line).ok())
        .filter(|event| {
            let whole = |kept: &Kept| {
                store.recording(&kept.name).and_then(|found| found.capture(store)).is_ok()
            };
            whole(&event.recorded.first) && event.recorded.further.iter().all(whole)
        })
        .flat_map(Event::entries)
        .collect()
}

fn pretty<T: Serialize>(value: &T) -> Result<Vec<u8>, serde_json::Error> {
    let mut bytes = serde_json::to_vec_pretty(value)?;
    bytes.push(b'\n');
    Ok(bytes)
}

fn written(path: &Path, error: io::Error) -> RunDirError {
    RunDirError::Io { action: "written", path: path.to_owned(), error }
}

#[cfg(test)]
#[path = "store_tests.rs"]
mod tests;
