//! The facts of a TOML text.

use serde::Serialize;

use crate::{Encoding, formats::shared::tree::fields::TreeFields, masked::masked};

/// The contents of a TOML text. Lines are 1-based.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TomlFields {
    /// Its structure.
    #[serde(flatten)]
    pub tree: TreeFields,
    /// Number of tables that are not items of arrays.
    pub section_count: usize,
    /// Number of tables that are items of arrays.
    pub array_table_count: usize,
    /// Number of errors; the parser continued after each.
    pub error_count: usize,
    /// Paths of all tables, without the leading dot.
    pub sections: Vec<String>,
    /// All tables.
    pub tables: Vec<Table>,
    /// Number of lines.
    pub line_count: usize,
    /// How the text is encoded.
    pub encoding: Encoding,
    /// True if only the beginning of the file was read.
    pub sampled: bool,
}

/// A table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Table {
    /// Its path.
    pub path: String,
    /// The path of the enclosing table; absent at the root.
    pub parent: Option<String>,
    /// Where it begins.
    pub line: u64,
    /// How it is written: `array` for an item of an array, otherwise `inline` or `table`.
    pub form: &'static str,
}

masked! {
    TomlFields {
        tree, section_count, array_table_count, error_count, sections, tables, line_count, encoding,
        sampled,
    }
    Table { path, parent, line, form }
}
