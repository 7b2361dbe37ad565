//! One of two runs that are compared.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use frames::Measurements;
use record::{Cell, Digest, exit};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;
use verdict::{
    INDEX, PLAN,
    bundle::{CELLS, Environment, note},
};

use crate::{Failure, report::of_cells, run::evidence_in};

/// What a run or a bundle says of itself.
#[derive(Debug, Clone, Serialize)]
pub struct Side {
    /// Where it is.
    pub path: PathBuf,
    /// The set of corpora.
    pub set: String,
    /// The profile.
    pub profile: String,
    /// True if only a part of the set was run.
    pub partial: bool,
    /// The commit of the source that was measured.
    pub source_commit: String,
    /// sha256 of the engine.
    pub engine_sha256: String,
    /// Its profile object, with the comparator tuple and the digest of its corpora; absent in runs of earlier
    /// versions.
    pub run_profile: Option<Value>,
    /// When it was complete, in UTC, as its runner says; absent if neither a file nor a note says so.
    pub finished_at: Option<String>,
    /// Wall time of each unit in milliseconds, by its key; empty if neither a file nor a note says so.
    #[serde(skip)]
    pub units: BTreeMap<String, u64>,
    /// What its report says of each gate, by name.
    #[serde(skip)]
    pub gates: BTreeMap<String, String>,
    /// The commit of each corpus, by name.
    #[serde(skip)]
    pub corpora: BTreeMap<String, String>,
    /// The digest of each recording, by its key; empty where recordings were not kept.
    #[serde(skip)]
    pub recordings: BTreeMap<String, Digest>,
    /// Its cells, in the order in which they were judged.
    #[serde(skip)]
    pub cells: Measurements,
}

// The parts of plan and report that are read. Either may be of another version, so other fields are
// ignored.
#[derive(Deserialize)]
struct PlanPart {
    set: String,
    profile: String,
    #[serde(default)]
    partial: bool,
    source_commit: String,
    engine_sha256: String,
    corpora: Vec<CorpusPart>,
}

#[derive(Deserialize)]
struct CorpusPart {
    name: String,
    commit: String,
}

#[derive(Deserialize)]
struct ReportPart {
    #[serde(default)]
    run_profile: Option<Value>,
    gates: Vec<GatePart>,
}

#[derive(Deserialize)]
struct GatePart {
    gate: String,
    verdict: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct EnvironmentPart {
    finished_at: String,
    #[serde(default)]
    units: BTreeMap<String, u64>,
}

/// The file in the folder of a run that says when it was complete; a bundle has a signed note instead.
pub const ENVIRONMENT: &str = "environment.json";

impl Side {
    /// Reads the folder of a finished run or of a bundle.
    ///
    /// # Errors
    /// The folder is neither, or cannot be read.
    pub fn read(folder: &Path) -> Result<Self, Failure> {
        let evidence = evidence_in(folder);
        let plan: PlanPart = json(&evidence.join(PLAN))?;
        let report: ReportPart = json(&evidence.join("report.json"))?;
        let cells: Vec<Cell> = json(&evidence.join(CELLS))?;
        let index = evidence.join(INDEX);
        let recordings = if index.is_file() { json(&index)? } else { BTreeMap::new() };
        let made = made(folder);
        Ok(Self {
            path: folder.to_owned(),
            set: plan.set,
            profile: plan.profile,
            partial: plan.partial,
            source_commit: plan.source_commit,
            engine_sha256: plan.engine_sha256,
            run_profile: report.run_profile,
            finished_at: made.as_ref().map(|made| made.finished_at.clone()),
            units: made.map(|made| made.units).unwrap_or_default(),
            gates: report.gates.into_iter().map(|gate| (gate.gate, gate.verdict)).collect(),
            corpora: plan.corpora.into_iter().map(|one| (one.name, one.commit)).collect(),
            recordings,
            cells: of_cells(&cells)?,
        })
    }

    /// How messages name it: its folder and its time.
    pub fn title(&self) -> String {
        let name = self.path.file_name().unwrap_or(self.path.as_os_str()).to_string_lossy();
        let at = self.finished_at.as_ref().map(|at| format!(", {at}")).unwrap_or_default();
        let commit = self.source_commit.get(..12).unwrap_or(&self.source_commit);
        let part = if self.partial { ", partial" } else { "" };
        format!("{name} ({} set, {} profile{part}, commit {commit}{at})", self.set, self.profile)
    }
}

/// When and where a run was made: from the file in a run, or from the note of a bundle. A note is not
/// verified here.
pub fn environment(folder: &Path) -> Option<Environment> {
    json(&folder.join(ENVIRONMENT)).ok().or_else(|| note::unverified_environment(folder))
}

/// When a run was complete and what its units took: from the file in a run, which may be of another version, or
/// from the note of a bundle.
fn made(folder: &Path) -> Option<EnvironmentPart> {
    json(&folder.join(ENVIRONMENT)).ok().or_else(|| {
        let Environment { finished_at, units, .. } = note::unverified_environment(folder)?;
        Some(EnvironmentPart { finished_at, units })
    })
}

fn json<T: DeserializeOwned>(path: &Path) -> Result<T, Failure> {
    let wrong = |why: String| {
        Failure::new(
            exit::IO,
            format!("{}: {why}; name the folder of a finished run or of a bundle", path.display()),
        )
    };
    let bytes = fs::read(path).map_err(|error| wrong(error.to_string()))?;
    serde_json::from_slice(&bytes).map_err(|error| wrong(error.to_string()))
}
