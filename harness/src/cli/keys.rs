//! `parity keys`: whose signatures you trust.

use std::{
    fs,
    path::{Path, PathBuf},
};

use clap::{Args, Subcommand};
use record::{exit, write_atomically};
use serde::Serialize;
use verdict::bundle::{
    keys::{self, KeyError, PUBLIC_FILE, SigningKey, read_public},
    policy::{
        PolicyError, REVIEWER, REVIEWERS_DIR, REVOKED_DIR, RUNNER, TRUSTED_DIR, name_of, pem_files,
    },
};

use super::sign::RoleName;
use crate::{Failure, console::Output};

/// Show, make, trust and revoke the keys that sign bundles.
#[derive(Debug, Args)]
pub struct Keys {
    #[command(subcommand)]
    command: Command,
    /// Print one JSON object.
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List your own key, those you trust and those you revoked, with names and ids.
    List,
    /// Make your own key, unless there is one, and print where its public half is.
    New,
    /// Trust a public key from now on. Compare its id with its owner over another channel first.
    Trust {
        /// The PEM file of the public key. It is copied.
        file: PathBuf,
        /// Your name for its owner.
        #[arg(long)]
        name: String,
        /// The role in which it may sign.
        #[arg(long, value_enum, default_value_t = RoleName::Runner)]
        role: RoleName,
    },
    /// Stop trusting a key, your own included. Its signatures count as absent everywhere.
    Revoke {
        /// Your name for it, or at least the first eight digits of its id.
        key: String,
    },
}

/// A key that the configuration directory holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Known {
    name: String,
    keyid: String,
    /// `own`, `runner`, `reviewer` or `revoked`.
    standing: &'static str,
    file: PathBuf,
}

impl Keys {
    /// Does what was asked, and lists the keys that are known then.
    pub fn run(self) -> Result<u8, Failure> {
        let failed = |error: KeyError| Failure::new(error.exit_code(), error.to_string());
        let directory = keys::config_dir().map_err(failed)?;
        match &self.command {
            Command::List => {}
            Command::New => {
                SigningKey::open_or_create(&directory).map_err(failed)?;
            }
            Command::Trust { file, name, role } => trust(&directory, file, name, *role)?,
            Command::Revoke { key } => revoke(&directory, key)?,
        }
        let known = known(&directory)?;
        let mut out = Output::new();
        if self.json {
            out.pretty_json(&serde_json::json!({
                "schema_version": 1,
                "directory": directory,
                "keys": known,
            }))?;
        } else {
            for Known { name, keyid, standing, file } in &known {
                writeln!(out, "{standing:8}  {name:20}  {keyid}  {}", file.display())?;
            }
            if known.is_empty() {
                writeln!(out, "no keys in {}", directory.display())?;
            }
        }
        out.flush()?;
        Ok(exit::PASS)
    }
}

/// All keys of the configuration directory.
fn known(directory: &Path) -> Result<Vec<Known>, Failure> {
    let mut files: Vec<(&'static str, PathBuf)> = Vec::new();
    let own = directory.join(PUBLIC_FILE);
    if own.exists() {
        files.push(("own", own));
    }
    for (standing, folder) in
        [(RUNNER, TRUSTED_DIR), (REVIEWER, REVIEWERS_DIR), ("revoked", REVOKED_DIR)]
    {
        let listed = pem_files(&directory.join(folder))
            .map_err(|error: PolicyError| Failure::new(error.exit_code(), error.to_string()))?;
        files.extend(listed.into_iter().map(|file| (standing, file)));
    }
    let read = |(standing, file): (&'static str, PathBuf)| {
        let key = read_public(&file)
            .map_err(|error| Failure::new(error.exit_code(), error.to_string()))?;
        Ok(Known { name: name_of(&file), keyid: key.keyid().to_owned(), standing, file })
    };
    files.into_iter().map(read).collect()
}

fn trust(directory: &Path, file: &Path, name: &str, role: RoleName) -> Result<(), Failure> {
    let usage = |why: String| Failure::new(exit::USAGE, why);
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.@+".contains(c);
    if name.is_empty()
        || name.len() > 64
        || name.starts_with(['-', '.'])
        || !name.chars().all(plain)
    {
        return Err(usage(format!(
            "{name:?} cannot name a key: use letters, digits, and - _ . @ + behind the first"
        )));
    }
    let key =
        read_public(file).map_err(|error| Failure::new(error.exit_code(), error.to_string()))?;
    for other in known(directory)? {
        if other.keyid == key.keyid() {
            let (name, standing) = (other.name, other.standing);
            return Err(usage(format!(
                "you know this key as {name} ({standing}); a key has one role"
            )));
        }
        if other.name == name {
            return Err(usage(format!("{name} is the name of the key {}", other.keyid)));
        }
    }
    let folder = if role == RoleName::Reviewer { REVIEWERS_DIR } else { TRUSTED_DIR };
    let pem = key.to_pem().map_err(|error| Failure::internal(error.to_string()))?;
    let path = directory.join(folder).join(format!("{name}.pub.pem"));
    write_atomically(&path, pem.as_bytes())
        .map_err(|error| Failure::new(exit::IO, error.to_string()))
}

/// Adds the public key to the revoked ones before it is removed, so that it is trusted at no moment in
/// between.
fn revoke(directory: &Path, wanted: &str) -> Result<(), Failure> {
    let by_id = wanted.len() >= 8 && wanted.bytes().all(|byte| byte.is_ascii_hexdigit());
    let matches = |key: &&Known| key.name == wanted || (by_id && key.keyid.starts_with(wanted));
    let known = known(directory)?;
    let found: Vec<&Known> =
        known.iter().filter(|key| key.standing != "revoked").filter(matches).collect();
    let [key] = found.as_slice() else {
        let count = found.len();
        let why = format!("{wanted:?} names {count} of your keys; `parity keys list` shows them");
        return Err(Failure::new(exit::USAGE, why));
    };
    let io = |error: std::io::Error| {
        Failure::new(exit::IO, format!("{} cannot be moved: {error}", key.file.display()))
    };
    let pem = fs::read(&key.file).map_err(io)?;
    let short = key.keyid.get(..12).unwrap_or(&key.keyid);
    let path = directory.join(REVOKED_DIR).join(format!("{}-{short}.pub.pem", key.name));
    write_atomically(&path, &pem).map_err(|error| Failure::new(exit::IO, error.to_string()))?;
    // The user's own key stays, because only its owner knows what else it signs.
    if key.standing == "own" { Ok(()) } else { fs::remove_file(&key.file).map_err(io) }
}
