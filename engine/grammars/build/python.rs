//! A private Python environment with the locked tools.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use crate::{
    archive::GIVEN,
    client::{self, ClientError},
};

/// The interpreters to try. The stand-in of a version manager may exist but fail, so each is run.
const CANDIDATES: [&str; 5] = ["python3", "python3.12", "python3.11", "python3.10", "python"];

/// Prints "ok" under a Python that can make an environment with pip in it.
const PROBE: &str = "import sys, venv, ensurepip; print('ok' if sys.version_info >= (3, 10) else 'version %d.%d' % sys.version_info[:2])";

/// Why the tools cannot be installed.
#[derive(Debug, thiserror::Error)]
pub enum PythonError {
    #[error(
        "no suitable Python to download the grammar sources: {tried}\nPython 3.10 or later with its venv module is needed: on Debian and Ubuntu `apt-get install python3 python3-venv`, on macOS `brew install python`\nor set {GIVEN} to the archives that engine/grammars/archives.toml pins"
    )]
    Unsuitable { tried: String },
    #[error(
        "the download tools of engine/grammars/tools-requirements.txt could not be installed: {0}\ncheck the network and build again, or set {GIVEN} to the archives that engine/grammars/archives.toml pins"
    )]
    Install(Box<ClientError>),
}

/// Makes the environment in `folder` and returns its interpreter.
pub fn environment(requirements: &Path, folder: &Path) -> Result<PathBuf, PythonError> {
    let failed = |error| PythonError::Install(Box::new(error));
    let python = suitable()?;
    client::run(Command::new(python).args(["-m", "venv"]).arg(folder), "python -m venv")
        .map_err(failed)?;
    let inside = if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" };
    let python = folder.join(inside);
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    let locked = ["--require-hashes", "--no-deps", "--only-binary", ":all:", "--requirement"];
    client::run(Command::new(&python).args(pip).args(locked).arg(requirements), "pip install")
        .map_err(failed)?;
    Ok(python)
}

/// The first interpreter that is recent enough and complete.
fn suitable() -> Result<&'static str, PythonError> {
    let mut tried = Vec::new();
    for candidate in CANDIDATES {
        match client::run(Command::new(candidate).args(["-c", PROBE]), candidate) {
            Ok(output) if output.stdout.starts_with(b"ok") => return Ok(candidate),
            Ok(output) => {
                let version = String::from_utf8_lossy(&output.stdout).trim().to_owned();
                tried.push(format!("{candidate} is {version}"));
            }
            Err(ClientError::Start { .. }) => tried.push(format!("{candidate} cannot be started")),
            Err(error) => tried.push(format!("{candidate}: {error}")),
        }
    }
    Err(PythonError::Unsuitable { tried: tried.join("; ") })
}
