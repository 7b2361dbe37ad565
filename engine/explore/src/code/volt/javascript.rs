//! JavaScript: the comparator's sections and metadata.

use serde_json::{Value, json};

use super::{
    Facts, Inner, Layout, Part, Section, Sheet,
    entry::{dashed, names_of, parameter_names, text, texts},
    fact::{is_exported, name},
    parts::{lines, section},
};
use crate::{
    disclosure::Marker,
    findings::grouped,
    selector::Item,
    symbol::{Symbol, SymbolKind},
};

/// Maximum number of entries in every list.
const CAP: usize = 15;

/// Kinds of methods, for selectors.
const METHOD_KINDS: &str = "method,constructor,getter,setter";

/// JavaScript's layout.
pub const LAYOUT: Layout = Layout {
    sections: &[
        Section::Lines(head),
        Section::Lines(structure),
        section("Built-in imports:", &[part("/imports?category=stdlib&distinct=path", dashed)]),
        section(
            "Third-party imports:",
            &[part("/imports?category=third_party,unknown&distinct=path", dashed)],
        ),
        section("Local imports:", &[part("/imports?category=local&distinct=path", dashed)]),
        section("React components:", &[part("/fields/react_components", component)]),
        section("Classes:", &[part("/symbols?kind=class", class)]),
        section("Functions:", &[part("/symbols?kind=function", function)]),
        section("Exports:", &[part("/fields/exports", export)]),
        section("Global variables:", &[part("/symbols?kind=variable", global)]),
    ],
    inner: &[
        Inner { section: "React components, hooks", cap: 3, marker: Marker::Comma },
        Inner { section: "Classes, methods", cap: 5, marker: Marker::Comma },
        Inner { section: "Functions, parameters", cap: 3, marker: Marker::Comma },
    ],
    facts: &[
        Facts {
            field: "classes",
            of: "/symbols?kind=class",
            keys: &[
                ("name", name),
                ("extends", |_, class| json!(class.bases.first())),
                ("methods", |sheet, class| json!(methods(sheet.members_inside(class, ".")))),
                ("is_exported", is_exported),
            ],
        },
        Facts {
            field: "functions",
            of: "/symbols?kind=function",
            keys: &[
                ("name", name),
                ("is_async", |_, function| json!(function.has_modifier("async"))),
                ("is_generator", |_, function| json!(function.has_idiom("generator"))),
                ("is_arrow", |_, function| json!(function.has_idiom("arrow"))),
                ("is_exported", is_exported),
                ("params", |_, function| json!(parameter_names(function))),
            ],
        },
        Facts {
            field: "global_variables",
            of: "/symbols?kind=variable",
            keys: &[
                ("name", name),
                ("kind", |_, global| json!(keyword(global))),
                ("has_value", |_, global| json!(global.has_idiom("initialised"))),
            ],
        },
    ],
};

const fn part(list: &'static str, show: fn(&mut Sheet, Item) -> Vec<String>) -> Part {
    lines(list, CAP, Marker::Counted, show)
}

fn head(sheet: &Sheet) -> Vec<String> {
    let mut lines = vec![format!("Format: JavaScript{}", sheet.bracketed("module_system"))];
    for (flag, text) in [
        ("has_use_strict", "Mode: Strict"),
        ("has_jsx", "Syntax: JSX"),
        ("is_react", "Framework: React"),
    ] {
        if sheet.flag(flag) {
            lines.push(text.to_owned());
        }
    }
    lines
}

fn structure(sheet: &Sheet) -> Vec<String> {
    let mut lines = vec!["Structure:".to_owned()];
    let globals = sheet.count("global_variable_count");
    for (field, title) in [
        ("line_count", "Lines"),
        ("import_count", "Imports"),
        ("export_count", "Exports"),
        ("class_count", "Classes"),
        ("function_count", "Functions"),
    ] {
        lines.push(format!("- {title}: {}", grouped(sheet.count(field))));
    }
    if globals > 0 {
        lines.push(format!("- Global variables: {}", grouped(globals)));
    }
    if sheet.flag("has_iife") {
        lines.push("- Contains IIFE patterns".to_owned());
    }
    lines
}

fn methods(members: Vec<&Symbol>) -> Vec<String> {
    use SymbolKind::{Constructor, Getter, Method, Setter};
    names_of(members, &[Method, Constructor, Getter, Setter])
}

fn keyword(symbol: &Symbol) -> &str {
    let is = |word: &&String| matches!(word.as_str(), "const" | "let" | "var");
    symbol.modifiers.iter().find(is).map_or("var", String::as_str)
}

fn component(sheet: &mut Sheet, item: Item) -> Vec<String> {
    let mut line = format!("- {} ({})", text(item, "name"), text(item, "type"));
    let hooks: Vec<String> = texts(item, "used_hooks").into_iter().map(str::to_owned).collect();
    if !hooks.is_empty() {
        let components = sheet.fields.get("react_components").and_then(Value::as_array);
        let index = components.and_then(|list| {
            list.iter().position(|one| item.value().is_some_and(|it| std::ptr::eq(it, one)))
        });
        let source = format!("/fields/react_components/{}/used_hooks", index.unwrap_or_default());
        let shown = sheet.inline("React components, hooks", &source, &hooks);
        line.push_str(&format!(" [hooks: {shown}]"));
    }
    vec![line]
}

fn class(sheet: &mut Sheet, item: Item) -> Vec<String> {
    let Some(class) = item.symbol() else { return Vec::new() };
    let mut text = format!("- {}", class.name);
    if let Some(base) = class.bases.first() {
        text.push_str(&format!(" extends {base}"));
    }
    if class.exported == Some(true) {
        text.push_str(" (exported)");
    }
    let methods = methods(sheet.members(class, "."));
    if !methods.is_empty() {
        let source = Sheet::selector(class, ".", METHOD_KINDS);
        let shown = sheet.inline("Classes, methods", &source, &methods);
        text.push_str(&format!(" - methods: {shown}"));
    }
    vec![text]
}

fn function(sheet: &mut Sheet, item: Item) -> Vec<String> {
    let Some(function) = item.symbol() else { return Vec::new() };
    let source = sheet.pointer(function, "params");
    let names = parameter_names(function);
    let params = sheet.inline("Functions, parameters", &source, &names);
    let flags: Vec<&str> = [
        (function.has_modifier("async"), "async"),
        (function.has_idiom("generator"), "generator"),
        (function.has_idiom("arrow"), "arrow"),
        (function.exported == Some(true), "exported"),
    ]
    .into_iter()
    .filter(|(is, _)| *is)
    .map(|(_, word)| word)
    .collect();
    let flags = if flags.is_empty() { String::new() } else { format!(" ({})", flags.join(", ")) };
    vec![format!("- {}({params}){flags}", function.name)]
}

fn export(_: &mut Sheet, item: Item) -> Vec<String> {
    let (name, source) = (text(item, "name"), text(item, "source"));
    vec![match text(item, "type") {
        "default" if name.is_empty() => "- default".to_owned(),
        "default" => format!("- default: {name}"),
        "all" => format!("- * (re-export) from \"{source}\""),
        "commonjs" => format!("- {name} (CommonJS)"),
        _ if source.is_empty() => format!("- {name}"),
        _ => format!("- {name} from \"{source}\""),
    }]
}

fn global(_: &mut Sheet, item: Item) -> Vec<String> {
    let Some(global) = item.symbol() else { return Vec::new() };
    vec![format!("- {} {}", keyword(global), global.name)]
}
