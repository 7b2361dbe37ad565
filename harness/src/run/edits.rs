//! The edits before the calls of a sequence.

use std::{fs, io, path::Path, time::Duration};

use record::{Action, Call, Edit};

use crate::{corpus::git, process::ProcessError};

/// Modification time of a file that is written before the first call, in seconds since 1970; each later
/// call is a minute later. Real times would differ between two runs, and between the two sides.
const FIRST_EDIT: u64 = git::TIME + 60;
const MINUTE: u64 = 60;

/// A sequence could not be run.
#[derive(Debug, thiserror::Error)]
pub enum SequenceError {
    /// The program could not be started.
    #[error(transparent)]
    Process(#[from] ProcessError),
    /// An edit failed.
    #[error("{path} cannot be edited before a call: {error}")]
    Edit {
        /// The file.
        path: String,
        /// What the system said.
        error: io::Error,
    },
    /// Git did not accept a file.
    #[error(transparent)]
    Git(#[from] git::GitError),
    /// The session could not be written to or read.
    #[error("cannot write to or read from the session: {0}")]
    Pipe(io::Error),
}

/// Makes the edits before a call in a repository that may be written to. `number` is the number of the
/// call, from 0.
pub fn make_edits(call: &Call, root: &Path, number: usize) -> Result<(), SequenceError> {
    edit_files(&call.edits, root, number)
}

/// The same for the edits before a process of a scenario.
pub fn edit_files(edits: &[Edit], root: &Path, number: usize) -> Result<(), SequenceError> {
    let time = FIRST_EDIT + MINUTE * number as u64;
    for edit in edits {
        make(edit, root, time)
            .map_err(|error| SequenceError::Edit { path: edit.path.clone(), error })?;
        if edit.track {
            git::run(root, &["add", "--force", "--", &edit.path])?;
        }
    }
    Ok(())
}

fn make(edit: &Edit, root: &Path, time: u64) -> io::Result<()> {
    let path = root.join(&edit.path);
    if edit.action == Action::Delete {
        return fs::remove_file(&path);
    }
    let mut time = std::time::UNIX_EPOCH + Duration::from_secs(time);
    if edit.keep_time {
        time = fs::metadata(&path)?.modified()?;
    }
    if edit.action == Action::Write {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let content: String = edit.parts.iter().map(|(text, times)| text.repeat(*times)).collect();
        fs::write(&path, content)?;
    }
    fs::File::options().write(true).open(&path)?.set_modified(time)
}
