//! What a configuration says of every map for an agent.

use std::collections::BTreeMap;

use config::Config;
use index::Settings;
use map::{language::Overrides, repo::Scope};
use serde::{Deserialize, Serialize};

/// The part of a configuration that goes with each job. The default is that of a configuration in which
/// nobody has set anything.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Configured {
    /// Patterns of files that no map shows, as an ignore file has them.
    pub excluded: Vec<String>,
    /// Keys of languages by extension.
    pub languages: BTreeMap<String, String>,
    /// Contents of which the index may keep something.
    pub max_contents: Option<u64>,
    /// Share of its size, above 0 and up to 1, at which the index is made smaller.
    pub threshold: f64,
}

impl From<&Config> for Configured {
    fn from(config: &Config) -> Self {
        Self {
            excluded: config.excluded_patterns(),
            languages: config.language_overrides(),
            max_contents: config.max_cache_entries(),
            threshold: config.cache_threshold(),
        }
    }
}

impl Default for Configured {
    fn default() -> Self {
        Self::from(&Config::default())
    }
}

impl Configured {
    /// Which files count.
    pub fn scope(&self) -> Scope {
        Scope { excluded: self.excluded.clone(), ..Scope::default() }
    }

    /// The languages that were set for extensions.
    pub fn overrides(&self) -> Overrides {
        Overrides::of(&self.languages)
    }

    /// The same in the settings of an index.
    #[must_use]
    pub fn in_index(&self, settings: Settings) -> Settings {
        Settings {
            excluded: self.excluded.clone(),
            languages: self.overrides(),
            max_contents: self.max_contents,
            threshold: self.threshold,
            ..settings
        }
    }
}
