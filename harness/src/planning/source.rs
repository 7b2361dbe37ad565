//! The source tree that is measured: its commit, and the tree id of its actual content.

use std::{path::Path, time::Duration};

use base::scratch::Scratch;
use record::exit;

use crate::{Failure, process};

/// Longest time for one question about the source tree; cold disks are slow.
const PATIENCE: Duration = Duration::from_mins(5);

/// Commit and tree of a checkout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceState {
    /// HEAD's commit id.
    pub commit: String,
    /// Tree id of the files as they are, uncommitted changes included, ignored files left out.
    pub tree: String,
    /// True if the tree is the commit's own.
    pub clean: bool,
}

impl SourceState {
    /// Reads the state of a checkout. Its index is not touched.
    pub fn of(root: &Path) -> Result<Self, Failure> {
        let scratch = Scratch::new("source")?;
        let index = scratch.path().join("index");
        let git = |arguments: &[&str]| {
            let fixed = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"];
            let mut command = duct::cmd("git", fixed.iter().chain(arguments))
                .dir(root)
                .env("GIT_INDEX_FILE", &index)
                .env("GIT_NO_LAZY_FETCH", "1")
                .env("GIT_ALLOW_PROTOCOL", "");
            // A variable of whoever started us may name another repository, as in a git hook.
            for (name, _) in
                std::env::vars_os().filter(|(name, _)| name.as_encoded_bytes().starts_with(b"GIT_"))
            {
                command = command.env_remove(name);
            }
            let command = command.stdin_null().stdout_capture().stderr_capture().unchecked();
            let ended = process::finish(&command, PATIENCE).map_err(|error| {
                Failure::new(exit::SETUP, format!("git cannot be started: {error}"))
            })?;
            let Some(output) = ended else {
                let why = format!(
                    "git {} in {} did not end within {} s and was killed",
                    arguments.join(" "),
                    root.display(),
                    PATIENCE.as_secs()
                );
                return Err(Failure::new(exit::SETUP, why));
            };
            if output.status.success() {
                return Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned());
            }
            Err(Failure::new(
                exit::SETUP,
                format!(
                    "git {} failed in {}: {}; a bundle names the commit it measured, so commit the source first",
                    arguments.join(" "),
                    root.display(),
                    String::from_utf8_lossy(&output.stderr).trim()
                ),
            ))
        };
        let commit = git(&["rev-parse", "--verify", "HEAD^{commit}"])?;
        let committed = git(&["rev-parse", "--verify", "HEAD^{tree}"])?;
        git(&["read-tree", "HEAD"])?;
        git(&["add", "--all", "."])?;
        let tree = git(&["write-tree"])?;
        Ok(Self { clean: tree == committed, commit, tree })
    }
}
