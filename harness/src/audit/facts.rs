//! What the comparator's environment says about languages, as `audit_facts.py` prints it.

use std::collections::BTreeMap;

use languages::Table;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::recorded;
use crate::comparator::{Comparator, RunError};

/// Everything that the environment says.
#[derive(Debug, Clone, Deserialize)]
pub struct Facts {
    /// Package versions by distribution name.
    pub versions: BTreeMap<String, String>,
    /// The comparator's table: a file name or an extension with its dot, and a language.
    pub table: BTreeMap<String, String>,
    /// The detected language of each probed name.
    pub detected: BTreeMap<String, Option<String>>,
    /// What is known of each language.
    pub languages: BTreeMap<String, LanguageFacts>,
    /// Digest of every query file, by its path in the comparator's package.
    pub queries: BTreeMap<String, String>,
    /// What is known of language models.
    pub models: ModelFacts,
}

/// What the environment says about language models; serialised, it is the recorded table.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelFacts {
    /// The name that each short name stands for.
    pub aliases: BTreeMap<String, String>,
    /// How many tokens of input each known model accepts; `None` if that is unknown.
    pub windows: BTreeMap<String, Option<u64>>,
}

/// What the environment says about one language.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct LanguageFacts {
    /// The query file that the comparator resolves, relative to its package.
    pub query: Option<String>,
    /// Digest of that file.
    pub query_sha256: Option<String>,
    /// Its text.
    pub query_text: Option<String>,
    /// Lines of that file that take over another language's query.
    pub inherits: Vec<String>,
    /// Why the comparator cannot run the language.
    pub error: Option<String>,
    /// Version of the grammar's table format.
    pub abi: Option<usize>,
    /// Number of the grammar's parse states.
    pub states: Option<usize>,
    /// Digest of [`map::language::GrammarShape::lines`] of the grammar.
    pub shape_sha256: Option<String>,
}

impl LanguageFacts {
    /// Whether the comparator makes tags for this language.
    pub const fn runs(&self) -> bool {
        self.query.is_some() && self.error.is_none()
    }
}

/// Why there are no facts.
#[derive(Debug, thiserror::Error)]
pub enum FactsError {
    /// The script could not be run.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The script failed.
    #[error(
        "the comparator's description of itself {ending}:\n{talk}\nrun `cargo parity preflight` to see what is wrong with its environment"
    )]
    Failed {
        /// How it ended.
        ending: String,
        /// The end of its standard error.
        talk: String,
    },
    /// The answer is not in the expected format.
    #[error(
        "the comparator's description of itself is unreadable: {0}; restore comparators/aider/audit_facts.py with git checkout"
    )]
    Unreadable(#[from] serde_json::Error),
}

impl Facts {
    /// Asks the environment. The names that our own tables hold are probed as well.
    pub fn ask(comparator: &Comparator, table: &Table) -> Result<Self, FactsError> {
        let languages: Vec<&str> = table.tagged().map(|(key, _)| key).collect();
        let request = json!({"names": recorded::probes(table), "languages": languages}).to_string();
        let template = &comparator.spec.definition.run.audit_facts;
        let capture = comparator.start_inside(
            template,
            request.into_bytes(),
            &comparator.spec.path,
            &mut |_| (),
        )?;
        if !capture.succeeded() {
            return Err(FactsError::Failed {
                ending: capture.ending(),
                talk: capture.stderr_tail(5),
            });
        }
        Ok(serde_json::from_slice(&capture.stdout.bytes)?)
    }

    /// The keys of the languages that the comparator makes tags for.
    pub fn running(&self) -> impl Iterator<Item = &str> {
        self.languages.iter().filter(|(_, facts)| facts.runs()).map(|(key, _)| key.as_str())
    }

    /// The languages that the table names and for which the comparator has no query.
    pub fn without_query(&self) -> Vec<&str> {
        let mapped: std::collections::BTreeSet<&str> =
            self.table.values().map(String::as_str).collect();
        mapped
            .into_iter()
            .filter(|key| self.languages.get(*key).is_none_or(|facts| facts.query.is_none()))
            .collect()
    }

    /// The entries of the table for one language. Those that start with a dot are also extensions.
    pub fn entries_of(&self, language: &str) -> Vec<String> {
        let of = |(entry, key): (&String, &String)| (key == language).then(|| entry.clone());
        self.table.iter().filter_map(of).collect()
    }

    /// Whole file names that take precedence over an extension and belong to a language without tags.
    pub fn shadowed(&self) -> Vec<String> {
        let untagged = |key: &String| !self.languages.get(key).is_some_and(LanguageFacts::runs);
        self.table
            .iter()
            .filter(|(entry, key)| !entry.starts_with('.') && untagged(key))
            .map(|(entry, _)| entry.clone())
            .collect()
    }
}
