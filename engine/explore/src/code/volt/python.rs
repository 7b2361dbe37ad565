//! Python: the comparator's sections and metadata.

use serde_json::json;

use super::{
    Facts, Layout, Part, Section, Sheet,
    entry::decorator_names,
    fact::name,
    parts::{inline, lines, section},
};
use crate::{
    disclosure::Marker,
    findings::cut,
    selector::Item,
    symbol::{Symbol, SymbolKind},
};

/// Longest documentation line, in characters.
const DOC: usize = 100;

/// Python's layout.
pub const LAYOUT: Layout = Layout {
    sections: &[
        Section::Lines(head),
        Section::Lines(description),
        section(
            "Imports:",
            &[
                imports("  Built-in ({n}): ", "/imports?category=stdlib&distinct=path"),
                imports(
                    "  Third-party ({n}): ",
                    "/imports?category=third_party,unknown&distinct=path",
                ),
                imports("  Local ({n}): ", "/imports?category=local&distinct=path"),
            ],
        ),
        section(
            "Classes ({n}):",
            &[lines("/symbols?kind=class", 20, Marker::CountedNoun("classes"), class)],
        ),
        section(
            "Functions ({n}):",
            &[lines("/symbols?kind=function", 20, Marker::CountedNoun("functions"), function)],
        ),
        section("Constants ({n}):", &[named("/symbols?kind=variable&parent=&idioms=constant", 15)]),
        section(
            "Global Variables ({n}):",
            &[named("/symbols?kind=variable&parent=&idioms!=constant", 15)],
        ),
        section("Exports (__all__):", &[named("/fields/exports", 20)]),
        Section::Lines(features),
    ],
    inner: &[],
    facts: &[
        Facts {
            field: "classes",
            of: "/symbols?kind=class",
            keys: &[
                ("name", name),
                ("base_classes", |_, class| json!(class.bases)),
                ("decorators", |_, class| json!(class.decorators)),
                ("method_count", |sheet, class| json!(methods(sheet, class))),
                ("docstring", |_, class| json!(class.doc)),
                ("is_dataclass", |_, class| json!(class.has_idiom("dataclass"))),
                ("is_abstract", |_, class| json!(class.has_idiom("abstract"))),
            ],
        },
        Facts {
            field: "functions",
            of: "/symbols?kind=function",
            keys: &[
                ("name", name),
                ("decorators", |_, function| json!(function.decorators)),
                ("parameters", |_, function| json!(parameters(function))),
                ("return_type", |_, function| json!(function.return_type)),
                ("docstring", |_, function| json!(function.doc)),
                ("is_async", |_, function| json!(function.has_modifier("async"))),
                ("is_generator", |_, function| json!(function.has_idiom("generator"))),
            ],
        },
        Facts {
            field: "globals",
            of: "/symbols?kind=variable&parent=",
            keys: &[
                ("name", name),
                ("has_type_annotation", |_, global| json!(global.return_type.is_some())),
                ("is_constant", |_, global| json!(global.has_idiom("constant"))),
            ],
        },
    ],
};

const fn imports(title: &'static str, list: &'static str) -> Part {
    inline(title, list, 10, Marker::Comma)
}

const fn named(list: &'static str, cap: usize) -> Part {
    inline("  ", list, cap, Marker::Comma)
}

fn head(sheet: &Sheet) -> Vec<String> {
    let stub = sheet.flag("is_stub_file");
    let mut lines = vec![format!("Format: {}", if stub { "Python Stub (.pyi)" } else { "Python" })];
    let version = sheet.word("python_version");
    if !version.is_empty() {
        lines.push(format!("Python Version: {version}"));
    }
    lines.push(sheet.lines());
    lines
}

fn description(sheet: &Sheet) -> Vec<String> {
    match sheet.word("module_docstring").lines().next() {
        Some(first) => vec!["Module Description:".to_owned(), format!("  {}", cut(first, DOC))],
        None => Vec::new(),
    }
}

fn features(sheet: &Sheet) -> Vec<String> {
    let features: Vec<&str> = [
        ("has_main", "has main block"),
        ("uses_typing", "uses type hints"),
        ("is_stub_file", "stub file"),
    ]
    .into_iter()
    .filter(|(flag, _)| sheet.flag(flag))
    .map(|(_, text)| text)
    .collect();
    if features.is_empty() {
        Vec::new()
    } else {
        vec![format!("Features: {}", features.join(", "))]
    }
}

fn class(sheet: &mut Sheet, item: Item) -> Vec<String> {
    let Some(class) = item.symbol() else { return Vec::new() };
    let mut line = format!("{}{}", decorators(class), class.name);
    if !class.bases.is_empty() {
        line.push_str(&format!("({})", class.bases.join(", ")));
    }
    let flags: Vec<&str> =
        ["dataclass", "abstract"].into_iter().filter(|word| class.has_idiom(word)).collect();
    if !flags.is_empty() {
        line.push_str(&format!(" [{}]", flags.join(", ")));
    }
    line.push_str(&format!(" - {} methods", methods(sheet, class)));
    documented(line, class)
}

fn function(_: &mut Sheet, item: Item) -> Vec<String> {
    let Some(function) = item.symbol() else { return Vec::new() };
    let mut line = decorators(function);
    if function.has_modifier("async") {
        line.push_str("async ");
    }
    line.push_str(&format!("{}({})", function.name, parameters(function).join(", ")));
    if let Some(returned) = &function.return_type {
        line.push_str(&format!(" -> {returned}"));
    }
    if function.has_idiom("generator") {
        line.push_str(" (generator)");
    }
    documented(line, function)
}

/// Decorators by name, followed by a space.
fn decorators(symbol: &Symbol) -> String {
    if symbol.decorators.is_empty() {
        String::new()
    } else {
        format!("{} ", decorator_names(symbol))
    }
}

fn documented(line: String, symbol: &Symbol) -> Vec<String> {
    let mut lines = vec![line];
    if let Some(doc) = symbol.doc.as_deref().and_then(|doc| doc.lines().next()) {
        lines.push(format!("  \"{}\"", cut(doc, DOC)));
    }
    lines
}

fn methods(sheet: &Sheet, class: &Symbol) -> usize {
    sheet.members_inside(class, ".").iter().filter(|one| one.kind == SymbolKind::Method).count()
}

/// Names of parameters; a bare `*` is left out.
fn parameters(function: &Symbol) -> Vec<String> {
    let name = |text: &String| {
        let end = text.find([':', '=']).unwrap_or(text.len());
        text.get(..end).unwrap_or_default().trim().to_owned()
    };
    function.params.iter().map(name).filter(|name| name != "*").collect()
}
