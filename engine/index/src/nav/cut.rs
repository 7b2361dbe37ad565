//! Cutting an answer to its limit, and continuing it from a cursor.

use super::{NavError, Query};

/// The entries of one answer.
#[derive(Debug)]
pub struct Cut<T> {
    /// The entries.
    pub entries: Vec<T>,
    /// The cursor to ask for the rest, if there is more.
    pub cursor: Option<String>,
}

/// The part of `all` that a question asks for: from its cursor on, at most its limit.
///
/// # Errors
/// The cursor does not come from an answer.
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
