//! The tags of one root's files, kept for maps, their graph, and the maps themselves.

use std::{
    collections::BTreeMap,
    fs::{self, Metadata},
    path::{Path, PathBuf},
    sync::{
        Mutex, MutexGuard, OnceLock, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use base::text::{folder::Folder, paths::basename, read::ReadError};
use map::{
    FinishedMap, Found, Identity, Kept, Stamps,
    language::{Language, registry},
    repo::RepoFile,
};
use rayon::prelude::*;
use rusqlite::Result;
use sha2::{Digest as _, Sha256};

use crate::{
    maker::{self, Level},
    prune::{self, Most},
    rows::{self, Content, ContentKey, Digest, FileRow},
    settings::Settings,
    stamp,
    store::{Store, StoreError, Waiting},
    tags,
};

/// Number of maps that are kept of a root: those of a few questions, with and without an edit.
const MOST_MAPS: u32 = 16;
/// Number of files that are looked up one by one before everything of the root is read at once.
const FEW: usize = 64;

/// The tags of a root's files: those of the store, and those that a map has added.
#[derive(Debug)]
pub struct TagCache {
    root: PathBuf,
    most: Most,
    /// Digest of what tags are made with, by language.
    makers: BTreeMap<&'static str, Digest>,
    /// What the store has of the root, read when more than a few files are looked up: neither a finished
    /// map nor one from the kept graph needs all of it.
    loaded: OnceLock<Loaded>,
    /// Number of look-ups so far.
    look_ups: AtomicUsize,
    /// The root's number in the store, if it is there.
    number: OnceLock<Option<i64>>,
    /// The store, for contents that no file of the root had when it was last seen.
    store: Mutex<Store>,
    notice: Mutex<Option<String>>,
    new: Mutex<New>,
}

/// What has still to be written.
#[derive(Debug, Default)]
struct New {
    files: BTreeMap<String, FileRow>,
    contents: BTreeMap<ContentKey, Content>,
    map: Option<(Digest, String)>,
    graph: Option<(Digest, Graph)>,
    signatures: Option<(Digest, Vec<u8>)>,
}

/// The row of a graph, and that of its postings if it has any.
type Graph = (Vec<u8>, Option<Vec<u8>>);

impl TagCache {
    /// Opens the tag cache of a root, given as an absolute path without links. An unusable store is
    /// no error: the tag cache is empty then, and [`TagCache::notice`] says why.
    pub fn open(settings: &Settings, root: &Path) -> Self {
        let (store, notice) = Store::open(&settings.folder);
        let makers: BTreeMap<&str, Digest> = registry()
            .languages()
            .iter()
            .map(|language| (language.key, maker::digest(Level::Tags, language, language.query)))
            .collect();
        Self {
            root: root.to_owned(),
            most: settings.most(),
            makers,
            loaded: OnceLock::new(),
            look_ups: AtomicUsize::new(0),
            number: OnceLock::new(),
            store: Mutex::new(store),
            notice: Mutex::new(notice),
            new: Mutex::default(),
        }
    }

    /// What the user should know about the store, if anything. Some damage is only noticed when a map
    /// is made, so this is asked afterwards.
    pub fn notice(&self) -> Option<String> {
        self.notice.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What the store has of the root; `None` as long as few files were looked up.
    fn loaded(&self) -> Option<&Loaded> {
        if self.loaded.get().is_none() && self.look_ups.load(Ordering::Relaxed) <= FEW {
            return None;
        }
        Some(self.loaded.get_or_init(|| {
            let mut store = self.store();
            load(&store, &self.root, &self.makers).unwrap_or_else(|error| {
                let notice = store.reopen_damaged(error);
                *self.notice.lock().unwrap_or_else(PoisonError::into_inner) = notice;
                Loaded::default()
            })
        }))
    }

    fn store(&self) -> MutexGuard<'_, Store> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The root's number in the store. A failing look-up counts as none.
    fn number(&self) -> Option<i64> {
        *self.number.get_or_init(|| rows::find_root(self.store().reader(), &self.root).ok()?)
    }

    /// The row of a file. A failing look-up counts as none: the file is hashed.
    fn file(&self, path: &str) -> Option<FileRow> {
        if let Some((files, _)) = self.loaded() {
            return files.get(path).copied();
        }
        let number = self.number()?;
        rows::file(self.store().reader(), number, path).ok()?
    }

    /// Writes the new tags and the new map, unless another program is writing at this moment: what is not written
    /// now is extracted again later.
    ///
    /// # Errors
    /// The store cannot be written.
    pub fn save(self) -> Result<(), StoreError> {
        let new = self.new.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut store = self.store.into_inner().unwrap_or_else(PoisonError::into_inner);
        let is_new = !new.files.is_empty()
            || !new.contents.is_empty()
            || new.map.is_some()
            || new.graph.is_some()
            || new.signatures.is_some();
        if store.is_in_memory() || !is_new {
            return Ok(());
        }
        let written = store.write(Waiting::None, |store| {
            let change = rows::begin_change(store)?;
            let root = rows::use_root(store, &self.root, change)?;
            for (key, content) in &new.contents {
                rows::put_content(store, key, content, change)?;
            }
            for (path, file) in &new.files {
                rows::put_file(store, root, path, file)?;
            }
            if let Some((key, data)) = &new.map {
                rows::put_map(store, root, key, data, change, MOST_MAPS)?;
            }
            if let Some((key, (data, postings))) = &new.graph {
                rows::put_graph(store, root, key, data, postings.as_deref())?;
            }
            if let Some((key, data)) = &new.signatures {
                rows::put_signatures(store, root, key, data)?;
            }
            prune::to(store, self.most, Some(root)).map(drop)
        });
        match written {
            Err(StoreError::Busy) => Ok(()),
            other => other,
        }
    }

    /// The tags of some bytes, if they are known. `path` matters because tags may depend on the
    /// file's name.
    fn look_up(&self, sha256: Digest, maker: Digest, path: &str) -> Option<Kept> {
        ["", basename(path)].iter().find_map(|name| {
            let key = ContentKey { sha256, maker, name: (*name).to_owned() };
            if let Some(content) = self.loaded().and_then(|(_, contents)| contents.get(&key)) {
                return tags::decode(content);
            }
            // A failing look-up counts as a miss: the file is parsed.
            let content = rows::content(self.store().reader(), &key).ok().flatten();
            content.as_ref().and_then(tags::decode)
        })
    }

    fn remember(&self, path: &str, file: FileRow) {
        if self.file(path) != Some(file) {
            let mut new = self.new.lock().unwrap_or_else(PoisonError::into_inner);
            new.files.insert(path.to_owned(), file);
        }
    }
}

impl map::TagCache for TagCache {
    fn find(
        &self,
        file: &RepoFile,
        language: &'static Language,
        folder: &Folder,
        most: u64,
    ) -> std::result::Result<Found, ReadError> {
        self.look_ups.fetch_add(1, Ordering::Relaxed);
        let metadata = fs::symlink_metadata(&file.abs)?;
        if metadata.len() > most {
            return Err(ReadError::TooLarge { size: metadata.len(), cap: most });
        }
        let maker = self.makers.get(language.key).copied().unwrap_or_default();
        if let Some(sha256) = self.unchanged(file, &metadata)
            && let Some(kept) = self.look_up(sha256, maker, &file.rel)
        {
            return Ok(Found::Kept(kept, sha256));
        }
        let stamp = stamp::settled(&metadata);
        let bytes = folder.exact_bytes(Path::new(&file.rel), most)?;
        let sha256 = Sha256::digest(&bytes).into();
        self.remember(&file.rel, FileRow { stamp, sha256 });
        Ok(match self.look_up(sha256, maker, &file.rel) {
            Some(kept) => Found::Kept(kept, sha256),
            None => Found::Nothing(bytes, Identity { sha256, stamp }),
        })
    }

    fn keep(
        &self,
        file: &RepoFile,
        language: &'static Language,
        identity: Identity,
        extracted: &Kept,
        by_name: bool,
    ) {
        let Some(maker) = self.makers.get(language.key).copied() else { return };
        let name = if by_name { basename(&file.rel).to_owned() } else { String::new() };
        let key = ContentKey { sha256: identity.sha256, maker, name };
        let content = tags::encode(extracted);
        let mut new = self.new.lock().unwrap_or_else(PoisonError::into_inner);
        new.contents.insert(key, content);
    }

    fn stamps(&self, files: &[&RepoFile]) -> Option<Stamps> {
        let settled = |file: &&RepoFile| {
            let metadata = file.is_file.then(|| fs::symlink_metadata(&file.abs).ok());
            stamp::settled(&metadata.flatten()?)
        };
        let of_files = files.par_iter().with_min_len(256).map(settled).collect();
        Some(Stamps { code: maker::maps(), of_files })
    }

    fn finished(&self, key: Digest) -> Option<FinishedMap> {
        // A failing look-up counts as a miss: the map is made.
        let number = self.number()?;
        let data = rows::map(self.store().reader(), number, &key).ok()??;
        serde_json::from_str(&data).ok()
    }

    fn keep_finished(&self, key: Digest, map: &FinishedMap) {
        let Ok(data) = serde_json::to_string(map) else { return };
        let mut new = self.new.lock().unwrap_or_else(PoisonError::into_inner);
        new.map = Some((key, data));
    }

    fn graph(&self) -> Option<(Digest, Vec<u8>)> {
        // A failing look-up counts as a miss: the graph is built.
        let number = self.number()?;
        rows::graph(self.store().reader(), number).ok()?
    }

    fn postings(&self, key: Digest) -> Option<Vec<u8>> {
        // A failing look-up counts as a miss: the graph is built.
        let number = self.number()?;
        rows::postings(self.store().reader(), number, &key).ok()?
    }

    fn keep_graph(&self, key: Digest, row: Vec<u8>, postings: Option<Vec<u8>>) {
        let mut new = self.new.lock().unwrap_or_else(PoisonError::into_inner);
        new.graph = Some((key, (row, postings)));
    }

    fn signatures(&self, key: Digest) -> Option<Vec<u8>> {
        // A failing look-up counts as a miss: the lines are made of the files.
        let number = self.number()?;
        rows::signatures(self.store().reader(), number, &key).ok()?
    }

    fn keep_signatures(&self, key: Digest, row: Vec<u8>) {
        let mut new = self.new.lock().unwrap_or_else(PoisonError::into_inner);
        new.signatures = Some((key, row));
    }
}

impl TagCache {
    /// The sha256 of a file that has not changed since it was last seen.
    fn unchanged(&self, file: &RepoFile, metadata: &Metadata) -> Option<Digest> {
        let row = self.file(&file.rel)?;
        (row.stamp == Some(stamp::of(metadata))).then_some(row.sha256)
    }
}

type Loaded = (BTreeMap<String, FileRow>, BTreeMap<ContentKey, Content>);

/// Reads what the store has of a root.
fn load(store: &Store, root: &Path, makers: &BTreeMap<&str, Digest>) -> Result<Loaded> {
    let store = store.reader();
    let Some(root) = rows::find_root(store, root)? else { return Ok(Loaded::default()) };
    let wanted: BTreeMap<i64, Digest> = rows::makers(store)?
        .into_iter()
        .filter(|(_, digest)| makers.values().any(|maker| maker == digest))
        .collect();
    Ok((rows::files(store, root)?, rows::contents_of_root(store, root, &wanted)?))
}
