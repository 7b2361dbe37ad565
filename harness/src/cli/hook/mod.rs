//! `parity hook`: the command that the clients of coding agents run at their events.

mod install;

use std::{
    ffi::OsString,
    path::PathBuf,
    sync::mpsc::channel,
    thread,
    time::{Duration, Instant},
};

use ::config::{Value, name};
use agents::{
    Configured,
    hook::{Client, DEFAULT_TIMEOUT_MS, Mode, Setup, TABLES, answer, read_input, root},
};
use clap::{Args, ValueEnum, builder::PossibleValuesParser, value_parser};
use record::exit;
use serde_json::{Map, Value as Json};

use super::agent_options::AgentOptions;
use crate::{Failure, console::Output};
use install::Action;

/// Answer an event of a client, which is read from standard input: a map for the agent's context. It
/// never blocks and always exits with 0.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Hook {
    #[command(subcommand)]
    action: Option<Action>,
    #[command(flatten)]
    event: Event,
}

/// How an event is answered.
#[derive(Debug, Args)]
struct Event {
    /// The client that sends the event.
    #[arg(long, value_name = "CLIENT", value_parser = clients(), required = true)]
    client: Option<String>,
    /// inject: put the map into the context; advise: write it to a file and tell the context where;
    /// artifact: only write it to a file.
    #[arg(long, value_enum, default_value_t = ModeName::Inject)]
    mode: ModeName,
    /// The repository's folder [default: the one that the client names].
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,
    /// Limit all maps of one session together to this many tokens [default: 4096].
    #[arg(long, value_name = "N")]
    session_tokens: Option<u64>,
    /// Deadline of the answer in milliseconds; after that it is the last map, marked stale, or nothing
    /// [default: 2500; 1000 at the start of a session in the mode inject, because the first prompt gets the
    /// map that is made meanwhile].
    #[arg(long, value_name = "MS", value_parser = value_parser!(u64).range(200..=25_000))]
    timeout: Option<u64>,
    /// Where the modes advise and artifact write [default: a folder in the cache].
    #[arg(long, value_name = "DIR")]
    artifact_dir: Option<PathBuf>,
    #[command(flatten)]
    options: AgentOptions,
}

/// What is done with a map.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum ModeName {
    Inject,
    Advise,
    Artifact,
}

fn clients() -> PossibleValuesParser {
    PossibleValuesParser::new(TABLES.map(|(name, _)| name))
}

/// The client with this name.
fn client(name: &str) -> Result<Client, Failure> {
    let table = TABLES.iter().find(|(known, _)| *known == name).map(|(_, table)| *table);
    Client::read(table.unwrap_or_default()).map_err(|error| Failure::internal(error.to_string()))
}

/// Whether a command line answers an event. Such a command line must not stop the client even if it is
/// wrong, because clients take exit codes other than 0 as a refusal of the user's prompt.
pub fn answers_event(mut arguments: impl Iterator<Item = OsString>) -> bool {
    arguments.nth(1).is_some_and(|command| command == "hook")
        && arguments.next().is_some_and(|flag| flag.as_encoded_bytes().starts_with(b"-"))
}

impl ModeName {
    const fn name(self) -> &'static str {
        match self {
            Self::Inject => "inject",
            Self::Advise => "advise",
            Self::Artifact => "artifact",
        }
    }
}

impl Hook {
    /// Answers an event, or changes settings.
    pub fn run(self) -> Result<u8, Failure> {
        match self.action {
            Some(action) => action.run(),
            None => Ok(self.event.run()),
        }
    }
}

impl Event {
    /// Answers the event. Errors are not printed, because the client would take them for an answer.
    fn run(self) -> u8 {
        let started = Instant::now();
        let timeout = Duration::from_millis(self.timeout.unwrap_or(DEFAULT_TIMEOUT_MS));
        let (send, receive) = channel();
        // This thread keeps its deadline even if standard input or a file system hangs.
        thread::spawn(move || {
            let answered = read_input(std::io::stdin().lock()).and_then(|input| {
                let setup = self.setup(&input, started).ok().flatten()?;
                answer(&setup, &input)
            });
            // The send fails only after the deadline, when nobody waits for the answer.
            let _ = send.send(answered);
        });
        if let Ok(Some(answer)) = receive.recv_timeout(timeout) {
            let mut out = Output::new();
            // An error means that the client closed its end and does not want an answer.
            let _ = out.json(&answer).and_then(|()| out.flush());
        }
        exit::PASS
    }

    /// How to answer the event; `None` if hooks are turned off.
    fn setup(&self, input: &Map<String, Json>, started: Instant) -> Result<Option<Setup>, Failure> {
        let client = client(self.client.as_deref().unwrap_or_default())?;
        let named = client.root_variable.as_ref().and_then(std::env::var_os);
        let named = named.filter(|root| !root.is_empty()).map(PathBuf::from);
        let root =
            root(&client, self.root.as_ref().or(named.as_ref()).map(PathBuf::as_path), input);
        let tokens =
            self.session_tokens.map(|tokens| (name::SESSION_TOKENS, Value::Number(tokens)));
        let held = self.options.load(&root, tokens.into_iter().collect());
        if !held.config.is_hook_enabled() {
            return Ok(None);
        }
        Ok(Some(Setup {
            root,
            client,
            mode: match self.mode {
                ModeName::Inject => Mode::Inject,
                ModeName::Advise => Mode::Advise,
                ModeName::Artifact => Mode::Artifact,
            },
            max_tokens: held.config.max_tokens(),
            session_tokens: held.config.session_tokens(),
            configured: Configured::from(&held.config),
            refresh: held.refresh(),
            started,
            timeout: self.timeout.map(Duration::from_millis),
            cache: held.cache,
            artifacts: self.artifact_dir.clone(),
            program: std::env::current_exe()?,
        }))
    }
}
