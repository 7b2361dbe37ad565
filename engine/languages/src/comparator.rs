//! What holds for all languages: `queries/comparator.toml`.

use std::collections::BTreeMap;

use serde::Deserialize;

/// The comparator's side of the table.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Comparator {
    /// File names that the comparator maps to a language without a query: they yield no tags,
    /// whatever their extension says.
    pub shadowed_file_names: Vec<String>,
    /// Versions of the comparator's packages that decide trees, detection and lexing, by package
    /// name.
    pub versions: BTreeMap<String, String>,
    /// The crate whose C core equals the comparator's.
    pub parser_core: ParserCore,
}

/// The crate that parses.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ParserCore {
    /// Its name.
    pub package: String,
    /// Its exact version.
    pub version: String,
}
