//! `parity index`: tags extracted from files, kept for maps and navigation.

use std::{env, path::PathBuf};

use ::config::Config;
use base::profile::Profile;
use clap::{Args, Subcommand};
use index::{IndexError, Settings, Synced};
use record::exit;
use serde::Serialize;

use super::{
    config::{ConfigOptions, cache, in_index},
    export::Export,
    map::memory_size,
    supervise,
};
use crate::{
    Failure,
    console::{Bar, Output, talk},
};

/// The variables that determine the user's cache folder.
const PLACES: [&str; 3] = ["PARITY_CACHE_DIR", "XDG_CACHE_HOME", "HOME"];

/// The settings of the user's index, with those of the configuration. `None` if no variable determines
/// the user's cache, as in recorded runs.
pub fn settings(config: &Config) -> Option<Settings> {
    if config.cache_dir().is_none() {
        PLACES.iter().find(|name| env::var_os(name).is_some_and(|value| !value.is_empty()))?;
    }
    let folder = cache(config).ok()?.join("index");
    Some(in_index(config, Settings::in_folder(folder)))
}

/// Keep what was extracted from the files of a repository.
#[derive(Debug, Args)]
pub struct Index {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Read what has changed since the last sync.
    Sync {
        #[command(flatten)]
        about: About,
        #[command(flatten)]
        patience: supervise::Patience,
    },
    /// Sync now and whenever files change, until interrupted.
    Watch {
        #[command(flatten)]
        about: About,
        #[command(flatten)]
        patience: supervise::Patience,
    },
    /// Print what the index holds.
    Status {
        #[command(flatten)]
        about: About,
    },
    /// Write definitions and references to a file that other programs read.
    Export {
        #[command(flatten)]
        about: About,
        #[command(flatten)]
        export: Export,
        #[command(flatten)]
        patience: supervise::Patience,
    },
    /// Shrink the index: least recently used entries go first.
    Prune {
        #[command(flatten)]
        config: ConfigOptions,
        /// The size to shrink to, such as 200M; 0 removes everything.
        #[arg(long, value_name = "SIZE", value_parser = memory_size, default_value = "1G")]
        max_size: u64,
        /// Print one JSON object.
        #[arg(long)]
        json: bool,
    },
}

/// A repository, and how to print.
#[derive(Debug, Args)]
struct About {
    /// A directory inside the work tree.
    #[arg(default_value = ".")]
    repo: PathBuf,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    config: ConfigOptions,
}

impl Index {
    /// Runs the command.
    pub fn run(self) -> Result<u8, Failure> {
        match self.command {
            Command::Sync { about, patience } => {
                let avoided = supervise::supervise(supervise::INDEX, patience)?;
                let settings = Settings { avoided, ..about.settings()? };
                let bar = Bar::spinner().named("index");
                let tell = |done, all| bar.say(&format!("{done} of {all} files read"));
                let done =
                    index::sync(&settings, &about.repo, &tell).map_err(|error| failure(&error))?;
                bar.clear();
                tell_of(&done);
                print(about.json, &done, &said_of(&done))
            }
            Command::Watch { about, patience } => {
                let avoided = supervise::supervise(supervise::INDEX, patience)?;
                let settings = Settings { avoided, ..about.settings()? };
                let mut before: Option<Synced> = None;
                let mut stopped = Ok(exit::PASS);
                index::watch(&settings, &about.repo, &|_, _| {}, &mut |done| {
                    if before.as_ref().is_some_and(|before| before.generation == done.generation) {
                        return true;
                    }
                    tell_of(done);
                    stopped = print(about.json, done, &said_of(done));
                    before = Some(done.clone());
                    stopped.is_ok()
                })
                .map_err(|error| failure(&error))?;
                stopped
            }
            Command::Status { about } => {
                let found = index::status(&about.settings()?, &about.repo)
                    .map_err(|error| failure(&error))?;
                found.notice.iter().for_each(|notice| talk(notice));
                let said = format!(
                    "{} files of this repository; {} contents of {} repositories in {} KiB",
                    found.files,
                    found.contents,
                    found.roots,
                    found.bytes >> 10
                );
                print(about.json, &found, &said)
            }
            Command::Export { about, export, patience } => {
                let avoided = supervise::supervise(supervise::INDEX, patience)?;
                let settings = Settings { avoided, ..about.settings()? };
                let (exported, said) = export.write(settings, &about.repo)?;
                print(about.json, &exported, &said)
            }
            Command::Prune { config, max_size, json } => {
                // The index is shared by all repositories.
                let config = config.load_of_user()?;
                let settings = settings(&config).ok_or_else(nowhere)?;
                let pruned = index::prune(&settings, max_size).map_err(|error| failure(&error))?;
                let said = format!(
                    "removed {} contents and {} repositories; {} KiB are left",
                    pruned.contents,
                    pruned.roots,
                    pruned.bytes >> 10
                );
                print(json, &pruned, &said)
            }
        }
    }
}

/// Prints notices about the store, and the files that could not be indexed.
fn tell_of(done: &Synced) {
    done.notice.iter().for_each(|notice| talk(notice));
    for pending in &done.pending {
        talk(&format!("left out: {}: {}", pending.file, pending.reason));
    }
}

fn said_of(done: &Synced) -> String {
    format!("{} files, {} of them read now", done.files, done.extracted)
}

impl About {
    fn settings(&self) -> Result<Settings, Failure> {
        settings(&self.config.load(&self.repo, Vec::new())?).ok_or_else(nowhere)
    }
}

fn nowhere() -> Failure {
    Failure::new(exit::SETUP, "there is no cache folder: set PARITY_CACHE_DIR".to_owned())
}

fn print(json: bool, value: &impl Serialize, said: &str) -> Result<u8, Failure> {
    let mut out = Output::of(Profile::Enhancement);
    if json {
        out.json(value)?;
    } else {
        out.text(&format!("{said}\n"))?;
    }
    out.flush()?;
    Ok(exit::PASS)
}

fn failure(error: &IndexError) -> Failure {
    let code = match error {
        IndexError::Root(_) | IndexError::Unused(_) => exit::SETUP,
        IndexError::Store(_) | IndexError::Unwatched(_) => exit::IO,
    };
    Failure::new(code, error.to_string())
}
