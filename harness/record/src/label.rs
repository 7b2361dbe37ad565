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
    /// Lines that these labels say nothing about, sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unjudged: Vec<Unjudged>,
    /// Number of lines of the file, where the front end states it: it must if some are not judged.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub lines: u32,
}

/// Lines of a file that its labels say nothing about. It is stored as a list as well.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(from = "UnjudgedRow", into = "UnjudgedRow")]
pub struct Unjudged {
    /// The first of them, 1-based.
    pub first: u32,
    /// The last of them.
    pub last: u32,
    /// Why.
    pub why: Why,
}

/// Why labels say nothing about some lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// The front end skipped them, because a condition that a project's build decides did not hold.
    Configured,
    /// A macro that is called there declares a name which is not written there.
    MacroMade,
}

impl Labels {
    /// Whether the labels say nothing about a line.
    pub fn is_unjudged(&self, line: u32) -> bool {
        self.unjudged.iter().any(|one| (one.first..=one.last).contains(&line))
    }

    /// How many lines the labels say nothing about.
    pub fn unjudged_lines(&self) -> u64 {
        let (mut count, mut behind) = (0, 0);
        for one in &self.unjudged {
            let first = one.first.max(behind + 1);
            if one.last >= first {
                count += u64::from(one.last - first) + 1;
                behind = one.last;
            }
        }
        count
    }

    /// The share of the file's lines that the labels say nothing about; all, if they hide how many lines there are.
    pub fn unjudged_share(&self) -> f64 {
        match self.unjudged_lines() {
            0 => 0.0,
            _ if self.lines == 0 => 1.0,
            lines => lines as f64 / f64::from(self.lines),
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
const fn is_zero(number: &u32) -> bool {
    *number == 0
}

type UnjudgedRow = (u32, u32, Why);
type SymbolRow = (u32, String, String, u32, u32, Option<String>, Option<String>, Option<bool>);
type ImportRow = (u32, String, Option<String>, Vec<String>);

impl From<UnjudgedRow> for Unjudged {
    fn from((first, last, why): UnjudgedRow) -> Self {
        Self { first, last, why }
    }
}

impl From<Unjudged> for UnjudgedRow {
    fn from(one: Unjudged) -> Self {
        (one.first, one.last, one.why)
    }
}

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

#[cfg(test)]
mod tests {
    use super::Labels;

    #[test]
    fn lines_in_two_ranges_count_once_and_a_hidden_number_of_lines_is_no_excuse() {
        let text = r#"{"symbols":[],"imports":[],"unjudged":[[2,5,"configured"],[4,6,"macro_made"],[9,9,"configured"]],"lines":12}"#;
        let mut labels: Labels = serde_json::from_str(text).unwrap();
        assert_eq!((labels.unjudged_lines(), labels.unjudged_share()), (6, 0.5));
        let inside: Vec<u32> = (1..=12).filter(|line| labels.is_unjudged(*line)).collect();
        assert_eq!(inside, [2, 3, 4, 5, 6, 9]);
        assert_eq!(serde_json::to_string(&labels).unwrap(), text);
        labels.lines = 0;
        assert_eq!(labels.unjudged_share(), 1.0);
    }

    #[test]
    fn labels_of_everything_are_stored_as_before_and_other_reasons_are_refused() {
        let text = r#"{"symbols":[],"imports":[]}"#;
        let labels: Labels = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&labels).unwrap(), text);
        assert_eq!(labels.unjudged_share(), 0.0);
        let other = r#"{"symbols":[],"imports":[],"unjudged":[[2,5,"difficult"]]}"#;
        assert!(serde_json::from_str::<Labels>(other).is_err());
    }
}
