//! The extent of Perl's patterns with unusual delimiters, for which a backslash does not always
//! escape the next character: exclamation marks, and backslashes themselves.

use crate::cursor::Cursor;

/// End of `…!…!` at `at`. A mark after a backslash closes a part only if no other mark does.
pub(super) fn exclaimed_end(cursor: Cursor, at: usize) -> Option<usize> {
    let (first, hidden) = exclaimed(cursor, at);
    let Some(first) = first else {
        // Both parts then have to end with a mark that seemed escaped.
        return hidden.iter().rev().nth(1).and(hidden.last()).copied();
    };
    match exclaimed(cursor, first) {
        (Some(second), _) => Some(second),
        (None, later) => later.last().or_else(|| hidden.last().map(|_| &first)).copied(),
    }
}

/// Position after the next mark that is not escaped, and the positions after the escaped marks
/// before it.
fn exclaimed(cursor: Cursor, from: usize) -> (Option<usize>, Vec<usize>) {
    let mut hidden = Vec::new();
    let mut at = from;
    while at < cursor.len() {
        at = cursor.ascii_run(at, |byte| byte != b'!' && byte != b'\\');
        match [cursor.byte(at), cursor.byte(at + 1)] {
            [b'!', _] => return (Some(at + 1), hidden),
            [b'\\', b'!'] => {
                hidden.push(at + 2);
                at += 2;
            }
            [b'\\', b'\\'] => at += 2,
            _ => at += 1,
        }
    }
    (None, hidden)
}

/// Runs of backslashes from `from` on, as ranges of start and end.
fn runs(cursor: Cursor<'_>, from: usize) -> impl Iterator<Item = (usize, usize)> {
    let mut at = from;
    std::iter::from_fn(move || {
        let start = cursor.find(at, b'\\')?;
        at = cursor.ascii_run(start, |byte| byte == b'\\');
        Some((start, at))
    })
}

/// End of `…\` at `at`. Two backslashes stand for one character, unless nothing else closes the
/// pattern.
pub(super) fn slashed_end(cursor: Cursor, at: usize) -> Option<usize> {
    let mut last = None;
    for (start, end) in runs(cursor, at) {
        if (end - start) % 2 == 1 {
            return Some(end);
        }
        last = Some(end - 1);
    }
    last
}

/// End of `…\…\` at `at`, by the same rule.
pub(super) fn twice_slashed_end(cursor: Cursor, at: usize) -> Option<usize> {
    // The end of the last even run before the first odd one.
    let mut even = None;
    for (start, end) in runs(cursor, at) {
        let length = end - start;
        if length % 2 == 0 {
            even = Some(end);
            continue;
        }
        let within = (length > 1).then_some(end - 1);
        return slashed_end(cursor, end).or(within).or(even);
    }
    even
}
