//! The size of the store: what was used longest ago goes first.

use rusqlite::{Connection, Result, params};
use serde::Serialize;

/// What was removed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Pruned {
    /// Rows of extracted content.
    pub contents: usize,
    /// Roots with their files.
    pub roots: usize,
    /// Bytes that the store's pages take now.
    pub bytes: u64,
}

/// Share of the limit that is filled after removing, in percent, so that not every change removes.
const FILL: u64 = 80;

/// What the store may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Most {
    /// Bytes that its pages take.
    pub bytes: u64,
    /// Rows of extracted content.
    pub contents: u64,
}

impl Most {
    /// Any number of contents in so many bytes.
    pub const fn bytes(bytes: u64) -> Self {
        Self { bytes, contents: u64::MAX }
    }

    /// Whether the store has no more than that; bytes are given.
    fn holds(self, store: &Connection, bytes: u64) -> Result<bool> {
        // Counting reads all keys, so nobody counts who has set no limit.
        Ok(bytes <= self.bytes && (self.contents == u64::MAX || contents(store)? <= self.contents))
    }
}

/// Brings the store to a size, inside of a transaction. What no file has goes first, then the roots that
/// were used longest ago with all that only they have. `current` is the root in use: it stays, even if it
/// alone is larger, since it would have to be written anew the next time.
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
        store.execute(
            "DELETE FROM file WHERE root IN (SELECT id FROM root WHERE used = ?1 AND id IS NOT ?2)",
            params![oldest, current],
        )?;
        pruned.roots += store.execute(
            "DELETE FROM root WHERE used = ?1 AND id IS NOT ?2",
            params![oldest, current],
        )?;
    }
    store.execute("DELETE FROM maker WHERE id NOT IN (SELECT maker FROM content)", [])?;
    Ok(pruned)
}

/// Rows of extracted content.
fn contents(store: &Connection) -> Result<u64> {
    store
        .query_row("SELECT count(*) FROM content", [], |row| row.get::<_, i64>(0))
        .map(i64::unsigned_abs)
}

/// Bytes of the pages that hold something.
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
                 INSERT INTO maker VALUES (1);
                 INSERT INTO root VALUES (1, 10), (2, 20);
                 INSERT INTO file VALUES (1, x'01'), (2, x'02');
                 INSERT INTO content VALUES (x'01', 1), (x'02', 1);",
            )
            .unwrap();
        let count = |table: &str| -> i64 {
            store.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap()
        };
        assert_eq!(to(&store, Most::bytes(1), Some(2)).unwrap().roots, 1);
        assert_eq!([count("root"), count("file"), count("content")], [1, 1, 1]);
        assert_eq!(to(&store, Most::bytes(1), None).unwrap().roots, 1);
        assert_eq!([count("root"), count("file"), count("content")], [0, 0, 0]);
    }
}
