//! Ruby: the comparator's sections.

use serde_json::Value;

use super::{Form, Layout, Part, Section, Sheet};
use crate::{
    disclosure::Marker,
    selector::{Item, Selector},
    symbol::{Symbol, SymbolKind, Visibility},
};

/// Ruby's layout.
pub const LAYOUT: Layout = Layout {
    sections: &[
        Section::Lines(head),
        Section::Lists {
            title: "Requires:",
            lists: &[
                requires("  Standard library ({n}):", "/fields/requires/stdlib"),
                requires("  Gems ({n}):", "/fields/requires/gems"),
                requires("  Local files ({n}):", "/fields/requires/local"),
            ],
        },
        Section::Lines(rails),
        Section::Lists {
            title: "",
            lists: &[
                words("  Associations: ", "/fields/associations", usize::MAX),
                words("  Callbacks: ", "/fields/callbacks", usize::MAX),
                words("  Validations: ", "/fields/validations", usize::MAX),
                words("  Scopes: ", "/fields/scopes", 10),
            ],
        },
        Section::Lists {
            title: "Modules ({n}):",
            lists: &[listed("/symbols?kind=module", 20, definition)],
        },
        Section::Lists {
            title: "Classes ({n}):",
            lists: &[listed("/symbols?kind=class", 20, definition)],
        },
        Section::Lines(methods),
        Section::Lists { title: "", lists: &[words("  Sample: ", METHODS, 15)] },
        Section::Lists {
            title: "Constants ({n}):",
            lists: &[listed("/symbols?kind=constant", 20, constant)],
        },
        Section::Lists {
            title: "Blocks/DSL ({n}):",
            lists: &[
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
        },
        Section::Lines(note),
    ],
    inner: &[],
    facts: &[],
};

const METHODS: &str = "/symbols?kind=method,singleton_method,function,getter,setter,accessor";

const fn requires(title: &'static str, list: &'static str) -> Part {
    Part { title, list, cap: 20, marker: Marker::Counted, form: Form::Lines("    ", dashed) }
}

const fn words(title: &'static str, list: &'static str, cap: usize) -> Part {
    Part { title, list, cap, marker: Marker::Comma, form: Form::Line(word) }
}

const fn listed(list: &'static str, cap: usize, show: fn(&mut Sheet, Item) -> Vec<String>) -> Part {
    Part { title: "", list, cap, marker: Marker::Counted, form: Form::Lines("  ", show) }
}

const fn blocks(title: &'static str, list: &'static str) -> Part {
    Part { title, list, cap: 5, marker: Marker::Counted, form: Form::Lines("    ", block) }
}

fn word(item: Item) -> String {
    match item {
        Item::Symbol(symbol) => symbol.name.clone(),
        Item::Import(import) => import.path.clone(),
        Item::Value(value) => value.as_str().unwrap_or_default().to_owned(),
    }
}

fn dashed(_: &mut Sheet, item: Item) -> Vec<String> {
    vec![format!("- {}", word(item))]
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
    let of = |key: &str| item.value().and_then(|value| value.get(key));
    let text = of("description").and_then(Value::as_str).unwrap_or_default();
    let line = of("line").and_then(Value::as_u64).unwrap_or_default();
    vec![format!("- {text} (line {line})")]
}

fn note(sheet: &Sheet) -> Vec<String> {
    if sheet.flag("has_main_code") {
        vec!["Note: contains code that runs when the file is run as a script".to_owned()]
    } else {
        Vec::new()
    }
}
