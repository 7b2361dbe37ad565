//! The facts of a delimited text.

use serde::Serialize;

use crate::{Encoding, masked::masked};

/// The contents of a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CsvFields {
    /// The separator of cells: `,`, `;`, `|`, `TAB` for a tab, or `SPACE` for any number of spaces.
    pub delimiter: String,
    /// Whether the first record names the columns.
    pub has_header: bool,
    /// Number of cells that most records have.
    pub column_count: usize,
    /// Number of records, without the header.
    pub row_count: u64,
    /// The columns, in their order.
    pub columns: Vec<Column>,
    /// False if there are more columns than are listed.
    pub columns_complete: bool,
    /// Number of empty cells in the listed columns.
    pub empty_cells: u64,
    /// Number of records that do not have the usual number of cells.
    pub ragged_rows: u64,
    /// 1-based line of the first such record.
    pub first_ragged_line: Option<u64>,
    /// Number of lines before the table that begin with `#`.
    pub comment_lines: u64,
    /// Number of lines.
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
    /// The kind of its first cells: `number`, `date`, `boolean`, `string`, `mixed` or `empty`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// Number of cells without a value.
    pub empty_count: u64,
    /// Number of distinct values; absent if there are too many to count.
    pub unique_values: Option<usize>,
}

masked! {
    CsvFields {
        delimiter, has_header, column_count, row_count, columns, columns_complete, empty_cells,
        ragged_rows, first_ragged_line, comment_lines, line_count, encoding, sampled,
    }
    Column { name, kind, empty_count, unique_values }
}
