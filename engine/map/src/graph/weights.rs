//! What a reference weighs, and what a file starts with.

use std::collections::{BTreeMap, BTreeSet};

use base::text::{characters, paths};
use serde::Serialize;

use super::RankingInput;

/// Factor for an identifier that the current turn mentions.
const MENTIONED_FACTOR: f64 = 10.0;
/// Factor for a long identifier of several words.
const COMPOUND_FACTOR: f64 = 10.0;
/// Factor for an identifier that starts with an underscore.
const PRIVATE_FACTOR: f64 = 0.1;
/// Factor for an identifier that is defined in many files.
const COMMON_FACTOR: f64 = 0.1;
/// Shortest compound identifier that counts as long, in code points.
const LONG_IDENT: usize = 8;
/// An identifier with more definers than this counts as common.
const COMMON_DEFINERS: usize = 5;
/// The total personalisation that is shared out over all files.
pub const PERSONALIZATION: f64 = 100.0;

/// A factor that multiplies the weight of every reference to an identifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Multiplier {
    /// The current turn mentions it.
    Mentioned,
    /// It is long and has several words.
    Compound,
    /// It starts with an underscore.
    Private,
    /// Many files define it.
    Common,
}

/// The product of the multipliers of an identifier.
pub fn ident_factor(ident: &str, definers: usize, mentioned: &BTreeSet<String>) -> f64 {
    multipliers(ident, definers, mentioned).fold(1.0, |product, (_, factor)| product * factor)
}

/// The multipliers of an identifier, in the order in which they are applied. Python's Unicode
/// predicates classify its characters.
pub fn multipliers(
    ident: &str,
    definers: usize,
    mentioned: &BTreeSet<String>,
) -> impl Iterator<Item = (Multiplier, f64)> + use<> {
    let has_letter = || ident.chars().any(characters::is_alpha);
    let is_snake = ident.contains('_') && has_letter();
    let is_kebab = ident.contains('-') && has_letter();
    let is_camel = ident.chars().any(char::is_uppercase) && ident.chars().any(char::is_lowercase);
    let is_compound = (is_snake || is_kebab || is_camel) && characters::length(ident) >= LONG_IDENT;
    [
        (mentioned.contains(ident), Multiplier::Mentioned, MENTIONED_FACTOR),
        (is_compound, Multiplier::Compound, COMPOUND_FACTOR),
        (ident.starts_with('_'), Multiplier::Private, PRIVATE_FACTOR),
        (definers > COMMON_DEFINERS, Multiplier::Common, COMMON_FACTOR),
    ]
    .into_iter()
    .filter_map(|(applies, name, factor)| applies.then_some((name, factor)))
}

/// Personalisation: each chat file and each mentioned file gets a share. A file also gets one share
/// if a component of its path, or its name without extension, is a mentioned identifier.
pub fn personalization(input: &RankingInput) -> BTreeMap<usize, f64> {
    let mut weights = BTreeMap::new();
    let RankingInput { chat, mentioned_files, mentioned_idents, .. } = input;
    // An empty message mentions the empty word, which no path contains.
    let is_plain = mentioned_idents.iter().all(String::is_empty);
    if chat.is_empty() && mentioned_files.is_empty() && is_plain {
        return weights;
    }
    let share = PERSONALIZATION / input.included.len() as f64;
    for &id in &input.included {
        let file = &input.sources.files[id].file;
        if !file.is_file {
            continue;
        }
        let mut weight = 0.0;
        if input.chat.contains(&id) {
            weight += share;
        }
        if input.mentioned_files.contains(&file.rel) {
            weight = share.max(weight);
        }
        let stem = paths::split_extension(paths::basename(&file.rel)).0;
        if paths::parts(&file.rel)
            .chain([stem])
            .any(|component| input.mentioned_idents.contains(component))
        {
            weight += share;
        }
        if weight > 0.0 {
            weights.insert(id, weight);
        }
    }
    weights
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::ident_factor;

    // Worked out by hand from the measured rules.
    #[test]
    fn factors_multiply_independently() {
        let none = BTreeSet::new();
        assert_eq!(ident_factor("run", 1, &none), 1.0);
        assert_eq!(ident_factor("run_all", 1, &none), 1.0);
        assert_eq!(ident_factor("run_them", 1, &none), 10.0);
        assert_eq!(ident_factor("runThems", 1, &none), 10.0);
        assert_eq!(ident_factor("RUNTHEMS", 1, &none), 1.0);
        assert_eq!(ident_factor("run-them", 1, &none), 10.0);
        assert_eq!(ident_factor("_run", 6, &none), 0.1 * 0.1);
        assert_eq!(ident_factor("________", 1, &none), 0.1);
        assert_eq!(ident_factor("run", 1, &BTreeSet::from(["run".to_owned()])), 10.0);
    }
}
