//! A file cut down to some of its symbols and what they use of it: still source code.

use std::collections::{BTreeMap, BTreeSet};

use index::{
    Occurrence, Role, Symbols,
    nav::{Described, Meaning, Walk},
};

use crate::{Lines, graph::is_symbol};

/// Kinds of definitions that are shown because a symbol uses them. Functions and classes are not: the
/// text beside the snapshot says where they are.
const SHOWN: [&str; 7] = ["constant", "enum", "field", "import", "property", "type", "variable"];
/// How the last line of a class may begin.
const CLOSERS: [&str; 4] = ["}", ")", "]", "end"];

/// The lines of some symbols of a file and of the imports, constants, variables, types and fields that
/// they use, with the heads of the classes around them, behind a comment with the path. Nothing says
/// what is left out. Secrets are masked. `None` if the file has changed or cannot be read.
pub fn snapshot(walk: &mut Walk, file: &str, targets: &[u32]) -> Option<String> {
    let symbols = walk.symbols(file)?;
    let text = walk.text(file)?;
    let lines = Lines::of(file, text.as_bytes()).ok()?;
    let shown = closure(walk, file, &symbols, targets);
    let mut wanted: BTreeSet<u32> = shown.clone();
    for number in &shown {
        wanted.extend(around(&symbols, *number));
    }
    let wanted: Vec<u32> = wanted.into_iter().collect();
    let described = walk.described(file, &wanted);
    let chosen = chosen(&symbols, &lines, &shown, &described);
    if chosen.is_empty() {
        return None;
    }
    let comment = comment(walk.language(file).unwrap_or_default());
    let mut out = format!("{comment} {file}\n");
    let mut before = 0;
    for line in chosen {
        let is_apart =
            before == 0 || (before + 1..line).any(|gap| lines.line(gap).trim().is_empty());
        if is_apart && !is_closer(lines.line(line)) {
            out.push('\n');
        }
        out.push_str(lines.line(line));
        out.push('\n');
        before = line;
    }
    Some(out)
}

/// The targets and what they use of the file, directly or through what is shown of it.
fn closure(walk: &mut Walk, file: &str, symbols: &Symbols, targets: &[u32]) -> BTreeSet<u32> {
    let mut shown: BTreeSet<u32> = targets.iter().copied().collect();
    let mut open: Vec<u32> = targets.to_vec();
    while let Some(number) = open.pop() {
        let Some(definition) = symbols.definition(number) else { continue };
        let first = symbols.occurrences.partition_point(|one| one.start < definition.start);
        for (at, one) in symbols.occurrences.iter().enumerate().skip(first) {
            if one.start >= definition.end {
                break;
            }
            let used = used(walk, file, symbols, at as u32, one);
            open.extend(used.filter(|used| shown.insert(*used)));
        }
    }
    shown
}

/// The definition of the same file that a use needs beside it.
fn used(walk: &mut Walk, file: &str, symbols: &Symbols, at: u32, one: &Occurrence) -> Option<u32> {
    if one.role == Role::Definition {
        return None;
    }
    let number = match one.bound {
        Some(bound) => bound,
        None if one.is_member => match walk.meaning(file, at) {
            Meaning::Known(places, _) => {
                let here = places.first().filter(|place| place.file == file);
                here.and_then(|place| place.definition)?
            }
            _ => return None,
        },
        None => return None,
    };
    let definition = symbols.definition(number)?;
    let is_seen = is_symbol(definition) || definition.kind() == "import" && !definition.is_local;
    (is_seen && SHOWN.contains(&definition.kind())).then_some(number)
}

/// The definitions around one, the innermost first.
fn around(symbols: &Symbols, number: u32) -> Vec<u32> {
    let mut found = Vec::new();
    let mut next = symbols.definition(number).and_then(|one| one.parent);
    while let Some(at) = next.filter(|at| !found.contains(at)) {
        found.push(at);
        next = symbols.definition(at).and_then(|one| one.parent);
    }
    found
}

/// The lines that are shown.
fn chosen(
    symbols: &Symbols,
    lines: &Lines,
    shown: &BTreeSet<u32>,
    described: &BTreeMap<u32, Described>,
) -> BTreeSet<u32> {
    let mut chosen = BTreeSet::new();
    for number in shown {
        let Some(one) = described.get(number) else { continue };
        chosen.extend(one.lines.0..=one.lines.1);
        for outer in around(symbols, *number) {
            let Some(outer) = described.get(&outer) else { continue };
            chosen.extend(outer.head.0..=outer.head.1);
            if is_closer(lines.line(outer.last)) {
                chosen.insert(outer.last);
            }
        }
    }
    chosen
}

fn is_closer(line: &str) -> bool {
    CLOSERS.iter().any(|closer| line.trim_start().starts_with(closer))
}

/// How a line of comment begins in a language.
fn comment(language: &str) -> &'static str {
    match language {
        "bash" | "elixir" | "hcl" | "julia" | "make" | "python" | "r" | "ruby" | "toml"
        | "yaml" => "#",
        "ada" | "elm" | "haskell" | "lua" | "sql" => "--",
        "clojure" | "commonlisp" | "elisp" | "racket" | "scheme" => ";",
        "erlang" | "latex" | "matlab" => "%",
        "fortran" => "!",
        _ => "//",
    }
}
