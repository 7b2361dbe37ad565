//! Comments within macros of several lines. A grammar ends a macro at the first of them, and takes the lines
//! after it for declarations.

use super::branches::{Found, Scan, line_end, literal_end};

/// The text with such comments replaced by spaces, so that lines and positions stay the same; `None` if it has
/// none.
pub fn blanked(text: &str) -> Option<String> {
    let mut bytes: Option<Vec<u8>> = None;
    let mut scan = Scan::of(text);
    while let Some(found) = scan.next() {
        let Found::Directive(start, mut end) = found else { continue };
        let line = text.get(start..end).unwrap_or_default();
        let word = line.trim_start_matches(['#', ' ', '\t']);
        if !word.starts_with("define") || !line.contains('\n') {
            continue;
        }
        let mut at = start;
        while let Some((open, close)) = comment(text.as_bytes(), at, end) {
            at = close;
            // A comment may end where the macro has no line left.
            end = end.max(line_end(text.as_bytes(), at));
            let bytes = bytes.get_or_insert_with(|| text.as_bytes().to_vec());
            blank(bytes.get_mut(open..close).unwrap_or_default());
        }
        scan.at = end;
    }
    bytes.and_then(|bytes| String::from_utf8(bytes).ok())
}

/// The first comment that begins in a part of a text, outside of literals.
fn comment(bytes: &[u8], mut at: usize, end: usize) -> Option<(usize, usize)> {
    while at < end {
        let rest = bytes.get(at..)?;
        match rest.first()? {
            quote @ (b'"' | b'\'') => at = literal_end(bytes, at + 1, *quote),
            b'/' if rest.starts_with(b"/*") => {
                let length = memchr::memmem::find(rest.get(2..)?, b"*/")?;
                return Some((at, at + length + 4));
            }
            _ => at += 1,
        }
    }
    None
}

/// Replaces a comment by spaces, so that the macro goes on after each of its lines.
fn blank(comment: &mut [u8]) {
    let mut lines = comment.split_mut(|byte| *byte == b'\n').peekable();
    while let Some(line) = lines.next() {
        line.fill(b' ');
        if let (Some(last), true) = (line.last_mut(), lines.peek().is_some()) {
            *last = b'\\';
        }
    }
}

#[cfg(test)]
mod tests {
    use super::blanked;

    #[test]
    fn comments_within_a_macro_are_blanked_in_place() {
        let text = "#define A(t) \\\n  f(t); /* one */ \\\n  g(t, \"/*\"); /* of\n two */ \\\n  h(t)\nint a; /* stays */\n";
        let read = blanked(text).unwrap();
        let expected = text
            .replace("/* one */", &" ".repeat(9))
            .replace("/* of", "    \\")
            .replace(" two */", &" ".repeat(7));
        assert_eq!(read, expected);
        assert_eq!(read.len(), text.len());
    }

    #[test]
    fn other_comments_stay() {
        for text in [
            "#define A 1 /* one line */\nint a;\n",
            "#if A /* one */ \\\n  && B\n#endif\n",
            "#define A \\\n  \"/* text */\"\n",
            "/* #define A \\\n */\nint a;\n",
            "#define A \\\n  /* open",
        ] {
            assert_eq!(blanked(text), None, "{text}");
        }
        let open = format!("#define A \\\n{}", "/* ".repeat(200_000));
        assert!(blanked(&open).is_none());
    }
}
