//! The published conformance scenarios against the server, through a relay from HTTP:
//! `comparators/clients/conformance/`.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use super::{
    clients::{client, said},
    place::Place,
};

/// `scenarios.toml`: what is done with each scenario.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Plan {
    run: BTreeSet<String>,
    expected_failures: Vec<ExpectedFailures>,
    skipped: Vec<Skipped>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ExpectedFailures {
    scenario: String,
    checks: BTreeSet<String>,
    reason: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Skipped {
    scenarios: BTreeSet<String>,
    reason: String,
}

/// What the package found in one scenario and revision.
#[derive(Deserialize)]
struct Ran {
    scenario: String,
    revision: String,
    checks: Option<Vec<Check>>,
}

#[derive(Deserialize)]
struct Check {
    id: String,
    status: Status,
    message: Option<String>,
}

#[derive(Deserialize, PartialEq, Eq)]
#[serde(rename_all = "UPPERCASE")]
enum Status {
    Success,
    Failure,
    Warning,
    /// The check did not apply.
    Skipped,
    /// What was seen; not judged.
    Info,
}

impl Plan {
    fn open() -> Self {
        let text = include_str!("../../../comparators/clients/conformance/scenarios.toml");
        toml::from_str(text).unwrap()
    }

    /// The checks of a scenario that must fail.
    fn expected(&self, scenario: &str) -> BTreeSet<&str> {
        let about = self.expected_failures.iter().filter(|entry| entry.scenario == scenario);
        about.flat_map(|entry| entry.checks.iter().map(String::as_str)).collect()
    }
}

impl Ran {
    /// What is wrong with this result.
    fn faults(&self, plan: &Plan) -> Vec<String> {
        let checks = self.checks.as_deref().unwrap_or_default();
        let expected = plan.expected(&self.scenario);
        let has =
            |id: &str, status| checks.iter().any(|check| check.id == id && check.status == status);
        let mut faults: Vec<String> = checks
            .iter()
            .filter(|check| matches!(check.status, Status::Failure | Status::Warning))
            .filter(|check| !expected.contains(check.id.as_str()))
            .map(|check| format!("{}: {}", check.id, check.message.as_deref().unwrap_or_default()))
            .collect();
        let passed = expected.iter().filter(|id| !has(id, Status::Failure));
        faults.extend(passed.map(|id| format!("{id} was expected to fail")));
        if !checks.iter().any(|check| check.status == Status::Success) {
            faults.push("no check succeeded".to_owned());
        }
        faults
    }
}

/// The scenarios of the package, each with its revisions.
fn listed() -> BTreeMap<String, Vec<String>> {
    let listed = said(&client("conformance"), &Place::new(), &["list"]);
    serde_json::from_slice(&listed.stdout).unwrap()
}

/// The scenarios that are run, each in its revisions.
fn runs(plan: &Plan) -> Vec<(String, String)> {
    let mut listed = listed();
    let revisions = |name: &String| {
        let revisions =
            listed.remove(name).unwrap_or_else(|| panic!("there is no scenario {name}"));
        revisions.into_iter().map(|revision| (name.clone(), revision)).collect::<Vec<_>>()
    };
    plan.run.iter().flat_map(revisions).collect()
}

/// Runs scenarios against the server that a command starts.
fn ran(scenarios: &[(String, String)], place: &Place, server: &[&str]) -> Vec<Ran> {
    // Pairs are arrays in JSON.
    let scenarios = serde_json::to_string(scenarios).unwrap();
    let arguments = [&["run", &scenarios], server].concat();
    let output = said(&client("conformance"), place, &arguments);
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn every_published_scenario_is_run_or_skipped_with_a_reason() {
    let plan = Plan::open();
    let skipped: Vec<&String> = plan.skipped.iter().flat_map(|entry| &entry.scenarios).collect();
    let decided: BTreeSet<&String> = plan.run.iter().chain(skipped.iter().copied()).collect();
    assert_eq!(decided.len(), plan.run.len() + skipped.len(), "a scenario is in two lists");
    let listed = listed();
    assert_eq!(decided, listed.keys().collect(), "not the scenarios of the package");
    let failures = plan.expected_failures.iter();
    assert!(failures.clone().all(|entry| plan.run.contains(&entry.scenario)));
    let reasons =
        failures.map(|entry| &entry.reason).chain(plan.skipped.iter().map(|entry| &entry.reason));
    assert!(reasons.into_iter().all(|reason| !reason.is_empty()));
}

#[test]
fn the_server_passes_the_scenarios_that_need_no_fixtures() {
    let plan = Plan::open();
    let place = Place::new();
    let server = [env!("CARGO_BIN_EXE_parity"), "mcp", "--root", place.root().to_str().unwrap()];
    let runs = runs(&plan);
    let results = ran(&runs, &place, &server);
    assert_eq!(results.len(), runs.len());
    let faults: Vec<String> = results
        .iter()
        .flat_map(|ran| {
            let prefix = format!("{} in {}", ran.scenario, ran.revision);
            ran.faults(&plan).into_iter().map(move |fault| format!("{prefix}: {fault}"))
        })
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// A server that answers every request with an empty result.
const EMPTY: &str = r#"
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if "id" in message:
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": {}}), flush=True)
"#;

#[test]
fn a_server_that_answers_nothing_or_wrongly_passes_no_scenario() {
    let plan = Plan::open();
    let newest: BTreeMap<String, String> = runs(&plan).into_iter().collect();
    let newest: Vec<(String, String)> = newest.into_iter().collect();
    for server in [&["/bin/true"][..], &["python3", "-c", EMPTY]] {
        let results = ran(&newest, &Place::new(), server);
        assert_eq!(results.len(), plan.run.len());
        let passed = results.iter().filter(|ran| ran.faults(&plan).is_empty());
        let passed: Vec<&str> = passed.map(|ran| ran.scenario.as_str()).collect();
        assert!(passed.is_empty(), "{server:?} passes {passed:?}");
    }
}
