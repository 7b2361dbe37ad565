//! The files that a run rests on: protocols, locks, gold and the comparator's own.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use record::{
    Digest, Gold, baselines, exit,
    protocol::{
        COMPOSITION, CONTRACTS, DEVIATIONS, FAMILIES, FLOORS, FORMATS, FREEZE, GATES, MODELS,
        NAVIGATION, NOISE, PATHS, QUESTIONS, RUNTIME, SCORING, SEQUENCES, TASKS, TOKENIZERS,
    },
    volt,
};
use verdict::gate::LanguageTable;

use super::Selection;
use crate::{
    Failure, Folders,
    comparator::{ComparatorSpec, Definition, FILE_NAME},
    corpus::Row,
};

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
    let mut files = below(folders, names);
    files.extend(own(spec).map(|name| of_comparator(spec, name)));
    Ok(files)
}

/// The files of a comparator's folder that determine its answers, relative to it.
fn own(spec: &ComparatorSpec) -> impl Iterator<Item = &str> {
    let Definition { install, run, .. } = &spec.definition;
    [FILE_NAME, &install.lock].into_iter().chain(run.files.iter().map(String::as_str))
}

/// A file of a comparator's folder: its path in the evidence and on this machine.
fn of_comparator(spec: &ComparatorSpec, name: &str) -> (String, PathBuf) {
    (format!("comparators/{}/{name}", spec.definition.name), spec.path.join(name))
}

/// Says which comparator it is, if a file that determines its answers differs from the checkout's.
///
/// # Errors
/// A file cannot be read.
pub(super) fn unpinned(
    folders: &Folders,
    spec: &ComparatorSpec,
) -> Result<Option<String>, Failure> {
    let pinned = super::comparator::spec(folders)?;
    let named = |spec: &ComparatorSpec| own(spec).map(str::to_owned).collect::<Vec<_>>();
    let mut same = named(spec) == named(&pinned);
    for name in own(spec) {
        same = same && digest_of(&spec.path.join(name))? == digest_of(&pinned.path.join(name))?;
    }
    let release = |spec: &ComparatorSpec| {
        let Definition { name, aider_release, .. } = &spec.definition;
        format!("{name} {aider_release}")
    };
    Ok((!same).then(|| format!("{}, not the pinned {}", release(spec), release(&pinned))))
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

/// The questions that summaries are judged by, and the program that asks other tools.
pub(super) fn of_summaries(folders: &Folders) -> BTreeMap<String, PathBuf> {
    let programs = baselines::FILES.map(str::to_owned).into_iter();
    below(folders, programs.chain([QUESTIONS.to_owned()]))
}

/// What navigation is judged by.
pub(super) fn of_navigation(folders: &Folders) -> BTreeMap<String, PathBuf> {
    below(folders, [NAVIGATION.to_owned()])
}

/// The program that asks the comparator about models. Their names belong to every run that A3 judges.
pub(super) fn of_models(spec: &ComparatorSpec) -> BTreeMap<String, PathBuf> {
    let parts = spec.definition.run.answer_many.iter();
    let scripts = parts.filter_map(|part| part.strip_prefix("{room}/"));
    scripts.map(|name| of_comparator(spec, name)).collect()
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

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use super::{own, unpinned};
    use crate::{Folders, comparator::ComparatorSpec};

    #[test]
    fn a_comparator_is_pinned_only_if_every_file_of_its_own_is_the_checkouts() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let place = tempfile::tempdir().unwrap();
        let folders = Folders { root, cache: place.path().to_owned(), store: None };
        let pinned = ComparatorSpec::open(&folders.comparator()).unwrap();
        assert_eq!(unpinned(&folders, &pinned).unwrap(), None);
        let room = place.path().join("room");
        for name in own(&pinned) {
            fs::create_dir_all(room.join(name).parent().unwrap()).unwrap();
            fs::copy(pinned.path.join(name), room.join(name)).unwrap();
        }
        let copied = ComparatorSpec::open(&room).unwrap();
        assert_eq!(unpinned(&folders, &copied).unwrap(), None);
        for name in own(&pinned) {
            let before = fs::read(room.join(name)).unwrap();
            fs::write(room.join(name), [&*before, b"\n# another one\n"].concat()).unwrap();
            let said = unpinned(&folders, &ComparatorSpec::open(&room).unwrap()).unwrap();
            assert!(said.is_some_and(|said| said.contains("not the pinned")), "{name}");
            fs::write(room.join(name), before).unwrap();
        }
    }
}
