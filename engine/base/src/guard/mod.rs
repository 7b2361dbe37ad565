//! Guards around the pinned grammars: certain inputs are refused, certain parses must not run at
//! the same time, and a text that would keep a parser busy for hours is given up.

mod brackets;
mod effort;
mod reading;

use std::sync::{Mutex, MutexGuard, PoisonError};

use tree_sitter::{ParseOptions, ParseState, Parser, Tree};

use crate::watch;

pub use brackets::{DEEPEST, deepest};
pub use effort::is_excessive;

use brackets::{MOST_ANGLES, most_angles};
use reading::Reading;

/// Grammars whose parsers need minutes or gigabytes for many brackets that are never closed.
const BRACKETED: [&str; 3] = ["csharp", "hcl", "r"];
/// The one of them that tries each angle bracket both as an operator and as a bracket.
const ANGLED: &str = "csharp";

/// Why a text may not be parsed, in words; `None` if it may be.
pub fn refuse(grammar: &str, text: &str) -> Option<&'static str> {
    let is_deep = BRACKETED.contains(&grammar) && deepest(text) > DEEPEST
        || grammar == ANGLED && most_angles(text) > MOST_ANGLES;
    is_deep.then_some("its brackets nest too deep for the pinned grammar")
}

/// A lock to hold while a text of this grammar is parsed; `None` if parses may run side by side.
/// The pinned scanner of `properties` keeps its state in a global variable: of two parses at the
/// same time, one may never end. It is the only compiled scanner that writes to a global (checked
/// with `nm` on their archive).
pub fn alone(grammar: &str) -> Option<MutexGuard<'static, ()>> {
    static PROPERTIES: Mutex<()> = Mutex::new(());
    (grammar == "properties").then(|| PROPERTIES.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Parses a text, or the part of it that the parser is set to.
///
/// # Errors
/// In words, why there is no tree: the parser has no grammar, reads the text again and again, takes too
/// many steps, or its file was given up.
pub fn parse(parser: &mut Parser, text: &str) -> Result<Tree, &'static str> {
    parse_until(parser, text, &|| false)
}

/// Like [`parse`], but stops as soon as `is_over` returns true.
///
/// # Errors
/// As [`parse`]; [`watch::TIMED_OUT`] if `is_over` returned true.
pub fn parse_until(
    parser: &mut Parser,
    text: &str,
    is_over: &dyn Fn() -> bool,
) -> Result<Tree, &'static str> {
    let reading = Reading::of(text);
    let end = || reading.end().or_else(|| is_over().then_some(watch::TIMED_OUT));
    let mut stop = |_: &ParseState| {
        reading.report();
        end().is_some()
    };
    let options = ParseOptions::new().progress_callback(&mut stop);
    let mut piece = |start: usize, _| reading.piece(start);
    parser
        .parse_with_options(&mut piece, None, Some(options))
        .ok_or_else(|| end().unwrap_or("the parser gave no tree"))
}

#[cfg(test)]
mod tests {
    use super::refuse;

    #[test]
    fn brackets_without_end_are_refused_where_a_parser_needs_their_ends() {
        let open = |bracket: &str| bracket.repeat(20_000);
        assert!(refuse("csharp", &open("a[")).is_some() && refuse("hcl", &open("\"${")).is_some());
        assert!(refuse("csharp", &open("A<")).is_some() && refuse("hcl", &open("a<")).is_none());
        assert!(refuse("r", &open("f(")).is_some() && refuse("java", &open("a[")).is_none());
    }
}
