//! A report with every field, as `parity report --json` prints it. Its numbers measure nothing.

use std::{collections::BTreeMap, fs};

use harness::report::{Commands, Deviation, Entry, GateSummary, RunReport, SCHEMA_VERSION};
use record::{Cell, FromSeeds, Spread, Verdict};
use serde_json::{Value, json};
use verdict::gate::{GateId, PlotKind, PlotSpec};

use super::place::Place;

/// The same report whole and as short as it can be, each printed by the program.
pub fn printed() -> Vec<Value> {
    let place = Place::small();
    let mut short = report();
    short.part = None;
    short.run_profile = None;
    short.commands.verify = None;
    short.gates[0].plots.clear();
    short.gates[0].cells.truncate(1);
    let mut found = Vec::new();
    for report in [report(), short] {
        fs::write(place.root().join("report.json"), json!(report).to_string()).unwrap();
        found.extend(place.objects(&["report", ".", "--json"], ""));
    }
    found
}

/// A report in which every optional field is there.
pub fn report() -> RunReport {
    let entry = |name: &str| Entry { name: name.to_owned(), value: "a value".to_owned() };
    RunReport {
        schema_version: SCHEMA_VERSION,
        title: "Parity: smoke set, parity profile".to_owned(),
        set: "smoke".to_owned(),
        verdict: Verdict::Fail,
        part: Some("gates A1".to_owned()),
        comparator_commit: "7a".repeat(20),
        profile: ["profile", "parity_mode", "deterministic_mode"]
            .into_iter()
            .zip(["parity", "true", "true"])
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect(),
        run_profile: Some(run_profile()),
        environment: vec![entry("system")],
        digests: vec![entry("fixtures")],
        commands: Commands {
            run: "cargo parity run --set smoke --gate A1".to_owned(),
            whole: "cargo parity run --set smoke".to_owned(),
            verify: Some("cargo parity verify BUNDLE".to_owned()),
        },
        gates: vec![GateSummary {
            gate: GateId::A1.name(),
            title: "ranking concordance".to_owned(),
            verdict: Verdict::Fail,
            cells: vec![bare(), full()],
            plots: vec![
                PlotSpec::bar("all"),
                PlotSpec {
                    kind: PlotKind::Strip,
                    title: "a metric".to_owned(),
                    metric: Some("jaccard_top".to_owned()),
                    band: Some((0.85, 1.0)),
                },
            ],
        }],
        deviations: vec![Deviation {
            id: "a-name".to_owned(),
            what: "what differs".to_owned(),
            why: "why".to_owned(),
            evidence: "a test".to_owned(),
            expiry: "never".to_owned(),
        }],
    }
}

/// A cell in which nothing could be measured.
fn bare() -> Cell {
    Cell {
        gate: GateId::A1.name(),
        corpus: String::new(),
        case: String::new(),
        budget: None,
        metric: "jaccard_top".to_owned(),
        value: None,
        threshold: None,
        margin: None,
        n: 0,
        noise_floor: None,
        seeds: None,
        verdict: Verdict::Insufficient,
        note: String::new(),
        warning: String::new(),
    }
}

fn full() -> Cell {
    let spread = Spread { mean: 0.5, min: 0.25 };
    Cell {
        corpus: "slice".to_owned(),
        case: "none".to_owned(),
        budget: Some(1024),
        value: Some(0.5),
        threshold: Some(0.85),
        margin: Some(-0.35),
        n: 30,
        noise_floor: Some(spread),
        seeds: Some(FromSeeds { ours: spread, canonical: spread }),
        verdict: Verdict::Fail,
        note: "why".to_owned(),
        warning: "unstable comparator".to_owned(),
        ..bare()
    }
}

fn run_profile() -> Value {
    let package = json!({
        "name": "a", "version": "1", "metadata_sha256": digest(), "files_sha256": digest(),
        "wheel_sha256": digest(),
    });
    json!({
        "profile": "parity",
        "parity_mode": true,
        "deterministic_mode": true,
        "enhancement_tiers_enabled": ["none"],
        "token_counter_mode": "comparator_estimate",
        "comparator_path": "comparators/aider",
        "entrypoint": "aider_main_cli",
        "map_mul_no_files_effective": 2,
        "map_mul_no_files_source": "config_override",
        "fixtures_sha256": digest(),
        "explorers": {"name": "volt"},
        "comparator_tuple": {
            "entry_point": "aider_main_cli",
            "aider_release": package,
            "aider_commit_sha": "7a".repeat(20),
            "relation": {
                "summary": "one file differs",
                "file": [{
                    "path": "a.py", "effect": "none", "wheel_sha256": digest(),
                    "commit_sha256": digest(),
                }],
            },
            "grep_ast_provenance": package,
            "tokenizer_id": "cl100k_base",
            "tokenizer_version": "a 1",
            "tokenizer_data_sha256": BTreeMap::from([("a", digest())]),
            "python_version": "3.11.7",
            "lock_sha256": digest(),
            "driver_sha256": digest(),
            "sources_sha256": BTreeMap::from([("a", digest())]),
            "environment": {
                "variables": {"LANG": "C.UTF-8"}, "git": "git version 2", "python": "CPython",
                "system": "Linux", "machine": "x86_64", "libc": "",
            },
        },
    })
}

fn digest() -> String {
    "3f".repeat(32)
}
