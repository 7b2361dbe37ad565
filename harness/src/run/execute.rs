//! Executes a plan: every unit is one recorded run of one program.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::mpsc,
    time::Duration,
};

use base::scratch::Scratch;
use record::{
    Case, Digest, Places, Plan, PlannedCorpus, Recording, Side, Store, StoreError, Unit, budgets_of,
};
use serde_json::{Value, json};

use super::{
    Recorded, RunDir, RunDirError, edits::SequenceError, held_copy::HeldCopy, schedule::Schedule,
};
use crate::{
    comparator::{Cache, Comparator, MODEL, Question, RunError},
    corpus::{Cost, Materialised, repository::RepositoryError},
    process::{self, Invocation, ProcessError},
};

/// Longest time that one of our maps may take.
const ENGINE_DEADLINE: Duration = Duration::from_mins(10);
/// Most bytes that one of our maps may print.
const ENGINE_OUTPUT: usize = 512 << 20;

/// A unit could not be recorded at all. A program that runs badly is recorded, and judged later.
#[derive(Debug, thiserror::Error)]
pub enum ExecuteError {
    /// The comparator could not be started.
    #[error(transparent)]
    Comparator(#[from] RunError),
    /// Our program could not be started.
    #[error(transparent)]
    Process(#[from] ProcessError),
    /// A recording could not be kept.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A call sequence could not be run.
    #[error(transparent)]
    Sequence(#[from] SequenceError),
    /// The run folder could not be written.
    #[error(transparent)]
    RunDir(#[from] RunDirError),
    /// The comparator changed its corpus, or the corpus is not what was materialised.
    #[error(transparent)]
    Corpus(#[from] RepositoryError),
    /// The user stopped the run.
    #[error("interrupted; run the same command again to resume")]
    Interrupted,
}

/// Executes the units of a plan.
#[derive(Debug)]
pub struct Executor<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// The materialised repository of each corpus, by name.
    pub repositories: &'a BTreeMap<String, Materialised>,
    /// The comparator; absent in the enhancement profile, which needs none.
    pub comparator: Option<Comparator<'a>>,
    /// Answers of the comparator from earlier runs.
    pub cache: Option<&'a Cache>,
    /// The program under test.
    pub engine: PathBuf,
    /// How many units run at once, if memory allows.
    pub workers: usize,
    /// What the comparator costs, by corpus.
    pub costs: &'a BTreeMap<String, Cost>,
    /// Memory that the running units may take together, in MB.
    pub memory_mb: u64,
}

impl Executor<'_> {
    /// Runs every unit that has no recording yet. `finished` is told of each, with its key, as it
    /// is recorded.
    pub fn execute(
        &self,
        dir: &mut RunDir,
        finished: &mut dyn FnMut(&Unit, &str),
    ) -> Result<(), ExecuteError> {
        let open: Vec<Unit> = self
            .plan
            .units()
            .into_iter()
            .filter(|unit| dir.recorded(&self.plan.key(unit)).is_none())
            .collect();
        let store = Store::at(dir.evidence());
        let schedule = Schedule::new(self.plan, self.costs, open, self.memory_mb);
        let (sender, results) = mpsc::channel();
        std::thread::scope(|scope| {
            for _ in 0..self.workers.max(1) {
                let (schedule, store, sender) = (&schedule, &store, sender.clone());
                scope.spawn(move || {
                    let mut held = HeldCopy::default();
                    while !process::interrupted() {
                        let Some(unit) = schedule.next() else { break };
                        let result = self.record(&unit, store, &mut held);
                        schedule.ended(&unit);
                        let failed = result.is_err();
                        if sender.send((unit, result)).is_err() || failed {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            for (unit, result) in results {
                let key = self.plan.key(&unit);
                let recorded = result?;
                // What an interrupt cut short is not evidence; it is done again.
                if !process::interrupted() {
                    dir.note(&key, recorded)?;
                    finished(&unit, &key);
                }
            }
            Ok::<(), ExecuteError>(())
        })?;
        if process::interrupted() { Err(ExecuteError::Interrupted) } else { Ok(()) }
    }

    fn record(
        &self,
        unit: &Unit,
        store: &Store,
        held: &mut HeldCopy,
    ) -> Result<Recorded, ExecuteError> {
        let corpus = self.plan.corpora.get(unit.corpus()).ok_or_else(missing)?;
        let repository = self.repositories.get(&corpus.name).ok_or_else(missing)?;
        let repo = repository.path.as_path();
        let first_budget = self.plan.budgets.first().copied().unwrap_or_default();
        let recorded = match *unit {
            Unit::Explore { batch, .. } => return self.explore(corpus, batch, repo, store),
            Unit::Comparator { .. } => {
                let Plan { budgets, wide_budget, .. } = self.plan;
                let request = request(&corpus.cases, budgets, *wide_budget);
                self.ask(repository, &request, store, held)
            }
            Unit::Raw { seed, .. } => {
                let request = raw_request(&corpus.cases, &self.plan.budgets, seed);
                self.ask(repository, &request, store, held)
            }
            Unit::Engine { .. } => self.maps(corpus, repo, store),
            Unit::Repeat { .. } => {
                let case = corpus.cases.first().ok_or_else(missing)?;
                self.map(corpus, case, first_budget, repo, store)
            }
            Unit::ComparatorSequences { .. } => {
                let comparator = self.comparator.as_ref().ok_or_else(missing)?;
                Self::comparator_sequences(comparator, corpus, held.of(repository)?, store)
            }
            Unit::Sequence { sequence, .. } => {
                let sequence = corpus.sequences.get(sequence).ok_or_else(missing)?;
                self.sequence(corpus, sequence, repository, store)
            }
            Unit::Trial { trial, .. } => {
                let case = corpus.cases.first().ok_or_else(missing)?;
                let trial = corpus.trials.get(trial).ok_or_else(missing)?;
                self.trial(corpus, case, trial, repository, store)
            }
        };
        recorded.map(Recorded::from)
    }

    /// The comparator's answer about a corpus, from an earlier run if it was asked the same.
    fn ask(
        &self,
        repository: &Materialised,
        request: &Value,
        store: &Store,
        held: &mut HeldCopy,
    ) -> Result<Digest, ExecuteError> {
        let Materialised { name, commit, tree_sha256, status, .. } = repository;
        let content = json!({"commit": commit, "tree_sha256": tree_sha256, "status": status});
        let mut request = request.clone();
        repository.view.ask(&mut request);
        let question = Question { corpus: name, content: &content, request: &request };
        if let Some(known) = self.cache.and_then(|cache| cache.recall(&question, store)) {
            return Ok(known);
        }
        let comparator = self.comparator.as_ref().ok_or_else(missing)?;
        // The comparator works on a copy without write permission, which must come out as it
        // went in.
        let copy = held.of(repository)?;
        let run = comparator.run_cases(copy.path(), &request, name, store)?;
        copy.verify_unchanged()?;
        let complete = run.answer.as_ref().is_ok_and(|answer| !answer.has_failed_cases());
        if let Some(cache) = self.cache.filter(|_| complete) {
            cache.keep(&question, &run.name, store);
        }
        Ok(run.name)
    }

    /// Our program in a repository, with limits and a fixed environment, without arguments.
    pub(super) fn invocation(&self, repo: &Path) -> Invocation {
        Invocation {
            env: BTreeMap::from([
                ("PATH".to_owned(), std::env::var("PATH").unwrap_or_default()),
                ("LC_ALL".to_owned(), "C.UTF-8".to_owned()),
            ]),
            deadline: ENGINE_DEADLINE,
            max_stdout: ENGINE_OUTPUT,
            ..Invocation::new(&self.engine, repo)
        }
    }

    /// Keeps a run of our program, with the places of this machine replaced by names. The program is
    /// named by its whole path: its folder may be one that maps speak of, such as `/tmp`.
    pub(super) fn keep(
        &self,
        capture: &record::Capture,
        corpus: &PlannedCorpus,
        repo: &Path,
        store: &Store,
    ) -> Result<Digest, ExecuteError> {
        let path = std::env::var("PATH").unwrap_or_default();
        let places = Places::default()
            .with("$PATH", Path::new(&path))
            .with("$ENGINE", &self.engine)
            .with("$REPO", repo);
        Ok(Recording::write(store, Side::Engine, &corpus.name, capture, &places)?.1)
    }

    /// The maps of all cases at all budgets by one process, in the order of
    /// [`Plan::maps_of`]. Tags and edges do not depend on the budget: they are recorded once
    /// for each case.
    fn maps(
        &self,
        corpus: &PlannedCorpus,
        repo: &Path,
        store: &Store,
    ) -> Result<Digest, ExecuteError> {
        let mut args = self.map_arguments(corpus);
        args.extend(["--requests", "-"].map(str::to_owned));
        let mut invocation = self.invocation(repo).args(args);
        for (case, budget) in self.plan.maps_of(corpus) {
            let graph = self.plan.budgets.first() == Some(&budget);
            let request = json!({
                "chat_files": case.chat_files,
                "read_only_files": case.read_only_files,
                "message": case.message,
                "map_tokens": budget,
                "trace": if graph { "graph" } else { "ranking" },
            });
            invocation.stdin.extend(format!("{request}\n").into_bytes());
        }
        self.keep(&process::run(&invocation)?, corpus, repo, store)
    }

    fn map(
        &self,
        corpus: &PlannedCorpus,
        case: &Case,
        budget: u64,
        repo: &Path,
        store: &Store,
    ) -> Result<Digest, ExecuteError> {
        let mut args = self.map_arguments(corpus);
        args.extend(["--map-tokens".to_owned(), budget.to_string()]);
        args.extend(["--json", "--trace"].map(str::to_owned));
        args.extend(case_arguments(case));
        let capture = process::run(&self.invocation(repo).args(args))?;
        self.keep(&capture, corpus, repo, store)
    }

    fn map_arguments(&self, corpus: &PlannedCorpus) -> Vec<String> {
        let mut args = corpus.view.map_arguments();
        args.extend(["--map-mul-no-files", "2", "--refresh", "files"].map(str::to_owned));
        args.extend(["--profile".to_owned(), self.plan.profile.to_string()]);
        args
    }
}

/// The arguments of `parity map` that a case stands for.
pub(super) fn case_arguments(case: &Case) -> Vec<String> {
    let mut args = Vec::new();
    for file in &case.chat_files {
        args.extend(["--chat".to_owned(), file.clone()]);
    }
    for file in &case.read_only_files {
        args.extend(["--read-only".to_owned(), file.clone()]);
    }
    if !case.message.is_empty() {
        args.extend(["--message".to_owned(), case.message.clone()]);
    }
    args
}

/// A temporary folder for copies of a corpus; it is removed when the value goes.
pub(super) fn scratch_folder() -> Result<Scratch, RunError> {
    Scratch::new("corpus").map_err(|source| RunError::Io { path: std::env::temp_dir(), source })
}

pub(super) fn missing() -> RunError {
    let error = std::io::Error::other("the plan does not match the repositories");
    RunError::Io { path: PathBuf::from("plan.json"), source: error }
}

/// The driver's request for one seeded run. Only rankings and maps are compared, so tags
/// and edges are left out.
pub fn raw_request(cases: &[Case], budgets: &[u64], seed: u64) -> Value {
    let mut request = request(cases, budgets, None);
    request["mode"] = "raw".into();
    request["seed"] = seed.to_string().into();
    request["dump"] = json!([]);
    request
}

/// The driver's request: all cases of a corpus at every budget, the first also at the wide one,
/// canonically.
pub fn request(cases: &[Case], budgets: &[u64], wide: Option<u64>) -> Value {
    let cases: Vec<Value> = cases
        .iter()
        .enumerate()
        .flat_map(|(position, case)| {
            budgets_of(position, budgets, wide).into_iter().map(move |budget| {
                json!({
                    "id": format!("{}/{budget}", case.id),
                    "map_tokens": budget,
                    "chat_files": case.chat_files,
                    "read_only_files": case.read_only_files,
                    "message": case.message,
                })
            })
        })
        .collect();
    json!({
        "schema_version": 1,
        "mode": "canonical",
        "model": MODEL,
        "map_mul_no_files": 2,
        "refresh": "auto",
        "dump": ["tags", "edges", "tracked"],
        "cases": cases,
    })
}
