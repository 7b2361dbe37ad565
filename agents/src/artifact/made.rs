//! Builds the artifact of a finished map.

use std::collections::{BTreeMap, BTreeSet};

use base::{text::visible, tokens::Counter};
use map::{Attempt, RepoMap, Trace, syntax::TagKind};
use serde_json::{Value, json};

use super::{
    Artifact, GENERATOR_VERSION, MOST_SYMBOLS, Method, Provenance, Ranked, SCHEMA_VERSION, Stats,
};
use crate::{Code, Job, Problem, clock, context::masked};

/// Maximum number of missing files that an incomplete map names.
const MOST_NAMED: usize = 20;

impl Artifact {
    /// The artifact of a map, made from the whole graph ([`map::TraceDetail::Graph`]).
    ///
    /// # Errors
    /// The map is missing.
    pub fn of_map(job: &Job, root: &str, map: &RepoMap) -> Result<Self, Problem> {
        let Some(text) = map.text.as_deref() else { return Err(why_none(map)) };
        let text = shown(&map.with_visible_names(text));
        let attempt = map.attempts.last();
        let trace = attempt.and_then(|attempt| attempt.ranking.as_ref());
        Ok(Self {
            schema_version: SCHEMA_VERSION.to_owned(),
            ok: true,
            generated_at: clock::now(),
            provenance: Provenance {
                method: Method::AstPagerank,
                source_root: root.to_owned(),
                scope: vec![".".to_owned()],
                focus_files: attempt.map(focus).unwrap_or_default(),
                session_id: job.session_id.clone(),
                duration_ms: None,
                timeout_ms: job.timeout_ms,
                generator_version: GENERATOR_VERSION.to_owned(),
            },
            stats: Stats {
                files_parsed: map.languages.values().sum::<usize>() as u64,
                symbols_found: definitions(map) as u64,
                graph_edges: trace.map_or(0, |trace| trace.graph.edges as u64),
                byte_count: text.len() as u64,
                token_count: Counter.count(&text) as u64,
            },
            ranking: trace.map(ranking).unwrap_or_default(),
            text,
            error: missing(map).map(|problem| problem.in_artifact()),
        })
    }
}

/// A map as it may be written to a file that agents read: control characters escaped, secrets
/// masked.
fn shown(text: &str) -> String {
    masked(&visible::lines(text)).into_owned()
}

/// Why there is no map, judged by the attempts of the chain.
fn why_none(map: &RepoMap) -> Problem {
    let reason = map.reason.as_deref().unwrap_or("there is no map");
    let code = if map.files_considered == 0 {
        Code::ScanFailed
    } else if map.attempts.iter().any(|attempt| attempt.exception.is_some()) {
        Code::RenderFailed
    } else if map.languages.is_empty() && map.skipped.iter().any(|file| file.is_unparsed) {
        Code::ParseFailed
    } else {
        Code::RankingFailed
    };
    Problem::new(code, reason)
}

/// What an incomplete map lacks: the files that no parser finished, if any.
fn missing(map: &RepoMap) -> Option<Problem> {
    let files: Vec<_> = map.skipped.iter().filter(|file| file.is_unparsed).collect();
    if files.is_empty() {
        return None;
    }
    let named: Vec<Value> = files
        .iter()
        .take(MOST_NAMED)
        .map(|file| json!({"file": visible::visible(&file.file), "reason": file.reason}))
        .collect();
    let problem = Problem::new(Code::ParseFailed, format!("{} files are left out", files.len()));
    Some(problem.with(json!({"files": named, "total_count": files.len()})))
}

fn focus(attempt: &Attempt) -> Vec<String> {
    let mentioned = attempt.mentioned_fnames.iter();
    let mentioned = mentioned.filter(|file| !attempt.chat_files.contains(file));
    attempt.chat_files.iter().chain(mentioned).cloned().collect()
}

/// Number of defined names. A name counts once per line, because a query may match it more than
/// once.
fn definitions(map: &RepoMap) -> usize {
    let of_file = |tags: &Vec<(i32, String, TagKind)>| {
        let defined = tags.iter().filter(|(_, _, kind)| *kind == TagKind::Definition);
        defined.map(|(line, name, _)| (line, name)).collect::<BTreeSet<_>>().len()
    };
    map.tags.iter().flat_map(BTreeMap::values).map(of_file).sum()
}

/// The files by score, each with its names that other files refer to.
fn ranking(trace: &Trace) -> Vec<Ranked> {
    let mut symbols: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (file, name, _) in &trace.definition_ranks {
        let names = symbols.entry(file).or_default();
        if names.len() < MOST_SYMBOLS && !names.contains(name) {
            names.push(name.clone());
        }
    }
    let mut ranked: Vec<Ranked> = trace
        .file_ranks
        .iter()
        .map(|(path, score)| Ranked {
            path: path.clone(),
            score: *score,
            symbols: symbols.remove(path.as_str()).unwrap_or_default(),
        })
        .collect();
    ranked.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.path.cmp(&b.path)));
    ranked
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn an_artifact_has_no_secrets() {
        let text = shown("\na.py:\n│def f(password=\"hunter2hunter2\"):\n│def g():\n");
        assert!(!text.contains("hunter2hunter2"), "{text}");
        assert!(text.contains("a.py:") && text.contains("│def g():"), "{text}");
    }
}
