//! Swift: the comparator's sections and metadata.

use serde_json::json;

use super::{
    Facts, Inner, Layout, Section, Sheet,
    entry::{bracketed, member_names, own_member_names},
    fact::{modifiers, name, params, return_type},
    parts::{inline, lines, section},
};
use crate::{
    disclosure::Marker,
    findings::cut,
    selector::Item,
    symbol::{Symbol, SymbolKind},
};

const CLASSES: &str = "/symbols?kind=class&idioms!=actor";
const ACTORS: &str = "/symbols?kind=class&idioms=actor";
const FUNCTIONS: &str = "/symbols?kind=function,method,constructor,destructor";
const PROPERTIES: &str = "/symbols?kind=property,variable";

/// Swift's layout.
pub const LAYOUT: Layout = Layout {
    sections: &[
        Section::Lines(head),
        section(
            "Imports:",
            &[
                inline("  Apple: ", "/imports?category=stdlib&distinct=path", 10, Marker::Plus),
                inline(
                    "  Third-party: ",
                    "/imports?category=third_party,unknown&distinct=path",
                    10,
                    Marker::Plus,
                ),
                inline("  Local: ", "/imports?category=local&distinct=path", 10, Marker::Plus),
            ],
        ),
        section("Classes ({n}):", &[lines(CLASSES, 15, Marker::Counted, declared)]),
        section("Structs ({n}):", &[lines("/symbols?kind=struct", 15, Marker::Counted, declared)]),
        section("Enums ({n}):", &[lines("/symbols?kind=enum", 10, Marker::Counted, enumeration)]),
        section(
            "Protocols ({n}):",
            &[lines("/symbols?kind=protocol", 10, Marker::Counted, protocol)],
        ),
        section("Actors ({n}):", &[lines(ACTORS, 10, Marker::Counted, declared)]),
        section(
            "Extensions ({n}):",
            &[lines("/symbols?kind=extension", 10, Marker::Counted, extension)],
        ),
        section("Functions ({n}):", &[lines(FUNCTIONS, 15, Marker::Counted, function)]),
        section("Properties ({n}):", &[lines(PROPERTIES, 15, Marker::Counted, property)]),
    ],
    inner: &[
        Inner { section: "Enums, cases", cap: 10, marker: Marker::Comma },
        Inner { section: "Protocols, requirements", cap: 5, marker: Marker::Comma },
    ],
    facts: &[
        types("classes", CLASSES),
        types("structs", "/symbols?kind=struct"),
        types("protocols", "/symbols?kind=protocol"),
        types("actors", ACTORS),
        types("extensions", "/symbols?kind=extension"),
        Facts {
            field: "enums",
            of: "/symbols?kind=enum",
            keys: &[
                ("name", name),
                ("protocols", |_, symbol| json!(symbol.bases)),
                ("cases", |sheet, symbol| {
                    json!(own_member_names(sheet, symbol, &[SymbolKind::EnumMember]))
                }),
                ("has_associated_values", |sheet, symbol| json!(associated(sheet, symbol))),
                ("raw_value_type", |_, symbol| json!(raw(symbol))),
            ],
        },
        Facts {
            field: "functions",
            of: FUNCTIONS,
            keys: &[
                ("name", name),
                ("kind", |_, symbol| json!(symbol.kind.as_str())),
                ("parameters", params),
                ("return_type", return_type),
                ("modifiers", modifiers),
                ("is_async", |_, symbol| json!(symbol.has_modifier("async"))),
                ("is_throws", |_, symbol| json!(symbol.has_modifier("throws"))),
            ],
        },
        Facts {
            field: "properties",
            of: PROPERTIES,
            keys: &[
                ("name", name),
                ("type", return_type),
                ("modifiers", modifiers),
                ("is_computed", |_, symbol| json!(symbol.has_idiom("computed"))),
            ],
        },
    ],
};

const fn types(field: &'static str, of: &'static str) -> Facts {
    Facts {
        field,
        of,
        keys: &[
            ("name", name),
            ("inherited", |_, symbol| json!(symbol.bases)),
            ("modifiers", modifiers),
            ("is_generic", |_, symbol| json!(symbol.has_idiom("generic"))),
        ],
    }
}

fn head(sheet: &Sheet) -> Vec<String> {
    let mut lines = vec!["Language: Swift".to_owned(), sheet.lines()];
    let flags =
        [("has_main", "Entry Point"), ("is_swift_ui", "SwiftUI"), ("is_test_file", "Test File")];
    let tags: Vec<&str> =
        flags.into_iter().filter(|(flag, _)| sheet.flag(flag)).map(|(_, tag)| tag).collect();
    if !tags.is_empty() {
        lines.push(format!("Tags: {}", tags.join(", ")));
    }
    lines
}

fn inherited(symbol: &Symbol) -> String {
    if symbol.bases.is_empty() {
        return String::new();
    }
    format!(" : {}", symbol.bases.join(", "))
}

/// The raw type of an enum: the type whose values represent its cases, if there is one.
fn raw(symbol: &Symbol) -> Option<&String> {
    symbol.bases.first().filter(|base| {
        base.starts_with("Int")
            || base.starts_with("UInt")
            || matches!(base.as_str(), "String" | "Character" | "Double" | "Float")
    })
}

fn associated(sheet: &Sheet, symbol: &Symbol) -> bool {
    let cases = sheet.members_inside(symbol, ".").into_iter();
    cases.filter(|one| one.kind == SymbolKind::EnumMember).any(|one| one.return_type.is_some())
}

fn declared(_: &mut Sheet, item: Item) -> Vec<String> {
    let Some(symbol) = item.symbol() else { return Vec::new() };
    let generic = if symbol.has_idiom("generic") { "<T>" } else { "" };
    vec![format!("{}{}{generic}{}", bracketed(symbol), symbol.name, inherited(symbol))]
}

fn enumeration(sheet: &mut Sheet, item: Item) -> Vec<String> {
    let Some(symbol) = item.symbol() else { return Vec::new() };
    let cases = member_names(sheet, symbol, &[SymbolKind::EnumMember]);
    let mut line = format!("{}{}{}", bracketed(symbol), symbol.name, inherited(symbol));
    if let Some(raw) = raw(symbol) {
        line.push_str(&format!(" (raw: {raw})"));
    }
    if associated(sheet, symbol) {
        line.push_str(" (associated values)");
    }
    if !cases.is_empty() {
        let source = Sheet::selector(symbol, ".", "enum_member");
        let cases = sheet.inline("Enums, cases", &source, &cases);
        line.push_str(&format!(" - cases: {cases}"));
    }
    vec![line]
}

fn protocol(sheet: &mut Sheet, item: Item) -> Vec<String> {
    let Some(symbol) = item.symbol() else { return Vec::new() };
    let kinds = [SymbolKind::Method, SymbolKind::Property];
    let requirements: Vec<String> = sheet
        .members(symbol, ".")
        .into_iter()
        .filter(|one| kinds.contains(&one.kind))
        .map(|one| match one.kind {
            SymbolKind::Method => format!("func {}()", one.name),
            _ => format!("var {}", one.name),
        })
        .collect();
    let mut line = format!("{}{}{}", bracketed(symbol), symbol.name, inherited(symbol));
    if !requirements.is_empty() {
        let source = Sheet::selector(symbol, ".", "method,property");
        let shown = sheet.inline("Protocols, requirements", &source, &requirements);
        line.push_str(&format!(" - {shown}"));
    }
    vec![line]
}

fn extension(_: &mut Sheet, item: Item) -> Vec<String> {
    let Some(symbol) = item.symbol() else { return Vec::new() };
    vec![format!("extension {}{}", symbol.name, inherited(symbol))]
}

fn function(_: &mut Sheet, item: Item) -> Vec<String> {
    let Some(symbol) = item.symbol() else { return Vec::new() };
    let words: Vec<String> = symbol
        .modifiers
        .iter()
        .filter(|word| !matches!(word.as_str(), "async" | "throws" | "rethrows"))
        .cloned()
        .collect();
    let words = if words.is_empty() { String::new() } else { format!("[{}] ", words.join(" ")) };
    let special = matches!(symbol.kind, SymbolKind::Constructor | SymbolKind::Destructor);
    let keyword = if special || symbol.name == "subscript" { "" } else { "func " };
    let params = cut(&symbol.params.join(", "), 50);
    let mut line = format!("{words}{keyword}{}({params})", symbol.name);
    for word in ["async", "throws"].into_iter().filter(|word| symbol.has_modifier(word)) {
        line.push_str(&format!(" {word}"));
    }
    if let Some(returned) = &symbol.return_type {
        line.push_str(&format!(" -> {}", cut(returned, 30)));
    }
    vec![line]
}

fn property(_: &mut Sheet, item: Item) -> Vec<String> {
    let Some(symbol) = item.symbol() else { return Vec::new() };
    let (last, before) = match symbol.modifiers.split_last() {
        Some((last, before)) => (last.as_str(), before),
        None => ("var", [].as_slice()),
    };
    let before = if before.is_empty() { String::new() } else { format!("[{}] ", before.join(" ")) };
    let kind = if symbol.has_idiom("computed") { "computed" } else { last };
    let kept = symbol.return_type.as_ref().map(|kept| format!(": {kept}")).unwrap_or_default();
    vec![format!("{before}{kind} {}{kept}", symbol.name)]
}
