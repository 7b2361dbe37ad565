//! Lexical names.
mod c;
mod c_header;
mod c_number;
mod c_parts;
mod c_words;
mod choose;
mod cursor;
mod elisp;
mod fortran;
mod fortran_words;
mod go;
mod haskell;
mod identifiers;
mod java;
mod jsx;
mod objective_c;
mod ocaml;
mod python;
mod python_text;
mod ruby;
mod ruby_heredoc;
mod ruby_text;
mod ruby_words;
mod rust;
mod script;
mod script_words;
mod swift;
mod words;
mod zig;

use std::borrow::Cow;
use std::ops::Range;

/// The names of one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names<'t> {
    /// Pygments' alias of the lexer it picks.
    pub lexer: Option<&'static str>,
    /// The names in order.
    pub names: Vec<&'t str>,
}

/// The names of a file.
pub fn names<'t>(path: &str, text: &'t str) -> Names<'t> {
    let Some(lexer) = choose::lexer(path, text) else {
        return Names::default();
    };
    let start = usize::from(text.starts_with('\u{feff}')) * 3;
    let body = text.get(start..).unwrap_or("").trim_matches('\n');
    let start = body.as_ptr() as usize - text.as_ptr() as usize;
    let ending = text.get(start..start + body.len() + 1);
    let input = ending.map_or_else(|| Cow::Owned(format!("{body}\n")), Cow::Borrowed);
    let mut ranges: Vec<Range<usize>> = Vec::new();
    match lexer {
        "c" => c::scan(&input, c::Dialect::C, &mut ranges),
        "cpp" => c::scan(&input, c::Dialect::Cpp, &mut ranges),
        "objective-c" => c::scan(&input, c::Dialect::ObjectiveC, &mut ranges),
        "rust" => rust::scan(&input, &mut ranges),
        "javascript" => {
            script::scan(&input, script::Dialect { typescript: false, jsx: false }, &mut ranges)
        }
        "jsx" => {
            script::scan(&input, script::Dialect { typescript: false, jsx: true }, &mut ranges)
        }
        "typescript" => {
            script::scan(&input, script::Dialect { typescript: true, jsx: false }, &mut ranges)
        }
        "tsx" => script::scan(&input, script::Dialect { typescript: true, jsx: true }, &mut ranges),
        "python" => python::scan(&input, 0, &mut ranges),
        "go" => go::scan(&input, &mut ranges),
        "java" => java::scan(&input, &mut ranges),
        "ruby" => ruby::scan(&input, &mut ranges),
        "swift" => swift::scan(&input, &mut ranges),
        "zig" => zig::scan(&input, &mut ranges),
        "emacs-lisp" => elisp::scan(&input, &mut ranges),
        "ocaml" => ocaml::scan(&input, &mut ranges),
        "haskell" => haskell::scan(&input, false, &mut ranges),
        "hspec" => haskell::scan(&input, true, &mut ranges),
        "fortran" => fortran::scan_free(&input, 0, &mut ranges),
        "fortranfixed" => fortran::scan_fixed(&input, &mut ranges),
        _ => {}
    }
    let names = ranges
        .into_iter()
        .filter_map(|range| text.get(start + range.start..(start + range.end).min(text.len())))
        .collect();
    Names { lexer: Some(lexer), names }
}
