//! Negative controls of the floors per language: a set of corpora that holds too little, and a run
//! without an optional corpus.
//!
//! The evidence has the comparator's committed answers about two authored corpora, which stand for
//! a required and an optional real one. What they hold of Python was counted by hand.

use std::{collections::BTreeMap, fs};

use record::{Cell, Side, Verdict, protocol::FLOORS};
use serde_json::json;
use verdict::Evaluation;

use crate::support::{
    evidence::{Parts, printed},
    root,
};

const REQUIRED: &str = "polyglot";
const OPTIONAL: &str = "slice";
/// Number of files with a tag and number of definitions of Python: in the required corpus, and below in
/// both.
const REQUIRED_HOLDS: (u64, u64) = (2, 11);
const BOTH_HOLD: (u64, u64) = (5, 27);

/// Evidence of both corpora with nothing altered, and floors that it reaches exactly.
fn unaltered() -> Parts {
    let corpus = |name: &str, optional: bool| {
        json!({
            "name": name, "authored": false, "optional": optional, "commit": "", "fingerprint": "", "cases": [{"id": "none"}],
            "repeats": 0, "raw_seeds": 0,
        })
    };
    let plan = json!({
        "schema_version": 3, "set": "full", "profile": "parity", "gates": ["languages"],
        "budgets": [1024], "wide_budget": null,
        "corpora": [corpus(REQUIRED, false), corpus(OPTIONAL, true)],
        "fixtures_sha256": "", "engine_sha256": "", "rests_on": {},
        "source_commit": "", "source_tree": "",
    });
    let answer = |name: &str| {
        let path = root().join(format!("corpora/authored/{name}/recording.json"));
        (format!("{name}/comparator"), (Side::Comparator, printed(fs::read(path).unwrap())))
    };
    let mut parts = Parts {
        plan: serde_json::from_value(plan).unwrap(),
        recordings: [answer(REQUIRED), answer(OPTIONAL)].into(),
        files: BTreeMap::new(),
    };
    floors(&mut parts, BOTH_HOLD, REQUIRED_HOLDS);
    parts
}

/// Makes the optional corpus unavailable.
fn without_the_optional(parts: &mut Parts) {
    parts.recordings.remove(&format!("{OPTIONAL}/comparator"));
    parts.plan.corpora.retain(|corpus| corpus.name == REQUIRED);
    parts.plan.skipped.insert(OPTIONAL.to_owned(), "its archive answers 404".to_owned());
}

/// Floors of the whole set and of its required corpora.
fn floors(parts: &mut Parts, all: (u64, u64), required: (u64, u64)) {
    let row = |(files, definitions)| {
        format!("python = {{ files = {files}, definitions = {definitions} }}")
    };
    let text = format!(
        "protocol_version = 1\nmin_real_files = 10\n[sets.full]\n{}\n[required.full]\n{}\n",
        row(all),
        row(required)
    );
    parts.files.insert(FLOORS.to_owned(), text);
}

/// The cells of Python.
fn python(evaluation: &Evaluation) -> Vec<&Cell> {
    evaluation.cells.iter().filter(|cell| cell.corpus == "python").collect()
}

#[test]
fn floors_that_are_reached_exactly_pass() {
    let evaluation = unaltered().evaluate();
    assert_eq!(evaluation.verdict, Verdict::Pass, "{:#?}", evaluation.cells);
    let values: Vec<_> = python(&evaluation).iter().map(|cell| cell.value).collect();
    assert_eq!(values, [Some(27.0), Some(5.0)]);
    assert!(
        python(&evaluation).iter().all(|cell| cell.note == "synthetic"),
        "fewer than ten files"
    );
}

#[test]
fn one_file_or_one_definition_below_its_floor_fails() {
    for all in [(BOTH_HOLD.0 + 1, BOTH_HOLD.1), (BOTH_HOLD.0, BOTH_HOLD.1 + 1)] {
        let mut parts = unaltered();
        floors(&mut parts, all, REQUIRED_HOLDS);
        assert_eq!(parts.evaluate().verdict, Verdict::Fail);
    }
}

#[test]
fn without_an_optional_corpus_the_required_ones_are_held_to_floors_of_their_own() {
    let mut parts = unaltered();
    without_the_optional(&mut parts);
    let evaluation = parts.evaluate();
    assert_eq!(evaluation.verdict, Verdict::Pass, "{:#?}", evaluation.cells);
    assert!(
        python(&evaluation).iter().all(|cell| cell.note.contains("1 optional corpora skipped"))
    );

    let (files, definitions) = REQUIRED_HOLDS;
    for required in [(files + 1, definitions), (files, definitions + 1)] {
        floors(&mut parts, BOTH_HOLD, required);
        assert_eq!(parts.evaluate().verdict, Verdict::Fail);
    }
}

#[test]
fn other_optional_corpora_do_not_make_up_for_a_required_one() {
    let mut parts = unaltered();
    // Another corpus was skipped, so the optional corpus that is here does not count.
    parts.plan.skipped.insert("another".to_owned(), "its archive answers 404".to_owned());
    assert_eq!(parts.evaluate().verdict, Verdict::Pass);
    floors(&mut parts, BOTH_HOLD, BOTH_HOLD);
    assert_eq!(parts.evaluate().verdict, Verdict::Fail);
}

#[test]
fn a_missing_required_answer_or_missing_floors_are_no_pass() {
    let mut parts = unaltered();
    without_the_optional(&mut parts);
    parts.recordings.remove(&format!("{REQUIRED}/comparator"));
    assert_eq!(parts.evaluate().verdict, Verdict::NotRun);

    let mut parts = unaltered();
    without_the_optional(&mut parts);
    let only_all = "protocol_version = 1\nmin_real_files = 10\n[sets.full]\n";
    parts.files.insert(FLOORS.to_owned(), only_all.to_owned());
    assert_eq!(parts.evaluate().verdict, Verdict::NotRun);
}
