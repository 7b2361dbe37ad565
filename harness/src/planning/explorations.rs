//! Which files are explored: those that have gold, and samples of all others.

use std::collections::{BTreeMap, BTreeSet};

use record::{Digest, Gold, exit};
use verdict::gate::Need;

use crate::{
    Failure,
    corpus::Materialised,
    gold::{Frozen, by_language, files as files_of, sample},
};

/// The gold that gates need, by language or format; if `only` names any, only of those.
pub(super) fn gold(
    frozen: &Frozen,
    needs: &BTreeSet<Need>,
    only: &[String],
) -> Result<BTreeMap<String, Gold>, Failure> {
    let languages: Vec<&str> = frozen.languages().collect();
    if let Some(unknown) = only.iter().find(|one| !languages.contains(&one.as_str())) {
        let known = languages.join(", ");
        let why = format!("there is no gold for {unknown}; there is for: {known}");
        return Err(Failure::new(exit::USAGE, why));
    }
    let need = |language: &str| {
        let of_format = frozen.formats.formats.contains_key(language);
        needs.contains(if of_format { &Need::FormatGold } else { &Need::CodeGold })
    };
    languages
        .into_iter()
        .filter(|one| need(one) && (only.is_empty() || only.iter().any(|other| other == one)))
        .map(|language| Ok((language.to_owned(), frozen.gold(language)?)))
        .collect()
}

/// The files of a corpus to explore, sorted. Each file with gold must be the one that the gold was made
/// from. With `others`, samples of files without gold are added: gates also check what their summaries
/// hide.
pub(super) fn files(
    frozen: &Frozen,
    gold: &BTreeMap<String, Gold>,
    corpus: &Materialised,
    others: bool,
) -> Result<BTreeSet<String>, Failure> {
    let mut files = BTreeSet::new();
    let labelled = gold.values().flat_map(Gold::labelled);
    for file in labelled.filter(|file| file.corpus == corpus.name) {
        let path = corpus.path.join(&file.file);
        let found = Digest::of_file(&path)
            .map_err(|error| Failure::new(exit::IO, format!("{}: {error}", path.display())))?;
        if found.as_str() != file.sha256 {
            let why = format!("{} is not the file that gold was made from", path.display());
            return Err(Failure::new(exit::DIGEST, why));
        }
        files.insert(file.file.clone());
    }
    if others {
        let found =
            files_of(&corpus.path).map_err(|error| Failure::new(exit::IO, error.to_string()))?;
        let found = by_language(&corpus.path, &found);
        let limit = frozen.scoring.disclosure.max_files_per_explorer;
        let bytes = frozen.scoring.gold.max_file_bytes;
        let without = found.iter().filter(|(explorer, _)| !gold.contains_key(*explorer));
        files.extend(without.flat_map(|(_, files)| sample(files, limit, bytes)));
    }
    Ok(files)
}
