//! The content of a folder as names and digests, and the one digest over all of it.

use std::{collections::BTreeMap, fmt::Write as _, fs, os::unix::fs::PermissionsExt, path::Path};

use record::{Digest, digest};

use crate::corpus::disk::{At, DiskError};

/// One file or symbolic link of a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Entry {
    /// A regular file.
    File {
        /// Digest of its bytes, 64 hexadecimal digits.
        sha256: String,
        /// Whether its owner may execute it.
        executable: bool,
    },
    /// A symbolic link.
    Symlink {
        /// Where it points, as written in the link.
        target: String,
    },
}

/// Every file and link by its relative path with `/`; folders exist only through their files.
pub type Tree = BTreeMap<String, Entry>;

/// The tree digest: SHA-256 over one line per path, `<sha256>  <path>` for a file and
/// `L:<target>  <path>` for a link, sorted by the bytes of the path.
pub fn sha256(tree: &Tree) -> String {
    digest::sha256(lines(tree))
}

/// The lines that the tree digest covers; for files, what `sha256sum` prints.
pub fn lines(tree: &Tree) -> String {
    let mut lines = String::new();
    for (path, entry) in tree {
        let _ = match entry {
            Entry::File { sha256, .. } => writeln!(lines, "{sha256}  {path}"),
            Entry::Symlink { target } => writeln!(lines, "L:{target}  {path}"),
        };
    }
    lines
}

/// Reads a folder, without its top-level `.git`. Links are read, never followed.
///
/// Bytes of names that are not UTF-8 are replaced, so such a name changes the digest but
/// never stops the reading; sockets and devices count as files with an impossible digest.
pub fn read(root: &Path) -> Result<Tree, DiskError> {
    let mut tree = Tree::new();
    let mut pending = vec![(root.to_path_buf(), String::new())];
    while let Some((folder, prefix)) = pending.pop() {
        for entry in fs::read_dir(&folder).at("list", &folder)? {
            let entry = entry.at("list", &folder)?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if prefix.is_empty() && name == ".git" {
                continue;
            }
            let (full, path) = (entry.path(), format!("{prefix}{name}"));
            let metadata = fs::symlink_metadata(&full).at("inspect", &full)?;
            if metadata.is_dir() {
                pending.push((full, format!("{path}/")));
            } else if metadata.is_symlink() {
                let target = fs::read_link(&full).at("read the link", &full)?;
                let target = target.to_string_lossy().into_owned();
                tree.insert(path, Entry::Symlink { target });
            } else if metadata.is_file() {
                let sha256 = Digest::of_file(&full).at("read", &full)?.into();
                let executable = metadata.permissions().mode() & 0o100 != 0;
                tree.insert(path, Entry::File { sha256, executable });
            } else {
                let sha256 = "not-a-regular-file".to_owned();
                tree.insert(path, Entry::File { sha256, executable: false });
            }
        }
    }
    Ok(tree)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::{read, sha256};

    /// Computed with coreutils: `sha256sum` over the three lines spelled out by hand.
    #[test]
    fn digest_follows_the_written_rule() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fs::create_dir_all(root.join("b/.git")).unwrap();
        fs::create_dir_all(root.join(".git")).unwrap();
        fs::write(root.join(".git/HEAD"), "ignored").unwrap();
        fs::write(root.join("b/abc"), "abc").unwrap();
        fs::write(root.join("empty"), "").unwrap();
        symlink("b/abc", root.join("a")).unwrap();
        assert_eq!(
            sha256(&read(root).unwrap()),
            "833a368cd253c763633e933171c393117e24c05ddae0707b8cf2ad70f55b722e"
        );
    }

    #[test]
    fn a_changed_byte_changes_the_digest() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("x"), "1").unwrap();
        let before = sha256(&read(folder.path()).unwrap());
        fs::write(folder.path().join("x"), "2").unwrap();
        assert_ne!(before, sha256(&read(folder.path()).unwrap()));
    }
}
