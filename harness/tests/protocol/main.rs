//! The protocol in force is compared with its own history and with the version before, and its gold
//! with the oracles; each check is also tried on something that it must refuse.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod diff;
mod repository;
mod status;
#[path = "../support/mod.rs"]
mod support;

use std::{
    fs,
    os::unix::fs::symlink,
    path::PathBuf,
    process::{Command, Output},
};

use harness::protocol::{HistoryError, freeze, lowered, versions, walk};
use record::{
    Gold,
    protocol::{COMPOSITION, CURRENT, FLOORS, FOLDER, FREEZE, GATES, RUNTIME, RUNTIME_FOLDER},
};

use repository::{Repository, git};
use support::root;

#[test]
fn no_commit_changed_what_the_protocol_froze() {
    let walk = walk(&root()).unwrap_or_else(|error| panic!("{error}"));
    let changes: Vec<String> = walk.changes.iter().map(ToString::to_string).collect();
    assert_eq!(changes, [""; 0], "make a new version with `cargo parity protocol bump`");
    assert!(walk.files > 60, "{} frozen files", walk.files);
}

#[test]
fn no_floor_is_lower_than_in_the_version_before() {
    let (before, now) = versions(&root()).unwrap();
    assert_eq!(lowered(&before, &now).unwrap(), [""; 0]);
}

#[test]
fn a_lowered_floor_of_the_committed_protocol_is_named() {
    let (before, _) = versions(&root()).unwrap();
    let copy = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(root().join(FOLDER)).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            fs::copy(&path, copy.path().join(path.file_name().unwrap())).unwrap();
        }
    }
    let floors = copy.path().join("floors.toml");
    let text = fs::read_to_string(root().join(FLOORS)).unwrap();
    let less = text.replacen("python = { files = 112,", "python = { files = 111,", 1);
    assert_ne!(text, less);
    fs::write(floors, less).unwrap();
    let lowered = lowered(&before, copy.path()).unwrap();
    assert_eq!(lowered, ["floors.toml: sets.smoke.python.files was 112, is 111"]);
}

#[test]
fn what_is_not_frozen_changes_and_what_is_new_is_added() {
    let repository = Repository::frozen();
    repository.write(COMPOSITION, "two");
    repository.commit("compose");
    repository.write(&Gold::path("d"), "more labels");
    repository.freeze();
    repository.commit("a language more");
    let walk = repository.walk();
    assert_eq!((walk.changes, walk.commits, walk.files), (Vec::new(), 3, 4));
}

#[test]
fn a_frozen_file_that_a_commit_changed_is_named() {
    let gold = Gold::path("c");
    let repository = Repository::frozen();
    repository.write(&gold, "other labels");
    repository.commit("labels");
    assert_eq!(repository.changes(), [format!("changed or removed {gold}")]);

    // Frozen a second time under the same version, as protocol 1 once was.
    repository.freeze();
    repository.commit("freeze again");
    let again = [format!("changed or removed {gold}"), format!("froze anew or no more {gold}")];
    assert_eq!(repository.changes(), again);

    // Changed, and changed back.
    let repository = Repository::frozen();
    repository.write(GATES, "min = 0");
    repository.commit("lower");
    repository.write(GATES, "min = 1");
    repository.commit("raise");
    assert_eq!(repository.changes(), [format!("changed or removed {GATES}")]);
}

#[test]
fn a_rule_of_runtime_paths_that_changed_without_a_new_version_is_named() {
    let next = format!("{RUNTIME_FOLDER}runtime_matrix.v2.toml");
    let repository = Repository::frozen();
    repository.write(&next, "paths = 2");
    assert_eq!(freeze(repository.path()).unwrap(), 1);
    repository.commit("a next version");
    assert_eq!(repository.changes(), [""; 0]);

    repository.write(RUNTIME, "paths = 0");
    let refused = freeze(repository.path()).unwrap_err();
    assert!(refused.to_string().starts_with(RUNTIME), "{refused}");
    repository.commit("ask less");
    assert_eq!(repository.changes(), [format!("changed or removed {RUNTIME}")]);

    // Frozen before the rules existed: once added, the rules are frozen as well.
    let repository = Repository::new();
    fs::remove_dir_all(repository.path().join(RUNTIME_FOLDER)).unwrap();
    freeze(repository.path()).unwrap();
    repository.commit("freeze");
    repository.write(RUNTIME, "paths = 1");
    repository.commit("rules that nobody froze");
    freeze(repository.path()).unwrap();
    repository.commit("freeze them");
    assert_eq!(repository.changes(), [""; 0]);
    fs::remove_file(repository.path().join(RUNTIME)).unwrap();
    repository.commit("no rules");
    assert_eq!(repository.changes(), [format!("changed or removed {RUNTIME}")]);
}

#[test]
fn a_freeze_that_is_removed_or_wrong_is_named() {
    let repository = Repository::frozen();
    fs::remove_file(repository.path().join(FREEZE)).unwrap();
    repository.commit("thaw");
    assert_eq!(repository.changes(), [format!("removed or broke {FREEZE}")]);

    let repository = Repository::new();
    repository.freeze();
    repository.write(GATES, "min = 0");
    repository.commit("freeze something else");
    assert_eq!(repository.changes(), [format!("froze with the digest of something else {GATES}")]);
}

#[test]
fn a_merged_branch_and_an_older_version_count() {
    let repository = Repository::frozen();
    repository.git(&["checkout", "-q", "-b", "side"]);
    repository.write(GATES, "min = 0");
    repository.commit("lower");
    repository.git(&["checkout", "-q", "main"]);
    repository.commit("meanwhile");
    assert_eq!(repository.changes(), [""; 0]);
    repository.git(&["merge", "-q", "--no-ff", "-m", "merge", "side"]);
    assert_eq!(repository.changes(), [format!("changed or removed {GATES}")]);

    let repository = Repository::frozen();
    repository.write("protocols/v0/gates.toml", "min = -1");
    repository.commit("lower the version before");
    assert_eq!(repository.changes(), ["changed an older protocol"]);
}

#[test]
fn a_history_that_is_not_there_is_no_clean_history() {
    let repository = Repository::frozen();
    repository.commit("later");
    repository.commit("and later");
    let folder = tempfile::tempdir().unwrap();
    let clone = |name: &str, depth: &str| -> PathBuf {
        let from = format!("file://{}", repository.path().display());
        git(folder.path(), &["clone", "-q", "--depth", depth, &from, name]);
        folder.path().join(name)
    };
    assert!(matches!(walk(&clone("short", "1")), Err(HistoryError::Shallow)));
    let message = walk(&folder.path().join("short")).unwrap_err().to_string();
    assert!(message.contains("git fetch --unshallow"), "{message}");
    assert_eq!(walk(&clone("long", "4")).unwrap().changes, []);
    assert!(matches!(walk(Repository::new().path()), Err(HistoryError::NotFrozen)));
    let none = tempfile::tempdir().unwrap();
    assert!(matches!(walk(none.path()), Err(HistoryError::Git { .. })));
}

/// A language whose oracle needs no installation, so that labels are made quickly.
const LANGUAGE: &str = "python";
const CORPUS: &str = "requests";

/// A checkout with this gold, and the output of `parity gold check` in it.
fn checked(gold: &Gold) -> Output {
    let folder = tempfile::tempdir().unwrap();
    for part in ["corpora", "comparators", "queries", "keys"] {
        symlink(root().join(part), folder.path().join(part)).unwrap();
    }
    let protocol = folder.path().join(FOLDER);
    fs::create_dir_all(protocol.parent().unwrap()).unwrap();
    symlink(root().join(FOLDER), folder.path().join(FOLDER.trim_end_matches('/'))).unwrap();
    fs::copy(root().join(CURRENT), folder.path().join(CURRENT)).unwrap();
    gold.write(&folder.path().join(Gold::path(LANGUAGE))).unwrap();
    Command::new(env!("CARGO_BIN_EXE_parity"))
        .args(["gold", "check", "--language", LANGUAGE, "--corpus", &format!("^{CORPUS}$")])
        .current_dir(folder.path())
        .output()
        .unwrap()
}

#[test]
fn an_altered_label_is_refused_by_gold_check() {
    let gold = Gold::read(&root().join(Gold::path(LANGUAGE))).unwrap();
    let good = checked(&gold);
    assert_eq!(good.status.code(), Some(0), "{}", String::from_utf8_lossy(&good.stderr));

    let mut altered = gold;
    let mut files = altered.files.iter_mut();
    let file = files.find(|file| file.corpus == CORPUS && !file.labels.symbols.is_empty()).unwrap();
    file.labels.symbols[0].line += 1;
    let name = format!("{CORPUS}/{}", file.file);
    let refused = checked(&altered);
    assert_eq!(refused.status.code(), Some(21), "{}", String::from_utf8_lossy(&refused.stderr));
    let said = String::from_utf8_lossy(&refused.stdout).into_owned();
    let named: Vec<&str> = said.lines().filter(|line| line.contains("differs")).collect();
    assert_eq!(named, [format!("  differs: {name}")]);
}
