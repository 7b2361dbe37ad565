//! A3, budget safety and accounting.

mod model_list;
mod models;
mod tokenizer;

use record::{Cell, Profile, Verdict};
use serde::Deserialize;

use super::{Bound, Gate, GateId, Judge, Need, Place, PlotSpec};
use crate::{
    CaseView, CorpusView, Missing, RunView,
    counts::Counts,
    metrics::recount,
    protocol::{Protocol, ProtocolError, Table},
    sides::{Counters, Layers, Probe},
};

pub use model_list::ModelList;
pub use models::{ModelRun, OurModel, TheirModel, a3_models};
pub use tokenizer::{TokenizerFamily, TokenizerSupport};

pub(super) const NAME: &str = "A3";
const GATE: GateId = GateId::A3;

/// Thresholds of A3.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct A3Thresholds {
    /// Least share of probes that equal the comparator's.
    pub min_equal_probes: f64,
    /// Relative error of the target within which the comparator accepts any probe.
    pub accepted_error: f64,
    /// Least safety count as a multiple of the parity count.
    pub min_safety_over_parity: f64,
    /// Greatest safety count as a share of the budget, in the enhancement profile.
    pub max_safety_share: f64,
}

impl Table for A3Thresholds {
    const NAME: &'static str = "a3";
}

/// The gate.
#[derive(Debug)]
pub struct A3;

impl Gate for A3 {
    fn title(&self) -> &'static str {
        "budget safety and accounting"
    }

    fn profiles(&self) -> &'static [Profile] {
        &Profile::ALL
    }

    fn needs(&self, profile: Profile) -> &'static [Need] {
        match profile {
            Profile::Parity => &[Need::Answers, Need::Maps, Need::Models],
            Profile::Enhancement => &[Need::Maps],
        }
    }

    fn plots(&self) -> Vec<PlotSpec> {
        let estimate = PlotSpec::strip(
            "Token estimate over target; shaded: near enough that the search ends",
            "estimate_over_target",
        );
        vec![PlotSpec { band: Some((0.85, 1.15)), ..estimate }]
    }

    fn judge(&self, protocol: &Protocol) -> Result<Box<dyn Judge>, ProtocolError> {
        let tokenizers = protocol.json(record::protocol::TOKENIZERS)?;
        let models = ModelList::open(protocol)?;
        Ok(Box::new(Rules { thresholds: protocol.table()?, tokenizers, models }))
    }
}

struct Rules {
    thresholds: A3Thresholds,
    /// The models that may be scored.
    tokenizers: TokenizerSupport,
    /// The models that are compared.
    models: ModelList,
}

impl Judge for Rules {
    fn case(&self, view: &CaseView, _: &mut Counts) -> Vec<Cell> {
        if view.case.no_map {
            return Vec::new();
        }
        let cells = view.narrow().flat_map(|(budget, ours, theirs)| {
            a3_parity(&view.place(budget), ours, theirs, &self.thresholds)
        });
        cells.collect()
    }

    fn corpus(&self, view: &CorpusView) -> Vec<Cell> {
        match view.plan().profile {
            Profile::Parity => {
                let mut cells: Vec<Cell> = self.tokenizer(view).into_iter().collect();
                if view.corpus.name == self.models.corpus {
                    cells.extend(models::of_corpus(view, &self.models, &self.tokenizers));
                }
                cells
            }
            Profile::Enhancement => self.budgets(view),
        }
    }

    /// Without the corpus of the models none is compared, unless only some corpora were asked for.
    fn run(&self, view: &RunView) -> Vec<Cell> {
        let plan = &view.evidence.plan;
        let there = plan.corpora.iter().any(|corpus| corpus.name == self.models.corpus);
        if !plan.profile.is_parity() || plan.narrowed || there {
            return Vec::new();
        }
        let place = Place { corpus: &self.models.corpus, case: "", budget: None };
        vec![place.not_run(GATE, "models_equal", "the corpus of the models was not recorded")]
    }
}

impl Rules {
    /// Whether the comparator counted with a tokenizer that we have.
    fn tokenizer(&self, view: &CorpusView) -> Option<Cell> {
        let response = view.comparator().ok()?.response();
        let claim = TokenizerClaim {
            model: &response.model,
            id: &response.receipt.tuple.tokenizer_id,
            version: &response.receipt.tuple.tokenizer_version,
        };
        Some(a3_tokenizer(&view.place("", None), &claim, &self.tokenizers))
    }

    /// Whether each of our maps keeps within its budget.
    fn budgets(&self, view: &CorpusView) -> Vec<Cell> {
        let cases = view.corpus.cases.iter();
        let maps = cases.flat_map(|case| view.plan().budgets.iter().map(move |at| (case, *at)));
        let cell = |(case, budget): (&record::Case, u64)| {
            let place = Place { corpus: &view.corpus.name, case: &case.id, budget: Some(budget) };
            match view.evidence.engine(view.corpus, &case.id, budget) {
                Ok(map) => {
                    let has_map = !map.text.is_empty();
                    let counted = recount::estimate(&map.text)
                        .map_or(f64::NAN, |estimate| recount::safety(estimate, &map.text));
                    let cell = a3_enhancement(&place, counted, has_map, &self.thresholds);
                    let claimed = map.safety_token_count;
                    recounted(cell, claimed, counted)
                }
                Err(Missing(why)) => place.not_run(GATE, "safety_count_over_budget", &why),
            }
        };
        maps.map(cell).collect()
    }
}

/// What the comparator counted with.
#[derive(Debug, Clone, Copy)]
pub struct TokenizerClaim<'a> {
    /// The model that it was asked about.
    pub model: &'a str,
    /// The tokenizer that it found for it.
    pub id: &'a str,
    /// Its libraries and their versions.
    pub version: &'a str,
}

/// The cells of a case in the parity profile. Every probe of our search must equal the comparator's: the same
/// cut, the same floating-point estimate, and the same probe kept, by the comparator's rule. Both counts are
/// recorded.
pub fn a3_parity(
    place: &Place,
    ours: &Layers,
    theirs: &Layers,
    thresholds: &A3Thresholds,
) -> Vec<Cell> {
    let (ours, theirs) = (&ours, &theirs);
    let total = ours.last.search.len().max(theirs.last.search.len());
    let equal = ours
        .last
        .search
        .iter()
        .zip(&theirs.last.search)
        .filter(|(a, b)| a.middle == b.middle && a.tokens == b.tokens)
        .count();
    let share = (total > 0).then(|| equal as f64 / total as f64);
    let least = (Bound::AtLeast, thresholds.min_equal_probes);
    let probes = place.judged(GATE, "probes_equal", share, least, total);

    let kept =
        |layers: &Layers| layers.kept_probe().map(|probe| (probe.middle, probe.tokens.to_bits()));
    let same_kept = f64::from(u8::from(kept(ours) == kept(theirs)));
    let kept_cell = place.judged(GATE, "kept_probe_equal", Some(same_kept), least, total.min(1));

    let ratio =
        ours.kept_probe().zip(ours.last.target_tokens).map(|(probe, target)| probe.tokens / target);
    let ratio = place.reported(GATE, "estimate_over_target", ratio, usize::from(ratio.is_some()));
    let mut cells = vec![probes, kept_cell, ratio];
    cells.push(acceptance(place, ours, thresholds));
    cells.extend(counters(place, ours, thresholds));
    cells
}

/// Whether each probe was kept or dropped by the comparator's rule, which is applied here once more: the
/// greatest estimate within the target is kept, or any that is near it, which also ends the search.
fn acceptance(place: &Place, ours: &Layers, thresholds: &A3Thresholds) -> Cell {
    let search: &[Probe] = &ours.last.search;
    let mut best = 0.0;
    let mut by_rule = 0;
    for (position, probe) in search.iter().enumerate() {
        let Some(target) = ours.last.target_tokens else { break };
        let error = (probe.tokens - target).abs() / target;
        let near = error < thresholds.accepted_error;
        let kept = near || (probe.tokens <= target && probe.tokens > best);
        let ends = !near || position + 1 == search.len();
        by_rule += usize::from(probe.kept == kept && probe.pct_err == error && ends);
        best = if kept { probe.tokens } else { best };
    }
    let share = (!search.is_empty()).then(|| by_rule as f64 / search.len() as f64);
    let least = (Bound::AtLeast, thresholds.min_equal_probes);
    place.judged(GATE, "accepted_by_the_rule", share, least, search.len())
}

/// Checks both counts of the map by counting the recorded text again: the parity count must be the estimate
/// of the kept probe, and the safety count must not be below it.
fn counters(place: &Place, ours: &Layers, thresholds: &A3Thresholds) -> Vec<Cell> {
    let Some(Counters { parity, safety }) = ours.counters else {
        return vec![place.not_run(GATE, "parity_token_count", "the counts were not recorded")];
    };
    let kept = ours.kept_probe().map_or(0.0, |probe| probe.tokens);
    let same = f64::from(u8::from(parity == kept));
    let least = (Bound::AtLeast, thresholds.min_equal_probes);
    let mut cells = vec![
        place.judged(GATE, "parity_count_is_kept_estimate", Some(same), least, 1),
        counted_again(place, "parity_count_recounted", parity, counted_map(ours), least),
        counted_again(place, "safety_count_recounted", safety, counted_safely(ours), least),
        place.reported(GATE, "parity_token_count", Some(parity), 1),
        place.reported(GATE, "safety_token_count", Some(safety), 1),
    ];
    if parity > 0.0 {
        let least = (Bound::AtLeast, thresholds.min_safety_over_parity);
        let ratio = Some(safety / parity);
        cells.push(place.judged(GATE, "safety_over_parity_count", ratio, least, 1));
    }
    cells
}

/// The comparator's estimate of the map that the search kept, counted again; 0 without a map.
fn counted_map(ours: &Layers) -> Option<f64> {
    recount::estimate(ours.last.listing.as_deref().unwrap_or_default())
}

/// The conservative count of the map's text, counted again.
fn counted_safely(ours: &Layers) -> Option<f64> {
    counted_map(ours).map(|estimate| recount::safety(estimate, &ours.text))
}

/// Whether a count that the program claims is that of its text.
fn counted_again(
    place: &Place,
    metric: &str,
    claimed: f64,
    counted: Option<f64>,
    least: (Bound, f64),
) -> Cell {
    let same = counted.map(|counted| f64::from(u8::from(counted == claimed)));
    let mut cell = place.judged(GATE, metric, same, least, 1);
    if same == Some(0.0) {
        cell.note =
            format!("the program counted {claimed}, the text has {}", counted.unwrap_or(0.0));
    }
    cell
}

/// The cell of the tokenizer. A run whose model has no tokenizer here is invalid, and so is one that was
/// counted with another tokenizer than the protocol states.
pub fn a3_tokenizer(place: &Place, claim: &TokenizerClaim, support: &TokenizerSupport) -> Cell {
    let why = support.refusal(claim.model).or_else(|| {
        let stated = support.family(claim.model)?;
        let same = stated.tokenizer_id == claim.id && stated.tokenizer_version == claim.version;
        (!same).then(|| {
            format!(
                "the comparator counted {} with {} ({}), the protocol states {} ({})",
                claim.model, claim.id, claim.version, stated.tokenizer_id, stated.tokenizer_version
            )
        })
    });
    let holds = f64::from(u8::from(why.is_none()));
    let mut cell = place.judged(GATE, "tokenizer_supported", Some(holds), (Bound::AtLeast, 1.0), 1);
    cell.note = why.unwrap_or_default();
    cell
}

/// Fails a cell whose program claimed another count than its text has.
fn recounted(mut cell: Cell, claimed: f64, counted: f64) -> Cell {
    if claimed != counted && cell.verdict == Verdict::Pass {
        cell.verdict = Verdict::Fail;
        cell.note = format!("the program counted {claimed}, the text has {counted}");
    }
    cell
}

/// The cells of a case in the enhancement profile: the safety count may never exceed the budget that was
/// asked for, which is not the multiplied target.
pub fn a3_enhancement(
    place: &Place,
    safety_token_count: f64,
    has_map: bool,
    thresholds: &A3Thresholds,
) -> Cell {
    let share =
        place.budget.filter(|budget| *budget > 0).map(|budget| safety_token_count / budget as f64);
    let most = (Bound::AtMost, thresholds.max_safety_share);
    place.judged(GATE, "safety_count_over_budget", share, most, usize::from(has_map))
}
