//! The recorded runs that a plan asks for, and the names of their recordings in the index.

use crate::{Plan, PlannedCorpus, Profile, SUMMARY_BUDGETS, Side, Trial};

/// The most files of one call of `parity explore`.
pub const EXPLORED: usize = 100;

/// One recorded run to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unit {
    /// The comparator on all cases of a corpus.
    Comparator {
        /// Position of the corpus in the plan.
        corpus: usize,
    },
    /// The comparator as shipped on all cases of a corpus, under one random seed.
    Raw {
        /// Position of the corpus in the plan.
        corpus: usize,
        /// The seed of its hashes.
        seed: u64,
    },
    /// Our maps of all cases of a corpus.
    Engine {
        /// Position of the corpus in the plan.
        corpus: usize,
    },
    /// A repeated map for the vertical slice.
    Repeat {
        /// Position of the corpus in the plan.
        corpus: usize,
        /// Number of the repeat.
        number: u64,
    },
    /// The comparator on all call sequences of a corpus.
    ComparatorSequences {
        /// Position of the corpus in the plan.
        corpus: usize,
    },
    /// Our session of one call sequence.
    Sequence {
        /// Position of the corpus in the plan.
        corpus: usize,
        /// Position of the sequence.
        sequence: usize,
    },
    /// One trial of the first case at the first budget.
    Trial {
        /// Position of the corpus in the plan.
        corpus: usize,
        /// Position of the trial.
        trial: usize,
    },
    /// Volt's explorations of the files of a batch.
    Volt {
        /// Position of the corpus in the plan.
        corpus: usize,
        /// Number of the batch of [`EXPLORED`] files.
        batch: usize,
    },
    /// Our explorations of some files of a corpus.
    Explore {
        /// Position of the corpus in the plan.
        corpus: usize,
        /// Number of the batch of [`EXPLORED`] files.
        batch: usize,
    },
    /// The comparator on all tasks of a corpus.
    ComparatorTasks {
        /// Position of the corpus in the plan.
        corpus: usize,
    },
    /// Our maps of all tasks of a corpus.
    Tasks {
        /// Position of the corpus in the plan.
        corpus: usize,
        /// The profile that makes them; it need not be that of the plan.
        profile: Profile,
    },
    /// The comparator on the models of a corpus, one after the other.
    ComparatorModels {
        /// Position of the corpus in the plan.
        corpus: usize,
    },
    /// Our maps for the models of a corpus.
    Models {
        /// Position of the corpus in the plan.
        corpus: usize,
    },
    /// What other tools show of the files that questions are about.
    Baselines {
        /// Position of the corpus in the plan.
        corpus: usize,
    },
    /// Our summaries of the files that questions are about.
    Summaries {
        /// Position of the corpus in the plan.
        corpus: usize,
        /// The profile that makes them; it need not be that of the plan.
        profile: Profile,
        /// The budget in tokens, one of [`SUMMARY_BUDGETS`].
        budget: u64,
    },
    /// Our answers about all places of a corpus.
    Navigation {
        /// Position of the corpus in the plan.
        corpus: usize,
    },
    /// A scenario of the store of large content.
    Scenario {
        /// Position of the corpus in the plan.
        corpus: usize,
        /// Position of the scenario.
        scenario: usize,
    },
}

impl Unit {
    /// Position of its corpus in the plan.
    pub const fn corpus(&self) -> usize {
        match *self {
            Self::Comparator { corpus }
            | Self::Raw { corpus, .. }
            | Self::Engine { corpus }
            | Self::Repeat { corpus, .. }
            | Self::ComparatorSequences { corpus }
            | Self::Sequence { corpus, .. }
            | Self::Trial { corpus, .. }
            | Self::Volt { corpus, .. }
            | Self::Explore { corpus, .. }
            | Self::ComparatorTasks { corpus }
            | Self::Tasks { corpus, .. }
            | Self::ComparatorModels { corpus }
            | Self::Models { corpus }
            | Self::Baselines { corpus }
            | Self::Summaries { corpus, .. }
            | Self::Navigation { corpus }
            | Self::Scenario { corpus, .. } => corpus,
        }
    }

    /// Whether it asks the comparator of maps.
    pub const fn asks_comparator(&self) -> bool {
        self.asks_for_maps() || matches!(self, Self::ComparatorSequences { .. })
    }

    /// Whether it asks the comparator for maps that do not depend on each other. Their answers are kept in the
    /// response cache; those of call sequences are not.
    pub const fn asks_for_maps(&self) -> bool {
        matches!(
            self,
            Self::Comparator { .. }
                | Self::Raw { .. }
                | Self::ComparatorTasks { .. }
                | Self::ComparatorModels { .. }
        )
    }

    /// Whose program it runs.
    pub const fn side(&self) -> Side {
        if self.asks_comparator() || matches!(self, Self::Volt { .. } | Self::Baselines { .. }) {
            Side::Comparator
        } else {
            Side::Engine
        }
    }
}

impl Plan {
    /// All units, those of the comparator first.
    pub fn units(&self) -> Vec<Unit> {
        let corpora = || self.corpora.iter().enumerate();
        let mut units = Vec::new();
        if self.profile.is_parity() {
            let mapped = corpora().filter(|(_, planned)| !planned.cases.is_empty());
            units.extend(mapped.map(|(corpus, _)| Unit::Comparator { corpus }));
            let with_sequences = corpora().filter(|(_, planned)| !planned.sequences.is_empty());
            units.extend(with_sequences.map(|(corpus, _)| Unit::ComparatorSequences { corpus }));
            let with_models = corpora().filter(|(_, planned)| !planned.models.is_empty());
            units.extend(with_models.map(|(corpus, _)| Unit::ComparatorModels { corpus }));
            units.extend(corpora().flat_map(|(corpus, planned)| {
                (0..planned.raw_seeds).map(move |seed| Unit::Raw { corpus, seed })
            }));
        }
        let with_tasks = || corpora().filter(|(_, planned)| !planned.tasks.is_empty());
        units.extend(with_tasks().map(|(corpus, _)| Unit::ComparatorTasks { corpus }));
        units.extend(with_tasks().flat_map(|(corpus, _)| {
            Profile::ALL.into_iter().map(move |profile| Unit::Tasks { corpus, profile })
        }));
        let with_summaries = || corpora().filter(|(_, planned)| !planned.summaries.is_empty());
        units.extend(with_summaries().map(|(corpus, _)| Unit::Baselines { corpus }));
        units.extend(with_summaries().flat_map(|(corpus, _)| {
            Profile::ALL.into_iter().flat_map(move |profile| {
                SUMMARY_BUDGETS.map(|budget| Unit::Summaries { corpus, profile, budget })
            })
        }));
        let batches = |planned: &PlannedCorpus| planned.explorations.len().div_ceil(EXPLORED);
        if self.volt.is_some() {
            units.extend(corpora().flat_map(|(corpus, planned)| {
                (0..batches(planned)).map(move |batch| Unit::Volt { corpus, batch })
            }));
        }
        for (corpus, planned) in corpora() {
            if !planned.cases.is_empty() {
                units.push(Unit::Engine { corpus });
            }
            if !planned.models.is_empty() {
                units.push(Unit::Models { corpus });
            }
            if !planned.navigation.is_empty() {
                units.push(Unit::Navigation { corpus });
            }
            units.extend((0..planned.repeats).map(|number| Unit::Repeat { corpus, number }));
            let sequences = 0..planned.sequences.len();
            units.extend(sequences.map(|sequence| Unit::Sequence { corpus, sequence }));
            units.extend((0..planned.trials.len()).map(|trial| Unit::Trial { corpus, trial }));
            units.extend((0..batches(planned)).map(|batch| Unit::Explore { corpus, batch }));
            let scenarios = 0..planned.scenarios.len();
            units.extend(scenarios.map(|scenario| Unit::Scenario { corpus, scenario }));
        }
        units
    }

    /// The key of a unit in the index.
    pub fn key(&self, unit: &Unit) -> String {
        let corpus = |at: usize| self.corpora.get(at);
        let name = |at| corpus(at).map_or("", |corpus: &PlannedCorpus| corpus.name.as_str());
        match *unit {
            Unit::Comparator { corpus } => comparator_key(name(corpus)),
            Unit::Raw { corpus, seed } => raw_key(name(corpus), seed),
            Unit::Engine { corpus } => engine_key(name(corpus)),
            Unit::Repeat { corpus, number } => repeat_key(name(corpus), number),
            Unit::ComparatorSequences { corpus } => sequences_key(name(corpus)),
            Unit::Sequence { corpus: at, sequence } => {
                let sequence = corpus(at).and_then(|corpus| corpus.sequences.get(sequence));
                sequence_key(name(at), sequence.map_or("", |sequence| sequence.id.as_str()))
            }
            Unit::Trial { corpus: at, trial } => corpus(at)
                .and_then(|corpus| corpus.trials.get(trial))
                .map_or_else(String::new, |trial| trial_key(name(at), trial)),
            Unit::Volt { corpus, batch } => volt_key(name(corpus), batch),
            Unit::Explore { corpus, batch } => explore_key(name(corpus), batch),
            Unit::ComparatorTasks { corpus } => comparator_tasks_key(name(corpus)),
            Unit::Tasks { corpus, profile } => tasks_key(name(corpus), profile),
            Unit::ComparatorModels { corpus } => comparator_models_key(name(corpus)),
            Unit::Models { corpus } => models_key(name(corpus)),
            Unit::Navigation { corpus } => navigation_key(name(corpus)),
            Unit::Baselines { corpus } => baselines_key(name(corpus)),
            Unit::Summaries { corpus, profile, budget } => {
                summaries_key(name(corpus), profile, budget)
            }
            Unit::Scenario { corpus: at, scenario } => {
                let scenario = corpus(at).and_then(|corpus| corpus.scenarios.get(scenario));
                scenario_key(name(at), scenario.map_or("", |scenario| scenario.id.as_str()))
            }
        }
    }
}

/// Key of the comparator's recording of a corpus's sequences.
pub fn sequences_key(corpus: &str) -> String {
    format!("{corpus}/refresh/comparator")
}

/// Key of our recording of a sequence.
pub fn sequence_key(corpus: &str, sequence: &str) -> String {
    format!("{corpus}/refresh/{sequence}")
}

/// Key of a trial's recording.
pub fn trial_key(corpus: &str, trial: &Trial) -> String {
    format!("{corpus}/trial/{}", trial.key())
}

/// Key of the comparator's recording of a corpus.
pub fn comparator_key(corpus: &str) -> String {
    format!("{corpus}/comparator")
}

/// Key of the comparator's seeded run of one seed on a corpus.
pub fn raw_key(corpus: &str, seed: u64) -> String {
    format!("{corpus}/raw/{seed}")
}

/// Key of our recording of all cases of a corpus.
pub fn engine_key(corpus: &str) -> String {
    format!("{corpus}/maps")
}

/// Key of a repeated run.
pub fn repeat_key(corpus: &str, number: u64) -> String {
    format!("{corpus}/repeat/{number}")
}

/// Key of Volt's explorations of a batch of a corpus's files.
pub fn volt_key(corpus: &str, batch: usize) -> String {
    format!("{corpus}/volt/{batch}")
}

/// Key of our explorations of a batch of a corpus's files; see [`further_key`].
pub fn explore_key(corpus: &str, batch: usize) -> String {
    format!("{corpus}/explore/{batch}")
}

/// Key of the comparator's recording of the tasks of a corpus.
pub fn comparator_tasks_key(corpus: &str) -> String {
    format!("{corpus}/tasks/comparator")
}

/// Key of our recording of the tasks of a corpus in a profile.
pub fn tasks_key(corpus: &str, profile: Profile) -> String {
    format!("{corpus}/tasks/{profile}")
}

/// Key of the comparator's recording of the models of a corpus.
pub fn comparator_models_key(corpus: &str) -> String {
    format!("{corpus}/models/comparator")
}

/// Key of our recording of the models of a corpus.
pub fn models_key(corpus: &str) -> String {
    format!("{corpus}/models/maps")
}

/// Key of what other tools show of the files that questions are about.
pub fn baselines_key(corpus: &str) -> String {
    format!("{corpus}/baselines")
}

/// Key of our summaries of the files that questions are about, in a profile and within a budget.
pub fn summaries_key(corpus: &str, profile: Profile, budget: u64) -> String {
    format!("{corpus}/summaries/{profile}/{budget}")
}

/// Key of our answers about the places of a corpus.
pub fn navigation_key(corpus: &str) -> String {
    format!("{corpus}/navigation")
}

/// Key of our recording of the first process of a scenario; see [`further_key`].
pub fn scenario_key(corpus: &str, scenario: &str) -> String {
    format!("{corpus}/store/{scenario}")
}

/// Key of a further recording of a unit, counted from 1. A batch has one for the files after each file that
/// ended our program, a scenario one for each process after the first.
pub fn further_key(key: &str, number: usize) -> String {
    format!("{key}/{number}")
}
