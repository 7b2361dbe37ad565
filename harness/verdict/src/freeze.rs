//! The freeze of a protocol: the digest of each of its files, labels included, that may not change
//! under its version.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use record::{
    Digest, Schema,
    protocol::{COMPOSITION, DEVIATIONS, FOLDER, FREEZE, GOLD, NAME, RUNTIME_FOLDER},
};
use serde::{Deserialize, Serialize};

use crate::protocol::{ProtocolError, read_toml};

/// Files of the protocol that may change under a version: deviations are declared and withdrawn, and a
/// composition follows from everything else.
const NOT_FROZEN: [&str; 3] = [FREEZE, DEVIATIONS, COMPOSITION];

const HEAD: &str = "# sha256 of every file that may not change under this version, labels included. Written by `parity protocol\n\
    # freeze`, which adds files and changes none; `parity protocol bump` makes the next version.\n";

/// The digests of a protocol's frozen files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Freeze {
    /// Schema of this file.
    pub schema_version: Schema<1>,
    /// Name of the protocol, such as `v2`.
    pub protocol: String,
    /// sha256 by path, relative to the checkout.
    pub files: BTreeMap<String, Digest>,
}

/// Why a protocol or its gold may not be used.
#[derive(Debug, thiserror::Error)]
pub enum FreezeError {
    /// A file cannot be read.
    #[error(transparent)]
    Protocol(#[from] ProtocolError),
    /// The protocol in force was never frozen.
    #[error("protocol {NAME} is not frozen; run `cargo parity protocol freeze` before scoring")]
    Missing,
    /// The freeze of another protocol.
    #[error("{FREEZE} is the freeze of protocol {0}")]
    Other(String),
    /// A file is not what was frozen.
    #[error("{0} is not what was frozen under protocol {NAME}; restore it with git checkout, or {way}", way = way(.0))]
    Changed(String),
    /// A frozen file is missing.
    #[error("{0} is missing and frozen under protocol {NAME}; restore it with git checkout")]
    Gone(String),
    /// A file of the protocol was never frozen.
    #[error("{0} is not frozen under protocol {NAME}; run `cargo parity protocol freeze`")]
    Unknown(String),
}

impl Freeze {
    /// Reads the freeze of the protocol in force below `root`.
    ///
    /// # Errors
    /// It is missing, malformed or of another protocol.
    pub fn open(root: &Path) -> Result<Self, FreezeError> {
        let path = root.join(FREEZE);
        if !path.exists() {
            return Err(FreezeError::Missing);
        }
        let freeze: Self = read_toml(&path)?;
        if freeze.protocol != NAME {
            return Err(FreezeError::Other(freeze.protocol));
        }
        Ok(freeze)
    }

    /// The digests of the protocol in force, its gold and the rules of runtime paths as they are below `root`
    /// now.
    ///
    /// # Errors
    /// A folder or file cannot be read.
    pub fn of(root: &Path) -> Result<Self, FreezeError> {
        let mut files = BTreeMap::new();
        let mut pending = [FOLDER, GOLD, RUNTIME_FOLDER].map(|folder| root.join(folder)).to_vec();
        // A folder that is missing has no files; [`Self::check`] names those that it had.
        pending.retain(|folder| folder.is_dir());
        while let Some(folder) = pending.pop() {
            let failed = |error| ProtocolError::Io { path: folder.clone(), error };
            for entry in fs::read_dir(&folder).map_err(failed)? {
                let path = entry.map_err(failed)?.path();
                let name = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().into_owned();
                if path.is_dir() {
                    pending.push(path);
                } else if is_frozen(&name) {
                    files.insert(name, digest_of(path)?);
                }
            }
        }
        Ok(Self { schema_version: Schema, protocol: NAME.to_owned(), files })
    }

    /// Checks that every file below `root` that may not change ([`is_frozen`]) is what was frozen.
    ///
    /// # Errors
    /// The first that differs, is missing or was never frozen.
    pub fn check(root: &Path) -> Result<Self, FreezeError> {
        let (frozen, found) = (Self::open(root)?, Self::of(root)?);
        frozen.covers(found.files.iter().map(|(file, digest)| (file.as_str(), digest.as_str())))?;
        let gone = frozen.files.keys().find(|file| !found.files.contains_key(*file));
        match gone {
            Some(file) => Err(FreezeError::Gone(file.clone())),
            None => Ok(frozen),
        }
    }

    /// Checks those of the files with these digests that may not change against the freeze.
    ///
    /// # Errors
    /// The first that differs, or that was never frozen.
    pub fn covers<'a>(
        &self,
        files: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<(), FreezeError> {
        for (file, digest) in files.into_iter().filter(|(file, _)| is_frozen(file)) {
            match self.files.get(file) {
                Some(frozen) if frozen.as_str() == digest => {}
                Some(_) => return Err(FreezeError::Changed(file.to_owned())),
                None => return Err(FreezeError::Unknown(file.to_owned())),
            }
        }
        Ok(())
    }

    /// Reads a freeze from its text.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(text: &str) -> Result<Self, String> {
        toml::from_str(text).map_err(|error| error.to_string())
    }

    /// The freeze as the text of its file.
    ///
    /// # Errors
    /// It cannot be written as TOML.
    pub fn to_toml(&self) -> Result<String, toml::ser::Error> {
        Ok(format!("{HEAD}{}", toml::to_string(self)?))
    }
}

/// Whether a file, by its path relative to the checkout, may not change under the protocol in force: the
/// protocol's own, its gold, and what gate B3 judges by.
pub fn is_frozen(path: &str) -> bool {
    let of_protocol = path.starts_with(FOLDER) && !NOT_FROZEN.contains(&path);
    of_protocol || path.starts_with(GOLD) || path.starts_with(RUNTIME_FOLDER)
}

/// What to do instead of changing a frozen file.
fn way(path: &str) -> &'static str {
    if path.starts_with(RUNTIME_FOLDER) {
        "write what differs to a file of the next number beside it, which `cargo parity protocol freeze` adds"
    } else {
        "make a new version with `cargo parity protocol bump`, which makes earlier scores invalid"
    }
}

fn digest_of(path: PathBuf) -> Result<Digest, ProtocolError> {
    Digest::of_file(&path).map_err(|error| ProtocolError::Io { path, error })
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use record::protocol::{COMPOSITION, FOLDER, FREEZE, GATES, GOLD, RUNTIME, RUNTIME_FOLDER};
    use tempfile::TempDir;

    use super::{Freeze, FreezeError};

    fn write(root: &Path, name: &str, text: &str) {
        fs::create_dir_all(root.join(name).parent().unwrap()).unwrap();
        fs::write(root.join(name), text).unwrap();
    }

    /// A frozen protocol with gold, a schema, a rule of runtime paths and a composition.
    fn frozen() -> TempDir {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        write(root, GATES, "a1 = 1");
        write(root, COMPOSITION, "");
        write(root, &format!("{FOLDER}schemas/x.json"), "{}");
        write(root, &format!("{GOLD}c.jsonl.gz"), "labels");
        write(root, RUNTIME, "paths = 1");
        write(root, FREEZE, &Freeze::of(root).unwrap().to_toml().unwrap());
        Freeze::check(root).unwrap();
        folder
    }

    fn refusal(alter: impl Fn(&Path)) -> String {
        let folder = frozen();
        alter(folder.path());
        Freeze::check(folder.path()).unwrap_err().to_string()
    }

    #[test]
    fn a_changed_a_missing_and_an_added_file_are_refused_by_name() {
        let gold = format!("{GOLD}c.jsonl.gz");
        let changed = refusal(|root| write(root, &gold, "other labels"));
        assert!(changed.starts_with(&gold) && changed.contains("bump"), "{changed}");
        let changed = refusal(|root| write(root, GATES, "a1 = 0"));
        assert!(changed.starts_with(GATES), "{changed}");
        let gone = refusal(|root| fs::remove_file(root.join(&gold)).unwrap());
        assert!(gone.contains("is missing"), "{gone}");
        let added = refusal(|root| write(root, &format!("{GOLD}d.jsonl.gz"), "labels"));
        assert!(added.contains("d.jsonl.gz is not frozen"), "{added}");
    }

    #[test]
    fn a_rule_of_runtime_paths_changes_only_in_a_new_file() {
        let changed = refusal(|root| write(root, RUNTIME, "paths = 0"));
        assert!(changed.starts_with(RUNTIME) && changed.contains("next number"), "{changed}");
        let gone = refusal(|root| fs::remove_file(root.join(RUNTIME)).unwrap());
        assert!(gone.starts_with(RUNTIME) && gone.contains("is missing"), "{gone}");
        let next = format!("{RUNTIME_FOLDER}runtime_matrix.v2.toml");
        let added = refusal(|root| write(root, &next, "paths = 0"));
        assert!(added.contains("is not frozen") && added.contains("protocol freeze"), "{added}");
    }

    #[test]
    fn a_composition_may_change_and_a_freeze_must_be_of_the_protocol_in_force() {
        let folder = frozen();
        let root = folder.path();
        write(root, COMPOSITION, "other");
        Freeze::check(root).unwrap();
        let text = fs::read_to_string(root.join(FREEZE)).unwrap();
        write(root, FREEZE, &text.replace("protocol = \"v", "protocol = \"v9"));
        assert!(matches!(Freeze::check(root), Err(FreezeError::Other(_))));
        fs::remove_file(root.join(FREEZE)).unwrap();
        assert!(matches!(Freeze::check(root), Err(FreezeError::Missing)));
    }
}
