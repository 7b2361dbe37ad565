//! The facts of a TOML text.

use serde::Serialize;

use crate::{Encoding, formats::shared::tree::fields::TreeFields, masked::masked};

/// What is in a TOML text. Lines are 1-based.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TomlFields {
    /// Its shape.
    #[serde(flatten)]
    pub tree: TreeFields,
    /// Tables that are not items of arrays.
    pub section_count: usize,
    /// Tables that are items of arrays.
    pub array_table_count: usize,
    /// Errors behind which the parser went on.
    pub error_count: usize,
    /// Paths of all tables, without the dot at their beginning.
    pub sections: Vec<String>,
    /// All tables.
    pub tables: Vec<Table>,
    /// Lines.
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
    /// The path of what it is in; absent at the root.
    pub parent: Option<String>,
    /// Where it begins.
    pub line: u64,
    /// `array` for an item of an array, else `inline` or `table`: how it is written.
    pub form: &'static str,
}

masked! {
    TomlFields {
        tree, section_count, array_table_count, error_count, sections, tables, line_count, encoding,
        sampled,
    }
    Table { path, parent, line, form }
}
