//! The lines that definitions are shown by, kept by the content of their files: with them a map is drawn without
//! reading the files that it shows.

use std::{collections::BTreeMap, sync::Arc};

use serde::{Deserialize, Serialize};

use super::row::{opened, sealed};
use crate::{enhancement::KnownLines, sources::Sources};

/// Share of the lines of a map that may be new before they are kept again, as its reciprocal. After an edit only
/// those of the edited file are, and writing all of them takes longer than making these.
const FEW: usize = 8;
/// Maximum number of definitions that are kept: those of some maps with large budgets.
const MOST: usize = 1 << 14;

/// The lines of a file.
#[derive(Debug, Serialize, Deserialize)]
struct OfFile<'a> {
    /// The position of the file in the list of all.
    file: u32,
    /// The sha256 of its bytes.
    sha256: [u8; 32],
    /// For each row with a definition, rows and lines.
    #[serde(borrow)]
    lines: Vec<(u32, Vec<(u32, &'a str)>)>,
}

/// The lines of a row for those files that have the same bytes; none if the row is damaged. The row has to be of
/// the same list of files, and of the same code.
pub fn lines(row: &[u8], sources: &Sources) -> KnownLines {
    let mut known = KnownLines::new();
    let of_files: Vec<OfFile> = opened(row).unwrap_or_default();
    for OfFile { file, sha256, lines } in of_files {
        let file = file as usize;
        if sources.files.get(file).is_some_and(|source| source.sha256 == Some(sha256)) {
            let shown = |lines: Vec<(u32, &str)>| -> Arc<[(usize, String)]> {
                lines.into_iter().map(|(row, line)| (row as usize, line.to_owned())).collect()
            };
            known.extend(lines.into_iter().map(|(row, of)| ((file, row as usize), shown(of))));
        }
    }
    known
}

/// The row of these lines; `None` if there are too many of them, or too few new ones besides those that were
/// kept `before`.
pub fn encode(known: &KnownLines, before: usize, sources: &Sources) -> Option<Vec<u8>> {
    let new = known.len().saturating_sub(before);
    if new * FEW <= known.len() || known.len() > MOST {
        return None;
    }
    let mut of_files: BTreeMap<usize, OfFile> = BTreeMap::new();
    for (&(file, row), shown) in known {
        let Some(sha256) = sources.files.get(file).and_then(|source| source.sha256) else {
            continue;
        };
        let of_file = || OfFile { file: file as u32, sha256, lines: Vec::new() };
        let lines = shown.iter().map(|(row, line)| (*row as u32, line.as_str())).collect();
        of_files.entry(file).or_insert_with(of_file).lines.push((row as u32, lines));
    }
    sealed(&of_files.into_values().collect::<Vec<_>>())
}
