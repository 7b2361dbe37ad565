//! Takes the C sources of the wanted grammars out of an archive.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{self, Read},
    path::{Component, Path, PathBuf},
};

use flate2::read::GzDecoder;
use languages::Grammar;

use crate::{archive, catalogue::Archive};

/// Why an archive with the right digest cannot be unpacked.
#[derive(Debug, thiserror::Error)]
pub enum UnpackError {
    #[error("reading {path} failed: {error}")]
    Read { path: PathBuf, error: io::Error },
    #[error("writing {path} failed: {error}; is there room for 400 MB in the target folder?")]
    Write { path: PathBuf, error: io::Error },
    #[error(
        "{path} holds no src/parser.c for {key}: queries/{key}/language.toml or archives.toml names a wrong root or folder"
    )]
    NoParser { path: PathBuf, key: String },
}

/// A grammar whose sources lie in a folder of their own.
pub struct Unpacked {
    pub key: String,
    pub grammar: Grammar,
    /// Holds `src/parser.c`, perhaps `src/scanner.c`, and the headers they include.
    pub folder: PathBuf,
    /// Length of `src/parser.c` in bytes, which tells how long it takes to compile.
    pub parser_length: usize,
    pub parser_sha256: String,
}

/// Unpacks the sources below `target/<key>`. Streams the archive once; only C files leave it.
pub fn unpack(
    path: &Path,
    archive: &Archive,
    grammars: &BTreeMap<&str, &Grammar>,
    target: &Path,
) -> Result<Vec<Unpacked>, UnpackError> {
    let read_error = |error| UnpackError::Read { path: path.into(), error };
    let mut parsers = BTreeMap::new();
    let mut tar = tar::Archive::new(GzDecoder::new(File::open(path).map_err(read_error)?));
    for entry in tar.entries().map_err(read_error)? {
        let mut entry = entry.map_err(read_error)?;
        let name = entry.path().map_err(read_error)?.into_owned();
        if !entry.header().entry_type().is_file() || !is_c_source(&name) {
            continue;
        }
        let Ok(name) = name.strip_prefix(&archive.root) else { continue };
        for (key, grammar) in grammars {
            let Ok(inner) = name.strip_prefix(&grammar.folder) else { continue };
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes).map_err(read_error)?;
            write(&target.join(key).join(inner), &bytes)?;
            if inner == Path::new("src/parser.c") {
                parsers.insert(*key, (bytes.len(), archive::sha256_of(&bytes)));
            }
            break;
        }
    }
    let mut unpacked = Vec::new();
    for (key, grammar) in grammars {
        let Some((parser_length, parser_sha256)) = parsers.remove(key) else {
            return Err(UnpackError::NoParser { path: path.into(), key: (*key).into() });
        };
        unpacked.push(Unpacked {
            key: (*key).into(),
            grammar: (*grammar).clone(),
            folder: target.join(key),
            parser_length,
            parser_sha256,
        });
    }
    Ok(unpacked)
}

/// A C file whose name stays inside the folder it is unpacked to.
fn is_c_source(name: &Path) -> bool {
    let inside = name.components().all(|part| matches!(part, Component::Normal(_)));
    inside && name.extension().is_some_and(|extension| extension == "c" || extension == "h")
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), UnpackError> {
    let write_error = |error| UnpackError::Write { path: path.into(), error };
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(write_error)?;
    }
    fs::write(path, bytes).map_err(write_error)
}
