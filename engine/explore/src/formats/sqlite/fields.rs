//! The facts of an SQLite database.

use serde::Serialize;

use crate::masked::masked;

/// Facts about a database.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SqliteFields {
    /// Size in bytes.
    pub size: u64,
    /// Its contents; `None` if the file does not begin as a database does.
    #[serde(flatten)]
    pub content: Option<Content>,
}

/// The contents of a database. Lists are in the order of the schema.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Content {
    /// The facts in the header.
    pub header: Header,
    /// Whether there is a write-ahead log with content beside the file.
    pub write_ahead_log_beside: bool,
    /// Length of `tables`.
    pub total_tables: usize,
    /// Number of columns in all tables.
    pub total_columns: usize,
    /// Number of rows in the tables that were counted.
    pub total_rows: u64,
    /// Length of `indexes`.
    pub total_indexes: usize,
    /// Length of `views`.
    pub total_views: usize,
    /// Length of `triggers`.
    pub total_triggers: usize,
    /// Length of `constraints`.
    pub total_constraints: usize,
    /// Number of foreign keys among them.
    pub total_foreign_keys: usize,
    /// Number of indexes that SQLite created automatically.
    pub automatic_index_count: usize,
    /// True if the rows of some tables were not counted, because that would take too long.
    pub sampled: bool,
    /// Tables.
    pub tables: Vec<Table>,
    /// Indexes that were declared.
    pub indexes: Vec<Index>,
    /// Views.
    pub views: Vec<View>,
    /// Triggers.
    pub triggers: Vec<Trigger>,
    /// Constraints.
    pub constraints: Vec<Constraint>,
    /// The parts that could not be read, and why.
    pub errors: Vec<String>,
    /// Names of the tables for which sample rows are shown.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sampled_tables: Vec<String>,
}

/// The facts in the header.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Header {
    /// Size of a page in bytes.
    pub page_size: u64,
    /// Number of pages.
    pub page_count: u64,
    /// `UTF-8`, `UTF-16le` or `UTF-16be`.
    pub encoding: &'static str,
    /// Whether the database uses a write-ahead log.
    pub write_ahead_log: bool,
    /// The number that `PRAGMA user_version` sets.
    pub user_version: u32,
    /// The number that `PRAGMA application_id` sets.
    pub application_id: u32,
    /// Number of changes of the schema.
    pub schema_cookie: u32,
    /// Number of unused pages.
    pub freelist_pages: u32,
}

/// A table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Table {
    /// Its name.
    pub name: String,
    /// `table`, `virtual` or `shadow` (the storage of a virtual one).
    pub kind: String,
    /// Its columns in order.
    pub columns: Vec<Column>,
    /// Number of rows; absent if they could not be counted.
    pub row_count: Option<u64>,
    /// Whether its rows have no rowid.
    pub without_rowid: bool,
    /// Whether types are enforced.
    pub strict: bool,
    /// The first five rows as text: long values are cut, blobs are shown by their size, secrets are
    /// masked.
    pub sample_rows: Vec<Vec<String>>,
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// The type as declared; `BLOB` if none is declared, which is how SQLite stores it.
    #[serde(rename = "type")]
    pub declared: String,
    /// Whether it must have a value.
    pub not_null: bool,
    /// Its default, as an expression.
    pub default: Option<String>,
    /// Position in the primary key, from 1; 0 outside of it.
    pub primary_key: u32,
    /// Whether it is computed from others.
    pub generated: bool,
}

/// A declared index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Index {
    /// Its name.
    pub name: String,
    /// The table that it is for.
    pub table_name: String,
    /// Names of columns; `<expression>` for a part that is not a column.
    pub columns: Vec<String>,
    /// Whether its entries are unique.
    pub unique: bool,
    /// Whether it covers only some rows.
    pub partial: bool,
}

/// A view. Its query is never run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct View {
    /// Its name.
    pub name: String,
    /// The statement that created it, cut to 2,000 characters.
    pub sql: String,
}

/// A trigger.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Trigger {
    /// Its name.
    pub name: String,
    /// The table that it belongs to.
    pub table_name: String,
    /// `before`, `after` or `instead_of`.
    pub timing: Option<&'static str>,
    /// `insert`, `update` or `delete`.
    pub event: Option<&'static str>,
}

/// A constraint of a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Constraint {
    /// The table.
    pub table: String,
    /// `primary_key`, `foreign_key`, `unique`, `not_null` or `check`.
    pub kind: &'static str,
    /// Its columns.
    pub columns: Vec<String>,
    /// The table and columns that a foreign key refers to.
    pub references: Option<String>,
    /// The expression of a check constraint.
    pub expression: Option<String>,
}

masked! {
    SqliteFields { size, content }
    Content {
        header, write_ahead_log_beside, total_tables, total_columns, total_rows, total_indexes,
        total_views, total_triggers, total_constraints, total_foreign_keys, automatic_index_count,
        sampled, tables, indexes, views, triggers, constraints, errors, sampled_tables,
    }
    Header {
        page_size, page_count, encoding, write_ahead_log, user_version, application_id,
        schema_cookie, freelist_pages,
    }
    Table { name, kind, columns, row_count, without_rowid, strict, sample_rows }
    Column { name, declared, not_null, default, primary_key, generated }
    Index { name, table_name, columns, unique, partial }
    View { name, sql }
    Trigger { name, table_name, timing, event }
    Constraint { table, kind, columns, references, expression }
}
