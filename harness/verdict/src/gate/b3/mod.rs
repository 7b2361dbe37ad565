//! B3, runtime paths: every path of large content into the store and out of it is taken, in success and in
//! each failure, on a real database file, and other processes read back what was stored.

mod ingestion;
mod inventory;
mod matrix;
mod retrieval;
mod script;

use std::collections::BTreeMap;

use record::{Cell, Profile, Scenario};

use super::{Bound, Gate, GateId, Judge, Need, Place};
use crate::{
    Missing, RunView,
    protocol::{Protocol, ProtocolError},
};
use script::{Finding, Script};

pub use matrix::StoreMatrix;

pub(super) const NAME: &str = "B3";
const GATE: GateId = GateId::B3;

/// The gate.
#[derive(Debug)]
pub struct B3;

impl Gate for B3 {
    fn title(&self) -> &'static str {
        "runtime paths of large content"
    }

    fn profiles(&self) -> &'static [Profile] {
        &Profile::ALL
    }

    fn needs(&self, _: Profile) -> &'static [Need] {
        &[Need::Scenarios]
    }

    fn judge(&self, protocol: &Protocol) -> Result<Box<dyn Judge>, ProtocolError> {
        Ok(Box::new(StoreMatrix::open(protocol)?))
    }
}

/// All scenarios of a profile.
pub fn scenarios(matrix: &StoreMatrix, profile: Profile) -> Vec<Scenario> {
    let scripts = scripts(matrix, profile).into_iter().map(|script| script.scenario);
    scripts.chain([inventory::scenario()]).collect()
}

fn scripts(matrix: &StoreMatrix, profile: Profile) -> Vec<Script> {
    let mut scripts = ingestion::scripts(matrix, profile);
    scripts.extend(retrieval::scripts(matrix, profile));
    scripts
}

impl Judge for StoreMatrix {
    fn run(&self, run: &RunView) -> Vec<Cell> {
        let plan = &run.evidence.plan;
        let Some(corpus) = plan.corpora.iter().find(|corpus| corpus.name == self.corpus) else {
            return Vec::new();
        };
        let total = Place { corpus: "", case: "", budget: None };
        if corpus.scenarios != scenarios(self, plan.profile) {
            let why = "the plan has other scenarios than the protocol";
            return vec![total.not_run(GATE, "scenarios", why)];
        }
        let scripts = scripts(self, plan.profile);
        let (mut found, mut cells) = (Found::new(), Vec::new());
        for script in &scripts {
            match run.evidence.scenario(&corpus.name, &script.scenario.id) {
                Ok(captures) => {
                    for finding in script.findings(&captures) {
                        note(&mut found, finding);
                    }
                }
                Err(Missing(why)) => {
                    let place = Place { case: &script.scenario.id, ..total };
                    cells.push(place.not_run(GATE, "recorded", &why));
                }
            }
        }
        cells.extend(judged(found));
        let captures = run.evidence.scenario(&corpus.name, &inventory::scenario().id);
        cells.extend(inventory::cells(self, &captures.unwrap_or_default(), &cells));
        cells
    }
}

/// The findings by case and metric: the number of checks, and what is wrong.
type Found<'a> = BTreeMap<(&'a str, &'a str), (usize, Vec<String>)>;

fn note<'a>(found: &mut Found<'a>, (case, metric, held): Finding<'a>) {
    let (n, wrong) = found.entry((case, metric)).or_default();
    *n += 1;
    wrong.extend(held.err());
}

/// One cell for each case and metric: the share of the checks that hold. The note has the first that do not.
fn judged(found: Found) -> Vec<Cell> {
    let cell = |((case, metric), (n, wrong)): ((&str, &str), (usize, Vec<String>))| {
        let place = Place { corpus: "", case, budget: None };
        let share = (n - wrong.len()) as f64 / n as f64;
        let mut cell = place.judged(GATE, metric, Some(share), (Bound::AtLeast, 1.0), n);
        cell.note = wrong.into_iter().next().unwrap_or_default();
        cell
    };
    found.into_iter().map(cell).collect()
}

#[cfg(test)]
mod tests;
