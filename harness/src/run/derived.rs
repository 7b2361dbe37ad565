//! The files of a run's evidence that follow from its plan, its recordings and its cells. They
//! are made when a run is published, and made again when its bundle is verified.

use std::{collections::BTreeMap, path::Path};

use record::{Plan, ProfileObject, protocol::SCORING};
use serde::Serialize;
use serde_json::{Value, json};
use verdict::{
    Evaluation, Evidence,
    explorations::{Scoring, volt::counts},
    protocol::Protocol,
};

use crate::{
    Failure,
    comparator::{ComparatorSpec, ComparatorTuple, volt::known},
    report::{explorations, html, junit, of_run, text},
};

/// Folder of the comparator in a checkout and in evidence.
const COMPARATOR: &str = "comparators/aider";

/// The profile object that every artifact of the run carries: the comparator tuple, and the settings
/// that both sides were run with.
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
    explorers: Option<Value>,
}

/// Makes the files, by path in the evidence folder `dir`.
///
/// # Errors
/// The evidence cannot be read, or a report cannot be drawn.
pub fn derived(
    dir: &Path,
    plan: &Plan,
    evaluation: &Evaluation,
) -> Result<BTreeMap<String, Vec<u8>>, Failure> {
    let internal = |error: &dyn std::fmt::Display| Failure::internal(error.to_string());
    let object = |value: &Value| {
        let mut bytes = serde_json::to_vec_pretty(value).map_err(|error| internal(&error))?;
        bytes.push(b'\n');
        Ok::<_, Failure>(bytes)
    };
    let tuple = tuple(dir, plan)?;
    let mut report = of_run::of_run(dir, plan, tuple.as_ref(), evaluation)?;
    let profile = profile(dir, plan, tuple.as_ref())?;
    // A report is also read without the files around it, so it carries the profile object.
    report.run_profile = Some(profile.clone());
    let page = html::render(&report, html::Around::default()).map_err(|error| internal(&error))?;
    let junit = junit::render(&report, None).map_err(|error| internal(&error))?;
    let mut files = BTreeMap::from([
        ("profile.json".to_owned(), object(&profile)?),
        ("report.json".to_owned(), object(&json!(report))?),
        ("report.html".to_owned(), page.into_bytes()),
        ("junit.xml".to_owned(), junit.into_bytes()),
        ("report.txt".to_owned(), text::render(&report).into_bytes()),
    ]);
    if let Some(table) = explorations::table(plan, evaluation) {
        let table = format!("{table}\nrun profile: {profile}\n");
        files.insert("explorations.txt".to_owned(), table.into_bytes());
    }
    if let Some(beside) = beside_volt(plan, evaluation, &profile) {
        files.insert("volt.json".to_owned(), object(&beside)?);
    }
    Ok(files)
}

/// What Volt and our explorers answered about every file with gold, if a checkout was run.
fn beside_volt(plan: &Plan, evaluation: &Evaluation, profile: &Value) -> Option<Value> {
    let found = evaluation.explorations.as_ref()?.volt.as_ref()?;
    let counts = counts(found.files.iter().map(|file| &file.compared));
    Some(json!({
        "schema_version": 2,
        "run_profile": profile,
        "volt": "live",
        "checkout": plan.volt,
        "explorers": counts,
        "files": found.files,
    }))
}

/// The comparator tuple as the first answer in the evidence states it; absent if there is none.
fn tuple(dir: &Path, plan: &Plan) -> Result<Option<ComparatorTuple>, Failure> {
    let evidence =
        Evidence::open(dir).map_err(|error| Failure::new(record::exit::IO, error.to_string()))?;
    let mut answers = plan.corpora.iter().filter_map(|corpus| evidence.comparator(corpus).ok());
    let Some(answer) = answers.next() else { return Ok(None) };
    let spec = ComparatorSpec::open(&dir.join(COMPARATOR))
        .map_err(|error| Failure::new(record::exit::SETUP, error.to_string()))?;
    Ok(Some(ComparatorTuple::from_receipt(&spec, &answer.response().receipt)?))
}

fn profile(dir: &Path, plan: &Plan, tuple: Option<&ComparatorTuple>) -> Result<Value, Failure> {
    let explores = plan.rests_on.contains_key(SCORING);
    let scoring = explores.then(|| Protocol::open(dir)?.toml::<Scoring>(SCORING)).transpose();
    let scoring = scoring.map_err(|error| Failure::new(record::exit::SETUP, error.to_string()))?;
    Ok(json!(RunProfile {
        object: ProfileObject::new(plan.profile, tuple.map(|tuple| json!(tuple))),
        comparator_path: COMPARATOR,
        entrypoint: "aider_main_cli",
        map_mul_no_files_effective: 2,
        map_mul_no_files_source: "config_override",
        fixtures_sha256: &plan.fixtures_sha256,
        explorers: scoring.map(|scoring| known(plan, &scoring)),
    }))
}
