//! The facts of a JSON text.

use serde::Serialize;

use crate::{Encoding, formats::shared::tree::fields::TreeFields, masked::masked};

/// The contents of a JSON text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct JsonFields {
    /// Its structure.
    #[serde(flatten)]
    pub tree: TreeFields,
    /// True if it is long and has no line break outside strings.
    pub is_minified: bool,
    /// The narrowest dialect that allows everything in the text: `json`, `jsonc` or `json5`;
    /// `ndjson` if the name promises one value per line.
    pub dialect: &'static str,
    /// Number of top-level values.
    pub document_count: u64,
    /// Number of damaged records in a file with one value per line.
    pub broken_records: u64,
    /// Number of comments.
    pub comment_count: u64,
    /// Number of lines.
    pub line_count: u64,
    /// How the text is encoded.
    pub encoding: Encoding,
    /// True if only the beginning of the file was read.
    pub sampled: bool,
    /// Additional facts of a Jupyter notebook.
    #[serde(flatten)]
    pub notebook: Option<NotebookFields>,
}

/// The contents of a Jupyter notebook.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NotebookFields {
    /// Length of `cells`.
    pub cell_count: usize,
    /// Number of code cells.
    pub code_cells: usize,
    /// Number of Markdown cells.
    pub markdown_cells: usize,
    /// Number of outputs in all cells.
    pub output_count: usize,
    /// Major version of the format; 0 if none is given.
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
    /// Its type as the file gives it, such as `code` or `markdown`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Number of lines of its text.
    pub lines: usize,
    /// Its first line that is not blank, cut to 80 characters.
    pub first_line: String,
    /// Number of its outputs.
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
