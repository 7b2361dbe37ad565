//! Which languages the corpora prove: how many real files of each, against floors that only rise.
//!
//! A language is proven by ten real files or more; with fewer it is called synthetic, because only authored
//! files test it well. Files and tags are counted in the comparator's recordings, never in our engine's.
//!
//! If an optional corpus is not available, the floors of the set cannot be reached. Then only the
//! required corpora are counted, against floors of their own, and every cell says so.

mod table;

use std::collections::BTreeMap;

use rayon::prelude::*;
use record::{Cell, Profile, Set, TagKind, protocol::FLOORS};
use serde::Deserialize;

use super::{Gate, GateId, Judge, Need, Place};
use crate::{
    Comparator, Evidence, Missing, RunView,
    protocol::{Protocol, ProtocolError},
};

pub use table::LanguageTable;

pub(super) const NAME: &str = "languages";
const GATE: GateId = GateId::Languages;

/// The gate.
#[derive(Debug)]
pub struct Languages;

impl Gate for Languages {
    fn title(&self) -> &'static str {
        "real files behind each language"
    }

    fn profiles(&self) -> &'static [Profile] {
        &[Profile::Parity]
    }

    fn needs(&self, _: Profile) -> &'static [Need] {
        &[Need::Answers]
    }

    fn judge(&self, protocol: &Protocol) -> Result<Box<dyn Judge>, ProtocolError> {
        let table = LanguageTable::read(protocol.root())?;
        Ok(Box::new(Rules { floors: protocol.toml(FLOORS)?, table }))
    }
}

struct Rules {
    floors: Floors,
    table: LanguageTable,
}

impl Judge for Rules {
    fn run(&self, run: &RunView) -> Vec<Cell> {
        cells(run.evidence, &self.floors, &self.table)
    }
}

/// The floors: `floors.toml` of the protocol.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Floors {
    /// Version of the protocol these belong to.
    pub protocol_version: u32,
    /// Fewest real files that prove a language.
    pub min_real_files: u64,
    /// Floors by set of corpora, then by language key.
    pub sets: BTreeMap<Set, BTreeMap<String, Counts>>,
    /// The same for the required corpora of a set alone.
    #[serde(default)]
    pub required: BTreeMap<Set, BTreeMap<String, Counts>>,
}

/// Which corpora are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counted {
    /// All that were run.
    All,
    /// The required ones.
    Required,
}

/// What a set of corpora holds of a language.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counts {
    /// Real files that yield a tag.
    pub files: u64,
    /// Definitions in them.
    pub definitions: u64,
}

impl LanguageTable {
    /// What the comparator found in one corpus.
    fn count(
        &self,
        comparator: &Comparator,
        corpus: &str,
    ) -> Result<BTreeMap<&str, Counts>, Missing> {
        let tags = comparator.response().tags.as_ref();
        let tags = tags.ok_or_else(|| Missing(format!("{corpus}: no tags recorded")))?;
        let mut counts = BTreeMap::<&str, Counts>::new();
        for (file, tags) in tags.iter().filter(|(_, tags)| !tags.is_empty()) {
            if let Some(language) = self.language_of(file) {
                let count = counts.entry(language).or_default();
                count.files += 1;
                count.definitions +=
                    tags.iter().filter(|(_, _, kind)| *kind == TagKind::Definition).count() as u64;
            }
        }
        Ok(counts)
    }
}

/// Counts the real files and their definitions in the evidence, by language; every language of
/// the parity profile has an entry.
pub fn real_files(
    evidence: &Evidence,
    table: &LanguageTable,
    counted: Counted,
) -> Result<BTreeMap<String, Counts>, Missing> {
    let mut counts: BTreeMap<String, Counts> =
        table.parity().map(|key| (key.to_owned(), Counts::default())).collect();
    let mapped = evidence.plan.corpora.par_iter().filter(|corpus| !corpus.cases.is_empty());
    let real = mapped.filter(|corpus| !corpus.authored);
    let each: Vec<Result<BTreeMap<&str, Counts>, Missing>> = real
        .filter(|corpus| counted == Counted::All || !corpus.optional)
        .map(|corpus| table.count(&evidence.comparator(corpus)?, &corpus.name))
        .collect();
    for found in each {
        for (language, found) in found? {
            if let Some(count) = counts.get_mut(language) {
                count.files += found.files;
                count.definitions += found.definitions;
            }
        }
    }
    Ok(counts)
}

/// The cells of the gate: files and definitions of each language. Those with a floor are judged
/// by it, unless only a part of the set was run; the others are reported.
fn cells(evidence: &Evidence, floors: &Floors, table: &LanguageTable) -> Vec<Cell> {
    let place = |language| Place { corpus: language, case: "", budget: None };
    let plan = &evidence.plan;
    let of = if plan.skipped.is_empty() { Counted::All } else { Counted::Required };
    let counts = match real_files(evidence, table, of) {
        Ok(counts) => counts,
        Err(Missing(why)) => return vec![place("all").not_run(GATE, "real_files", &why)],
    };
    let set = floors.of(plan.set, of).filter(|_| !plan.partial);
    let mut cells = Vec::new();
    for (language, count) in &counts {
        let floor = set.and_then(|set| set.get(language));
        for (metric, value, floor) in [
            ("real_files", count.files, floor.map(|floor| floor.files)),
            ("definitions", count.definitions, floor.map(|floor| floor.definitions)),
        ] {
            let mut cell = place(language).at_least(GATE, metric, value, floor);
            cell.note = standing(count.files, floors.min_real_files);
            if of == Counted::Required {
                let skipped = plan.skipped.len();
                cell.note +=
                    &format!("; {skipped} optional corpora skipped, required ones counted");
            }
            cells.push(cell);
        }
    }
    let unknown = set.into_iter().flatten().filter(|(language, _)| !counts.contains_key(*language));
    cells.extend(unknown.map(|(language, _)| {
        place(language).not_run(
            GATE,
            "real_files",
            "no language of the parity profile has this key",
        )
    }));
    if set.is_none() && !plan.partial {
        let why = format!("{FLOORS} has no floors for the set {} ({of:?} corpora)", plan.set);
        cells.push(place("all").not_run(GATE, "real_files", &why));
    }
    cells
}

impl Floors {
    /// The floors of a set of corpora.
    fn of(&self, set: Set, counted: Counted) -> Option<&BTreeMap<String, Counts>> {
        match counted {
            Counted::All => self.sets.get(&set),
            Counted::Required => self.required.get(&set),
        }
    }
}

/// Whether the number of real files makes a language proven or synthetic, in words.
fn standing(files: u64, min_real_files: u64) -> String {
    if files >= min_real_files { "proven".to_owned() } else { "synthetic".to_owned() }
}

/// The counts as rows of the floors file.
pub fn as_floors(set: Set, counted: Counted, counts: &BTreeMap<String, Counts>) -> String {
    use std::fmt::Write as _;
    let table = match counted {
        Counted::All => "sets",
        Counted::Required => "required",
    };
    let mut out = format!("[{table}.{set}]\n");
    for (language, count) in counts.iter().filter(|(_, count)| count.files > 0) {
        let Counts { files, definitions } = count;
        let _ = writeln!(out, "{language} = {{ files = {files}, definitions = {definitions} }}");
    }
    out
}

#[cfg(test)]
mod tests {
    use record::Set;

    use super::{Counted, Counts, Floors, as_floors, standing};

    #[test]
    fn ten_real_files_prove_a_language() {
        assert_eq!(standing(9, 10), "synthetic");
        assert_eq!(standing(10, 10), "proven");
    }

    #[test]
    fn printed_floors_can_be_read() {
        let counts = [("go", 3), ("zig", 0)]
            .map(|(key, files)| (key.to_owned(), Counts { files, definitions: 7 }));
        let text = format!(
            "protocol_version = 1\nmin_real_files = 10\nsets = {{}}\n{}",
            as_floors(Set::Smoke, Counted::Required, &counts.into())
        );
        let floors: Floors =
            toml::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        let required = floors.of(Set::Smoke, Counted::Required).unwrap();
        assert_eq!(required["go"], Counts { files: 3, definitions: 7 });
        assert_eq!((required.len(), floors.of(Set::Smoke, Counted::All)), (1, None));
    }
}
