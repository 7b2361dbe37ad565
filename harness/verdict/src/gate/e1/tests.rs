//! E1 on made scores, and its negative controls.

use record::{Cell, Verdict};

use super::*;
use crate::gate::verdict;

fn thresholds() -> E1Thresholds {
    E1Thresholds {
        gain_budgets: vec![1024],
        min_gain: 0.1,
        interval_above: 0.0,
        confidence: 0.95,
        resamples: 2000,
        seed: 1,
        min_tasks: 150,
        min_packages: 10,
        min_languages: 6,
        min_tasks_of_language: 10,
    }
}

fn shown(defined: f64) -> Shown {
    Shown { named: defined, defined, symbols: Some(defined) }
}

/// Twelve packages of six languages with 15 tasks each. The comparator shows a quarter of the changed files,
/// the enhancement profile shows those of most tasks.
fn tasks() -> Vec<Scored> {
    let one = |package: usize, number: usize| Scored {
        corpus: format!("package-{package:02}"),
        language: format!("language-{}", package % 6),
        budget: 1024,
        shown: [shown(0.25), shown(0.25), shown(if number.is_multiple_of(5) { 0.0 } else { 1.0 })],
        within_budget: true,
    };
    (0..12).flat_map(|package| (0..15).map(move |number| one(package, number))).collect()
}

/// The cells of tasks that differ from [`tasks`] in one way.
fn with(fault: impl FnOnce(&mut Vec<Scored>)) -> Vec<Cell> {
    let mut tasks = tasks();
    fault(&mut tasks);
    e1(&tasks, &thresholds(), false)
}

/// The metrics that do not pass.
fn failing(cells: &[Cell]) -> Vec<(&str, Verdict)> {
    let failing = cells.iter().filter(|cell| cell.verdict != Verdict::Pass);
    failing.map(|cell| (cell.metric.as_str(), cell.verdict)).collect()
}

#[test]
fn clearly_better_maps_pass() {
    let cells = with(|_| {});
    assert_eq!(verdict(&cells), Verdict::Pass, "{:?}", failing(&cells));
    let gain = cells.iter().find(|cell| cell.metric == "gain_over_comparator").unwrap();
    assert!((gain.value.unwrap() - 0.55).abs() < 1e-9, "{gain:?}");
}

#[test]
fn maps_that_show_no_more_fail() {
    let cells = with(|tasks| tasks.iter_mut().for_each(|task| task.shown[2] = shown(0.25)));
    let all = [
        ("gain_over_comparator", Verdict::Fail),
        ("lowest_gain_by_task_over_comparator", Verdict::Fail),
        ("lowest_gain_by_package_over_comparator", Verdict::Fail),
    ];
    assert_eq!(failing(&cells), all);
}

#[test]
fn a_gain_that_one_package_brings_fails_by_package() {
    let cells = with(|tasks| {
        for task in tasks.iter_mut() {
            let gains = task.corpus == "package-00";
            task.shown = [shown(0.0), shown(0.0), shown(if gains { 1.0 } else { 0.05 })];
        }
        // Eleven packages lose a little.
        for task in tasks.iter_mut().filter(|task| task.corpus != "package-00") {
            task.shown[0] = shown(0.06);
        }
    });
    let metrics: Vec<&str> = failing(&cells).into_iter().map(|(metric, _)| metric).collect();
    assert!(metrics.contains(&"lowest_gain_by_package_over_comparator"), "{metrics:?}");
}

#[test]
fn a_language_that_is_worse_fails() {
    let cells = with(|tasks| {
        for task in tasks.iter_mut().filter(|task| task.language == "language-3") {
            task.shown = [shown(1.0), shown(1.0), shown(0.0)];
        }
    });
    let failing: Vec<_> = cells.iter().filter(|cell| cell.verdict == Verdict::Fail).collect();
    assert!(failing.iter().any(|cell| {
        (cell.metric.as_str(), cell.case.as_str()) == ("highest_gain_of_language", "language-3")
    }));
}

#[test]
fn a_map_above_its_budget_fails() {
    let cells = with(|tasks| tasks[7].within_budget = false);
    assert_eq!(failing(&cells), [("within_budget", Verdict::Fail)]);
}

#[test]
fn too_few_of_anything_is_insufficient() {
    let cells = with(|tasks| tasks.truncate(149));
    assert_eq!(failing(&cells), [("tasks", Verdict::Insufficient)]);
    let cells = with(|tasks| tasks.iter_mut().for_each(|task| task.language = "c".to_owned()));
    assert_eq!(failing(&cells), [("languages", Verdict::Insufficient)]);
    assert_ne!(verdict(&with(Vec::clear)), Verdict::Pass);
    let narrowed = e1(&tasks()[..15], &thresholds(), true);
    assert_eq!(failing(&narrowed), []);
}
