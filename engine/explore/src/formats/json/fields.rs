//! The facts of a JSON text.

use serde::Serialize;

use crate::{Encoding, formats::shared::tree::fields::TreeFields, masked::masked};

/// What is in a JSON text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct JsonFields {
    /// Its shape.
    #[serde(flatten)]
    pub tree: TreeFields,
    /// True if it is long and has no line break outside of texts.
    pub is_minified: bool,
    /// The narrowest dialect that allows what was read: `json`, `jsonc` or `json5`; `ndjson` where
    /// the name promises one value a line.
    pub dialect: &'static str,
    /// Values at the top level.
    pub document_count: u64,
    /// Damaged records of a file with one value a line.
    pub broken_records: u64,
    /// Comments.
    pub comment_count: u64,
    /// Lines.
    pub line_count: u64,
    /// How the text is encoded.
    pub encoding: Encoding,
    /// True if only the beginning of the file was read.
    pub sampled: bool,
    /// What a Jupyter notebook has besides.
    #[serde(flatten)]
    pub notebook: Option<NotebookFields>,
}

/// What is in a Jupyter notebook.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NotebookFields {
    /// Length of `cells`.
    pub cell_count: usize,
    /// Cells of code.
    pub code_cells: usize,
    /// Cells of Markdown.
    pub markdown_cells: usize,
    /// Outputs of all cells.
    pub output_count: usize,
    /// Major version of the layout; 0 if it says none.
    pub notebook_format: u64,
    /// The programming language.
    pub notebook_language: Option<String>,
    /// Name of the kernel.
    pub kernel: Option<String>,
    /// The cells in order.
    pub cells: Vec<Cell>,
}

/// A cell of a notebook.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Cell {
    /// Such as `code` or `markdown`, as the file says.
    #[serde(rename = "type")]
    pub kind: String,
    /// Lines of its text.
    pub lines: usize,
    /// Its first line that is not blank, of at most 80 characters.
    pub first_line: String,
    /// Its outputs.
    pub outputs: usize,
}

masked! {
    JsonFields {
        tree, is_minified, dialect, document_count, broken_records, comment_count, line_count,
        encoding, sampled, notebook,
    }
    NotebookFields {
        cell_count, code_cells, markdown_cells, output_count, notebook_format, notebook_language,
        kernel, cells,
    }
    Cell { kind, lines, first_line, outputs }
}
