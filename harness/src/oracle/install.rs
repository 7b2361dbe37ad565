//! Installs an oracle into a folder of the user's cache that is named after the digest of everything
//! that decides its answers.
//!
//! Our program's files are copied into that folder, so that the program that runs is the one that the
//! digest covers, and packages are installed beside them. A stamp is written last: a folder without one
//! is from an interrupted installation and is installed again. So is a folder that was changed since:
//! the stamp holds the digest of everything that was installed. The locks of these package managers do
//! not have such a digest: they have digests of archives, and some packages are built during the
//! installation.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
    time::Duration,
};

use record::{Capture, Digest, exit};

use super::{
    Client, OracleDefinitionError, OracleSpec,
    programs::{Programs, ProgramsError},
};
use crate::{
    corpus::{
        disk::{self, At, DiskError},
        seen::Seen,
        tree,
    },
    process::{self, Invocation, ProcessError},
};

const STAMP: &str = "parity-oracle-stamp";
/// Longest time for one step: building a compiler on a busy machine takes minutes.
const DEADLINE: Duration = Duration::from_mins(30);
/// The user's variables that would misdirect an installation or an oracle. All others stay in force,
/// above all a configured mirror.
const MISLEADING: [&str; 10] = [
    "CARGO_BUILD_TARGET",
    "CARGO_TARGET_DIR",
    "CARGO_MANIFEST_DIR",
    "NODE_OPTIONS",
    "NODE_PATH",
    "PIP_REQUIREMENT",
    "PIP_TARGET",
    "PIP_USER",
    "RUSTFLAGS",
    "VIRTUAL_ENV",
];

/// An oracle that can be asked.
#[derive(Debug, Clone)]
pub struct Installed {
    /// Its definition.
    pub spec: OracleSpec,
    /// The folder with its program and its packages.
    pub folder: PathBuf,
    /// Digest of everything that decides its answers.
    pub digest: Digest,
    /// Program and arguments, every placeholder filled in.
    pub argv: Vec<String>,
    /// Further variables of its environment.
    pub env: BTreeMap<String, String>,
}

/// Why an oracle cannot be installed.
#[derive(Debug, thiserror::Error)]
pub enum InstallError {
    /// A program that the user installs is missing.
    #[error(transparent)]
    Program(#[from] ProgramsError),
    /// Its definition is damaged.
    #[error(transparent)]
    Definition(#[from] OracleDefinitionError),
    /// The file system failed.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// A step could not be started.
    #[error(transparent)]
    Process(#[from] ProcessError),
    /// A step failed.
    #[error("{step} {ending}; check the network and run the same command again:\n{talk}")]
    Step {
        /// What was being done.
        step: &'static str,
        /// How it ended.
        ending: String,
        /// The end of its output.
        talk: String,
    },
    /// Packages of the system are missing.
    #[error("packages of the system are missing\n  apt install {0}")]
    Packages(String),
    /// The user interrupted it.
    #[error("interrupted while installing; run the same command again")]
    Interrupted,
}

impl InstallError {
    /// The exit code of this error.
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::Disk(_) => exit::IO,
            Self::Interrupted => exit::INCOMPLETE,
            _ => exit::SETUP,
        }
    }
}

/// The oracle of a specification, installed below `cache` first if necessary. `progress` is called with
/// lines for the user.
///
/// # Errors
/// A prerequisite is missing, or a step of the installation failed.
pub fn install(
    spec: &OracleSpec,
    cache: &Path,
    programs: &mut Programs,
    progress: &mut dyn FnMut(&str),
) -> Result<Installed, InstallError> {
    let digest = spec.digest()?;
    let short = digest.as_str().get(..16).unwrap_or_default();
    let folder = cache.join("oracles").join(format!("{}-{short}", spec.name()));
    let argv = command(spec, &folder, programs, &spec.definition.command.argv)?;
    let mut env = BTreeMap::new();
    for (name, value) in &spec.definition.command.env {
        let value = command(spec, &folder, programs, std::slice::from_ref(value))?;
        env.insert(name.clone(), value.concat());
    }
    if !is_intact(&folder, &digest) {
        let _lock = disk::lock(&cache.join("locks").join(format!("oracle-{short}")))?;
        // The process that held the lock may have made it.
        if !is_intact(&folder, &digest) {
            let again = if folder.join(STAMP).exists() { "again: it was changed" } else { "once" };
            progress(&format!("installing the oracle {} ({again})", spec.name()));
            make(spec, &folder, programs)?;
            let stamp = format!("{digest}\n{}\n", content(&folder)?);
            disk::write(&folder.join(STAMP), stamp)?;
        }
    }
    Ok(Installed { spec: spec.clone(), folder, digest, argv, env })
}

/// Whether an oracle was installed completely and nothing of it was changed since.
fn is_intact(folder: &Path, digest: &Digest) -> bool {
    let stamp = fs::read_to_string(folder.join(STAMP)).unwrap_or_default();
    let mut lines = stamp.lines();
    let (made_of, installed) = (lines.next(), lines.next());
    let unchanged = || match content(folder)? {
        now if installed == Some(now.as_str()) => Ok(()),
        _ => Err(DiskError::new("trust", folder, io::Error::other("it was changed"))),
    };
    made_of == Some(digest.as_str()) && Seen::of(folder).check(unchanged).is_ok()
}

/// Digest of every file that was installed.
fn content(folder: &Path) -> Result<String, DiskError> {
    let mut tree = tree::read(folder)?;
    tree.remove(STAMP);
    Ok(tree::sha256(&tree))
}

/// A command with its placeholders filled in.
fn command(
    spec: &OracleSpec,
    folder: &Path,
    programs: &mut Programs,
    template: &[String],
) -> Result<Vec<String>, ProgramsError> {
    let own = spec.definition.install.client == Client::Pip;
    let python = folder.join("bin").join("python");
    template
        .iter()
        .map(|word| {
            let mut word = word.clone();
            for (name, path) in [("{here}", folder), ("{env}", folder)] {
                word = word.replace(name, &path.to_string_lossy());
            }
            if own {
                word = word.replace("{python}", &python.to_string_lossy());
            }
            programs.fill(&word)
        })
        .collect()
}

fn make(spec: &OracleSpec, folder: &Path, programs: &mut Programs) -> Result<(), InstallError> {
    disk::fresh_dir(folder)?;
    let lock_name = spec.definition.install.lock.as_deref().unwrap_or_default();
    let lock = folder.join(lock_name);
    // A Python environment needs an empty folder, so it is made before our files are copied into it.
    match spec.definition.install.client {
        Client::None => copy(spec, folder)?,
        Client::Pip => {
            let python = programs.path("{python}")?;
            python_environment(folder, python, &spec.path.join(lock_name))?;
            copy(spec, folder)?;
        }
        Client::Npm => {
            let npm = programs.path("{npm}")?;
            copy(spec, folder)?;
            let flags = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];
            step("npm ci", &step_in(folder, npm).args(flags))?;
        }
        Client::Cargo => {
            let cargo = programs.path("{cargo}")?;
            copy(spec, folder)?;
            let here = folder.to_string_lossy().into_owned();
            let built = folder.join("target");
            let target = built.to_string_lossy().into_owned();
            let flags =
                ["install", "--locked", "--no-track", "--force", "--quiet", "--path", &here];
            let cargo = step_in(folder, cargo);
            step(
                "cargo install",
                &cargo.args(flags).args(["--root", &here, "--target-dir", &target]),
            )?;
            disk::remove_tree(&built)?;
        }
        Client::Debian => {
            copy(spec, folder)?;
            packages(&lock)?;
        }
    }
    let build = &spec.definition.command.build;
    if let Some((program, arguments)) = command(spec, folder, programs, build)?.split_first() {
        step("building the oracle", &step_in(folder, program.into()).args(arguments.to_vec()))?;
    }
    Ok(())
}

/// Makes a Python environment in an empty folder, with the packages of a hash-locked list.
///
/// # Errors
/// There is no such Python, or a package cannot be fetched.
pub fn python_environment(folder: &Path, python: PathBuf, lock: &Path) -> Result<(), InstallError> {
    let target = folder.to_string_lossy().into_owned();
    step("python -m venv", &step_in(folder, python).args(["-I", "-m", "venv", &target]))?;
    let pip = step_in(folder, folder.join("bin").join("python")).args([
        "-I",
        "-m",
        "pip",
        "install",
        "--require-hashes",
        "--only-binary",
        ":all:",
        "--no-deps",
        "-r",
        &lock.to_string_lossy(),
    ]);
    step("pip install", &pip).map(drop)
}

/// Copies the files that the digest covers.
fn copy(spec: &OracleSpec, folder: &Path) -> Result<(), DiskError> {
    for file in spec.files() {
        let target = folder.join(&file);
        if let Some(parent) = target.parent() {
            disk::create_dir(parent)?;
        }
        let from = spec.path.join(&file);
        fs::copy(&from, &target).at("copy", &from)?;
    }
    Ok(())
}

/// A step of an installation, with the user's variables except the misleading ones.
fn step_in(folder: &Path, program: PathBuf) -> Invocation {
    let mut invocation = Invocation::new(program, folder).inherit_env();
    clean(&mut invocation);
    invocation.deadline = DEADLINE;
    invocation.max_stdout = 8 << 20;
    invocation.max_stderr = 8 << 20;
    invocation
}

/// Removes the variables that would misdirect a program.
pub(super) fn clean(invocation: &mut Invocation) {
    invocation
        .env
        .retain(|name, _| !name.starts_with("PYTHON") && !MISLEADING.contains(&name.as_str()));
    invocation.env.insert("LC_ALL".to_owned(), "C.UTF-8".to_owned());
    invocation.env.insert("PYTHONDONTWRITEBYTECODE".to_owned(), "1".to_owned());
    invocation.env.insert("PYTHONHASHSEED".to_owned(), "0".to_owned());
}

fn step(step: &'static str, invocation: &Invocation) -> Result<Capture, InstallError> {
    let capture = process::run(invocation)?;
    if capture.stopped == Some(record::Stop::Interrupt) {
        return Err(InstallError::Interrupted);
    }
    if capture.succeeded() {
        return Ok(capture);
    }
    Err(InstallError::Step { step, ending: capture.ending(), talk: capture.stderr_tail(8) })
}

/// Checks that the system has the packages of a lock, which has one `name=version` per line. The user
/// must install them: a private copy of a compiler would need root's rights.
fn packages(lock: &Path) -> Result<(), InstallError> {
    let text = fs::read_to_string(lock).at("read", lock)?;
    let wanted =
        text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let missing: Vec<&str> = wanted.filter(|line| !has_package(line)).collect();
    if missing.is_empty() { Ok(()) } else { Err(InstallError::Packages(missing.join(" "))) }
}

fn has_package(line: &str) -> bool {
    let (name, version) = line.split_once('=').unwrap_or((line, ""));
    let mut query = Invocation::new("dpkg-query", "/").inherit_env();
    query = query.args(["-W", "-f", "${db:Status-Abbrev} ${Version}", name]);
    let said = process::run(&query).ok().filter(Capture::succeeded);
    said.is_some_and(|said| {
        let text = String::from_utf8_lossy(&said.stdout.bytes).into_owned();
        text.starts_with("ii") && (version.is_empty() || text.ends_with(&format!(" {version}")))
    })
}

impl From<io::Error> for InstallError {
    fn from(error: io::Error) -> Self {
        Self::Disk(DiskError::new("read", Path::new("."), error))
    }
}

#[cfg(test)]
mod tests {
    use super::{STAMP, install};
    use crate::oracle::{OracleSpec, Programs};

    #[test]
    fn it_is_made_once_and_anew_after_a_change_or_an_interruption() {
        let folder = tempfile::tempdir().unwrap();
        let (here, cache) = (folder.path().join("fake"), folder.path().join("cache"));
        std::fs::create_dir(&here).unwrap();
        std::fs::write(
            here.join("oracle.toml"),
            "name = \"x\"\nversion = \"1\"\nlanguages = [\"x\"]\nvisibility = \"none\"\n\
             files = [\"a.sh\"]\n[install]\nclient = \"none\"\n[command]\nargv = [\"{here}/a.sh\"]\n",
        )
        .unwrap();
        std::fs::write(here.join("a.sh"), "one").unwrap();
        let mut lines = Vec::new();
        let mut make = || {
            let spec = OracleSpec::open(&here).unwrap();
            let made = install(&spec, &cache, &mut Programs::default(), &mut |line| {
                lines.push(line.to_owned());
            });
            (made.unwrap(), lines.len())
        };
        let (first, told) = make();
        assert_eq!((told, make().1), (1, 1));
        assert_eq!(first.argv, [first.folder.join("a.sh").to_str().unwrap()]);
        std::fs::remove_file(first.folder.join(STAMP)).unwrap();
        assert_eq!(make().1, 2);
        std::fs::write(here.join("a.sh"), "two").unwrap();
        let (changed, told) = make();
        assert_eq!(told, 3);
        assert_ne!(changed.folder, first.folder);
        // A file that is edited, or put beside the others, is not run either.
        std::fs::write(changed.folder.join("a.sh"), "six").unwrap();
        assert_eq!(make().1, 4);
        assert_eq!(std::fs::read(changed.folder.join("a.sh")).unwrap(), b"two");
        std::fs::write(changed.folder.join("b.sh"), "").unwrap();
        assert_eq!((make().1, make().1), (5, 5));
        assert!(!changed.folder.join("b.sh").exists());
    }
}
