//! Changes of files that are planned but not yet made.

use std::{
    fs,
    io::{self, Write},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use tempfile::NamedTempFile;

use super::{
    InstallError,
    difference::difference,
    document::{self, Object},
    skill,
    table::TableError,
};

/// Largest settings file that is read, in bytes.
const LARGEST: u64 = 4 << 20;

/// A planned change of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The file; for a link, its target.
    pub path: PathBuf,
    /// Its present text; `None` if the file does not exist.
    pub before: Option<String>,
    /// Its text afterwards; `None` if the file is to be removed.
    pub after: Option<String>,
}

impl Change {
    /// Whether the change would change nothing.
    pub fn is_none(&self) -> bool {
        self.before == self.after
    }

    /// The change as a difference, for people.
    pub fn difference(&self) -> String {
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        difference(&text(&self.before), &text(&self.after))
    }

    /// Makes the change, whole or not at all.
    ///
    /// # Errors
    /// The file cannot be written or removed.
    pub fn apply(&self) -> Result<(), InstallError> {
        let done = match &self.after {
            _ if self.is_none() => Ok(()),
            Some(text) => self.write(text),
            None => fs::remove_file(&self.path).map(|()| self.remove_folder()),
        };
        done.map_err(|error| InstallError::Unwritable { path: self.path.clone(), error })
    }

    /// Removes the folder of a removed skill, unless it holds files of others.
    fn remove_folder(&self) {
        let folder = self.path.parent().filter(|folder| folder.ends_with(skill::FOLDER));
        // A folder that is not empty stays, and that needs no message.
        let _ = folder.map(fs::remove_dir);
    }

    /// Replaces the text in one step. A file that only its owner may read keeps that permission.
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

/// Planned changes of several files. Two changes of the same file become one.
#[derive(Debug, Default)]
pub struct Changes(Vec<Change>);

impl Changes {
    /// Changes a JSON file. `alter` returns false if an entry of another program is in the place of
    /// ours.
    pub fn json(
        &mut self,
        path: &Path,
        alter: impl FnOnce(&mut Object) -> bool,
    ) -> Result<(), InstallError> {
        self.alter(path, |path, text| {
            let mut fields = parsed(path, text.unwrap_or_default())?;
            let old = fields.clone();
            if !alter(&mut fields) {
                return Err(InstallError::Taken { path: path.to_owned() });
            }
            if fields == old {
                return Ok(text.map(str::to_owned));
            }
            if fields.is_empty() {
                return Ok(None);
            }
            let written = document::write(&fields, text.unwrap_or_default());
            written
                .map(Some)
                .map_err(|error| InstallError::NotJson { path: path.to_owned(), error })
        })
    }

    /// Changes a TOML file.
    pub fn toml(
        &mut self,
        path: &Path,
        alter: impl FnOnce(&str) -> Result<String, TableError>,
    ) -> Result<(), InstallError> {
        self.alter(path, |path, text| {
            let altered = alter(text.unwrap_or_default());
            let altered = altered.map_err(|error| InstallError::of_table(path, error))?;
            Ok(Some(altered).filter(|altered| !altered.is_empty() || text == Some("")))
        })
    }

    /// Writes or removes a file that belongs to us alone. A file of another program in its place
    /// stays.
    pub fn own(
        &mut self,
        path: &Path,
        is_ours: fn(&str) -> bool,
        wanted: Option<String>,
    ) -> Result<(), InstallError> {
        self.alter(path, |path, text| match text {
            Some(text) if !is_ours(text) && wanted.is_none() => Ok(Some(text.to_owned())),
            Some(text) if !is_ours(text) => Err(InstallError::Taken { path: path.to_owned() }),
            _ => Ok(wanted),
        })
    }

    /// All changes, including those that change nothing.
    pub fn done(self) -> Vec<Change> {
        self.0
    }

    fn alter(
        &mut self,
        path: &Path,
        alter: impl FnOnce(&Path, Option<&str>) -> Result<Option<String>, InstallError>,
    ) -> Result<(), InstallError> {
        // Settings that are a link to a file elsewhere remain a link.
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        if let Some(known) = self.0.iter_mut().find(|change| change.path == path) {
            known.after = alter(&path, known.after.as_deref())?;
            return Ok(());
        }
        let before = read(&path)?;
        let after = alter(&path, before.as_deref())?;
        self.0.push(Change { path, before, after });
        Ok(())
    }
}

/// The fields of a JSON settings file; empty if it does not exist.
pub fn fields(path: &Path) -> Result<Object, InstallError> {
    parsed(path, &read(path)?.unwrap_or_default())
}

fn parsed(path: &Path, text: &str) -> Result<Object, InstallError> {
    document::read(text).map_err(|error| InstallError::NotJson { path: path.to_owned(), error })
}

/// The text of a settings file, if it exists.
pub fn read(path: &Path) -> Result<Option<String>, InstallError> {
    let failed = |error| InstallError::Unreadable { path: path.to_owned(), error };
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(error)),
        Ok(found) if !found.is_file() || found.len() > LARGEST => {
            return Err(failed(io::Error::other("it is not a regular file, or it is too large")));
        }
        Ok(_) => {}
    }
    fs::read_to_string(path).map(Some).map_err(failed)
}
