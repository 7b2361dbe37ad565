//! A folder that no path can lead out of.
//!
//! A repository decides what its links point to, and may change them while it is read. So a path is
//! first resolved, and the result must lie below the folder. The result is then opened from the
//! folder's own descriptor without following any link, so a link that was put there in between is
//! not followed either.

use std::{
    fs::{self, File},
    io,
    os::fd::OwnedFd,
    path::{Component, Path, PathBuf},
};

use rustix::{
    fs::{Mode, OFlags, openat},
    io::Errno,
};

use super::{open, read::ReadError, visible};

/// A folder whose files may be read.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    handle: OwnedFd,
}

impl Folder {
    /// Opens a folder.
    ///
    /// # Errors
    /// It does not exist, is not a folder, or may not be read.
    pub fn open(path: &Path) -> io::Result<Self> {
        let path = fs::canonicalize(path)?;
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let handle = rustix::fs::open(&path, flags, Mode::empty())?;
        Ok(Self { path, handle })
    }

    /// Its absolute path without symbolic links.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Resolves a path relative to the folder: links are followed, and the result must lie below
    /// the folder. The answer is relative to the folder and contains no link.
    ///
    /// # Errors
    /// The path leads out of the folder, or to nothing.
    pub fn find(&self, path: &Path) -> io::Result<PathBuf> {
        let found = fs::canonicalize(self.path.join(path))?;
        let below = found.strip_prefix(&self.path).map_err(|_| self.leads_out())?;
        Ok(below.to_owned())
    }

    /// Opens the regular file that a relative path leads to, and returns its size in bytes.
    ///
    /// # Errors
    /// The path leads out of the folder or to nothing, or the file is not regular or may not be
    /// read.
    pub fn regular(&self, path: &Path) -> io::Result<(File, u64)> {
        self.exactly(&self.find(path)?)
    }

    /// The bytes of the regular file that a relative path leads to, at most `cap`.
    ///
    /// # Errors
    /// As [`Folder::regular`]; the file is larger, or reading it takes too long.
    pub fn bytes(&self, path: &Path, cap: u64) -> Result<Vec<u8>, ReadError> {
        let (file, size) = self.regular(path)?;
        open::all(file, size, cap)
    }

    /// Opens the regular file at a relative path without links, as [`Folder::find`] returns it, and
    /// returns its size in bytes.
    ///
    /// # Errors
    /// A component is a link, there is no file at the path, or the file is not regular or may not
    /// be read.
    pub fn exactly(&self, path: &Path) -> io::Result<(File, u64)> {
        open::expect_regular(&fs::symlink_metadata(self.path.join(path))?)?;
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        open::checked(File::from(self.open_without_links(path, flags)?))
    }

    /// The bytes of the regular file at a relative path without links, at most `cap`.
    ///
    /// # Errors
    /// As [`Folder::exactly`]; the file is larger, or reading it takes too long.
    pub fn exact_bytes(&self, path: &Path, cap: u64) -> Result<Vec<u8>, ReadError> {
        let (file, size) = self.exactly(path)?;
        open::all(file, size, cap)
    }

    #[cfg(target_os = "linux")]
    fn open_without_links(&self, path: &Path, flags: OFlags) -> io::Result<OwnedFd> {
        use rustix::fs::{ResolveFlags, openat2};
        let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS;
        match openat2(&self.handle, path, flags, Mode::empty(), resolve) {
            // The kernel is older than 5.6, or a sandbox does not allow the call.
            Err(Errno::NOSYS | Errno::PERM) => self.walk(path, flags),
            other => other.map_err(|error| self.refused(error)),
        }
    }

    #[cfg(not(target_os = "linux"))]
    fn open_without_links(&self, path: &Path, flags: OFlags) -> io::Result<OwnedFd> {
        self.walk(path, flags)
    }

    /// Opens a path component by component; none of them may be a link.
    fn walk(&self, path: &Path, flags: OFlags) -> io::Result<OwnedFd> {
        let parts: Vec<_> = path.components().collect();
        let mut above = None;
        for (index, part) in parts.iter().enumerate() {
            let Component::Normal(name) = part else { return Err(self.leads_out()) };
            let is_last = index + 1 == parts.len();
            let flags = if is_last { flags } else { OFlags::DIRECTORY | OFlags::CLOEXEC };
            let from = above.as_ref().unwrap_or(&self.handle);
            let next = openat(from, *name, flags | OFlags::NOFOLLOW, Mode::empty());
            above = Some(next.map_err(|error| self.refused(error))?);
        }
        above.ok_or_else(|| self.leads_out())
    }

    /// Says in words that a component was a link, or passes the error on.
    fn refused(&self, error: Errno) -> io::Error {
        if matches!(error, Errno::LOOP | Errno::XDEV) { self.leads_out() } else { error.into() }
    }

    fn leads_out(&self) -> io::Error {
        io::Error::other(format!("leads out of {}", visible::path(&self.path)))
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, io::Read, os::unix::fs::symlink, path::Path};

    use rustix::fs::OFlags;

    use super::Folder;

    #[test]
    fn links_are_followed_inside_and_refused_outside() {
        let outside = tempfile::tempdir().unwrap();
        fs::write(outside.path().join("secret"), "secret").unwrap();
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        fs::create_dir(root.join("d")).unwrap();
        fs::write(root.join("d/a"), "inside").unwrap();
        symlink("d", root.join("folder")).unwrap();
        symlink(root.join("d/a"), root.join("absolute")).unwrap();
        symlink(outside.path().join("secret"), root.join("out")).unwrap();
        symlink(outside.path(), root.join("out-folder")).unwrap();
        symlink("/proc/self/environ", root.join("environ")).unwrap();
        let folder = Folder::open(root).unwrap();
        for path in ["d/a", "folder/a", "absolute", "d/../d/a"] {
            assert_eq!(folder.bytes(Path::new(path), 99).unwrap(), b"inside", "{path}");
        }
        let up = format!("../{}/secret", outside.path().file_name().unwrap().display());
        let secret = outside.path().join("secret");
        for path in ["out", "out-folder/secret", "environ", &up, secret.to_str().unwrap()] {
            let error = folder.bytes(Path::new(path), 99).unwrap_err().to_string();
            assert!(error.contains("leads out"), "{path}: {error}");
        }
        assert!(folder.bytes(Path::new("d/a"), 5).is_err());
        assert!(folder.bytes(Path::new("d"), 99).unwrap_err().to_string().contains("directory"));
    }

    #[test]
    fn a_link_that_is_put_in_place_meanwhile_is_not_followed() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        fs::create_dir(root.join("d")).unwrap();
        fs::write(root.join("d/a"), "inside").unwrap();
        symlink("d", root.join("folder")).unwrap();
        symlink("a", root.join("d/link")).unwrap();
        let folder = Folder::open(root).unwrap();
        let flags = OFlags::RDONLY | OFlags::CLOEXEC;
        for open in [Folder::open_without_links, Folder::walk] {
            let mut text = String::new();
            let mut file = fs::File::from(open(&folder, Path::new("d/a"), flags).unwrap());
            file.read_to_string(&mut text).unwrap();
            assert_eq!(text, "inside");
            for path in ["folder/a", "d/link", "../x", "/etc/passwd", ""] {
                assert!(open(&folder, Path::new(path), flags).is_err(), "{path}");
            }
        }
    }
}
