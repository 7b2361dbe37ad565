//! `parity map`: the ranked, token-budgeted map of a repository.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{BufRead, BufReader},
    path::PathBuf,
};

use ::config::Config;
use ::map::{
    Attempt, Batch, BudgetCount, Factor, FileReason, MapError, MapRequest, MentionSource, RepoMap,
    TraceDetail, TracedEntry, build_with,
    repo::{FileSource, GitError, UniverseError, root_of},
};
use agents::{Configured, Job};
use base::{
    memory,
    profile::{ExecutionProfile, Profile},
    text::visible::visible,
    tokens::{Model, safety_count},
};
use clap::{Args, ValueEnum};
use index::TagCache;
use record::exit;
use serde::Serialize;
use serde_json::json;

use super::{
    Format, ProfileName,
    artifact::ArtifactOptions,
    config::{self, ConfigOptions},
    explain,
    requests::{self, NamedModel, Request},
    supervise,
};
use crate::{
    Failure,
    console::{Output, talk},
    planning::comparator::execution_profile,
};

/// Schema of the JSON that `parity map` prints.
pub const SCHEMA_VERSION: u32 = 1;

/// Print the map of a repository.
#[derive(Debug, Args)]
#[expect(
    clippy::struct_excessive_bools,
    clippy::struct_field_names,
    reason = "flags of a command line"
)]
pub struct Map {
    /// A directory inside the work tree.
    #[arg(default_value = ".")]
    repo: PathBuf,
    /// Token budget; 0 turns the map off [default: the model's].
    #[arg(long, value_name = "N", value_parser = token_budget)]
    map_tokens: Option<f64>,
    /// A file in the chat, relative to the root of the work tree; may be repeated.
    #[arg(long = "chat-file", visible_alias = "chat", value_name = "FILE")]
    chat: Vec<String>,
    /// A read-only file, relative to the root of the work tree; may be repeated.
    #[arg(long = "read-only-file", visible_alias = "read-only", value_name = "FILE")]
    read_only: Vec<String>,
    /// The whole current turn; files and identifiers in it rank higher.
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["mention_file", "mention_ident"])]
    message: Option<String>,
    /// A mentioned file; explicit mentions replace what a message would give.
    #[arg(long = "mentioned-fname", visible_alias = "mention-file", value_name = "FILE")]
    mention_file: Vec<String>,
    /// A mentioned identifier; explicit mentions replace what a message would give.
    #[arg(long = "mentioned-ident", visible_alias = "mention-ident", value_name = "IDENT")]
    mention_ident: Vec<String>,
    /// The model that the map is for; decides context window and default budget.
    #[arg(long, value_name = "NAME", default_value = "gpt-4o")]
    model: String,
    /// Multiplier of the budget when no file is in the chat.
    #[arg(long, value_name = "X", value_parser = multiplier)]
    map_mul_no_files: Option<f64>,
    /// When a cached map may be served; a single map is always made new.
    #[arg(long, value_enum, default_value_t = Refresh::Auto)]
    refresh: Refresh,
    /// Only files below REPO.
    #[arg(long)]
    subtree_only: bool,
    /// The ignore file, relative to the root of the work tree, instead of .aiderignore.
    #[arg(long, value_name = "FILE")]
    aiderignore: Option<PathBuf>,
    /// Memory to count on, such as 4G, where that is less than there is: files of code that would take
    /// more are skipped.
    #[arg(long, value_name = "SIZE", value_parser = memory_size)]
    max_memory: Option<u64>,
    /// Behave as the comparator does, or better than it.
    #[arg(long, value_enum, default_value_t = ProfileName::Parity)]
    profile: ProfileName,
    /// By which count the enhancement profile holds its budget [default: safety].
    #[arg(long, value_enum)]
    budget_count: Option<Count>,
    /// Leave out what the enhancement profile does beside the graph, to see what it brings: relevance,
    /// graph, families, scopes, imports, edits, standing, spread, neighbours, signatures or documentation; may be
    /// repeated.
    #[arg(long, value_name = "FACTOR")]
    without: Vec<Factor>,
    /// text: exactly the bytes of the map; json: one object.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Short for --format json.
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Add ranks, candidates and search to the JSON.
    #[arg(long)]
    trace: bool,
    /// Add all tags and the edges as well, many edges as a digest only; implies
    /// --trace.
    #[arg(long)]
    trace_graph: bool,
    /// List all edges, however many there are; implies --trace-graph.
    #[arg(long)]
    trace_edges: bool,
    /// Say why each entry of the map is where it is, in place of the map; in JSON beside it: its rank, who refers
    /// to it with which weight, and which multipliers apply.
    #[arg(long, conflicts_with = "requests")]
    explain: bool,
    /// Make many maps in one process: a file with one JSON object a line, `-` for standard input,
    /// each like a line of `parity session` with `map_tokens`, `model` and `trace` (ranking, graph, edges)
    /// beside; prints one JSON object a line, each map as a process of its own would make it.
    #[arg(long, value_name = "FILE", conflicts_with_all =
        ["chat", "read_only", "message", "mention_file", "mention_ident"])]
    requests: Option<PathBuf>,
    /// Neither read nor write what was extracted before; only with --profile enhancement.
    #[arg(long)]
    no_index: bool,
    #[command(flatten)]
    config: ConfigOptions,
    #[command(flatten)]
    artifact: ArtifactOptions,
    #[command(flatten)]
    patience: supervise::Patience,
}

/// When a cached map may be served.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Refresh {
    Auto,
    Files,
    Manual,
    Always,
}

/// By which count a budget is held.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Count {
    /// 15 % more tokens than bytes suggest, and never less than the tokenizer counts: holds for a model
    /// with another tokenizer.
    Safety,
    /// The tokens of the model's tokenizer, as the comparator picks it.
    Tokenizer,
}

/// The JSON object of a map.
#[derive(Debug, Serialize)]
struct Document<'a> {
    schema_version: u32,
    profile: ExecutionProfile,
    text: &'a str,
    reason: Option<&'a str>,
    token_count: f64,
    exact_token_count: usize,
    safety_token_count: f64,
    target_tokens: Option<f64>,
    map_mul_no_files_effective: f64,
    map_mul_no_files_source: &'static str,
    refresh: String,
    entrypoint: &'static str,
    file_universe_source: FileSource,
    /// Number of files with tags by language key.
    languages: &'a BTreeMap<String, usize>,
    files_considered: usize,
    skipped: &'a [map::Skipped],
    /// The trace of the last attempt, flattened into the top level, where other tools expect it.
    #[serde(flatten)]
    trace: Option<LastAttempt<'a>>,
    /// Why each entry is where it is, file by file.
    #[serde(skip_serializing_if = "Option::is_none")]
    explain: Option<&'a [FileReason]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    attempts: Option<&'a [Attempt]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tracked: Option<&'a [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tags: Option<serde_json::Value>,
    /// The model, if a line of `--requests` names it.
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<NamedModel>,
}

#[derive(Debug, Serialize)]
struct LastAttempt<'a> {
    personalization: serde_json::Value,
    file_ranks: serde_json::Value,
    definition_ranks: serde_json::Value,
    prefit: serde_json::Value,
    postfit: &'a [TracedEntry],
    search: &'a [map::Probe],
}

impl Map {
    /// Makes and prints the map.
    pub fn run(self) -> Result<u8, Failure> {
        self.expect_effect()?;
        let config = self.config.of_profile(self.profile, &self.repo)?;
        if self.artifact.is_asked() {
            let job = self.job(&config);
            let cache = config::cache(&config);
            return self.artifact.run(job, cache);
        }
        let requests = self.requests.as_deref().map(requests::open).transpose()?;
        if let Some(bytes) = self.max_memory {
            memory::allow(bytes);
        }
        let avoided = supervise::supervise(supervise::MAP, self.patience)?;
        supervise::patience_with_git();
        let mut request = self.request();
        request.avoided = avoided;
        config::shape(&mut request, &config);
        warn_of_unknown(&request.model);
        if let Some(requests) = requests {
            return self.answer(requests, request, &config);
        }
        let detail = self.detail();
        let tag_cache = self.tag_cache(&config);
        let result =
            build_with(&request, detail, tag_cache.as_ref().map(|tag_cache| tag_cache as _))
                .map_err(|error| failure(&error))?;
        let mut out = Output::of(request.profile).paged();
        if self.json || matches!(self.format, Format::Json) {
            out.json(&self.document(&request, &result, detail)?)?;
        } else {
            if let Some(reasons) = explanation(&result) {
                out.text(&explain::text(reasons))?;
            } else {
                let text = result.text.as_deref().unwrap_or_default();
                out.text(&if out.is_raw() {
                    text.into()
                } else {
                    result.with_visible_names(text)
                })?;
            }
            if let Some(reason) = &result.reason {
                talk(&format!("no map: {reason}"));
            }
            for left_out in result.skipped.iter().filter(|file| file.is_unparsed) {
                let ::map::Skipped { file, reason, .. } = left_out;
                crate::console::talk(&format!("left out: {file}: {reason}"));
            }
        }
        out.flush()?;
        save(tag_cache);
        Ok(exit::PASS)
    }

    /// The cache of tags that were extracted before, if it may be used.
    fn tag_cache(&self, config: &Config) -> Option<TagCache> {
        if self.no_index || Profile::from(self.profile).is_parity() {
            return None;
        }
        let settings = super::index::settings(config)?;
        let tag_cache = TagCache::open(&settings, &root_of(&self.repo).ok()?);
        Some(tag_cache)
    }

    /// Answers all requests of a file, in order.
    fn answer(
        &self,
        requests: File,
        mut request: MapRequest,
        config: &Config,
    ) -> Result<u8, Failure> {
        let lines = BufReader::new(requests).lines().enumerate();
        let asked: Vec<Request> = lines
            .map(|(number, line)| Request::read(number, &line?))
            .collect::<Result<_, Failure>>()?;
        let mut batch = Batch::default();
        let (budget, model) = (request.map_tokens, request.model.clone());
        let tag_cache = self.tag_cache(config);
        // Printed all at once at the end: a program that starts itself again would print its first
        // answers twice.
        let mut answers = String::new();
        let mut code = exit::PASS;
        for asked in asked {
            let detail = asked.detail().unwrap_or_else(|| self.detail());
            let before = request.model.clone();
            let named = asked.apply(&mut request, budget, &model);
            if named.is_some() && request.model != before {
                warn_of_unknown(&request.model);
            }
            match batch.map(&request, detail, tag_cache.as_ref().map(|tag_cache| tag_cache as _)) {
                Ok(result) => {
                    let mut document = self.document(&request, &result, detail)?;
                    document.model = named;
                    let line = serde_json::to_string(&document)
                        .map_err(|error| Failure::internal(error.to_string()))?;
                    answers.push_str(&line);
                }
                Err(error) => {
                    // A request that fails does not prevent the answers to the others.
                    let mut line =
                        json!({"schema_version": SCHEMA_VERSION, "error": error.to_string()});
                    if let Some(named) = named {
                        line["model"] = json!(named);
                    }
                    answers.push_str(&line.to_string());
                    code = code.max(failure(&error).report());
                }
            }
            answers.push('\n');
        }
        let mut out = Output::of(request.profile);
        out.json_text(&answers)?;
        out.flush()?;
        save(tag_cache);
        Ok(code)
    }

    const fn detail(&self) -> TraceDetail {
        if self.trace_edges {
            TraceDetail::AllEdges
        } else if self.trace_graph {
            TraceDetail::Graph
        } else if self.trace {
            TraceDetail::Ranking
        } else {
            TraceDetail::None
        }
    }

    /// Refuses flags that would have no effect: a trace is only in JSON.
    fn expect_effect(&self) -> Result<(), Failure> {
        let is_json = self.json || self.format == Format::Json || self.requests.is_some();
        let why = if !is_json && self.detail() != TraceDetail::None {
            "--trace, --trace-graph and --trace-edges need --json"
        } else if Profile::from(self.profile).is_parity()
            && (self.no_index || self.budget_count.is_some() || !self.without.is_empty())
        {
            "--no-index, --budget-count and --without need --profile enhancement: the parity profile has neither \
             index nor factors, and counts as the comparator does"
        } else {
            return Ok(());
        };
        Err(Failure::new(exit::USAGE, why.to_owned()))
    }

    /// The job that makes the map of an artifact.
    fn job(&self, config: &Config) -> Job {
        Job {
            chat: self.chat.clone(),
            message: self.message.clone().unwrap_or_default(),
            mentioned_files: self.mention_file.clone(),
            mentioned_idents: self.mention_ident.clone(),
            max_tokens: self.map_tokens.map_or(config.max_tokens(), |tokens| tokens as u32),
            configured: Configured::from(config),
            profile: self.profile.into(),
            ..Job::new(&self.repo)
        }
    }

    fn request(&self) -> MapRequest {
        let explicit = !self.mention_file.is_empty() || !self.mention_ident.is_empty();
        let mut request = MapRequest::new(&self.repo);
        request.scope.subtree_only = self.subtree_only;
        request.scope.ignore_file.clone_from(&self.aiderignore);
        request.chat.clone_from(&self.chat);
        request.read_only.clone_from(&self.read_only);
        request.mentions = if explicit {
            MentionSource::Explicit {
                files: self.mention_file.clone(),
                idents: self.mention_ident.clone(),
            }
        } else {
            MentionSource::Message(self.message.clone().unwrap_or_default())
        };
        request.map_tokens = self.map_tokens;
        if let Some(multiplier) = self.map_mul_no_files {
            request.multiplier = multiplier;
        }
        request.model = Model::named(&self.model);
        request.profile = self.profile.into();
        request.count = match self.budget_count.unwrap_or(Count::Safety) {
            Count::Safety => BudgetCount::Safety,
            Count::Tokenizer => BudgetCount::Tokenizer,
        };
        request.without = self.without.iter().copied().collect();
        request.explain = self.explain;
        request
    }

    fn document<'a>(
        &self,
        request: &MapRequest,
        result: &'a RepoMap,
        detail: TraceDetail,
    ) -> Result<Document<'a>, Failure> {
        let traced = detail > TraceDetail::None;
        let text = result.text.as_deref().unwrap_or_default();
        let last = result.attempts.last();
        let trace = match last.filter(|_| traced) {
            Some(attempt) => {
                let value = |part: Option<serde_json::Result<serde_json::Value>>| {
                    part.transpose()
                        .map(|value| value.unwrap_or(serde_json::Value::Array(Vec::new())))
                        .map_err(|error| Failure::internal(error.to_string()))
                };
                let ranking = attempt.ranking.as_ref();
                Some(LastAttempt {
                    // An object even if nothing was ranked; the others are lists.
                    personalization: value(Some(ranking.map_or_else(
                        || Ok(json!({})),
                        |trace| serde_json::to_value(&trace.personalization),
                    )))?,
                    file_ranks: value(
                        ranking.map(|trace| serde_json::to_value(&trace.file_ranks)),
                    )?,
                    definition_ranks: value(
                        ranking.map(|trace| serde_json::to_value(&trace.definition_ranks)),
                    )?,
                    prefit: value(ranking.map(|trace| serde_json::to_value(&trace.prefit)))?,
                    postfit: attempt.postfit.as_deref().unwrap_or_default(),
                    search: &attempt.search,
                })
            }
            None => None,
        };
        let tags = result.tags.as_ref().map(serde_json::to_value).transpose();
        Ok(Document {
            schema_version: SCHEMA_VERSION,
            profile: execution_profile(request.profile)?,
            text,
            reason: result.reason.as_deref(),
            token_count: result.token_count,
            exact_token_count: request.tokenizer().count(text),
            safety_token_count: safety_count(result.token_count, text),
            target_tokens: last.and_then(|attempt| attempt.target_tokens),
            map_mul_no_files_effective: effective_multiplier(request.profile, request.multiplier),
            map_mul_no_files_source: multiplier_source(self.map_mul_no_files),
            refresh: format!("{:?}", self.refresh).to_lowercase(),
            entrypoint: "parity_map",
            file_universe_source: result.source,
            languages: &result.languages,
            files_considered: result.files_considered,
            skipped: &result.skipped,
            trace,
            explain: explanation(result),
            attempts: traced.then_some(result.attempts.as_slice()),
            tracked: result.tracked.as_deref(),
            tags: tags.map_err(|error| Failure::internal(error.to_string()))?,
            model: None,
        })
    }
}

/// Why each entry of a map is where it is; `None` if that was not asked for.
fn explanation(map: &RepoMap) -> Option<&[FileReason]> {
    map.attempts.last()?.explanation.as_deref()
}

/// Warns that a model is unknown, so that its map is as small as that of the smallest model.
pub(super) fn warn_of_unknown(model: &Model) {
    if !model.is_known {
        talk(&format!(
            "the model {} is not in the comparator's tables; without --map-tokens its map has {} tokens, and an empty chat gives no more",
            visible(&model.name),
            model.default_map_tokens()
        ));
    }
}

/// The multiplier for an empty chat that takes effect: the enhancement profile keeps to the budget.
pub(super) fn effective_multiplier(profile: Profile, asked: f64) -> f64 {
    if profile.is_parity() { asked } else { 1.0 }
}

/// Saves the tags that a map extracted. The map is already printed, so a failure is only reported.
fn save(tag_cache: Option<TagCache>) {
    let Some(tag_cache) = tag_cache else { return };
    if let Some(notice) = tag_cache.notice() {
        talk(&notice);
    }
    if let Err(error) = tag_cache.save() {
        talk(&format!("the index was not written: {error}"));
    }
}

/// Where the multiplier for an empty chat comes from, as the JSON says it.
pub(super) const fn multiplier_source(given: Option<f64>) -> &'static str {
    if given.is_some() { "config_override" } else { "cli_default" }
}

/// Parses a budget in tokens.
pub(super) fn token_budget(text: &str) -> Result<f64, String> {
    text.parse::<f64>()
        .ok()
        .filter(|tokens| tokens.is_finite() && (0.0..=1e9).contains(tokens))
        .ok_or_else(|| "expected a number of tokens from 0 to 1000000000".to_owned())
}

/// Parses a size of memory in bytes: a number, optionally followed by K, M or G.
pub(super) fn memory_size(text: &str) -> Result<u64, String> {
    let (digits, unit) = match text.char_indices().next_back() {
        Some((at, 'K' | 'k')) => (text.get(..at), 10),
        Some((at, 'M' | 'm')) => (text.get(..at), 20),
        Some((at, 'G' | 'g')) => (text.get(..at), 30),
        _ => (Some(text), 0),
    };
    let number = digits.and_then(|digits| digits.parse::<u64>().ok());
    number
        .and_then(|number| number.checked_mul(1 << unit))
        .filter(|bytes| *bytes > 0)
        .ok_or_else(|| "expected a size of memory such as 4G or 512M".to_owned())
}

/// Parses a multiplier of the budget.
pub(super) fn multiplier(text: &str) -> Result<f64, String> {
    text.parse::<f64>()
        .ok()
        .filter(|factor| factor.is_finite() && (0.0..=1e6).contains(factor))
        .ok_or_else(|| "expected a factor from 0 to 1000000".to_owned())
}

/// The exit code and message of a failed map.
pub(super) fn failure(error: &MapError) -> Failure {
    let code = match error {
        MapError::NoSuchFile { .. } => exit::USAGE,
        MapError::NothingToMap(_)
        | MapError::UnsupportedModel { .. }
        | MapError::Universe(UniverseError::Git(
            GitError::Missing(_) | GitError::NotARepository(_) | GitError::Foreign { .. },
        )) => exit::SETUP,
        MapError::Universe(_) => exit::IO,
    };
    Failure::new(code, error.to_string())
}
