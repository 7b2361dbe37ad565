//! C: the comparator's sections.

use super::{Form, Inner, Layout, Part, Section, Sheet};
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
        Section::Lists {
            title: "Includes:",
            lists: &[
                includes("  Standard library: ", "/fields/includes/stdlib"),
                includes("  System: ", "/fields/includes/system"),
                includes("  Local: ", "/fields/includes/local"),
            ],
        },
        Section::Lists {
            title: "Functions:",
            lists: &[listed("/symbols?kind=function", 20, "functions", function)],
        },
        Section::Lists {
            title: "Structs:",
            lists: &[listed("/symbols?kind=struct", 10, "structs", structure)],
        },
        Section::Lists {
            title: "Enums:",
            lists: &[listed("/symbols?kind=enum", 10, "enums", enumeration)],
        },
        Section::Lists {
            title: "Typedefs:",
            lists: &[listed("/symbols?kind=typedef", 15, "typedefs", typedef)],
        },
        Section::Lists { title: "Macros:", lists: &[listed(MACROS, 15, "macros", macros)] },
        Section::Lists {
            title: "Global Variables:",
            lists: &[listed("/symbols?kind=variable&parent=", 15, "globals", global)],
        },
    ],
    inner: &[
        Inner { section: "Functions, parameters", cap: 10, marker: Marker::Comma },
        Inner { section: "Structs, fields", cap: 15, marker: Marker::CountedNoun("fields") },
        Inner { section: "Enums, values", cap: 10, marker: Marker::Comma },
    ],
    facts: &[],
};

const MACROS: &str = "/symbols?kind=macro&idioms!=header_guard";

/// The comparator's limits inside an entry, in characters.
const TYPE: usize = 80;
const FUNCTION_MACRO: usize = 40;
const MACRO: usize = 50;

const fn includes(title: &'static str, list: &'static str) -> Part {
    Part { title, list, cap: usize::MAX, marker: Marker::Counted, form: Form::Line(word) }
}

const fn listed(
    list: &'static str,
    cap: usize,
    noun: &'static str,
    show: fn(&mut Sheet, Item) -> Vec<String>,
) -> Part {
    let marker = Marker::CountedNoun(noun);
    Part { title: "", list, cap, marker, form: Form::Lines("  ", show) }
}

fn word(item: Item) -> String {
    item.value().and_then(serde_json::Value::as_str).unwrap_or_default().to_owned()
}

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

/// `[static, inline] ` from the words of a declaration.
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
    let source = sheet.selector(symbol, "::", "field");
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
    let source = sheet.selector(symbol, "::", "enum_member");
    // A structure may have the name of an enumeration.
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
