//! `comparator.toml`: what a comparator is, and how it is installed, run and identified.

use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    path::{Path, PathBuf},
};

use record::{Digest, receipt::Package};
use serde::{Deserialize, Serialize};

/// The file's name in a comparator's folder.
pub const FILE_NAME: &str = "comparator.toml";

/// Everything `comparator.toml` says.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Definition {
    /// Short name, such as `aider`; part of folder names.
    pub name: String,
    /// What is measured, under the name that evidence uses.
    pub entry_point: String,
    /// The same as `module:object`.
    pub entry_point_object: String,
    /// The released version.
    pub aider_release: String,
    /// The pinned commit, 40 hexadecimal digits.
    pub aider_commit_sha: String,
    /// The released artifact.
    pub wheel: Wheel,
    /// How to install it.
    pub install: Install,
    /// How to run it.
    pub run: Run,
    /// The variables the driver gives to the comparator.
    pub environment: BTreeMap<String, String>,
    /// What the driver's receipt must say.
    pub expected: Expected,
    /// How the release relates to the pinned commit.
    pub relation: Relation,
}

/// A package artifact.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wheel {
    /// Package name.
    pub package: String,
    /// Package version.
    pub version: String,
    /// Digest of the artifact.
    pub sha256: String,
}

/// How to install the comparator.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Install {
    /// The hash-locked requirements, relative to the comparator's folder.
    pub lock: String,
    /// Digest of that file.
    pub lock_sha256: Digest,
    /// The Python minor versions that can be used, such as `3.11`.
    pub python: Vec<String>,
    /// The one that committed recordings come from; tried first.
    pub python_reference: String,
    /// Downloads the locked wheels; `{python}`, `{lock}` and `{wheels}` are filled in.
    pub pip: Vec<String>,
    /// Downloads the locked wheels with uv, with the same placeholders.
    pub uv: Vec<String>,
}

/// How to run the comparator. Commands have the placeholders `{python}` and `{room}`, the comparator's
/// folder.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// The driver's files, relative to that folder, in the order their digest is taken.
    pub files: Vec<String>,
    /// Prints the identity of what is installed.
    pub receipt: Vec<String>,
    /// Answers one request on standard input.
    pub command: Vec<String>,
    /// Makes each map of a request in a process of its own, with the comparator as shipped, and reports
    /// time and memory.
    pub shipped: Vec<String>,
    /// Answers one request after another, each in a fork of a process that has imported the
    /// comparator.
    pub answer_many: Vec<String>,
    /// Describes the languages the comparator knows.
    pub audit_facts: Vec<String>,
    /// Lists the tags and lexical names of files.
    pub audit_tags: Vec<String>,
    /// Lists the lexical names of files.
    pub lexer_names: Vec<String>,
    /// The request format the driver reads.
    pub request_schema_version: u32,
    /// How long one request may take.
    pub timeout_seconds: u64,
    /// The most bytes of one answer.
    pub max_output_bytes: usize,
    /// The only variables the driver may see.
    pub pass_environment: Vec<String>,
}

impl Run {
    /// The programs of the folder that its commands start, relative to it.
    pub fn scripts(&self) -> impl Iterator<Item = &str> {
        let commands = [
            &self.receipt,
            &self.command,
            &self.shipped,
            &self.answer_many,
            &self.audit_facts,
            &self.audit_tags,
            &self.lexer_names,
        ];
        commands.into_iter().flatten().filter_map(|part| part.strip_prefix("{room}/"))
    }
}

/// What the receipt must say.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expected {
    /// The comparator's package.
    pub aider_release: Package,
    /// The package that renders trees.
    pub grep_ast_provenance: Package,
    /// Digests of the source files that determine the map.
    pub sources_sha256: BTreeMap<String, String>,
    /// The tokenizer.
    pub tokenizer: Tokenizer,
    /// Package versions.
    pub versions: BTreeMap<String, String>,
}

/// The tokenizer whose counts determine how much fits.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tokenizer {
    /// Encoding name.
    #[serde(rename = "tokenizer_id")]
    pub id: String,
    /// Libraries and their versions.
    #[serde(rename = "tokenizer_version")]
    pub version: String,
    /// The vocabulary's file name.
    pub data_file: String,
    /// The vocabulary's digest.
    pub data_sha256: String,
}

/// How the release relates to the pinned commit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Relation {
    /// The relation in words.
    pub summary: String,
    /// The packaged files that differ.
    #[serde(rename = "file")]
    pub files: Vec<RelationFile>,
}

/// A file that differs between release and commit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RelationFile {
    /// Path inside the package.
    pub path: String,
    /// What the difference does.
    pub effect: String,
    /// Digest in the release.
    pub wheel_sha256: String,
    /// Digest at the commit.
    pub commit_sha256: String,
}

/// Why a definition cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum DefinitionError {
    /// The file cannot be read.
    #[error("cannot read {path}: {source}; restore it with git checkout")]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file is not a valid definition.
    #[error("{path} is not a comparator definition: {source}")]
    Parse {
        /// The file.
        path: PathBuf,
        /// What is wrong and where.
        source: Box<toml::de::Error>,
    },
}

/// A definition together with the folder that it describes.
#[derive(Debug, Clone)]
pub struct ComparatorSpec {
    /// The folder with `comparator.toml`, the driver and the lock.
    pub path: PathBuf,
    /// What the definition says.
    pub definition: Definition,
}

impl ComparatorSpec {
    /// Reads the definition in `path`.
    pub fn open(path: &Path) -> Result<Self, DefinitionError> {
        let file = path.join(FILE_NAME);
        let text = std::fs::read_to_string(&file)
            .map_err(|source| DefinitionError::Read { path: file.clone(), source })?;
        let definition = toml::from_str(&text)
            .map_err(|source| DefinitionError::Parse { path: file, source: Box::new(source) })?;
        Ok(Self { path: path.to_owned(), definition })
    }

    /// The hash-locked requirements.
    pub fn lock(&self) -> PathBuf {
        self.path.join(&self.definition.install.lock)
    }

    /// The digest of the driver's files as they are now.
    pub fn driver_digest(&self) -> io::Result<Digest> {
        Digest::of_files(&self.path, &self.definition.run.files)
    }

    /// Files in the folder that Python would import although the definition does not list them: modules
    /// beside the driver, which come before all packages on the path, and byte code, which Python may
    /// run instead of its source. Paths relative to the folder, sorted.
    ///
    /// # Errors
    /// The folder cannot be walked.
    pub fn strangers(&self) -> io::Result<Vec<String>> {
        let run = &self.definition.run;
        let known: BTreeSet<&str> =
            run.scripts().chain(run.files.iter().map(String::as_str)).collect();
        let mut strangers = Vec::new();
        let mut pending = vec![self.path.clone()];
        while let Some(folder) = pending.pop() {
            for entry in std::fs::read_dir(&folder)? {
                let entry = entry?;
                let path = entry.path();
                let name = path.strip_prefix(&self.path).unwrap_or(&path).to_string_lossy();
                let imported = path.extension().is_some_and(|end| {
                    ["py", "pyc", "so"].iter().any(|imported| end.eq_ignore_ascii_case(imported))
                });
                if entry.file_type()?.is_dir() {
                    pending.push(path);
                } else if imported && !known.contains(&*name) {
                    strangers.push(name.into_owned());
                }
            }
        }
        strangers.sort();
        Ok(strangers)
    }

    /// Fills a command template; placeholders without a value stay as they are.
    pub fn fill(template: &[String], values: &[(&str, &Path)]) -> Vec<String> {
        let fill_one = |part: &String| {
            values.iter().fold(part.clone(), |text, (name, path)| {
                text.replace(&format!("{{{name}}}"), &path.to_string_lossy())
            })
        };
        template.iter().map(fill_one).collect()
    }
}

#[cfg(test)]
pub(super) fn aider_spec() -> ComparatorSpec {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../comparators/aider");
    ComparatorSpec::open(&path).unwrap()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_definition_is_readable_and_its_lock_unchanged() {
        let spec = aider_spec();
        assert_eq!(spec.definition.name, "aider");
        assert!(spec.definition.install.python.contains(&spec.definition.install.python_reference));
        assert_eq!(Digest::of_file(&spec.lock()).unwrap(), spec.definition.install.lock_sha256);
        spec.driver_digest().unwrap();
    }

    #[test]
    fn what_python_would_import_from_the_room_is_listed_or_a_stranger() {
        let spec = aider_spec();
        assert_eq!(spec.strangers().unwrap(), [""; 0]);
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir_all(at("parity_driver/__pycache__")).unwrap();
        std::fs::create_dir_all(at("networkx")).unwrap();
        let strange = [
            "networkx/__init__.py",
            "parity_driver/__pycache__/guard.cpython-311.pyc",
            "sitecustomize.py",
            "socket.so",
        ];
        for name in strange.into_iter().chain(["driver.py", "audit_tags.py", "README.md"]) {
            std::fs::write(at(name), "").unwrap();
        }
        let spec = ComparatorSpec { path: folder.path().to_owned(), ..spec };
        assert_eq!(spec.strangers().unwrap(), strange);
    }

    #[test]
    fn an_unknown_key_is_refused_with_its_place() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(FILE_NAME), "name = \"x\"\nnmae = \"y\"\n").unwrap();
        let error = ComparatorSpec::open(folder.path()).unwrap_err().to_string();
        assert!(error.contains("nmae"), "{error}");
    }

    #[test]
    fn fills_every_placeholder_it_knows() {
        let template = ["{python}", "{room}/driver.py", "{other}"].map(str::to_owned);
        let filled = ComparatorSpec::fill(
            &template,
            &[("python", Path::new("p")), ("room", Path::new("r"))],
        );
        assert_eq!(filled, ["p", "r/driver.py", "{other}"]);
    }
}
