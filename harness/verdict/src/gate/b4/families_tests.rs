//! The committed matrix, and what makes it fail.

use std::{collections::BTreeSet, path::Path};

use record::protocol::{FAMILIES, FORMATS};

use super::*;
use crate::{
    explorations::Formats,
    gate::{GateId, LanguageTable, verdict},
};

fn root() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn text(file: &str) -> String {
    std::fs::read_to_string(root().join(file)).unwrap()
}

fn matrix() -> Families {
    serde_json::from_str(&text(FAMILIES)).unwrap()
}

fn gates() -> [GateName; 3] {
    [GateId::B1, GateId::B2, GateId::B4].map(GateId::name)
}

/// A passing cell for every piece of evidence of the matrix.
fn passing(matrix: &Families) -> Vec<Cell> {
    let rows = matrix.families.iter().flat_map(|row| &row.required_evidence);
    rows.map(|one| {
        let place = Place { corpus: "", case: &one.case, budget: None };
        place.judged(one.gate.try_into().unwrap(), "x", Some(1.0), (Bound::AtLeast, 0.9), 40)
    })
    .collect()
}

#[test]
fn the_matrix_is_sound_frozen_and_has_every_explorer() {
    let matrix = matrix();
    matrix.check().unwrap();
    let formats: Formats = toml::from_str(&text(FORMATS)).unwrap();
    let found = record::digest::sha256(text(FAMILIES));
    assert_eq!(formats.families_sha256, found, "raise the version of formats.toml with the matrix");
    let formats: toml::Table = text("engine/explore/src/formats/formats.toml").parse().unwrap();
    let rows = formats.values().filter_map(toml::Value::as_array).flatten();
    let judged = rows.filter(|row| row.get("judged") != Some(&false.into()));
    let mut known: BTreeSet<String> =
        judged.filter_map(|row| Some(row.get("id")?.as_str()?.to_owned())).collect();
    // A language with an explorer is a folder of `queries/` whose table says so.
    for file in LanguageTable::files(&root()).unwrap() {
        let row: toml::Table = text(&file).parse().unwrap();
        let explorer = row.get("explorer").filter(|row| row.get("judged") != Some(&false.into()));
        let key = file.split('/').nth(1).filter(|_| explorer.is_some());
        known.extend(key.map(str::to_owned));
    }
    let placed: BTreeSet<String> =
        matrix.families.iter().flat_map(|row| row.explorers.clone()).collect();
    assert_eq!(placed, known);
}

#[test]
fn passing_evidence_passes() {
    let matrix = matrix();
    let cells = families(&matrix, &passing(&matrix), &gates(), false);
    assert_eq!(verdict(&cells), Verdict::Pass);
    assert!(cells.iter().any(|cell| cell.metric == "family_score" && cell.value == Some(1.0)));
}

#[test]
fn each_required_family_fails_without_its_evidence_or_with_failing_evidence() {
    let matrix = matrix();
    for row in matrix.families.iter().filter(|row| row.parity_required) {
        for evidence in &row.required_evidence {
            let is = |cell: &Cell| cell.gate == evidence.gate && cell.case == evidence.case;
            let mut without = passing(&matrix);
            without.retain(|cell| !is(cell));
            let cells = families(&matrix, &without, &gates(), false);
            assert_eq!(verdict(&cells), Verdict::NotRun, "{} without {evidence:?}", row.family);
            let mut failing = passing(&matrix);
            for cell in failing.iter_mut().filter(|cell| is(cell)) {
                cell.verdict = Verdict::Fail;
            }
            let cells = families(&matrix, &failing, &gates(), false);
            assert_eq!(verdict(&cells), Verdict::Fail, "{} with {evidence:?}", row.family);
        }
    }
}

#[test]
fn a_matrix_that_claims_without_evidence_or_excuse_is_refused() {
    let damaged = |damage: fn(&mut Family)| {
        let mut matrix = matrix();
        damage(matrix.families.first_mut().unwrap());
        matrix.check()
    };
    assert!(damaged(|row| row.required_evidence.clear()).is_err());
    assert!(damaged(|row| row.allowed_exclusion = true).is_err());
    assert!(damaged(|row| row.parity_required = false).is_err());
    assert!(damaged(|row| row.threshold = 1.5).is_err());
    assert!(damaged(|row| row.explorers.push("json".to_owned())).is_err());
}
