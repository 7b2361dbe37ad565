//! Who explores what is stored.

use std::panic::{AssertUnwindSafe, catch_unwind};

use base::profile::Profile;
use explore::{Input, Project, explore};
use serde::{Deserialize, Serialize};

/// What an explorer says of a content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Explored {
    /// The text for an agent. Values that look like secrets are masked.
    pub summary: String,
    /// The explorer that made it, such as `json`.
    pub explorer_used: String,
}

/// Explores contents. It is called when a content is stored already; whatever it does, the content
/// stays.
pub trait Explorer {
    /// Explores a content under a name; none if that fails.
    fn explore(&self, name: &str, content: &[u8], profile: Profile) -> Option<Explored>;
}

/// The explorers of this project, in this process. A parser in C that crashes ends it.
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
