//! Compares what Volt's explorers say about a file with what ours say in the parity profile, and with gold.

use std::collections::{BTreeMap, BTreeSet};

use record::{Labels, VoltAnswer};
use serde::Serialize;
use serde_json::Value;

/// Longest title of a field, in characters.
const LONGEST: usize = 40;

/// The comparisons of all files of a run that have gold.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct VoltEvidence {
    /// The files, in the order of the plan.
    pub files: Vec<VoltFile>,
}

/// The comparison of one file of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct VoltFile {
    /// The language or format of its gold.
    pub language: String,
    /// True for a data format.
    pub is_format: bool,
    /// The corpus.
    pub corpus: String,
    /// Whether Volt answered at all, even if only that it failed.
    pub answered: bool,
    /// The result of the comparison.
    #[serde(flatten)]
    pub compared: VoltCompared,
}

/// What a comparison of both summaries of a file with each other and with gold found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct VoltCompared {
    /// The file.
    pub file: String,
    /// The explorer that Volt used; empty if it said nothing.
    pub explorer: String,
    /// Fields of Volt's summary that ours lacks: a failure.
    pub lacking: BTreeSet<String>,
    /// Names in gold that our summary has and Volt's has not: Volt is wrong, or leaves them out.
    pub volt_misses: BTreeSet<String>,
    /// Counts in Volt's summary that gold contradicts, as `title: its number, gold's number`.
    pub volt_wrong: BTreeSet<String>,
    /// Why Volt has no summary, if it has none.
    pub volt_failed: Option<String>,
}

/// How many files of an explorer were compared, and with which results.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize)]
pub struct VoltCount {
    /// Files.
    pub files: usize,
    /// Of these, files with a summary of Volt's whose fields ours has all.
    pub covered: usize,
    /// Files without a summary of Volt's.
    pub volt_failed: usize,
    /// Names in gold that only our summary has.
    pub volt_misses: usize,
    /// Counts that gold contradicts.
    pub volt_wrong: usize,
}

/// Compares the summaries of one file. Ours is empty where our program has none.
pub fn compare(theirs: &VoltAnswer, ours: &str, gold: &Labels) -> VoltCompared {
    let result = theirs.result.clone().unwrap_or_default();
    let text =
        |field: &str| result.get(field).and_then(Value::as_str).unwrap_or_default().to_owned();
    let summary = text("summary");
    let failed = match &theirs.error {
        Some(why) => Some(why.clone()),
        None if result.get("success") == Some(&false.into()) => Some(text("error")),
        None if summary.is_empty() => Some("it has no summary".to_owned()),
        None => None,
    };
    // The summary of a failed exploration says nothing about the file.
    let summary = if failed.is_some() { String::new() } else { summary };
    let misses = |name: &&String| ours.contains(name.as_str()) && !summary.contains(name.as_str());
    let names = gold.symbols.iter().map(|symbol| &symbol.name).filter(|_| failed.is_none());
    VoltCompared {
        file: theirs.file.clone(),
        explorer: text("explorerUsed"),
        lacking: fields(&summary).difference(&fields(ours)).cloned().collect(),
        volt_misses: names.filter(misses).cloned().collect(),
        volt_wrong: contradicted(&summary, &gold.counts),
        volt_failed: failed,
    }
}

/// The counts of each explorer of Volt's.
pub fn counts<'a>(
    compared: impl IntoIterator<Item = &'a VoltCompared>,
) -> BTreeMap<String, VoltCount> {
    let mut counts: BTreeMap<String, VoltCount> = BTreeMap::new();
    for one in compared {
        let count = counts.entry(one.explorer.clone()).or_default();
        count.files += 1;
        count.covered += usize::from(one.volt_failed.is_none() && one.lacking.is_empty());
        count.volt_failed += usize::from(one.volt_failed.is_some());
        count.volt_misses += one.volt_misses.len();
        count.volt_wrong += one.volt_wrong.len();
    }
    counts
}

/// The titles of the fields and sections of a summary: the text before a colon in a line without indentation,
/// without the count in parentheses.
fn fields(summary: &str) -> BTreeSet<String> {
    summary.lines().filter_map(title).map(|(title, _)| title.to_owned()).collect()
}

/// The title in a line, and the rest of the line with the count in parentheses.
fn title(line: &str) -> Option<(&str, &str)> {
    let (before, after) = line.split_once(':')?;
    let (title, rest) = match before.split_once(" (") {
        Some((title, count)) => (title, count.trim_end_matches(')')),
        None => (before, after.trim()),
    };
    let plain = |character: char| character.is_ascii_alphanumeric() || " -/&".contains(character);
    let fits = title.chars().next().is_some_and(|first| first.is_ascii_uppercase())
        && title.chars().all(plain)
        && title.chars().count() <= LONGEST;
    fits.then_some((title, rest))
}

/// The numbers whose titles are names of counts in gold, where the two differ.
fn contradicted(summary: &str, gold: &BTreeMap<String, u64>) -> BTreeSet<String> {
    let wrong = |line: &str| {
        let (title, rest) = title(line)?;
        let name = title.to_ascii_lowercase().replace([' ', '-'], "_");
        let right = gold.get(&name)?;
        let said: u64 = rest.replace(',', "").parse().ok()?;
        (said != *right).then(|| format!("{title}: {said}, gold {right}"))
    };
    summary.lines().filter_map(wrong).collect()
}

#[cfg(test)]
mod tests {
    use super::{compare, counts, fields};
    use record::{Labels, SymbolLabel, VoltAnswer};
    use serde_json::json;
    use std::collections::BTreeMap;

    fn said(result: serde_json::Value) -> VoltAnswer {
        VoltAnswer { file: "a.py".to_owned(), result: Some(result), error: None }
    }

    fn load() -> Labels {
        let label = SymbolLabel {
            line: 1,
            name: "load".to_owned(),
            kind: "function".to_owned(),
            decl_line: 1,
            end_line: 1,
            parent: None,
            visibility: None,
            exported: None,
        };
        Labels { symbols: vec![label], ..Labels::default() }
    }

    #[test]
    fn fields_are_titles_and_not_what_is_under_them() {
        let summary =
            "File: a.py\nFormat: Python\n\nFunctions (2):\n  Note: inner\n- x: int\nnot one\n";
        let found: Vec<String> = fields(summary).into_iter().collect();
        assert_eq!(found, ["File", "Format", "Functions"]);
    }

    #[test]
    fn a_field_that_only_volt_has_is_lacking_and_a_name_that_only_we_have_is_listed() {
        let theirs = said(json!({
            "success": true, "explorerUsed": "python",
            "summary": "File: a.py\nDecorators (1):\n  @cached\n",
        }));
        let ours = "File: a.py\nFunctions (1):\n  load\n";
        let found = compare(&theirs, ours, &load());
        assert_eq!(found.lacking.iter().collect::<Vec<_>>(), ["Decorators"]);
        assert_eq!(found.volt_misses.iter().collect::<Vec<_>>(), ["load"]);
        let count = counts([&found]).remove("python").unwrap();
        assert_eq!((count.files, count.covered, count.volt_misses), (1, 0, 1));
        // Where we have no summary, every field is lacking.
        assert_eq!(compare(&theirs, "", &load()).lacking.len(), 2);
    }

    #[test]
    fn a_failed_exploration_has_no_fields() {
        let failed = said(json!({
            "success": false, "summary": "Error: not read", "error": "Unexpected token",
        }));
        let found = compare(&failed, "File: a.py\nload\n", &load());
        assert_eq!(found.volt_failed.as_deref(), Some("Unexpected token"));
        assert!(found.lacking.is_empty() && found.volt_misses.is_empty());
        assert_eq!(counts([&found])[""].covered, 0);
    }

    #[test]
    fn a_count_that_gold_contradicts_is_listed() {
        let counts = BTreeMap::from([("row_count".to_owned(), 1200), ("columns".to_owned(), 3)]);
        let gold = Labels { counts, ..Labels::default() };
        let summary = "Row count: 1,199\nColumns (3):\n  a\nRows: 5\n";
        let found = compare(&said(json!({ "success": true, "summary": summary })), summary, &gold);
        assert_eq!(found.volt_wrong.iter().collect::<Vec<_>>(), ["Row count: 1199, gold 1200"]);
    }
}
