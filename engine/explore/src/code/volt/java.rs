//! Java: the comparator's sections and metadata.

use serde_json::json;

use super::{
    Facts, Inner, Layout, Section, Sheet,
    entry::{annotations, member_names, number, own_member_names, text, words},
    fact::{decorators, modifiers, name, params, return_type},
    parts::{inline, lines, section},
};
use crate::{
    disclosure::Marker,
    selector::Item,
    symbol::{Symbol, SymbolKind},
};

const CLASSES: &str = "/symbols?kind=class,record";
const INTERFACES: &str = "/symbols?kind=interface,annotation";
const ENUMS: &str = "/symbols?kind=enum";
const FIELDS: &str = "/symbols?kind=field&idioms!=enum_constant";

/// Java's layout.
pub const LAYOUT: Layout = Layout {
    sections: &[
        Section::Lines(|sheet| vec!["Format: Java Source".to_owned(), sheet.lines()]),
        Section::Lines(package),
        section(
            "Imports:",
            &[
                inline("  java.* ({n}): ", "/fields/imports/java", 3, Marker::Comma),
                inline("  javax.* ({n}): ", "/fields/imports/javax", 3, Marker::Comma),
                inline("  Third-party ({n}): ", "/fields/imports/third_party", 3, Marker::Comma),
                inline("  Project ({n}): ", "/fields/imports/project", 3, Marker::Comma),
            ],
        ),
        section("Classes:", &[lines(CLASSES, 10, Marker::CountedNoun("classes"), class)]),
        section("Interfaces:", &[lines(INTERFACES, 5, Marker::CountedNoun("interfaces"), class)]),
        section("Enums:", &[lines(ENUMS, 5, Marker::CountedNoun("enums"), enumeration)]),
        section(
            "Constructors:",
            &[lines("/symbols?kind=constructor", 5, Marker::CountedNoun("constructors"), method)],
        ),
        section(
            "Methods:",
            &[lines("/symbols?kind=method", 20, Marker::CountedNoun("methods"), method)],
        ),
        section("Fields:", &[lines(FIELDS, 15, Marker::CountedNoun("fields"), field)]),
        Section::Lines(entry_point),
        section(
            "Annotations used:",
            &[lines(
                "/fields/annotations",
                10,
                Marker::CountedNoun("annotation types"),
                annotation,
            )],
        ),
    ],
    inner: &[
        Inner { section: "Interfaces, methods", cap: 10, marker: Marker::Comma },
        Inner { section: "Enums, values", cap: 5, marker: Marker::Comma },
        Inner { section: "Methods, parameters", cap: 3, marker: Marker::Comma },
    ],
    facts: &[
        Facts {
            field: "classes",
            of: CLASSES,
            keys: &[
                ("name", name),
                ("modifiers", modifiers),
                ("extends", |_, symbol| json!(extends(symbol))),
                ("implements", |_, symbol| json!(implements(symbol))),
                ("is_abstract", |_, symbol| json!(symbol.has_modifier("abstract"))),
                ("is_final", |_, symbol| json!(symbol.has_modifier("final"))),
                ("is_static", |_, symbol| json!(symbol.has_modifier("static"))),
                ("annotations", decorators),
                ("is_inner", |_, symbol| json!(symbol.parent.is_some())),
            ],
        },
        Facts {
            field: "interfaces",
            of: INTERFACES,
            keys: &[
                ("name", name),
                ("modifiers", modifiers),
                ("extends", |_, symbol| json!(symbol.bases)),
                ("annotations", decorators),
                ("methods", |sheet, symbol| {
                    json!(own_member_names(sheet, symbol, &[SymbolKind::Method]))
                }),
            ],
        },
        Facts {
            field: "enums",
            of: ENUMS,
            keys: &[
                ("name", name),
                ("modifiers", modifiers),
                ("values", |sheet, symbol| json!(values(sheet.members_inside(symbol, ".")))),
                ("annotations", decorators),
                ("implements", |_, symbol| json!(symbol.bases)),
            ],
        },
        Facts {
            field: "methods",
            of: "/symbols?kind=method,constructor",
            keys: &[
                ("name", name),
                ("modifiers", modifiers),
                ("return_type", return_type),
                ("parameters", params),
                ("throws", |_, symbol| json!(throws(symbol))),
                ("annotations", decorators),
                ("is_constructor", |_, symbol| json!(symbol.kind == SymbolKind::Constructor)),
            ],
        },
        Facts {
            field: "fields",
            of: FIELDS,
            keys: &[
                ("name", name),
                ("type", return_type),
                ("modifiers", modifiers),
                ("annotations", decorators),
            ],
        },
    ],
};

fn package(sheet: &Sheet) -> Vec<String> {
    match sheet.word("package_name") {
        "" => Vec::new(),
        package => vec![format!("Package: {package}")],
    }
}

fn entry_point(sheet: &Sheet) -> Vec<String> {
    let text = "Entry point: public static void main(String[] args)";
    if sheet.flag("has_main") { vec![text.to_owned()] } else { Vec::new() }
}

fn annotation(_: &mut Sheet, item: Item) -> Vec<String> {
    vec![format!("@{} ({}x)", text(item, "name"), number(item, "count"))]
}

/// The superclass: the first base of a class.
fn extends(symbol: &Symbol) -> Option<&String> {
    symbol.bases.first().filter(|_| symbol.has_idiom("subclass"))
}

fn implements(symbol: &Symbol) -> &[String] {
    symbol.bases.get(usize::from(symbol.has_idiom("subclass"))..).unwrap_or_default()
}

fn throws(symbol: &Symbol) -> Vec<&str> {
    symbol.idioms.iter().filter_map(|idiom| idiom.strip_prefix("throws ")).collect()
}

fn values(members: Vec<&Symbol>) -> Vec<String> {
    let members = members.into_iter().filter(|one| one.has_idiom("enum_constant"));
    members.map(|one| one.name.clone()).collect()
}

fn class(sheet: &mut Sheet, item: Item) -> Vec<String> {
    let Some(symbol) = item.symbol() else { return Vec::new() };
    let interface = matches!(symbol.kind, SymbolKind::Interface | SymbolKind::Annotation);
    let mut line = words(&symbol.modifiers);
    line.push_str(&format!("{} {}", symbol.kind.as_str(), symbol.name));
    let extends = if interface {
        symbol.bases.join(", ")
    } else {
        extends(symbol).cloned().unwrap_or_default()
    };
    if !extends.is_empty() {
        line.push_str(&format!(" extends {extends}"));
    }
    if !interface && !implements(symbol).is_empty() {
        line.push_str(&format!(" implements {}", implements(symbol).join(", ")));
    }
    if interface {
        let methods: Vec<String> = member_names(sheet, symbol, &[SymbolKind::Method])
            .into_iter()
            .map(|name| format!("{name}()"))
            .collect();
        let source = Sheet::selector(symbol, ".", "method");
        let methods = sheet.inline("Interfaces, methods", &source, &methods);
        line.push_str(&format!(" {{ {methods} }}"));
    } else if symbol.parent.is_some() {
        line.push_str(" (inner)");
    }
    line.push_str(&annotations(symbol));
    vec![line]
}

fn enumeration(sheet: &mut Sheet, item: Item) -> Vec<String> {
    let Some(symbol) = item.symbol() else { return Vec::new() };
    let values = values(sheet.members(symbol, "."));
    let source = format!("{}&idioms=enum_constant", Sheet::selector(symbol, ".", "field"));
    let values = sheet.inline("Enums, values", &source, &values);
    vec![format!("{}enum {} {{ {values} }}", words(&symbol.modifiers), symbol.name)]
}

fn method(sheet: &mut Sheet, item: Item) -> Vec<String> {
    let Some(symbol) = item.symbol() else { return Vec::new() };
    let source = sheet.pointer(symbol, "params");
    let params = sheet.inline("Methods, parameters", &source, &symbol.params);
    let returned = symbol.return_type.as_ref().map(|kept| format!("{kept} ")).unwrap_or_default();
    let mut line = format!("{}{returned}{}({params})", words(&symbol.modifiers), symbol.name);
    let throws = throws(symbol);
    if !throws.is_empty() {
        line.push_str(&format!(" throws {}", throws.join(", ")));
    }
    line.push_str(&annotations(symbol));
    vec![line]
}

fn field(_: &mut Sheet, item: Item) -> Vec<String> {
    let Some(symbol) = item.symbol() else { return Vec::new() };
    let kept = symbol.return_type.as_deref().unwrap_or_default();
    vec![format!("{}{kept} {}{}", words(&symbol.modifiers), symbol.name, annotations(symbol))]
}
