//! Rust: the comparator's sections and metadata.

use serde_json::{Value, json};

use super::{
    Facts, Layout, Section, Sheet,
    entry::{text, texts},
    fact::{name, params},
    parts::{inline, lines, section},
};
use crate::{
    disclosure::Marker,
    selector::Item,
    symbol::{Symbol, SymbolKind, Visibility},
};

/// Maximum number of members that are named; if there are more, only their number is shown.
const NAMED: usize = 4;

/// Rust's layout.
pub const LAYOUT: Layout = Layout {
    sections: &[
        Section::Lines(head),
        section(
            "Imports:",
            &[
                inline("  std ({n}): ", "/imports?category=stdlib", 3, Marker::Comma),
                inline(
                    "  external ({n}): ",
                    "/imports?category=third_party,unknown",
                    3,
                    Marker::Comma,
                ),
                inline("  local ({n}): ", "/imports?category=local", 3, Marker::Comma),
            ],
        ),
        section("Modules:", &[lines("/symbols?kind=module", 10, Marker::Counted, module)]),
        section("Structs:", &[lines("/symbols?kind=struct", 10, Marker::Counted, structure)]),
        section("Enums:", &[lines("/symbols?kind=enum", 10, Marker::Counted, enumeration)]),
        section("Traits:", &[lines("/symbols?kind=trait", 10, Marker::Counted, traits)]),
        section("Impl blocks:", &[lines("/fields/impls", 10, Marker::Counted, implementation)]),
        section(
            "Functions:",
            &[lines("/symbols?kind=function&parent=", 15, Marker::Counted, function)],
        ),
        section("Macros:", &[lines("/symbols?kind=macro", 10, Marker::Counted, macro_rules)]),
        Section::Lines(exports),
    ],
    inner: &[],
    facts: &[
        Facts {
            field: "modules",
            of: "/symbols?kind=module",
            keys: &[("name", name), ("is_public", is_public)],
        },
        Facts {
            field: "structs",
            of: "/symbols?kind=struct",
            keys: &[
                ("name", name),
                ("fields", |sheet, symbol| json!(members(sheet, symbol, SymbolKind::Field))),
                ("derives", |_, symbol| json!(derives(symbol))),
                ("is_public", is_public),
            ],
        },
        Facts {
            field: "enums",
            of: "/symbols?kind=enum",
            keys: &[
                ("name", name),
                ("variants", |sheet, symbol| json!(members(sheet, symbol, SymbolKind::Variant))),
                ("derives", |_, symbol| json!(derives(symbol))),
                ("is_public", is_public),
            ],
        },
        Facts {
            field: "traits",
            of: "/symbols?kind=trait",
            keys: &[
                ("name", name),
                ("methods", |sheet, symbol| json!(members(sheet, symbol, SymbolKind::Method))),
                ("is_public", is_public),
            ],
        },
        Facts {
            field: "functions",
            of: "/symbols?kind=function",
            keys: &[
                ("name", name),
                ("modifiers", |_, symbol| json!(keywords(symbol))),
                ("parameters", params),
                ("return_type", |_, symbol| json!(symbol.return_type)),
                ("is_public", is_public),
            ],
        },
        Facts {
            field: "macros",
            of: "/symbols?kind=macro",
            keys: &[("name", name), ("is_exported", is_public)],
        },
    ],
};

fn is_public(_: &Sheet, symbol: &Symbol) -> Value {
    json!(symbol.exported == Some(true))
}

fn head(sheet: &Sheet) -> Vec<String> {
    let mut lines = vec!["Format: Rust".to_owned(), sheet.lines()];
    let crate_type = sheet.word("crate_type");
    if !crate_type.is_empty() {
        lines.push(format!("Crate type: {crate_type}"));
    }
    if sheet.flag("has_main") {
        lines.push("Entry point: fn main()".to_owned());
    }
    lines
}

fn exports(sheet: &Sheet) -> Vec<String> {
    match sheet.count("exports") {
        0 => Vec::new(),
        count => vec![format!("Exports: {count} public items")],
    }
}

/// The visibility as written, followed by a space.
fn shown(symbol: &Symbol) -> String {
    let first = symbol.modifiers.first().filter(|word| word.starts_with("pub"));
    first.map(|word| format!("{word} ")).unwrap_or_default()
}

/// Modifiers without the visibility.
fn keywords(symbol: &Symbol) -> Vec<&String> {
    symbol.modifiers.iter().filter(|word| !word.starts_with("pub")).collect()
}

fn derives(symbol: &Symbol) -> Vec<&str> {
    symbol
        .decorators
        .iter()
        .filter_map(|text| text.strip_prefix("derive(")?.strip_suffix(')'))
        .flat_map(|list| list.split(','))
        .map(str::trim)
        .filter(|name| !name.is_empty())
        .collect()
}

fn derived(symbol: &Symbol) -> String {
    let derives = derives(symbol);
    if derives.is_empty() { String::new() } else { format!(" [{}]", derives.join(", ")) }
}

/// Names of the members of one kind. Members give only the name of their owner, without its module.
fn members(sheet: &Sheet, owner: &Symbol, kind: SymbolKind) -> Vec<String> {
    // A field may have the same name as a type, but it has no members.
    let named = |symbol: &Symbol| match symbol.kind {
        SymbolKind::Struct | SymbolKind::Union | SymbolKind::Enum | SymbolKind::Trait => {
            symbol.name.clone()
        }
        _ => String::new(),
    };
    let members = sheet.members_between(owner, named).into_iter();
    members.filter(|one| one.kind == kind).map(|one| one.name.clone()).collect()
}

/// The names, or their number if there are too many.
fn some(names: &[String], noun: &str) -> String {
    if names.len() > NAMED { format!("{} {noun}", names.len()) } else { names.join(", ") }
}

fn module(_: &mut Sheet, item: Item) -> Vec<String> {
    item.symbol().map(|part| format!("{}mod {}", shown(part), part.name)).into_iter().collect()
}

fn structure(sheet: &mut Sheet, item: Item) -> Vec<String> {
    let Some(symbol) = item.symbol() else { return Vec::new() };
    let fields = members(sheet, symbol, SymbolKind::Field);
    let fields = if fields.len() > NAMED - 1 {
        format!("{} fields", fields.len())
    } else if !fields.is_empty() {
        fields.join(", ")
    } else if symbol.has_idiom("tuple") {
        format!("tuple({})", symbol.params.len())
    } else if symbol.has_idiom("unit") {
        "unit struct".to_owned()
    } else {
        "empty".to_owned()
    };
    vec![format!("{}{} ({fields}){}", shown(symbol), symbol.name, derived(symbol))]
}

fn enumeration(sheet: &mut Sheet, item: Item) -> Vec<String> {
    let Some(symbol) = item.symbol() else { return Vec::new() };
    let variants = some(&members(sheet, symbol, SymbolKind::Variant), "variants");
    vec![format!("{}{} {{ {variants} }}{}", shown(symbol), symbol.name, derived(symbol))]
}

fn traits(sheet: &mut Sheet, item: Item) -> Vec<String> {
    let Some(symbol) = item.symbol() else { return Vec::new() };
    let methods = some(&members(sheet, symbol, SymbolKind::Method), "methods");
    vec![format!("{}{} {{ {methods} }}", shown(symbol), symbol.name)]
}

fn implementation(_: &mut Sheet, item: Item) -> Vec<String> {
    let methods: Vec<String> = texts(item, "methods").into_iter().map(str::to_owned).collect();
    let of = match text(item, "trait_name") {
        "" => String::new(),
        name => format!("{name} for "),
    };
    let target = text(item, "target_type");
    vec![format!("impl {of}{target} {{ {} }}", some(&methods, "methods"))]
}

fn function(_: &mut Sheet, item: Item) -> Vec<String> {
    let Some(symbol) = item.symbol() else { return Vec::new() };
    let keywords: String = keywords(symbol).iter().map(|word| format!("{word} ")).collect();
    vec![format!("{}{keywords}fn {}", shown(symbol), symbol.name)]
}

fn macro_rules(_: &mut Sheet, item: Item) -> Vec<String> {
    let Some(symbol) = item.symbol() else { return Vec::new() };
    let exported = symbol.visibility == Some(Visibility::Public);
    vec![format!("macro_rules! {}{}", symbol.name, if exported { " [exported]" } else { "" })]
}
