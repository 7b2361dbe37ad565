//! What a worker does: finds by digest what a unit needs, records the unit, and frames the recordings.
//!
//! A worker looks into the cache of its machine. What is not there it fetches from the shared store, if it was given
//! one, and from nowhere else.

mod engine;

use std::collections::BTreeMap;

use record::{Digest, Store, exit};

use super::{Recorder, answer::frame, held_copy::HeldCopy, order::UnitOrder};
use crate::{
    Failure, Folders,
    comparator::{Comparator, ComparatorSpec, ComparatorTuple, Environment, Environments},
    console::talk,
    corpus,
    planning::corpora,
    process,
};

/// Records units, one after another, and keeps what it made or checked for one of them for the next.
#[derive(Debug)]
pub struct Worker<'a> {
    folders: &'a Folders,
    comparator: Option<Installed>,
    held: HeldCopy,
}

/// A comparator that was found and checked.
#[derive(Debug)]
struct Installed {
    /// What the order said of it.
    asked: (ComparatorTuple, BTreeMap<String, String>),
    spec: ComparatorSpec,
    environment: Environment,
}

impl<'a> Worker<'a> {
    /// A worker that has recorded nothing yet.
    pub fn new(folders: &'a Folders) -> Self {
        Self { folders, comparator: None, held: HeldCopy::default() }
    }

    /// Records the unit of an order, and returns the framed answer.
    ///
    /// # Errors
    /// Engine, corpus or comparator is not here (exit code 26) or has another digest (21), or the unit cannot be
    /// recorded.
    pub fn answer(&mut self, order: &UnitOrder) -> Result<Vec<u8>, Failure> {
        let unit = order.unit().ok_or_else(|| {
            let why = format!(
                "the order's plan has no unit {:?}; the sender must correct it",
                order.unit
            );
            Failure::new(exit::USAGE, why)
        })?;
        let folders = self.folders;
        let engine = engine::find(folders, &order.plan.engine_sha256)?;
        let repository = repository(folders, order)?;
        let repositories = BTreeMap::from([(repository.name.clone(), repository)]);
        let comparator = order.comparator.as_ref();
        let comparator =
            comparator.map(|tuple| installed(&mut self.comparator, folders, order, tuple));
        let recorder = Recorder {
            plan: &order.plan,
            repositories: &repositories,
            comparator: comparator.transpose()?,
            volt: None,
            baselines: None,
            cache: None,
            engine,
        };
        let store = Store::in_memory();
        let recorded = recorder
            .record_unit(&unit, &store, &mut self.held)
            .map_err(|error| Failure::new(error.exit_code(), format!("{}: {error}", order.unit)))?;
        process::go_on()?;
        for repository in repositories.values() {
            repository
                .check()
                .map_err(|error| Failure::new(error.exit_code(), error.to_string()))?;
        }
        frame(order, recorded, &store).map_err(|error| Failure::new(exit::IO, error.to_string()))
    }
}

/// The comparator of an order. One that was checked for an earlier order is not checked again: its receipt, which is
/// part of each answer, has the digests of the files that its maps depend on.
fn installed<'a>(
    known: &'a mut Option<Installed>,
    folders: &Folders,
    order: &UnitOrder,
    tuple: &ComparatorTuple,
) -> Result<Comparator<'a>, Failure> {
    let asked = (tuple.clone(), order.plan.rests_on.clone());
    let found = match known.take() {
        Some(found) if found.asked == asked => found,
        _ => {
            let (spec, environment) = comparator(folders, order, tuple)?;
            Installed { asked, spec, environment }
        }
    };
    let Installed { spec, environment, .. } = known.insert(found);
    Ok(Comparator { spec, environment })
}

fn not_here(what: String) -> Failure {
    Failure::new(exit::NOT_HERE, what)
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
