//! The folder of a scoring run: plan, protocol, gold and recordings. Judging reads nothing else.

use record::{Capture, Digest, Gold, Store, WriteError, write_atomically};
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};
use verdict::gate::{Families, Formats, Scoring};

use super::ScorePlan;

const PLAN: &str = "plan.json";
const INDEX: &str = "index.json";
const SCORING: &str = "protocols/v1/scoring.toml";
const FORMATS: &str = "protocols/v1/formats.toml";
const FAMILIES: &str = "protocols/v1/explorer_family_matrix.v1.json";

/// Recordings of a unit by its key: more than one where a file ended our program.
type Index = BTreeMap<String, Vec<Digest>>;

/// The evidence cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ScoreEvidenceError {
    /// A file of it is missing or damaged.
    #[error("{} cannot be used: {why}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// It cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

#[expect(clippy::needless_pass_by_value, reason = "errors and sentences alike are given away here")]
fn damaged(path: &Path, why: impl ToString) -> ScoreEvidenceError {
    ScoreEvidenceError::Damaged { path: path.to_owned(), why: why.to_string() }
}

/// An open folder that recordings are written into.
#[derive(Debug)]
pub struct ScoreDir {
    path: PathBuf,
    index: Index,
    _lock: fs::File,
}

impl ScoreDir {
    /// Opens the folder of a plan below `scores`; what an interrupted run of the same plan left is
    /// taken up.
    ///
    /// # Errors
    /// It cannot be written, or another process works on it.
    pub fn open(scores: &Path, plan: &ScorePlan) -> Result<Self, ScoreEvidenceError> {
        let id = plan.id().map_err(|error| damaged(scores, error))?;
        let short = id.get(..12).unwrap_or(&id);
        let path = scores.join(format!("{}-{}-{short}", plan.set, plan.profile_name()));
        fs::create_dir_all(&path).map_err(|error| damaged(&path, error))?;
        let lock = fs::File::create(path.join("lock")).map_err(|error| damaged(&path, error))?;
        lock.try_lock().map_err(|_| damaged(&path, "another process is working on it"))?;
        let bytes = serde_json::to_vec_pretty(plan).map_err(|error| damaged(&path, error))?;
        write_atomically(&path.join(PLAN), &bytes)?;
        let index = fs::read(path.join(INDEX))
            .ok()
            .and_then(|bytes| serde_json::from_slice(&bytes).ok())
            .unwrap_or_default();
        Ok(Self { path, index, _lock: lock })
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where recordings go.
    pub fn store(&self) -> Store {
        Store::at(&self.path)
    }

    /// Whether a unit is recorded, readably.
    pub fn has(&self, key: &str) -> bool {
        let store = self.store();
        let whole = |digest: &Digest| {
            store.recording(digest).and_then(|recording| recording.capture(&store)).is_ok()
        };
        self.index.get(key).is_some_and(|digests| digests.iter().all(whole))
    }

    /// Notes the recordings of a unit.
    ///
    /// # Errors
    /// The index cannot be written.
    pub fn note(&mut self, key: &str, recordings: Vec<Digest>) -> Result<(), ScoreEvidenceError> {
        self.index.insert(key.to_owned(), recordings);
        let bytes =
            serde_json::to_vec_pretty(&self.index).map_err(|error| damaged(&self.path, error))?;
        Ok(write_atomically(&self.path.join(INDEX), &bytes)?)
    }

    /// Writes a file beside the recordings.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), ScoreEvidenceError> {
        Ok(write_atomically(&self.path.join(name), bytes)?)
    }
}

/// A folder of recordings, to be judged.
#[derive(Debug)]
pub struct ScoreEvidence {
    /// The plan.
    pub plan: ScorePlan,
    /// The protocol.
    pub scoring: Scoring,
    /// The protocol of formats.
    pub formats: Formats,
    /// The explorer-family matrix.
    pub families: Families,
    /// The gold, by language.
    pub gold: BTreeMap<String, Gold>,
    index: Index,
    store: Store,
}

impl ScoreEvidence {
    /// Opens a folder, and checks that protocol and gold are those of the plan.
    ///
    /// # Errors
    /// A file is missing, damaged or another one.
    pub fn open(folder: &Path) -> Result<Self, ScoreEvidenceError> {
        let read = |name: &str| {
            let path = folder.join(name);
            fs::read(&path).map_err(|error| damaged(&path, error))
        };
        let plan: ScorePlan = serde_json::from_slice(&read(PLAN)?)
            .map_err(|error| damaged(&folder.join(PLAN), error))?;
        if let Some(why) = plan.refusal() {
            return Err(damaged(&folder.join(PLAN), why));
        }
        let index = serde_json::from_slice(&read(INDEX)?)
            .map_err(|error| damaged(&folder.join(INDEX), error))?;
        let protocol = |name: &str, digest: &str| {
            let bytes = read(name)?;
            if Digest::of(&bytes).as_str() != digest {
                return Err(damaged(&folder.join(name), "it is not the protocol of the plan"));
            }
            Ok(String::from_utf8_lossy(&bytes).into_owned())
        };
        let scoring: Scoring = toml::from_str(&protocol(SCORING, &plan.scoring_sha256)?)
            .map_err(|error| damaged(&folder.join(SCORING), error))?;
        scoring.check().map_err(|why| damaged(&folder.join(SCORING), why))?;
        let formats: Formats = toml::from_str(&protocol(FORMATS, &plan.formats_sha256)?)
            .map_err(|error| damaged(&folder.join(FORMATS), error))?;
        formats.check().map_err(|why| damaged(&folder.join(FORMATS), why))?;
        let families: Families =
            serde_json::from_str(&protocol(FAMILIES, &formats.families_sha256)?)
                .map_err(|error| damaged(&folder.join(FAMILIES), error))?;
        families.check().map_err(|why| damaged(&folder.join(FAMILIES), why))?;
        let mut gold = BTreeMap::new();
        for (language, digest) in &plan.gold_sha256 {
            let path = folder.join(Gold::path(language));
            let found = Gold::read(&path).map_err(|error| damaged(&path, error))?;
            let lines = found.lines().map_err(|error| damaged(&path, error))?;
            if Digest::of(&lines).as_str() != digest || found.header.language != *language {
                return Err(damaged(&path, "it is not the gold of the plan"));
            }
            gold.insert(language.clone(), found);
        }
        Ok(Self { plan, scoring, formats, families, gold, index, store: Store::at(folder) })
    }

    /// What our program did in a unit; nothing where it was not recorded.
    ///
    /// # Errors
    /// A recording is damaged.
    pub fn captures(&self, key: &str) -> Result<Vec<Capture>, ScoreEvidenceError> {
        let digests = self.index.get(key).map(Vec::as_slice).unwrap_or_default();
        let capture = |digest: &Digest| {
            let recording = self.store.recording(digest)?;
            recording.capture(&self.store)
        };
        digests
            .iter()
            .map(|digest| capture(digest).map_err(|error| damaged(Path::new(key), error)))
            .collect()
    }
}
