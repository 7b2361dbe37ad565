//! The dialects of JSON, and the dialects in which a word is a number.

use crate::formats::shared::decimal;

/// Dialects; each includes the ones before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Dialect {
    /// RFC 8259.
    Json,
    /// With comments and trailing commas.
    Jsonc,
    /// JSON5.
    Json5,
}

impl Dialect {
    /// Its name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Jsonc => "jsonc",
            Self::Json5 => "json5",
        }
    }
}

/// The narrowest dialect in which a word is a number; `None` if it is not a number.
pub fn number(word: &[u8]) -> Option<Dialect> {
    let (sign, digits) = match word.split_first()? {
        (sign @ (b'-' | b'+'), rest) => (Some(*sign), rest),
        _ => (None, word),
    };
    if matches!(digits, b"Infinity" | b"NaN") {
        return Some(Dialect::Json5);
    }
    if let Some(hex) = digits.strip_prefix(b"0x").or_else(|| digits.strip_prefix(b"0X")) {
        let whole = !hex.is_empty() && hex.iter().all(u8::is_ascii_hexdigit);
        return whole.then_some(Dialect::Json5);
    }
    let mut dialect = if sign == Some(b'+') { Dialect::Json5 } else { Dialect::Json };
    let whole = digits.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if whole > 1 && digits.first() == Some(&b'0') {
        return None;
    }
    let tail = decimal::behind_whole(digits.get(whole..)?)?;
    if tail.point && (whole == 0 || tail.fraction == 0) {
        dialect = Dialect::Json5;
    }
    (whole + tail.fraction > 0).then_some(dialect)
}

#[cfg(test)]
mod tests {
    use super::{Dialect, number};

    #[test]
    fn numbers_have_the_dialect_that_allows_them() {
        for (word, dialect) in [
            ("0", Some(Dialect::Json)),
            ("-1.5e+3", Some(Dialect::Json)),
            ("1E9", Some(Dialect::Json)),
            (".5", Some(Dialect::Json5)),
            ("5.", Some(Dialect::Json5)),
            ("+1", Some(Dialect::Json5)),
            ("0xFf", Some(Dialect::Json5)),
            ("-Infinity", Some(Dialect::Json5)),
            ("01", None),
            ("1e", None),
            ("-", None),
            ("1.2.3", None),
            ("0x", None),
            ("nul", None),
        ] {
            assert_eq!(number(word.as_bytes()), dialect, "{word}");
        }
    }
}
