//! The protocol of B4: `formats.toml`.

use std::collections::{BTreeMap, BTreeSet};

use record::Profile;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::scoring::GoldRules;

/// The whole protocol.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Formats {
    /// Its version.
    pub version: u32,
    /// What is hashed before each text in gold. Gold holds digests of texts, so that it repeats no text.
    pub salt: String,
    /// Digest of the explorer-family matrix, which is frozen with this protocol.
    pub families_sha256: String,
    /// Fewest files with gold of a format, where the corpora have them.
    pub min_files: u64,
    /// What gold consists of.
    pub gold: GoldRules,
    /// Thresholds by profile.
    pub thresholds: BTreeMap<Profile, B4Thresholds>,
    /// Formats by the key of their explorer.
    pub formats: BTreeMap<String, FormatRules>,
}

/// The bounds of one profile, each of one format.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct B4Thresholds {
    /// Least share of outputs that have every required field.
    pub coverage: f64,
    /// Least F1 over all entities of the format.
    pub micro_f1: f64,
    /// Least mean of the F1 of each kind of entity.
    pub macro_f1: f64,
    /// Greatest mean absolute percentage error of counts, as a share.
    pub mape: f64,
}

/// What is scored of one format.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FormatRules {
    /// Fields that every output must have, as JSON pointers into `fields`.
    pub required: Vec<String>,
    /// Further fields that the enhancement profile demands.
    #[serde(default)]
    pub required_exceed: Vec<String>,
    /// Fewest files with gold, where the corpora have fewer than usual.
    #[serde(default)]
    pub min_files: Option<u64>,
    /// Largest file with gold, where it is not the usual.
    #[serde(default)]
    pub max_file_bytes: Option<u64>,
    /// The schema of `fields`, in `schemas/explore` of the protocol.
    pub schema: String,
    /// Kinds of entities.
    #[serde(default)]
    pub entities: Vec<EntityRule>,
    /// Our pointer of each count that the oracle has.
    #[serde(default)]
    pub counts: BTreeMap<String, String>,
}

/// How one kind of entity is read out of our fields.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EntityRule {
    /// The kind, as the oracle names it.
    pub kind: String,
    /// Pointer to the list, or to a map whose entries count as objects with `key` and `value`, or
    /// to a single value. `/*/` stands for each entry of a list that has lists of its own.
    pub list: String,
    /// What identifies an entity, in the oracle's order. Each part is the name of a member, with `#`
    /// before it where the oracle has a digest of its text, and `*` after it where each item of a list
    /// makes an entity of its own. Without `*`, the digest of a list is that of its texts with commas
    /// between them. `.` is the entry itself, `@` its place in the list, `^name` a member of the
    /// entry around it, and `name.length` how many items a member has.
    pub identity: Vec<String>,
    /// Members and the only value of each that counts.
    #[serde(default, rename = "where", skip_serializing_if = "BTreeMap::is_empty")]
    pub only: BTreeMap<String, Value>,
    /// Whether the member `line` must agree as well.
    #[serde(default)]
    pub line: bool,
    /// Whether an entity counts once however often it occurs.
    #[serde(default)]
    pub once: bool,
}

impl EntityRule {
    /// Whether each entry of the list is one entity.
    pub fn lists_all(&self) -> bool {
        self.only.is_empty()
            && !self.once
            && !self.list.contains("/*/")
            && !self.identity.iter().any(|part| part.ends_with('*'))
    }
}

impl Formats {
    /// What is wrong with it, if anything.
    ///
    /// # Errors
    /// A share is out of its range, or a kind of a format is declared twice.
    pub fn check(&self) -> Result<(), String> {
        for (profile, bounds) in &self.thresholds {
            let shares = [bounds.coverage, bounds.micro_f1, bounds.macro_f1, bounds.mape];
            if shares.iter().any(|share| !(0.0..=1.0).contains(share)) {
                return Err(format!("thresholds.{profile}: a share is between 0 and 1"));
            }
        }
        for (format, rules) in &self.formats {
            if !rules.schema.ends_with(".json") || rules.schema.contains('/') {
                return Err(format!("formats.{format}: the schema is the name of a JSON file"));
            }
            let kinds: BTreeSet<&str> =
                rules.entities.iter().map(|rule| rule.kind.as_str()).collect();
            if kinds.len() < rules.entities.len() || rules.required.is_empty() {
                return Err(format!("formats.{format}: kinds are unique, and fields required"));
            }
        }
        Ok(())
    }
}
