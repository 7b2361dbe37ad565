//! Everything that a level keeps of a root, brought up to date with the files.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::Arc,
};

use base::text::folder::Folder;
use map::repo::{Present, present};

use crate::{
    extractor::Extractor,
    rows::{self, Content, ContentKey, Digest},
    settings::Settings,
    status::IndexError,
    store::Store,
    sync::{self, Library, Pending, Progress},
};

/// The rows of a root.
#[derive(Debug)]
pub struct Kept {
    /// The root, absolute and without links.
    pub root: PathBuf,
    /// The root, opened so that no file outside it can be read.
    pub folder: Arc<Folder>,
    /// The key of each file's row, by path relative to the root.
    pub files: BTreeMap<String, ContentKey>,
    /// The rows.
    pub contents: BTreeMap<ContentKey, Content>,
    /// Files that could not be read.
    pub pending: Vec<Pending>,
    /// Number of contents that were extracted now; the rows of the others were already in the
    /// store.
    pub extracted: usize,
    /// Number of the last change of the store.
    pub generation: u64,
    /// What the user should know about the store, if anything.
    pub notice: Option<String>,
}

/// Brings a level up to date with the files of the root around a directory, and reads all of its
/// rows.
///
/// # Errors
/// The directory cannot be listed. An unusable store is no error: the rows are then extracted
/// again.
pub fn kept<V: Extractor>(
    settings: &Settings,
    dir: &Path,
    extractor: &V,
    progress: Progress,
) -> Result<Kept, IndexError> {
    let present = present(dir, &settings.excluded)?;
    let (mut store, mut notice) = Store::open(&settings.folder);
    let read = |store: &mut Store| -> rusqlite::Result<_> {
        let library = sync::sync(store, settings, &present, extractor, progress)?;
        let contents = contents(store, &library)?;
        Ok((library, contents))
    };
    let (mut library, contents) = match read(&mut store) {
        Ok(found) => found,
        Err(error) => {
            notice = store.reopen_damaged(error);
            read(&mut store)?
        }
    };
    // Of several files with the same content, only the first reported why there is no row.
    library.files.retain(|path, known| {
        let is_known = contents.contains_key(&known.key);
        if !is_known {
            let reason = "has the content of another file that could not be read".to_owned();
            library.pending.push(Pending { file: path.clone(), reason });
        }
        is_known
    });
    library.pending.sort_unstable_by(|one, other| one.file.cmp(&other.file));
    let Present { folder, .. } = present;
    Ok(Kept {
        root: library.root,
        folder,
        files: library.files.into_iter().map(|(path, known)| (path, known.key)).collect(),
        contents,
        pending: library.pending,
        extracted: library.extracted,
        generation: library.generation,
        notice: notice.or(library.notice),
    })
}

/// The rows of all files of a library: those in the store, and those that could not be written.
fn contents<L>(
    store: &Store,
    library: &Library<L>,
) -> rusqlite::Result<BTreeMap<ContentKey, Content>> {
    let reader = store.reader();
    let asked: BTreeSet<Digest> = library.files.values().map(|known| known.key.maker).collect();
    let mut wanted = rows::makers(reader)?;
    wanted.retain(|_, digest| asked.contains(digest));
    let mut contents = match rows::find_root(reader, &library.root)? {
        Some(root) => rows::contents_of_root(reader, root, &wanted)?,
        None => BTreeMap::new(),
    };
    // These rows were pruned meanwhile by another program, or the store could not take them.
    contents.extend(library.unwritten.iter().map(|(key, row)| (key.clone(), row.clone())));
    for known in library.files.values() {
        if !contents.contains_key(&known.key)
            && let Some(row) = rows::content(reader, &known.key)?
        {
            contents.insert(known.key.clone(), row);
        }
    }
    Ok(contents)
}
