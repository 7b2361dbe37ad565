//! Records one unit of a plan: runs its program and keeps what it did.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    time::Duration,
};

use base::scratch::Scratch;
use record::{
    Asked, Kept, Origin, Places, Plan, PlannedCorpus, Recording, Side, Store, Unit, volt_key,
};
use serde_json::{Value, json};

use super::{ExecuteError, Recorded, held_copy::HeldCopy};
use crate::{
    comparator::{
        Cache, Comparator, Question, RunError, baselines::InstalledBaselines, volt::Checkout,
    },
    corpus::Materialised,
    process::{self, Invocation},
};

/// The program that answers one request after another, in the plan's list of files.
const ANSWERER: &str = "/answer_many.py";
/// Longest time that one run of our program may take.
const ENGINE_DEADLINE: Duration = Duration::from_mins(10);
/// Most bytes that one run of our program may print.
const ENGINE_OUTPUT: usize = 512 << 20;

/// Everything that recording a unit needs.
#[derive(Debug)]
pub struct Recorder<'a> {
    /// The plan, or the part of it that the units are of.
    pub plan: &'a Plan,
    /// The materialised repository of each corpus, by name.
    pub repositories: &'a BTreeMap<String, Materialised>,
    /// The comparator; absent in the enhancement profile, which needs none.
    pub comparator: Option<Comparator<'a>>,
    /// The checkout of Volt, if one is run.
    pub volt: Option<&'a Checkout>,
    /// The baselines of summaries, if any are asked.
    pub baselines: Option<&'a InstalledBaselines>,
    /// Answers of the comparator from earlier runs.
    pub cache: Option<&'a Cache>,
    /// The program under test.
    pub engine: PathBuf,
}

impl Recorder<'_> {
    /// Whether the answer to a unit comes from the response cache.
    pub fn is_known(&self, unit: &Unit) -> bool {
        let known = || {
            let corpus = self.plan.corpora.get(unit.corpus())?;
            let repository = self.repositories.get(&corpus.name)?;
            let (key, request) = (self.plan.key(unit), self.plan.request(unit)?);
            let content = self.content(repository, &request);
            let corpus = &repository.name;
            let question = Question { corpus, unit: &key, content: &content, request: &request };
            Some(self.cache?.knows(&question))
        };
        unit.asks_for_maps() && known().unwrap_or(false)
    }

    /// Records a unit into a store: the one function that makes recordings, in a run on this machine and in a
    /// worker of a cluster.
    ///
    /// # Errors
    /// A program cannot be started, or a recording cannot be kept.
    pub fn record_unit(
        &self,
        unit: &Unit,
        store: &Store,
        held: &mut HeldCopy,
    ) -> Result<Recorded, ExecuteError> {
        let corpus = self.plan.corpora.get(unit.corpus()).ok_or_else(missing)?;
        let repository = self.repositories.get(&corpus.name).ok_or_else(missing)?;
        let repo = repository.path.as_path();
        let key = self.plan.key(unit);
        let asked = || self.plan.call(unit).ok_or_else(missing);
        let recorded = match *unit {
            Unit::Volt { batch, .. } => self.volt(corpus, batch, repo, store),
            Unit::Baselines { .. } => self.baselines(corpus, &key, repo, store),
            Unit::Explore { batch, .. } => return self.explore(corpus, batch, repo, store),
            Unit::Scenario { scenario, .. } => {
                return self.scenario(corpus, scenario, &key, repository, store);
            }
            Unit::Comparator { .. }
            | Unit::Raw { .. }
            | Unit::ComparatorTasks { .. }
            | Unit::ComparatorModels { .. } => {
                let request = self.plan.request(unit).ok_or_else(missing)?;
                self.ask(repository, &key, &request, store, held)
            }
            Unit::ComparatorSequences { .. } => {
                let request = self.plan.request(unit).ok_or_else(missing)?;
                self.comparator_sequences(corpus, &key, &request, held.of(repository)?, store)
            }
            Unit::Engine { .. }
            | Unit::Repeat { .. }
            | Unit::Tasks { .. }
            | Unit::Summaries { .. }
            | Unit::Navigation { .. }
            | Unit::Models { .. } => {
                let capture = process::run(&self.invocation(repo, asked()?))?;
                self.keep(&capture, corpus, &key, repo, store)
            }
            Unit::Sequence { sequence, .. } => {
                let sequence = corpus.sequences.get(sequence).ok_or_else(missing)?;
                self.sequence(corpus, sequence, &key, asked()?, repository, store)
            }
            Unit::Trial { trial, .. } => {
                let trial = corpus.trials.get(trial).ok_or_else(missing)?;
                self.trial(corpus, trial, &key, asked()?, repository, store)
            }
        };
        recorded.map(Recorded::from)
    }

    /// The comparator's answer about a corpus, or the one of an earlier run if the question was the same.
    fn ask(
        &self,
        repository: &Materialised,
        key: &str,
        request: &Value,
        store: &Store,
        held: &mut HeldCopy,
    ) -> Result<Kept, ExecuteError> {
        let (name, content) = (&repository.name, self.content(repository, request));
        let question = Question { corpus: name, unit: key, content: &content, request };
        if let Some(known) = self.cache.and_then(|cache| cache.recall(&question, store)) {
            return Ok(known);
        }
        let comparator = self.comparator.as_ref().ok_or_else(missing)?;
        // The comparator works on a copy without write permissions, which must be unchanged afterwards.
        let copy = held.of(repository)?;
        let (kept, complete) = if let Some(requests) = request.as_array() {
            let runs = comparator.run_each(copy.path(), requests, name, key, store)?;
            (runs.kept, runs.complete)
        } else {
            let run = comparator.run_cases(copy.path(), request, name, key, store)?;
            (run.kept, run.answer.is_ok_and(|answer| !answer.has_failed_cases()))
        };
        copy.verify_unchanged()?;
        if let Some(cache) = self.cache.filter(|_| complete) {
            cache.keep(&question, &kept, store);
        }
        Ok(kept)
    }

    /// What the answer to a request depends on beside the request and the comparator tuple: the content of the
    /// repository; for a list of requests also the program that answers them, which is no part of the tuple.
    fn content(&self, repository: &Materialised, request: &Value) -> Value {
        let Materialised { commit, tree_sha256, status, .. } = repository;
        let mut content = json!({"commit": commit, "tree_sha256": tree_sha256, "status": status});
        if request.is_array() {
            let programs = self.plan.rests_on.iter().filter(|(file, _)| file.ends_with(ANSWERER));
            content["answerer"] = programs.map(|(_, sha256)| json!(sha256)).collect();
        }
        content
    }

    /// Volt's answer about a batch of files.
    fn volt(
        &self,
        corpus: &PlannedCorpus,
        batch: usize,
        repo: &Path,
        store: &Store,
    ) -> Result<Kept, ExecuteError> {
        let checkout = self.volt.ok_or_else(missing)?;
        let request = self.plan.volt_request(corpus, batch, &repo.to_string_lossy());
        let capture = checkout.ask(&request.ok_or_else(missing)?)?;
        let unit = volt_key(&corpus.name, batch);
        let origin = Origin { side: Side::Comparator, corpus: &corpus.name, unit: &unit };
        let places = checkout.places().with("$REPO", repo);
        let (_, name) = Recording::write(store, origin, &capture, &places)?;
        Ok(Kept::new(name, capture.duration))
    }

    /// What other tools show of the files of a corpus that questions are about.
    fn baselines(
        &self,
        corpus: &PlannedCorpus,
        unit: &str,
        repo: &Path,
        store: &Store,
    ) -> Result<Kept, ExecuteError> {
        let baselines = self.baselines.ok_or_else(missing)?;
        let capture = baselines.ask(&corpus.baselines_request(&repo.to_string_lossy()))?;
        let origin = Origin { side: Side::Comparator, corpus: &corpus.name, unit };
        let places = baselines.places().with("$REPO", repo);
        let (_, name) = Recording::write(store, origin, &capture, &places)?;
        Ok(Kept::new(name, capture.duration))
    }

    /// The command that runs our program in a repository with a unit's question, with limits.
    pub(super) fn invocation(&self, repo: &Path, asked: Asked) -> Invocation {
        let Asked { args, mut env, stdin } = asked;
        env.insert("PATH".to_owned(), std::env::var("PATH").unwrap_or_default());
        Invocation {
            env,
            stdin,
            deadline: ENGINE_DEADLINE,
            max_stdout: ENGINE_OUTPUT,
            ..Invocation::new(&self.engine, repo).args(args)
        }
    }

    /// Records a run of our program with the paths of this machine replaced by names. The program's
    /// full path is replaced, not its folder, which may be one that maps mention, such as `/tmp`.
    pub(super) fn keep(
        &self,
        capture: &record::Capture,
        corpus: &PlannedCorpus,
        unit: &str,
        repo: &Path,
        store: &Store,
    ) -> Result<Kept, ExecuteError> {
        let path = std::env::var("PATH").unwrap_or_default();
        let places = Places::default()
            .with("$PATH", Path::new(&path))
            .with("$ENGINE", &self.engine)
            .with("$REPO", repo);
        let origin = Origin { side: Side::Engine, corpus: &corpus.name, unit };
        let (_, name) = Recording::write(store, origin, capture, &places)?;
        Ok(Kept::new(name, capture.duration))
    }
}

/// A temporary folder for copies of a corpus. It is removed when the value is dropped.
pub(super) fn scratch_folder() -> Result<Scratch, RunError> {
    Scratch::new("corpus").map_err(|source| RunError::Io { path: std::env::temp_dir(), source })
}

pub(super) fn missing() -> RunError {
    let error = std::io::Error::other("the plan does not match the repositories");
    RunError::Io { path: PathBuf::from("plan.json"), source: error }
}
