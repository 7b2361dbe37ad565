//! The words of messages, paths and code.

/// Words that say nothing about which code a message is about.
const STOP_WORDS: &[&str] = &[
    "a", "an", "and", "are", "as", "at", "be", "been", "but", "by", "can", "cannot", "could",
    "did", "do", "does", "for", "from", "had", "has", "have", "how", "i", "if", "in", "into", "is",
    "it", "its", "may", "more", "must", "no", "nor", "not", "now", "of", "on", "only", "or", "our",
    "should", "so", "some", "such", "than", "that", "the", "their", "them", "then", "there",
    "these", "they", "this", "those", "to", "too", "up", "was", "we", "were", "what", "when",
    "where", "which", "while", "who", "why", "will", "with", "would", "you", "your",
];
/// Shortest part of a name that counts as a word, in bytes.
const MIN_PART: usize = 2;

/// The names in a text: runs of letters, digits, underscores and characters beyond ASCII.
pub fn names(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii();
    // A position next to an ASCII byte is always a character boundary.
    text.split(move |c: char| c.is_ascii() && !is_part(c as u8)).filter(|name| !name.is_empty())
}

/// The parts of a name, split at underscores and changes of case: `HTTPServer_v2` has `HTTP`,
/// `Server` and `v2`.
pub fn parts(name: &str) -> impl Iterator<Item = &str> {
    let bytes = name.as_bytes();
    let mut start = 0;
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < bytes.len() {
            at += 1;
            if at == bytes.len() || is_border(bytes, at) {
                let part = name.get(start..at).unwrap_or_default();
                start = at;
                return Some(part);
            }
        }
        None
    })
    .map(|part| part.trim_matches('_'))
    .filter(|part| part.len() >= MIN_PART)
}

/// True if a part ends before the byte at a position, which is neither the first nor past the last.
fn is_border(bytes: &[u8], at: usize) -> bool {
    let of = |at: usize| bytes.get(at).copied().unwrap_or_default();
    let (before, here, after) = (of(at - 1), of(at), of(at + 1));
    before == b'_'
        || here == b'_'
        || (here.is_ascii_uppercase() && (before.is_ascii_lowercase() || before.is_ascii_digit()))
        || (here.is_ascii_uppercase() && before.is_ascii_uppercase() && after.is_ascii_lowercase())
}

/// True if a name has several parts, so that the whole name says more than its parts.
pub fn is_compound(name: &str) -> bool {
    parts(name).nth(1).is_some()
}

/// A lower-case word without its inflectional ending.
pub fn stem(word: &str) -> &str {
    let without =
        |ending: &str, least: usize| word.strip_suffix(ending).filter(|rest| rest.len() >= least);
    let rest = without("ing", 3)
        .or_else(|| without("ed", 3))
        .or_else(|| without("es", 3))
        .or_else(|| without("s", 3).filter(|rest| !rest.ends_with('s')))
        .unwrap_or(word);
    rest.strip_suffix('e').filter(|rest| rest.len() >= 3).unwrap_or(rest)
}

/// True if a lower-case word says nothing about which code a message is about.
pub fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.binary_search(&word).is_ok()
}

#[cfg(test)]
mod tests {
    use super::{STOP_WORDS, is_compound, is_stop_word, names, parts, stem};

    #[test]
    fn names_are_separated_by_what_no_identifier_has() {
        assert_eq!(
            names("fix foo_bar(x-é) in src/a.c").collect::<Vec<_>>(),
            ["fix", "foo_bar", "x", "é", "in", "src", "a", "c"]
        );
    }

    #[test]
    fn parts_are_separated_by_underscores_and_case() {
        let of = |name| parts(name).collect::<Vec<_>>();
        assert_eq!(of("HTTPServer_v2"), ["HTTP", "Server", "v2"]);
        assert_eq!(of("curl_easy_setopt"), ["curl", "easy", "setopt"]);
        assert_eq!(of("__init__"), ["init"]);
        assert_eq!(of("getX509Cert"), ["get", "X509", "Cert"]);
        assert_eq!(of("x"), [""; 0]);
        assert!(is_compound("makeResponse") && !is_compound("response") && !is_compound("_x"));
    }

    #[test]
    fn forms_of_one_word_have_one_stem() {
        for forms in
            [["parse", "parses", "parsed", "parsing"], ["header", "headers", "header", "header"]]
        {
            assert!(forms.iter().all(|form| stem(form) == stem(forms[0])), "{forms:?}");
        }
        assert_eq!(stem("class"), "class");
        assert_eq!(stem("is"), "is");
    }

    #[test]
    fn stop_words_are_sorted_so_that_they_are_found() {
        assert!(STOP_WORDS.is_sorted());
        assert!(is_stop_word("the") && !is_stop_word("buffer"));
    }
}
