//! Jupyter notebooks: cells and kernel, in addition to the facts of every JSON text.

mod code;

use std::io;

use base::secrets::Secrets;
use serde::{Deserialize, de::IgnoredAny};
use serde_json::Value;

use super::fields::{Cell, NotebookFields};
use crate::{
    Findings, Task,
    disclosure::{List, Marker},
    findings::{cut, grouped},
    formats::shared::{
        beginning,
        tree::record::{At, Record},
    },
    input::WHOLE_LIMIT,
    text::Text,
};

const SHOWN_CELLS: usize = 20;
const FIRST_LINE: usize = 80;

/// The parts of a notebook that are read; in version 3 of the format, cells are in worksheets.
#[derive(Deserialize)]
struct Notebook {
    #[serde(default)]
    cells: Vec<RawCell>,
    #[serde(default)]
    worksheets: Vec<Worksheet>,
    #[serde(default)]
    metadata: Metadata,
    #[serde(default)]
    nbformat: u64,
}

#[derive(Deserialize)]
struct Worksheet {
    #[serde(default)]
    cells: Vec<RawCell>,
}

/// A cell as it is in the file.
#[derive(Deserialize)]
struct RawCell {
    #[serde(default, rename = "cell_type")]
    kind: String,
    #[serde(default, alias = "input")]
    source: Value,
    #[serde(default)]
    outputs: Vec<IgnoredAny>,
}

#[derive(Deserialize, Default)]
struct Metadata {
    #[serde(default)]
    kernelspec: Option<Kernel>,
    #[serde(default)]
    language_info: Option<Language>,
}

#[derive(Deserialize)]
struct Kernel {
    #[serde(default)]
    name: String,
    #[serde(default)]
    language: Option<String>,
}

#[derive(Deserialize)]
struct Language {
    #[serde(default)]
    name: String,
}

/// Writes the cells, and returns the facts of the notebook; `None` if the JSON text is not one.
pub fn explore(
    task: &Task,
    record: &Record,
    findings: &mut Findings,
) -> io::Result<Option<NotebookFields>> {
    let (bytes, _) = beginning::bytes(task, WHOLE_LIMIT)?;
    let text = Text::decode(&bytes);
    let Ok(notebook) = serde_json::from_str::<Notebook>(&text.text) else { return Ok(None) };
    let language = notebook
        .metadata
        .language_info
        .map(|language| language.name)
        .or_else(|| notebook.metadata.kernelspec.as_ref()?.language.clone());
    let (cells, sources): (Vec<Cell>, Vec<String>) = notebook
        .cells
        .into_iter()
        .chain(notebook.worksheets.into_iter().flat_map(|sheet| sheet.cells))
        .map(|cell| entry(cell, task.secrets))
        .unzip();
    let count = |kind: &str| cells.iter().filter(|cell| cell.kind == kind).count();
    let fields = NotebookFields {
        cell_count: cells.len(),
        code_cells: count("code"),
        markdown_cells: count("markdown"),
        output_count: cells.iter().map(|cell| cell.outputs).sum(),
        notebook_format: notebook.nbformat,
        notebook_language: language,
        kernel: notebook.metadata.kernelspec.map(|kernel| kernel.name),
        cells,
    };
    write(&fields, record, findings);
    if !task.profile.is_parity() {
        code::parts(task, &fields, &sources, record, findings);
    }
    Ok(Some(fields))
}

fn write(fields: &NotebookFields, record: &Record, findings: &mut Findings) {
    let is_parity = findings.summary.profile().is_parity();
    let mut begins = record.documents().flat_map(|document| document.all("cells")).map(At::line);
    let show = |cell: &Cell| {
        let line = begins.next().filter(|_| !is_parity);
        let line = line.map_or_else(String::new, |line| format!(" [{line}]"));
        format!("{} ({} lines): {}{line}", cell.kind, cell.lines, cell.first_line)
    };
    let lines: Vec<String> = fields.cells.iter().map(show).collect();
    let summary = &mut findings.summary;
    summary.line(&format!(
        "Notebook: {} cells ({} code, {} Markdown), language {}",
        grouped(fields.cell_count),
        grouped(fields.code_cells),
        grouped(fields.markdown_cells),
        fields.notebook_language.as_deref().unwrap_or("unknown")
    ));
    summary.blank();
    summary.line("Cells:");
    let list = List {
        section: "Cells",
        source: "/fields/cells",
        cap: SHOWN_CELLS,
        marker: Marker::CountedNoun("cells"),
    };
    summary.lines(&list, "  ", &lines);
}

fn entry(cell: RawCell, secrets: Secrets) -> (Cell, String) {
    let text = match cell.source {
        Value::String(text) => text,
        Value::Array(lines) => lines.iter().filter_map(Value::as_str).collect(),
        _ => String::new(),
    };
    let first = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    let shown = Cell {
        kind: cell.kind,
        lines: text.lines().count(),
        first_line: cut(&secrets.code(first), FIRST_LINE),
        outputs: cell.outputs.len(),
    };
    (shown, text)
}
