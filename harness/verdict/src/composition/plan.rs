//! Holds a plan against what the protocol demands of its sign-off.

use std::{collections::BTreeSet, fmt::Display};

use record::{Plan, PlannedCorpus, fixtures_sha256};

use super::{Composition, CompositionError as Error, Required, volt};

/// Checks that a plan asks for everything that a sign-off over its set in its profile must consist of. It may
/// have more seeded runs of the comparator than required; nothing else may differ.
///
/// # Errors
/// The first difference, by name.
pub fn plan(plan: &Plan, composition: &Composition) -> Result<(), Error> {
    let Plan { set, profile, .. } = *plan;
    let sign_off = composition.of(set, profile).ok_or(Error::NoSignOff { set, profile })?;
    if plan.partial || plan.narrowed {
        return Err(Error::Partial);
    }
    same(&plan.gates, &sign_off.gates).map_err(Error::Gates)?;
    same(&plan.budgets, &sign_off.budgets).map_err(Error::Budgets)?;
    let wide = |budget: Option<u64>| budget.into_iter().collect::<Vec<_>>();
    same(&wide(plan.wide_budget), &wide(sign_off.wide_budget)).map_err(Error::Budgets)?;
    for (name, required) in &sign_off.corpora {
        let mut planned = plan.corpora.iter().filter(|corpus| corpus.name == *name);
        match (planned.next(), planned.next()) {
            (Some(planned), None) => corpus(planned, required)?,
            (Some(_), Some(_)) => {
                let what = "it is in the plan more than once".to_owned();
                return Err(Error::Corpus { corpus: name.clone(), what });
            }
            (None, _) if required.optional && is_skipped(plan, name) => {}
            (None, _) => return Err(Error::MissingCorpus(name.clone())),
        }
    }
    let unknown = plan.corpora.iter().find(|corpus| !sign_off.corpora.contains_key(&corpus.name));
    if let Some(unknown) = unknown {
        return Err(Error::UnknownCorpus(unknown.name.clone()));
    }
    if plan.fixtures_sha256 != fixtures_sha256(&plan.corpora) {
        return Err(Error::Fixtures);
    }
    volt::planned(plan)?;
    let missing = sign_off.rests_on.iter().find(|file| !plan.rests_on.contains_key(*file));
    missing.map_or(Ok(()), |file| Err(Error::MissingFile(file.clone())))
}

fn is_skipped(plan: &Plan, name: &str) -> bool {
    plan.skipped.contains_key(name) || plan.unexplored.contains_key(name)
}

/// Checks what is asked about one corpus. A difference is named by the first count that shows it.
fn corpus(planned: &PlannedCorpus, required: &Required) -> Result<(), Error> {
    let differs = |what: String| Error::Corpus { corpus: planned.name.clone(), what };
    let found = Required::of(planned).map_err(|error| Error::Unusable(error.to_string()))?;
    if found.commit != required.commit {
        let (found, required) = (found.commit, &required.commit);
        return Err(differs(format!("its commit is {found}, the protocol has {required}")));
    }
    let counts = [
        ("cases", found.cases, required.cases),
        ("repeats", found.repeats as usize, required.repeats as usize),
        ("call sequences", found.sequences, required.sequences),
        ("trials", found.trials, required.trials),
        ("files to explore", found.explorations, required.explorations),
        ("tasks", found.tasks, required.tasks),
        ("models", found.models, required.models),
        ("files that questions are about", found.summaries, required.summaries),
        ("places to navigate from", found.navigation, required.navigation),
        ("scenarios of the store", found.scenarios, required.scenarios),
    ];
    for (what, found, required) in counts {
        if found != required {
            return Err(differs(format!("{found} {what}, the protocol requires {required}")));
        }
    }
    if found.raw_seeds < required.raw_seeds {
        let (found, required) = (found.raw_seeds, required.raw_seeds);
        return Err(differs(format!("{found} seeded runs, the protocol requires {required}")));
    }
    if found.optional != required.optional || found.sha256 != required.sha256 {
        return Err(differs("something else is asked about it than the protocol says".to_owned()));
    }
    Ok(())
}

/// The first difference between two lists without repetition, in words.
fn same<T: Ord + Display>(found: &[T], required: &[T]) -> Result<(), String> {
    let (has, needs): (BTreeSet<&T>, BTreeSet<&T>) =
        (found.iter().collect(), required.iter().collect());
    if let Some(missing) = needs.difference(&has).next() {
        return Err(format!("the protocol requires {missing}, the plan does not have it"));
    }
    if let Some(extra) = has.difference(&needs).next() {
        return Err(format!("the plan has {extra}, the protocol does not"));
    }
    (found.len() == required.len()).then_some(()).ok_or_else(|| "one comes twice".to_owned())
}
