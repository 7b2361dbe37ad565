//! The facts that all nested formats have: JSON, YAML and TOML.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::masked::masked;

/// The shape of a nested document. Lines are 1-based, and paths are written as `jq` writes them:
/// `.dependencies["a b"].features[]`. Values that look like secrets are `****`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TreeFields {
    /// What the root is: `object`, `array`, `primitive` or `empty`; absent for TOML, whose root is
    /// always a table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub root_type: Option<&'static str>,
    /// Depth of the deepest value; a root that holds nothing has depth 0.
    pub max_depth: usize,
    /// Different keys of each object, summed over all objects.
    pub total_keys: u64,
    /// Items of all arrays.
    pub total_array_elements: u64,
    /// Values of each kind that occurs, by the words that [`Key::types`] has.
    pub value_types: BTreeMap<&'static str, u64>,
    /// Different paths of keys: the length of `keys`, or more where that is not complete.
    pub distinct_keys: usize,
    /// The keys by their paths: those of all items of an array are one entry.
    pub keys: Vec<Key>,
    /// False if there are more paths than are listed.
    pub keys_complete: bool,
    /// Keys that stand in their object already.
    pub duplicate_keys: u64,
    /// The first thousand of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub duplicates: Vec<Duplicate>,
}

/// The keys at one path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Key {
    /// The path.
    pub path: String,
    /// The path of what it is in; absent at the root.
    pub parent: Option<String>,
    /// What its values are: `object`, `array`, `string`, `number`, `boolean`, `null`, `datetime`
    /// (TOML) or `alias` (YAML), in this order.
    pub types: Vec<&'static str>,
    /// Values at this path.
    pub count: u64,
    /// Where it stands first.
    pub line: u64,
    /// What the items of its arrays are, if it has any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub items: Option<Vec<&'static str>>,
    /// Fewest and most items of its arrays, if it has any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lengths: Option<[u64; 2]>,
    /// Its first value that is neither object, array nor null; at most 50 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sample: Option<String>,
}

/// A key that stands in its object already.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Duplicate {
    /// Its path.
    pub path: String,
    /// Where it stands again.
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
