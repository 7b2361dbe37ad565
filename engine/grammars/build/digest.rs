//! The digest of everything that is compiled.

use std::{fs, io, path::Path};

use crate::{archive::sha256_of, catalogue::Catalogue};

/// Digest of the input files below `home` and of the catalogue, in lower-case hexadecimal digits.
pub fn of_inputs(home: &Path, inputs: &[&str], catalogue: &Catalogue) -> io::Result<String> {
    let mut all = format!("{catalogue:?}").into_bytes();
    for input in inputs {
        add(&home.join(input), &mut all)?;
    }
    Ok(sha256_of(&all))
}

/// Adds a file, or the files of a folder in the order of their names.
fn add(path: &Path, all: &mut Vec<u8>) -> io::Result<()> {
    if !path.is_dir() {
        all.extend(path.to_string_lossy().bytes());
        all.extend(fs::read(path)?);
        return Ok(());
    }
    let mut entries = fs::read_dir(path)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    entries.iter().try_for_each(|entry| add(&entry.path(), all))
}
