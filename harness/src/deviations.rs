//! The declared differences from the comparator: `deviations.toml` of the protocol.

use std::{collections::BTreeMap, fmt};

use record::protocol::DEVIATIONS;
use regex::Regex;
use serde::Deserialize;

/// All rows.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct Deviations {
    /// The rows in their order.
    #[serde(default, rename = "deviation")]
    pub rows: Vec<Deviation>,
}

/// One row: what differs, and until when.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Deviation {
    /// Its name.
    pub id: String,
    /// What differs.
    pub what: String,
    /// Why it differs.
    pub why: String,
    /// Where the difference is shown.
    pub evidence: String,
    /// When it ends.
    pub expires: Expires,
    /// The comparator that it is about.
    #[serde(default)]
    pub comparator: Counterpart,
    /// Why no example repository tries it against the comparator; absent if one does.
    pub untried: Option<Untried>,
    /// The files of the drift audit that it is about.
    pub audit: Option<Audited>,
    /// The files of any repository that it is about.
    pub covers: Option<Covers>,
}

/// The program that a row differs from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Counterpart {
    /// The pinned Aider, which makes maps and can be asked.
    #[default]
    Aider,
    /// Volt, which explores files. It is not installed, so these rows rest on its documentation.
    Volt,
}

/// When a row ends.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Expires {
    /// When another version of a package is pinned than `package version`.
    After(String),
    /// With this version of the protocol. Until then the row is a debt: the comparator's answer could
    /// be reproduced, but is not yet.
    Protocol(u32),
    /// Never, for a reason of this class.
    Never(Reason),
}

/// Why a difference is meant to stay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// Nothing outside a repository is shown, and no program from it is run.
    Containment,
    /// A single file, foreign code or an incomplete repository must not make a map wrong or stop it.
    Robustness,
    /// Memory, time and the length of a summary are bounded.
    Bounds,
    /// The true value is better than the comparator's.
    Truth,
    /// The file that the row is about cannot exist.
    Impossible,
    /// The reference asks for something that the comparator does not have.
    Reference,
}

/// Why no example repository shows the difference of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Untried {
    /// No known file causes what the row is about; a test injects the fault itself.
    UnknownFile,
    /// The comparator's answer differs from process to process; a test shows that it does.
    Unsteady,
}

/// `[deviation.audit]`: which files of which language may differ, and in which aspect.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Audited {
    /// Key of the language.
    pub language: String,
    /// The aspect in which they may differ.
    pub aspect: crate::audit::Aspect,
    /// A regular expression over `corpus/path`.
    pub files: String,
}

/// `[deviation.covers]`: which files of a repository may differ. All conditions that are given must hold.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Covers {
    /// A regular expression that must match in the path.
    path: Option<Pattern>,
    /// Regular expressions that must each match somewhere in the text.
    text: Vec<Pattern>,
    /// A regular expression that must match in our reason for leaving the file out.
    skipped: Option<Pattern>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "String")]
struct Pattern(Regex);

impl TryFrom<String> for Pattern {
    type Error = regex::Error;

    fn try_from(text: String) -> Result<Self, regex::Error> {
        Regex::new(&text).map(Self)
    }
}

impl Covers {
    /// Whether a file is covered; `reason` is why our map left it out, or empty.
    pub fn covers(&self, path: &str, text: &[u8], reason: &str) -> bool {
        let text = String::from_utf8_lossy(text);
        let any = self.path.is_some() || !self.text.is_empty() || self.skipped.is_some();
        any && self.path.as_ref().is_none_or(|path_of| path_of.0.is_match(path))
            && self.text.iter().all(|part| part.0.is_match(&text))
            && self.skipped.as_ref().is_none_or(|why| why.0.is_match(reason))
    }
}

/// The version of the protocol in force.
pub fn protocol_version() -> u32 {
    let folder = DEVIATIONS.split('/').find_map(|part| part.strip_prefix('v')?.parse().ok());
    folder.unwrap_or_default()
}

/// What is pinned now.
#[derive(Debug, Clone, Copy)]
pub struct InForce<'a> {
    /// Version of the protocol.
    pub protocol: u32,
    /// Versions of the comparator's packages, by name.
    pub versions: &'a BTreeMap<String, String>,
}

impl Deviations {
    /// Reads the rows; the message says which one is wrong.
    ///
    /// # Errors
    /// The text is not such a table, or two rows have the same id.
    pub fn parse(text: &str) -> Result<Self, String> {
        let all: Self = toml::from_str(text).map_err(|error| error.to_string())?;
        let mut ids: Vec<&str> = all.rows.iter().map(|row| row.id.as_str()).collect();
        ids.sort_unstable();
        match ids.windows(2).find(|pair| pair.first() == pair.last()) {
            Some(pair) => Err(format!("two rows are called {}", pair.concat())),
            None => Ok(all),
        }
    }

    /// The rows that have ended, each with the reason in words.
    pub fn expired(&self, now: InForce) -> Vec<(&str, String)> {
        let ended = |row: &'_ Deviation| row.expires.ended(now);
        self.rows.iter().filter_map(|row| Some((row.id.as_str(), ended(row)?))).collect()
    }
}

impl Expires {
    /// Why this row no longer holds, if it does not.
    pub fn ended(&self, now: InForce) -> Option<String> {
        match self {
            Self::Never(_) => None,
            Self::Protocol(version) => (now.protocol >= *version)
                .then(|| format!("the protocol is version {}", now.protocol)),
            Self::After(pin) => {
                let Some((package, version)) = pin.split_once(' ') else {
                    return Some(format!("{pin:?} is not a package and its version"));
                };
                match now.versions.get(package) {
                    Some(pinned) if pinned == version => None,
                    Some(pinned) => Some(format!("{package} {pinned} is pinned")),
                    None => Some(format!("{package} is no package of the comparator")),
                }
            }
        }
    }
}

impl fmt::Display for Expires {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::After(pin) => write!(formatter, "after {pin}"),
            Self::Protocol(version) => write!(formatter, "with protocol {version}"),
            Self::Never(reason) => {
                let why = match reason {
                    Reason::Containment => "nothing outside of a repository is shown or run",
                    Reason::Robustness => "one file or foreign code never ends a map",
                    Reason::Bounds => "memory, time and summaries are bounded",
                    Reason::Truth => "the true value is wanted",
                    Reason::Impossible => "such a file cannot exist",
                    Reason::Reference => "the reference asks for it",
                };
                write!(formatter, "never: {why}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{Deviations, InForce, protocol_version};

    const TEXT: &str = r#"
        [[deviation]]
        id = "one"
        what = "w"
        why = "y"
        evidence = "e"
        expires = { after = "Pygments 2.19.2" }
        [deviation.covers]
        path = '\.m$'
        text = ["^function", "@end"]
        [[deviation]]
        id = "two"
        what = "w"
        why = "y"
        evidence = "e"
        expires = { protocol = 3 }
        [[deviation]]
        id = "three"
        what = "w"
        why = "y"
        evidence = "e"
        expires = { never = "truth" }
        comparator = "volt"
        untried = "unsteady"
    "#;

    #[test]
    fn a_row_ends_with_its_pin_and_with_its_protocol_and_never_without_a_known_reason() {
        let rows = Deviations::parse(TEXT).unwrap();
        let ids = |protocol: u32, version: &str| -> Vec<String> {
            let versions = BTreeMap::from([("Pygments".to_owned(), version.to_owned())]);
            let now = InForce { protocol, versions: &versions };
            rows.expired(now).into_iter().map(|(id, _)| id.to_owned()).collect()
        };
        assert_eq!(ids(1, "2.19.2"), [""; 0]);
        assert_eq!(ids(3, "2.19.2"), ["two"]);
        assert_eq!(ids(2, "2.20.0"), ["one"]);
        let none = InForce { protocol: 1, versions: &BTreeMap::new() };
        assert_eq!(rows.expired(none).len(), 1);
        for (from, to) in [
            ("truth", "later"),
            ("{ protocol = 3 }", "\"soon\""),
            ("\"two\"", "\"one\""),
            ("unsteady", "too hard"),
        ] {
            assert!(Deviations::parse(&TEXT.replace(from, to)).is_err(), "{to}");
        }
    }

    #[test]
    fn the_protocol_in_force_has_a_version() {
        assert!(protocol_version() > 0);
    }

    #[test]
    fn a_row_covers_what_all_its_patterns_hold() {
        let rows = Deviations::parse(TEXT).unwrap();
        let covers = rows.rows[0].covers.as_ref().unwrap();
        assert!(covers.covers("a/b.m", b"function f\n@end\n", ""));
        assert!(!covers.covers("a/b.m", b"function f\n", ""));
        assert!(!covers.covers("a/b.c", b"function f\n@end\n", ""));
    }
}
