//! Splits a text that is too long for one syntax tree. A tree needs up to two hundred bytes for
//! each byte of code, so a file of 50 MiB is parsed piece by piece, each piece at its place in the
//! file.
//!
//! A piece ends before a line that seems to begin a top-level statement. Brackets are counted on
//! the bytes, including those of strings and comments, so a cut may be misplaced; the parsers
//! recover from that.

use std::ops::Range;

/// Longest text that is parsed at once, in bytes: a tree of the densest code needs one and a half
/// gigabytes for it.
pub const PIECE: usize = 8 << 20;

/// Average length of a line, in bytes, above which code was not written by hand. Such code is
/// dense: a megabyte of it needs 165 MB and two seconds.
const LONG_LINE: usize = 1000;
/// Longest text with such lines that is parsed at once, in bytes.
const DENSE_PIECE: usize = 1 << 20;
/// Longest beginning of a text with such lines that is parsed at all, in bytes.
const DENSE: usize = 2 << 20;

/// The pieces, in order and without gaps; a short text is one piece. If the text and its lines are
/// long, the pieces cover only its beginning.
pub fn split(text: &str) -> Vec<Range<usize>> {
    let is_dense = text.len() > DENSE_PIECE
        && text.len() / (memchr::memchr_iter(b'\n', text.as_bytes()).count() + 1) > LONG_LINE;
    let (piece, most) = if is_dense { (DENSE_PIECE, DENSE) } else { (PIECE, usize::MAX) };
    let mut pieces = Vec::new();
    let mut start = 0;
    while text.len() - start > piece && start < most {
        let end = end_of(text, start, piece);
        pieces.push(start..end);
        start = end;
    }
    if start < most {
        pieces.push(start..text.len());
    }
    pieces
}

/// The end of the piece that begins at `start`: among the positions in its second half with the
/// fewest open brackets, the last one, preferably at the beginning of a line.
fn end_of(text: &str, start: usize, piece: usize) -> usize {
    let mut limit = start + piece;
    while !text.is_char_boundary(limit) {
        limit -= 1;
    }
    let bytes = text.as_bytes();
    let (mut at_line, mut at_statement) = (None, None);
    let mut depth = 0_i64;
    let here = bytes.iter().enumerate().take(limit).skip(start);
    for (at, byte) in here {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            _ => {}
        }
        if at < start + piece / 2 {
            continue;
        }
        let best = match byte {
            b'\n' if begins_statement(bytes.get(at + 1)) => &mut at_line,
            b';' | b'}' => &mut at_statement,
            _ => continue,
        };
        if best.is_none_or(|(fewest, _)| depth <= fewest) {
            *best = Some((depth, at + 1));
        }
    }
    at_line.or(at_statement).map_or(limit, |(_, end)| end)
}

/// Whether a line that begins with this byte may begin a top-level statement.
fn begins_statement(first: Option<&u8>) -> bool {
    first.is_none_or(|byte| !byte.is_ascii_whitespace() && !b")]}*+-|.,".contains(byte))
}

#[cfg(test)]
mod tests {
    use super::{DENSE, DENSE_PIECE, PIECE, split};

    #[test]
    fn pieces_are_the_whole_text_and_end_between_statements() {
        let function = "def f(\n    a,\n):\n    return {\n'x': 1,\n}\n";
        let text = function.repeat(3 * PIECE / function.len());
        let pieces = split(&text);
        assert!(pieces.len() > 2);
        assert_eq!(pieces.first().map(|piece| piece.start), Some(0));
        assert_eq!(pieces.last().map(|piece| piece.end), Some(text.len()));
        for pair in pieces.windows(2) {
            assert_eq!(pair[0].end, pair[1].start);
            assert!(text[pair[1].start..].starts_with("def f("));
            assert!(pair[0].len() <= PIECE && pair[0].len() >= PIECE / 2);
        }
    }

    #[test]
    fn one_line_is_cut_behind_a_statement_and_anything_at_a_sign() {
        let text = "function f(){a;b}".repeat(2 * PIECE / 17);
        let pieces = split(&text);
        assert!(text[pieces[1].start..].starts_with("function"));
        assert!(pieces.iter().all(|piece| piece.len() <= DENSE_PIECE));
        let parsed = pieces.last().unwrap().end;
        assert!((DENSE..DENSE + DENSE_PIECE).contains(&parsed), "{parsed}");
        let text = "ä".repeat(DENSE_PIECE);
        assert_eq!(split(&text).len(), 2);
        assert_eq!(split("short").as_slice(), std::slice::from_ref(&(0..5)));
        assert_eq!(split("").as_slice(), std::slice::from_ref(&(0..0)));
    }
}
