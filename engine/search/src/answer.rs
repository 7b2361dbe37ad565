//! The answers of a search.

use index::Pending;
use serde::{Deserialize, Serialize};

use crate::stage::Factors;

/// Version of the answers' schema.
pub const SCHEMA_VERSION: u32 = 1;

/// The answer to one question.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Answer {
    /// Version of this schema.
    pub schema_version: u32,
    /// The question as it was asked.
    pub query: String,
    /// Where vectors come from: always `none`, because there are none yet.
    pub backend: &'static str,
    /// The results, the best first.
    pub results: Vec<Found>,
    /// Number of candidates whose scores reach the gate, shown or not.
    pub passed: usize,
    /// Tokens of the results as text, as the tokenizer counts them.
    pub tokens: usize,
    /// Maximum number of tokens of the results.
    pub budget: usize,
    /// Number of chunks that were searched.
    pub chunks: u64,
    /// Number of files that were searched.
    pub files: usize,
    /// Number of the index's last change that the answer includes; 0 without a stored index.
    pub indexed_at: u64,
    /// Files of the results that changed while the question was answered: their source is not
    /// shown.
    pub stale_files: Vec<String>,
    /// Files that were not searched, and why.
    pub skipped: Vec<Pending>,
}

/// One result. Lines are 1-based and inclusive. It can be read back without `explain`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Found {
    /// Id of the chunk, as `parity chunks` gives it; `None` if the file has changed since.
    pub id: Option<String>,
    /// The file, relative to the root.
    pub file: String,
    /// Key of its language.
    pub language: String,
    /// Line of the name.
    pub line: u32,
    /// First line.
    pub start_line: u32,
    /// Last line.
    pub end_line: u32,
    /// Its kind, such as `function`.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// The enclosing scope, as the language joins names.
    pub parent: Option<String>,
    /// The declaration in one line.
    pub signature: String,
    /// The score as a share of the best one, from 0 to 1.
    pub score: f64,
    /// Its lines, with each chunk inside it replaced by its signature; `None` if they do not fit
    /// the remaining budget, or the file has changed.
    pub source: Option<String>,
    /// How the score came about, if that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none", skip_deserializing)]
    pub explain: Option<Explain>,
}

/// How a score came about.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Explain {
    /// The factors of the score, before it is divided by the best score.
    #[serde(flatten)]
    pub factors: Factors,
    /// What each term contributes in the first stage.
    pub terms: Vec<TermShare>,
}

/// What a term contributes to the score of the first stage.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TermShare {
    /// The term, as the index has it.
    pub term: String,
    /// Its contribution.
    pub adds: f64,
}

impl Found {
    /// The result in one line: place, declaration and enclosing scope.
    pub fn head(&self) -> String {
        let within = self.parent.as_ref().map_or(String::new(), |parent| format!("  in {parent}"));
        format!("{}:{}: {}{within}\n", self.file, self.line, self.signature)
    }

    /// The result as text: what the budget counts.
    pub fn text(&self) -> String {
        let mut text = self.head();
        for line in self.source.iter().flat_map(|source| source.lines()) {
            if !line.is_empty() {
                text.push_str("    ");
            }
            text.push_str(line);
            text.push('\n');
        }
        text
    }

    /// How the score came about, in words; empty if that was not asked for.
    pub fn explained(&self) -> String {
        let Some(Explain { factors, terms }) = &self.explain else { return String::new() };
        let terms: Vec<String> =
            terms.iter().map(|share| format!("{} {:.2}", share.term, share.adds)).collect();
        format!(
            "    score {:.3}: words {:.2} ({}), definition x{}, kind x{}, standing x{}, declaration x{}, coherence \
             +{:.2}\n",
            self.score,
            factors.bm25f,
            terms.join(", "),
            factors.definition,
            factors.kind,
            factors.standing,
            factors.declaration,
            factors.coherence
        )
    }
}
