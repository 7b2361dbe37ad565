//! What a reader holds a bundle against: the reader's own protocols, corpora, gold, comparator locks
//! and language table, from a checkout or from a reference archive.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

use record::{
    Digest,
    digest::sha256,
    protocol::{CURRENT, NAME},
};
use serde::Serialize;

use super::{ATTESTATION, name};

/// The folders of a checkout that a bundle is held against.
pub const FOLDERS: [&str; 5] = ["comparators", "corpora", "gold", "protocols", "queries"];

/// Folders that programs leave in a checkout and that no reference contains.
const LEFT_BEHIND: [&str; 2] = ["__pycache__", "node_modules"];

/// Where a reference comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A checkout of the source.
    Checkout,
    /// An archive that `parity reference export` made.
    Archive,
}

/// The reader's own files, with their digests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// Where it comes from.
    pub kind: Kind,
    /// The checkout's folder, or the archive.
    pub path: PathBuf,
    /// sha256 of each file, by path.
    pub files: BTreeMap<String, String>,
}

/// A reference as reports name it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Named {
    /// Where it comes from.
    pub kind: Kind,
    /// The checkout's folder, or the archive.
    pub path: PathBuf,
    /// Its protocol, such as `v2`.
    pub protocol: String,
    /// The digest of its content: what `sha256sum` prints about its files, in order of their paths, hashed.
    pub sha256: String,
    /// Number of files.
    pub files: usize,
}

/// Why a folder is no reference.
#[derive(Debug, thiserror::Error)]
pub enum ReferenceError {
    /// A file cannot be read.
    #[error("{file}: {source}")]
    Io {
        /// The file.
        file: String,
        /// The error of the operating system.
        source: io::Error,
    },
    /// Something that is neither a file nor a folder.
    #[error("{0}: neither a regular file nor a directory; a reference holds nothing else")]
    NotRegular(String),
    /// Its protocol is not the one that this program judges by.
    #[error("{path}: its protocol is {found}; this program judges by {NAME}")]
    Protocol {
        /// The checkout or archive.
        path: String,
        /// What its `protocols/current` says.
        found: String,
    },
}

impl Reference {
    /// Reads the reference below `root`, which `path` names to readers.
    ///
    /// # Errors
    /// A file cannot be read, or the protocol is another.
    pub fn read(kind: Kind, path: &Path, root: &Path) -> Result<Self, ReferenceError> {
        let mut files = BTreeMap::new();
        let mut pending: Vec<PathBuf> = FOLDERS.iter().map(PathBuf::from).collect();
        while let Some(folder) = pending.pop() {
            let io = |source| ReferenceError::Io { file: name::shown(&folder), source };
            let entries = match fs::read_dir(root.join(&folder)) {
                // An archive has no empty folders. A bundle with a file of such a folder is refused for that
                // file.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                entries => entries.map_err(io)?,
            };
            for entry in entries {
                let entry = entry.map_err(io)?;
                let (file, sort) = (folder.join(entry.file_name()), entry.file_type().map_err(io)?);
                if sort.is_dir() {
                    if !LEFT_BEHIND.iter().any(|left| entry.file_name() == *left) {
                        pending.push(file);
                    }
                } else if sort.is_file() {
                    let digest = Digest::of_file(&root.join(&file)).map_err(|source| {
                        ReferenceError::Io { file: name::shown(&file), source }
                    })?;
                    files.insert(file.to_string_lossy().into_owned(), digest.into());
                } else {
                    return Err(ReferenceError::NotRegular(name::shown(&file)));
                }
            }
        }
        let current = fs::read_to_string(root.join(CURRENT))
            .map_err(|source| ReferenceError::Io { file: CURRENT.to_owned(), source })?;
        if current.trim() != NAME {
            let (path, found) = (name::shown(path), name::printable(current.trim()));
            return Err(ReferenceError::Protocol { path, found });
        }
        Ok(Self { kind, path: path.to_owned(), files })
    }

    /// The digest of its content.
    pub fn sha256(&self) -> String {
        sha256(
            self.files
                .iter()
                .map(|(name, sha256)| format!("{sha256}  {name}\n"))
                .collect::<String>(),
        )
    }

    /// How reports name it.
    pub fn named(&self) -> Named {
        Named {
            kind: self.kind,
            path: self.path.clone(),
            protocol: NAME.to_owned(),
            sha256: self.sha256(),
            files: self.files.len(),
        }
    }
}

/// The checkout around `here`: the nearest folder from `here` upwards that has a protocol in force, is not
/// evidence and lies in none of the `bundles`. A bundle has protocols, too, and would always agree with
/// itself.
///
/// `here` and `bundles` must be canonical paths.
pub fn checkout_around(here: &Path, bundles: &[PathBuf]) -> Option<PathBuf> {
    let of_a_bundle = |folder: &Path| {
        bundles.iter().any(|bundle| folder.starts_with(bundle))
            || [ATTESTATION, crate::PLAN].iter().any(|file| folder.join(file).exists())
    };
    let mut folders = here.ancestors().filter(|folder| folder.join(CURRENT).is_file());
    folders.find(|folder| !of_a_bundle(folder)).map(Path::to_path_buf)
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use record::protocol::{CURRENT, NAME};

    use super::{FOLDERS, Kind, Reference, ReferenceError, checkout_around};
    use crate::bundle::ATTESTATION;

    fn put(root: &Path, name: &str, text: &str) {
        let path = root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn checkout(root: &Path) {
        for folder in FOLDERS {
            put(root, &format!("{folder}/file"), folder);
        }
        put(root, CURRENT, &format!("{NAME}\n"));
    }

    #[test]
    fn the_content_decides_the_digest_and_what_programs_leave_does_not() {
        let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        checkout(one.path());
        checkout(two.path());
        put(two.path(), "comparators/__pycache__/x.pyc", "x");
        put(two.path(), "README.md", "no part of it");
        let read = |root: &Path| Reference::read(Kind::Checkout, root, root).unwrap();
        assert_eq!(read(one.path()).sha256(), read(two.path()).sha256());
        assert_eq!(read(one.path()).files.len(), FOLDERS.len() + 1);
        put(two.path(), "gold/file", "other");
        assert_ne!(read(one.path()).sha256(), read(two.path()).sha256());
        fs::remove_dir_all(two.path().join("gold")).unwrap();
        assert_eq!(read(two.path()).files.len(), FOLDERS.len());
        put(two.path(), CURRENT, "v999\n");
        let other = Reference::read(Kind::Archive, two.path(), two.path());
        assert!(matches!(other, Err(ReferenceError::Protocol { found, .. }) if found == "v999"));
    }

    #[test]
    fn no_bundle_and_no_evidence_is_a_checkout() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().canonicalize().unwrap();
        let bundle = root.join("artifacts/bundles/one");
        let evidence = root.join("artifacts/runs/one/evidence");
        for folder in [&bundle, &evidence] {
            checkout(folder);
        }
        put(&bundle, ATTESTATION, "{}");
        put(&evidence, crate::PLAN, "{}");
        // A copy of a checkout that somebody put into the bundle.
        let planted = bundle.join("blobs/planted");
        checkout(&planted);
        let bundles = [bundle.clone()];
        for here in [&bundle, &planted, &evidence] {
            assert_eq!(checkout_around(here, &bundles), None, "{}", here.display());
        }
        // The folder of a bundle is no checkout even if it is not the bundle under verification.
        assert_eq!(checkout_around(&bundle, &[]), None);
        checkout(&root);
        for here in [&bundle, &planted, &evidence, &root] {
            assert_eq!(checkout_around(here, &bundles).as_deref(), Some(&*root));
        }
    }
}
