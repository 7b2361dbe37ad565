//! Brings the index up to date with the files of a root.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use base::{text::folder::Folder, watch};
use map::{
    language::{Detected, Language},
    repo::{Present, RepoFile},
};
use rayon::prelude::*;
use rusqlite::{Connection, Result};
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use crate::{
    extractor::Extractor,
    packages::Package,
    prune,
    rows::{self, Content, ContentKey, FileRow},
    settings::Settings,
    stamp,
    store::{Store, StoreError, Waiting},
};

/// Number of files whose symbols are extracted before they are written together.
const BATCH: usize = 256;

/// A file of a root that a level of the store knows.
#[derive(Debug, Clone)]
pub struct Known<L = &'static Language> {
    /// Its language, as far as its path tells.
    pub language: L,
    /// The key of what is kept of it.
    pub key: ContentKey,
}

/// A file that is not in the index, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Pending {
    /// Its path, relative to the root.
    pub file: String,
    /// The reason, in words.
    pub reason: String,
}

/// The current files of a root.
#[derive(Debug)]
pub struct Library<L = &'static Language> {
    /// Absolute path of the root.
    pub root: PathBuf,
    /// The files by path relative to the root.
    pub files: BTreeMap<String, Known<L>>,
    /// Paths of Go modules by folder ([`crate::gomod::modules`]), filled in for navigation only.
    pub go_modules: BTreeMap<String, String>,
    /// First files of Rust crates by name ([`crate::crates::crates`]), filled in for navigation only.
    pub crates: BTreeMap<String, String>,
    /// npm packages by folder ([`crate::packages::packages`]), filled in for navigation only.
    pub packages: BTreeMap<String, Package>,
    /// Files that could not be read or parsed.
    pub pending: Vec<Pending>,
    /// Rows that could not be written, because the store was busy or full.
    pub unwritten: BTreeMap<ContentKey, Content>,
    /// Number of contents that were extracted now.
    pub extracted: usize,
    /// Number of the last change of the store.
    pub generation: u64,
    /// Why the store could not be written, if so.
    pub notice: Option<String>,
}

/// Called with the progress: the number of finished files, and of all files to be parsed.
pub type Progress<'a> = &'a dyn Fn(usize, usize);

/// A file as it is now.
struct Seen<'a, L> {
    file: &'a RepoFile,
    language: L,
    key: ContentKey,
    row: FileRow,
}

/// Brings the store up to date with the files that are present. Rows that cannot be written are
/// kept in the library, so that its answers are the same.
///
/// # Errors
/// The store cannot be read.
pub fn sync<V: Extractor>(
    store: &mut Store,
    settings: &Settings,
    present: &Present,
    extractor: &V,
    progress: Progress,
) -> Result<Library<V::Language>> {
    let before = match rows::find_root(store.reader(), &present.root)? {
        Some(root) => rows::files(store.reader(), root)?,
        None => BTreeMap::new(),
    };
    let mut library = Library {
        root: present.root.clone(),
        files: BTreeMap::new(),
        go_modules: BTreeMap::new(),
        crates: BTreeMap::new(),
        packages: BTreeMap::new(),
        pending: Vec::new(),
        unwritten: BTreeMap::new(),
        extracted: 0,
        generation: 0,
        notice: None,
    };
    let mut seen = Vec::new();
    for look in look_at(settings, present, extractor, &before) {
        match look {
            Ok(one) => seen.push(one),
            Err(pending) => library.pending.push(pending),
        }
    }
    let missing = missing(store.reader(), &seen)?;
    for (number, batch) in missing.chunks(BATCH).enumerate() {
        let extracted: Vec<_> = batch
            .par_iter()
            .map(|one| (*one, extract(settings, extractor, &present.folder, one)))
            .collect();
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
    write_files(store, settings, extractor, &before, &seen, &mut library);
    library.generation = rows::generation(store.reader())?.unsigned_abs();
    library.files = seen
        .into_iter()
        .map(|one| (one.file.rel.clone(), Known { language: one.language, key: one.key }))
        .collect();
    library.pending.sort_unstable_by(|one, other| one.file.cmp(&other.file));
    Ok(library)
}

/// Looks at every file that has a language, and hashes the bytes of those that changed.
fn look_at<'a, V: Extractor>(
    settings: &Settings,
    present: &'a Present,
    extractor: &V,
    before: &BTreeMap<String, FileRow>,
) -> Vec<std::result::Result<Seen<'a, V::Language>, Pending>> {
    let look = |file: &'a RepoFile| {
        let language = extractor.language(settings, &file.rel)?;
        let pending = |reason: String| Pending { file: file.rel.clone(), reason };
        let row = identify(settings, &present.folder, file, before.get(&file.rel));
        Some(row.map_err(pending).map(|row| {
            let key = extractor.key(language, row.sha256, &file.rel);
            Seen { file, language, key, row }
        }))
    };
    present.files.par_iter().filter_map(look).collect()
}

/// The language in which navigation parses a file.
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

/// The files whose contents the store does not have, one for each content.
fn missing<'s, 'a, L>(store: &Connection, seen: &'s [Seen<'a, L>]) -> Result<Vec<&'s Seen<'a, L>>> {
    let mut missing = rows::missing_contents(store, seen.iter().map(|one| &one.key))?;
    Ok(seen.iter().filter(|one| missing.remove(&one.key)).collect())
}

/// The row of a file, if the file still has the bytes that were hashed.
fn extract<V: Extractor>(
    settings: &Settings,
    extractor: &V,
    folder: &Folder,
    one: &Seen<V::Language>,
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
    watch::marked(&one.file.rel, bytes.len(), || {
        extractor.extract(settings, one.language, &one.file.rel, bytes)
    })
}

fn write_contents<L>(
    store: &mut Store,
    contents: BTreeMap<ContentKey, Content>,
    library: &mut Library<L>,
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

/// Writes the list of files, if it has changed.
fn write_files<V: Extractor>(
    store: &mut Store,
    settings: &Settings,
    extractor: &V,
    before: &BTreeMap<String, FileRow>,
    seen: &[Seen<V::Language>],
    library: &mut Library<V::Language>,
) {
    let changed: Vec<&Seen<V::Language>> =
        seen.iter().filter(|one| before.get(&one.file.rel) != Some(&one.row)).collect();
    let now: BTreeSet<&str> = seen.iter().map(|one| one.file.rel.as_str()).collect();
    let gone: Vec<&String> = before
        .keys()
        .filter(|path| !now.contains(path.as_str()) && extractor.language(settings, path).is_some())
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
