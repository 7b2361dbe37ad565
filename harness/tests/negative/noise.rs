//! Negative controls of the noise floor: evidence whose raw cells must not pass.
//!
//! Each test builds an evidence folder from true recordings of an authored corpus (our map, the
//! canonical comparator, eight seeded runs of it), alters one thing and evaluates the folder as
//! `parity run` and `parity verify` do. The unaltered folder must pass.

use std::{collections::BTreeMap, fs};

use record::{Cell, Plan, Set, Side, Verdict};
use serde_json::{Value, json};
use verdict::{
    Evaluation, Evidence,
    gate::{GateId, ranks},
};

use crate::support::{authored, evidence, root};

const CORPUS: &str = "polyglot";
const BUDGET: u64 = 1024;
const SEEDS: u64 = 8;

fn committed(path: &str) -> Value {
    serde_json::from_slice(&fs::read(root().join(path)).unwrap()).unwrap()
}

/// The parts of an evidence folder, each of which can be altered.
struct Parts {
    plan: Plan,
    /// The line of the corpus's lock that says what the comparator costs on it.
    cost: &'static str,
    /// Side and answer by key.
    answers: BTreeMap<String, (Side, Value)>,
}

fn raw_key(seed: u64) -> String {
    format!("{CORPUS}/raw/{seed}")
}

impl Parts {
    /// True recordings, nothing altered.
    fn unaltered() -> Self {
        let corpus = authored().into_iter().find(|found| found.name == CORPUS).unwrap();
        let case = corpus.cases.into_iter().find(|case| case.id == "none").unwrap();
        let folder = format!("corpora/authored/{CORPUS}");
        let mut answers = BTreeMap::from([
            (
                format!("{CORPUS}/comparator"),
                (Side::Comparator, committed(&format!("{folder}/recording.json"))),
            ),
            (
                format!("{CORPUS}/maps"),
                (Side::Engine, committed("harness/tests/negative/unaltered.json")),
            ),
        ]);
        for seed in 0..SEEDS {
            let answer = committed(&format!("{folder}/raw/{seed}.json"));
            answers.insert(raw_key(seed), (Side::Comparator, answer));
        }
        let plan = json!({
            "schema_version": 3,
            "set": "smoke",
            "profile": "parity",
            "gates": ["A1"],
            "budgets": [BUDGET],
            "wide_budget": null,
            "corpora": [{
                "name": CORPUS,
                "authored": true,
                "commit": "", "fingerprint": "",
                "cases": [case],
                "repeats": 0,
                "raw_seeds": SEEDS,
            }],
            "fixtures_sha256": "",
            "engine_sha256": "",
            "rests_on": {},
            "source_commit": "",
            "source_tree": "",
        });
        let plan: Plan = serde_json::from_value(plan).unwrap();
        Self { plan, cost: "", answers }
    }

    fn ours(&mut self) -> &mut Value {
        &mut self.answers.get_mut(&format!("{CORPUS}/maps")).unwrap().1
    }

    /// The candidates of one seeded run.
    fn raw_prefit(&mut self, seed: u64) -> &mut Vec<Value> {
        let (_, answer) = self.answers.get_mut(&raw_key(seed)).unwrap();
        answer["cases"][0]["attempts"][0]["prefit"].as_array_mut().unwrap()
    }

    /// Writes the folder and evaluates it.
    fn evaluate(&self) -> Evaluation {
        self.evidence().evaluate()
    }

    fn evidence(&self) -> evidence::Parts {
        let recording = |(key, (side, answer)): (&String, &(Side, Value))| {
            (key.clone(), (*side, evidence::printed(serde_json::to_vec(answer).unwrap())))
        };
        let lock = format!("[[corpus]]\nname = \"{CORPUS}\"\nrequired = true\n{}\n", self.cost);
        evidence::Parts {
            plan: self.plan.clone(),
            recordings: self.answers.iter().map(recording).collect(),
            files: [("corpora/authored.lock.toml".to_owned(), lock)].into(),
        }
    }
}

fn cell<'a>(evaluation: &'a Evaluation, metric: &str) -> &'a Cell {
    evaluation.cells.iter().find(|cell| cell.gate == GateId::A1 && cell.metric == metric).unwrap()
}

/// The file of an entry `[stage, file, …]`.
fn file(entry: &Value) -> String {
    entry[1].as_str().unwrap().to_owned()
}

/// Swaps two files wherever the list names them.
fn exchange(prefit: &mut [Value], one: &str, other: &str) {
    for entry in prefit {
        if entry[1] == one {
            entry[1] = other.into();
        } else if entry[1] == other {
            entry[1] = one.into();
        }
    }
}

#[test]
fn the_unaltered_evidence_passes_with_its_noise_floor_beside_it() {
    let evaluation = Parts::unaltered().evaluate();
    assert_eq!(evaluation.verdict, Verdict::Pass, "{:#?}", evaluation.cells);
    for metric in ["jaccard_top", "spearman_top", "postfit_file_jaccard"] {
        let raw = cell(&evaluation, &format!("raw_{metric}"));
        assert_eq!((raw.n, raw.verdict, raw.margin), (SEEDS, Verdict::Pass, Some(0.0)));
        let seeds = raw.seeds.unwrap();
        assert_eq!(seeds.ours, seeds.canonical, "ours equals canonical");
        let floor = cell(&evaluation, metric).noise_floor.unwrap();
        assert_eq!(Some(floor), raw.noise_floor);
        assert!(floor.min <= floor.mean && floor.mean <= 1.0, "{floor:?}");
    }
    // The seeded runs rank these files in several ways, so the floor is below 1.
    assert!(cell(&evaluation, "spearman_top").noise_floor.unwrap().min < 1.0);
    assert!(evaluation.cells.iter().all(|cell| cell.warning.is_empty()));
}

#[test]
fn a_shuffled_ranking_is_farther_from_the_seeds_than_canonical() {
    let mut parts = Parts::unaltered();
    // The worst shuffle: the first rank becomes the last.
    parts.ours()["attempts"][0]["prefit"].as_array_mut().unwrap().reverse();
    let evaluation = parts.evaluate();
    let raw = cell(&evaluation, "raw_spearman_top");
    assert_eq!(raw.verdict, Verdict::Fail, "{raw:#?}");
    let seeds = raw.seeds.unwrap();
    assert!(seeds.ours.mean < seeds.canonical.mean && seeds.ours.min < seeds.canonical.min);
}

#[test]
fn being_farther_fails_even_where_the_threshold_against_canonical_is_met() {
    let mut parts = Parts::unaltered();
    let prefit = parts.ours()["attempts"][0]["prefit"].as_array_mut().unwrap();
    let first = file(&prefit[0]);
    let mut others = prefit.iter().map(file).filter(|name| *name != first);
    let other = others.nth(4).unwrap();
    exchange(prefit, &first, &other);
    let evaluation = parts.evaluate();
    assert_eq!(cell(&evaluation, "spearman_top").verdict, Verdict::Pass);
    assert_eq!(cell(&evaluation, "raw_spearman_top").verdict, Verdict::Fail);
    assert_eq!(evaluation.verdict, Verdict::Fail);
    // A page can show which files changed places: these two, and no other.
    let folder = parts.evidence().write();
    let ranked = ranks(&Evidence::open(folder.path()).unwrap(), CORPUS, "none").unwrap();
    let moved: Vec<_> = ranked.iter().filter(|rank| rank.ours != rank.theirs).collect();
    let places: Vec<_> = moved.iter().map(|rank| (&*rank.file, rank.ours, rank.theirs)).collect();
    let [(_, low, 1), (_, 1, high)] = places[..] else { panic!("{places:?}") };
    assert_eq!((low, places[0].0, places[1].0), (high, &*first, &*other));
}

#[test]
fn a_map_of_other_files_is_farther_from_the_seeds() {
    let mut parts = Parts::unaltered();
    let attempt = &mut parts.ours()["attempts"][0];
    for probe in attempt["search"].as_array_mut().unwrap() {
        probe["middle"] = 1.into();
    }
    let raw = parts.evaluate();
    assert_eq!(cell(&raw, "raw_postfit_file_jaccard").verdict, Verdict::Fail);
}

#[test]
fn seven_seeds_are_insufficient() {
    let mut parts = Parts::unaltered();
    parts.answers.remove(&raw_key(3));
    let evaluation = parts.evaluate();
    for metric in ["raw_jaccard_top", "raw_spearman_top", "raw_postfit_file_jaccard"] {
        let cell = cell(&evaluation, metric);
        assert_eq!((cell.n, cell.verdict), (7, Verdict::Insufficient));
        assert!(cell.note.contains("polyglot/raw/3 was not recorded"), "{}", cell.note);
    }
    assert_eq!(evaluation.verdict, Verdict::Insufficient);
}

#[test]
fn a_failed_repeated_canonical_or_foreign_run_is_no_seed() {
    let failed = json!({"schema_version": 1, "error": {"kind": "aider_exit", "message": "no"}});
    let repeated = Parts::unaltered().answers[&raw_key(0)].1.clone();
    let canonical = Parts::unaltered().answers[&format!("{CORPUS}/comparator")].1.clone();
    let mut foreign = Parts::unaltered().answers[&raw_key(7)].1.clone();
    foreign["tuple"]["driver_sha256"] = "0".repeat(64).into();
    for answer in [failed, repeated, canonical, foreign] {
        let mut parts = Parts::unaltered();
        parts.answers.insert(raw_key(7), (Side::Comparator, answer));
        let evaluation = parts.evaluate();
        assert_eq!(cell(&evaluation, "raw_jaccard_top").n, 7);
        assert_eq!(evaluation.verdict, Verdict::Insufficient);
    }
}

#[test]
fn seeds_that_the_protocol_demands_cannot_be_left_out_of_the_plan() {
    let mut parts = Parts::unaltered();
    (0..SEEDS).for_each(|seed| drop(parts.answers.remove(&raw_key(seed))));
    parts.plan.corpora[0].raw_seeds = 0;
    assert_eq!(parts.evaluate().verdict, Verdict::Pass, "not due on this corpus");
    parts.plan.set = Set::Full;
    assert_eq!(parts.evaluate().verdict, Verdict::Pass, "its cost is not known");
    parts.cost = "comparator_cpu_seconds = 4";
    let evaluation = parts.evaluate();
    assert_eq!(cell(&evaluation, "raw_jaccard_top").n, 0);
    assert_eq!(evaluation.verdict, Verdict::Insufficient);
}

#[test]
fn a_comparator_that_disagrees_with_itself_is_marked_and_changes_no_verdict() {
    let mut parts = Parts::unaltered();
    for seed in 0..SEEDS {
        let prefit = parts.raw_prefit(seed);
        let shift = prefit.len() * usize::try_from(seed).unwrap() / 8;
        prefit.rotate_left(shift);
    }
    let evaluation = parts.evaluate();
    let marked = cell(&evaluation, "spearman_top");
    assert!(marked.warning.starts_with("unstable comparator"), "{marked:#?}");
    assert!(marked.noise_floor.unwrap().mean < marked.threshold.unwrap());
    assert_eq!(marked.verdict, Verdict::Pass);
    assert_eq!(evaluation.verdict, Verdict::Pass, "ours is as far from these seeds as canonical");
}
