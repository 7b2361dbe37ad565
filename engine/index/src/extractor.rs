//! What a level of the store keeps of which files. Navigation has its own level; other crates bring theirs.

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
    /// What it knows of a file by its path alone.
    type Language: Copy + Send + Sync;

    /// That of a file, or nothing if the level keeps nothing of it.
    fn language(&self, settings: &Settings, path: &str) -> Option<Self::Language>;

    /// What the row of a file is kept under: all that it depends on.
    fn key(&self, language: Self::Language, sha256: Digest, path: &str) -> ContentKey;

    /// The row of a file, or why there is none. A panic would end all of it.
    ///
    /// # Errors
    /// The reason in words.
    fn extract(
        &self,
        settings: &Settings,
        language: Self::Language,
        path: &str,
        bytes: Vec<u8>,
    ) -> Result<Content, String>;
}

/// The symbols that navigation reads.
#[derive(Debug)]
pub struct Navigated {
    makers: BTreeMap<&'static str, Digest>,
}

impl Navigated {
    /// Of all languages.
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
