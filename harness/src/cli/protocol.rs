//! `parity protocol`: what the protocol demands of a sign-off.

use clap::{Args, Subcommand};
use record::{Profile, Schema, exit, protocol::COMPOSITION, write_atomically};
use verdict::composition::{Composition, SignOff};

use super::{ProfileName, SetName};
use crate::{
    Failure, Folders,
    console::{Output, talk},
    corpus,
    planning::{Raw, Setup, Wanted},
};

/// Work on the protocol's own files.
#[derive(Debug, Args)]
pub struct Protocol {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Compose(Compose),
}

/// Plan every sign-off and print what it consists of: gates, budgets, corpora, cases, repeats,
/// seeded runs and files to explore. `parity verify` demands what the committed file says.
#[derive(Debug, Args)]
struct Compose {
    /// Only this set; all sets if left out.
    #[arg(long, value_enum)]
    set: Option<SetName>,
    /// Only this profile; both if left out.
    #[arg(long, value_enum)]
    profile: Option<ProfileName>,
    /// Put it into the protocol, in place of what is there of the same set and profile.
    #[arg(long)]
    write: bool,
}

impl Protocol {
    /// Runs the command.
    pub fn run(self) -> Result<u8, Failure> {
        let Command::Compose(compose) = self.command;
        compose.run()
    }
}

impl Compose {
    fn run(self) -> Result<u8, Failure> {
        let folders = Folders::find()?;
        let sets = self.set.map_or(vec![SetName::Smoke, SetName::Full], |set| vec![set]);
        let profiles = self.profile.map_or(Profile::ALL.to_vec(), |one| vec![one.into()]);
        let mut composed = Vec::new();
        for set in sets {
            for profile in &profiles {
                composed.push(sign_off(&folders, set, *profile)?);
            }
        }
        let path = folders.root.join(COMPOSITION);
        let mut all = if self.write && path.exists() {
            Composition::open(&folders.root)
                .map_err(|error| Failure::new(exit::SETUP, error.to_string()))?
        } else {
            Composition { schema_version: Schema, sign_off: Vec::new() }
        };
        let made = |one: &SignOff| {
            composed.iter().any(|new| (new.set, new.profile) == (one.set, one.profile))
        };
        all.sign_off.retain(|one| !made(one));
        all.sign_off.extend(composed);
        all.sign_off.sort_by_key(|one| (one.set, one.profile));
        let text = all.to_toml().map_err(|error| Failure::internal(error.to_string()))?;
        if self.write {
            write_atomically(&path, text.as_bytes())
                .map_err(|error| Failure::new(exit::IO, error.to_string()))?;
            talk(&format!("wrote {}; read the difference before you commit it", path.display()));
        } else {
            let mut out = Output::new();
            write!(out, "{text}")?;
            out.flush()?;
        }
        Ok(exit::PASS)
    }
}

/// What the sign-off over a whole set consists of, by a plan of it.
fn sign_off(folders: &Folders, set: SetName, profile: Profile) -> Result<SignOff, Failure> {
    let wanted = Wanted {
        set: set.into(),
        profile,
        gates: Vec::new(),
        corpora: None,
        budgets: Vec::new(),
        languages: Vec::new(),
        raw: Raw::Due,
    };
    talk(&format!("planning set {}, {profile} profile", wanted.set));
    let setup = Setup::prepare(folders, &wanted, &mut *corpus::progress::on_stderr(false))?;
    let skipped: Vec<&str> =
        setup.plan.skipped.keys().chain(setup.plan.unexplored.keys()).map(String::as_str).collect();
    if !skipped.is_empty() {
        let why = format!("a composition needs every corpus; not here: {}", skipped.join(", "));
        return Err(Failure::new(exit::SETUP, why));
    }
    SignOff::of_plan(&setup.plan).map_err(|error| Failure::internal(error.to_string()))
}
