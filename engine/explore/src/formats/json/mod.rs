//! JSON, JSON with comments, JSON5, one record per line (NDJSON), and Jupyter notebooks.

mod dialect;
pub mod fields;
mod notebook;
mod reader;

use std::io;

use super::shared::{
    beginning::{self, Stream},
    tree::Tree,
};
use crate::{Findings, Task, findings::grouped};
use dialect::Dialect;
use fields::JsonFields;

/// Shortest text that can be called minified, in bytes.
const MINIFIED: u64 = 100;

/// Names of files in which programs accept comments and trailing commas, whatever their extension.
const COMMENTED: &[&str] = &[
    "tsconfig",
    "jsconfig",
    "devcontainer",
    ".eslintrc",
    ".jshintrc",
    ".swcrc",
    ".babelrc",
    "settings.json",
    "launch.json",
    "tasks.json",
    "extensions.json",
    "keybindings.json",
    "tslint",
    "deno.json",
    "api-extractor",
];

/// Explores a JSON text.
pub fn explore(task: &Task) -> io::Result<Findings> {
    let Stream { reader, encoding, damaged, sampled } = beginning::stream(task)?;
    let mut findings = Findings::new(task);
    let mut tree = Tree::new(task.secrets);
    let (allowed, records) = expected(task.input.base_name());
    let out = reader::read(reader, &mut tree, allowed, records);
    if let Some(error) = out.error {
        return Err(error);
    }
    let minified = !out.multiline && task.input.size() > MINIFIED;
    if let Some(bad) = &out.malformed {
        findings.malformed(bad.what.clone(), bad.line, bad.column);
    }
    beginning::unicode_only(&mut findings, encoding);
    beginning::whole_only(&mut findings, damaged);

    let dialect = match (records, out.dialect) {
        (true, _) => " (one value a line)",
        (false, Dialect::Jsonc) => " (with comments)",
        (false, Dialect::Json5) => " (JSON5)",
        (false, Dialect::Json) => "",
    };
    let mark = if minified { " (minified)" } else { "" };
    findings.summary.line(&format!("Format: JSON{dialect}{mark}"));
    beginning::unusual(&mut findings, encoding, sampled, "JSON");
    let notebook = if task.input.base_name().to_lowercase().ends_with(".ipynb") {
        notebook::explore(task, &tree.record, &mut findings)?
    } else {
        None
    };
    findings.summary.blank();
    findings.summary.line("Structure:");
    if out.documents > 1 {
        findings.summary.line(&format!("  Documents: {}", grouped(out.documents)));
    }
    if out.broken > 0 {
        findings.summary.line(&format!("  Damaged records: {}", grouped(out.broken)));
    }
    tree.structure(&mut findings);
    tree.schema(&mut findings, task, "Schema:");
    findings.facts = JsonFields {
        tree: tree.facts(),
        is_minified: minified,
        dialect: if records { "ndjson" } else { out.dialect.as_str() },
        document_count: out.documents,
        broken_records: out.broken,
        comment_count: out.comments,
        line_count: out.lines,
        encoding,
        sampled,
        notebook,
    }
    .into();
    beginning::preview(&mut findings, task)?;
    Ok(findings)
}

/// The widest dialect allowed for a file of this name, and whether it has one value per line.
fn expected(name: &str) -> (Dialect, bool) {
    let name = name.to_lowercase();
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    match extension {
        "json5" | "babelrc" => (Dialect::Json5, false),
        "jsonl" | "ndjson" => (Dialect::Json, true),
        "jsonc" => (Dialect::Jsonc, false),
        _ if COMMENTED.iter().any(|start| name.starts_with(start)) => (Dialect::Jsonc, false),
        _ => (Dialect::Json, false),
    }
}
