//! `parity score`: explore the files with gold, and judge B1, B2 and B4.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    io::Write,
    num::NonZeroUsize,
    path::PathBuf,
    thread,
};

use clap::Args;
use record::{Digest, GateId, Gold, ProfileObject, exit, write_atomically};
use serde_json::json;

use super::{Failure, Folders, ProfileName, corpora::Corpora, run::Set, source::SourceState, talk};
use crate::{
    corpus,
    gold::{FileOf, Frozen, files_by_language, sample},
    process,
    score::{ScoreDir, ScoreEvaluation, ScorePlan, ScoredCorpus, Scorer, evaluate, table, worst},
};

/// Score explorations against the labels of independent front ends (gates B1, B2 and B4).
#[derive(Debug, Args)]
pub struct Score {
    /// Which set of corpora.
    #[arg(long, value_enum, default_value_t = Set::Smoke)]
    set: Set,
    /// Behave as the comparator does, or better than it.
    #[arg(long, value_enum, default_value_t = ProfileName::Parity)]
    profile: ProfileName,
    /// Only these gates, separated by commas: B1, B2, B4.
    #[arg(long, value_name = "GATE", value_delimiter = ',')]
    gate: Vec<GateId>,
    /// Only these languages, separated by commas.
    #[arg(long, value_name = "LANGUAGE", value_delimiter = ',')]
    language: Vec<String>,
    /// Only corpora whose name matches this regular expression.
    #[arg(long, value_name = "REGEX")]
    corpus: Option<regex::Regex>,
    /// How many programs run at once; as many as there are processors if left out.
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Also print the errors of the N worst files of each language, name by name.
    #[arg(long, value_name = "N")]
    worst: Option<usize>,
    /// Also write the table to this file.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Judge the recordings of an earlier run again; runs nothing.
    #[arg(long, value_name = "DIR")]
    replay: Option<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

impl Score {
    /// Explores, judges and prints.
    pub fn run(self) -> Result<u8, Failure> {
        let folder = match &self.replay {
            Some(folder) => folder.clone(),
            None => self.record()?,
        };
        let score =
            evaluate(&folder).map_err(|error| Failure::new(exit::SETUP, error.to_string()))?;
        self.print(&folder, &score)?;
        Ok(exit::of(score.evaluation.verdict))
    }

    /// Makes the recordings; returns their folder.
    fn record(&self) -> Result<PathBuf, Failure> {
        let folders = Folders::find()?;
        process::watch_for_interrupts()?;
        let frozen = Frozen::open(&folders.root)
            .map_err(|error| Failure::new(error.exit_code(), error.to_string()))?;
        let gold = self.gold(&frozen)?;
        let corpora = {
            let sets: &[&str] = match self.set {
                Set::Smoke => &["smoke"],
                Set::Full => &["full", "formats"],
            };
            Corpora::ensure(&folders, sets, self.corpus.as_ref())?
        };
        let plan = self.plan(&folders, &frozen, &gold, &corpora)?;
        if let Some(why) = plan.refusal() {
            return Err(Failure::new(exit::SETUP, why));
        }
        let io = |error: &dyn std::fmt::Display| Failure::new(exit::IO, error.to_string());
        let mut dir = ScoreDir::open(&folders.artifacts().join("scores"), &plan)
            .map_err(|error| io(&error))?;
        let mut files = [
            "protocols/v1/scoring.toml",
            "protocols/v1/formats.toml",
            "protocols/v1/explorer_family_matrix.v1.json",
        ]
        .map(str::to_owned)
        .to_vec();
        files.extend(gold.keys().map(|language| Gold::path(language)));
        for file in files {
            let bytes = fs::read(folders.root.join(&file))?;
            dir.write(&file, &bytes).map_err(|error| io(&error))?;
        }
        talk(&format!("exploring {} files in the {} profile", plan.size(), plan.profile_name()));
        let processors = || thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let roots = corpora
            .ready
            .into_iter()
            .map(|(row, path)| (row.name, path))
            .collect::<BTreeMap<_, _>>();
        let scorer = Scorer {
            plan: &plan,
            roots: &roots,
            engine: std::env::current_exe()?,
            workers: self.jobs.unwrap_or_else(processors).get(),
        };
        scorer.execute(&mut dir, &mut |_| ()).map_err(|error| {
            use crate::score::ScoreExecuteError::{Dir, Interrupted, Process, Store};
            let code = match error {
                Interrupted => exit::INCOMPLETE,
                Store(_) | Dir(_) => exit::IO,
                Process(_) => exit::SETUP,
            };
            Failure::new(code, error.to_string())
        })?;
        Ok(dir.path().to_owned())
    }

    /// The gates that are judged: the corpora of formats are in the full set only.
    fn gates(&self) -> Vec<GateId> {
        let known = match self.set {
            Set::Smoke => [GateId::B1, GateId::B2].as_slice(),
            Set::Full => [GateId::B1, GateId::B2, GateId::B4].as_slice(),
        };
        known
            .iter()
            .copied()
            .filter(|gate| self.gate.is_empty() || self.gate.contains(gate))
            .collect()
    }

    /// The gold of the languages that are asked for.
    fn gold(&self, frozen: &Frozen) -> Result<BTreeMap<String, Gold>, Failure> {
        let languages: Vec<&str> = frozen.languages().collect();
        if let Some(unknown) = self.language.iter().find(|one| !languages.contains(&one.as_str())) {
            let known = languages.join(", ");
            let why = format!("there is no gold for {unknown}; there is for: {known}");
            return Err(Failure::new(exit::USAGE, why));
        }
        // B4 alone needs no gold of code.
        let only_formats = self.gates() == [GateId::B4];
        languages
            .into_iter()
            .filter(|one| self.language.is_empty() || self.language.iter().any(|two| two == one))
            .filter(|one| !only_formats || frozen.formats.formats.contains_key(*one))
            .map(|language| {
                let gold = frozen
                    .gold(language)
                    .map_err(|error| Failure::new(error.exit_code(), error.to_string()))?;
                Ok((language.to_owned(), gold))
            })
            .collect()
    }

    fn plan(
        &self,
        folders: &Folders,
        frozen: &Frozen,
        gold: &BTreeMap<String, Gold>,
        corpora: &Corpora,
    ) -> Result<ScorePlan, Failure> {
        let mut planned = Vec::new();
        for (row, root) in &corpora.ready {
            let mut files: BTreeSet<String> = BTreeSet::new();
            for gold in gold.values() {
                let here = gold.labelled().filter(|file| file.corpus == row.name);
                for file in here {
                    let path = root.join(&file.file);
                    let found = Digest::of_file(&path).map_err(|error| {
                        Failure::new(exit::IO, format!("{}: {error}", path.display()))
                    })?;
                    if found.as_str() != file.sha256 {
                        let why =
                            format!("{} is not the file that gold was made from", path.display());
                        return Err(Failure::new(exit::DIGEST, why));
                    }
                    files.insert(file.file.clone());
                }
            }
            if self.language.is_empty() && self.gates().contains(&GateId::B2) {
                files.extend(others(frozen, gold, root)?);
            }
            if !files.is_empty() {
                planned.push(ScoredCorpus {
                    name: row.name.clone(),
                    commit: row.commit.clone(),
                    files: files.into_iter().collect(),
                });
            }
        }
        let contracts = Some(json!(frozen.scoring.comparator));
        let profile = ProfileObject::new(self.profile.into(), contracts);
        let source = SourceState::of(&folders.root)?;
        let fixtures = corpora.ready.iter().map(|(row, _)| (row.name.as_str(), row.fingerprint()));
        Ok(ScorePlan {
            schema_version: 1,
            set: self.set.name().to_owned(),
            profile,
            partial: !self.language.is_empty() || self.corpus.is_some(),
            gates: self.gates(),
            scoring_version: frozen.scoring.version,
            scoring_sha256: frozen.sha256.as_str().to_owned(),
            formats_version: frozen.formats.version,
            formats_sha256: frozen.formats_sha256.as_str().to_owned(),
            gold_sha256: gold
                .keys()
                .filter_map(|language| {
                    let digest = frozen.gold_digest(language)?;
                    Some((language.clone(), digest.as_str().to_owned()))
                })
                .collect(),
            fixtures_sha256: corpus::fixtures_sha256(fixtures),
            corpora: planned,
            skipped: corpora.skipped.clone(),
            engine_sha256: Digest::of_file(&std::env::current_exe()?)?.as_str().to_owned(),
            source_commit: source.commit,
            source_tree: source.tree,
        })
    }

    fn print(&self, folder: &std::path::Path, score: &ScoreEvaluation) -> Result<(), Failure> {
        let plan: ScorePlan = serde_json::from_slice(&fs::read(folder.join("plan.json"))?)
            .map_err(|error| Failure::new(exit::SETUP, format!("plan.json: {error}")))?;
        let table = table(&plan, score);
        if let Some(path) = &self.report {
            write_atomically(path, table.as_bytes())
                .map_err(|error| Failure::new(exit::IO, error.to_string()))?;
        }
        let evaluation = &score.evaluation;
        let document = json!({
            "schema_version": 1,
            "verdict": evaluation.verdict,
            "gates": evaluation.gates,
            "cells": evaluation.cells,
            "faults": score.faults,
            "profile": plan.profile,
            "fixtures_sha256": plan.fixtures_sha256,
            "scoring_version": plan.scoring_version,
            "scoring_sha256": plan.scoring_sha256,
            "run": folder,
        });
        if self.replay.is_none() {
            let bytes = serde_json::to_vec_pretty(&document)
                .map_err(|error| Failure::internal(error.to_string()))?;
            write_atomically(&folder.join("score.json"), &bytes)
                .map_err(|error| Failure::new(exit::IO, error.to_string()))?;
        }
        let mut out = std::io::stdout().lock();
        if self.json {
            writeln!(out, "{document}")?;
            return Ok(());
        }
        write!(out, "{table}")?;
        if let Some(count) = self.worst {
            write!(out, "\n{}", worst(score, count))?;
        }
        writeln!(out, "recordings: {}", folder.display())?;
        Ok(())
    }
}

/// Files of explorers without gold: what they hide must be told truly, too.
fn others(
    frozen: &Frozen,
    gold: &BTreeMap<String, Gold>,
    root: &std::path::Path,
) -> Result<Vec<String>, Failure> {
    let found: BTreeMap<String, Vec<FileOf>> =
        files_by_language(root).map_err(|error| Failure::new(exit::IO, error.to_string()))?;
    let limit = frozen.scoring.disclosure.max_files_per_explorer;
    let bytes = frozen.scoring.gold.max_file_bytes;
    let without = found.iter().filter(|(explorer, _)| !gold.contains_key(*explorer));
    Ok(without.flat_map(|(_, files)| sample(files, limit, bytes)).collect())
}
