//! What `queries/languages.json` records of the comparator, and how it is brought up to date.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use base::profile::Profile;
use serde::Deserialize;
use serde_json::Value;

use super::Facts;

/// The recorded part of the manifest.
#[derive(Debug, Clone, Deserialize)]
pub struct Recorded {
    /// Versions of the comparator's packages by distribution name.
    pub comparator: BTreeMap<String, String>,
    /// The crate whose C core equals the comparator's.
    pub parser_core: ParserCore,
    /// File names of languages without a query.
    pub shadowed_file_names: Vec<String>,
    /// The languages.
    pub languages: Vec<RecordedLanguage>,
}

/// The crate that parses.
#[derive(Debug, Clone, Deserialize)]
pub struct ParserCore {
    /// Its name.
    pub package: String,
    /// Its exact version.
    pub version: String,
}

/// What is recorded of one language.
#[derive(Debug, Clone, Deserialize)]
pub struct RecordedLanguage {
    /// The language key.
    pub key: String,
    /// Our query, in `queries/`.
    pub query_file: String,
    /// Extensions with their dot.
    pub extensions: Vec<String>,
    /// Whole file names.
    pub file_names: Vec<String>,
    /// Key of its grammar.
    pub grammar: String,
    /// Version of the grammar's table format.
    pub abi: usize,
    /// Where the language runs.
    pub profile: Profile,
    /// The query that the comparator resolves.
    pub aider_query: String,
    /// Digest of that file.
    pub aider_query_sha256: String,
    /// Why it is not resolved by itself, if it is not.
    pub manual_exception: Option<String>,
}

impl Recorded {
    /// Reads the manifest's text.
    pub fn parse(text: &str) -> serde_json::Result<Self> {
        serde_json::from_str(text)
    }

    /// Names that show how our tables are looked up.
    pub fn probes(&self) -> Vec<String> {
        let mut names = self.shadowed_file_names.clone();
        for row in &self.languages {
            names.extend(row.file_names.iter().cloned());
            for extension in &row.extensions {
                let forms = [
                    format!("a{extension}"),
                    format!("a.b{extension}"),
                    format!(".{extension}"),
                    format!("a{}", extension.to_uppercase()),
                    format!("a{extension}x"),
                ];
                names.extend(forms);
            }
        }
        names
    }
}

/// The manifest's text with every recorded fact taken from the environment.
///
/// Lines that hold no such fact stay as they are, so that the difference of the two texts shows
/// exactly what moved. Languages are neither added nor removed: that needs a query of ours.
pub fn updated(text: &str, facts: &Facts) -> String {
    let mut out = String::with_capacity(text.len());
    let mut key = None;
    for line in text.split_inclusive('\n') {
        let Some((indent, field, value, tail)) = split(line) else {
            out.push_str(line);
            continue;
        };
        if field == "key" {
            key = value.as_str().map(str::to_owned);
        }
        match fresh(key.as_deref(), field, &value, facts) {
            Some(new) if new != value => {
                // Writing to a string cannot fail.
                let _ = write!(out, "{indent}\"{field}\": {}{tail}", inline(&new));
            }
            _ => out.push_str(line),
        }
    }
    out
}

/// Indentation, field name, value, and what follows it, of a line `"field": value,`.
fn split(line: &str) -> Option<(&str, &str, Value, &str)> {
    let body = line.trim_start();
    let indent = line.get(..line.len() - body.len())?;
    let (field, rest) = body.strip_prefix('"')?.split_once("\": ")?;
    let value = rest.trim_end().trim_end_matches(',');
    let tail = rest.get(value.len()..)?;
    Some((indent, field, serde_json::from_str(value).ok()?, tail))
}

/// What the environment says about a field of a language, or of the whole file.
fn fresh(key: Option<&str>, field: &str, old: &Value, facts: &Facts) -> Option<Value> {
    let Some(key) = key else {
        return match field {
            "shadowed_file_names" => Some(facts.shadowed().into()),
            "comparator" => {
                let mut versions = old.clone();
                for (name, version) in versions.as_object_mut()? {
                    if let Some(found) = facts.versions.get(name) {
                        *version = found.clone().into();
                    }
                }
                Some(versions)
            }
            _ => None,
        };
    };
    let language = facts.languages.get(key)?;
    let mapped = facts.table.values().any(|mapped| mapped == key);
    match field {
        "extensions" if mapped => {
            let entries = facts.entries_of(key).into_iter();
            Some(entries.filter(|entry| entry.starts_with('.')).collect::<Vec<_>>().into())
        }
        "file_names" if mapped => Some(facts.entries_of(key).into()),
        "abi" => language.abi.map(Value::from),
        "aider_query" => language.query.clone().map(Value::from),
        "aider_query_sha256" => language.query_sha256.clone().map(Value::from),
        _ => None,
    }
}

/// JSON on one line with a space after each comma and colon, as the manifest is written.
fn inline(value: &Value) -> String {
    match value {
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(inline).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(fields) => {
            let field = |(name, value): (&String, &Value)| {
                format!("{}: {}", Value::from(name.clone()), inline(value))
            };
            let fields: Vec<String> = fields.iter().map(field).collect();
            format!("{{{}}}", fields.join(", "))
        }
        other => other.to_string(),
    }
}

/// The lines that differ between two texts of equally many lines, as `- old` and `+ new`.
pub fn difference(old: &str, new: &str) -> Vec<String> {
    old.lines()
        .zip(new.lines())
        .filter(|(old, new)| old != new)
        .flat_map(|(old, new)| [format!("- {}", old.trim()), format!("+ {}", new.trim())])
        .collect()
}
