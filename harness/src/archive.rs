//! Bundles and references as one file: a deterministic tar archive under zstd.
//!
//! Equal folders give equal bytes: the files come in the order of their paths, below one top folder,
//! without owner, time or executable bit. Reading refuses an archive with an entry that is not a plain
//! file or leads out of its folder, and one that unpacks to more than the limits allow.

use std::{
    collections::BTreeSet,
    fs,
    io::{self, Read, Seek, Write},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use record::{Digest, exit};
use ruzstd::encoding::{CompressionLevel, compress};
use tempfile::NamedTempFile;
use verdict::bundle::walk;

use crate::{
    Failure,
    corpus::{
        lock::{Form, Packing},
        tree::Entry,
        unpack::{Caps, UnpackError, unpack},
    },
    process,
};

/// What an archive may hold: as much as a bundle. Recordings are repetitive and compress to a fiftieth;
/// a bomb unpacks to many thousand times its size.
const CAPS: Caps =
    Caps { entries: walk::MAX_FILES as u64, bytes: walk::MAX_TOTAL_BYTES, ratio: 1000 };

/// Writes the `files` below `root` into the new archive `file`, below the folder `top` in it. Returns
/// the digest of the archive.
///
/// # Errors
/// A file cannot be read, `file` exists already or cannot be written, or the user stops it.
pub fn write(
    root: &Path,
    files: &BTreeSet<String>,
    top: &str,
    file: &Path,
) -> Result<Digest, Failure> {
    let at = |path: &Path| {
        let path = path.to_owned();
        move |error: io::Error| Failure::new(exit::IO, format!("{}: {error}", path.display()))
    };
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let mut archive = tar::Builder::new(tempfile::tempfile_in(folder).map_err(at(file))?);
    for name in files {
        process::go_on()?;
        let bytes =
            walk::read(&root.join(name), walk::MAX_TOTAL_BYTES).map_err(at(&root.join(name)))?;
        let mut header = tar::Header::new_ustar();
        header.set_entry_type(tar::EntryType::Regular);
        header.set_mode(0o644);
        header.set_size(bytes.len() as u64);
        archive.append_data(&mut header, format!("{top}/{name}"), &*bytes).map_err(at(file))?;
    }
    let mut plain = archive.into_inner().map_err(at(file))?;
    plain.rewind().map_err(at(file))?;
    let mut written = NamedTempFile::new_in(folder).map_err(at(file))?;
    let (mut from, mut to) = (Kept::of(&plain), Kept::of(written.as_file_mut()));
    compress(&mut from, &mut to, CompressionLevel::Fastest);
    from.done().and_then(|()| to.done()).map_err(at(file))?;
    written.flush().and_then(|()| written.as_file().sync_all()).map_err(at(file))?;
    let digest = Digest::of_file(written.path()).map_err(at(file))?;
    fs::set_permissions(written.path(), fs::Permissions::from_mode(0o644)).map_err(at(file))?;
    written.persist_noclobber(file).map_err(|error| at(file)(error.error))?;
    Ok(digest)
}

/// A file that keeps its first error instead of returning it, at which the compression library would
/// panic.
struct Kept<F> {
    file: F,
    error: Option<io::Error>,
}

impl<F> Kept<F> {
    const fn of(file: F) -> Self {
        Self { file, error: None }
    }

    fn done(self) -> io::Result<()> {
        self.error.map_or(Ok(()), Err)
    }
}

impl<F: Read> Read for Kept<F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.file.read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    self.error.get_or_insert(error);
                    return Ok(0);
                }
                read => return read,
            }
        }
    }
}

impl<F: Write> Write for Kept<F> {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        if self.error.is_none()
            && let Err(error) = self.file.write_all(buffer)
        {
            self.error = Some(error);
        }
        Ok(buffer.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Unpacks an archive into an empty folder.
///
/// # Errors
/// The archive is damaged, holds something other than plain files, or holds more than the limits allow.
pub fn read(archive: &Path, folder: &Path) -> Result<(), Failure> {
    let form = Form { packing: Packing::ZstdTar, top_folder: true };
    let failed = |error: UnpackError| Failure::new(error.exit_code(), error.to_string());
    let tree = unpack(archive, form, CAPS, &|_| true, folder).map_err(failed)?;
    let link = tree.iter().find(|(_, entry)| matches!(entry, Entry::Symlink { .. }));
    match link {
        None => Ok(()),
        Some((path, _)) => Err(failed(UnpackError::Unsafe {
            archive: PathBuf::from(archive),
            entry: path.escape_debug().to_string(),
            why: "is a link; an archive of ours has none",
        })),
    }
}

/// Whether a path is an archive rather than a folder.
pub fn is_archive(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| metadata.is_file())
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, fs, path::Path};

    use ruzstd::encoding::{CompressionLevel, compress_to_vec};

    use super::{read, write};
    use crate::Failure;

    /// An archive of these entries: path, type, link target or content.
    fn archive(file: &Path, entries: &[(&str, tar::EntryType, &str)]) {
        let mut builder = tar::Builder::new(Vec::new());
        for (path, kind, content) in entries {
            let mut header = tar::Header::new_ustar();
            header.set_entry_type(*kind);
            header.set_mode(0o644);
            // The library would refuse to write this path, so it is written into the header directly.
            header.as_mut_bytes()[..path.len()].copy_from_slice(path.as_bytes());
            if *kind == tar::EntryType::Regular {
                header.set_size(content.len() as u64);
                header.set_cksum();
                builder.append(&header, content.as_bytes()).unwrap();
            } else {
                header.set_size(0);
                header.set_link_name_literal(content).unwrap();
                header.set_cksum();
                builder.append(&header, &[][..]).unwrap();
            }
        }
        fs::write(file, packed(&builder.into_inner().unwrap())).unwrap();
    }

    fn packed(bytes: &[u8]) -> Vec<u8> {
        compress_to_vec(bytes, CompressionLevel::Fastest)
    }

    fn refusal(place: &Path, entries: &[(&str, tar::EntryType, &str)]) -> Failure {
        let file = place.join("archive.tar.zst");
        archive(&file, entries);
        let folder = tempfile::tempdir_in(place).unwrap();
        read(&file, folder.path()).expect_err("refused")
    }

    #[test]
    fn equal_folders_give_equal_archives_and_come_back() {
        let place = tempfile::tempdir().unwrap();
        let names = BTreeSet::from(["a/b".to_owned(), "c".to_owned()]);
        let mut digests = BTreeSet::new();
        for (round, mode) in [("one", 0o644), ("two", 0o755)] {
            let folder = place.path().join(round);
            fs::create_dir_all(folder.join("a")).unwrap();
            for (name, text) in [("c", "last"), ("a/b", "first")] {
                fs::write(folder.join(name), text).unwrap();
                let mode = std::os::unix::fs::PermissionsExt::from_mode(mode);
                fs::set_permissions(folder.join(name), mode).unwrap();
            }
            let file = place.path().join(format!("{round}.tar.zst"));
            digests.insert(write(&folder, &names, "top", &file).unwrap());
            assert!(write(&folder, &names, "top", &file).is_err(), "nothing is replaced");
        }
        assert_eq!(digests.len(), 1);
        let back = place.path().join("back");
        fs::create_dir(&back).unwrap();
        read(&place.path().join("one.tar.zst"), &back).unwrap();
        assert_eq!(fs::read_to_string(back.join("a/b")).unwrap(), "first");
        assert_eq!(fs::read_to_string(back.join("c")).unwrap(), "last");
    }

    #[test]
    fn archives_with_traversal_links_and_other_entries_are_refused() {
        use tar::EntryType as Kind;
        let place = tempfile::tempdir().unwrap();
        for path in ["top/../../out", "/etc/out", "../out", "top/a/../../../out", "other/x"] {
            let refused =
                refusal(place.path(), &[("top/a", Kind::Regular, "x"), (path, Kind::Regular, "x")]);
            assert!(refused.to_string().contains("out") || path == "other/x", "{refused}");
            assert!(!place.path().join("out").exists());
        }
        for (kind, target) in [
            (Kind::Symlink, "/etc/passwd"),
            (Kind::Symlink, "b"),
            (Kind::Link, "top/b"),
            (Kind::Fifo, ""),
            (Kind::Char, ""),
        ] {
            let refused =
                refusal(place.path(), &[("top/b", Kind::Regular, "x"), ("top/a", kind, target)]);
            assert!(refused.to_string().contains("`a`"), "{refused}");
        }
        let twins = [("top/a", Kind::Regular, "x"), ("top/A", Kind::Regular, "y")];
        assert!(refusal(place.path(), &twins).to_string().contains("case"));
        let twice = [("top/a", Kind::Regular, "x"), ("top/a", Kind::Regular, "y")];
        assert!(refusal(place.path(), &twice).to_string().contains("twice"));
    }

    #[test]
    fn bombs_and_damage_are_refused() {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("bomb.tar.zst");
        let mut header = tar::Header::new_ustar();
        header.set_path("top/zeros").unwrap();
        header.set_size(1 << 30);
        header.set_mode(0o644);
        header.set_cksum();
        let mut bytes = header.as_bytes().to_vec();
        bytes.resize(64 << 20, 0);
        fs::write(&file, packed(&bytes)).unwrap();
        assert!(fs::metadata(&file).unwrap().len() < 64 << 10);
        let folder = tempfile::tempdir_in(place.path()).unwrap();
        let refused = read(&file, folder.path()).expect_err("a bomb").to_string();
        assert!(refused.contains("for each packed byte"), "{refused}");

        let names = BTreeSet::from(["c".to_owned()]);
        fs::write(place.path().join("c"), "text ".repeat(5000)).unwrap();
        let good = place.path().join("good.tar.zst");
        write(place.path(), &names, "top", &good).unwrap();
        let bytes = fs::read(&good).unwrap();
        for cut in [0, 1, bytes.len() / 2, bytes.len() - 1] {
            fs::write(&good, &bytes[..cut]).unwrap();
            let folder = tempfile::tempdir_in(place.path()).unwrap();
            assert!(read(&good, folder.path()).is_err(), "{cut} bytes of {}", bytes.len());
        }
    }
}
