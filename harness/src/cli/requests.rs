//! The requests of `parity map --requests`: one JSON object a line.

use std::{
    fs::File,
    io::{self, Seek},
    os::fd::AsFd,
    path::Path,
};

use ::map::{MapRequest, MentionSource, TraceDetail};
use base::tokens::{Model, Tokenizer};
use record::exit;
use rustix::stdio;
use serde::{Deserialize, Serialize};

use crate::Failure;

/// One request. Every path is relative to the root of the work tree.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Request {
    chat_files: Vec<String>,
    read_only_files: Vec<String>,
    /// The whole current turn.
    message: String,
    /// Explicit mentions replace what the message would give.
    mentioned_fnames: Option<Vec<String>>,
    mentioned_idents: Option<Vec<String>>,
    /// Budget in tokens, instead of the command line's.
    map_tokens: Option<f64>,
    /// The model, instead of the command line's. The answer then says what is known of it.
    model: Option<String>,
    /// What is traced, instead of what the command line says.
    trace: Option<Trace>,
}

/// What is known of the model that a request names.
#[derive(Debug, Serialize)]
pub struct NamedModel {
    /// Its full name.
    name: String,
    /// False if the comparator's tables do not have it.
    is_known: bool,
    /// Size of its input window in tokens; null if that is unknown.
    max_input_tokens: Option<u64>,
    /// The budget in tokens of a map for which none is given.
    default_map_tokens: f64,
    /// The tokenizer that counts for it; null if it needs one that is not built in, so that a map of the parity
    /// profile is refused.
    tokenizer: Option<&'static str>,
}

impl NamedModel {
    fn of(model: &Model) -> Self {
        Self {
            name: model.name.clone(),
            is_known: model.is_known,
            max_input_tokens: model.max_input_tokens,
            default_map_tokens: model.default_map_tokens(),
            tokenizer: Tokenizer::of(&model.name).map(Tokenizer::id),
        }
    }
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Trace {
    None,
    Ranking,
    Graph,
    Edges,
}

/// Opens a file of requests. Standard input is first copied into a file, unless it is one: a program
/// that starts itself again because a parser crashed reads it from the beginning.
pub fn open(path: &Path) -> Result<File, Failure> {
    let failed = |error: io::Error| {
        let why = format!("the requests in {} cannot be read: {error}", path.display());
        Failure::new(exit::USAGE, why)
    };
    if path != Path::new("-") {
        return File::open(path).map_err(failed);
    }
    let stdin = io::stdin().as_fd().try_clone_to_owned().map_err(failed)?;
    let mut stdin = File::from(stdin);
    if stdin.rewind().is_err() {
        let mut kept = tempfile::tempfile().map_err(failed)?;
        io::copy(&mut stdin, &mut kept).map_err(failed)?;
        kept.rewind().map_err(failed)?;
        stdio::dup2_stdin(&kept).map_err(|error| failed(error.into()))?;
        stdin = kept;
    }
    Ok(stdin)
}

impl Request {
    /// Parses the request on a line; `number` counts from 0.
    pub fn read(number: usize, line: &str) -> Result<Self, Failure> {
        let wrong = |why: String| {
            let why = format!("request {number} of `parity map --requests` is not valid: {why}");
            Failure::new(exit::USAGE, why)
        };
        let request: Self = serde_json::from_str(line).map_err(|error| wrong(error.to_string()))?;
        match request.map_tokens {
            Some(tokens) if !(0.0..=1e9).contains(&tokens) => {
                Err(wrong("map_tokens is not a number from 0 to 1000000000".to_owned()))
            }
            _ => Ok(request),
        }
    }

    /// How much is traced; `None` if the request does not say.
    pub const fn detail(&self) -> Option<TraceDetail> {
        match self.trace {
            None => None,
            Some(Trace::None) => Some(TraceDetail::None),
            Some(Trace::Ranking) => Some(TraceDetail::Ranking),
            Some(Trace::Graph) => Some(TraceDetail::Graph),
            Some(Trace::Edges) => Some(TraceDetail::AllEdges),
        }
    }

    /// Replaces the previous request; `map_tokens` and `model` are the command line's. Returns what is known of the
    /// model if the request names one.
    pub fn apply(
        self,
        request: &mut MapRequest,
        map_tokens: Option<f64>,
        model: &Model,
    ) -> Option<NamedModel> {
        let named = self.model.as_deref().map(Model::named);
        let known = named.as_ref().map(NamedModel::of);
        request.map_tokens = self.map_tokens.or(map_tokens);
        request.model = named.unwrap_or_else(|| model.clone());
        request.chat = self.chat_files;
        request.read_only = self.read_only_files;
        request.mentions = mentions(self.message, self.mentioned_fnames, self.mentioned_idents);
        known
    }
}

/// The explicit mentions if there are any, otherwise those in a message.
pub fn mentions(
    message: String,
    files: Option<Vec<String>>,
    idents: Option<Vec<String>>,
) -> MentionSource {
    if files.is_none() && idents.is_none() {
        return MentionSource::Message(message);
    }
    MentionSource::Explicit { files: files.unwrap_or_default(), idents: idents.unwrap_or_default() }
}
