//! The seeds of the fuzz targets: at least one file for every explorer.

#![allow(clippy::disallowed_methods, reason = "a test reads its own files")]

use std::{fs, path::PathBuf};

/// Folders of seeds and the name under which their files are explored, as the target has it. The
/// files in `code` say their name on the first line.
const FOLDERS: &[(&str, &str)] = &[
    ("archive", "a.zip"),
    ("binary", "a.bin"),
    ("code", ""),
    ("csv", "a.csv"),
    ("executable", "a.elf"),
    ("html", "a.html"),
    ("image", "a.png"),
    ("ini", "a.ini"),
    ("ipynb", "a.ipynb"),
    ("json", "a.json"),
    ("latex", "a.tex"),
    ("log", "a.log"),
    ("markdown", "a.md"),
    ("ndjson", "a.ndjson"),
    ("pdf", "a.pdf"),
    ("properties", "a.properties"),
    ("shell", "a.sh"),
    ("sqlite", "a.sqlite"),
    ("tar", "a.tar"),
    ("text", "a.txt"),
    ("toml", "a.toml"),
    ("tsv", "a.tsv"),
    ("wasm", "a.wasm"),
    ("xml", "a.xml"),
    ("yaml", "a.yaml"),
];

/// A file that its explorer understands.
#[derive(Debug, Clone)]
pub struct Seed {
    /// The name that leads to the explorer.
    pub name: String,
    /// The content.
    pub bytes: Vec<u8>,
}

/// All seeds, sorted by folder and file.
pub fn seeds() -> Vec<Seed> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds");
    let mut seeds = Vec::new();
    for (folder, name) in FOLDERS {
        let mut paths: Vec<PathBuf> =
            fs::read_dir(root.join(folder)).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        for path in paths {
            let bytes = fs::read(path).unwrap();
            if name.is_empty() {
                let end = bytes.iter().position(|byte| *byte == b'\n').unwrap();
                let name = String::from_utf8(bytes[..end].to_vec()).unwrap();
                seeds.push(Seed { name, bytes: bytes[end + 1..].to_vec() });
            } else {
                seeds.push(Seed { name: (*name).to_owned(), bytes });
            }
        }
    }
    seeds
}
