//! The fallback chain: with the chat, then globally, then without any hint.

use std::collections::BTreeSet;

use super::{
    fit::{Acceptance, fit},
    graph::{FileGraph, RankingInput},
    mentions::{Mentionable, Mentioned},
    ranking::Ranking,
    render::{RenderError, Renderer},
    request::{MapRequest, MentionSource},
    sources::{Skipped, Sources},
    stages::assemble,
    trace::{self, Attempt, TagsByFile, Trace, TraceDetail},
};
use crate::{
    repo::{FileSource, RepoFile, Universe, UniverseError},
    tokens::{Counter, TokenizerError},
};

/// Tokens of the context window that the multiplied budget leaves free.
const WINDOW_PADDING: f64 = 4096.0;

/// Why no map can be made.
#[derive(Debug, thiserror::Error)]
pub enum MapError {
    /// The repository cannot be listed.
    #[error(transparent)]
    Universe(#[from] UniverseError),
    /// Tokens cannot be counted.
    #[error(transparent)]
    Tokenizer(#[from] TokenizerError),
    /// Neither a work tree nor a chat file.
    #[error(
        "{0} is not inside a git work tree and no chat file is given; run git init and git add there, or name files with --chat"
    )]
    NothingToMap(std::path::PathBuf),
    /// A chat or read-only file does not exist.
    #[error(
        "the {role} file {path} does not exist under {root}; paths are relative to the root of the work tree"
    )]
    NoSuchFile {
        /// `chat` or `read-only`.
        role: &'static str,
        /// The path as given.
        path: String,
        /// The root.
        root: std::path::PathBuf,
    },
}

/// A map and what it was made from.
#[derive(Debug)]
pub struct MapResult {
    /// The map, if there is one.
    pub text: Option<String>,
    /// Why there is none.
    pub reason: Option<String>,
    /// The comparator's estimate of the map, in tokens.
    pub token_count: f64,
    /// Every attempt of the chain.
    pub attempts: Vec<Attempt>,
    /// Number of files that were ranked.
    pub files_considered: usize,
    /// Where the files came from.
    pub source: FileSource,
    /// Files that gave no tags against expectation.
    pub skipped: Vec<Skipped>,
    /// The tokenizer, for further counts.
    pub counter: Counter,
    /// All listed files, where the whole graph was asked for.
    pub tracked: Option<Vec<String>>,
    /// All tags by file, where the whole graph was asked for.
    pub tags: Option<TagsByFile>,
}

/// Makes a map.
pub fn build(request: &MapRequest, detail: TraceDetail) -> Result<MapResult, MapError> {
    // The tokenizer's tables load while the files are being read.
    let (counter, prepared) = rayon::join(Counter::load, || Prepared::of(request));
    let (counter, prepared) = (counter?, prepared?);
    let budget = request.map_tokens.unwrap_or_else(|| request.model.default_map_tokens());
    let mut chain = Chain { request, prepared: &prepared, counter, budget, detail };
    let mut attempts = Vec::new();
    let mut found = None;
    for plan in [Plan::Chat, Plan::Global, Plan::Unhinted] {
        let (attempt, kept) = chain.attempt(plan);
        attempts.push(attempt);
        if kept.is_some() {
            found = kept;
            break;
        }
    }
    let reason = found.is_none().then(|| chain.reason(&attempts));
    let (text, token_count) = found.map_or((None, 0.0), |(text, tokens)| (Some(text), tokens));
    let graph_wanted = detail == TraceDetail::Graph;
    let Prepared { universe, sources, skipped, .. } = prepared;
    Ok(MapResult {
        text,
        reason,
        token_count,
        attempts,
        files_considered: sources.files.len(),
        source: universe.source,
        tags: graph_wanted.then(|| trace::tags(&sources)),
        tracked: graph_wanted.then_some(universe.listed),
        skipped,
        counter,
    })
}

/// The repository as all attempts see it.
struct Prepared {
    universe: Universe,
    sources: Sources,
    /// Ids of the chat files, read-only files of the universe included.
    chat: BTreeSet<usize>,
    /// Ids of all files of the universe.
    all: Vec<usize>,
    mentioned: Mentioned,
    skipped: Vec<Skipped>,
}

impl Prepared {
    fn of(request: &MapRequest) -> Result<Self, MapError> {
        let universe = universe(request)?;
        let chat = existing(&universe, &request.chat, "chat")?;
        let read_only = existing(&universe, &request.read_only, "read-only")?;
        let chat = admitted(&universe, chat);

        let mut files = universe.files.clone();
        for file in &chat {
            files.entry(file.abs.clone()).or_insert_with(|| file.clone());
        }
        let sources = Sources::extract(&files, request.profile, &request.avoided);
        let id = |file: &RepoFile| sources.id(&file.abs);
        let chat_ids = chat
            .iter()
            .chain(&read_only)
            .filter(|file| chat.contains(file) || universe.files.contains_key(&file.abs));
        let chat_ids = chat_ids.filter_map(id).collect();
        let all = universe.files.values().filter_map(id).collect();

        let names = |files: &[RepoFile]| files.iter().map(|file| file.rel.clone()).collect();
        let mentioned = match &request.mentions {
            MentionSource::Message(message) => Mentioned::in_message(
                message,
                &Mentionable {
                    all: &universe.listed,
                    chat: &names(&chat),
                    read_only: &names(&read_only),
                },
            ),
            MentionSource::Explicit { files, idents } => Mentioned {
                files: files.iter().cloned().collect(),
                idents: idents.iter().cloned().collect(),
            },
        };
        let unlisted = universe
            .skipped
            .iter()
            .map(|(file, reason)| Skipped { file: file.clone(), reason: reason.clone() });
        let skipped = unlisted.chain(sources.skipped.iter().cloned()).collect();
        Ok(Self { universe, chat: chat_ids, all, mentioned, skipped, sources })
    }
}

fn universe(request: &MapRequest) -> Result<Universe, MapError> {
    use crate::repo::GitError;
    match Universe::of_work_tree(&request.repo, &request.scope) {
        Err(UniverseError::Git(GitError::NotARepository(_))) if !request.profile.is_parity() => {
            Ok(Universe::of_directory(&request.repo, &request.scope)?)
        }
        Err(UniverseError::Git(GitError::NotARepository(path))) => {
            if request.chat.is_empty() {
                return Err(MapError::NothingToMap(path));
            }
            existing_in(&request.repo, &request.chat)?;
            Ok(Universe::of_chat_files(&request.repo, &request.chat)?)
        }
        other => Ok(other?),
    }
}

fn existing_in(root: &std::path::Path, paths: &[String]) -> Result<(), MapError> {
    for path in paths {
        if !root.join(path).exists() {
            return Err(MapError::NoSuchFile {
                role: "chat",
                path: path.clone(),
                root: root.to_owned(),
            });
        }
    }
    Ok(())
}

/// Resolves named files. One that does not exist is an error, and nothing is created.
fn existing(
    universe: &Universe,
    paths: &[String],
    role: &'static str,
) -> Result<Vec<RepoFile>, MapError> {
    // Without git the named files are themselves the universe.
    if universe.source == FileSource::InchatFallback && role == "chat" {
        return Ok(universe.files.values().cloned().collect());
    }
    paths
        .iter()
        .map(|path| {
            let file = universe.resolve(path);
            if std::path::Path::new(&file.abs).exists() {
                Ok(file)
            } else {
                Err(MapError::NoSuchFile { role, path: path.clone(), root: universe.root.clone() })
            }
        })
        .collect()
}

/// The chat files that the comparator admits: regular files that neither git nor the ignore
/// file excludes.
fn admitted(universe: &Universe, chat: Vec<RepoFile>) -> Vec<RepoFile> {
    let names: Vec<String> = chat.iter().map(|file| file.rel.clone()).collect();
    let ignored = universe.git_ignored(&names);
    chat.into_iter()
        .filter(|file| file.is_file && universe.counts(&file.rel) && !ignored.contains(&file.rel))
        .collect()
}

/// Which attempt of the chain.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Plan {
    Chat,
    Global,
    Unhinted,
}

struct Chain<'a> {
    request: &'a MapRequest,
    prepared: &'a Prepared,
    counter: Counter,
    /// The budget; set to zero when the comparator would disable its map.
    budget: f64,
    detail: TraceDetail,
}

impl Chain<'_> {
    fn attempt(&mut self, plan: Plan) -> (Attempt, Option<(String, f64)>) {
        let prepared = self.prepared;
        let chat = if plan == Plan::Chat { prepared.chat.clone() } else { BTreeSet::new() };
        let mentioned =
            if plan == Plan::Unhinted { Mentioned::default() } else { prepared.mentioned.clone() };
        let mut included: Vec<usize> =
            prepared.all.iter().copied().chain(chat.iter().copied()).collect();
        included.sort_unstable();
        included.dedup();
        let others = included.len() - chat.len();
        let names = chat.iter().map(|file| prepared.sources.files[*file].file.rel.clone());
        let mut chat_files: Vec<String> = names.collect();
        chat_files.sort_unstable();
        let mut attempt = Attempt {
            chat_files,
            other_files_count: others,
            mentioned_fnames: mentioned.files.iter().cloned().collect(),
            mentioned_idents: mentioned.idents.iter().cloned().collect(),
            target_tokens: None,
            search: Vec::new(),
            listing: None,
            exception: None,
            ranking: None,
        };
        if self.budget <= 0.0 || others == 0 {
            return (attempt, None);
        }
        let target = self.target(chat.is_empty());
        attempt.target_tokens = Some(target);
        let input = RankingInput {
            sources: &prepared.sources,
            included,
            chat,
            mentioned_files: mentioned.files,
            mentioned_idents: mentioned.idents,
        };
        let graph = FileGraph::build(&input);
        let ranking = Ranking::of(&graph, &input);
        let entries = assemble(&graph, &ranking, &input);
        attempt.ranking = Trace::record(&graph, &ranking, &entries, &input, self.detail);
        let parity = self.request.profile.is_parity();
        let renderer = Renderer::new(&prepared.sources, input.chat.iter().copied(), parity);
        let acceptance = if parity {
            Acceptance::Comparator
        } else {
            Acceptance::Strict { budget: self.budget }
        };
        match fit(&entries, target, acceptance, &renderer, self.counter) {
            Ok(fit) => {
                attempt.search = fit.probes;
                attempt.listing = fit.kept.as_ref().map(|(text, _)| text.clone());
                // An empty listing is no map.
                (attempt, fit.kept.filter(|(text, _)| !text.is_empty()))
            }
            Err(error) => {
                if matches!(error, RenderError::TooDeep { .. }) {
                    self.budget = 0.0;
                }
                attempt.exception = Some(error.to_string());
                (attempt, None)
            }
        }
    }

    /// The budget of a search: multiplied when no file is in the chat and the window is known,
    /// as far as the window allows.
    fn target(&self, no_chat: bool) -> f64 {
        let Some(window) = self.request.model.max_input_tokens else { return self.budget };
        let wide =
            (self.budget * self.request.multiplier).trunc().min(window as f64 - WINDOW_PADDING);
        if no_chat && wide > 0.0 { wide } else { self.budget }
    }

    /// Why the chain found nothing.
    fn reason(&self, attempts: &[Attempt]) -> String {
        if let Some(exception) = attempts.iter().find_map(|attempt| attempt.exception.as_ref()) {
            return format!("the repo map is disabled: {exception}");
        }
        if self.budget <= 0.0 {
            return "the repo map is disabled: the token budget is 0".to_owned();
        }
        if self.prepared.all.is_empty() {
            return "the repository has no tracked file; git add some first".to_owned();
        }
        format!("nothing fits into a budget of {} tokens; raise --map-tokens", self.budget)
    }
}
