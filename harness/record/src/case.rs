//! What both sides are asked about a corpus, and how they look at it.

use serde::{Deserialize, Serialize};

/// One question that is put to both sides.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// Unique within the corpus.
    pub id: String,
    /// Files in the chat, relative to the root.
    #[serde(default)]
    pub chat_files: Vec<String>,
    /// Files that are read only, relative to the root.
    #[serde(default)]
    pub read_only_files: Vec<String>,
    /// The user's message; empty for none.
    #[serde(default)]
    pub message: String,
    /// True if the comparator must end without a map. Then two things are judged: that both sides are
    /// equal, and that neither has a map. There is nothing to score a ranking or a search on.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub no_map: bool,
}

/// How both sides look at a repository: the same for all its cases.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct View {
    /// The folder that both sides run in, relative to the root; the root if empty.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub cwd: String,
    /// Only files below that folder count.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub subtree_only: bool,
    /// The ignore file, relative to the root; the comparator's own choice if empty.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub aiderignore: String,
}

impl View {
    /// True if nothing is special.
    pub fn is_plain(&self) -> bool {
        *self == Self::default()
    }

    /// Adds the view to a request of the comparator's driver.
    pub fn ask(&self, request: &mut serde_json::Value) {
        let Some(fields) = request.as_object_mut().filter(|_| !self.is_plain()) else { return };
        if !self.cwd.is_empty() {
            fields.insert("cwd".to_owned(), self.cwd.clone().into());
        }
        fields.insert("subtree_only".to_owned(), self.subtree_only.into());
        if !self.aiderignore.is_empty() {
            fields.insert("aiderignore".to_owned(), self.aiderignore.clone().into());
        }
    }

    /// The arguments of `parity map` that mean the same, for a process that runs in the root of the
    /// repository.
    pub fn map_arguments(&self) -> Vec<String> {
        let cwd = if self.cwd.is_empty() { "." } else { &self.cwd };
        let mut arguments = vec!["map".to_owned(), cwd.to_owned()];
        if self.subtree_only {
            arguments.push("--subtree-only".to_owned());
        }
        if !self.aiderignore.is_empty() {
            arguments.extend(["--aiderignore".to_owned(), self.aiderignore.clone()]);
        }
        arguments
    }
}
