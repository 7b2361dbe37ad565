//! A run that is interrupted or killed while its bundle is sealed: the bundle is complete or missing,
//! the run is not complete, and the same command completes it.

use std::{
    fs::{self, File},
    path::PathBuf,
    process::Child,
    thread,
    time::Duration,
};

use rustix::process::Signal;

use crate::place::{Place, send, wait_until};

const RUN: [&str; 3] = ["run", "--profile", "enhancement"];
/// Exit codes of a complete run: one corpus is not enough for every gate.
const ENDED: [Option<i32>; 3] = [Some(0), Some(10), Some(11)];

/// A file of the evidence that takes a while to copy and digest.
const LARGE: &str = "large";

/// A complete run without the file that says so, so that the next command seals its bundle again.
struct Ended {
    place: Place,
    run: PathBuf,
    bundle: PathBuf,
}

impl Ended {
    fn new() -> Self {
        let place = Place::small("enhancement");
        let ended = place.command(&RUN, &[]).status().unwrap();
        assert!(ENDED.contains(&ended.code()), "{}", place.said());
        let only = |folder: &str| {
            let folder = place.path("checkout/artifacts").join(folder);
            let found: Vec<_> = fs::read_dir(folder).unwrap().map(Result::unwrap).collect();
            assert_eq!(found.len(), 1, "{found:?}");
            found[0].path()
        };
        let (run, bundle) = (only("runs"), only("bundles"));
        let ended = Self { place, run, bundle };
        ended.expect_whole();
        ended
    }

    /// Puts the run into the state of one that was stopped right after sealing.
    fn reopen(&self) {
        fs::remove_file(self.run.join("complete")).unwrap();
    }

    /// The same with a large file in the evidence; starts the program and returns it as soon as it
    /// copies that file.
    fn reseal_slowly(&self) -> Child {
        self.reopen();
        File::create(self.run.join("evidence").join(LARGE)).unwrap().set_len(128 << 20).unwrap();
        let mut parity = self.place.command(&RUN, &[]).spawn().unwrap();
        let copied = self.run.join("staging").join(LARGE);
        wait_until("the evidence is copied", || {
            assert!(parity.try_wait().unwrap().is_none(), "it ended: {}", self.place.said());
            copied.exists()
        });
        parity
    }

    /// Fails unless the bundle is complete, and the only one.
    fn expect_whole(&self) {
        let bundles = fs::read_dir(self.bundle.parent().unwrap()).unwrap();
        let found: Vec<_> = bundles.map(|entry| entry.unwrap().path()).collect();
        assert_eq!(found, std::slice::from_ref(&self.bundle));
        let verify = ["verify", self.bundle.to_str().unwrap()];
        let verified = self.place.command(&verify, &[]).status().unwrap();
        assert!(ENDED.contains(&verified.code()), "{}", self.place.said());
        assert!(self.place.said().starts_with("verified: "), "{}", self.place.said());
        let latest = self.place.path("checkout/artifacts/latest-bundle");
        assert_eq!(fs::read_to_string(latest).unwrap().trim(), verify[1]);
    }

    /// Repeats the command, which must complete the run without making any recording again.
    fn expect_end(&self) {
        fs::remove_file(self.run.join("evidence").join(LARGE)).ok();
        assert!(!self.run.join("complete").exists(), "a run that was stopped is complete");
        let before = fs::read(self.run.join("events.jsonl")).unwrap();
        let ended = self.place.command(&RUN, &[]).status().unwrap();
        assert!(ENDED.contains(&ended.code()), "{}", self.place.said());
        assert!(self.place.said().contains("resuming: "), "{}", self.place.said());
        let after = fs::read(self.run.join("events.jsonl")).unwrap();
        assert_eq!(after.trim_ascii_end(), before.trim_ascii_end());
        assert!(self.run.join("complete").exists() && self.bundle.exists());
        for left in ["staging", "sealed", "replaced"] {
            assert!(!self.run.join(left).exists(), "{left}");
        }
    }
}

#[test]
fn an_interrupt_while_a_bundle_is_sealed() {
    let ended = Ended::new();
    for (signal, is_sealed) in [(Signal::INT, true), (Signal::TERM, false)] {
        if !is_sealed {
            fs::remove_dir_all(&ended.bundle).unwrap();
        }
        let mut parity = ended.reseal_slowly();
        send(parity.id(), signal);
        ended.place.expect_interrupt(&mut parity, "sealing");
        // An existing bundle stays as it was, and nothing replaces it.
        assert_eq!(ended.bundle.exists(), is_sealed);
        assert!(!ended.place.said().contains("sealed "), "{}", ended.place.said());
        if is_sealed {
            ended.expect_whole();
        }
        ended.expect_end();
    }
    ended.expect_whole();
}

#[test]
fn a_run_that_is_killed_while_it_seals_leaves_a_whole_bundle_or_none() {
    let ended = Ended::new();
    // The state after a kill between two renames, on a file system that cannot exchange bundles at once.
    fs::rename(&ended.bundle, ended.run.join("replaced")).unwrap();
    let mut parity = ended.reseal_slowly();
    parity.kill().unwrap();
    parity.wait().unwrap();
    ended.expect_whole();
    ended.expect_end();
    // Killed at other moments; the last ones may find the run complete.
    for moment in [0, 10, 20, 40] {
        ended.reopen();
        let staging = ended.run.join("staging");
        let mut parity = ended.place.command(&RUN, &[]).spawn().unwrap();
        wait_until("it seals", || staging.exists() || parity.try_wait().unwrap().is_some());
        thread::sleep(Duration::from_millis(moment));
        parity.kill().unwrap();
        parity.wait().unwrap();
        ended.expect_whole();
        if !ended.run.join("complete").exists() {
            ended.expect_end();
        }
    }
}

#[test]
fn a_place_that_cannot_be_written_is_named_and_nothing_is_sealed() {
    let ended = Ended::new();
    let bundles = ended.bundle.parent().unwrap();
    for place in [bundles.to_owned(), ended.run.join("staging")] {
        ended.reopen();
        fs::remove_dir_all(&place).ok();
        // A file instead of a folder, because root may write into any folder.
        fs::write(&place, "").unwrap();
        let failed = ended.place.command(&RUN, &[]).status().unwrap();
        let said = ended.place.said();
        assert_eq!(failed.code(), Some(74), "{said}");
        assert!(said.contains(place.to_str().unwrap()), "{said}");
        assert!(!said.contains("sealed "), "{said}");
        fs::remove_file(&place).unwrap();
        ended.expect_end();
    }
    ended.expect_whole();
}

#[test]
fn a_disk_that_is_full_at_any_size_is_an_error_and_nothing_half_written_is_sealed() {
    let ended = Ended::new();
    let mut failed = 0;
    // From nothing to more than the size of its largest file, in blocks of 512 bytes.
    for blocks in [0, 2, 8, 32, 1 << 16] {
        ended.reopen();
        fs::remove_dir_all(&ended.bundle).unwrap();
        let code = ended.place.with_small_files(blocks, &RUN).status().unwrap().code();
        let said = ended.place.said();
        if ENDED.contains(&code) {
            ended.expect_whole();
            continue;
        }
        failed += 1;
        // If not even a message can be written, the exit code must be enough. A failed write before the
        // run begins counts as an unmet prerequisite.
        assert!([Some(20), Some(74)].contains(&code), "{blocks}: {code:?} {said}");
        assert!(blocks < 16 || said.contains("File too large"), "{blocks}: {said}");
        assert!(!said.contains("sealed ") && !said.contains("panicked"), "{blocks}: {said}");
        assert!(!ended.bundle.exists(), "{blocks}: {said}");
        ended.expect_end();
    }
    assert!(failed >= 3 && ended.bundle.exists(), "{failed} runs failed");
    ended.expect_whole();
}
