//! N1: `parity nav` names the definitions and references that compilers and language servers name.
//!
//! Which names are asked about, and what they mean, is in [`record::protocol::NAVIGATION`]; independent front ends of
//! each language said so. Corpora of the test split are judged; those that the program was developed on are reported.

mod gold;
mod measure;

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use record::{Cell, PlannedCorpus, Profile, Set, navigation_key};
use serde::Deserialize;

use super::{Bound, Gate, GateId, Judge, Need, Place};
use crate::{
    Evidence, Missing, RunView,
    metrics::resample::Resampling,
    plot::PlotSpec,
    protocol::{Protocol, ProtocolError, Table},
};

pub use gold::{NavGold, NavigationGold};
pub use measure::{Answer, Sample, values};

pub(super) const NAME: &str = "N1";
const GATE: GateId = GateId::N1;

/// The split that the program is never tuned on.
const TEST: &str = "test";
/// The case of the means over languages.
const MACRO: &str = "macro";

/// Thresholds of N1. Each holds in every language, but those of references, which hold in the mean of the languages.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct N1Thresholds {
    /// Least share of locals whose definition is among the answers, and is the first answer.
    pub min_local: f64,
    /// Least share of functions and classes whose definition is among the answers.
    pub min_function_class_among: f64,
    /// Least share of functions and classes whose definition is the first answer.
    pub min_function_class_first: f64,
    /// Least lead of that share over *same file, then first*.
    pub min_lead_over_baseline: f64,
    /// Least share of members whose definition is among the answers.
    pub min_member_among: f64,
    /// Least precision of entries that were not found by name alone.
    pub min_resolved_precision: f64,
    /// Greatest share of names from outside that get an answer.
    pub max_external_invented: f64,
    /// Least recall of references: the mean of the languages.
    pub min_references_recall: f64,
    /// Least precision of references: the mean of the languages.
    pub min_references_precision: f64,
    /// Fewest samples of a metric in a language.
    pub min_samples: u64,
    /// Fewest languages.
    pub min_languages: u64,
    /// Share of the resampled means that an interval covers.
    pub confidence: f64,
    /// How often samples are drawn again.
    pub resamples: usize,
    /// Seed of these draws.
    pub seed: u64,
}

impl Table for N1Thresholds {
    const NAME: &'static str = "n1";
}

/// The gate.
#[derive(Debug)]
pub struct N1;

impl Gate for N1 {
    fn title(&self) -> &'static str {
        "navigation"
    }

    fn profiles(&self) -> &'static [Profile] {
        &[Profile::Enhancement]
    }

    fn sets(&self) -> &'static [Set] {
        &[Set::Full]
    }

    fn needs(&self, _: Profile) -> &'static [Need] {
        &[Need::Navigation]
    }

    fn plots(&self) -> Vec<PlotSpec> {
        vec![
            PlotSpec::strip("Functions and classes, first answer", "function_class_first"),
            PlotSpec::strip("Members, among the answers", "member_among"),
            PlotSpec::strip("Names from outside that get an answer", "external_invented"),
        ]
    }

    fn judge(&self, protocol: &Protocol) -> Result<Box<dyn Judge>, ProtocolError> {
        let gold = NavigationGold::open(protocol)?;
        Ok(Box::new(Rules { thresholds: protocol.table()?, gold }))
    }
}

/// Thresholds and gold.
struct Rules {
    thresholds: N1Thresholds,
    gold: NavigationGold,
}

impl Judge for Rules {
    fn run(&self, run: &RunView) -> Vec<Cell> {
        let plan = &run.evidence.plan;
        let found: Vec<(&PlannedCorpus, Result<Vec<Sample>, Missing>)> = plan
            .corpora
            .par_iter()
            .filter(|corpus| !corpus.navigation.is_empty())
            .map(|corpus| (corpus, answered(run.evidence, corpus, &self.gold)))
            .collect();
        let (mut cells, mut all) = (Vec::new(), Vec::new());
        for (corpus, values) in found {
            match values {
                Ok(values) => all.extend(values),
                Err(Missing(why)) => {
                    let place = Place { corpus: &corpus.name, case: "", budget: None };
                    cells.push(place.not_run(GATE, "evidence", &why));
                }
            }
        }
        let languages = self.gold.languages(TEST);
        cells.extend(n1(&all, &languages, &self.thresholds, plan.narrowed));
        cells
    }
}

/// The values of the answers about a corpus. It must have been asked about what the gold has, and nothing else.
fn answered(
    evidence: &Evidence,
    corpus: &PlannedCorpus,
    gold: &NavigationGold,
) -> Result<Vec<Sample>, Missing> {
    let name = &corpus.name;
    let gold = gold.of(name).ok_or_else(|| Missing(format!("{name} has no gold")))?;
    if gold.places() != corpus.navigation {
        return Err(Missing(format!("{name} was asked about other places than the gold has")));
    }
    let answers: Vec<Answer> = evidence.printed(&navigation_key(name))?;
    let (found, asked) = (answers.len(), corpus.navigation.len());
    if found != asked {
        return Err(Missing(format!("{name} has {found} answers to {asked} questions")));
    }
    Ok(values(gold, &answers))
}

/// The cells of a run. In a narrowed one, languages may be missing and samples few.
pub fn n1(
    values: &[Sample],
    languages: &BTreeSet<&str>,
    thresholds: &N1Thresholds,
    narrowed: bool,
) -> Vec<Cell> {
    let mut groups: BTreeMap<(&str, &str, &str), Vec<f64>> = BTreeMap::new();
    for one in values {
        let key = (one.split.as_str(), one.language.as_str(), one.metric.as_str());
        groups.entry(key).or_default().push(one.value);
    }
    let mut cells = Vec::new();
    let splits: BTreeSet<&str> = values.iter().map(|one| one.split.as_str()).collect();
    for split in splits.into_iter().filter(|split| *split != TEST) {
        cells.extend(reported(&groups, split, thresholds));
    }
    cells.extend(reported(&groups, TEST, thresholds));
    let tested = |language: &&&str| groups.keys().any(|key| key.0 == TEST && key.1 == **language);
    let judged: Vec<&str> =
        languages.iter().filter(|one| !narrowed || tested(one)).copied().collect();
    let place = Place { corpus: "", case: TEST, budget: None };
    let count = judged.iter().filter(|one| tested(one)).count() as u64;
    let floor = (!narrowed).then_some(thresholds.min_languages);
    cells.push(place.at_least(GATE, "languages", count, floor));
    let least = if narrowed { 1 } else { thresholds.min_samples };
    for language in &judged {
        cells.extend(of_language(&groups, language, thresholds, least));
    }
    cells.extend(of_references(&groups, &judged, thresholds));
    cells
}

type Groups<'a> = BTreeMap<(&'a str, &'a str, &'a str), Vec<f64>>;

/// The metrics that are judged in each language.
const JUDGED: [&str; 7] = [
    "local_among",
    "local_first",
    "function_class_among",
    "function_class_first",
    "member_among",
    "resolved_precision",
    "external_invented",
];

/// Every mean of a split with its interval, but the means that are judged.
fn reported(groups: &Groups<'_>, split: &str, thresholds: &N1Thresholds) -> Vec<Cell> {
    let N1Thresholds { resamples, seed, confidence, .. } = *thresholds;
    let resampling = Resampling::new(resamples, seed, confidence);
    let mut cells = Vec::new();
    for ((_, language, metric), values) in groups.iter().filter(|(key, _)| key.0 == split) {
        let case = format!("{split}/{language}");
        let place = Place { corpus: "", case: &case, budget: None };
        if metric.ends_with("_baseline") {
            continue;
        }
        let interval = resampling.of_members(std::slice::from_ref(values));
        let n = values.len();
        if split != TEST || !JUDGED.contains(metric) {
            cells.push(place.reported(GATE, metric, mean(values), n));
        }
        let ends = [("low", interval.map(|one| one.low)), ("high", interval.map(|one| one.high))];
        cells.extend(
            ends.map(|(end, value)| place.reported(GATE, &format!("{metric}_{end}"), value, n)),
        );
    }
    cells
}

/// The judged cells of a language of the test split. A metric with fewer than `least` samples is insufficient.
fn of_language(
    groups: &Groups<'_>,
    language: &str,
    thresholds: &N1Thresholds,
    least: u64,
) -> Vec<Cell> {
    let case = format!("{TEST}/{language}");
    let place = Place { corpus: "", case: &case, budget: None };
    let of =
        |metric: &'static str| groups.get(&(TEST, language, metric)).map_or(&[][..], Vec::as_slice);
    let judged = |name: &str, metric: &'static str, value: Option<f64>, bound: (Bound, f64)| {
        let n = of(metric).len();
        let enough = n as u64 >= least;
        let mut cell = place.judged(GATE, name, value.filter(|_| enough), bound, n);
        if !enough {
            cell.note = format!("{n} samples, at least {least} are needed");
        }
        cell
    };
    let at_least = |metric: &'static str, least: f64| {
        judged(metric, metric, mean(of(metric)), (Bound::AtLeast, least))
    };
    let first = mean(of("function_class_first"));
    let baseline = mean(of("function_class_first_baseline"));
    let lead = first.zip(baseline).map(|(first, baseline)| first - baseline);
    let invented = mean(of("external_invented"));
    vec![
        at_least("local_among", thresholds.min_local),
        at_least("local_first", thresholds.min_local),
        at_least("function_class_among", thresholds.min_function_class_among),
        at_least("function_class_first", thresholds.min_function_class_first),
        judged(
            "function_class_lead_over_baseline",
            "function_class_first",
            lead,
            (Bound::AtLeast, thresholds.min_lead_over_baseline),
        ),
        at_least("member_among", thresholds.min_member_among),
        at_least("resolved_precision", thresholds.min_resolved_precision),
        judged(
            "external_invented",
            "external_invented",
            invented,
            (Bound::AtMost, thresholds.max_external_invented),
        ),
    ]
}

/// References in the mean of the languages. A language without a sample leaves the mean without a value.
fn of_references(groups: &Groups<'_>, languages: &[&str], thresholds: &N1Thresholds) -> Vec<Cell> {
    let case = format!("{TEST}/{MACRO}");
    let place = Place { corpus: "", case: &case, budget: None };
    let metrics = [
        ("references_recall", thresholds.min_references_recall),
        ("references_precision", thresholds.min_references_precision),
    ];
    let cell = |(metric, least): (&str, f64)| {
        let means: Option<Vec<f64>> = languages
            .iter()
            .map(|language| mean(groups.get(&(TEST, *language, metric))?))
            .collect();
        let value = means.as_deref().and_then(mean);
        let n: usize = groups
            .iter()
            .filter(|(key, _)| key.0 == TEST && key.2 == metric)
            .map(|(_, values)| values.len())
            .sum();
        place.judged(GATE, metric, value, (Bound::AtLeast, least), n)
    };
    metrics.into_iter().map(cell).collect()
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

#[cfg(test)]
mod tests;
