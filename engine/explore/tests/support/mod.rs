//! The seeds of the fuzz target: at least one file for every explorer.

#![allow(clippy::disallowed_methods, reason = "a test reads its own files")]

pub mod bounded;
pub mod json;
pub mod zip;

use std::{fs, path::PathBuf};

use explore::dispatch::explorers;

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
    let varieties = explorers().iter().flat_map(|explorer| &explorer.varieties);
    let mut folders: Vec<(&str, &str)> =
        varieties.map(|(variety, name)| (variety.as_str(), name.as_str())).collect();
    // Files of code say on their first line what they are called.
    folders.push(("code", ""));
    folders.sort_unstable();
    let mut seeds = Vec::new();
    for (folder, name) in folders {
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
                seeds.push(Seed { name: name.to_owned(), bytes });
            }
        }
    }
    seeds
}
