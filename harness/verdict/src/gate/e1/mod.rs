//! E1: at the same number of tokens our maps show more of what a change touches than the comparator's.
//!
//! A task is a patch that Debian's maintainers carry. Its subject is the message, and nothing else is told to a
//! system. What it changed is in [`record::protocol::TASKS`]. The measure and its intervals are computed over pairs: the
//! same task, the same budget, both systems.

mod label;
mod measure;

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use record::{Cell, PlannedCorpus, Profile, Set, Task, Verdict};
use serde::Deserialize;

use super::{Bound, Gate, GateId, Judge, Need, Place};
use crate::{
    Evidence, Missing, RunView,
    metrics::{
        recount,
        resample::{self, Interval, Resampling},
    },
    plot::PlotSpec,
    protocol::{Protocol, ProtocolError, Table},
};

pub use label::{TaskLabel, TaskLabels};
pub use measure::{Shown, measure};

pub(super) const NAME: &str = "E1";
const GATE: GateId = GateId::E1;

/// Thresholds of E1.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct E1Thresholds {
    /// Budgets in tokens at which the gain is judged. At the others it is reported.
    pub gain_budgets: Vec<u64>,
    /// Least gain over the comparator in the share of changed files shown with a definition: the mean over
    /// packages.
    pub min_gain: f64,
    /// What the lower ends of the gain's intervals must exceed.
    pub interval_above: f64,
    /// Share of the resampled means that an interval covers.
    pub confidence: f64,
    /// How often the tasks and the packages are drawn again.
    pub resamples: usize,
    /// Seed of these draws.
    pub seed: u64,
    /// Fewest tasks.
    pub min_tasks: u64,
    /// Fewest packages.
    pub min_packages: u64,
    /// Fewest languages.
    pub min_languages: u64,
    /// Tasks from which on a language is judged by itself.
    pub min_tasks_of_language: usize,
}

impl Table for E1Thresholds {
    const NAME: &'static str = "e1";
}

/// The gate.
#[derive(Debug)]
pub struct E1;

impl Gate for E1 {
    fn title(&self) -> &'static str {
        "relevance to real tasks"
    }

    fn profiles(&self) -> &'static [Profile] {
        &[Profile::Enhancement]
    }

    fn sets(&self) -> &'static [Set] {
        &[Set::Full]
    }

    fn needs(&self, _: Profile) -> &'static [Need] {
        &[Need::Tasks]
    }

    fn plots(&self) -> Vec<PlotSpec> {
        vec![
            PlotSpec::strip("Changed files shown with a definition", "enhancement_defined"),
            PlotSpec::strip("The same, by the comparator", "comparator_defined"),
        ]
    }

    fn judge(&self, protocol: &Protocol) -> Result<Box<dyn Judge>, ProtocolError> {
        Ok(Box::new(Rules { thresholds: protocol.table()?, labels: TaskLabels::open(protocol)? }))
    }
}

/// Thresholds, and what the tasks changed.
struct Rules {
    thresholds: E1Thresholds,
    labels: TaskLabels,
}

impl Judge for Rules {
    fn run(&self, run: &RunView) -> Vec<Cell> {
        let plan = &run.evidence.plan;
        let found: Vec<(&PlannedCorpus, Result<Vec<Scored>, Missing>)> = plan
            .corpora
            .par_iter()
            .filter(|corpus| !corpus.tasks.is_empty())
            .map(|corpus| (corpus, scored(run.evidence, corpus, &self.labels)))
            .collect();
        let mut cells = Vec::new();
        let mut tasks = Vec::new();
        for (corpus, scored) in found {
            match scored {
                Ok(scored) => tasks.extend(scored),
                Err(Missing(why)) => {
                    let place = Place { corpus: &corpus.name, case: "", budget: None };
                    cells.push(place.not_run(GATE, "evidence", &why));
                }
            }
        }
        cells.extend(e1(&tasks, &self.thresholds, plan.narrowed));
        cells
    }
}

/// The systems that answer each task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum System {
    /// The comparator.
    Comparator,
    /// Our parity profile.
    Parity,
    /// Our enhancement profile.
    Enhancement,
}

impl System {
    const ALL: [Self; 3] = [Self::Comparator, Self::Parity, Self::Enhancement];

    const fn as_str(self) -> &'static str {
        match self {
            Self::Comparator => "comparator",
            Self::Parity => "parity",
            Self::Enhancement => "enhancement",
        }
    }
}

/// What the systems showed of one task at one budget.
#[derive(Debug, Clone, PartialEq)]
pub struct Scored {
    /// Corpus.
    pub corpus: String,
    /// Main language of the changed files.
    pub language: String,
    /// Budget in tokens.
    pub budget: u64,
    /// What each system showed, in the order comparator, parity, enhancement.
    pub shown: [Shown; 3],
    /// Whether the map of the enhancement profile keeps within the budget.
    pub within_budget: bool,
}

impl Scored {
    fn of(&self, system: System) -> &Shown {
        &self.shown[system as usize]
    }

    /// What the enhancement profile shows more than another system: the share of the changed files that stand
    /// in the map with a definition.
    fn gain_over(&self, system: System) -> f64 {
        self.of(System::Enhancement).defined - self.of(system).defined
    }
}

/// The scored tasks of a corpus at all budgets.
fn scored(
    evidence: &Evidence,
    corpus: &PlannedCorpus,
    labels: &TaskLabels,
) -> Result<Vec<Scored>, Missing> {
    let theirs = evidence.comparator_tasks(corpus)?;
    let parity = evidence.task_maps(corpus, Profile::Parity)?;
    let ours = evidence.task_maps(corpus, Profile::Enhancement)?;
    let tracked = theirs.response().tracked.as_deref();
    let tracked =
        tracked.ok_or_else(|| Missing("the tracked files are not recorded".to_owned()))?;
    let files: BTreeSet<&str> = tracked.iter().map(String::as_str).collect();
    let asked = evidence.plan.tasks_of(corpus).zip(parity.iter().zip(&ours));
    asked
        .map(|((task, budget), (parity, ours))| {
            let label = label(labels, corpus, task)?;
            let theirs = theirs.text(&task.id, budget)?;
            let measure = |text: &str| measure(&label.changed, text, &files);
            let counted = recount::exact(&ours.text)
                .ok_or_else(|| Missing("the vocabulary cannot be read".to_owned()))?;
            Ok(Scored {
                corpus: corpus.name.clone(),
                language: label.language.clone(),
                budget,
                shown: [measure(theirs), measure(&parity.text), measure(&ours.text)],
                within_budget: counted <= budget,
            })
        })
        .collect()
}

/// What a task changed. The subject that the systems were told must be the one that was labelled.
fn label<'a>(
    labels: &'a TaskLabels,
    corpus: &PlannedCorpus,
    task: &Task,
) -> Result<&'a TaskLabel, Missing> {
    let label = labels
        .of(&corpus.name, &task.id)
        .ok_or_else(|| Missing(format!("{} has no label", task.id)))?;
    if record::Digest::of(&task.message) != label.message_sha256 {
        return Err(Missing(format!("{}: its label is of another message", task.id)));
    }
    Ok(label)
}

/// The cells of a run. A narrowed one cannot have enough of everything, so its counts are only reported.
pub fn e1(tasks: &[Scored], thresholds: &E1Thresholds, narrowed: bool) -> Vec<Cell> {
    let budgets: BTreeSet<u64> = tasks.iter().map(|task| task.budget).collect();
    let mut cells = enough(tasks, thresholds, narrowed);
    for &budget in &budgets {
        let at: Vec<&Scored> = tasks.iter().filter(|task| task.budget == budget).collect();
        cells.extend(of_packages(&at, budget));
        cells.extend(gains(&at, budget, thresholds));
        cells.extend(of_languages(&at, budget, thresholds));
    }
    cells
}

/// Whether there are enough tasks, packages and languages.
fn enough(tasks: &[Scored], thresholds: &E1Thresholds, narrowed: bool) -> Vec<Cell> {
    let budgets: BTreeSet<u64> = tasks.iter().map(|task| task.budget).collect();
    let first: Vec<&Scored> =
        tasks.iter().filter(|task| budgets.first() == Some(&task.budget)).collect();
    let packages: BTreeSet<&str> = first.iter().map(|task| task.corpus.as_str()).collect();
    let languages: BTreeSet<&str> = first.iter().map(|task| task.language.as_str()).collect();
    let place = Place { corpus: "", case: "", budget: None };
    [
        ("tasks", first.len(), thresholds.min_tasks),
        ("packages", packages.len(), thresholds.min_packages),
        ("languages", languages.len(), thresholds.min_languages),
    ]
    .into_iter()
    .map(|(metric, count, least)| {
        let floor = (!narrowed).then_some(least);
        let mut cell = place.at_least(GATE, metric, count as u64, floor);
        if cell.verdict == Verdict::Fail {
            // Too few are not a fault, but too little to judge by.
            cell.verdict = Verdict::Insufficient;
        }
        cell
    })
    .collect()
}

/// What each system shows of each package, and whether our maps keep within the budget.
fn of_packages(tasks: &[&Scored], budget: u64) -> Vec<Cell> {
    let mut cells = Vec::new();
    for (package, tasks) in groups(tasks, |task| &task.corpus) {
        let place = Place { corpus: package, case: "", budget: Some(budget) };
        for system in System::ALL {
            let of = |value: fn(&Shown) -> Option<f64>| -> Vec<f64> {
                tasks.iter().filter_map(|task| value(task.of(system))).collect()
            };
            let values: [(&str, Vec<f64>); 3] = [
                ("shown", of(|shown| Some(shown.named))),
                ("defined", of(|shown| Some(shown.defined))),
                ("symbols", of(|shown| shown.symbols)),
            ];
            for (what, values) in values {
                let metric = format!("{}_{what}", system.as_str());
                cells.push(place.reported(GATE, &metric, mean(&values), values.len()));
            }
        }
        let within = tasks.iter().filter(|task| task.within_budget).count();
        let share = (!tasks.is_empty()).then(|| within as f64 / tasks.len() as f64);
        cells.push(place.judged(GATE, "within_budget", share, (Bound::AtLeast, 1.0), tasks.len()));
    }
    cells
}

/// The gains over the other systems: means over packages, with their intervals.
fn gains(tasks: &[&Scored], budget: u64, thresholds: &E1Thresholds) -> Vec<Cell> {
    let place = Place { corpus: "", case: "", budget: Some(budget) };
    let is_judged = thresholds.gain_budgets.contains(&budget);
    let mut cells = Vec::new();
    for (system, judged) in [(System::Comparator, is_judged), (System::Parity, false)] {
        let packages: Vec<Vec<f64>> = groups(tasks, |task| &task.corpus)
            .into_values()
            .map(|tasks| tasks.iter().map(|task| task.gain_over(system)).collect())
            .collect();
        let resampling = resampling(thresholds);
        let name = |what: &str| format!("{what}_over_{}", system.as_str());
        let values = [
            (name("gain"), resample::mean_of_means(&packages), thresholds.min_gain, false),
            (
                name("lowest_gain_by_task"),
                resampling.of_members(&packages).map(|found| found.low),
                thresholds.interval_above,
                true,
            ),
            (
                name("lowest_gain_by_package"),
                resampling.of_groups(&packages).map(|found| found.low),
                thresholds.interval_above,
                true,
            ),
        ];
        for (metric, value, threshold, must_exceed) in values {
            if !judged {
                cells.push(place.reported(GATE, &metric, value, tasks.len()));
                continue;
            }
            let bound = (Bound::AtLeast, threshold);
            let mut cell = place.judged(GATE, &metric, value, bound, tasks.len());
            if must_exceed && value.is_some_and(|value| value <= threshold) {
                cell.verdict = Verdict::Fail;
                "the interval must lie above the threshold".clone_into(&mut cell.note);
            }
            cells.push(cell);
        }
    }
    cells
}

/// For each language with enough tasks: the upper end of the gain's interval, which lies below zero only where
/// the comparator is better beyond noise.
fn of_languages(tasks: &[&Scored], budget: u64, thresholds: &E1Thresholds) -> Vec<Cell> {
    let judged = thresholds.gain_budgets.contains(&budget);
    let mut cells = Vec::new();
    for (language, tasks) in groups(tasks, |task| &task.language) {
        let gains: Vec<f64> = tasks.iter().map(|task| task.gain_over(System::Comparator)).collect();
        let place = Place { corpus: "", case: language, budget: Some(budget) };
        let n = gains.len();
        cells.push(place.reported(GATE, "gain_of_language", mean(&gains), n));
        let interval = resampling(thresholds).of_members(&[gains]);
        let high = interval.map(|Interval { high, .. }| high);
        cells.push(if judged && n >= thresholds.min_tasks_of_language {
            place.judged(GATE, "highest_gain_of_language", high, (Bound::AtLeast, 0.0), n)
        } else {
            place.reported(GATE, "highest_gain_of_language", high, n)
        });
    }
    cells
}

/// The tasks by a name of theirs.
fn groups<'a>(
    tasks: &[&'a Scored],
    name: fn(&Scored) -> &String,
) -> BTreeMap<&'a str, Vec<&'a Scored>> {
    let mut groups: BTreeMap<&str, Vec<&Scored>> = BTreeMap::new();
    for task in tasks {
        groups.entry(name(task)).or_default().push(task);
    }
    groups
}

const fn resampling(thresholds: &E1Thresholds) -> Resampling {
    let E1Thresholds { resamples, seed, confidence, .. } = *thresholds;
    Resampling::new(resamples, seed, confidence)
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

#[cfg(test)]
mod tests;
