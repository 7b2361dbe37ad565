//! Answers to units in the store that machines share: what one of them recorded, another need not record.
//!
//! An answer is found by its question: the order of the unit without what the answer does not depend on. What is found
//! passes the same checks as the answer of a worker; a store is trusted as far as a worker is.

use std::{
    fs,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

use base::scratch::Scratch;
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use record::{Digest, Kept, Side, Store, StoreError, Unit};
use verdict::response::{classify, classify_each};

use super::{
    Recorded, Recorder, RunDir, RunDirError, UnitOrder,
    answer::{Refusal, frame, take_in},
    cluster::may_be_sent,
};
use crate::{
    comparator::{ComparatorSpec, ComparatorTuple},
    process,
    shared::{Kind, Shared, SharedError},
};

/// The answers of a store to the units of a plan.
#[derive(Debug)]
pub struct Answers<'a> {
    shared: &'a Shared,
    recorder: &'a Recorder<'a>,
    spec: &'a ComparatorSpec,
    tuple: Option<&'a ComparatorTuple>,
    /// Set once the store cannot be used: nobody waits for it a second time.
    given_up: AtomicBool,
    taken: AtomicUsize,
    problems: Mutex<Vec<String>>,
}

impl<'a> Answers<'a> {
    /// The answers of a store.
    pub const fn of(
        shared: &'a Shared,
        recorder: &'a Recorder<'a>,
        spec: &'a ComparatorSpec,
        tuple: Option<&'a ComparatorTuple>,
    ) -> Self {
        Self {
            shared,
            recorder,
            spec,
            tuple,
            given_up: AtomicBool::new(false),
            taken: AtomicUsize::new(0),
            problems: Mutex::new(Vec::new()),
        }
    }

    /// Takes the answers to open units that the store has; returns the units that are still open. Units that the
    /// response cache knows are not asked for.
    ///
    /// # Errors
    /// The folder of the run cannot be written. A store that does not answer, or answers wrongly, is a problem and no
    /// error: the unit is recorded.
    pub fn take(
        &self,
        open: Vec<Unit>,
        dir: &mut RunDir,
        finished: &mut dyn FnMut(&Unit, &str, &Recorded),
    ) -> Result<Vec<Unit>, RunDirError> {
        let store = Store::at(dir.evidence());
        let found: Vec<(Unit, Option<Recorded>)> = open
            .into_par_iter()
            .map(|unit| {
                let found = self.recall(&unit, &store);
                (unit, found)
            })
            .collect();
        let mut left = Vec::new();
        for (unit, recorded) in found {
            let Some(recorded) = recorded else {
                left.push(unit);
                continue;
            };
            let key = self.recorder.plan.key(&unit);
            dir.note(&key, recorded.clone())?;
            finished(&unit, &key, &recorded);
        }
        Ok(left)
    }

    /// The answer to a unit, taken into the store of the run.
    fn recall(&self, unit: &Unit, store: &Store) -> Option<Recorded> {
        let is_asked = may_be_sent(unit)
            && !self.recorder.is_known(unit)
            && !self.given_up.load(Ordering::Relaxed)
            && !process::interrupted();
        let order = self.order(unit).filter(|_| is_asked)?;
        let scratch = Scratch::new("answer").ok()?;
        let file = scratch.path().join("answer");
        match self.shared.get(Kind::Answer, question(&order).as_str(), &file) {
            Ok(false) => return None,
            Ok(true) => {}
            Err(error) => {
                self.note_error(&order.unit, &error);
                return None;
            }
        }
        let bytes = fs::read(&file).ok()?;
        match take_in(&order, Some(self.spec), &bytes, store) {
            Ok(recorded) => {
                self.taken.fetch_add(1, Ordering::Relaxed);
                Some(recorded)
            }
            Err(refusal) => {
                self.note_refusal(&order.unit, &refusal);
                None
            }
        }
    }

    /// Puts what was recorded of a unit into the store, if it is whole: what was stopped or failed might succeed the
    /// next time. A failure is noted as a problem and does not harm the run.
    pub fn publish(&self, unit: &Unit, recorded: &Recorded, store: &Store) {
        if !may_be_sent(unit) || self.given_up.load(Ordering::Relaxed) {
            return;
        }
        let Some(order) = self.order(unit) else { return };
        if !is_whole(recorded, store) {
            return;
        }
        // How long it took differs from machine to machine, and would make equal answers differ.
        let timeless = |kept: &Kept| Kept { name: kept.name.clone(), took_ms: None };
        let recorded = Recorded {
            first: timeless(&recorded.first),
            further: recorded.further.iter().map(timeless).collect(),
        };
        let framed = frame(&order, recorded, store);
        let put = |bytes: Vec<u8>| {
            let scratch = Scratch::new("answer").map_err(|error| error.to_string())?;
            let file = scratch.path().join("answer");
            fs::write(&file, bytes).map_err(|error| error.to_string())?;
            let put = self.shared.put(Kind::Answer, question(&order).as_str(), &file);
            if let Err(error) = &put {
                self.note_error(&order.unit, error);
            }
            Ok(())
        };
        let done = framed.map_err(|error: StoreError| error.to_string()).and_then(put);
        if let Err(why) = done {
            self.note(format!("the answer to {} is not shared: {why}", order.unit));
        }
    }

    /// How many answers were taken from the store.
    pub fn taken(&self) -> usize {
        self.taken.load(Ordering::Relaxed)
    }

    /// The problems so far, one line each. None of them harms a run.
    pub fn problems(&self) -> Vec<String> {
        self.problems.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn order(&self, unit: &Unit) -> Option<UnitOrder> {
        let plan = self.recorder.plan;
        let corpus = plan.corpora.get(unit.corpus())?;
        let repository = self.recorder.repositories.get(&corpus.name)?;
        UnitOrder::of(plan, &Digest::of(""), unit, repository, self.tuple)?.for_any_run()
    }

    fn note_error(&self, unit: &str, error: &SharedError) {
        if !matches!(error, SharedError::Wrong { .. }) {
            if self.given_up.swap(true, Ordering::Relaxed) {
                return;
            }
            self.note(format!("the store is not used any more: {error}"));
            return;
        }
        self.note(format!("the answer to {unit}: {error}"));
    }

    fn note_refusal(&self, unit: &str, refusal: &Refusal) {
        self.note(format!("the answer to {unit} in the store is refused: {refusal}"));
    }

    fn note(&self, problem: String) {
        self.problems.lock().unwrap_or_else(PoisonError::into_inner).push(problem);
    }
}

/// Under which key the answer to an order is.
fn question(order: &UnitOrder) -> Digest {
    Digest::of(serde_json::to_vec(order).unwrap_or_default())
}

/// Whether every program of a unit ended by itself, and the comparator answered every case.
fn is_whole(recorded: &Recorded, store: &Store) -> bool {
    let mut all = std::iter::once(&recorded.first).chain(&recorded.further);
    all.all(|kept| {
        let Ok(recording) = store.recording(&kept.name) else { return false };
        let ended = recording.exit_code.is_some()
            && recording.stopped.is_none()
            && !recording.pipe_held
            && !recording.stdout.truncated;
        if recording.side == Side::Engine || !ended {
            return ended;
        }
        let Ok(capture) = recording.capture(store) else { return false };
        match classify(&capture) {
            Ok(answer) => !answer.has_failed_cases(),
            Err(_) => classify_each(&capture).is_ok_and(|answers| {
                let is_right = |answer: &Result<verdict::response::Response, _>| {
                    answer.as_ref().is_ok_and(|answer| !answer.has_failed_cases())
                };
                !answers.is_empty() && answers.iter().all(is_right)
            }),
        }
    })
}
