//! Look-ahead for the header of a function in C or C++.
//!
//! The shape is `result name(parameters) tail`, followed by `{` or `;`. The result is one
//! identifier followed by `&`, `*` or white space. The parameters contain no `;`, quote or inner
//! `)`, and the tail no `/` or quote. Comments may stand between the parts.

use std::ops::Range;

use super::parts::{comments_end, identifier_end};
use crate::cursor::{Cursor, Searched, is_space};

/// The parts of a function header that are scanned further.
pub(super) struct Header {
    /// End of the result type; it starts where the header starts.
    pub result_end: usize,
    /// The name, with all its `::` parts.
    pub name: Range<usize>,
    /// The parameters with their parentheses.
    pub parameters: Range<usize>,
    /// What stands between the parameters and the final `{` or `;`.
    pub tail: Range<usize>,
    /// Whether a body follows: the header ends in `{`.
    pub has_body: bool,
}

impl Header {
    /// Reads the header that starts at `at`, if one does.
    pub fn read(cursor: Cursor, at: usize, searched: &mut Searched) -> Option<Self> {
        let result = identifier_end(cursor, at, true)?;
        let result_end = cursor.run(result, |c| matches!(c, '&' | '*') || is_space(c));
        if result_end == result {
            return None;
        }
        let name_start = comments_end(cursor, result_end);
        let name_end = identifier_end(cursor, name_start, true)?;
        let open = comments_end(cursor, name_end);
        if cursor.byte(open) != b'(' {
            return None;
        }
        // Otherwise each statement in the braces after unclosed parameters would search for the
        // same end again.
        let ends = |byte| matches!(byte, b')' | b';' | b'"' | b'\'');
        let close = searched.search(open + 1, || cursor.ascii_run(open + 1, |byte| !ends(byte)));
        if cursor.byte(close) != b')' {
            return None;
        }
        let tail_start = comments_end(cursor, close + 1);
        let ends = |byte| matches!(byte, b'{' | b';' | b'/' | b'"' | b'\'');
        let tail_end = cursor.ascii_run(tail_start, |byte| !ends(byte));
        let last = cursor.byte(tail_end);
        matches!(last, b'{' | b';').then_some(Self {
            result_end,
            name: name_start..name_end,
            parameters: open..close + 1,
            tail: tail_start..tail_end,
            has_body: last == b'{',
        })
    }
}
