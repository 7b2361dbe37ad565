//! Gives files to both sides and compares the answers.
//!
//! The comparator's side runs in few processes, each of which gets a long list of files. Its answers
//! are compared as they arrive, so that no corpus is ever completely in memory.

use std::{
    collections::VecDeque,
    path::Path,
    sync::{Mutex, PoisonError},
};

use record::Stop;
use serde_json::json;

use super::{
    AuditedFile, Exceptions, Outcome, Tally,
    compare::{Answer, compare},
};
use crate::comparator::{Comparator, RunError};

/// The most bytes of source and the most files that one process gets. Starting a process costs about a
/// second.
const BATCH_BYTES: u64 = 16 << 20;
const BATCH_FILES: usize = 4000;

/// For which files the lexical names are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Names {
    /// Files in which they become references.
    Fired,
    /// Every file of a language.
    All,
}

impl Names {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Fired => "fired",
            Self::All => "all",
        }
    }
}

/// Why an audit could not be finished.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// The comparator could not be run.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The comparator gave an unreadable answer.
    #[error(
        "the comparator's answer about {file} is unreadable: {why}; restore comparators/aider/audit_tags.py with git checkout"
    )]
    Unreadable {
        /// The file that was asked about.
        file: String,
        /// What is wrong.
        why: String,
    },
    /// The comparator ended early without a crash.
    #[error("the comparator {ending} before it answered about {file}:\n{talk}")]
    Ended {
        /// How it ended.
        ending: String,
        /// The next file.
        file: String,
        /// The end of its standard error.
        talk: String,
    },
    /// The user interrupted it.
    #[error("interrupted; nothing was written, run the same command again")]
    Interrupted,
}

/// Our side: the function that answers about one file.
pub type Ours<'a> = dyn Fn(&Path, Names) -> Answer + Sync + 'a;

/// One audit.
pub struct Audit<'a> {
    /// The comparator.
    pub comparator: &'a Comparator<'a>,
    /// Our side.
    pub ours: &'a Ours<'a>,
    /// For which files the names are compared.
    pub names: Names,
    /// How many comparator processes run at once.
    pub workers: usize,
    /// The differences that are declared.
    pub exceptions: &'a Exceptions,
}

impl Audit<'_> {
    /// Compares all files and counts the results into `tally`. `progress` is called with each file that
    /// is done.
    pub fn run(
        &self,
        files: &[AuditedFile],
        mut tally: Tally,
        progress: &(dyn Fn(&AuditedFile) + Sync),
    ) -> Result<Tally, VerifyError> {
        let queue = Mutex::new(batches(files));
        let counted = Mutex::new(&mut tally);
        let work = || -> Result<(), VerifyError> {
            while let Some(batch) = take(&queue) {
                let result = self.batch(batch, &mut |file, outcome| {
                    let mut tally = counted.lock().unwrap_or_else(PoisonError::into_inner);
                    tally.add(file, outcome, self.exceptions);
                    drop(tally);
                    progress(file);
                });
                match result {
                    Ok([]) => {}
                    // Another process is asked about the files that a crash left unanswered.
                    Ok(rest) => {
                        queue.lock().unwrap_or_else(PoisonError::into_inner).push_front(rest);
                    }
                    Err(error) => {
                        queue.lock().unwrap_or_else(PoisonError::into_inner).clear();
                        return Err(error);
                    }
                }
            }
            Ok(())
        };
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..self.workers.max(1)).map(|_| scope.spawn(work)).collect();
            workers.into_iter().try_for_each(|worker| match worker.join() {
                Ok(result) => result,
                Err(panic) => std::panic::resume_unwind(panic),
            })
        })?;
        tally.sort();
        Ok(tally)
    }

    /// Asks one process about files; returns the files after one on which it crashed.
    fn batch<'f>(
        &self,
        files: &'f [AuditedFile],
        done: &mut dyn FnMut(&AuditedFile, Outcome),
    ) -> Result<&'f [AuditedFile], VerifyError> {
        let mut request = format!("{}\n", json!({"names": self.names.as_str()}));
        for file in files {
            request.push_str(&json!({"path": file.full}).to_string());
            request.push('\n');
        }
        let mut answers = Answers::default();
        let mut waiting = files.iter();
        let mut failed = None;
        let template = &self.comparator.spec.definition.run.audit_tags;
        let cwd = &self.comparator.spec.path;
        let capture =
            self.comparator.start_inside(template, request.into_bytes(), cwd, &mut |piece| {
                answers.add(piece, &mut |line| {
                    if failed.is_some() {
                        return;
                    }
                    let Some(file) = waiting.next() else { return };
                    match read(line, file) {
                        Ok(theirs) => {
                            done(file, compare(&(self.ours)(&file.full, self.names), &theirs));
                        }
                        Err(error) => failed = Some(error),
                    }
                });
            })?;
        if let Some(error) = failed {
            return Err(error);
        }
        let rest = waiting.as_slice();
        let Some((crashed, behind)) = rest.split_first() else { return Ok(&[]) };
        if capture.stopped == Some(Stop::Interrupt) {
            return Err(VerifyError::Interrupted);
        }
        if capture.stopped.is_some() || capture.signal.is_none() {
            return Err(VerifyError::Ended {
                ending: capture.ending(),
                file: format!("{}/{}", crashed.corpus, crashed.path),
                talk: capture.stderr_tail(5),
            });
        }
        let ours = (self.ours)(&crashed.full, self.names);
        let theirs = Answer {
            language: ours.language.clone(),
            error: Some(format!("the process {}", capture.ending())),
            ..Answer::default()
        };
        done(crashed, compare(&ours, &theirs));
        Ok(behind)
    }
}

fn take<'f>(queue: &Mutex<VecDeque<&'f [AuditedFile]>>) -> Option<&'f [AuditedFile]> {
    queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front()
}

/// Splits the list into batches of one process each.
fn batches(files: &[AuditedFile]) -> VecDeque<&[AuditedFile]> {
    let mut batches = VecDeque::new();
    let mut rest = files;
    while !rest.is_empty() {
        let mut bytes = 0;
        let fits = rest.iter().take(BATCH_FILES).take_while(|file| {
            bytes += file.size;
            bytes <= BATCH_BYTES
        });
        // A file larger than the limit gets a batch of its own.
        let (batch, behind) = rest.split_at(fits.count().max(1));
        batches.push_back(batch);
        rest = behind;
    }
    batches
}

fn read(line: &[u8], file: &AuditedFile) -> Result<Answer, VerifyError> {
    let unreadable = |why: String| VerifyError::Unreadable {
        file: format!("{}/{}", file.corpus, file.path),
        why,
    };
    let answer: Answer =
        serde_json::from_slice(line).map_err(|error| unreadable(error.to_string()))?;
    if Path::new(&answer.path) == file.full {
        Ok(answer)
    } else {
        Err(unreadable(format!("it is about {}", answer.path)))
    }
}

/// Splits a stream of bytes into lines.
#[derive(Debug, Default)]
struct Answers(Vec<u8>);

impl Answers {
    fn add(&mut self, piece: &[u8], each: &mut dyn FnMut(&[u8])) {
        let mut rest = piece;
        while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
            let (line, behind) = rest.split_at(end);
            self.0.extend_from_slice(line);
            each(&self.0);
            self.0.clear();
            rest = behind.get(1..).unwrap_or_default();
        }
        self.0.extend_from_slice(rest);
    }
}
