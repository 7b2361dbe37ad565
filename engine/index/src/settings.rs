//! What bounds the index.

use std::{collections::BTreeMap, path::PathBuf};

use map::language::Overrides;

use crate::prune::Most;

/// What bounds the index. [`Settings::in_folder`] has every default.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The folder of the store; it is made for its owner alone.
    pub folder: PathBuf,
    /// Largest file in bytes whose symbols are read.
    pub max_file_size: u64,
    /// Milliseconds that the parser of one file may take.
    pub parse_timeout_ms: u64,
    /// Bytes that the store may have; what was used longest ago goes first.
    pub max_store_bytes: u64,
    /// Share of that, above 0 and up to 1, at which it is made smaller.
    pub threshold: f64,
    /// Contents of which the store may keep something; any number if absent.
    pub max_contents: Option<u64>,
    /// Patterns of files that are left out, as an ignore file has them, relative to the root.
    pub excluded: Vec<String>,
    /// Languages that were set for extensions.
    pub languages: Overrides,
    /// Keys of languages whose files are left out of navigation.
    pub disabled_languages: Vec<String>,
    /// Files that may not be parsed, by their [`base::watch::file_id`], with the reason: their parser
    /// has crashed, or never returned, in an earlier start of this program.
    pub avoided: BTreeMap<u64, String>,
}

impl Settings {
    /// The defaults, with the store in a folder.
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

    /// How much the store may have before it is made smaller.
    pub(crate) fn most(&self) -> Most {
        let bytes = (self.max_store_bytes as f64 * self.threshold) as u64;
        Most { bytes, contents: self.max_contents.unwrap_or(u64::MAX) }
    }
}
