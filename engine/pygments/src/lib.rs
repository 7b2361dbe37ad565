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
//! of Pygments' lexer. Scanners share `cursor` (characters as Python's regular
//! expressions class them, searches that never run twice) and `words` (what a
//! word means). `choose` and `guesses` pick the lexer. A scanner reads the text
//! once from front to back with an explicit stack; it does not recurse over the
//! input, and searches that may fail are remembered, so that no text makes it
//! quadratic.
//!
//! # How to add a language
//!
//! 1. Write `<language>.rs` with `scan(text, names)`, which appends the byte
//!    range of each name. It may rely on a line break at the end of the text.
//! 2. Find out which words Pygments takes as keywords, and where: most tables
//!    hold slips that must be kept. Words that give a name anyway need no
//!    table, whatever name type they get.
//! 3. Mind what happens to text that no rule takes: Pygments drops one
//!    character and goes on in the same state, but a line break that no rule
//!    takes closes every open state.
//! 4. Where Pygments scans a part by itself, a line start and the end of a word
//!    are seen at that part's edges too.
//! 5. Add a row to `LEXERS` and one to `choose::by_extension`; if several of
//!    Pygments' lexers share the pattern, add the rivals and their scores.
//! 6. Compare with Pygments over every real file of the language that there
//!    is, whole and damaged, and add cases to `tests.rs` whose expected names
//!    Pygments gave.

mod c;
mod choose;
mod common_lisp;
mod csharp;
mod cursor;
mod d;
mod dart;
mod elisp;
mod elm;
mod fortran;
mod gleam;
mod go;
mod guesses;
mod haskell;
mod identifiers;
mod java;
mod kconfig;
mod kotlin;
mod lua;
mod markup;
mod matlab;
mod ocaml;
mod php;
mod pony;
mod properties;
mod python;
mod r;
mod rebol;
mod ruby;
mod rust;
mod scala;
mod script;
mod solidity;
mod supercollider;
mod swift;
mod templates;
mod terraform;
#[cfg(test)]
mod tests;
mod visual_prolog;
mod words;
mod zig;

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

/// Appends the byte range of each name in a text that ends in a line break.
type Scan = fn(&str, &mut Vec<Range<usize>>);

/// The scanner of each lexer, by Pygments' main alias.
///
/// Two variants of JavaScript are read as plain JavaScript, which is exact
/// only outside their template parts; `make` and `bash`, which a file like
/// `Makefile.js` can get, have no scanner and give no names, nor has `mason`,
/// for templates that end like MATLAB. Elixir needs none, since each of its
/// definitions is a call and so refers; Pygments itself knows no Chatito, no
/// udev rules and no `.tfvars`.
static LEXERS: &[(&str, Scan)] = &[
    ("c", |text, names| c::scan(text, c::Dialect::C, names)),
    ("cpp", |text, names| c::scan(text, c::Dialect::Cpp, names)),
    ("objective-c", |text, names| c::scan(text, c::Dialect::ObjectiveC, names)),
    ("typescript", |text, names| script::scan(text, script::TYPESCRIPT, names)),
    ("tsx", |text, names| script::scan(text, script::TSX, names)),
    ("javascript", |text, names| script::scan(text, script::JAVASCRIPT, names)),
    ("jsx", |text, names| script::scan(text, script::JSX, names)),
    ("js+genshitext", templates::genshi),
    ("javascript+django", templates::django),
    ("javascript+ruby", templates::erb),
    ("javascript+php", templates::javascript_php),
    ("javascript+smarty", |text, names| script::scan(text, script::JAVASCRIPT, names)),
    ("javascript+lasso", |text, names| script::scan(text, script::JAVASCRIPT, names)),
    ("arduino", c::scan_arduino),
    ("d", d::scan),
    ("dart", dart::scan),
    ("elm", elm::scan),
    ("gleam", gleam::scan),
    ("kconfig", kconfig::scan),
    ("matlab", matlab::scan),
    ("pony", pony::scan),
    ("properties", properties::scan),
    ("solidity", solidity::scan),
    ("terraform", terraform::scan),
    ("rust", rust::scan),
    ("python", |text, names| python::scan(text, 0, names)),
    ("go", go::scan),
    ("java", java::scan),
    ("ruby", |text, names| ruby::scan(text, 0, names)),
    ("swift", swift::scan),
    ("zig", zig::scan),
    ("haskell", |text, names| haskell::scan(text, false, names)),
    ("hspec", |text, names| haskell::scan(text, true, names)),
    ("fortran", |text, names| fortran::scan_free(text, 0, names)),
    ("fortranfixed", fortran::scan_fixed),
    ("emacs-lisp", elisp::scan),
    ("ocaml", ocaml::scan),
    ("csharp", csharp::scan),
    // PHP, what runs on Java's machine, scripts and Lisps, and what the
    // comparator mistakes some of their files for.
    ("kotlin", kotlin::scan),
    ("lua", lua::scan),
    ("scala", scala::scan),
    ("splus", r::scan),
    ("supercollider", supercollider::scan),
    ("common-lisp", common_lisp::scan),
    ("visualprolog", visual_prolog::scan),
    ("rebol", rebol::scan),
    ("php", php::scan),
    ("html+php", templates::html_php),
    ("xml+php", templates::xml_php),
];

/// The names in a file that Pygments would find.
///
/// `path` is the path or name of the file, with `/` between its parts; only
/// the last part counts. `text` is its content as the comparator reads it:
/// decoded, with every line break turned into `\n`. Takes time linear in the
/// text.
pub fn names<'t>(path: &str, text: &'t str) -> Names<'t> {
    let lexer = choose::lexer(path, text);
    let scan = LEXERS.iter().find(|(alias, _)| Some(*alias) == lexer);
    let Some((_, scan)) = scan else {
        return Names { lexer, names: Vec::new() };
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
    scan(&input, &mut ranges);
    let original =
        |range: Range<usize>| text.get(start + range.start..(start + range.end).min(text.len()));
    Names { lexer, names: ranges.into_iter().filter_map(original).collect() }
}
