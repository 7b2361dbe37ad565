//! C++: the comparator's sections.

use serde_json::Value;

use super::{
    Inner, Layout, Part, Section, Sheet,
    entry::word,
    parts::{inline, lines, section, titled_lines},
};
use crate::{
    disclosure::Marker,
    findings::{cut, grouped},
    selector::Item,
    symbol::{Symbol, SymbolKind, Visibility},
};

/// C++'s layout.
pub const LAYOUT: Layout = Layout {
    sections: &[
        Section::Lines(head),
        section(
            "Includes:",
            &[
                includes("  C++ Standard Library ({n}):", "/fields/includes/cpp_stdlib", 8),
                includes("  C Standard Library ({n}):", "/fields/includes/c_stdlib", 5),
                includes("  System ({n}):", "/fields/includes/system", 5),
                includes("  Local ({n}):", "/fields/includes/local", 5),
            ],
        ),
        section(
            "Namespaces:",
            &[
                inline(
                    "  Declared: ",
                    "/symbols?kind=namespace&distinct=name",
                    usize::MAX,
                    Marker::Counted,
                ),
                inline("  Using: ", "/fields/using_namespaces", usize::MAX, Marker::Counted),
            ],
        ),
        section(
            "Classes ({n}):",
            &[lines("/symbols?kind=class", 15, Marker::CountedNoun("classes"), class)],
        ),
        section(
            "Structs ({n}):",
            &[lines("/symbols?kind=struct", 15, Marker::CountedNoun("structs"), structure)],
        ),
        section(
            "Template Functions ({n}):",
            &[lines(
                "/symbols?kind=function&decorators!=",
                15,
                Marker::CountedNoun("templates"),
                template,
            )],
        ),
        section(
            "Functions ({n}):",
            &[lines(
                "/symbols?kind=function&decorators=",
                15,
                Marker::CountedNoun("functions"),
                function,
            )],
        ),
        section(
            "Operator Overloads ({n}):",
            &[inline("  ", "/symbols?idioms=operator&distinct=name", usize::MAX, Marker::Counted)],
        ),
        section("Type Aliases ({n}):", &[lines("/symbols?kind=alias", 5, Marker::Counted, alias)]),
    ],
    inner: &[
        Inner { section: "Classes, methods", cap: 5, marker: Marker::Comma },
        Inner { section: "Structs, fields", cap: 3, marker: Marker::Comma },
        Inner { section: "Structs, methods", cap: 3, marker: Marker::Comma },
    ],
    facts: &[],
};

/// Longest parameter list shown, in characters.
const PARAMETERS: usize = 80;

const fn includes(title: &'static str, list: &'static str, cap: usize) -> Part {
    titled_lines(title, list, cap, included)
}

fn head(sheet: &Sheet) -> Vec<String> {
    let header = sheet.flag("is_header");
    let kind = if header { "Header" } else { "Source" };
    let mut lines =
        vec![format!("Format: C++ {kind} ({} lines)", grouped(sheet.count("line_count")))];
    if header {
        if sheet.flag("has_pragma_once") {
            lines.push("Header protection: #pragma once".to_owned());
        } else if !sheet.word("header_guard").is_empty() {
            lines.push("Header protection: Header guard".to_owned());
        }
    }
    if sheet.flag("has_main") {
        lines.push("Entry point: main() function present".to_owned());
    }
    lines
}

/// A header as it was written in the include.
fn included(sheet: &mut Sheet, item: Item) -> Vec<String> {
    let path = word(item);
    let local = sheet
        .fields
        .get("includes")
        .and_then(|includes| includes.get("local"))
        .and_then(Value::as_array)
        .is_some_and(|local| local.iter().any(|one| one.as_str() == Some(&path)));
    vec![if local { format!("\"{path}\"") } else { format!("<{path}>") }]
}

/// A type with its template parameters and bases.
fn headline(symbol: &Symbol, keyword: &str) -> String {
    let mut line = format!("{keyword} {}", symbol.name);
    if let Some(template) = symbol.decorators.iter().find(|text| text.starts_with("template")) {
        line.push_str(template.trim_start_matches("template").trim());
    }
    if !symbol.bases.is_empty() {
        line.push_str(" : ");
        line.push_str(&symbol.bases.join(", "));
    }
    line
}

fn class(sheet: &mut Sheet, item: Item) -> Vec<String> {
    let Some(symbol) = item.symbol() else { return Vec::new() };
    let mut lines = vec![headline(symbol, "class")];
    let members = sheet.members(symbol, "::");
    let access: Vec<&str> = [Visibility::Public, Visibility::Protected, Visibility::Private]
        .into_iter()
        .filter(|kind| members.iter().any(|member| member.visibility == Some(*kind)))
        .map(Visibility::as_str)
        .collect();
    if !access.is_empty() {
        lines.push(format!("  Access: {}", access.join(", ")));
    }
    lines.extend(listing(sheet, symbol, "Classes", "Methods"));
    lines
}

fn structure(sheet: &mut Sheet, item: Item) -> Vec<String> {
    let Some(symbol) = item.symbol() else { return Vec::new() };
    let mut lines = vec![headline(symbol, "struct")];
    lines.extend(listing(sheet, symbol, "Structs", "Fields"));
    lines.extend(listing(sheet, symbol, "Structs", "Methods"));
    lines
}

/// `  Methods: a, b`; `None` if there are no names.
fn listing(sheet: &mut Sheet, symbol: &Symbol, section: &str, title: &str) -> Option<String> {
    let fields = title == "Fields";
    let kinds = if fields { "field" } else { "method,constructor,destructor" };
    let of = |member: &&Symbol| match member.kind {
        SymbolKind::Field => fields,
        SymbolKind::Method | SymbolKind::Constructor | SymbolKind::Destructor => !fields,
        _ => false,
    };
    let names: Vec<String> = sheet
        .members(symbol, "::")
        .into_iter()
        .filter(of)
        .map(|member| member.name.clone())
        .collect();
    if names.is_empty() {
        return None;
    }
    let source = Sheet::selector(symbol, "::", kinds);
    let section = format!("{section}, {}", title.to_lowercase());
    let line = sheet.inline(&section, &source, &names);
    Some(format!("  {title}: {line}"))
}

fn template(_: &mut Sheet, item: Item) -> Vec<String> {
    let Some(symbol) = item.symbol() else { return Vec::new() };
    vec![format!("{} {}", symbol.decorators.join(" "), symbol.name)]
}

fn function(_: &mut Sheet, item: Item) -> Vec<String> {
    let Some(symbol) = item.symbol() else { return Vec::new() };
    let words: Vec<&str> = ["inline", "constexpr", "static"]
        .into_iter()
        .filter(|word| symbol.has_modifier(word))
        .collect();
    let words = if words.is_empty() { String::new() } else { format!("[{}] ", words.join(", ")) };
    let returned = symbol.return_type.as_deref().unwrap_or("void");
    let params = cut(&symbol.params.join(", "), PARAMETERS);
    vec![format!("{words}{returned} {}({params})", symbol.name)]
}

fn alias(_: &mut Sheet, item: Item) -> Vec<String> {
    let Some(symbol) = item.symbol() else { return Vec::new() };
    vec![format!("using {} = {}", symbol.name, symbol.return_type.as_deref().unwrap_or_default())]
}
