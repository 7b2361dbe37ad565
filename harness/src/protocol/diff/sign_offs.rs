//! Compares the contents of sign-offs: gates, budgets, corpora, and the sums over corpora.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde_json::Value;

use super::damaged;
use crate::{
    Failure,
    protocol::{
        Version,
        values::{self, Difference},
    },
};

/// The file with the contents of sign-offs.
pub const FILE: &str = "composition.toml";

/// A sign-off whose contents changed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SignOffChange {
    /// Its set and profile.
    pub sign_off: String,
    /// `before` or `after` if only that version has it.
    pub only_in: Option<&'static str>,
    /// Corpora that only the version after has.
    pub corpora_added: Vec<String>,
    /// Corpora that only the version before has.
    pub corpora_gone: Vec<String>,
    /// Corpora of both versions whose cases, digests or counts differ.
    pub corpora_changed: Vec<String>,
    /// Gates, budgets and other values of its own.
    pub changes: Vec<Difference>,
    /// Sums over all corpora, including those that did not change.
    pub counts: Vec<Count>,
}

/// A sum over the corpora of a sign-off.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Count {
    /// What is counted.
    pub what: String,
    /// Before.
    pub was: u64,
    /// Now.
    pub is: u64,
}

/// A sign-off of one version.
#[derive(Debug, Default)]
pub struct SignOff {
    /// Its corpora.
    pub corpora: BTreeSet<String>,
    /// The values of each corpus.
    about: BTreeMap<String, Value>,
    /// Gates, budgets and other values of its own.
    own: Value,
    /// The sums over its corpora.
    sums: BTreeMap<String, u64>,
}

/// The sign-offs of a version, by set and profile.
pub fn read(version: &Version) -> Result<BTreeMap<String, SignOff>, Failure> {
    let bytes = version.files.get(FILE).map(Vec::as_slice).unwrap_or_default();
    let parsed = values::parse(FILE, bytes).transpose().map_err(|why| damaged(FILE, &why))?;
    let rows = parsed.as_ref().and_then(|all| all.get("sign_off")).and_then(Value::as_array);
    let text =
        |row: &Value, key: &str| row.get(key).and_then(Value::as_str).unwrap_or("?").to_owned();
    let named = |row: &Value| format!("{} set, {} profile", text(row, "set"), text(row, "profile"));
    Ok(rows.into_iter().flatten().map(|row| (named(row), sign_off(row))).collect())
}

fn sign_off(row: &Value) -> SignOff {
    let mut read = SignOff::default();
    let Some(members) = row.as_object() else { return read };
    let mut own = members.clone();
    // These paths contain the version, so all of them differ.
    own.remove("rests_on");
    if let Some(Value::Object(corpora)) = own.remove("corpora") {
        read.sums.insert("corpora".to_owned(), corpora.len() as u64);
        for (name, about) in corpora {
            for (what, number) in about.as_object().into_iter().flatten() {
                if let Some(number) = number.as_u64() {
                    *read.sums.entry(what.clone()).or_default() += number;
                }
            }
            read.corpora.insert(name.clone());
            read.about.insert(name, about);
        }
    }
    read.own = Value::Object(own);
    read
}

/// The sign-offs whose contents changed.
pub fn compare(
    before: &BTreeMap<String, SignOff>,
    after: &BTreeMap<String, SignOff>,
) -> Vec<SignOffChange> {
    let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let none = SignOff::default();
    let mut changes = Vec::new();
    for name in names {
        let (was, is) = (before.get(name), after.get(name));
        let only_in = match (was, is) {
            (Some(_), None) => Some("before"),
            (None, Some(_)) => Some("after"),
            _ => None,
        };
        let (was, is) = (was.unwrap_or(&none), is.unwrap_or(&none));
        if only_in.is_none() && (&was.own, &was.about) == (&is.own, &is.about) {
            continue;
        }
        let whats: BTreeSet<&String> = was.sums.keys().chain(is.sums.keys()).collect();
        let sum = |of: &SignOff, what: &String| of.sums.get(what).copied().unwrap_or(0);
        let other = |name: &&String| {
            was.about.get(*name).is_some_and(|about| is.about.get(*name) != Some(about))
        };
        changes.push(SignOffChange {
            sign_off: name.clone(),
            only_in,
            corpora_added: is.corpora.difference(&was.corpora).cloned().collect(),
            corpora_gone: was.corpora.difference(&is.corpora).cloned().collect(),
            corpora_changed: is.corpora.iter().filter(other).cloned().collect(),
            changes: if only_in.is_some() {
                Vec::new()
            } else {
                values::differences(Some(&was.own), Some(&is.own))
            },
            counts: whats
                .into_iter()
                .map(|what| Count { what: what.clone(), was: sum(was, what), is: sum(is, what) })
                .collect(),
        });
    }
    changes
}
