//! The files that a run rests on: protocols, locks, gold and the comparator's own.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use record::{
    Digest, Gold, exit,
    protocol::{
        COMPOSITION, CONTRACTS, DEVIATIONS, FAMILIES, FLOORS, FORMATS, FREEZE, GATES, MODELS,
        NOISE, PATHS, RUNTIME, SCORING, SEQUENCES, TASKS, TOKENIZERS,
    },
    volt,
};
use verdict::gate::LanguageTable;

use super::Selection;
use crate::{Failure, Folders, comparator::ComparatorSpec, corpus::Row};

/// Protocols, locks and comparator files: path in the evidence, path on this machine.
pub(super) fn of(
    folders: &Folders,
    spec: &ComparatorSpec,
) -> Result<BTreeMap<String, PathBuf>, Failure> {
    let mut names = LanguageTable::files(&folders.root)
        .map_err(|error| Failure::new(exit::SETUP, error.to_string()))?;
    names.extend(
        [COMPOSITION, FREEZE, GATES, DEVIATIONS, FLOORS, MODELS, NOISE, TOKENIZERS, SEQUENCES]
            .map(str::to_owned),
    );
    let locks = fs::read_dir(folders.root.join("corpora"))?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name.ends_with(".lock.toml"));
    names.extend(locks.map(|name| format!("corpora/{name}")));
    let definition = &spec.definition;
    let own = ["comparator.toml".to_owned(), definition.install.lock.clone()];
    let own = own.iter().chain(&definition.run.files);
    names.extend(own.map(|name| format!("comparators/{}/{name}", definition.name)));
    Ok(below(folders, names))
}

/// The files that explorations are judged by.
pub(super) fn of_explorations<'a>(
    folders: &Folders,
    gold: impl Iterator<Item = &'a String>,
) -> BTreeMap<String, PathBuf> {
    let protocols = [SCORING, FORMATS, FAMILIES].map(str::to_owned).into_iter();
    below(folders, protocols.chain(gold.map(|language| Gold::path(language))))
}

/// The files that the store of large content is judged by.
pub(super) fn of_store(folders: &Folders) -> BTreeMap<String, PathBuf> {
    below(folders, [PATHS, CONTRACTS, RUNTIME].map(str::to_owned))
}

/// The file that tasks are judged by.
pub(super) fn of_tasks(folders: &Folders) -> BTreeMap<String, PathBuf> {
    below(folders, [TASKS.to_owned()])
}

/// The program that asks the comparator about models. Their names belong to every run that A3 judges.
pub(super) fn of_models(folders: &Folders, spec: &ComparatorSpec) -> BTreeMap<String, PathBuf> {
    let definition = &spec.definition;
    let scripts = definition.run.answer_many.iter().filter_map(|part| part.strip_prefix("{room}/"));
    let scripts = scripts.map(|name| format!("comparators/{}/{name}", definition.name));
    below(folders, scripts)
}

/// The files that say how a checkout of Volt is run.
pub(super) fn of_volt(folders: &Folders) -> BTreeMap<String, PathBuf> {
    below(folders, [volt::DEFINITION, volt::ADAPTER].map(str::to_owned))
}

/// The file that locks each corpus, relative to the checkout. Files that are not yet among `files` are
/// added to it.
pub(super) fn corpus_files(
    selection: &Selection,
    files: &mut BTreeMap<String, PathBuf>,
    folders: &Folders,
) -> Result<BTreeMap<String, String>, Failure> {
    let locks = files
        .iter()
        .filter(|(name, _)| name.ends_with(".lock.toml"))
        .map(|(name, path)| Ok((name.clone(), fs::read_to_string(path)?)))
        .collect::<Result<Vec<_>, Failure>>()?;
    // A lock names each of its corpora on a line of its own.
    let file_of = |row: &Row| {
        let line = format!("name = \"{}\"", row.name);
        let found = locks.iter().find(|(_, text)| text.lines().any(|other| other == line));
        found.map_or_else(String::new, |(path, _)| path.clone())
    };
    let rows = selection.rows.iter().map(|row| (row.name.clone(), file_of(row)));
    let authored = selection.authored.iter().map(|corpus| {
        (corpus.name().to_owned(), format!("corpora/authored/{}/authored.toml", corpus.name()))
    });
    let corpus_files: BTreeMap<String, String> = rows.chain(authored).collect();
    files.extend(below(folders, corpus_files.values().cloned()));
    Ok(corpus_files)
}

/// Digest of a file.
pub(super) fn digest_of(path: &Path) -> Result<String, Failure> {
    Digest::of_file(path).map(Into::into).map_err(|error| {
        Failure::new(exit::IO, format!("{} cannot be read: {error}", path.display()))
    })
}

fn below(folders: &Folders, names: impl IntoIterator<Item = String>) -> BTreeMap<String, PathBuf> {
    names.into_iter().map(|name| (name.clone(), folders.root.join(name))).collect()
}
