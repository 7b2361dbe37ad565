//! Source code: parsed once, walked once, then written down in the house format or in the
//! comparator's.
//!
//! A language is one file here that implements [`walk::Language`], one row in [`LANGUAGES`] and
//! one row in `dispatch/explorers.toml`.

mod arduino;
mod balance;
mod bash;
mod branches;
mod c;
mod chatito;
mod conditional;
mod csharp;
mod csharp_directives;
mod css;
mod cuda;
mod d;
mod dart;
mod declarations;
mod declarator;
mod defect;
mod depth;
pub mod doc;
mod ecmascript;
mod elixir;
mod elm;
mod fixed_form;
mod fortran;
mod gleam;
mod go;
mod haskell;
mod hcl;
mod java;
mod javascript;
mod julia;
mod kotlin;
mod kotlin_headers;
mod landmarks;
mod leading;
mod lisp;
mod lone_macros;
mod lua;
mod matlab;
mod objc;
mod ocaml;
pub mod outline;
mod php;
pub mod pieces;
mod pony;
mod python;
mod ql;
mod r;
mod ruby;
mod ruby_facts;
mod rust;
mod scala;
mod solidity;
mod stdlib;
mod swift;
mod tcl;
mod typescript;
mod udev;
pub mod volt;
pub mod walk;
mod zig;

use std::{io, ops::Range};

use base::guard;
use tree_sitter::{Parser, Point, Tree};

use crate::{
    findings::{Findings, Task},
    plain,
    text::{Encoding, Text},
};
use walk::{Language, Walk};

/// Key, name for people, grammar and meaning of each language, by key.
const LANGUAGES: &[(&str, &str, &str, &dyn Language)] = &[
    ("arduino", "Arduino", "arduino", &arduino::Arduino),
    ("bash", "Shell", "bash", &bash::Bash),
    ("c", "C", "c", &c::C { cpp: false }),
    ("chatito", "Chatito", "chatito", &chatito::CHATITO),
    ("clojure", "Clojure", "clojure", &lisp::Clojure),
    ("commonlisp", "Common Lisp", "commonlisp", &lisp::CommonLisp),
    ("cpp", "C++", "cpp", &c::C { cpp: true }),
    ("csharp", "C#", "csharp", &csharp::CSharp),
    ("css", "CSS", "css", &css::Css),
    ("cuda", "CUDA", "cuda", &cuda::Cuda),
    ("d", "D", "d", &d::D),
    ("dart", "Dart", "dart", &dart::DART),
    ("elisp", "Emacs Lisp", "elisp", &lisp::Elisp),
    ("elixir", "Elixir", "elixir", &elixir::Elixir),
    ("elm", "Elm", "elm", &elm::Elm),
    ("fortran", "Fortran", "fortran", &fortran::Fortran),
    ("gleam", "Gleam", "gleam", &gleam::GLEAM),
    ("go", "Go", "go", &go::Go),
    ("haskell", "Haskell", "haskell", &haskell::Haskell),
    ("hcl", "HCL", "hcl", &hcl::Hcl),
    ("java", "Java", "java", &java::Java),
    ("javascript", "JavaScript", "javascript", &javascript::JavaScript),
    ("julia", "Julia", "julia", &julia::Julia),
    ("kotlin", "Kotlin", "kotlin", &kotlin::Kotlin),
    ("lua", "Lua", "lua", &lua::Lua),
    ("matlab", "MATLAB", "matlab", &matlab::Matlab),
    ("objc", "Objective-C", "objc", &objc::ObjectiveC),
    ("ocaml", "OCaml", "ocaml", &ocaml::OCaml),
    ("ocaml_interface", "OCaml interface", "ocaml_interface", &ocaml::OCamlInterface),
    ("php", "PHP", "php", &php::Php),
    ("pony", "Pony", "pony", &pony::PONY),
    ("python", "Python", "python", &python::Python),
    ("ql", "QL", "ql", &ql::QL),
    ("r", "R", "r", &r::R),
    ("racket", "Racket", "racket", &lisp::Racket),
    ("ruby", "Ruby", "ruby", &ruby::Ruby),
    ("rust", "Rust", "rust", &rust::Rust),
    ("scala", "Scala", "scala", &scala::Scala),
    ("scss", "SCSS", "scss", &css::Scss),
    ("solidity", "Solidity", "solidity", &solidity::Solidity),
    ("swift", "Swift", "swift", &swift::Swift),
    ("tcl", "Tcl", "tcl", &tcl::Tcl),
    ("tsx", "TypeScript", "tsx", &typescript::TypeScript { jsx: true }),
    ("typescript", "TypeScript", "typescript", &typescript::TypeScript { jsx: false }),
    ("udev", "udev rules", "udev", &udev::Udev),
    ("zig", "Zig", "zig", &zig::Zig),
];

/// Grammars whose scanners ask for the column of every token. Each answer costs as much as the line
/// is long: a megabyte of Elm on one line took minutes, and one of Scala most of a minute.
const COLUMNAR: [&str; 3] = ["elm", "haskell", "scala"];
/// Longest line of a text that they parse, in bytes.
const LONGEST_LINE: usize = 64 * 1024;

/// Explores a file of the code family.
pub fn explore(task: &Task) -> io::Result<Findings> {
    let Some((_, title, grammar, language)) =
        LANGUAGES.iter().find(|(key, ..)| *key == task.language)
    else {
        return plain::explore(task);
    };
    let content = task.input.content()?;
    let text = Text::decode(&content.bytes);
    let mut findings = Findings::new(task);
    let mut walk = Walk::new(&text.text, &task.input.name, task.project);
    let mut not_understood = None;
    let prepared = language.prepare(&task.input.name, &text.text);
    let prepared = prepared.as_deref().unwrap_or(&text.text);
    match walked(&mut walk, *language, grammar, prepared) {
        Ok(found) => {
            let line = found.as_ref().map(|(_, line, _)| *line);
            match language.malformed(&task.input.name, &text.text, found) {
                Some((what, line, column)) => findings.malformed(what, Some(line), Some(column)),
                None => not_understood = line,
            }
        }
        Err(why) => findings.malformed(why, None, None),
    }
    if text.damaged {
        findings.malformed("parts of it are not valid in its encoding", None, None);
    }
    let Walk { symbols, imports, fields, .. } = walk;
    (findings.symbols, findings.imports) = (symbols, imports);
    findings.fields = fields;
    findings.set("line_count", if task.profile.is_parity() { text.pieces() } else { text.lines() });
    findings.set("encoding", text.encoding.name());
    findings.set("sampled", content.sampled);
    let layout = volt::layout(task.language);
    if let Some(layout) = layout {
        volt::facts(&mut findings, layout);
    }
    match layout.filter(|_| task.profile.is_parity()) {
        Some(layout) => {
            if content.sampled {
                findings.summary.line(&format!("[SAMPLED - Large {title} File]"));
            }
            if text.encoding != Encoding::Utf8 {
                findings.summary.line(&format!("Encoding: {}", text.encoding.name()));
            }
            volt::write(&mut findings, layout);
        }
        None => outline::write(&mut findings, title, &text, content.sampled),
    }
    if let Some(line) = not_understood {
        findings.set("not_understood_line", line);
        findings.summary.line(&format!("Not understood in part: from line {line} on"));
    }
    if findings.symbols.is_empty() && findings.imports.is_empty() {
        let lines: Vec<&str> = text.text.lines().collect();
        plain::preview(&mut findings, &lines);
    }
    Ok(findings)
}

/// The grammar of a language's key, or nothing if no language here has it.
pub fn grammar_of(key: &str) -> Option<&'static str> {
    LANGUAGES.iter().find(|(known, ..)| *known == key).map(|(_, _, grammar, _)| *grammar)
}

/// Parses a text and walks it, piece by piece if it is long; returns its first defect.
fn walked(
    walk: &mut Walk,
    language: &dyn Language,
    grammar: &str,
    text: &str,
) -> Result<Option<(String, u64, u64)>, String> {
    let pieces = pieces::of(text);
    if pieces.len() == 1 {
        let tree = read(language, grammar, text)?;
        walk.run(language, &tree);
        walk.finish(language, &tree);
        return Ok(defect::first(&tree));
    }
    let mut first_tree = None;
    let mut defect = None;
    let mut start = Point::new(0, 0);
    for piece in pieces {
        refuse(grammar, text.get(piece.clone()).unwrap_or_default())?;
        let end = place_behind(text, &piece, start);
        let tree = parse_piece(grammar, text, &piece, (start, end))?;
        walk.run(language, &tree);
        defect = defect.or_else(|| defect::first(&tree));
        // What a language looks for behind the walk stands at the top of a file.
        first_tree.get_or_insert(tree);
        start = end;
    }
    if let Some(tree) = first_tree {
        walk.finish(language, &tree);
    }
    Ok(defect)
}

/// Row and column behind a piece that begins at `start`.
fn place_behind(text: &str, piece: &Range<usize>, start: Point) -> Point {
    let bytes = text.as_bytes().get(piece.clone()).unwrap_or_default();
    let rows = memchr::memchr_iter(b'\n', bytes).count();
    match memchr::memrchr(b'\n', bytes) {
        Some(last) => Point::new(start.row + rows, bytes.len() - last - 1),
        None => Point::new(start.row, start.column + bytes.len()),
    }
}

/// Parses a text, or what the language reads instead of it if that has no more defects, or by the
/// grammar of a dialect if that has fewer.
fn read(language: &dyn Language, grammar: &str, text: &str) -> Result<Tree, String> {
    let mut tree = parse(grammar, text)?;
    let other = language.reread(text, &tree).and_then(|other| parse(grammar, &other).ok());
    if let Some(other) = other
        && defect::count(&other) <= defect::count(&tree)
    {
        tree = other;
    }
    if tree.root_node().has_error()
        && let Some(other) = language.dialect().and_then(|dialect| parse(dialect, text).ok())
        && defect::count(&other) < defect::count(&tree)
    {
        tree = other;
    }
    Ok(tree)
}

/// Parses a text, or says why not.
pub fn parse(grammar: &str, text: &str) -> Result<Tree, String> {
    refuse(grammar, text)?;
    let mut parser = parser(grammar)?;
    parser.parse(text, None).ok_or_else(|| format!("the parser gave no tree for {grammar}"))
}

/// Parses one piece of a text at its place in the whole.
fn parse_piece(
    grammar: &str,
    text: &str,
    piece: &Range<usize>,
    (start, end): (Point, Point),
) -> Result<Tree, String> {
    let range = tree_sitter::Range {
        start_byte: piece.start,
        end_byte: piece.end,
        start_point: start,
        end_point: end,
    };
    let mut parser = parser(grammar)?;
    parser
        .set_included_ranges(&[range])
        .ok()
        .and_then(|()| parser.parse(text, None))
        .ok_or_else(|| format!("the parser gave no tree for {grammar}"))
}

/// A parser of a grammar.
fn parser(grammar: &str) -> Result<Parser, String> {
    let mut parser = Parser::new();
    grammars::language(grammar)
        .and_then(|language| parser.set_language(&tree_sitter::Language::new(language)).ok())
        .map(|()| parser)
        .ok_or_else(|| format!("there is no parser for {grammar}"))
}

/// Says why a text may not be parsed.
fn refuse(grammar: &str, text: &str) -> Result<(), String> {
    if COLUMNAR.contains(&grammar) && text.split('\n').any(|line| line.len() > LONGEST_LINE) {
        return Err(format!("not parsed: a line is longer than {LONGEST_LINE} bytes"));
    }
    if u32::try_from(text.len()).is_err() {
        return Err("the file is larger than 4 GiB".to_owned());
    }
    if let Some(why) = guard::refuse(grammar, text) {
        return Err(format!("not parsed: {why}"));
    }
    let depth = depth::of(text);
    if depth > depth::DEEPEST {
        return Err(format!(
            "not parsed: {depth} brackets are open at one place, and the most is {}",
            depth::DEEPEST
        ));
    }
    Ok(())
}
