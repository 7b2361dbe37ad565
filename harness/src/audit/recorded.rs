//! What `queries/` records of the comparator, and how it is updated.

use std::fmt::Write as _;

use languages::{Table, Texts};
use serde_json::Value;

use super::{Facts, facts::ModelFacts};

/// The recorded table of language models, by its path in the checkout.
pub const MODELS: &str = "engine/base/src/tokens/models.json";

/// File names that together exercise all tables of `queries/`.
pub fn probes(table: &Table) -> Vec<String> {
    let mut names = table.comparator.shadowed_file_names.clone();
    for (_, row) in table.tagged() {
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

/// The texts with every recorded fact replaced by the environment's.
///
/// Lines without such a fact stay as they are, so that the difference of the texts shows exactly what
/// moved. Languages are neither added nor removed, because that needs a query of ours.
pub fn updated(texts: &Texts, facts: &Facts) -> Texts {
    let one = |(file, text): (&String, &String)| (file.clone(), refreshed(file, text, facts));
    texts.iter().map(one).collect()
}

/// One file with its facts replaced by the environment's.
fn refreshed(file: &str, text: &str, facts: &Facts) -> String {
    let key = file.split_once('/').map(|(key, _)| key);
    let mut out = String::with_capacity(text.len());
    let mut section = "";
    for line in text.split_inclusive('\n') {
        if let Some(name) =
            line.trim_end().strip_prefix('[').and_then(|rest| rest.strip_suffix(']'))
        {
            section = name;
        }
        let fresh = split(line).and_then(|(field, value)| {
            let new = fresh(key, section, field, facts)?;
            (new != value).then_some((field, new))
        });
        match fresh {
            Some((field, new)) => {
                // Writing to a string cannot fail.
                let _ = writeln!(out, "{field} = {}", inline(&new));
            }
            None => out.push_str(line),
        }
    }
    out
}

/// Field name and value of a line `field = value`. Strings, numbers and lists of strings are
/// written in TOML as they are in JSON.
fn split(line: &str) -> Option<(&str, Value)> {
    let (field, value) = line.trim_end().split_once(" = ")?;
    Some((field, serde_json::from_str(value).ok()?))
}

/// What the environment says about a field of a language, or of all languages.
fn fresh(key: Option<&str>, section: &str, field: &str, facts: &Facts) -> Option<Value> {
    let Some(key) = key else {
        return match (section, field) {
            ("", "shadowed_file_names") => Some(facts.shadowed().into()),
            ("versions", package) => facts.versions.get(package).cloned().map(Value::from),
            _ => None,
        };
    };
    let language = facts.languages.get(key).filter(|_| section == "tags")?;
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

/// A value on one line with a space after each comma, as the table is written.
fn inline(value: &Value) -> String {
    match value {
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(inline).collect();
            format!("[{}]", items.join(", "))
        }
        other => other.to_string(),
    }
}

/// The text of the recorded table of language models.
pub fn models(models: &ModelFacts) -> Result<String, serde_json::Error> {
    Ok(serde_json::to_string_pretty(models)? + "\n")
}

/// The lines that differ between two states of the texts, as `- old` and `+ new` with the name of the
/// file before them. Both states must have the same files with the same number of lines.
pub fn difference(old: &Texts, new: &Texts) -> Vec<String> {
    let mut changes = Vec::new();
    for (file, old) in old {
        let new = new.get(file).map_or("", String::as_str);
        for (old, new) in old.lines().zip(new.lines()).filter(|(old, new)| old != new) {
            changes.extend([format!("- {file}: {old}"), format!("+ {file}: {new}")]);
        }
    }
    changes
}
