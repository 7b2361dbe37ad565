//! Writing a file so that its name appears only with its whole content.

use std::{
    fs::{self, File},
    io::{self, Write},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use crate::fault;

/// Beginning of the name of a file that is being written.
const PARTIAL: &str = ".partial-";

/// A file could not be written.
#[derive(Debug, thiserror::Error)]
#[error("{} cannot be written: {source}", path.display())]
pub struct WriteError {
    /// Where.
    pub path: PathBuf,
    /// What the system said.
    pub source: io::Error,
}

/// Writes a file so that its name appears only with its whole content.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    stream(path, &mut |file| file.write_all(bytes))
        .map_err(|source| WriteError { path: path.to_owned(), source })
}

/// Writes what `write` produces as [`write_atomically`] does: even if this process is killed or the
/// power fails meanwhile, a reader sees either the old content or the new one. The folder is made if it
/// is missing.
pub fn stream(path: &Path, write: &mut dyn FnMut(&mut File) -> io::Result<()>) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let mut partial = tempfile::Builder::new()
        .prefix(PARTIAL)
        .permissions(fs::Permissions::from_mode(0o644))
        .tempfile_in(folder)?;
    write(partial.as_file_mut())?;
    partial.as_file().sync_all()?;
    fault::point();
    partial.persist(path).map_err(|error| error.error)?;
    fault::point();
    // The new name itself must reach the disk, too.
    File::open(folder)?.sync_all()
}

/// Removes the partial files below a folder that processes left when they were killed. No process may be
/// writing there.
///
/// # Errors
/// A folder cannot be listed, or a file cannot be removed.
pub fn remove_partial(folder: &Path) -> Result<(), WriteError> {
    let mut pending = vec![folder.to_owned()];
    while let Some(folder) = pending.pop() {
        let failed = |source| WriteError { path: folder.clone(), source };
        for entry in fs::read_dir(&folder).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            if entry.file_type().map_err(failed)?.is_dir() {
                pending.push(entry.path());
            } else if entry.file_name().as_encoded_bytes().starts_with(PARTIAL.as_bytes()) {
                fs::remove_file(entry.path()).map_err(failed)?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The variable that tells a copy of this test program where to write before it ends itself.
    const VICTIM: &str = "PARITY_TEST_STORE_VICTIM";

    /// Names of all files in the folders of a folder.
    fn names(folder: &Path) -> Vec<String> {
        let entries = |path: &Path| fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path());
        let files = entries(folder).flat_map(|inner| entries(&inner).collect::<Vec<_>>());
        files.map(|path| path.file_name().unwrap().to_str().unwrap().to_owned()).collect()
    }

    #[test]
    fn a_failed_write_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("inner").join("file");
        let outcome = stream(&path, &mut |file| {
            file.write_all(b"half")?;
            Err(io::Error::other("no space"))
        });
        assert!(outcome.unwrap_err().to_string().contains("no space"));
        assert_eq!(names(folder.path()), [""; 0]);
    }

    #[test]
    fn a_killed_writer_leaves_no_final_name() {
        let folder = tempfile::tempdir().unwrap();
        let test = concat!(module_path!(), "::victim");
        let (_, test) = test.split_once("::").unwrap();
        let ended = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", test, "--ignored"])
            .env(VICTIM, folder.path())
            .output()
            .unwrap();
        assert!(!ended.status.success());
        let left = names(folder.path());
        assert!(left.len() == 1 && left[0].starts_with(".partial-"), "{left:?}");
        // The next writer is not disturbed by it.
        write_atomically(&folder.path().join("inner").join("file"), b"x").unwrap();
    }

    #[test]
    #[ignore = "runs only as the victim of the test above"]
    fn victim() {
        let Some(folder) = std::env::var_os(VICTIM) else { return };
        let path = Path::new(&folder).join("inner").join("file");
        let _ = stream(&path, &mut |file| {
            file.write_all(b"half")?;
            std::process::abort()
        });
    }
}
