//! The differences between two TOML or JSON files, by key path.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde_json::Value;

/// One difference between two files.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Difference {
    /// Path of the key: names joined by dots. A row of a list is named by its identity in brackets.
    pub key: String,
    /// How the value differs.
    pub what: What,
    /// The value before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub was: Option<Value>,
    /// The value after.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is: Option<Value>,
}

/// The ways in which a value differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum What {
    /// The key has another value.
    Changed,
    /// The key is new.
    Added,
    /// The key is gone.
    Removed,
    /// The list has one more entry.
    EntryAdded,
    /// The list has one entry fewer.
    EntryRemoved,
    /// The list has the same entries in another order.
    Reordered,
}

/// The content of a TOML or JSON file, by the extension of its name; `None` for any other file.
pub fn parse(name: &str, bytes: &[u8]) -> Option<Result<Value, String>> {
    let ending = name.rsplit('.').next()?;
    let text = || std::str::from_utf8(bytes).map_err(|error| error.to_string());
    match ending {
        "json" => Some(serde_json::from_slice(bytes).map_err(|error| error.to_string())),
        "toml" => {
            Some(text().and_then(|text| toml::from_str(text).map_err(|error| error.to_string())))
        }
        _ => None,
    }
}

/// The value at a path of names joined by dots.
pub fn at<'a>(value: &'a Value, key: &str) -> Option<&'a Value> {
    key.split('.').try_fold(value, |value, name| value.get(name))
}

/// Number of values. Entries of a list count each, and so do rows of a list of tables.
pub fn count(value: &Value) -> usize {
    differences(None, Some(value)).len()
}

/// The differences, sorted by key.
pub fn differences(was: Option<&Value>, is: Option<&Value>) -> Vec<Difference> {
    let mut found = Vec::new();
    let mut pending = vec![(String::new(), was, is)];
    while let Some((key, was, is)) = pending.pop() {
        if was == is {
            continue;
        }
        // A row that was added or removed is one difference.
        let alone = key.ends_with(']') && (was.is_none() || is.is_none());
        let children = match (table(was), table(is)) {
            _ if alone => None,
            (Some(was), Some(is)) if !(was.is_empty() && is.is_empty()) => {
                let names: BTreeSet<&String> = was.keys().chain(is.keys()).copied().collect();
                let dot = if key.is_empty() { "" } else { "." };
                let child = |name: &&String| {
                    (format!("{key}{dot}{name}"), was.get(*name).copied(), is.get(*name).copied())
                };
                Some(names.iter().map(child).collect::<Vec<_>>())
            }
            _ => rows(&key, was, is),
        };
        if let Some(children) = children {
            pending.extend(children);
        } else if let (Some(was), Some(is)) = (list(was), list(is))
            && !(was.is_empty() && is.is_empty())
        {
            entries(&key, was, is, &mut found);
        } else {
            let what = match (was, is) {
                (None, _) => What::Added,
                (_, None) => What::Removed,
                _ => What::Changed,
            };
            found.push(Difference { key, what, was: was.cloned(), is: is.cloned() });
        }
    }
    found.sort_by_cached_key(|one| {
        (one.key.clone(), one.what as u8, text(one.was.as_ref()), text(one.is.as_ref()))
    });
    found
}

/// The members of a table. A missing table has none, so that each value of a new table is a difference.
fn table(value: Option<&Value>) -> Option<BTreeMap<&String, &Value>> {
    match value {
        None => Some(BTreeMap::new()),
        Some(Value::Object(members)) => Some(members.iter().collect()),
        Some(_) => None,
    }
}

/// The entries of a list. A missing list has none.
fn list(value: Option<&Value>) -> Option<&[Value]> {
    match value {
        None => Some(&[]),
        Some(Value::Array(entries)) => Some(entries),
        Some(_) => None,
    }
}

/// A key, with its values before and after.
type Pair<'a> = (String, Option<&'a Value>, Option<&'a Value>);

/// The rows of two lists of tables in pairs; `None` if they are not such lists, or no key identifies their rows.
fn rows<'a>(key: &str, was: Option<&'a Value>, is: Option<&'a Value>) -> Option<Vec<Pair<'a>>> {
    let tables = |value| list(value).filter(|rows| rows.iter().all(Value::is_object));
    let (was, is) = (tables(was)?, tables(is)?);
    let identity = identity(was, is)?;
    let named = |rows: &'a [Value]| -> BTreeMap<String, &'a Value> {
        rows.iter().map(|row| (name(row, &identity), row)).collect()
    };
    let (was, is) = (named(was), named(is));
    let names: BTreeSet<&String> = was.keys().chain(is.keys()).collect();
    let pair = |name: &&String| {
        (format!("{key}[{name}]"), was.get(*name).copied(), is.get(*name).copied())
    };
    Some(names.iter().map(pair).collect())
}

/// The one or two keys whose texts identify the rows of both lists; `id` and `name` are preferred.
fn identity(was: &[Value], is: &[Value]) -> Option<Vec<String>> {
    let first = was.first().or_else(|| is.first())?;
    let all = || was.iter().chain(is);
    let is_text =
        |key: &&String| all().all(|row| row.get(key.as_str()).is_some_and(Value::is_string));
    let mut keys: Vec<&String> = first.as_object()?.keys().filter(is_text).collect();
    keys.sort_by_key(|key| (!matches!(key.as_str(), "id" | "name"), key.as_str()));
    let tells_apart = |keys: &[String]| {
        let distinct = |rows: &[Value]| {
            rows.iter().map(|row| name(row, keys)).collect::<BTreeSet<_>>().len() == rows.len()
        };
        distinct(was) && distinct(is)
    };
    let ones = keys.iter().map(|key| vec![(*key).clone()]);
    let twos = keys.iter().enumerate().flat_map(|(at, one)| {
        keys.iter().skip(at + 1).map(|other| vec![(*one).clone(), (*other).clone()])
    });
    ones.chain(twos).find(|keys| tells_apart(keys))
}

fn name(row: &Value, keys: &[String]) -> String {
    let texts = keys.iter().map(|key| row.get(key).and_then(Value::as_str).unwrap_or_default());
    texts.collect::<Vec<_>>().join(", ")
}

/// Adds a difference for each entry that one list has more often than the other.
fn entries(key: &str, was: &[Value], is: &[Value], found: &mut Vec<Difference>) {
    let mut counts: BTreeMap<String, (i64, &Value)> = BTreeMap::new();
    for (entries, step) in [(was, -1), (is, 1)] {
        for entry in entries {
            counts.entry(entry.to_string()).or_insert((0, entry)).0 += step;
        }
    }
    let mut same = true;
    for (more, entry) in counts.values() {
        let (what, was, is) = if *more > 0 {
            (What::EntryAdded, None, Some((*entry).clone()))
        } else {
            (What::EntryRemoved, Some((*entry).clone()), None)
        };
        for _ in 0..more.unsigned_abs() {
            same = false;
            found.push(Difference { key: key.to_owned(), what, was: was.clone(), is: is.clone() });
        }
    }
    if same {
        let (was, is) = (Some(Value::from(was.to_vec())), Some(Value::from(is.to_vec())));
        found.push(Difference { key: key.to_owned(), what: What::Reordered, was, is });
    }
}

/// A value as text, to sort by.
fn text(value: Option<&Value>) -> String {
    value.map(Value::to_string).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{count, differences, parse};

    /// The differences between two TOML texts, one line each.
    fn changes(was: &str, is: &str) -> Vec<String> {
        let [was, is] = [was, is].map(|text| parse("x.toml", text.as_bytes()).unwrap().unwrap());
        let line = |value: &Option<serde_json::Value>| {
            value.as_ref().map_or_else(|| "-".to_owned(), ToString::to_string)
        };
        let found = differences(Some(&was), Some(&is));
        found
            .iter()
            .map(|one| format!("{:?} {} {} {}", one.what, one.key, line(&one.was), line(&one.is)))
            .collect()
    }

    #[test]
    fn numbers_are_told_by_the_path_of_their_key() {
        let was = "[a1]\nmin_jaccard = 0.90\ntop = 30\n";
        let is = "[a1]\nmin_jaccard = 0.92\nshare = 1\n";
        let told = ["Changed a1.min_jaccard 0.9 0.92", "Added a1.share - 1", "Removed a1.top 30 -"];
        assert_eq!(changes(was, is), told);
        assert_eq!(changes(was, was), [""; 0]);
    }

    #[test]
    fn entries_of_a_list_come_and_go_and_change_places() {
        let told = ["EntryAdded x - 3", "EntryRemoved x 1 -"];
        assert_eq!(changes("x = [1, 2]", "x = [2, 3]"), told);
        assert_eq!(changes("x = [1, 1]", "x = [1]"), ["EntryRemoved x 1 -"]);
        assert_eq!(changes("x = [1, 2]", "x = [2, 1]"), ["Reordered x [1,2] [2,1]"]);
    }

    #[test]
    fn rows_are_known_by_what_tells_them_apart() {
        let was = "[[d]]\nid = \"a\"\nn = 1\n[[d]]\nid = \"b\"\nn = 2\n";
        let is = "[[d]]\nid = \"b\"\nn = 3\n[[d]]\nid = \"c\"\nn = 4\n";
        let told = [
            "Removed d[a] {\"id\":\"a\",\"n\":1} -",
            "Changed d[b].n 2 3",
            "Added d[c] - {\"id\":\"c\",\"n\":4}",
        ];
        assert_eq!(changes(was, is), told);
        let rows = |n: u32| {
            format!(
                "s = [{{ set = \"x\", profile = \"p\", n = 1 }}, {{ set = \"x\", profile = \"q\", n = {n} }}]"
            )
        };
        assert_eq!(changes(&rows(1), &rows(2)), ["Changed s[q].n 1 2"]);
        // If no key identifies the rows, whole rows are added and removed.
        let told = ["EntryAdded s - {\"n\":2}", "EntryRemoved s {\"n\":1} -"];
        assert_eq!(changes("s = [{ n = 1 }]", "s = [{ n = 2 }]"), told);
    }

    #[test]
    fn what_changes_its_shape_is_told_whole() {
        assert_eq!(changes("x = 1", "x = [1]"), ["Changed x 1 [1]"]);
        assert_eq!(changes("x = 1", "[x]\ny = 1"), ["Changed x 1 {\"y\":1}"]);
        assert_eq!(
            count(&serde_json::json!({ "a": 1, "b": { "c": [1, 2], "d": {}, "e": [] } })),
            5
        );
        let told = ["EntryAdded x.l - 1", "EntryAdded x.l - 2"];
        assert_eq!(changes("", "[x]\nl = [1, 2]"), told);
        assert_eq!(changes("x = []", ""), ["Removed x [] -"]);
    }
}
