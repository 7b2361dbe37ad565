//! Objective-C: the comparator's sections.

use super::{
    Layout, Part, Section, Sheet,
    entry::{dashed, number, text, texts},
    parts::{lines, section, titled_lines},
};
use crate::{disclosure::Marker, selector::Item, symbol::SymbolKind};

/// Objective-C's layout.
pub const LAYOUT: Layout = Layout {
    sections: &[
        Section::Lines(head),
        Section::Lines(imports),
        section("", &[titled_lines("  Local: {n} imports", "/imports?category=local", 5, dashed)]),
        section(
            "Interfaces:",
            &[lines(
                "/symbols?kind=class,extension",
                10,
                Marker::CountedNoun("interfaces"),
                interface,
            )],
        ),
        section(
            "Categories:",
            &[lines("/symbols?kind=category", 10, Marker::CountedNoun("categories"), category)],
        ),
        section(
            "Protocols:",
            &[lines("/symbols?kind=protocol", 10, Marker::CountedNoun("protocols"), protocol)],
        ),
        section(
            "Implementations:",
            &[lines(
                "/symbols?kind=impl",
                10,
                Marker::CountedNoun("implementations"),
                implementation,
            )],
        ),
        section(
            "Properties: {n}",
            &[lines("/symbols?kind=property", 10, Marker::CountedNoun("properties"), property)],
        ),
        section(
            "Methods: {n}",
            &[
                methods("  Class methods (+): {n}", "/symbols?kind=singleton_method", 5),
                methods("  Instance methods (-): {n}", "/symbols?kind=method", 10),
            ],
        ),
        section(
            "Property Synthesis:",
            &[lines("/fields/synthesize_directives", usize::MAX, Marker::Counted, synthesis)],
        ),
        Section::Lines(entry),
    ],
    inner: &[],
    facts: &[],
};

const fn methods(title: &'static str, list: &'static str, cap: usize) -> Part {
    titled_lines(title, list, cap, method)
}

fn head(sheet: &Sheet) -> Vec<String> {
    let kind = if sheet.flag("is_objc_plus_plus") {
        "Objective-C++"
    } else if sheet.flag("is_header") {
        "Objective-C Header"
    } else {
        "Objective-C Source"
    };
    vec![format!("Format: {kind}"), sheet.lines()]
}

/// Numbers of imports by framework; only local imports are listed by name.
fn imports(sheet: &Sheet) -> Vec<String> {
    if sheet.imports.is_empty() {
        return Vec::new();
    }
    let mut lines = vec!["Imports:".to_owned()];
    let others = ["Foundation", "UIKit", "AppKit"];
    let framework = |path: &str| path.split(['/', '.']).next().unwrap_or_default().to_owned();
    let local = |one: &crate::Import| one.category == crate::ImportCategory::Local;
    for name in others {
        let count = sheet.imports.iter().filter(|one| framework(&one.path) == name).count();
        if count > 0 {
            lines.push(format!("  {name}: {count} imports"));
        }
    }
    let rest = sheet
        .imports
        .iter()
        .filter(|one| !local(one) && !others.contains(&framework(&one.path).as_str()))
        .count();
    if rest > 0 {
        lines.push(format!("  Other frameworks: {rest} imports"));
    }
    lines
}

fn interface(_: &mut Sheet, item: Item) -> Vec<String> {
    let Some(symbol) = item.symbol() else { return Vec::new() };
    let mut line = format!("@interface {}", symbol.name);
    if symbol.kind == SymbolKind::Extension {
        line.push_str(" ()");
    }
    if let Some(base) = symbol.bases.first() {
        line.push_str(&format!(" : {base}"));
    }
    if !symbol.decorators.is_empty() {
        line.push_str(&format!(" <{}>", symbol.decorators.join(", ")));
    }
    vec![format!("{line} (line {})", symbol.line)]
}

fn category(_: &mut Sheet, item: Item) -> Vec<String> {
    let Some(symbol) = item.symbol() else { return Vec::new() };
    let class = symbol.bases.first().map(String::as_str).unwrap_or_default();
    vec![format!("@interface {class} ({}) (line {})", symbol.name, symbol.line)]
}

fn protocol(sheet: &mut Sheet, item: Item) -> Vec<String> {
    let Some(symbol) = item.symbol() else { return Vec::new() };
    let is_method =
        |kind: SymbolKind| matches!(kind, SymbolKind::Method | SymbolKind::SingletonMethod);
    let members = sheet.members_inside(symbol, ".");
    let count = members.iter().filter(|member| is_method(member.kind)).count();
    vec![format!("@protocol {} ({count} methods) (line {})", symbol.name, symbol.line)]
}

fn implementation(_: &mut Sheet, item: Item) -> Vec<String> {
    let Some(symbol) = item.symbol() else { return Vec::new() };
    let category = symbol
        .idioms
        .iter()
        .find_map(|idiom| idiom.strip_prefix("category "))
        .map(|name| format!(" ({name})"))
        .unwrap_or_default();
    vec![format!("@implementation {}{category} (line {})", symbol.name, symbol.line)]
}

fn property(_: &mut Sheet, item: Item) -> Vec<String> {
    let Some(symbol) = item.symbol() else { return Vec::new() };
    let attributes = if symbol.decorators.is_empty() {
        String::new()
    } else {
        format!("({}) ", symbol.decorators.join(", "))
    };
    let of = symbol.return_type.as_deref().unwrap_or_default();
    vec![format!("@property {attributes}{of} {} (line {})", symbol.name, symbol.line)]
}

fn method(_: &mut Sheet, item: Item) -> Vec<String> {
    let Some(symbol) = item.symbol() else { return Vec::new() };
    let sign = if symbol.kind == SymbolKind::SingletonMethod { "+" } else { "-" };
    let returned = symbol.return_type.as_deref().unwrap_or("id");
    vec![format!("{sign} ({returned}){} (line {})", symbol.name, symbol.line)]
}

fn synthesis(_: &mut Sheet, item: Item) -> Vec<String> {
    let names = texts(item, "properties").join(", ");
    vec![format!("@{} {names} (line {})", text(item, "type"), number(item, "line"))]
}

fn entry(sheet: &Sheet) -> Vec<String> {
    if sheet.flag("has_main") {
        vec!["Entry Point: main() function present".to_owned()]
    } else {
        Vec::new()
    }
}
