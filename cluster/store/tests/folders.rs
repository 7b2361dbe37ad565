//! Archives of folders: the same bytes for the same files, and nothing of a hostile one is written elsewhere.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use std::{
    fs::{self, File},
    io::Write,
    os::unix::fs::symlink,
    path::Path,
};

use store::{Error, pack, unpack};
use tar::{Builder, EntryType, Header};

/// An archive of one entry, whose path is written as it is.
fn archive(place: &Path, path: &str, kind: EntryType, content: &[u8]) -> File {
    let mut header = Header::new_ustar();
    header.set_entry_type(kind);
    header.set_mode(0o644);
    header.set_size(content.len() as u64);
    header.as_mut_bytes()[..path.len()].copy_from_slice(path.as_bytes());
    if kind != EntryType::Regular {
        header.set_link_name_literal("/etc/passwd").unwrap();
    }
    header.set_cksum();
    let mut builder = Builder::new(tempfile::tempfile_in(place).unwrap());
    builder.append(&header, content).unwrap();
    builder.into_inner().unwrap()
}

#[test]
fn hostile_archives_are_refused() {
    let place = tempfile::tempdir().unwrap();
    let inner = place.path().join("inner");
    for (path, kind) in [
        ("../out", EntryType::Regular),
        ("/tmp/out-of-the-folder", EntryType::Regular),
        ("a/b", EntryType::Regular),
        ("..", EntryType::Regular),
        ("./out", EntryType::Regular),
        ("link", EntryType::Symlink),
        ("link", EntryType::Link),
        ("pipe", EntryType::Fifo),
        ("folder/", EntryType::Directory),
    ] {
        fs::create_dir(&inner).unwrap();
        let content: &[u8] = if kind == EntryType::Regular { b"x" } else { b"" };
        let refused = unpack(&mut archive(place.path(), path, kind, content), &inner).unwrap_err();
        assert!(matches!(refused, Error::Archive(_)), "{path}: {refused}");
        assert_eq!(fs::read_dir(&inner).unwrap().count(), 0, "{path}");
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1, "{path}");
        assert!(!Path::new("/tmp/out-of-the-folder").exists());
        fs::remove_dir(&inner).unwrap();
    }
}

#[test]
fn an_archive_does_not_write_through_a_link_that_is_there() {
    let place = tempfile::tempdir().unwrap();
    let (inner, out) = (place.path().join("inner"), place.path().join("out"));
    fs::create_dir(&inner).unwrap();
    symlink(&out, inner.join("a")).unwrap();
    let mut archive = archive(place.path(), "a", EntryType::Regular, b"x");
    assert!(unpack(&mut archive, &inner).is_err());
    assert!(!out.exists());
}

#[test]
fn archives_that_announce_too_much_or_are_cut_off_are_refused() {
    let place = tempfile::tempdir().unwrap();
    let folder = || tempfile::tempdir_in(place.path()).unwrap();
    let mut header = Header::new_ustar();
    header.set_path("big").unwrap();
    header.set_mode(0o644);
    header.set_size(3 << 30);
    header.set_cksum();
    let mut file = tempfile::tempfile_in(place.path()).unwrap();
    file.write_all(header.as_bytes()).unwrap();
    let refused = unpack(&mut file, folder().path()).unwrap_err();
    assert!(refused.to_string().contains("more than"), "{refused}");

    let mut file = archive(place.path(), "a", EntryType::Regular, &[b'x'; 2000]);
    file.set_len(1500).unwrap();
    assert!(unpack(&mut file, folder().path()).is_err());
}

#[test]
fn folders_with_links_or_folders_are_not_packed() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("folder");
    fs::create_dir(&folder).unwrap();
    let mut file = tempfile::tempfile_in(place.path()).unwrap();
    pack(&folder, &mut file).unwrap();
    symlink("/etc/passwd", folder.join("link")).unwrap();
    assert!(matches!(pack(&folder, &mut file), Err(Error::Archive(_))));
    fs::remove_file(folder.join("link")).unwrap();
    fs::create_dir(folder.join("inner")).unwrap();
    assert!(matches!(pack(&folder, &mut file), Err(Error::Archive(_))));
}
