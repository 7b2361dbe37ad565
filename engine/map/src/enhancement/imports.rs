//! The files that the files of the chat import, found by their paths.

use std::collections::{BTreeMap, BTreeSet};

use explore::{Input, Profile, Project, explore};

use super::modules::Modules;
use crate::{families::family, graph::RankingInput};

/// The part of the whole personalisation that the imported files get together.
const SHARE: f64 = 0.5;

/// Adds the files that files of the chat import to the personalisation.
pub fn seed(input: &RankingInput, personalization: &mut BTreeMap<usize, f64>) {
    let imported = imported(input);
    let whole: f64 = personalization.values().sum();
    for file in &imported {
        *personalization.entry(*file).or_default() += SHARE * whole / imported.len() as f64;
    }
}

/// The files outside the chat that files of the chat import.
fn imported(input: &RankingInput) -> BTreeSet<usize> {
    let mut imported = BTreeSet::new();
    if input.chat.is_empty() {
        return imported;
    }
    let modules = Modules::of(input);
    for &file in &input.chat {
        let source = &input.sources.files[file];
        let rel = source.file.rel.as_str();
        let read = Input::memory(rel, source.text().as_bytes());
        let found = explore(&read, &Project::default(), Profile::Enhancement);
        let family_of = |file: usize| input.sources.files[file].key.and_then(family);
        let fits = |one: &usize| match (family_of(file), family_of(*one)) {
            (Some(own), Some(other)) => own == other,
            _ => true,
        };
        for import in &found.imports {
            imported.extend(modules.resolve(rel, import).into_iter().filter(fits));
        }
    }
    imported.retain(|file| !input.chat.contains(file));
    imported
}
