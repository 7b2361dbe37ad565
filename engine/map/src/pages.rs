//! The pages of files, from which maps are rendered, kept from one map of a session to the next.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use base::text::folder::Folder;

use super::sources::{Source, modified, read_page};
use crate::{
    language::Language,
    syntax::{ExtractError, Outline, outline_of},
};

/// A file as it is rendered.
#[derive(Debug)]
pub struct Page {
    /// Its text, if the file was read again; otherwise the text of its source is used.
    pub text: Option<String>,
    /// Its outline.
    pub outline: Outline,
}

impl Page {
    /// The page of a source, with the text that its tags were extracted from.
    pub fn of(source: &Source) -> Result<Self, ExtractError> {
        let outline = match &source.outline {
            Some(outline) => outline.clone(),
            None => outline(source.language, source.text())?,
        };
        Ok(Self { text: None, outline })
    }

    /// The page of a source with the present text of its file. A file that cannot be read any more
    /// is empty.
    fn read(source: &Source, folder: &Folder) -> Result<Self, ExtractError> {
        let text = read_page(folder, &source.file).unwrap_or_default();
        let outline = outline(source.language, &text)?;
        Ok(Self { text: Some(text), outline })
    }
}

/// The outline of a text, to which a final newline is added as in the comparator.
fn outline(language: Option<&Language>, text: &str) -> Result<Outline, ExtractError> {
    match language {
        Some(language) if text.ends_with('\n') => outline_of(language, text),
        Some(language) => outline_of(language, &format!("{text}\n")),
        None => Ok(Outline::default()),
    }
}

/// The pages of a session, by modification time. As in the comparator, a file is read for its page
/// when it is first rendered, which may be later than it was read for its tags.
#[derive(Debug, Default)]
pub struct Pages {
    known: Mutex<BTreeMap<String, Stamped>>,
}

/// A page, with the modification time of its file when it was made.
type Stamped = (Option<u64>, Result<Arc<Page>, ExtractError>);

impl Pages {
    /// The page of a source: the stored one if the file's time is still the same.
    pub fn page(&self, source: &Source, folder: &Folder) -> Result<Arc<Page>, ExtractError> {
        let time = modified(&source.file.abs);
        let known = |pages: &BTreeMap<String, Stamped>| {
            pages.get(&source.file.rel).filter(|(at, _)| *at == time).map(|(_, page)| page.clone())
        };
        let lock = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(page) = known(&lock()) {
            return page;
        }
        let page = Page::read(source, folder).map(Arc::new);
        lock().insert(source.file.rel.clone(), (time, page.clone()));
        page
    }
}
