//! A6, profile leakage: nothing of the enhancement profile may take part in a parity run, and
//! every recording must say under which profile and against which comparator it was made.

mod findings;

use std::collections::BTreeMap;

use record::{Cell, ModelCases, Profile, repeat_key, sequence_key, trial_key};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Gate, GateId, Judge, Need, Place, PlotSpec, languages::LanguageTable};
use crate::{
    Comparator, CorpusView, Evidence, Missing,
    protocol::{Protocol, ProtocolError, Table},
    sides::{Artifact, Held},
};

pub use findings::{a6, a6_clean, a6_finding};

pub(super) const NAME: &str = "A6";
const GATE: GateId = GateId::A6;

/// What a recording of a parity run may contain.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct A6Limits {
    /// Least share of findings that must hold.
    pub min_share: f64,
    /// Flags of `parity map` that have a value and a counterpart in the comparator, or that only
    /// say what is printed.
    pub valued_flags: Vec<String>,
    /// The same for flags without a value.
    pub switches: Vec<String>,
    /// Where the files may come from.
    pub file_sources: Vec<String>,
    /// Where the multiplier may come from.
    pub multiplier_sources: Vec<String>,
}

/// What recordings are held against.
#[derive(Debug)]
pub struct A6Rules {
    /// What the protocol says.
    pub limits: A6Limits,
    /// Which languages the comparator runs.
    pub table: LanguageTable,
}

impl Table for A6Limits {
    const NAME: &'static str = "a6";
}

/// The gate.
#[derive(Debug)]
pub struct A6;

impl Gate for A6 {
    fn title(&self) -> &'static str {
        "profile leakage guard"
    }

    fn profiles(&self) -> &'static [Profile] {
        &[Profile::Parity]
    }

    fn needs(&self, _: Profile) -> &'static [Need] {
        &[Need::Answers, Need::Maps, Need::WideBudget]
    }

    fn plots(&self) -> Vec<PlotSpec> {
        vec![PlotSpec::bar("Recordings free of leakage")]
    }

    fn judge(&self, protocol: &Protocol) -> Result<Box<dyn Judge>, ProtocolError> {
        let table = LanguageTable::read(protocol.root())?;
        Ok(Box::new(A6Rules { limits: protocol.table()?, table }))
    }
}

impl Judge for A6Rules {
    /// Every recording of ours, with the comparator's answer to the same case or sequence.
    fn corpus(&self, view: &CorpusView) -> Vec<Cell> {
        let mut cells = Vec::new();
        for (position, case) in view.corpus.cases.iter().enumerate() {
            for budget in view.plan().budgets_of(position) {
                let place = view.place(&case.id, Some(budget));
                let both = view.comparator().map_err(Clone::clone).and_then(|comparator| {
                    let ours = view.evidence.artifact(view.corpus, &case.id, budget)?;
                    Ok((ours, comparator.held(&case.id, budget)?))
                });
                match both {
                    Ok((ours, theirs)) => cells.extend(a6(&place, &ours, &theirs, self)),
                    Err(Missing(why)) => cells.push(place.not_run(GATE, "profile_object", &why)),
                }
            }
        }
        cells.extend(again(view, self));
        cells.extend(sequences(view, self));
        cells.extend(models(view, self));
        cells
    }
}

/// The cells of repeats and trials, which are of the first case at the first budget.
fn again(view: &CorpusView, rules: &A6Rules) -> Vec<Cell> {
    let (evidence, corpus) = (view.evidence, view.corpus);
    let first = corpus.cases.first().zip(evidence.plan.budgets.first());
    let (Some((case, &budget)), Ok(comparator)) = (first, view.comparator()) else {
        return Vec::new();
    };
    let place = Place { corpus: &corpus.name, case: &case.id, budget: Some(budget) };
    let held = comparator.held(&case.id, budget);
    let repeats = (0..corpus.repeats).map(|number| repeat_key(&corpus.name, number)).collect();
    let trials = corpus.trials.iter().map(|trial| trial_key(&corpus.name, trial)).collect();
    let kinds: [(_, Vec<String>); 2] = [("repeats_clean", repeats), ("trials_clean", trials)];
    let kinds = kinds.into_iter().filter(|(_, keys)| !keys.is_empty());
    kinds
        .map(|(metric, keys)| {
            let findings: Vec<_> =
                keys.iter().flat_map(|key| findings(evidence, key, &held, rules)).collect();
            a6_clean(&place, metric, &findings, rules)
        })
        .collect()
}

/// The cells of the call sequences, one each.
fn sequences(view: &CorpusView, rules: &A6Rules) -> Vec<Cell> {
    let (evidence, corpus) = (view.evidence, view.corpus);
    if corpus.sequences.is_empty() {
        return Vec::new();
    }
    let comparator = evidence.sequences(&corpus.name);
    let held = |id: &str| comparator.as_ref().map_err(Clone::clone)?.held_in_sequence(id);
    let cell = |id: &str| {
        let place = Place { corpus: &corpus.name, case: id, budget: None };
        let findings = findings(evidence, &sequence_key(&corpus.name, id), &held(id), rules);
        a6_clean(&place, "sequence_clean", &findings, rules)
    };
    corpus.sequences.iter().map(|sequence| cell(&sequence.id)).collect()
}

/// The cell of the maps for models: each against the comparator's answer about the same model. A model that was
/// refused has no map that could be wrong.
fn models(view: &CorpusView, rules: &A6Rules) -> Option<Cell> {
    let (evidence, corpus) = (view.evidence, view.corpus);
    let cases = ModelCases::of(corpus)?.both().map(|case| case.id.as_str());
    let place = Place { corpus: &corpus.name, case: "", budget: None };
    let both = evidence.model_artifacts(corpus).and_then(|ours| {
        let theirs = evidence.comparator_models(corpus)?;
        Ok((ours, theirs))
    });
    let findings = match both {
        Ok((ours, theirs)) => {
            let theirs = theirs.iter().flat_map(|answer| {
                cases.map(|case| answer.as_ref().map_err(Clone::clone)?.held_in_case(case))
            });
            let pairs =
                ours.iter().zip(theirs).filter_map(|(ours, held)| Some((ours.as_ref()?, held)));
            let finding = |(ours, held): (&Artifact, Result<Held, Missing>)| match held {
                Ok(held) => a6_finding(ours, &of_the_run(ours, held), rules),
                Err(Missing(why)) => Some(why),
            };
            pairs.map(finding).collect()
        }
        Err(Missing(why)) => vec![Some(why)],
    };
    Some(a6_clean(&place, "models_clean", &findings, rules))
}

/// The tuple of the run is pinned for one tokenizer. Of a model that is counted with another one, the comparator states
/// that one or, by a short name, the pinned one: gate A3 counts its maps again and decides. Everything else of the
/// tuple must be the same.
fn of_the_run(ours: &Artifact, mut theirs: Held) -> Held {
    let pinned = ours.document["profile"]["comparator_tuple"]["tokenizer_id"].as_str();
    let counted = ours.document["model"]["tokenizer"].as_str();
    if counted.is_some() && counted != pinned {
        theirs.tuple.retain(|member, _| !member.starts_with("tokenizer_"));
    }
    theirs
}

/// What is wrong with each map of a recording. One that cannot be judged is not clean.
fn findings(
    evidence: &Evidence,
    key: &str,
    held: &Result<Held, Missing>,
    rules: &A6Rules,
) -> Vec<Option<String>> {
    let both =
        evidence.artifacts(key).and_then(|ours| Ok((ours, held.as_ref().map_err(Clone::clone)?)));
    match both {
        Ok((ours, theirs)) => ours.iter().map(|ours| a6_finding(ours, theirs, rules)).collect(),
        Err(Missing(why)) => vec![Some(why)],
    }
}

impl Comparator {
    /// What the recording says about the comparator and about how it understood a case.
    pub fn held(&self, case: &str, budget: u64) -> Result<Held, Missing> {
        self.held_in_case(&format!("{case}/{budget}"))
    }

    /// The same for a case by its id in the answer.
    fn held_in_case(&self, id: &str) -> Result<Held, Missing> {
        let case = self.response().case(id).map_err(|error| Missing(error.to_string()))?;
        Ok(self.held_with(case.argv.as_ref(), case.repo_map.as_ref()))
    }

    /// The same for a sequence of calls.
    fn held_in_sequence(&self, id: &str) -> Result<Held, Missing> {
        let sequence = self.response().sequence(id).map_err(|error| Missing(error.to_string()))?;
        Ok(self.held_with(sequence.argv.as_ref(), sequence.repo_map.as_ref()))
    }

    fn held_with(
        &self,
        argv: Option<&Vec<String>>,
        settings: Option<&BTreeMap<String, Value>>,
    ) -> Held {
        let response = self.response();
        let measured = &response.receipt.tuple;
        let tuple = [
            ("aider_release", json!(measured.aider_release)),
            ("aider_commit_sha", json!(measured.aider_commit_sha)),
            ("grep_ast_provenance", json!(measured.grep_ast_provenance)),
            ("tokenizer_id", json!(measured.tokenizer_id)),
            ("tokenizer_version", json!(measured.tokenizer_version)),
            ("sources_sha256", json!(measured.sources_sha256)),
        ];
        Held {
            tuple: tuple
                .into_iter()
                .map(|(name, value)| (name.to_owned(), value))
                .collect::<BTreeMap<_, _>>(),
            argv: argv.cloned(),
            multiplier: settings
                .and_then(|settings| settings.get("map_mul_no_files"))
                .and_then(Value::as_f64),
        }
    }
}
