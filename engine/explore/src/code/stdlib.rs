//! Lists of what a language brings along: one name a line, as the language's own tool prints
//! them; a line that begins with `#` says which tool.

use std::collections::BTreeSet;

/// A list.
#[derive(Debug)]
pub struct Names(BTreeSet<&'static str>);

impl Names {
    /// The names of an embedded list.
    pub fn parse(list: &'static str) -> Self {
        Self(list.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect())
    }

    /// Whether the list has a name.
    pub fn has(&self, name: &str) -> bool {
        self.0.contains(name)
    }

    /// Whether the list has a name or one that it lies below: `net/http` for `net/http/status`.
    pub fn has_above(&self, name: &str, separator: char) -> bool {
        self.has(name)
            || name
                .match_indices(separator)
                .any(|(at, _)| name.get(..at).is_some_and(|above| self.has(above)))
    }
}
