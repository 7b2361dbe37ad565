//! `parity lcm`: a store of large content for agents.

mod answer;
mod explorer;
mod inventory;
mod place;
mod request;
mod serve;

use std::{
    io::{self, Read},
    num::NonZeroU64,
    path::PathBuf,
};

use ::lcm::{Caller, Content, Error, LARGEST, Lcm as Store, Settings, store};
use clap::{Args, Subcommand, ValueEnum};
use record::exit;

use super::ProfileName;
use crate::{
    Failure,
    console::{Output, talk},
};
use answer::failure;
use explorer::Process;
use place::Place;
use request::{Put, Request};

/// Keep large content out of an agent's context: store it, describe it, give it back.
#[derive(Debug, Args)]
pub struct Lcm {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    options: Options,
}

#[derive(Debug, Args)]
struct Options {
    #[command(flatten)]
    place: Place,
    /// Behave as the comparator does, or better than it.
    #[arg(long, value_enum, global = true, default_value_t = ProfileName::Parity)]
    profile: ProfileName,
    /// Print one JSON object.
    #[arg(long, global = true)]
    json: bool,
    /// Leave the output of tools alone.
    #[arg(long, global = true)]
    disable_large_tool_output: bool,
    /// A tool's output is large if it has more tokens than this.
    #[arg(long, global = true, value_name = "N", default_value = "10000")]
    large_tool_output_token_threshold: NonZeroU64,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Make a session, or find an existing one.
    Session {
        /// Its id.
        id: String,
        /// The session that started it.
        #[arg(long, value_name = "ID")]
        parent: Option<String>,
    },
    /// Store the content on standard input, and print what the agent gets instead.
    Put {
        /// The session that it belongs to.
        #[arg(long, value_name = "ID")]
        session: String,
        /// The path by which the content comes in; `parity lcm paths` lists them.
        #[arg(long, value_name = "PATH", default_value = "lcm.tool_output.create")]
        path: String,
        /// The tool that printed it.
        #[arg(long)]
        tool: Option<String>,
        /// The content's file name, which helps to pick the explorer.
        #[arg(long, value_name = "FILE")]
        name: Option<String>,
        /// Store this file instead of standard input.
        #[arg(long, value_name = "FILE")]
        file: Option<PathBuf>,
    },
    /// Append the message on standard input to a session.
    Message {
        /// The session.
        #[arg(long, value_name = "ID")]
        session: String,
        /// Who it is from.
        #[arg(long, value_enum)]
        role: Role,
    },
    /// Store the summary on standard input.
    Summary {
        /// The session.
        #[arg(long, value_name = "ID")]
        session: String,
        /// A message of the session that it stands for, by its number.
        #[arg(long = "message", value_name = "SEQ")]
        messages: Vec<u64>,
        /// A summary that it stands for.
        #[arg(long = "parent", value_name = "ID")]
        parents: Vec<String>,
    },
    /// Describe a stored content.
    Describe(Asked),
    /// Write a stored content, byte for byte.
    Read(Asked),
    /// Print the messages behind a summary.
    Expand(Asked),
    /// Check everything against its digests.
    Check,
    /// Write everything as JSON, one object a line.
    Export,
    /// Remove sessions, their contents and their descendants, and free the space.
    Gc {
        /// The sessions.
        #[arg(long = "session", value_name = "ID")]
        sessions: Vec<String>,
    },
    /// List all paths in and out, and prove that the list is complete.
    Paths {
        /// Write the inventory to this file instead of comparing it with the committed one.
        #[arg(long, value_name = "FILE")]
        write: Option<PathBuf>,
    },
    /// Answer requests on standard input, one JSON object per line.
    Serve,
}

/// A content that is asked for.
#[derive(Debug, Args)]
struct Asked {
    /// Its id.
    id: String,
    /// The session that asks.
    #[arg(long, value_name = "ID")]
    session: String,
    /// What kind of agent asks.
    #[arg(long, value_enum, default_value_t = CallerName::Main)]
    caller: CallerName,
}

/// The value of `--caller`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum CallerName {
    /// The agent that talks with the user.
    Main,
    /// An agent that another one has started.
    SubAgent,
}

/// The value of `--role`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Role {
    System,
    User,
    Assistant,
    Tool,
}

impl Lcm {
    /// Runs the sub-command.
    pub fn run(self) -> Result<u8, Failure> {
        let Self { command, options } = self;
        let request = match command {
            Command::Paths { write } => return inventory::run(write.as_deref(), options.json),
            Command::Check => return options.check(),
            Command::Export => return options.export(),
            Command::Gc { sessions } => return options.collect(&sessions),
            Command::Serve => return serve::run(&mut options.open()?),
            Command::Session { id, parent } => Request::Session { session: id, parent },
            Command::Put { session, path, tool, name, file } => {
                let content = if file.is_some() { None } else { Some(standard_input()?) };
                Request::Put(Put { session, path, tool, name, file, content })
            }
            Command::Message { session, role } => {
                Request::Message { session, role: role.into(), content: standard_input()? }
            }
            Command::Summary { session, messages, parents } => {
                Request::Summary { session, messages, parents, content: standard_input()? }
            }
            Command::Describe(Asked { id, session, caller }) => {
                Request::Describe { id, session, caller: caller.into() }
            }
            Command::Read(Asked { id, session, caller }) => {
                Request::Read { id, session, caller: caller.into() }
            }
            Command::Expand(Asked { id, session, caller }) => {
                Request::Expand { id, session, caller: caller.into() }
            }
        };
        let mut lcm = options.open()?;
        let answer = request.answer(&mut lcm).map_err(|error| options.failure(&error))?;
        let mut out = Output::new();
        if options.json {
            out.json(&answer)?;
        } else if answer.is_content() {
            out.bytes(&answer.plain())?;
        } else {
            out.text(&String::from_utf8_lossy(&answer.plain()))?;
        }
        out.flush()?;
        if let Some(error) = answer.beside() {
            talk(&format!("warning: not stored: {error}"));
            return Ok(answer::code_beside(error));
        }
        Ok(exit::PASS)
    }
}

impl Options {
    fn open(&self) -> Result<Store, Failure> {
        let settings = Settings {
            disable_large_tool_output: self.disable_large_tool_output,
            large_tool_output_token_threshold: self.large_tool_output_token_threshold,
        };
        let place = self.place.find()?;
        Store::at(&place, self.profile.into(), settings, Box::new(Process))
            .map_err(|error| failure(&error))
    }

    fn existing(&self) -> Result<store::Store, Failure> {
        store::Store::existing(&self.place.find()?).map_err(|error| self.failure(&error))
    }

    /// A failure of the store. For a damaged store, the message says what is intact.
    fn failure(&self, error: &Error) -> Failure {
        let failure = failure(error);
        if !matches!(error, Error::Damaged(_)) {
            return failure;
        }
        let place = self.place.find().ok();
        let intact = place
            .and_then(|place| store::Store::existing(&place).ok())
            .map_or("nothing of it can be read".to_owned(), |store| store.check().line());
        Failure::new(exit::IO, format!("{failure}; {intact}"))
    }

    fn check(&self) -> Result<u8, Failure> {
        let place = self.place.find()?;
        let report = match store::Store::existing(&place) {
            Ok(store) => store.check(),
            Err(Error::Damaged(why)) => store::Report::unreadable(why),
            Err(error) => return Err(failure(&error)),
        };
        let mut out = Output::new();
        if self.json {
            out.json(&report)?;
        } else {
            out.text(&report.line())?;
            out.text("\n")?;
        }
        out.flush()?;
        Ok(if report.intact { exit::PASS } else { exit::IO })
    }

    fn export(&self) -> Result<u8, Failure> {
        let store = self.existing()?;
        let mut out = Output::new();
        let exported = store.export(|line| Ok(out.json(&line)?));
        exported.map_err(|error| self.failure(&error))?;
        out.flush()?;
        Ok(exit::PASS)
    }

    fn collect(&self, sessions: &[String]) -> Result<u8, Failure> {
        let removed = self.existing()?.remove(sessions).map_err(|error| self.failure(&error))?;
        let mut out = Output::new();
        if self.json {
            out.json(&removed)?;
        } else {
            let store::Removed { sessions, messages, summaries, files, .. } = removed;
            let freed = removed.bytes_before.saturating_sub(removed.bytes_after);
            out.text(&format!(
                "removed: {sessions} sessions, {files} large contents, {messages} messages, {summaries} summaries; {freed} bytes freed\n"
            ))?;
        }
        out.flush()?;
        Ok(exit::PASS)
    }
}

impl From<CallerName> for Caller {
    fn from(name: CallerName) -> Self {
        match name {
            CallerName::Main => Self::Main,
            CallerName::SubAgent => Self::SubAgent,
        }
    }
}

impl From<Role> for store::Role {
    fn from(role: Role) -> Self {
        match role {
            Role::System => Self::System,
            Role::User => Self::User,
            Role::Assistant => Self::Assistant,
            Role::Tool => Self::Tool,
        }
    }
}

/// All of standard input, at most one byte more than a content may have.
fn standard_input() -> Result<Content, Failure> {
    let mut bytes = Vec::new();
    io::stdin().lock().take(LARGEST + 1).read_to_end(&mut bytes)?;
    Ok(Content::of(bytes))
}
