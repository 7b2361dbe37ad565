//! The table from outside: what callers see.

use frames::{History, Measurements, Point, Row};

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
        canonical: None,
        canonical_min: None,
        verdict,
    }
}

#[test]
fn an_empty_table_has_no_summary_and_only_a_header() {
    let table = Measurements::from_rows(&[]).expect("an empty table");
    assert!(table.is_empty());
    assert_eq!(table.summary().expect("no groups"), []);
    let header = "gate,corpus,case,budget,metric,value,threshold,margin,n,noise_floor,\
                  noise_floor_min,canonical,canonical_min,verdict\n";
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
        "A1,\"'=HYPERLINK(\"\"x\"\")\",\"two\nlines, and a comma\",1024,jaccard,0.1,0.85,-0.75,30,,,,,fail\n"
    );
}

#[test]
fn a_table_comes_back_from_parquet_and_other_bytes_do_not() {
    let mut odd = row("A1", "jaccard", None, "not_run");
    (odd.corpus, odd.budget, odd.canonical) = ("naïve ✓", None, Some(0.1 + 0.2));
    let rows =
        [row("A1", "jaccard", Some(0.1), "fail"), odd, row("A3", "error", Some(-0.0), "pass")];
    let table = Measurements::from_rows(&rows).unwrap();
    let bytes = table.to_parquet(&[("commit", "1a".to_owned())]).unwrap();
    assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"));
    assert_eq!(Measurements::from_parquet(&bytes).unwrap().rows().unwrap(), rows);
    // The same table gives the same bytes, and an empty table can be kept, too.
    assert_eq!(table.to_parquet(&[("commit", "1a".to_owned())]).unwrap(), bytes);
    let empty = Measurements::from_rows(&[]).unwrap().to_parquet(&[]).unwrap();
    assert!(Measurements::from_parquet(&empty).unwrap().is_empty());
    assert!(Measurements::from_parquet(&bytes[..bytes.len() / 2]).is_err());
    assert!(Measurements::from_parquet(b"gate,corpus\n").is_err());
    assert!(Measurements::from_parquet(&History::new().unwrap().to_parquet().unwrap()).is_err());
}

#[test]
fn a_join_tells_what_is_gone_what_was_added_and_what_both_have() {
    let table = |rows: &[Row<'_>]| Measurements::from_rows(rows).unwrap();
    let (kept, gone) =
        (row("A1", "jaccard", Some(0.9), "pass"), row("A1", "spearman", None, "pass"));
    let (worse, added) = (row("A1", "jaccard", Some(0.8), "fail"), row("A2", "text", None, "pass"));
    let (before, after) = (table(&[gone, kept]), table(&[worse, added]));
    let joined = before.join(&after).unwrap();
    assert_eq!(
        (joined.first, joined.second, joined.both),
        (vec![gone], vec![added], vec![[kept, worse]])
    );
    // A budget belongs to the place.
    let other = table(&[Row { budget: Some(2048), ..kept }]);
    let apart = before.join(&other).unwrap();
    assert_eq!((apart.first.len(), apart.second.len(), apart.both.len()), (2, 1, 0));
}

#[test]
fn a_history_keeps_what_each_record_measured_and_replaces_none() {
    let point = |name, value| Point { kind: "seconds", name, value };
    let mut history = History::new().unwrap();
    history
        .append("a", "2026-11-22", "1a", &[point("maps", Some(2.0)), point("gone", Some(1.0))])
        .unwrap();
    history
        .append("b", "2026-11-23", "2b", &[point("new", None), point("maps", Some(f64::NAN))])
        .unwrap();
    assert!(history.append("a", "2026-11-24", "3c", &[point("maps", None)]).is_err());
    let history = History::from_parquet(&history.to_parquet().unwrap()).unwrap();
    assert_eq!(history.records().unwrap(), ["a", "b"]);
    let series = history.series().unwrap();
    let found: Vec<_> = series.iter().map(|one| (&*one.name, &*one.values)).collect();
    assert_eq!(
        found,
        [("maps", &[Some(2.0), None][..]), ("gone", &[Some(1.0), None]), ("new", &[None, None])]
    );
}
