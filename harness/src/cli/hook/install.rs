//! `parity hook install|uninstall|status`: the settings of clients.

use std::{env, path::PathBuf};

use agents::{
    hook::{Client, TABLES},
    install::{Change, InstallError, install, installed, uninstall},
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
    /// Have a client call this program at its events. What changes is shown; nothing of others does.
    Install(Install),
    /// Take that back.
    Uninstall(Uninstall),
    /// Say which clients call this program, and how.
    Status(Status),
}

#[derive(Debug, Args)]
pub struct Install {
    #[command(flatten)]
    target: Target,
    /// What becomes of a map, as in `parity hook`.
    #[arg(long, value_enum, default_value_t = ModeName::Inject)]
    mode: ModeName,
}

#[derive(Debug, Args)]
pub struct Uninstall {
    #[command(flatten)]
    target: Target,
}

#[derive(Debug, Args)]
pub struct Status {
    #[command(flatten)]
    place: Place,
}

#[derive(Debug, Args)]
struct Target {
    /// The client.
    #[arg(long, value_name = "CLIENT", value_parser = clients())]
    client: String,
    #[command(flatten)]
    place: Place,
    /// Only show what would change.
    #[arg(long)]
    dry_run: bool,
}

#[derive(Debug, Args)]
struct Place {
    /// The folder of the project.
    #[arg(long, value_name = "DIR", default_value = ".", conflicts_with = "user")]
    root: PathBuf,
    /// The settings of the user instead of a project's.
    #[arg(long)]
    user: bool,
}

impl Action {
    /// Does it.
    pub fn run(self) -> Result<u8, Failure> {
        match self {
            Self::Install(install) => install.run(),
            Self::Uninstall(Uninstall { target }) => {
                let change = uninstall(&client(&target.client)?, &target.place.folder()?);
                target.make(&change.map_err(|error| failure(&error))?)
            }
            Self::Status(status) => status.run(),
        }
    }
}

impl Install {
    fn run(self) -> Result<u8, Failure> {
        let client = client(&self.target.client)?;
        let command = format!(
            "{} hook --client {} --mode {}",
            program()?,
            self.target.client,
            self.mode.name()
        );
        let change = install(&client, &self.target.place.folder()?, &command);
        self.target.make(&change.map_err(|error| failure(&error))?)
    }
}

impl Target {
    /// Shows a change, and makes it unless it is only to be shown.
    fn make(&self, change: &Change) -> Result<u8, Failure> {
        let mut out = Output::new();
        let path = base::text::visible::path(&change.path);
        if change.is_none() {
            out.text(&format!("{path}: nothing to change\n"))?;
        } else {
            out.text(&format!("{path}:\n{}", change.difference()))?;
        }
        out.flush()?;
        if !self.dry_run {
            change.apply().map_err(|error| failure(&error))?;
        }
        Ok(exit::PASS)
    }
}

impl Status {
    fn run(self) -> Result<u8, Failure> {
        let folder = self.place.folder()?;
        let mut out = Output::new();
        for (name, table) in TABLES {
            let client =
                Client::read(table).map_err(|error| Failure::internal(error.to_string()))?;
            let Some(settings) = &client.settings else { continue };
            match installed(&client, &folder) {
                Ok(found) if found.is_empty() => {
                    out.text(&format!("{name}: not in {}\n", settings.file))?;
                }
                Ok(found) => {
                    out.text(&format!("{name}: in {}\n", settings.file))?;
                    for (event, command) in found {
                        out.text(&format!("  {event}: {command}\n"))?;
                    }
                }
                Err(error) => talk(&format!("{name}: {error}")),
            }
        }
        out.flush()?;
        Ok(exit::PASS)
    }
}

impl Place {
    fn folder(&self) -> Result<PathBuf, Failure> {
        if !self.user {
            return Ok(std::path::absolute(&self.root)?);
        }
        etcetera::home_dir()
            .map_err(|_| Failure::new(exit::SETUP, "there is no home folder: set HOME".to_owned()))
    }
}

/// How a client calls this program: by its name where the search path leads to it, so that the settings
/// of a project serve everybody, otherwise by its place.
fn program() -> Result<String, Failure> {
    let own = env::current_exe()?;
    let path = env::var_os("PATH").unwrap_or_default();
    let first =
        env::split_paths(&path).map(|folder| folder.join("parity")).find(|file| file.is_file());
    if first.and_then(|file| file.canonicalize().ok()).is_some_and(|file| file == own) {
        return Ok("parity".to_owned());
    }
    let own = own.to_str().ok_or_else(|| {
        Failure::new(exit::SETUP, "the path of this program is not UTF-8".to_owned())
    })?;
    let quoted = shlex::try_quote(own).map_err(|error| Failure::internal(error.to_string()))?;
    Ok(quoted.into_owned())
}

fn failure(error: &InstallError) -> Failure {
    let code = match error {
        InstallError::NoSettings(_) => exit::USAGE,
        _ => exit::IO,
    };
    Failure::new(code, error.to_string())
}
