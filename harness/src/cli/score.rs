//! `parity score`: the short form of a run of the gates that judge explorations.

use std::{
    num::NonZeroUsize,
    path::{Path, PathBuf},
};

use clap::Args;
use record::{Plan, Profile, ProfileObject, Set, exit, protocol::SCORING, write_atomically};
use serde_json::json;
use verdict::{
    Evaluation, Evidence, Protocol,
    explorations::Scoring,
    gate::{GateId, explores, gates_of},
};

use super::{ProfileName, SetName, run::print_plan};
use crate::{
    Failure, Folders,
    comparator::volt::known,
    console::{Output, talk},
    corpus,
    planning::{Raw, Setup, Wanted},
    process,
    report::explorations::{table, worst},
    run::{Beginning, Conduct, evidence_in, judge, publish},
};

/// Score explorations against the labels of independent front ends (gates B1, B2 and B4).
///
/// The same as `parity run --gate B1,B2,B4`, with a table of languages and formats.
#[derive(Debug, Args)]
pub struct Score {
    /// Which set of corpora.
    #[arg(long, value_enum, default_value_t = SetName::Smoke)]
    set: SetName,
    /// Behave as the comparator does, or better than it.
    #[arg(long, value_enum, default_value_t = ProfileName::Parity)]
    profile: ProfileName,
    /// Only these gates of explorations, separated by commas.
    #[arg(long, value_name = "GATE", value_delimiter = ',')]
    gate: Vec<GateId>,
    /// Only these languages, separated by commas.
    #[arg(long, value_name = "LANGUAGE", value_delimiter = ',')]
    language: Vec<String>,
    /// Only corpora whose name matches this regular expression.
    #[arg(long, value_name = "REGEX")]
    corpus: Option<regex::Regex>,
    /// How many programs run at once [default: one for each processor].
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Also print the errors of the N worst files of each language, name by name.
    #[arg(long, value_name = "N")]
    worst: Option<usize>,
    /// Also write the table to this file.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Judge the recordings of an earlier run or bundle again; runs nothing.
    #[arg(long, value_name = "DIR", conflicts_with = "list")]
    replay: Option<PathBuf>,
    /// Check everything and print what would run; runs nothing.
    #[arg(long)]
    list: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

impl Score {
    /// Explores, judges and prints.
    pub fn run(self) -> Result<u8, Failure> {
        if let Some(folder) = &self.replay {
            let evidence = evidence_in(folder);
            let evaluation = judge(&evidence)?;
            let printed = self.print(folder, &evidence, &evaluation);
            return Failure::after(printed, exit::of(evaluation.verdict));
        }
        let folders = Folders::find()?;
        let wanted = self.wanted()?;
        let beginning = Beginning::now();
        let mut progress = corpus::progress::on_stderr(false);
        let setup = Setup::prepare(&folders, &wanted, &mut *progress)?;
        if self.list {
            print_plan(&setup.plan, self.json)?;
            return Ok(exit::PASS);
        }
        let files = setup.plan.explored();
        talk(&format!("exploring {files} files in the {} profile", setup.plan.profile));
        let conduct = Conduct { jobs: self.jobs, ..Conduct::default() };
        let (dir, evaluation) = conduct.run(&folders, &setup)?;
        publish(&folders, &setup, &dir, &evaluation, &beginning, None)?;
        process::go_on()?;
        let printed = self.print(dir.path(), &dir.evidence(), &evaluation);
        Failure::after(printed, exit::of(evaluation.verdict))
    }

    fn wanted(&self) -> Result<Wanted, Failure> {
        let (set, profile) = (self.set.into(), self.profile.into());
        let known = scored(profile, set);
        if let Some(other) = self.gate.iter().find(|gate| !known.contains(gate)) {
            let names: Vec<&str> = known.iter().map(|gate| gate.as_str()).collect();
            let why =
                format!("parity score has no gate {other} here; it has: {}", names.join(", "));
            return Err(Failure::new(exit::USAGE, why));
        }
        Ok(Wanted {
            set,
            profile,
            gates: if self.gate.is_empty() { known } else { self.gate.clone() },
            corpora: self.corpus.clone(),
            budgets: Vec::new(),
            languages: self.language.clone(),
            raw: Raw::Due,
            comparator: None,
        })
    }

    fn print(
        &self,
        folder: &Path,
        evidence: &Path,
        evaluation: &Evaluation,
    ) -> Result<(), Failure> {
        let set_up = |error: &dyn std::fmt::Display| Failure::new(exit::SETUP, error.to_string());
        let plan = Evidence::open(evidence).map_err(|error| set_up(&error))?.plan;
        let Some(text) = table(&plan, evaluation) else {
            return Err(set_up(&format!("{} has no explorations", folder.display())));
        };
        if let Some(path) = &self.report {
            write_atomically(path, text.as_bytes())
                .map_err(|error| Failure::new(exit::IO, error.to_string()))?;
        }
        let mut out = Output::new();
        if self.json {
            out.json(&document(folder, evidence, &plan, evaluation)?)?;
            return Ok(out.flush()?);
        }
        write!(out, "{text}")?;
        if let Some(count) = self.worst {
            write!(out, "\n{}", worst(evaluation, count))?;
        }
        writeln!(out, "recordings: {}", folder.display())?;
        Ok(out.flush()?)
    }
}

/// The gates that judge explorations.
fn scored(profile: Profile, set: Set) -> Vec<GateId> {
    gates_of(profile, set).into_iter().filter(|id| explores(*id, profile)).collect()
}

/// The result of a run as one JSON object.
fn document(
    folder: &Path,
    evidence: &Path,
    plan: &Plan,
    evaluation: &Evaluation,
) -> Result<serde_json::Value, Failure> {
    let scoring: Result<Scoring, _> =
        Protocol::open(evidence).and_then(|protocol| protocol.toml(SCORING));
    let scoring = scoring.map_err(|error| Failure::new(exit::SETUP, error.to_string()))?;
    let faults = evaluation.explorations.as_ref().map(|found| &found.b2.faults);
    Ok(json!({
        "schema_version": 1,
        "verdict": evaluation.verdict,
        "gates": evaluation.gates,
        "cells": evaluation.cells,
        "faults": faults,
        "profile": ProfileObject::new(plan.profile, Some(known(plan, &scoring))),
        "fixtures_sha256": plan.fixtures_sha256,
        "scoring_version": scoring.version,
        "scoring_sha256": plan.rests_on.get(SCORING),
        "run": folder,
    }))
}
