//! The source tree that is measured: its commit, and the tree id of its actual content.

use std::{path::Path, process::Command};

use record::exit;

use crate::Failure;

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
        let scratch = tempfile::tempdir()?;
        let index = scratch.path().join("index");
        let git = |arguments: &[&str]| {
            let mut command = Command::new("git");
            // A variable of whoever started us may name another repository, as in a git hook.
            for (name, _) in
                std::env::vars_os().filter(|(name, _)| name.as_encoded_bytes().starts_with(b"GIT_"))
            {
                command.env_remove(name);
            }
            let output = command
                .arg("-C")
                .arg(root)
                .args(["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"])
                .args(arguments)
                .env("GIT_INDEX_FILE", &index)
                .env("GIT_NO_LAZY_FETCH", "1")
                .env("GIT_ALLOW_PROTOCOL", "")
                .output()
                .map_err(|error| {
                    Failure::new(exit::SETUP, format!("git cannot be started: {error}"))
                })?;
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
