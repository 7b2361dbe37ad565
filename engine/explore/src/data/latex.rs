//! LaTeX: documents, packages and classes, and bibliographies.
//!
//! A scanner finds the commands outside of comments and verbatim text, and which brace closes
//! which; everything else is read from the list of commands. Nothing is expanded, so what a macro
//! would produce is not seen.

mod bibliography;
mod commands;
mod outline;
mod scan;

use std::{collections::BTreeMap, io};

use serde::Serialize;

use crate::{
    Findings, Task,
    lines::LineStarts,
    plain,
    text::{Encoding, Text},
};

/// A part of the text with a title.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Section {
    /// `part`, `chapter`, `section`, `subsection`, `subsubsection`, `paragraph` or `subparagraph`.
    kind: &'static str,
    title: String,
    starred: bool,
    line: u64,
}

/// An environment from its beginning to its end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Environment {
    name: String,
    line: u64,
    /// Absent where it is never closed.
    end_line: Option<u64>,
}

/// A name at a place: a label, a key that is cited, a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Named {
    name: String,
    /// The command that names it.
    command: String,
    line: u64,
}

/// A package that is loaded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Package {
    name: String,
    options: Vec<String>,
    is_common: bool,
    line: u64,
}

/// A command or an environment that the file defines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Definition {
    name: String,
    arg_count: Option<u32>,
    #[serde(rename = "type")]
    kind: &'static str,
    line: u64,
}

/// A file that is taken in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Included {
    path: String,
    #[serde(rename = "type")]
    kind: &'static str,
    line: u64,
}

/// The class of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Class {
    name: String,
    options: Vec<String>,
}

/// Where the references come from.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize)]
struct Bibliography {
    /// `bibtex`, `biblatex`, `thebibliography` or `none`.
    #[serde(rename = "type")]
    kind: &'static str,
    files: Vec<String>,
    style: Option<String>,
}

/// What the title page says.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize)]
struct Info {
    title: Option<String>,
    author: Option<String>,
    date: Option<String>,
    #[serde(rename = "abstract")]
    summary: Option<String>,
}

/// What a LaTeX file holds.
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
    entries: Vec<bibliography::Entry>,
    captions: usize,
    footnotes: usize,
    formulas: usize,
    provides: Option<&'static str>,
    /// What is wrong, and on which line.
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
    // A sample begins and ends in the middle of things, and so does a file of parts of macros.
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
    facts(&mut findings, &document, file_type);
    findings.set("line_count", lines);
    findings.set("encoding", text.encoding.name());
    findings.set("sampled", content.sampled);
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
        plain::preview(&mut findings, &lines);
    }
    Ok(findings)
}

/// How often each environment is used, by name.
fn uses(document: &Document) -> BTreeMap<&str, usize> {
    let mut uses = BTreeMap::new();
    for environment in &document.environments {
        *uses.entry(environment.name.as_str()).or_default() += 1;
    }
    uses
}

fn facts(findings: &mut Findings, document: &Document, file_type: &str) {
    let structure: BTreeMap<String, usize> = commands::SECTIONS
        .iter()
        .map(|kind| {
            let count = document.sections.iter().filter(|one| one.kind == *kind).count();
            (format!("{kind}s"), count)
        })
        .collect();
    let uses = uses(document);
    let names: Vec<&&str> = uses.keys().collect();
    findings.set("file_type", file_type);
    findings.put("document_class", &document.class);
    findings.put("packages", &document.packages);
    findings.put("structure", &structure);
    findings.put("bibliography", &document.bibliography);
    findings.put("custom_commands", &document.definitions);
    findings.put("included_files", &document.included);
    findings.put("environments", &names);
    findings.put("environment_counts", &uses);
    findings.put("environment_uses", &document.environments);
    findings.put("document_info", &document.info);
    findings.put("sections", &document.sections);
    findings.put("labels", &document.labels);
    findings.put("references", &document.references);
    findings.put("citations", &document.citations);
    findings.put("bibliography_items", &document.bib_items);
    findings.put("bibliography_entries", &document.entries);
    findings.put("graphics", &document.graphics);
    for (name, count) in [
        ("section_count", document.sections.len()),
        ("environment_count", document.environments.len()),
        ("label_count", document.labels.len()),
        ("reference_count", document.references.len()),
        ("citation_count", document.citations.len()),
        ("package_count", document.packages.len()),
        ("bibliography_item_count", document.bib_items.len() + document.entries.len()),
        ("graphic_count", document.graphics.len()),
        ("caption_count", document.captions),
        ("footnote_count", document.footnotes),
        ("formula_count", document.formulas),
    ] {
        findings.set(name, count);
    }
}

#[cfg(test)]
mod tests;
