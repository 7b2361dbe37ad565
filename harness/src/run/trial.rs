//! The trials of gate A5: one case made again and again, each time under other circumstances
//! that must not matter.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::gate::{A5Thresholds, Repetition};

/// Calls of a session that makes every map anew.
const CALLS: usize = 10;

/// One process that makes the case's map.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Trial {
    /// A fresh session with empty caches in `files` mode; the second call comes from its cache.
    Files {
        /// Number of the trial.
        number: u64,
    },
    /// The same in `manual` mode.
    Manual {
        /// Number of the trial.
        number: u64,
    },
    /// Many calls in one process, none of them from a cache.
    Calls,
    /// Another number of threads.
    Threads {
        /// How many.
        count: usize,
    },
    /// The files of a copy created in another order, so that folders list them otherwise.
    Order,
    /// A copy at another absolute path.
    Path,
    /// Another locale.
    Locale {
        /// Value of `LC_ALL`.
        name: String,
    },
}

/// The metric of each kind of trial, in order.
const METRICS: [&str; 7] = [
    "files_mode_identical",
    "manual_mode_identical",
    "calls_in_process_identical",
    "threads_identical",
    "creation_order_identical",
    "absolute_path_identical",
    "locale_identical",
];

impl Trial {
    /// All trials that the thresholds ask for.
    pub fn all(thresholds: &A5Thresholds) -> Vec<Self> {
        let numbers = || 0..thresholds.min_runs;
        let mut trials: Vec<Self> = numbers().map(|number| Self::Files { number }).collect();
        trials.extend(numbers().map(|number| Self::Manual { number }));
        trials.push(Self::Calls);
        trials.extend(thresholds.threads.iter().map(|&count| Self::Threads { count }));
        trials.extend([Self::Order, Self::Path]);
        trials.extend(thresholds.locales.iter().map(|name| Self::Locale { name: name.clone() }));
        trials
    }

    /// The part of its key that tells it from the other trials of its corpus.
    pub fn key(&self) -> String {
        match self {
            Self::Files { number } => format!("files/{number}"),
            Self::Manual { number } => format!("manual/{number}"),
            Self::Calls => "calls".to_owned(),
            Self::Threads { count } => format!("threads/{count}"),
            Self::Order => "order".to_owned(),
            Self::Path => "path".to_owned(),
            Self::Locale { name } => format!("locale/{name}"),
        }
    }

    /// The refresh mode and number of calls of a trial that is a session.
    pub const fn session(&self) -> Option<(&'static str, usize)> {
        match self {
            Self::Files { .. } => Some(("files", 2)),
            Self::Manual { .. } => Some(("manual", 2)),
            Self::Calls => Some(("always", CALLS)),
            _ => None,
        }
    }

    /// Sets what is special about the environment of a trial.
    pub fn environment(&self, env: &mut BTreeMap<String, String>) {
        match self {
            Self::Threads { count } => {
                env.insert("RAYON_NUM_THREADS".to_owned(), count.to_string());
            }
            Self::Locale { name } => {
                env.insert("LC_ALL".to_owned(), name.clone());
                env.insert("LANG".to_owned(), name.clone());
            }
            _ => {}
        }
    }

    const fn metric(&self) -> &'static str {
        METRICS[match self {
            Self::Files { .. } => 0,
            Self::Manual { .. } => 1,
            Self::Calls => 2,
            Self::Threads { .. } => 3,
            Self::Order => 4,
            Self::Path => 5,
            Self::Locale { .. } => 6,
        }]
    }
}

/// Gathers the maps of trials by what they repeat. Every call of a session counts as a run.
pub fn repetitions(
    thresholds: &A5Thresholds,
    trials: &[Trial],
    maps: impl Fn(&Trial) -> Result<Vec<String>, String>,
) -> Vec<Repetition> {
    METRICS
        .iter()
        .map(|&metric| {
            let mut runs = Vec::new();
            for trial in trials.iter().filter(|trial| trial.metric() == metric) {
                let made = maps(trial);
                match (trial, made) {
                    (Trial::Calls, Ok(made)) => {
                        runs.extend(made.into_iter().map(|map| Ok(vec![map])));
                    }
                    (_, made) => runs.push(made),
                }
            }
            let min_runs = match metric {
                "threads_identical" => thresholds.threads.len() as u64,
                "locale_identical" => thresholds.locales.len() as u64,
                "creation_order_identical" | "absolute_path_identical" => 1,
                _ => thresholds.min_runs,
            };
            Repetition { metric, min_runs, runs }
        })
        .collect()
}
