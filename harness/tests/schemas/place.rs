//! A repository for outputs, and the program in it.

use std::{
    ffi::OsStr,
    fs,
    io::Write,
    os::unix::ffi::OsStrExt,
    path::Path,
    process::{Command, Output, Stdio},
};

use serde_json::Value;
use tempfile::TempDir;

/// A repository and a cache of its own, removed when it is dropped.
pub struct Place {
    repository: TempDir,
    cache: TempDir,
}

impl Place {
    /// A folder without anything.
    pub fn empty() -> Self {
        Self { repository: tempfile::tempdir().unwrap(), cache: tempfile::tempdir().unwrap() }
    }

    /// A repository of two files that refer to each other, as `docs/json.md` shows them.
    pub fn small() -> Self {
        let place = Self::empty();
        place.write("shapes.py", "def area_of(shape):\n    return shape.side_length ** 2\n");
        place.write("use_shapes.py", "from shapes import area_of\n\nprint(area_of(1))\n");
        place.git(&["init", "-q"]);
        place.git(&["add", "-A"]);
        place
    }

    /// The same with files that make fields of every kind appear.
    pub fn rich() -> Self {
        let place = Self::small();
        place.write("helpers.py", "def _round_up(size):\n    return size + 1\n\n_round_up(2)\n");
        let strange = place.root().join(OsStr::from_bytes(b"odd\xff.py"));
        fs::write(strange, "def odd():\n    pass\n").unwrap();
        place.git(&["add", "-A"]);
        place
    }

    pub fn root(&self) -> &Path {
        self.repository.path()
    }

    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.root().join(name), text).unwrap();
    }

    pub fn git(&self, arguments: &[&str]) {
        let status = Command::new("git").arg("-C").arg(self.root()).args(arguments).status();
        assert!(status.unwrap().success());
    }

    /// Any program here.
    pub fn program(&self, name: &str) -> Command {
        let mut command = Command::new(name);
        command
            .current_dir(self.root())
            .env_clear()
            .env("PATH", std::env::var("PATH").unwrap())
            .env("PARITY_CACHE_DIR", self.cache.path())
            .env("HOME", self.cache.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Runs the program with an input.
    pub fn parity(&self, arguments: &[&str], input: &str) -> Output {
        let mut command = self.program(env!("CARGO_BIN_EXE_parity"));
        command.args(arguments);
        told(command, input)
    }

    /// What the program prints: an object a line.
    pub fn objects(&self, arguments: &[&str], input: &str) -> Vec<Value> {
        let output = self.parity(arguments, input);
        objects(&output)
    }
}

/// Runs a command with an input.
pub fn told(mut command: Command, input: &str) -> Output {
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // A program that has read enough closes its end, which is not an error.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().unwrap()
}

/// The objects that a program printed, of which there is one at least.
pub fn objects(output: &Output) -> Vec<Value> {
    let said = String::from_utf8_lossy(&output.stderr);
    let values = serde_json::Deserializer::from_slice(&output.stdout).into_iter();
    let values: Vec<Value> =
        values.map(|value| value.unwrap_or_else(|_| panic!("{said}"))).collect();
    assert!(!values.is_empty(), "{said}");
    values
}
