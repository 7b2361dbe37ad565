//! B1 on an authored corpus, and its negative controls: each fault must make it fail.

use std::path::Path;

use record::{ImportLabel, Labels, SymbolLabel, Unjudged, Why};

use super::*;
use crate::{
    explorations::{Explored, FoundImport, FoundSymbol, score_file},
    gate::verdict,
};

fn rules() -> Scoring {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(record::protocol::SCORING);
    let rules: Scoring = toml::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    rules.check().unwrap();
    rules
}

/// Twenty files of twenty symbols and ten imports each.
fn gold() -> Vec<Labels> {
    let symbol = |number: u32| SymbolLabel {
        line: number + 1,
        name: format!("name{number}"),
        kind: if number.is_multiple_of(2) { "class" } else { "method" }.to_owned(),
        decl_line: number + 1,
        end_line: number + 4,
        parent: (!number.is_multiple_of(2)).then(|| format!("a.name{}", number - 1)),
        visibility: None,
        exported: Some(!number.is_multiple_of(5)),
    };
    let import = |number: u32| ImportLabel {
        line: number + 1,
        path: format!("module{number}"),
        category: Some(["stdlib", "third_party", "local"][number as usize % 3].to_owned()),
        names: vec![format!("one{number}"), format!("other{number}")],
    };
    let file = Labels {
        symbols: (0..20).map(symbol).collect(),
        imports: (0..10).map(import).collect(),
        ..Labels::default()
    };
    vec![file; 20]
}

/// The exploration of an explorer that is right about everything.
fn found(gold: &Labels) -> Explored {
    let symbol = |label: &SymbolLabel| FoundSymbol {
        name: label.name.clone(),
        kind: label.kind.clone(),
        line: label.line,
        end_line: label.end_line,
        parent: label.parent.clone(),
        visibility: label.visibility.clone(),
        exported: label.exported,
    };
    let import = |label: &ImportLabel| FoundImport {
        path: label.path.clone(),
        names: label.names.clone(),
        category: label.category.clone().unwrap_or_default(),
        line: label.line,
    };
    Explored {
        symbols: gold.symbols.iter().map(symbol).collect(),
        imports: gold.imports.iter().map(import).collect(),
        ..Explored::default()
    }
}

/// The verdict when `fault` is applied to the right exploration of every file.
fn with(fault: impl Fn(&mut Explored)) -> (Verdict, Vec<Cell>) {
    let rules = rules();
    let mut evidence = B1Evidence { explored: 20, ..B1Evidence::default() };
    for labels in gold() {
        let mut explored = found(&labels);
        fault(&mut explored);
        let score = score_file(&rules, "python", &labels, Some(&explored));
        evidence.languages.entry("python".to_owned()).or_default().add(&score.tally);
    }
    let cells = b1(&evidence, &rules, Profile::Enhancement, Set::Smoke, true);
    (verdict(&cells), cells)
}

fn red(cells: &[Cell]) -> Vec<&str> {
    let failed = cells.iter().filter(|cell| cell.verdict == Verdict::Fail && cell.case == "micro");
    failed.map(|cell| cell.metric.as_str()).collect()
}

#[test]
fn what_is_right_passes() {
    let (verdict, cells) = with(|_| ());
    assert_eq!(verdict, Verdict::Pass, "{cells:#?}");
    assert!(cells.iter().filter(|cell| cell.case == "macro").all(|cell| cell.value == Some(1.0)));
}

#[test]
fn one_symbol_in_ten_dropped_is_red() {
    let (verdict, cells) = with(|explored| {
        let mut index = 0;
        explored.symbols.retain(|_| {
            index += 1;
            index % 10 != 0
        });
    });
    assert_eq!((verdict, red(&cells)), (Verdict::Fail, vec!["symbol_recall"]));
}

#[test]
fn one_symbol_in_ten_invented_is_red() {
    let (verdict, cells) = with(|explored| {
        for number in 0..2 {
            let name = format!("invented{number}");
            explored.symbols.push(FoundSymbol { name, line: 1, ..explored.symbols[0].clone() });
        }
    });
    assert_eq!((verdict, red(&cells)), (Verdict::Fail, vec!["symbol_precision"]));
}

#[test]
fn a_symbol_given_twice_is_red() {
    let (_, cells) = with(|explored| explored.symbols.extend_from_within(..2));
    assert_eq!(red(&cells), ["symbol_precision"]);
}

#[test]
fn wrong_lines_kinds_and_scopes_are_red() {
    let faults: [fn(&mut FoundSymbol); 4] = [
        |symbol| symbol.line += 3,
        |symbol| symbol.kind = "variable".to_owned(),
        |symbol| symbol.parent = Some("Other".to_owned()),
        |symbol| symbol.name.push('x'),
    ];
    for fault in faults {
        let (_, cells) = with(|explored| explored.symbols.iter_mut().take(4).for_each(fault));
        assert_eq!(red(&cells), ["symbol_recall", "symbol_precision"]);
    }
}

#[test]
fn flipped_missed_and_invented_imports_are_red() {
    let (_, cells) = with(|explored| explored.imports[0].category = "local".to_owned());
    assert_eq!(red(&cells), ["import_category_accuracy"]);
    let (_, cells) = with(|explored| explored.imports.truncate(9));
    assert_eq!(red(&cells), ["import_category_accuracy"]);
    let (_, cells) = with(|explored| {
        explored
            .imports
            .push(FoundImport { path: "other".to_owned(), ..explored.imports[0].clone() });
    });
    assert_eq!(red(&cells), ["import_category_accuracy"]);
}

#[test]
fn flipped_and_unknown_visibility_is_red() {
    for said in [None, Some(true)] {
        let (_, cells) = with(|explored| {
            explored.symbols.iter_mut().step_by(5).for_each(|symbol| symbol.exported = said);
        });
        assert_eq!(red(&cells), ["visibility_accuracy"]);
    }
}

#[test]
fn full_visibility_needs_the_word_and_the_export() {
    let mut labels = gold().remove(0);
    for label in &mut labels.symbols {
        label.visibility = Some("private".to_owned());
    }
    let right = |fault: fn(&mut FoundSymbol)| {
        let mut explored = found(&labels);
        explored.symbols.iter_mut().for_each(fault);
        let score = score_file(&rules(), "rust", &labels, Some(&explored));
        (score.tally.visible, score.tally.visible_right)
    };
    assert_eq!(right(|_| ()), (20, 20));
    assert_eq!(right(|symbol| symbol.visibility = Some("public".to_owned())), (20, 0));
    assert_eq!(right(|symbol| symbol.exported = None), (20, 0));
}

#[test]
fn shifted_end_lines_are_red() {
    let faults: [fn(&mut FoundSymbol); 4] = [
        |symbol| symbol.end_line += 1,
        |symbol| symbol.end_line -= 1,
        // An explorer that knows no ends, and one that says none.
        |symbol| symbol.end_line = symbol.line,
        |symbol| symbol.end_line = 0,
    ];
    for fault in faults {
        let (_, cells) = with(|explored| explored.symbols.iter_mut().take(2).for_each(fault));
        assert_eq!(red(&cells), ["end_line_accuracy"]);
    }
}

#[test]
fn swapped_missing_and_invented_imported_names_are_red() {
    let faults: [fn(&mut [FoundImport]); 5] = [
        |imports| {
            let (one, other) = imports.split_at_mut(1);
            std::mem::swap(&mut one[0].names, &mut other[0].names);
        },
        |imports| drop(imports[0].names.pop()),
        |imports| imports[0].names.clear(),
        |imports| imports[0].names.push("invented".to_owned()),
        |imports| imports[0].names = vec!["*".to_owned()],
    ];
    for fault in faults {
        let (_, cells) = with(|explored| fault(&mut explored.imports));
        assert_eq!(red(&cells), ["imported_names_accuracy"]);
    }
}

#[test]
fn names_in_another_order_or_twice_are_the_same() {
    let (verdict, _) = with(|explored| {
        explored.imports[0].names.reverse();
        explored.imports[1].names.extend_from_within(..1);
    });
    assert_eq!(verdict, Verdict::Pass);
}

/// The tally of one file when `alter` changes gold and the exploration of it alike.
fn tally(language: &str, alter: impl Fn(&mut Labels)) -> Tally {
    let mut labels = gold().remove(0);
    alter(&mut labels);
    score_file(&rules(), language, &labels, Some(&found(&labels))).tally
}

#[test]
fn what_an_explorer_without_ends_or_names_gets_right_is_not_counted() {
    let of = |language| {
        let tally = tally(language, |labels| {
            labels.symbols.iter_mut().for_each(|symbol| symbol.end_line = symbol.line);
            labels.imports.iter_mut().for_each(|import| import.names.clear());
        });
        (tally.symbols.paired, tally.ends, tally.named)
    };
    assert_eq!(of("python"), (20, 0, 0));
}

#[test]
fn what_a_front_end_does_not_know_is_not_counted() {
    let of = |language| {
        let tally = tally(language, |_| ());
        (tally.ends, tally.named)
    };
    // Ten of the symbols are methods. Clang skips their bodies, and its imports are paths.
    assert_eq!(of("cpp"), (10, 0));
    assert_eq!(of("go"), (20, 0));
    assert_eq!(of("python"), (20, 10));
}

#[test]
fn ends_and_names_of_nothing_are_insufficient() {
    let rules = rules();
    let none = tally("python", |labels| {
        labels.symbols.iter_mut().for_each(|symbol| symbol.end_line = symbol.line);
        labels.imports.iter_mut().for_each(|import| import.names.clear());
    });
    let cells = |language: &str, partial| {
        let languages = [(language.to_owned(), none)].into();
        let evidence = B1Evidence { languages, explored: 20, ..B1Evidence::default() };
        b1(&evidence, &rules, Profile::Parity, Set::Smoke, partial)
    };
    let sums = |cells: &[Cell], metric: &str| -> Vec<Verdict> {
        let cells = cells.iter().filter(|cell| ["micro", "macro"].contains(&cell.case.as_str()));
        cells.filter(|cell| cell.metric == metric).map(|cell| cell.verdict).collect()
    };
    for metric in ["end_line_accuracy", "imported_names_accuracy"] {
        let found = cells("python", true);
        assert_eq!(sums(&found, metric), [Verdict::Insufficient; 2], "{metric}");
    }
    // A part of a run that has only a language whose front end knows no names; a whole run must know some.
    assert_eq!(sums(&cells("go", true), "imported_names_accuracy"), []);
    let whole = cells("go", false);
    assert_eq!(sums(&whole, "imported_names_accuracy"), [Verdict::Insufficient; 2]);
}

#[test]
fn a_file_that_is_not_explored_has_missed_everything() {
    let labels = gold().remove(0);
    let tally = score_file(&rules(), "python", &labels, None).tally;
    assert_eq!((tally.symbols.gold, tally.symbols.found, tally.symbols.paired), (20, 0, 0));
    assert_eq!((tally.imports, tally.imports_right), (10, 0));
}

#[test]
fn qualified_and_quoted_names_are_the_same_once_normalised() {
    let mut labels = gold().remove(0);
    labels.symbols[0].name = "mod::`name0`".to_owned();
    let explored = found(&gold()[0]);
    let score = score_file(&rules(), "noun", &labels, Some(&explored));
    // Quotes inside a name stay: they are removed only from its two ends.
    assert_eq!(score.tally.symbols.paired, 19);
    labels.symbols[0].name = "mod::name0".to_owned();
    let score = score_file(&rules(), "noun", &labels, Some(&explored));
    assert_eq!(score.tally.symbols.paired, 20);
}

#[test]
fn nothing_and_too_little_is_never_a_pass() {
    let rules = rules();
    let cells = b1(&B1Evidence::default(), &rules, Profile::Parity, Set::Smoke, true);
    assert_eq!(verdict(&cells), Verdict::Insufficient);
    let mut evidence = B1Evidence { explored: 1, ..B1Evidence::default() };
    let labels = gold().remove(0);
    let tally = score_file(&rules, "python", &labels, Some(&found(&labels))).tally;
    evidence.languages.insert("python".to_owned(), tally);
    assert_eq!(
        verdict(&b1(&evidence, &rules, Profile::Parity, Set::Smoke, true)),
        Verdict::Insufficient
    );
}

#[test]
fn a_whole_run_without_a_required_language_is_insufficient() {
    let rules = rules();
    let mut evidence = B1Evidence { explored: 20, ..B1Evidence::default() };
    for labels in gold() {
        let score = score_file(&rules, "python", &labels, Some(&found(&labels)));
        evidence.languages.entry("python".to_owned()).or_default().add(&score.tally);
    }
    assert_eq!(verdict(&b1(&evidence, &rules, Profile::Parity, Set::Smoke, true)), Verdict::Pass);
    assert_eq!(
        verdict(&b1(&evidence, &rules, Profile::Parity, Set::Smoke, false)),
        Verdict::Insufficient
    );
}

#[test]
fn a_language_that_the_protocol_does_not_know_is_reported_and_decides_nothing() {
    let rules = rules();
    let right = gold().iter().fold(Tally::default(), |mut sum, labels| {
        sum.add(&score_file(&rules, "noun", labels, Some(&found(labels))).tally);
        sum
    });
    let missed = gold().iter().fold(Tally::default(), |mut sum, labels| {
        sum.add(&score_file(&rules, "noun", labels, None).tally);
        sum
    });
    let judge = |languages: &[(&str, Tally)], reported: &[(&str, Tally)]| {
        let of = |rows: &[(&str, Tally)]| {
            rows.iter().map(|(language, tally)| ((*language).to_owned(), *tally)).collect()
        };
        let evidence = B1Evidence {
            languages: of(languages),
            reported: of(reported),
            explored: 20,
            ..B1Evidence::default()
        };
        b1(&evidence, &rules, Profile::Enhancement, Set::Smoke, true)
    };
    let alone = judge(&[("python", right)], &[]);
    let beside = judge(&[("python", right)], &[("noun", missed)]);
    let (known, noun): (Vec<_>, Vec<_>) = beside.into_iter().partition(|cell| cell.case != "noun");
    assert_eq!(known, alone, "no judged cell moves");
    let recall = noun.iter().find(|cell| cell.metric == "symbol_recall").unwrap();
    assert_eq!((recall.value, recall.threshold), (Some(0.0), None));
    assert!(noun.iter().all(|cell| cell.threshold.is_none() && !cell.warning.is_empty()));
    // The same counts under a row of the protocol are a failure.
    assert_eq!(verdict(&judge(&[("python", right), ("ruby", missed)], &[])), Verdict::Fail);
}

#[test]
fn a_model_tier_is_red_whatever_the_score() {
    let rules = rules();
    let mut evidence = B1Evidence { explored: 20, model_tiers: 1, ..B1Evidence::default() };
    for labels in gold() {
        let score = score_file(&rules, "python", &labels, Some(&found(&labels)));
        evidence.languages.entry("python".to_owned()).or_default().add(&score.tally);
    }
    assert_eq!(verdict(&b1(&evidence, &rules, Profile::Parity, Set::Smoke, true)), Verdict::Fail);
}

/// The gold of twenty files whose labels say nothing about lines 41 to 50 of 100.
fn gold_with_a_gap() -> Vec<Labels> {
    let gap = Unjudged { first: 41, last: 50, why: Why::Configured };
    let labels = |labels: Labels| Labels { unjudged: vec![gap], lines: 100, ..labels };
    gold().into_iter().map(labels).collect()
}

/// The cells when `alter` is applied to such gold, and `fault` to the right exploration of every file.
fn with_a_gap(alter: impl Fn(&mut Labels), fault: impl Fn(&mut Explored)) -> Vec<Cell> {
    let rules = rules();
    let mut evidence = B1Evidence { explored: 20, ..B1Evidence::default() };
    for mut labels in gold_with_a_gap() {
        let mut explored = found(&labels);
        alter(&mut labels);
        fault(&mut explored);
        let score = score_file(&rules, "python", &labels, Some(&explored));
        evidence.languages.entry("python".to_owned()).or_default().add(&score.tally);
    }
    b1(&evidence, &rules, Profile::Enhancement, Set::Smoke, true)
}

/// Two symbols and an import on a line.
fn invent(explored: &mut Explored, line: u32) {
    for name in ["one", "other"] {
        let symbol = FoundSymbol { name: name.to_owned(), line, ..explored.symbols[0].clone() };
        explored.symbols.push(symbol);
    }
    let import = FoundImport { path: "invented".to_owned(), line, ..explored.imports[0].clone() };
    explored.imports.push(import);
}

fn value(cells: &[Cell], case: &str, metric: &str) -> Option<f64> {
    cells.iter().find(|cell| cell.case == case && cell.metric == metric).unwrap().value
}

#[test]
fn what_stands_where_gold_says_nothing_is_neither_right_nor_invented_and_counted() {
    let cells = with_a_gap(|_| (), |explored| invent(explored, 45));
    assert_eq!(verdict(&cells), Verdict::Pass, "{cells:#?}");
    for metric in ["symbol_recall", "symbol_precision", "import_category_accuracy"] {
        assert_eq!(value(&cells, "python", metric), Some(1.0), "{metric}");
    }
    // 3 of 33 entries of each file, and 10 of its 100 lines.
    assert_eq!(value(&cells, "python", "unjudged_entries"), Some(60.0 / 660.0));
    assert_eq!(value(&cells, "python", "unjudged_lines"), Some(0.1));
}

#[test]
fn what_is_invented_beside_such_lines_is_red() {
    for line in [40, 51] {
        let cells = with_a_gap(|_| (), |explored| invent(explored, line));
        assert_eq!(red(&cells), ["symbol_precision", "import_category_accuracy"], "{line}");
    }
}

#[test]
fn a_label_on_such_lines_is_judged() {
    // A name that is written in the call of a macro which also makes others.
    let made = |labels: &mut Labels| {
        labels.unjudged = vec![Unjudged { first: 1, last: 10, why: Why::MacroMade }];
    };
    assert_eq!(verdict(&with_a_gap(made, |_| ())), Verdict::Pass);
    let cells = with_a_gap(made, |explored| explored.symbols.retain(|symbol| symbol.line > 2));
    assert_eq!(red(&cells), ["symbol_recall"]);
}

#[test]
fn gold_that_says_nothing_about_most_lines_is_insufficient() {
    let insufficient = |cells: &[Cell]| -> Vec<String> {
        let cells = cells.iter().filter(|cell| cell.verdict == Verdict::Insufficient);
        cells.map(|cell| cell.metric.clone()).collect()
    };
    let gap = |first, last| {
        move |labels: &mut Labels| {
            labels.unjudged = vec![Unjudged { first, last, why: Why::Configured }];
        }
    };
    let cells = with_a_gap(gap(2, 99), |_| ());
    assert_eq!(insufficient(&cells), ["unjudged_lines", "hollow_files"]);
    assert_eq!(verdict(&cells), Verdict::Insufficient);
    // Less than half of each file, but too much of the language.
    assert_eq!(insufficient(&with_a_gap(gap(41, 80), |_| ())), ["unjudged_lines"]);
    // The same lines of a file that does not say how long it is.
    let hiding = |labels: &mut Labels| labels.lines = 0;
    let cells = with_a_gap(hiding, |_| ());
    assert_eq!(insufficient(&cells), ["unjudged_lines", "hollow_files"]);
    // Too many entries of ours where nobody looks.
    let cells = with_a_gap(|_| (), |explored| (41..44).for_each(|line| invent(explored, line)));
    assert_eq!(insufficient(&cells), ["unjudged_entries"]);
}
