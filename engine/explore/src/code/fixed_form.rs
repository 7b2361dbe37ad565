//! Rewrites fixed-form Fortran in free form, with the same number of bytes.
//!
//! The grammar knows only the free form. In the fixed form, a comment has a letter in its first
//! column, and a continuation line has a mark in its sixth. Both are rewritten in place, so that
//! positions in the tree are positions in the file: the line feed and the six columns of a
//! continuation line become `&`, a line feed and five blanks.

/// Extensions whose files are in fixed form.
const FIXED: &[&str] = &["f", "for", "ftn", "f77"];

/// The free form of a file in fixed form; `None` for other files.
pub fn freed(file: &str, text: &str) -> Option<String> {
    let extension = file.rsplit_once('.').map(|(_, extension)| extension.to_lowercase())?;
    if !FIXED.contains(&extension.as_str()) {
        return None;
    }
    let mut bytes = text.as_bytes().to_vec();
    // Position of the line feed after the last line of code, which a continuation line continues.
    let mut code_end: Option<usize> = None;
    let mut start = 0;
    while start < bytes.len() {
        let rest = bytes.get(start..).unwrap_or_default();
        let end = memchr::memchr(b'\n', rest).map_or(bytes.len(), |length| start + length);
        let line = bytes.get(start..end).unwrap_or_default();
        if is_comment(line) {
            set(&mut bytes, start, b'!');
        } else if line.iter().any(|byte| !byte.is_ascii_whitespace()) {
            if let (Some(mark), Some(before)) = (continuation(line), code_end) {
                continue_from(&mut bytes, before, start, start + mark);
            }
            code_end = Some(end);
        }
        start = end + 1;
    }
    String::from_utf8(bytes).ok()
}

/// Joins the continuation line with its mark at `mark` to the code that ended at `before`.
fn continue_from(bytes: &mut [u8], before: usize, start: usize, mark: usize) {
    set(bytes, mark, b' ');
    set(bytes, before, b'&');
    if before + 1 == start {
        // The line feed moves into the blank columns.
        set(bytes, start, b'\n');
    } else {
        // A comment is in between: the line feed takes the place of its `!`, and the `!` moves by
        // one.
        set(bytes, before + 1, b'\n');
        if bytes.get(before + 2).is_some_and(|byte| *byte != b'\n') {
            set(bytes, before + 2, b'!');
        }
    }
}

fn is_comment(line: &[u8]) -> bool {
    matches!(line.first(), Some(b'C' | b'c' | b'*' | b'!' | b'd' | b'D'))
        || line.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'!')
            && line.get(5) != Some(&b'!')
}

/// The column of a continuation mark: the sixth after five blanks, or a digit after a tab.
fn continuation(line: &[u8]) -> Option<usize> {
    match line {
        [b'\t', b'1'..=b'9', ..] => Some(1),
        [b' ', b' ', b' ', b' ', b' ', mark, ..] if !matches!(mark, b' ' | b'0' | b'\r') => Some(5),
        _ => None,
    }
}

fn set(bytes: &mut [u8], at: usize, byte: u8) {
    if let Some(place) = bytes.get_mut(at) {
        *place = byte;
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::freed;

    #[test]
    fn comments_and_continuations_become_free_form_of_the_same_length() {
        for (fixed, free) in [
            ("C one\n      END\n", "! one\n      END\n"),
            ("      CALL A(B,\n     $   C)\n", "      CALL A(B,&\n        C)\n"),
            ("      A = 1 +\n* note\n     1 2\n", "      A = 1 +&\n!note\n       2\n"),
            ("      A = 1 +\r\n     1 2\r\n", "      A = 1 +\r&\n      2\r\n"),
            ("\tA = 1 +\n\t1 2\n", "\tA = 1 +&\n  2\n"),
            ("10    CONTINUE\n", "10    CONTINUE\n"),
            ("     $", "     $"),
            ("", ""),
        ] {
            let found = freed("a.f", fixed).unwrap();
            assert_eq!(found, free);
            assert_eq!(found.len(), fixed.len());
        }
        assert_eq!(freed("a.f90", "C = 1\n"), None);
    }
}
