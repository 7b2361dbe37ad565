//! Blocks of documents that this program writes: the text between two markers is rendered from a
//! recorded file or a schema, so that no number and no table of fields in a document is typed by hand.
//!
//! A block begins with a line `<!-- spliced: NAME from FILE -->` and ends with a line
//! `<!-- spliced end -->`. `FILE` is a record in the checkout; `NAME` says how it is rendered.

use std::{fmt, fs, io, path::Path};

use serde::de::DeserializeOwned;

use super::{bench::MapBench, table::Table, terminal};
use crate::schemas::{self, FieldsError};

/// The documents that have such blocks.
pub const DOCUMENTS: [&str; 3] = ["README.md", "docs/json.md", "reports/bench/map.md"];

const BEGIN: &str = "<!-- spliced: ";
const END: &str = "<!-- spliced end -->";

/// Why a document could not be updated. Each error names the document and the line of the block,
/// counted from 1.
#[derive(Debug, thiserror::Error)]
pub enum SpliceError {
    /// The first line of a block is not `<!-- spliced: NAME from FILE -->`.
    #[error("{0}: a block begins with `{BEGIN}NAME from FILE -->`")]
    Marker(Line),
    /// A block is not ended before the next one or the end of the document.
    #[error("{0}: the block is not ended with `{END}`")]
    Open(Line),
    /// No rendering has that name.
    #[error("{line}: there is no rendering `{name}`")]
    Name {
        /// Where.
        line: Line,
        /// The name.
        name: String,
    },
    /// The record of a block cannot be read.
    #[error("{line}: {file} cannot be read: {source}")]
    Record {
        /// Where.
        line: Line,
        /// The record.
        file: String,
        /// What is wrong with it.
        source: io::Error,
    },
    /// There are no tables of a schema.
    #[error("{line}: {source}")]
    Fields {
        /// Where.
        line: Line,
        /// Why.
        source: FieldsError,
    },
}

/// A line of a document.
#[derive(Debug)]
pub struct Line {
    /// The document.
    pub document: String,
    /// The number of the line, from 1.
    pub number: usize,
}

impl fmt::Display for Line {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}", self.document, self.number)
    }
}

/// The text of a document with all of its blocks rendered again. `root` is the checkout.
pub fn splice(root: &Path, document: &str, text: &str) -> Result<String, SpliceError> {
    let mut out = String::with_capacity(text.len());
    let mut lines = (1..).zip(text.split_inclusive('\n'));
    while let Some((number, line)) = lines.next() {
        out.push_str(line);
        let Some(rest) = line.strip_prefix(BEGIN) else { continue };
        let here = || Line { document: document.to_owned(), number };
        let words =
            rest.trim_end().strip_suffix(" -->").and_then(|words| words.split_once(" from "));
        let (name, file) = words.ok_or_else(|| SpliceError::Marker(here()))?;
        out.push('\n');
        out.push_str(&render(root, name, file, here)?);
        let end = lines
            .find(|(_, line)| line.trim_end() == END || line.starts_with(BEGIN))
            .filter(|(_, line)| line.trim_end() == END);
        let (_, end) = end.ok_or_else(|| SpliceError::Open(here()))?;
        out.push('\n');
        out.push_str(end);
    }
    Ok(out)
}

/// One block, with a line feed at its end.
fn render(
    root: &Path,
    name: &str,
    file: &str,
    line: impl Fn() -> Line,
) -> Result<String, SpliceError> {
    let unreadable = |source| SpliceError::Record { line: line(), file: file.to_owned(), source };
    let bench = || read::<MapBench>(root, file).map_err(unreadable);
    Ok(match name {
        "verdicts" => {
            let table: Table = read(root, file).map_err(unreadable)?;
            format!("```text\n{}```\n", terminal::brief(&table))
        }
        "speed" => bench()?.brief_table(),
        "speed cold" => bench()?.cold_table(),
        "speed warm" => bench()?.warm_table(),
        "speed profiles" => bench()?.profiles_table(),
        "fields" => schemas::tables(&root.join(file))
            .map_err(|source| SpliceError::Fields { line: line(), source })?,
        _ => return Err(SpliceError::Name { line: line(), name: name.to_owned() }),
    })
}

fn read<T: DeserializeOwned>(root: &Path, file: &str) -> io::Result<T> {
    let bytes = fs::read(root.join(file))?;
    serde_json::from_slice(&bytes).map_err(io::Error::from)
}

#[cfg(test)]
mod tests {
    use super::{SpliceError, splice};
    use crate::report::{example, table::Table};

    const BLOCK: &str =
        "a\n<!-- spliced: verdicts from table.json -->\nold\n<!-- spliced end -->\nb\n";

    fn checkout() -> tempfile::TempDir {
        let root = tempfile::tempdir().expect("a folder");
        let table = Table::of(&example::failing()).expect("a table");
        let bytes = serde_json::to_vec(&table).expect("JSON");
        std::fs::write(root.path().join("table.json"), bytes).expect("written");
        root
    }

    #[test]
    fn only_what_stands_between_the_markers_is_written_anew() {
        let root = checkout();
        let text = splice(root.path(), "d.md", BLOCK).expect("a document");
        assert!(text.starts_with("a\n<!-- spliced: verdicts from table.json -->\n\n```text\ngate"));
        assert!(
            text.ends_with(
                "verify artifacts/bundles/3f3f3f3f3f3f\n```\n\n<!-- spliced end -->\nb\n"
            ),
            "{text}"
        );
        assert!(
            text.contains("jaccard_top30") && text.contains("0.8182") && !text.contains("\nold\n")
        );
        assert_eq!(splice(root.path(), "d.md", &text).expect("a document"), text);
    }

    #[test]
    fn a_document_without_blocks_stays_as_it_is() {
        let root = checkout();
        for text in ["", "no line feed", "a\n\nb\n"] {
            assert_eq!(splice(root.path(), "d.md", text).expect("a document"), text);
        }
    }

    #[test]
    fn a_broken_block_is_named_by_its_line() {
        let root = checkout();
        let said = |text: &str| splice(root.path(), "d.md", text).expect_err("an error");
        let open = "\n<!-- spliced: verdicts from table.json -->\nold\n";
        assert!(matches!(said(open), SpliceError::Open(line) if line.number == 2));
        let nested =
            format!("{open}<!-- spliced: verdicts from table.json -->\n<!-- spliced end -->\n");
        assert!(matches!(said(&nested), SpliceError::Open(line) if line.number == 2));
        assert!(matches!(said("<!-- spliced: verdicts -->\n"), SpliceError::Marker(_)));
        let other = BLOCK.replace("verdicts", "other");
        assert!(matches!(said(&other), SpliceError::Name { .. }));
        let missing = BLOCK.replace("table.json", "missing.json");
        assert!(said(&missing).to_string().starts_with("d.md:2: missing.json cannot be read"));
    }
}
