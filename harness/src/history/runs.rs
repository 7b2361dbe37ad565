//! The runs of a checkout: a list of them, and which are superseded.

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    time::SystemTime,
};

use record::exit;
use serde::Serialize;

use super::Side;
use crate::{Failure, moment};

/// A run that a checkout keeps.
#[derive(Debug, Clone, Serialize)]
pub struct Kept {
    /// The name of its folder.
    pub name: String,
    /// Its folder.
    pub path: PathBuf,
    /// `complete`, `running` or `interrupted`.
    pub state: &'static str,
    /// What it says of itself; absent before it is complete.
    pub side: Option<Side>,
    /// When something in its folder was written last, in UTC.
    pub written_at: String,
    #[serde(skip)]
    written: SystemTime,
}

impl Kept {
    /// Its result in words. A run of a part of a set never counts as passed.
    pub fn verdict(&self) -> &'static str {
        match &self.side {
            None => "–",
            Some(side) if side.gates.values().any(|verdict| verdict != "pass") => "not passed",
            Some(side) if side.partial => "partial",
            Some(side) if side.gates.is_empty() => "not run",
            Some(_) => "passed",
        }
    }

    /// The set, the profile and whether it is partial: only runs of one kind replace each other. `None`
    /// for a run that is incomplete or cannot be read.
    fn kind(&self) -> Option<(&str, &str, bool)> {
        let side = self.side.as_ref()?;
        Some((&side.set, &side.profile, side.partial))
    }
}

/// The runs below the folder of artifacts, oldest first.
///
/// # Errors
/// The folder cannot be read.
pub fn list(artifacts: &Path) -> Result<Vec<Kept>, Failure> {
    let runs = artifacts.join("runs");
    let failed = |error: io::Error| Failure::new(exit::IO, format!("{}: {error}", runs.display()));
    let entries = match fs::read_dir(&runs) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(failed)?,
    };
    let mut kept = Vec::new();
    for entry in entries {
        let entry = entry.map_err(failed)?;
        if !entry.file_type().map_err(failed)?.is_dir() {
            continue;
        }
        let path = entry.path();
        let complete = path.join("complete");
        let state = match (complete.exists(), is_locked(&path)) {
            (_, true) => "running",
            (true, false) => "complete",
            (false, false) => "interrupted",
        };
        let stamped = if complete.exists() { &complete } else { &path };
        let written = fs::metadata(stamped).and_then(|found| found.modified()).map_err(failed)?;
        kept.push(Kept {
            name: entry.file_name().to_string_lossy().into_owned(),
            state,
            side: Side::read(&path).ok().filter(|_| complete.exists()),
            written_at: moment::written(written),
            written,
            path,
        });
    }
    kept.sort_by(|one, other| {
        one.written.cmp(&other.written).then_with(|| one.name.cmp(&other.name))
    });
    Ok(kept)
}

/// Whether a process works on a run: the system releases the lock of a process that ends.
fn is_locked(run: &Path) -> bool {
    File::open(run.join("lock")).is_ok_and(|lock| lock.try_lock().is_err())
}

/// The run with this name, or the only one whose name begins with it.
///
/// # Errors
/// There is none, or more than one.
pub fn named<'a>(kept: &'a [Kept], name: &str) -> Result<&'a Kept, Failure> {
    if let Some(exact) = kept.iter().find(|run| run.name == name) {
        return Ok(exact);
    }
    let found: Vec<&Kept> = kept.iter().filter(|run| run.name.starts_with(name)).collect();
    match found.as_slice() {
        [one] => Ok(one),
        others => Err(Failure::new(
            exit::USAGE,
            format!("{} runs begin with {name:?}; `parity runs list` names them", others.len()),
        )),
    }
}

/// The newest complete run and the one before it of the same kind, older first.
pub fn last_two(kept: &[Kept]) -> Option<[&Kept; 2]> {
    let complete = || kept.iter().rev().filter(|run| run.side.is_some());
    let newest = complete().next()?;
    let before = complete().skip(1).find(|run| run.kind() == newest.kind())?;
    Some([before, newest])
}

/// The complete runs that are older than the newest `keep` of their kind. Bundles are not runs,
/// incomplete runs can be resumed, and the kind of a run that cannot be read is unknown: none of these
/// is ever returned.
pub fn superseded(kept: &[Kept], keep: usize) -> Vec<&Kept> {
    let complete: Vec<&Kept> =
        kept.iter().filter(|run| run.state == "complete" && run.kind().is_some()).collect();
    let newer = |at: usize, run: &Kept| {
        complete.iter().skip(at + 1).filter(|other| other.kind() == run.kind()).count()
    };
    let old = complete.iter().enumerate().filter(|(at, run)| newer(*at, run) >= keep);
    old.map(|(_, run)| *run).collect()
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use super::{last_two, list, named, superseded};

    fn run(artifacts: &Path, name: &str, complete: bool) {
        let folder = artifacts.join("runs").join(name);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("lock"), "").unwrap();
        if complete {
            fs::write(folder.join("complete"), "").unwrap();
        }
    }

    /// Writes the report of a run that can be read.
    fn report(artifacts: &Path, name: &str, set: &str, profile: &str, partial: bool) {
        let evidence = artifacts.join("runs").join(name).join("evidence");
        fs::create_dir_all(&evidence).unwrap();
        let plan = serde_json::json!({
            "set": set, "profile": profile, "partial": partial, "source_commit": "1a",
            "engine_sha256": "2b", "corpora": [],
        });
        fs::write(evidence.join("plan.json"), plan.to_string()).unwrap();
        fs::write(evidence.join("report.json"), r#"{"gates": []}"#).unwrap();
        fs::write(evidence.join("cells.json"), "[]").unwrap();
    }

    #[test]
    fn what_runs_or_was_interrupted_never_goes() {
        let place = tempfile::tempdir().unwrap();
        assert!(list(place.path()).unwrap().is_empty());
        for name in ["smoke-a-1", "smoke-a-2", "smoke-a-3"] {
            run(place.path(), name, true);
            report(place.path(), name, "smoke", "parity", false);
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        run(place.path(), "smoke-b-1", false);
        run(place.path(), "full-c-1", true);
        let lock = fs::File::open(place.path().join("runs/full-c-1/lock")).unwrap();
        lock.lock().unwrap();
        let kept = list(place.path()).unwrap();
        let state = |name: &str| named(&kept, name).unwrap().state;
        assert_eq!(
            [state("smoke-a-1"), state("smoke-b"), state("full")],
            ["complete", "interrupted", "running"]
        );
        assert!(named(&kept, "smoke").is_err() && named(&kept, "x").is_err());
        let gone: Vec<&str> = superseded(&kept, 1).iter().map(|run| &*run.name).collect();
        assert_eq!(gone, ["smoke-a-1", "smoke-a-2"]);
        assert!(superseded(&kept, 3).is_empty());
    }

    #[test]
    fn only_runs_of_one_kind_supersede_each_other() {
        let place = tempfile::tempdir().unwrap();
        let kinds = [
            ("a", Some(("smoke", "parity", false))),
            ("b", Some(("full", "parity", false))),
            ("c", None),
            ("d", Some(("smoke", "enhancement", false))),
            ("e", Some(("smoke", "parity", true))),
            ("f", None),
            ("g", Some(("smoke", "parity", false))),
        ];
        for (name, kind) in kinds {
            run(place.path(), name, true);
            if let Some((set, profile, partial)) = kind {
                report(place.path(), name, set, profile, partial);
            }
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        let kept = list(place.path()).unwrap();
        let gone: Vec<&str> = superseded(&kept, 1).iter().map(|run| &*run.name).collect();
        assert_eq!(gone, ["a"]);
        // Even if no run is to be kept, one that cannot be read stays.
        let gone: Vec<&str> = superseded(&kept, 0).iter().map(|run| &*run.name).collect();
        assert_eq!(gone, ["a", "b", "d", "e", "g"]);
        assert_eq!(last_two(&kept).unwrap().map(|run| &*run.name), ["a", "g"]);
    }
}
