//! The folder in which another release of the comparator runs: the driver of the checkout, with the lock and the
//! identity of the release, and with the files of the driver that the release brings itself.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use record::write_atomically;
use toml::{Table, Value};

use super::Release;
use crate::comparator::{ComparatorSpec, DefinitionError, FILE_NAME};

/// What differs from the pinned definition for a release.
const RELEASE: &str = "release.toml";
/// What was changed in a release so that it can be installed: for readers, and no part of a definition.
const CHANGED: &str = "changed";

/// Why a release cannot be prepared.
#[derive(Debug, thiserror::Error)]
pub enum RoomError {
    /// A file cannot be read or written.
    #[error("{} cannot be {action}: {source}\n  cluster/matrix/release.py makes the folder of a release", path.display())]
    Io {
        /// `read` or `written`.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// What the release says cannot be used.
    #[error("{} cannot be used: {why}\n  cluster/matrix/release.py makes it", path.display())]
    Release {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// The joined definition is malformed.
    #[error(transparent)]
    Definition(#[from] DefinitionError),
}

/// Makes the folder of a release below `rooms` and returns it with what was changed so that the release can be
/// installed. The checkout's own comparator runs where it is.
///
/// # Errors
/// A file of the release is missing or cannot be used, or the folder cannot be written.
pub fn room(
    release: &Release,
    pinned: &Path,
    rooms: &Path,
) -> Result<(Option<PathBuf>, Vec<String>), RoomError> {
    let spec = ComparatorSpec::open(pinned)?;
    let wrong = |path: &Path, why: String| RoomError::Release { path: path.to_owned(), why };
    let stated = |path: &Path, found: &str| {
        let why = format!("it is of {found}, and the matrix asks for {}", release.version);
        if found == release.version { Ok(()) } else { Err(wrong(path, why)) }
    };
    let Some(from) = &release.folder else {
        stated(&pinned.join(FILE_NAME), &spec.definition.aider_release)?;
        return Ok((None, Vec::new()));
    };
    let path = from.join(RELEASE);
    let read = |path: &Path| -> Result<Table, RoomError> {
        let text = fs::read_to_string(path).map_err(at("read", path))?;
        toml::from_str(&text).map_err(|error| wrong(path, error.to_string()))
    };
    let mut other = read(&path)?;
    let changed = other.remove(CHANGED).unwrap_or(Value::Array(Vec::new()));
    let changed = changed
        .try_into()
        .map_err(|_| wrong(&path, format!("`{CHANGED}` is no list of sentences")))?;
    let mut definition = read(&pinned.join(FILE_NAME))?;
    join(&mut definition, other);
    let room = rooms.join(&release.version);
    let scripts = spec.definition.run.scripts();
    for name in spec.definition.run.files.iter().map(String::as_str).chain(scripts) {
        // A release that the driver does not fit brings its own files of it, or shares those of another one.
        let mut own = [Some(from), release.driver.as_ref()].into_iter().flatten();
        let own = own.find_map(|folder| Some(folder.join(name)).filter(|file| file.is_file()));
        copy(&own.unwrap_or_else(|| pinned.join(name)), &room.join(name))?;
    }
    let lock = &spec.definition.install.lock;
    copy(&from.join(lock), &room.join(lock))?;
    let text = toml::to_string(&definition).map_err(|error| wrong(&path, error.to_string()))?;
    write(&room.join(FILE_NAME), text.as_bytes())?;
    stated(&path, &ComparatorSpec::open(&room)?.definition.aider_release)?;
    Ok((Some(room), changed))
}

/// Replaces values by those of another table, and tables member by member.
fn join(table: &mut Table, other: Table) {
    for (key, value) in other {
        match (table.get_mut(&key), value) {
            (Some(Value::Table(inner)), Value::Table(value)) => join(inner, value),
            (_, value) => drop(table.insert(key, value)),
        }
    }
}

fn copy(from: &Path, to: &Path) -> Result<(), RoomError> {
    write(to, &fs::read(from).map_err(at("read", from))?)
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), RoomError> {
    // What is as it should be is left alone, so that another matrix may use it.
    if fs::read(path).is_ok_and(|found| found == bytes) {
        return Ok(());
    }
    let failed = |error: record::WriteError| at("written", path)(io::Error::other(error));
    write_atomically(path, bytes).map_err(failed)
}

fn at(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> RoomError {
    move |source| RoomError::Io { action, path: path.to_owned(), source }
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use super::{Release, room};
    use crate::comparator::ComparatorSpec;

    fn pinned() -> std::path::PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../comparators/aider")
    }

    #[test]
    fn a_release_runs_with_the_drivers_files_and_its_own_identity() {
        let place = tempfile::tempdir().unwrap();
        let from = place.path().join("older");
        fs::create_dir(&from).unwrap();
        fs::write(from.join("requirements.lock"), "aider-chat==0.1.0\n").unwrap();
        let release = |version: &str| Release {
            version: version.to_owned(),
            folder: Some(from.clone()),
            driver: None,
        };
        let make = |version: &str| room(&release(version), &pinned(), &place.path().join("rooms"));
        let error = make("0.1.0").unwrap_err().to_string();
        assert!(
            error.contains("release.toml cannot be read") && error.contains("release.py"),
            "{error}"
        );
        let text = "aider_release = '0.1.0'\nchanged = ['less']\n[wheel]\nversion = '0.1.0'\n";
        fs::write(from.join("release.toml"), text).unwrap();
        let (made, changed) = make("0.1.0").unwrap();
        let spec = ComparatorSpec::open(&made.unwrap()).unwrap();
        assert_eq!(
            (spec.definition.wheel.version.as_str(), changed),
            ("0.1.0", vec!["less".to_owned()])
        );
        assert_eq!(spec.strangers().unwrap(), [""; 0]);
        let checkout = ComparatorSpec::open(&pinned()).unwrap();
        assert_eq!(spec.driver_digest().unwrap(), checkout.driver_digest().unwrap());
        assert_eq!(spec.definition.wheel.package, checkout.definition.wheel.package);
        // A file of the driver comes from the other folder.
        let other = place.path().join("other");
        fs::create_dir(&other).unwrap();
        fs::write(other.join("driver.py"), "another\n").unwrap();
        let sharing = Release { driver: Some(other), ..release("0.1.0") };
        let (made, _) = room(&sharing, &pinned(), &place.path().join("shared")).unwrap();
        assert_eq!(fs::read_to_string(made.unwrap().join("driver.py")).unwrap(), "another\n");
        let error = make("0.2.0").unwrap_err().to_string();
        assert!(error.contains("it is of 0.1.0, and the matrix asks for 0.2.0"), "{error}");
    }

    #[test]
    fn the_checkouts_own_comparator_must_be_the_release_that_is_asked_for() {
        let place = tempfile::tempdir().unwrap();
        let own = |version: &str| {
            let release = Release { version: version.to_owned(), folder: None, driver: None };
            room(&release, &pinned(), place.path()).map(|(room, _)| room)
        };
        let version = ComparatorSpec::open(&pinned()).unwrap().definition.aider_release;
        assert_eq!(own(&version).unwrap(), None);
        assert!(own("0.1.0").unwrap_err().to_string().contains("asks for 0.1.0"));
    }
}
