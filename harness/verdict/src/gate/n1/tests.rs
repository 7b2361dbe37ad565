//! N1 on made answers, and its negative controls.

use std::collections::BTreeSet;

use record::{Cell, Verdict};
use serde_json::{Value as Json, json};

use super::*;
use crate::gate::verdict;

fn thresholds() -> N1Thresholds {
    N1Thresholds {
        min_local: 0.98,
        min_function_class_among: 0.98,
        min_function_class_first: 0.93,
        min_lead_over_baseline: 0.05,
        min_member_among: 0.90,
        min_resolved_precision: 0.97,
        max_external_invented: 0.05,
        min_references_recall: 0.90,
        min_references_precision: 0.85,
        min_samples: 15,
        min_languages: 2,
        confidence: 0.95,
        resamples: 200,
        seed: 1,
    }
}

/// Two languages with twenty names of each stratum and twenty definitions; the name on line `n` of `a` is defined on
/// line `n` of `b`. The baseline is right in every second case.
fn gold() -> NavigationGold {
    let row = |line: u32, targets: Json| {
        let baseline =
            if line.is_multiple_of(2) { json!([1, line, 1]) } else { json!([1, line + 100, 1]) };
        json!([0, line, 5, targets, baseline])
    };
    let corpus = |language: &str| {
        let names: Vec<Json> = (1..=20).map(|line| row(line, json!([[1, line, 1]]))).collect();
        let external: Vec<Json> = (31..=50).map(|line| row(line, json!([]))).collect();
        let references: Vec<Json> =
            (1..=20).map(|line| json!([1, line, 1, [[0, line, 5]], [[0, line + 60, 5]]])).collect();
        json!({
            "corpus": language, "split": "test", "language": language, "files": ["a", "b"],
            "local": names, "function_class": names, "member": names, "import": names,
            "external": external, "references": references,
        })
    };
    let lines = ["one", "two"].map(|language| format!("{}\n", corpus(language)));
    NavigationGold::parse(&lines.concat()).unwrap()
}

fn entry(file: &str, line: u32, column: u32) -> Json {
    json!({"file_path": format!("$REPO/{file}"), "line": line, "column": column, "resolution": "import"})
}

/// Right answers to every question about a corpus: 20 of each stratum, then 20 about references.
fn right(gold: &NavGold) -> Vec<Json> {
    let answer = |(number, place): (usize, record::NavPlace)| match number {
        0..80 => json!({"definitions": [entry("b", place.line, 1)], "resolution": "import"}),
        80..100 => json!({"definitions": [], "resolution": "external"}),
        _ => json!({"references": [entry("a", place.line, 5)], "resolution": "import"}),
    };
    gold.places().into_iter().enumerate().map(answer).collect()
}

/// The cells of answers that differ from [`right`] in one way, in the language `two`.
fn with(fault: impl Fn(&mut Vec<Json>)) -> Vec<Cell> {
    let gold = gold();
    let mut all = Vec::new();
    for name in gold.names() {
        let of_corpus = gold.of(name).unwrap();
        let mut answers = right(of_corpus);
        if name == "two" {
            fault(&mut answers);
        }
        let answers: Vec<Answer> =
            answers.into_iter().map(|one| serde_json::from_value(one).unwrap()).collect();
        all.extend(values(of_corpus, &answers));
    }
    n1(&all, &gold.languages("test"), &thresholds(), false)
}

/// The metrics that do not pass, with their cases.
fn failing(cells: &[Cell]) -> Vec<(&str, &str, Verdict)> {
    let failing = cells.iter().filter(|cell| cell.verdict != Verdict::Pass);
    failing.map(|cell| (cell.case.as_str(), cell.metric.as_str(), cell.verdict)).collect()
}

const FAIL: Verdict = Verdict::Fail;

#[test]
fn right_answers_pass() {
    let cells = with(|_| {});
    assert_eq!(verdict(&cells), Verdict::Pass, "{:?}", failing(&cells));
    let lead = cells.iter().find(|cell| cell.metric == "function_class_lead_over_baseline");
    assert!((lead.unwrap().value.unwrap() - 0.5).abs() < 1e-9);
}

#[test]
fn a_wrong_first_answer_fails_in_its_language_alone() {
    let cells = with(|answers| {
        for answer in &mut answers[20..40] {
            answer["definitions"] = json!([entry("a", 90, 1), answer["definitions"][0]]);
        }
    });
    let expected = [
        ("test/two", "function_class_first", FAIL),
        ("test/two", "function_class_lead_over_baseline", FAIL),
        ("test/two", "resolved_precision", FAIL),
    ];
    assert_eq!(failing(&cells), expected);
}

#[test]
fn entries_by_name_are_not_claimed_to_be_precise() {
    let cells = with(|answers| {
        for answer in &mut answers[40..60] {
            let mut other = entry("a", 90, 1);
            other["resolution"] = json!("name_match");
            answer["definitions"].as_array_mut().unwrap().push(other);
        }
    });
    assert_eq!(failing(&cells), []);
}

#[test]
fn a_homonym_for_a_name_from_outside_fails() {
    let cells = with(|answers| {
        for answer in &mut answers[80..82] {
            answer["definitions"] = json!([entry("b", 3, 1)]);
        }
    });
    assert_eq!(failing(&cells), [("test/two", "external_invented", FAIL)]);
}

#[test]
fn members_and_locals_without_an_answer_fail() {
    let cells = with(|answers| {
        for at in [0, 40, 41, 42] {
            answers[at] = json!({"error": {"code": "TS_SYMBOL_NOT_FOUND"}});
        }
    });
    let expected = [
        ("test/two", "local_among", FAIL),
        ("test/two", "local_first", FAIL),
        ("test/two", "member_among", FAIL),
    ];
    assert_eq!(failing(&cells), expected);
}

#[test]
fn references_that_are_missed_or_too_many_fail_in_the_mean_of_languages() {
    let missed = with(|answers| {
        for answer in &mut answers[100..106] {
            answer["references"] = json!([]);
        }
    });
    assert_eq!(failing(&missed), [("test/macro", "references_recall", FAIL)]);
    let too_many = with(|answers| {
        for (line, answer) in (1..).zip(&mut answers[100..120]) {
            answer["references"].as_array_mut().unwrap().push(entry("a", line + 60, 5));
        }
    });
    assert_eq!(failing(&too_many), [("test/macro", "references_precision", FAIL)]);
}

#[test]
fn a_file_outside_of_the_gold_is_no_target() {
    let cells = with(|answers| {
        for answer in &mut answers[..20] {
            answer["definitions"][0]["file_path"] = json!("/elsewhere/b");
        }
    });
    let failing = failing(&cells);
    assert!(failing.contains(&("test/two", "local_among", FAIL)), "{failing:?}");
}

#[test]
fn too_few_of_anything_is_no_pass() {
    let gold = gold();
    let one = gold.of("one").unwrap();
    let answers: Vec<Answer> =
        right(one).into_iter().map(|answer| serde_json::from_value(answer).unwrap()).collect();
    let found = values(one, &answers);
    // A language is missing.
    let cells = n1(&found, &gold.languages("test"), &thresholds(), false);
    assert_ne!(verdict(&cells), Verdict::Pass);
    assert!(failing(&cells).contains(&("test", "languages", FAIL)));
    // A narrowed run judges what it has.
    assert_eq!(verdict(&n1(&found, &gold.languages("test"), &thresholds(), true)), Verdict::Pass);
    let few = N1Thresholds { min_samples: 21, min_languages: 1, ..thresholds() };
    let cells = n1(&found, &BTreeSet::from(["one"]), &few, false);
    assert_eq!(verdict(&cells), Verdict::Insufficient);
    // Nothing at all.
    assert_ne!(verdict(&n1(&[], &gold.languages("test"), &thresholds(), false)), Verdict::Pass);
}
