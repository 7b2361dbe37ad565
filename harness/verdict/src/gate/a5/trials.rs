//! The trials of A5: which ones are made, and which of them repeat the same thing.

use record::Trial;

use super::{A5Thresholds, Repetition};

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

/// All trials that the thresholds ask for.
pub fn trials(thresholds: &A5Thresholds) -> Vec<Trial> {
    let numbers = || 0..thresholds.min_runs;
    let mut trials: Vec<Trial> = numbers().map(|number| Trial::Files { number }).collect();
    trials.extend(numbers().map(|number| Trial::Manual { number }));
    trials.push(Trial::Calls);
    trials.extend(thresholds.threads.iter().map(|&count| Trial::Threads { count }));
    trials.extend([Trial::Order, Trial::Path]);
    trials.extend(thresholds.locales.iter().map(|name| Trial::Locale { name: name.clone() }));
    trials
}

const fn metric(trial: &Trial) -> &'static str {
    METRICS[match trial {
        Trial::Files { .. } => 0,
        Trial::Manual { .. } => 1,
        Trial::Calls => 2,
        Trial::Threads { .. } => 3,
        Trial::Order => 4,
        Trial::Path => 5,
        Trial::Locale { .. } => 6,
    }]
}

/// Gathers the maps of trials by what they repeat. Every call of a session counts as a run.
pub fn repetitions(
    thresholds: &A5Thresholds,
    trials: &[Trial],
    maps: impl Fn(&Trial) -> Result<Vec<String>, String>,
) -> Vec<Repetition> {
    METRICS
        .iter()
        .map(|&name| {
            let mut runs = Vec::new();
            for trial in trials.iter().filter(|trial| metric(trial) == name) {
                let made = maps(trial);
                match (trial, made) {
                    (Trial::Calls, Ok(made)) => {
                        runs.extend(made.into_iter().map(|map| Ok(vec![map])));
                    }
                    (_, made) => runs.push(made),
                }
            }
            let min_runs = match name {
                "threads_identical" => thresholds.threads.len() as u64,
                "locale_identical" => thresholds.locales.len() as u64,
                "creation_order_identical" | "absolute_path_identical" => 1,
                _ => thresholds.min_runs,
            };
            Repetition { metric: name, min_runs, runs }
        })
        .collect()
}
