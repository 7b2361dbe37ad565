//! A3 for many models: window, default budget, target and tokenizer of each, as both sides have them.

use record::{Cell, ModelCases, PlannedCorpus, Profile, Verdict};
use serde::Deserialize;

use super::{GATE, ModelList, TokenizerSupport};
use crate::{
    CorpusView, MapDocument, Missing,
    gate::{Bound, Place},
    metrics::recount::Tokenizer,
    response::{Attempt, Case, Response},
    sides::{AttemptLayers, Layers},
};

/// The metric of a model that one side did not answer about.
const ANSWERED: &str = "model_target";

/// What our program says of a model.
#[derive(Debug, Clone, PartialEq, Deserialize)]
struct Named {
    name: String,
    is_known: bool,
    max_input_tokens: Option<u64>,
    default_map_tokens: f64,
    tokenizer: Option<String>,
}

/// A line that our program printed about a model.
#[derive(Debug, Deserialize)]
struct Line {
    model: Option<Named>,
    error: Option<String>,
}

/// Our side of a model.
#[derive(Debug)]
pub struct OurModel {
    named: Named,
    /// The maps with and without a chat; absent if they were refused, because the tokenizer is not here.
    maps: Option<[Layers; 2]>,
}

/// The comparator's side of a model.
#[derive(Debug)]
pub struct TheirModel {
    window: Option<u64>,
    default_budget: Option<f64>,
    /// The maps with and without a chat.
    maps: [Case; 2],
}

/// A model with both sides' answers, or why one is missing.
#[derive(Debug)]
pub struct ModelRun<'a> {
    /// Its name, as it was asked for.
    pub name: &'a str,
    /// Ours and the comparator's.
    pub sides: Result<(OurModel, TheirModel), String>,
}

impl OurModel {
    /// Reads the lines of a model: with a chat, and without one.
    ///
    /// # Errors
    /// A line is not what the program prints, or the two contradict each other.
    pub fn parse(lines: [&[u8]; 2]) -> Result<Self, Missing> {
        let missing = |why: String| Missing(format!("our answer cannot be used: {why}"));
        let [chat, plain] = lines.map(serde_json::from_slice::<Line>);
        let (chat, plain) = (
            chat.map_err(|error| missing(error.to_string()))?,
            plain.map_err(|error| missing(error.to_string()))?,
        );
        if chat.model != plain.model || chat.error.is_some() != plain.error.is_some() {
            return Err(missing("it says two things of one model".to_owned()));
        }
        let named = chat.model.ok_or_else(|| missing("it does not name the model".to_owned()))?;
        if chat.error.is_some() {
            return Ok(Self { named, maps: None });
        }
        let layers = |line| {
            MapDocument::parse(line, Profile::Parity)
                .and_then(MapDocument::layers)
                .map_err(|error| missing(error.to_string()))
        };
        let [chat, plain] = lines.map(layers);
        Ok(Self { named, maps: Some([chat?, plain?]) })
    }
}

impl TheirModel {
    /// Reads the comparator's answer about a model, whose cases have these ids: with a chat, and without one.
    ///
    /// # Errors
    /// A case is missing or failed.
    pub fn of(response: &Response, cases: [&str; 2]) -> Result<Self, Missing> {
        let [chat, plain] =
            cases.map(|id| response.case(id).cloned().map_err(|error| Missing(error.to_string())));
        let maps = [chat?, plain?];
        let setting = |name: &str| maps[0].repo_map.as_ref().and_then(|all| all.get(name));
        // The comparator has 0 for a window that it does not know.
        let window = setting("max_context_window").and_then(serde_json::Value::as_u64);
        Ok(Self {
            window: window.filter(|tokens| *tokens > 0),
            default_budget: setting("max_map_tokens").and_then(serde_json::Value::as_f64),
            maps,
        })
    }

    /// Whether each map was counted with a tokenizer of the verifier; `None` if there is a map to count for no case.
    fn is_counted_with(&self, tokenizer: Tokenizer) -> Option<bool> {
        let counted = self.maps.iter().flat_map(|case| &case.attempts).filter_map(|attempt| {
            let listing = attempt.listing.as_deref()?;
            let kept = attempt.search.iter().rfind(|probe| probe.kept)?.tokens?;
            let exact = tokenizer.exact(listing)? == attempt.exact_token_count?;
            Some(exact && tokenizer.estimate(listing)? == kept)
        });
        counted.reduce(|one, other| one && other)
    }
}

/// The cells of the models of a corpus.
pub(super) fn of_corpus(
    view: &CorpusView,
    list: &ModelList,
    tokenizers: &TokenizerSupport,
) -> Vec<Cell> {
    let (evidence, corpus) = (view.evidence, view.corpus);
    let Some(cases) = ModelCases::of(corpus) else {
        return vec![view.place("", None).not_run(GATE, "models_equal", "no model was asked for")];
    };
    let ids = cases.both().map(|case| case.id.as_str());
    let (ours, theirs) = (evidence.model_lines(corpus), evidence.comparator_models(corpus));
    let sides = |name: &str| {
        let at = position(corpus, name)?;
        let (capture, lines) = ours.as_ref().map_err(Clone::clone)?;
        let line = |at: usize| {
            lines.get(at).and_then(|line| capture.stdout.bytes.get(line.clone())).unwrap_or(&[])
        };
        let answer = theirs.as_ref().map_err(Clone::clone)?.get(at);
        let answer = answer.ok_or_else(|| Missing(format!("no answer about {name}")))?;
        let answer = answer.as_ref().map_err(Clone::clone)?;
        if answer.response().model != name {
            return Err(Missing(format!("the answer is about {}", answer.response().model)));
        }
        let ours = OurModel::parse([line(2 * at), line(2 * at + 1)])?;
        Ok((ours, TheirModel::of(answer.response(), ids)?))
    };
    let runs: Vec<ModelRun> = list
        .models
        .iter()
        .map(|name| ModelRun { name, sides: sides(name).map_err(|Missing(why)| why) })
        .collect();
    a3_models(&corpus.name, &runs, list, tokenizers)
}

/// Where a model of the protocol is in the plan.
fn position(corpus: &PlannedCorpus, name: &str) -> Result<usize, Missing> {
    let at = corpus.models.iter().position(|model| model == name);
    at.ok_or_else(|| Missing(format!("{name} is not in the plan")))
}

/// The cells of some models. Those of a model that one side does not answer about are `not_run`; fewer than the
/// protocol's number that are equal in everything are insufficient.
pub fn a3_models(
    corpus: &str,
    runs: &[ModelRun],
    list: &ModelList,
    tokenizers: &TokenizerSupport,
) -> Vec<Cell> {
    let (mut cells, mut equal) = (Vec::new(), 0);
    for run in runs {
        let place = Place { corpus, case: run.name, budget: None };
        match &run.sides {
            Ok((ours, theirs)) => {
                let unknown = list.unknown.iter().any(|name| name == run.name);
                let of_model = model(&place, ours, theirs, unknown, tokenizers);
                // A refused model has no target to compare, so it is not equal in everything.
                let holds = of_model.iter().all(|cell| cell.verdict == Verdict::Pass);
                equal += usize::from(holds && ours.maps.is_some());
                cells.extend(of_model);
            }
            Err(why) => cells.push(place.not_run(GATE, ANSWERED, why)),
        }
    }
    let place = Place { corpus, case: "", budget: None };
    let least = (Bound::AtLeast, list.min_equal_models as f64);
    let mut total = place.judged(GATE, "models_equal", Some(equal as f64), least, runs.len());
    if runs.len() < list.min_equal_models {
        total.verdict = Verdict::Insufficient;
        total.note = format!("{} models were compared", runs.len());
    }
    cells.push(total);
    cells
}

/// The cells of one model.
fn model(
    place: &Place,
    ours: &OurModel,
    theirs: &TheirModel,
    unknown: bool,
    tokenizers: &TokenizerSupport,
) -> Vec<Cell> {
    let cell = |metric: &str, holds: Option<bool>, note: String| {
        let value = holds.map(|holds| f64::from(u8::from(holds)));
        let samples = usize::from(holds.is_some());
        let mut cell = place.judged(GATE, metric, value, (Bound::AtLeast, 1.0), samples);
        if holds != Some(true) {
            cell.note = note;
        }
        cell
    };
    let Named { is_known, max_input_tokens, default_map_tokens, .. } = ours.named;
    let known = is_known != unknown && (!unknown || theirs.window.is_none());
    let (our_targets, their_targets) = (ours.targets(), theirs.targets());
    let budget = theirs.default_budget.map(|theirs| {
        let aimed = our_targets.as_ref().is_none_or(|[chat, _]| {
            chat.first() == their_targets[0].first() && chat.first() == Some(&Some(theirs))
        });
        default_map_tokens == theirs && aimed
    });
    let mut cells = vec![
        cell(
            "model_window",
            Some(known && max_input_tokens == theirs.window),
            format!(
                "ours {max_input_tokens:?}, known: {is_known}; comparator {:?}; unknown by the protocol: {unknown}",
                theirs.window
            ),
        ),
        cell(
            "model_default_budget",
            budget,
            format!("ours {default_map_tokens}, comparator {:?}", theirs.default_budget),
        ),
        tokenizer(ours, theirs, tokenizers, &cell),
    ];
    if let Some(targets) = our_targets {
        let there = their_targets.iter().flatten().any(Option::is_some);
        let note = format!("ours {targets:?}, comparator {their_targets:?}");
        cells.push(cell(ANSWERED, there.then_some(targets == their_targets), note));
    }
    cells
}

/// Whether both sides count with the same tokenizer, and it is the one that the protocol states: the comparator's counts
/// of its maps are made again, and each probe of ours must have its count. A model whose tokenizer the verifier does not
/// have must be refused, and the comparator's counts must be those of another tokenizer.
fn tokenizer(
    ours: &OurModel,
    theirs: &TheirModel,
    tokenizers: &TokenizerSupport,
    cell: &dyn Fn(&str, Option<bool>, String) -> Cell,
) -> Cell {
    let Named { name, tokenizer, .. } = &ours.named;
    let Some(family) = tokenizers.family(name) else {
        return cell("model_tokenizer", Some(false), format!("no tokenizer is known for {name}"));
    };
    let stated = family.tokenizer_id.as_str();
    let here = Tokenizer::with_id(stated);
    let claimed = tokenizer.as_deref() == here.map(|_| stated);
    let counts = match here {
        Some(tokenizer) => theirs.is_counted_with(tokenizer),
        None => theirs.is_counted_with(Tokenizer::Cl100k).map(|counted| !counted),
    };
    let holds = counts.map(|counted_as_stated| {
        let as_ours = ours.maps.as_ref().map(|ours| {
            ours.iter().zip(&theirs.maps).all(|(ours, theirs)| same_search(&ours.last, theirs))
        });
        claimed && counted_as_stated && as_ours == here.map(|_| true)
    });
    let note = format!(
        "the protocol states {stated}; our program says {tokenizer:?} and {}; the comparator's counts are as stated: {counts:?}",
        if ours.maps.is_some() { "makes maps" } else { "refuses" },
    );
    cell("model_tokenizer", holds, note)
}

/// Whether a search of ours is the comparator's: the same cuts with the same counts, as far from the target, and the same
/// map in the end.
fn same_search(ours: &AttemptLayers, theirs: &Case) -> bool {
    let Some(theirs) = theirs.attempts.last() else { return false };
    let probes = theirs.search.iter().map(|probe| {
        let bits = |number: Option<f64>| number.map(f64::to_bits);
        Some((probe.middle, bits(probe.tokens)?, bits(probe.pct_err)?, probe.kept))
    });
    !ours.search.is_empty()
        && ours.probes().into_iter().map(Some).eq(probes)
        && ours.listing == theirs.listing
}

/// The targets in tokens of all attempts with and without a chat.
type Targets = [Vec<Option<f64>>; 2];

impl OurModel {
    fn targets(&self) -> Option<Targets> {
        let of = |layers: &Layers| {
            let earlier = layers.earlier.iter().map(|attempt| attempt.layers.target_tokens);
            earlier.chain([layers.last.target_tokens]).collect()
        };
        self.maps.as_ref().map(|maps| maps.each_ref().map(of))
    }
}

impl TheirModel {
    fn targets(&self) -> Targets {
        let of = |attempt: &Attempt| attempt.target_tokens;
        self.maps.each_ref().map(|case| case.attempts.iter().map(of).collect())
    }
}
