//! `parity run`: set up, run both sides, judge, report, seal.

use std::{
    num::NonZeroUsize,
    path::{Path, PathBuf},
};

use clap::Args;
use record::{GateName, Plan, exit, write_atomically};
use verdict::{Evaluation, gate::GateId};

use super::{Format, ProfileName, SetName};
use crate::{
    Failure, Folders,
    console::{Output, talk},
    corpus,
    history::environment,
    planning::{Raw, Setup, Wanted, check_composition},
    process,
    report::{RunReport, html, off_diagonal, terminal},
    run::{Beginning, Conduct, cluster::Address, evidence_in, judge, publish, replayed},
};

/// Run the gates over a set of corpora, and leave a signed bundle and a report.
#[derive(Debug, Args)]
pub struct Run {
    /// Which set of corpora.
    #[arg(long, value_enum, default_value_t = SetName::Smoke)]
    set: SetName,
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
    /// Also make seeded runs of the comparator as shipped, for the noise floor: on the corpora
    /// where they are due (the default), on all cheap ones, or on all. Without a value: cheap.
    #[arg(
        long,
        value_enum,
        value_name = "WHERE",
        num_args = 0..=1,
        default_value_t = Raw::Due,
        default_missing_value = "cheap"
    )]
    raw: Raw,
    /// How many programs run at once, as far as memory allows; one for each processor if
    /// left out.
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Have units recorded by the workers of a cluster: ray://HOST:PORT, or local:N for N nodes that share the
    /// processors of this machine (local:NxC: with C processors each). Ray is installed on first use. With --json each
    /// event is one line before the result.
    #[arg(long, value_name = "WHERE", conflicts_with_all = ["replay", "list", "jobs"])]
    cluster: Option<Address>,
    /// A store that machines share: file:///FOLDER or s3://BUCKET/FOLDER. Corpora, the comparator's wheels and answers
    /// are taken from there before they are fetched or recorded, and put there afterwards. Needs `parity-store`, see
    /// docs/cluster.md.
    #[arg(long, value_name = "URL", env = "PARITY_STORE")]
    store: Option<String>,
    /// Bypass the response cache and the shared store: ask the comparator again, whatever it answered in earlier runs.
    /// Every byte of comparator and corpora is checked first.
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

impl Run {
    /// Runs the command.
    pub fn run(self) -> Result<u8, Failure> {
        if let Some(folder) = &self.replay {
            let evidence = evidence_in(folder);
            let evaluation = judge(&evidence)?;
            let report = replayed(&evidence, &evaluation)?;
            let page = replay_page(folder, &report)?;
            let left = Left { html: page.as_deref(), ..Left::default() };
            let printed = self.print(&report, &evaluation, left);
            return Failure::after(printed, exit::of(evaluation.verdict));
        }
        let beginning = Beginning::now();
        let folders = Folders::find()?.with_store(self.store.as_deref())?;
        let wanted = self.wanted();
        if self.fresh {
            corpus::seen::Seen::forget_all(&folders.cache);
        }
        talk(&format!("parity run: set {}, {} profile", wanted.set, wanted.profile));
        let mut progress = corpus::progress::on_stderr(self.list);
        let setup = Setup::prepare(&folders, &wanted, &mut *progress)?;
        if !setup.plan.partial {
            check_composition(&folders, &setup.plan)?;
        }
        if self.list {
            print_plan(&setup.plan, self.wants_json())?;
            return Ok(exit::PASS);
        }
        let conduct = Conduct {
            jobs: self.jobs,
            fresh: self.fresh,
            cluster: self.cluster.clone(),
            prints_events: self.wants_json(),
        };
        let (dir, evaluation) = conduct.run(&folders, &setup)?;
        let published =
            publish(&folders, &setup, &dir, &evaluation, &beginning, self.key.as_deref())?;
        process::go_on()?;
        let left = Left {
            run: Some(dir.path()),
            html: Some(&published.html),
            bundle: published.bundle.as_deref(),
        };
        let printed = self.print(&published.report, &evaluation, left);
        Failure::after(printed, exit::of(evaluation.verdict))
    }

    fn wanted(&self) -> Wanted {
        Wanted {
            set: self.set.into(),
            profile: self.profile.into(),
            gates: self.gate.clone(),
            corpora: self.corpus.clone(),
            budgets: self.budget.clone(),
            languages: Vec::new(),
            raw: self.raw,
            comparator: None,
        }
    }

    fn wants_json(&self) -> bool {
        self.json || self.format == Format::Json
    }

    /// Prints the result of a run, and where its files are.
    fn print(
        &self,
        report: &RunReport,
        evaluation: &Evaluation,
        left: Left<'_>,
    ) -> Result<(), Failure> {
        let mut out = Output::new();
        let Left { run, html, bundle } = left;
        if self.wants_json() {
            let document = serde_json::json!({
                "schema_version": 2,
                "verdict": evaluation.verdict,
                "part": report.part,
                "run_profile": report.run_profile,
                "gates": evaluation.gates,
                "cells": evaluation.cells,
                "run": run,
                "report": html,
                "bundle": bundle,
            });
            out.json(&document)?;
            return Ok(out.flush()?);
        }
        write!(out, "{}", terminal::table(report)?)?;
        for (what, path) in [("report", html), ("bundle", bundle)] {
            if let Some(path) = path {
                writeln!(out, "{what}: {}", path.display())?;
            }
        }
        if let Some(bundle) = bundle {
            writeln!(out, "verify: cargo parity verify {}", bundle.display())?;
        }
        Ok(out.flush()?)
    }
}

/// The output of a command: the folder of the run, its page, and its bundle.
#[derive(Debug, Clone, Copy, Default)]
struct Left<'a> {
    run: Option<&'a Path>,
    html: Option<&'a Path>,
    bundle: Option<&'a Path>,
}

/// Writes the page of evidence that was judged again, below `artifacts/replays/`, because nothing may
/// be written into a run or a bundle. `None` outside of a checkout.
fn replay_page(folder: &Path, report: &RunReport) -> Result<Option<PathBuf>, Failure> {
    let Ok(folders) = Folders::find() else { return Ok(None) };
    let whole = std::path::absolute(folder)?;
    let name = whole.file_name().unwrap_or_else(|| "run".as_ref());
    let path = folders.artifacts().join("replays").join(name).join("report.html");
    let made = environment(folder);
    let ranks = off_diagonal(&evidence_in(folder), report);
    let around = html::Around { made: made.as_ref(), moved: None, ranks: &ranks };
    let page =
        html::render(report, around).map_err(|error| Failure::internal(error.to_string()))?;
    write_atomically(&path, page.as_bytes())
        .map_err(|error| Failure::new(exit::IO, error.to_string()))?;
    Ok(Some(path))
}

/// Prints what a plan would run.
pub fn print_plan(plan: &Plan, json: bool) -> Result<(), Failure> {
    let mut out = Output::new();
    if json {
        out.pretty_json(plan)?;
        return Ok(out.flush()?);
    }
    for corpus in &plan.corpora {
        let mut parts = Vec::new();
        if !corpus.cases.is_empty() {
            let cases: Vec<&str> = corpus.cases.iter().map(|case| case.id.as_str()).collect();
            parts.push(format!("{} × {:?}", cases.join(" "), plan.budgets));
        }
        if corpus.raw_seeds > 0 {
            parts.push(format!("{} random runs", corpus.raw_seeds));
        }
        if !corpus.explorations.is_empty() {
            parts.push(format!("{} files explored", corpus.explorations.len()));
        }
        if !corpus.tasks.is_empty() {
            parts.push(format!("{} tasks × {:?}", corpus.tasks.len(), plan.budgets));
        }
        if !corpus.scenarios.is_empty() {
            parts.push(format!("{} scenarios of the store", corpus.scenarios.len()));
        }
        writeln!(out, "{:24} {}", corpus.name, parts.join(", "))?;
    }
    for (name, why) in plan.skipped.iter().chain(&plan.unexplored) {
        writeln!(out, "{name:24} skipped: {why}")?;
    }
    let gates: Vec<&str> = plan.gates.iter().map(GateName::as_str).collect();
    let (maps, files) = (plan.size(), plan.explored());
    writeln!(out, "{maps} maps, {files} files, gates {}", gates.join(" "))?;
    Ok(out.flush()?)
}
