//! U1: summaries answer questions about files, within a budget, more often than what other tools show.
//!
//! A question asks for something that somebody needs before editing or using a file. It is answered if the texts of its
//! answer stand in what a system shows ([`is_answered`]). Questions and answers were frozen before the first score, in
//! [`record::protocol::QUESTIONS`]. Every system is cut to the same number of tokens, which are counted here.

mod question;
mod rule;
mod system;

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use record::{Cell, PlannedCorpus, Profile, SUMMARY_BUDGETS, Set, Verdict};
use serde::Deserialize;

use super::{Bound, Gate, GateId, Judge, Need, Place};
use crate::{
    Evidence, Missing, RunView,
    metrics::recount,
    plot::PlotSpec,
    protocol::{Protocol, ProtocolError, Table},
};

pub use question::{Question, Questions};
pub use rule::is_answered;
pub use system::System;

pub(super) const NAME: &str = "U1";
const GATE: GateId = GateId::U1;

/// The split that summaries are never tuned on.
const TEST: &str = "test";

/// Thresholds of U1.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct U1Thresholds {
    /// The budget in tokens at which summaries are judged. At the others they are reported.
    pub budget: u64,
    /// Least share of the questions that summaries answer: of all, and of the test split.
    pub min_answered: f64,
    /// What the lead over every other system, in the same share, must exceed.
    pub lead_above: f64,
    /// Greatest share of the questions that are answered with the answers of others.
    pub max_chance: f64,
    /// Fewest questions.
    pub min_questions: u64,
    /// Fewest files that they are about.
    pub min_files: u64,
}

impl Table for U1Thresholds {
    const NAME: &'static str = "u1";
}

/// The gate.
#[derive(Debug)]
pub struct U1;

impl Gate for U1 {
    fn title(&self) -> &'static str {
        "usefulness of summaries"
    }

    fn profiles(&self) -> &'static [Profile] {
        &[Profile::Enhancement]
    }

    fn sets(&self) -> &'static [Set] {
        &[Set::Full]
    }

    fn needs(&self, _: Profile) -> &'static [Need] {
        &[Need::Summaries]
    }

    fn plots(&self) -> Vec<PlotSpec> {
        let other = |system: &System| {
            PlotSpec::strip(&format!("The same, {}", system.as_str()), &metric(*system))
        };
        let ours = PlotSpec::strip("Questions answered", &metric(System::Enhancement));
        std::iter::once(ours).chain(System::OTHERS.iter().map(other)).collect()
    }

    fn judge(&self, protocol: &Protocol) -> Result<Box<dyn Judge>, ProtocolError> {
        let questions = Questions::open(protocol)?;
        Ok(Box::new(Rules { thresholds: protocol.table()?, questions }))
    }
}

/// Thresholds and questions.
struct Rules {
    thresholds: U1Thresholds,
    questions: Questions,
}

impl Judge for Rules {
    fn run(&self, run: &RunView) -> Vec<Cell> {
        let plan = &run.evidence.plan;
        let found: Vec<(&PlannedCorpus, Result<Vec<Shown>, Missing>)> = plan
            .corpora
            .par_iter()
            .filter(|corpus| !corpus.summaries.is_empty())
            .map(|corpus| (corpus, shown(run.evidence, corpus, &self.questions)))
            .collect();
        let (mut cells, mut all) = (Vec::new(), Vec::new());
        for (corpus, shown) in found {
            match shown {
                Ok(shown) => all.extend(shown),
                Err(Missing(why)) => {
                    let place = Place { corpus: &corpus.name, case: "", budget: None };
                    cells.push(place.not_run(GATE, "evidence", &why));
                }
            }
        }
        cells.extend(u1(&all, &self.questions, &self.thresholds, plan.narrowed));
        cells
    }
}

/// What one system shows of one file within a budget.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// Corpus.
    pub corpus: String,
    /// The file in it.
    pub path: String,
    /// The system.
    pub system: System,
    /// The budget in tokens.
    pub budget: u64,
    /// The text.
    pub text: String,
}

/// What all systems show of the files of a corpus. The baselines must have read the files that the questions are about,
/// and our program must have answered about each.
fn shown(
    evidence: &Evidence,
    corpus: &PlannedCorpus,
    questions: &Questions,
) -> Result<Vec<Shown>, Missing> {
    let files = questions.files();
    let files = files.get(corpus.name.as_str());
    let baselines = evidence.baselines(&corpus.name)?;
    let missing = |path: &str| Missing(format!("{path} has no answer"));
    let mut all = Vec::new();
    for budget in SUMMARY_BUDGETS {
        let ours = evidence.summaries(corpus, Profile::Enhancement, budget)?;
        let parity = evidence.summaries(corpus, Profile::Parity, budget)?;
        for (path, sha256) in files.into_iter().flatten() {
            let found = baselines.get(*path).ok_or_else(|| missing(path))?;
            if found.sha256 != sha256.as_str() {
                return Err(Missing(format!("{path} is not the file that was asked about")));
            }
            let mut add = |system: System, text: String| {
                let (corpus, path) = (corpus.name.clone(), (*path).to_owned());
                all.push(Shown { corpus, path, system, budget, text });
            };
            for (system, summaries) in [(System::Enhancement, &ours), (System::Parity, &parity)] {
                add(system, summaries.get(*path).ok_or_else(|| missing(path))?.clone());
            }
            let unread = || Missing("the vocabulary cannot be read".to_owned());
            for system in System::OTHERS.into_iter().filter(|system| *system != System::Parity) {
                add(system, system.shown(found, budget).ok_or_else(unread)?);
            }
        }
    }
    Ok(all)
}

/// The cells of a run. A narrowed one cannot have enough questions, so its counts are only reported.
pub fn u1(
    shown: &[Shown],
    questions: &Questions,
    thresholds: &U1Thresholds,
    narrowed: bool,
) -> Vec<Cell> {
    let texts = Texts::new(shown);
    let asked = |questions: &Questions| -> Vec<Question> {
        questions.0.iter().filter(|one| texts.has(one)).cloned().collect()
    };
    let rows = asked(questions);
    let mut cells = enough(&rows, thresholds, narrowed);
    for budget in SUMMARY_BUDGETS {
        cells.extend(shares(&texts, &rows, budget, thresholds));
        cells.push(within(shown, budget));
    }
    let controlled = asked(&questions.permuted());
    let chance = texts.share(&controlled, System::Enhancement, thresholds.budget);
    let place = Place { corpus: "", case: "", budget: Some(thresholds.budget) };
    let bound = (Bound::AtMost, thresholds.max_chance);
    cells.push(place.judged(GATE, "answered_by_chance", chance, bound, controlled.len()));
    cells
}

/// Texts by file, system and budget.
struct Texts<'a>(BTreeMap<(&'a str, &'a str, System, u64), &'a str>);

impl<'a> Texts<'a> {
    fn new(shown: &'a [Shown]) -> Self {
        let key = |one: &'a Shown| (one.corpus.as_str(), one.path.as_str(), one.system, one.budget);
        Self(shown.iter().map(|one| (key(one), one.text.as_str())).collect())
    }

    fn of(&self, question: &Question, system: System, budget: u64) -> Option<&str> {
        let key = (question.corpus.as_str(), question.path.as_str(), system, budget);
        self.0.get(&key).copied()
    }

    /// Whether the file of a question was asked about.
    fn has(&self, question: &Question) -> bool {
        SUMMARY_BUDGETS
            .iter()
            .any(|budget| self.of(question, System::Enhancement, *budget).is_some())
    }

    /// The share of questions that a system answers; `None` without a question.
    fn share<'b>(
        &self,
        questions: impl IntoIterator<Item = &'b Question>,
        system: System,
        budget: u64,
    ) -> Option<f64> {
        let (mut answered, mut all) = (0_u64, 0_u64);
        for question in questions {
            all += 1;
            let text = self.of(question, system, budget);
            answered += u64::from(text.is_some_and(|text| is_answered(question, text)));
        }
        (all > 0).then(|| answered as f64 / all as f64)
    }
}

/// Whether there are enough questions and files.
fn enough(rows: &[Question], thresholds: &U1Thresholds, narrowed: bool) -> Vec<Cell> {
    let files: BTreeSet<_> = rows.iter().map(|one| (&one.corpus, &one.path)).collect();
    let place = Place { corpus: "", case: "", budget: None };
    let counts = [
        ("questions", rows.len(), thresholds.min_questions),
        ("files", files.len(), thresholds.min_files),
    ];
    let cell = |(metric, count, least): (&str, usize, u64)| {
        let floor = (!narrowed).then_some(least);
        let mut cell = place.at_least(GATE, metric, count as u64, floor);
        if cell.verdict == Verdict::Fail {
            // Too few are not a fault, but too little to judge by.
            cell.verdict = Verdict::Insufficient;
        }
        cell
    };
    counts.into_iter().map(cell).collect()
}

/// The shares that each system answers at a budget: of all questions, of each split and of each kind.
fn shares(texts: &Texts, rows: &[Question], budget: u64, thresholds: &U1Thresholds) -> Vec<Cell> {
    let judged = budget == thresholds.budget;
    let mut groups: BTreeMap<&str, Vec<&Question>> = BTreeMap::new();
    for row in rows {
        for group in ["", row.split.as_str(), row.kind.as_str()] {
            groups.entry(group).or_default().push(row);
        }
    }
    // A run without a question of the test split has nothing to judge by.
    for group in ["", TEST] {
        groups.entry(group).or_default();
    }
    let mut cells = Vec::new();
    for (group, rows) in groups {
        let place = Place { corpus: "", case: group, budget: Some(budget) };
        let share = |system| texts.share(rows.iter().copied(), system, budget);
        let judged = judged && ["", TEST].contains(&group);
        let ours = share(System::Enhancement);
        cells.push(if judged {
            let bound = (Bound::AtLeast, thresholds.min_answered);
            place.judged(GATE, &metric(System::Enhancement), ours, bound, rows.len())
        } else {
            place.reported(GATE, &metric(System::Enhancement), ours, rows.len())
        });
        for system in System::OTHERS {
            let theirs = share(system);
            cells.push(place.reported(GATE, &metric(system), theirs, rows.len()));
            if judged {
                let lead = ours.zip(theirs).map(|(ours, theirs)| ours - theirs);
                let name = format!("lead_over_{}", system.as_str());
                let bound = (Bound::AtLeast, thresholds.lead_above);
                let mut cell = place.judged(GATE, &name, lead, bound, rows.len());
                if lead.is_some_and(|lead| lead <= thresholds.lead_above) {
                    cell.verdict = Verdict::Fail;
                    "the lead must be above the threshold".clone_into(&mut cell.note);
                }
                cells.push(cell);
            }
        }
    }
    cells
}

/// Whether our summaries, in both profiles, keep within a budget.
fn within(shown: &[Shown], budget: u64) -> Cell {
    let ours = |one: &&Shown| {
        one.budget == budget && [System::Enhancement, System::Parity].contains(&one.system)
    };
    let counted: Vec<Option<u64>> =
        shown.iter().filter(ours).map(|one| recount::exact(&one.text)).collect();
    let within = counted.iter().filter(|count| count.is_some_and(|count| count <= budget)).count();
    let share = (!counted.is_empty()).then(|| within as f64 / counted.len() as f64);
    let place = Place { corpus: "", case: "", budget: Some(budget) };
    place.judged(GATE, "within_budget", share, (Bound::AtLeast, 1.0), counted.len())
}

/// The metric of a system's share.
fn metric(system: System) -> String {
    format!("{}_answered", system.as_str())
}

#[cfg(test)]
mod tests;
