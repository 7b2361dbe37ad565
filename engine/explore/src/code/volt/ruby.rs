//! Ruby: the comparator's sections.

use serde_json::Value;

use super::{
    Layout, Part, Section, Sheet,
    entry::{dashed, number, text, word},
    parts::{inline, lines, section, titled_lines},
};
use crate::{
    disclosure::Marker,
    selector::{Item, Selector},
    symbol::{Symbol, SymbolKind, Visibility},
};

/// Ruby's layout.
pub const LAYOUT: Layout = Layout {
    sections: &[
        Section::Lines(head),
        section(
            "Requires:",
            &[
                requires("  Standard library ({n}):", "/fields/requires/stdlib"),
                requires("  Gems ({n}):", "/fields/requires/gems"),
                requires("  Local files ({n}):", "/fields/requires/local"),
            ],
        ),
        Section::Lines(rails),
        section(
            "",
            &[
                inline("  Associations: ", "/fields/associations", usize::MAX, Marker::Comma),
                inline("  Callbacks: ", "/fields/callbacks", usize::MAX, Marker::Comma),
                inline("  Validations: ", "/fields/validations", usize::MAX, Marker::Comma),
                inline("  Scopes: ", "/fields/scopes", 10, Marker::Comma),
            ],
        ),
        section(
            "Modules ({n}):",
            &[lines("/symbols?kind=module", 20, Marker::Counted, definition)],
        ),
        section("Classes ({n}):", &[lines("/symbols?kind=class", 20, Marker::Counted, definition)]),
        Section::Lines(methods),
        section("", &[inline("  Sample: ", METHODS, 15, Marker::Comma)]),
        section(
            "Constants ({n}):",
            &[lines("/symbols?kind=constant", 20, Marker::Counted, constant)],
        ),
        section(
            "Blocks/DSL ({n}):",
            &[
                blocks("  describe: {n}", "/fields/blocks?type=describe"),
                blocks("  context: {n}", "/fields/blocks?type=context"),
                blocks("  feature: {n}", "/fields/blocks?type=feature"),
                blocks("  it: {n}", "/fields/blocks?type=it"),
                blocks("  hook: {n}", "/fields/blocks?type=hook"),
                blocks("  let: {n}", "/fields/blocks?type=let"),
                blocks("  subject: {n}", "/fields/blocks?type=subject"),
                blocks("  shared: {n}", "/fields/blocks?type=shared"),
                blocks("  task: {n}", "/fields/blocks?type=task"),
                blocks("  namespace: {n}", "/fields/blocks?type=namespace"),
            ],
        ),
        Section::Lines(note),
    ],
    inner: &[],
    facts: &[],
};

const METHODS: &str = "/symbols?kind=method,singleton_method,function,getter,setter,accessor";

const fn requires(title: &'static str, list: &'static str) -> Part {
    titled_lines(title, list, 20, dashed)
}

const fn blocks(title: &'static str, list: &'static str) -> Part {
    titled_lines(title, list, 5, block)
}

fn head(sheet: &Sheet) -> Vec<String> {
    let mut lines = vec!["Format: Ruby".to_owned(), sheet.lines()];
    if sheet.flag("frozen_string_literal") {
        lines.push("Frozen string literal: enabled".to_owned());
    }
    let magic: Vec<String> =
        sheet.select(&Selector::parse("/fields/magic_comments")).into_iter().map(word).collect();
    if !magic.is_empty() {
        lines.push(format!("Magic comments: {}", magic.join(", ")));
    }
    lines
}

fn rails(sheet: &Sheet) -> Vec<String> {
    let kind = sheet
        .fields
        .get("rails")
        .and_then(|rails| rails.get("file_type"))
        .and_then(Value::as_str)
        .unwrap_or_default();
    if kind.is_empty() {
        return Vec::new();
    }
    vec!["Rails:".to_owned(), format!("  Type: {kind}")]
}

fn definition(_: &mut Sheet, item: Item) -> Vec<String> {
    let Some(symbol) = item.symbol() else { return Vec::new() };
    let mut line = format!("- {}", symbol.name);
    if let Some(base) = symbol.bases.first() {
        line.push_str(&format!(" < {base}"));
    }
    line.push_str(&format!(" (line {})", symbol.line));
    for (word, title) in
        [("include ", "includes"), ("extend ", "extends"), ("prepend ", "prepends")]
    {
        let mixed: Vec<&str> =
            symbol.decorators.iter().filter_map(|text| text.strip_prefix(word)).collect();
        if !mixed.is_empty() {
            line.push_str(&format!(" {title}: {}", mixed.join(", ")));
        }
    }
    vec![line]
}

fn methods(sheet: &Sheet) -> Vec<String> {
    let all: Vec<&Symbol> =
        sheet.select(&Selector::parse(METHODS)).into_iter().filter_map(Item::symbol).collect();
    if all.is_empty() {
        return Vec::new();
    }
    let count = |visibility: Visibility| {
        all.iter().filter(|symbol| symbol.visibility == Some(visibility)).count()
    };
    let of_class = all.iter().filter(|symbol| symbol.kind == SymbolKind::SingletonMethod).count();
    vec![
        format!("Methods ({} total):", all.len()),
        format!(
            "  Public: {}, Private: {}, Protected: {}",
            count(Visibility::Public),
            count(Visibility::Private),
            count(Visibility::Protected)
        ),
        format!("  Class methods: {of_class}, Instance methods: {}", all.len() - of_class),
    ]
}

fn constant(_: &mut Sheet, item: Item) -> Vec<String> {
    let Some(symbol) = item.symbol() else { return Vec::new() };
    vec![format!("- {}: {}", symbol.name, symbol.return_type.as_deref().unwrap_or("unknown"))]
}

fn block(_: &mut Sheet, item: Item) -> Vec<String> {
    vec![format!("- {} (line {})", text(item, "description"), number(item, "line"))]
}

fn note(sheet: &Sheet) -> Vec<String> {
    if sheet.flag("has_main_code") {
        vec!["Note: contains code that runs when the file is run as a script".to_owned()]
    } else {
        Vec::new()
    }
}
