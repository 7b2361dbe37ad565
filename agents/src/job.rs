//! A job: the request for one map for an agent.

use std::path::PathBuf;

use base::{profile::Profile, tokens::Model};
use map::{MapRequest, MentionSource};
use serde::{Deserialize, Serialize};

use crate::Configured;

/// One map to make. It is passed as JSON to the process that makes it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Job {
    /// A directory inside the work tree.
    pub root: PathBuf,
    /// Files that the agent works on, as absolute paths or relative to the root of the work tree.
    /// Files that do not exist or lie outside are ignored.
    pub chat: Vec<String>,
    /// The whole text of the current turn; files and names in it rank higher.
    pub message: String,
    /// Mentioned files and names. If any are given, they replace those found in the message.
    pub mentioned_files: Vec<String>,
    /// See `mentioned_files`.
    pub mentioned_idents: Vec<String>,
    /// Maximum number of tokens of the map.
    pub max_tokens: u32,
    /// Parity or enhancement.
    pub profile: Profile,
    /// The settings of the configuration for every map.
    pub configured: Configured,
    /// When a stored map is good enough.
    pub refresh: Refresh,
    /// The session that asks.
    pub session_id: Option<String>,
    /// Time that the client waits, in milliseconds; only recorded in the artifact.
    pub timeout_ms: Option<u64>,
    /// The folder in which maps are kept for later, if any.
    pub cache: Option<PathBuf>,
    /// The folder in which the artifact is published, if any.
    pub publish: Option<PathBuf>,
    /// Whether the process that started this job waits for it to the end. If not, the job may
    /// continue on its own for at most a minute.
    pub is_attended: bool,
}

/// When a stored map is served again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Refresh {
    /// If the question and the files are the same.
    Auto,
    /// If files and question are the same, whatever is mentioned.
    Files,
    /// Whenever there is one, until the user refreshes it.
    Manual,
    /// Never.
    Always,
}

/// Default budget of a map, in tokens.
pub const DEFAULT_TOKENS: u32 = 1024;

impl Job {
    /// A map with every default.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self {
            root: root.into(),
            chat: Vec::new(),
            message: String::new(),
            mentioned_files: Vec::new(),
            mentioned_idents: Vec::new(),
            max_tokens: DEFAULT_TOKENS,
            profile: Profile::Enhancement,
            configured: Configured::default(),
            refresh: Refresh::Auto,
            session_id: None,
            timeout_ms: None,
            cache: None,
            publish: None,
            is_attended: true,
        }
    }

    /// The request to the engine. The budget is not multiplied for an empty chat, because for an
    /// agent it is a limit.
    pub fn request(&self, chat: Vec<String>) -> MapRequest {
        let mut request = MapRequest::new(&self.root);
        request.scope = self.configured.scope();
        request.languages = self.configured.overrides();
        request.chat = chat;
        request.mentions = if self.mentioned_files.is_empty() && self.mentioned_idents.is_empty() {
            MentionSource::Message(self.message.clone())
        } else {
            MentionSource::Explicit {
                files: self.mentioned_files.clone(),
                idents: self.mentioned_idents.clone(),
            }
        };
        request.map_tokens = Some(f64::from(self.max_tokens));
        request.multiplier = 1.0;
        request.model = Model::named("gpt-4o");
        request.profile = self.profile;
        request
    }
}
