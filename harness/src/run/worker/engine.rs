//! The program of an order.

use std::{
    fs,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use record::{Digest, exit, write_atomically};

use super::not_here;
use crate::{
    Failure, Folders,
    corpus::disk,
    shared::{Kind, Shared},
};

/// A program that was written this recently may be written again without a new change time.
const TICK: Duration = Duration::from_millis(50);

/// The program with a digest: this one, or one in the cache.
///
/// # Errors
/// It is not here (exit code 26), or has another digest (21).
pub(super) fn find(folders: &Folders, sha256: &str) -> Result<PathBuf, Failure> {
    let cache = folders.cache.as_path();
    let own = std::env::current_exe()?;
    let found = digest_of_program(cache, &own)?;
    if found.as_str() == sha256 {
        return Ok(own);
    }
    let refused = |error: record::NotADigest| Failure::new(exit::USAGE, error.to_string());
    let wanted = Digest::try_from(sha256.to_owned()).map_err(refused)?;
    let kept = cache.join("engines").join(wanted.as_str()).join("parity");
    if !kept.is_file()
        && let Some(shared) = &folders.store
    {
        fetch_engine(shared, &wanted, &kept)?;
    }
    if !kept.is_file() {
        return Err(not_here(format!(
            "the engine {wanted} is not here: this program is {found}, and {} does not exist; copy the program of the \
             run there and try again",
            kept.display()
        )));
    }
    let found = digest_of_program(cache, &kept)?;
    if found == wanted {
        return Ok(kept);
    }
    let why = format!(
        "{} has the digest {found}; copy the program of the run there again",
        kept.display()
    );
    Err(Failure::new(exit::DIGEST, why))
}

/// Fetches a program from the store. Its name appears when it can be started; that it is the right one is checked where
/// it is used.
fn fetch_engine(shared: &Shared, wanted: &Digest, kept: &Path) -> Result<(), Failure> {
    let folder = kept.parent().unwrap_or(kept);
    let failed = |error: disk::DiskError| Failure::new(error.exit_code(), error.to_string());
    disk::create_dir(folder).map_err(failed)?;
    let partial = tempfile::Builder::new().prefix(".partial-").tempdir_in(folder)?;
    let file = partial.path().join("parity");
    let found = shared.get(Kind::Engine, wanted.as_str(), &file);
    if found.map_err(|error| not_here(format!("the engine {wanted} is not here, and {error}")))? {
        disk::set_mode(&file, 0o755).map_err(failed)?;
        disk::publish(&file, kept).map_err(failed)?;
    }
    Ok(())
}

/// The digest of a program. It is read in full only if its stat data differ from those of the last time: reading a
/// program of 280 MB for each unit would cost more than many units do.
fn digest_of_program(cache: &Path, program: &Path) -> Result<Digest, Failure> {
    let stat = fs::metadata(program)?;
    let numbers = [stat.dev(), stat.ino(), stat.size()];
    let times = [stat.mtime(), stat.mtime_nsec(), stat.ctime(), stat.ctime_nsec()];
    let key = Digest::of(format!("{numbers:?} {times:?}"));
    let known = cache.join("engines").join("seen").join(key.as_str());
    let read = fs::read_to_string(&known).ok().and_then(|text| Digest::try_from(text).ok());
    if let Some(digest) = read {
        return Ok(digest);
    }
    let digest = Digest::of_file(program)?;
    let changed = UNIX_EPOCH + Duration::from_secs(u64::try_from(stat.ctime()).unwrap_or_default());
    #[expect(clippy::disallowed_methods, reason = "it is compared with times of the file system")]
    let clock = SystemTime::now();
    // The seconds of the change time are rounded down.
    if changed + Duration::from_secs(1) + TICK < clock {
        // Without this file the program is read again, which only costs time.
        write_atomically(&known, digest.as_str().as_bytes()).ok();
    }
    Ok(digest)
}
