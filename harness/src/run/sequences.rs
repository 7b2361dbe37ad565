//! The call sequences of gate A4, as `protocols/v1/refresh_sequences.toml` has them.

use std::{fs, io, path::Path, time::Duration};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{corpus::git, process::ProcessError};

/// Path of the sequences.
pub const SEQUENCES: &str = "protocols/v1/refresh_sequences.toml";

/// Time of a file that the first call writes, in seconds since 1970; each later call is a minute
/// later. Real times would differ between two runs, and between the two sides.
const FIRST_EDIT: u64 = git::TIME + 60;
const MINUTE: u64 = 60;

/// All sequences, and the corpus that they run on.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sequences {
    /// An authored corpus.
    pub corpus: String,
    /// The sequences.
    pub sequences: Vec<Sequence>,
}

/// Several maps in a row from one session. Both sides read this form.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sequence {
    /// Unique among the sequences.
    pub id: String,
    /// `auto`, `files`, `manual` or `always`.
    pub refresh: String,
    /// True to ask for cached prompts.
    #[serde(default)]
    pub cache_prompts: bool,
    /// Budget in tokens.
    pub map_tokens: u64,
    /// The calls, in order.
    pub calls: Vec<Call>,
}

impl Eq for Sequence {}

/// One call, and what changes before it. Paths are relative to the root.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Call {
    /// What the call is about.
    pub id: String,
    /// Files in the chat.
    #[serde(default)]
    pub chat_files: Vec<String>,
    /// Read-only files.
    #[serde(default)]
    pub read_only_files: Vec<String>,
    /// The whole current turn.
    #[serde(default)]
    pub message: String,
    /// Explicit mentions, in place of the message's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mentioned_fnames: Option<Vec<String>>,
    /// Explicit mentions, in place of the message's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mentioned_idents: Option<Vec<String>>,
    /// True to ask for a new map.
    #[serde(default)]
    pub force_refresh: bool,
    /// What the scripted clock shows for each computation of this call, in seconds.
    #[serde(default)]
    pub map_processing_seconds: f64,
    /// Changes before the call.
    #[serde(default)]
    pub edits: Vec<Edit>,
}

/// One change of the repository.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Edit {
    /// The file.
    pub path: String,
    /// What is done with it.
    #[serde(default)]
    pub action: Action,
    /// The new content: texts, each with how often it is repeated.
    #[serde(default)]
    pub parts: Vec<(String, usize)>,
    /// True to leave the modification time as it was.
    #[serde(default)]
    pub keep_time: bool,
    /// True to add the file to git's index.
    #[serde(default)]
    pub track: bool,
}

/// What an edit does.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Writes the content.
    #[default]
    Write,
    /// Removes the file.
    Delete,
    /// Gives it a new time.
    Touch,
}

/// A sequence could not be run.
#[derive(Debug, thiserror::Error)]
pub enum SequenceError {
    /// The program could not be started.
    #[error(transparent)]
    Process(#[from] ProcessError),
    /// An edit failed.
    #[error("{path} cannot be edited before a call: {error}")]
    Edit {
        /// The file.
        path: String,
        /// What the system said.
        error: io::Error,
    },
    /// Git did not take a file.
    #[error(transparent)]
    Git(#[from] git::GitError),
    /// The session could not be talked to.
    #[error("the session cannot be talked to: {0}")]
    Pipe(io::Error),
}

impl Sequences {
    /// Reads the sequences of a checkout. The error says what is wrong with the file.
    pub fn load(root: &Path) -> Result<Self, String> {
        let path = root.join(SEQUENCES);
        let wrong = |why: String| format!("{} cannot be used: {why}", path.display());
        let text = fs::read_to_string(&path).map_err(|error| wrong(error.to_string()))?;
        toml::from_str(&text).map_err(|error| wrong(error.to_string()))
    }
}

impl Sequence {
    /// The arguments of the session that answers this sequence.
    pub fn arguments(&self) -> Vec<String> {
        let mut arguments: Vec<String> =
            ["session", ".", "--map-mul-no-files", "2", "--refresh", &self.refresh, "--map-tokens"]
                .map(str::to_owned)
                .to_vec();
        arguments.push(self.map_tokens.to_string());
        if self.cache_prompts {
            arguments.push("--cache-prompts".to_owned());
        }
        arguments
    }
}

impl Call {
    /// The line that a session reads: the call without its name and its edits.
    pub fn line(&self) -> String {
        let mut line = json!(self);
        if let Some(fields) = line.as_object_mut() {
            fields.remove("id");
            fields.remove("edits");
        }
        format!("{line}\n")
    }

    /// Makes the edits in a repository that may be written to. `number` counts calls from 0.
    pub fn edit(&self, root: &Path, number: usize) -> Result<(), SequenceError> {
        let time = FIRST_EDIT + MINUTE * number as u64;
        for edit in &self.edits {
            edit.make(root, time)
                .map_err(|error| SequenceError::Edit { path: edit.path.clone(), error })?;
            if edit.track {
                git::run(root, &["add", "--force", "--", &edit.path])?;
            }
        }
        Ok(())
    }
}

impl Edit {
    fn make(&self, root: &Path, time: u64) -> io::Result<()> {
        let path = root.join(&self.path);
        if self.action == Action::Delete {
            return fs::remove_file(&path);
        }
        let mut time = std::time::UNIX_EPOCH + Duration::from_secs(time);
        if self.keep_time {
            time = fs::metadata(&path)?.modified()?;
        }
        if self.action == Action::Write {
            if let Some(folder) = path.parent() {
                fs::create_dir_all(folder)?;
            }
            let content: String =
                self.parts.iter().map(|(text, times)| text.repeat(*times)).collect();
            fs::write(&path, content)?;
        }
        fs::File::options().write(true).open(&path)?.set_modified(time)
    }
}

/// The driver's request: all sequences, canonically.
pub fn request(sequences: &[Sequence]) -> Value {
    json!({
        "schema_version": 1,
        "mode": "canonical",
        "model": "gpt-4o",
        "map_mul_no_files": 2,
        "sequences": sequences,
    })
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, path::Path};

    use super::Sequences;

    #[test]
    fn every_mode_has_sequences_and_no_id_comes_twice() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let all = Sequences::load(root).unwrap().sequences;
        let modes: BTreeSet<&str> = all.iter().map(|one| one.refresh.as_str()).collect();
        assert_eq!(modes.into_iter().collect::<Vec<_>>(), ["always", "auto", "files", "manual"]);
        let ids: BTreeSet<&str> = all.iter().map(|one| one.id.as_str()).collect();
        assert_eq!(ids.len(), all.len());
    }
}
