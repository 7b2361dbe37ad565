//! The adapter of Volt and `parity audit volt`, against a miniature checkout of our own
//! (`tests/volt/`) with the module interface of Volt. It is JavaScript, which node runs.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use serde_json::Value;

/// A corpus of the smoke set.
const CORPUS: &str = "^flask$";

/// A copy of the miniature as a repository with one commit.
fn checkout(folder: &Path) -> PathBuf {
    let dispatcher = "packages/opencode/src/session/lcm/explore/dispatcher.js";
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/volt");
    let to = folder.join("volt");
    fs::create_dir_all(to.join(dispatcher).parent().unwrap()).unwrap();
    for file in ["package.json", dispatcher] {
        fs::copy(from.join(file), to.join(file)).unwrap();
    }
    for arguments in [
        &["init", "--quiet"][..],
        &["add", "--all"],
        &["-c", "user.name=t", "-c", "user.email=t@t", "commit", "--quiet", "-m", "miniature"],
    ] {
        let git = Command::new("git").current_dir(&to).args(arguments).status().unwrap();
        assert!(git.success());
    }
    to
}

fn audit(volt: &Path) -> Output {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    Command::new(env!("CARGO_BIN_EXE_parity"))
        .args(["audit", "volt", "--json", "--set", "smoke", "--corpus", CORPUS])
        .env("PARITY_VOLT_DIR", volt)
        .current_dir(root)
        .output()
        .unwrap()
}

#[test]
fn a_checkout_is_run_and_a_field_that_only_it_has_is_a_failure() {
    let folder = tempfile::tempdir().unwrap();
    let volt = checkout(folder.path());
    let output = audit(&volt);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(10), "{said}");
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["volt"], "live");
    assert_eq!(found["checkout"]["commit"].as_str().unwrap().len(), 40);
    assert_eq!(found["checkout"]["tree"].as_str().unwrap().len(), 40);
    assert_eq!(found["checkout"]["clean"], true);
    assert_eq!(found["checkout"]["runner"], "node");
    let files = found["files"].as_array().unwrap();
    let lacking: Vec<&Value> =
        files.iter().filter(|file| !file["lacking"].as_array().unwrap().is_empty()).collect();
    assert!(!lacking.is_empty());
    for file in lacking {
        assert!(file["file"].as_str().unwrap().ends_with("cli.py"), "{file}");
        assert_eq!(file["lacking"][0], "Moon phase");
    }
    // What the miniature does not name and gold does.
    let python = &found["explorers"]["python"];
    assert!(python["volt_misses"].as_u64().unwrap() > 100, "{python}");
    // No model is handed to an explorer.
    let text = files.iter().find(|file| !file["file"].as_str().unwrap().ends_with(".py")).unwrap();
    assert!(text["volt_failed"].as_str().unwrap().contains("a model was asked for"), "{text}");

    // A tracked file that was changed is told.
    let package = volt.join("package.json");
    let text = fs::read_to_string(&package).unwrap();
    fs::write(&package, format!("{text}\n")).unwrap();
    let found: Value = serde_json::from_slice(&audit(&volt).stdout).unwrap();
    assert_eq!(found["checkout"]["clean"], false);
}

#[test]
fn a_checkout_that_is_named_and_cannot_be_run_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    for volt in [folder.path().to_owned(), folder.path().join("absent")] {
        let output = audit(&volt);
        assert_eq!(output.status.code(), Some(20));
        assert!(String::from_utf8_lossy(&output.stderr).contains("PARITY_VOLT_DIR"));
    }
}

#[test]
fn without_a_checkout_the_contracts_are_said_and_nothing_passes() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    if root.parent().is_some_and(|parent| parent.join("volt").exists()) {
        return;
    }
    let output = audit(Path::new(""));
    assert_eq!(output.status.code(), Some(4));
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["volt"], "contracts");
}
