//! The installer: pip or uv, under the user's own configuration.

use std::{
    fs::File,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use record::Capture;

use super::EnvironmentError;
use crate::process::{self, Invocation};

/// On a slow connection the 110 packages need minutes; a dead one is noticed by the installer itself.
pub(super) const INSTALL_DEADLINE: Duration = Duration::from_mins(30);
/// The user's variables that would misdirect the installation. All others stay in force, above all a
/// configured mirror.
const MISLEADING: [&str; 12] = [
    "PIP_CONSTRAINT",
    "PIP_DRY_RUN",
    "PIP_NO_DEPS",
    "PIP_PREFIX",
    "PIP_PYTHON",
    "PIP_REQUIREMENT",
    "PIP_ROOT",
    "PIP_TARGET",
    "PIP_USER",
    "UV_PROJECT_ENVIRONMENT",
    "UV_SYSTEM_PYTHON",
    "VIRTUAL_ENV",
];

/// A command of the installation, with the user's variables except the misleading ones. It holds the
/// lock as well, so that an installer that outlives this process cannot disturb the next one.
pub(super) fn command(program: PathBuf, cwd: &Path, lock: &Arc<File>) -> Invocation {
    let mut invocation = Invocation::new(program, cwd).inherit_env();
    invocation
        .env
        .retain(|name, _| !name.starts_with("PYTHON") && !MISLEADING.contains(&name.as_str()));
    for (name, value) in [
        ("PIP_DISABLE_PIP_VERSION_CHECK", "1"),
        ("PIP_NO_INPUT", "1"),
        ("PIP_PROGRESS_BAR", "off"),
        ("UV_NO_PROGRESS", "1"),
    ] {
        invocation.env.insert(name.to_owned(), value.to_owned());
    }
    invocation.held_file = Some(Arc::clone(lock));
    invocation.deadline = INSTALL_DEADLINE;
    invocation.max_stdout = 8 << 20;
    invocation.max_stderr = 8 << 20;
    invocation
}

/// Turns a step that did not succeed into the error that tells the user what to do.
pub(super) fn check(step: &'static str, capture: &Capture) -> Result<(), EnvironmentError> {
    const MISMATCH: [&str; 3] = ["DO NOT MATCH THE HASHES", "Hash mismatch", "hashes are required"];
    const UNREACHABLE: [&str; 9] = [
        "NewConnectionError",
        "ConnectTimeoutError",
        "ReadTimeoutError",
        "NameResolutionError",
        "ProxyError",
        "SSLError",
        "Network is unreachable",
        "error sending request",
        "dns error",
    ];
    if capture.succeeded() {
        return Ok(());
    }
    if capture.stopped == Some(record::Stop::Interrupt) {
        return Err(EnvironmentError::Interrupted);
    }
    let talk = capture.stderr_tail(8);
    let said = String::from_utf8_lossy(&capture.stderr.bytes);
    let says = |words: &[&str]| words.iter().any(|word| said.contains(word));
    Err(if says(&MISMATCH) {
        EnvironmentError::HashMismatch { talk }
    } else if says(&UNREACHABLE) {
        EnvironmentError::Network { talk }
    } else {
        EnvironmentError::Step { step, ending: capture.ending(), talk }
    })
}

/// Whether uv can be run.
pub fn has_uv() -> bool {
    let mut invocation = Invocation::new("uv", "/").inherit_env().args(["--version"]);
    invocation.deadline = Duration::from_secs(10);
    process::run(&invocation).is_ok_and(|capture| capture.succeeded())
}

/// Counts the packages the installer mentions, against those in the lock.
pub(super) struct PackageCounter<'a> {
    total: usize,
    seen: usize,
    line: Vec<u8>,
    progress: &'a mut dyn FnMut(&str),
}

impl<'a> PackageCounter<'a> {
    pub(super) fn new(lock: &Path, progress: &'a mut dyn FnMut(&str)) -> Self {
        let text = std::fs::read_to_string(lock).unwrap_or_default();
        let starts = |line: &&str| line.contains("==") && !line.starts_with([' ', '#']);
        Self { total: text.lines().filter(starts).count(), seen: 0, line: Vec::new(), progress }
    }

    /// Takes the next piece of the installer's output.
    pub(super) fn see(&mut self, piece: &[u8]) {
        for &byte in piece {
            if byte == b'\n' {
                let line = String::from_utf8_lossy(&std::mem::take(&mut self.line)).into_owned();
                self.tell(&line);
            } else if self.line.len() < 4096 {
                self.line.push(byte);
            }
        }
    }

    fn tell(&mut self, line: &str) {
        if let Some(package) = line.strip_prefix("Collecting ") {
            self.seen += 1;
            let name = package.split([' ', '=']).next().unwrap_or_default();
            (self.progress)(&format!("package {} of {}: {name}", self.seen, self.total));
        }
    }
}
