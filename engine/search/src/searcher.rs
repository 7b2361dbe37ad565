//! Answers questions about one root.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use base::{text::paths::is_below, tokens::Counter};
use index::{IndexError, Kept, Settings, kept};
use semantic::{Lines, Place};
use sha2::{Digest as _, Sha256};

use crate::{
    answer::{Answer, Explain, Found, SCHEMA_VERSION, TermShare},
    level::Chunks,
    rank::{Rows, rank},
    row::{Entry, Row},
    stage::{self, Candidate},
    terms::{self, Rules},
    weights::Weights,
};

/// Largest file whose lines are read for an answer, in bytes. Larger files are not in the index
/// either.
const LARGEST: u64 = 1 << 30;

/// A question.
#[derive(Debug, Clone)]
pub struct Query {
    /// Its words.
    pub text: String,
    /// Folders and files, relative to the root, to search in; everything if empty.
    pub paths: Vec<String>,
    /// Keys of languages to search in; all if empty.
    pub languages: Vec<String>,
    /// Whether tests rank as high as other files.
    pub with_tests: bool,
    /// Maximum number of tokens of the results.
    pub tokens: usize,
    /// Number of chunks that enter the second stage.
    pub candidates: usize,
    /// The least share of the best score that a result must have, from 0 to 1.
    pub gate: f64,
    /// Whether results say how their scores came about.
    pub explain: bool,
}

impl Query {
    /// A question about the whole root, with the defaults of `weights.toml`.
    pub fn new(text: impl Into<String>) -> Self {
        let select = Weights::ours().select;
        Self {
            text: text.into(),
            paths: Vec::new(),
            languages: Vec::new(),
            with_tests: false,
            tokens: select.tokens,
            candidates: select.candidates,
            gate: select.gate,
            explain: false,
        }
    }
}

/// Why a question has no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SearchError {
    /// The question contains no word to look for.
    #[error("the question has no word or identifier of two letters or more to look for")]
    Empty,
    /// No file is in one of the languages.
    #[error("no file here is of the language {0}; there are {1}")]
    Language(String, String),
    /// No file lies below a path.
    #[error("no source file is at or below {0}")]
    Path(String),
}

/// Searches the chunks of a root.
#[derive(Debug)]
pub struct Searcher {
    kept: Kept,
}

impl Searcher {
    /// Brings the chunks of the root around a directory up to date. An unusable store is no error.
    ///
    /// # Errors
    /// The directory cannot be listed.
    pub fn open(
        settings: &Settings,
        dir: &Path,
        progress: index::Progress,
    ) -> Result<Self, IndexError> {
        Ok(Self { kept: kept(settings, dir, &Chunks::new(), progress)? })
    }

    /// The root, absolute and without links.
    pub fn root(&self) -> &Path {
        &self.kept.root
    }

    /// What the user should know about the store, if anything.
    pub fn notice(&self) -> Option<&str> {
        self.kept.notice.as_deref()
    }

    /// Number of contents whose chunks were extracted now; the chunks of the others were known.
    pub const fn extracted(&self) -> usize {
        self.kept.extracted
    }

    /// The rows of all files that hold source code.
    pub fn rows(&self) -> Rows<'_> {
        let mut rows = Rows::new();
        for (path, key) in &self.kept.files {
            let Some(content) = self.kept.contents.get(key) else { continue };
            if let Some(row) = Row::of(content).filter(|row| !row.language.is_empty()) {
                rows.insert(path, row);
            }
        }
        rows
    }

    /// Answers a question.
    ///
    /// # Errors
    /// The question contains no word to look for, or names a language or path that has no files
    /// here.
    pub fn search(&self, query: &Query) -> Result<Answer, SearchError> {
        let weights = Weights::ours();
        let terms = terms::of_query(&query.text, Rules::default(), true);
        if terms.is_empty() {
            return Err(SearchError::Empty);
        }
        let rows = narrowed(self.rows(), query)?;
        let found = rank(&rows, &terms, weights, Rules::default(), query.candidates);
        let mut candidates = stage::order(&query.text, found, weights, query.with_tests);
        candidates.retain(|one| one.score >= query.gate);
        let mut answer = Answer {
            schema_version: SCHEMA_VERSION,
            query: query.text.clone(),
            backend: "none",
            results: Vec::new(),
            passed: candidates.len(),
            tokens: 0,
            budget: query.tokens,
            chunks: rows.values().map(|row| u64::from(row.count)).sum(),
            files: rows.len(),
            indexed_at: self.kept.generation,
            stale_files: Vec::new(),
            skipped: self.kept.pending.clone(),
        };
        self.fill(&mut answer, &rows, &candidates, query, &terms);
        Ok(answer)
    }

    /// Takes candidates in their order until the budget is used up. A source that does not fit is
    /// left out; the first result whose place and declaration do not fit ends the answer.
    fn fill(
        &self,
        answer: &mut Answer,
        rows: &Rows,
        candidates: &[Candidate],
        query: &Query,
        terms: &[String],
    ) {
        let mut files: BTreeMap<&str, Option<Source>> = BTreeMap::new();
        let mut stale = BTreeSet::new();
        for one in candidates {
            let file = one.found.file;
            let read = files.entry(file).or_insert_with(|| self.read(rows, file));
            if read.is_none() {
                stale.insert(file.to_owned());
            }
            let mut result = result(one, read.as_ref(), query.explain.then_some(terms));
            let left = answer.budget.saturating_sub(answer.tokens);
            let mut tokens = Counter.count(&result.text());
            if tokens > left {
                result.source = None;
                tokens = Counter.count(&result.text());
            }
            if tokens > left {
                break;
            }
            answer.tokens += tokens;
            answer.results.push(result);
        }
        answer.stale_files = stale.into_iter().collect();
    }

    /// A file with its chunks, if it still has the bytes that its row was made from.
    fn read(&self, rows: &Rows, file: &str) -> Option<Source> {
        let key = self.kept.files.get(file)?;
        let bytes = self.kept.folder.exact_bytes(Path::new(file), LARGEST).ok()?;
        (Sha256::digest(&bytes).as_slice() == key.sha256).then_some(())?;
        Some(Source { lines: Lines::of(file, &bytes).ok()?, entries: rows.get(file)?.entries()? })
    }
}

/// A file whose chunks are shown.
struct Source {
    lines: Lines,
    entries: Vec<Entry>,
}

/// The rows that a question is limited to.
fn narrowed<'a>(mut rows: Rows<'a>, query: &Query) -> Result<Rows<'a>, SearchError> {
    for language in &query.languages {
        if !rows.values().any(|row| row.language == language) {
            let known: BTreeSet<&str> = rows.values().map(|row| row.language).collect();
            let known = known.into_iter().collect::<Vec<_>>().join(", ");
            return Err(SearchError::Language(language.clone(), known));
        }
    }
    for path in &query.paths {
        if !rows.keys().any(|file| is_below(file, path)) {
            return Err(SearchError::Path(path.clone()));
        }
    }
    rows.retain(|file, row| {
        (query.languages.is_empty() || query.languages.iter().any(|key| key == row.language))
            && (query.paths.is_empty() || query.paths.iter().any(|path| is_below(file, path)))
    });
    Ok(rows)
}

fn result(one: &Candidate, read: Option<&Source>, terms: Option<&[String]>) -> Found {
    let found = &one.found;
    let entry = &found.entry;
    let at = found.at as usize;
    let places: Vec<Place> =
        read.map(|file| file.entries.iter().map(Entry::place).collect()).unwrap_or_default();
    let share = |(term, adds): &(usize, f64)| {
        let term = terms.and_then(|terms| terms.get(*term)).cloned().unwrap_or_default();
        TermShare { term, adds: *adds }
    };
    Found {
        id: semantic::id(found.file, &places, at),
        file: found.file.to_owned(),
        language: found.language.to_owned(),
        line: entry.line,
        start_line: entry.start,
        end_line: entry.end,
        kind: entry.kind.clone(),
        name: entry.name.clone(),
        parent: entry.parent.clone(),
        signature: entry.signature.clone(),
        score: one.score,
        source: read.map(|file| file.lines.collapsed(&places, at)),
        explain: terms.map(|_| Explain {
            factors: one.factors,
            terms: found.by_term.iter().map(share).collect(),
        }),
    }
}
