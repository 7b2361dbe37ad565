//! Killing the process on purpose, to test that no half-written data is left behind. This exists
//! only in programs that are built with debug assertions, which releases are not.
//!
//! `PARITY_TEST_LCM_KILL=file.changed` ends the process, as `kill -9` does, in the transaction that
//! writes a file: after everything is written and before it is committed.

/// What is written in one transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Write {
    /// The tables of a new store.
    Schema,
    /// A session.
    Session,
    /// A message.
    Message,
    /// A summary and its links to what it summarises.
    Summary,
    /// A large content.
    File,
    /// The exploration of a large content.
    Exploration,
    /// The removal of sessions.
    Removal,
}

/// How far a transaction has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// It has begun.
    Begun,
    /// Everything is written, nothing is committed.
    Changed,
    /// It is committed, but the caller has not been told.
    Committed,
}

impl Write {
    /// All kinds of writes.
    pub const ALL: [Self; 7] = [
        Self::Schema,
        Self::Session,
        Self::Message,
        Self::Summary,
        Self::File,
        Self::Exploration,
        Self::Removal,
    ];

    const fn as_str(self) -> &'static str {
        match self {
            Self::Schema => "schema",
            Self::Session => "session",
            Self::Message => "message",
            Self::Summary => "summary",
            Self::File => "file",
            Self::Exploration => "exploration",
            Self::Removal => "removal",
        }
    }
}

impl Stage {
    /// All stages.
    pub const ALL: [Self; 3] = [Self::Begun, Self::Changed, Self::Committed];

    const fn as_str(self) -> &'static str {
        match self {
            Self::Begun => "begun",
            Self::Changed => "changed",
            Self::Committed => "committed",
        }
    }
}

/// The name of a point, as the environment variable gives it.
pub fn name(write: Write, stage: Stage) -> String {
    format!("{}.{}", write.as_str(), stage.as_str())
}

/// The environment variable that names the point at which the process is killed.
pub const VARIABLE: &str = "PARITY_TEST_LCM_KILL";

/// Kills the process here if a test asks for it.
#[cfg(debug_assertions)]
pub(crate) fn at(write: Write, stage: Stage) {
    use std::sync::LazyLock;

    static POINT: LazyLock<Option<String>> = LazyLock::new(|| std::env::var(VARIABLE).ok());
    if POINT.as_deref() == Some(name(write, stage).as_str()) {
        use rustix::process::{Signal, getpid, kill_process};
        let _ = kill_process(getpid(), Signal::KILL);
    }
}

#[cfg(not(debug_assertions))]
pub(crate) const fn at(_: Write, _: Stage) {}
