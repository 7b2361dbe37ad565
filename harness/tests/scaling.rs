//! The model of runs on many nodes: its own checks, and that its files follow from each other.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test fails by panicking")]

use std::{
    path::{Path, PathBuf},
    process::Command,
};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../cluster/scaling")
}

/// What a script prints. The scripts need a Python that reads TOML (3.11).
fn said(script: &[&str]) -> Option<String> {
    let has_toml = Command::new("python3").args(["-c", "import tomllib"]).status();
    if !has_toml.is_ok_and(|status| status.success()) {
        eprintln!("python3 is older than 3.11: not checked");
        return None;
    }
    let child = Command::new("python3")
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .args(script)
        .current_dir(folder())
        .output()
        .unwrap();
    assert!(child.status.success(), "{script:?}: {}", String::from_utf8_lossy(&child.stderr));
    Some(String::from_utf8(child.stdout).unwrap())
}

#[test]
fn fit_and_simulation_give_the_answers_that_are_known_without_them() {
    said(&["check.py"]);
}

#[test]
fn the_committed_model_is_the_fit_of_the_committed_measurements() {
    let Some(model) = said(&["fit.py"]) else { return };
    let read = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
    let committed = std::fs::read_to_string(folder().join("model.json")).unwrap();
    assert_eq!(read(&model), read(&committed));
}

#[test]
fn the_page_shows_what_the_model_foretells_of_recorded_runs() {
    let Some(checked) = said(&["simulate.py", "check"]) else { return };
    let rows: serde_json::Value = serde_json::from_str(&checked).unwrap();
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/scaling.md");
    let page = std::fs::read_to_string(page).unwrap();
    let rows = rows.as_array().unwrap();
    assert!(rows.len() >= 2);
    for row in rows {
        let [foretold, measured] = ["foretold_seconds", "measured_seconds"]
            .map(|key| format!("{:.0}", row[key].as_f64().unwrap()));
        let line = format!("| {} | {foretold} | {measured} |", row["run"].as_str().unwrap());
        assert!(page.contains(&line), "docs/scaling.md lacks {line}");
    }
}
