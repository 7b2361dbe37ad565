//! The inventory: the paths that are registered, those that are really taken and those of the protocol must
//! be the same, and every path must have been judged.

use std::collections::BTreeSet;

use record::{Capture, Cell, Profile, Scenario, StoreProcess};
use serde_json::Value;

use super::{
    GATE,
    matrix::{Entry, StoreMatrix},
};
use crate::place::{Bound, Place};

/// The scenario in which our program lists its paths and takes each of them.
const ID: &str = "inventory";
/// Metrics by which a path has failed as it should; each path must have been judged by one of them.
const FAILURES: [&str; 1] = ["store_failure"];
/// The same for its success.
const SUCCESSES: [&str; 2] = ["success", "self_sub_agent"];

pub(super) fn scenario() -> Scenario {
    let args = ["paths", "--json"].map(str::to_owned).to_vec();
    let process = StoreProcess { args, ..StoreProcess::default() };
    Scenario { id: ID.to_owned(), processes: vec![process] }
}

/// The cells of the inventory. `others` are those of the scenarios.
pub(super) fn cells(matrix: &StoreMatrix, captures: &[Capture], others: &[Cell]) -> Vec<Cell> {
    let place = |case| Place { corpus: "", case, budget: None };
    let total = place(ID);
    let printed: Option<Value> =
        captures.first().and_then(|capture| serde_json::from_slice(&capture.stdout.bytes).ok());
    let listed: Option<Vec<Entry>> = printed.and_then(|mut printed| {
        serde_json::from_value(printed.get_mut("paths").map(Value::take)?).ok()
    });
    let Some(listed) = listed else {
        return vec![total.not_run(GATE, "paths_listed", "our program listed no paths")];
    };
    let whole = captures.first().is_some_and(Capture::succeeded);
    let mut cells = vec![cell(&total, "paths_whole", [("the list", whole)])];
    let both: BTreeSet<Profile> = Profile::ALL.into();
    for entry in &matrix.paths {
        let found = listed.iter().find(|found| found.id == entry.id);
        let same =
            |found: &&Entry| Entry { traced: entry.traced.clone(), ..(*found).clone() } == *entry;
        let place = place(&entry.id);
        // Checked for each path: otherwise an inventory could put one out of scope, and nothing would test
        // it.
        cells.push(cell(&place, "registered", [("the row", found.as_ref().is_some_and(same))]));
        if !entry.in_scope {
            continue;
        }
        let traced = found.is_some_and(|found| found.traced == both);
        let judged = |metrics: &[&str]| {
            others.iter().any(|cell| {
                cell.case == entry.id && metrics.contains(&cell.metric.as_str()) && cell.n > 0
            })
        };
        cells.push(cell(&place, "traced", [("both profiles", traced)]));
        cells.push(cell(
            &place,
            "success_and_failure_judged",
            [("success", judged(&SUCCESSES)), ("failure", judged(&FAILURES))],
        ));
    }
    // A second row for a path might differ from the one that is judged.
    let known = |found: &Entry| {
        let named = |entries: &[Entry]| entries.iter().filter(|one| one.id == found.id).count();
        named(&matrix.paths) == 1 && named(&listed) == 1
    };
    cells.push(cell(
        &total,
        "no_other_path",
        listed.iter().map(|found| (found.id.as_str(), known(found))),
    ));
    // Neither our program nor the inventory may be laxer than the contracts and the reference.
    let both_say = |id: &str, says: &dyn Fn(&Entry) -> bool| {
        [&listed, &matrix.paths]
            .into_iter()
            .all(|entries| entries.iter().find(|entry| entry.id == id).is_some_and(says))
    };
    let by_contract = matrix.ingestion.iter().map(|row| {
        let says = |entry: &Entry| entry.persists_exploration_parity == row.persists_exploration;
        (row.path.as_str(), both_say(&row.path, &says))
    });
    cells.push(cell(&total, "persistence_by_contract", by_contract));
    let enhanced = matrix.paths.iter().map(|entry| {
        (entry.id.as_str(), both_say(&entry.id, &|entry| entry.persists_exploration_enhanced))
    });
    cells.push(cell(&total, "enhancement_persists_all", enhanced));
    cells
}

/// A cell of several conditions that must all hold; the note names those that do not.
fn cell<'a>(place: &Place, metric: &str, holds: impl IntoIterator<Item = (&'a str, bool)>) -> Cell {
    let holds: Vec<(&str, bool)> = holds.into_iter().collect();
    let wrong: Vec<&str> = holds.iter().filter(|(_, held)| !held).map(|(what, _)| *what).collect();
    let share =
        (!holds.is_empty()).then(|| (holds.len() - wrong.len()) as f64 / holds.len() as f64);
    let mut cell = place.judged(GATE, metric, share, (Bound::AtLeast, 1.0), holds.len());
    cell.note = wrong.join(", ");
    cell
}
