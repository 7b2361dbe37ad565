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

/// Brings the store to a size, inside of a transaction. What no file has goes first, then the roots that
/// were used longest ago with all that only they have.
pub fn to(store: &Connection, most: u64) -> Result<Pruned> {
    let mut pruned = Pruned { bytes: used_bytes(store)?, ..Pruned::default() };
    if pruned.bytes <= most {
        return Ok(pruned);
    }
    let goal = most / 100 * FILL;
    loop {
        pruned.contents += store.execute(
            "DELETE FROM content WHERE NOT EXISTS
             (SELECT 1 FROM file WHERE file.sha256 = content.sha256)",
            [],
        )?;
        pruned.bytes = used_bytes(store)?;
        let oldest: Option<i64> =
            store.query_row("SELECT min(used) FROM root", [], |row| row.get(0))?;
        let Some(oldest) = oldest.filter(|_| pruned.bytes > goal) else { break };
        store.execute(
            "DELETE FROM file WHERE root IN (SELECT id FROM root WHERE used = ?)",
            params![oldest],
        )?;
        pruned.roots += store.execute("DELETE FROM root WHERE used = ?", params![oldest])?;
    }
    store.execute("DELETE FROM maker WHERE id NOT IN (SELECT maker FROM content)", [])?;
    Ok(pruned)
}

/// Bytes of the pages that hold something.
pub fn used_bytes(store: &Connection) -> Result<u64> {
    let pragma = |name| store.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let bytes = (pragma("page_count")? - pragma("freelist_count")?) * pragma("page_size")?;
    Ok(bytes.unsigned_abs())
}
