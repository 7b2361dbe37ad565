//! The response cache: the comparator's answers of earlier runs, found by their question.
//!
//! `keys/<sha256>.json` names the recording that answers a question; the other files are a [`Store`].
//! The key covers everything that the answer depends on: the comparator tuple, the corpus and the
//! request. A recording is returned as it would be made now, so a gate that judges it cannot tell in which
//! run it was made. The entry also says how long the comparator took.

use std::{
    borrow::Cow,
    fs, io,
    path::{Path, PathBuf},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use record::{
    Digest, Kept, Recording, Side, Store, StoreError, Stream, WriteError, write_atomically,
};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};
use verdict::response::classify;

use super::{ComparatorTuple, durations, progress, run::are_complete};

/// Raised when keys are made in another way, so that older entries are not found.
const LAYOUT: u32 = 3;
/// The layout before it, whose recordings hold durations. Its entries are converted when they are first
/// used.
const EARLIER: u32 = 2;
/// The most bytes of a key file.
const MAX_KEY: u64 = 4096;

/// What the comparator is asked.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    /// Name of the corpus.
    pub corpus: &'a str,
    /// Key of the unit that asks.
    pub unit: &'a str,
    /// What identifies the content of its repository: commit, tree and status.
    pub content: &'a Value,
    /// The driver's request without `repo`, which differs in every run.
    pub request: &'a Value,
}

/// A folder of answers of one comparator.
#[derive(Debug)]
pub struct Cache {
    folder: PathBuf,
    store: Store,
    tuple: Value,
    fresh: bool,
    replayed: AtomicUsize,
    problems: Mutex<Vec<String>>,
}

/// An entry of the earlier layout.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Earlier {
    recording: Digest,
}

/// Why an entry is not used.
#[derive(Debug, thiserror::Error)]
enum EntryError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error("it is not readable: {0}")]
    Json(#[from] serde_json::Error),
    #[error("{0}")]
    Wrong(String),
}

impl Cache {
    /// The response cache of one comparator in `folder`, which is created on the first write. With
    /// `fresh`, no answer is recalled, and new answers replace older ones.
    pub fn at(folder: impl Into<PathBuf>, tuple: &ComparatorTuple, fresh: bool) -> Self {
        let folder = folder.into();
        Self {
            store: Store::at(&folder),
            folder,
            tuple: json!(tuple),
            fresh,
            replayed: AtomicUsize::new(0),
            problems: Mutex::default(),
        }
    }

    /// Whether the cache has an answer to a question. The answer may still turn out to be damaged.
    pub fn knows(&self, question: &Question) -> bool {
        let there = |layout| self.path(question, layout).exists();
        !self.fresh && (there(LAYOUT) || there(EARLIER))
    }

    /// Copies the answer to a question into a run's store and returns its name; `None` if there is
    /// none, or if it is damaged, which is noted as a problem.
    pub fn recall(&self, question: &Question, into: &Store) -> Option<Kept> {
        if !self.knows(question) {
            return None;
        }
        let path = self.path(question, LAYOUT);
        let taken_over = if path.exists() { Ok(()) } else { self.take_over(question) };
        match taken_over.and_then(|()| self.copy(question, into)) {
            Ok(kept) => {
                self.replayed.fetch_add(1, Ordering::Relaxed);
                Some(kept)
            }
            Err(error) => {
                self.note(format!("{} is damaged ({error}) and is made again", path.display()));
                None
            }
        }
    }

    /// Keeps the answer to a question. Callers pass only complete answers, because a failed one might
    /// succeed the next time. A failure to write is noted as a problem and does not harm the run.
    pub fn keep(&self, question: &Question, kept: &Kept, from: &Store) {
        let kept = from.recording(&kept.name).map_err(EntryError::from).and_then(|recording| {
            check(&recording, question, from)?;
            copy(&recording, from, &self.store)?;
            self.enter(question, kept)
        });
        if let Err(error) = kept {
            self.note(format!(
                "the answer about {} is not kept for later runs: {error}",
                question.corpus
            ));
        }
    }

    /// How many answers were recalled.
    pub fn replayed(&self) -> usize {
        self.replayed.load(Ordering::Relaxed)
    }

    /// The problems so far, one line each. None of them harms a run.
    pub fn problems(&self) -> Vec<String> {
        self.problems.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn note(&self, problem: String) {
        self.problems.lock().unwrap_or_else(PoisonError::into_inner).push(problem);
    }

    fn path(&self, question: &Question, layout: u32) -> PathBuf {
        let Question { corpus, unit, content, request } = question;
        let asked = json!([layout, self.tuple, corpus, unit, content, request]);
        let key = Digest::of(asked.to_string().as_bytes());
        self.folder.join("keys").join(format!("{key}.json"))
    }

    fn enter(&self, question: &Question, kept: &Kept) -> Result<(), EntryError> {
        Ok(write_atomically(&self.path(question, LAYOUT), &serde_json::to_vec(kept)?)?)
    }

    fn copy(&self, question: &Question, into: &Store) -> Result<Kept, EntryError> {
        let kept: Kept = entry(&self.path(question, LAYOUT))?;
        let recording = self.store.recording(&kept.name)?;
        check(&recording, question, &self.store)?;
        let recording = self.without_progress(recording)?;
        Ok(Kept { name: copy(&recording, &self.store, into)?, ..kept })
    }

    /// The recording without progress bars, which entries of earlier versions have.
    fn without_progress(&self, recording: Recording) -> Result<Recording, EntryError> {
        if recording.stderr.truncated {
            return Ok(recording);
        }
        let talk = self.store.blob(&recording.stderr.blob())?;
        let Cow::Owned(talk) = progress::without(&talk) else { return Ok(recording) };
        let stderr = self.put_whole(&talk)?;
        Ok(Recording { stderr, ..recording })
    }

    /// Keeps a stream of which nothing is missing.
    fn put_whole(&self, content: &[u8]) -> Result<Stream, EntryError> {
        let bytes = content.len() as u64;
        let sha256 = self.store.put_blob(content)?;
        Ok(Stream { sha256, bytes, total: bytes, head: bytes, truncated: false })
    }

    /// Converts an entry of the earlier layout by removing its durations. The old entry stays for older
    /// programs.
    fn take_over(&self, question: &Question) -> Result<(), EntryError> {
        let earlier: Earlier = entry(&self.path(question, EARLIER))?;
        let recording = self.store.recording(&earlier.recording)?;
        check(&recording, question, &self.store)?;
        let answer = self.store.blob(&recording.stdout.blob())?;
        let took_ms = recording.duration_ms;
        let stdout = self.put_whole(&durations::without(&answer))?;
        let recording = Recording { stdout, duration_ms: None, ..recording };
        let name = self.store.put_recording(&recording)?;
        self.enter(question, &Kept { name, took_ms })
    }
}

/// Reads an entry.
fn entry<T: DeserializeOwned>(path: &Path) -> Result<T, EntryError> {
    if fs::metadata(path)?.len() > MAX_KEY {
        return Err(EntryError::Wrong("it is longer than any entry".to_owned()));
    }
    Ok(serde_json::from_slice(&fs::read(path)?)?)
}

/// Checks that a recording is a complete answer to the question, whatever its entry is called.
fn check(recording: &Recording, question: &Question, store: &Store) -> Result<(), EntryError> {
    let wrong = |what: &str| Err(EntryError::Wrong(what.to_owned()));
    if recording.side != Side::Comparator || recording.corpus != question.corpus {
        return wrong("it is about another corpus");
    }
    if recording.unit != question.unit {
        return wrong("it is the recording of another unit");
    }
    let capture = recording.capture(store)?;
    let requests = question.request.as_array();
    let mut asked: Vec<Value> = serde_json::Deserializer::from_slice(&capture.stdin)
        .into_iter()
        .collect::<Result<_, _>>()?;
    for asked in &mut asked {
        asked.as_object_mut().map(|asked| asked.remove("repo"));
    }
    let same = match requests {
        Some(requests) => asked == *requests,
        None => asked == [question.request.clone()],
    };
    if !same {
        return wrong("it answers another question");
    }
    if let Some(requests) = requests {
        let complete = are_complete(&capture, requests.len());
        return if complete { Ok(()) } else { wrong("it does not answer every request") };
    }
    match classify(&capture) {
        Ok(response) if response.has_failed_cases() => wrong("a case failed in it"),
        Ok(_) => Ok(()),
        Err(failure) => wrong(&failure.to_string()),
    }
}

/// Copies a recording with its blobs, every one of which is checked when it is read.
fn copy(recording: &Recording, from: &Store, into: &Store) -> Result<Digest, EntryError> {
    let blobs = [recording.stdin.clone(), recording.stdout.blob(), recording.stderr.blob()];
    for blob in &blobs {
        into.take_blob(blob, from)?;
    }
    Ok(into.put_recording(recording)?)
}

#[cfg(test)]
#[path = "cache_tests.rs"]
mod tests;
