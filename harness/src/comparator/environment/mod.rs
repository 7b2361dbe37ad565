//! The comparator's private environment: made on first use, reused afterwards.
//!
//! The installer only downloads the locked wheels. The packages are unpacked from them here, so that
//! every file of the environment follows from the lock and can be compared with it at each use: see
//! [`content`].
//!
//! A Python environment cannot be moved, so it is built in its final place, and a stamp is written into
//! it last. A folder without a stamp is from an interrupted build and is built again.

mod content;
mod error;
mod installer;
mod launcher;
mod shared;
mod wheels;

use std::{
    collections::BTreeMap,
    fs::{File, TryLockError},
    io::{self, Read, Seek, Write},
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

use record::{Digest, write_atomically};
use serde::{Deserialize, Serialize};

use super::{
    definition::ComparatorSpec,
    python::{self, Python},
};
use crate::{
    corpus::{disk, seen::Seen},
    process::{self, Invocation},
    shared::Shared,
};

pub use content::ContentError;
pub use error::EnvironmentError;
pub(super) use installer::has_uv;

const STAMP: &str = "parity-stamp.json";
/// Raised when environments are made in another way. It is part of their folders' names, so that
/// programs of two versions do not keep replacing each other's environment.
const STAMP_VERSION: u32 = 2;
/// The exit code of `compileall` if some file did not compile. Packages contain files for other Python
/// versions.
const SOME_NOT_COMPILED: i32 = 1;

/// A finished environment.
#[derive(Debug, Clone)]
pub struct Environment {
    /// Its folder.
    pub root: PathBuf,
    /// Its interpreter. It runs scripts only: its first argument must be the path of one.
    pub python: PathBuf,
    /// What was written into it when it was finished.
    pub stamp: Stamp,
}

/// Says that an environment is finished, and what it was made from.
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
    /// The user's interpreter that it starts, which is not checked.
    pub interpreter: PathBuf,
    /// Digests of the wheels that it is made of, by file name.
    pub wheels: BTreeMap<String, Digest>,
    /// Digest of the list of its byte code.
    pub byte_code_sha256: Digest,
    /// `pip` or `uv`.
    pub installer: String,
    /// How long it took, in milliseconds.
    pub duration_ms: u64,
}

impl Environment {
    /// Checks that every file is the one that the lock leads to, and that there is no other file. This
    /// is cheap if nothing was written into the environment since the last check.
    ///
    /// # Errors
    /// A file is missing, unknown or changed, or cannot be read.
    pub fn check(&self, spec: &ComparatorSpec) -> Result<(), ContentError> {
        Seen::of(&self.root).check(|| content::check(self, spec))
    }

    /// Makes the next check read every byte.
    pub fn forget(&self) {
        Seen::of(&self.root).forget();
    }
}

/// Where environments are and which interpreter the user wants.
#[derive(Debug, Clone)]
pub struct Environments<'a> {
    /// The comparator.
    pub spec: &'a ComparatorSpec,
    /// The cache folder of this program.
    pub cache: PathBuf,
    /// The interpreter that the user asked for, if any.
    pub python_override: Option<String>,
    /// The store from which wheels are fetched, and into which they are put.
    pub shared: Option<&'a Shared>,
}

impl<'a> Environments<'a> {
    /// Environments below `cache`, with the user's choice of interpreter.
    pub fn new(spec: &'a ComparatorSpec, cache: &Path) -> Self {
        let python_override = std::env::var(python::OVERRIDE).ok().filter(|name| !name.is_empty());
        Self { spec, cache: cache.to_owned(), python_override, shared: None }
    }

    /// The same environments, whose wheels are in a store that machines share.
    #[must_use]
    pub fn shared_by(self, shared: Option<&'a Shared>) -> Self {
        Self { shared, ..self }
    }

    /// The finished environment, if there is one. No program is started. Without an override the
    /// reference version is preferred.
    pub fn ready(&self) -> Option<Environment> {
        let install = &self.spec.definition.install;
        let others = install.python.iter().filter(|minor| **minor != install.python_reference);
        std::iter::once(&install.python_reference).chain(others).find_map(|minor| {
            let environment = self.finished(&self.folder(minor))?;
            let wanted = self.python_override.as_ref();
            wanted
                .is_none_or(|asked| *asked == environment.stamp.python_asked)
                .then_some(environment)
        })
    }

    /// The finished environment, which is made if there is none. `progress` is called with lines for
    /// the user.
    pub fn prepare(&self, progress: &mut dyn FnMut(&str)) -> Result<Environment, EnvironmentError> {
        self.check_lock()?;
        if let Some(environment) = self.ready() {
            self.share(&environment, progress);
            return Ok(environment);
        }
        if let Some(environment) = self.from_shared(progress)? {
            return Ok(environment);
        }
        let with_uv = has_uv();
        let install = &self.spec.definition.install;
        let base = python::find(install, self.python_override.as_deref(), !with_uv)?;
        let folder = self.folder(&base.minor());
        let parent = folder.parent().unwrap_or(&self.cache);
        std::fs::create_dir_all(parent).map_err(|error| io_error("create", parent, error))?;
        let lock = wait_for_lock(&folder.with_added_extension("lock"), progress)?;
        // The process that held the lock may have made it.
        let lock = Arc::new(lock);
        let environment = match self.finished(&folder) {
            // The same interpreter may be asked for by another name.
            Some(found) if found.stamp.python_version == base.version => found,
            _ => self.build(&folder, &base, with_uv, &lock, progress)?,
        };
        drop(lock);
        self.share(&environment, progress);
        Ok(environment)
    }

    fn folder(&self, python_minor: &str) -> PathBuf {
        let definition = &self.spec.definition;
        let lock = definition.install.lock_sha256.as_str();
        let short = lock.get(..16).unwrap_or(lock);
        let name = format!("{}-{short}-py{python_minor}-v{STAMP_VERSION}", definition.name);
        self.cache.join("comparators").join(name)
    }

    /// The environment in `folder` if its stamp is there and its interpreter still exists.
    fn finished(&self, folder: &Path) -> Option<Environment> {
        let stamp: Stamp = serde_json::from_slice(&std::fs::read(folder.join(STAMP)).ok()?).ok()?;
        let python = folder.join(content::LAUNCHER);
        let usable = stamp.schema_version == STAMP_VERSION
            && stamp.lock_sha256 == self.spec.definition.install.lock_sha256
            && stamp.interpreter.is_file()
            && python.is_file();
        usable.then(|| Environment { root: folder.to_owned(), python, stamp })
    }

    fn check_lock(&self) -> Result<(), EnvironmentError> {
        let path = self.spec.lock();
        let found = Digest::of_file(&path).map_err(|error| io_error("read", &path, error))?;
        let expected = self.spec.definition.install.lock_sha256.clone();
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
        let name = &self.spec.definition.name;
        progress(&format!("making the environment of {name} with python {} (once)", base.version));
        self.download(folder, base, with_uv, lock, progress)?;
        let installer = if with_uv { "uv" } else { "pip" };
        let environment = self.assemble(folder, base, installer, started, progress)?;
        progress(&format!(
            "the environment is ready after {:.0} s",
            started.elapsed().as_secs_f64()
        ));
        Ok(environment)
    }

    /// Makes the environment in `folder` from the wheels that are already there.
    fn assemble(
        &self,
        folder: &Path,
        base: &Python,
        installer: &str,
        started: Instant,
        progress: &mut dyn FnMut(&str),
    ) -> Result<Environment, EnvironmentError> {
        let launcher = launcher::text(&base.program)
            .map_err(|error| io_error("start", &base.program, error))?;
        let wheels_folder = folder.join(wheels::FOLDER);
        let requirements = self.spec.lock();
        let locked = std::fs::read_to_string(&requirements)
            .map_err(|error| io_error("read", &requirements, error))?;
        let wheels = wheels::digests(&wheels_folder, &locked)?;
        progress(&format!("unpacking {} packages", wheels.len()));
        let packages = folder.join(content::PACKAGES);
        disk::create_dir(&packages)?;
        wheels::packages(&wheels_folder, wheels.keys(), Some(&packages))?;
        let python = folder.join(content::LAUNCHER);
        disk::create_dir(python.parent().unwrap_or(folder))?;
        disk::write(&python, launcher)?;
        disk::set_mode(&python, 0o755)?;
        progress("compiling the packages");
        let byte_code = compile(base, &packages)?;
        disk::write(&folder.join(content::BYTE_CODE), &byte_code)?;

        let stamp = Stamp {
            schema_version: STAMP_VERSION,
            lock_sha256: self.spec.definition.install.lock_sha256.clone(),
            python_version: base.version.clone(),
            python_asked: base.asked.clone(),
            interpreter: base.program.clone(),
            wheels,
            byte_code_sha256: Digest::of(&byte_code),
            installer: installer.to_owned(),
            duration_ms: u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX),
        };
        let json = serde_json::to_vec_pretty(&stamp)
            .map_err(|error| io_error("write", folder, io::Error::other(error)))?;
        write_atomically(&folder.join(STAMP), &json)?;
        Ok(Environment { root: folder.to_owned(), python, stamp })
    }

    /// Downloads the locked wheels with the installer.
    fn download(
        &self,
        folder: &Path,
        base: &Python,
        with_uv: bool,
        lock: &Arc<File>,
        progress: &mut dyn FnMut(&str),
    ) -> Result<(), EnvironmentError> {
        let parent = folder.parent().unwrap_or(&self.cache);
        let wheels = folder.join(wheels::FOLDER);
        disk::create_dir(&wheels)?;
        // Distributions ship Python without pip, but with the modules that make an environment with pip.
        let venv = folder.join("installer");
        let python = if with_uv { base.program.clone() } else { venv.join("bin").join("python") };
        if !with_uv {
            let target = venv.to_string_lossy();
            let make = installer::command(base.program.clone(), parent, lock)
                .args(["-I", "-m", "venv", &*target]);
            installer::check("python -m venv", &process::run(&make)?)?;
        }
        let install = &self.spec.definition.install;
        let template = if with_uv { &install.uv } else { &install.pip };
        let requirements = self.spec.lock();
        let requirements = std::path::absolute(&requirements)
            .map_err(|error| io_error("find", &requirements, error))?;
        let values =
            [("python", &*python), ("lock", requirements.as_path()), ("wheels", wheels.as_path())];
        let mut command = ComparatorSpec::fill(template, &values).into_iter();
        let program = command.next().unwrap_or_default();
        let invocation = installer::command(PathBuf::from(program), parent, lock).args(command);
        let mut counter = installer::PackageCounter::new(&requirements, progress);
        let capture = process::run_observed(&invocation, &mut |piece| counter.see(piece))?;
        installer::check("downloading the locked packages", &capture)?;
        Ok(disk::remove_tree(&venv)?)
    }
}

/// Compiles the packages and lists the byte code. Python uses the byte code regardless of the sources'
/// times, because both are checked at each use.
fn compile(base: &Python, packages: &Path) -> Result<String, EnvironmentError> {
    let target = packages.to_string_lossy();
    let mut invocation = Invocation::new(base.program.clone(), packages)
        .args(["-I", "-S", "-m", "compileall", "-q", "-j", "0"])
        .args(["--invalidation-mode", "unchecked-hash", &*target]);
    invocation.deadline = installer::INSTALL_DEADLINE;
    let capture = process::run(&invocation)?;
    if capture.exit_code != Some(SOME_NOT_COMPILED) {
        installer::check("compiling the packages", &capture)?;
    }
    Ok(content::byte_code(packages)?)
}

/// Takes the lock that keeps two builds apart; the system releases it when its holder ends.
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
