//! C#: the comparator's sections and metadata.

use serde_json::json;

use super::{
    Facts, Inner, Layout, Section, Sheet,
    entry::{bracketed, member_names, own_member_names, words},
    fact::{modifiers, name, params, return_type},
    parts::{inline, lines, section},
};
use crate::{
    disclosure::Marker,
    findings::cut,
    selector::Item,
    symbol::{Symbol, SymbolKind},
};

const CLASSES: &str = "/symbols?kind=class,record";

/// C#'s layout.
pub const LAYOUT: Layout = Layout {
    sections: &[
        Section::Lines(|sheet| vec!["Format: C#".to_owned(), sheet.lines()]),
        section(
            "Using statements:",
            &[
                inline("  System: ", "/fields/usings/system", 5, Marker::Plus),
                inline("  Microsoft: ", "/fields/usings/microsoft", 5, Marker::Plus),
                inline("  Third-party: ", "/fields/usings/third_party", 5, Marker::Plus),
                inline("  Project: ", "/fields/usings/project", 5, Marker::Plus),
            ],
        ),
        section("", &[inline("Namespaces: ", "/fields/namespaces", usize::MAX, Marker::Comma)]),
        section("Classes:", &[lines(CLASSES, 20, Marker::Counted, class)]),
        section("Interfaces:", &[lines("/symbols?kind=interface", 20, Marker::Counted, class)]),
        section("Structs:", &[lines("/symbols?kind=struct", 20, Marker::Counted, class)]),
        section("Enums:", &[lines("/symbols?kind=enum", 20, Marker::Counted, enumeration)]),
        section(
            "Methods:",
            &[lines("/symbols?kind=method", 15, Marker::CountedNoun("methods"), method)],
        ),
        section(
            "Properties:",
            &[lines("/symbols?kind=property", 15, Marker::CountedNoun("properties"), property)],
        ),
        section("", &[inline("Attributes: ", "/fields/attributes", 20, Marker::Comma)]),
        Section::Lines(features),
    ],
    inner: &[
        Inner { section: "Interfaces, methods", cap: 10, marker: Marker::Comma },
        Inner { section: "Structs, fields", cap: 10, marker: Marker::Comma },
        Inner { section: "Enums, values", cap: 5, marker: Marker::Comma },
    ],
    facts: &[
        Facts {
            field: "classes",
            of: CLASSES,
            keys: &[
                ("name", name),
                ("modifiers", modifiers),
                ("base_class", |_, symbol| json!(base(symbol))),
                ("interfaces", |_, symbol| json!(interfaces(symbol))),
                ("is_generic", |_, symbol| json!(symbol.has_idiom("generic"))),
            ],
        },
        Facts {
            field: "interfaces",
            of: "/symbols?kind=interface",
            keys: &[
                ("name", name),
                ("modifiers", modifiers),
                ("methods", |sheet, symbol| {
                    json!(own_member_names(sheet, symbol, &[SymbolKind::Method]))
                }),
            ],
        },
        Facts {
            field: "structs",
            of: "/symbols?kind=struct",
            keys: &[
                ("name", name),
                ("modifiers", modifiers),
                ("fields", |sheet, symbol| {
                    json!(own_member_names(sheet, symbol, &[SymbolKind::Field]))
                }),
            ],
        },
        Facts {
            field: "enums",
            of: "/symbols?kind=enum",
            keys: &[
                ("name", name),
                ("modifiers", modifiers),
                ("values", |sheet, symbol| {
                    json!(own_member_names(sheet, symbol, &[SymbolKind::EnumMember]))
                }),
            ],
        },
        Facts {
            field: "methods",
            of: "/symbols?kind=method",
            keys: &[
                ("name", name),
                ("modifiers", modifiers),
                ("return_type", return_type),
                ("parameters", params),
                ("is_async", |_, symbol| json!(symbol.has_modifier("async"))),
            ],
        },
        Facts {
            field: "properties",
            of: "/symbols?kind=property",
            keys: &[
                ("name", name),
                ("type", return_type),
                ("modifiers", modifiers),
                ("has_getter", |_, symbol| json!(symbol.has_idiom("get"))),
                ("has_setter", |_, symbol| json!(settable(symbol))),
                ("is_auto_property", |_, symbol| json!(symbol.has_idiom("auto"))),
            ],
        },
    ],
};

/// Whether a base is an interface: its name begins with an I before another capital letter.
fn is_interface(base: &str) -> bool {
    let mut signs = base.rsplit('.').next().unwrap_or_default().chars();
    signs.next() == Some('I') && signs.next().is_some_and(char::is_uppercase)
}

fn base(symbol: &Symbol) -> Option<&String> {
    symbol.bases.first().filter(|base| !is_interface(base))
}

fn interfaces(symbol: &Symbol) -> &[String] {
    symbol.bases.get(usize::from(base(symbol).is_some())..).unwrap_or_default()
}

fn settable(symbol: &Symbol) -> bool {
    symbol.has_idiom("set") || symbol.has_idiom("init")
}

fn features(sheet: &Sheet) -> Vec<String> {
    let mut lines = vec!["Features:".to_owned()];
    if sheet.flag("has_main") {
        let top = sheet.flag("top_level_statements");
        let main = sheet
            .symbols
            .iter()
            .find(|symbol| symbol.name == "Main" && symbol.has_modifier("static"))
            .filter(|_| !top);
        let signature = main.map_or("Top-level statements".to_owned(), |part| {
            let returned = part.return_type.as_deref().unwrap_or_default();
            format!("{}{returned} Main({})", words(&part.modifiers), part.params.join(", "))
        });
        lines.push(format!("  - Entry point: {signature}"));
    }
    if sheet.flag("uses_async") {
        lines.push("  - Uses async/await".to_owned());
    }
    if lines.len() > 1 { lines } else { Vec::new() }
}

fn class(sheet: &mut Sheet, item: Item) -> Vec<String> {
    let Some(symbol) = item.symbol() else { return Vec::new() };
    let mut line = format!("{}{}", bracketed(symbol), symbol.name);
    if !symbol.bases.is_empty() {
        line.push_str(&format!(" : {}", symbol.bases.join(", ")));
    }
    let (section, kind, word) = match symbol.kind {
        SymbolKind::Interface => ("Interfaces, methods", SymbolKind::Method, "method"),
        SymbolKind::Struct => ("Structs, fields", SymbolKind::Field, "field"),
        _ => return vec![line],
    };
    let names = member_names(sheet, symbol, &[kind]);
    if !names.is_empty() {
        let source = Sheet::selector(symbol, ".", word);
        let names = sheet.inline(section, &source, &names);
        line.push_str(&format!(" ({word}s: {names})"));
    }
    vec![line]
}

fn enumeration(sheet: &mut Sheet, item: Item) -> Vec<String> {
    let Some(symbol) = item.symbol() else { return Vec::new() };
    let values = member_names(sheet, symbol, &[SymbolKind::EnumMember]);
    let source = Sheet::selector(symbol, ".", "enum_member");
    let values = sheet.inline("Enums, values", &source, &values);
    vec![format!("{}{} {{ {values} }}", bracketed(symbol), symbol.name)]
}

fn method(_: &mut Sheet, item: Item) -> Vec<String> {
    let Some(symbol) = item.symbol() else { return Vec::new() };
    let returned = symbol.return_type.as_deref().unwrap_or_default();
    let params = cut(&symbol.params.join(", "), 50);
    vec![format!("{}{returned} {}({params})", bracketed(symbol), symbol.name)]
}

fn property(_: &mut Sheet, item: Item) -> Vec<String> {
    let Some(symbol) = item.symbol() else { return Vec::new() };
    let accessors: Vec<&str> =
        ["get", "set", "init"].into_iter().filter(|word| symbol.has_idiom(word)).collect();
    let auto = if symbol.has_idiom("auto") { " (auto)" } else { "" };
    let kept = symbol.return_type.as_deref().unwrap_or_default();
    let accessors = accessors.join("; ");
    vec![format!("{}{kept} {} {{ {accessors} }}{auto}", bracketed(symbol), symbol.name)]
}
