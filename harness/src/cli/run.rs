//! `parity run`: set up, run both sides, judge, report, seal.

use std::{
    fs,
    io::{IsTerminal, Write},
    num::NonZeroUsize,
    path::{Path, PathBuf},
    thread,
};

use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use record::{GateId, Plan, Unit, exit};
use verdict::{Evaluation, evaluate};

use super::{
    Failure, Folders, Format, ProfileName, outcome,
    setup::{Raw, Setup, Wanted},
    talk,
};
use crate::{
    comparator::{Cache, Comparator},
    corpus, process,
    run::{Executor, RunDir, schedule},
};

/// Of how many quick recordings one is told where there is no terminal: two or three a second are
/// made, so this is a line a minute.
const TOLD_EVERY: usize = 100;

/// Run the gates over a set of corpora, and leave a signed bundle and a report.
#[derive(Debug, Args)]
pub struct Run {
    /// Which set of corpora.
    #[arg(long, value_enum, default_value_t = Set::Smoke)]
    set: Set,
    /// Only these gates, separated by commas. A partial run is never sealed as a pass.
    #[arg(long, value_name = "GATE", value_delimiter = ',')]
    gate: Vec<GateId>,
    /// Only corpora whose name matches this regular expression.
    #[arg(long, value_name = "REGEX")]
    corpus: Option<regex::Regex>,
    /// Only these budgets, separated by commas.
    #[arg(long, value_name = "N", value_delimiter = ',')]
    budget: Vec<u64>,
    /// Behave as the comparator does, or better than it.
    #[arg(long, value_enum, default_value_t = ProfileName::Parity)]
    profile: ProfileName,
    /// Also run the comparator as shipped under eight seeds, for the noise floor: on the corpora
    /// where that is due (the default), cheap, or on all. Without a value: cheap.
    #[arg(
        long,
        value_enum,
        value_name = "WHERE",
        num_args = 0..=1,
        default_value_t = Raw::Due,
        default_missing_value = "cheap"
    )]
    raw: Raw,
    /// How many programs run at once, as far as memory allows; as many as there are processors if
    /// left out.
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Ask the comparator anew, even what it answered in an earlier run.
    #[arg(long)]
    fresh: bool,
    /// Judge the evidence of an earlier run or bundle again; runs nothing.
    #[arg(long, value_name = "DIR", conflicts_with = "list")]
    replay: Option<PathBuf>,
    /// Check everything and print what would run; runs nothing.
    #[arg(long)]
    list: bool,
    /// The signing key; made on first use.
    #[arg(long, value_name = "FILE", env = "PARITY_SIGNING_KEY")]
    key: Option<PathBuf>,
    /// text: a table; json: one object.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Short for --format json.
    #[arg(long)]
    json: bool,
}

/// A set of corpora.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Set {
    Smoke,
    Full,
}

impl Set {
    /// Its name in locks.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Smoke => "smoke",
            Self::Full => "full",
        }
    }
}

impl Run {
    /// Does it.
    pub fn run(self) -> Result<u8, Failure> {
        let folders = Folders::find()?;
        if let Some(evidence) = &self.replay {
            return self.replay(evidence);
        }
        process::watch_for_interrupts()?;
        let wanted = self.wanted();
        talk(&format!("parity run: set {}, {} profile", wanted.set, wanted.profile));
        let setup =
            Setup::prepare(&folders, &wanted, &mut *corpus::progress::on_stderr(self.list))?;
        if self.list {
            return self.print_plan(&setup.plan);
        }
        let runs = folders.artifacts().join("runs");
        let mut dir = RunDir::open(&runs, &setup.plan)
            .map_err(|error| Failure::new(exit::IO, error.to_string()))?;
        self.record(&folders, &setup, &mut dir)?;
        copy_foundations(&setup, &dir)?;
        dir.write_index().map_err(|error| Failure::new(exit::IO, error.to_string()))?;
        talk("judging the recordings");
        let evaluation = judge(&dir.evidence())?;
        let partial = wanted.is_partial();
        let outcome =
            outcome::publish(&folders, &setup, &dir, &evaluation, partial, self.key.as_deref())?;
        self.print(&outcome, &evaluation)?;
        Ok(exit::of(evaluation.verdict))
    }

    fn wanted(&self) -> Wanted {
        Wanted {
            set: self.set.name().to_owned(),
            profile: self.profile.into(),
            gates: self.gate.clone(),
            corpora: self.corpus.clone(),
            budgets: self.budget.clone(),
            raw: self.raw,
        }
    }

    fn wants_json(&self) -> bool {
        self.json || self.format == Format::Json
    }

    fn print_plan(&self, plan: &Plan) -> Result<u8, Failure> {
        let mut stdout = std::io::stdout().lock();
        if self.wants_json() {
            serde_json::to_writer_pretty(&mut stdout, plan)
                .map_err(|error| Failure::internal(error.to_string()))?;
            writeln!(stdout)?;
        } else {
            for corpus in &plan.corpora {
                let cases: Vec<&str> = corpus.cases.iter().map(|case| case.id.as_str()).collect();
                let (name, budgets) = (&corpus.name, &plan.budgets);
                write!(stdout, "{name:24} {} × {budgets:?}", cases.join(" "))?;
                if corpus.raw_seeds > 0 {
                    write!(stdout, ", {} random runs", corpus.raw_seeds)?;
                }
                writeln!(stdout)?;
            }
            for (name, why) in &plan.skipped {
                writeln!(stdout, "{name:24} skipped: {why}")?;
            }
            writeln!(
                stdout,
                "{} cases, gates {}",
                plan.size(),
                plan.gates.iter().map(|gate| gate.as_str()).collect::<Vec<_>>().join(" ")
            )?;
        }
        Ok(exit::PASS)
    }

    fn replay(&self, evidence: &Path) -> Result<u8, Failure> {
        // A run keeps its evidence in a folder of its own; a bundle is evidence itself.
        let inner = evidence.join("evidence");
        let folder = if inner.is_dir() { inner } else { evidence.to_owned() };
        let evaluation = judge(&folder)?;
        let report = outcome::replayed(&folder, &evaluation)?;
        self.print(&report, &evaluation)?;
        Ok(exit::of(evaluation.verdict))
    }

    /// Makes every recording that is still missing.
    fn record(&self, folders: &Folders, setup: &Setup, dir: &mut RunDir) -> Result<(), Failure> {
        let total = setup.plan.units().len();
        if dir.done() > 0 {
            talk(&format!("resuming: {} of {total} recordings are there", dir.done()));
        }
        let weight = |unit: &Unit| schedule::cost(&setup.plan, &setup.costs, unit).cpu_seconds;
        let processors = || thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let units = setup.plan.units();
        let recorded = |unit: &&Unit| dir.recorded(&setup.plan.key(unit)).is_some();
        // The bar counts seconds of work, not units: some take a minute, most a moment.
        let bar =
            bar(units.iter().map(weight).sum(), units.iter().filter(recorded).map(weight).sum());
        let cache = setup
            .tuple
            .as_ref()
            .map(|tuple| Cache::at(folders.cache.join("answers"), tuple, self.fresh));
        let executor = Executor {
            plan: &setup.plan,
            repositories: &setup.repositories,
            comparator: setup
                .environment
                .as_ref()
                .map(|environment| Comparator { room: &setup.room, environment }),
            cache: cache.as_ref(),
            engine: std::env::current_exe()?,
            workers: self.jobs.unwrap_or_else(processors).get(),
            costs: &setup.costs,
            memory_mb: schedule::available_memory_mb(),
        };
        let mut done = dir.done();
        let result = executor.execute(dir, &mut |unit, key| {
            done += 1;
            bar.inc(weight(unit));
            bar.set_message(format!("{done}/{total} {key}"));
            // A log gets a line for what takes long, and one now and then for the rest.
            let slow = matches!(unit, Unit::Comparator { .. } | Unit::Raw { .. });
            if bar.is_hidden() && (slow || done.is_multiple_of(TOLD_EVERY)) {
                talk(&format!("recorded {key} ({done} of {total})"));
            }
        });
        bar.finish_and_clear();
        if let Some(cache) = &cache {
            cache.problems().iter().for_each(|problem| talk(&format!("warning: {problem}")));
            if cache.replayed() > 0 {
                talk(&format!(
                    "{} answers of the comparator are those of earlier runs; --fresh asks again",
                    cache.replayed()
                ));
            }
        }
        result.map_err(|error| {
            let code = match error {
                crate::run::ExecuteError::Interrupted => exit::INCOMPLETE,
                crate::run::ExecuteError::Store(_) | crate::run::ExecuteError::RunDir(_) => {
                    exit::IO
                }
                crate::run::ExecuteError::Corpus(ref error) => error.exit_code(),
                _ => exit::SETUP,
            };
            Failure::new(code, error.to_string())
        })
    }

    fn print(&self, outcome: &outcome::Published, evaluation: &Evaluation) -> Result<(), Failure> {
        let mut stdout = std::io::stdout().lock();
        if self.wants_json() {
            let document = serde_json::json!({
                "schema_version": 1,
                "verdict": evaluation.verdict,
                "gates": evaluation.gates,
                "cells": evaluation.cells,
                "run": outcome.run,
                "report": outcome.html,
                "bundle": outcome.bundle,
            });
            serde_json::to_writer(&mut stdout, &document)
                .map_err(|error| Failure::internal(error.to_string()))?;
            writeln!(stdout)?;
        } else {
            write!(stdout, "{}", outcome.table)?;
            for (what, path) in [("report", &outcome.html), ("bundle", &outcome.bundle)] {
                if let Some(path) = path {
                    writeln!(stdout, "{what}: {}", path.display())?;
                }
            }
            if let Some(bundle) = &outcome.bundle {
                writeln!(stdout, "verify: cargo parity verify {}", bundle.display())?;
            }
        }
        Ok(())
    }
}

/// Recomputes all gates from an evidence folder.
pub fn judge(evidence: &Path) -> Result<Evaluation, Failure> {
    evaluate(evidence).map_err(|error| Failure::new(exit::SETUP, error.to_string()))
}

/// A progress bar on a terminal, nothing elsewhere.
fn bar(total: u64, done: u64) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(total).with_position(done);
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {msg} ({eta} left)") {
        bar.set_style(style);
    }
    bar
}

/// Copies protocols, locks and the comparator's files into the evidence.
fn copy_foundations(setup: &Setup, dir: &RunDir) -> Result<(), Failure> {
    for (name, path) in &setup.rests_on {
        let bytes = fs::read(path).map_err(|error| {
            Failure::new(exit::IO, format!("{} cannot be read: {error}", path.display()))
        })?;
        dir.write(name, &bytes).map_err(|error| Failure::new(exit::IO, error.to_string()))?;
    }
    Ok(())
}
