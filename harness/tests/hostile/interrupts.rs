//! An interrupt at any moment is one exit code and no advice; whoever is killed leaves no process
//! behind, and its temporary folders only until the next run.

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
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use crate::repository::{committed, git};

/// Where the tests' own checkout finds what it reads.
const CHECKOUT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// A folder with a cache, a folder for temporary files, and programs that never end: each writes
/// down its process and that of a program it starts.
struct Place {
    dir: TempDir,
}

impl Place {
    fn new() -> Self {
        let place = Self { dir: tempfile::tempdir().unwrap() };
        for folder in ["cache", "tmp", "bin", "checkout", "seen"] {
            fs::create_dir(place.path(folder)).unwrap();
        }
        for folder in ["protocols", "gold", "corpora", "comparators", "queries", "keys"] {
            let from = fs::canonicalize(CHECKOUT).unwrap().join(folder);
            symlink(from, place.path("checkout").join(folder)).unwrap();
        }
        let checkout = place.path("checkout");
        git(&checkout, &["init", "-q", "-b", "main"]);
        git(&checkout, &["add", "-A"]);
        git(&checkout, &["commit", "-qm", "all"]);
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Writes a program that never ends; what `first` says in shell comes before.
    fn endless(&self, path: &Path, first: &str) {
        let seen = self.path("seen").display().to_string();
        let script = format!(
            "#!/bin/sh\n{first}\nsleep 300 &\necho \"$$ $!\" > '{seen}/new.'$$\n\
             mv '{seen}/new.'$$ '{seen}/pids'\nwait\n"
        );
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, script).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// Gives it the comparator of this machine, which is installed if it is not there.
    fn comparator(&self) {
        let cache = cache_dir().unwrap();
        let room = ComparatorSpec::open(&Path::new(CHECKOUT).join("comparators/aider")).unwrap();
        Environments::new(&room, &cache).prepare(&mut |_| ()).unwrap();
        symlink(cache.join("comparators"), self.path("cache/comparators")).unwrap();
    }

    /// Starts the program and waits until the comparator runs; returns its process.
    fn start_comparator(&self, arguments: &[&str]) -> (Child, Vec<i32>) {
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

    /// A package client that answers what is asked of it before a download, and then never ends.
    fn endless_npm(&self) {
        self.endless(&self.path("bin/npm"), "[ \"$1\" = --version ] && { echo 11.0.0; exit 0; }");
    }

    fn command(&self, arguments: &[&str], environment: &[(&str, &str)]) -> Command {
        let path = format!("{}:{}", self.path("bin").display(), std::env::var("PATH").unwrap());
        let mut command = Command::new(env!("CARGO_BIN_EXE_parity"));
        command
            .args(arguments)
            .current_dir(self.path("checkout"))
            .env("PATH", path)
            .env("PARITY_CACHE_DIR", self.path("cache"))
            .env("TMPDIR", self.path("tmp"))
            .envs(environment.iter().copied())
            .stdin(Stdio::null())
            .stdout(fs::File::create(self.path("out")).unwrap())
            .stderr(fs::File::create(self.path("err")).unwrap());
        command
    }

    /// Starts the program and waits until an endless program runs; returns the processes.
    fn start(&self, arguments: &[&str], environment: &[(&str, &str)]) -> (Child, Vec<i32>) {
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

    fn said(&self) -> String {
        let read = |name| fs::read(self.path(name)).unwrap_or_default();
        String::from_utf8_lossy(&[read("out"), read("err")].concat()).into_owned()
    }

    /// The program, started so, is interrupted while something endless runs.
    fn interrupted(&self, arguments: &[&str], environment: &[(&str, &str)], signal: Signal) {
        let (mut parity, pids) = self.start(arguments, environment);
        send(parity.id(), signal);
        self.expect_interrupt(&mut parity, &format!("{arguments:?} {signal:?}"));
        expect_gone(&pids);
        fs::remove_file(self.path("seen").join("pids")).unwrap();
    }

    fn expect_interrupt(&self, parity: &mut Child, when: &str) {
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

fn send(process: u32, signal: Signal) {
    kill_process(Pid::from_raw(process.try_into().unwrap()).unwrap(), signal).unwrap();
}

fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
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

/// Waits until processes are gone. One that nobody has reaped yet is.
fn expect_gone(processes: &[i32]) {
    let runs = |process: &i32| status(*process).is_some_and(|fields| fields[0] != "Z");
    wait_until(&format!("{processes:?} are gone"), || !processes.iter().any(runs));
}

/// The running children of a process.
fn children(parent: u32) -> Vec<i32> {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let ids = processes.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let is_child = |id: &i32| status(*id).is_some_and(|fields| fields[1] == parent.to_string());
    ids.filter(is_child).collect()
}

fn scratch(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().flatten();
    entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

const SLICE: [&str; 5] = ["run", "--corpus", "^slice$", "--gate", "A1"];

#[test]
fn an_interrupt_while_prerequisites_are_checked() {
    let place = Place::new();
    let compiler = place.path("bin/endless-cc");
    place.endless(&compiler, "");
    let environment = [("CC", compiler.to_str().unwrap())];
    for signal in [Signal::INT, Signal::TERM] {
        place.interrupted(&["preflight"], &environment, signal);
        place.interrupted(&SLICE, &environment, signal);
    }
}

#[test]
fn an_interrupt_while_the_comparator_says_who_it_is() {
    let place = Place::new();
    place.comparator();
    for (signal, arguments) in [
        (Signal::INT, &["preflight"][..]),
        (Signal::TERM, &SLICE),
        (Signal::INT, &["record", "--corpus", "^slice$"]),
    ] {
        let (mut parity, pids) = place.start_comparator(arguments);
        send(parity.id(), signal);
        place.expect_interrupt(&mut parity, &format!("{arguments:?} {signal:?}"));
        expect_gone(&pids);
    }
}

#[test]
fn an_interrupt_of_a_download() {
    let place = Place::new();
    place.endless_npm();
    let arguments = ["run", "--corpus", "^express$", "--gate", "A1"];
    place.interrupted(&arguments, &[], Signal::INT);
    place.interrupted(&arguments, &[], Signal::TERM);
}

#[test]
fn an_interrupt_of_an_installation() {
    let place = Place::new();
    let uv = "[ \"$1\" = --version ] && { echo uv 1; exit 0; }\ntrap '' TERM";
    place.endless(&place.path("bin/uv"), uv);
    place.interrupted(&SLICE, &[], Signal::INT);
}

#[test]
fn an_interrupt_while_the_source_is_looked_at() {
    let place = Place::new();
    place.endless(
        &place.path("bin/git"),
        "case \"$*\" in *write-tree*) ;; *) PATH=${PATH#*:} exec git \"$@\" ;; esac",
    );
    let arguments = ["run", "--corpus", "^slice$", "--profile", "enhancement"];
    place.interrupted(&arguments, &[], Signal::INT);
}

#[test]
fn an_interrupt_of_work_that_does_not_look() {
    let place = Place::new();
    place.comparator();
    let row = "fc43a91e7dc7affb53c6ad7123a4f35485ed3c45226ae7a3847b7738e783e008";
    fs::create_dir(place.path("cache/locks")).unwrap();
    let lock = fs::File::create(place.path("cache/locks").join(row)).unwrap();
    lock.lock().unwrap();
    for signals in [1, 2] {
        let arguments = ["run", "--corpus", "^express$", "--gate", "A1"];
        let mut parity = place.command(&arguments, &[]).spawn().unwrap();
        thread::sleep(Duration::from_secs(2));
        for _ in 0..signals {
            send(parity.id(), Signal::INT);
            thread::sleep(Duration::from_millis(300));
        }
        place.expect_interrupt(&mut parity, "waiting for a lock");
    }
}

#[test]
fn an_interrupt_at_any_moment_of_a_run() {
    let place = Place::new();
    let arguments = ["run", "--corpus", "^slice$", "--profile", "enhancement"];
    let started = Instant::now();
    let whole = place.command(&arguments, &[]).status().unwrap();
    let took = started.elapsed();
    assert!(matches!(whole.code(), Some(0 | 10 | 11)), "{}", place.said());
    for part in 0..8 {
        fs::remove_dir_all(place.path("checkout/artifacts")).unwrap();
        let mut parity = place.command(&arguments, &[]).spawn().unwrap();
        // The first moments are the kernel's and the loader's.
        thread::sleep(Duration::from_millis(100) + took * part / 8);
        send(parity.id(), Signal::INT);
        let mut ended = None;
        wait_until("it ends", || {
            ended = parity.try_wait().unwrap();
            ended.is_some()
        });
        if ended.unwrap().code() == whole.code() {
            // It was quicker this time.
            continue;
        }
        place.expect_interrupt(&mut parity, &format!("part {part}"));
        fs::create_dir_all(place.path("checkout/artifacts")).unwrap();
    }
}

#[test]
fn a_killed_run_takes_its_children_along() {
    let place = Place::new();
    let compiler = place.path("bin/endless-cc");
    place.endless(&compiler, "trap '' TERM INT HUP");
    let (mut parity, pids) = place.start(&["preflight"], &[("CC", compiler.to_str().unwrap())]);
    let all = [children(parity.id()), pids].concat();
    assert!(all.len() >= 3, "the warden, the program, and what it started");
    parity.kill().unwrap();
    parity.wait().unwrap();
    expect_gone(&all);
}

#[test]
fn a_killed_download_is_taken_along_and_collected() {
    let place = Place::new();
    place.endless_npm();
    let arguments = ["run", "--corpus", "^express$", "--gate", "A1"];
    let (mut parity, pids) = place.start(&arguments, &[]);
    parity.kill().unwrap();
    parity.wait().unwrap();
    expect_gone(&pids);
    assert!(!scratch(&place.path("cache/tmp")).is_empty());
    // The next run is about another corpus.
    let next = ["run", "--corpus", "^slice$", "--profile", "enhancement"];
    let ended = place.command(&next, &[]).status().unwrap();
    assert!(matches!(ended.code(), Some(0 | 10 | 11)), "{}", place.said());
    assert!(scratch(&place.path("cache/tmp")).is_empty());
}

#[test]
fn what_a_killed_run_left_is_collected_by_the_next() {
    let place = Place::new();
    place.comparator();
    let (mut parity, pids) = place.start_comparator(&["preflight"]);
    parity.kill().unwrap();
    parity.wait().unwrap();
    expect_gone(&pids);
    assert_eq!(scratch(&place.path("tmp")).len(), 1);
    let map = place.command(&["map", "."], &[]).status().unwrap();
    assert!(map.success(), "{}", place.said());
    assert!(scratch(&place.path("tmp")).is_empty(), "{:?}", scratch(&place.path("tmp")));
}

#[test]
fn a_killed_map_takes_git_along() {
    let place = Place::new();
    let dir = committed(|_| {});
    let id = git(dir.path(), &["rev-parse", "HEAD^{tree}"]);
    let (folder, file) = id.trim().split_at(2);
    let object = dir.path().join(".git/objects").join(folder).join(file);
    fs::remove_file(&object).unwrap();
    assert!(Command::new("mkfifo").arg(&object).status().unwrap().success());
    let mut parity = place.command(&["map", dir.path().to_str().unwrap()], &[]).spawn().unwrap();
    // The listing of the index ends at once, that of the tree waits for the pipe.
    let mut waiting = Vec::new();
    wait_until("git waits", || {
        thread::sleep(Duration::from_millis(500));
        waiting = children(parity.id());
        waiting.len() == 1
    });
    parity.kill().unwrap();
    parity.wait().unwrap();
    expect_gone(&waiting);
    assert_eq!(scratch(&place.path("tmp")).len(), 1);
    assert!(place.command(&["map", "."], &[]).status().unwrap().success());
    assert!(scratch(&place.path("tmp")).is_empty());
}
