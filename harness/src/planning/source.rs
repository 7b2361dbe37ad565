//! The source tree that is measured: its commit, and the tree id of its actual content.

use std::{collections::BTreeSet, path::Path, time::Duration};

use base::scratch::Scratch;
use record::exit;

use crate::{
    Failure,
    process::{self, Invocation},
};

/// Longest time for one command. Reading the whole source takes a second.
const PATIENCE: Duration = Duration::from_mins(5);

/// Commit and tree of a checkout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceState {
    /// HEAD's commit id.
    pub commit: String,
    /// Tree id of the files as they are now, including uncommitted changes, without ignored files.
    pub tree: String,
    /// True if the tree is that of the commit.
    pub clean: bool,
}

impl SourceState {
    /// Reads the state of a checkout. Its index is not touched, and none of the programs that its
    /// configuration names are run.
    ///
    /// # Errors
    /// The folder is not a checkout with a commit, or git cannot be run.
    pub fn of(root: &Path) -> Result<Self, Failure> {
        let scratch = Scratch::new("source")?;
        let mut git = Git { root, index: scratch.path().join("index"), filters: BTreeSet::new() };
        let commit = git.run(&["rev-parse", "--verify", "HEAD^{commit}"])?;
        let committed = git.run(&["rev-parse", "--verify", "HEAD^{tree}"])?;
        let names = git.run(&["config", "--null", "--name-only", "--list"])?;
        let filter =
            |name: &str| Some(name.strip_prefix("filter.")?.rsplit_once('.')?.0.to_owned());
        git.filters = names.split('\0').filter_map(filter).collect();
        git.run(&["read-tree", "HEAD"])?;
        git.run(&["add", "--all", "."])?;
        let tree = git.run(&["write-tree"])?;
        Ok(Self { clean: tree == committed, commit, tree })
    }
}

/// Git in one checkout, with a separate index.
struct Git<'a> {
    root: &'a Path,
    index: std::path::PathBuf,
    /// The filters that the configuration names, which would change the content that is added.
    filters: BTreeSet<String>,
}

impl Git<'_> {
    /// What a command prints.
    fn run(&self, arguments: &[&str]) -> Result<String, Failure> {
        let mut command = Invocation::new("git", self.root)
            .inherit_env()
            .args(["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"])
            .args(arguments.iter().copied());
        // A variable inherited from our caller may name another repository, as in a git hook.
        command.env.retain(|name, _| !name.starts_with("GIT_"));
        let off = self.filters.iter().flat_map(|filter| {
            [("clean", ""), ("process", ""), ("required", "false")]
                .map(|(key, value)| (format!("filter.{filter}.{key}"), value))
        });
        let mut count = 0_usize;
        for (key, value) in off {
            command.env.insert(format!("GIT_CONFIG_KEY_{count}"), key);
            command.env.insert(format!("GIT_CONFIG_VALUE_{count}"), value.to_owned());
            count += 1;
        }
        for (name, value) in [
            ("GIT_CONFIG_COUNT", count.to_string()),
            ("GIT_INDEX_FILE", self.index.to_string_lossy().into_owned()),
            ("GIT_NO_LAZY_FETCH", "1".to_owned()),
            ("GIT_ALLOW_PROTOCOL", String::new()),
        ] {
            command.env.insert(name.to_owned(), value);
        }
        command.deadline = PATIENCE;
        let capture = process::run(&command).map_err(|error| {
            Failure::new(exit::SETUP, format!("git cannot be started: {error}"))
        })?;
        if capture.succeeded() {
            return Ok(String::from_utf8_lossy(&capture.stdout.bytes).trim().to_owned());
        }
        Err(Failure::new(
            exit::SETUP,
            format!(
                "git {} in {} {}: {}; a bundle names the commit it measured, so commit the source first",
                arguments.join(" "),
                self.root.display(),
                capture.ending(),
                capture.stderr_tail(3)
            ),
        ))
    }
}

#[cfg(test)]
#[path = "source_tests.rs"]
mod tests;
