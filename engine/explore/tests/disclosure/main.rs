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
const IMPOSSIBLE: &[(&str, &str)] =
    &[("css", "Mixins/Functions"), ("typescript", "React Components")];

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

/// How many entries stand in front of the marker that ends a line: on the line itself or, if there
/// are none, on the lines above it that are not less indented. Entries without a number, of which
/// all are the same, stand on one line each.
fn shown(summary: &str, marker: &str) -> Option<usize> {
    let lines: Vec<&str> = summary.lines().collect();
    let indent = |line: &str| line.len() - line.trim_start().len();
    let at = lines.iter().position(|line| line.ends_with(marker))?;
    let own = entries(lines[at]);
    if !own.is_empty() {
        return Some(own.len());
    }
    let block: Vec<&str> = lines[..at]
        .iter()
        .rev()
        .copied()
        .take_while(|line| !line.is_empty() && indent(line) >= indent(lines[at]))
        .collect();
    let numbered: BTreeSet<usize> = block.iter().flat_map(|line| entries(line)).collect();
    Some(if numbered.is_empty() { block.len() } else { numbered.len() })
}

/// What is wrong with the summary of a file in which a list has so many entries.
fn fault(case: &Case, count: usize, found: &Exploration) -> Option<String> {
    let (_, section, cap, marker, _) = case;
    let cuts: Vec<_> = found.truncated.iter().filter(|cut| cut.section == *section).collect();
    let all = entries(&found.summary).len();
    let hidden = count.saturating_sub(*cap);
    let text = marker.replace("{}", &hidden.to_string());
    let why = match cuts.as_slice() {
        [] if hidden > 0 => "not cut".to_owned(),
        [] if all > 0 && all != count => format!("shows {all}"),
        [] => return None,
        _ if hidden == 0 => "cut although it fits".to_owned(),
        [cut] if (cut.shown, cut.total) != (*cap, count) => format!("{cut:?}"),
        [cut] if behind(found, &cut.list) != count => {
            format!("{} behind {}", behind(found, &cut.list), cut.list)
        }
        [_] => match shown(&found.summary, &text) {
            Some(shown) if shown == *cap => return None,
            Some(shown) => format!("{shown} in front of the marker"),
            None => format!("no marker {text}"),
        },
        _ => "cut twice".to_owned(),
    };
    Some(format!("{} {section} {count}: {why}\n{}", found.file, found.summary))
}

/// Every fault of cases at their caps, one beyond them, and at ten times.
fn faults(cases: impl Iterator<Item = &'static Case>, profile: Profile) -> Vec<String> {
    let (_folder, project) = project();
    let mut faults = Vec::new();
    for case in cases {
        let (files, _, cap, _, text) = case;
        for file in files.split(' ') {
            for count in [*cap, cap + 1, cap * 10] {
                let found = look(file, &text(count), &project, profile);
                faults.extend(fault(case, count, &found));
            }
        }
    }
    faults
}

#[test]
fn every_list_says_at_its_cap_and_beyond_what_it_leaves_out() {
    let faults = faults(cases(), Profile::Parity);
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n\n"));
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
    for (files, _, _, _, text) in cases() {
        let file = files.split(' ').next().unwrap();
        let found = look(file, &text(250), &project, Profile::Enhancement);
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
    let lists: Vec<(String, usize)> = outline::capped().collect();
    let of_fixtures: Vec<(String, usize)> =
        house::CASES.iter().map(|case| (case.1.to_owned(), case.2)).collect();
    assert_eq!(lists, of_fixtures, "a list of the house format has no fixture");
    for profile in [Profile::Parity, Profile::Enhancement] {
        let faults = faults(house::CASES.iter(), profile);
        assert!(faults.is_empty(), "{}", faults.join("\n\n"));
    }
}

#[test]
fn a_summary_without_its_marker_is_at_fault() {
    let case = &script::CASES[3];
    let (files, _, cap, _, text) = case;
    let found = look(files, &text(cap + 3), &Project::default(), Profile::Parity);
    assert_eq!(fault(case, cap + 3, &found), None);
    for (from, to) in [("... and 3 more", ""), ("3 more", "4 more"), ("Zq0", "")] {
        let mut forged = found.clone();
        forged.summary = found.summary.replace(from, to);
        assert_ne!(forged.summary, found.summary);
        assert!(fault(case, cap + 3, &forged).is_some(), "{from} as {to:?} is not seen");
    }
}

#[test]
fn totals_are_those_of_the_list_whatever_its_owner_is_called() {
    let (_folder, project) = project();
    let members = |count| each(count, |i| format!("zq{i} = 1\n"));
    let fields = each(40, |i| format!("int zq{i}; "));
    for (name, text) in [
        ("a.toml", format!("[target.'cfg(any(unix, windows))'.a]\n{}", members(40))),
        ("a.toml", format!("['a&kind=b'.'100%']\n{}", members(40))),
        (
            "a.ts",
            format!(
                "enum Zq {{ {}}}\nnamespace Zq {{ export function f() {{}} }}\n",
                each(40, |i| format!("zq{i}, "))
            ),
        ),
        (
            "a.ts",
            format!(
                "declare module 'a,b&c' {{\n{}}}\n",
                each(40, |i| format!("function zq{i}(): void;\n"))
            ),
        ),
        (
            "a.c",
            format!(
                "enum zq {{ {}}};\nstruct zq {{ {fields}}};\n",
                each(40, |i| format!("zq{i}, "))
            ),
        ),
        ("a.cpp", format!("template <> struct A<int, B&> {{ {fields}}};\n")),
    ] {
        for profile in [Profile::Parity, Profile::Enhancement] {
            let found = look(name, &text, &project, profile);
            for cut in &found.truncated {
                assert_eq!(cut.total, behind(&found, &cut.list), "{name}: {cut:?}");
            }
            let is_cut = profile != Profile::Parity || !found.truncated.is_empty();
            assert!(is_cut, "{name}: {}", found.summary);
        }
    }
}
