//! The surroundings of a command that runs for long: a cache, a checkout, and programs that never end,
//! so that it can be interrupted or killed at a known moment.

use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use harness::{
    cache_dir,
    comparator::{ComparatorSpec, Environments},
};
use record::protocol::COMPOSITION;
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use crate::repository::git;

/// The tests' own checkout.
const CHECKOUT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// A folder with a cache, a folder for temporary files, and programs that never end. Each program
/// writes its process id and that of a program that it starts into a file.
pub struct Place {
    dir: TempDir,
}

impl Place {
    /// A place that uses the tests' own checkout.
    pub fn new() -> Self {
        let place = Self::empty();
        for folder in ["protocols", "gold", "corpora", "comparators", "queries", "keys"] {
            let from = fs::canonicalize(CHECKOUT).unwrap().join(folder);
            symlink(from, place.path("checkout").join(folder)).unwrap();
        }
        place.commit();
        place
    }

    /// A place with a copy of that checkout that has one corpus, and a protocol that asks for no other,
    /// so that a whole run of a profile is sealed. A run of the enhancement profile takes seconds.
    pub fn small(profile: &str) -> Self {
        let place = Self::empty();
        let checkout = place.path("checkout");
        fs::create_dir_all(checkout.join("corpora/authored")).unwrap();
        for folder in
            ["protocols", "gold", "comparators", "queries", "keys", "corpora/authored/slice"]
        {
            let from = Path::new(CHECKOUT).join(folder);
            let copied = Command::new("cp").arg("-r").arg(from).arg(checkout.join(folder)).status();
            assert!(copied.unwrap().success(), "{folder}");
        }
        fs::write(checkout.join("corpora/none.lock.toml"), "corpus = []\n").unwrap();
        fs::write(checkout.join(COMPOSITION), "schema_version = 1\nsign_off = []\n").unwrap();
        place.commit();
        if profile == "parity" {
            place.comparator();
        }
        let compose = ["protocol", "compose", "--write", "--set", "smoke", "--profile", profile];
        assert!(place.command(&compose, &[]).status().unwrap().success(), "{}", place.said());
        place
    }

    /// Another place with a copy of this one's checkout, without its runs.
    pub fn another(&self) -> Self {
        let place = Self::empty();
        let (from, to) = (self.path("checkout"), place.path("checkout"));
        let copied = Command::new("cp").arg("-rT").args([&from, &to]).status();
        assert!(copied.unwrap().success());
        fs::remove_dir_all(to.join("artifacts")).ok();
        if let Ok(comparators) = fs::read_link(self.path("cache/comparators")) {
            symlink(comparators, place.path("cache/comparators")).unwrap();
        }
        place
    }

    fn empty() -> Self {
        let place = Self { dir: tempfile::tempdir().unwrap() };
        for folder in ["cache", "tmp", "bin", "checkout", "seen"] {
            fs::create_dir(place.path(folder)).unwrap();
        }
        place
    }

    fn commit(&self) {
        let checkout = self.path("checkout");
        fs::write(checkout.join(".gitignore"), "artifacts\n").unwrap();
        git(&checkout, &["init", "-q", "-b", "main"]);
        git(&checkout, &["add", "-A"]);
        git(&checkout, &["commit", "-qm", "all"]);
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Writes a program that never ends; it first runs the shell lines in `first`.
    pub fn endless(&self, path: &Path, first: &str) {
        let seen = self.path("seen").display().to_string();
        let script = format!(
            "#!/bin/sh\n{first}\nsleep 300 &\necho \"$$ $!\" > '{seen}/new.'$$\n\
             mv '{seen}/new.'$$ '{seen}/pids'\nwait\n"
        );
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, script).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// Makes this machine's comparator available, which is installed if necessary.
    pub fn comparator(&self) {
        let cache = cache_dir().unwrap();
        let spec = ComparatorSpec::open(&Path::new(CHECKOUT).join("comparators/aider")).unwrap();
        Environments::new(&spec, &cache).prepare(&mut |_| ()).unwrap();
        symlink(cache.join("comparators"), self.path("cache/comparators")).unwrap();
    }

    /// Starts the program and waits until the comparator runs; returns both processes.
    pub fn start_comparator(&self, arguments: &[&str]) -> (Child, Vec<i32>) {
        let mut parity = self.command(arguments, &[]).spawn().unwrap();
        let is_driver = |process: &i32| {
            let line = fs::read(format!("/proc/{process}/cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&line).contains("driver.py")
        };
        let mut found = Vec::new();
        wait_until("the comparator runs", || {
            let ended = parity.try_wait().unwrap();
            assert!(ended.is_none(), "{arguments:?}: it ended: {}", self.said());
            found = children(parity.id()).into_iter().filter(is_driver).collect();
            !found.is_empty()
        });
        (parity, found)
    }

    /// A package client that answers the calls before a download, and then never ends.
    pub fn endless_npm(&self) {
        self.endless(&self.path("bin/npm"), "[ \"$1\" = --version ] && { echo 11.0.0; exit 0; }");
    }

    pub fn command(&self, arguments: &[&str], environment: &[(&str, &str)]) -> Command {
        let mut command = self.set_up(Command::new(env!("CARGO_BIN_EXE_parity")));
        command.args(arguments).envs(environment.iter().copied());
        command
    }

    /// The program with a limit of this many blocks of 512 bytes per file: each write beyond it fails,
    /// as on a full disk.
    pub fn with_small_files(&self, blocks: u32, arguments: &[&str]) -> Command {
        let mut command = self.set_up(Command::new("sh"));
        let limit = "trap '' XFSZ; ulimit -f \"$0\"; exec \"$@\"";
        command.args(["-c", limit, &blocks.to_string(), env!("CARGO_BIN_EXE_parity")]);
        command.args(arguments);
        command
    }

    fn set_up(&self, mut command: Command) -> Command {
        let path = format!("{}:{}", self.path("bin").display(), std::env::var("PATH").unwrap());
        command
            .current_dir(self.path("checkout"))
            .env("PATH", path)
            .env("PARITY_CACHE_DIR", self.path("cache"))
            .env("PARITY_CONFIG_DIR", self.path("config"))
            .env("TMPDIR", self.path("tmp"))
            .stdin(Stdio::null())
            .stdout(fs::File::create(self.path("out")).unwrap())
            .stderr(fs::File::create(self.path("err")).unwrap());
        command
    }

    /// Starts the program and waits until an endless program runs; returns the processes.
    pub fn start(&self, arguments: &[&str], environment: &[(&str, &str)]) -> (Child, Vec<i32>) {
        let mut parity = self.command(arguments, environment).spawn().unwrap();
        let pids = self.path("seen").join("pids");
        wait_until("an endless program runs", || {
            let ended = parity.try_wait().unwrap();
            assert!(ended.is_none(), "{arguments:?}: it ended: {}", self.said());
            pids.exists()
        });
        let pids = fs::read_to_string(pids).unwrap();
        (parity, pids.split_whitespace().map(|id| id.parse().unwrap()).collect())
    }

    pub fn said(&self) -> String {
        let read = |name| fs::read(self.path(name)).unwrap_or_default();
        String::from_utf8_lossy(&[read("out"), read("err")].concat()).into_owned()
    }

    /// Starts the program, interrupts it while an endless program runs, and checks how it ends.
    pub fn interrupted(&self, arguments: &[&str], environment: &[(&str, &str)], signal: Signal) {
        let (mut parity, pids) = self.start(arguments, environment);
        send(parity.id(), signal);
        self.expect_interrupt(&mut parity, &format!("{arguments:?} {signal:?}"));
        expect_gone(&pids);
        fs::remove_file(self.path("seen").join("pids")).unwrap();
    }

    pub fn expect_interrupt(&self, parity: &mut Child, when: &str) {
        let mut ended = None;
        wait_until(when, || {
            ended = parity.try_wait().unwrap();
            ended.is_some()
        });
        let said = self.said();
        assert_eq!(ended.unwrap().code(), Some(30), "{when}: {said}");
        assert!(said.contains("interrupted"), "{when}: {said}");
        for advice in ["remove", "delete", "fix:", "rm ", "FAIL", "PASS"] {
            assert!(!said.contains(advice), "{when}: {said}");
        }
    }
}

pub fn send(process: u32, signal: Signal) {
    kill_process(Pid::from_raw(process.try_into().unwrap()).unwrap(), signal).unwrap();
}

/// Waits until a process catches SIGINT; before that, the signal would end it.
pub fn wait_until_it_listens(process: u32) {
    wait_until("it catches interrupts", || {
        let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let caught = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        caught.is_some_and(|mask| mask & 1 << (Signal::INT.as_raw() - 1) != 0)
    });
}

pub fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let until = Instant::now() + Duration::from_mins(5);
    while !is_so() {
        assert!(Instant::now() < until, "waited for minutes: {what}");
        thread::sleep(Duration::from_millis(10));
    }
}

/// Fields of a process after its name: state, parent, …; nothing if there is no such process.
fn status(process: i32) -> Option<Vec<String>> {
    let text = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let (_, fields) = text.rsplit_once(')')?;
    Some(fields.split_whitespace().map(str::to_owned).collect())
}

/// Waits until processes are gone. A zombie counts as gone.
pub fn expect_gone(processes: &[i32]) {
    let runs = |process: &i32| status(*process).is_some_and(|fields| fields[0] != "Z");
    wait_until(&format!("{processes:?} are gone"), || !processes.iter().any(runs));
}

/// The running children of a process.
pub fn children(parent: u32) -> Vec<i32> {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let ids = processes.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let is_child = |id: &i32| status(*id).is_some_and(|fields| fields[1] == parent.to_string());
    ids.filter(is_child).collect()
}

pub fn scratch(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().flatten();
    entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}
