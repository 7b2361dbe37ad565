//! Doing what a plan says: every unit is one recorded run of one program.

use std::{
    collections::{BTreeMap, VecDeque},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError, mpsc},
    time::Duration,
};

use serde_json::{Value, json};

use super::{
    Plan, PlannedCorpus, RunDir, RunDirError,
    evidence::{comparator_key, engine_key, repeat_key},
};
use crate::{
    comparator::{Comparator, Digest, Places, Recording, RunError, Store, StoreError},
    corpus::{Case, Materialised, repository::RepositoryError},
    process::{self, Invocation, ProcessError},
};

/// Longest time that one of our maps may take.
const ENGINE_DEADLINE: Duration = Duration::from_mins(10);
/// Most bytes that one of our maps may print.
const ENGINE_OUTPUT: usize = 512 << 20;

/// One recorded run to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unit {
    /// The comparator on all cases of a corpus.
    Comparator {
        /// Position of the corpus in the plan.
        corpus: usize,
    },
    /// Our map of one case at one budget.
    Engine {
        /// Position of the corpus in the plan.
        corpus: usize,
        /// Position of the case.
        case: usize,
        /// Budget in tokens.
        budget: u64,
    },
    /// A repeated map for the vertical slice.
    Repeat {
        /// Position of the corpus in the plan.
        corpus: usize,
        /// Number of the repeat.
        number: u64,
    },
}

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
    /// The run folder could not be written.
    #[error(transparent)]
    RunDir(#[from] RunDirError),
    /// The comparator changed its corpus, or the corpus is not what was materialised.
    #[error(transparent)]
    Corpus(#[from] RepositoryError),
    /// The user stopped the run.
    #[error("interrupted; run the same command again to go on from here")]
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
    /// The program under test.
    pub engine: PathBuf,
    /// How many units run at once.
    pub workers: usize,
}

impl Plan {
    /// All units, slowest first so that the end is not spent waiting for one of them.
    pub fn units(&self) -> Vec<Unit> {
        let corpora = || self.corpora.iter().enumerate();
        let mut units = Vec::new();
        if self.profile == "parity" {
            units.extend(corpora().map(|(corpus, _)| Unit::Comparator { corpus }));
        }
        for (corpus, planned) in corpora() {
            for case in 0..planned.cases.len() {
                units.extend(self.budgets.iter().map(|&budget| Unit::Engine {
                    corpus,
                    case,
                    budget,
                }));
            }
            units.extend((0..planned.repeats).map(|number| Unit::Repeat { corpus, number }));
        }
        units
    }

    /// The key of a unit in the index.
    pub fn key(&self, unit: &Unit) -> String {
        let corpus = |at: usize| self.corpora.get(at);
        let name = |at| corpus(at).map_or("", |corpus: &PlannedCorpus| corpus.name.as_str());
        match *unit {
            Unit::Comparator { corpus } => comparator_key(name(corpus)),
            Unit::Engine { corpus: at, case, budget } => {
                let case = corpus(at).and_then(|corpus| corpus.cases.get(case));
                engine_key(name(at), case.map_or("", |case| case.id.as_str()), budget)
            }
            Unit::Repeat { corpus, number } => repeat_key(name(corpus), number),
        }
    }
}

impl Executor<'_> {
    /// Runs every unit that has no recording yet. `finished` is told of each as it is recorded.
    pub fn execute(
        &self,
        dir: &mut RunDir,
        finished: &mut dyn FnMut(&str),
    ) -> Result<(), ExecuteError> {
        let open: VecDeque<Unit> = self
            .plan
            .units()
            .into_iter()
            .filter(|unit| dir.recorded(&self.plan.key(unit)).is_none())
            .collect();
        let store = Store::at(dir.evidence());
        let queue = Mutex::new(open);
        let (sender, results) = mpsc::channel();
        std::thread::scope(|scope| {
            for _ in 0..self.workers.max(1) {
                let (queue, store, sender) = (&queue, &store, sender.clone());
                scope.spawn(move || {
                    while !process::interrupted() {
                        let next = queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
                        let Some(unit) = next else { break };
                        let result = self.record(&unit, store);
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
                let recording = result?;
                // What an interrupt cut short is not evidence; it is done again.
                if !process::interrupted() {
                    dir.note(&key, recording)?;
                    finished(&key);
                }
            }
            Ok::<(), ExecuteError>(())
        })?;
        if process::interrupted() { Err(ExecuteError::Interrupted) } else { Ok(()) }
    }

    fn record(&self, unit: &Unit, store: &Store) -> Result<Digest, ExecuteError> {
        let at = match *unit {
            Unit::Comparator { corpus }
            | Unit::Engine { corpus, .. }
            | Unit::Repeat { corpus, .. } => corpus,
        };
        let missing = || {
            let error = std::io::Error::other("the plan does not match the repositories");
            RunError::Io { path: PathBuf::from("plan.json"), source: error }
        };
        let corpus = self.plan.corpora.get(at).ok_or_else(missing)?;
        let repository = self.repositories.get(&corpus.name).ok_or_else(missing)?;
        let repo = repository.path.as_path();
        let first_budget = self.plan.budgets.first().copied().unwrap_or_default();
        match *unit {
            Unit::Comparator { .. } => {
                let comparator = self.comparator.as_ref().ok_or_else(missing)?;
                let mut request = request(&corpus.cases, &self.plan.budgets);
                corpus.view.ask(&mut request);
                // The comparator works on a copy without write permission, which must come out
                // as it went in.
                let scratch = tempfile::Builder::new()
                    .prefix("parity-corpus-")
                    .tempdir()
                    .map_err(|source| RunError::Io { path: std::env::temp_dir(), source })?;
                let copy = repository.read_only_copy(&scratch.path().join(&corpus.name))?;
                let run = comparator.run_cases(copy.path(), &request, &corpus.name, store)?;
                copy.verify_unchanged()?;
                Ok(run.name)
            }
            Unit::Engine { case, budget, .. } => {
                let case = corpus.cases.get(case).ok_or_else(missing)?;
                self.map(corpus, case, budget, budget == first_budget, repo, store)
            }
            Unit::Repeat { .. } => {
                let case = corpus.cases.first().ok_or_else(missing)?;
                self.map(corpus, case, first_budget, false, repo, store)
            }
        }
    }

    fn map(
        &self,
        corpus: &PlannedCorpus,
        case: &Case,
        budget: u64,
        graph: bool,
        repo: &Path,
        store: &Store,
    ) -> Result<Digest, ExecuteError> {
        let invocation = Invocation {
            env: BTreeMap::from([
                ("PATH".to_owned(), std::env::var("PATH").unwrap_or_default()),
                ("LC_ALL".to_owned(), "C.UTF-8".to_owned()),
            ]),
            deadline: ENGINE_DEADLINE,
            max_stdout: ENGINE_OUTPUT,
            ..Invocation::new(&self.engine, repo)
        };
        let trace = if graph { "--trace-graph" } else { "--trace" };
        let mut args = corpus.view.map_arguments();
        args.extend(["--map-tokens".to_owned(), budget.to_string()]);
        args.extend(["--map-mul-no-files", "2", "--refresh", "files"].map(str::to_owned));
        args.extend(["--profile".to_owned(), self.plan.profile.clone()]);
        args.extend(["--json", trace].map(str::to_owned));
        for file in &case.chat_files {
            args.extend(["--chat".to_owned(), file.clone()]);
        }
        for file in &case.read_only_files {
            args.extend(["--read-only".to_owned(), file.clone()]);
        }
        if !case.message.is_empty() {
            args.extend(["--message".to_owned(), case.message.clone()]);
        }
        let capture = process::run(&invocation.args(args))?;
        let engine_folder = self.engine.parent().unwrap_or(Path::new("/"));
        let path = std::env::var("PATH").unwrap_or_default();
        let places = Places::default()
            .with("$PATH", Path::new(&path))
            .with("$ENGINE", engine_folder)
            .with("$REPO", repo);
        Ok(Recording::write(store, "engine", &corpus.name, &capture, &places)?.1)
    }
}

/// The driver's request: all cases of a corpus at every budget, canonically.
pub fn request(cases: &[Case], budgets: &[u64]) -> Value {
    let cases: Vec<Value> = cases
        .iter()
        .flat_map(|case| {
            budgets.iter().map(move |budget| {
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
        "model": "gpt-4o",
        "map_mul_no_files": 2,
        "refresh": "auto",
        "dump": ["tags", "edges", "tracked"],
        "cases": cases,
    })
}
