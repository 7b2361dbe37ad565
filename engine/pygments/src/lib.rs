//! The names in a text, as the comparator's lexical fallback sees them.
//!
//! When a file defines something but refers to nothing, the comparator runs
//! Pygments 2.19.2 over it and takes every token of a name type as a
//! reference. [`names`] gives the same list: the same lexer is chosen for the
//! file, and the same names come out, with repetitions, in the same order,
//! also for broken files.
//!
//! # How it is built
//!
//! One scanner per language, each written by hand from the observed behaviour
//! of Pygments' lexer. They share `scanner` (position, states,
//! names), `cursor` (characters as Python's regular
//! expressions class them, searches that never run twice) and `words` (what a
//! word means). `choose` and `guesses` pick the lexer. A scanner reads the text
//! once from front to back with an explicit stack; it does not recurse over the
//! input, and searches that may fail are remembered, so that no text makes it
//! quadratic.
//!
//! # How to add a language
//!
//! 1. Write `lexers/<language>.rs` with `scan(text, names)`, which appends the byte
//!    range of each name. It may rely on a line break at the end of the text.
//! 2. Find out which words Pygments takes as keywords, and where: most tables
//!    hold slips that must be kept. Words that give a name anyway need no
//!    table, whatever name type they get.
//! 3. Mind what happens to text that no rule takes: Pygments drops one
//!    character and goes on in the same state, but a line break that no rule
//!    takes closes every open state.
//! 4. Where Pygments scans a part by itself, a line start and the end of a word
//!    are seen at that part's edges too.
//! 5. Add a row to `lexers::LEXERS`; if several of Pygments' lexers share the
//!    pattern, each needs one, with its score.
//! 6. Compare with Pygments over every real file of the language that there
//!    is, whole and damaged, and add cases to `tests.rs` whose expected names
//!    Pygments gave.

mod choose;
mod cursor;
mod guesses;
mod identifiers;
mod lexers;
mod scanner;
#[cfg(test)]
mod tests;
mod words;

use std::borrow::Cow;
use std::ops::Range;

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
