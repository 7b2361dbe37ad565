//! The wheels that an environment is made of. The lock has the digest of each, so their content is
//! known byte for byte.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use record::Digest;

use super::content::ContentError;
use crate::corpus::{
    disk::At,
    lock::{Form, Packing},
    tree::Tree,
    unpack::{Caps, unpack},
};

/// Folder of the wheels in an environment.
pub(super) const FOLDER: &str = "wheels";
const FORM: Form = Form { packing: Packing::Zip, top_folder: false };
/// Modules that Python imports at every start if they are in a folder of packages.
const AT_EVERY_START: [&str; 2] = ["sitecustomize", "usercustomize"];

/// Digests of the wheels in `folder` by file name, all of which must be in the lock.
///
/// # Errors
/// A file is not in the lock, or cannot be read.
pub(super) fn digests(folder: &Path, lock: &str) -> Result<BTreeMap<String, Digest>, ContentError> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder).at("list", folder)? {
        let path = entry.at("list", folder)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        found.insert(name, Digest::of_file(&path).at("read", &path)?);
    }
    check_locked(&found, lock)?;
    Ok(found)
}

/// Refuses a wheel whose digest the lock does not have.
///
/// # Errors
/// A wheel has such a digest.
pub(super) fn check_locked(
    wheels: &BTreeMap<String, Digest>,
    lock: &str,
) -> Result<(), ContentError> {
    let locked: BTreeSet<&str> =
        lock.split_whitespace().filter_map(|word| word.strip_prefix("--hash=sha256:")).collect();
    match wheels.iter().find(|(_, digest)| !locked.contains(digest.as_str())) {
        None => Ok(()),
        Some((name, digest)) => {
            Err(ContentError::NotLocked { wheel: name.clone(), digest: digest.clone() })
        }
    }
}

/// The content of the wheels, by path below the folder of packages. If `into` is given, it is written
/// there.
///
/// # Errors
/// A wheel cannot be read, two have the same file, or one brings something that would run at
/// every start.
pub(super) fn packages<'a>(
    folder: &Path,
    names: impl Iterator<Item = &'a String>,
    into: Option<&Path>,
) -> Result<Tree, ContentError> {
    let mut all = Tree::new();
    for name in names {
        let wheel = folder.join(name);
        let keep = |path: &str| into.is_some() && is_package(path);
        let held = unpack(&wheel, FORM, Caps::default(), &keep, into.unwrap_or(folder))?;
        for (path, entry) in held.into_iter().filter(|(path, _)| is_package(path)) {
            let stem = path.split(['/', '.']).next().unwrap_or_default();
            let runs = AT_EVERY_START.contains(&stem)
                || !path.contains('/') && Path::new(&path).extension() == Some("pth".as_ref());
            if runs || all.insert(path.clone(), entry).is_some() {
                let what = if runs { "would run at every start" } else { "is in two wheels" };
                return Err(ContentError::Wheel { wheel, path, what });
            }
        }
    }
    Ok(all)
}

/// Whether a file of a wheel is part of what Python imports: not a start script, header or manual page,
/// and not byte code, which is compiled here.
fn is_package(path: &str) -> bool {
    let top = path.split('/').next().unwrap_or_default();
    !top.ends_with(".data") && !path.split('/').any(|part| part == "__pycache__")
}

/// The path of a wheel below the environment.
pub(super) fn path(name: &str) -> String {
    PathBuf::from(FOLDER).join(name).to_string_lossy().into_owned()
}
