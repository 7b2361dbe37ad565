//! Whether an environment holds what the lock says, file by file.
//!
//! Everything in an environment follows from the lock: the wheels from their digests, the packages from
//! the wheels, the launcher from the interpreter's path. Only byte code has no digest known in advance:
//! the interpreter compiles it at installation, and its digests are kept from then on.

use std::path::{Path, PathBuf};

use record::{Digest, digest, exit};

use super::{Environment, STAMP, launcher, wheels};
use crate::{
    comparator::ComparatorSpec,
    corpus::{
        disk::{At, DiskError},
        tree::{self, Entry, Tree},
        unpack::UnpackError,
    },
};

/// Folder of the packages.
pub(super) const PACKAGES: &str = "site-packages";
/// Path of the launcher.
pub(super) const LAUNCHER: &str = "bin/python";
/// Digests of the byte code, as `sha256sum` prints them. The stamp has the digest of this file.
pub(super) const BYTE_CODE: &str = "byte-code.sha256";

/// Why an environment may not be used.
#[derive(Debug, thiserror::Error)]
pub enum ContentError {
    /// A file differs from what the lock leads to.
    #[error(
        "the comparator's environment was changed: {path} {what}; make it again with\n  rm -r '{}'; cargo parity run --set smoke",
        root.display()
    )]
    Changed {
        /// The environment.
        root: PathBuf,
        /// The first file that differs, below `root`.
        path: String,
        /// How it differs, as the end of a sentence.
        what: &'static str,
    },
    /// A wheel is not one of the lock.
    #[error("the wheel {wheel} has the digest {digest}, which is not in the lock; it was not used")]
    NotLocked {
        /// Its file name.
        wheel: String,
        /// Its digest.
        digest: Digest,
    },
    /// A wheel holds something that cannot be used.
    #[error("the wheel {} is refused: its file {path} {what}", wheel.display())]
    Wheel {
        /// The wheel.
        wheel: PathBuf,
        /// The file in it.
        path: String,
        /// What is wrong, as the end of a sentence.
        what: &'static str,
    },
    /// A wheel cannot be unpacked.
    #[error(transparent)]
    Unpack(#[from] UnpackError),
    /// Reading failed.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

impl ContentError {
    /// The exit code of this error.
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::Changed { .. } | Self::NotLocked { .. } | Self::Wheel { .. } => exit::DIGEST,
            Self::Unpack(error) => error.exit_code(),
            Self::Disk(_) => exit::IO,
        }
    }
}

/// Checks every byte of an environment.
///
/// # Errors
/// A file is missing, unknown or changed, or cannot be read.
pub(super) fn check(environment: &Environment, spec: &ComparatorSpec) -> Result<(), ContentError> {
    let Environment { root, stamp, .. } = environment;
    let changed = |path: &str, what: &'static str| ContentError::Changed {
        root: root.clone(),
        path: path.to_owned(),
        what,
    };
    let lock = std::fs::read_to_string(spec.lock()).at("read", &spec.lock())?;
    wheels::check_locked(&stamp.wheels, &lock)?;
    let mut expected = Tree::new();
    for (name, sha256) in &stamp.wheels {
        expected.insert(wheels::path(name), file(sha256.as_str(), false));
    }
    let text = launcher::text(&stamp.interpreter).at("start", &stamp.interpreter)?;
    expected.insert(LAUNCHER.to_owned(), file(&digest::sha256(&text), true));
    expected.insert(BYTE_CODE.to_owned(), file(stamp.byte_code_sha256.as_str(), false));

    let mut actual = tree::read(root)?;
    actual.remove(STAMP);
    // The wheels and the list of byte code say which other files to expect, so they are checked first.
    for (path, wanted) in &expected {
        differs(Some(wanted), actual.get(path)).map_or(Ok(()), |what| Err(changed(path, what)))?;
    }
    let folder = root.join(wheels::FOLDER);
    for (path, entry) in wheels::packages(&folder, stamp.wheels.keys(), None)? {
        expected.insert(format!("{PACKAGES}/{path}"), entry);
    }
    let list = root.join(BYTE_CODE);
    for line in std::fs::read_to_string(&list).at("read", &list)?.lines() {
        if let Some((sha256, path)) = line.split_once("  ") {
            expected.insert(format!("{PACKAGES}/{path}"), file(sha256, false));
        }
    }
    let paths = expected.keys().chain(actual.keys());
    let first =
        paths.filter_map(|path| Some((path, differs(expected.get(path), actual.get(path))?))).min();
    first.map_or(Ok(()), |(path, what)| Err(changed(path, what)))
}

/// Says how a file differs from the expected one, if it does.
fn differs(expected: Option<&Entry>, actual: Option<&Entry>) -> Option<&'static str> {
    match (expected, actual) {
        (None, Some(_)) => Some("is not a file of the locked wheels"),
        (Some(_), None) => Some("is missing"),
        (Some(expected), Some(actual)) if expected != actual => Some("has another content"),
        _ => None,
    }
}

fn file(sha256: &str, executable: bool) -> Entry {
    Entry::File { sha256: sha256.to_owned(), executable }
}

/// Lists the byte code below a folder of packages.
///
/// # Errors
/// The folder cannot be read.
pub(super) fn byte_code(packages: &Path) -> Result<String, DiskError> {
    let mut tree = tree::read(packages)?;
    tree.retain(|path, _| path.split('/').any(|part| part == "__pycache__"));
    Ok(tree::lines(&tree))
}

#[cfg(test)]
#[path = "content_tests.rs"]
mod tests;
