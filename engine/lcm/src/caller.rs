//! Who asks for a content.

use serde::{Deserialize, Serialize};

/// What kind of agent asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Caller {
    /// The agent that talks to the user.
    Main,
    /// An agent that another agent started.
    SubAgent,
}

/// Who asks for a content, and from which session.
#[derive(Debug, Clone, Copy)]
pub struct Asker<'a> {
    /// The session, by its id.
    pub session: &'a str,
    /// What kind of agent it is.
    pub caller: Caller,
}
