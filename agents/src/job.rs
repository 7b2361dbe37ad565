//! What a map for an agent is asked for.

use std::path::PathBuf;

use base::{profile::Profile, tokens::Model};
use map::{MapRequest, MentionSource};
use serde::{Deserialize, Serialize};

use crate::Configured;

/// One map to be made. It travels as JSON to the process that makes it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Job {
    /// A directory inside the work tree.
    pub root: PathBuf,
    /// Files that the agent works on: absolute, or relative to the root of the work tree. Those that
    /// do not exist or lie outside are left out.
    pub chat: Vec<String>,
    /// The whole current turn; files and names in it rank higher.
    pub message: String,
    /// Mentioned files and names; if there is one, they replace what the message would give.
    pub mentioned_files: Vec<String>,
    /// See `mentioned_files`.
    pub mentioned_idents: Vec<String>,
    /// Most tokens of the map.
    pub max_tokens: u32,
    /// Parity or enhancement.
    pub profile: Profile,
    /// What the configuration says of every map.
    pub configured: Configured,
    /// When a stored map is good enough.
    pub refresh: Refresh,
    /// The session that asks.
    pub session_id: Option<String>,
    /// Milliseconds that the asker waits; only said in the artifact.
    pub timeout_ms: Option<u64>,
    /// Where maps are kept from one question to the next.
    pub cache: Option<PathBuf>,
    /// Where the artifact is published, if anywhere.
    pub publish: Option<PathBuf>,
    /// Whether whoever started the process that does this job waits for it to the end. Otherwise it
    /// goes on alone, for a minute at most.
    pub is_attended: bool,
}

/// When a stored map is served again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Refresh {
    /// If question and files are the same.
    Auto,
    /// The same, whatever is mentioned.
    Files,
    /// Whenever there is one, until it is refreshed.
    Manual,
    /// Never.
    Always,
}

/// Tokens of a map where nobody says otherwise.
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

    /// The request to the engine. The budget is what was asked for also where the chat is empty: to
    /// an agent it is a limit.
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
