//! Executes a plan: every unit is one recorded run of one program.

use std::{collections::BTreeMap, sync::mpsc};

use record::{Store, StoreError, Unit, exit};

use super::{
    Recorded, Recorder, RunDir, RunDirError, edits::SequenceError, held_copy::HeldCopy,
    schedule::Schedule,
};
use crate::{
    comparator::RunError,
    corpus::{Cost, repository::RepositoryError},
    process::{self, ProcessError},
};

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

impl ExecuteError {
    /// The exit code of this error.
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::Interrupted => exit::INCOMPLETE,
            Self::Store(_) | Self::RunDir(_) => exit::IO,
            Self::Corpus(error) => error.exit_code(),
            Self::Comparator(error) => error.exit_code(),
            Self::Process(_) | Self::Sequence(_) => exit::SETUP,
        }
    }
}

/// Executes the units of a plan.
#[derive(Debug)]
pub struct Executor<'a> {
    /// How a unit is recorded.
    pub recorder: Recorder<'a>,
    /// How many units run at once, if memory allows.
    pub workers: usize,
    /// What the comparator costs, by corpus.
    pub costs: &'a BTreeMap<String, Cost>,
    /// Memory that the running units may take together, in MB.
    pub memory_mb: u64,
}

impl Executor<'_> {
    /// The units that have no recording yet, in the plan's order.
    pub fn open(&self, dir: &RunDir) -> Vec<Unit> {
        let plan = self.recorder.plan;
        let is_open = |unit: &Unit| dir.recorded(&plan.key(unit)).is_none();
        plan.units().into_iter().filter(is_open).collect()
    }

    /// Runs some units. `finished` is called with each unit, its key and its recordings once it is recorded.
    pub fn execute(
        &self,
        open: Vec<Unit>,
        dir: &mut RunDir,
        finished: &mut dyn FnMut(&Unit, &str, &Recorded),
    ) -> Result<(), ExecuteError> {
        let store = Store::at(dir.evidence());
        let schedule = Schedule::new(self.recorder.plan, self.costs, open, self.memory_mb);
        let (sender, results) = mpsc::channel();
        std::thread::scope(|scope| {
            for _ in 0..self.workers.max(1) {
                let (schedule, store, sender) = (&schedule, &store, sender.clone());
                scope.spawn(move || {
                    let mut held = HeldCopy::default();
                    while !process::interrupted() {
                        let Some(unit) = schedule.next() else { break };
                        let result = self.recorder.record_unit(&unit, store, &mut held);
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
                let key = self.recorder.plan.key(&unit);
                let recorded = result?;
                // A recording that an interrupt cut short is not evidence; the unit is run again.
                if !process::interrupted() {
                    dir.note(&key, recorded.clone())?;
                    finished(&unit, &key, &recorded);
                }
            }
            Ok::<(), ExecuteError>(())
        })?;
        if process::interrupted() { Err(ExecuteError::Interrupted) } else { Ok(()) }
    }
}
