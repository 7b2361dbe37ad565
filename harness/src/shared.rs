//! The store that machines share, as the program `parity-store` serves it.
//!
//! That program is built by itself (`cluster/store`), because the libraries that speak to a service are large. Nothing
//! that comes from it is believed: each caller compares it with what its lock, plan or order says.

use std::{
    env,
    path::{Path, PathBuf},
    time::Duration,
};

use record::exit;

use crate::{
    Failure,
    process::{self, Invocation, ProcessError},
};

/// The name of the program.
const PROGRAM: &str = "parity-store";
/// How to build it, so that it lies beside this program.
const BUILD: &str =
    "cargo build --manifest-path cluster/store/Cargo.toml --bin parity-store --target-dir target";
/// The longest that one object may take.
const DEADLINE: Duration = Duration::from_hours(1);
/// How many lines of what the program says an error shows.
const SHOWN: usize = 4;

/// A kind of object, by the name that the program has for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The recordings of a unit.
    Answer,
    /// The artifact of a corpus.
    Corpus,
    /// The wheels of a comparator's environment.
    Comparator,
    /// A program that is measured.
    Engine,
}

impl Kind {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Answer => "answer",
            Self::Corpus => "corpus",
            Self::Comparator => "comparator",
            Self::Engine => "engine",
        }
    }
}

/// Why the store did not do something.
#[derive(Debug, thiserror::Error)]
pub enum SharedError {
    /// The program cannot be started.
    #[error(transparent)]
    Process(#[from] ProcessError),
    /// The program failed; it says why.
    #[error("the store {url} cannot be used: {said}")]
    Failed {
        /// The store.
        url: String,
        /// What the program said.
        said: String,
    },
    /// What is there is damaged, or is something else than what was to be put there.
    #[error("the store {url} has something wrong: {said}")]
    Wrong {
        /// The store.
        url: String,
        /// What the program said.
        said: String,
    },
}

/// A store that machines share.
#[derive(Debug, Clone)]
pub struct Shared {
    program: PathBuf,
    url: String,
}

impl Shared {
    /// The store at a URL, served by the program that lies beside this one.
    ///
    /// # Errors
    /// There is no such program.
    pub fn at(url: &str) -> Result<Self, Failure> {
        Ok(Self::of(program()?, url))
    }

    /// The store at a URL, served by another program.
    pub fn of(program: PathBuf, url: &str) -> Self {
        Self { program, url: url.to_owned() }
    }

    /// Its URL.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Writes what a key stands for to a file, in one step. False if it stands for nothing.
    ///
    /// # Errors
    /// It is damaged, or the service does not answer.
    pub fn get(&self, kind: Kind, key: &str, file: &Path) -> Result<bool, SharedError> {
        self.run("get", kind, key, file, false)
    }

    /// Writes the files of a folder that a key stands for into a new folder, in one step. False if it stands for nothing.
    ///
    /// # Errors
    /// It is damaged, the service does not answer, or there is a folder.
    pub fn get_folder(&self, kind: Kind, key: &str, folder: &Path) -> Result<bool, SharedError> {
        self.run("get", kind, key, folder, true)
    }

    /// Puts a file under a key; nothing is done if it is there.
    ///
    /// # Errors
    /// The key stands for other bytes, or the service does not take them.
    pub fn put(&self, kind: Kind, key: &str, file: &Path) -> Result<(), SharedError> {
        self.run("put", kind, key, file, false).map(|_| ())
    }

    /// Puts a folder of plain files under a key; nothing is done if it is there.
    ///
    /// # Errors
    /// The key stands for other files, or the service does not take them.
    pub fn put_folder(&self, kind: Kind, key: &str, folder: &Path) -> Result<(), SharedError> {
        self.run("put", kind, key, folder, true).map(|_| ())
    }

    /// Runs the program. Where the service is and who asks, it reads from the environment.
    fn run(
        &self,
        verb: &str,
        kind: Kind,
        key: &str,
        path: &Path,
        is_folder: bool,
    ) -> Result<bool, SharedError> {
        let path = path.to_string_lossy().into_owned();
        let mut invocation = Invocation::new(&self.program, env::temp_dir())
            .inherit_env()
            .args([verb, "--store", &self.url, kind.as_str(), key])
            .args([path]);
        if is_folder {
            invocation = invocation.args(["--folder"]);
        }
        invocation.deadline = DEADLINE;
        let capture = process::run(&invocation)?;
        let (url, said) = (self.url.clone(), capture.stderr_tail(SHOWN));
        let code = capture.exit_code.and_then(|code| u8::try_from(code).ok());
        match code.filter(|_| capture.stopped.is_none()) {
            Some(exit::PASS) => Ok(true),
            Some(exit::NOT_HERE) => Ok(false),
            Some(exit::DIGEST) => Err(SharedError::Wrong { url, said }),
            _ => Err(SharedError::Failed { url, said: format!("{} ({said})", capture.ending()) }),
        }
    }
}

/// The program that serves stores, beside this one.
///
/// # Errors
/// There is none.
pub fn program() -> Result<PathBuf, Failure> {
    let own = env::current_exe()?;
    let program = own.with_file_name(PROGRAM);
    if program.is_file() {
        return Ok(program);
    }
    let why = format!(
        "{} is not there; it is not part of the ordinary build: run `{BUILD}` in the checkout, and put the program \
         beside this one",
        program.display()
    );
    Err(Failure::new(exit::SETUP, why))
}
