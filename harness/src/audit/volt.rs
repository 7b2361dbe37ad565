//! What Volt's explorers say of a file, against what ours say in the parity profile.

use std::collections::{BTreeMap, BTreeSet};

use record::Labels;
use serde::Serialize;
use serde_json::Value;

use crate::comparator::volt::Said;

/// Longest title of a field, in characters.
const LONGEST: usize = 40;

/// What the two say of one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Compared {
    /// The file.
    pub file: String,
    /// The explorer that Volt used.
    pub explorer: String,
    /// Fields of Volt's summary that ours lacks: a failure.
    pub lacking: BTreeSet<String>,
    /// Names in gold that Volt's summary does not have and ours has: Volt is wrong, or hides them.
    pub volt_misses: BTreeSet<String>,
    /// Why Volt has no summary, if it has none.
    pub volt_failed: Option<String>,
}

/// How many files of an explorer were compared, and what came of it.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize)]
pub struct Count {
    /// Files.
    pub files: usize,
    /// Of these, files that Volt has a summary of and whose fields ours all has.
    pub covered: usize,
    /// Files of which Volt has no summary.
    pub volt_failed: usize,
    /// Names in gold that only our summary has.
    pub volt_misses: usize,
}

/// Compares the summaries of one file.
pub fn compare(theirs: &Said, ours: &Value, gold: &Labels) -> Compared {
    let text = |value: &Value, field: &str| {
        value.get(field).and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    let result = theirs.result.clone().unwrap_or_default();
    let (their_summary, our_summary) = (text(&result, "summary"), text(ours, "summary"));
    let failed = match &theirs.error {
        Some(why) => Some(why.clone()),
        None if result.get("success") == Some(&false.into()) => Some(text(&result, "error")),
        None if their_summary.is_empty() => Some("it has no summary".to_owned()),
        None => None,
    };
    let our_fields = fields(&our_summary);
    let misses = |name: &&String| {
        our_summary.contains(name.as_str()) && !their_summary.contains(name.as_str())
    };
    let names = gold.symbols.iter().map(|symbol| &symbol.name);
    Compared {
        file: theirs.file.clone(),
        explorer: text(&result, "explorerUsed"),
        lacking: fields(&their_summary).difference(&our_fields).cloned().collect(),
        volt_misses: names.filter(misses).cloned().collect(),
        volt_failed: failed,
    }
}

/// The titles of the fields and sections of a summary: what stands before a colon in a line without
/// indentation, without the count in parentheses.
pub fn fields(summary: &str) -> BTreeSet<String> {
    let title = |line: &str| {
        let title = line.split_once(':')?.0;
        let title = title.split_once(" (").map_or(title, |(title, _)| title);
        let plain =
            |character: char| character.is_ascii_alphanumeric() || " -/&".contains(character);
        let fits = title.chars().next().is_some_and(|first| first.is_ascii_uppercase())
            && title.chars().all(plain)
            && title.chars().count() <= LONGEST;
        fits.then(|| title.to_owned())
    };
    summary.lines().filter_map(title).collect()
}

/// The counts of each explorer of Volt's.
pub fn counts(compared: &[Compared]) -> BTreeMap<String, Count> {
    let mut counts: BTreeMap<String, Count> = BTreeMap::new();
    for one in compared {
        let count = counts.entry(one.explorer.clone()).or_default();
        count.files += 1;
        count.covered += usize::from(one.volt_failed.is_none() && one.lacking.is_empty());
        count.volt_failed += usize::from(one.volt_failed.is_some());
        count.volt_misses += one.volt_misses.len();
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::{compare, counts, fields};
    use crate::comparator::volt::Said;
    use record::{Labels, SymbolLabel};
    use serde_json::json;

    fn said(result: serde_json::Value) -> Said {
        Said { file: "a.py".to_owned(), result: Some(result), error: None }
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
        let ours = json!({ "summary": "File: a.py\nFunctions (1):\n  load\n" });
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
        let gold = Labels { symbols: vec![label], ..Labels::default() };
        let found = compare(&theirs, &ours, &gold);
        assert_eq!(found.lacking.iter().collect::<Vec<_>>(), ["Decorators"]);
        assert_eq!(found.volt_misses.iter().collect::<Vec<_>>(), ["load"]);
        let count = counts(&[found]).remove("python").unwrap();
        assert_eq!((count.files, count.covered, count.volt_misses), (1, 0, 1));
        let failed = said(json!({ "success": false, "summary": "", "error": "Unexpected token" }));
        let found = compare(&failed, &ours, &Labels::default());
        assert_eq!(found.volt_failed.as_deref(), Some("Unexpected token"));
        // Nothing was compared, so nothing is covered.
        let count = counts(&[found]).remove("").unwrap();
        assert_eq!((count.files, count.covered, count.volt_failed), (1, 0, 1));
    }
}
