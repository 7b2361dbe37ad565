//! Tasks: changes that somebody made to a repository, told by their subjects.

use serde::{Deserialize, Serialize};

/// The multiplier of the budget of a task's maps: all systems get the same number of tokens.
pub const TASK_MULTIPLIER: u64 = 1;

/// One change, as a system is told of it before it is made. What it changed is known to the judge alone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Task {
    /// Unique within the corpus: the name of the patch.
    pub id: String,
    /// The subject of the patch, which is the user's message.
    pub message: String,
}
