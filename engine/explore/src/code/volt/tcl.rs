//! Tcl: the comparator's sections and metadata.

use serde_json::json;

use super::{
    Facts, Layout, Part, Section, Sheet,
    entry::{dashed, word},
    fact::{name, params},
    parts::{inline, lines, section},
};
use crate::{
    disclosure::Marker,
    findings::{cut, grouped},
    selector::Item,
};

/// Longest path, in characters.
const WIDTH: usize = 50;
/// Maximum number of entries in each list; the list of widgets has no cap.
const CAP: usize = 15;

/// Tcl's layout.
pub const LAYOUT: Layout = Layout {
    sections: &[
        Section::Lines(head),
        Section::Lines(structure),
        section("Required packages:", &[part("/imports?category!=local", path)]),
        section("Sourced files:", &[part("/imports?category=local", path)]),
        section("Namespaces:", &[part("/symbols?kind=namespace", dashed)]),
        section("Procedures:", &[part("/symbols?kind=function", procedure)]),
        section("Exported procedures:", &[part("/fields/exported", dashed)]),
        section("Classes:", &[part("/symbols?kind=class", noted)]),
        section("Variables:", &[part("/symbols?kind=variable", noted)]),
        section(
            "Tk widgets used:",
            &[inline("  ", "/fields/tk_widgets", usize::MAX, Marker::Counted)],
        ),
    ],
    inner: &[],
    facts: &[
        Facts {
            field: "procs",
            of: "/symbols?kind=function",
            keys: &[
                ("name", name),
                ("args", params),
                ("namespace", |_, symbol| json!(symbol.parent)),
                ("line_number", |_, symbol| json!(symbol.line)),
            ],
        },
        Facts {
            field: "namespaces",
            of: "/symbols?kind=namespace",
            keys: &[("name", name), ("line_number", |_, symbol| json!(symbol.line))],
        },
        Facts {
            field: "variables",
            of: "/symbols?kind=variable",
            keys: &[
                ("name", name),
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
                ("name", name),
                ("type", |_, symbol| json!(symbol.modifiers.first())),
                ("line_number", |_, symbol| json!(symbol.line)),
            ],
        },
    ],
};

const fn part(list: &'static str, show: fn(&mut Sheet, Item) -> Vec<String>) -> Part {
    lines(list, CAP, Marker::Counted, show)
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

fn path(_: &mut Sheet, item: Item) -> Vec<String> {
    vec![format!("- {}", cut(&word(item), WIDTH))]
}

fn procedure(_: &mut Sheet, item: Item) -> Vec<String> {
    let line = item.symbol().map(|symbol| {
        let space = symbol.parent.as_ref().map(|space| format!("{space}::")).unwrap_or_default();
        format!("- {space}{} {{{}}}", symbol.name, symbol.params.join(" "))
    });
    line.into_iter().collect()
}

/// A name with the kind of its class or variable.
fn noted(_: &mut Sheet, item: Item) -> Vec<String> {
    let line = item.symbol().map(|symbol| {
        let note = symbol.modifiers.first().map_or("variable", String::as_str);
        format!("- {} ({note})", symbol.name)
    });
    line.into_iter().collect()
}
