//! The paths of a tree, and the facts about each.

use super::{
    KINDS, Kind, Tree,
    fields::{Duplicate, Key, TreeFields},
};
use crate::{disclosure::Summary, selector::escaped};

impl Tree {
    /// The kind of the root, as in [`TreeFields::root_type`].
    pub(super) fn root_type(&self) -> &'static str {
        match self.root() {
            Some(kind @ (Kind::Object | Kind::Array)) => kind.as_str(),
            Some(_) => "primitive",
            None => "empty",
        }
    }

    /// The facts that all nested formats have.
    pub fn facts(&self) -> TreeFields {
        let paths = self.paths();
        let path = |id: u32| paths.get(id as usize).cloned().unwrap_or_default();
        let mut keys = Vec::new();
        for (index, ((_, name), node)) in self.nodes.iter().enumerate() {
            if name.is_none() {
                continue;
            }
            let items = node.items.and_then(|id| self.node(id));
            keys.push(Key {
                path: path(index as u32),
                parent: node.parent.map(path).filter(|parent| !parent.is_empty()),
                types: node.words(),
                count: node.counts.iter().map(|count| u64::from(*count)).sum(),
                line: node.line,
                items: items.map(super::Node::words),
                lengths: node.lengths.map(|(fewest, most)| [fewest, most]),
                sample: self.sample(index as u32).map(str::to_owned),
            });
        }
        let kinds = KINDS.iter().zip(self.totals.kinds).filter(|(_, count)| *count > 0);
        let duplicate = |(id, line): &(u32, u64)| Duplicate { path: path(*id), line: *line };
        TreeFields {
            root_type: Some(self.root_type()),
            max_depth: self.totals.max_depth,
            total_keys: self.totals.keys,
            total_array_elements: self.totals.array_elements,
            value_types: kinds.map(|(kind, count)| (kind.as_str(), count)).collect(),
            distinct_keys: self.distinct_keys(),
            keys,
            keys_complete: self.complete,
            duplicate_keys: self.totals.duplicates,
            duplicates: self.duplicates.iter().map(duplicate).collect(),
        }
    }

    /// Number of distinct paths of keys, listed or not.
    fn distinct_keys(&self) -> usize {
        self.listed_keys() + self.unlisted.count() as usize
    }

    fn listed_keys(&self) -> usize {
        self.nodes.keys().filter(|(_, name)| name.is_some()).count()
    }

    /// Records in a summary which lists of [`Tree::facts`] are incomplete.
    pub fn limits(&self, summary: &mut Summary) {
        let duplicates = self.duplicates.len();
        summary.capped("/fields/duplicates", duplicates, self.totals.duplicates, false);
        if self.complete {
            return;
        }
        let at_least = self.unlisted.at_least();
        let all = self.distinct_keys() as u64;
        summary.capped("/fields/keys", self.listed_keys(), all, at_least);
        for (path, node) in self.paths().iter().zip(self.nodes.values()) {
            if node.more > 0 {
                let keys = node.keys.len();
                summary.capped(&list_below(path), keys, keys as u64 + node.more, at_least);
            }
        }
    }

    /// All paths, by node.
    pub(super) fn paths(&self) -> Vec<String> {
        let mut paths: Vec<String> = Vec::with_capacity(self.nodes.len());
        for ((parent, name), _) in &self.nodes {
            let mut path = paths.get(*parent as usize).cloned().unwrap_or_default();
            match name {
                _ if *parent == u32::MAX => {}
                Some(name) => step(&mut path, name),
                None => {
                    if path.is_empty() {
                        path.push('.');
                    }
                    path.push_str("[]");
                }
            }
            paths.push(path);
        }
        paths
    }
}

/// The selector of the keys directly below a path.
pub(super) fn list_below(path: &str) -> String {
    format!("/fields/keys?parent={}", escaped(path))
}

/// Appends a key to a path.
pub fn step(path: &mut String, name: &str) {
    let plain = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && name.chars().all(|character| character.is_ascii_alphanumeric() || character == '_');
    if plain {
        path.push('.');
        path.push_str(name);
    } else {
        if path.is_empty() {
            path.push('.');
        }
        path.push('[');
        path.push_str(&serde_json::Value::from(name).to_string());
        path.push(']');
    }
}
