//! Counts in the database, whose integers are signed.

use rusqlite::{Error, Result, Row};

/// A count.
///
/// # Errors
/// The number is negative, which happens only in a damaged store.
pub(super) fn count(row: &Row, column: usize) -> Result<u64> {
    let number: i64 = row.get(column)?;
    u64::try_from(number).map_err(|_| Error::IntegralValueOutOfRange(column, number))
}
