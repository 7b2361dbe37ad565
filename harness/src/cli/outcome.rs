//! What a run leaves behind: cells, report, and a sealed bundle.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use record::{GateId, Plan, ProfileObject, Verdict, exit};
use serde::{Deserialize, Serialize};
use serde_json::json;
use verdict::{Evaluation, gate_title};

use super::{Failure, Folders, seal, setup::Setup, talk};
use crate::{
    report::{
        Commands, Deviation, Entry, GateSummary, PlotKind, PlotSpec, RunReport, SKIPPED_CORPUS,
        html, junit, terminal, text,
    },
    run::RunDir,
};

/// What was published.
#[derive(Debug)]
pub struct Published {
    /// The verdict table.
    pub table: String,
    /// The run's folder.
    pub run: Option<PathBuf>,
    /// The one-file report.
    pub html: Option<PathBuf>,
    /// The sealed bundle.
    pub bundle: Option<PathBuf>,
}

#[derive(Deserialize)]
struct Deviations {
    #[serde(default)]
    deviation: Vec<DeviationRow>,
}

#[derive(Deserialize)]
struct DeviationRow {
    id: String,
    what: String,
    why: String,
    evidence: String,
    expires: String,
}

/// Writes cells, profile and report into the evidence, seals a complete run, and declares the
/// run complete.
pub fn publish(
    folders: &Folders,
    setup: &Setup,
    dir: &RunDir,
    evaluation: &Evaluation,
    partial: bool,
    key: Option<&Path>,
) -> Result<Published, Failure> {
    let io = |error: crate::run::RunDirError| Failure::new(exit::IO, error.to_string());
    let write = |name: &str, value: &serde_json::Value| {
        let mut bytes = serde_json::to_vec_pretty(value)
            .map_err(|error| Failure::internal(error.to_string()))?;
        bytes.push(b'\n');
        dir.write(name, &bytes).map_err(io)
    };
    write("cells.json", &json!(evaluation.cells))?;
    write("profile.json", &profile(setup))?;
    let report = report(&dir.evidence(), &setup.plan, setup, evaluation)?;
    write("report.json", &json!(report))?;
    let page = html::render(&report).map_err(|error| Failure::internal(error.to_string()))?;
    dir.write("report.html", page.as_bytes()).map_err(io)?;
    dir.write("junit.xml", junit::render(&report).as_bytes()).map_err(io)?;
    dir.write("report.txt", text::render(&report).as_bytes()).map_err(io)?;
    let table = table(&report)?;
    let bundle = if partial {
        talk("a part of the set was run: nothing is sealed");
        None
    } else {
        Some(seal::seal(folders, setup, dir, evaluation, key)?)
    };
    dir.complete().map_err(io)?;
    Ok(Published {
        table,
        run: Some(dir.path().to_owned()),
        html: Some(dir.evidence().join("report.html")),
        bundle,
    })
}

/// The table of evidence that was judged again.
pub fn replayed(evidence: &Path, evaluation: &Evaluation) -> Result<Published, Failure> {
    let path = evidence.join("report.json");
    let recorded: Result<RunReport, String> = fs::read(&path)
        .map_err(|error| error.to_string())
        .and_then(|bytes| serde_json::from_slice(&bytes).map_err(|error| error.to_string()));
    let mut report = recorded.map_err(|why| {
        Failure::new(exit::IO, format!("{} cannot be used: {why}", path.display()))
    })?;
    report.verdict = evaluation.verdict;
    report.gates = gates(evaluation);
    Ok(Published { table: table(&report)?, run: None, html: None, bundle: None })
}

/// The verdict table of a report.
pub fn table(report: &RunReport) -> Result<String, Failure> {
    terminal::render(report, terminal::Style::for_stdout())
        .map_err(|error| Failure::internal(error.to_string()))
}

/// What every artifact of the run carries: the profile object with the comparator tuple, and what
/// both sides were asked with.
#[derive(Serialize)]
struct RunProfile<'a> {
    #[serde(flatten)]
    object: ProfileObject,
    comparator_path: &'a str,
    entrypoint: &'a str,
    map_mul_no_files_effective: u32,
    map_mul_no_files_source: &'a str,
    fixtures_sha256: &'a str,
}

fn profile(setup: &Setup) -> serde_json::Value {
    let tuple = setup.tuple.as_ref().map(|tuple| json!(tuple));
    json!(RunProfile {
        object: ProfileObject::new(setup.plan.profile, tuple),
        comparator_path: "comparators/aider",
        entrypoint: "aider_main_cli",
        map_mul_no_files_effective: 2,
        map_mul_no_files_source: "config_override",
        fixtures_sha256: &setup.plan.fixtures_sha256,
    })
}

fn gates(evaluation: &Evaluation) -> Vec<GateSummary> {
    evaluation
        .gates
        .iter()
        .map(|gate| GateSummary {
            gate: gate.gate,
            title: gate_title(gate.gate).to_owned(),
            verdict: gate.verdict,
            cells: evaluation.cells.iter().filter(|cell| cell.gate == gate.gate).cloned().collect(),
            plots: plots(gate.gate),
        })
        .collect()
}

/// The plots of each gate.
fn plots(gate: GateId) -> Vec<PlotSpec> {
    let plot = |kind, title: &str, metric: Option<&str>, band| PlotSpec {
        kind,
        title: title.to_owned(),
        metric: metric.map(str::to_owned),
        band,
    };
    match gate {
        GateId::A1 => vec![
            plot(PlotKind::Strip, "Jaccard of the top files", Some("jaccard_top"), None),
            plot(PlotKind::Strip, "Spearman of the shared top files", Some("spearman_top"), None),
        ],
        GateId::A2 => {
            vec![plot(PlotKind::Bar, "Stages, cuts and rendering as they should be", None, None)]
        }
        GateId::A6 => vec![plot(PlotKind::Bar, "Recordings free of leakage", None, None)],
        GateId::A3 => vec![plot(
            PlotKind::Strip,
            "Token estimate over target",
            Some("estimate_over_target"),
            Some((0.85, 1.15)),
        )],
        GateId::Exact => vec![plot(PlotKind::Bar, "Share of equal layers", None, None)],
        _ => vec![plot(PlotKind::Bar, "Criteria met", None, None)],
    }
}

fn report(
    evidence: &Path,
    plan: &Plan,
    setup: &Setup,
    evaluation: &Evaluation,
) -> Result<RunReport, Failure> {
    let entry = |name: &str, value: &str| Entry { name: name.to_owned(), value: value.to_owned() };
    let mut environment = vec![entry("source commit", &plan.source_commit)];
    if let Some(tuple) = &setup.tuple {
        environment.extend([
            entry("comparator", &format!("aider-chat {}", tuple.aider_release.version)),
            entry("Python", &tuple.python_version),
            entry("tokenizer", &format!("{} ({})", tuple.tokenizer_id, tuple.tokenizer_version)),
        ]);
    }
    let skipped = plan.skipped.iter();
    environment.extend(skipped.map(|(name, why)| entry(SKIPPED_CORPUS, &format!("{name}: {why}"))));
    let mut digests =
        vec![entry("fixtures", &plan.fixtures_sha256), entry("engine", &plan.engine_sha256)];
    digests.extend(plan.rests_on.iter().map(|(name, digest)| entry(name, digest)));
    Ok(RunReport {
        schema_version: crate::report::SCHEMA_VERSION,
        title: format!("Parity: {} set, {} profile", plan.set, plan.profile),
        verdict: evaluation.verdict,
        comparator_commit: setup
            .tuple
            .as_ref()
            .map_or_else(|| "none".to_owned(), |tuple| tuple.aider_commit_sha.clone()),
        profile: BTreeMap::from([
            ("profile".to_owned(), plan.profile.to_string()),
            ("parity_mode".to_owned(), plan.profile.is_parity().to_string()),
            ("deterministic_mode".to_owned(), "true".to_owned()),
        ]),
        environment,
        digests,
        commands: Commands {
            run: format!(
                "cargo parity run --set {} --profile {}{}",
                plan.set,
                plan.profile,
                raw_argument(plan)
            ),
            verify: "cargo parity verify BUNDLE".to_owned(),
        },
        gates: gates(evaluation),
        deviations: deviations(evidence)?,
        timings: Vec::new(),
    })
}

/// What asks for the random runs that a plan has.
fn raw_argument(plan: &Plan) -> &'static str {
    let raw = plan.corpora.iter().filter(|corpus| corpus.raw_seeds > 0).count();
    match raw {
        0 => "",
        all if all == plan.corpora.len() => " --raw all",
        _ => " --raw",
    }
}

fn deviations(evidence: &Path) -> Result<Vec<Deviation>, Failure> {
    let path = evidence.join("protocols/v1/deviations.toml");
    let text = fs::read_to_string(&path).map_err(|error| {
        Failure::new(exit::IO, format!("{} cannot be read: {error}", path.display()))
    })?;
    let rows: Deviations = toml::from_str(&text).map_err(|error| {
        Failure::new(exit::SETUP, format!("{} is malformed: {error}", path.display()))
    })?;
    Ok(rows
        .deviation
        .into_iter()
        .map(|row| Deviation {
            id: row.id,
            what: row.what,
            why: row.why,
            evidence: row.evidence,
            expiry: row.expires,
        })
        .collect())
}

/// The gates that passed, by name, with all that the profile requires.
pub fn verdicts(evaluation: &Evaluation) -> (BTreeSet<String>, BTreeMap<String, Verdict>) {
    let verdicts: BTreeMap<String, Verdict> =
        evaluation.gates.iter().map(|gate| (gate.gate.to_string(), gate.verdict)).collect();
    (verdicts.keys().cloned().collect(), verdicts)
}
