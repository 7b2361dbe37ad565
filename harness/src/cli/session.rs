//! `parity session`: several maps in a row, as one chat asks for them.
//!
//! Each line of input is one JSON object, and so is each line of output. Files may change between two
//! calls; the next call sees them in their new state.

use std::{cell::Cell, collections::BTreeMap, path::PathBuf, rc::Rc, time::Instant};

use ::map::{
    Attempt, MapRequest, RefreshMode, RepoMap, Session as MapSession, Skipped, Stopwatch,
    TraceDetail, Turn, repo::FileSource,
};
use base::{
    memory,
    profile::ExecutionProfile,
    tokens::{Model, safety_count},
};
use clap::{Args, ValueEnum};
use record::exit;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{
    ProfileName,
    calls::Calls,
    config::{self, ConfigOptions},
    map::{self, SCHEMA_VERSION},
    requests::mentions,
    supervise,
};
use crate::{Failure, console::Output, planning::comparator::execution_profile};

/// Answer the calls of one session: one JSON object a line on standard input, one map each.
#[derive(Debug, Args)]
pub struct Session {
    /// A directory inside the work tree.
    #[arg(default_value = ".")]
    repo: PathBuf,
    /// Token budget; 0 turns the map off [default: the model's].
    #[arg(long, value_name = "N", value_parser = map::token_budget)]
    map_tokens: Option<f64>,
    /// The model that the maps are for; decides context window and default budget.
    #[arg(long, value_name = "NAME", default_value = "gpt-4o")]
    model: String,
    /// Multiplier of the budget when no file is in the chat.
    #[arg(long, value_name = "X", value_parser = map::multiplier)]
    map_mul_no_files: Option<f64>,
    /// When a map that was made before is served again.
    #[arg(long, value_enum, default_value_t = Refresh::Auto)]
    refresh: Refresh,
    /// Prompts are cached: auto becomes files, so that the map changes less often.
    #[arg(long)]
    cache_prompts: bool,
    /// Only files below REPO.
    #[arg(long)]
    subtree_only: bool,
    /// The ignore file, relative to the root of the work tree, instead of .aiderignore.
    #[arg(long, value_name = "FILE")]
    aiderignore: Option<PathBuf>,
    /// Memory to count on, such as 4G, where that is less than there is: files of code that would take
    /// more are skipped.
    #[arg(long, value_name = "SIZE", value_parser = map::memory_size)]
    max_memory: Option<u64>,
    /// Behave as the comparator does, or better than it.
    #[arg(long, value_enum, default_value_t = ProfileName::Parity)]
    profile: ProfileName,
    #[command(flatten)]
    config: ConfigOptions,
    #[command(flatten)]
    patience: supervise::Patience,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Refresh {
    Auto,
    Files,
    Manual,
    Always,
}

/// One call. Every path is relative to the root of the work tree.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Call {
    chat_files: Vec<String>,
    read_only_files: Vec<String>,
    /// The whole current turn.
    message: String,
    /// Explicit mentions replace what the message would give.
    mentioned_fnames: Option<Vec<String>>,
    mentioned_idents: Option<Vec<String>>,
    force_refresh: bool,
    /// The seconds that each computation of this call counts as, instead of the real time.
    map_processing_seconds: Option<f64>,
}

/// The JSON object that is printed for one call.
#[derive(Debug, Serialize)]
struct Document<'a> {
    schema_version: u32,
    profile: &'a ExecutionProfile,
    /// Number of the call, from 0.
    call: usize,
    /// The refresh mode that is used, after coercion.
    refresh: &'static str,
    cached: bool,
    text: &'a str,
    reason: Option<&'a str>,
    token_count: f64,
    safety_token_count: f64,
    map_mul_no_files_effective: f64,
    map_mul_no_files_source: &'static str,
    entrypoint: &'static str,
    file_universe_source: FileSource,
    /// Number of files with tags by language key.
    languages: &'a BTreeMap<String, usize>,
    files_considered: usize,
    /// Its last listing is left out where it is the text, so that the map is there once.
    attempts: Vec<serde_json::Value>,
    /// Files that could not be parsed completely, with the reason.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unparsed: Vec<&'a Skipped>,
}

impl Session {
    /// Answers calls until standard input ends. A call that is not valid, or has no map, is answered
    /// with an error object and determines the exit code. If a file's parser crashes or hangs, only
    /// that file is missing, but maps stored earlier are made again.
    pub fn run(self) -> Result<u8, Failure> {
        let config = self.config.of_profile(self.profile, &self.repo)?;
        let mut calls = Calls::open()?;
        if let Some(bytes) = self.max_memory {
            memory::allow(bytes);
        }
        let avoided = supervise::session(&calls, self.patience)?;
        supervise::patience_with_git();
        let mut request = self.request();
        request.avoided = avoided;
        config::shape(&mut request, &config);
        map::warn_of_unknown(&request.model);
        let mut out = Output::of(request.profile);
        let frame = Frame {
            profile: execution_profile(request.profile)?,
            mode: self.mode(),
            multiplier: map::effective_multiplier(request.profile, request.multiplier),
            multiplier_source: map::multiplier_source(self.map_mul_no_files),
        };
        let times = Rc::new(Cell::new(None));
        let watch = Watch { started: Instant::now(), scripted: Rc::clone(&times) };
        let mut session = MapSession::open(request, frame.mode, Box::new(watch));
        let mut code = exit::PASS;
        while let Some((number, line)) = calls.next_call()? {
            let answered = serde_json::from_str(&line)
                .map_err(|error| {
                    let why = format!("call {number} of `parity session` is not valid: {error}");
                    ("invalid_call", Failure::new(exit::USAGE, why))
                })
                .and_then(|call: Call| {
                    times.set(call.map_processing_seconds);
                    let map = session.map(call.turn(), TraceDetail::None);
                    map.map_err(|error| ("no_map", map::failure(&error)))
                });
            match answered {
                Ok(result) => out.json(&frame.document(number, &result))?,
                // A call that fails does not prevent the answers to later ones.
                Err((kind, failure)) => {
                    out.json(&json!({
                        "schema_version": SCHEMA_VERSION,
                        "call": number,
                        "error": {"code": kind, "message": failure.to_string()},
                    }))?;
                    code = code.max(failure.report());
                }
            }
            out.flush()?;
        }
        Ok(code)
    }

    fn request(&self) -> MapRequest {
        let mut request = MapRequest::new(&self.repo);
        request.scope.subtree_only = self.subtree_only;
        request.scope.ignore_file.clone_from(&self.aiderignore);
        request.map_tokens = self.map_tokens;
        if let Some(multiplier) = self.map_mul_no_files {
            request.multiplier = multiplier;
        }
        request.model = Model::named(&self.model);
        request.profile = self.profile.into();
        request
    }

    /// The refresh mode that is used. Only this function coerces it; the engine takes the mode as given.
    const fn mode(&self) -> RefreshMode {
        match self.refresh {
            Refresh::Auto if self.cache_prompts => RefreshMode::Files,
            Refresh::Auto => RefreshMode::Auto,
            Refresh::Files => RefreshMode::Files,
            Refresh::Manual => RefreshMode::Manual,
            Refresh::Always => RefreshMode::Always,
        }
    }
}

impl Call {
    fn turn(self) -> Turn {
        Turn {
            chat: self.chat_files,
            read_only: self.read_only_files,
            mentions: mentions(self.message, self.mentioned_fnames, self.mentioned_idents),
            force_refresh: self.force_refresh,
        }
    }
}

/// What all calls of a session share.
struct Frame {
    profile: ExecutionProfile,
    /// The refresh mode that is used, after coercion.
    mode: RefreshMode,
    multiplier: f64,
    multiplier_source: &'static str,
}

impl Frame {
    fn document<'a>(&'a self, call: usize, result: &'a RepoMap) -> Document<'a> {
        let text = result.text.as_deref().unwrap_or_default();
        Document {
            schema_version: SCHEMA_VERSION,
            profile: &self.profile,
            call,
            refresh: self.mode.as_str(),
            cached: result.cached,
            text,
            reason: result.reason.as_deref(),
            token_count: result.token_count,
            safety_token_count: safety_count(result.token_count, text),
            map_mul_no_files_effective: self.multiplier,
            map_mul_no_files_source: self.multiplier_source,
            entrypoint: "parity_session",
            file_universe_source: result.source,
            languages: &result.languages,
            files_considered: result.files_considered,
            attempts: result.attempts.iter().map(|attempt| told(attempt, text)).collect(),
            unparsed: result.skipped.iter().filter(|file| file.is_unparsed).collect(),
        }
    }
}

/// An attempt, without its listing if that is the text of the reply.
fn told(attempt: &Attempt, text: &str) -> serde_json::Value {
    let mut told = json!(attempt);
    if let (Some(fields), true) = (told.as_object_mut(), attempt.listing.as_deref() == Some(text)) {
        fields.remove("listing");
    }
    told
}

/// The monotonic clock, or the seconds that a call scripts.
#[derive(Debug)]
struct Watch {
    started: Instant,
    scripted: Rc<Cell<Option<f64>>>,
}

impl Stopwatch for Watch {
    fn start(&mut self) {
        self.started = Instant::now();
    }

    fn seconds(&self) -> f64 {
        self.scripted.get().unwrap_or_else(|| self.started.elapsed().as_secs_f64())
    }
}
