//! The level of the index that keeps chunks.

use std::panic::{AssertUnwindSafe, catch_unwind};

use base::text::paths;
use index::{Content, ContentKey, Digest, Extractor, Settings, chunk_maker};
use semantic::{File, NoParts};

use crate::{row, terms::Rules};

/// Keeps the chunks of every file whose name may be one of source code.
#[derive(Debug)]
pub struct Chunks {
    maker: Digest,
}

impl Chunks {
    /// Of all languages.
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
    type Language = ();

    fn language(&self, _: &Settings, path: &str) -> Option<()> {
        File::may_be_code(path).then_some(())
    }

    fn key(&self, (): (), sha256: Digest, path: &str) -> ContentKey {
        // The name takes part in the choice of the language.
        ContentKey { sha256, maker: self.maker, name: paths::basename(path).to_owned() }
    }

    fn extract(&self, _: &Settings, (): (), path: &str, bytes: Vec<u8>) -> Result<Content, String> {
        let read = catch_unwind(AssertUnwindSafe(|| File::read(paths::basename(path), &bytes)));
        match read {
            Ok(Ok(file)) => Ok(row::make(Some(&file), Rules::default())),
            Ok(Err(NoParts::NotCode)) => Ok(row::make(None, Rules::default())),
            Ok(Err(NoParts::Unreadable(why))) => Err(why),
            Err(_) => Err("parser panicked".to_owned()),
        }
    }
}
