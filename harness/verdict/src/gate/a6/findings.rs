//! What A6 demands of one recording.

use record::{Cell, Profile, ProfileObject, Verdict};
use serde_json::{Value, json};

use super::{A6Limits, A6Rules, GATE};
use crate::{
    gate::{Bound, LanguageTable, Place},
    sides::{Artifact, Held},
};

/// The cells of one recording.
pub fn a6(place: &Place, ours: &Artifact, theirs: &Held, rules: &A6Rules) -> Vec<Cell> {
    let A6Rules { limits, table } = rules;
    let document = &ours.document;
    let cell = |metric: &str, findings: &[(bool, String)]| {
        let holding = findings.iter().filter(|(holds, _)| *holds).count();
        let share = (!findings.is_empty()).then(|| holding as f64 / findings.len() as f64);
        let least = (Bound::AtLeast, limits.min_share);
        let mut cell = place.judged(GATE, metric, share, least, findings.len());
        if let Some((_, why)) = findings.iter().find(|(holds, _)| !holds) {
            cell.note.clone_from(why);
        }
        cell
    };
    vec![
        cell("profile_object", &profile(&document["profile"])),
        cell("comparator_tuple", &tuple(&document["profile"]["comparator_tuple"], theirs)),
        cell("entry_points", &entry_points(ours, theirs)),
        cell("multiplier", &multiplier(document, theirs, limits)),
        cell("command_line", &command_line(ours, limits)),
        cell("file_source", &[listed(document, "file_universe_source", &limits.file_sources)]),
        cell("parity_languages", &languages(document, table)),
    ]
}

/// What is wrong with a recording, by the first cell that would not pass: for the many recordings
/// that are not judged cell by cell.
pub fn a6_finding(ours: &Artifact, theirs: &Held, rules: &A6Rules) -> Option<String> {
    let place = Place { corpus: "", case: "", budget: None };
    let cells = a6(&place, ours, theirs, rules);
    let wrong = cells.into_iter().find(|cell| cell.verdict != Verdict::Pass);
    wrong.map(|cell| format!("{}: {}", cell.metric, cell.note))
}

/// The share of recordings in which nothing is wrong; `findings` has an entry for each.
pub fn a6_clean(place: &Place, metric: &str, findings: &[Option<String>], rules: &A6Rules) -> Cell {
    let clean = findings.iter().filter(|finding| finding.is_none()).count();
    let share = (!findings.is_empty()).then(|| clean as f64 / findings.len() as f64);
    let least = (Bound::AtLeast, rules.limits.min_share);
    let mut cell = place.judged(GATE, metric, share, least, findings.len());
    if let Some(why) = findings.iter().flatten().next() {
        cell.note.clone_from(why);
    }
    cell
}

/// One thing that must hold, and what to say if it does not.
type Finding = (bool, String);

fn profile(profile: &Value) -> Vec<Finding> {
    let mut expected = json!(ProfileObject::new(Profile::Parity, None));
    // Whether the tuple is the right one is checked separately.
    expected.as_object_mut().map(|fields| fields.remove("comparator_tuple"));
    let expected = expected.as_object().cloned().unwrap_or_default().into_iter();
    expected
        .map(|(field, expected)| {
            let found = &profile[&field];
            let holds = *found == expected;
            (holds, format!("{field} is {found}, in the parity profile {expected}"))
        })
        .collect()
}

/// Each member that the comparator measured must be in our tuple with the same value. Of a package, this
/// holds for the measured fields; only the lock knows the digest of its artifact.
fn tuple(ours: &Value, theirs: &Held) -> Vec<Finding> {
    theirs
        .tuple
        .iter()
        .map(|(member, theirs)| {
            let found = &ours[member.as_str()];
            let same = match theirs {
                Value::Object(parts) => {
                    !parts.is_empty() && parts.iter().all(|(name, part)| found[name] == *part)
                }
                Value::String(text) => !text.is_empty() && found == theirs,
                _ => false,
            };
            (same, format!("{member} is {found}, the comparator measured {theirs}"))
        })
        .collect()
}

fn entry_points(recorded: &Artifact, theirs: &Held) -> Vec<Finding> {
    let ours = &recorded.document["entrypoint"];
    let pinned = &recorded.document["profile"]["comparator_tuple"]["entry_point"];
    let command = recorded.argv.get(1).map_or("", String::as_str);
    vec![
        (*ours == json!(format!("parity_{command}")), format!("our entry point is {ours}")),
        (*pinned == json!("aider_main_cli"), format!("the comparator's entry point is {pinned}")),
        (
            theirs.argv.as_ref().is_some_and(|argv| argv.iter().any(|part| part == "--model")),
            "the comparator's command line was not recorded".to_owned(),
        ),
    ]
}

fn multiplier(document: &Value, theirs: &Held, limits: &A6Limits) -> Vec<Finding> {
    let effective = document["map_mul_no_files_effective"].as_f64();
    vec![
        (
            effective.is_some() && effective == theirs.multiplier,
            format!("it is {effective:?}, for the comparator {:?}", theirs.multiplier),
        ),
        listed(document, "map_mul_no_files_source", &limits.multiplier_sources),
    ]
}

fn listed(document: &Value, field: &str, allowed: &[String]) -> Finding {
    let found = &document[field];
    let holds = found.as_str().is_some_and(|found| allowed.iter().any(|name| name == found));
    (holds, format!("{field} is {found}, not one of {}", allowed.join(", ")))
}

/// Only flags that the comparator has, too, and no variable that only we understand.
fn command_line(ours: &Artifact, limits: &A6Limits) -> Vec<Finding> {
    let mut findings = vec![(
        ours.argv.get(1).is_some_and(|command| command == "map" || command == "session"),
        "it is not a map that was recorded".to_owned(),
    )];
    let mut arguments = ours.argv.iter().skip(2);
    while let Some(argument) = arguments.next() {
        let known = |flags: &[String]| flags.iter().any(|flag| flag == argument);
        let holds = if known(&limits.valued_flags) {
            let value = arguments.next();
            value.is_some_and(|value| argument != "--profile" || value == Profile::Parity.as_str())
        } else {
            known(&limits.switches) || !argument.starts_with('-')
        };
        findings.push((holds, format!("{argument} is not for a parity run")));
    }
    findings.extend(ours.env.keys().map(|name| {
        let own = name.starts_with("PARITY_");
        (!own, format!("the variable {name} may switch something of the enhancement profile on"))
    }));
    findings
}

/// The languages that gave tags are the comparator's, according to the map and, where tags were recorded,
/// according to the names of their files.
fn languages(document: &Value, table: &LanguageTable) -> Vec<Finding> {
    let Some(languages) = document["languages"].as_object() else {
        return vec![(false, "the languages were not recorded".to_owned())];
    };
    // A map without tags is in no language that the comparator does not have.
    let none = languages.is_empty().then(|| (true, String::new()));
    let said = languages.keys().map(|key| (table.is_parity(key), format!("{key} gave tags")));
    let tagged = document["tags"].as_object().into_iter().flatten();
    let tagged = tagged.filter(|(_, tags)| tags.as_array().is_some_and(|tags| !tags.is_empty()));
    let by_name = tagged.map(|(file, _)| {
        let parity = table.language_of(file).is_some_and(|key| table.is_parity(key));
        (parity, format!("{file} gave tags"))
    });
    none.into_iter().chain(said).chain(by_name).collect()
}
