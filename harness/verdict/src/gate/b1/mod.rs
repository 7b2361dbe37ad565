//! B1: symbols with their ends and visibility, and imports with their names, compared with the labels of independent
//! front ends.

pub(super) mod volt;

use std::collections::BTreeMap;

use record::{Cell, Profile, Set, Verdict, VisibilityClass, protocol::SCORING};

use super::{Bound, Gate, GateId, Judge, Need, Place};
use crate::{
    RunView,
    explorations::{B1Evidence, Measures, Scoring, Tally, UnjudgedRules},
    metrics::f1::share,
    protocol::{Protocol, ProtocolError},
};

pub(super) const NAME: &str = "B1";
const GATE: GateId = GateId::B1;

/// The gate.
#[derive(Debug)]
pub struct B1;

impl Gate for B1 {
    fn title(&self) -> &'static str {
        "symbols, imports and visibility"
    }

    fn profiles(&self) -> &'static [Profile] {
        &Profile::ALL
    }

    fn needs(&self, profile: Profile) -> &'static [Need] {
        match profile {
            Profile::Parity => &[Need::CodeGold, Need::Volt],
            Profile::Enhancement => &[Need::CodeGold],
        }
    }

    fn judge(&self, protocol: &Protocol) -> Result<Box<dyn Judge>, ProtocolError> {
        Ok(Box::new(Rules(protocol.toml(SCORING)?)))
    }
}

struct Rules(Scoring);

impl Judge for Rules {
    fn run(&self, run: &RunView) -> Vec<Cell> {
        let Some(found) = run.explorations else { return Vec::new() };
        let plan = &run.evidence.plan;
        let mut cells = b1(&found.b1, &self.0, plan.profile, plan.set, plan.narrowed);
        let files =
            found.volt.as_ref().map(|volt| volt.files.iter().filter(|file| !file.is_format));
        cells.extend(files.into_iter().flat_map(|files| volt::cells(GATE, files)));
        cells
    }
}

/// One metric of a language with the number of samples behind it.
struct Sample {
    metric: &'static str,
    value: Option<f64>,
    n: u64,
    enough: bool,
}

/// The cells of a run over the set `set` under the thresholds of `profile`. A whole run must have enough
/// samples of every language that the protocol requires, a partial one only of those that it has.
pub fn b1(
    evidence: &B1Evidence,
    rules: &Scoring,
    profile: Profile,
    set: Set,
    partial: bool,
) -> Vec<Cell> {
    let total = Place { corpus: "", case: "", budget: None };
    let Some(thresholds) = rules.thresholds.get(&profile) else {
        return vec![total.not_run(GATE, "thresholds", "the protocol has none for this profile")];
    };
    let mut cells = vec![
        no_models(GATE, evidence.model_tiers, evidence.explored),
        total.reported(
            GATE,
            "unexplored_files",
            Some(evidence.unexplored as f64),
            evidence.explored as usize,
        ),
    ];
    let mut sum = Tally::default();
    // Weighted sums of each metric over the languages with enough samples: value, weight, count.
    let mut means: BTreeMap<&str, (f64, f64, usize)> = BTreeMap::new();
    for (language, tally) in &evidence.languages {
        sum.add(tally);
        let place = Place { case: language, ..total };
        let weight = rules.languages.get(language).map_or(1.0, |rules| rules.weight);
        for sample in samples(tally, rules, language) {
            let threshold = measure(&thresholds.floor, sample.metric);
            if sample.enough {
                let bound = (Bound::AtLeast, threshold);
                cells.push(place.judged(
                    GATE,
                    sample.metric,
                    sample.value,
                    bound,
                    sample.n as usize,
                ));
                if let Some(value) = sample.value {
                    let mean = means.entry(sample.metric).or_default();
                    mean.0 += value * weight;
                    mean.1 += weight;
                    mean.2 += 1;
                }
            } else {
                let mut cell = place.reported(GATE, sample.metric, sample.value, sample.n as usize);
                "too few samples to judge the language by".clone_into(&mut cell.warning);
                cells.push(cell);
            }
        }
        cells.extend(unjudged(tally, &rules.unjudged, place));
        let f1 = tally.symbols.f1();
        cells.push(place.reported(GATE, "symbol_f1", f1, tally.symbols.gold as usize));
        cells.push(place.reported(GATE, "files", Some(tally.files as f64), tally.files as usize));
    }
    cells.extend(reported(evidence, total));
    let micro = Place { case: "micro", ..total };
    let mean = Place { case: "macro", ..total };
    for (metric, value, n) in measures(&sum) {
        // A part of a run may have only languages whose front ends do not know it.
        let mut languages = evidence.languages.keys();
        if partial && n == 0 && !languages.any(|language| applies(rules, metric, language)) {
            continue;
        }
        let bound = (Bound::AtLeast, measure(&thresholds.micro, metric));
        cells.push(micro.judged(GATE, metric, value, bound, n as usize));
        let (value, weight, n) = means.get(metric).copied().unwrap_or_default();
        let bound = (Bound::AtLeast, measure(&thresholds.mean, metric));
        cells.push(mean.judged(GATE, metric, (n > 0).then(|| value / weight), bound, n));
    }
    if !partial {
        cells.extend(required(evidence, rules, set));
    }
    cells
}

/// The languages that the protocol has no row for. Its thresholds were frozen without them, so they are only
/// reported until a version of the protocol includes them.
fn reported<'a>(evidence: &'a B1Evidence, total: Place<'a>) -> impl Iterator<Item = Cell> + 'a {
    evidence.reported.iter().flat_map(move |(language, tally)| {
        let place = Place { case: language, ..total };
        measures(tally).into_iter().map(move |(metric, value, n)| {
            let mut cell = place.reported(GATE, metric, value, n as usize);
            "the protocol has no row for the language".clone_into(&mut cell.warning);
            cell
        })
    })
}

/// What the gold of a language leaves unjudged, held against what it may: more is no ground to judge the language by.
/// Nothing for a language whose gold judges everything.
fn unjudged(tally: &Tally, rules: &UnjudgedRules, place: Place) -> Vec<Cell> {
    let left = &tally.unjudged;
    if left.lines == 0 {
        return Vec::new();
    }
    let entries = left.symbols + left.imports;
    let of_entries = tally.symbols.found + tally.imports + entries;
    // Lines of files that do not say how many they have are unknown; such a file is hollow.
    let of_lines = left.of_lines.max(left.lines);
    let cells = [
        ("unjudged_lines", share(left.lines, of_lines), rules.max_share_of_lines, of_lines),
        ("unjudged_entries", share(entries, of_entries), rules.max_share_of_entries, of_entries),
        ("hollow_files", Some(left.hollow as f64), 0.0, tally.files),
    ];
    let judged = |(metric, value, most, n): (&str, Option<f64>, f64, u64)| {
        let mut cell = place.judged(GATE, metric, value, (Bound::AtMost, most), n as usize);
        if cell.verdict == Verdict::Fail {
            cell.verdict = Verdict::Insufficient;
            "gold leaves more unjudged than the protocol allows".clone_into(&mut cell.note);
        }
        cell
    };
    cells.map(judged).into()
}

/// Checks that no model took part in any exploration.
pub(crate) fn no_models(gate: GateId, tiers: u64, explored: u64) -> Cell {
    let place = Place { corpus: "", case: "", budget: None };
    let bound = (Bound::AtMost, 0.0);
    place.judged(gate, "model_tiers", Some(tiers as f64), bound, explored as usize)
}

/// Checks that the languages that the protocol requires have enough samples.
fn required(evidence: &B1Evidence, rules: &Scoring, set: Set) -> Vec<Cell> {
    let wanted = rules.languages.iter().filter(|(_, rules)| rules.required.contains(&set));
    wanted
        .map(|(language, _)| {
            let place = Place { corpus: "", case: language, budget: None };
            let tally = evidence.languages.get(language).copied().unwrap_or_default();
            let enough = tally.files >= rules.minimum_sample.files
                && tally.symbols.gold >= rules.minimum_sample.symbols;
            let bound = (Bound::AtLeast, rules.minimum_sample.symbols as f64);
            let n = tally.symbols.gold as usize;
            let mut cell = place.judged(GATE, "required_sample", Some(n as f64), bound, n);
            if !enough {
                cell.verdict = Verdict::Insufficient;
                cell.note = format!("{} files with gold", tally.files);
            }
            cell
        })
        .collect()
}

/// Metric, value and number of samples.
fn measures(tally: &Tally) -> [(&'static str, Option<f64>, u64); 6] {
    [
        ("symbol_recall", tally.symbols.recall(), tally.symbols.gold),
        (
            "symbol_precision",
            tally.symbols.precision(),
            tally.symbols.found.max(tally.symbols.gold),
        ),
        ("import_category_accuracy", share(tally.imports_right, tally.imports), tally.imports),
        ("visibility_accuracy", share(tally.visible_right, tally.visible), tally.visible),
        ("end_line_accuracy", share(tally.ends_right, tally.ends), tally.ends),
        ("imported_names_accuracy", share(tally.named_right, tally.named), tally.named),
    ]
}

/// Whether gold of a language knows what a metric compares.
fn applies(rules: &Scoring, metric: &str, language: &str) -> bool {
    match metric {
        "visibility_accuracy" => rules.visibility(language) != VisibilityClass::None,
        "end_line_accuracy" => rules.knows_ends(language),
        "imported_names_accuracy" => rules.knows_names(language),
        _ => true,
    }
}

fn samples(tally: &Tally, rules: &Scoring, language: &str) -> Vec<Sample> {
    let least = rules.minimum_sample;
    measures(tally)
        .into_iter()
        .filter(|(metric, ..)| applies(rules, metric, language))
        .map(|(metric, value, n)| {
            let enough = tally.files >= least.files
                && match metric {
                    "import_category_accuracy" => n >= least.imports,
                    "visibility_accuracy" => n >= least.visibility,
                    "end_line_accuracy" => n >= least.end_lines,
                    "imported_names_accuracy" => n >= least.imported_names,
                    _ => tally.symbols.gold >= least.symbols,
                };
            Sample { metric, value, n, enough }
        })
        .collect()
}

fn measure(measures: &Measures, metric: &str) -> f64 {
    // A metric without a threshold cannot be met.
    measures.all().into_iter().find(|(name, _)| *name == metric).map_or(2.0, |(_, value)| value)
}

#[cfg(test)]
mod tests;
