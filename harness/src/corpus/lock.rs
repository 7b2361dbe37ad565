//! The lock files: which corpora there are, and the exact bytes that each must consist of.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use record::{Case, digest};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::corpus::{
    disk::{At, DiskError},
    safe_path,
};

/// Why the lock files cannot be used.
#[derive(Debug, Error)]
pub enum LockError {
    /// A lock file is not TOML, or a row lacks a field, has an unknown one or a wrong value.
    #[error("{}: {row}: {why}; correct the row, then run again", file.display())]
    Invalid {
        /// The lock file.
        file: PathBuf,
        /// The row: its name, or its number if it has none.
        row: String,
        /// What is wrong with it.
        why: String,
    },
    /// The folder holds no `*.lock.toml`.
    #[error("no *.lock.toml in `{}`; name the folder that holds the corpora locks", .0.display())]
    Empty(PathBuf),
    /// A name was asked for that no row of the set has.
    #[error("no corpus `{name}` in the set `{set}`; it has: {known}")]
    Unknown {
        /// The name that was asked for.
        name: String,
        /// The set that was searched.
        set: String,
        /// The names that the set has.
        known: String,
    },
    /// A lock file cannot be read.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

impl LockError {
    /// Exit code of the program when this error ends it.
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::Unknown { .. } => 2,
            Self::Invalid { .. } | Self::Empty(_) => 20,
            Self::Disk(error) => error.exit_code(),
        }
    }
}

/// Where an artifact comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Registry {
    /// The Python package index.
    Pypi,
    /// The npm registry.
    Npm,
    /// The Rust crate registry.
    Crates,
    /// The Debian archive. It keeps no superseded version, so its rows are never required.
    Debian,
}

/// What an artifact is to its registry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A Python source distribution.
    Sdist,
    /// A Python wheel.
    Wheel,
    /// An npm tarball.
    Tarball,
    /// A packaged crate.
    Crate,
    /// The upstream source archive of a Debian source package.
    Source,
    /// Debian's changes to a source package. No row of a lock has this kind; see [`Row::patches`].
    #[serde(skip)]
    Patches,
    /// A Debian binary package, for languages that are installed as source.
    BinaryDeb,
}

/// How the files of an artifact are packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Form {
    /// What the archive is.
    pub packing: Packing,
    /// Whether all files are in one top folder, which is left out of their paths.
    pub top_folder: bool,
}

/// What an archive is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Packing {
    /// A tar archive under gzip.
    GzipTar,
    /// A tar archive under xz.
    XzTar,
    /// A tar archive under zstd.
    ZstdTar,
    /// A zip archive.
    Zip,
    /// A Debian package.
    Deb,
}

/// Which files of the artifact make up the corpus.
///
/// A pattern that ends in `/` is a folder, one that starts with `*.` an extension, any other
/// the exact path of one file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PathFilter {
    /// Patterns of what is kept; empty keeps everything.
    #[serde(default)]
    pub only: Vec<String>,
    /// Patterns of what is dropped again.
    #[serde(default)]
    pub exclude: Vec<String>,
}

impl PathFilter {
    /// Whether the file at `path`, relative to the root of the artifact, is kept.
    pub fn keeps(&self, path: &str) -> bool {
        let matches = |pattern: &String| match pattern.strip_prefix('*') {
            Some(extension) => path.ends_with(extension),
            None if pattern.ends_with('/') => path.starts_with(pattern.as_str()),
            None => path == pattern,
        };
        (self.only.is_empty() || self.only.iter().any(matches)) && !self.exclude.iter().any(matches)
    }
}

/// What the cases of a corpus consist of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RowCases {
    /// The file in the chat, in the case that has one.
    pub chat_file: String,
    /// The user's message, in the case that has one: names a path and an identifier.
    pub message: String,
}

/// Where the tasks of a corpus come from: Debian's own changes to the package.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RowTasks {
    /// File name of the archive with the patches.
    pub artifact: String,
    /// SHA-256 of that archive.
    pub sha256: String,
    /// Its size in bytes.
    pub size: u64,
}

/// One corpus: what to fetch, what to keep of it, and the digests of every step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// Unique name, of lower-case letters, digits and hyphens.
    pub name: String,
    /// The sets that the corpus belongs to: `smoke`, `bench`, `full`.
    pub sets: BTreeSet<String>,
    /// Where the artifact comes from.
    pub registry: Registry,
    /// The form of the artifact.
    pub kind: Kind,
    /// Package name in the registry.
    pub package: String,
    /// Exact version.
    pub version: String,
    /// File name of the artifact.
    pub artifact: String,
    /// SHA-256 of the artifact.
    pub sha256: String,
    /// Size of the artifact in bytes.
    pub size: u64,
    /// Tree digest of everything in the artifact, see [`crate::corpus::tree::sha256`].
    pub tree_sha256: String,
    /// Licence as the registry states it.
    pub licence: String,
    /// Languages of the corpus, the main one first.
    pub languages: Vec<String>,
    /// Whether a run without it is incomplete.
    pub required: bool,
    /// Whether a source archive lacks the usual top folder.
    #[serde(default, skip_serializing_if = "is_false")]
    pub flat: bool,
    /// Which files of the artifact make up the corpus.
    #[serde(default)]
    pub path_filter: PathFilter,
    /// The files that are taken out because they would configure git or the comparator.
    #[serde(default)]
    pub removed: Vec<String>,
    /// Number of files and links of the corpus.
    pub filtered_files: u64,
    /// Tree digest of the corpus.
    pub filtered_tree_sha256: String,
    /// Id of the one commit of the materialised repository.
    pub commit: String,
    /// CPU seconds of one cold canonical comparator run over all cases and budgets, measured
    /// once and rounded up. It only decides what is scheduled when.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comparator_cpu_seconds: Option<u64>,
    /// Peak memory of that run in MB (10^6 bytes).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comparator_peak_mb: Option<u64>,
    /// What the cases consist of; absent for a corpus that is only mapped for tasks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cases: Option<RowCases>,
    /// Where its tasks come from, if it has any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tasks: Option<RowTasks>,
}

/// What one run over a corpus costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cost {
    /// CPU time in seconds.
    pub cpu_seconds: u64,
    /// Peak memory in MB (10^6 bytes).
    pub peak_mb: u64,
}

impl Row {
    /// Digest of everything that identifies the corpus: of the whole row except its sets and
    /// what the comparator costs on it.
    pub fn fingerprint(&self) -> String {
        let identity = Self {
            sets: BTreeSet::new(),
            comparator_cpu_seconds: None,
            comparator_peak_mb: None,
            ..self.clone()
        };
        // Field order is fixed and every collection is ordered, so the text is canonical.
        // No field can fail to serialise: all keys are strings.
        digest::sha256(serde_json::to_vec(&identity).unwrap_or_default())
    }

    /// What the comparator costs on it, if that was measured.
    pub fn comparator_cost(&self) -> Option<Cost> {
        let (cpu_seconds, peak_mb) = (self.comparator_cpu_seconds?, self.comparator_peak_mb?);
        Some(Cost { cpu_seconds, peak_mb })
    }

    /// The three cases of a locked corpus: nothing, a file in the chat, a message. None if it has no cases.
    pub fn questions(&self) -> Vec<Case> {
        let Some(cases) = &self.cases else { return Vec::new() };
        let case = |id: &str| Case { id: id.to_owned(), ..Case::default() };
        vec![
            case("none"),
            Case { chat_files: vec![cases.chat_file.clone()], ..case("chat") },
            Case { message: cases.message.clone(), ..case("message") },
        ]
    }

    /// The archive with the patches of its tasks, as a row of its own that is fetched and never unpacked into a
    /// repository.
    pub fn patches(&self) -> Option<Self> {
        let RowTasks { artifact, sha256, size } = self.tasks.clone()?;
        Some(Self { kind: Kind::Patches, artifact, sha256, size, flat: false, ..self.clone() })
    }

    /// How the artifact is packed.
    pub fn form(&self) -> Form {
        let xz = Path::new(&self.artifact).extension().is_some_and(|name| name == "xz");
        let packing = match self.kind {
            Kind::Wheel => Packing::Zip,
            Kind::BinaryDeb => Packing::Deb,
            Kind::Source | Kind::Patches if xz => Packing::XzTar,
            Kind::Source | Kind::Patches | Kind::Sdist | Kind::Tarball | Kind::Crate => {
                Packing::GzipTar
            }
        };
        let tar = matches!(packing, Packing::GzipTar | Packing::XzTar);
        Form { packing, top_folder: tar && !self.flat }
    }

    fn check(&self) -> Result<(), String> {
        let word = |text: &str, extra: &str| {
            let allowed = |c: char| c.is_ascii_alphanumeric() || extra.contains(c);
            !text.is_empty() && !text.starts_with('-') && text.chars().all(allowed)
        };
        let named = |field: &str, text: &str, ok: bool, wanted: &str| {
            if ok { Ok(()) } else { Err(format!("{field} = \"{text}\": expected {wanted}")) }
        };
        let plain = word(&self.name, "-") && self.name == self.name.to_ascii_lowercase();
        named("name", &self.name, plain, "lower-case letters, digits and hyphens")?;
        named("package", &self.package, word(&self.package, "@/._+-"), "a package name")?;
        named("version", &self.version, word(&self.version, ".+-:~"), "one exact version")?;
        named("artifact", &self.artifact, word(&self.artifact, "._+-%~"), "a file name")?;
        for (field, text, digits) in [
            ("sha256", &self.sha256, 64),
            ("tree_sha256", &self.tree_sha256, 64),
            ("filtered_tree_sha256", &self.filtered_tree_sha256, 64),
            ("commit", &self.commit, 40),
        ] {
            let wanted = format!("{digits} lower-case hexadecimal digits");
            named(field, text, digest::is_hex(text, &[digits]), &wanted)?;
        }
        if self.sets.is_empty() {
            return Err("sets is empty".to_owned());
        }
        match (self.registry, self.kind) {
            (Registry::Pypi, Kind::Sdist | Kind::Wheel)
            | (Registry::Npm, Kind::Tarball)
            | (Registry::Crates, Kind::Crate)
            | (Registry::Debian, Kind::Source | Kind::BinaryDeb) => {}
            (registry, kind) => return Err(format!("{registry:?} has no artifacts of {kind:?}")),
        }
        if let Some(RowTasks { artifact, sha256, .. }) = &self.tasks {
            let is_source = (self.registry, self.kind) == (Registry::Debian, Kind::Source);
            named("tasks", artifact, is_source, "none, unless it is a Debian source package")?;
            named("tasks.artifact", artifact, word(artifact, "._+-%~"), "a file name")?;
            let wanted = "64 lower-case hexadecimal digits";
            named("tasks.sha256", sha256, digest::is_hex(sha256, &[64]), wanted)?;
        } else if self.cases.is_none() {
            return Err("it has neither cases nor tasks".to_owned());
        }
        if self.registry == Registry::Debian && self.required {
            return Err("required: a Debian version may vanish from its archive".to_owned());
        }
        // Excluded paths need no check, because they are never written.
        let paths = self
            .path_filter
            .only
            .iter()
            .chain(&self.removed)
            .chain(self.cases.iter().map(|cases| &cases.chat_file));
        for path in paths {
            let bare = path.strip_suffix('/').unwrap_or(path);
            safe_path::check(bare).map_err(|why| format!("path \"{path}\" {why}"))?;
        }
        Ok(())
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes the field by reference")]
const fn is_false(value: &bool) -> bool {
    !*value
}

/// All rows of all lock files, sorted by name.
#[derive(Debug, Clone, Default)]
pub struct Lock {
    rows: BTreeMap<String, Row>,
}

/// A lock file before its rows are read, so that an error can name the row.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LockFile {
    corpus: Vec<toml::Table>,
}

impl Lock {
    /// Reads every `*.lock.toml` in `folder`.
    pub fn load_dir(folder: &Path) -> Result<Self, LockError> {
        let mut files = Vec::new();
        for entry in fs::read_dir(folder).at("list", folder)? {
            let path = entry.at("list", folder)?.path();
            if path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(".lock.toml")) {
                files.push(path);
            }
        }
        files.sort();
        if files.is_empty() {
            return Err(LockError::Empty(folder.to_path_buf()));
        }
        let mut lock = Self::default();
        for file in files {
            let text = fs::read_to_string(&file).at("read", &file)?;
            lock.add(&file, &text)?;
        }
        Ok(lock)
    }

    fn add(&mut self, file: &Path, text: &str) -> Result<(), LockError> {
        let invalid =
            |row: String, why: String| LockError::Invalid { file: file.to_path_buf(), row, why };
        let parsed: LockFile =
            toml::from_str(text).map_err(|error| invalid("the file".into(), error.to_string()))?;
        for (index, table) in parsed.corpus.into_iter().enumerate() {
            let label = match table.get("name").and_then(toml::Value::as_str) {
                Some(name) => format!("row `{name}`"),
                None => format!("row {}", index + 1),
            };
            let row: Row = table
                .try_into()
                .map_err(|error| invalid(label.clone(), error.to_string().trim().to_owned()))?;
            row.check().map_err(|why| invalid(label.clone(), why))?;
            if self.rows.contains_key(&row.name) {
                return Err(invalid(label, "another row has this name".to_owned()));
            }
            self.rows.insert(row.name.clone(), row);
        }
        Ok(())
    }

    /// All rows, sorted by name.
    pub fn rows(&self) -> impl Iterator<Item = &Row> {
        self.rows.values()
    }

    /// The rows of a set, sorted by name; all of them, or those with one of `names`.
    pub fn select(&self, set: &str, names: &[String]) -> Result<Vec<&Row>, LockError> {
        let all: Vec<&Row> = self.rows().filter(|row| row.sets.contains(set)).collect();
        if let Some(name) = names.iter().find(|name| all.iter().all(|row| row.name != **name)) {
            let known: Vec<&str> = all.iter().map(|row| row.name.as_str()).collect();
            return Err(LockError::Unknown {
                name: name.clone(),
                set: set.to_owned(),
                known: known.join(", "),
            });
        }
        Ok(all.into_iter().filter(|row| names.is_empty() || names.contains(&row.name)).collect())
    }
}

#[cfg(test)]
#[path = "lock_tests.rs"]
mod tests;
