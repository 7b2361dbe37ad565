//! The facts of a delimited text.

use serde::Serialize;

use crate::{Encoding, masked::masked};

/// What is in a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CsvFields {
    /// What separates cells: `,`, `;`, `|`, `TAB` for a tabulator, or `SPACE` for any number of
    /// spaces.
    pub delimiter: String,
    /// Whether the first record names the columns.
    pub has_header: bool,
    /// Cells of a record, as most records have them.
    pub column_count: usize,
    /// Records without the header.
    pub row_count: u64,
    /// The columns, in their order.
    pub columns: Vec<Column>,
    /// False if there are more columns than are listed.
    pub columns_complete: bool,
    /// Empty cells of the listed columns.
    pub empty_cells: u64,
    /// Records with another number of cells than most have.
    pub ragged_rows: u64,
    /// 1-based line of the first of them.
    pub first_ragged_line: Option<u64>,
    /// Lines before the table that begin with `#`.
    pub comment_lines: u64,
    /// Lines.
    pub line_count: u64,
    /// How the text is encoded.
    pub encoding: Encoding,
    /// True if only the beginning of the file was read.
    pub sampled: bool,
}

/// A column.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Column {
    /// Its name in the header; `Column 1` and so on without one.
    pub name: String,
    /// What its first cells hold: `number`, `date`, `boolean`, `string`, `mixed` or `empty`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// Cells without a value.
    pub empty_count: u64,
    /// Different values; absent if there are too many to be told apart.
    pub unique_values: Option<usize>,
}

masked! {
    CsvFields {
        delimiter, has_header, column_count, row_count, columns, columns_complete, empty_cells,
        ragged_rows, first_ragged_line, comment_lines, line_count, encoding, sampled,
    }
    Column { name, kind, empty_count, unique_values }
}
