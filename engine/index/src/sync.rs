//! Brings what the index knows of a root up to date with its files.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use base::{
    text::{folder::Folder, read},
    watch,
};
use map::{
    language::{Detected, Language, registry},
    repo::{Present, RepoFile},
};
use rayon::prelude::*;
use rusqlite::{Connection, Result};
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use crate::{
    gomod, prune,
    rows::{self, Content, ContentKey, Digest, FileRow},
    settings::Settings,
    stamp,
    store::{Store, StoreError, Waiting},
    symbols,
};

/// Files whose symbols are extracted before they are written.
const BATCH: usize = 256;

/// A file of a root that navigation knows.
#[derive(Debug, Clone)]
pub struct Known {
    /// Its language.
    pub language: &'static Language,
    /// What its symbols are kept under.
    pub key: ContentKey,
}

/// A file that is not known, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Pending {
    /// Its path, relative to the root.
    pub file: String,
    /// Why, in words.
    pub reason: String,
}

/// The files of a root as they are.
#[derive(Debug, Default)]
pub struct Library {
    /// Absolute path of the root.
    pub root: PathBuf,
    /// The files by path relative to the root.
    pub files: BTreeMap<String, Known>,
    /// Paths of Go's modules by folder ([`gomod::modules`]).
    pub go_modules: BTreeMap<String, String>,
    /// Files that could not be read or parsed.
    pub pending: Vec<Pending>,
    /// Symbols that could not be written, because the store was busy or full.
    pub unwritten: BTreeMap<ContentKey, Content>,
    /// Number of files whose symbols were extracted.
    pub extracted: usize,
    /// Number of the last change of the store.
    pub generation: u64,
    /// Why the store could not be written.
    pub notice: Option<String>,
}

/// What is told of the progress: files that are done, of all that are to be parsed.
pub type Progress<'a> = &'a dyn Fn(usize, usize);

/// A file as it is at the moment.
struct Seen<'a> {
    file: &'a RepoFile,
    language: &'static Language,
    key: ContentKey,
    row: FileRow,
}

/// Brings the store up to date with the files that are present. What cannot be written is kept in the
/// library, so that its answers are the same.
///
/// # Errors
/// The store cannot be read.
pub fn sync(
    store: &mut Store,
    settings: &Settings,
    present: &Present,
    progress: Progress,
) -> Result<Library> {
    let before = match rows::find_root(store.reader(), &present.root)? {
        Some(root) => rows::files(store.reader(), root)?,
        None => BTreeMap::new(),
    };
    let mut library = Library {
        root: present.root.clone(),
        go_modules: gomod::modules(present),
        ..Library::default()
    };
    let mut seen = Vec::new();
    for look in look_at(settings, present, &before) {
        match look {
            Ok(one) => seen.push(one),
            Err(pending) => library.pending.push(pending),
        }
    }
    let missing = missing(store.reader(), &seen)?;
    for (number, batch) in missing.chunks(BATCH).enumerate() {
        let extracted: Vec<_> =
            batch.par_iter().map(|one| (*one, extract(settings, &present.folder, one))).collect();
        let mut contents = BTreeMap::new();
        for (one, content) in extracted {
            match content {
                Ok(content) => drop(contents.insert(one.key.clone(), content)),
                Err(reason) => {
                    let file = one.file.rel.clone();
                    library.pending.push(Pending { file, reason });
                }
            }
        }
        library.extracted += contents.len();
        progress(number * BATCH + batch.len(), missing.len());
        write_contents(store, contents, &mut library);
    }
    let pending: BTreeSet<&str> =
        library.pending.iter().map(|pending| pending.file.as_str()).collect();
    seen.retain(|one| !pending.contains(one.file.rel.as_str()));
    write_files(store, settings, &before, &seen, &mut library);
    library.generation = rows::generation(store.reader())?.unsigned_abs();
    library.files = seen
        .into_iter()
        .map(|one| (one.file.rel.clone(), Known { language: one.language, key: one.key }))
        .collect();
    library.pending.sort_unstable_by(|one, other| one.file.cmp(&other.file));
    Ok(library)
}

/// Looks at every file that has a language. The bytes of those that changed are hashed.
fn look_at<'a>(
    settings: &Settings,
    present: &'a Present,
    before: &BTreeMap<String, FileRow>,
) -> Vec<std::result::Result<Seen<'a>, Pending>> {
    let makers: BTreeMap<&str, Digest> = registry()
        .languages()
        .iter()
        .map(|language| (language.key, symbols::maker(language)))
        .collect();
    let look = |file: &'a RepoFile| {
        let language = language_of(settings, &file.rel)?;
        let pending = |reason: String| Pending { file: file.rel.clone(), reason };
        let row = identify(settings, &present.folder, file, before.get(&file.rel));
        Some(row.map_err(pending).map(|row| {
            let maker = makers.get(language.key).copied().unwrap_or_default();
            let key = ContentKey { sha256: row.sha256, maker, name: String::new() };
            Seen { file, language, key, row }
        }))
    };
    present.files.par_iter().filter_map(look).collect()
}

/// The language that navigation reads a file in.
pub fn language_of(settings: &Settings, path: &str) -> Option<&'static Language> {
    let profile = base::profile::Profile::Enhancement;
    let Detected::Tagged(language) = settings.languages.detect(path, profile) else { return None };
    let is_disabled = settings.disabled_languages.iter().any(|key| key == language.key);
    (!is_disabled).then_some(language)
}

fn identify(
    settings: &Settings,
    folder: &Folder,
    file: &RepoFile,
    before: Option<&FileRow>,
) -> std::result::Result<FileRow, String> {
    let metadata = fs::symlink_metadata(&file.abs).map_err(|error| error.to_string())?;
    if metadata.len() > settings.max_file_size {
        return Err(format!("larger than {} bytes", settings.max_file_size));
    }
    let same = before.filter(|row| row.stamp == Some(stamp::of(&metadata)));
    if let Some(row) = same {
        return Ok(*row);
    }
    let stamp = stamp::settled(&metadata);
    let bytes = folder
        .exact_bytes(Path::new(&file.rel), settings.max_file_size)
        .map_err(|error| error.to_string())?;
    Ok(FileRow { stamp, sha256: Sha256::digest(&bytes).into() })
}

/// Those of the files whose symbols the store has not, one for each content.
fn missing<'s, 'a>(store: &Connection, seen: &'s [Seen<'a>]) -> Result<Vec<&'s Seen<'a>>> {
    let mut missing = rows::missing_contents(store, seen.iter().map(|one| &one.key))?;
    Ok(seen.iter().filter(|one| missing.remove(&one.key)).collect())
}

/// The symbols of a file as a row, if it still has the bytes that were hashed.
fn extract(
    settings: &Settings,
    folder: &Folder,
    one: &Seen,
) -> std::result::Result<Content, String> {
    let bytes = folder
        .exact_bytes(Path::new(&one.file.rel), settings.max_file_size)
        .map_err(|error| error.to_string())?;
    if Sha256::digest(&bytes).as_slice() != one.row.sha256 {
        return Err("was written while it was read".to_owned());
    }
    if let Some(reason) = settings.avoided.get(&watch::file_id(&one.file.rel)) {
        return Err(reason.clone());
    }
    let text = read::text(bytes).map_err(|error| error.to_string())?;
    let time = Duration::from_millis(settings.parse_timeout_ms);
    let found =
        watch::marked(&one.file.rel, text.len(), || symbols::extract(one.language, &text, time));
    Ok(symbols::encode(&found.map_err(|error| error.to_string())?.symbols))
}

fn write_contents(
    store: &mut Store,
    contents: BTreeMap<ContentKey, Content>,
    library: &mut Library,
) {
    let written = store.write(Waiting::Long, |store| {
        let change = rows::begin_change(store)?;
        contents
            .iter()
            .try_for_each(|(key, content)| rows::put_content(store, key, content, change))
    });
    if let Err(error) = written {
        library.notice = Some(said(&error));
        library.unwritten.extend(contents);
    }
}

/// Writes which files there are, if that has changed.
fn write_files(
    store: &mut Store,
    settings: &Settings,
    before: &BTreeMap<String, FileRow>,
    seen: &[Seen],
    library: &mut Library,
) {
    let changed: Vec<&Seen> =
        seen.iter().filter(|one| before.get(&one.file.rel) != Some(&one.row)).collect();
    let now: BTreeSet<&str> = seen.iter().map(|one| one.file.rel.as_str()).collect();
    let gone: Vec<&String> = before
        .keys()
        .filter(|path| !now.contains(path.as_str()) && language_of(settings, path).is_some())
        .collect();
    if changed.is_empty() && gone.is_empty() {
        return;
    }
    let root = library.root.clone();
    let written = store.write(Waiting::Long, |store| {
        let change = rows::begin_change(store)?;
        let root = rows::use_root(store, &root, change)?;
        for one in changed {
            rows::put_file(store, root, &one.file.rel, &one.row)?;
        }
        for path in gone {
            rows::drop_file(store, root, path)?;
        }
        prune::to(store, settings.most(), Some(root)).map(drop)
    });
    if let Err(error) = written {
        library.notice = Some(said(&error));
    }
}

fn said(error: &StoreError) -> String {
    format!("the index was not written: {error}")
}
