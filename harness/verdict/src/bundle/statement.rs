//! The in-toto Statement v1 with the test-result predicate v0.1: what is signed.
//!
//! Numbers are not in the statement but in files of the bundle, which are its subjects. So every tool that
//! knows the two public formats can read the statement, and it says nothing that the files do not show.

use std::collections::BTreeMap;

use record::digest::is_hex;
use serde::{Deserialize, Serialize};

use super::{
    ATTESTATION, CELLS, json, name,
    outcome::{Outcome, OutcomeError, TestResult},
};

/// The `_type` of every statement.
pub(super) const STATEMENT_TYPE: &str = "https://in-toto.io/Statement/v1";
const PREDICATE_TYPE: &str = "https://in-toto.io/attestation/test-result/v0.1";

/// Descriptors that every bundle names, beside at least one `corpus/<name>`.
const REQUIRED_DESCRIPTORS: [&str; 4] = ["comparator", "engine", "protocol", "tokenizer"];

/// Kinds of descriptor whose `uri` is a file of the bundle.
const BUNDLED_KINDS: [&str; 3] = ["comparator", "corpus", "protocol"];

/// The tested source tree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Source {
    /// Git commit id, 40 or 64 lower-case hexadecimal digits.
    pub commit: String,
    /// Git tree id of what was built, of the same form.
    pub tree: String,
}

/// One thing that shaped the result (in-toto `ResourceDescriptor`).
///
/// `name` is `protocol`, `comparator`, `tokenizer`, `engine` or `corpus/<name>`; several of a
/// kind are told apart by `/`, as in `protocol/scoring`. For protocol, comparator and corpus,
/// `uri` is the path of the lock or protocol file inside the bundle and `digest.sha256` its
/// digest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ResourceDescriptor {
    /// Further pinned facts, such as `python` or `driverSha256`; values are never empty.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub annotations: BTreeMap<String, String>,
    /// Digests by algorithm (`sha256`, `gitCommit`, `gitTree`), lower-case hexadecimal.
    pub digest: BTreeMap<String, String>,
    /// Media type, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub media_type: Option<String>,
    /// What it is; unique in the statement.
    pub name: String,
    /// Where it is: a path inside the bundle, or a package URL.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uri: Option<String>,
}

/// What the sealer knows and the files do not contain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// What was tested.
    pub source: Source,
    /// What it was tested with, in any order.
    pub configuration: Vec<ResourceDescriptor>,
    /// The result, and the lists of tests.
    pub outcome: Outcome,
}

// The wire forms; fields in alphabetical order of their JSON names, see `json::canonical`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct WireStatement {
    #[serde(rename = "_type")]
    statement_type: String,
    predicate: WirePredicate,
    predicate_type: String,
    subject: Vec<WireSubject>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct WirePredicate {
    configuration: Vec<ResourceDescriptor>,
    failed_tests: Vec<String>,
    passed_tests: Vec<String>,
    result: TestResult,
    warned_tests: Vec<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WireSubject {
    digest: BTreeMap<String, String>,
    name: String,
}

/// A checked statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// sha256 of every file of the bundle except the attestation, by path.
    pub files: BTreeMap<String, String>,
    /// The claim about them, its configuration in ascending order of name.
    pub claim: Claim,
}

/// Why a statement is refused, by the signer or by the verifier. `field` is a JSON path.
#[derive(Debug, thiserror::Error)]
pub enum StatementError {
    /// Not one JSON document with exactly the expected fields.
    #[error("{ATTESTATION}: the payload is not a statement with a test result: {}", name::printable(&.0.to_string()))]
    Json(serde_json::Error),
    /// Another `_type`.
    #[error("{ATTESTATION}: `_type` is {0:?}, not {STATEMENT_TYPE}")]
    StatementType(String),
    /// Another `predicateType`.
    #[error("{ATTESTATION}: `predicateType` is {0:?}, not {PREDICATE_TYPE}")]
    PredicateType(String),
    /// Right content, written in another way.
    #[error("{ATTESTATION}: the payload is not in canonical form")]
    NotCanonical,
    /// A subject that cannot be, or two of one name.
    #[error("{ATTESTATION}: subject {name:?}: {reason}")]
    Subject {
        /// Its name.
        name: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// A configuration entry that cannot be, is missing or contradicts a subject.
    #[error("{ATTESTATION}: configuration {name:?}: {reason}")]
    Configuration {
        /// Its name.
        name: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// The result contradicts its lists.
    #[error("{ATTESTATION}: {0}")]
    Outcome(#[from] OutcomeError),
}

impl Statement {
    /// Makes a statement about `files` (path → sha256). Refuses what [`Statement::parse`] would.
    pub fn new(files: BTreeMap<String, String>, mut claim: Claim) -> Result<Self, StatementError> {
        claim.configuration.sort_by(|a, b| a.name.cmp(&b.name));
        let statement = Self { files, claim };
        statement.check()?;
        Ok(statement)
    }

    /// Parses a payload whose signature has been checked.
    pub fn parse(payload: &[u8]) -> Result<Self, StatementError> {
        let wire: WireStatement = json::parse(payload).map_err(StatementError::Json)?;
        if wire.statement_type != STATEMENT_TYPE {
            return Err(StatementError::StatementType(wire.statement_type));
        }
        if wire.predicate_type != PREDICATE_TYPE {
            return Err(StatementError::PredicateType(wire.predicate_type));
        }
        let statement = Self::from_wire(wire)?;
        statement.check()?;
        if statement.to_bytes()? != payload {
            return Err(StatementError::NotCanonical);
        }
        Ok(statement)
    }

    /// The payload bytes: compact JSON with sorted keys, subjects and configuration, no newline.
    /// Equal statements give equal bytes, hence equal signatures.
    pub fn to_bytes(&self) -> Result<Vec<u8>, StatementError> {
        let digest = |pairs: &[(&str, &str)]| {
            pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect()
        };
        let source = &self.claim.source;
        let mut subject: Vec<_> = self
            .files
            .iter()
            .map(|(name, sha256)| WireSubject {
                digest: digest(&[("sha256", sha256)]),
                name: name.clone(),
            })
            .chain([WireSubject {
                digest: digest(&[("gitCommit", &source.commit), ("gitTree", &source.tree)]),
                name: name::SOURCE.to_owned(),
            }])
            .collect();
        subject.sort_by(|a, b| a.name.cmp(&b.name));
        let outcome = &self.claim.outcome;
        let wire = WireStatement {
            statement_type: STATEMENT_TYPE.to_owned(),
            predicate: WirePredicate {
                configuration: self.claim.configuration.clone(),
                failed_tests: outcome.failed.clone(),
                passed_tests: outcome.passed.clone(),
                result: outcome.result,
                warned_tests: outcome.warned.clone(),
            },
            predicate_type: PREDICATE_TYPE.to_owned(),
            subject,
        };
        json::canonical(&wire).map_err(StatementError::Json)
    }

    fn from_wire(wire: WireStatement) -> Result<Self, StatementError> {
        let mut files = BTreeMap::new();
        let mut source = None;
        for WireSubject { mut digest, name } in wire.subject {
            let refuse = |reason| Err(StatementError::Subject { name: name.clone(), reason });
            let repeated = if name == name::SOURCE {
                let (commit, tree) = (digest.remove("gitCommit"), digest.remove("gitTree"));
                let (Some(commit), Some(tree)) = (commit, tree) else {
                    return refuse("needs the digests gitCommit and gitTree");
                };
                source.replace(Source { commit, tree }).is_some()
            } else {
                let Some(sha256) = digest.remove("sha256") else {
                    return refuse("needs the digest sha256");
                };
                files.insert(name.clone(), sha256).is_some()
            };
            if !digest.is_empty() {
                return refuse("has a digest that nothing here checks");
            }
            if repeated {
                return refuse("is listed twice");
            }
        }
        let Some(source) = source else {
            let name = name::SOURCE.to_owned();
            return Err(StatementError::Subject { name, reason: "is missing" });
        };
        let WirePredicate { configuration, failed_tests, passed_tests, result, warned_tests } =
            wire.predicate;
        let outcome =
            Outcome { result, passed: passed_tests, warned: warned_tests, failed: failed_tests };
        Ok(Self { files, claim: Claim { source, configuration, outcome } })
    }

    fn check(&self) -> Result<(), StatementError> {
        let subject =
            |name: &str, reason| Err(StatementError::Subject { name: name.to_owned(), reason });
        for (path, digest) in &self.files {
            if let Err(reason) = name::check(path) {
                return subject(path, reason);
            }
            if path == ATTESTATION {
                return subject(path, "the attestation cannot name itself");
            }
            if path.starts_with("notes/") {
                return subject(path, "notes are about the statement; it cannot name them");
            }
            if !is_hex(digest, &[64]) {
                return subject(path, "its sha256 is not 64 lower-case hexadecimal digits");
            }
        }
        if let Some((_, twin)) = name::twins(self.files.keys().map(String::as_str)) {
            return subject(&twin, "another subject differs from it in letter case only");
        }
        if !self.files.contains_key(CELLS) {
            return subject(CELLS, "is missing");
        }
        for id in [&self.claim.source.commit, &self.claim.source.tree] {
            if !is_hex(id, &[40, 64]) || is_placeholder(id) {
                return subject(name::SOURCE, "its gitCommit or gitTree is not a real object id");
            }
        }
        self.check_configuration()?;
        Ok(self.claim.outcome.check()?)
    }

    fn check_configuration(&self) -> Result<(), StatementError> {
        let all = &self.claim.configuration;
        let refuse = |name: &str, reason| {
            Err(StatementError::Configuration { name: name.to_owned(), reason })
        };
        for required in REQUIRED_DESCRIPTORS {
            if !all.iter().any(|descriptor| descriptor.name == required) {
                return refuse(required, "is missing");
            }
        }
        if !all.iter().any(|descriptor| descriptor.name.starts_with("corpus/")) {
            return refuse("corpus/…", "is missing: nothing was measured on");
        }
        if let Some((_, b)) = all.iter().zip(all.iter().skip(1)).find(|(a, b)| a.name >= b.name) {
            return refuse(&b.name, "names are not in ascending order without repetition");
        }
        for descriptor in all {
            if let Err(reason) = self.check_descriptor(descriptor) {
                return refuse(&descriptor.name, reason);
            }
        }
        Ok(())
    }

    fn check_descriptor(&self, descriptor: &ResourceDescriptor) -> Result<(), &'static str> {
        let ResourceDescriptor { annotations, digest, media_type, name, uri } = descriptor;
        let texts = annotations.iter().flat_map(|(key, value)| [key, value]);
        for text in texts.chain([name]).chain(media_type).chain(uri) {
            if text.is_empty() || text.chars().any(char::is_control) {
                return Err("a text is empty or has a control character");
            }
        }
        if digest.is_empty() || !digest.values().all(|hex| is_hex(hex, &[40, 64])) {
            return Err("a digest is missing or not 40 or 64 lower-case hexadecimal digits");
        }
        let bundled = uri.as_ref().and_then(|uri| self.files.get(uri));
        match bundled {
            Some(sha256) if digest.get("sha256") != Some(sha256) => {
                Err("its sha256 is not that of the file it points to")
            }
            None if BUNDLED_KINDS.contains(&name.split('/').next().unwrap_or(name)) => {
                Err("its uri is not a file of the bundle")
            }
            _ => Ok(()),
        }
    }
}

/// Whether an object id is one digit repeated, as in the all-zero id.
fn is_placeholder(id: &str) -> bool {
    id.bytes().all(|byte| Some(byte) == id.bytes().next())
}

#[cfg(test)]
mod tests {
    use super::{Claim, ResourceDescriptor, Source, Statement, StatementError};
    use crate::bundle::outcome::{Outcome, TestResult};
    use std::collections::BTreeMap;

    fn digit(digit: &str) -> String {
        digit.repeat(64)
    }

    fn descriptor(name: &str, uri: &str, sha256: &str) -> ResourceDescriptor {
        ResourceDescriptor {
            annotations: BTreeMap::new(),
            digest: BTreeMap::from([("sha256".to_owned(), sha256.to_owned())]),
            media_type: None,
            name: name.to_owned(),
            uri: Some(uri.to_owned()),
        }
    }

    fn parts() -> (BTreeMap<String, String>, Claim) {
        let files = BTreeMap::from([
            ("cells.json".to_owned(), digit("a")),
            ("lock.toml".to_owned(), digit("b")),
            ("zeta.json".to_owned(), digit("c")),
        ]);
        let claim = Claim {
            source: Source { commit: "12".repeat(20), tree: "34".repeat(20) },
            configuration: vec![
                descriptor("tokenizer", "pkg:generic/cl100k_base", &digit("e")),
                descriptor("protocol", "lock.toml", &digit("b")),
                descriptor("engine", "pkg:generic/parity", &digit("d")),
                descriptor("corpus/x", "lock.toml", &digit("b")),
                descriptor("comparator", "lock.toml", &digit("b")),
            ],
            outcome: Outcome {
                result: TestResult::Passed,
                passed: vec!["A1".to_owned()],
                warned: Vec::new(),
                failed: Vec::new(),
            },
        };
        (files, claim)
    }

    #[test]
    fn field_names_and_order_are_the_public_ones() {
        let (files, claim) = parts();
        let bytes = Statement::new(files, claim).expect("valid").to_bytes().expect("writes");
        let text = String::from_utf8(bytes.clone()).expect("UTF-8");
        let b = digit("b");
        let start = format!(
            r#"{{"_type":"https://in-toto.io/Statement/v1","predicate":{{"configuration":[{{"digest":{{"sha256":"{b}"}},"name":"comparator","uri":"lock.toml"}},"#
        );
        let middle = r#""failedTests":[],"passedTests":["A1"],"result":"PASSED","warnedTests":[]},"predicateType":"https://in-toto.io/attestation/test-result/v0.1","subject":[{"digest":{"sha256":"#;
        let (commit, tree) = ("12".repeat(20), "34".repeat(20));
        let source = format!(
            r#"{{"digest":{{"gitCommit":"{commit}","gitTree":"{tree}"}},"name":"source"}},{{"digest":"#
        );
        assert!(text.starts_with(&start), "{text}");
        assert!(text.contains(middle), "{text}");
        assert!(text.contains(&source), "{text}");
        assert_eq!(Statement::parse(&bytes).expect("parses").to_bytes().expect("writes"), bytes);
    }

    #[test]
    fn altered_statements_are_refused() {
        let (files, claim) = parts();
        let bytes = Statement::new(files, claim).expect("valid").to_bytes().expect("writes");
        let text = String::from_utf8(bytes).expect("UTF-8");
        for (from, to) in [
            ("Statement/v1", "Statement/v0.1"),
            ("test-result/v0.1", "test-result/v0.2"),
            ("\"result\"", "\"result\":\"PASSED\",\"result\""),
            ("\"result\"", "\"note\":\"x\",\"result\""),
            ("\"PASSED\"", "\"FAILED\""),
            ("\"PASSED\"", "\"passed\""),
            ("\"passedTests\":[\"A1\"]", "\"passedTests\":[]"),
            ("\"failedTests\":[]", "\"failedTests\":[\"A1\"]"),
            ("\"name\":\"zeta.json\"", "\"name\":\"../zeta.json\""),
            ("\"name\":\"zeta.json\"", "\"name\":\"Lock.toml\""),
            ("\"name\":\"zeta.json\"", "\"name\":\"lock.toml\""),
            ("\"name\":\"zeta.json\"", "\"name\":\"attestation.intoto.json\""),
            ("\"name\":\"source\"", "\"name\":\"sources\""),
            ("\"gitCommit\"", "\"sha1\""),
            ("\"name\":\"cells.json\"", "\"name\":\"cell.json\""),
            ("\"name\":\"engine\"", "\"name\":\"engines\""),
            ("\"name\":\"corpus/x\"", "\"name\":\"corpus\""),
            ("\"uri\":\"lock.toml\"", "\"uri\":\"elsewhere.toml\""),
            (&format!("\"{}\"", "12".repeat(20)), &format!("\"{}\"", "0".repeat(40))),
            ("{\"_type\"", "{ \"_type\""),
        ] {
            let bad = text.replacen(from, to, 1);
            assert_ne!(bad, text, "{from}");
            assert!(Statement::parse(bad.as_bytes()).is_err(), "{from} -> {to}");
        }
    }

    #[test]
    fn another_type_is_refused_as_such() {
        let (files, claim) = parts();
        let bytes = Statement::new(files, claim).expect("valid").to_bytes().expect("writes");
        let text = String::from_utf8(bytes).expect("UTF-8");
        let parse = |from, to| Statement::parse(text.replacen(from, to, 1).as_bytes());
        let other = parse("Statement/v1", "Statement/v2");
        assert!(matches!(other, Err(StatementError::StatementType(_))), "{other:?}");
        let other = parse("test-result/v0.1", "test-result/v0.2");
        assert!(matches!(other, Err(StatementError::PredicateType(_))), "{other:?}");
    }

    #[test]
    fn a_lock_of_another_digest_is_refused() {
        let (mut files, claim) = parts();
        files.insert("lock.toml".to_owned(), digit("9"));
        let error = Statement::new(files, claim).expect_err("digest");
        assert!(matches!(error, StatementError::Configuration { .. }), "{error}");
    }
}
