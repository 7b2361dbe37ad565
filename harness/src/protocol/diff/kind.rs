//! The purpose of a file and of a value of the protocol, in words.

use serde::Serialize;
use serde_json::Value;

use super::ValueChange;
use crate::protocol::{
    floors::{HAS, judges, turn},
    values::{Difference, What},
};

/// What each file holds; `protocols/README.md` has the same rows.
const ABOUT: [(&str, &str); 15] = [
    ("gates.toml", "thresholds of the A gates, of E1, N1 and U1, and the budgets"),
    ("scoring.toml", "rules and thresholds of B1 and B2, and how gold is chosen"),
    ("formats.toml", "rules and thresholds of B4"),
    ("explorer_family_matrix.v1.json", "which families of explorers must be proved"),
    ("floors.toml", "how many files of each language the corpora must hold"),
    ("noise.toml", "where seeded runs of the comparator are due"),
    ("tokenizer_support.v1.json", "which models may be scored"),
    ("models.toml", "the models that A3 compares"),
    ("refresh_sequences.toml", "the call sequences of A4"),
    ("tasks.jsonl", "what the tasks of E1 changed"),
    ("navigation.jsonl", "the places of N1, with what they mean"),
    ("questions.jsonl", "the questions of U1, with their answers"),
    ("freeze.toml", "digests of frozen files, generated"),
    ("deviations.toml", "declared differences from the comparator"),
    ("composition.toml", "what a sign-off must consist of, generated"),
];

/// What a value is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// The number of a version.
    Version,
    /// How gold is chosen.
    GoldRule,
    /// A budget in tokens.
    Budget,
    /// An upper limit.
    Cap,
    /// A threshold that runs are judged by.
    Threshold,
    /// Any other value.
    Value,
}

impl Kind {
    /// Its name in the output; `None` for a value without a special purpose.
    pub const fn words(self) -> Option<&'static str> {
        match self {
            Self::Version => Some("version"),
            Self::GoldRule => Some("rule of gold"),
            Self::Budget => Some("budget"),
            Self::Cap => Some("cap"),
            Self::Threshold => Some("threshold"),
            Self::Value => None,
        }
    }

    /// The kind of the value with this key path.
    fn of(file: &str, key: &str) -> Self {
        let last = key.split(HAS).next().and_then(|key| key.rsplit('.').next()).unwrap_or(key);
        match last {
            "version" | "protocol_version" | "schema_version" => Self::Version,
            _ if key.starts_with("gold.") => Self::GoldRule,
            "budgets" | "wide_budget" => Self::Budget,
            _ if last.starts_with("max_") => Self::Cap,
            _ if last.starts_with("min_") || judges(file, key) => Self::Threshold,
            _ => Self::Value,
        }
    }
}

/// What a file of the protocol contains; empty if that is not known.
pub fn about(file: &str) -> &'static str {
    let named = ABOUT.iter().find(|(name, _)| *name == file).map(|(_, about)| *about);
    let schema = file.starts_with("schemas/").then_some("the shape of the fields of a format");
    named.or(schema).unwrap_or("")
}

/// A difference with the kind of its value and the direction of the change.
pub fn explained(file: &str, difference: Difference) -> ValueChange {
    let number = |value: &Option<Value>| value.as_ref().and_then(Value::as_f64);
    // For an entry of a list the direction follows from its presence: 1 if it is there.
    let (key, was, is) = match difference.what {
        What::EntryAdded | What::EntryRemoved => {
            let entry = difference.was.as_ref().or(difference.is.as_ref());
            let entry = entry.map_or_else(String::new, |entry| {
                entry.as_str().map_or_else(|| entry.to_string(), str::to_owned)
            });
            let there = |value: &Option<Value>| value.as_ref().map(|_| 1.0);
            (
                format!("{}{HAS}{entry}", difference.key),
                there(&difference.was),
                there(&difference.is),
            )
        }
        _ => (difference.key.clone(), number(&difference.was), number(&difference.is)),
    };
    let turn = turn(file, &key, was, is);
    ValueChange { kind: Kind::of(file, &key), turn, difference }
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, fs, path::Path};

    use serde_json::json;

    use super::{ABOUT, Kind, explained};
    use crate::protocol::{
        floors::Turn,
        values::{Difference, What},
    };

    #[test]
    fn every_file_of_the_protocol_has_a_name_for_the_reader() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let files: BTreeSet<String> = fs::read_dir(root.join(record::protocol::FOLDER))
            .unwrap()
            .map(|entry| entry.unwrap())
            .filter(|entry| entry.path().is_file())
            .map(|entry| entry.file_name().into_string().unwrap())
            .collect();
        let named: BTreeSet<String> = ABOUT.iter().map(|(name, _)| (*name).to_owned()).collect();
        assert_eq!(files, named);
    }

    #[test]
    fn a_value_is_named_by_what_it_is_for_and_by_the_way_it_went() {
        let changed = |file: &str, key: &str, was: f64, is: f64| {
            let (was, is) = (Some(json!(was)), Some(json!(is)));
            let difference = Difference { key: key.to_owned(), what: What::Changed, was, is };
            let explained = explained(file, difference);
            (explained.kind, explained.turn)
        };
        let (stricter, weaker) = (Some(Turn::Stricter), Some(Turn::Weaker));
        assert_eq!(changed("gates.toml", "a1.min_jaccard", 0.9, 0.92), (Kind::Threshold, stricter));
        assert_eq!(changed("gates.toml", "a1.min_jaccard", 0.9, 0.8), (Kind::Threshold, weaker));
        assert_eq!(changed("gates.toml", "exact.max_rank_error", 1.0, 2.0), (Kind::Cap, weaker));
        assert_eq!(changed("gates.toml", "protocol_version", 1.0, 2.0), (Kind::Version, None));
        assert_eq!(
            changed("scoring.toml", "gold.max_files_per_corpus", 300.0, 1000.0),
            (Kind::GoldRule, stricter)
        );
        assert_eq!(
            changed("scoring.toml", "thresholds.parity.micro_f1", 0.9, 0.8),
            (Kind::Threshold, weaker)
        );
        let entry = |what, was: Option<u64>, is: Option<u64>| {
            let (was, is) = (was.map(|it| json!(it)), is.map(|it| json!(it)));
            let explained =
                explained("gates.toml", Difference { key: "budgets".to_owned(), what, was, is });
            (explained.kind, explained.turn)
        };
        assert_eq!(entry(What::EntryAdded, None, Some(512)), (Kind::Budget, stricter));
        assert_eq!(entry(What::EntryRemoved, Some(512), None), (Kind::Budget, weaker));
    }
}
