//! The comparator's private environment: made on first use, reused afterwards.
//!
//! A Python environment cannot be moved, so it is built where it stays, and a stamp is written
//! into it last. A folder without a stamp comes from an interrupted build and is built again.

mod installer;

use std::{
    fs::{File, TryLockError},
    io::{self, Read, Seek, Write},
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

use record::{Digest, WriteError, exit, write_atomically};
use serde::{Deserialize, Serialize};

use super::{
    definition::ComparatorSpec,
    python::{self, Python, PythonError},
};
use crate::process::{self, ProcessError};

pub(super) use installer::has_uv;

const STAMP: &str = "parity-stamp.json";
const STAMP_VERSION: u32 = 1;

/// A finished environment.
#[derive(Debug, Clone)]
pub struct Environment {
    /// Its folder.
    pub root: PathBuf,
    /// Its interpreter.
    pub python: PathBuf,
    /// What was written into it when it was finished.
    pub stamp: Stamp,
}

/// Says that an environment is finished, and of what.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stamp {
    /// Format of this object.
    pub schema_version: u32,
    /// Digest of the requirements that were installed.
    pub lock_sha256: Digest,
    /// Version of the interpreter, such as `3.11.7`.
    pub python_version: String,
    /// How the interpreter was asked for.
    pub python_asked: String,
    /// `pip` or `uv`.
    pub installer: String,
    /// How long it took, in milliseconds.
    pub duration_ms: u64,
}

/// Why there is no environment.
#[derive(Debug, thiserror::Error)]
pub enum EnvironmentError {
    /// No interpreter serves.
    #[error(transparent)]
    Python(#[from] PythonError),
    /// The requirements are not the ones the definition names.
    #[error(
        "{path} has the digest {found}, but the definition says {expected}; restore it with git checkout"
    )]
    Lock {
        /// The requirements file.
        path: PathBuf,
        /// Its digest.
        found: Digest,
        /// What it should be.
        expected: Digest,
    },
    /// A downloaded package is not the locked one.
    #[error("a package does not have its locked digest; it was not used:\n{talk}")]
    HashMismatch {
        /// The end of what the installer said.
        talk: String,
    },
    /// The package index cannot be reached.
    #[error(
        "the package index cannot be reached; check the network or the installer's mirror settings, then run the same command again:\n{talk}"
    )]
    Network {
        /// The end of what the installer said.
        talk: String,
    },
    /// A step failed for another reason.
    #[error("{step} {ending}:\n{talk}")]
    Step {
        /// What was being done.
        step: &'static str,
        /// How it ended.
        ending: String,
        /// The end of what it said.
        talk: String,
    },
    /// The user interrupted it.
    #[error("interrupted while making the comparator's environment; run the same command again")]
    Interrupted,
    /// A program could not be run.
    #[error(transparent)]
    Process(#[from] ProcessError),
    /// Reading or writing failed.
    #[error("cannot {action} {path}: {source}")]
    Io {
        /// What was being done.
        action: &'static str,
        /// Where.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The stamp could not be written.
    #[error(transparent)]
    Stamp(#[from] WriteError),
}

impl EnvironmentError {
    /// The exit code of this error.
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::Lock { .. } | Self::HashMismatch { .. } => exit::DIGEST,
            Self::Interrupted => exit::INCOMPLETE,
            Self::Io { .. } | Self::Stamp(_) => exit::IO,
            Self::Python(_) | Self::Network { .. } | Self::Step { .. } | Self::Process(_) => {
                exit::SETUP
            }
        }
    }
}

/// Where environments are and which interpreter the user wants.
#[derive(Debug, Clone)]
pub struct Environments<'a> {
    /// The comparator.
    pub room: &'a ComparatorSpec,
    /// The cache folder of this program.
    pub cache: PathBuf,
    /// The value of [`python::OVERRIDE`].
    pub python_override: Option<String>,
}

impl<'a> Environments<'a> {
    /// Environments below `cache`, with the user's choice of interpreter.
    pub fn new(room: &'a ComparatorSpec, cache: &Path) -> Self {
        let python_override = std::env::var(python::OVERRIDE).ok().filter(|name| !name.is_empty());
        Self { room, cache: cache.to_owned(), python_override }
    }

    /// The finished environment, if there is one. Starts no program. Without an override the
    /// reference version is preferred.
    pub fn ready(&self) -> Option<Environment> {
        let install = &self.room.definition.install;
        let others = install.python.iter().filter(|minor| **minor != install.python_reference);
        std::iter::once(&install.python_reference).chain(others).find_map(|minor| {
            let environment = self.finished(&self.folder(minor))?;
            let wanted = self.python_override.as_ref();
            wanted
                .is_none_or(|asked| *asked == environment.stamp.python_asked)
                .then_some(environment)
        })
    }

    /// The finished environment, made first when there is none. `progress` gets lines for the user.
    pub fn prepare(&self, progress: &mut dyn FnMut(&str)) -> Result<Environment, EnvironmentError> {
        self.check_lock()?;
        if let Some(environment) = self.ready() {
            return Ok(environment);
        }
        let with_uv = has_uv();
        let install = &self.room.definition.install;
        let base = python::find(install, self.python_override.as_deref(), !with_uv)?;
        let folder = self.folder(&base.minor());
        let parent = folder.parent().unwrap_or(&self.cache);
        std::fs::create_dir_all(parent).map_err(|error| io_error("create", parent, error))?;
        let lock = wait_for_lock(&folder.with_added_extension("lock"), progress)?;
        // Whoever held the lock may have made it.
        let lock = Arc::new(lock);
        let environment = match self.finished(&folder) {
            // The same interpreter may be asked for by another name.
            Some(found) if found.stamp.python_version == base.version => found,
            _ => self.build(&folder, &base, with_uv, &lock, progress)?,
        };
        drop(lock);
        Ok(environment)
    }

    fn folder(&self, python_minor: &str) -> PathBuf {
        let definition = &self.room.definition;
        let lock = definition.install.lock_sha256.as_str();
        let name =
            format!("{}-{}-py{python_minor}", definition.name, lock.get(..16).unwrap_or(lock));
        self.cache.join("comparators").join(name)
    }

    /// The environment in `folder` if its stamp is there and its interpreter still exists.
    fn finished(&self, folder: &Path) -> Option<Environment> {
        let stamp: Stamp = serde_json::from_slice(&std::fs::read(folder.join(STAMP)).ok()?).ok()?;
        let python = folder.join("bin").join("python");
        let usable = stamp.schema_version == STAMP_VERSION
            && stamp.lock_sha256 == self.room.definition.install.lock_sha256
            && python.is_file();
        usable.then(|| Environment { root: folder.to_owned(), python, stamp })
    }

    fn check_lock(&self) -> Result<(), EnvironmentError> {
        let path = self.room.lock();
        let found = Digest::of_file(&path).map_err(|error| io_error("read", &path, error))?;
        let expected = self.room.definition.install.lock_sha256.clone();
        if found == expected {
            Ok(())
        } else {
            Err(EnvironmentError::Lock { path, found, expected })
        }
    }

    fn build(
        &self,
        folder: &Path,
        base: &Python,
        with_uv: bool,
        lock: &Arc<File>,
        progress: &mut dyn FnMut(&str),
    ) -> Result<Environment, EnvironmentError> {
        let started = Instant::now();
        if folder.exists() {
            progress("found an unfinished environment; making it again");
            std::fs::remove_dir_all(folder).map_err(|error| io_error("remove", folder, error))?;
        }
        let name = &self.room.definition.name;
        progress(&format!("making the environment of {name} with python {} (once)", base.version));
        let parent = folder.parent().unwrap_or(&self.cache);
        let target = folder.to_string_lossy();
        let mut venv =
            installer::command(base.program.clone(), parent, lock).args(["-I", "-m", "venv"]);
        if with_uv {
            venv = venv.args(["--without-pip"]);
        }
        installer::check("python -m venv", &process::run(&venv.args([&*target]))?)?;

        let install = &self.room.definition.install;
        let template = if with_uv { &install.uv } else { &install.pip };
        let python = folder.join("bin").join("python");
        let requirements = self.room.lock();
        let requirements = std::path::absolute(&requirements)
            .map_err(|error| io_error("find", &requirements, error))?;
        let mut command =
            ComparatorSpec::fill(template, &[("python", &python), ("lock", &requirements)])
                .into_iter();
        let program = command.next().unwrap_or_default();
        let invocation = installer::command(PathBuf::from(program), parent, lock).args(command);
        let mut counter = installer::PackageCounter::new(&requirements, progress);
        let capture = process::run_observed(&invocation, &mut |piece| counter.see(piece))?;
        installer::check("installing the locked packages", &capture)?;

        let stamp = Stamp {
            schema_version: STAMP_VERSION,
            lock_sha256: install.lock_sha256.clone(),
            python_version: base.version.clone(),
            python_asked: base.asked.clone(),
            installer: if with_uv { "uv" } else { "pip" }.to_owned(),
            duration_ms: u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX),
        };
        let json = serde_json::to_vec_pretty(&stamp)
            .map_err(|error| io_error("write", folder, io::Error::other(error)))?;
        write_atomically(&folder.join(STAMP), &json)?;
        progress(&format!(
            "the environment is ready after {:.0} s",
            started.elapsed().as_secs_f64()
        ));
        Ok(Environment { root: folder.to_owned(), python, stamp })
    }
}

/// Takes the lock that keeps two builds apart; the system frees it when its holder dies.
fn wait_for_lock(path: &Path, progress: &mut dyn FnMut(&str)) -> Result<File, EnvironmentError> {
    let lock_error = |error| io_error("lock", path, error);
    let mut file = File::options()
        .create(true)
        .read(true)
        .write(true)
        .truncate(false)
        .open(path)
        .map_err(lock_error)?;
    let mut told = false;
    loop {
        match file.try_lock() {
            Ok(()) => break,
            Err(TryLockError::Error(error)) => return Err(lock_error(error)),
            Err(TryLockError::WouldBlock) if process::interrupted() => {
                return Err(EnvironmentError::Interrupted);
            }
            Err(TryLockError::WouldBlock) if !told => {
                let mut holder = String::new();
                file.read_to_string(&mut holder).map_err(lock_error)?;
                progress(&format!("waiting for process {} to finish it", holder.trim()));
                told = true;
            }
            Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(100)),
        }
    }
    file.set_len(0).map_err(lock_error)?;
    file.rewind().map_err(lock_error)?;
    writeln!(file, "{}", std::process::id()).map_err(lock_error)?;
    Ok(file)
}

fn io_error(action: &'static str, path: &Path, source: io::Error) -> EnvironmentError {
    EnvironmentError::Io { action, path: path.to_owned(), source }
}

#[cfg(test)]
mod tests;
