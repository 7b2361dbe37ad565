//! Checks a signed statement against the plan that it is about.

use std::collections::BTreeSet;

use record::Plan;

use super::CompositionError;
use crate::bundle::{Claim, ResourceDescriptor};

/// The descriptor that says how the behaviour of Volt is known.
pub const VOLT: &str = "comparator/volt";

/// Checks that source, engine, corpora and files of a statement are those of the plan.
///
/// # Errors
/// The first difference, by name.
pub fn statement(plan: &Plan, claim: &Claim) -> Result<(), CompositionError> {
    let differs = |what: String| Err(CompositionError::Statement(what));
    let source = &claim.source;
    if (&source.commit, &source.tree) != (&plan.source_commit, &plan.source_tree) {
        let (commit, planned) = (&source.commit, &plan.source_commit);
        return differs(format!("its source is commit {commit}, the plan's is {planned}"));
    }
    volt(plan, claim)?;
    let mut corpora: BTreeSet<&str> =
        plan.corpora.iter().map(|corpus| corpus.name.as_str()).collect();
    for descriptor in &claim.configuration {
        let digest = |algorithm: &str| descriptor.digest.get(algorithm).map(String::as_str);
        if descriptor.name == "engine" && digest("sha256") != Some(plan.engine_sha256.as_str()) {
            return differs("its engine has another digest".to_owned());
        }
        if let Some(name) = descriptor.name.strip_prefix("corpus/") {
            let planned = plan.corpora.iter().find(|corpus| corpus.name == name);
            if planned.map(|corpus| corpus.commit.as_str()) != digest("gitCommit") {
                return differs(format!("its corpus {name} has another commit"));
            }
            corpora.remove(name);
        }
        if let Some(file) = other_file(plan, descriptor) {
            return differs(format!("{file} has another digest"));
        }
    }
    let missing = corpora.first();
    missing.map_or(Ok(()), |name| differs(format!("it does not name the corpus {name}")))
}

/// Checks that statement and plan agree on how Volt's behaviour is known: a run that asked a checkout must
/// say so, and no other run may.
fn volt(plan: &Plan, claim: &Claim) -> Result<(), CompositionError> {
    let said = claim.configuration.iter().find(|descriptor| descriptor.name == VOLT);
    let annotation = |name: &str| said.and_then(|said| said.annotations.get(name));
    let live = plan.volt.as_ref().map(|volt| ("live", Some(&volt.commit), Some(&volt.tree)));
    let (word, commit, tree) = live.unwrap_or(("contracts", None, None));
    // Without that descriptor, Volt's behaviour is known from contracts.
    let same = match said {
        None => plan.volt.is_none(),
        Some(_) => {
            annotation("volt").is_some_and(|said| said == word)
                && annotation("commit") == commit
                && annotation("tree") == tree
        }
    };
    let why =
        || CompositionError::Statement(format!("it does not say volt: {word} as the plan does"));
    if same { Ok(()) } else { Err(why()) }
}

/// The file of a descriptor, if the plan does not rest on it with the digest in the descriptor.
fn other_file<'a>(plan: &Plan, descriptor: &'a ResourceDescriptor) -> Option<&'a str> {
    let kinds = ["comparator", "corpus/", "protocol"];
    let file = descriptor.uri.as_deref()?;
    let of_plan = kinds.iter().any(|kind| descriptor.name.starts_with(kind));
    let same = plan.rests_on.get(file) == descriptor.digest.get("sha256");
    (of_plan && !same).then_some(file)
}
