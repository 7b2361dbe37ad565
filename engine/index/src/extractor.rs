//! What a level of the store keeps of each file. Navigation has its own level; other crates add
//! theirs.

use std::{collections::BTreeMap, time::Duration};

use base::text::read;
use map::language::{Language, registry};

use crate::{
    rows::{Content, ContentKey, Digest},
    settings::Settings,
    symbols,
    sync::language_of,
};

/// Makes the rows of a level. The same bytes under the same key must give the same row.
pub trait Extractor: Sync {
    /// What the level knows of a file from its path alone.
    type Language: Copy + Send + Sync;

    /// The language of a file, or `None` if the level keeps nothing of the file.
    fn language(&self, settings: &Settings, path: &str) -> Option<Self::Language>;

    /// The key under which the row of a file is kept: everything that the row depends on.
    fn key(&self, language: Self::Language, sha256: Digest, path: &str) -> ContentKey;

    /// The row of a file. It must not panic, because a panic would end the whole run.
    ///
    /// # Errors
    /// Why there is no row, in words.
    fn extract(
        &self,
        settings: &Settings,
        language: Self::Language,
        path: &str,
        bytes: Vec<u8>,
    ) -> Result<Content, String>;
}

/// The level of the symbols that navigation reads.
#[derive(Debug)]
pub struct Navigated {
    makers: BTreeMap<&'static str, Digest>,
}

impl Navigated {
    /// The level for all languages.
    pub fn new() -> Self {
        let languages = registry().languages().iter();
        let makers = languages.map(|language| (language.key, symbols::maker(language))).collect();
        Self { makers }
    }
}

impl Extractor for Navigated {
    type Language = &'static Language;

    fn language(&self, settings: &Settings, path: &str) -> Option<Self::Language> {
        language_of(settings, path)
    }

    fn key(&self, language: Self::Language, sha256: Digest, _: &str) -> ContentKey {
        let maker = self.makers.get(language.key).copied().unwrap_or_default();
        ContentKey { sha256, maker, name: String::new() }
    }

    fn extract(
        &self,
        settings: &Settings,
        language: Self::Language,
        _: &str,
        bytes: Vec<u8>,
    ) -> Result<Content, String> {
        let text = read::text(bytes).map_err(|error| error.to_string())?;
        let time = Duration::from_millis(settings.parse_timeout_ms);
        let found = symbols::extract(language, &text, time).map_err(|error| error.to_string())?;
        Ok(symbols::encode(&found.symbols))
    }
}
