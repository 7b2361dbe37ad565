//! Our own format for summaries of code: imports by category, then an outline of the symbols.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use base::tokens::Counter;

use crate::{
    disclosure::{List, Marker},
    findings::{Findings, Task, cut, grouped},
    import::ImportCategory,
    symbol::{Symbol, SymbolKind},
    text::{Encoding, Text},
};

/// Maximum number of lines of the outline, and of modules in one category.
const OUTLINE: usize = 200;
const MODULES: usize = 30;
/// Longest signature and longest documentation line, in characters.
const SIGNATURE: usize = 160;
const DOC: usize = 100;

/// The categories of imports, each with its title and its name in selectors.
const CATEGORIES: [(ImportCategory, &str, &str); 4] = [
    (ImportCategory::Stdlib, "Standard library", "stdlib"),
    (ImportCategory::ThirdParty, "Third-party", "third_party"),
    (ImportCategory::Local, "Local", "local"),
    (ImportCategory::Unknown, "Unknown", "unknown"),
];

/// Name and cap of each list that our own format cuts.
pub fn capped() -> impl Iterator<Item = (String, usize)> {
    CATEGORIES
        .iter()
        .map(|(_, title, _)| (format!("Imports, {title}"), MODULES))
        .chain([("Symbols".to_owned(), OUTLINE)])
}

/// Writes the summary of a file of code.
pub fn write(findings: &mut Findings, task: &Task, title: &str, text: &Text, sampled: bool) {
    let summary = &mut findings.summary;
    summary.line(&format!("Format: {title}"));
    if sampled {
        summary.line(&format!("[SAMPLED - Large {title} File]"));
    }
    if text.encoding != Encoding::Utf8 {
        summary.line(&format!("Encoding: {}", text.encoding.name()));
    }
    summary.line(&format!("Lines: {}", grouped(text.lines())));
    imports(findings);
    symbols(findings, task.budget);
}

fn imports(findings: &mut Findings) {
    if findings.imports.is_empty() {
        return;
    }
    let summary = &mut findings.summary;
    summary.blank();
    summary.line(&format!("Imports ({}):", grouped(findings.imports.len())));
    for (category, title, word) in CATEGORIES {
        let mut seen = BTreeSet::new();
        let modules: Vec<String> = findings
            .imports
            .iter()
            .filter(|import| import.category == category && seen.insert(&import.path))
            .map(|import| import.path.clone())
            .collect();
        if modules.is_empty() {
            continue;
        }
        let source = format!("/imports?category={word}&distinct=path");
        let section = format!("Imports, {title}");
        let list =
            List { section: &section, source: &source, cap: MODULES, marker: Marker::Counted };
        let line = summary.inline(&list, &modules);
        summary.line(&format!("  {title} ({}): {line}", grouped(modules.len())));
    }
}

/// How much is shown of each symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Level {
    /// Everything.
    Documented,
    /// Everything but documentation and decorators.
    Signature,
    /// Its kind, and its name within its scope.
    Kind,
    /// Its name and the line where it begins.
    Name,
}

/// The levels, most detailed first.
const LEVELS: [Level; 4] = [Level::Documented, Level::Signature, Level::Kind, Level::Name];

fn symbols(findings: &mut Findings, budget: Option<usize>) {
    if findings.symbols.is_empty() {
        return;
    }
    let Findings { symbols, summary, .. } = findings;
    let width = symbols.iter().map(width_of_lines).max().unwrap_or(0);
    summary.blank();
    summary.line(&format!("Symbols ({}): {}", grouped(symbols.len()), kinds(symbols)));
    // A symbol has at least four tokens.
    let cap = budget.map_or(OUTLINE, |budget| OUTLINE.max(budget / 4));
    let list = List { section: "Symbols", source: "/symbols", cap, marker: Marker::Counted };
    // Within a budget a scope is named once, and what is in it is indented below it.
    let nested = budget.map(|_| nested(symbols));
    let nested = nested.as_deref();
    let shown = |level: Level| {
        symbols.iter().enumerate().map(move |(index, symbol)| {
            let depth = nested.and_then(|depths| depths.get(index)).copied().flatten();
            let name = if depth.is_some() { symbol.name.clone() } else { name(symbol) };
            let indent = "  ".repeat(depth.unwrap_or(0));
            match level {
                Level::Name => format!("{indent}{} {name}", symbol.decl_line),
                _ if nested.is_some() => {
                    format!("{indent}{} {}", lines(symbol), entry(symbol, &name, level))
                }
                _ => format!("{:<width$}  {}", lines(symbol), entry(symbol, &name, level)),
            }
        })
    };
    let fits = |level: &&Level| {
        let Some(budget) = budget else { return true };
        let outline: Vec<String> = shown(**level).take(list.cap).collect();
        Counter.count(&outline.join("\n  ")) <= budget / 2
    };
    let level = LEVELS.iter().find(fits).copied().unwrap_or(Level::Name);
    summary.each(&list, "  ", symbols.len(), shown(level));
}

/// For each symbol, how deep it is in those before it that name its scope; `None` if none of them does. The
/// scope's last name has to be that of the innermost symbol whose lines contain it.
fn nested(symbols: &[Symbol]) -> Vec<Option<usize>> {
    let mut around: Vec<&Symbol> = Vec::new();
    let mut depths = Vec::with_capacity(symbols.len());
    for symbol in symbols {
        let is_around = |outer: &&Symbol| {
            outer.decl_line <= symbol.decl_line && symbol.end_line <= outer.end_line
        };
        while around.last().is_some_and(|outer| !is_around(outer)) {
            around.pop();
        }
        let parent = symbol.parent.as_deref().unwrap_or_default();
        let is_scope = |outer: &&Symbol| {
            let before = parent.strip_suffix(outer.name.as_str());
            before.is_some_and(|before| {
                !before.ends_with(|sign: char| sign.is_alphanumeric() || sign == '_')
            })
        };
        let scope = around.iter().rposition(is_scope);
        around.truncate(scope.map_or(0, |at| at + 1));
        depths.push((!around.is_empty()).then_some(around.len()));
        around.push(symbol);
    }
    depths
}

/// How many symbols there are of each kind, the most frequent first.
fn kinds(symbols: &[Symbol]) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for symbol in symbols {
        *counts.entry(symbol.kind.as_str()).or_default() += 1;
    }
    let mut counts: Vec<(&str, usize)> = counts.into_iter().collect();
    counts.sort_by_key(|(kind, count)| (Reverse(*count), *kind));
    let told = counts.iter().map(|(kind, count)| format!("{kind} {}", grouped(*count)));
    told.collect::<Vec<_>>().join(", ")
}

/// Number of characters that [`lines`] has.
fn width_of_lines(symbol: &Symbol) -> usize {
    let digits = |line: u32| line.checked_ilog10().unwrap_or(0) as usize + 1;
    let end = if symbol.decl_line == symbol.end_line { 0 } else { 1 + digits(symbol.end_line) };
    digits(symbol.decl_line) + end
}

fn lines(symbol: &Symbol) -> String {
    if symbol.decl_line == symbol.end_line {
        symbol.decl_line.to_string()
    } else {
        format!("{}-{}", symbol.decl_line, symbol.end_line)
    }
}

/// The name of a symbol within its scope.
fn name(symbol: &Symbol) -> String {
    let mut text = String::new();
    if let Some(parent) = &symbol.parent {
        text.push_str(parent);
        // A computed name is in brackets, as in `t[k]`; `[]` is a constructor of OCaml.
        if !symbol.name.starts_with('[') || symbol.name == "[]" {
            text.push('.');
        }
    }
    text.push_str(&symbol.name);
    text
}

/// One symbol: modifiers, kind, qualified name, signature, decorators and documentation.
fn entry(symbol: &Symbol, name: &str, level: Level) -> String {
    if level == Level::Kind {
        return format!("{} {name}", symbol.kind.as_str());
    }
    let mut text = String::new();
    for modifier in &symbol.modifiers {
        text.push_str(modifier);
        text.push(' ');
    }
    text.push_str(symbol.kind.as_str());
    text.push(' ');
    text.push_str(name);
    let callable = matches!(
        symbol.kind,
        SymbolKind::Function
            | SymbolKind::Method
            | SymbolKind::Constructor
            | SymbolKind::SingletonMethod
            | SymbolKind::Subroutine
            | SymbolKind::Macro
    );
    if callable || !symbol.params.is_empty() {
        text.push('(');
        text.push_str(&symbol.params.join(", "));
        text.push(')');
    }
    if let Some(returned) = &symbol.return_type {
        text.push_str(if callable { " -> " } else { ": " });
        text.push_str(returned);
    }
    for (word, types) in [("extends", &symbol.bases), ("implements", &symbol.implements)] {
        if !types.is_empty() {
            text.push_str(&format!(" {word} {}", types.join(", ")));
        }
    }
    let mut text = cut(&text, SIGNATURE);
    if level == Level::Signature {
        return text;
    }
    let notes: Vec<&str> =
        symbol.decorators.iter().chain(&symbol.idioms).map(String::as_str).collect();
    if !notes.is_empty() {
        text.push_str(&cut(&format!(" [{}]", notes.join(", ")), DOC));
    }
    if let Some(doc) = &symbol.doc {
        text.push_str(" - ");
        text.push_str(&cut(doc.lines().next().unwrap_or_default(), DOC));
    }
    text
}
