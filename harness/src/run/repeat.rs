//! Records what gates A4 and A5 need: sequences of calls, and one map again and again under
//! other circumstances.

use std::path::Path;

use record::{Case, Digest, PlannedCorpus, Sequence, Store, Trial};

use super::{
    dialogue::converse,
    edits::request,
    execute::{ExecuteError, Executor, case_arguments, scratch_folder},
};
use crate::{
    comparator::Comparator,
    corpus::{CreationOrder, Materialised, ReadOnlyCopy},
    process,
};

impl Executor<'_> {
    /// The comparator's answers to all sequences of a corpus. Its driver makes the edits in
    /// copies of its own, so the repository that it is given must come out as it went in.
    pub(super) fn comparator_sequences(
        comparator: &Comparator,
        corpus: &PlannedCorpus,
        copy: &ReadOnlyCopy,
        store: &Store,
    ) -> Result<Digest, ExecuteError> {
        let request = request(&corpus.sequences);
        let run = comparator.run_cases(copy.path(), &request, &corpus.name, store)?;
        copy.verify_unchanged()?;
        Ok(run.name)
    }

    /// Our session of a sequence, with the edits made in a copy.
    pub(super) fn sequence(
        &self,
        corpus: &PlannedCorpus,
        sequence: &Sequence,
        repository: &Materialised,
        store: &Store,
    ) -> Result<Digest, ExecuteError> {
        let scratch = scratch_folder()?;
        let copy =
            repository.scratch_copy(&scratch.path().join(&corpus.name), CreationOrder::Sorted)?;
        let mut arguments = sequence.arguments();
        arguments.extend(["--profile".to_owned(), self.plan.profile.to_string()]);
        let invocation = self.invocation(copy.path()).args(arguments);
        let capture = converse(invocation, copy.path(), &sequence.calls)?;
        self.keep(&capture, corpus, copy.path(), store)
    }

    /// One trial of a case.
    pub(super) fn trial(
        &self,
        corpus: &PlannedCorpus,
        case: &Case,
        trial: &Trial,
        repository: &Materialised,
        store: &Store,
    ) -> Result<Digest, ExecuteError> {
        let scratch = scratch_folder()?;
        // The path differs in depth and in how it sorts against other folders.
        let place = scratch.path().join("another/place").join(&corpus.name);
        let copy = match trial {
            Trial::Order => Some(repository.scratch_copy(&place, CreationOrder::Shuffled)?),
            Trial::Path => Some(repository.scratch_copy(&place, CreationOrder::Sorted)?),
            _ => None,
        };
        let repo: &Path = copy.as_ref().map_or(&repository.path, |copy| copy.path());
        let mut invocation = self.invocation(repo);
        trial.environment(&mut invocation.env);
        let budget = self.plan.budgets.first().copied().unwrap_or_default();
        let profile = ["--profile".to_owned(), self.plan.profile.to_string()];
        let tokens = ["--map-tokens".to_owned(), budget.to_string()];
        let multiplier = ["--map-mul-no-files".to_owned(), "2".to_owned()];
        let common = profile.into_iter().chain(tokens).chain(multiplier);
        let invocation = if let Some((mode, calls)) = trial.session() {
            let line = serde_json::json!({
                "chat_files": case.chat_files,
                "read_only_files": case.read_only_files,
                "message": case.message,
            });
            invocation.stdin = format!("{line}\n").repeat(calls).into_bytes();
            invocation.args(["session", ".", "--refresh", mode.as_str()]).args(common)
        } else {
            invocation.args(["map", ".", "--json"]).args(common).args(case_arguments(case))
        };
        let capture = process::run(&invocation)?;
        self.keep(&capture, corpus, repo, store)
    }
}
