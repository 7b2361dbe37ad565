//! LaTeX: documents, packages and classes, and bibliographies.
//!
//! A scanner finds the commands outside comments and verbatim text, and the pairs of braces;
//! everything else is read from the list of commands. Nothing is expanded, so the output of macros
//! is not seen.

mod arguments;
mod bibliography;
mod commands;
pub mod fields;
mod outline;
mod scan;

use std::{collections::BTreeMap, io};

use crate::{
    Findings, Task,
    lines::LineStarts,
    plain,
    text::{Encoding, Text},
};
use fields::{
    Bibliography, Class, Definition, Entry, Environment, Included, Info, LatexFields, Named,
    Package, Section,
};

/// The contents of a LaTeX file.
#[derive(Debug, Default)]
struct Document {
    class: Option<Class>,
    packages: Vec<Package>,
    sections: Vec<Section>,
    environments: Vec<Environment>,
    labels: Vec<Named>,
    references: Vec<Named>,
    citations: Vec<Named>,
    bib_items: Vec<Named>,
    graphics: Vec<Named>,
    included: Vec<Included>,
    definitions: Vec<Definition>,
    bibliography: Bibliography,
    info: Info,
    entries: Vec<Entry>,
    captions: usize,
    footnotes: usize,
    formulas: usize,
    provides: Option<&'static str>,
    /// The first defect and its line, if there is one.
    error: Option<(String, u64)>,
}

/// Explores a LaTeX file.
pub fn explore(task: &Task) -> io::Result<Findings> {
    let content = task.input.content()?;
    let text = Text::decode(&content.bytes);
    let mut findings = Findings::new(task);
    let name = task.input.base_name().to_lowercase();
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    let starts = LineStarts::new(&text.text);
    let document = if extension == "bib" {
        bibliography::read(&text.text, &starts)
    } else {
        let scanned = scan::scan(&text.text, matches!(extension, "sty" | "cls" | "dtx" | "ltx"));
        commands::read(&text.text, &starts, &scanned)
    };
    if text.damaged {
        findings.malformed("parts of it are not valid in its encoding", None, None);
    }
    // A sample begins and ends anywhere, and so may a file with fragments of macros.
    let whole =
        !content.sampled && !matches!(extension, "sty" | "cls" | "dtx" | "ltx" | "ins" | "bst");
    if let Some((what, line)) = document.error.as_ref().filter(|_| whole) {
        findings.malformed(what.clone(), Some(*line), None);
    }
    let file_type = match (extension, &document.class, document.provides) {
        ("bib", ..) => "bibliography",
        ("bst", ..) => "bibliography style",
        ("cls", ..) | (_, _, Some("class")) => "class",
        ("sty", ..) | (_, _, Some("package")) => "package",
        (_, Some(_), _) => "document",
        _ => "unknown",
    };
    let lines = if task.profile.is_parity() { text.pieces() } else { text.lines() };
    if content.sampled {
        findings.summary.line("[SAMPLED - Large LaTeX File]");
    }
    outline::write(&mut findings, &document, file_type, lines);
    if text.encoding != Encoding::Utf8 {
        findings.summary.line(&format!("Encoding: {}", text.encoding.name()));
    }
    let nothing = document.sections.is_empty()
        && document.environments.is_empty()
        && document.definitions.is_empty()
        && document.entries.is_empty();
    if nothing || findings.malformed.is_some() {
        let lines: Vec<&str> = text.text.lines().collect();
        plain::preview(&mut findings, task, &lines);
    }
    findings.facts = facts(document, file_type, lines, text.encoding, content.sampled).into();
    Ok(findings)
}

/// Number of uses of each environment, by name.
fn uses(document: &Document) -> BTreeMap<&str, usize> {
    let mut uses = BTreeMap::new();
    for environment in &document.environments {
        *uses.entry(environment.name.as_str()).or_default() += 1;
    }
    uses
}

fn facts(
    document: Document,
    file_type: &'static str,
    line_count: usize,
    encoding: Encoding,
    sampled: bool,
) -> LatexFields {
    let sections_of = |kind: &&str| {
        let count = document.sections.iter().filter(|one| one.kind == *kind).count();
        (format!("{kind}s"), count)
    };
    let uses: BTreeMap<String, usize> =
        uses(&document).into_iter().map(|(name, count)| (name.to_owned(), count)).collect();
    LatexFields {
        file_type,
        structure: commands::SECTIONS.iter().map(sections_of).collect(),
        environments: uses.keys().cloned().collect(),
        environment_counts: uses,
        section_count: document.sections.len(),
        environment_count: document.environments.len(),
        label_count: document.labels.len(),
        reference_count: document.references.len(),
        citation_count: document.citations.len(),
        package_count: document.packages.len(),
        bibliography_item_count: document.bib_items.len() + document.entries.len(),
        graphic_count: document.graphics.len(),
        caption_count: document.captions,
        footnote_count: document.footnotes,
        formula_count: document.formulas,
        document_class: document.class,
        packages: document.packages,
        bibliography: document.bibliography,
        custom_commands: document.definitions,
        included_files: document.included,
        environment_uses: document.environments,
        document_info: document.info,
        sections: document.sections,
        labels: document.labels,
        references: document.references,
        citations: document.citations,
        bibliography_items: document.bib_items,
        bibliography_entries: document.entries,
        graphics: document.graphics,
        line_count,
        encoding,
        sampled,
    }
}

#[cfg(test)]
mod tests;
