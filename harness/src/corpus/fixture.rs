//! Archives and rows that the tests of several modules build.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use flate2::{Compression, write::GzEncoder};
use record::digest;
use tar::{Builder, EntryType, Header};

use crate::corpus::{
    fetch::client::ClientError,
    lock::{Kind, PathFilter, Registry, Row, RowCases},
    store::Store,
};

/// One entry of an archive, exactly as it is written, hostile names included.
pub struct Item {
    pub name: Vec<u8>,
    pub kind: EntryType,
    pub data: Vec<u8>,
    pub mode: u32,
    pub target: String,
}

pub fn file(name: &str, data: &str) -> Item {
    Item {
        name: name.as_bytes().to_vec(),
        kind: EntryType::Regular,
        data: data.as_bytes().to_vec(),
        mode: 0o644,
        target: String::new(),
    }
}

pub fn link(name: &str, target: &str) -> Item {
    Item { kind: EntryType::Symlink, target: target.to_owned(), ..file(name, "") }
}

pub fn special(name: &str, kind: EntryType) -> Item {
    Item { kind, ..file(name, "") }
}

/// Writes names as they are; the path setters of the tar crate would refuse hostile ones.
pub fn archive(items: &[Item]) -> Vec<u8> {
    let mut builder = Builder::new(GzEncoder::new(Vec::new(), Compression::default()));
    for item in items {
        let mut header = Header::new_gnu();
        header.set_entry_type(item.kind);
        header.set_mode(item.mode);
        header.set_size(item.data.len() as u64);
        let raw = header.as_old_mut();
        raw.name[..item.name.len()].copy_from_slice(&item.name);
        raw.linkname[..item.target.len()].copy_from_slice(item.target.as_bytes());
        header.set_cksum();
        builder.append(&header, item.data.as_slice()).unwrap();
    }
    builder.into_inner().unwrap().finish().unwrap()
}

/// A small archive with everything that needs care: line endings, attributes that would
/// change them, an executable, a link, a file that is removed and one that is filtered.
pub fn sample_archive() -> Vec<u8> {
    archive(&[
        file("sample-1.0.0/a.txt", "one\r\n"),
        file("sample-1.0.0/.gitattributes", "* text=auto eol=lf\n"),
        file("sample-1.0.0/.gitignore", "*\n"),
        Item { mode: 0o755, ..file("sample-1.0.0/bin/run", "#!/bin/sh\n") },
        link("sample-1.0.0/link", "a.txt"),
        file("sample-1.0.0/x.jl", "f(x)=1\n"),
    ])
}

/// The row of the sample. Its digests were computed with coreutils and with git's plumbing
/// (hash-object without filters, update-index, commit-tree).
pub fn sample_row() -> Row {
    let archive = sample_archive();
    Row {
        name: "sample".to_owned(),
        sets: BTreeSet::from(["smoke".to_owned()]),
        registry: Registry::Pypi,
        kind: Kind::Sdist,
        package: "sample".to_owned(),
        version: "1.0.0".to_owned(),
        artifact: "sample-1.0.0.tar.gz".to_owned(),
        sha256: digest::sha256(&archive),
        size: archive.len() as u64,
        tree_sha256: "060979590fe8b15a8cfd8b443fd385129648364d05a0b7837838ef330b6bd5d4".to_owned(),
        licence: "MIT".to_owned(),
        languages: vec!["text".to_owned()],
        required: true,
        flat: false,
        path_filter: PathFilter::default(),
        removed: vec![".gitignore".to_owned()],
        filtered_files: 4,
        filtered_tree_sha256: "2a034d0dbe8c0d4399ea7023a3d20e9c5864ec992c1a35bf5a84b96ca6055dff"
            .to_owned(),
        commit: "9611d44d87206332def71a203450d4725ff26bf6".to_owned(),
        comparator_cpu_seconds: None,
        comparator_peak_mb: None,
        cases: Some(RowCases { chat_file: "a.txt".to_owned(), message: "a.txt".to_owned() }),
        tasks: None,
    }
}

/// A store in `cache` whose downloads always deliver `bytes`.
pub fn store(cache: &Path, bytes: Vec<u8>) -> Store {
    Store::with_download(cache, move |row, _, into| deliver(row, into, &bytes))
}

/// What a download that succeeds does: writes `bytes` as the artifact of `row`.
#[expect(clippy::unnecessary_wraps, reason = "it has the shape of a download")]
pub fn deliver(row: &Row, into: &Path, bytes: &[u8]) -> Result<PathBuf, ClientError> {
    let path = into.join(&row.artifact);
    fs::write(&path, bytes).unwrap();
    Ok(path)
}

/// Names in a folder, sorted; nothing if it does not exist.
pub fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}
