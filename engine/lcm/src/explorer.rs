//! Exploring contents that are stored.

use std::panic::{AssertUnwindSafe, catch_unwind};

use base::profile::Profile;
use explore::{Input, Project, explore};
use serde::{Deserialize, Serialize};

/// The result of exploring a content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Explored {
    /// The text for an agent. Values that look like secrets are masked.
    pub summary: String,
    /// The explorer that made the summary, such as `json`.
    pub explorer_used: String,
}

/// Explores contents. A content is stored before it is explored, so it is kept whatever its
/// explorer does.
pub trait Explorer {
    /// Explores a content under a name; `None` if that fails.
    fn explore(&self, name: &str, content: &[u8], profile: Profile) -> Option<Explored>;
}

/// The explorers of this project, run in this process. If a parser written in C crashes, the
/// process ends.
#[derive(Debug, Clone, Copy)]
pub struct InProcess;

impl Explorer for InProcess {
    fn explore(&self, name: &str, content: &[u8], profile: Profile) -> Option<Explored> {
        let input = Input::memory(name, content);
        let explore = || explore(&input, &Project::default(), profile);
        let found = catch_unwind(AssertUnwindSafe(explore)).ok().filter(|found| found.success)?;
        Some(Explored { summary: found.summary, explorer_used: found.explorer_used })
    }
}
