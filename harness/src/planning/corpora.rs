//! Selects the corpora that a command works on and makes them ready.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
};

use record::{PlannedCorpus, Set, exit};

use super::Wanted;
use crate::{
    Failure, Folders,
    console::talk,
    corpus::{
        self, Authored, Cost, Lock, Materialised, Progress, Row,
        fetch::{FetchError, client::ClientError},
        lock::Registry,
        store::StoreError,
    },
    process,
    shared::Shared,
};

/// The authored corpora that are part of every set: the slice, and the one whose maps are cut off in
/// each of the stages.
const IN_EVERY_SET: [&str; 2] = [super::SLICE, "stages"];

/// The corpora of a selection: locked rows and authored folders.
#[derive(Debug)]
pub struct Selection {
    /// Locked rows.
    pub rows: Vec<Row>,
    /// Authored folders.
    pub authored: Vec<Authored>,
}

/// Corpora that are ready, and those that are not available here.
#[derive(Debug)]
pub struct Corpora {
    /// Row and repository, sorted by name.
    pub ready: Vec<(Row, Materialised)>,
    /// The reason, by name, for optional corpora that are absent.
    pub skipped: BTreeMap<String, String>,
}

/// What a run needs corpora for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Parts<'a> {
    /// Maps of their cases.
    pub maps: bool,
    /// Explorations or summaries of their files.
    pub explores: bool,
    /// Maps of tasks.
    pub tasks: bool,
    /// Names of corpora that are navigated, of whatever set they are.
    pub navigated: &'a BTreeSet<&'a str>,
    /// The authored corpus that scenarios of the store run on, if there are any.
    pub stores: Option<&'a str>,
}

/// The corpora of a run that are ready.
#[derive(Debug)]
pub(super) struct Ready {
    /// Repositories by name.
    pub repositories: BTreeMap<String, Materialised>,
    /// The rows of those that are locked, by name.
    pub rows: BTreeMap<String, Row>,
    /// The reason, by name, for optional corpora that are absent.
    pub skipped: BTreeMap<String, String>,
}

impl Selection {
    /// Selects corpora by set and by name: those that any part of the run needs.
    pub(super) fn of(
        folders: &Folders,
        wanted: &Wanted,
        parts: &Parts<'_>,
    ) -> Result<Self, Failure> {
        let Parts { maps, explores, tasks, navigated, stores } = *parts;
        let lock = lock(folders)?;
        let names = wanted.corpora.as_ref();
        let fits = |name: &str| names.is_none_or(|names| names.is_match(name));
        let mut sets: Vec<&str> = if maps { vec![wanted.set.as_str()] } else { Vec::new() };
        if explores {
            sets.extend(wanted.set.explored());
        }
        if tasks {
            sets.push(super::tasks::SET);
        }
        let in_sets = |row: &&Row| {
            sets.iter().any(|set| row.sets.contains(*set)) || navigated.contains(row.name.as_str())
        };
        let rows: Vec<Row> =
            lock.rows().filter(|row| in_sets(row) && fits(&row.name)).cloned().collect();
        let authored: Vec<Authored> = Authored::load_all(&folders.root.join("corpora/authored"))
            .map_err(|error| Failure::new(error.exit_code(), error.to_string()))?
            .into_iter()
            .filter(|authored| {
                (maps && IN_EVERY_SET.contains(&authored.name())) || stores == Some(authored.name())
            })
            .filter(|authored| fits(authored.name()))
            .collect();
        if rows.is_empty() && authored.is_empty() {
            let known: Vec<&str> =
                lock.rows().filter(in_sets).map(|row| row.name.as_str()).collect();
            return Err(Failure::new(
                exit::NOTHING_RAN,
                format!(
                    "no corpus of the set {} matches {}; there are: {}",
                    wanted.set,
                    names.map_or("", regex::Regex::as_str),
                    known.join(", ")
                ),
            ));
        }
        Ok(Self { rows, authored })
    }

    /// What the comparator costs on the locked corpora for which that was measured.
    pub(super) fn costs(&self) -> BTreeMap<String, Cost> {
        let measured = |row: &Row| Some((row.name.clone(), row.comparator_cost()?));
        self.rows.iter().filter_map(measured).collect()
    }

    pub(super) fn needs_npm(&self) -> bool {
        self.rows.iter().any(|row| row.registry == Registry::Npm)
    }

    /// The fingerprint of each corpus, by name.
    pub(super) fn fingerprints(&self) -> BTreeMap<String, String> {
        let rows = self.rows.iter().map(|row| (row.name.clone(), row.fingerprint()));
        let authored =
            self.authored.iter().map(|corpus| (corpus.name().to_owned(), corpus.fingerprint()));
        rows.chain(authored).collect()
    }
}

impl Corpora {
    /// Makes the locked corpora ready that belong to any of the sets and whose names match.
    ///
    /// # Errors
    /// A required corpus is not available, or none matches.
    pub fn ensure(
        folders: &Folders,
        sets: &[&str],
        names: Option<&regex::Regex>,
    ) -> Result<Self, Failure> {
        let lock = lock(folders)?;
        let wanted = |row: &&Row| sets.iter().any(|set| row.sets.contains(*set));
        let fits = |row: &&Row| names.is_none_or(|names| names.is_match(&row.name));
        let rows = lock.rows().filter(wanted).filter(fits);
        let corpora = Self::of(folders, rows, &mut *corpus::progress::on_stderr(false))?;
        if corpora.ready.is_empty() {
            let why = format!("no corpus of the set {} is selected", sets.join(" or "));
            return Err(Failure::new(exit::NOTHING_RAN, why));
        }
        Ok(corpora)
    }

    /// Makes rows ready; an optional one that is not available is skipped, with a message.
    fn of<'a>(
        folders: &Folders,
        rows: impl Iterator<Item = &'a Row>,
        progress: &mut dyn Progress,
    ) -> Result<Self, Failure> {
        let store = folders.corpora();
        store.collect();
        let mut corpora = Self { ready: Vec::new(), skipped: BTreeMap::new() };
        for row in rows {
            process::go_on()?;
            match store.ensure(row, progress) {
                Ok(ready) => {
                    if let Some(shared) = &folders.store {
                        corpus::fetch::into_shared(shared, row, &folders.cache);
                    }
                    corpora.ready.push((row.clone(), ready));
                }
                Err(error) => match error.absence().filter(|_| !row.required) {
                    Some(why) => {
                        talk(&format!("SKIP {}: {why} ({error})", row.name));
                        corpora.skipped.insert(row.name.clone(), why.to_owned());
                    }
                    None => return Err(Failure::new(error.exit_code(), error.to_string())),
                },
            }
        }
        Ok(corpora)
    }
}

/// Makes the corpora of a run ready.
pub(super) fn ready(
    folders: &Folders,
    selection: &Selection,
    set: Set,
    progress: &mut dyn Progress,
) -> Result<Ready, Failure> {
    let corpora = Corpora::of(folders, selection.rows.iter(), progress)?;
    let skipped = corpora.skipped;
    let (mut repositories, mut rows) = (BTreeMap::new(), BTreeMap::new());
    for (row, ready) in corpora.ready {
        repositories.insert(row.name.clone(), ready);
        rows.insert(row.name.clone(), row);
    }
    let store = folders.corpora();
    for authored in &selection.authored {
        process::go_on()?;
        let ready = store
            .ensure_authored(authored)
            .map_err(|error| Failure::new(error.exit_code(), error.to_string()))?;
        repositories.insert(ready.name.clone(), ready);
    }
    if repositories.is_empty() {
        let names: Vec<&str> = skipped.keys().map(String::as_str).collect();
        let why = format!("every corpus of the set {set} was skipped: {}", names.join(", "));
        return Err(Failure::new(exit::NOTHING_RAN, why));
    }
    if !skipped.is_empty() {
        let optional = selection.rows.iter().filter(|row| !row.required).count();
        talk(&format!("{} of {optional} optional corpora skipped", skipped.len()));
    }
    Ok(Ready { repositories, rows, skipped })
}

/// Makes a planned corpus ready on a machine that does not have it: an authored one of the checkout, a locked one of the
/// artifact in a store. Nothing is done if the checkout does not know it, or if the store does not have it.
///
/// # Errors
/// It is something else than the lock says, or cannot be made.
pub fn fetch(folders: &Folders, shared: &Shared, corpus: &PlannedCorpus) -> Result<(), Failure> {
    let failed = |code: u8, error: &dyn std::fmt::Display| Failure::new(code, error.to_string());
    if corpus.authored {
        let all = Authored::load_all(&folders.root.join("corpora/authored"))
            .map_err(|error| failed(error.exit_code(), &error))?;
        let is_it = |one: &&Authored| one.fingerprint() == corpus.fingerprint;
        let Some(authored) = all.iter().find(is_it) else { return Ok(()) };
        let made = corpus::Store::open(&folders.cache).ensure_authored(authored);
        return made.map(|_| ()).map_err(|error| failed(error.exit_code(), &error));
    }
    let lock = lock(folders)?;
    let is_it = |row: &&Row| row.name == corpus.name && row.fingerprint() == corpus.fingerprint;
    let Some(row) = lock.rows().find(is_it) else { return Ok(()) };
    let from = shared.clone();
    let store = corpus::Store::with_download(&folders.cache, move |row, _, into| {
        corpus::fetch::from_shared(&from, row, into).ok_or_else(|| ClientError::NoFile {
            client: "parity-store",
            file: row.artifact.clone(),
        })
    });
    match store.ensure(row, &mut *corpus::progress::on_stderr(true)) {
        // The caller says what is missing.
        Err(StoreError::Fetch(FetchError::Client { .. })) | Ok(_) => Ok(()),
        Err(error) => Err(failed(error.exit_code(), &error)),
    }
}

/// The locked repositories of a set, by name, for benchmarks.
///
/// # Errors
/// One of them is not available.
pub fn repositories(folders: &Folders, set: &str) -> Result<BTreeMap<String, PathBuf>, Failure> {
    let lock = lock(folders)?;
    let store = folders.corpora();
    lock.rows()
        .filter(|row| row.sets.contains(set))
        .map(|row| {
            let ready = store
                .ensure(row, &mut *corpus::progress::on_stderr(false))
                .map_err(|error| Failure::new(error.exit_code(), error.to_string()))?;
            Ok((ready.name, ready.path))
        })
        .collect()
}

fn lock(folders: &Folders) -> Result<Lock, Failure> {
    Lock::load_dir(&folders.root.join("corpora"))
        .map_err(|error| Failure::new(error.exit_code(), error.to_string()))
}
