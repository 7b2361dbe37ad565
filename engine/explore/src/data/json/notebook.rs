//! Jupyter notebooks: cells and kernel, besides what every JSON text has.

use std::io;

use serde::{Deserialize, de::IgnoredAny};
use serde_json::{Value, json};

use crate::{
    Findings, Task,
    data::beginning,
    disclosure::{List, Marker},
    findings::{cut, grouped},
    input::WHOLE_LIMIT,
    text::Text,
};

const SHOWN_CELLS: usize = 20;
const FIRST_LINE: usize = 80;

/// What is read of a notebook; the layout of version 3 has its cells in worksheets.
#[derive(Deserialize)]
struct Notebook {
    #[serde(default)]
    cells: Vec<Cell>,
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
    cells: Vec<Cell>,
}

#[derive(Deserialize)]
struct Cell {
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

/// Adds the cells. A JSON text that is no notebook adds nothing.
pub fn explore(task: &Task, findings: &mut Findings) -> io::Result<()> {
    let (bytes, _) = beginning::bytes(task, WHOLE_LIMIT)?;
    let text = Text::decode(&bytes);
    let Ok(notebook) = serde_json::from_str::<Notebook>(&text.text) else { return Ok(()) };
    let language = notebook
        .metadata
        .language_info
        .map(|language| language.name)
        .or_else(|| notebook.metadata.kernelspec.as_ref()?.language.clone());
    let cells: Vec<Cell> = notebook
        .cells
        .into_iter()
        .chain(notebook.worksheets.into_iter().flat_map(|sheet| sheet.cells))
        .collect();
    let count = |kind: &str| cells.iter().filter(|cell| cell.kind == kind).count();
    let (code, markdown) = (count("code"), count("markdown"));
    let listed: Vec<Value> = cells.iter().map(entry).collect();
    findings.set("cell_count", cells.len());
    findings.set("code_cells", code);
    findings.set("markdown_cells", markdown);
    findings.set("output_count", cells.iter().map(|cell| cell.outputs.len()).sum::<usize>());
    findings.set("notebook_format", notebook.nbformat);
    findings.set("notebook_language", language.clone());
    findings.set("kernel", notebook.metadata.kernelspec.map(|kernel| kernel.name));

    let lines: Vec<String> = listed
        .iter()
        .map(|cell| {
            let text = |key: &str| cell.get(key).and_then(Value::as_str).unwrap_or_default();
            let lines = cell.get("lines").and_then(Value::as_u64).unwrap_or(0);
            format!("{} ({lines} lines): {}", text("type"), text("first_line"))
        })
        .collect();
    findings.set("cells", listed);
    let summary = &mut findings.summary;
    summary.line(&format!(
        "Notebook: {} cells ({} code, {} Markdown), language {}",
        grouped(cells.len()),
        grouped(code),
        grouped(markdown),
        language.as_deref().unwrap_or("unknown")
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
    Ok(())
}

fn entry(cell: &Cell) -> Value {
    let text = match &cell.source {
        Value::String(text) => text.clone(),
        Value::Array(lines) => lines.iter().filter_map(Value::as_str).collect(),
        _ => String::new(),
    };
    let first = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    json!({
        "type": cell.kind,
        "lines": text.lines().count(),
        "first_line": cut(first, FIRST_LINE),
        "outputs": cell.outputs.len(),
    })
}
