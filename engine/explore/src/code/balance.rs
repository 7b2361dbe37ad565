//! Whether the brackets, strings and comments of a style sheet are closed. Every dialect requires
//! that, even where the grammar does not know the dialect.

use super::defect::Defect;

/// What is open at a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Open {
    /// A bracket, which this character closes.
    Bracket(u8),
    /// A bare URL, as in `url(//host/a)`: its slashes begin no comment.
    Address,
    /// A string, which this character closes.
    Text(u8),
}

/// The first bracket, string or comment that is not closed, or that closes something that is not
/// open.
pub fn first_defect(text: &str) -> Option<Defect> {
    let bytes = text.as_bytes();
    let mut open: Vec<(Open, usize)> = Vec::new();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let next = bytes.get(at + 1);
        if let Some((Open::Text(end), start)) = open.last().copied() {
            match byte {
                b'\\' => at += 1 + usize::from(rest(bytes, at + 1).starts_with(b"\r\n")),
                // An expression inside a string may contain strings of its own.
                b'#' if next == Some(&b'{') => {
                    open.push((Open::Bracket(b'}'), at));
                    at += 1;
                }
                b'\n' => return defect(text, start, "a string does not end on its line"),
                byte if *byte == end => {
                    open.pop();
                }
                _ => {}
            }
            at += 1;
            continue;
        }
        let in_address = open.last().is_some_and(|(last, _)| *last == Open::Address);
        match (byte, next) {
            (b'\\', _) => at += 1,
            (b'/', _) if in_address => {}
            (b'/', Some(b'*')) => match memchr::memmem::find(rest(bytes, at + 2), b"*/") {
                Some(length) => at += 3 + length,
                None => return defect(text, at, "a comment does not end"),
            },
            (b'/', Some(b'/')) => {
                let comment = rest(bytes, at);
                at += memchr::memchr(b'\n', comment).unwrap_or(comment.len());
            }
            (b'"' | b'\'' | b'`', _) => open.push((Open::Text(*byte), at)),
            (b'(', _) if is_address(bytes, at) => open.push((Open::Address, at)),
            (b'(', _) => open.push((Open::Bracket(b')'), at)),
            (b'[', _) => open.push((Open::Bracket(b']'), at)),
            (b'{', _) => open.push((Open::Bracket(b'}'), at)),
            (b')' | b']' | b'}', _) => {
                let closes = |(last, _)| {
                    last == Open::Bracket(*byte) || *byte == b')' && last == Open::Address
                };
                if !open.pop().is_some_and(closes) {
                    let what = format!("syntax error: {} closes nothing", char::from(*byte));
                    return defect(text, at, &what);
                }
            }
            _ => {}
        }
        at += 1;
    }
    let (_, start) = open.pop()?;
    defect(text, start, "syntax error: it is not closed")
}

fn rest(bytes: &[u8], at: usize) -> &[u8] {
    bytes.get(at..).unwrap_or_default()
}

/// Whether the bracket at a position is that of `url(`.
fn is_address(bytes: &[u8], at: usize) -> bool {
    bytes.get(at.saturating_sub(3)..at).is_some_and(|word| word.eq_ignore_ascii_case(b"url"))
}

fn defect(text: &str, at: usize, what: &str) -> Option<Defect> {
    let before = text.as_bytes().get(..at)?;
    let line = memchr::memchr_iter(b'\n', before).count() as u64 + 1;
    let start = memchr::memrchr(b'\n', before).map_or(0, |end| end + 1);
    Some(Defect { what: what.to_owned(), line, column: (at - start) as u64 + 1 })
}

#[cfg(test)]
mod tests {
    use super::first_defect;

    #[test]
    fn what_closes_is_no_defect() {
        for text in [
            "",
            "a { b: c }",
            "a { b: url(//host/c) url(#{$d}://host/*.png) }",
            "a { b: url( 'x)' ) }",
            "// don't\na { }",
            "// no line feed at the end",
            "/* { */",
            "a { content: \"\\\"#{f(\"x\", '}')}\" }",
            "@media #{$a} and (b: c) { .x-#{$i} { &:not([d='e']) { f: g } } }",
            ".a\\:b { c: '\\\n' }",
        ] {
            assert_eq!(first_defect(text), None, "{text}");
        }
    }

    #[test]
    fn what_does_not_close_is_told_where_it_is() {
        for (text, line, column) in [
            ("a {\n b: c", 1, 3),
            ("a { }\n}", 2, 1),
            ("a { b: (c] }", 1, 10),
            ("a { b: 'c\n }", 1, 8),
            ("a { } /* b", 1, 7),
            ("a { b: \"#{c\" }", 1, 12),
            ("a { // b", 1, 3),
        ] {
            let found = first_defect(text).map(|found| (found.line, found.column));
            assert_eq!(found, Some((line, column)), "{text}");
        }
    }
}
