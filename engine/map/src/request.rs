//! The request for a map.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
};

use base::{
    profile::Profile,
    tokens::{Model, Tokenizer},
};

use crate::{
    enhancement::{BudgetCount, Factor},
    language::Overrides,
    repo::Scope,
};

/// Multiplier of the budget when no file is in the chat (the comparator's command-line default).
pub const DEFAULT_MULTIPLIER: f64 = 2.0;

/// Where the mentions of the current turn come from.
#[derive(Debug, Clone)]
pub enum MentionSource {
    /// The whole text of the current turn; empty for none.
    Message(String),
    /// Explicit mentions, which replace what extraction would find.
    Explicit {
        /// Paths as listed, relative to the root.
        files: Vec<String>,
        /// Identifiers.
        idents: Vec<String>,
    },
}

/// One request for a map. Every path is relative to the root of the work tree.
#[derive(Debug, Clone)]
pub struct MapRequest {
    /// A directory inside the work tree.
    pub repo: PathBuf,
    /// Which part of the work tree belongs to the universe.
    pub scope: Scope,
    /// Files in the chat. They are left out of the map and influence its ranking.
    pub chat: Vec<String>,
    /// Read-only files; those in the universe count as chat files.
    pub read_only: Vec<String>,
    /// The mentions of the current turn.
    pub mentions: MentionSource,
    /// Budget in tokens; the model's default if `None`. No map is made if it is zero or less.
    pub map_tokens: Option<f64>,
    /// Multiplier of the budget when no file is in the chat. The enhancement profile ignores it.
    pub multiplier: f64,
    /// The model that the map is for.
    pub model: Model,
    /// Parity or enhancement.
    pub profile: Profile,
    /// Which count the enhancement profile checks its budget with.
    pub count: BudgetCount,
    /// Whether to explain the position of each entry ([`crate::Attempt::explanation`]).
    pub explain: bool,
    /// Factors that are turned off in the enhancement profile.
    pub without: BTreeSet<Factor>,
    /// Languages that the user set for extensions; the parity profile ignores them.
    pub languages: Overrides,
    /// Files that must not be parsed, by their [`base::watch::file_id`], with the reason.
    pub avoided: BTreeMap<u64, String>,
}

impl MapRequest {
    /// True if the request names no file and no word, so that only the repository decides what is important.
    pub fn asks_nothing(&self) -> bool {
        let is_silent = match &self.mentions {
            MentionSource::Message(message) => message.trim().is_empty(),
            MentionSource::Explicit { files, idents } => files.is_empty() && idents.is_empty(),
        };
        self.chat.is_empty() && self.read_only.is_empty() && is_silent
    }

    /// A request with every default.
    pub fn new(repo: impl Into<PathBuf>) -> Self {
        Self {
            repo: repo.into(),
            scope: Scope::default(),
            chat: Vec::new(),
            read_only: Vec::new(),
            mentions: MentionSource::Message(String::new()),
            map_tokens: None,
            multiplier: DEFAULT_MULTIPLIER,
            model: Model::named("gpt-4o"),
            profile: Profile::Parity,
            count: BudgetCount::default(),
            explain: false,
            without: BTreeSet::new(),
            languages: Overrides::default(),
            avoided: BTreeMap::new(),
        }
    }

    /// What the map is counted with: in the parity profile the comparator's tokenizer for the model, else
    /// `cl100k_base`, also for a model whose map the parity profile refuses.
    pub fn tokenizer(&self) -> Tokenizer {
        let of_model = self.profile.is_parity().then(|| Tokenizer::of(&self.model.name)).flatten();
        of_model.unwrap_or(Tokenizer::Cl100k)
    }
}
