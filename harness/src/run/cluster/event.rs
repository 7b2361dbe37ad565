//! What the driver tells: one JSON object a line.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// An event of a cluster.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case", deny_unknown_fields)]
pub enum Event {
    /// There is a further node.
    NodeJoined {
        /// Its name.
        node: String,
        /// Its processors.
        cpus: f64,
        /// Its process, if it was started here.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pid: Option<u32>,
    },
    /// A node is gone. Ray runs its units again.
    NodeLost {
        /// Its name.
        node: String,
    },
    /// The nodes that there are now.
    Nodes {
        /// How many.
        alive: usize,
        /// Their processors.
        cpus: f64,
    },
    /// What the units do that Ray has.
    Load {
        /// How many run.
        running: usize,
        /// How many wait.
        waiting: usize,
        /// What they wait for.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        waits_for: Option<WaitsFor>,
    },
    /// Ray has a unit.
    Submitted {
        /// Its key.
        unit: String,
    },
    /// A worker has answered.
    Answered {
        /// The unit.
        unit: String,
        /// The node.
        node: String,
        /// The file with the answer.
        file: PathBuf,
    },
    /// A worker ended without an answer, or Ray gave the unit up.
    Failed {
        /// The unit.
        unit: String,
        /// The node, if it is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        node: Option<String>,
        /// The worker's exit code, if it ran.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        code: Option<i32>,
        /// What was said.
        why: String,
    },
    /// An answer was refused. The driver does not tell this; it is added here.
    Refused {
        /// The unit.
        unit: String,
        /// The node that answered.
        node: String,
        /// Why.
        why: String,
    },
    /// Ray cannot be reached or started.
    NoCluster {
        /// What was said.
        why: String,
    },
}

/// What a unit has to have before Ray runs it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WaitsFor {
    /// A processor.
    Processor,
    /// As much memory as it needs.
    Memory,
    /// A node: there is none.
    Node,
}

impl WaitsFor {
    /// As a part of a sentence.
    pub const fn in_words(self) -> &'static str {
        match self {
            Self::Processor => "for a processor",
            Self::Memory => "for memory",
            Self::Node => "for a node",
        }
    }
}

impl Event {
    /// What the user should know of it without asking, if anything.
    pub fn in_words(&self) -> Option<String> {
        Some(match self {
            Self::NodeJoined { node, cpus, .. } => {
                format!("the node {} has joined, {cpus} processors", short(node))
            }
            Self::NodeLost { node } => {
                format!("the node {} is lost; Ray runs its units again", short(node))
            }
            Self::Failed { unit, node, code, why } => {
                let node = node
                    .as_deref()
                    .map_or_else(|| "no node".to_owned(), |node| short(node).to_owned());
                let code = code.map_or_else(String::new, |code| format!(", exit code {code}"));
                format!("the unit {unit} failed on {node}{code}: {why}")
            }
            Self::Refused { unit, node, why } => {
                format!("the answer of {} for the unit {unit} is refused: {why}", short(node))
            }
            Self::Nodes { .. }
            | Self::Load { .. }
            | Self::Submitted { .. }
            | Self::Answered { .. }
            | Self::NoCluster { .. } => return None,
        })
    }
}

/// The beginning of a node's name, which has 56 digits.
fn short(node: &str) -> &str {
    node.get(..8).unwrap_or(node)
}

#[cfg(test)]
mod tests {
    use super::Event;

    #[test]
    fn what_the_driver_prints_is_read() {
        for line in [
            r#"{"cpus": 1.0, "event": "node_joined", "node": "a", "pid": 7}"#,
            r#"{"cpus": 4, "event": "node_joined", "node": "a"}"#,
            r#"{"event": "node_lost", "node": "a"}"#,
            r#"{"alive": 2, "cpus": 2.0, "event": "nodes"}"#,
            r#"{"event": "load", "running": 2, "waiting": 3, "waits_for": "memory"}"#,
            r#"{"event": "load", "running": 0, "waiting": 0}"#,
            r#"{"event": "submitted", "unit": "u"}"#,
            r#"{"event": "answered", "file": "/a/1.answer", "node": "a", "unit": "u"}"#,
            r#"{"code": 26, "event": "failed", "node": "a", "unit": "u", "why": "not here"}"#,
            r#"{"code": null, "event": "failed", "node": "a", "unit": "u", "why": "no program"}"#,
            r#"{"event": "failed", "unit": "u", "why": "lost"}"#,
            r#"{"event": "no_cluster", "why": "refused"}"#,
        ] {
            serde_json::from_str::<Event>(line).unwrap();
        }
        assert!(serde_json::from_str::<Event>(r#"{"event": "else"}"#).is_err());
    }
}
