//! Conducting a run: makes every recording that is still missing, reports the progress, and judges the
//! evidence.

use std::{
    collections::BTreeMap,
    fs,
    num::NonZeroUsize,
    path::{Path, PathBuf},
    thread,
    time::Instant,
};

use record::{Unit, exit};
use verdict::{Evaluation, evaluate};

use super::{Executor, Recorder, RunDir, RunDirError, remaining::Remaining, schedule};
use crate::{
    Failure, Folders,
    comparator::{Cache, Comparator, volt::Volt},
    console::{Bar, talk},
    corpus::Materialised,
    planning::Setup,
    process,
};

/// Without a terminal, one in this many quick recordings is reported. At two or three a second that is
/// about a line a minute.
const TOLD_EVERY: usize = 100;

/// How a run is conducted.
#[derive(Debug, Clone, Copy)]
pub struct Conduct {
    /// How many programs run at once; as many as there are processors if absent.
    pub jobs: Option<NonZeroUsize>,
    /// True to ask the comparator again instead of using answers of earlier runs.
    pub fresh: bool,
}

impl Conduct {
    /// Makes the recordings of a plan and judges them. An interrupted run of the same plan is continued
    /// in its folder; otherwise the folder is new.
    ///
    /// # Errors
    /// A program cannot be started, something cannot be written, or the user stops it.
    pub fn run(&self, folders: &Folders, setup: &Setup) -> Result<(RunDir, Evaluation), Failure> {
        let io = |error: RunDirError| Failure::new(exit::IO, error.to_string());
        let runs = folders.artifacts().join("runs");
        let mut dir = RunDir::open(&runs, &setup.plan).map_err(io)?;
        self.record(folders, setup, &mut dir)?;
        // Protocols, locks, gold and the comparator's files belong to the evidence.
        for (name, path) in &setup.rests_on {
            let bytes = fs::read(path).map_err(|error| {
                Failure::new(exit::IO, format!("{} cannot be read: {error}", path.display()))
            })?;
            dir.write(name, &bytes).map_err(io)?;
        }
        dir.write_index().map_err(io)?;
        process::go_on()?;
        talk("judging the recordings");
        let evaluation = judge(&dir.evidence())?;
        process::go_on()?;
        Ok((dir, evaluation))
    }

    /// Makes every recording that is still missing.
    fn record(&self, folders: &Folders, setup: &Setup, dir: &mut RunDir) -> Result<(), Failure> {
        let units = setup.plan.units();
        let total = units.len();
        let recorded = |unit: &&Unit| dir.recorded(&setup.plan.key(unit)).is_some();
        let mut done = units.iter().filter(recorded).count();
        if done > 0 {
            talk(&format!("resuming: {done} of {total} recordings are there"));
        }
        let processors = || thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let cache = setup
            .tuple
            .as_ref()
            .map(|tuple| Cache::at(folders.cache.join("answers"), tuple, self.fresh));
        let executor = Executor {
            recorder: Recorder {
                plan: &setup.plan,
                repositories: &setup.repositories,
                comparator: setup
                    .environment
                    .as_ref()
                    .map(|environment| Comparator { spec: &setup.spec, environment }),
                volt: match &setup.volt {
                    Some(Volt::Live(checkout)) => Some(checkout),
                    _ => None,
                },
                cache: cache.as_ref(),
                engine: std::env::current_exe()?,
            },
            workers: self.jobs.unwrap_or_else(processors).get(),
            costs: &setup.costs,
            memory_mb: schedule::available_memory_mb(),
        };
        // The bar counts seconds of work instead of units, because some units take a minute and most a
        // moment. Answers from the cache count as zero.
        let cost = |unit: &Unit| schedule::cost(&setup.plan, &setup.costs, unit).cpu_seconds;
        let weight = |unit: &Unit| if executor.recorder.is_known(unit) { 0 } else { cost(unit) };
        let weights: BTreeMap<String, u64> =
            units.iter().map(|unit| (setup.plan.key(unit), weight(unit))).collect();
        let behind: u64 = units
            .iter()
            .filter(recorded)
            .filter_map(|unit| weights.get(&setup.plan.key(unit)))
            .sum();
        let all: u64 = weights.values().sum();
        let bar = bar(all, behind);
        let (started, mut left) =
            (Instant::now(), Remaining::new([all - behind], executor.workers));
        let result = executor.execute(dir, &mut |unit, key| {
            done += 1;
            let weight = weights.get(key).copied().unwrap_or_default();
            left.done(weight);
            let left = left.in_words(started.elapsed());
            bar.advance(weight);
            bar.say(&format!("{done}/{total} {key} ({left})"));
            // Without a bar, each slow unit gets a line, and every hundredth of the others.
            let slow = unit.asks_for_maps();
            if bar.is_hidden() && (slow || done.is_multiple_of(TOLD_EVERY)) {
                talk(&format!("recorded {key} ({done} of {total}, {left})"));
            }
        });
        bar.clear();
        if let Some(cache) = &cache {
            cache.problems().iter().for_each(|problem| talk(&format!("warning: {problem}")));
            if cache.replayed() > 0 {
                talk(&format!(
                    "{} answers of the comparator are from the response cache; --fresh bypasses it",
                    cache.replayed()
                ));
            }
        }
        if let (Ok(()), Some(checkout)) = (&result, executor.recorder.volt) {
            checkout.check().map_err(|why| Failure::new(exit::DIGEST, why))?;
        }
        // The repositories were also checked before the run, so passing here means that nothing was
        // written into them during it.
        let unchanged = || setup.repositories.values().try_for_each(Materialised::check);
        result
            .and_then(|()| Ok(unchanged()?))
            .map_err(|error| Failure::new(error.exit_code(), error.to_string()))
    }
}

/// Recomputes all gates from an evidence folder.
///
/// # Errors
/// The evidence cannot be read.
pub fn judge(evidence: &Path) -> Result<Evaluation, Failure> {
    evaluate(evidence).map_err(|error| Failure::new(exit::SETUP, error.to_string()))
}

/// The evidence in a folder: a run has a folder for it, a bundle is evidence itself.
pub fn evidence_in(folder: &Path) -> PathBuf {
    let inner = folder.join("evidence");
    if inner.is_dir() { inner } else { folder.to_owned() }
}

/// A progress bar on a terminal, nothing elsewhere.
fn bar(total: u64, done: u64) -> Bar {
    Bar::new(total, "{bar:30} {msg}").after(done)
}
