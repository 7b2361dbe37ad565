//! How many bytes a token has in each language, counted over the corpora.
//!
//! The record (`reports/tokens.json`) holds the counts, corpus by corpus; the engine's table
//! (`engine/base/src/tokens/bytes_per_token.json`) follows from it. A check counts some corpora again.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

use base::tokens::Counter;
use explore::{
    Input,
    dispatch::{Family, dispatch},
};
use record::digest::sha256;
use serde::{Deserialize, Serialize};

/// The record, by its path in the checkout.
pub const RECORD: &str = "reports/tokens.json";
/// The engine's table, by its path in the checkout.
pub const TABLE: &str = "engine/base/src/tokens/bytes_per_token.json";
/// The most files of a language that are counted in one corpus: those with the smallest digests of
/// their paths.
const FILES: usize = 20;
/// Longest file that is counted, in bytes.
const LONGEST: u64 = 64 * 1024;
/// The fewest files in all corpora with which a language gets a row in the table.
const ENOUGH: u64 = 10;

/// The counts of some files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counts {
    /// Number of files.
    pub files: u64,
    /// Number of bytes.
    pub bytes: u64,
    /// Number of `cl100k_base` tokens.
    pub tokens: u64,
}

impl Counts {
    const fn add(&mut self, other: Self) {
        self.files += other.files;
        self.bytes += other.bytes;
        self.tokens += other.tokens;
    }
}

/// The counts by corpus and by key of the explorer.
pub type Record = BTreeMap<String, BTreeMap<String, Counts>>;

/// Counts the texts of a repository by the key of the explorer that reads them.
///
/// # Errors
/// A file or folder cannot be read.
pub fn count(repository: &Path) -> io::Result<BTreeMap<String, Counts>> {
    let mut paths: Vec<(String, String)> =
        files(repository)?.into_iter().map(|path| (sha256(&path), path)).collect();
    paths.sort_unstable();
    let mut found: BTreeMap<String, Counts> = BTreeMap::new();
    for (_, path) in paths {
        let bytes = fs::read(repository.join(&path))?;
        let dispatched = dispatch(&Input::memory(&path, &bytes), None)?.explorer;
        if dispatched.family == Family::Binary {
            continue;
        }
        let Ok(text) = std::str::from_utf8(&bytes) else { continue };
        let counts = found.entry(dispatched.id.clone()).or_default();
        if counts.files < FILES as u64 {
            let tokens = Counter.count(text) as u64;
            counts.add(Counts { files: 1, bytes: bytes.len() as u64, tokens });
        }
    }
    Ok(found)
}

/// The paths of all files that are neither empty nor too long, without links.
fn files(repository: &Path) -> io::Result<Vec<String>> {
    let mut paths = Vec::new();
    let mut pending = vec![PathBuf::new()];
    while let Some(folder) = pending.pop() {
        for entry in fs::read_dir(repository.join(&folder))? {
            let entry = entry?;
            let (kind, path) = (entry.file_type()?, folder.join(entry.file_name()));
            if kind.is_dir() && entry.file_name() != ".git" {
                pending.push(path);
            } else if kind.is_file() && (1..=LONGEST).contains(&entry.metadata()?.len()) {
                paths.extend(path.to_str().map(str::to_owned));
            }
        }
    }
    Ok(paths)
}

/// Bytes per token of each language that has enough files, rounded to hundredths.
pub fn table(record: &Record) -> BTreeMap<String, f64> {
    let mut sums: BTreeMap<&str, Counts> = BTreeMap::new();
    for (language, counts) in record.values().flatten() {
        sums.entry(language).or_default().add(*counts);
    }
    let enough = sums.into_iter().filter(|(_, sum)| sum.files >= ENOUGH);
    let ratio = |sum: Counts| (sum.bytes as f64 / sum.tokens as f64 * 100.0).round() / 100.0;
    enough.map(|(language, sum)| (language.to_owned(), ratio(sum))).collect()
}

/// Where a record differs from what is counted now in some corpora, in words.
pub fn differences(record: &Record, counted: &Record) -> Vec<String> {
    let mut found = Vec::new();
    for (corpus, now) in counted {
        let recorded = record.get(corpus).cloned().unwrap_or_default();
        let languages: std::collections::BTreeSet<&String> =
            recorded.keys().chain(now.keys()).collect();
        for language in languages {
            let (ours, theirs) = (recorded.get(language), now.get(language));
            if ours != theirs {
                found.push(format!("{corpus}, {language}: recorded {ours:?}, counted {theirs:?}"));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeMap, fs};

    use super::{Counts, Record, count, differences, table};

    fn counts(files: u64, bytes: u64, tokens: u64) -> Counts {
        Counts { files, bytes, tokens }
    }

    #[test]
    fn a_repository_is_counted_by_language() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("a/.git")).unwrap();
        for n in 0..30 {
            fs::write(folder.path().join(format!("a/f{n}.py")), "hello world\n").unwrap();
        }
        fs::write(folder.path().join("a/.git/x.py"), "x").unwrap();
        fs::write(folder.path().join("empty.py"), "").unwrap();
        fs::write(folder.path().join("latin.py"), b"# caf\xe9\n").unwrap();
        fs::write(folder.path().join("a.json"), "{}").unwrap();
        let found = count(folder.path()).unwrap();
        // "hello", " world" and the line break.
        assert_eq!(found["python"], counts(20, 240, 60));
        assert_eq!(found["json"], counts(1, 2, 1));
        assert_eq!(found.len(), 2);
    }

    #[test]
    fn the_table_has_the_languages_with_enough_files_and_a_difference_is_told() {
        let of = |tokens| {
            BTreeMap::from([
                ("c".to_owned(), counts(6, 30, tokens)),
                ("d".to_owned(), counts(4, 9, 3)),
            ])
        };
        let record = Record::from([("one".to_owned(), of(10)), ("two".to_owned(), of(8))]);
        assert_eq!(table(&record), BTreeMap::from([("c".to_owned(), 3.33)]));
        let now = Record::from([("one".to_owned(), of(11))]);
        assert_eq!(differences(&record, &record), [""; 0]);
        assert_eq!(differences(&record, &now).len(), 1);
        let unknown = Record::from([("three".to_owned(), of(10))]);
        assert_eq!(differences(&record, &unknown).len(), 2);
    }
}
