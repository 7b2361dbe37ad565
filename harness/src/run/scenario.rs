//! Records what gate B3 needs: processes of our program that run one after the other on one store.

use record::{PlannedCorpus, Store, StoreIds, further_key};

use super::{
    ExecuteError, Recorded,
    edits::edit_files,
    recorder::{Recorder, missing, scratch_folder},
};
use crate::{
    corpus::{CreationOrder, Materialised},
    process,
};

impl Recorder<'_> {
    /// All processes of a scenario, in a copy of the corpus that also holds their store.
    pub(super) fn scenario(
        &self,
        corpus: &PlannedCorpus,
        scenario: usize,
        key: &str,
        repository: &Materialised,
        store: &Store,
    ) -> Result<Recorded, ExecuteError> {
        let planned = corpus.scenarios.get(scenario).ok_or_else(missing)?;
        let scratch = scratch_folder()?;
        let copy =
            repository.scratch_copy(&scratch.path().join(&corpus.name), CreationOrder::Sorted)?;
        let (mut recordings, mut ids) = (Vec::new(), StoreIds::new());
        for (number, process) in planned.processes.iter().enumerate() {
            edit_files(&process.edits, copy.path(), number)?;
            let asked = self.plan.of_scenario(corpus, scenario, number, &ids);
            let invocation = self.invocation(copy.path(), asked.ok_or_else(missing)?);
            let capture = process::run(&invocation)?;
            process.learn(&capture.stdout.bytes, &mut ids);
            let unit = if number == 0 { key.to_owned() } else { further_key(key, number) };
            recordings.push(self.keep(&capture, corpus, &unit, copy.path(), store)?);
            if process::interrupted() {
                break;
            }
        }
        let mut recordings = recordings.into_iter();
        let first = recordings.next().ok_or_else(missing)?;
        Ok(Recorded { first, further: recordings.collect() })
    }
}
