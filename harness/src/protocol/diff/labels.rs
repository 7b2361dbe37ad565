//! Compares the labels of gold of two versions, by language or format.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::Read,
};

use flate2::read::GzDecoder;
use serde::{Deserialize, Serialize};

use super::damaged;
use crate::Failure;

/// Largest size of a file of labels after decompression, in bytes.
const LARGEST: u64 = 512 << 20;

/// The changes of the labels of one language or format.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LabelChange {
    /// The language or format.
    pub language: String,
    /// Number of files that its front end was asked about, before and after; absent without labels.
    pub files: [Option<usize>; 2],
    /// Number of files that only the version after has.
    pub added: usize,
    /// Number of files that only the version before has.
    pub gone: usize,
    /// Number of files whose labels changed, or the reason why they have none.
    pub relabelled: usize,
    /// The front end with its version, before and after; absent if they are the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub oracle: Option<[String; 2]>,
    /// Corpora that only the version after has files of.
    pub corpora_added: Vec<String>,
    /// Corpora that only the version before has files of.
    pub corpora_gone: Vec<String>,
}

/// The part of the first line that is compared.
#[derive(Deserialize)]
struct Header {
    oracle: String,
    oracle_version: String,
    corpora: BTreeMap<String, serde_json::Value>,
}

/// The part of every other line that names its file.
#[derive(Deserialize)]
struct Row {
    corpus: String,
    file: String,
}

/// The decompressed labels of one language.
struct Labels<'a> {
    header: Header,
    rows: BTreeMap<(String, String), &'a str>,
}

/// Compares the labels of two versions; also returns the number of files of labels that are the same.
pub fn compare(
    before: &BTreeMap<String, Vec<u8>>,
    after: &BTreeMap<String, Vec<u8>>,
) -> Result<(Vec<LabelChange>, usize), Failure> {
    let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let (mut changes, mut same) = (Vec::new(), 0);
    for name in names {
        let (was, is) = (before.get(name), after.get(name));
        let texts =
            if was == is { None } else { Some((unpacked(name, was)?, unpacked(name, is)?)) };
        // The same text may be compressed differently.
        let change = match &texts {
            Some((was, is)) if was != is => one(name, was.as_deref(), is.as_deref())?,
            _ => None,
        };
        match change {
            Some(change) => changes.push(change),
            None => same += 1,
        }
    }
    Ok((changes, same))
}

/// The changes of one language; `None` if only digests of the corpora changed.
fn one(name: &str, was: Option<&str>, is: Option<&str>) -> Result<Option<LabelChange>, Failure> {
    let was = was.map(|text| parsed(name, text)).transpose()?;
    let is = is.map(|text| parsed(name, text)).transpose()?;
    let none = BTreeMap::new();
    let rows = |labels: &Option<Labels<'_>>| labels.as_ref().map(|labels| labels.rows.len());
    let (old, new) = (
        was.as_ref().map_or(&none, |labels| &labels.rows),
        is.as_ref().map_or(&none, |labels| &labels.rows),
    );
    let corpora = |labels: &Option<Labels<'_>>| -> BTreeSet<String> {
        labels.iter().flat_map(|labels| labels.header.corpora.keys().cloned()).collect()
    };
    let oracle =
        |labels: &Labels<'_>| format!("{} {}", labels.header.oracle, labels.header.oracle_version);
    let oracles = was.as_ref().zip(is.as_ref()).map(|(was, is)| [oracle(was), oracle(is)]);
    let change = LabelChange {
        language: name.trim_end_matches(".jsonl.gz").to_owned(),
        files: [rows(&was), rows(&is)],
        added: new.keys().filter(|key| !old.contains_key(*key)).count(),
        gone: old.keys().filter(|key| !new.contains_key(*key)).count(),
        relabelled: old
            .iter()
            .filter(|(key, line)| new.get(*key).is_some_and(|other| other != *line))
            .count(),
        oracle: oracles.filter(|[was, is]| was != is),
        corpora_added: corpora(&is).difference(&corpora(&was)).cloned().collect(),
        corpora_gone: corpora(&was).difference(&corpora(&is)).cloned().collect(),
    };
    let [was, is] = change.files;
    let some = was != is
        || change.added + change.gone + change.relabelled > 0
        || change.oracle.is_some()
        || !change.corpora_added.is_empty()
        || !change.corpora_gone.is_empty();
    Ok(some.then_some(change))
}

fn unpacked(name: &str, bytes: Option<&Vec<u8>>) -> Result<Option<String>, Failure> {
    let Some(bytes) = bytes else { return Ok(None) };
    let mut text = String::new();
    GzDecoder::new(bytes.as_slice())
        .take(LARGEST)
        .read_to_string(&mut text)
        .map_err(|error| damaged(name, &error.to_string()))?;
    Ok(Some(text))
}

fn parsed<'a>(name: &str, text: &'a str) -> Result<Labels<'a>, Failure> {
    let failed = |error: serde_json::Error| damaged(name, &error.to_string());
    let mut lines = text.lines();
    let header = serde_json::from_str(lines.next().unwrap_or_default()).map_err(failed)?;
    let rows = lines
        .map(|line| serde_json::from_str(line).map(|row: Row| ((row.corpus, row.file), line)))
        .collect::<Result<_, _>>()
        .map_err(failed)?;
    Ok(Labels { header, rows })
}
