//! Progressive disclosure of code: every list that a summary cuts, at its cap, one beyond it and
//! at ten times the cap. What is shown and what the marker counts are the list behind it.
//!
//! Caps and markers stand in the fixtures a second time, as the comparator was seen to have them;
//! a list of a layout without a fixture fails.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod brace;
mod house;
mod native;
mod script;
mod web;

use std::collections::BTreeSet;

use engine::profile::Profile;
use explore::{
    Exploration, Input, Project,
    code::{outline, volt},
    disclosure::Marker,
    explore, selector,
};

/// A list: the files that may have it, its name in `truncated`, its cap, the text of its marker with
/// `{}` for the number left out, and what makes a text with `n` entries, named `zq0`, `zq1` …
type Case = (&'static str, &'static str, usize, &'static str, fn(usize) -> String);

/// Languages that share the layout of another and cannot have one of its lists.
const IMPOSSIBLE: &[(&str, &str)] = &[("css", "Mixins/Functions")];

/// Entries by their number, one behind the other.
fn each(count: usize, entry: impl Fn(usize) -> String) -> String {
    (0..count).map(entry).collect()
}

fn cases() -> impl Iterator<Item = &'static Case> {
    [brace::CASES, native::CASES, script::CASES, web::CASES].into_iter().flatten()
}

/// A project in which a Swift module named `Own` is local.
fn project() -> (tempfile::TempDir, Project) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(folder.path().join("Sources/Own")).unwrap();
    let project = Project::at(folder.path());
    (folder, project)
}

fn look(name: &str, text: &str, project: &Project, profile: Profile) -> Exploration {
    explore(&Input::memory(name, text.as_bytes()), project, profile)
}

/// How many entries the list behind a cut has.
fn behind(found: &Exploration, list: &str) -> usize {
    let json = serde_json::to_value(found).unwrap();
    selector::select(&json, list).map_or(0, |list| list.len())
}

/// The numbers of the entries that a text names.
fn entries(text: &str) -> BTreeSet<usize> {
    let lower = text.to_lowercase();
    let number = |at: usize| {
        let digits = lower.get(at + 2..)?;
        let end = digits.find(|sign: char| !sign.is_ascii_digit()).unwrap_or(digits.len());
        digits.get(..end)?.parse().ok()
    };
    lower.match_indices("zq").filter_map(|(at, _)| number(at)).collect()
}

/// The entries in front of the marker that ends a line: on the line itself or, if there are none,
/// on the lines above it that are not less indented.
fn shown(summary: &str, marker: &str) -> Option<BTreeSet<usize>> {
    let lines: Vec<&str> = summary.lines().collect();
    let indent = |line: &str| line.len() - line.trim_start().len();
    let at = lines.iter().position(|line| line.ends_with(marker))?;
    let own = entries(lines[at]);
    if !own.is_empty() {
        return Some(own);
    }
    let block = lines[..at]
        .iter()
        .rev()
        .take_while(|line| !line.is_empty() && indent(line) >= indent(lines[at]));
    Some(block.flat_map(|line| entries(line)).collect())
}

fn check(case: &Case, count: usize, found: &Exploration) {
    let (file, section, cap, marker, _) = case;
    let at = format!("{file} {section} {count}\n{}\n{:?}", found.summary, found.truncated);
    let cuts: Vec<_> = found.truncated.iter().filter(|cut| cut.section == *section).collect();
    if count <= *cap {
        assert!(cuts.is_empty(), "cut although it fits: {at}");
        assert_eq!(entries(&found.summary).len(), count, "not all are shown: {at}");
        return;
    }
    let [cut] = cuts.as_slice() else { panic!("not cut once: {at}") };
    assert_eq!((cut.shown, cut.total), (*cap, count), "{at}");
    assert_eq!(behind(found, &cut.list), count, "{at}");
    let text = marker.replace("{}", &(count - cap).to_string());
    let shown = shown(&found.summary, &text).unwrap_or_else(|| panic!("no {text}: {at}"));
    assert_eq!(shown.len(), *cap, "{at}");
}

#[test]
fn every_list_says_at_its_cap_and_beyond_what_it_leaves_out() {
    let (_folder, project) = project();
    for case in cases() {
        let (files, _, cap, _, text) = case;
        for (file, count) in
            files.split(' ').flat_map(|file| [*cap, cap + 1, cap * 10].map(|count| (file, count)))
        {
            check(case, count, &look(file, &text(count), &project, Profile::Parity));
        }
    }
}

#[test]
fn every_list_of_every_layout_has_a_fixture() {
    let (_folder, project) = project();
    let mut missing = Vec::new();
    let mut known = BTreeSet::new();
    let fixtures: Vec<(String, &Case)> = cases()
        .flat_map(|case| case.0.split(' ').map(move |file| (file, case)))
        .map(|(file, case)| {
            let found = look(file, &(case.4)(1), &project, Profile::Parity);
            (found.language.unwrap(), case)
        })
        .collect();
    for (language, lists) in volt::capped() {
        for (section, cap, marker) in lists {
            let fits = |(of, case): &&(String, &Case)| of == language && case.1 == section;
            match fixtures.iter().find(fits) {
                Some((_, case)) => {
                    assert_eq!(case.2, cap, "{language}: {section}");
                    assert_eq!(kind(case.3), marker, "{language}: {section}");
                }
                None if IMPOSSIBLE.contains(&(language, section.as_str())) => {}
                None => missing.push(format!("{language}: {section} ({cap})")),
            }
            known.insert((language.to_owned(), section));
        }
    }
    assert!(missing.is_empty(), "lists without a fixture: {missing:#?}");
    for (language, case) in fixtures {
        assert!(known.contains(&(language, case.1.to_owned())), "no such list: {:?}", case.1);
    }
}

/// The class of a marker by its text.
fn kind(marker: &'static str) -> Marker {
    let marker = marker.trim_end_matches([')', ']', '}', ' ']);
    match marker.strip_prefix("... and {} more") {
        Some("") => Marker::Counted,
        Some(noun) => Marker::CountedNoun(noun.trim()),
        None if marker.starts_with("(+") => Marker::Plus,
        None => Marker::Comma,
    }
}

#[test]
fn the_enhancement_profile_has_one_marker() {
    let (_folder, project) = project();
    let mut cuts = 0;
    for (files, _, cap, _, text) in cases() {
        let file = files.split(' ').next().unwrap();
        let found = look(file, &text(cap * 70), &project, Profile::Enhancement);
        for cut in &found.truncated {
            let (section, total) = (&cut.section, cut.total);
            assert_eq!(behind(&found, &cut.list), total, "{file} {section}");
            let marker = format!("... and {} more", total - cut.shown);
            assert!(found.summary.lines().any(|line| line.ends_with(&marker)), "{file} {section}");
            cuts += 1;
        }
    }
    assert!(cuts > cases().count() / 2, "hardly anything was cut: {cuts}");
}

#[test]
fn the_house_format_says_in_both_profiles_what_it_leaves_out() {
    let project = Project::default();
    let lists: Vec<(String, usize)> = outline::capped().collect();
    let of_fixtures: Vec<(String, usize)> =
        house::CASES.iter().map(|case| (case.1.to_owned(), case.2)).collect();
    assert_eq!(lists, of_fixtures, "a list of the house format has no fixture");
    for case in house::CASES {
        for count in [case.2, case.2 + 1, case.2 * 10] {
            for profile in [Profile::Parity, Profile::Enhancement] {
                check(case, count, &look(case.0, &(case.4)(count), &project, profile));
            }
        }
    }
}
