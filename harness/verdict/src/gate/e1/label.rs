//! What the tasks changed, as it was frozen before the first score.

use std::{collections::BTreeMap, fs};

use record::{Digest, protocol::TASKS};
use serde::Deserialize;

use crate::protocol::{Protocol, ProtocolError};

/// What one task changed: names and digests, none of its text.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TaskLabel {
    /// Corpus.
    pub corpus: String,
    /// Name of the patch.
    pub patch: String,
    /// sha256 of the subject, which is the message.
    pub message_sha256: Digest,
    /// Main language of the changed files.
    pub language: String,
    /// The changed files, each with the names that its changes stand under.
    pub changed: BTreeMap<String, Vec<String>>,
}

/// All labels, by corpus and patch.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TaskLabels(BTreeMap<(String, String), TaskLabel>);

impl TaskLabels {
    /// Reads the labels of a protocol, one JSON object on each line.
    ///
    /// # Errors
    /// They are missing or malformed, a task has no file, or a task comes twice.
    pub fn open(protocol: &Protocol) -> Result<Self, ProtocolError> {
        let path = protocol.root().join(TASKS);
        let text = fs::read_to_string(&path)
            .map_err(|error| ProtocolError::Io { path: path.clone(), error })?;
        Self::parse(&text).map_err(|why| ProtocolError::Malformed { path, why })
    }

    /// Reads labels, one JSON object on each line.
    ///
    /// # Errors
    /// The first line that cannot be used, with its number.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut labels = BTreeMap::new();
        for (number, line) in (1..).zip(text.lines()) {
            let wrong = |why: String| format!("line {number}: {why}");
            let label: TaskLabel =
                serde_json::from_str(line).map_err(|error| wrong(error.to_string()))?;
            if label.changed.is_empty() {
                return Err(wrong("the task changes no file".to_owned()));
            }
            let key = (label.corpus.clone(), label.patch.clone());
            if labels.insert(key, label).is_some() {
                return Err(wrong("the task is there twice".to_owned()));
            }
        }
        Ok(Self(labels))
    }

    /// The label of a patch of a corpus.
    pub fn of(&self, corpus: &str, patch: &str) -> Option<&TaskLabel> {
        self.0.get(&(corpus.to_owned(), patch.to_owned()))
    }

    /// The labels of a corpus, by the names of the patches.
    pub fn of_corpus<'a>(&'a self, corpus: &'a str) -> impl Iterator<Item = &'a TaskLabel> {
        self.0.values().filter(move |label| label.corpus == corpus)
    }
}

#[cfg(test)]
mod tests {
    use super::TaskLabels;

    #[test]
    fn labels_are_found_by_corpus_and_patch() {
        let line = |corpus: &str| {
            let sha256 = "0".repeat(64);
            format!(
                "{{\"corpus\":\"{corpus}\",\"patch\":\"p\",\"message_sha256\":\"{sha256}\",\
                 \"language\":\"c\",\"changed\":{{\"a.c\":[\"f\"]}}}}\n"
            )
        };
        let labels = TaskLabels::parse(&(line("a") + &line("b"))).unwrap();
        assert_eq!(labels.of("b", "p").unwrap().changed["a.c"], ["f"]);
        assert_eq!((labels.of("c", "p"), labels.of_corpus("a").count()), (None, 1));
        let error = TaskLabels::parse(&(line("a") + &line("a"))).unwrap_err();
        assert_eq!(error, "line 2: the task is there twice");
        assert!(TaskLabels::parse("{}").unwrap_err().starts_with("line 1: missing field"));
        let error = TaskLabels::parse(&line("a").replace("\"a.c\":[\"f\"]", "")).unwrap_err();
        assert_eq!(error, "line 1: the task changes no file");
    }
}
