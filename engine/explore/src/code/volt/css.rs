//! CSS and SCSS: the comparator's sections.

use serde_json::Value;

use super::{
    Layout, Part, Section, Sheet,
    entry::{number, text},
    parts::{lines, section},
};
use crate::{
    disclosure::Marker,
    findings::{cut, grouped},
    selector::Item,
};

/// Longest entry, in characters.
const WIDTH: usize = 60;
/// Maximum number of entries in each list.
const CAP: usize = 10;

/// The layout of both.
pub const LAYOUT: Layout = Layout {
    sections: &[
        Section::Lines(head),
        Section::Lines(structure),
        Section::Lines(selectors),
        Section::Lines(features),
        section("Imports:", &[part("/imports", "imports", import)]),
        section(
            "CSS Variables (sample):",
            &[part("/symbols?kind=variable", "variables", variable)],
        ),
        section("Media Queries:", &[part("/fields/media_queries", "media queries", media)]),
        section("Keyframe Animations:", &[part("/fields/keyframes", "animations", keyframes)]),
        section("Font Faces:", &[part("/fields/font_faces", "font faces", font)]),
        section(
            "Mixins/Functions:",
            &[part("/symbols?kind=mixin,function", "mixins/functions", callable)],
        ),
    ],
    inner: &[],
    facts: &[],
};

const fn part(
    list: &'static str,
    noun: &'static str,
    show: fn(&mut Sheet, Item) -> Vec<String>,
) -> Part {
    lines(list, CAP, Marker::CountedNoun(noun), show)
}

fn head(sheet: &Sheet) -> Vec<String> {
    let format = match sheet.word("preprocessor") {
        "scss" => "SCSS (Sassy CSS)",
        "sass" => "Sass (indented syntax)",
        "less" => "LESS",
        "stylus" => "Stylus",
        _ => "CSS",
    };
    vec![format!("Format: {format}")]
}

fn structure(sheet: &Sheet) -> Vec<String> {
    vec![
        "Structure:".to_owned(),
        format!("- {}", sheet.lines()),
        format!("- Rules: {}", grouped(sheet.count("rule_count"))),
        format!("- Imports: {}", grouped(sheet.imports.len())),
    ]
}

fn selectors(sheet: &Sheet) -> Vec<String> {
    let counts = sheet.fields.get("selector_counts");
    let count =
        |key: &str| counts.and_then(|counts| counts.get(key)).and_then(Value::as_u64).unwrap_or(0);
    let mut lines = vec!["Selectors:".to_owned()];
    for (title, key) in [
        ("Total", "total"),
        ("Classes", "class"),
        ("IDs", "id"),
        ("Elements", "element"),
        ("Attributes", "attribute"),
        ("Pseudo", "pseudo"),
    ] {
        lines.push(format!("- {title}: {}", grouped(count(key))));
    }
    lines
}

fn features(sheet: &Sheet) -> Vec<String> {
    let of = |kind: &str| {
        sheet.symbols.iter().filter(|symbol| symbol.kind.as_str() == kind).count() as u64
    };
    let mut lines = vec![
        "Features:".to_owned(),
        format!("- CSS Variables: {}", grouped(of("variable"))),
        format!("- Media Queries: {}", grouped(sheet.count("media_queries"))),
        format!("- Keyframe Animations: {}", grouped(sheet.count("keyframes"))),
        format!("- Font Faces: {}", grouped(sheet.count("font_faces"))),
    ];
    for (title, kind) in [("Mixins", "mixin"), ("Functions", "function")] {
        if of(kind) > 0 {
            lines.push(format!("- {title}: {}", grouped(of(kind))));
        }
    }
    lines
}

fn import(_: &mut Sheet, item: Item) -> Vec<String> {
    let line = item.import().map(|import| {
        format!("{} {}", import.names.first().map_or("@import", String::as_str), import.path)
    });
    line.into_iter().collect()
}

fn variable(_: &mut Sheet, item: Item) -> Vec<String> {
    let line = item.symbol().map(|symbol| {
        format!("{}: {}", symbol.name, symbol.return_type.as_deref().unwrap_or_default())
    });
    line.into_iter().collect()
}

fn media(_: &mut Sheet, item: Item) -> Vec<String> {
    let rules = number(item, "rule_count");
    vec![format!("@media {} ({rules} rules)", cut(text(item, "query"), WIDTH))]
}

fn keyframes(_: &mut Sheet, item: Item) -> Vec<String> {
    vec![format!("{} ({} steps)", text(item, "name"), number(item, "step_count"))]
}

fn font(_: &mut Sheet, item: Item) -> Vec<String> {
    let notes: Vec<&str> = ["weight", "style"]
        .iter()
        .map(|key| text(item, key))
        .filter(|note| !note.is_empty())
        .collect();
    let notes = if notes.is_empty() { String::new() } else { format!(" ({})", notes.join(", ")) };
    vec![format!("{}{notes}", text(item, "family"))]
}

fn callable(_: &mut Sheet, item: Item) -> Vec<String> {
    let line = item.symbol().map(|symbol| {
        format!("{}: {}({})", symbol.kind.as_str(), symbol.name, symbol.params.join(", "))
    });
    line.into_iter().collect()
}
