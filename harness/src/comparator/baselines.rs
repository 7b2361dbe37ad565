//! The baselines of gate U1: what other tools show of a file. A program of ours asks them (`comparators/baselines`).

use std::{
    collections::BTreeMap,
    env,
    path::{Path, PathBuf},
    time::Duration,
};

use record::{Capture, Places, baselines::FOLDER};
use serde_json::Value;

use crate::{
    Failure, Folders,
    console::talk,
    oracle::{OracleSpec, Programs, install},
    process::{self, Invocation, ProcessError},
};

/// Longest time for all files of a corpus.
const DEADLINE: Duration = Duration::from_mins(10);
/// Most bytes that the program may print.
const OUTPUT: usize = 256 << 20;
/// The program, in the folder of the installation.
const PROGRAM: &str = "baselines.js";

/// The program and its packages, installed.
#[derive(Debug, Clone)]
pub struct InstalledBaselines {
    folder: PathBuf,
}

impl InstalledBaselines {
    /// Installs them, if they are not there yet.
    ///
    /// # Errors
    /// A program that the user installs is missing, or a package cannot be fetched.
    pub fn ready(folders: &Folders) -> Result<Self, Failure> {
        let spec = OracleSpec::open(&folders.root.join(FOLDER))
            .map_err(|error| Failure::new(record::exit::SETUP, error.to_string()))?;
        let installed = install(&spec, &folders.cache, &mut Programs::default(), &mut talk)
            .map_err(|error| Failure::new(error.exit_code(), error.to_string()))?;
        Ok(Self { folder: installed.folder })
    }

    /// The folders of this machine that a recording may mention.
    pub fn places(&self) -> Places {
        let path = env::var("PATH").unwrap_or_default();
        Places::default().with("$PATH", Path::new(&path)).with("$BASELINES", &self.folder)
    }

    /// Sends a request to the program.
    ///
    /// # Errors
    /// It cannot be started.
    pub fn ask(&self, request: &Value) -> Result<Capture, ProcessError> {
        let program = self.folder.join(PROGRAM).to_string_lossy().into_owned();
        let variables =
            [("PATH", env::var("PATH").unwrap_or_default()), ("LC_ALL", "C.UTF-8".to_owned())];
        let variables = variables.map(|(name, value)| (name.to_owned(), value));
        process::run(&Invocation {
            env: BTreeMap::from(variables),
            stdin: request.to_string().into_bytes(),
            deadline: DEADLINE,
            max_stdout: OUTPUT,
            ..Invocation::new("node", &self.folder).args([program])
        })
    }
}
