//! Brings one locked artifact into the cache, or says why not. Nothing is unpacked here, and
//! nothing whose digest is wrong is kept.

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

use record::digest;
use thiserror::Error;

use crate::{
    corpus::{
        disk::{self, At, DiskError},
        lock::{Registry, Row},
    },
    process,
};

pub mod client;
pub mod crates;
pub mod debian;
pub mod npm;
pub mod pypi;
mod shared;

use client::ClientError;

pub use shared::{from_shared, into_shared};

/// How often a download is attempted in all.
const TRIES: u32 = 3;
/// Pause before the next attempt; tests do not wait.
const PAUSE: Duration = Duration::from_secs(if cfg!(test) { 0 } else { 2 });

/// Why an artifact could not be fetched.
#[derive(Debug, Error)]
pub enum FetchError {
    /// The client that downloads it is missing, failed, or could not reach its registry.
    #[error("corpus `{corpus}`: {source}")]
    Client {
        /// Name of the corpus.
        corpus: String,
        /// Why the client delivered nothing.
        source: ClientError,
    },
    /// The registry served other bytes than the lock asks for. They were deleted.
    #[error(
        "corpus `{corpus}`: `{file}` has {what} {actual}, the lock says {expected}; the download \
         was deleted; fetch again, and if it stays different do not trust it"
    )]
    Mismatch {
        /// Name of the corpus.
        corpus: String,
        /// File name of the artifact.
        file: String,
        /// What differs: `sha256` or `size`.
        what: &'static str,
        /// The value in the lock.
        expected: String,
        /// The value that was found.
        actual: String,
    },
    /// The cache cannot be read or written.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

impl FetchError {
    /// Exit code of the program when this error ends it.
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::Client { source, .. } => source.exit_code(),
            Self::Mismatch { .. } => 21,
            Self::Disk(error) => error.exit_code(),
        }
    }
}

/// Downloads the artifact of a row into an empty folder and returns its path there.
///
/// The second argument is the cache, for what a client keeps between runs.
pub type Download = dyn Fn(&Row, &Path, &Path) -> Result<PathBuf, ClientError> + Send + Sync;

/// Downloads with the ordinary client of the row's registry.
pub fn from_registry(row: &Row, cache: &Path, into: &Path) -> Result<PathBuf, ClientError> {
    match row.registry {
        Registry::Pypi => pypi::download(row, cache, into),
        Registry::Npm => npm::download(row, into),
        Registry::Crates => crates::download(row, into),
        Registry::Debian => debian::download(row, cache, into),
    }
}

/// The verified artifact of `row` in the cache, downloaded if it is not there yet.
///
/// The caller holds the lock of the row. The temporary folder has a fixed name, so that what an
/// interrupted run left there is found and removed.
pub fn artifact(cache: &Path, row: &Row, download: &Download) -> Result<PathBuf, FetchError> {
    let path = place(cache, row);
    let temporary = cache.join("tmp").join(format!("fetch-{}", row.sha256));
    disk::remove_tree(&temporary)?;
    if path.is_file() {
        if check(row, &path).is_ok() {
            return Ok(path);
        }
        // It was damaged after it was stored; the same bytes can be fetched again.
        disk::remove_tree(&path)?;
    }
    let downloaded = with_retries(cache, row, &temporary, download);
    let stored = downloaded.and_then(|file| {
        check(row, &file)?;
        disk::create_dir(path.parent().unwrap_or(cache))?;
        Ok(disk::publish(&file, &path)?)
    });
    disk::remove_tree(&temporary)?;
    stored.map(|()| path)
}

/// Where the artifact of a row is in the cache.
fn place(cache: &Path, row: &Row) -> PathBuf {
    cache.join("artifacts").join(&row.sha256).join(&row.artifact)
}

fn with_retries(
    cache: &Path,
    row: &Row,
    into: &Path,
    download: &Download,
) -> Result<PathBuf, FetchError> {
    let mut tried = 0;
    loop {
        disk::fresh_dir(into)?;
        tried += 1;
        match download(row, cache, into) {
            Ok(file) => return Ok(file),
            // Only a required corpus is tried again. Debian rows are never required, and apt retries by
            // itself.
            Err(source)
                if row.required
                    && tried < TRIES
                    && source.may_pass()
                    && !process::interrupted() =>
            {
                thread::sleep(PAUSE);
            }
            Err(source) => return Err(FetchError::Client { corpus: row.name.clone(), source }),
        }
    }
}

fn check(row: &Row, file: &Path) -> Result<(), FetchError> {
    let mut content = File::open(file).at("open", file)?;
    let (sha256, size) = digest::copy(&mut content, &mut io::sink()).at("read", file)?;
    let sha256 = String::from(sha256);
    let mismatch = |what, expected: String, actual: String| FetchError::Mismatch {
        corpus: row.name.clone(),
        file: row.artifact.clone(),
        what,
        expected,
        actual,
    };
    if sha256 != row.sha256 {
        return Err(mismatch("sha256", row.sha256.clone(), sha256));
    }
    if size != row.size {
        return Err(mismatch("size", row.size.to_string(), size.to_string()));
    }
    Ok(())
}

/// The file `name` in `folder`, which a client that succeeded must have left there.
fn delivered(client: &'static str, folder: &Path, name: &str) -> Result<PathBuf, ClientError> {
    let path = folder.join(name);
    match fs::symlink_metadata(&path) {
        Ok(metadata) if metadata.is_file() => Ok(path),
        Ok(_) => Err(ClientError::NoFile { client, file: name.to_owned() }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Err(ClientError::NoFile { client, file: name.to_owned() })
        }
        Err(error) => Err(error).at("inspect", &path).map_err(ClientError::Disk),
    }
}

#[cfg(test)]
mod tests;
