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
    /// Pygments' main alias of the lexer that it picks; `None` if the file
    /// name belongs to no language treated here.
    pub lexer: Option<&'static str>,
    /// The names in order of appearance, each as often as it appears.
    pub names: Vec<&'t str>,
}

/// The names in a file that Pygments would find.
///
/// `path` is the path or name of the file, with `/` between its parts; only
/// the last part counts. `text` is its content as the comparator reads it:
/// decoded, with every line break turned into `\n`. The names are slices of
/// `text`.
///
/// No text is an error: one without a lexer has no names, a broken one has those
/// that Pygments finds in it. Takes time linear in the text, but for sorting
/// what stands inside and around a template's parts.
pub fn names<'t>(path: &str, text: &'t str) -> Names<'t> {
    let Some(lexer) = choose::lexer(path, text) else {
        return Names::default();
    };
    // Like Pygments: one mark of byte order goes, and the line breaks around
    // the text, of which one is put back at the end.
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
