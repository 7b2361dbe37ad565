//! `parity doctor`: is everything there that agents need?

use std::{
    env,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use ::config::{Config, Key, Set, Source};
use agents::{
    Configured, Job, Problem, Worker,
    hook::{Client, DEFAULT_TIMEOUT_MS, TABLES},
    install::{Place, installed},
    store::Store,
};
use clap::Args;
use record::exit;
use serde::Serialize;

use super::config::{ConfigOptions, said};
use crate::{Failure, console::Output};

/// How long a map may take without a warning: the default time of a hook.
const PATIENCE: Duration = Duration::from_millis(DEFAULT_TIMEOUT_MS);

/// Check what agents need: a repository, a place for maps, a map in time, hooks; and say where each setting
/// comes from. It warns and never fails.
#[derive(Debug, Args)]
pub struct Doctor {
    /// A directory inside the work tree.
    #[arg(default_value = ".")]
    root: PathBuf,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    config: ConfigOptions,
}

/// The result of one check.
#[derive(Debug, Serialize)]
struct Check {
    name: &'static str,
    ok: bool,
    said: String,
}

impl Check {
    const fn good(name: &'static str, said: String) -> Self {
        Self { name, ok: true, said }
    }

    const fn bad(name: &'static str, said: String) -> Self {
        Self { name, ok: false, said }
    }
}

impl Doctor {
    /// Runs all checks and prints their results.
    pub fn run(self) -> Result<u8, Failure> {
        let (config, configured) = self.configuration();
        let mut checks = vec![cache(&self.root, &config), map(&self.root, &config)?];
        checks.extend(hooks(&self.root));
        checks.push(configured);
        let mut out = Output::new();
        if self.json {
            let settings: Vec<_> = config.all().map(Setting::of).collect();
            out.json(&serde_json::json!({"checks": checks, "settings": settings}))?;
        } else {
            for check in checks {
                let mark = if check.ok { "ok     " } else { "warning" };
                out.text(&format!("{mark}  {}: {}\n", check.name, check.said))?;
            }
            for (key, set) in config.all() {
                out.text(&format!("setting  {}\n", said(key.name, set)))?;
            }
        }
        out.flush()?;
        Ok(exit::PASS)
    }
}

impl Doctor {
    /// The configuration, and whether all of it could be read.
    fn configuration(&self) -> (Config, Check) {
        const NAME: &str = "configuration";
        match self.config.load(&self.root, Vec::new()) {
            Ok(config) => {
                let set = config.all().filter(|(_, set)| set.sources != [Source::Default]).count();
                (config, Check::good(NAME, format!("keys that are set: {set}")))
            }
            Err(failure) => {
                let (config, _) = self.config.load_what_is_right(&self.root, Vec::new());
                let why = format!("{failure}; hooks and the server do without it");
                (config, Check::bad(NAME, why))
            }
        }
    }
}

/// One setting in JSON.
#[derive(Debug, Serialize)]
struct Setting<'a> {
    name: &'static str,
    #[serde(flatten)]
    set: &'a Set,
}

impl<'a> Setting<'a> {
    const fn of((key, set): (&'static Key, &'a Set)) -> Self {
        Self { name: key.name, set }
    }
}

/// Whether maps can be kept.
fn cache(root: &Path, config: &Config) -> Check {
    const NAME: &str = "cache";
    let folder = match super::config::cache(config) {
        Ok(folder) => folder,
        Err(failure) => return Check::bad(NAME, failure.to_string()),
    };
    match Store::open(&folder, root) {
        Ok(_) => Check::good(NAME, folder.display().to_string()),
        Err(error) => {
            Check::bad(NAME, format!("{}: {error}; every map is made anew", folder.display()))
        }
    }
}

/// Whether there is a map, and whether a hook would have it in time.
fn map(root: &Path, config: &Config) -> Result<Check, Failure> {
    const NAME: &str = "map";
    let started = Instant::now();
    let job = Job {
        max_tokens: config.max_tokens(),
        configured: Configured::from(config),
        ..Job::new(root)
    };
    let made = Worker::start(&env::current_exe()?, &job)
        .and_then(|mut worker| worker.wait(Some(started + 8 * PATIENCE), || true));
    let problem = match made {
        Ok(artifact) if artifact.ok => {
            let took = started.elapsed();
            let said = format!(
                "made in {} ms; files: {}, tokens: {}",
                took.as_millis(),
                artifact.stats.files_parsed,
                artifact.stats.token_count
            );
            return Ok(if took <= PATIENCE {
                Check::good(NAME, said)
            } else {
                Check::bad(
                    NAME,
                    format!("{said}; a hook gives the last map until the next is there"),
                )
            });
        }
        Ok(artifact) => Problem::of_artifact(&artifact),
        Err(problem) => problem,
    };
    Ok(Check::bad(NAME, problem.in_words()))
}

/// Which clients call this program.
fn hooks(root: &Path) -> Vec<Check> {
    const NAME: &str = "hooks";
    let clients =
        TABLES.iter().filter_map(|(name, table)| Some((*name, Client::read(table).ok()?)));
    let at = Place { folder: root, is_user: false };
    let check = |name: &str, client: &Client| match installed(client, at) {
        Ok(None) => None,
        Ok(Some(found)) if found.events.is_empty() && found.server.is_none() => {
            Some(Check::good(NAME, format!("{name}: none in this project")))
        }
        Ok(Some(found)) if found.events.len() == found.wanted => {
            let server = if found.server.is_some() { "a server" } else { "no server" };
            Some(Check::good(NAME, format!("{name}: {} hooks and {server}", found.wanted)))
        }
        Ok(Some(found)) => Some(Check::bad(
            NAME,
            format!("{name}: {} of {} hooks; install again", found.events.len(), found.wanted),
        )),
        Err(error) => Some(Check::bad(NAME, format!("{name}: {error}"))),
    };
    clients.filter_map(|(name, client)| check(name, &client)).collect()
}
