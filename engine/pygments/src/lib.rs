#![doc = include_str!("../README.md")]

mod choose;
mod cursor;
mod guesses;
mod identifiers;
mod lexers;
mod scanner;
#[cfg(test)]
mod tests;
mod words;

use std::{borrow::Cow, ops::Range};

/// The names of one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names<'t> {
    /// Pygments' main alias of the lexer that it chooses; `None` if no lexer of this crate matches
    /// the file name.
    pub lexer: Option<&'static str>,
    /// The names in order of appearance, each as often as it appears.
    pub names: Vec<&'t str>,
}

/// The names that Pygments would find in a file.
///
/// `path` is the path or name of the file, with `/` between its components; only the last one
/// matters. `text` is its content as the comparator reads it: decoded, with every line break turned
/// into `\n`. The names are slices of `text`.
///
/// There are no errors: a text without a lexer has no names, and a broken text has those that
/// Pygments finds in it. Takes linear time, apart from sorting the names inside and around the
/// parts of a template.
pub fn names<'t>(path: &str, text: &'t str) -> Names<'t> {
    let Some(lexer) = choose::lexer(path, text) else {
        return Names::default();
    };
    // As in Pygments, one byte order mark is removed, and the line breaks around the text, of which
    // one is put back at the end.
    let marked = text.strip_prefix('\u{feff}').unwrap_or(text);
    let body = marked.trim_start_matches('\n');
    let start = text.len() - body.len();
    let end = start + body.trim_end_matches('\n').len();
    let input = match text.get(start..end + 1) {
        Some(ended) => Cow::Borrowed(ended),
        None => Cow::Owned([text.get(start..end).unwrap_or(""), "\n"].concat()),
    };
    let mut ranges = Vec::new();
    (lexer.scan)(&input, &mut ranges);
    let original =
        |range: Range<usize>| text.get(start + range.start..(start + range.end).min(text.len()));
    Names { lexer: Some(lexer.alias), names: ranges.into_iter().filter_map(original).collect() }
}
