//! Where an answer is cut, and how it goes on.

use super::{NavError, Query};

/// The entries of one answer.
#[derive(Debug)]
pub struct Cut<T> {
    /// The entries.
    pub entries: Vec<T>,
    /// Asks for the rest.
    pub cursor: Option<String>,
}

/// The entries that a question wants of all: from its cursor on, at most its limit.
///
/// # Errors
/// The cursor is none that an answer gave.
pub fn cut<T>(query: &Query, all: Vec<T>) -> Result<Cut<T>, NavError> {
    let from = match &query.cursor {
        None => 0,
        Some(cursor) => cursor
            .strip_prefix("at:")
            .and_then(|number| number.parse::<usize>().ok())
            .ok_or_else(|| NavError::Invalid(format!("{cursor:?} is not a cursor")))?,
    };
    let end = from.saturating_add(query.limit.max(1));
    let cursor = (end < all.len()).then(|| format!("at:{end}"));
    let entries = all.into_iter().skip(from).take(query.limit.max(1)).collect();
    Ok(Cut { entries, cursor })
}

#[cfg(test)]
mod tests {
    use super::{Cut, Query, cut};

    #[test]
    fn cursors_lead_through_all_entries_once() {
        let mut query = Query { limit: 3, ..Query::symbol("x") };
        let mut read = Vec::new();
        loop {
            let Cut { entries, cursor } = cut(&query, (0..8).collect()).unwrap();
            read.extend(entries);
            query.cursor = cursor;
            if query.cursor.is_none() {
                break;
            }
        }
        assert_eq!(read, (0..8).collect::<Vec<_>>());
        query.cursor = Some("elsewhere".to_owned());
        assert!(cut(&query, vec![1]).is_err());
    }
}
