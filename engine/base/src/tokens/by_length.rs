//! A count without a tokenizer: from the number of bytes that a token has on average.

use std::{collections::BTreeMap, sync::LazyLock};

/// Bytes per token of text in mixed or unknown languages: the reference's number, which gate A3
/// uses.
const MIXED: f64 = 3.5;

/// Bytes per token by language, as `parity audit tokens --write` measured them over the corpora.
static TABLE: LazyLock<BTreeMap<&'static str, f64>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("bytes_per_token.json")).unwrap_or_default()
});

/// The average number of UTF-8 bytes in a token of `cl100k_base`, by the key of a language's
/// explorer, such as `python` or `json`; 3.5 for a language that is unknown or was not measured.
pub fn bytes_per_token(language: Option<&str>) -> f64 {
    language.and_then(|key| TABLE.get(key)).copied().unwrap_or(MIXED)
}

/// Estimates the tokens of a text from its length alone, rounded up. The tokenizer's own count may
/// differ a lot: this is for where no tokenizer is at hand, or where it is not known which one will
/// count.
pub fn count_by_length(text: &str, language: Option<&str>) -> f64 {
    (text.len() as f64 / bytes_per_token(language)).ceil()
}

#[cfg(test)]
mod tests {
    use super::{TABLE, bytes_per_token, count_by_length};

    #[test]
    fn a_text_in_no_known_language_has_a_token_every_three_bytes_and_a_half() {
        assert_eq!(count_by_length("", None), 0.0);
        assert_eq!(count_by_length(&"x".repeat(35), None), 10.0);
        assert_eq!(count_by_length(&"x".repeat(36), Some("no such language")), 11.0);
    }

    #[test]
    fn languages_differ_and_none_is_beyond_reason() {
        assert!(TABLE.len() > 30, "{}", TABLE.len());
        assert!(TABLE.values().all(|ratio| (1.5..8.0).contains(ratio)), "{:?}", *TABLE);
        assert!(bytes_per_token(Some("python")) > bytes_per_token(Some("json")));
    }
}
