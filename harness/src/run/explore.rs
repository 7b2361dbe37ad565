//! Exploring the files of a corpus, batch by batch.

use std::{path::Path, time::Duration};

use record::{PlannedCorpus, Store, explore_key, further_key};

use super::{
    ExecuteError, Recorded,
    recorder::{Recorder, missing},
};
use crate::process::{self, Invocation};

/// Longest time for the exploration of one batch.
const DEADLINE: Duration = Duration::from_mins(3);
/// Most bytes that the exploration of one batch may print.
const OUTPUT: usize = 1 << 30;

impl Recorder<'_> {
    /// One call of our program; if a file ended it, more calls with the files after that one.
    pub(super) fn explore(
        &self,
        corpus: &PlannedCorpus,
        batch: usize,
        repo: &Path,
        store: &Store,
    ) -> Result<Recorded, ExecuteError> {
        let key = explore_key(&corpus.name, batch);
        let mut recordings = Vec::new();
        let mut from = 0;
        while let Some(asked) = self.plan.exploration(corpus, batch, from) {
            let plain = self.invocation(repo, asked);
            let invocation = Invocation { deadline: DEADLINE, max_stdout: OUTPUT, ..plain };
            let capture = process::run(&invocation)?;
            let unit = match recordings.len() {
                0 => key.clone(),
                number => further_key(&key, number),
            };
            recordings.push(self.keep(&capture, corpus, &unit, repo, store)?);
            if process::interrupted() {
                break;
            }
            // Every line is written out before the next file is explored, so the number of complete
            // lines tells which file ended the program.
            from += capture.stdout.bytes.iter().filter(|byte| **byte == b'\n').count() + 1;
        }
        let mut recordings = recordings.into_iter();
        let first = recordings.next().ok_or_else(missing)?;
        Ok(Recorded { first, further: recordings.collect() })
    }
}
