//! Where an archive is: given by the user, in the shared cache, or to be downloaded.

use std::{
    collections::BTreeMap,
    env, fs, io,
    path::{Path, PathBuf},
};

use etcetera::BaseStrategy as _;
use sha2::{Digest, Sha256};

use crate::{
    catalogue::{Archive, Catalogue},
    client::{self, ClientError},
};

/// The variable that lists local archives, separated as in `PATH`.
pub const GIVEN: &str = "PARITY_GRAMMARS_ARCHIVE";
/// The variable that moves the shared cache.
const CACHE: &str = "PARITY_CACHE_DIR";

/// Why an archive is not there.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    #[error("{action} {path} failed: {error}")]
    Io { action: &'static str, path: PathBuf, error: io::Error },
    #[error(
        "{GIVEN} names {path}, which cannot be read: {error}\ncorrect the path, or unset the variable to download the archives"
    )]
    GivenUnreadable { path: PathBuf, error: io::Error },
    #[error(
        "{GIVEN} names {path}, whose sha256 {found} is none of the pinned ones\nlist the archives that engine/grammars/archives.toml pins, or unset the variable to download them"
    )]
    GivenUnknown { path: PathBuf, found: String },
    #[error(
        "the download of {file} has sha256 {found}, but archives.toml pins {pinned}\nnothing was unpacked; build again, and if it repeats, check the package index in use"
    )]
    Digest { file: String, found: String, pinned: String },
    #[error("no cache folder: {CACHE}, XDG_CACHE_HOME and HOME are all unset; set {CACHE}=/path")]
    NoCache,
    #[error(transparent)]
    Client(#[from] ClientError),
}

/// Returns the path of the archive in the shared cache, with its sha256 checked in this run.
///
/// `tools` is the locked requirements file of the Python client, `out` a place for temporary
/// files. The cache is shared by all checkouts of the user. It is filled by renaming a checked file
/// into place under a lock, so neither an interrupted nor a concurrent build can spoil it.
pub fn cached(archive: &Archive, tools: &Path, out: &Path) -> Result<PathBuf, ArchiveError> {
    let folder = cache_folder()?.join("archives").join(&archive.sha256);
    let cached = folder.join(&archive.file);
    fs::create_dir_all(&folder).map_err(io_error("creating", &folder))?;
    let lock_path = folder.join("lock");
    let lock = fs::File::create(&lock_path).map_err(io_error("creating", &lock_path))?;
    lock.lock().map_err(io_error("locking", &lock_path))?;

    if cached.exists() {
        if sha256(&cached)? == archive.sha256 {
            return Ok(cached);
        }
        println!("cargo::warning={} was damaged and is fetched again", cached.display());
        fs::remove_file(&cached).map_err(io_error("removing", &cached))?;
    }
    let scratch = crate::Scratch::new(out.join("download"))
        .map_err(io_error("creating", &out.join("download")))?;
    let downloaded = client::download(archive, tools, scratch.path())?;
    let found = sha256(&downloaded)?;
    if found != archive.sha256 {
        let (file, pinned) = (archive.file.clone(), archive.sha256.clone());
        return Err(ArchiveError::Digest { file, found, pinned });
    }
    // The download may lie on another file system, where a rename is impossible.
    let partial = folder.join("partial");
    fs::copy(&downloaded, &partial).map_err(io_error("writing", &partial))?;
    fs::rename(&partial, &cached).map_err(io_error("writing", &cached))?;
    Ok(cached)
}

/// The files that the user gave, by digest: their names and order do not matter.
pub fn given(catalogue: &Catalogue) -> Result<BTreeMap<String, PathBuf>, ArchiveError> {
    let mut given = BTreeMap::new();
    let list = env::var_os(GIVEN).unwrap_or_default();
    // An unset variable reads as one empty path.
    for path in env::split_paths(&list).filter(|path| !path.as_os_str().is_empty()) {
        let bytes = fs::read(&path)
            .map_err(|error| ArchiveError::GivenUnreadable { path: path.clone(), error })?;
        let found = sha256_of(&bytes);
        if catalogue.archives.values().all(|archive| archive.sha256 != found) {
            return Err(ArchiveError::GivenUnknown { path, found });
        }
        given.insert(found, path);
    }
    Ok(given)
}

fn cache_folder() -> Result<PathBuf, ArchiveError> {
    if let Some(folder) = env::var_os(CACHE).filter(|value| !value.is_empty()) {
        return Ok(folder.into());
    }
    let folders = etcetera::choose_base_strategy().map_err(|_| ArchiveError::NoCache)?;
    Ok(folders.cache_dir().join("parity"))
}

/// The sha256 of a file, in lower-case hexadecimal digits.
fn sha256(path: &Path) -> Result<String, ArchiveError> {
    Ok(sha256_of(&fs::read(path).map_err(io_error("reading", path))?))
}

/// The sha256 of bytes in memory, in lower-case hexadecimal digits.
pub fn sha256_of(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

fn io_error<'a>(action: &'static str, path: &'a Path) -> impl Fn(io::Error) -> ArchiveError + 'a {
    move |error| ArchiveError::Io { action, path: path.into(), error }
}
