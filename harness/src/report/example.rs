//! Invented runs that the renderers are tested on. Their numbers measure nothing.

use std::collections::BTreeMap;

use record::{Cell, Spread, Verdict};
use verdict::{
    bundle::{Environment, Host},
    gate::{GateId, PlotKind, PlotSpec},
};

use super::{Commands, Deviation, Entry, GateSummary, RunReport, SCHEMA_VERSION};

const CORPORA: [&str; 9] = [
    "@shopify/cli-kit",
    "curl-sys",
    "express",
    "flask",
    "librocksdb-sys",
    "requests",
    "ripgrep",
    "wandb",
    "zod",
];
const CASES: [&str; 3] = ["none", "chat", "message"];
const BUDGETS: [u64; 3] = [1024, 2048, 4096];

/// The environment of a run that took ten minutes. `units` holds the wall time of each unit in
/// milliseconds.
pub fn environment(units: &[(&str, u64)]) -> Environment {
    Environment {
        counter: 1,
        finished_at: "2026-11-23T01:40:00Z".to_owned(),
        host: Host {
            architecture: String::new(),
            load_after: String::new(),
            load_before: String::new(),
            memory_bytes: 0,
            processor: String::new(),
            processors: 1,
            system: String::new(),
        },
        started_at: "2026-11-23T01:30:00Z".to_owned(),
        units: units.iter().map(|(unit, took)| ((*unit).to_owned(), *took)).collect(),
        versions: BTreeMap::new(),
        wall_ms: 600_000,
    }
}

/// A run in which everything passes.
pub fn passing() -> RunReport {
    let entry = |name: &str, value: &str| Entry { name: name.to_owned(), value: value.to_owned() };
    RunReport {
        schema_version: SCHEMA_VERSION,
        title: "Parity: smoke set, parity profile".to_owned(),
        verdict: Verdict::Pass,
        set: "smoke".to_owned(),
        part: None,
        comparator_commit: "7afaa26f8b8b7b56146f0674d2a67e795b616b7c".to_owned(),
        run_profile: None,
        profile: BTreeMap::from([
            ("profile".to_owned(), "parity".to_owned()),
            ("parity_mode".to_owned(), "true".to_owned()),
            ("token_counter_mode".to_owned(), "tokenizer_backed".to_owned()),
        ]),
        environment: vec![entry("system", "Linux x86_64"), entry("python", "3.11.2")],
        digests: vec![
            entry("fixtures_sha256", &"3f".repeat(32)),
            entry("driver_sha256", &"c4".repeat(32)),
        ],
        commands: Commands {
            run: "cargo parity run --set smoke".to_owned(),
            whole: "cargo parity run --set smoke".to_owned(),
            verify: Some("cargo parity verify artifacts/bundles/3f3f3f3f3f3f".to_owned()),
        },
        gates: vec![ranking(), tokens(), exactness()],
        deviations: vec![Deviation {
            id: "symlink-loop".to_owned(),
            what: "The released wheel walks a symbolic link loop that the pinned commit skips"
                .to_owned(),
            why: "Five files differ between the two; only this one changes behaviour".to_owned(),
            evidence: "comparators/aider/comparator.toml".to_owned(),
            expiry: "2027-06-30".to_owned(),
        }],
    }
}

/// The passing run with some cells that miss their threshold.
pub fn failing() -> RunReport {
    let mut report = passing();
    let gate = &mut report.gates[0];
    for cell in &mut gate.cells {
        let hit = cell.corpus == "ripgrep" && cell.case == "none" && cell.budget == Some(1024);
        if hit && cell.metric == "jaccard_top30" {
            cell.value = Some(27.0 / 33.0);
            cell.margin = Some(27.0 / 33.0 - 0.85);
            cell.verdict = Verdict::Fail;
        }
    }
    gate.verdict = Verdict::Fail;
    report.verdict = Verdict::Fail;
    report
}

/// The failing run with every name trying to break out of its context.
pub fn hostile() -> RunReport {
    let mut report = failing();
    let attack = "</script><svg onload=alert(1)>\n\x1b[2J\u{202e}&\"'=1+1";
    report.title.push_str(attack);
    report.commands.run.push_str(attack);
    report.environment.push(Entry { name: attack.to_owned(), value: attack.to_owned() });
    report.digests[0].value = attack.to_owned();
    report.deviations[0].what = attack.to_owned();
    for gate in &mut report.gates {
        gate.title.push_str(attack);
        for cell in &mut gate.cells {
            cell.corpus.push_str(attack);
            cell.case.push_str(attack);
            if cell.verdict != Verdict::Pass {
                cell.note = attack.to_owned();
            }
        }
    }
    report
}

/// One cell per corpus, case and budget. `measure` gives value, threshold and margin for a cell's index.
fn cells(gate: GateId, metric: &str, measure: impl Fn(usize) -> (f64, f64, f64)) -> Vec<Cell> {
    let mut cells = Vec::new();
    for corpus in CORPORA {
        for case in CASES {
            for budget in BUDGETS {
                let (value, threshold, margin) = measure(cells.len());
                cells.push(Cell {
                    gate: gate.name(),
                    corpus: corpus.to_owned(),
                    case: case.to_owned(),
                    budget: Some(budget),
                    metric: metric.to_owned(),
                    value: Some(value),
                    threshold: Some(threshold),
                    margin: Some(margin),
                    n: 30,
                    noise_floor: Some(Spread { mean: 0.875, min: 0.75 }),
                    seeds: None,
                    verdict: Verdict::Pass,
                    note: String::new(),
                    warning: String::new(),
                });
            }
        }
    }
    cells
}

fn gate(gate: GateId, title: &str, cells: Vec<Cell>, plots: Vec<PlotSpec>) -> GateSummary {
    let title = title.to_owned();
    GateSummary { gate: gate.name(), title, verdict: Verdict::Pass, cells, plots }
}

fn plot(kind: PlotKind, title: &str, metric: Option<&str>, band: Option<(f64, f64)>) -> PlotSpec {
    PlotSpec { kind, title: title.to_owned(), metric: metric.map(str::to_owned), band }
}

fn ranking() -> GateSummary {
    let above = |floor: f64, step: f64| {
        move |index: usize| {
            let value = 1.0 - step * (index * 7 % 5) as f64;
            (value, floor, value - floor)
        }
    };
    let mut all = cells(GateId::A1, "jaccard_top30", above(0.85, 1.0 / 30.0));
    all.extend(cells(GateId::A1, "spearman_top30", above(0.80, 0.011)));
    let plots = vec![
        plot(PlotKind::Strip, "Jaccard of the first 30 files", Some("jaccard_top30"), None),
        plot(PlotKind::Strip, "Spearman of the shared files", Some("spearman_top30"), None),
    ];
    gate(GateId::A1, "Ranking concordance", all, plots)
}

fn tokens() -> GateSummary {
    let within = |index: usize| {
        let error = 0.13 * ((index * 37 % 41) as f64 / 20.0 - 1.0);
        (1.0 + error, 1.15, 0.15 - error)
    };
    let band = plot(
        PlotKind::Strip,
        "Token estimate as a share of its target, with the accepted 15 %",
        Some("share_of_target"),
        Some((0.85, 1.15)),
    );
    gate(
        GateId::A3,
        "Budget safety and token accounting",
        cells(GateId::A3, "share_of_target", within),
        vec![band],
    )
}

fn exactness() -> GateSummary {
    let layers = ["edges", "prefit", "ranks", "search", "tags", "text"];
    let equal = |_: usize| (1.0, 1.0, 0.0);
    let all = layers.iter().flat_map(|layer| cells(GateId::Exact, layer, equal)).collect();
    let bars = plot(PlotKind::Bar, "Share of equal layers per corpus", None, None);
    gate(GateId::Exact, "Equality with the canonical recording", all, vec![bars])
}
