//! TypeScript: the comparator's sections and metadata.

use serde_json::json;

use super::{
    Facts, Inner, Layout, Part, Section, Sheet,
    entry::{exported, line, names, names_of, parameter_names, text},
    fact::{is_exported, name},
    parts::{inline, lines, section, titled_lines},
};
use crate::{
    disclosure::Marker,
    findings::{cut, grouped},
    selector::{Item, escaped},
    symbol::{Symbol, SymbolKind},
};

/// Maximum number of entries in every list, and of members in one entry.
const CAP: usize = 15;
/// Longest definition, parameter list and return type, in characters.
const DEFINITION: usize = 100;
const PARAMS: usize = 50;
const RETURNS: usize = 50;
/// Maximum number of properties of an interface that are named.
const PROPERTIES: usize = 3;

const METHOD_KINDS: &str = "method,getter,setter";

/// TypeScript's layout.
pub const LAYOUT: Layout = Layout {
    sections: &[
        Section::Lines(head),
        section(
            "Imports:",
            &[
                imports("  Built-in: ", "/imports?category=stdlib&distinct=path"),
                imports("  Third-party: ", "/imports?category=third_party,unknown&distinct=path"),
                imports("  Local: ", "/imports?category=local&distinct=path"),
            ],
        ),
        section("Interfaces:", &[part("/symbols?kind=interface", "interfaces", interface)]),
        section("Type Aliases:", &[part("/symbols?kind=type", "types", alias)]),
        section("Enums:", &[part("/symbols?kind=enum", "enums", enumeration)]),
        section("Classes:", &[part("/symbols?kind=class", "classes", class)]),
        section("Functions:", &[part("/symbols?kind=function", "functions", function)]),
        section("Namespaces:", &[part("/symbols?kind=namespace", "namespaces", namespace)]),
        section("React Components:", &[part("/fields/react_components", "components", component)]),
        section(
            "Exports:",
            &[
                // A module has at most one default export.
                inline("  default: ", "/fields/exports/default", usize::MAX, Marker::Plus),
                inline("  named: ", "/fields/exports/named", 20, Marker::Plus),
                titled_lines("  re-exports:", "/fields/exports/re_exports", 5, line),
            ],
        ),
        Section::Lines(entry_point),
    ],
    inner: &[
        Inner { section: "Enums, members", cap: CAP, marker: Marker::Plus },
        Inner { section: "Classes, methods", cap: CAP, marker: Marker::Plus },
        Inner { section: "Classes, properties", cap: CAP, marker: Marker::Plus },
        Inner { section: "Namespaces, members", cap: CAP, marker: Marker::Plus },
    ],
    facts: &[
        Facts {
            field: "interfaces",
            of: "/symbols?kind=interface",
            keys: &[
                ("name", name),
                ("extends", |_, symbol| json!(symbol.bases)),
                ("properties", |sheet, symbol| json!(names(&sheet.members_inside(symbol, ".")))),
                ("is_exported", is_exported),
            ],
        },
        Facts {
            field: "types",
            of: "/symbols?kind=type",
            keys: &[
                ("name", name),
                ("definition", |_, symbol| json!(symbol.return_type)),
                ("is_generic", |_, symbol| json!(symbol.has_idiom("generic"))),
                ("is_exported", is_exported),
            ],
        },
        Facts {
            field: "classes",
            of: "/symbols?kind=class",
            keys: &[
                ("name", name),
                ("extends", |_, symbol| json!(symbol.bases.first())),
                ("implements", |_, symbol| json!(symbol.implements)),
                ("methods", |sheet, symbol| json!(methods(sheet.members_inside(symbol, ".")))),
                ("properties", |sheet, symbol| {
                    json!(properties(sheet.members_inside(symbol, ".")))
                }),
                ("is_exported", is_exported),
                ("is_abstract", |_, symbol| json!(symbol.has_modifier("abstract"))),
            ],
        },
        Facts {
            field: "functions",
            of: "/symbols?kind=function",
            keys: &[
                ("name", name),
                ("params", |_, symbol| json!(symbol.params)),
                ("return_type", |_, symbol| json!(symbol.return_type)),
                ("is_async", |_, symbol| json!(symbol.has_modifier("async"))),
                ("is_arrow", |_, symbol| json!(symbol.has_idiom("arrow"))),
                ("is_exported", is_exported),
                ("is_generator", |_, symbol| json!(symbol.has_idiom("generator"))),
            ],
        },
        Facts {
            field: "namespaces",
            of: "/symbols?kind=namespace",
            keys: &[
                ("name", name),
                ("is_exported", is_exported),
                ("members", |sheet, symbol| json!(names(&sheet.members_inside(symbol, ".")))),
            ],
        },
        Facts {
            field: "enums",
            of: "/symbols?kind=enum",
            keys: &[
                ("name", name),
                ("members", |sheet, symbol| json!(names(&sheet.members_inside(symbol, ".")))),
                ("is_const", |_, symbol| json!(symbol.has_modifier("const"))),
                ("is_exported", is_exported),
            ],
        },
    ],
};

const fn part(
    list: &'static str,
    noun: &'static str,
    show: fn(&mut Sheet, Item) -> Vec<String>,
) -> Part {
    lines(list, CAP, Marker::CountedNoun(noun), show)
}

const fn imports(title: &'static str, list: &'static str) -> Part {
    inline(title, list, 10, Marker::Plus)
}

fn head(sheet: &Sheet) -> Vec<String> {
    let react = if sheet.flag("is_react") { " (React)" } else { "" };
    let system = sheet.bracketed("module_type").to_uppercase();
    vec![
        format!("Format: TypeScript{react}{system}"),
        format!("Lines: {}", grouped(sheet.count("line_count"))),
    ]
}

fn entry_point(sheet: &Sheet) -> Vec<String> {
    if sheet.flag("has_entry_point") {
        vec!["Entry Point: Yes (contains top-level execution code)".to_owned()]
    } else {
        Vec::new()
    }
}

fn methods(members: Vec<&Symbol>) -> Vec<String> {
    names_of(members, &[SymbolKind::Method, SymbolKind::Getter, SymbolKind::Setter])
}

fn properties(members: Vec<&Symbol>) -> Vec<String> {
    names_of(members, &[SymbolKind::Property])
}

fn interface(sheet: &mut Sheet, item: Item) -> Vec<String> {
    let Some(symbol) = item.symbol() else { return Vec::new() };
    let mut text = format!("{}{}", exported(symbol), symbol.name);
    if !symbol.bases.is_empty() {
        text.push_str(&format!(" extends {}", symbol.bases.join(", ")));
    }
    let members = sheet.members_inside(symbol, ".");
    let mut lines = vec![text];
    if members.len() > PROPERTIES {
        lines.push(format!("  {} properties", members.len()));
    } else if !members.is_empty() {
        let shown: Vec<String> = members.iter().map(|one| member(one)).collect();
        lines.push(format!("  {}", cut(&shown.join("; "), DEFINITION)));
    }
    lines
}

fn member(symbol: &Symbol) -> String {
    let optional = if symbol.has_idiom("optional") { "?" } else { "" };
    let params = if symbol.kind == SymbolKind::Method {
        format!("({})", symbol.params.join(", "))
    } else {
        String::new()
    };
    match &symbol.return_type {
        Some(of) => format!("{}{optional}{params}: {of}", symbol.name),
        None => format!("{}{optional}{params}", symbol.name),
    }
}

fn alias(_: &mut Sheet, item: Item) -> Vec<String> {
    let Some(symbol) = item.symbol() else { return Vec::new() };
    let generic = if symbol.has_idiom("generic") { "<T>" } else { "" };
    let definition = cut(symbol.return_type.as_deref().unwrap_or_default(), DEFINITION);
    vec![format!("{}{}{generic} = {definition}", exported(symbol), symbol.name)]
}

fn enumeration(sheet: &mut Sheet, item: Item) -> Vec<String> {
    let Some(symbol) = item.symbol() else { return Vec::new() };
    let constant = if symbol.has_modifier("const") { "const " } else { "" };
    // A namespace of the same name adds members to the enum that are not values.
    let members = sheet.members(symbol, ".").into_iter();
    let members: Vec<_> = members.filter(|one| one.kind == SymbolKind::EnumMember).collect();
    let members = names(&members);
    let source = Sheet::selector(symbol, ".", "enum_member");
    let shown = sheet.inline("Enums, members", &source, &members);
    vec![format!("{}{constant}enum {} {{ {shown} }}", exported(symbol), symbol.name)]
}

fn class(sheet: &mut Sheet, item: Item) -> Vec<String> {
    let Some(symbol) = item.symbol() else { return Vec::new() };
    let kind = if symbol.has_modifier("abstract") { "abstract class" } else { "class" };
    let mut text = format!("{}{kind} {}", exported(symbol), symbol.name);
    for (word, types) in [("extends", &symbol.bases), ("implements", &symbol.implements)] {
        if !types.is_empty() {
            text.push_str(&format!(" {word} {}", types.join(", ")));
        }
    }
    let mut lines = vec![text];
    for (title, kinds, members) in [
        ("Methods", METHOD_KINDS, methods(sheet.members(symbol, "."))),
        ("Properties", "property", properties(sheet.members(symbol, "."))),
    ] {
        if !members.is_empty() {
            let (section, source) =
                (format!("Classes, {}", title.to_lowercase()), Sheet::selector(symbol, ".", kinds));
            let shown = sheet.inline(&section, &source, &members);
            lines.push(format!("  {title}: {shown}"));
        }
    }
    lines
}

fn function(_: &mut Sheet, item: Item) -> Vec<String> {
    let Some(symbol) = item.symbol() else { return Vec::new() };
    let mut text = exported(symbol).to_owned();
    for (is, word) in [
        (symbol.has_modifier("async"), "async "),
        (symbol.has_idiom("arrow"), "=> "),
        (symbol.has_idiom("generator"), "*"),
    ] {
        if is {
            text.push_str(word);
        }
    }
    let params = parameter_names(symbol).join(", ");
    let params = if params.chars().count() > PARAMS {
        format!("{} params", symbol.params.len())
    } else {
        params
    };
    text.push_str(&format!("{}({params})", symbol.name));
    if let Some(returned) = &symbol.return_type {
        text.push_str(&format!(": {}", cut(returned, RETURNS)));
    }
    vec![text]
}

fn namespace(sheet: &mut Sheet, item: Item) -> Vec<String> {
    let Some(symbol) = item.symbol() else { return Vec::new() };
    let mut lines = vec![format!("{}namespace {}", exported(symbol), symbol.name)];
    let members = names(&sheet.members(symbol, "."));
    if !members.is_empty() {
        let source = format!("/symbols?parent={}", escaped(&super::qualified(symbol, ".")));
        let shown = sheet.inline("Namespaces, members", &source, &members);
        lines.push(format!("  Members: {shown}"));
    }
    lines
}

fn component(_: &mut Sheet, item: Item) -> Vec<String> {
    let is_exported = item
        .value()
        .and_then(|value| value.get("is_exported"))
        .and_then(serde_json::Value::as_bool)
        .unwrap_or(false);
    let props = text(item, "props_type");
    let props = if props.is_empty() { String::new() } else { format!("<{props}>") };
    let exported = if is_exported { "(exported) " } else { "" };
    vec![format!("{exported}{} {}{props}", text(item, "type"), text(item, "name"))]
}
