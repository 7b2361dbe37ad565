//! The comparator that the protocol pins, according to its definition in the evidence.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use record::{
    Digest,
    receipt::{Package, Receipt},
};
use serde::Deserialize;

use super::CompositionError as Error;
use crate::protocol::read_toml;

/// Folder of the comparator.
const FOLDER: &str = "comparators/aider";
/// The names that recordings give to the interpreter and to the folder of the comparator.
const PLACES: [(&str, &str); 2] = [("{python}", "$ENVIRONMENT/bin/python"), ("{room}", "$ROOM")];

/// What a recording of the pinned comparator must say.
#[derive(Debug)]
pub struct Pinned {
    /// The driver's command line as recordings have it.
    pub command: Vec<String>,
    /// The same of the program that answers one request after another.
    pub answer_many: Vec<String>,
    variables: BTreeSet<String>,
    definition: Definition,
    driver_sha256: Digest,
}

// The parts of `comparator.toml` that a verifier needs; the runner reads the others.
#[derive(Debug, Deserialize)]
struct Definition {
    aider_commit_sha: String,
    run: Run,
    environment: BTreeMap<String, String>,
    expected: Expected,
}

#[derive(Debug, Deserialize)]
struct Run {
    files: Vec<String>,
    command: Vec<String>,
    answer_many: Vec<String>,
    pass_environment: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct Expected {
    aider_release: Package,
    grep_ast_provenance: Package,
    sources_sha256: BTreeMap<String, String>,
    tokenizer: Tokenizer,
    versions: BTreeMap<String, String>,
}

#[derive(Debug, Deserialize)]
struct Tokenizer {
    #[serde(rename = "tokenizer_id")]
    id: String,
    #[serde(rename = "tokenizer_version")]
    version: String,
    data_file: String,
    data_sha256: String,
}

impl Pinned {
    /// Reads the definition and the driver below `root`.
    pub fn read(root: &Path) -> Result<Self, Error> {
        let folder = root.join(FOLDER);
        let definition: Definition = read_toml(&folder.join("comparator.toml"))
            .map_err(|error| Error::Unusable(error.to_string()))?;
        let driver_sha256 = Digest::of_files(&folder, &definition.run.files)
            .map_err(|error| Error::Unusable(format!("{FOLDER}: the driver: {error}")))?;
        let fill = |part: &String| {
            PLACES.iter().fold(part.clone(), |text, (name, place)| text.replace(name, place))
        };
        Ok(Self {
            command: definition.run.command.iter().map(fill).collect(),
            answer_many: definition.run.answer_many.iter().map(fill).collect(),
            variables: definition.run.pass_environment.iter().cloned().collect(),
            driver_sha256,
            definition,
        })
    }

    /// Whether the driver may have had this environment: only variables that are passed on, and a folder
    /// of its own for temporary files.
    pub fn allows(&self, env: &BTreeMap<String, String>) -> bool {
        env.keys().all(|name| self.variables.contains(name))
            && env.get("TMPDIR").is_none_or(|folder| folder == "$TMP")
    }

    /// Whether a program that uses the comparator without the driver may have had this environment: what the driver
    /// gives to the comparator, and a folder of its own.
    pub fn allows_inside(&self, env: &BTreeMap<String, String>) -> bool {
        let mut given = self.definition.environment.clone();
        let own = [("PYTHONHASHSEED", "0"), ("HOME", "$TMP"), ("TMPDIR", "$TMP")];
        given.extend(own.map(|(name, value)| (name.to_owned(), value.to_owned())));
        let mut found = env.clone();
        found.remove("PATH");
        found == given
    }

    /// The first member in which a receipt, for a run with this hash seed, differs from the pinned
    /// comparator. The members about the tokenizer are those of the pinned model; they are left out for other models.
    pub fn difference(&self, receipt: &Receipt, seed: &str, model: &str) -> Option<String> {
        let Definition { aider_commit_sha, environment, expected, .. } = &self.definition;
        let tuple = &receipt.tuple;
        let mut variables = environment.clone();
        variables.insert("PYTHONHASHSEED".to_owned(), seed.to_owned());
        let wheelless = |package: &Package| Package { wheel_sha256: None, ..package.clone() };
        let Tokenizer { id, version, data_file, data_sha256 } = &expected.tokenizer;
        let other = model != record::MODEL;
        let members = [
            ("aider_release", tuple.aider_release == wheelless(&expected.aider_release)),
            ("aider_commit_sha", tuple.aider_commit_sha.as_ref() == Some(aider_commit_sha)),
            (
                "grep_ast_provenance",
                tuple.grep_ast_provenance == wheelless(&expected.grep_ast_provenance),
            ),
            ("tokenizer_id", other || tuple.tokenizer_id == *id),
            ("tokenizer_version", other || tuple.tokenizer_version == *version),
            (
                "tokenizer_data_sha256",
                other || tuple.tokenizer_data_sha256.get(data_file) == Some(data_sha256),
            ),
            ("sources_sha256", tuple.sources_sha256 == expected.sources_sha256),
            ("driver_sha256", tuple.driver_sha256 == self.driver_sha256.as_str()),
            ("versions", receipt.versions == expected.versions),
            ("environment", receipt.environment.variables == variables),
        ];
        members.into_iter().find(|(_, same)| !same).map(|(name, _)| name.to_owned())
    }
}
