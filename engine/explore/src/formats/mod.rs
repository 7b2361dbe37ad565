//! Formats: one folder or file for each, one row in the list below and one in `formats.toml`.
//!
//! A format is a module with a function `explore`, which returns the contents of a file, and a
//! module `fields` with the type of its facts. `shared` holds the parts that several formats use.

mod archive;
mod binary;
mod csv;
mod diff;
mod executable;
mod html;
mod image;
mod ini;
mod json;
mod latex;
mod log;
mod markdown;
mod pdf;
pub mod plain;
mod shared;
mod sqlite;
mod toml;
mod xml;
mod yaml;

use std::io;

use serde::{Serialize, Serializer, ser::Error};

use base::secrets::Secrets;

use crate::{
    Record,
    findings::{Findings, Task},
    masked::Mask,
};

pub use csv::looks_like_table;
pub use log::looks_like_log;
pub use shared::bytes::{le16, le32};

/// Explores a file of one format.
type Explore = fn(&Task) -> io::Result<Findings>;

/// Generates [`Fields`], [`fields`] and [`FORMATS`] from the list of formats: the name of the
/// variant, the type of its facts, its module and its key.
macro_rules! formats {
    ($($(#[$doc:meta])* $name:ident($fields:ident) in $module:ident, $key:literal;)*) => {
        /// The facts about a file that are specific to its format, with exact totals. Lists are
        /// never capped, except if a flag beside them, such as `keys_complete`, says so.
        ///
        /// They serialise to one flat JSON object with its members sorted by name.
        #[derive(Debug, Clone, PartialEq, Default)]
        pub enum Fields {
            /// There are none: the file could not be read.
            #[default]
            None,
            /// Facts of a programming language; each language chooses their names.
            Code(Record),
            $($(#[$doc])* $name($module::fields::$fields),)*
        }

        impl Fields {
            fn json(&self) -> serde_json::Result<serde_json::Value> {
                match self {
                    Self::None => Ok(serde_json::Map::new().into()),
                    Self::Code(record) => serde_json::to_value(record),
                    $(Self::$name(fields) => serde_json::to_value(fields),)*
                }
            }
        }

        impl Mask for Fields {
            fn mask(&mut self, secrets: Secrets) {
                match self {
                    Self::None => {}
                    Self::Code(record) => record.mask(secrets),
                    $(Self::$name(fields) => fields.mask(secrets),)*
                }
            }
        }

        $(impl From<$module::fields::$fields> for Fields {
            fn from(fields: $module::fields::$fields) -> Self {
                Self::$name(fields)
            }
        })*

        /// The facts of each format, one module for each.
        pub mod fields {
            pub use super::shared::tree::fields as tree;
            $(pub use super::$module::fields as $module;)*
        }

        /// The formats: each key with its explorer.
        const FORMATS: &[(&str, Explore)] = &[$(($key, $module::explore)),*];
    };
}

formats! {
    /// Archives and packed files.
    Archive(ArchiveFields) in archive, "archive";
    /// Bytes without a known structure.
    Binary(BinaryFields) in binary, "binary";
    /// Delimited text.
    Csv(CsvFields) in csv, "csv";
    /// Patches.
    Diff(DiffFields) in diff, "diff";
    /// Executables, libraries and object files.
    Executable(ExecutableFields) in executable, "executable";
    /// Web pages.
    Html(HtmlFields) in html, "html";
    /// Images.
    Image(ImageFields) in image, "image";
    /// INI and similar formats.
    Ini(IniFields) in ini, "ini";
    /// JSON and its dialects.
    Json(JsonFields) in json, "json";
    /// LaTeX.
    Latex(LatexFields) in latex, "latex";
    /// Logs.
    Log(LogFields) in log, "log";
    /// Markdown.
    Markdown(MarkdownFields) in markdown, "markdown";
    /// PDF.
    Pdf(PdfFields) in pdf, "pdf";
    /// SQLite databases.
    Sqlite(SqliteFields) in sqlite, "sqlite";
    /// Text without a known structure.
    Text(TextFields) in plain, "text";
    /// TOML.
    Toml(TomlFields) in toml, "toml";
    /// XML.
    Xml(XmlFields) in xml, "xml";
    /// YAML.
    Yaml(YamlFields) in yaml, "yaml";
}

impl Serialize for Fields {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut json = self.json().map_err(S::Error::custom)?;
        // Another crate may enable the feature of serde_json that keeps the order of declaration.
        json.sort_all_objects();
        json.serialize(serializer)
    }
}

/// Explores a file by the key of its format; a file with an unknown key is read as plain text.
pub fn explore(task: &Task) -> io::Result<Findings> {
    match FORMATS.iter().find(|(key, _)| *key == task.language) {
        Some((_, explore)) => explore(task),
        None => plain::explore(task),
    }
}
