//! `oracle.toml`: what an oracle is, what it needs and how it is run.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

use record::{Digest, VisibilityClass};
use serde::Deserialize;

/// The file's name inside an oracle's folder.
const FILE_NAME: &str = "oracle.toml";

/// Who installs what the oracle needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Client {
    /// Nothing is installed.
    None,
    /// pip, from hash-locked requirements.
    Pip,
    /// npm, from a package lock, without scripts.
    Npm,
    /// cargo, from `Cargo.lock`.
    Cargo,
    /// apt, from a list of exact versions; into the environment's folder, not the system.
    Debian,
}

/// Everything `oracle.toml` says.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Definition {
    /// The front end, such as `CPython ast`.
    pub name: String,
    /// Its pinned version.
    pub version: String,
    /// The language keys it serves.
    pub languages: Vec<String>,
    /// Endings of the names of files that it can read, without a dot; empty for all files of its
    /// languages.
    #[serde(default)]
    pub extensions: Vec<String>,
    /// How much it knows of visibility.
    pub visibility: VisibilityClass,
    /// Our program's files, relative to the folder, in the order their digest is taken.
    pub files: Vec<String>,
    /// How to install what it needs.
    pub install: InstallPart,
    /// How to run it.
    pub command: CommandPart,
}

/// The table `install`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InstallPart {
    /// Who installs.
    pub client: Client,
    /// The lock, relative to the folder.
    #[serde(default)]
    pub lock: Option<String>,
}

/// The table `command`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CommandPart {
    /// Program and arguments, with placeholders such as `{here}` and `{python}`.
    pub argv: Vec<String>,
    /// Further variables of its environment, with the same placeholders.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// A program and arguments that are run once, at the end of the installation, in the
    /// environment's folder; for programs that must be compiled.
    #[serde(default)]
    pub build: Vec<String>,
}

/// Why an oracle's definition cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum OracleDefinitionError {
    /// A file cannot be read.
    #[error("cannot read {}: {source}; restore it with git checkout", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The definition is not valid.
    #[error("{} is not an oracle definition: {why}", path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
}

/// A definition together with its folder.
#[derive(Debug, Clone)]
pub struct OracleSpec {
    /// The folder.
    pub path: PathBuf,
    /// What the definition says.
    pub definition: Definition,
}

impl OracleSpec {
    /// Reads the definition in `path`.
    pub fn open(path: &Path) -> Result<Self, OracleDefinitionError> {
        let file = path.join(FILE_NAME);
        let text = fs::read_to_string(&file)
            .map_err(|source| OracleDefinitionError::Read { path: file.clone(), source })?;
        let invalid = |why: String| OracleDefinitionError::Invalid { path: file.clone(), why };
        let definition: Definition =
            toml::from_str(&text).map_err(|error| invalid(error.to_string()))?;
        let spec = Self { path: path.to_owned(), definition };
        spec.check().map_err(invalid)?;
        Ok(spec)
    }

    /// All oracles below `folder`, by the names of their folders.
    pub fn all(folder: &Path) -> Result<Vec<Self>, OracleDefinitionError> {
        let Ok(entries) = fs::read_dir(folder) else { return Ok(Vec::new()) };
        let mut folders: Vec<PathBuf> = entries
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.join(FILE_NAME).is_file())
            .collect();
        folders.sort();
        folders.iter().map(|path| Self::open(path)).collect()
    }

    /// The folder's name, for messages and folders.
    pub fn name(&self) -> String {
        self.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    }

    /// Every file that decides the oracle's answers: the definition, our program and the lock.
    pub fn files(&self) -> Vec<String> {
        let mut files = vec![FILE_NAME.to_owned()];
        let lock = self.definition.install.lock.iter().cloned();
        // npm needs the manifest that belongs to a package lock.
        let npm = self.definition.install.client == Client::Npm;
        let manifest = npm.then(|| "package.json".to_owned());
        for file in self.definition.files.iter().cloned().chain(lock).chain(manifest) {
            if !files.contains(&file) {
                files.push(file);
            }
        }
        files
    }

    /// Whether it can read a file of this name.
    pub fn reads(&self, name: &str) -> bool {
        let extensions = &self.definition.extensions;
        let of = name.rsplit_once('.').map_or("", |(_, extension)| extension);
        extensions.is_empty() || extensions.iter().any(|one| one == of)
    }

    /// Digest over these files.
    pub fn digest(&self) -> Result<Digest, OracleDefinitionError> {
        Digest::of_files(&self.path, &self.files())
            .map_err(|source| OracleDefinitionError::Read { path: self.path.clone(), source })
    }

    fn check(&self) -> Result<(), String> {
        let Definition { languages, files, install, command, .. } = &self.definition;
        if languages.is_empty() || files.is_empty() || command.argv.is_empty() {
            return Err("languages, files and command.argv may not be empty".to_owned());
        }
        if install.client != Client::None && install.lock.is_none() {
            return Err("install.lock is missing".to_owned());
        }
        let outside = self.files().into_iter().find(|file| {
            Path::new(file)
                .components()
                .any(|part| !matches!(part, std::path::Component::Normal(_)))
        });
        outside.map_or(Ok(()), |file| Err(format!("{file} is not inside the folder")))
    }
}

#[cfg(test)]
mod tests {
    use super::{OracleSpec, VisibilityClass};

    const TOML: &str = r#"
        name = "fake"
        version = "1"
        languages = ["python"]
        visibility = "export-only"
        files = ["oracle.py"]
        [install]
        client = "none"
        [command]
        argv = ["{python}", "{here}/oracle.py"]
    "#;

    #[test]
    fn a_definition_is_read_and_its_digest_covers_every_file() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("oracle.toml"), TOML).unwrap();
        std::fs::write(folder.path().join("oracle.py"), "one").unwrap();
        let spec = OracleSpec::open(folder.path()).unwrap();
        assert_eq!(spec.definition.visibility, VisibilityClass::ExportOnly);
        let before = spec.digest().unwrap();
        std::fs::write(folder.path().join("oracle.py"), "two").unwrap();
        assert_ne!(spec.digest().unwrap(), before);
    }

    #[test]
    fn unknown_keys_missing_locks_and_files_outside_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        for (from, to, said) in [
            ("name =", "nmae =", "nmae"),
            ("client = \"none\"", "client = \"pip\"", "lock"),
            ("[\"oracle.py\"]", "[\"../x.py\"]", "not inside"),
        ] {
            std::fs::write(folder.path().join("oracle.toml"), TOML.replace(from, to)).unwrap();
            let error = OracleSpec::open(folder.path()).unwrap_err().to_string();
            assert!(error.contains(said), "{error}");
        }
    }
}
