//! A repository and a cache of its own for each test.

use std::{
    fs,
    io::Write,
    path::Path,
    process::{Command, Output, Stdio},
};

use serde_json::{Value, json};
use tempfile::TempDir;

/// The repository and the cache that a test works in. They are removed when it is dropped.
pub struct Place {
    repository: TempDir,
    cache: TempDir,
}

impl Place {
    /// A repository of two files that refer to each other.
    pub fn new() -> Self {
        let place =
            Self { repository: tempfile::tempdir().unwrap(), cache: tempfile::tempdir().unwrap() };
        place.write("shapes.py", "def area_of(shape):\n    return shape.side_length ** 2\n");
        place.write("use_shapes.py", "from shapes import area_of\n\nprint(area_of(1))\n");
        place.git(&["init", "-q"]);
        place.git(&["add", "-A"]);
        place
    }

    pub fn root(&self) -> &Path {
        self.repository.path()
    }

    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.root().join(name), text).unwrap();
    }

    /// Writes the user's parity.toml.
    pub fn configure(&self, text: &str) {
        let folder = self.cache.path().join(".config/parity");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("parity.toml"), text).unwrap();
    }

    /// A folder outside of the repository.
    pub fn outside(&self) -> &Path {
        self.cache.path()
    }

    /// The folder of the store in this place's cache.
    pub fn index(&self) -> std::path::PathBuf {
        self.cache.path().join("index")
    }

    pub fn git(&self, arguments: &[&str]) {
        let status = Command::new("git").arg("-C").arg(self.root()).args(arguments).status();
        assert!(status.unwrap().success());
    }

    /// The program in this place; none of the user's variables reach it.
    pub fn parity(&self, arguments: &[&str]) -> Command {
        let mut command = self.program(env!("CARGO_BIN_EXE_parity"));
        command.args(arguments);
        command
    }

    /// Any program in this place.
    pub fn program(&self, name: &str) -> Command {
        let mut command = Command::new(name);
        command
            .current_dir(self.root())
            .env("PARITY_CACHE_DIR", self.cache.path())
            .env("HOME", self.cache.path())
            .env_remove("CLAUDE_PROJECT_DIR")
            .env_remove("XDG_CONFIG_HOME")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Runs a hook with `input` on its standard input.
    pub fn hook(&self, flags: &[&str], input: &str) -> Output {
        told(self.parity(&[&["hook"], flags].concat()), input.as_bytes())
    }

    /// The answer of a hook of Claude Code to an event of a session, null if there is none.
    pub fn claude(&self, event: &str, more: &Value) -> Value {
        let input = self.event(event, more);
        answer(&self.hook(&["--client", "claude", "--timeout", "25000"], &input))
    }

    /// An event as Claude Code sends it.
    pub fn event(&self, event: &str, more: &Value) -> String {
        let mut input = json!({"hook_event_name": event, "session_id": "s-1", "cwd": self.root()});
        input.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        input.to_string()
    }
}

/// Runs a command whose standard input is `input`.
pub fn told(mut command: Command, input: &[u8]) -> Output {
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // A program that has read enough closes its end, which is not an error.
    let _ = stdin.write_all(input);
    drop(stdin);
    child.wait_with_output().unwrap()
}

/// The one JSON object that a hook prints, null if it prints nothing. Checks that it exits with 0.
pub fn answer(output: &Output) -> Value {
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    if output.stdout.is_empty() {
        return Value::Null;
    }
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(answer.is_object());
    answer
}

/// The text that an answer adds to the context; empty if there is none.
pub fn context(answer: &Value) -> &str {
    answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap_or_default()
}
