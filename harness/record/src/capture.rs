//! What a child did: its output, how it ended and how long it took.

use std::{collections::BTreeMap, time::Duration};

use serde::{Deserialize, Serialize};

/// The output of a child: whole when it fits, else its first and last parts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Capped {
    /// The kept bytes. When `truncated`, a gap lies after the first `head` bytes.
    pub bytes: Vec<u8>,
    /// How many of the kept bytes come from the beginning of the stream.
    pub head: usize,
    /// How many bytes the child wrote before it ended or was stopped.
    pub total: u64,
    /// Whether bytes are missing between head and tail.
    pub truncated: bool,
}

/// Why this process stopped a child before it ended by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stop {
    /// It ran past its deadline.
    Deadline,
    /// It wrote more than it may.
    Flood,
    /// The user interrupted this process.
    Interrupt,
}

/// The verbatim record of one finished child.
///
/// Peak memory is absent: it would need `wait4`, which neither duct nor the standard library
/// offers without foreign code. A comparator's driver reports its own.
#[derive(Debug, Clone)]
pub struct Capture {
    /// Program and arguments.
    pub argv: Vec<String>,
    /// The whole environment that the child was given.
    pub env: BTreeMap<String, String>,
    /// The standard input that the child was given. It may not have read all of it.
    pub stdin: Vec<u8>,
    /// Standard output.
    pub stdout: Capped,
    /// Standard error.
    pub stderr: Capped,
    /// The exit code; absent when a signal ended the child.
    pub exit_code: Option<i32>,
    /// The signal that ended the child; absent when it exited.
    pub signal: Option<i32>,
    /// Why the child was stopped; absent when it ended by itself.
    pub stopped: Option<Stop>,
    /// Whether a process outside the child's group kept a pipe open after the end. Its output was
    /// not waited for.
    pub pipe_held: bool,
    /// Wall time from start to end, by a monotonic clock; zero in a capture that was read back from a
    /// recording.
    pub duration: Duration,
}

impl Capture {
    /// Whether the child ended by itself with exit code 0.
    pub fn succeeded(&self) -> bool {
        self.stopped.is_none() && self.exit_code == Some(0)
    }

    /// The last `lines` non-blank lines of standard error, for an error message.
    pub fn stderr_tail(&self, lines: usize) -> String {
        let text = String::from_utf8_lossy(&self.stderr.bytes);
        let shown: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        shown[shown.len().saturating_sub(lines)..].join("\n")
    }

    /// How the child ended, as a phrase for messages.
    pub fn ending(&self) -> String {
        match (self.stopped, self.exit_code, self.signal) {
            (Some(Stop::Deadline), ..) => "was stopped at its deadline".to_owned(),
            (Some(Stop::Flood), ..) => "was stopped because it wrote too much output".to_owned(),
            (Some(Stop::Interrupt), ..) => "was interrupted".to_owned(),
            (None, Some(code), _) => format!("ended with exit code {code}"),
            (None, None, Some(signal)) => format!("was ended by signal {signal}"),
            (None, None, None) => "ended in an unknown way".to_owned(),
        }
    }
}
