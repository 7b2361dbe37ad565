//! The summary of a LaTeX file.

use std::collections::BTreeMap;

use super::{
    Document,
    commands::SECTIONS,
    fields::{Definition, Named, Package},
    uses,
};
use crate::{
    Findings,
    disclosure::{List, Marker},
    findings::grouped,
};

/// Longest title that the summary shows, in characters.
const TITLE: usize = 120;

/// Writes the summary: the comparator's sections in the parity profile. The enhancement profile
/// also shows the outline, labels, references and citations.
pub fn write(findings: &mut Findings, document: &Document, file_type: &str, lines: usize) {
    let parity = findings.summary.profile().is_parity();
    findings.summary.line(&format!("Type: LaTeX {file_type}"));
    head(findings, document);
    packages(findings, document);
    bibliography(findings, document);
    definitions(findings, document);
    let included: Vec<String> =
        document.included.iter().map(|one| format!("- {} ({})", one.path, one.kind)).collect();
    section(findings, "Included Files", "/fields/included_files", 20, &included);
    let uses = uses(document);
    let names: Vec<String> = uses
        .iter()
        .map(|(name, count)| if parity { format!("- {name}") } else { format!("{name}: {count}") })
        .collect();
    let cap = if parity { 20 } else { 60 };
    section(findings, "Environments Used", "/fields/environments", cap, &names);
    if !parity {
        more(findings, document);
    }
    findings.summary.blank();
    findings.summary.line(&format!("Total Lines: {}", grouped(lines)));
}

fn head(findings: &mut Findings, document: &Document) {
    let summary = &mut findings.summary;
    if let Some(class) = &document.class {
        let options = if class.options.is_empty() {
            String::new()
        } else {
            format!(" [{}]", summary.short(&class.options.join(", "), TITLE))
        };
        summary.line(&format!("Document Class: {}{options}", class.name));
    }
    let info = &document.info;
    let known: Vec<(&str, &String)> = [
        ("Title", &info.title),
        ("Author", &info.author),
        ("Date", &info.date),
        ("Abstract", &info.summary),
    ]
    .into_iter()
    .filter_map(|(name, value)| value.as_ref().map(|value| (name, value)))
    .collect();
    if !known.is_empty() {
        summary.blank();
        summary.line("Document Info:");
        for (name, value) in known {
            summary.line(&format!("  {name}: {}", summary.short(value, 200)));
        }
    }
    let counts: Vec<String> = SECTIONS
        .iter()
        .filter_map(|kind| {
            let count = document.sections.iter().filter(|one| one.kind == *kind).count();
            (count > 0).then(|| format!("{kind}s: {count}"))
        })
        .collect();
    if !counts.is_empty() {
        summary.blank();
        summary.line(&format!("Structure: {}", counts.join(", ")));
    }
}

fn packages(findings: &mut Findings, document: &Document) {
    if document.packages.is_empty() {
        return;
    }
    let summary = &mut findings.summary;
    summary.blank();
    summary.line(&format!("Packages ({} total):", document.packages.len()));
    for (title, common) in [("Common", true), ("Specialized", false)] {
        let names: Vec<String> = document
            .packages
            .iter()
            .filter(|package| package.is_common == common)
            .map(|package: &Package| package.name.clone())
            .collect();
        if names.is_empty() {
            continue;
        }
        let source = format!("/fields/packages?is_common={common}");
        let section = format!("Packages, {title}");
        let list = List { section: &section, source: &source, cap: 20, marker: Marker::Plus };
        let line = summary.inline(&list, &names);
        summary.line(&format!("  {title}: {line}"));
    }
}

fn bibliography(findings: &mut Findings, document: &Document) {
    let bibliography = &document.bibliography;
    let summary = &mut findings.summary;
    if bibliography.kind != "none" {
        summary.blank();
        summary.line(&format!("Bibliography: {}", bibliography.kind));
        if !bibliography.files.is_empty() {
            let list = List {
                section: "Bibliography files",
                source: "/fields/bibliography/files",
                cap: 20,
                marker: Marker::Plus,
            };
            let files = summary.inline(&list, &bibliography.files);
            summary.line(&format!("  Files: {files}"));
        }
        if let Some(style) = &bibliography.style {
            summary.line(&format!("  Style: {style}"));
        }
        if !document.bib_items.is_empty() {
            summary.line(&format!("  Items: {}", grouped(document.bib_items.len())));
        }
    }
    let entries: Vec<String> = document
        .entries
        .iter()
        .map(|entry| {
            let title = entry.title.as_deref().unwrap_or_default();
            let year = entry.year.as_ref().map(|year| format!(" ({year})")).unwrap_or_default();
            format!("{} [{}]{year} {}", entry.key, entry.kind, summary.short(title, TITLE))
        })
        .collect();
    section(findings, "Entries", "/fields/bibliography_entries", 30, &entries);
}

fn definitions(findings: &mut Findings, document: &Document) {
    if document.definitions.is_empty() {
        return;
    }
    let summary = &mut findings.summary;
    summary.blank();
    summary.line(&format!("Custom Definitions ({} total):", grouped(document.definitions.len())));
    let show = |one: &Definition| match one.arg_count {
        Some(count) => format!("{} [{count}]", one.name),
        None => one.name.clone(),
    };
    for (title, kinds, source) in [
        (
            "Commands",
            &["newcommand", "renewcommand", "providecommand", "robust"][..],
            "/fields/custom_commands?type=newcommand,renewcommand,providecommand,robust",
        ),
        (
            "Environments",
            &["newenvironment", "renewenvironment"][..],
            "/fields/custom_commands?type=newenvironment,renewenvironment",
        ),
        ("Theorems", &["newtheorem"][..], "/fields/custom_commands?type=newtheorem"),
    ] {
        let names: Vec<String> =
            document.definitions.iter().filter(|one| kinds.contains(&one.kind)).map(show).collect();
        if names.is_empty() {
            continue;
        }
        let section = format!("Custom Definitions, {title}");
        let list = List { section: &section, source, cap: 10, marker: Marker::Plus };
        let line = summary.inline(&list, &names);
        summary.line(&format!("  {title} ({}): {line}", names.len()));
    }
    let plain = document.definitions.iter().filter(|one| one.kind == "def").count();
    if plain > 0 {
        summary.line(&format!("  \\def commands: {}", grouped(plain)));
    }
}

/// Shows the lists that the comparator does not show.
fn more(findings: &mut Findings, document: &Document) {
    let outline: Vec<String> = document
        .sections
        .iter()
        .map(|one| {
            let depth = SECTIONS.iter().position(|kind| *kind == one.kind).unwrap_or(0);
            let indent = "  ".repeat(depth);
            format!(
                "{indent}{} {} (line {})",
                one.kind,
                findings.summary.short(&one.title, TITLE),
                one.line
            )
        })
        .collect();
    section(findings, "Outline", "/fields/sections", 100, &outline);
    for (title, source, named) in [
        ("Labels", "/fields/labels", &document.labels),
        ("Graphics", "/fields/graphics", &document.graphics),
    ] {
        let names: Vec<String> =
            named.iter().map(|one| format!("{} (line {})", one.name, one.line)).collect();
        section(findings, title, source, 30, &names);
    }
    for (title, source, named) in [
        ("References", "/fields/references", &document.references),
        ("Citations", "/fields/citations", &document.citations),
    ] {
        counted(findings, title, source, named);
    }
    let summary = &mut findings.summary;
    for (title, count) in [
        ("Captions", document.captions),
        ("Footnotes", document.footnotes),
        ("Formulas", document.formulas),
    ] {
        if count > 0 {
            summary.line(&format!("{title}: {}", grouped(count)));
        }
    }
}

/// Shows the names in a list, each with its number of occurrences; the line also gives the length
/// of the complete list.
fn counted(findings: &mut Findings, title: &str, source: &str, named: &[Named]) {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for one in named {
        *counts.entry(&one.name).or_default() += 1;
    }
    if counts.is_empty() {
        return;
    }
    let entries: Vec<String> = counts
        .iter()
        .map(
            |(name, count)| {
                if *count > 1 { format!("{name} ({count})") } else { (*name).to_owned() }
            },
        )
        .collect();
    let title = format!("{title}, distinct");
    let source = format!("{source}?distinct=name");
    section(findings, &title, &source, 30, &entries);
}

fn section(findings: &mut Findings, title: &str, source: &str, cap: usize, entries: &[String]) {
    let list = List::counted(title, source, cap);
    findings.summary.section(&format!("{title} ({}):", grouped(entries.len())), &list, entries);
}
