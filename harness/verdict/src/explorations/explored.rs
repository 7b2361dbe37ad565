//! One line of `parity explore --json`, as gates read it.

use serde::Deserialize;
use serde_json::{Map, Value};

/// The parts of an exploration that are judged.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct Explored {
    /// The file, as it was asked for.
    pub file: String,
    /// The explorer that made the exploration.
    pub explorer_used: String,
    /// False if the file could not be read.
    pub success: bool,
    /// The summary.
    pub summary: String,
    /// All symbols.
    pub symbols: Vec<FoundSymbol>,
    /// All imports.
    pub imports: Vec<FoundImport>,
    /// Facts of the format.
    #[serde(default)]
    pub fields: Map<String, Value>,
    /// The lists that the summary cuts.
    pub truncated: Vec<Cut>,
}

impl Explored {
    /// Whether a section of the summary declares that it cuts the list at this pointer.
    pub fn has_section(&self, list: &str) -> bool {
        self.truncated.iter().any(|cut| cut.list == list && !cut.section.is_empty())
    }
}

/// A symbol that we found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct FoundSymbol {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: String,
    /// Line of the name.
    pub line: u32,
    /// Last line of the declaration; 0, which no declaration has, if it is not said.
    #[serde(default)]
    pub end_line: u32,
    /// The enclosing scope.
    pub parent: Option<String>,
    /// Who may use it.
    pub visibility: Option<String>,
    /// Whether it is exported.
    pub exported: Option<bool>,
}

/// An import that we found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct FoundImport {
    /// The module as written.
    pub path: String,
    /// Names taken from it.
    #[serde(default)]
    pub names: Vec<String>,
    /// Where we say that it comes from.
    pub category: String,
    /// Its line.
    pub line: u32,
}

/// A list that the summary or the fields cut.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Cut {
    /// Its section; empty for a list that only the fields cut.
    pub section: String,
    /// Entries shown.
    pub shown: u64,
    /// Entries that there are.
    pub total: u64,
    /// Where the list is.
    pub list: String,
    /// Its length there, if the fields do not have all of it either.
    #[serde(default)]
    pub listed: Option<u64>,
    /// True if there may be more than `total`.
    #[serde(default)]
    pub at_least: bool,
}

/// Whether a model had a part in an exploration: the names of such explorers end in `+llm` or
/// `+agent`. Scores are of static analysis only.
pub fn model_tier(explorer: &str) -> bool {
    explorer.split('+').skip(1).any(|tier| tier == "llm" || tier == "agent")
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_model_tier_is_seen_wherever_it_stands() {
        for (name, model) in
            [("python", false), ("python+llm", true), ("cpp+x+agent", true), ("c++", false)]
        {
            assert_eq!(super::model_tier(name), model, "{name}");
        }
    }
}
