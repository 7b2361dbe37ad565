//! The facts that all nested formats have: JSON, YAML and TOML.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::masked::masked;

/// The structure of a nested document. Lines are 1-based, and paths are in the notation of `jq`:
/// `.dependencies["a b"].features[]`. Values that look like secrets are `****`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TreeFields {
    /// The kind of the root: `object`, `array`, `primitive` or `empty`; absent for TOML, whose root
    /// is always a table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub root_type: Option<&'static str>,
    /// Depth of the deepest value; an empty root has depth 0.
    pub max_depth: usize,
    /// Number of distinct keys in each object, summed over all objects.
    pub total_keys: u64,
    /// Number of items in all arrays.
    pub total_array_elements: u64,
    /// Number of values of each kind that occurs, by the words in [`Key::types`].
    pub value_types: BTreeMap<&'static str, u64>,
    /// Number of distinct paths of keys: the length of `keys`, or more if that is not complete.
    pub distinct_keys: usize,
    /// The keys by path; the keys in all items of an array share an entry.
    pub keys: Vec<Key>,
    /// False if there are more paths than are listed.
    pub keys_complete: bool,
    /// Number of keys that repeat a key of the same object.
    pub duplicate_keys: u64,
    /// The first thousand repeated keys.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub duplicates: Vec<Duplicate>,
}

/// The keys at one path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Key {
    /// The path.
    pub path: String,
    /// The path of the enclosing value; absent at the root.
    pub parent: Option<String>,
    /// The kinds of its values: `object`, `array`, `string`, `number`, `boolean`, `null`,
    /// `datetime` (TOML) or `alias` (YAML), in this order.
    pub types: Vec<&'static str>,
    /// Number of values at this path.
    pub count: u64,
    /// The line of its first occurrence.
    pub line: u64,
    /// The kinds of the items of its arrays, if it has any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub items: Option<Vec<&'static str>>,
    /// Minimum and maximum length of its arrays, if it has any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lengths: Option<[u64; 2]>,
    /// Its first value other than an object, an array or null; at most 50 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sample: Option<String>,
}

/// A key that repeats a key of the same object.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Duplicate {
    /// Its path.
    pub path: String,
    /// The line of the repetition.
    pub line: u64,
}

masked! {
    TreeFields {
        root_type, max_depth, total_keys, total_array_elements, value_types, distinct_keys, keys,
        keys_complete, duplicate_keys, duplicates,
    }
    Key { path, parent, types, count, line, items, lengths, sample }
    Duplicate { path, line }
}
