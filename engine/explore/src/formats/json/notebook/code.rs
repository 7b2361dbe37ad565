//! Imports and definitions in the code of a notebook.

use std::collections::BTreeSet;

use crate::{
    Findings, Input, Options, Task,
    exploration::Entry,
    explore,
    formats::{
        fields::json::NotebookFields,
        shared::tree::record::{At, Record},
    },
};

/// The languages of notebooks, with their file extensions.
const LANGUAGES: &[(&str, &str)] =
    &[("python", "py"), ("julia", "jl"), ("r", "r"), ("ruby", "rb"), ("scala", "scala")];

/// Shows imports, each once, and definitions, each with the number of its cell.
pub fn parts(
    task: &Task,
    fields: &NotebookFields,
    sources: &[String],
    record: &Record,
    findings: &mut Findings,
) {
    let language = fields.notebook_language.as_deref().unwrap_or("python").to_lowercase();
    let Some((_, extension)) = LANGUAGES.iter().find(|(name, _)| *name == language) else { return };
    let lines: Vec<u64> =
        record.documents().flat_map(|document| document.all("cells")).map(At::line).collect();
    // The line of the joined code at which each code cell begins.
    let (mut code, mut cells, mut line) = (String::new(), Vec::new(), 1_usize);
    for (index, (cell, source)) in fields.cells.iter().zip(sources).enumerate() {
        if cell.kind != "code" {
            continue;
        }
        cells.push((line, index));
        for text in source.lines() {
            // Commands for the kernel and the shell do not belong to the language.
            code.push_str(if text.trim_start().starts_with(['%', '!', '?']) { "" } else { text });
            code.push('\n');
            line += 1;
        }
    }
    let options = Options { secrets: task.secrets, short: false, ..Options::from(task.profile) };
    let name = format!("notebook.{extension}");
    let found = explore(&Input::memory(&name, code.as_bytes()), task.project, options);
    let entry = |line: u32, text: &str| {
        let at = cells.partition_point(|(start, _)| *start <= line as usize);
        let index = at.checked_sub(1).and_then(|at| cells.get(at)).map_or(0, |(_, index)| *index);
        let line = lines.get(index).copied().unwrap_or(1);
        Entry { line, text: format!("cell {}: {text}", index + 1) }
    };
    let mut seen = BTreeSet::new();
    let imports = found.imports.iter().filter(|import| seen.insert(&import.path));
    let imports = imports.map(|import| entry(import.line, &import.path)).collect();
    findings.part(task, "Imports", imports);
    let definitions = found
        .symbols
        .iter()
        .filter(|symbol| {
            symbol.parent.is_none() && !matches!(symbol.kind.as_str(), "variable" | "constant")
        })
        .map(|symbol| {
            let parameters = symbol.params.join(", ");
            let call =
                if parameters.is_empty() { String::new() } else { format!("({parameters})") };
            entry(symbol.line, &format!("{} {}{call}", symbol.kind.as_str(), symbol.name))
        })
        .collect();
    findings.part(task, "Definitions", definitions);
}
