//! Tcl: the comparator's sections and metadata.

use serde_json::json;

use super::{Facts, Form, Layout, Part, Section, Sheet};
use crate::{
    disclosure::Marker,
    findings::{cut, grouped},
    selector::Item,
};

/// Longest path, in characters.
const WIDTH: usize = 50;
/// Most entries of each list; widgets have no cap.
const CAP: usize = 15;

/// Tcl's layout.
pub const LAYOUT: Layout = Layout {
    sections: &[
        Section::Lines(head),
        Section::Lines(structure),
        list("Required packages:", &[part("/imports?category!=local", path)]),
        list("Sourced files:", &[part("/imports?category=local", path)]),
        list("Namespaces:", &[part("/symbols?kind=namespace", name)]),
        list("Procedures:", &[part("/symbols?kind=function", procedure)]),
        list("Exported procedures:", &[part("/fields/exported", name)]),
        list("Classes:", &[part("/symbols?kind=class", noted)]),
        list("Variables:", &[part("/symbols?kind=variable", noted)]),
        list(
            "Tk widgets used:",
            &[Part {
                title: "  ",
                list: "/fields/tk_widgets",
                cap: usize::MAX,
                marker: Marker::Counted,
                form: Form::Line(word),
            }],
        ),
    ],
    inner: &[],
    facts: &[
        Facts {
            field: "procs",
            of: "/symbols?kind=function",
            keys: &[
                ("name", |_, symbol| json!(symbol.name)),
                ("args", |_, symbol| json!(symbol.params)),
                ("namespace", |_, symbol| json!(symbol.parent)),
                ("line_number", |_, symbol| json!(symbol.line)),
            ],
        },
        Facts {
            field: "namespaces",
            of: "/symbols?kind=namespace",
            keys: &[
                ("name", |_, symbol| json!(symbol.name)),
                ("line_number", |_, symbol| json!(symbol.line)),
            ],
        },
        Facts {
            field: "variables",
            of: "/symbols?kind=variable",
            keys: &[
                ("name", |_, symbol| json!(symbol.name)),
                ("type", |_, symbol| {
                    json!(symbol.modifiers.first().map_or("variable", String::as_str))
                }),
                ("line_number", |_, symbol| json!(symbol.line)),
            ],
        },
        Facts {
            field: "classes",
            of: "/symbols?kind=class",
            keys: &[
                ("name", |_, symbol| json!(symbol.name)),
                ("type", |_, symbol| json!(symbol.modifiers.first())),
                ("line_number", |_, symbol| json!(symbol.line)),
            ],
        },
    ],
};

const fn list(title: &'static str, lists: &'static [Part]) -> Section {
    Section::Lists { title, lists }
}

const fn part(list: &'static str, show: fn(&mut Sheet, Item) -> Vec<String>) -> Part {
    Part { title: "", list, cap: CAP, marker: Marker::Counted, form: Form::Lines("  ", show) }
}

fn head(sheet: &Sheet) -> Vec<String> {
    let tk = if sheet.flag("has_tk") { "/Tk" } else { "" };
    let oo = if sheet.flag("has_oo") { " (OO)" } else { "" };
    vec![format!("Format: Tcl{tk}{oo}")]
}

fn structure(sheet: &Sheet) -> Vec<String> {
    let of =
        |kind: &str| sheet.symbols.iter().filter(|symbol| symbol.kind.as_str() == kind).count();
    let mut lines = vec![
        "Structure:".to_owned(),
        format!("- {}", sheet.lines()),
        format!("- Comments: {}", grouped(sheet.count("comment_count"))),
        format!("- Procedures: {}", grouped(of("function"))),
        format!("- Namespaces: {}", grouped(of("namespace"))),
    ];
    if of("variable") > 0 {
        lines.push(format!("- Variables: {}", grouped(of("variable"))));
    }
    if sheet.flag("has_main_code") {
        lines.push("- Has main execution code: yes".to_owned());
    }
    lines
}

fn word(item: Item) -> String {
    match item {
        Item::Symbol(symbol) => symbol.name.clone(),
        Item::Import(import) => cut(&import.path, WIDTH),
        Item::Value(value) => value.as_str().unwrap_or_default().to_owned(),
    }
}

fn path(_: &mut Sheet, item: Item) -> Vec<String> {
    vec![format!("- {}", word(item))]
}

fn name(_: &mut Sheet, item: Item) -> Vec<String> {
    vec![format!("- {}", word(item))]
}

fn procedure(_: &mut Sheet, item: Item) -> Vec<String> {
    let line = item.symbol().map(|symbol| {
        let space = symbol.parent.as_ref().map(|space| format!("{space}::")).unwrap_or_default();
        format!("- {space}{} {{{}}}", symbol.name, symbol.params.join(" "))
    });
    line.into_iter().collect()
}

/// A name with what kind of class or variable it is.
fn noted(_: &mut Sheet, item: Item) -> Vec<String> {
    let line = item.symbol().map(|symbol| {
        let note = symbol.modifiers.first().map_or("variable", String::as_str);
        format!("- {} ({note})", symbol.name)
    });
    line.into_iter().collect()
}
