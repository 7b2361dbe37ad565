//! Which files of a root have a name.

use std::{
    collections::BTreeMap,
    hash::{DefaultHasher, Hash as _, Hasher as _},
    sync::Arc,
};

use crate::{
    rows::{self, ContentKey},
    store::Store,
    symbols::listed,
    sync::Library,
};

/// The names of all files, as hashes. Names of one hash are not told apart: whoever asks compares the
/// names in the files that he is given.
#[derive(Debug, Default)]
pub struct Names {
    /// The entries of all contents, sorted.
    entries: Vec<Entry>,
    /// The files of each content, in the order of paths.
    files: Vec<Vec<String>>,
}

/// A name in a content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    hash: u64,
    content: u32,
    is_defined: bool,
}

impl Names {
    /// Reads the names of all files of a library.
    pub fn read(store: &Store, library: &Library) -> Self {
        let mut names = Self::default();
        let mut unread: BTreeMap<&ContentKey, u32> = BTreeMap::new();
        for (file, known) in &library.files {
            let content = *unread.entry(&known.key).or_insert(names.files.len() as u32);
            match names.files.get_mut(content as usize) {
                Some(files) => files.push(file.clone()),
                None => names.files.push(vec![file.clone()]),
            }
        }
        for (key, content) in &library.unwritten {
            unread.remove(key).into_iter().for_each(|number| names.add(number, &content.names));
        }
        let reader = store.reader();
        // Rows that cannot be read count as missing.
        if let Ok(Some(root)) = rows::find_root(reader, &library.root) {
            let _ = rows::names_of_root(reader, root, |key, listed| {
                unread.remove(&key).into_iter().for_each(|number| names.add(number, listed));
            });
        }
        // A store that cannot be written may have contents of a root that it does not know.
        for (key, number) in unread {
            if let Ok(Some(content)) = rows::content(reader, key) {
                names.add(number, &content.names);
            }
        }
        names.entries.sort_unstable();
        names
    }

    fn add(&mut self, content: u32, names: &[u8]) {
        let entry = |(name, is_defined)| Entry { hash: hash(name), content, is_defined };
        self.entries.extend(listed(names).into_iter().flatten().map(entry));
    }

    /// The files that contain a name, sorted.
    pub fn files(&self, name: &str) -> Arc<[String]> {
        self.of(name, |_| true)
    }

    /// The files that may define a name for others, sorted.
    pub fn defining(&self, name: &str) -> Arc<[String]> {
        self.of(name, |entry| entry.is_defined)
    }

    fn of(&self, name: &str, is_wanted: impl Fn(&Entry) -> bool) -> Arc<[String]> {
        let hash = hash(name.as_bytes());
        let from = self.entries.partition_point(|entry| entry.hash < hash);
        let behind = self.entries.iter().skip(from);
        let same = behind.take_while(|entry| entry.hash == hash).filter(|entry| is_wanted(entry));
        let contents = same.filter_map(|entry| self.files.get(entry.content as usize));
        let mut files: Vec<String> = contents.flatten().cloned().collect();
        files.sort_unstable();
        files.dedup();
        files.into()
    }
}

/// The hash of a name; it is never written.
fn hash(name: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    name.hash(&mut hasher);
    hasher.finish()
}
