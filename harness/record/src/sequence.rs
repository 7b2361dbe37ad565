//! The call sequences of gate A4, as `refresh_sequences.toml` of the protocol has them.

use serde::{Deserialize, Serialize};
use serde_json::json;

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
    /// When a map is served again.
    pub refresh: Refresh,
    /// True to ask for cached prompts.
    #[serde(default)]
    pub cache_prompts: bool,
    /// Budget in tokens.
    pub map_tokens: u64,
    /// The calls, in order.
    pub calls: Vec<Call>,
}

impl Eq for Sequence {}

/// When a map that was made before is served again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Refresh {
    /// Never, unless maps take long to make.
    Auto,
    /// For the same files.
    Files,
    /// Until a new one is asked for.
    Manual,
    /// Never.
    Always,
}

impl Refresh {
    /// Its name on both sides' command lines.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Files => "files",
            Self::Manual => "manual",
            Self::Always => "always",
        }
    }
}

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
    /// Mentioned files, in place of those in the message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mentioned_fnames: Option<Vec<String>>,
    /// Mentioned identifiers, in place of those in the message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mentioned_idents: Option<Vec<String>>,
    /// True to ask for a new map.
    #[serde(default)]
    pub force_refresh: bool,
    /// How long each computation of this call takes by the scripted clock, in seconds.
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
    /// What is done to it.
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
    /// Gives the file a new modification time.
    Touch,
}

impl Sequence {
    /// The arguments of the session that answers this sequence.
    pub fn arguments(&self) -> Vec<String> {
        let refresh = self.refresh.as_str();
        let budget = self.map_tokens.to_string();
        let mut arguments = [
            "session",
            ".",
            "--map-mul-no-files",
            "2",
            "--refresh",
            refresh,
            "--map-tokens",
            &budget,
        ]
        .map(str::to_owned)
        .to_vec();
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
}
