//! What a worker does: finds by digest what a unit needs, records the unit, and frames the recordings.
//!
//! A worker looks into the cache of its machine. What is not there it fetches from the shared store, if it was given
//! one, and from nowhere else.

use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use base::scratch::Scratch;
use record::{Digest, Store, exit, write_atomically};

use super::{Recorder, answer::frame, held_copy::HeldCopy, order::UnitOrder};
use crate::{
    Failure, Folders,
    comparator::{Comparator, ComparatorSpec, ComparatorTuple, Environment, Environments},
    console::talk,
    corpus::{self, disk},
    planning::corpora,
    process,
    shared::{Kind, Shared},
};

/// A program that was written this recently may be written again without a new change time.
const TICK: Duration = Duration::from_millis(50);

/// Records the unit of an order, and returns the framed answer.
///
/// # Errors
/// Engine, corpus or comparator is not here (exit code 26) or has another digest (21), or the unit cannot be recorded.
pub fn answer(folders: &Folders, order: &UnitOrder) -> Result<Vec<u8>, Failure> {
    let unit = order.unit().ok_or_else(|| {
        let why =
            format!("the order's plan has no unit {:?}; the sender must correct it", order.unit);
        Failure::new(exit::USAGE, why)
    })?;
    let engine = engine(folders, &order.plan.engine_sha256)?;
    let repository = repository(folders, order)?;
    let repositories = BTreeMap::from([(repository.name.clone(), repository)]);
    let found = order.comparator.as_ref().map(|tuple| comparator(folders, order, tuple));
    let found = found.transpose()?;
    let recorder = Recorder {
        plan: &order.plan,
        repositories: &repositories,
        comparator: found.as_ref().map(|(spec, environment)| Comparator { spec, environment }),
        volt: None,
        cache: None,
        engine,
    };
    let scratch = Scratch::new("unit")?;
    let store = Store::at(scratch.path());
    let recorded = recorder
        .record_unit(&unit, &store, &mut HeldCopy::default())
        .map_err(|error| Failure::new(error.exit_code(), format!("{}: {error}", order.unit)))?;
    process::go_on()?;
    for repository in repositories.values() {
        repository.check().map_err(|error| Failure::new(error.exit_code(), error.to_string()))?;
    }
    frame(order, recorded, &store).map_err(|error| Failure::new(exit::IO, error.to_string()))
}

fn not_here(what: String) -> Failure {
    Failure::new(exit::NOT_HERE, what)
}

/// The program with a digest: this one, or one in the cache.
fn engine(folders: &Folders, sha256: &str) -> Result<PathBuf, Failure> {
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

/// The corpus of an order, in the cache.
fn repository(folders: &Folders, order: &UnitOrder) -> Result<corpus::Materialised, Failure> {
    let corpus = order
        .corpus()
        .ok_or_else(|| Failure::new(exit::USAGE, "the order names no corpus".to_owned()))?;
    let find = || {
        let found = corpus::Store::open(&folders.cache).find(corpus);
        found.map_err(|error| Failure::new(error.exit_code(), error.to_string()))
    };
    let mut found = find()?;
    if found.is_none()
        && let Some(shared) = &folders.store
    {
        corpora::fetch(folders, shared, corpus)?;
        found = find()?;
    }
    let Some(found) = found else {
        return Err(not_here(format!(
            "the corpus {} (commit {}) is not in the cache {}; copy the folder repos/ of the cache of the machine that \
             conducts the run, or run `parity run --list` here",
            corpus.name,
            corpus.commit,
            folders.cache.display()
        )));
    };
    let is_same = found.commit == corpus.commit
        && found.tree_sha256 == order.tree_sha256
        && found.status == order.status;
    if is_same {
        return Ok(found);
    }
    let why = format!(
        "the corpus {} in {} has commit {} and tree {}, asked for were {} and {}; delete that folder and fetch it again",
        corpus.name,
        found.path.display(),
        found.commit,
        found.tree_sha256,
        corpus.commit,
        order.tree_sha256
    );
    Err(Failure::new(exit::DIGEST, why))
}

/// The comparator of an order: the files of this checkout, and the environment in the cache. That the comparator that
/// ran is the one of the tuple is checked once more by its receipt, which is part of its answer.
fn comparator(
    folders: &Folders,
    order: &UnitOrder,
    tuple: &ComparatorTuple,
) -> Result<(ComparatorSpec, Environment), Failure> {
    let io = |error: &dyn std::fmt::Display| Failure::new(exit::IO, error.to_string());
    let other = |what: &str, found: &str, expected: &str| {
        let why = format!(
            "{what} is {found}, asked for was {expected}; use the checkout and the cache of the run's commit"
        );
        Failure::new(exit::DIGEST, why)
    };
    let spec = crate::planning::comparator::spec(folders)?;
    let (driver, lock) = (
        spec.driver_digest().map_err(|error| io(&error))?,
        Digest::of_file(&spec.lock()).map_err(|error| io(&error))?,
    );
    for (what, found, expected) in [
        ("the comparator's driver", driver.as_str(), tuple.driver_sha256.as_str()),
        ("the comparator's lock", lock.as_str(), tuple.lock_sha256.as_str()),
    ] {
        if found != expected {
            return Err(other(what, found, expected));
        }
    }
    let own = "comparators/aider/";
    for (file, expected) in order.plan.rests_on.iter().filter(|(file, _)| file.starts_with(own)) {
        let found = Digest::of_file(&folders.root.join(file)).map_err(|error| {
            not_here(format!("{file} is not in the checkout {}: {error}", folders.root.display()))
        })?;
        if found.as_str() != expected {
            return Err(other(file, found.as_str(), expected));
        }
    }
    let environments = Environments::new(&spec, &folders.cache).shared_by(folders.store.as_ref());
    let environment = match environments.ready() {
        Some(environment) => Some(environment),
        None => environments
            .from_shared(&mut talk)
            .map_err(|error| Failure::new(error.exit_code(), error.to_string()))?,
    };
    let Some(environment) = environment else {
        return Err(not_here(format!(
            "the comparator's environment (lock {lock}) is not in the cache {}; run `parity preflight` here, which \
             makes it",
            folders.cache.display()
        )));
    };
    let found = &environment.stamp.python_version;
    if *found != tuple.python_version {
        return Err(other("the comparator's Python", found, &tuple.python_version));
    }
    environment.check(&spec).map_err(|error| Failure::new(error.exit_code(), error.to_string()))?;
    Ok((spec, environment))
}
