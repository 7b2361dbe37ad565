//! `parity search`: finds code by words.

use std::{
    io::{BufRead, BufReader},
    path::PathBuf,
};

use ::search::{Answer, Query, SearchError, Searcher};
use base::profile::Profile;
use clap::Args;
use index::Settings;
use record::exit;
use serde::{Deserialize, Serialize};

use super::{
    config::{ConfigOptions, in_index},
    index::settings,
    requests, supervise,
    work_tree::all_below,
};
use crate::{
    Failure,
    console::{Bar, Output, talk},
};

/// Find code by words: functions, classes and other symbols, whole.
///
/// The words of a question are looked for in names, scopes, paths, declarations, documentation and lines (BM25F).
/// A second stage weighs names that stand in the question as they are, kinds, paths (tests, examples, generated and
/// foreign code), and what else was found in the same file. No network is used, and no vectors: the backend is
/// `none`. What was read of files is kept in the user's cache. Exit code 4: nothing was found.
#[derive(Debug, Args)]
pub struct Search {
    /// Words or identifiers.
    #[arg(required_unless_present = "requests", conflicts_with = "requests")]
    query: Option<String>,
    /// Search only these files and folders [default: the whole work tree].
    paths: Vec<PathBuf>,
    /// A directory inside the work tree.
    #[arg(long, value_name = "DIR", default_value = ".")]
    root: PathBuf,
    /// Key of a language that it is about, such as python; may be repeated.
    #[arg(long, value_name = "KEY")]
    language: Vec<String>,
    /// Limit all results together to this many tokens (cl100k_base) [default: 8000].
    #[arg(long, value_name = "N")]
    tokens: Option<usize>,
    /// How many chunks the second stage ranks [default: 40].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    candidates: Option<u32>,
    /// Drop results that score less than this share of the best one, from 0 to 1 [default: 0.5].
    #[arg(long, value_name = "SHARE", value_parser = share)]
    gate: Option<f64>,
    /// Let tests count as much as other files.
    #[arg(long)]
    include_tests: bool,
    /// Say of each result what its score is made of.
    #[arg(long)]
    explain: bool,
    /// One JSON object for each question.
    #[arg(long)]
    json: bool,
    /// Questions, one JSON object a line: query, paths, languages, tokens, candidates, gate, include_tests. `-` is
    /// standard input. Answers are JSON, one a line.
    #[arg(long, value_name = "FILE")]
    requests: Option<PathBuf>,
    #[command(flatten)]
    patience: supervise::Patience,
    #[command(flatten)]
    config: ConfigOptions,
}

/// One question in a file of requests. Paths are relative to the root.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    query: String,
    #[serde(default)]
    paths: Vec<String>,
    #[serde(default)]
    languages: Vec<String>,
    tokens: Option<usize>,
    candidates: Option<usize>,
    gate: Option<f64>,
    #[serde(default)]
    include_tests: bool,
}

/// The error object that is printed instead of an answer.
#[derive(Debug, Serialize)]
struct Refused {
    schema_version: u32,
    query: String,
    error: String,
}

impl Search {
    /// Answers the question or the file of requests.
    pub fn run(self) -> Result<u8, Failure> {
        let asked = self.requests.as_deref().map(requests::open).transpose()?;
        let avoided = supervise::supervise(supervise::SEARCH, self.patience)?;
        let config = self.config.load(&self.root, Vec::new())?;
        let settings =
            settings(&config).unwrap_or_else(|| in_index(&config, Settings::in_folder("")));
        let settings = Settings { avoided, ..settings };
        let bar = Bar::spinner().named("index");
        let searcher = Searcher::open(&settings, &self.root, &|done, all| {
            bar.say(&format!("{done} of {all} files read"));
        });
        bar.clear();
        let searcher = searcher.map_err(|error| Failure::new(exit::SETUP, error.to_string()))?;
        searcher.notice().into_iter().for_each(talk);
        match asked {
            Some(asked) => self.answer_all(&searcher, BufReader::new(asked)),
            None => self.answer_one(&searcher),
        }
    }

    fn answer_one(&self, searcher: &Searcher) -> Result<u8, Failure> {
        let paths = all_below(searcher.root(), &self.paths)?;
        let query = Query { paths, ..self.query(self.query.clone().unwrap_or_default()) };
        let answer = searcher
            .search(&query)
            .map_err(|error| Failure::new(exit::USAGE, error.to_string()))?;
        let mut out = Output::of(Profile::Enhancement).paged();
        if self.json {
            out.json(&answer)?;
        } else {
            for result in &answer.results {
                out.text(&result.text())?;
                out.text(&result.explained())?;
            }
            notes(&answer);
        }
        let code = if answer.results.is_empty() { exit::NOTHING_RAN } else { exit::PASS };
        Failure::after(out.flush().map_err(Failure::from), code)
    }

    fn answer_all(&self, searcher: &Searcher, asked: impl BufRead) -> Result<u8, Failure> {
        let mut out = Output::of(Profile::Enhancement).paged();
        let mut code = exit::PASS;
        for (number, line) in asked.lines().enumerate() {
            let line = line?;
            if line.trim().is_empty() {
                continue;
            }
            let wrong = |why: &str| {
                let why =
                    format!("request {number} of `parity search --requests` is not valid: {why}");
                Failure::new(exit::USAGE, why)
            };
            let request: Request =
                serde_json::from_str(&line).map_err(|error| wrong(&error.to_string()))?;
            if request.gate.is_some_and(|gate| !(0.0..=1.0).contains(&gate)) {
                return Err(wrong("gate is not a number from 0 to 1"));
            }
            if request.candidates.is_some_and(|count| !(1..=100_000).contains(&count)) {
                return Err(wrong("candidates is not a number from 1 to 100000"));
            }
            match searcher.search(&self.requested(&request)) {
                Ok(answer) => out.json(&answer)?,
                Err(error) => {
                    code = exit::NOTHING_RAN;
                    out.json(&refused(request.query, &error))?;
                }
            }
            out.flush()?;
        }
        Ok(code)
    }

    fn requested(&self, request: &Request) -> Query {
        let query = self.query(request.query.clone());
        Query {
            paths: request.paths.clone(),
            languages: if request.languages.is_empty() {
                query.languages
            } else {
                request.languages.clone()
            },
            tokens: request.tokens.unwrap_or(query.tokens),
            candidates: request.candidates.unwrap_or(query.candidates),
            gate: request.gate.unwrap_or(query.gate),
            with_tests: request.include_tests || query.with_tests,
            ..query
        }
    }

    /// A query with this text and the options of the command line, over the whole work tree.
    fn query(&self, text: String) -> Query {
        let query = Query::new(text);
        Query {
            languages: self.language.clone(),
            with_tests: self.include_tests,
            tokens: self.tokens.unwrap_or(query.tokens),
            candidates: self.candidates.map_or(query.candidates, |count| count as usize),
            gate: self.gate.unwrap_or(query.gate),
            explain: self.explain,
            ..query
        }
    }
}

fn refused(query: String, error: &SearchError) -> Refused {
    Refused { schema_version: ::search::SCHEMA_VERSION, query, error: error.to_string() }
}

/// Prints notes on standard error that a reader of the results should know.
fn notes(answer: &Answer) {
    if answer.passed == 0 {
        talk(&format!("nothing found in {} chunks of {} files", answer.chunks, answer.files));
    }
    let left = answer.passed - answer.results.len();
    if left > 0 {
        talk(&format!("{left} more results do not fit into {} tokens", answer.budget));
    }
    for file in &answer.stale_files {
        talk(&format!("written while it was searched: {file}"));
    }
    for skipped in &answer.skipped {
        talk(&format!("not searched: {}: {}", skipped.file, skipped.reason));
    }
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse::<f64>().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}
