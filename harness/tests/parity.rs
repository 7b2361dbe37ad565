//! Every case × budget as a named test.
//!
//! Authored corpora are held against the comparator's full committed recordings, so that parity
//! is proved without a network. Locked corpora are held against the committed ledgers of digests;
//! one that cannot be had is ignored with the reason, or fails under `CI=true` if it is required.
//! Most rows of corpora beyond the smoke set are left to the nightly, which runs ignored tests, too.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

#[path = "support/mod.rs"]
mod support;

use std::{collections::BTreeMap, path::PathBuf, process::ExitCode, sync::Arc};

use harness::run::LedgerRow;
use libtest_mimic::{Arguments, Failed, Trial};
use record::{Case, Verdict, View, budgets_of};
use verdict::{
    Comparator, Place, Protocol,
    gate::{A2Thresholds, a1, a2, a3_parity, exact, no_map, verdict},
    sides::LayerDigests,
};

use support::{Corpus, Recorded, layers_of, limits};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let protocol = Arc::new(support::protocol());
    let mut trials = Vec::new();
    for corpus in support::authored() {
        trials.extend(authored_trials(&Arc::new(corpus), &protocol));
    }
    trials.extend(ledger_trials());
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn authored_trials(corpus: &Arc<Corpus>, protocol: &Arc<Protocol>) -> Vec<Trial> {
    let recorded = Arc::new(Comparator::new(corpus.recording()));
    let (budgets, wide) = (protocol.budgets(), limits::<A2Thresholds>().wide_budget);
    corpus
        .cases
        .iter()
        .enumerate()
        .flat_map(|(position, case)| {
            let budgets = budgets_of(position, budgets, Some(wide)).into_iter();
            budgets.map(move |budget| (case.clone(), budget))
        })
        .map(|(case, budget)| {
            let name = format!("authored/{}/{}/{budget}", corpus.name, case.id);
            let (corpus, recorded) = (Arc::clone(corpus), Arc::clone(&recorded));
            Trial::test(name, move || authored(&corpus, &recorded, &case, budget))
        })
        .collect()
}

/// Our layers must pass every gate against the recording.
fn authored(
    corpus: &Corpus,
    recorded: &Comparator,
    case: &Case,
    budget: u64,
) -> Result<(), Failed> {
    let theirs = recorded.layers(&case.id, budget)?;
    let ours = layers_of(&corpus.path, &corpus.view, case, budget, true)?;
    let place = Place { corpus: &corpus.name, case: &case.id, budget: Some(budget) };
    let mut cells = exact(&place, &ours, &theirs, &limits());
    if case.no_map {
        cells.push(no_map(&place, &ours, &theirs));
    } else {
        cells.extend(a2(&place, &ours, &theirs, &limits()));
        cells.extend(a3_parity(&place, &ours, &theirs, &limits()));
        cells.extend(a1(&corpus.name, &case.id, &[(budget, &ours, &theirs)], &limits()));
    }
    if verdict(&cells) == Verdict::Pass {
        return Ok(());
    }
    let failed: Vec<String> = cells
        .iter()
        .filter(|cell| cell.threshold.is_some() && cell.verdict != Verdict::Pass)
        .map(|cell| format!("{} {} = {:?}: {}", cell.gate, cell.metric, cell.value, cell.note))
        .collect();
    Err(failed.join("\n").into())
}

fn ledger_trials() -> Vec<Trial> {
    let mut repositories: BTreeMap<String, Result<(PathBuf, Vec<Case>), String>> = BTreeMap::new();
    let must_fetch = std::env::var("CI").is_ok_and(|value| value == "true");
    support::ledger_rows()
        .into_iter()
        .map(|Recorded { row, nightly }| {
            let repository = repositories
                .entry(row.corpus.clone())
                .or_insert_with(|| support::locked(&row.corpus, &row.commit, must_fetch))
                .clone();
            let name = format!("locked/{}/{}/{}", row.corpus, row.case, row.budget);
            match repository {
                Ok((path, cases)) => {
                    let trial = Trial::test(name, move || locked(&path, &cases, &row));
                    if nightly { trial.with_kind("nightly").with_ignored_flag(true) } else { trial }
                }
                Err(why) if must_fetch && support::is_required(&row.corpus) => {
                    Trial::test(name, move || Err(why.into()))
                }
                Err(why) => {
                    let reason = why.lines().next().unwrap_or_default().to_owned();
                    let trial = Trial::test(name, move || Err(why.into()));
                    trial.with_kind(reason).with_ignored_flag(true)
                }
            }
        })
        .collect()
}

/// Our layers must have the digests that the comparator's had.
fn locked(path: &std::path::Path, cases: &[Case], row: &LedgerRow) -> Result<(), Failed> {
    let case = cases
        .iter()
        .find(|case| case.id == row.case)
        .ok_or_else(|| format!("the lock has no case {}", row.case))?;
    let graph = row.layers.tags.is_some();
    let ours = layers_of(path, &View::default(), case, row.budget, graph)?;
    let digests = LayerDigests::of(&ours, graph);
    if digests == row.layers {
        return Ok(());
    }
    Err(format!("ours: {digests:#?}\ncomparator: {:#?}", row.layers).into())
}
