//! Line splitting as Python's `str.splitlines` does it.

/// True for every character that ends a line in Python, `\r` and `\n` included.
pub const fn is_line_end(c: char) -> bool {
    matches!(
        c,
        '\n' | '\r' | '\u{0b}' | '\u{0c}' | '\u{1c}'
            ..='\u{1e}' | '\u{85}' | '\u{2028}' | '\u{2029}'
    )
}

/// The lines of a text together with their line ends.
#[derive(Debug, Clone)]
pub struct Lines<'text> {
    rest: &'text str,
}

/// Splits a text into lines that keep their line ends; `\r\n` is one end. An empty text has no
/// line, and a final line end opens no further line.
pub const fn lines_with_ends(text: &str) -> Lines<'_> {
    Lines { rest: text }
}

impl<'text> Iterator for Lines<'text> {
    type Item = &'text str;

    fn next(&mut self) -> Option<&'text str> {
        if self.rest.is_empty() {
            return None;
        }
        let end = line_length(self.rest);
        let (line, rest) = self.rest.split_at(end);
        self.rest = rest;
        Some(line)
    }
}

/// Number of bytes that are checked together.
const BLOCK: usize = 16;

/// True if none of these bytes can belong to a line end: all are printable ASCII. It has no
/// branches, so that the compiler can check all bytes at once.
fn is_plain(block: &[u8; BLOCK]) -> bool {
    block.iter().fold(true, |plain, byte| plain & matches!(byte, 0x20..0x80))
}

/// Bytes up to and including the first line end.
fn line_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\n' | 0x0b | 0x0c | 0x1c..=0x1e => return at + 1,
            b'\r' => return at + if bytes.get(at + 1) == Some(&b'\n') { 2 } else { 1 },
            // The lead bytes of U+0085 and of U+2028 and U+2029.
            0xc2 if bytes.get(at + 1) == Some(&0x85) => return at + 2,
            0xe2 if bytes.get(at + 1) == Some(&0x80)
                && matches!(bytes.get(at + 2), Some(0xa8 | 0xa9)) =>
            {
                return at + 3;
            }
            _ => at += 1,
        }
        while bytes[at..].first_chunk().is_some_and(is_plain) {
            at += BLOCK;
        }
    }
    at
}

/// Splits a text into lines without their ends, as `str.splitlines()` does.
pub fn lines(text: &str) -> impl Iterator<Item = &str> {
    lines_with_ends(text).map(|line| {
        line.strip_suffix("\r\n").or_else(|| line.strip_suffix(is_line_end)).unwrap_or(line)
    })
}

#[cfg(test)]
mod tests {
    use super::{lines, lines_with_ends};

    // Expected values are CPython 3.11's `str.splitlines`.
    #[test]
    fn splits_where_python_splits() {
        let text = "a\nb\rc\r\nd\u{0b}e\u{0c}f\u{1c}g\u{1d}h\u{1e}i\u{85}j\u{2028}k\u{2029}l";
        let found: Vec<_> = lines(text).collect();
        assert_eq!(found, ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"]);
        assert_eq!(lines_with_ends(text).collect::<String>(), text);
    }

    // Puts every line end at each position around the size of a block.
    #[test]
    fn finds_an_end_behind_plain_text_of_any_length() {
        for end in ["\n", "\r", "\r\n", "\u{0b}", "\u{1e}", "\u{85}", "\u{2028}", "\u{2029}"] {
            for length in 0..50 {
                let line = "a".repeat(length) + end;
                let text = line.clone() + "\u{e9}\t\u{2030}" + &line;
                let found: Vec<_> = lines_with_ends(&text).collect();
                assert_eq!(found, [line.clone(), format!("\u{e9}\t\u{2030}{line}")]);
            }
        }
    }

    #[test]
    fn a_final_line_end_opens_no_line() {
        assert_eq!(lines("").count(), 0);
        assert_eq!(lines("a\n").collect::<Vec<_>>(), ["a"]);
        assert_eq!(lines("\n\n").collect::<Vec<_>>(), ["", ""]);
        assert_eq!(lines("\u{1f}x").collect::<Vec<_>>(), ["\u{1f}x"]);
    }
}
