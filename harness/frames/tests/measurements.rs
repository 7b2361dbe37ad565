//! The table from outside: what callers see.

use frames::{Measurements, Row};

fn row<'a>(gate: &'a str, metric: &'a str, value: Option<f64>, verdict: &'a str) -> Row<'a> {
    Row {
        gate,
        corpus: "flask",
        case: "none",
        budget: Some(1024),
        metric,
        value,
        threshold: Some(0.85),
        margin: value.map(|value| value - 0.85),
        n: 30,
        noise_floor: None,
        noise_floor_min: None,
        verdict,
    }
}

#[test]
fn an_empty_table_has_no_summary_and_only_a_header() {
    let table = Measurements::from_rows(&[]).expect("an empty table");
    assert!(table.is_empty());
    assert_eq!(table.summary().expect("no groups"), []);
    let header = "gate,corpus,case,budget,metric,value,threshold,margin,n,noise_floor,\
                  noise_floor_min,verdict\n";
    assert_eq!(table.to_csv(&[]).expect("a header"), header);
}

#[test]
fn groups_keep_the_order_in_which_they_first_appear() {
    let rows = [
        row("A3", "estimate", Some(1.0), "pass"),
        row("A1", "jaccard", Some(0.75), "fail"),
        row("A1", "jaccard", Some(1.0), "pass"),
        row("A3", "estimate", Some(1.0), "pass"),
    ];
    let summary = Measurements::from_rows(&rows).and_then(|table| table.summary()).expect("two");
    let names: Vec<_> = summary.iter().map(|group| (&*group.gate, group.cells)).collect();
    assert_eq!(names, [("A3", 2), ("A1", 2)]);

    let jaccard = &summary[1];
    assert_eq!((jaccard.min, jaccard.mean, jaccard.max), (Some(0.75), Some(0.875), Some(1.0)));
    assert_eq!(jaccard.worst_margin, Some(0.75 - 0.85));
    assert_eq!((jaccard.worst_value, jaccard.worst_threshold), (Some(0.75), Some(0.85)));
    assert_eq!(jaccard.samples, 60);
    assert_eq!(jaccard.verdicts.get("fail"), Some(&1));
}

#[test]
fn a_value_that_is_not_a_number_is_missing_and_still_counted() {
    let rows = [
        row("A1", "spearman", Some(f64::NAN), "insufficient"),
        row("A1", "spearman", None, "insufficient"),
        row("A1", "spearman", Some(0.5), "fail"),
        row("A1", "spearman", Some(f64::INFINITY), "insufficient"),
    ];
    let summary = Measurements::from_rows(&rows).and_then(|table| table.summary()).expect("one");
    assert_eq!((summary[0].cells, summary[0].measured), (4, 1));
    assert_eq!((summary[0].min, summary[0].max), (Some(0.5), Some(0.5)));
}

#[test]
fn the_noise_floor_of_a_group_is_its_lowest() {
    let noisy = |mean, min| Row {
        noise_floor: Some(mean),
        noise_floor_min: Some(min),
        ..row("A1", "jaccard", Some(1.0), "pass")
    };
    let rows = [noisy(0.9, 0.7), row("A1", "jaccard", Some(1.0), "pass"), noisy(0.8, 0.75)];
    let summary = Measurements::from_rows(&rows).and_then(|table| table.summary()).expect("one");
    assert_eq!((summary[0].noise_floor, summary[0].noise_floor_min), (Some(0.8), Some(0.7)));
}

#[test]
fn nothing_measured_has_no_statistics() {
    let rows = [row("A1", "jaccard", None, "not_run")];
    let summary = Measurements::from_rows(&rows).and_then(|table| table.summary()).expect("one");
    assert_eq!((summary[0].min, summary[0].mean, summary[0].worst_margin), (None, None, None));
}

#[test]
fn hostile_names_stay_one_field_and_never_become_a_formula() {
    let mut hostile = row("A1", "jaccard", Some(0.1), "fail");
    hostile.corpus = "=HYPERLINK(\"x\")";
    hostile.case = "two\nlines, and a comma";
    let text =
        Measurements::from_rows(&[hostile]).and_then(|table| table.to_csv(&[])).expect("text");
    let body = text.split_once('\n').expect("a header").1;
    assert_eq!(
        body,
        "A1,\"'=HYPERLINK(\"\"x\"\")\",\"two\nlines, and a comma\",1024,jaccard,0.1,0.85,-0.75,30,,,fail\n"
    );
}
