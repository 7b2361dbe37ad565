//! Records what gates A4 and A5 need: sequences of calls, and repetitions of one map under other
//! circumstances.

use std::path::Path;

use record::{Asked, Kept, PlannedCorpus, Sequence, Store, Trial};
use serde_json::Value;

use super::{
    ExecuteError,
    dialogue::converse,
    recorder::{Recorder, missing, scratch_folder},
};
use crate::{
    corpus::{CreationOrder, Materialised, ReadOnlyCopy},
    process,
};

impl Recorder<'_> {
    /// The comparator's answers to all sequences of a corpus. Its driver makes the edits in copies of
    /// its own, so the repository that it is given must be unchanged afterwards.
    pub(super) fn comparator_sequences(
        &self,
        corpus: &PlannedCorpus,
        key: &str,
        request: &Value,
        copy: &ReadOnlyCopy,
        store: &Store,
    ) -> Result<Kept, ExecuteError> {
        let comparator = self.comparator.as_ref().ok_or_else(missing)?;
        let run = comparator.run_cases(copy.path(), request, &corpus.name, key, store)?;
        copy.verify_unchanged()?;
        Ok(run.kept)
    }

    /// Our session of a sequence, with the edits made in a copy.
    pub(super) fn sequence(
        &self,
        corpus: &PlannedCorpus,
        sequence: &Sequence,
        key: &str,
        asked: Asked,
        repository: &Materialised,
        store: &Store,
    ) -> Result<Kept, ExecuteError> {
        let scratch = scratch_folder()?;
        let copy =
            repository.scratch_copy(&scratch.path().join(&corpus.name), CreationOrder::Sorted)?;
        let invocation = self.invocation(copy.path(), asked);
        let capture = converse(invocation, copy.path(), &sequence.calls)?;
        self.keep(&capture, corpus, key, copy.path(), store)
    }

    /// One trial of the first case.
    pub(super) fn trial(
        &self,
        corpus: &PlannedCorpus,
        trial: &Trial,
        key: &str,
        asked: Asked,
        repository: &Materialised,
        store: &Store,
    ) -> Result<Kept, ExecuteError> {
        let scratch = scratch_folder()?;
        // This path differs from the usual one in depth and in how it sorts among other folders.
        let place = scratch.path().join("another/place").join(&corpus.name);
        let copy = match trial {
            Trial::Order => Some(repository.scratch_copy(&place, CreationOrder::Shuffled)?),
            Trial::Path => Some(repository.scratch_copy(&place, CreationOrder::Sorted)?),
            _ => None,
        };
        let repo: &Path = copy.as_ref().map_or(&repository.path, |copy| copy.path());
        let capture = process::run(&self.invocation(repo, asked))?;
        self.keep(&capture, corpus, key, repo, store)
    }
}
