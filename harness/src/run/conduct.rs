//! Conducting a run: makes every recording that is still missing, reports the progress, and judges the
//! evidence.

use std::{
    cell::RefCell,
    collections::BTreeMap,
    fs,
    num::NonZeroUsize,
    path::{Path, PathBuf},
    sync::mpsc,
    thread,
    time::Instant,
};

use record::{Store, Unit, exit};
use verdict::{Evaluation, evaluate};

use super::{
    Answers, Executor, Recorded, Recorder, RunDir, RunDirError,
    cluster::{Address, Driver, Event, Fleet, may_be_sent},
    remaining::Remaining,
    schedule,
};
use crate::{
    Failure, Folders,
    comparator::{Cache, Comparator, volt::Volt},
    console::{Bar, Output, talk},
    corpus::Materialised,
    planning::Setup,
    process,
    shared::Kind,
};

/// Without a terminal, one in this many quick recordings is reported. At two or three a second that is
/// about a line a minute.
const TOLD_EVERY: usize = 100;

/// How a run is conducted.
#[derive(Debug, Clone, Default)]
pub struct Conduct {
    /// How many programs run at once; as many as there are processors if absent.
    pub jobs: Option<NonZeroUsize>,
    /// True to ask the comparator again instead of using answers of earlier runs.
    pub fresh: bool,
    /// The cluster that units are sent to; they run here if absent.
    pub cluster: Option<Address>,
    /// True to print every event of a cluster as a line of JSON.
    pub prints_events: bool,
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
                baselines: setup.baselines.as_ref(),
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
        // What a cluster is doing.
        let status = RefCell::new(String::new());
        let answers = folders.store.as_ref().map(|shared| {
            Answers::of(shared, &executor.recorder, &setup.spec, setup.tuple.as_ref())
        });
        let mut finished = |unit: &Unit, key: &str| {
            done += 1;
            let weight = weights.get(key).copied().unwrap_or_default();
            left.done(weight);
            let mut left = left.in_words(started.elapsed());
            let status = status.borrow();
            if !status.is_empty() {
                left.push_str(&format!("; {status}"));
            }
            bar.advance(weight);
            bar.say(&format!("{done}/{total} {key} ({left})"));
            // Without a bar, each slow unit gets a line, and every hundredth of the others.
            let slow = unit.asks_for_maps()
                || matches!(unit, Unit::Navigation { .. } | Unit::Baselines { .. });
            if bar.is_hidden() && (slow || done.is_multiple_of(TOLD_EVERY)) {
                talk(&format!("recorded {key} ({done} of {total}, {left})"));
            }
        };
        let mut open = executor.open(dir);
        // The attempt that recorded these may have been stopped before it put them into the store.
        let earlier: Vec<(Unit, Recorded)> = units
            .iter()
            .filter_map(|unit| Some((unit.clone(), dir.all_recorded(&setup.plan.key(unit))?)))
            .collect();
        if let Some(answers) = answers.as_ref().filter(|_| !self.fresh) {
            let mut taken = |unit: &Unit, key: &str, _: &Recorded| finished(unit, key);
            let left = answers.take(open, dir, &mut taken);
            open = left.map_err(|error| Failure::new(exit::IO, error.to_string()))?;
            process::go_on()?;
        }
        let evidence = Store::at(dir.evidence());
        let result = thread::scope(|scope| {
            // Answers are put into the store beside the recording of others, so that it need not wait.
            let publisher = answers.as_ref().map(|answers| {
                let (sender, recordings) = mpsc::channel::<(Unit, Recorded)>();
                let evidence = &evidence;
                scope.spawn(move || {
                    for (unit, recorded) in earlier.into_iter().chain(recordings) {
                        answers.publish(&unit, &recorded, evidence);
                    }
                });
                sender
            });
            let mut finished = |unit: &Unit, key: &str, recorded: &Recorded| {
                finished(unit, key);
                if let Some(publisher) = &publisher {
                    // It listens until the last of them.
                    publisher.send((unit.clone(), recorded.clone())).ok();
                }
            };
            match &self.cluster {
                None => executor
                    .execute(open, dir, &mut finished)
                    .map_err(|error| failed(&error, error.exit_code())),
                Some(address) => {
                    let on_cluster = OnCluster { address, folders, setup, status: &status };
                    on_cluster.record(&executor, open, dir, &mut finished, self.prints_events, &bar)
                }
            }
        });
        bar.clear();
        if let Some(answers) = &answers {
            answers.problems().iter().for_each(|problem| talk(&format!("warning: {problem}")));
            if answers.taken() > 0 {
                talk(&format!(
                    "{} answers are from the shared store; --fresh bypasses it",
                    answers.taken()
                ));
            }
        }
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
        result?;
        let unchanged = setup.repositories.values().try_for_each(Materialised::check);
        unchanged.map_err(|error| failed(&error, error.exit_code()))
    }
}

fn failed(error: &dyn std::error::Error, code: u8) -> Failure {
    Failure::new(code, error.to_string())
}

/// A run whose units are sent to a cluster.
struct OnCluster<'a> {
    address: &'a Address,
    folders: &'a Folders,
    setup: &'a Setup,
    /// What the cluster is doing, in words.
    status: &'a RefCell<String>,
}

impl OnCluster<'_> {
    /// Records what only this machine can record, or already knows, and has all other units recorded by the cluster.
    fn record(
        &self,
        executor: &Executor,
        open: Vec<Unit>,
        dir: &mut RunDir,
        finished: &mut dyn FnMut(&Unit, &str, &Recorded),
        prints_events: bool,
        bar: &Bar,
    ) -> Result<(), Failure> {
        let Self { address, folders, setup, status } = *self;
        let driver = Driver::install(folders, &mut talk)
            .map_err(|error| failed(&error, error.exit_code()))?;
        let is_sent = |unit: &Unit| may_be_sent(unit) && !executor.recorder.is_known(unit);
        let (there, here): (Vec<Unit>, Vec<Unit>) = open.into_iter().partition(is_sent);
        executor.execute(here, dir, finished).map_err(|error| failed(&error, error.exit_code()))?;
        // Corpora and comparator were put there when they were made ready.
        if let Some(shared) = folders.store.as_ref().filter(|_| !there.is_empty()) {
            let program = &executor.recorder.engine;
            let put = shared.put(Kind::Engine, &setup.plan.engine_sha256, program);
            if let Err(error) = put {
                talk(&format!("warning: the engine is not shared: {error}"));
            }
        }
        talk(&format!("sending {} units to {address}", there.len()));
        let fleet = Fleet {
            address,
            driver: &driver,
            folders,
            recorder: &executor.recorder,
            spec: &setup.spec,
            tuple: setup.tuple.as_ref(),
            costs: &setup.costs,
            status,
        };
        let mut tell = |event: &Event| {
            if prints_events {
                let mut out = Output::new();
                // If nobody reads the events any more, the run goes on.
                let _ = out.json(event).and_then(|()| out.flush());
            }
            if let Some(words) = event.in_words() {
                bar.hide_while(|| talk(&words));
            }
        };
        fleet
            .record(there, dir, finished, &mut tell)
            .map_err(|error| failed(&error, error.exit_code()))
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
