//! What a run leaves behind: cells, report, and a sealed bundle.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use record::{ProfileObject, Verdict, exit};
use serde::Serialize;
use serde_json::{Value, json};
use verdict::{Evaluation, bundle::Outcome};

use super::{RunDir, RunDirError, seal::seal};
use crate::{
    Failure, Folders,
    console::talk,
    planning::Setup,
    process,
    report::{RunReport, explorations, html, junit, of_run, text},
};

/// What was published.
#[derive(Debug)]
pub struct Published {
    /// The report.
    pub report: RunReport,
    /// The one-file page.
    pub html: PathBuf,
    /// The sealed bundle; absent if only a part of the set was run.
    pub bundle: Option<PathBuf>,
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
    /// How the behaviour of the explorers' comparator is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    explorers: Option<&'a Value>,
}

/// Writes cells, profile and report into the evidence, seals a complete run, and declares the
/// run complete.
///
/// # Errors
/// Something cannot be written, or there is no key to sign with.
pub fn publish(
    folders: &Folders,
    setup: &Setup,
    dir: &RunDir,
    evaluation: &Evaluation,
    key: Option<&Path>,
) -> Result<Published, Failure> {
    let io = |error: RunDirError| Failure::new(exit::IO, error.to_string());
    let internal = |error: &dyn std::fmt::Display| Failure::internal(error.to_string());
    let write = |name: &str, value: &Value| {
        let mut bytes = serde_json::to_vec_pretty(value).map_err(|error| internal(&error))?;
        bytes.push(b'\n');
        dir.write(name, &bytes).map_err(io)
    };
    let plan = &setup.plan;
    write("cells.json", &json!(evaluation.cells))?;
    write("profile.json", &profile(setup))?;
    let report = of_run::of_run(&dir.evidence(), plan, setup.tuple.as_ref(), evaluation)?;
    write("report.json", &json!(report))?;
    let page = html::render(&report).map_err(|error| internal(&error))?;
    dir.write("report.html", page.as_bytes()).map_err(io)?;
    dir.write("junit.xml", junit::render(&report).as_bytes()).map_err(io)?;
    dir.write("report.txt", text::render(&report).as_bytes()).map_err(io)?;
    if let Some(table) = explorations::table(plan, evaluation) {
        dir.write("explorations.txt", table.as_bytes()).map_err(io)?;
    }
    let bundle = if plan.partial {
        talk("this was a partial run: nothing is sealed");
        None
    } else {
        process::go_on()?;
        Some(seal(folders, setup, dir, evaluation, key)?)
    };
    dir.complete().map_err(io)?;
    Ok(Published { report, html: dir.evidence().join("report.html"), bundle })
}

/// The report of evidence that was judged again.
///
/// # Errors
/// The evidence has no report.
pub fn replayed(evidence: &Path, evaluation: &Evaluation) -> Result<RunReport, Failure> {
    let path = evidence.join("report.json");
    let recorded: Result<RunReport, String> = fs::read(&path)
        .map_err(|error| error.to_string())
        .and_then(|bytes| serde_json::from_slice(&bytes).map_err(|error| error.to_string()));
    let mut report = recorded.map_err(|why| {
        Failure::new(exit::IO, format!("{} cannot be used: {why}", path.display()))
    })?;
    report.verdict = evaluation.verdict;
    report.gates = of_run::gates(evaluation);
    Ok(report)
}

/// What an evaluation comes to, as a bundle says it: every gate of the plan is required.
pub fn outcome(evaluation: &Evaluation) -> Outcome {
    let verdicts: BTreeMap<String, Verdict> =
        evaluation.gates.iter().map(|gate| (gate.gate.to_string(), gate.verdict)).collect();
    let required: BTreeSet<String> = verdicts.keys().cloned().collect();
    Outcome::from_gates(&required, &verdicts)
}

fn profile(setup: &Setup) -> Value {
    let tuple = setup.tuple.as_ref().map(|tuple| json!(tuple));
    json!(RunProfile {
        object: ProfileObject::new(setup.plan.profile, tuple),
        comparator_path: "comparators/aider",
        entrypoint: "aider_main_cli",
        map_mul_no_files_effective: 2,
        map_mul_no_files_source: "config_override",
        fixtures_sha256: &setup.plan.fixtures_sha256,
        explorers: setup.contracts.as_ref(),
    })
}
