//! Go: the comparator's sections and metadata.

use serde_json::json;

use super::{
    Facts, Layout, Part, Section, Sheet,
    entry::{dashed, line},
    fact::{is_exported, name},
    parts::{lines, section, titled_lines},
};
use crate::{
    disclosure::Marker,
    selector::Item,
    symbol::{Symbol, SymbolKind},
};

/// Go's layout.
pub const LAYOUT: Layout = Layout {
    sections: &[
        Section::Lines(head),
        section(
            "Build Constraints:",
            &[lines("/fields/build_constraints", usize::MAX, Marker::Counted, line)],
        ),
        section(
            "Imports ({n}):",
            &[
                imports("  Standard library ({n}):", "/imports?category=stdlib"),
                imports("  Third-party ({n}):", "/imports?category=third_party,unknown"),
                imports("  Local ({n}):", "/imports?category=local"),
            ],
        ),
        section("Types ({n}):", &[lines(TYPES, 20, Marker::Counted, type_line)]),
        section(
            "Functions ({n}):",
            &[
                titled_lines("  Standalone:", "/symbols?kind=function", 15, function),
                titled_lines("  Methods:", METHODS, 15, function),
            ],
        ),
        section(
            "Globals ({n}):",
            &[
                titled_lines("  Constants ({n}):", "/symbols?kind=constant", 10, global),
                titled_lines("  Variables ({n}):", "/symbols?kind=variable", 10, global),
            ],
        ),
        Section::Lines(special),
    ],
    inner: &[],
    facts: &[
        Facts {
            field: "types",
            of: TYPES,
            keys: &[
                ("name", name),
                ("kind", |_, symbol| json!(shape(symbol))),
                ("exported", is_exported),
                ("member_count", |sheet, symbol| json!(member_count(sheet, symbol))),
            ],
        },
        Facts {
            field: "functions",
            of: "/symbols?kind=function,method&idioms!=interface_method",
            keys: &[
                ("name", name),
                ("receiver", |_, symbol| json!(receiver(symbol))),
                ("params", |_, symbol| json!(types(symbol))),
                ("returns", |_, symbol| json!(returns(symbol))),
                ("exported", is_exported),
            ],
        },
        Facts {
            field: "globals",
            of: "/symbols?kind=constant,variable",
            keys: &[
                ("name", name),
                ("kind", |_, symbol| {
                    json!(if symbol.kind == SymbolKind::Constant { "const" } else { "var" })
                }),
                ("exported", is_exported),
            ],
        },
    ],
};

const TYPES: &str = "/symbols?kind=struct,interface,type";
const METHODS: &str = "/symbols?kind=method&idioms!=interface_method";

const fn imports(title: &'static str, list: &'static str) -> Part {
    titled_lines(title, list, 10, dashed)
}

fn head(sheet: &Sheet) -> Vec<String> {
    vec!["Format: Go".to_owned(), format!("Package: {}", sheet.word("package_name")), sheet.lines()]
}

fn special(sheet: &Sheet) -> Vec<String> {
    let mut facts = Vec::new();
    if sheet.flag("has_main") {
        facts.push("main()".to_owned());
    }
    let (inits, exports) = (sheet.count("init_count"), sheet.count("exports"));
    if inits > 0 {
        facts.push(format!("{inits} init()"));
    }
    if exports > 0 {
        facts.push(format!("{exports} exports"));
    }
    if facts.is_empty() { facts } else { vec![format!("Special: {}", facts.join(", "))] }
}

const fn shape(symbol: &Symbol) -> &'static str {
    match symbol.kind {
        SymbolKind::Struct => "struct",
        SymbolKind::Interface => "interface",
        _ => "other",
    }
}

fn member_count(sheet: &Sheet, symbol: &Symbol) -> Option<usize> {
    let kind = match symbol.kind {
        SymbolKind::Struct => SymbolKind::Field,
        SymbolKind::Interface => SymbolKind::Method,
        _ => return None,
    };
    let named = sheet.members_inside(symbol, ".").iter().filter(|one| one.kind == kind).count();
    // Methods of a struct are declared outside it; those of an interface are its members.
    Some(named + symbol.bases.len())
}

fn type_line(sheet: &mut Sheet, item: Item) -> Vec<String> {
    let Some(symbol) = item.symbol() else { return Vec::new() };
    let kind = if symbol.has_idiom("alias") { "alias" } else { shape(symbol) };
    let mut text = format!("- {}: {kind}", symbol.name);
    if let Some(count) = member_count(sheet, symbol) {
        text.push_str(&format!(" [{count} members]"));
    }
    vec![text + suffix(symbol)]
}

fn function(_: &mut Sheet, item: Item) -> Vec<String> {
    let Some(symbol) = item.symbol() else { return Vec::new() };
    let mut text = String::from("- ");
    if let Some(receiver) = receiver(symbol) {
        text.push_str(&format!("({receiver}) "));
    }
    text.push_str(&format!("{}({})", symbol.name, types(symbol).join(", ")));
    let returns = returns(symbol);
    if !returns.is_empty() {
        text.push_str(&format!(" -> {}", returns.join(", ")));
    }
    vec![text + suffix(symbol)]
}

fn global(_: &mut Sheet, item: Item) -> Vec<String> {
    let Some(symbol) = item.symbol() else { return Vec::new() };
    vec![format!("- {}{}", symbol.name, suffix(symbol))]
}

fn suffix(symbol: &Symbol) -> &'static str {
    if symbol.exported == Some(true) { " (exported)" } else { "" }
}

fn receiver(symbol: &Symbol) -> Option<String> {
    let star = if symbol.has_idiom("pointer_receiver") { "*" } else { "" };
    symbol.parent.as_ref().map(|parent| format!("{star}{parent}"))
}

/// The types of the parameters, one for each name.
fn types(symbol: &Symbol) -> Vec<String> {
    symbol.params.iter().flat_map(|text| typed(text)).collect()
}

fn returns(symbol: &Symbol) -> Vec<String> {
    let Some(text) = &symbol.return_type else { return Vec::new() };
    let Some(inner) = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) else {
        return vec![text.clone()];
    };
    // `a, b int` is split at its commas: a name alone has the type of the next entry.
    let parts: Vec<&str> = split(inner);
    if parts.iter().all(|part| named_type(part).is_none()) {
        return parts.into_iter().map(str::to_owned).collect();
    }
    let mut types: Vec<String> = Vec::new();
    let mut last = "";
    for part in parts.into_iter().rev() {
        last = named_type(part).unwrap_or(last);
        types.push(last.to_owned());
    }
    types.reverse();
    types
}

/// The types in one parameter declaration: `a, b string` has two.
fn typed(text: &str) -> Vec<String> {
    let parts = split(text);
    match parts.last().and_then(|last| named_type(last)) {
        Some(of) => vec![of.to_owned(); parts.len()],
        None => vec![text.to_owned()],
    }
}

/// The type in `name type`; `None` if there is no name.
fn named_type(text: &str) -> Option<&str> {
    let (name, of) = text.split_once(' ')?;
    let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '_');
    let is_type = matches!(name, "func" | "chan" | "map" | "struct" | "interface");
    (is_name && !is_type && !name.is_empty()).then_some(of)
}

/// The parts between commas outside brackets.
fn split(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0_i32, 0);
    for (at, character) in text.char_indices() {
        match character {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text.get(start..at).unwrap_or_default().trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    let rest = text.get(start..).unwrap_or_default().trim();
    if !rest.is_empty() {
        parts.push(rest);
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::typed;

    #[test]
    fn parameters_give_their_types() {
        assert_eq!(typed("a, b string"), ["string", "string"]);
        assert_eq!(typed("f func(a int, b int) bool"), ["func(a int, b int) bool"]);
        assert_eq!(typed("map[string]int"), ["map[string]int"]);
        assert_eq!(typed("c ...string"), ["...string"]);
        assert_eq!(typed("chan int"), ["chan int"]);
    }
}
