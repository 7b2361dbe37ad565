use std::{
    fs,
    path::{Path, PathBuf},
};

use record::exit;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::{
    movers::Weight,
    record::{HISTORY, PAGE, RECORD, Record, State, again, make},
    steps::{Step, left, run},
};
use crate::{Failure, history::ENVIRONMENT, report::example};

/// Two commits.
const ONE: &str = "1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a";
const TWO: &str = "2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b";

/// A checkout with runs written by hand.
struct Place(TempDir);

impl Place {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn root(&self) -> &Path {
        self.0.path()
    }

    fn artifacts(&self) -> PathBuf {
        self.root().join("artifacts")
    }

    fn records(&self) -> PathBuf {
        self.root().join("records")
    }

    /// A run of these cells: corpus, metric and value, of which those below 0.85 fail.
    fn seal(&self, commit: &str, cells: &[(&str, &str, f64)]) {
        let folder = self.artifacts().join(commit);
        fs::create_dir_all(folder.join("evidence")).unwrap();
        let write = |name: &str, value: &Value| {
            fs::write(folder.join(name), value.to_string()).unwrap();
        };
        let verdict = |value: f64| if value < 0.85 { "fail" } else { "pass" };
        let worst = cells.iter().map(|(.., value)| *value).fold(1.0, f64::min);
        let corpora: Vec<Value> =
            cells.iter().map(|(corpus, ..)| json!({"name": corpus, "commit": "3c"})).collect();
        let cells = cells.iter().map(|(corpus, metric, value)| {
            json!({
                "gate": "A1", "corpus": corpus, "case": "none", "budget": 1024, "metric": metric,
                "value": value, "threshold": 0.85, "margin": value - 0.85, "n": 30,
                "noise_floor": null, "verdict": verdict(*value),
            })
        });
        write("evidence/cells.json", &cells.collect());
        let gates = json!({"gates": [{"gate": "A1", "verdict": verdict(worst)}]});
        write("evidence/report.json", &gates);
        let plan = json!({
            "set": "smoke", "profile": "parity", "source_commit": commit, "engine_sha256": "4d",
            "corpora": corpora,
        });
        write("evidence/plan.json", &plan);
        let mut made = example::environment(&[("flask/maps", 1500), ("flask/explore/0", 500)]);
        made.finished_at = "2999-01-01T00:00:00Z".to_owned();
        write(ENVIRONMENT, &serde_json::to_value(made).unwrap());
        fs::write(self.root().join("sealed"), folder.to_str().unwrap()).unwrap();
    }

    /// Runs these steps and makes the record.
    fn night(&self, commit: &str, steps: &[Step]) -> Result<Record, Failure> {
        for step in steps {
            run(self.root(), &self.artifacts(), commit, step).unwrap();
        }
        self.record(commit, steps)
    }

    fn record(&self, commit: &str, steps: &[Step]) -> Result<Record, Failure> {
        make(&self.artifacts(), &self.records(), commit, steps, None)
    }

    /// Makes the record on a machine that has run nothing but `steps`, continuing another record.
    fn go_on(
        &self,
        name: &str,
        commit: &str,
        steps: &[Step],
        run: &[Step],
    ) -> Result<Record, Failure> {
        let other = tempfile::tempdir_in(self.root()).unwrap();
        for step in run {
            super::steps::run(self.root(), other.path(), commit, step).unwrap();
        }
        make(other.path(), &self.records(), commit, steps, Some(name))
    }
}

fn step(name: &str, command: &str, bundle: bool) -> Step {
    let bundle = bundle.then(|| PathBuf::from("sealed"));
    Step { name: name.to_owned(), what: "a test".to_owned(), command: command.to_owned(), bundle }
}

fn weights(record: &Record) -> Vec<Weight> {
    record.movers.iter().map(|mover| mover.weight).collect()
}

#[test]
fn a_night_in_which_everything_passes_is_recorded_once() {
    let (place, steps) = (Place::new(), [step("parity", "true", true)]);
    place.seal(ONE, &[("flask", "jaccard_top", 0.9)]);
    let record = place.night(ONE, &steps).unwrap();
    assert_eq!((record.exit_code(), &*record.movers), (exit::PASS, &[][..]));
    let folder = place.records().join(&record.name);
    assert!(
        record.name.ends_with("-1a1a1a1a1a1a") && folder.join("parity.cells.parquet").is_file()
    );
    // Making the same record again is refused, and the first one stays untouched.
    let written = fs::read(folder.join(RECORD)).unwrap();
    let failure = place.night(ONE, &[step("parity", "false", true)]).unwrap_err();
    assert!(failure.to_string().contains("never written again"), "{failure}");
    assert_eq!(failure.report(), exit::USAGE);
    assert_eq!(fs::read(folder.join(RECORD)).unwrap(), written);
    let left: Vec<_> = fs::read_dir(place.records()).unwrap().collect();
    assert_eq!(left.len(), 3, "{left:?}");
}

#[test]
fn a_cell_that_does_not_pass_any_more_is_a_regression() {
    let (place, steps) = (Place::new(), [step("parity", "true", true)]);
    place.seal(ONE, &[("flask", "jaccard_top", 0.9), ("zod", "jaccard_top", 0.95)]);
    place.night(ONE, &steps).unwrap();
    place.seal(TWO, &[("flask", "jaccard_top", 0.8), ("zod", "jaccard_top", 0.95)]);
    let record = place.night(TWO, &steps).unwrap();
    assert_eq!(record.exit_code(), exit::GATE_FAILED);
    let told: Vec<&str> = record.movers.iter().map(|mover| &*mover.text).collect();
    let cell =
        "parity: A1  flask · none · 1,024 tokens  jaccard_top: pass 0.9000, then fail 0.8000.";
    assert!(told.contains(&cell), "{told:#?}");
    let page = fs::read_to_string(place.records().join(PAGE)).unwrap();
    assert!(
        page.contains("<h1>regressed</h1>")
            && page.contains("polyline")
            && !page.contains("<script")
    );
}

#[test]
fn what_is_missing_comes_first_and_never_counts_as_passed() {
    let (place, steps) = (Place::new(), [step("parity", "true", true)]);
    place.seal(ONE, &[("flask", "jaccard_top", 0.9), ("flask", "spearman_top", 0.9)]);
    place.night(ONE, &steps).unwrap();
    place.seal(TWO, &[("flask", "jaccard_top", 0.8)]);
    let all = [steps[0].clone(), step("begun", "true", false), step("never", "true", false)];
    run(place.root(), &place.artifacts(), TWO, &all[0]).unwrap();
    // A killed step leaves the result that was written when it began.
    let mut begun = {
        run(place.root(), &place.artifacts(), TWO, &all[1]).unwrap();
        left(&place.artifacts(), &all[1]).unwrap().unwrap()
    };
    begun.end = None;
    fs::write(place.artifacts().join("nightly/begun.json"), serde_json::to_vec(&begun).unwrap())
        .unwrap();
    let record = place.record(TWO, &all).unwrap();
    let states: Vec<State> = record.steps.iter().map(|step| step.state).collect();
    assert_eq!(states, [State::Passed, State::Interrupted, State::NotRun]);
    assert!(weights(&record).is_sorted());
    // Missing are two steps, the cell, and its value in the history.
    let missing = weights(&record).iter().filter(|one| **one == Weight::Missing).count();
    assert_eq!((missing, record.exit_code()), (4, exit::GATE_FAILED), "{:#?}", record.movers);
}

#[test]
fn a_step_that_failed_or_sealed_nothing_or_is_of_another_commit_is_told() {
    let place = Place::new();
    let failed = place.night(ONE, &[step("x", "exit 3", false)]).unwrap();
    assert_eq!((failed.steps[0].state, failed.exit_code()), (State::Failed, exit::GATE_FAILED));
    // The bundle that is there is of another commit.
    place.seal(ONE, &[("flask", "jaccard_top", 0.9)]);
    let unsealed = place.night(TWO, &[step("parity", "true", true)]).unwrap();
    assert_eq!(
        (unsealed.steps[0].state, unsealed.exit_code()),
        (State::Unsealed, exit::INSUFFICIENT)
    );
    let failure = place.record(&"3c".repeat(20), &[step("x", "exit 3", false)]).unwrap_err();
    assert_eq!(failure.report(), exit::NOTHING_RAN);
}

#[test]
fn what_a_step_sealed_is_kept_whatever_later_steps_seal() {
    let place = Place::new();
    let steps = [step("parity", "true", true), step("later", "true", false)];
    place.seal(ONE, &[("flask", "jaccard_top", 0.9)]);
    place.night(ONE, &steps).unwrap();
    place.seal(TWO, &[("flask", "jaccard_top", 0.9)]);
    fs::remove_dir_all(place.records()).unwrap();
    let record = place.record(ONE, &steps).unwrap();
    assert_eq!(record.steps[0].state, State::Passed);
    assert_eq!(record.runs[0].source_commit, ONE);
}

#[test]
fn history_and_page_come_again_from_the_records_alone() {
    let place = Place::new();
    for (commit, value) in [(ONE, 0.9), (TWO, 0.95)] {
        place.seal(commit, &[("flask", "jaccard_top", value)]);
        place.night(commit, &[step("parity", "true", true)]).unwrap();
    }
    let files = [HISTORY, PAGE].map(|name| place.records().join(name));
    let before = files.each_ref().map(|path| fs::read(path).unwrap());
    for path in &files {
        fs::remove_file(path).unwrap();
    }
    assert!(again(&place.records()).unwrap().name.ends_with("2b2b2b2b2b2b"));
    assert_eq!(files.each_ref().map(|path| fs::read(path).unwrap()), before);
    let history = frames::History::from_parquet(&before[0]).unwrap();
    let series = history.series().unwrap();
    let margin = series.iter().find(|one| one.name == "parity A1 jaccard_top").unwrap();
    let values: Vec<f64> = margin.values.iter().flatten().copied().collect();
    assert!((values[0] - 0.05).abs() < 1e-12 && (values[1] - 0.1).abs() < 1e-12, "{values:?}");
    let maps = series.iter().find(|one| one.name == "parity flask maps").unwrap();
    assert_eq!(maps.values, [Some(1.5), Some(1.5)]);
}

#[test]
fn a_record_continues_one_of_another_machine() {
    let place = Place::new();
    let steps =
        [step("parity", "true", true), step("fuzz", "true", false), step("x", "exit 3", false)];
    place.seal(ONE, &[("flask", "jaccard_top", 0.9)]);
    for one in &steps[..1] {
        run(place.root(), &place.artifacts(), ONE, one).unwrap();
    }
    let first = place.record(ONE, &steps).unwrap();
    assert_eq!(first.exit_code(), exit::INSUFFICIENT);
    // The other machine has no bundle.
    fs::remove_file(place.root().join("sealed")).unwrap();
    let second = place.go_on(&first.name, ONE, &steps, &steps[1..2]).unwrap();
    let states: Vec<State> = second.steps.iter().map(|step| step.state).collect();
    assert_eq!(states, [State::Passed, State::Passed, State::NotRun]);
    assert_eq!(second.steps[0].record.as_deref(), Some(&*first.name));
    assert_eq!((&second.steps[1].record, second.name), (&None, format!("{}-2", first.name)));
    assert_eq!(second.runs, first.runs);
    // A failure is never replaced by an earlier result, and what was taken over twice names its origin.
    let second = format!("{}-2", first.name);
    let third = place.go_on(&second, ONE, &steps, &steps[2..]).unwrap();
    assert_eq!((third.steps[2].state, third.exit_code()), (State::Failed, exit::GATE_FAILED));
    assert_eq!(third.steps[0].record.as_deref(), Some(&*first.name));
    assert_eq!(third.steps[1].record.as_deref(), Some(&*second));
    // The history has the whole night once, with the values of all parts.
    let history =
        frames::History::from_parquet(&fs::read(place.records().join(HISTORY)).unwrap()).unwrap();
    assert_eq!(history.records().unwrap(), std::slice::from_ref(&third.name));
    let names: Vec<String> = history.series().unwrap().into_iter().map(|one| one.name).collect();
    for name in ["step parity", "step fuzz", "parity flask maps", "parity A1 jaccard_top"] {
        assert!(names.iter().any(|one| one == name), "{name}: {names:?}");
    }
    let page = fs::read_to_string(place.records().join(PAGE)).unwrap();
    assert!(page.contains(&format!("from the record {}", first.name)));
    // The next night is compared with the run that was taken over.
    place.seal(TWO, &[("flask", "jaccard_top", 0.8)]);
    let next = place.night(TWO, &steps[..1]).unwrap();
    assert_eq!((next.before, next.movers.len() > 1), (Some(third.name), true));
}

#[test]
fn another_commit_an_unknown_record_and_one_continued_already_are_refused() {
    let place = Place::new();
    let steps = [step("a", "true", false), step("b", "true", false)];
    let first = place.night(ONE, &steps[..1]).unwrap();
    let refused = |name: &str, commit: &str, why: &str| {
        let failure = place.go_on(name, commit, &steps, &steps[1..]).unwrap_err();
        assert!(failure.to_string().contains(why), "{failure}");
        assert_eq!(failure.report(), exit::USAGE);
    };
    refused(&first.name, TWO, "is of commit");
    refused("2999-01-01-000000000000", ONE, "it has");
    place.go_on(&first.name, ONE, &steps, &steps[1..]).unwrap();
    refused(&first.name, ONE, "continues");
    // A step whose command has changed since is not taken over.
    let place = Place::new();
    let first = place.night(ONE, &steps[..1]).unwrap();
    let changed = [step("a", "true && true", false), step("b", "true", false)];
    let second = place.go_on(&first.name, ONE, &changed, &changed[1..]).unwrap();
    assert_eq!(second.steps[0].state, State::NotRun);
}
