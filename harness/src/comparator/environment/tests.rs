//! The life of an environment, with a fake interpreter and installer.

use std::os::unix::fs::PermissionsExt;

use record::exit;

use super::*;
use crate::comparator::definition::aider_spec;

/// Answers the probe, and makes an "environment" that consists of itself.
const FAKE_PYTHON: &str = r#"#!/bin/sh
case "$*" in
*"-m venv"*) for folder; do :; done; mkdir -p "$folder/bin"; cp "$0" "$folder/bin/python" ;;
*) echo "3.11.9 - $0" ;;
esac
"#;

struct Fixture {
    folder: tempfile::TempDir,
    spec: ComparatorSpec,
}

impl Fixture {
    /// A comparator whose installer is a shell line; each run of it adds a line to `log`.
    fn new(installer: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("python"), FAKE_PYTHON).unwrap();
        std::fs::set_permissions(at("python"), std::fs::Permissions::from_mode(0o755)).unwrap();
        std::fs::write(at("lock"), "one==1\n    --hash=x\ntwo==2\n").unwrap();
        let mut definition = aider_spec().definition;
        definition.install.lock = "lock".to_owned();
        definition.install.lock_sha256 = Digest::of_file(&at("lock")).unwrap();
        let line = format!("echo run >> {}; {installer}", at("log").display());
        let command = vec!["sh".to_owned(), "-c".to_owned(), line];
        definition.install.pip.clone_from(&command);
        definition.install.uv = command;
        let spec = ComparatorSpec { path: folder.path().to_owned(), definition };
        Self { folder, spec }
    }

    fn environments(&self) -> Environments<'_> {
        let python_override = Some(self.folder.path().join("python").to_str().unwrap().to_owned());
        Environments {
            spec: &self.spec,
            cache: self.folder.path().join("cache"),
            python_override,
            shared: None,
        }
    }

    fn installs(&self) -> usize {
        std::fs::read_to_string(self.folder.path().join("log")).unwrap_or_default().lines().count()
    }
}

#[test]
fn it_is_made_once_and_found_afterwards() {
    let fixture = Fixture::new("echo 'Collecting one==1'");
    let environments = fixture.environments();
    assert!(environments.ready().is_none());
    let mut lines = Vec::new();
    let made = environments.prepare(&mut |line| lines.push(line.to_owned())).unwrap();
    assert_eq!(made.stamp.python_version, "3.11.9");
    assert!(lines.contains(&"package 1 of 2: one".to_owned()), "{lines:?}");
    assert_eq!(environments.ready().unwrap().stamp, made.stamp);
    environments.prepare(&mut |_| ()).unwrap();
    assert_eq!(fixture.installs(), 1);
    // Another name for the same interpreter needs no second environment.
    std::fs::copy(fixture.folder.path().join("python"), fixture.folder.path().join("other"))
        .unwrap();
    let other = Environments {
        python_override: fixture.folder.path().join("other").to_str().map(str::to_owned),
        ..environments
    };
    other.prepare(&mut |_| ()).unwrap();
    assert_eq!(fixture.installs(), 1);
}

#[test]
fn an_unfinished_one_and_a_stale_lock_are_no_obstacle() {
    let fixture = Fixture::new("true");
    let environments = fixture.environments();
    let folder = environments.folder("3.11");
    std::fs::create_dir_all(folder.join("bin")).unwrap();
    std::fs::write(folder.join("bin").join("python"), "half").unwrap();
    std::fs::write(folder.join("left-over"), "").unwrap();
    std::fs::write(folder.with_added_extension("lock"), "999999\n").unwrap();
    assert!(environments.ready().is_none());
    environments.prepare(&mut |_| ()).unwrap();
    assert!(environments.ready().is_some() && !folder.join("left-over").exists());
}

#[test]
fn a_failed_installation_says_which_kind_and_leaves_no_stamp() {
    for (says, code) in [
        ("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE", exit::DIGEST),
        ("WARNING: Retrying after NewConnectionError", exit::SETUP),
        ("ERROR: something else", exit::SETUP),
    ] {
        let fixture = Fixture::new(&format!("echo '{says}' >&2; exit 1"));
        let environments = fixture.environments();
        let error = environments.prepare(&mut |_| ()).unwrap_err();
        assert_eq!(error.exit_code(), code, "{says}");
        assert!(error.to_string().contains(says), "{error}");
        assert!(environments.ready().is_none());
    }
}

#[test]
fn a_changed_lock_is_refused_before_anything_runs() {
    let fixture = Fixture::new("true");
    std::fs::write(fixture.spec.lock(), "one==1\n").unwrap();
    let error = fixture.environments().prepare(&mut |_| ()).unwrap_err();
    assert_eq!((error.exit_code(), fixture.installs()), (exit::DIGEST, 0));
}

#[test]
fn two_at_once_make_it_once() {
    let fixture = Fixture::new("sleep 0.5");
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| fixture.environments().prepare(&mut |_| ()).unwrap());
        }
    });
    assert_eq!(fixture.installs(), 1);
}

#[test]
fn a_changed_lock_or_a_vanished_interpreter_is_not_ready() {
    let fixture = Fixture::new("true");
    let made = fixture.environments().prepare(&mut |_| ()).unwrap();
    let mut spec = fixture.spec.clone();
    spec.definition.install.lock_sha256 = Digest::of(b"another lock");
    assert!(Environments { spec: &spec, ..fixture.environments() }.ready().is_none());
    std::fs::remove_file(&made.python).unwrap();
    assert!(fixture.environments().ready().is_none());
}
