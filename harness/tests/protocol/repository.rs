//! A repository with a protocol, made for a test.

use std::{fs, path::Path, process::Command};

use harness::protocol::{Walk, walk};
use record::{
    Gold,
    protocol::{COMPOSITION, FREEZE, GATES, RUNTIME},
};
use tempfile::TempDir;
use verdict::freeze::Freeze;

/// A repository with a protocol, its gold and what was kept of an older one; nothing is frozen yet.
pub struct Repository(TempDir);

impl Repository {
    /// A draft.
    pub fn new() -> Self {
        let repository = Self::empty();
        repository.write(GATES, "min = 1");
        repository.write(COMPOSITION, "one");
        repository.write(&Gold::path("c"), "labels");
        repository.write(RUNTIME, "paths = 1");
        repository.write("protocols/v0/gates.toml", "min = 0");
        repository.commit("a draft");
        repository
    }

    /// The same, frozen in the second commit.
    pub fn frozen() -> Self {
        let repository = Self::new();
        repository.freeze();
        repository.commit("freeze");
        repository
    }

    /// An empty repository.
    pub fn empty() -> Self {
        let repository = Self(tempfile::tempdir().unwrap());
        repository.git(&["init", "-q", "-b", "main"]);
        repository
    }

    /// Its folder.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Writes a file.
    pub fn write(&self, name: &str, text: &str) {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Freezes what is there.
    pub fn freeze(&self) {
        let freeze = Freeze::of(self.path()).unwrap();
        self.write(FREEZE, &freeze.to_toml().unwrap());
    }

    /// Runs git in it.
    pub fn git(&self, arguments: &[&str]) {
        git(self.path(), arguments);
    }

    /// Commits everything.
    pub fn commit(&self, what: &str) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", what]);
    }

    /// Its history.
    pub fn walk(&self) -> Walk {
        walk(self.path()).unwrap()
    }

    /// What changed, without the commits.
    pub fn changes(&self) -> Vec<String> {
        let changes = self.walk().changes.into_iter();
        changes.map(|change| format!("{} {}", change.what, change.file)).collect()
    }
}

/// Runs git in a folder.
pub fn git(folder: &Path, arguments: &[&str]) {
    let mut command = Command::new("git");
    for name in ["GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"] {
        command.env_remove(name);
    }
    let identity = ["-c", "user.name=a", "-c", "user.email=a@example.invalid"];
    let done = command.current_dir(folder).args(identity).args(arguments).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}
