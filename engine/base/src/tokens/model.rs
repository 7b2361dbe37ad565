//! What the map needs to know of a language model: its context window.

use std::sync::LazyLock;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use serde::Deserialize;

/// What the comparator knows of each model name; written by `parity audit update`.
static TABLE: LazyLock<Table> =
    LazyLock::new(|| serde_json::from_str(include_str!("models.json")).unwrap_or_default());

/// The embedded table. It is read once for each map, so its names are borrowed from the program, and they
/// are hashed and not sorted.
#[derive(Default, Deserialize)]
struct Table {
    /// The full name for each short name.
    #[serde(borrow)]
    aliases: IndexMap<&'static str, &'static str, FxBuildHasher>,
    /// Size of the input window in tokens, by name; `None` if the comparator's tables do not give
    /// it.
    #[serde(borrow)]
    windows: IndexMap<&'static str, Option<u64>, FxBuildHasher>,
}

/// A model by name. An unknown name is a model whose window is unknown, as in the comparator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Model {
    /// The full name, as the comparator expands it.
    pub name: String,
    /// True if the comparator's tables have the model.
    pub is_known: bool,
    /// The number of tokens that the model takes as input, if known.
    pub max_input_tokens: Option<u64>,
}

impl Model {
    /// Looks up a model by its full or short name.
    pub fn named(name: &str) -> Self {
        let name = TABLE.aliases.get(name).copied().unwrap_or(name);
        let found = TABLE.windows.get(name);
        Self {
            name: name.to_owned(),
            is_known: found.is_some(),
            max_input_tokens: found.copied().flatten(),
        }
    }

    /// The map budget in tokens where none is given: an eighth of the window, but at least 1024 and
    /// at most 4096; 1024 for a model of unknown window. It may be fractional.
    pub fn default_map_tokens(&self) -> f64 {
        self.max_input_tokens.map_or(1024.0, |window| (window as f64 / 8.0).clamp(1024.0, 4096.0))
    }
}

#[cfg(test)]
mod tests {
    use super::Model;

    // Measured with the comparator's command line; a test of the harness checks more names.
    #[test]
    fn default_budgets_are_the_comparators() {
        assert_eq!(Model::named("gpt-4o").default_map_tokens(), 4096.0);
        assert_eq!(Model::named("gpt-3.5-turbo").default_map_tokens(), 2048.125);
        assert_eq!(Model::named("gpt-4").default_map_tokens(), 1024.0);
        assert_eq!(Model::named("deepseek/deepseek-chat").default_map_tokens(), 4096.0);
    }

    #[test]
    fn a_short_name_stands_for_another() {
        assert_eq!(Model::named("4o"), Model::named("gpt-4o"));
        assert_eq!(Model::named("sonnet").name, "claude-sonnet-4-5");
    }

    #[test]
    fn an_unknown_name_is_said_to_be_unknown() {
        let unknown = Model::named("no-such-model");
        assert!(!unknown.is_known && unknown.max_input_tokens.is_none());
        assert_eq!(unknown.default_map_tokens(), 1024.0);
        assert!(Model::named("gpt-4o").is_known);
    }
}
