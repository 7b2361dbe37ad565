//! Negative controls of A3 for many models: what our program said of four models, as it was recorded, with one window
//! altered, and with the counts of another tokenizer, against the comparator's committed answers. The unaltered recording must pass, the altered one must fail.

use std::{collections::BTreeSet, fs};

use record::{Cell, Verdict};
use serde_json::{Value, json};
use verdict::{
    Protocol,
    gate::{ModelList, ModelRun, OurModel, TheirModel, TokenizerSupport, a3_models, verdict},
    response::Response,
};

use crate::support::root;

/// A full name, a short one, one that is counted with the Claude tokenizer, and one that nobody knows.
const NAMES: [&str; 4] = ["gpt-4o", "4", "sonnet", "no-such-model"];

fn protocol() -> Protocol {
    Protocol::open(&root()).unwrap()
}

fn lines(path: &str) -> Vec<String> {
    fs::read_to_string(root().join(path)).unwrap().lines().map(str::to_owned).collect()
}

/// The cells of the models of a fixture, of which so many must be equal.
fn cells(fixture: &str, min_equal_models: usize) -> Vec<Cell> {
    cells_of(&lines(&format!("harness/tests/negative/{fixture}.jsonl")), min_equal_models)
}

/// As [`cells`], for two lines of each model.
fn cells_of(ours: &[String], min_equal_models: usize) -> Vec<Cell> {
    let list = ModelList { min_equal_models, ..ModelList::open(&protocol()).unwrap() };
    let support: TokenizerSupport = protocol().json(record::protocol::TOKENIZERS).unwrap();
    let answers = lines(&format!("corpora/authored/{}/models.jsonl", list.corpus));
    let runs = NAMES.into_iter().zip(ours.chunks(2)).map(|(name, lines)| {
        let at = list.models.iter().position(|model| model == name).unwrap();
        let answer = Response::parse(answers[at].as_bytes()).unwrap();
        assert_eq!(answer.model, name);
        let ours = OurModel::parse([lines[0].as_bytes(), lines[1].as_bytes()]).unwrap();
        let theirs = TheirModel::of(&answer, ["chat", "none"]).unwrap();
        ModelRun { name, sides: Ok((ours, theirs)) }
    });
    a3_models("slice", &runs.collect::<Vec<_>>(), &list, &support)
}

/// Cases and metrics that do not pass.
fn failing(cells: &[Cell]) -> BTreeSet<(&str, &str)> {
    let failing = cells.iter().filter(|cell| cell.verdict != Verdict::Pass);
    failing.map(|cell| (cell.case.as_str(), cell.metric.as_str())).collect()
}

#[test]
fn the_unaltered_recording_passes() {
    let cells = cells("models-unaltered", 4);
    assert_eq!(verdict(&cells), Verdict::Pass, "{cells:#?}");
    let count = |metric: &str| cells.iter().filter(|cell| cell.metric == metric).count();
    assert_eq!((count("model_tokenizer"), count("model_target")), (4, 4));
    assert_eq!(cells.last().unwrap().value, Some(4.0));
}

#[test]
fn one_altered_window_fails() {
    let cells = cells("models-window-altered", 4);
    assert_eq!(verdict(&cells), Verdict::Fail);
    assert_eq!(failing(&cells), BTreeSet::from([("", "models_equal"), ("4", "model_window")]));
}

/// Lines 4 and 5 are those of `sonnet`, 0 and 1 those of `gpt-4o`, whose default budget is the same.
#[test]
fn a_claude_model_that_is_counted_by_cl100k_base_fails() {
    let mut ours = lines("harness/tests/negative/models-unaltered.jsonl");
    for (claude, other) in [(4, 0), (5, 1)] {
        let model = serde_json::from_str::<Value>(&ours[claude]).unwrap()["model"].take();
        let mut map: Value = serde_json::from_str(&ours[other]).unwrap();
        map["model"] = model;
        ours[claude] = map.to_string();
    }
    let cells = cells_of(&ours, 4);
    assert_eq!(verdict(&cells), Verdict::Fail);
    let expected = BTreeSet::from([("", "models_equal"), ("sonnet", "model_tokenizer")]);
    assert_eq!(failing(&cells), expected);
}

#[test]
fn a_claude_model_that_is_refused_fails() {
    let mut ours = lines("harness/tests/negative/models-unaltered.jsonl");
    for line in &mut ours[4..6] {
        let model = serde_json::from_str::<Value>(line).unwrap()["model"].take();
        *line = json!({"schema_version": 1, "error": "no tokenizer", "model": model}).to_string();
    }
    let cells = cells_of(&ours, 4);
    let expected = BTreeSet::from([("", "models_equal"), ("sonnet", "model_tokenizer")]);
    assert_eq!(failing(&cells), expected);
}

#[test]
fn too_few_models_are_insufficient() {
    let cells = cells("models-unaltered", 29);
    assert_eq!(verdict(&cells), Verdict::Insufficient);
    let list = ModelList::open(&protocol()).unwrap();
    let support: TokenizerSupport = protocol().json(record::protocol::TOKENIZERS).unwrap();
    assert_eq!(verdict(&a3_models("slice", &[], &list, &support)), Verdict::Insufficient);
    // One without an answer is not run, however many others are equal.
    let run = ModelRun { name: "gpt-4o", sides: Err("it died".to_owned()) };
    let cells = a3_models("slice", &[run], &list, &support);
    assert_eq!(cells[0].verdict, Verdict::NotRun);
    assert_ne!(verdict(&cells), Verdict::Pass);
}
