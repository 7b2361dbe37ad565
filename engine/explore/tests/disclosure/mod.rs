//! Progressive disclosure of code: every list that a summary cuts, at its cap, one beyond it and
//! at ten times the cap. What is shown and what the marker counts are the list behind it.
//!
//! Caps and markers stand in `lists.toml` a second time, as the comparator was seen to have them; a
//! list of a layout without a row there fails.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::LazyLock,
};

use base::profile::Profile;
use explore::{
    Exploration, Input, Options, Project,
    code::{comparator_lists, house_lists},
    disclosure::Marker,
    explore,
};
use serde::Deserialize;

static LISTS: LazyLock<Lists> =
    LazyLock::new(|| toml::from_str(include_str!("lists.toml")).unwrap());

/// The rows of `lists.toml`, which says what they are, under the files that may have them.
#[derive(Deserialize)]
struct Lists {
    layouts: BTreeMap<String, Vec<Row>>,
    house: BTreeMap<String, Vec<Row>>,
}

/// Name, cap, marker and text of a list.
type Row = (String, usize, String, String);

/// A list in one file that may have it.
#[derive(Clone, Copy)]
struct Case {
    file: &'static str,
    section: &'static str,
    cap: usize,
    marker: &'static str,
    text: &'static str,
}

impl Case {
    /// A text in which the list has so many entries.
    fn text(&self, count: usize) -> String {
        let (before, rest) = self.text.split_once('«').unwrap();
        let (entry, after) = rest.split_once('»').unwrap();
        let (entry, between) = entry.split_once('|').unwrap_or((entry, ""));
        let entries: Vec<String> =
            (0..count).map(|number| entry.replace("{i}", &number.to_string())).collect();
        format!("{before}{}{after}", entries.join(between))
    }
}

/// Languages that share the layout of another and cannot have one of its lists.
const IMPOSSIBLE: &[(&str, &str)] =
    &[("css", "Mixins/Functions"), ("typescript", "React Components")];

/// Entries by their number, one behind the other.
fn each(count: usize, entry: impl Fn(usize) -> String) -> String {
    (0..count).map(entry).collect()
}

/// Each row in each of its files.
fn cases(rows: &'static BTreeMap<String, Vec<Row>>) -> impl Iterator<Item = Case> {
    rows.iter().flat_map(|(files, rows)| {
        files.split(' ').flat_map(move |file| {
            rows.iter().map(move |(section, cap, marker, text)| Case {
                file,
                section,
                cap: *cap,
                marker,
                text,
            })
        })
    })
}

/// A project in which a Swift module named `Own` is local.
fn project() -> (tempfile::TempDir, Project) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(folder.path().join("Sources/Own")).unwrap();
    let project = Project::at(folder.path());
    (folder, project)
}

fn look(name: &str, text: &str, project: &Project, profile: Profile) -> Exploration {
    // The texts are shorter than their summaries.
    let options = Options { short: false, ..Options::from(profile) };
    explore(&Input::memory(name, text.as_bytes()), project, options)
}

/// How many entries the list behind a cut has.
fn behind(found: &Exploration, list: &str) -> usize {
    found.select(list).map_or(0, |list| list.len())
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
    let Case { section, cap, marker, .. } = *case;
    let cuts: Vec<_> = found.truncated.iter().filter(|cut| cut.section == section).collect();
    let all = entries(&found.summary).len();
    let hidden = count.saturating_sub(cap);
    let text = marker.replace("{}", &hidden.to_string());
    let why = match cuts.as_slice() {
        [] if hidden > 0 => "not cut".to_owned(),
        [] if all > 0 && all != count => format!("shows {all}"),
        [] => return None,
        _ if hidden == 0 => "cut although it fits".to_owned(),
        [cut] if (cut.shown, cut.total) != (cap, count) => format!("{cut:?}"),
        [cut] if behind(found, &cut.list) != count => {
            format!("{} behind {}", behind(found, &cut.list), cut.list)
        }
        [_] => match shown(&found.summary, &text) {
            Some(shown) if shown == cap => return None,
            Some(shown) => format!("{shown} in front of the marker"),
            None => format!("no marker {text}"),
        },
        _ => "cut twice".to_owned(),
    };
    Some(format!("{} {section} {count}: {why}\n{}", found.file, found.summary))
}

/// Every fault of cases at their caps, one beyond them, and at ten times.
fn faults(cases: impl Iterator<Item = Case>, profile: Profile) -> Vec<String> {
    let (_folder, project) = project();
    let mut faults = Vec::new();
    for case in cases {
        for count in [case.cap, case.cap + 1, case.cap * 10] {
            let found = look(case.file, &case.text(count), &project, profile);
            faults.extend(fault(&case, count, &found));
        }
    }
    faults
}

#[test]
fn every_list_says_at_its_cap_and_beyond_what_it_leaves_out() {
    let faults = faults(cases(&LISTS.layouts), Profile::Parity);
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n\n"));
}

#[test]
fn every_list_of_every_layout_has_a_fixture() {
    let (_folder, project) = project();
    let mut missing = Vec::new();
    let mut known = BTreeSet::new();
    let fixtures: Vec<(String, Case)> = cases(&LISTS.layouts)
        .map(|case| {
            let found = look(case.file, &case.text(1), &project, Profile::Parity);
            (found.language.unwrap(), case)
        })
        .collect();
    for (language, lists) in comparator_lists() {
        for (section, cap, marker) in lists {
            let fits = |(of, case): &&(String, Case)| of == language && case.section == section;
            match fixtures.iter().find(fits) {
                Some((_, case)) => {
                    assert_eq!(case.cap, cap, "{language}: {section}");
                    assert_eq!(kind(case.marker), marker, "{language}: {section}");
                }
                None if IMPOSSIBLE.contains(&(language, section.as_str())) => {}
                None => missing.push(format!("{language}: {section} ({cap})")),
            }
            known.insert((language.to_owned(), section));
        }
    }
    assert!(missing.is_empty(), "lists without a fixture: {missing:#?}");
    for (language, case) in fixtures {
        let list = (language, case.section.to_owned());
        assert!(known.contains(&list), "no such list: {list:?}");
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
    let (mut cuts, mut lists) = (0, 0);
    for case in cases(&LISTS.layouts) {
        lists += 1;
        let file = case.file;
        let found = look(file, &case.text(250), &project, Profile::Enhancement);
        for cut in &found.truncated {
            let (section, total) = (&cut.section, cut.total);
            assert_eq!(behind(&found, &cut.list), total, "{file} {section}");
            let marker = format!("... and {} more", total - cut.shown);
            assert!(found.summary.lines().any(|line| line.ends_with(&marker)), "{file} {section}");
            cuts += 1;
        }
    }
    assert!(cuts > lists / 2, "hardly anything was cut: {cuts}");
}

#[test]
fn the_house_format_says_in_both_profiles_what_it_leaves_out() {
    let lists: BTreeSet<(String, usize)> = house_lists().collect();
    let of_fixtures: BTreeSet<(String, usize)> =
        cases(&LISTS.house).map(|case| (case.section.to_owned(), case.cap)).collect();
    assert_eq!(lists, of_fixtures, "a list of the house format has no fixture");
    for profile in [Profile::Parity, Profile::Enhancement] {
        let faults = faults(cases(&LISTS.house), profile);
        assert!(faults.is_empty(), "{}", faults.join("\n\n"));
    }
}

#[test]
fn a_summary_without_its_marker_is_at_fault() {
    let python = |case: &Case| (case.file, case.section) == ("a.py", "Classes");
    let case = &cases(&LISTS.layouts).find(python).unwrap();
    let count = case.cap + 3;
    let found = look(case.file, &case.text(count), &Project::default(), Profile::Parity);
    assert_eq!(fault(case, count, &found), None);
    for (from, to) in [("... and 3 more", ""), ("3 more", "4 more"), ("Zq0", "")] {
        let mut forged = found.clone();
        forged.summary = found.summary.replace(from, to);
        assert_ne!(forged.summary, found.summary);
        assert!(fault(case, count, &forged).is_some(), "{from} as {to:?} is not seen");
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
