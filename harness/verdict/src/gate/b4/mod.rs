//! B4: data formats compared with independent parsers: required fields, entities and counts.

pub mod entities;
mod families;
mod formats;

use std::collections::BTreeMap;

use record::{Cell, GateId, Labels, Profile, Set, Verdict};
use serde_json::Value;

use super::{Bound, Gate, Judge, Need, Place, b1::no_models, explored::Explored};
use crate::{
    RunView,
    metrics::{
        f1::{Counts, share},
        mape::Mape,
    },
    protocol::{Protocol, ProtocolError},
};
use entities::{Entity, counts, entities, has};
use formats::B4Thresholds;

pub use families::{FAMILIES, Families, Family, families};
pub use formats::{FORMATS, FormatRules, Formats};

const GATE: GateId = GateId::B4;

/// The gate.
#[derive(Debug)]
pub struct B4;

impl Gate for B4 {
    fn title(&self) -> &'static str {
        "data formats"
    }

    fn profiles(&self) -> &'static [Profile] {
        &Profile::ALL
    }

    /// The corpora of formats are in the full set only.
    fn sets(&self) -> &'static [Set] {
        &[Set::Full]
    }

    fn needs(&self, _: Profile) -> &'static [Need] {
        &[Need::FormatGold]
    }

    fn judge(&self, protocol: &Protocol) -> Result<Box<dyn Judge>, ProtocolError> {
        let (formats, matrix) = (protocol.toml(FORMATS)?, protocol.json(FAMILIES)?);
        Ok(Box::new(Rules { formats, matrix }))
    }
}

struct Rules {
    formats: Formats,
    matrix: Families,
}

impl Judge for Rules {
    fn run(&self, run: &RunView) -> Vec<Cell> {
        let Some(found) = run.explorations else { return Vec::new() };
        let plan = &run.evidence.plan;
        let mut cells = b4(&found.b4, &self.formats, plan.profile, plan.narrowed);
        // The matrix is of what the whole run says.
        let all = [run.cells, &cells].concat();
        cells.extend(families(&self.matrix, &all, &plan.gates, plan.narrowed));
        cells
    }
}

/// The counts of one format.
#[derive(Debug, Clone, Default)]
pub struct FormatTally {
    /// Files with gold.
    pub files: u64,
    /// Of these, with every required field.
    pub covered: u64,
    /// Entities by kind.
    pub entities: BTreeMap<String, Counts>,
    /// Error of counts.
    pub mape: Mape,
    /// Files with at least one wrong entity or count, and what is wrong, for people.
    pub faults: Vec<(u64, String)>,
}

/// What B4 judges.
#[derive(Debug, Clone, Default)]
pub struct B4Evidence {
    /// Counts by format.
    pub formats: BTreeMap<String, FormatTally>,
    /// Explorations in whose making a model had a part.
    pub model_tiers: u64,
    /// All explorations.
    pub explored: u64,
}

impl B4Evidence {
    /// Adds one file: its gold, and what we said of it, if anything.
    pub fn add(
        &mut self,
        protocol: &Formats,
        format: &str,
        profile: Profile,
        gold: &Labels,
        explored: Option<&Explored>,
        name: &str,
    ) {
        let Some(rules) = protocol.formats.get(format) else { return };
        let tally = self.formats.entry(format.to_owned()).or_default();
        tally.files += 1;
        let empty = serde_json::Map::new();
        let fields = explored.map_or(&empty, |explored| &explored.fields);
        tally.covered += u64::from(explored.is_some() && covered(rules, fields, profile));
        let ours = by_kind(entities(rules, fields, &protocol.salt));
        let theirs = by_kind(gold.entities.clone());
        let mut wrong = 0;
        let mut what = Vec::new();
        for rule in &rules.entities {
            let nothing = BTreeMap::new();
            let (mine, truth) = (
                ours.get(&rule.kind).unwrap_or(&nothing),
                theirs.get(&rule.kind).unwrap_or(&nothing),
            );
            let counts = pair(mine, truth);
            let (missed, invented) = (counts.gold - counts.paired, counts.found - counts.paired);
            if missed + invented > 0 {
                wrong += missed + invented;
                what.push(format!("{}: {missed} missed, {invented} invented", rule.kind));
            }
            tally.entities.entry(rule.kind.clone()).or_default().add(counts);
        }
        let found = counts(rules, fields);
        for (count, truth) in &gold.counts {
            let Some(ours) = found.get(count) else { continue };
            tally.mape.add(*truth as f64, *ours);
            if *ours != Some(*truth as f64) {
                wrong += 1;
                let shown = ours.map_or("nothing".to_owned(), |ours| ours.to_string());
                what.push(format!("{count}: {shown} for {truth}"));
            }
        }
        if wrong > 0 {
            tally.faults.push((wrong, format!("{name}: {}", what.join("; "))));
        }
    }
}

/// Whether all required fields are there. A field may be null only where it says so by being so:
/// a document without a title has the field all the same.
fn covered(rules: &FormatRules, fields: &serde_json::Map<String, Value>, profile: Profile) -> bool {
    let root = Value::Object(fields.clone());
    let exceed = rules.required_exceed.iter().filter(|_| !profile.is_parity());
    rules.required.iter().chain(exceed).all(|pointer| has(&root, pointer))
}

/// How often each entity occurs, by kind. Numbers are compared by value.
fn by_kind(entities: Vec<Entity>) -> BTreeMap<String, BTreeMap<String, u64>> {
    let mut kinds: BTreeMap<String, BTreeMap<String, u64>> = BTreeMap::new();
    for entity in entities {
        let kind = entity.first().and_then(Value::as_str).unwrap_or_default().to_owned();
        let key = Value::from(entity).to_string();
        *kinds.entry(kind).or_default().entry(key).or_default() += 1;
    }
    kinds
}

fn pair(mine: &BTreeMap<String, u64>, truth: &BTreeMap<String, u64>) -> Counts {
    let both = |(key, count): (&String, &u64)| truth.get(key).map_or(0, |other| *count.min(other));
    Counts {
        paired: mine.iter().map(both).sum(),
        gold: truth.values().sum(),
        found: mine.values().sum(),
    }
}

/// The cells of a run. A whole run must have enough files of every format of the protocol.
pub fn b4(evidence: &B4Evidence, protocol: &Formats, profile: Profile, partial: bool) -> Vec<Cell> {
    let total = Place { corpus: "", case: "", budget: None };
    let Some(bounds) = protocol.thresholds.get(&profile) else {
        return vec![total.not_run(GATE, "thresholds", "the protocol has none for this profile")];
    };
    let mut cells = vec![no_models(GATE, evidence.model_tiers, evidence.explored)];
    for (format, rules) in &protocol.formats {
        let place = Place { case: format, ..total };
        match evidence.formats.get(format) {
            Some(tally) => cells.extend(judged(place, tally, rules, bounds, protocol.min_files)),
            None if partial => {}
            None => {
                cells.push(place.not_run(GATE, "files", "no file of this format has gold"));
            }
        }
    }
    cells
}

fn judged(
    place: Place,
    tally: &FormatTally,
    rules: &FormatRules,
    bounds: &B4Thresholds,
    min_files: u64,
) -> Vec<Cell> {
    let mut sum = Counts::default();
    let mut means = Vec::new();
    for counts in tally.entities.values() {
        sum.add(*counts);
        // A kind that no file has says nothing.
        means.extend(counts.f1());
    }
    let mean = (!means.is_empty()).then(|| means.iter().sum::<f64>() / means.len() as f64);
    let n = sum.gold.max(sum.found) as usize;
    let least = rules.min_files.unwrap_or(min_files);
    let enough = (Bound::AtLeast, least as f64);
    let mut files =
        place.judged(GATE, "files", Some(tally.files as f64), enough, tally.files as usize);
    if tally.files < least {
        files.verdict = Verdict::Insufficient;
    }
    let covered = share(tally.covered, tally.files);
    let mut cells = vec![
        files,
        place.judged(
            GATE,
            "required_fields",
            covered,
            (Bound::AtLeast, bounds.coverage),
            tally.files as usize,
        ),
        place.judged(GATE, "entity_micro_f1", sum.f1(), (Bound::AtLeast, bounds.micro_f1), n),
        place.judged(GATE, "entity_macro_f1", mean, (Bound::AtLeast, bounds.macro_f1), means.len()),
    ];
    if !rules.counts.is_empty() {
        let mape = (Bound::AtMost, bounds.mape);
        cells.push(place.judged(
            GATE,
            "count_mape",
            tally.mape.value(),
            mape,
            tally.mape.n as usize,
        ));
    }
    cells
}

#[cfg(test)]
mod tests;
