//! The search itself.

use std::{
    io,
    path::PathBuf,
    time::{Duration, Instant},
};

use super::{
    Both, Declared, Difference, Drawn, Finding, Material, Outcome, Record, both::AskError, draw,
    shrink,
};
use crate::process;

/// A search could not go on.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// Both sides could not be asked.
    #[error(transparent)]
    Ask(#[from] AskError),
    /// A finding could not be written.
    #[error("cannot write a finding: {0}")]
    Io(#[from] io::Error),
}

/// Where a search ends.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// How long repositories are drawn.
    pub time: Duration,
    /// How many are drawn at most.
    pub repositories: u64,
    /// How often both sides are asked to make one difference small.
    pub shrinking: u64,
    /// How many differences are made small and written down.
    pub findings: usize,
}

/// A search.
#[derive(Debug)]
pub struct Search<'a> {
    /// What repositories are made of.
    pub material: &'a Material,
    /// What may differ.
    pub declared: &'a Declared,
    /// The folder for findings; it need not exist.
    pub folder: PathBuf,
    /// Where it ends.
    pub limits: Limits,
}

impl Search<'_> {
    /// Draws repositories from `record.seed` on until a limit is reached, and counts into `record`.
    /// `told` is called after each.
    ///
    /// # Errors
    /// A side cannot be asked, or the disk fails. What was counted before stands in `record`.
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
                if let Some(id) = explained(both, drawn, &covering)? {
                    *record.declared.entry(id).or_default() += 1;
                    return Ok(());
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

    /// Makes a difference small and writes it down.
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
                // A difference of another layer may be another matter, such as a declared one.
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

/// The row that explains a difference: without the files that it covers, both sides agree.
fn explained(
    both: &mut Both,
    drawn: &Drawn,
    covering: &[(&str, std::collections::BTreeSet<String>)],
) -> Result<Option<String>, SearchError> {
    let agree = |both: &mut Both, files: &dyn Fn(&String) -> bool| {
        let rest = drawn.files.keys().filter(|path| !files(path)).cloned().collect();
        Ok::<_, SearchError>(matches!(
            both.ask(&drawn.with_files(&rest))?,
            Outcome::Equal { .. } | Outcome::Impossible
        ))
    };
    for (id, files) in covering {
        if agree(both, &|path| files.contains(path))? {
            return Ok(Some((*id).to_owned()));
        }
    }
    let all = |path: &String| covering.iter().any(|(_, files)| files.contains(path));
    if covering.len() > 1 && agree(both, &all)? {
        let ids: Vec<&str> = covering.iter().map(|(id, _)| *id).collect();
        return Ok(Some(ids.join(" and ")));
    }
    Ok(None)
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
         Made again by: cargo parity search --set {set} --seed {seed} --repositories 1\n"
    )
}
