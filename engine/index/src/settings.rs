//! The settings of the index.

use std::{collections::BTreeMap, path::PathBuf};

use map::language::Overrides;

use crate::prune::Most;

/// The settings of the index. [`Settings::in_folder`] has every default.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The folder of the store; it is created so that only its owner can enter it.
    pub folder: PathBuf,
    /// Size of the largest file whose symbols are read, in bytes.
    pub max_file_size: u64,
    /// Time that the parser of one file may take, in milliseconds.
    pub parse_timeout_ms: u64,
    /// Maximum size of the store, in bytes; the least recently used rows are removed first.
    pub max_store_bytes: u64,
    /// The share of the maximum size, above 0 and up to 1, at which the store is pruned.
    pub threshold: f64,
    /// Maximum number of contents of which the store keeps anything; no limit if `None`.
    pub max_contents: Option<u64>,
    /// Patterns of files that are left out, in the syntax of an ignore file and relative to the
    /// root.
    pub excluded: Vec<String>,
    /// Languages that the user set for extensions.
    pub languages: Overrides,
    /// Keys of languages whose files are left out of navigation.
    pub disabled_languages: Vec<String>,
    /// Files that must not be parsed, by their [`base::watch::file_id`], each with the reason: in
    /// an earlier run of this program their parser crashed or never returned.
    pub avoided: BTreeMap<u64, String>,
}

impl Settings {
    /// The default settings, with the store in the given folder.
    pub fn in_folder(folder: impl Into<PathBuf>) -> Self {
        Self {
            folder: folder.into(),
            max_file_size: 10 << 20,
            parse_timeout_ms: 5000,
            max_store_bytes: 1 << 30,
            threshold: 0.95,
            max_contents: None,
            excluded: Vec::new(),
            languages: Overrides::default(),
            disabled_languages: Vec::new(),
            avoided: BTreeMap::new(),
        }
    }

    /// The limits at which the store is pruned.
    pub(crate) fn most(&self) -> Most {
        let bytes = (self.max_store_bytes as f64 * self.threshold) as u64;
        Most { bytes, contents: self.max_contents.unwrap_or(u64::MAX) }
    }
}
