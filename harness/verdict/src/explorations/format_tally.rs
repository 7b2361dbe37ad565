//! Scores explorations of data files, gathered for B4 one file at a time.

use std::collections::BTreeMap;

use record::{Labels, Profile};
use serde_json::Value;

use super::{
    Explored,
    entities::{Entity, counts, entities, has},
    formats::{FormatRules, Formats},
};
use crate::metrics::{f1::Counts, mape::Mape};

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
    /// Files with at least one wrong entity or count: how much is wrong, and what, for people.
    pub faults: Vec<(u64, String)>,
}

/// What B4 judges.
#[derive(Debug, Clone, Default)]
pub struct B4Evidence {
    /// Counts by format.
    pub formats: BTreeMap<String, FormatTally>,
    /// Explorations that a model had a part in.
    pub model_tiers: u64,
    /// All explorations.
    pub explored: u64,
}

impl B4Evidence {
    /// Adds one file: its gold, and our exploration, if there is one.
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
        let fields = explored.map(|explored| explored.fields.clone()).unwrap_or_default();
        let fields = Value::Object(fields);
        tally.covered += u64::from(explored.is_some() && covered(rules, &fields, profile));
        let ours = by_kind(entities(rules, &fields, &protocol.salt));
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
        let found = counts(rules, &fields);
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

/// Whether all required fields exist. A field may be null: a document without a title has the field all the
/// same.
fn covered(rules: &FormatRules, fields: &Value, profile: Profile) -> bool {
    let exceed = rules.required_exceed.iter().filter(|_| !profile.is_parity());
    rules.required.iter().chain(exceed).all(|pointer| has(fields, pointer))
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
