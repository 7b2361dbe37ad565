//! Limits the size of the store: the least recently used rows are removed first.

use rusqlite::{Connection, Result, params};
use serde::Serialize;

/// What was removed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Pruned {
    /// Rows of extracted content.
    pub contents: usize,
    /// Roots with their files.
    pub roots: usize,
    /// Bytes that the store's pages take after pruning.
    pub bytes: u64,
}

/// How full the store is after pruning, in percent of the limit. The rest is left free so that not
/// every change has to prune again.
const FILL: u64 = 80;

/// The limits of the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Most {
    /// Bytes that its pages may take.
    pub bytes: u64,
    /// Number of rows of extracted content.
    pub contents: u64,
}

impl Most {
    /// A limit in bytes, with any number of contents.
    pub const fn bytes(bytes: u64) -> Self {
        Self { bytes, contents: u64::MAX }
    }

    /// Whether the store is within these limits. `bytes` is its present size.
    fn holds(self, store: &Connection, bytes: u64) -> Result<bool> {
        // Counting reads all keys, so it is skipped if no limit is set.
        Ok(bytes <= self.bytes && (self.contents == u64::MAX || contents(store)? <= self.contents))
    }
}

/// Prunes the store to a size, inside a transaction. Contents that belong to no file are removed
/// first, then the least recently used roots with the contents that only they have. `current` is
/// the root in use: it stays, even if it alone exceeds the limit, since it would have to be written
/// again the next time.
pub fn to(store: &Connection, most: Most, current: Option<i64>) -> Result<Pruned> {
    let mut pruned = Pruned { bytes: used_bytes(store)?, ..Pruned::default() };
    if most.holds(store, pruned.bytes)? {
        return Ok(pruned);
    }
    let part = |whole: u64| match whole {
        u64::MAX => whole,
        _ => whole / 100 * FILL + whole % 100 * FILL / 100,
    };
    let goal = Most { bytes: part(most.bytes), contents: part(most.contents) };
    loop {
        pruned.contents += store.execute(
            "DELETE FROM content WHERE NOT EXISTS
             (SELECT 1 FROM file WHERE file.sha256 = content.sha256)",
            [],
        )?;
        pruned.bytes = used_bytes(store)?;
        let oldest: Option<i64> = store.query_row(
            "SELECT min(used) FROM root WHERE id IS NOT ?",
            params![current],
            |row| row.get(0),
        )?;
        if goal.holds(store, pruned.bytes)? {
            break;
        }
        let Some(oldest) = oldest else { break };
        for table in ["file", "graph", "map", "postings", "signature"] {
            store.execute(
                &format!(
                    "DELETE FROM {table} WHERE root IN
                     (SELECT id FROM root WHERE used = ?1 AND id IS NOT ?2)"
                ),
                params![oldest, current],
            )?;
        }
        pruned.roots += store.execute(
            "DELETE FROM root WHERE used = ?1 AND id IS NOT ?2",
            params![oldest, current],
        )?;
    }
    store.execute("DELETE FROM maker WHERE id NOT IN (SELECT maker FROM content)", [])?;
    Ok(pruned)
}

/// Number of rows of extracted content.
fn contents(store: &Connection) -> Result<u64> {
    store
        .query_row("SELECT count(*) FROM content", [], |row| row.get::<_, i64>(0))
        .map(i64::unsigned_abs)
}

/// Bytes of the pages in use.
pub fn used_bytes(store: &Connection) -> Result<u64> {
    let pragma = |name| store.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let bytes = (pragma("page_count")? - pragma("freelist_count")?) * pragma("page_size")?;
    Ok(bytes.unsigned_abs())
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::{Most, to};

    #[test]
    fn the_root_in_use_stays_whatever_the_limit_is() {
        let store = Connection::open_in_memory().unwrap();
        store
            .execute_batch(
                "CREATE TABLE maker (id INTEGER PRIMARY KEY);
                 CREATE TABLE content (sha256 BLOB, maker INTEGER);
                 CREATE TABLE root (id INTEGER PRIMARY KEY, used INTEGER);
                 CREATE TABLE file (root INTEGER, sha256 BLOB);
                 CREATE TABLE map (root INTEGER, key BLOB);
                 CREATE TABLE graph (root INTEGER, key BLOB);
                 CREATE TABLE postings (root INTEGER, key BLOB);
                 CREATE TABLE signature (root INTEGER, key BLOB);
                 INSERT INTO maker VALUES (1);
                 INSERT INTO root VALUES (1, 10), (2, 20);
                 INSERT INTO file VALUES (1, x'01'), (2, x'02');
                 INSERT INTO content VALUES (x'01', 1), (x'02', 1);
                 INSERT INTO map VALUES (1, x'03'), (2, x'03');",
            )
            .unwrap();
        let count = |table: &str| -> i64 {
            store.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap()
        };
        assert_eq!(to(&store, Most::bytes(1), Some(2)).unwrap().roots, 1);
        assert_eq!([count("root"), count("file"), count("content"), count("map")], [1, 1, 1, 1]);
        assert_eq!(to(&store, Most::bytes(1), None).unwrap().roots, 1);
        assert_eq!([count("root"), count("file"), count("content"), count("map")], [0, 0, 0, 0]);
    }
}
