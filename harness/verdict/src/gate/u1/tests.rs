//! U1 on made texts, and its negative controls.

use record::{Cell, Digest, SUMMARY_BUDGETS, Verdict};

use super::*;
use crate::gate::verdict;

fn thresholds() -> U1Thresholds {
    U1Thresholds {
        budget: 1000,
        min_answered: 0.85,
        lead_above: 0.0,
        max_chance: 0.05,
        min_questions: 200,
        min_files: 100,
    }
}

/// A question with one answer.
pub(super) fn question(answer: &str, near: &[&str]) -> Question {
    Question {
        id: answer.to_owned(),
        split: "test".to_owned(),
        format: "text".to_owned(),
        corpus: "c".to_owned(),
        path: "f".to_owned(),
        sha256: Digest::of("f"),
        kind: "value".to_owned(),
        answer: vec![answer.to_owned()],
        near: near.iter().map(|word| (*word).to_owned()).collect(),
    }
}

/// Two questions about each of 110 files of eleven formats; every other file is of the test split.
fn questions() -> Questions {
    let of = |file: usize| {
        ["first", "second"].map(|which| Question {
            split: if file.is_multiple_of(2) { "test" } else { "development" }.to_owned(),
            format: format!("format-{}", file % 11),
            path: format!("file-{file:03}"),
            ..question(&format!("{which}-answer-{file:03}"), &[])
        })
    };
    Questions((0..110).flat_map(of).collect())
}

/// Our summaries answer both questions of nine files out of ten; the others show the first answer.
fn shown() -> Vec<Shown> {
    let mut all = Vec::new();
    for file in 0..110 {
        for budget in SUMMARY_BUDGETS {
            let systems = [System::Enhancement].into_iter().chain(System::OTHERS);
            all.extend(systems.map(|system| {
                let second = system == System::Enhancement && file % 10 != 9;
                let second =
                    if second { format!(" second-answer-{file:03}") } else { String::new() };
                Shown {
                    corpus: "c".to_owned(),
                    path: format!("file-{file:03}"),
                    system,
                    budget,
                    text: format!("first-answer-{file:03}{second}"),
                }
            }));
        }
    }
    all
}

/// The cells of texts that differ from [`shown`] in one way.
fn with(fault: impl FnOnce(&mut Vec<Shown>)) -> Vec<Cell> {
    let mut shown = shown();
    fault(&mut shown);
    u1(&shown, &questions(), &thresholds(), false)
}

/// The metrics that do not pass, with the group of questions.
fn failing(cells: &[Cell]) -> Vec<(&str, &str, Verdict)> {
    let failing = cells.iter().filter(|cell| cell.verdict != Verdict::Pass);
    failing.map(|cell| (cell.metric.as_str(), cell.case.as_str(), cell.verdict)).collect()
}

#[test]
fn summaries_with_the_answers_pass() {
    let cells = with(|_| {});
    assert_eq!(verdict(&cells), Verdict::Pass, "{:?}", failing(&cells));
    let cell = |metric: &str, case: &str| {
        let fits = |cell: &&Cell| {
            (cell.metric.as_str(), cell.case.as_str(), cell.budget) == (metric, case, Some(1000))
        };
        cells.iter().find(fits).and_then(|cell| cell.value).unwrap()
    };
    // 11 of 110 files have one answer instead of two, all of them in the development split.
    assert!((cell("enhancement_answered", "") - 209.0 / 220.0).abs() < 1e-9);
    assert!((cell("enhancement_answered", "test") - 1.0).abs() < 1e-9);
    assert!((cell("lead_over_head", "test") - 0.5).abs() < 1e-9);
}

#[test]
fn summaries_without_the_answers_fail() {
    let cells = with(|shown| {
        for one in shown.iter_mut().filter(|one| one.system == System::Enhancement) {
            one.text = one.text.replace("second", "other");
        }
    });
    let failing = failing(&cells);
    assert!(failing.contains(&("enhancement_answered", "", Verdict::Fail)), "{failing:?}");
    assert!(failing.contains(&("lead_over_repomix", "test", Verdict::Fail)), "{failing:?}");
}

#[test]
fn a_test_split_without_answers_fails_by_itself() {
    let cells = with(|shown| {
        let is_test =
            |path: &str| path.trim_start_matches("file-").parse::<u64>().unwrap() % 2 == 0;
        let ours = |one: &&mut Shown| one.system == System::Enhancement && is_test(&one.path);
        for one in shown.iter_mut().filter(ours).take(60) {
            one.text = one.text.replace("second", "other");
        }
    });
    let failing = failing(&cells);
    assert_eq!(failing, [("enhancement_answered", "test", Verdict::Fail)]);
}

#[test]
fn another_tool_that_answers_as_much_fails() {
    let cells = with(|shown| {
        for one in shown.iter_mut().filter(|one| one.system == System::Ctags) {
            let number = one.text.trim_start_matches("first-answer-").to_owned();
            one.text = format!("{} second-answer-{number}", one.text);
        }
    });
    let all = [("lead_over_ctags", "", Verdict::Fail), ("lead_over_ctags", "test", Verdict::Fail)];
    assert_eq!(failing(&cells), all);
}

#[test]
fn a_summary_above_its_budget_fails() {
    let cells = with(|shown| shown[0].text.push_str(&" word".repeat(600)));
    assert_eq!(failing(&cells), [("within_budget", "", Verdict::Fail)]);
}

#[test]
fn a_text_that_has_every_answer_fails() {
    let everything: String =
        questions().0.iter().map(|one| format!("{}\n", one.answer.concat())).collect();
    let cells = with(|shown| {
        for one in shown.iter_mut().filter(|one| one.system == System::Enhancement) {
            one.text.clone_from(&everything);
        }
    });
    let failing = failing(&cells);
    assert!(failing.contains(&("answered_by_chance", "", Verdict::Fail)), "{failing:?}");
}

#[test]
fn too_few_of_anything_is_insufficient() {
    let cells = with(|shown| shown.retain(|one| one.path.as_str() < "file-099"));
    let few = [("questions", "", Verdict::Insufficient), ("files", "", Verdict::Insufficient)];
    assert_eq!(failing(&cells), few);
    let nothing = with(Vec::clear);
    assert_ne!(verdict(&nothing), Verdict::Pass);
    let narrowed: Vec<Shown> =
        shown().into_iter().filter(|one| one.path.as_str() < "file-008").collect();
    assert_eq!(failing(&u1(&narrowed, &questions(), &thresholds(), true)), []);
}
