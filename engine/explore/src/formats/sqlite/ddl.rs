//! Facts that SQLite keeps only in the text of the statement that created an object: checks, the
//! events of triggers, and whether an index is unique or partial.

/// A word, a sign, or a quoted part of a statement, with its position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Token<'a> {
    text: &'a str,
    start: usize,
    quoted: bool,
}

impl Token<'_> {
    fn is(&self, word: &str) -> bool {
        !self.quoted && self.text.eq_ignore_ascii_case(word)
    }
}

/// The tokens of a statement, without comments.
fn tokens(sql: &str) -> Vec<Token<'_>> {
    let bytes = sql.as_bytes();
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(byte) = bytes.get(at).copied() {
        let start = at;
        let rest = bytes.get(at..).unwrap_or_default();
        let mut quoted = false;
        if rest.starts_with(b"--") {
            at += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            continue;
        } else if rest.starts_with(b"/*") {
            at += memchr::memmem::find(rest, b"*/").map_or(rest.len(), |end| end + 2);
            continue;
        } else if byte.is_ascii_whitespace() {
            at += 1;
            continue;
        } else if let Some(close) = closing(byte) {
            quoted = true;
            at += 1;
            // A doubled quote is an escaped quote; here it is read as the border of two parts.
            at += memchr::memchr(close, bytes.get(at..).unwrap_or_default())
                .map_or(rest.len(), |end| end + 1);
            at = at.min(bytes.len());
        } else if word(byte) {
            at += rest.iter().position(|byte| !word(*byte)).unwrap_or(rest.len());
        } else {
            at += 1;
        }
        if let Some(text) = sql.get(start..at) {
            tokens.push(Token { text, start, quoted });
        }
    }
    tokens
}

fn closing(byte: u8) -> Option<u8> {
    match byte {
        b'\'' | b'"' | b'`' => Some(byte),
        b'[' => Some(b']'),
        _ => None,
    }
}

fn word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

/// The expressions of a table's checks, as written.
pub fn checks(sql: &str) -> Vec<String> {
    let tokens = tokens(sql);
    let mut checks = Vec::new();
    for (index, pair) in tokens.windows(2).enumerate() {
        let [check, open] = pair else { continue };
        if !check.is("check") || !open.is("(") {
            continue;
        }
        let mut depth = 0_usize;
        for token in tokens.iter().skip(index + 1) {
            if token.is("(") {
                depth += 1;
            } else if token.is(")") {
                depth -= 1;
                if depth == 0 {
                    let inside = sql.get(open.start + 1..token.start).unwrap_or_default();
                    checks.push(inside.trim().to_owned());
                    break;
                }
            }
        }
    }
    checks
}

/// The timing and the event of a trigger.
pub fn trigger(sql: &str) -> (Option<&'static str>, Option<&'static str>) {
    let mut timing = None;
    for token in tokens(sql.get(..4_096).unwrap_or(sql)) {
        for (word, name) in [("before", "before"), ("after", "after"), ("instead", "instead_of")] {
            if token.is(word) {
                timing = timing.or(Some(name));
            }
        }
        for event in ["insert", "update", "delete"] {
            if token.is(event) {
                // The default of SQLite.
                return (timing.or(Some("before")), Some(event));
            }
        }
    }
    (timing, None)
}

/// Whether an index is unique, and whether it is partial.
pub fn index(sql: &str) -> (bool, bool) {
    let tokens = tokens(sql);
    let mut depth = 0_i64;
    let mut partial = false;
    for token in &tokens {
        depth += i64::from(token.is("(")) - i64::from(token.is(")"));
        partial |= depth == 0 && token.is("where");
    }
    (tokens.iter().take(2).any(|token| token.is("unique")), partial)
}

#[cfg(test)]
mod tests {
    use super::{checks, index, trigger};

    #[test]
    fn checks_are_found_outside_of_text_and_comments() {
        let sql = "CREATE TABLE t (a CHECK (a > (1)), -- CHECK (no)\n b DEFAULT 'CHECK (no)', \
                   CONSTRAINT c CHECK(b <> ')'))";
        assert_eq!(checks(sql), ["a > (1)", "b <> ')'"]);
        assert!(checks("CREATE TABLE t (a CHECK (((").is_empty());
    }

    #[test]
    fn triggers_and_indexes_are_read() {
        for (sql, timing, event) in [
            ("CREATE TRIGGER \"insert\" AFTER UPDATE OF a ON t BEGIN", "after", "update"),
            ("create trigger x instead of delete on v begin", "instead_of", "delete"),
            ("CREATE TRIGGER x INSERT ON t", "before", "insert"),
        ] {
            assert_eq!(trigger(sql), (Some(timing), Some(event)), "{sql}");
        }
        assert_eq!(index("CREATE UNIQUE INDEX i ON t (a) WHERE a > 0"), (true, true));
        assert_eq!(index("CREATE INDEX i ON t (a)"), (false, false));
    }
}
