//! The level of the index that keeps chunks.

use std::panic::{AssertUnwindSafe, catch_unwind};

use base::text::paths;
use index::{Content, ContentKey, Digest, Extractor, Settings, chunk_maker};
use semantic::{File, NoParts};

use crate::{row, terms::Rules};

/// Keeps the chunks of every file whose name may be that of source code, or whose extension has a
/// language set.
#[derive(Debug)]
pub struct Chunks {
    maker: Digest,
}

impl Chunks {
    /// The level for all languages.
    pub fn new() -> Self {
        Self { maker: chunk_maker() }
    }
}

impl Default for Chunks {
    fn default() -> Self {
        Self::new()
    }
}

impl Extractor for Chunks {
    /// The language that the configuration sets for the file, if any.
    type Language = Option<&'static str>;

    fn language(&self, settings: &Settings, path: &str) -> Option<Self::Language> {
        let set = settings.languages.end_of(path).map(|language| language.key);
        (set.is_some() || File::may_be_code(path)).then_some(set)
    }

    fn key(&self, set: Self::Language, sha256: Digest, path: &str) -> ContentKey {
        // The file's name takes part in the choice of the language, unless a language is set. No
        // file name contains a slash, so the two kinds of keys cannot be confused.
        let name = match set {
            Some(language) => format!("{language}/"),
            None => paths::basename(path).to_owned(),
        };
        ContentKey { sha256, maker: self.maker, name }
    }

    fn extract(
        &self,
        _: &Settings,
        set: Self::Language,
        path: &str,
        bytes: Vec<u8>,
    ) -> Result<Content, String> {
        let read = || File::read_as(paths::basename(path), set, &bytes);
        let read = catch_unwind(AssertUnwindSafe(read));
        match read {
            Ok(Ok(file)) => Ok(row::make(Some(&file), Rules::default())),
            Ok(Err(NoParts::NotCode)) => Ok(row::make(None, Rules::default())),
            Ok(Err(NoParts::Unreadable(why))) => Err(why),
            Err(_) => Err("parser panicked".to_owned()),
        }
    }
}
