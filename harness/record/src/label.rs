//! Labels: what gold says about one symbol or import. Words of the closed lists are kept as texts,
//! so that a gate needs no type of the engine.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// How much a front end knows about visibility.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum VisibilityClass {
    /// A word such as `private` for each symbol, and whether it is exported.
    Full,
    /// Only whether a symbol is exported.
    ExportOnly,
    /// Nothing: visibility is not applicable.
    None,
}

/// One symbol. It is stored as a list in the order of the fields, without their names.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(from = "SymbolRow", into = "SymbolRow")]
pub struct SymbolLabel {
    /// 1-based line of the name.
    pub line: u32,
    /// The name without its scope.
    pub name: String,
    /// What it is: a word of the closed list of kinds.
    pub kind: String,
    /// First line of the declaration.
    pub decl_line: u32,
    /// Last line of the declaration.
    pub end_line: u32,
    /// The enclosing scope.
    pub parent: Option<String>,
    /// Who may use it, where the front end knows.
    pub visibility: Option<String>,
    /// Whether it is exported, where the front end knows.
    pub exported: Option<bool>,
}

/// One import, stored as a list as well.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(from = "ImportRow", into = "ImportRow")]
pub struct ImportLabel {
    /// 1-based line.
    pub line: u32,
    /// The module as written.
    pub path: String,
    /// `stdlib`, `third_party`, `local` or `unknown`; absent where the front end does not know.
    pub category: Option<String>,
    /// Names taken from it.
    pub names: Vec<String>,
}

/// All labels of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Labels {
    /// Symbols, sorted by line, name and kind.
    pub symbols: Vec<SymbolLabel>,
    /// Imports, sorted by line and path.
    pub imports: Vec<ImportLabel>,
    /// Entities of a data format: kind, what identifies it, line or null. Texts are digests.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub entities: Vec<Vec<Value>>,
    /// Counts of a data format.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub counts: BTreeMap<String, u64>,
}

type SymbolRow = (u32, String, String, u32, u32, Option<String>, Option<String>, Option<bool>);
type ImportRow = (u32, String, Option<String>, Vec<String>);

impl From<SymbolRow> for SymbolLabel {
    fn from(row: SymbolRow) -> Self {
        let (line, name, kind, decl_line, end_line, parent, visibility, exported) = row;
        Self { line, name, kind, decl_line, end_line, parent, visibility, exported }
    }
}

impl From<SymbolLabel> for SymbolRow {
    fn from(label: SymbolLabel) -> Self {
        let SymbolLabel { line, name, kind, decl_line, end_line, parent, visibility, exported } =
            label;
        (line, name, kind, decl_line, end_line, parent, visibility, exported)
    }
}

impl From<ImportRow> for ImportLabel {
    fn from((line, path, category, names): ImportRow) -> Self {
        Self { line, path, category, names }
    }
}

impl From<ImportLabel> for ImportRow {
    fn from(label: ImportLabel) -> Self {
        (label.line, label.path, label.category, label.names)
    }
}
