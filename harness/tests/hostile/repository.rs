//! Repositories that are built for a test, and the program's output about them.

use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, Instant},
};

use harness::process::{self, Invocation};
use record::Capture;
use serde_json::Value;
use tempfile::TempDir;

/// Longest time that a hostile repository may take.
pub const DEADLINE: Duration = Duration::from_mins(2);
/// The limit of its address space, in KiB. The program itself, its grammars and the stacks of its
/// threads use a part of it, most of which is never touched.
const ADDRESSES: u64 = 4 << 20;
/// Both profiles, as they are named on the command line.
pub const PROFILES: [&str; 2] = ["parity", "enhancement"];

/// Runs git without any configuration of the user.
pub fn git(dir: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new("git");
    command.arg("-C").arg(dir).args(["-c", "user.name=a", "-c", "user.email=a@example.invalid"]);
    let output = command.args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// A repository with two honest files, and whatever `build` adds to it before all is staged.
pub fn repository(build: impl FnOnce(&Path)) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    fill(dir.path(), build);
    dir
}

/// Turns an empty folder into such a repository.
pub fn fill(root: &Path, build: impl FnOnce(&Path)) {
    git(root, &["init", "-q", "-b", "main"]);
    fs::write(root.join("honest.py"), "def honest_work(value):\n    return value\n").unwrap();
    fs::write(root.join("caller.py"), "from honest import honest_work\n\nhonest_work(1)\n")
        .unwrap();
    build(root);
    git(root, &["add", "-A"]);
}

/// Such a repository whose files are committed.
pub fn committed(build: impl FnOnce(&Path)) -> TempDir {
    let dir = repository(build);
    git(dir.path(), &["commit", "-qm", "all"]);
    dir
}

/// Adds a path to the index that `git add` would read or refuse.
pub fn list(root: &Path, path: &str) {
    let empty = git(root, &["hash-object", "-w", "--stdin"]);
    let entry = format!("100644,{},{path}", empty.trim());
    git(root, &["update-index", "--add", "--cacheinfo", &entry]);
}

/// A program that leaves a mark when it is run.
pub struct Canary {
    dir: TempDir,
}

impl Canary {
    /// Writes the program.
    pub fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let canary = Self { dir };
        let script = format!("#!/bin/sh\necho \"$0 $*\" >> '{}'\n", canary.mark().display());
        fs::write(canary.dir.path().join("program"), script).unwrap();
        let may_run = fs::Permissions::from_mode(0o755);
        fs::set_permissions(canary.dir.path().join("program"), may_run).unwrap();
        canary
    }

    /// The program's path.
    pub fn program(&self) -> String {
        self.dir.path().join("program").to_str().unwrap().to_owned()
    }

    fn mark(&self) -> PathBuf {
        self.dir.path().join("ran")
    }

    /// Removes the mark of a run while the repository was built.
    pub fn reset(&self) {
        fs::remove_file(self.mark()).ok();
    }

    /// Fails if the program ran.
    pub fn assert_quiet(&self, when: &str) {
        let ran = fs::read_to_string(self.mark()).unwrap_or_default();
        assert!(ran.is_empty(), "{when}: it ran: {ran}");
    }

    /// Whether the program ran.
    pub fn ran(&self) -> bool {
        self.mark().exists()
    }
}

/// Runs the program in a folder with a minimal environment, within the memory that a hostile repository
/// may use.
pub fn parity(
    dir: &Path,
    environment: &[(&str, &str)],
    arguments: &[&str],
    stdin: &str,
) -> Capture {
    limited("unlimited", DEADLINE, dir, environment, arguments, stdin)
}

/// The same with a limit of processor time in seconds, so that a busy machine fails no test. The
/// program must succeed.
pub fn within_cpu(
    seconds: usize,
    dir: &Path,
    environment: &[(&str, &str)],
    arguments: &[&str],
    stdin: &str,
) -> Capture {
    let deadline = Duration::from_mins(20);
    let told = limited(&seconds.to_string(), deadline, dir, environment, arguments, stdin);
    assert!(told.succeeded(), "{}: {}", told.ending(), told.stderr_tail(5));
    told
}

fn limited(
    seconds: &str,
    deadline: Duration,
    dir: &Path,
    environment: &[(&str, &str)],
    arguments: &[&str],
    stdin: &str,
) -> Capture {
    let mut invocation = Invocation::new("/bin/sh", dir);
    invocation.deadline = deadline;
    invocation.stdin = stdin.into();
    invocation.env = ["PATH", "HOME"]
        .into_iter()
        .filter_map(|name| Some((name.to_owned(), std::env::var(name).ok()?)))
        .chain(environment.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())))
        .collect();
    let script = format!("ulimit -v {ADDRESSES}; ulimit -t {seconds}; exec \"$0\" \"$@\"");
    let fixed = ["-c", &script, env!("CARGO_BIN_EXE_parity")];
    let arguments = fixed.iter().chain(arguments).map(|argument| (*argument).to_owned());
    process::run(&invocation.args(arguments)).unwrap()
}

/// Asks for maps of a folder in every way, in both profiles: one map, one with a file in the chat, and
/// a session. Returns each with its name.
pub fn every_way(dir: &Path, environment: &[(&str, &str)]) -> Vec<(String, Capture)> {
    let mut told = Vec::new();
    for profile in PROFILES {
        for (command, more, stdin) in [
            ("map", &["--json", "--map-tokens", "1024"][..], ""),
            ("map", &["--chat", "caller.py", "--message", "honest.py"], ""),
            ("session", &["--map-tokens", "1024"], "{}\n{\"chat_files\": [\"caller.py\"]}\n"),
        ] {
            let arguments = [&[command, ".", "--profile", profile], more].concat();
            let capture = parity(dir, environment, &arguments, stdin);
            told.push((arguments.join(" "), capture));
        }
    }
    told
}

/// The same; each of them must give a map with the honest file in it.
pub fn every_way_maps(dir: &Path, environment: &[(&str, &str)]) {
    for (way, told) in every_way(dir, environment) {
        assert!(told.succeeded(), "{way}: {}: {}", told.ending(), told.stderr_tail(5));
        assert!(text(&told).contains("honest.py"), "{way}: {}", text(&told));
    }
}

/// Everything that a run printed, on both outputs.
pub fn text(told: &Capture) -> String {
    let bytes = [&told.stdout.bytes[..], &told.stderr.bytes[..]].concat();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Runs `work`, which must take less than this many seconds.
pub fn within<T>(seconds: u64, work: impl FnOnce() -> T) -> T {
    let started = Instant::now();
    let done = work();
    let took = started.elapsed();
    assert!(took < Duration::from_secs(seconds), "it took {took:?}");
    done
}

/// A map, and the skipped files with their reasons.
pub struct Map {
    pub text: String,
    pub skipped: BTreeMap<String, String>,
}

impl Map {
    /// Why a file was skipped; empty if it was not.
    pub fn reason(&self, file: &str) -> &str {
        self.skipped.get(file).map_or("", String::as_str)
    }
}

/// A map of a folder, made with these variables and arguments.
pub fn map_with(dir: &Path, environment: &[(&str, &str)], arguments: &[&str]) -> Map {
    let fixed = ["map", ".", "--map-tokens", "1024", "--json"];
    let capture = parity(dir, environment, &[&fixed[..], arguments].concat(), "");
    assert!(capture.succeeded(), "{}: {}", capture.ending(), capture.stderr_tail(5));
    read(&capture.stdout.bytes)
}

/// Parses a map, in which the honest file must be.
pub fn read(json: &[u8]) -> Map {
    let document: Value = serde_json::from_slice(json).unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let skipped = document["skipped"].as_array().unwrap().iter();
    let map = Map {
        text: text(&document["text"]),
        skipped: skipped.map(|row| (text(&row["file"]), text(&row["reason"]))).collect(),
    };
    assert!(map.text.contains("honest.py:"), "the honest file is missing: {}", map.text);
    map
}

/// A map of a repository.
pub fn map(dir: &TempDir, arguments: &[&str]) -> Map {
    map_with(dir.path(), &[], arguments)
}
