//! The search: draws repositories, compares both sides, and keeps the differences.

use std::{
    collections::BTreeSet,
    io,
    path::PathBuf,
    time::{Duration, Instant},
};

use super::{
    Both, Declared, Difference, Drawn, Finding, Material, Outcome, Record, both::AskError, draw,
    shrink,
};
use crate::process;

/// Why a search could not go on.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// Both sides could not be run.
    #[error(transparent)]
    Ask(#[from] AskError),
    /// A finding could not be written.
    #[error("cannot write a finding: {0}")]
    Io(#[from] io::Error),
}

/// The limits of a search.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// How long new repositories are drawn.
    pub time: Duration,
    /// The most repositories that are drawn.
    pub repositories: u64,
    /// How often both sides are run to shrink one difference.
    pub shrinking: u64,
    /// How many differences are shrunk and written.
    pub findings: usize,
}

/// A search.
#[derive(Debug)]
pub struct Search<'a> {
    /// The text that repositories are made of.
    pub material: &'a Material,
    /// The declared deviations.
    pub declared: &'a Declared,
    /// The folder for findings; it need not exist.
    pub folder: PathBuf,
    /// Its limits.
    pub limits: Limits,
}

impl Search<'_> {
    /// Draws repositories, starting with the seed `record.seed`, until a limit is reached, and counts
    /// the results into `record`. `told` is called after each repository.
    ///
    /// # Errors
    /// A side cannot be run, or the disk fails. What was counted until then is in `record`.
    pub fn run(
        &self,
        both: &mut Both,
        record: &mut Record,
        told: &mut dyn FnMut(&Record),
    ) -> Result<(), SearchError> {
        let started = Instant::now();
        for number in 0..self.limits.repositories {
            if started.elapsed() >= self.limits.time || process::interrupted() {
                break;
            }
            let seed = record.seed.wrapping_add(number);
            let drawn = draw(self.material, seed);
            let outcome = both.ask(&drawn)?;
            self.count(both, record, seed, &drawn, outcome)?;
            record.seconds = started.elapsed().as_secs_f64();
            told(record);
        }
        Ok(())
    }

    fn count(
        &self,
        both: &mut Both,
        record: &mut Record,
        seed: u64,
        drawn: &Drawn,
        outcome: Outcome,
    ) -> Result<(), SearchError> {
        if outcome == Outcome::Impossible {
            return Ok(());
        }
        record.tried += 1;
        for path in drawn.files.keys() {
            let name = path.rsplit('/').next().unwrap_or(path);
            let ending = name.rsplit_once('.').map_or(String::new(), |(_, end)| format!(".{end}"));
            *record.files.entry(ending).or_default() += 1;
        }
        match outcome {
            Outcome::Equal { maps } => {
                record.compared += 1;
                record.equal_maps += maps;
            }
            Outcome::Unanswered(kind) => *record.unanswered.entry(kind).or_default() += 1,
            Outcome::Impossible => {}
            Outcome::Different { first, skipped } => {
                record.compared += 1;
                let covering = self.declared.files(drawn, &skipped);
                let mut ask = |rest: &Drawn| both.ask(rest).map_err(SearchError::from);
                match explained(&mut ask, drawn, &covering)? {
                    Explained::By(id) => {
                        *record.declared.entry(id).or_default() += 1;
                        return Ok(());
                    }
                    Explained::Undecided(id) => {
                        *record.undecided.entry(id).or_default() += 1;
                        return Ok(());
                    }
                    Explained::Not => {}
                }
                record.different += 1;
                if record.findings.len() < self.limits.findings {
                    let finding = self.finding(both, seed, &record.set, drawn, &first)?;
                    record.findings.push(finding);
                }
            }
        }
        Ok(())
    }

    /// Shrinks a difference and writes it.
    fn finding(
        &self,
        both: &mut Both,
        seed: u64,
        set: &str,
        drawn: &Drawn,
        first: &Difference,
    ) -> Result<Finding, SearchError> {
        let end = both.asked() + self.limits.shrinking;
        let (mut last, mut cut) = (first.clone(), false);
        let small = shrink(drawn, first, &mut |other: &Drawn| {
            if both.asked() >= end || process::interrupted() {
                cut = true;
                return Ok(false);
            }
            match both.ask(other)? {
                // A difference in another layer may have another cause, such as a declared deviation.
                Outcome::Different { first: found, .. } if found.layer == first.layer => {
                    last = found;
                    Ok(true)
                }
                _ => Ok::<_, SearchError>(false),
            }
        })?;
        let folder = self.folder.join(format!("{seed:016x}"));
        small.write(&folder)?;
        let third_party = self.material.is_foreign();
        std::fs::write(folder.join("README"), readme(seed, set, &last, third_party))?;
        Ok(Finding {
            seed,
            layer: last.layer,
            note: last.note,
            folder: folder.display().to_string(),
            files: [drawn.files.len(), small.files.len()],
            bytes: [drawn.size(), small.size()],
            shrunk: !cut,
            third_party,
        })
    }
}

/// Whether declared deviations explain a difference.
#[derive(Debug, PartialEq, Eq)]
enum Explained {
    /// Without the files that this row covers, or these rows together, both sides agree.
    By(String),
    /// Without those files no repository can be made, so this cannot be decided.
    Undecided(String),
    /// Both sides differ without those files as well.
    Not,
}

/// Looks for a row that explains a difference, or for all rows together.
fn explained(
    ask: &mut dyn FnMut(&Drawn) -> Result<Outcome, SearchError>,
    drawn: &Drawn,
    covering: &[(&str, BTreeSet<String>)],
) -> Result<Explained, SearchError> {
    let mut tried: Vec<(String, BTreeSet<&String>)> =
        covering.iter().map(|(id, files)| ((*id).to_owned(), files.iter().collect())).collect();
    if covering.len() > 1 {
        let ids: Vec<&str> = covering.iter().map(|(id, _)| *id).collect();
        tried.push((ids.join(" and "), covering.iter().flat_map(|(_, files)| files).collect()));
    }
    let mut undecided = None;
    for (id, covered) in tried {
        let rest = drawn.files.keys().filter(|path| !covered.contains(path)).cloned().collect();
        match ask(&drawn.with_files(&rest))? {
            Outcome::Equal { .. } => return Ok(Explained::By(id)),
            Outcome::Impossible => undecided = undecided.or(Some(id)),
            Outcome::Different { .. } | Outcome::Unanswered(_) => {}
        }
    }
    Ok(undecided.map_or(Explained::Not, Explained::Undecided))
}

fn readme(seed: u64, set: &str, difference: &Difference, third_party: bool) -> String {
    let Difference { case, budget, layer, note } = difference;
    let owner = if third_party {
        "The files are pieces of other projects: do not commit them. Write the smallest file of your own\n\
         that shows the same, as a corpus in corpora/authored/ or as a test."
    } else {
        "The files are made of texts of this project only."
    };
    format!(
        "Both sides differ on this repository: {layer}, case {case}, budget {budget}.\n{note}\n\n{owner}\n\n\
         Made again by: cargo parity fuzz --set {set} --seed {seed} --repositories 1\n"
    )
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::{Drawn, Explained, Outcome, SearchError, explained};
    use crate::fuzz::Difference;

    #[test]
    fn a_repository_that_cannot_be_made_agrees_with_nothing() {
        let drawn = Drawn::of(&[("a", ""), ("b", ""), ("c", "")], &[], Vec::new(), &[1024]);
        let files = |names: &[&str]| -> BTreeSet<String> {
            names.iter().map(|name| (*name).to_owned()).collect()
        };
        let first = Difference {
            case: String::new(),
            budget: 1024,
            layer: String::new(),
            note: String::new(),
        };
        let different = Outcome::Different { first, skipped: BTreeMap::new() };
        let one = vec![("one", files(&["a"]))];
        let both = vec![("one", files(&["a"])), ("two", files(&["b"]))];
        let said = |covering: &[(&str, BTreeSet<String>)], outcomes: &[&Outcome]| {
            let mut outcomes = outcomes.iter().copied().cloned();
            let mut left = Vec::new();
            let mut ask = |rest: &Drawn| {
                left.push(rest.files.len());
                Ok::<_, SearchError>(outcomes.next().unwrap())
            };
            let found = explained(&mut ask, &drawn, covering).unwrap();
            (found, left)
        };
        let (equal, impossible) = (Outcome::Equal { maps: 1 }, Outcome::Impossible);
        let by = |id: &str| Explained::By(id.to_owned());
        let undecided = |id: &str| Explained::Undecided(id.to_owned());
        assert_eq!(said(&one, &[&equal]), (by("one"), vec![2]));
        assert_eq!(said(&one, &[&different]), (Explained::Not, vec![2]));
        assert_eq!(said(&one, &[&impossible]), (undecided("one"), vec![2]));
        let outcomes = [&different, &different, &equal];
        assert_eq!(said(&both, &outcomes), (by("one and two"), vec![2, 2, 1]));
        let outcomes = [&different, &different, &impossible];
        assert_eq!(said(&both, &outcomes), (undecided("one and two"), vec![2, 2, 1]));
        // An agreement explains the difference, even if another row could not be tried.
        assert_eq!(said(&both, &[&impossible, &equal]), (by("two"), vec![2, 2]));
    }
}
