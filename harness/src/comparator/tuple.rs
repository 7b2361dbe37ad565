//! The comparator tuple: everything that decides what the comparator answers.

use std::{collections::BTreeMap, io};

use record::{
    Digest,
    receipt::{MeasuredEnvironment, Package, Receipt},
};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{
    definition::{ComparatorSpec, Relation},
    placeholder::{hex_problem, text_problem, version_problem},
};

/// Identifies one comparator; part of every artifact that rests on its answers.
///
/// Digests are plain text here, so that a tuple read from evidence can be inspected before it is
/// trusted; [`ComparatorTuple::problems`] says what is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ComparatorTuple {
    /// What is measured: the constructor behind the command line.
    pub entry_point: String,
    /// The released package; `wheel_sha256` is that of the locked artifact.
    pub aider_release: Package,
    /// The pinned commit.
    pub aider_commit_sha: String,
    /// How release and commit relate.
    pub relation: Relation,
    /// The package that renders trees.
    pub grep_ast_provenance: Package,
    /// Encoding name.
    pub tokenizer_id: String,
    /// Libraries and their versions.
    pub tokenizer_version: String,
    /// Digests of the vocabularies by file name.
    pub tokenizer_data_sha256: BTreeMap<String, String>,
    /// Interpreter version, such as `3.11.7`.
    pub python_version: String,
    /// Digest of the hash-locked requirements.
    pub lock_sha256: String,
    /// Digest of our driver.
    pub driver_sha256: String,
    /// Digests of the source files that determine the map.
    pub sources_sha256: BTreeMap<String, String>,
    /// The environment it ran in.
    pub environment: MeasuredEnvironment,
}

/// One thing that is wrong with a tuple.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("comparator tuple: {field} {problem}")]
pub struct TupleProblem {
    /// The field, with a dot for parts.
    pub field: String,
    /// What is wrong with it, as the rest of a sentence.
    pub problem: String,
}

impl ComparatorTuple {
    /// Joins what the definition states with what the driver measured. The digests of the lock and of
    /// the driver are taken from the files as they are now.
    pub fn from_receipt(spec: &ComparatorSpec, receipt: &Receipt) -> io::Result<Self> {
        let definition = &spec.definition;
        let measured = receipt.tuple.clone();
        let with_wheel =
            |package: Package, sha256: Option<String>| Package { wheel_sha256: sha256, ..package };
        let grep_ast_wheel = definition.expected.grep_ast_provenance.wheel_sha256.clone();
        Ok(Self {
            entry_point: definition.entry_point.clone(),
            aider_release: with_wheel(
                measured.aider_release,
                Some(definition.wheel.sha256.clone()),
            ),
            aider_commit_sha: definition.aider_commit_sha.clone(),
            relation: definition.relation.clone(),
            grep_ast_provenance: with_wheel(measured.grep_ast_provenance, grep_ast_wheel),
            tokenizer_id: measured.tokenizer_id,
            tokenizer_version: measured.tokenizer_version,
            tokenizer_data_sha256: measured.tokenizer_data_sha256,
            python_version: measured.python_version,
            lock_sha256: Digest::of_file(&spec.lock())?.into(),
            driver_sha256: spec.driver_digest()?.into(),
            sources_sha256: measured.sources_sha256,
            environment: receipt.environment.clone(),
        })
    }

    /// Digest of the tuple without the environment.
    pub fn identity_sha256(&self) -> String {
        let mut identity = json!(self);
        if let Some(fields) = identity.as_object_mut() {
            fields.remove("environment");
        }
        Digest::of(identity.to_string()).into()
    }

    /// Every field that is missing or looks like a placeholder, one entry per field. A usable tuple has
    /// none.
    pub fn problems(&self) -> Vec<TupleProblem> {
        let mut problems = Problems(Vec::new());
        problems.text("entry_point", &self.entry_point);
        problems.package("aider_release", &self.aider_release);
        problems.hex("aider_commit_sha", &self.aider_commit_sha, 40);
        problems.text("relation.summary", &self.relation.summary);
        for file in &self.relation.files {
            problems.text(&format!("relation.{}.effect", file.path), &file.effect);
            problems.hex(&format!("relation.{}.wheel_sha256", file.path), &file.wheel_sha256, 64);
            problems.hex(&format!("relation.{}.commit_sha256", file.path), &file.commit_sha256, 64);
        }
        problems.package("grep_ast_provenance", &self.grep_ast_provenance);
        problems.text("tokenizer_id", &self.tokenizer_id);
        problems.text("tokenizer_version", &self.tokenizer_version);
        problems.digests("tokenizer_data_sha256", &self.tokenizer_data_sha256);
        problems.add("python_version", version_problem(&self.python_version));
        problems.hex("lock_sha256", &self.lock_sha256, 64);
        problems.hex("driver_sha256", &self.driver_sha256, 64);
        problems.digests("sources_sha256", &self.sources_sha256);
        let environment = &self.environment;
        if environment.variables.is_empty() {
            problems.add("environment.variables", Some("is empty".to_owned()));
        }
        problems.text("environment.git", environment.git.as_deref().unwrap_or_default());
        problems.text("environment.python", &environment.python);
        problems.text("environment.system", &environment.system);
        problems.text("environment.machine", &environment.machine);
        problems.0
    }
}

struct Problems(Vec<TupleProblem>);

impl Problems {
    fn add(&mut self, field: &str, problem: Option<String>) {
        self.0.extend(problem.map(|problem| TupleProblem { field: field.to_owned(), problem }));
    }

    fn text(&mut self, field: &str, value: &str) {
        self.add(field, text_problem(value));
    }

    fn hex(&mut self, field: &str, value: &str, length: usize) {
        self.add(field, hex_problem(value, length));
    }

    fn digests(&mut self, field: &str, digests: &BTreeMap<String, String>) {
        if digests.is_empty() {
            self.add(field, Some("is empty".to_owned()));
        }
        for (name, digest) in digests {
            self.hex(&format!("{field}.{name}"), digest, 64);
        }
    }

    fn package(&mut self, field: &str, package: &Package) {
        self.text(&format!("{field}.name"), &package.name);
        self.add(&format!("{field}.version"), version_problem(&package.version));
        self.hex(&format!("{field}.metadata_sha256"), &package.metadata_sha256, 64);
        self.hex(&format!("{field}.files_sha256"), &package.files_sha256, 64);
        let wheel = package.wheel_sha256.as_deref().unwrap_or_default();
        self.hex(&format!("{field}.wheel_sha256"), wheel, 64);
    }
}

#[cfg(test)]
pub(super) mod tests {
    use serde_json::{Value, json};

    use super::super::definition::aider_spec;
    use super::*;

    /// A receipt that says exactly what the committed definition expects.
    pub fn expected_receipt(spec: &ComparatorSpec) -> Receipt {
        serde_json::from_value(expected_receipt_json(spec)).unwrap()
    }

    /// The same as JSON, in the driver's format.
    pub fn expected_receipt_json(spec: &ComparatorSpec) -> Value {
        let expected = &spec.definition.expected;
        let package = |package: &Package| Package { wheel_sha256: None, ..package.clone() };
        json!({
            "tuple": {
                "aider_release": package(&expected.aider_release),
                "aider_commit_sha": spec.definition.aider_commit_sha,
                "grep_ast_provenance": package(&expected.grep_ast_provenance),
                "tokenizer_id": expected.tokenizer.id,
                "tokenizer_version": expected.tokenizer.version,
                "tokenizer_data_sha256": {
                    expected.tokenizer.data_file.clone(): expected.tokenizer.data_sha256
                },
                "python_version": "3.11.7",
                "sources_sha256": expected.sources_sha256,
                "driver_sha256": spec.driver_digest().unwrap(),
            },
            "environment": {
                "variables": spec.definition.environment,
                "git": "git version 2.39.5", "python": "CPython 3.11.7", "system": "Linux",
                "machine": "x86_64", "libc": "glibc 2.36",
            },
            "versions": expected.versions,
        })
    }

    /// A tuple without a problem.
    pub fn complete() -> ComparatorTuple {
        let spec = aider_spec();
        ComparatorTuple::from_receipt(&spec, &expected_receipt(&spec)).unwrap()
    }

    #[test]
    fn the_committed_definition_gives_a_complete_tuple() {
        assert_eq!(complete().problems(), []);
    }

    /// Replaces the value at a JSON pointer.
    fn with(pointer: &str, value: Value) -> Result<ComparatorTuple, serde_json::Error> {
        let mut tuple = serde_json::to_value(complete()).unwrap();
        *tuple.pointer_mut(pointer).unwrap() = value;
        serde_json::from_value(tuple)
    }

    /// Every leaf of the tuple, as JSON pointers.
    fn leaves(value: &Value, prefix: &str, found: &mut Vec<String>) {
        match value {
            Value::Object(map) => {
                for (key, inner) in map {
                    leaves(inner, &format!("{prefix}/{}", key.replace('/', "~1")), found);
                }
            }
            Value::Array(items) => {
                for (index, inner) in items.iter().enumerate() {
                    leaves(inner, &format!("{prefix}/{index}"), found);
                }
            }
            _ => found.push(prefix.to_owned()),
        }
    }

    #[test]
    fn each_emptied_or_filled_in_field_is_refused() {
        let mut pointers = Vec::new();
        leaves(&serde_json::to_value(complete()).unwrap(), "", &mut pointers);
        assert!(pointers.len() > 30);
        // The paths only name things, and an interpreter need not know its C library.
        let free = |pointer: &String| {
            pointer.starts_with("/environment/variables/")
                || pointer == "/environment/libc"
                || (pointer.starts_with("/relation/file/") && pointer.ends_with("/path"))
        };
        for pointer in pointers.iter().filter(|pointer| !free(pointer)) {
            for filler in ["", "standalone", "unknown"] {
                let tuple = with(pointer, filler.into()).unwrap();
                assert_eq!(tuple.problems().len(), 1, "{pointer} = {filler:?}");
            }
            if pointer.contains("sha") {
                for length in [40, 64] {
                    let tuple = with(pointer, "b".repeat(length).into()).unwrap();
                    assert_eq!(tuple.problems().len(), 1, "{pointer}");
                }
            }
        }
        for map in ["/tokenizer_data_sha256", "/sources_sha256", "/environment/variables"] {
            assert_eq!(with(map, json!({})).unwrap().problems().len(), 1, "{map}");
        }
    }

    #[test]
    fn a_missing_field_cannot_even_be_read() {
        let tuple = serde_json::to_value(complete()).unwrap();
        for key in tuple.as_object().unwrap().keys() {
            let mut partial = tuple.clone();
            partial.as_object_mut().unwrap().remove(key);
            assert!(serde_json::from_value::<ComparatorTuple>(partial).is_err(), "{key}");
        }
    }
}
