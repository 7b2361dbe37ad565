//! Every case and budget as a named test.
//!
//! Authored corpora are compared with the comparator's full committed recordings, so that parity is
//! proved without a network. Locked corpora are compared with the committed ledgers of digests; one
//! that is not available is ignored with the reason, or fails under `CI=true` if it is required.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

#[path = "support/mod.rs"]
mod support;

use std::{
    path::PathBuf,
    process::ExitCode,
    sync::{Arc, OnceLock},
};

use harness::{
    comparator::{ComparatorSpec, ComparatorTuple},
    run::LedgerRow,
};
use libtest_mimic::{Arguments, Failed, Trial};
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use record::{Case, Verdict, budgets_of};
use verdict::{
    Comparator, Place, Protocol,
    gate::{A2Thresholds, a1, a2, a3_parity, exact, no_map, verdict},
    sides::LayerDigests,
};

use support::{Corpus, layers_of, limits};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let protocol = Arc::new(support::protocol());
    let mut trials = Vec::new();
    for corpus in support::authored() {
        trials.extend(authored_trials(&Arc::new(corpus), &protocol));
    }
    trials.extend(ledger_trials());
    trials.push(Trial::test("ledgers/same-comparator", same_comparator));
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

/// Compares our layers with the recording; every gate must pass.
fn authored(
    corpus: &Corpus,
    recorded: &Comparator,
    case: &Case,
    budget: u64,
) -> Result<(), Failed> {
    let theirs = recorded.layers(&case.id, budget, true)?;
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
    let must_fetch = std::env::var("CI").is_ok_and(|value| value == "true");
    let ready: Vec<_> = support::ledger_rows()
        .into_par_iter()
        .map(|(corpus, rows)| {
            let commit = rows.first().map_or("", |row| &row.commit);
            let found = support::locked(&corpus, commit, must_fetch);
            (corpus, rows, found)
        })
        .collect();
    let mut trials = Vec::new();
    for (corpus, rows, found) in ready {
        match found {
            Ok((path, cases)) => {
                let maps = Arc::new(Maps { path, cases, rows, made: OnceLock::new() });
                trials.extend((0..maps.rows.len()).map(|number| {
                    let maps = Arc::clone(&maps);
                    let trial =
                        Trial::test(named(&maps.rows[number]), move || maps.compare(number));
                    (number, trial)
                }));
            }
            Err(why) => {
                let missed = must_fetch && support::is_required(&corpus);
                let reason = why.lines().next().unwrap_or_default().to_owned();
                trials.extend(rows.iter().map(|row| {
                    let why = why.clone();
                    let trial = Trial::test(named(row), move || Err(why.into()));
                    let ignored = |trial: Trial| trial.with_kind(&reason).with_ignored_flag(true);
                    (0, if missed { trial } else { ignored(trial) })
                }));
            }
        }
    }
    // The first trial of a corpus makes the maps of all. One of another corpus need not wait for it.
    trials.sort_by_key(|(number, _)| *number);
    trials.into_iter().map(|(_, trial)| trial).collect()
}

fn named(row: &LedgerRow) -> String {
    format!("locked/{}/{}/{}", row.corpus, row.case, row.budget)
}

/// The rows of one locked corpus, and our layers for them.
struct Maps {
    path: PathBuf,
    cases: Vec<Case>,
    rows: Vec<LedgerRow>,
    /// The digests of all rows, made by one process when the first row is compared.
    made: OnceLock<Result<Vec<LayerDigests>, String>>,
}

impl Maps {
    /// Checks that our layers of a row have the digests of the comparator's.
    fn compare(&self, number: usize) -> Result<(), Failed> {
        let made = self.made.get_or_init(|| {
            let layers = support::layers_of_rows(&self.path, &self.cases, &self.rows)?;
            let graph = |row: &LedgerRow| row.layers.tags.is_some();
            let rows = layers.iter().zip(&self.rows);
            Ok(rows.map(|(layers, row)| LayerDigests::of(layers, graph(row))).collect())
        });
        let (ours, theirs) = (&made.as_ref()?[number], &self.rows[number].layers);
        if ours == theirs {
            return Ok(());
        }
        Err(format!("ours: {ours:#?}\ncomparator: {theirs:#?}").into())
    }
}

/// Checks that both ledgers come from the same comparator as the committed recordings.
fn same_comparator() -> Result<(), Failed> {
    let spec = ComparatorSpec::open(&support::root().join("comparators/aider"))?;
    let receipt = support::sequences().receipt;
    let tuple = ComparatorTuple::from_receipt(&spec, &receipt)?;
    for set in ["smoke", "full"] {
        let ledger = support::ledger(set);
        if (&ledger.tuple_sha256, &ledger.comparator_commit)
            != (&tuple.identity_sha256(), &tuple.aider_commit_sha)
        {
            return Err(format!("the ledger {set} was recorded with another comparator").into());
        }
    }
    Ok(())
}
