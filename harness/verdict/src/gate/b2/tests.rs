//! B2 on summaries of ours, and its negative controls.

use std::path::Path;

use record::Labels;
use serde_json::{Value, json};

use super::*;
use crate::{
    explorations::{Explored, FormatRules},
    gate::verdict,
};

fn rules() -> Scoring {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(record::protocol::SCORING);
    toml::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// An output with 200 symbols of which its summary shows 150.
fn document() -> Value {
    let symbols: Vec<Value> = (0..200)
        .map(|number| json!({"name": format!("n{number}"), "kind": "function", "line": number + 1}))
        .collect();
    let shown: Vec<String> = (0..150).map(|number| format!("  n{number}\n")).collect();
    json!({
        "file": "a.py",
        "explorer_used": "python",
        "success": true,
        "summary": format!("Symbols (200):\n{}  ... and 50 more", shown.concat()),
        "symbols": symbols,
        "imports": [],
        "truncated": [{"section": "Symbols", "shown": 150, "total": 200, "list": "/symbols"}],
    })
}

/// The verdict over forty such outputs after a fault.
fn with(profile: Profile, fault: impl Fn(&mut Value)) -> (Verdict, B2Evidence) {
    let mut evidence = B2Evidence::default();
    for _ in 0..40 {
        let mut document = document();
        fault(&mut document);
        let line = serde_json::to_vec(&document).unwrap();
        let explored = serde_json::from_slice(&line).unwrap();
        evidence.add(&line, &explored, profile);
        evidence.add_gold(&explored, Counts { paired: 200, gold: 200, found: 200 });
    }
    (verdict(&b2(&evidence, &rules(), profile)), evidence)
}

fn replace(document: &mut Value, from: &str, to: &str) {
    let summary = document["summary"].as_str().unwrap().replace(from, to);
    document["summary"] = summary.into();
}

#[test]
fn what_is_marked_truly_passes() {
    for profile in Profile::ALL {
        let (verdict, evidence) = with(profile, |_| ());
        assert_eq!(verdict, Verdict::Pass, "{:?}", evidence.faults);
    }
}

#[test]
fn a_removed_marker_is_red() {
    for profile in Profile::ALL {
        let (verdict, _) = with(profile, |document| replace(document, "\n  ... and 50 more", ""));
        assert_eq!(verdict, Verdict::Fail);
    }
}

#[test]
fn a_wrong_number_a_wrong_total_and_a_missing_list_are_red() {
    let faults: [fn(&mut Value); 4] = [
        |document| replace(document, "50 more", "49 more"),
        |document| document["truncated"][0]["total"] = 201.into(),
        |document| document["truncated"][0]["list"] = "/fields/none".into(),
        |document| {
            document["symbols"].as_array_mut().unwrap().pop();
        },
    ];
    for fault in faults {
        assert_eq!(with(Profile::Parity, fault).0, Verdict::Fail);
    }
}

#[test]
fn a_text_that_shows_less_than_it_says_is_red() {
    for profile in Profile::ALL {
        let less = |document: &mut Value| replace(document, "  n7\n", "");
        assert_eq!(with(profile, less).0, Verdict::Fail);
        let more = |document: &mut Value| replace(document, "  n7\n", "  n7\n  n7\n");
        assert_eq!(with(profile, more).0, Verdict::Fail);
    }
}

#[test]
fn a_list_that_the_fields_cut_has_its_own_length_and_a_greater_total() {
    let cut = |document: &mut Value, listed: u64, total: u64| {
        document["fields"] = json!({"entries": vec![0; 1000]});
        let row = json!({
            "section": "", "shown": 0, "total": total, "list": "/fields/entries", "listed": listed,
        });
        document["truncated"].as_array_mut().unwrap().push(row);
    };
    assert_eq!(with(Profile::Parity, |document| cut(document, 1000, 1500)).0, Verdict::Pass);
    for (listed, total) in [(1000, 1000), (1000, 900), (1500, 2000)] {
        assert_eq!(with(Profile::Parity, |one| cut(one, listed, total)).0, Verdict::Fail);
    }
}

#[test]
fn a_list_that_a_section_cuts_cannot_be_one_of_the_fields_alone() {
    let cut = |document: &mut Value, section: &str, list: &str, length: u64| {
        document["fields"] = json!({"entries": vec![0; 1000]});
        let row = |section: &str, shown: u64| {
            json!({
                "section": section, "shown": shown, "total": length + 50, "list": list,
                "listed": length,
            })
        };
        let rows = document["truncated"].as_array_mut().unwrap();
        rows.push(row("", 0));
        if !section.is_empty() {
            rows.push(row(section, length));
        }
        if section == "Entries" {
            let summary = document["summary"].as_str().unwrap().to_owned();
            let shown = "\n  0".repeat(1000);
            document["summary"] = format!("{summary}\n\nEntries:{shown}\n  ... and 50 more").into();
        }
    };
    for (section, list, length, expected) in [
        ("", "/fields/entries", 1000, Verdict::Pass),
        ("Entries", "/fields/entries", 1000, Verdict::Fail),
        // Only the fields have less than there is.
        ("", "/symbols", 200, Verdict::Fail),
    ] {
        let (found, evidence) =
            with(Profile::Parity, |document| cut(document, section, list, length));
        assert_eq!(found, expected, "{section} {list}: {:?}", evidence.faults);
    }
}

#[test]
fn a_total_that_gold_does_not_count_is_red() {
    let scoring = rules();
    let rules: FormatRules = toml::from_str(
        "schema = \"a\"\nrequired = []\n[[entities]]\nkind = \"row\"\nlist = \"/rows\"\nidentity = [\".\"]\n",
    )
    .unwrap();
    let labels = Labels { entities: vec![vec!["row".into()]; 1500], ..Labels::default() };
    let explored: Explored = serde_json::from_value(json!({
        "file": "a", "explorer_used": "csv", "success": true, "summary": "a", "symbols": [],
        "imports": [],
        "truncated": [{"section": "", "shown": 0, "total": 1500, "list": "/fields/rows", "listed": 9}],
    }))
    .unwrap();
    for (total, expected) in [(1500, Verdict::Pass), (990, Verdict::Fail), (2000, Verdict::Fail)] {
        let mut evidence = with(Profile::Parity, |_| ()).1;
        evidence.behind = Counts::default();
        let mut wrong = explored.clone();
        wrong.truncated[0].total = total;
        evidence.add_format_gold(&rules, &labels, &wrong);
        assert_eq!(verdict(&b2(&evidence, &scoring, Profile::Parity)), expected, "{total}");
    }
}

#[test]
fn a_cut_that_is_not_declared_is_red() {
    let (verdict, _) = with(Profile::Enhancement, |document| document["truncated"] = json!([]));
    assert_eq!(verdict, Verdict::Fail);
}

#[test]
fn the_comparators_marks_pass_only_in_parity() {
    for mark in ["... and 50 more functions", "(+50 more)", "n, ..."] {
        let change = |document: &mut Value| replace(document, "... and 50 more", mark);
        assert_eq!(with(Profile::Parity, change).0, Verdict::Pass, "{mark}");
        assert_eq!(with(Profile::Enhancement, change).0, Verdict::Fail, "{mark}");
    }
}

#[test]
fn a_list_that_gold_does_not_confirm_is_red() {
    let mut evidence = with(Profile::Parity, |_| ()).1;
    evidence.behind = Counts { paired: 180, gold: 200, found: 180 };
    assert_eq!(verdict(&b2(&evidence, &rules(), Profile::Parity)), Verdict::Fail);
    evidence.behind = Counts { paired: 180, gold: 180, found: 200 };
    assert_eq!(verdict(&b2(&evidence, &rules(), Profile::Parity)), Verdict::Fail);
}

#[test]
fn an_empty_summary_and_a_model_tier_are_red() {
    assert_eq!(with(Profile::Parity, |document| document["summary"] = "".into()).0, Verdict::Fail);
    let tier = |document: &mut Value| document["explorer_used"] = "python+llm".into();
    assert_eq!(with(Profile::Parity, tier).0, Verdict::Fail);
}

#[test]
fn nothing_capped_is_not_a_pass() {
    let (verdict, _) = with(Profile::Parity, |document| document["truncated"] = json!([]));
    assert_eq!(verdict, Verdict::Insufficient);
    assert_ne!(
        super::super::verdict(&b2(&B2Evidence::default(), &rules(), Profile::Parity)),
        Verdict::Pass
    );
}
