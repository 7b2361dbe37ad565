//! Plans the tasks of gate E1: which patches of which packages, with the messages that systems are told.

use record::{Digest, Task, exit};
use verdict::gate::TaskLabels;

use crate::{
    Failure, Folders,
    console::talk,
    corpus::{self, Row, disk, patches},
};

/// The set of the locks whose corpora are mapped for tasks and nothing else.
pub(super) const SET: &str = "tasks";

/// The tasks of a corpus: the patches of its package that have a label, in the order of their names. The reason
/// instead, if Debian's archive does not have them any more.
///
/// # Errors
/// The patches cannot be read, one with a label is missing, or its message is not the labelled one.
pub(super) fn of(
    folders: &Folders,
    row: &Row,
    labels: &TaskLabels,
) -> Result<Result<Vec<Task>, String>, Failure> {
    let failed =
        |error: &corpus::store::StoreError| Failure::new(error.exit_code(), error.to_string());
    let Some(packed) = row.patches() else { return Ok(Ok(Vec::new())) };
    let store = folders.corpora();
    let archive = match store.artifact(&packed) {
        Ok(archive) => archive,
        Err(error) => {
            let why = error.absence().ok_or_else(|| failed(&error))?;
            talk(&format!("SKIP {}: {why} ({error})", row.name));
            return Ok(Err(why.to_owned()));
        }
    };
    let scratch = base::scratch::Scratch::new("patches")?;
    let unpacked = scratch.path().join("unpacked");
    disk::create_dir(&unpacked)
        .map_err(|error| Failure::new(error.exit_code(), error.to_string()))?;
    let messages =
        patches::messages(&packed, &archive, &unpacked).map_err(|error| failed(&error))?;
    let task = |label: &verdict::gate::TaskLabel| {
        let wrong = |what: &str| {
            let (corpus, patch) = (&row.name, &label.patch);
            let why = format!("corpus `{corpus}`: {what} of the patch {patch}, which has a label");
            Failure::new(exit::DIGEST, why)
        };
        let message = messages.get(&label.patch).ok_or_else(|| wrong("the archive has nothing"))?;
        if Digest::of(message) != label.message_sha256 {
            return Err(wrong("the label is of another subject than that"));
        }
        Ok(Task { id: label.patch.clone(), message: message.clone() })
    };
    Ok(Ok(labels.of_corpus(&row.name).map(task).collect::<Result<_, Failure>>()?))
}
