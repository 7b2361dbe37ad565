//! Exploring the files of a corpus, batch by batch.

use std::{path::Path, time::Duration};

use record::{EXPLORED, PlannedCorpus, Store};

use super::{
    Recorded,
    execute::{ExecuteError, Executor, missing},
};
use crate::process::{self, Invocation};

/// Longest time for the exploration of one batch.
const DEADLINE: Duration = Duration::from_mins(3);
/// Most bytes that it may print.
const OUTPUT: usize = 1 << 30;

impl Executor<'_> {
    /// One call of our program; where a file ended it, more calls with the files behind it.
    pub(super) fn explore(
        &self,
        corpus: &PlannedCorpus,
        batch: usize,
        repo: &Path,
        store: &Store,
    ) -> Result<Recorded, ExecuteError> {
        let mut rest = corpus.explorations.chunks(EXPLORED).nth(batch).unwrap_or_default();
        let mut recordings = Vec::new();
        while !rest.is_empty() {
            let profile = self.plan.profile.as_str();
            let arguments = ["explore", "--json", "--root", ".", "--profile", profile, "--"];
            let arguments = arguments.map(str::to_owned).into_iter().chain(rest.iter().cloned());
            let plain = self.invocation(repo).args(arguments);
            let invocation = Invocation { deadline: DEADLINE, max_stdout: OUTPUT, ..plain };
            let capture = process::run(&invocation)?;
            recordings.push(self.keep(&capture, corpus, repo, store)?);
            // Every line is written out before the next file is looked at, so the number of whole
            // lines tells how far it came.
            let done = capture.stdout.bytes.iter().filter(|byte| **byte == b'\n').count();
            if done >= rest.len() || process::interrupted() {
                break;
            }
            rest = rest.get(done + 1..).unwrap_or_default();
        }
        let mut recordings = recordings.into_iter();
        let first = recordings.next().ok_or_else(missing)?;
        Ok(Recorded { first, further: recordings.collect() })
    }
}
