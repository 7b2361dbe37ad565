//! What the map needs to know of a language model: its context window.

use std::{collections::BTreeMap, sync::LazyLock};

/// Context windows by model name, as the comparator's model table has them.
static WINDOWS: LazyLock<BTreeMap<String, u64>> =
    LazyLock::new(|| serde_json::from_str(include_str!("models.json")).unwrap_or_default());

/// A model by name. An unknown name is a model of unknown window, as for the comparator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Model {
    /// The name as given.
    pub name: String,
    /// Tokens of input that the model takes, if known.
    pub max_input_tokens: Option<u64>,
}

impl Model {
    /// Looks a model up.
    pub fn named(name: &str) -> Self {
        Self { name: name.to_owned(), max_input_tokens: WINDOWS.get(name).copied() }
    }

    /// The map budget in tokens if none is given: an eighth of the window, between 1024 and
    /// 4096; 1024 for an unknown model. It may be fractional.
    pub fn default_map_tokens(&self) -> f64 {
        self.max_input_tokens.map_or(1024.0, |window| (window as f64 / 8.0).clamp(1024.0, 4096.0))
    }
}

#[cfg(test)]
mod tests {
    use super::Model;

    // Measured from the comparator's own command line.
    #[test]
    fn default_budgets_are_the_comparators() {
        assert_eq!(Model::named("gpt-4o").default_map_tokens(), 4096.0);
        assert_eq!(Model::named("gpt-3.5-turbo").default_map_tokens(), 2048.125);
        assert_eq!(Model::named("gpt-4").default_map_tokens(), 1024.0);
        assert_eq!(Model::named("no-such-model").default_map_tokens(), 1024.0);
    }
}
