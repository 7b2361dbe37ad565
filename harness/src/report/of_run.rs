//! Makes the report of a run from its plan, its evaluation and the declared deviations.

use std::{collections::BTreeMap, fs, path::Path};

use record::{Plan, exit, protocol::DEVIATIONS};
use verdict::{
    Evaluation,
    gate::{gate, gates_of},
};

use super::{
    Commands, Deviation, Entry, GateSummary, RunReport, SCHEMA_VERSION, SKIPPED_CORPUS,
    escape::shell,
};
use crate::{
    Failure,
    comparator::{ComparatorTuple, volt::in_words},
    deviations::Deviations,
};

/// The gates of an evaluation with their cells.
pub fn gates(evaluation: &Evaluation) -> Vec<GateSummary> {
    evaluation
        .gates
        .iter()
        .map(|result| {
            let gate = gate(result.gate);
            let cells = evaluation.cells.iter().filter(|cell| cell.gate == result.gate);
            GateSummary {
                gate: result.gate.name(),
                title: gate.title().to_owned(),
                verdict: result.verdict,
                cells: cells.cloned().collect(),
                plots: gate.plots(),
            }
        })
        .collect()
}

/// The report of a run whose evidence is in a folder.
///
/// # Errors
/// The declared deviations cannot be read.
pub fn of_run(
    evidence: &Path,
    plan: &Plan,
    tuple: Option<&ComparatorTuple>,
    evaluation: &Evaluation,
) -> Result<RunReport, Failure> {
    let entry = |name: &str, value: &str| Entry { name: name.to_owned(), value: value.to_owned() };
    let mut environment = vec![entry("source commit", &plan.source_commit)];
    if let Some(tuple) = tuple {
        environment.extend([
            entry("comparator", &format!("aider-chat {}", tuple.aider_release.version)),
            entry("Python", &tuple.python_version),
            entry("tokenizer", &format!("{} ({})", tuple.tokenizer_id, tuple.tokenizer_version)),
        ]);
    }
    if plan.explored() > 0 {
        environment.push(entry("volt", &in_words(plan)));
    }
    let skipped = plan.skipped.iter().chain(&plan.unexplored);
    environment.extend(skipped.map(|(name, why)| entry(SKIPPED_CORPUS, &format!("{name}: {why}"))));
    let mut digests =
        vec![entry("fixtures", &plan.fixtures_sha256), entry("engine", &plan.engine_sha256)];
    digests.extend(plan.rests_on.iter().map(|(name, digest)| entry(name, digest)));
    Ok(RunReport {
        schema_version: SCHEMA_VERSION,
        title: format!("Parity: {} set, {} profile", plan.set, plan.profile),
        set: plan.set.to_string(),
        verdict: evaluation.verdict,
        comparator_commit: tuple
            .map_or_else(|| "none".to_owned(), |tuple| tuple.aider_commit_sha.clone()),
        run_profile: None,
        profile: BTreeMap::from([
            ("profile".to_owned(), plan.profile.to_string()),
            ("parity_mode".to_owned(), plan.profile.is_parity().to_string()),
            ("deterministic_mode".to_owned(), "true".to_owned()),
        ]),
        environment,
        digests,
        part: plan.partial.then(|| part_in_words(plan)),
        commands: commands(plan),
        gates: gates(evaluation),
        deviations: deviations(evidence)?,
    })
}

/// The commands that repeat and verify the run.
fn commands(plan: &Plan) -> Commands {
    let (set, profile, raw) = (plan.set, plan.profile, raw_argument(plan));
    let whole = format!("cargo parity run --set {set} --profile {profile}{raw}");
    let mut run = whole.clone();
    if plan.unpinned.is_some() {
        // No option of `parity run` asks another comparator.
        return Commands { run: "cargo parity matrix FILE.toml".to_owned(), whole, verify: None };
    }
    if plan.partial && plan.gates != gates_of(plan.profile, plan.set) {
        run += &format!(" --gate {}", gate_names(plan).join(","));
    }
    if plan.narrowed {
        let names: Vec<String> =
            plan.corpora.iter().map(|corpus| regex::escape(&corpus.name)).collect();
        run += &format!(" --corpus {}", shell(&format!("^({})$", names.join("|"))));
        run += &format!(" --budget {}", budgets(plan).join(","));
    }
    let verify = (!plan.partial).then(|| "cargo parity verify BUNDLE".to_owned());
    Commands { run, whole, verify }
}

/// Which part of its set a plan runs, in words.
fn part_in_words(plan: &Plan) -> String {
    let mut part = plan.unpinned.as_ref().map_or_else(String::new, |comparator| {
        format!("reported against {comparator}, so no verdict on parity; ")
    });
    part += &format!("gates {}", gate_names(plan).join(" "));
    if plan.narrowed {
        let names: Vec<&str> = plan.corpora.iter().map(|corpus| &*corpus.name).collect();
        part += &format!("; corpora {}; budgets {}", names.join(" "), budgets(plan).join(" "));
    }
    part
}

fn gate_names(plan: &Plan) -> Vec<&str> {
    plan.gates.iter().map(record::GateName::as_str).collect()
}

fn budgets(plan: &Plan) -> Vec<String> {
    plan.budgets.iter().map(u64::to_string).collect()
}

/// The flag that asks for the seeded runs of a plan.
fn raw_argument(plan: &Plan) -> &'static str {
    let mapped = || plan.corpora.iter().filter(|corpus| !corpus.cases.is_empty());
    match mapped().filter(|corpus| corpus.raw_seeds > 0).count() {
        0 => "",
        all if all == mapped().count() => " --raw all",
        _ => " --raw",
    }
}

fn deviations(evidence: &Path) -> Result<Vec<Deviation>, Failure> {
    let path = evidence.join(DEVIATIONS);
    let text = fs::read_to_string(&path).map_err(|error| {
        Failure::new(exit::IO, format!("{} cannot be read: {error}", path.display()))
    })?;
    let deviations = Deviations::parse(&text).map_err(|why| {
        Failure::new(exit::SETUP, format!("{} is malformed: {why}", path.display()))
    })?;
    Ok(deviations
        .rows
        .into_iter()
        .map(|row| Deviation {
            id: row.id,
            what: row.what,
            why: row.why,
            evidence: row.evidence,
            expiry: row.expires.to_string(),
        })
        .collect())
}
