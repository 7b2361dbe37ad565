//! Running our program over the files of a plan: recorded, killable, and resumed.

use record::{Digest, Places, Recording, Side, Store, StoreError};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError, mpsc},
    time::Duration,
};

use super::{ScoreDir, ScoreEvidenceError, ScorePlan};
use crate::process::{self, Invocation, ProcessError};

/// Longest time for one call of our program.
const DEADLINE: Duration = Duration::from_mins(3);
/// Most bytes that one call may print.
const OUTPUT: usize = 1 << 30;

/// A unit could not be recorded at all. A program that runs badly is recorded, and judged later.
#[derive(Debug, thiserror::Error)]
pub enum ScoreExecuteError {
    /// Our program could not be started.
    #[error(transparent)]
    Process(#[from] ProcessError),
    /// A recording could not be kept.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The folder could not be written.
    #[error(transparent)]
    Dir(#[from] ScoreEvidenceError),
    /// The user stopped it.
    #[error("interrupted; run the same command again to go on from here")]
    Interrupted,
}

/// Runs the units of a plan.
#[derive(Debug)]
pub struct Scorer<'a> {
    /// The plan.
    pub plan: &'a ScorePlan,
    /// Where each corpus is, by name.
    pub roots: &'a BTreeMap<String, PathBuf>,
    /// The program under test.
    pub engine: PathBuf,
    /// How many run at once.
    pub workers: usize,
}

impl Scorer<'_> {
    /// Runs every unit that has no recording yet. `finished` hears how many files each had.
    ///
    /// # Errors
    /// Our program cannot be started, a recording cannot be kept, or the user stops it.
    pub fn execute(
        &self,
        dir: &mut ScoreDir,
        finished: &mut dyn FnMut(usize),
    ) -> Result<(), ScoreExecuteError> {
        let units = self.plan.units();
        let open = Mutex::new(units.iter().filter(|(key, ..)| !dir.has(key)).collect::<Vec<_>>());
        let store = dir.store();
        let (sender, results) = mpsc::channel();
        std::thread::scope(|scope| {
            for _ in 0..self.workers.max(1) {
                let (open, store, sender) = (&open, &store, sender.clone());
                scope.spawn(move || {
                    while !process::interrupted() {
                        let next = open.lock().unwrap_or_else(PoisonError::into_inner).pop();
                        let Some((key, corpus, files)) = next else { break };
                        let result = self.record(&corpus.name, files, store);
                        let failed = result.is_err();
                        if sender.send((key, files.len(), result)).is_err() || failed {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            for (key, count, result) in results {
                let recordings = result?;
                // What an interrupt cut short is not evidence; it is done again.
                if !process::interrupted() {
                    dir.note(key, recordings)?;
                    finished(count);
                }
            }
            Ok::<(), ScoreExecuteError>(())
        })?;
        if process::interrupted() { Err(ScoreExecuteError::Interrupted) } else { Ok(()) }
    }

    /// One call; where a file ended our program, more calls with the files behind it.
    fn record(
        &self,
        corpus: &str,
        files: &[String],
        store: &Store,
    ) -> Result<Vec<Digest>, ScoreExecuteError> {
        let Some(root) = self.roots.get(corpus) else { return Ok(Vec::new()) };
        let path = std::env::var("PATH").unwrap_or_default();
        let places = Places::default()
            .with("$PATH", Path::new(&path))
            .with("$ENGINE", &self.engine)
            .with("$REPO", root);
        let mut recordings = Vec::new();
        let mut rest = files;
        while !rest.is_empty() {
            let capture = process::run(&self.invocation(root, rest))?;
            recordings.push(Recording::write(store, Side::Engine, corpus, &capture, &places)?.1);
            // Every line is written out before the next file is looked at, so the number of whole
            // lines tells how far it came.
            let done = capture.stdout.bytes.iter().filter(|byte| **byte == b'\n').count();
            if done >= rest.len() || process::interrupted() {
                break;
            }
            rest = rest.get(done + 1..).unwrap_or_default();
        }
        Ok(recordings)
    }

    fn invocation(&self, root: &Path, files: &[String]) -> Invocation {
        let args = [
            "explore",
            "--json",
            "--root",
            ".",
            "--profile",
            self.plan.profile_name().as_str(),
            "--",
        ];
        Invocation {
            env: BTreeMap::from([
                ("PATH".to_owned(), std::env::var("PATH").unwrap_or_default()),
                ("LC_ALL".to_owned(), "C.UTF-8".to_owned()),
            ]),
            deadline: DEADLINE,
            max_stdout: OUTPUT,
            ..Invocation::new(&self.engine, root)
        }
        .args(args)
        .args(files.iter().cloned())
    }
}
