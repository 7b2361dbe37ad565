//! The settings of a configuration that apply to every map for an agent.

use std::collections::BTreeMap;

use config::Config;
use index::Settings;
use map::{language::Overrides, repo::Scope};
use serde::{Deserialize, Serialize};

/// The part of a configuration that goes with each job. The default is a configuration in which
/// nothing is set.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Configured {
    /// Patterns of files that no map shows, in the syntax of an ignore file.
    pub excluded: Vec<String>,
    /// Keys of languages by file extension.
    pub languages: BTreeMap<String, String>,
    /// Maximum number of file contents that the index keeps anything of, if set.
    pub max_contents: Option<u64>,
    /// The share of its maximum size, above 0 and up to 1, at which the index is pruned.
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
    /// Which files belong to the map.
    pub fn scope(&self) -> Scope {
        Scope { excluded: self.excluded.clone(), ..Scope::default() }
    }

    /// The languages that are set for extensions.
    pub fn overrides(&self) -> Overrides {
        Overrides::of(&self.languages)
    }

    /// Applies the configuration to the settings of an index.
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
