//! The rows of the store, as values.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use rusqlite::{Connection, MAIN_DB, OptionalExtension, Result, params};

use crate::stamp::Stamp;

/// A sha256 digest.
pub type Digest = [u8; 32];

/// A file of a root as it was last seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileRow {
    /// The file's stamp; `None` if other bytes could have the same stamp.
    pub stamp: Option<Stamp>,
    /// The sha256 of its bytes.
    pub sha256: Digest,
}

/// The key of what was extracted from some bytes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ContentKey {
    /// The sha256 of the bytes.
    pub sha256: Digest,
    /// Digest of what the row was made with (`maker.rs`).
    pub maker: Digest,
    /// The name of the file if the result depends on it, else empty.
    pub name: String,
}

/// What was extracted from some bytes, in two parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Content {
    /// A list of names (`codec.rs`).
    pub names: Vec<u8>,
    /// Everything else.
    pub data: Vec<u8>,
}

/// Number of the store's last change.
pub fn generation(store: &Connection) -> Result<i64> {
    store.query_row("SELECT generation FROM state", [], |row| row.get(0))
}

/// Starts a new change, and returns its number.
pub fn begin_change(store: &Connection) -> Result<i64> {
    store.execute("UPDATE state SET generation = generation + 1", [])?;
    generation(store)
}

/// The number of a root, if it has files in the store.
pub fn find_root(store: &Connection, root: &Path) -> Result<Option<i64>> {
    let path = root.as_os_str().as_encoded_bytes();
    store.query_row("SELECT id FROM root WHERE path = ?", [path], |row| row.get(0)).optional()
}

/// The number of a root, which is marked as used in this change. A new root is added.
pub fn use_root(store: &Connection, root: &Path, change: i64) -> Result<i64> {
    let path = root.as_os_str().as_encoded_bytes();
    store.query_row(
        "INSERT INTO root (path, used) VALUES (?1, ?2)
         ON CONFLICT (path) DO UPDATE SET used = ?2 RETURNING id",
        params![path, change],
        |row| row.get(0),
    )
}

/// All files of a root.
pub fn files(store: &Connection, root: i64) -> Result<BTreeMap<String, FileRow>> {
    let mut statement = store.prepare("SELECT path, stamp, sha256 FROM file WHERE root = ?")?;
    let rows = statement.query_map([root], |row| {
        Ok((row.get(0)?, FileRow { stamp: row.get(1)?, sha256: row.get(2)? }))
    })?;
    rows.collect()
}

/// Inserts or updates a file of a root.
pub fn put_file(store: &Connection, root: i64, path: &str, file: &FileRow) -> Result<()> {
    let mut statement = store.prepare(
        "INSERT INTO file (root, path, stamp, sha256) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (root, path) DO UPDATE SET stamp = ?3, sha256 = ?4",
    )?;
    statement.execute(params![root, path, file.stamp, file.sha256])?;
    Ok(())
}

/// Removes a file of a root.
pub fn drop_file(store: &Connection, root: i64, path: &str) -> Result<()> {
    store.prepare("DELETE FROM file WHERE root = ? AND path = ?")?.execute(params![root, path])?;
    Ok(())
}

/// A finished map of a root, as it was stored.
pub fn map(store: &Connection, root: i64, key: &Digest) -> Result<Option<String>> {
    let mut statement = store.prepare("SELECT data FROM map WHERE root = ? AND key = ?")?;
    statement.query_row(params![root, key], |row| row.get(0)).optional()
}

/// Stores a finished map of a root, and removes all but the `most` that were made last.
pub fn put_map(
    store: &Connection,
    root: i64,
    key: &Digest,
    data: &str,
    change: i64,
    most: u32,
) -> Result<()> {
    store
        .prepare("INSERT OR REPLACE INTO map (root, key, made, data) VALUES (?, ?, ?, ?)")?
        .execute(params![root, key, change, data])?;
    store
        .prepare(
            "DELETE FROM map WHERE root = ?1 AND key NOT IN
             (SELECT key FROM map WHERE root = ?1 ORDER BY made DESC, key LIMIT ?2)",
        )?
        .execute(params![root, most])?;
    Ok(())
}

/// The graph of a root, and its key.
pub fn graph(store: &Connection, root: i64) -> Result<Option<(Digest, Vec<u8>)>> {
    data(store, "graph", root, None)
}

/// The postings of that graph.
pub fn postings(store: &Connection, root: i64, key: &Digest) -> Result<Option<Vec<u8>>> {
    Ok(data(store, "postings", root, Some(key))?.map(|(_, data)| data))
}

/// The lines by which definitions of a root are shown, if they have this key.
pub fn signatures(store: &Connection, root: i64, key: &Digest) -> Result<Option<Vec<u8>>> {
    Ok(data(store, "signature", root, Some(key))?.map(|(_, data)| data))
}

/// The data of a root in a table and its key, which has to be `key` if one is given. The data is read as a whole
/// into one buffer: a query copies it twice more, and touching new memory takes longer than reading.
fn data(
    store: &Connection,
    table: &str,
    root: i64,
    key: Option<&Digest>,
) -> Result<Option<(Digest, Vec<u8>)>> {
    // Nothing is written between the two reads.
    let snapshot = store.unchecked_transaction()?;
    let select = format!("SELECT key FROM {table} WHERE root = ?");
    let found: Option<Digest> = snapshot.query_row(&select, [root], |row| row.get(0)).optional()?;
    let Some(found) = found.filter(|found| key.is_none_or(|key| key == found)) else {
        return Ok(None);
    };
    let blob = snapshot.blob_open(MAIN_DB, table, "data", root, true)?;
    let mut bytes = vec![0; blob.len()];
    blob.read_at_exact(&mut bytes, 0)?;
    Ok(Some((found, bytes)))
}

/// Stores the graph of a root, with its postings if it has any, in the place of any other.
pub fn put_graph(
    store: &Connection,
    root: i64,
    key: &Digest,
    data: &[u8],
    postings: Option<&[u8]>,
) -> Result<()> {
    store
        .prepare("INSERT OR REPLACE INTO graph (root, key, data) VALUES (?, ?, ?)")?
        .execute(params![root, key, data])?;
    store.prepare("DELETE FROM postings WHERE root = ?")?.execute([root])?;
    if let Some(postings) = postings {
        store
            .prepare("INSERT INTO postings (root, key, data) VALUES (?, ?, ?)")?
            .execute(params![root, key, postings])?;
    }
    Ok(())
}

/// Stores the lines by which definitions of a root are shown, in the place of any others.
pub fn put_signatures(store: &Connection, root: i64, key: &Digest, data: &[u8]) -> Result<()> {
    store
        .prepare("INSERT OR REPLACE INTO signature (root, key, data) VALUES (?, ?, ?)")?
        .execute(params![root, key, data])?;
    Ok(())
}

/// A file of a root.
pub fn file(store: &Connection, root: i64, path: &str) -> Result<Option<FileRow>> {
    let mut statement =
        store.prepare("SELECT stamp, sha256 FROM file WHERE root = ? AND path = ?")?;
    let row = statement.query_row(params![root, path], |row| {
        Ok(FileRow { stamp: row.get(0)?, sha256: row.get(1)? })
    });
    row.optional()
}

/// The makers that the store knows, by number.
pub fn makers(store: &Connection) -> Result<BTreeMap<i64, Digest>> {
    let mut statement = store.prepare("SELECT id, digest FROM maker")?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    rows.collect()
}

/// The number of a maker; a new one is added.
fn use_maker(store: &Connection, digest: &Digest) -> Result<i64> {
    store.prepare("INSERT OR IGNORE INTO maker (digest) VALUES (?)")?.execute([digest])?;
    store.prepare("SELECT id FROM maker WHERE digest = ?")?.query_row([digest], |row| row.get(0))
}

/// What was extracted from all files of a root, with the makers as numbers.
pub fn contents_of_root(
    store: &Connection,
    root: i64,
    wanted: &BTreeMap<i64, Digest>,
) -> Result<BTreeMap<ContentKey, Content>> {
    let mut statement = store.prepare(
        "SELECT content.sha256, content.maker, content.name, content.names, content.data
         FROM file CROSS JOIN content ON content.sha256 = file.sha256 WHERE file.root = ?",
    )?;
    let mut rows = statement.query([root])?;
    let mut contents = BTreeMap::new();
    while let Some(row) = rows.next()? {
        let Some(maker) = wanted.get(&row.get::<_, i64>(1)?) else { continue };
        let key = ContentKey { sha256: row.get(0)?, maker: *maker, name: row.get(2)? };
        contents.insert(key, Content { names: row.get(3)?, data: row.get(4)? });
    }
    Ok(contents)
}

/// What was extracted from some bytes.
pub fn content(store: &Connection, key: &ContentKey) -> Result<Option<Content>> {
    let mut statement = store.prepare(
        "SELECT content.names, content.data FROM content JOIN maker ON maker.id = content.maker
         WHERE content.sha256 = ? AND maker.digest = ? AND content.name = ?",
    )?;
    let found = statement.query_row(params![key.sha256, key.maker, key.name], |row| {
        Ok(Content { names: row.get(0)?, data: row.get(1)? })
    });
    found.optional()
}

/// Inserts or updates what was extracted from some bytes.
pub fn put_content(
    store: &Connection,
    key: &ContentKey,
    content: &Content,
    change: i64,
) -> Result<()> {
    let maker = use_maker(store, &key.maker)?;
    let mut statement = store.prepare(
        "INSERT OR REPLACE INTO content (sha256, maker, name, used, names, data)
         VALUES (?, ?, ?, ?, ?, ?)",
    )?;
    statement.execute(params![key.sha256, maker, key.name, change, content.names, content.data])?;
    Ok(())
}

/// The keys that the store has no content for, each once. Only these keys are looked up, whatever
/// else the store holds.
pub fn missing_contents<'k>(
    store: &Connection,
    keys: impl Iterator<Item = &'k ContentKey>,
) -> Result<BTreeSet<&'k ContentKey>> {
    let numbers: BTreeMap<Digest, i64> =
        makers(store)?.into_iter().map(|(number, digest)| (digest, number)).collect();
    let mut statement = store.prepare(
        "SELECT EXISTS (SELECT 1 FROM content WHERE sha256 = ? AND maker = ? AND name = ?)",
    )?;
    let mut missing = BTreeSet::new();
    for key in keys {
        let is_known = match numbers.get(&key.maker) {
            Some(maker) => {
                statement.query_row(params![key.sha256, maker, key.name], |row| row.get(0))?
            }
            None => false,
        };
        if !is_known {
            missing.insert(key);
        }
    }
    Ok(missing)
}

/// The names of all contents of a root's files, handed over one after the other.
pub fn names_of_root(
    store: &Connection,
    root: i64,
    mut visit: impl FnMut(ContentKey, &[u8]),
) -> Result<()> {
    let makers = makers(store)?;
    let mut statement = store.prepare(
        "SELECT content.sha256, content.maker, content.name, content.names
         FROM file CROSS JOIN content ON content.sha256 = file.sha256 WHERE file.root = ?",
    )?;
    let mut rows = statement.query([root])?;
    while let Some(row) = rows.next()? {
        let Some(maker) = makers.get(&row.get::<_, i64>(1)?) else { continue };
        let key = ContentKey { sha256: row.get(0)?, maker: *maker, name: row.get(2)? };
        visit(key, row.get_ref(3)?.as_blob()?);
    }
    Ok(())
}
