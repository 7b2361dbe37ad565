//! Setting a client up, and taking that back: changes of its settings files.

mod difference;
mod document;
mod hooks;

use std::{
    fs,
    io::{self, Write},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use base::text::visible;
use tempfile::NamedTempFile;

use crate::hook::Client;
use difference::difference;

/// Largest settings file, in bytes.
const LARGEST: u64 = 4 << 20;

/// Why settings cannot be changed. Then nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum InstallError {
    /// The client has no settings that this program knows.
    #[error("{0} has no settings that this program could change")]
    NoSettings(String),
    /// The file cannot be read.
    #[error("{} cannot be read: {error}", visible::path(path))]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// The file is not what it should be. A file with comments is none of ours to write.
    #[error("{} is not one JSON object, so it is left as it is: {error}", visible::path(path))]
    NotJson {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: serde_json::Error,
    },
    /// The file cannot be written or removed.
    #[error("{} cannot be written: {error}", visible::path(path))]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
}

/// A change of one file that has not happened yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The file; where it is a link, what it leads to.
    pub path: PathBuf,
    /// Its text; absent if there is no such file.
    pub before: Option<String>,
    /// Its text afterwards; absent if it is to go.
    pub after: Option<String>,
}

impl Change {
    /// Whether there is nothing to do.
    pub fn is_none(&self) -> bool {
        self.before == self.after
    }

    /// What it does, for people.
    pub fn difference(&self) -> String {
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        difference(&text(&self.before), &text(&self.after))
    }

    /// Makes it happen, whole or not at all.
    ///
    /// # Errors
    /// The file cannot be written or removed.
    pub fn apply(&self) -> Result<(), InstallError> {
        let done = match &self.after {
            _ if self.is_none() => Ok(()),
            Some(text) => self.write(text),
            None => fs::remove_file(&self.path),
        };
        done.map_err(|error| InstallError::Unwritable { path: self.path.clone(), error })
    }

    /// Writes the text in one step. A file that only its owner may read stays so.
    fn write(&self, text: &str) -> io::Result<()> {
        let folder = self.path.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder)?;
        let permissions = fs::metadata(&self.path).map(|found| found.permissions());
        let permissions = permissions.unwrap_or_else(|_| fs::Permissions::from_mode(0o644));
        let mut partial = NamedTempFile::new_in(folder)?;
        partial.write_all(text.as_bytes())?;
        partial.as_file().set_permissions(permissions)?;
        partial.as_file().sync_all()?;
        partial.persist(&self.path).map_err(|error| error.error)?;
        Ok(())
    }
}

/// The change that has a client call `command` at its events. `folder` is the folder of the project,
/// or the user's home.
///
/// # Errors
/// The settings cannot be read or understood.
pub fn install(client: &Client, folder: &Path, command: &str) -> Result<Change, InstallError> {
    let settings = client.settings.as_ref();
    let how = settings.ok_or_else(|| InstallError::NoSettings(client.title.clone()))?;
    change(&folder.join(&how.file), |fields| hooks::add(fields, client, how, command))
}

/// The change that takes our hooks out of a client's settings.
///
/// # Errors
/// As [`install`].
pub fn uninstall(client: &Client, folder: &Path) -> Result<Change, InstallError> {
    let settings = client.settings.as_ref();
    let how = settings.ok_or_else(|| InstallError::NoSettings(client.title.clone()))?;
    change(&folder.join(&how.file), hooks::remove)
}

/// The commands of ours in a client's settings, by event; none if it has no settings there.
///
/// # Errors
/// As [`install`].
pub fn installed(client: &Client, folder: &Path) -> Result<Vec<(String, String)>, InstallError> {
    let Some(how) = &client.settings else { return Ok(Vec::new()) };
    let path = folder.join(&how.file);
    let text = read(&path)?.unwrap_or_default();
    let fields = document::read(&text).map_err(|error| InstallError::NotJson { path, error })?;
    let found = hooks::installed(&fields).into_iter();
    Ok(found.map(|(event, command)| (event.to_owned(), command.to_owned())).collect())
}

fn change(path: &Path, alter: impl FnOnce(&mut document::Object)) -> Result<Change, InstallError> {
    // Settings that are kept elsewhere and linked to stay linked.
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let before = read(&path)?;
    let text = before.clone().unwrap_or_default();
    let not_json = |error| InstallError::NotJson { path: path.clone(), error };
    let mut fields = document::read(&text).map_err(not_json)?;
    let old = fields.clone();
    alter(&mut fields);
    let after = if fields == old {
        before.clone()
    } else if fields.is_empty() {
        None
    } else {
        Some(document::write(&fields, &text).map_err(not_json)?)
    };
    Ok(Change { path, before, after })
}

fn read(path: &Path) -> Result<Option<String>, InstallError> {
    let failed = |error| InstallError::Unreadable { path: path.to_owned(), error };
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(error)),
        Ok(found) if !found.is_file() || found.len() > LARGEST => {
            return Err(failed(io::Error::other("it is no file, or too large")));
        }
        Ok(_) => {}
    }
    fs::read_to_string(path).map(Some).map_err(failed)
}

#[cfg(test)]
mod tests {
    use std::{
        fs,
        os::unix::fs::{PermissionsExt, symlink},
    };

    use super::{InstallError, install, installed, uninstall};
    use crate::hook::{Client, TABLES};

    const COMMAND: &str = "parity hook --client claude";

    fn client(name: &str) -> Client {
        Client::read(TABLES.iter().find(|(client, _)| *client == name).unwrap().1).unwrap()
    }

    #[test]
    fn a_client_is_set_up_and_left_as_it_was() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["claude", "codex", "gemini"] {
            let client = client(name);
            let change = install(&client, dir.path(), COMMAND).unwrap();
            assert!(change.before.is_none() && change.difference().contains("+ "), "{name}");
            change.apply().unwrap();
            assert!(install(&client, dir.path(), COMMAND).unwrap().is_none());
            assert_eq!(installed(&client, dir.path()).unwrap().len(), 3);
            uninstall(&client, dir.path()).unwrap().apply().unwrap();
            assert!(uninstall(&client, dir.path()).unwrap().is_none());
            assert!(!change.path.exists());
        }
    }

    #[test]
    fn settings_that_are_not_understood_stay() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join(".claude")).unwrap();
        let path = dir.path().join(".claude/settings.json");
        fs::write(&path, "{ // mine\n}").unwrap();
        let error = install(&client("claude"), dir.path(), COMMAND).unwrap_err();
        assert!(matches!(error, InstallError::NotJson { .. }), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "{ // mine\n}");
    }

    #[test]
    fn linked_settings_stay_linked() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join(".claude")).unwrap();
        let path = dir.path().join(".claude/settings.json");
        let target = dir.path().join("elsewhere.json");
        fs::write(&target, "{}").unwrap();
        fs::set_permissions(&target, fs::Permissions::from_mode(0o600)).unwrap();
        symlink(&target, &path).unwrap();
        install(&client("claude"), dir.path(), COMMAND).unwrap().apply().unwrap();
        assert!(path.is_symlink());
        assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(installed(&client("claude"), dir.path()).unwrap().len(), 3);
    }
}
