//! One row of the table of paths.

use base::profile::Profile;
use serde::{Deserialize, Serialize};

use crate::{Caller, settings::Settings};

/// A value in each profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ByProfile<T> {
    /// In the parity profile.
    pub parity: T,
    /// In the enhancement profile.
    pub enhancement: T,
}

impl<T> ByProfile<T> {
    /// The value in a profile.
    pub const fn of(&self, profile: Profile) -> &T {
        match profile {
            Profile::Parity => &self.parity,
            Profile::Enhancement => &self.enhancement,
        }
    }
}

/// A way of large content into the store or out of it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PathRow {
    /// Its name, which never changes.
    pub id: String,
    /// The function of this crate that runs it.
    pub entrypoint: String,
    /// When it is taken, in words.
    pub trigger: String,
    /// What it does, in words.
    pub description: String,
    /// Where the comparator does the same, if it does.
    pub provenance: Option<String>,
    /// Whether this program runs it.
    pub in_scope: bool,
    /// The settings that it obeys.
    pub config_gates: Vec<ConfigGate>,
    /// Whether the stored content has an exploration after the path has succeeded.
    pub persists_exploration: ByProfile<bool>,
    /// What it does.
    pub behaviour: Behaviour,
}

/// A setting that a path obeys, see [`Settings`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ConfigGate {
    /// Nothing is stored if it is set.
    DisableLargeToolOutput,
    /// It sets the size above which something is stored.
    LargeToolOutputTokenThreshold,
}

/// What a path does.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Behaviour {
    /// Content goes in.
    Ingestion(Ingestion),
    /// Content comes out.
    Retrieval(Retrieval),
}

/// Which way a path leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PathKind {
    /// Into the store.
    Ingestion,
    /// Out of it.
    Retrieval,
}

/// How content goes in.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ingestion {
    /// The size above which content is stored; every content is stored if absent.
    pub above: Option<Limit>,
    /// How the content of a file is stored. Content from elsewhere is always stored inline.
    pub storage: ByProfile<Storage>,
    /// Whether the stored content is explored.
    pub explores: ByProfile<bool>,
    /// Whether a missing session is created; if not, nothing is stored for it.
    pub makes_session: ByProfile<bool>,
    /// What is kept if an exploration has to be kept but could not be made.
    pub without_exploration: WithoutExploration,
    /// What the agent gets of a content that could not be stored.
    pub unstored: Unstored,
    /// What the agent gets in place of a stored content.
    pub reply: Reply,
}

/// A size, above which content is large.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limit {
    /// What is counted.
    pub unit: Unit,
    /// The largest number that is not large yet; the settings decide if absent.
    pub limit: Option<u64>,
}

/// What sizes are counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// Tokens of the tokenizer.
    Tokens,
    /// Bytes.
    Bytes,
    /// Unicode code points.
    Characters,
}

/// How a file is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Storage {
    /// By its path and its digest only.
    Path,
    /// With its bytes.
    Inline,
}

/// What is kept in place of an exploration that could not be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WithoutExploration {
    /// Nothing.
    Nothing,
    /// A summary that says so, with the explorer `none`.
    Failure,
}

/// What the agent gets of a content that could not be stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unstored {
    /// Its beginning, and why the rest is missing.
    Truncated,
    /// All of it.
    Whole,
}

/// Which text the agent gets in place of a stored content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reply {
    /// Title, id, tool, preview, how to get the rest.
    ToolOutput,
    /// Id, path, explorer, number of tokens, exploration.
    PromptFile,
    /// Id, size, explorer, exploration.
    UserText,
    /// Id, path, size, exploration.
    Read,
    /// The id alone.
    FileId,
}

/// How content comes out.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Retrieval {
    /// Who may ask.
    pub callers: ByProfile<Vec<Caller>>,
    /// What an asker may see whose session is not in the store.
    pub without_session: ByProfile<WithoutSession>,
    /// Whether it hands out large contents as well as summaries.
    pub gives_files: ByProfile<bool>,
}

/// What an asker may see whose session is not in the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WithoutSession {
    /// All contents of all sessions, as in the comparator.
    Everything,
    /// Nothing.
    Nothing,
}

impl PathRow {
    /// Which way it leads.
    pub const fn kind(&self) -> PathKind {
        match self.behaviour {
            Behaviour::Ingestion(_) => PathKind::Ingestion,
            Behaviour::Retrieval(_) => PathKind::Retrieval,
        }
    }

    /// Whether a setting switches it off.
    pub fn is_off(&self, settings: &Settings) -> bool {
        settings.disable_large_tool_output
            && self.config_gates.contains(&ConfigGate::DisableLargeToolOutput)
    }
}

impl Limit {
    /// The largest number that is not large yet.
    pub fn under(self, settings: &Settings) -> u64 {
        self.limit.unwrap_or(settings.large_tool_output_token_threshold.get())
    }
}
