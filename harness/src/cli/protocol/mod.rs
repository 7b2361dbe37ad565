//! `parity protocol`: what the protocol demands of a sign-off, and its versions.

mod diff;
mod status;

use std::{fs, path::Path};

use clap::{Args, Subcommand};
use record::{
    Profile, Schema, exit,
    protocol::{COMPOSITION, FREEZE, NAME},
    write_atomically,
};
use verdict::composition::{Composition, SignOff};

use crate::{
    Failure, Folders,
    cli::{ProfileName, SetName},
    console::{Output, talk},
    corpus,
    planning::{Raw, Setup, Wanted},
    protocol::{Bumped, COMPARED, bump, freeze, in_force},
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
    Diff(diff::Diff),
    Status(status::Status),
    /// Make the next version: a copy of the hand-written files with raised version fields.
    Bump,
    /// Freeze the version in force: write the digest of every file and label that may not change.
    Freeze,
}

/// Plan every sign-off and print what it consists of: gates, budgets, corpora, cases, repeats,
/// seeded runs and files to explore. `parity verify` demands what the committed file says.
#[derive(Debug, Args)]
struct Compose {
    /// Only this set [default: all sets].
    #[arg(long, value_enum)]
    set: Option<SetName>,
    /// Only this profile [default: both].
    #[arg(long, value_enum)]
    profile: Option<ProfileName>,
    /// Put it into the protocol, in place of what is there of the same set and profile.
    #[arg(long)]
    write: bool,
}

impl Protocol {
    /// Runs the command.
    pub fn run(self) -> Result<u8, Failure> {
        match self.command {
            Command::Compose(compose) => compose.run(),
            Command::Diff(diff) => diff.run(),
            Command::Status(status) => status.run(),
            Command::Bump => {
                let bumped = bump(&Folders::find()?.root)?;
                let mut out = Output::new();
                write!(out, "{}", said(&bumped))?;
                out.flush()?;
                Ok(exit::PASS)
            }
            Command::Freeze => {
                let root = Folders::find()?.root;
                in_force(&root)?;
                let new = freeze(&root)?;
                talk(&format!(
                    "protocol {NAME}: {new} files more are frozen in {FREEZE}; commit it"
                ));
                Ok(exit::PASS)
            }
        }
    }
}

/// What a bump did, and what is left to do.
fn said(bumped: &Bumped) -> String {
    let Bumped { from, to, copied, raised } = bumped;
    let list =
        |lines: &[String]| lines.iter().map(|line| format!("  {line}\n")).collect::<String>();
    let (count, copied, raised) = (copied.len(), list(copied), list(raised));
    format!(
        "protocol {to} is in force, as a draft. {count} files were copied from {from}:\n{copied}\
         raised:\n{raised}\
         Nothing else was moved. Change what {to} is for, then make again, in this order:\n  \
         the program        cargo build (it knows its protocol when it is compiled)\n  \
         gold               cargo parity gold generate; where no rule of gold, oracle or corpus changed:\n                     \
         git mv gold/{from} gold/{to}\n  \
         the freeze         cargo parity protocol freeze\n  \
         the composition    cargo parity protocol compose --write\n  \
         ledgers            cargo parity record --set full\n  \
         snapshots          cargo parity score --set full --report FILE, in both profiles\n  \
         bundles            cargo parity run --set smoke and full; bundles of {from} verify only in a checkout of {from}\n\
         cargo parity protocol status says what is still of {from}; cargo parity protocol diff says what {to} changes.\n\
         Of protocols/{from} keep what {to} is compared with, and remove the rest: {kept}.\n",
        kept = COMPARED.join(", "),
    )
}

impl Compose {
    fn run(self) -> Result<u8, Failure> {
        let folders = Folders::find()?;
        let sets = self.set.map_or(vec![SetName::Smoke, SetName::Full], |set| vec![set]);
        let profiles = self.profile.map_or(Profile::ALL.to_vec(), |one| vec![one.into()]);
        let path = folders.root.join(COMPOSITION);
        let nothing = Composition { schema_version: Schema, sign_off: Vec::new() };
        // A plan rests on the composition, so a version that has none yet gets an empty one for as long as plans are
        // made.
        let is_first = self.write && !path.exists();
        if is_first {
            write(&path, &nothing)?;
        }
        let plans = sets.into_iter().flat_map(|set| profiles.iter().map(move |one| (set, *one)));
        let composed: Result<Vec<SignOff>, Failure> =
            plans.map(|(set, profile)| sign_off(&folders, set, profile)).collect();
        if is_first && composed.is_err() {
            fs::remove_file(&path)?;
        }
        let composed = composed?;
        let mut all = if self.write {
            Composition::open(&folders.root)
                .map_err(|error| Failure::new(exit::SETUP, error.to_string()))?
        } else {
            nothing
        };
        let made = |one: &SignOff| {
            composed.iter().any(|new| (new.set, new.profile) == (one.set, one.profile))
        };
        all.sign_off.retain(|one| !made(one));
        all.sign_off.extend(composed);
        all.sign_off.sort_by_key(|one| (one.set, one.profile));
        if self.write {
            write(&path, &all)?;
            talk(&format!("wrote {}; read the difference before you commit it", path.display()));
        } else {
            let mut out = Output::new();
            write!(out, "{}", text(&all)?)?;
            out.flush()?;
        }
        Ok(exit::PASS)
    }
}

fn text(composition: &Composition) -> Result<String, Failure> {
    composition.to_toml().map_err(|error| Failure::internal(error.to_string()))
}

fn write(path: &Path, composition: &Composition) -> Result<(), Failure> {
    write_atomically(path, text(composition)?.as_bytes())
        .map_err(|error| Failure::new(exit::IO, error.to_string()))
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
        comparator: None,
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
