//! The terms of a text: its words, and the parts of its identifiers.

use std::collections::BTreeSet;

use base::text::words;

/// Longest term in bytes: longer runs are data, not words.
const LONGEST: usize = 64;
/// Shortest identifier, in bytes, that is also a term as a whole.
const WHOLE: usize = 4;

/// How terms are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    /// Whether words are reduced to their stems.
    pub stems: bool,
    /// Whether an identifier of several parts is also a term as a whole.
    pub wholes: bool,
}

impl Default for Rules {
    /// The rules of the index.
    fn default() -> Self {
        Self { stems: true, wholes: true }
    }
}

/// Calls `each` with every term of a text, in order: the parts of each identifier in lower case,
/// and the whole identifier if it has several parts.
pub fn of(text: &str, rules: Rules, each: &mut impl FnMut(&str)) {
    let mut lower = String::new();
    for name in words::names(text) {
        let mut parts = 0;
        for part in words::parts(name) {
            parts += 1;
            if part.len() > LONGEST {
                continue;
            }
            lower.clear();
            lower.extend(part.chars().flat_map(char::to_lowercase));
            each(if rules.stems { words::stem(&lower) } else { lower.as_str() });
        }
        if rules.wholes && parts > 1 && (WHOLE..=LONGEST).contains(&name.len()) {
            lower.clear();
            lower.extend(name.chars().flat_map(char::to_lowercase));
            each(&lower);
        }
    }
}

/// The terms of a question, each once, in order. If `stop` is true, words that say nothing are left
/// out, unless there are no others.
pub fn of_query(query: &str, rules: Rules, stop: bool) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let mut all = Vec::new();
    for name in words::names(query) {
        let says_nothing = stop && words::is_stop_word(&name.to_lowercase());
        of(name, rules, &mut |term| {
            if seen.insert(term.to_owned()) {
                all.push((term.to_owned(), says_nothing));
            }
        });
    }
    let only_stop_words = all.iter().all(|(_, says_nothing)| *says_nothing);
    all.retain(|(_, says_nothing)| only_stop_words || !says_nothing);
    all.into_iter().map(|(term, _)| term).collect()
}

#[cfg(test)]
mod tests {
    use super::{Rules, of, of_query};

    #[test]
    fn identifiers_are_terms_in_parts_and_as_a_whole() {
        let mut terms = Vec::new();
        of("parseHTTPHeaders(x1_y)", Rules::default(), &mut |term| terms.push(term.to_owned()));
        assert_eq!(terms, ["pars", "http", "header", "parsehttpheaders", "x1"]);
    }

    #[test]
    fn words_of_a_question_that_say_nothing_are_left_out_unless_all_do() {
        let rules = Rules::default();
        assert_eq!(of_query("where are the retries limited", rules, true), ["retri", "limit"]);
        assert_eq!(of_query("where is it", rules, true), ["wher", "is", "it"]);
        assert_eq!(of_query("  (): ", rules, true), [""; 0]);
        assert_eq!(of_query(&"x".repeat(100_000), rules, true), [""; 0]);
    }
}
