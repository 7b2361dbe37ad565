//! `parity hook install|uninstall|status`: the settings of clients.

use std::{
    env,
    path::{Path, PathBuf},
};

use agents::{
    hook::{Client, TABLES},
    install::{self, Call, Change, InstallError, Installed, install, installed, uninstall},
};
use clap::{Args, Subcommand};
use record::exit;

use super::{ModeName, client, clients};
use crate::{
    Failure,
    console::{Output, talk},
};

/// What is done with the settings of clients.
#[derive(Debug, Subcommand)]
pub enum Action {
    /// Have a client call this program at its events and start its server. Prints what it changes; entries
    /// of other programs stay as they are.
    Install(Install),
    /// Undo `install`.
    Uninstall(Uninstall),
    /// Print which clients call this program, and how.
    Status(Status),
}

#[derive(Debug, Args)]
pub struct Install {
    #[command(flatten)]
    target: Target,
    /// What becomes of a map, as in `parity hook`.
    #[arg(long, value_enum, default_value_t = ModeName::Inject)]
    mode: ModeName,
    /// Install the hooks only, not the server (`parity mcp`).
    #[arg(long)]
    no_mcp: bool,
    /// Without the skill, which tells the agent when to call which tool.
    #[arg(long)]
    no_skill: bool,
}

#[derive(Debug, Args)]
pub struct Uninstall {
    #[command(flatten)]
    target: Target,
}

#[derive(Debug, Args)]
pub struct Status {
    /// The client [default: all].
    #[arg(long, value_name = "CLIENT", value_parser = clients())]
    client: Option<String>,
    #[command(flatten)]
    place: PlaceOptions,
}

#[derive(Debug, Args)]
struct Target {
    /// The client.
    #[arg(long, value_name = "CLIENT", value_parser = clients())]
    client: String,
    #[command(flatten)]
    place: PlaceOptions,
    /// Only show what would change.
    #[arg(long)]
    dry_run: bool,
}

#[derive(Debug, Args)]
struct PlaceOptions {
    /// The folder of the project.
    #[arg(long, value_name = "DIR", default_value = ".", conflicts_with = "user")]
    root: PathBuf,
    /// Change the user's settings instead of the project's.
    #[arg(long)]
    user: bool,
}

impl Action {
    /// Runs the action.
    pub fn run(self) -> Result<u8, Failure> {
        match self {
            Self::Install(install) => install.run(),
            Self::Uninstall(Uninstall { target }) => {
                let folder = target.place.folder()?;
                let changes = uninstall(&client(&target.client)?, target.place.of(&folder));
                target.make(&changes.map_err(|error| failure(&error))?)
            }
            Self::Status(status) => status.run(),
        }
    }
}

impl Install {
    fn run(self) -> Result<u8, Failure> {
        let client = client(&self.target.client)?;
        let program = program()?;
        let quoted =
            shlex::try_quote(&program).map_err(|error| Failure::internal(error.to_string()))?;
        let event = format!("hook --client {} --mode {}", self.target.client, self.mode.name());
        let call = Call {
            program: &program,
            quoted: &quoted,
            event: &event,
            with_server: !self.no_mcp,
            with_skill: !self.no_skill,
        };
        let folder = self.target.place.folder()?;
        let changes = install(&client, self.target.place.of(&folder), &call);
        let code = self.target.make(&changes.map_err(|error| failure(&error))?)?;
        if let Some(trust) = &client.trust {
            talk(trust);
        }
        Ok(code)
    }
}

impl Target {
    /// Prints the changes, and makes them unless this is a dry run.
    fn make(&self, changes: &[Change]) -> Result<u8, Failure> {
        let mut out = Output::new();
        for change in changes {
            let path = base::text::visible::path(&change.path);
            if change.is_none() {
                out.text(&format!("{path}: nothing to change\n"))?;
            } else {
                out.text(&format!("{path}:\n{}", change.difference()))?;
            }
        }
        out.flush()?;
        if !self.dry_run {
            changes.iter().try_for_each(Change::apply).map_err(|error| failure(&error))?;
        }
        Ok(exit::PASS)
    }
}

impl Status {
    fn run(self) -> Result<u8, Failure> {
        let folder = self.place.folder()?;
        let mut out = Output::new();
        let wanted = |name: &str| self.client.as_deref().is_none_or(|client| client == name);
        for (name, table) in TABLES.iter().filter(|(name, _)| wanted(name)) {
            let client =
                Client::read(table).map_err(|error| Failure::internal(error.to_string()))?;
            match installed(&client, self.place.of(&folder)) {
                Ok(Some(found)) => out.text(&said(name, &found))?,
                Ok(None) if self.client.is_some() => {
                    out.text(&format!("{name}: has no settings that this program knows\n"))?;
                }
                Ok(None) => {}
                Err(error) => talk(&format!("{name}: {error}")),
            }
        }
        out.flush()?;
        Ok(exit::PASS)
    }
}

/// What is installed in a client, one line each.
fn said(name: &str, found: &Installed) -> String {
    let Installed { events, wanted, server, skill } = found;
    if events.is_empty() && server.is_none() && skill.is_none() {
        return format!("{name}: not installed\n");
    }
    let has_server = if server.is_some() { "server" } else { "no server" };
    let has_skill = if skill.is_some() { "skill" } else { "no skill" };
    let head = format!("{name}: {} of {wanted} hooks, {has_server}, {has_skill}\n", events.len());
    let events = events.iter().map(|(event, command)| format!("  {event}: {command}\n"));
    let server = server.iter().map(|program| format!("  server: {program} mcp\n"));
    let skill = skill.iter().map(|file| format!("  skill: {file}\n"));
    [head].into_iter().chain(events).chain(server).chain(skill).collect()
}

impl PlaceOptions {
    const fn of<'a>(&self, folder: &'a Path) -> install::Place<'a> {
        install::Place { folder, is_user: self.user }
    }

    fn folder(&self) -> Result<PathBuf, Failure> {
        if !self.user {
            return Ok(std::path::absolute(&self.root)?);
        }
        etcetera::home_dir()
            .map_err(|_| Failure::new(exit::SETUP, "there is no home folder: set HOME".to_owned()))
    }
}

/// How a client starts this program: by its name if the search path leads to it, so that the settings
/// of a project work for everybody, otherwise by its path.
fn program() -> Result<String, Failure> {
    let own = env::current_exe()?;
    let path = env::var_os("PATH").unwrap_or_default();
    let first =
        env::split_paths(&path).map(|folder| folder.join("parity")).find(|file| file.is_file());
    if first.and_then(|file| file.canonicalize().ok()).is_some_and(|file| file == own) {
        return Ok("parity".to_owned());
    }
    own.to_str().map(str::to_owned).ok_or_else(|| {
        Failure::new(exit::SETUP, "the path of this program is not UTF-8".to_owned())
    })
}

fn failure(error: &InstallError) -> Failure {
    let code = match error {
        InstallError::NoSettings(_) => exit::USAGE,
        _ => exit::IO,
    };
    Failure::new(code, error.to_string())
}
