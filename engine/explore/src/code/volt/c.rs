//! C: the comparator's sections.

use super::{
    Inner, Layout, Section, Sheet,
    parts::{inline, lines, section},
};
use crate::{
    disclosure::Marker,
    findings::cut,
    selector::{Item, Selector},
    symbol::{Symbol, SymbolKind},
};

/// C's layout.
pub const LAYOUT: Layout = Layout {
    sections: &[
        Section::Lines(head),
        Section::Lines(overview),
        section(
            "Includes:",
            &[
                inline(
                    "  Standard library: ",
                    "/fields/includes/stdlib",
                    usize::MAX,
                    Marker::Counted,
                ),
                inline("  System: ", "/fields/includes/system", usize::MAX, Marker::Counted),
                inline("  Local: ", "/fields/includes/local", usize::MAX, Marker::Counted),
            ],
        ),
        section(
            "Functions:",
            &[lines("/symbols?kind=function", 20, Marker::CountedNoun("functions"), function)],
        ),
        section(
            "Structs:",
            &[lines("/symbols?kind=struct", 10, Marker::CountedNoun("structs"), structure)],
        ),
        section(
            "Enums:",
            &[lines("/symbols?kind=enum", 10, Marker::CountedNoun("enums"), enumeration)],
        ),
        section(
            "Typedefs:",
            &[lines("/symbols?kind=typedef", 15, Marker::CountedNoun("typedefs"), typedef)],
        ),
        section("Macros:", &[lines(MACROS, 15, Marker::CountedNoun("macros"), macros)]),
        section(
            "Global Variables:",
            &[lines("/symbols?kind=variable&parent=", 15, Marker::CountedNoun("globals"), global)],
        ),
    ],
    inner: &[
        Inner { section: "Functions, parameters", cap: 10, marker: Marker::Comma },
        Inner { section: "Structs, fields", cap: 15, marker: Marker::CountedNoun("fields") },
        Inner { section: "Enums, values", cap: 10, marker: Marker::Comma },
    ],
    facts: &[],
};

const MACROS: &str = "/symbols?kind=macro&idioms!=header_guard";

/// The comparator's limits for the parts of an entry, in characters.
const TYPE: usize = 80;
const FUNCTION_MACRO: usize = 40;
const MACRO: usize = 50;

fn head(sheet: &Sheet) -> Vec<String> {
    let kind = if sheet.flag("is_header") { "Header" } else { "Source" };
    vec![format!("Format: C {kind} File")]
}

fn overview(sheet: &Sheet) -> Vec<String> {
    let mut lines = vec!["Overview:".to_owned()];
    if sheet.flag("has_main") {
        lines.push("- Contains main() function (executable entry point)".to_owned());
    }
    let guard = sheet.word("header_guard");
    if !guard.is_empty() {
        lines.push(format!("- Header guard: {guard}"));
    }
    let includes = sheet.count("include_count");
    if includes > 0 {
        lines.push(format!("- Includes: {includes} headers"));
    }
    for (title, list) in [
        ("Functions", "/symbols?kind=function"),
        ("Structs", "/symbols?kind=struct"),
        ("Enums", "/symbols?kind=enum"),
        ("Typedefs", "/symbols?kind=typedef"),
        ("Macros", MACROS),
        ("Global variables", "/symbols?kind=variable&parent="),
    ] {
        let count = sheet.select(&Selector::parse(list)).len();
        if count > 0 {
            lines.push(format!("- {title}: {count}"));
        }
    }
    lines
}

/// `[static, inline] `, from those modifiers of a declaration that are in `words`.
fn bracketed(symbol: &Symbol, words: &[&str]) -> String {
    let found: Vec<&str> = words.iter().copied().filter(|word| symbol.has_modifier(word)).collect();
    if found.is_empty() { String::new() } else { format!("[{}] ", found.join(", ")) }
}

fn function(sheet: &mut Sheet, item: Item) -> Vec<String> {
    let Some(symbol) = item.symbol() else { return Vec::new() };
    let source = sheet.pointer(symbol, "params");
    let params = sheet.inline("Functions, parameters", &source, &symbol.params);
    let note = if symbol.has_idiom("declaration") { " (declaration)" } else { "" };
    vec![format!(
        "{}{} {}({params}){note}",
        bracketed(symbol, &["static", "inline"]),
        symbol.return_type.as_deref().unwrap_or("int"),
        symbol.name
    )]
}

fn noted(symbol: &Symbol) -> &'static str {
    if symbol.has_idiom("typedef") { " (typedef)" } else { "" }
}

fn structure(sheet: &mut Sheet, item: Item) -> Vec<String> {
    let Some(symbol) = item.symbol() else { return Vec::new() };
    sheet.summary.line(&format!("  struct {}{}", symbol.name, noted(symbol)));
    let source = Sheet::selector(symbol, "::", "field");
    let members = sheet.members(symbol, "::");
    let fields: Vec<Item> = members
        .into_iter()
        .filter(|member| member.kind == SymbolKind::Field)
        .map(Item::Symbol)
        .collect();
    let list = sheet.list("Structs, fields", &source);
    sheet.blocks(&list, "    ", &fields, typed);
    Vec::new()
}

fn typed(_: &mut Sheet, item: Item) -> Vec<String> {
    let Some(symbol) = item.symbol() else { return Vec::new() };
    vec![format!("{} {}", symbol.return_type.as_deref().unwrap_or_default(), symbol.name)]
}

fn enumeration(sheet: &mut Sheet, item: Item) -> Vec<String> {
    let Some(symbol) = item.symbol() else { return Vec::new() };
    let source = Sheet::selector(symbol, "::", "enum_member");
    // A structure may have the same name as an enumeration.
    let members = sheet.members(symbol, "::").into_iter();
    let names: Vec<String> = members
        .filter(|member| member.kind == SymbolKind::EnumMember)
        .map(|member| member.name.clone())
        .collect();
    let values = sheet.inline("Enums, values", &source, &names);
    vec![format!("enum {}{}: {{ {values} }}", symbol.name, noted(symbol))]
}

fn typedef(_: &mut Sheet, item: Item) -> Vec<String> {
    let Some(symbol) = item.symbol() else { return Vec::new() };
    let of = symbol.return_type.as_deref().unwrap_or("(defined above)");
    vec![format!("{} = {}", symbol.name, cut(of, TYPE))]
}

fn macros(_: &mut Sheet, item: Item) -> Vec<String> {
    let Some(symbol) = item.symbol() else { return Vec::new() };
    let value = symbol.return_type.as_deref().unwrap_or_default();
    let text = if symbol.has_modifier("function-like") {
        let params = symbol.params.join(", ");
        format!("{}({params}) -> {}", symbol.name, cut(value, FUNCTION_MACRO))
    } else if value.is_empty() {
        symbol.name.clone()
    } else {
        format!("{} = {}", symbol.name, cut(value, MACRO))
    };
    vec![text]
}

fn global(_: &mut Sheet, item: Item) -> Vec<String> {
    let Some(symbol) = item.symbol() else { return Vec::new() };
    vec![format!(
        "{}{} {}",
        bracketed(symbol, &["extern", "static", "const"]),
        symbol.return_type.as_deref().unwrap_or_default(),
        symbol.name
    )]
}
