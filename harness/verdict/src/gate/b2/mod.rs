//! B2: a summary that shows less than there is says so, and says correctly how much it leaves out.

use record::{Cell, Profile, Verdict, protocol::SCORING};

use super::{Bound, Gate, GateId, Judge, Need, Place, b1::no_models};
use crate::{
    RunView,
    explorations::{B2Evidence, Scoring},
    metrics::f1::Counts,
    protocol::{Protocol, ProtocolError},
};

pub(super) const NAME: &str = "B2";
const GATE: GateId = GateId::B2;
/// Faults that the note of a failing cell names.
const NAMED: usize = 5;

/// The gate.
#[derive(Debug)]
pub struct B2;

impl Gate for B2 {
    fn title(&self) -> &'static str {
        "disclosure of what a summary hides"
    }

    fn profiles(&self) -> &'static [Profile] {
        &Profile::ALL
    }

    fn needs(&self, _: Profile) -> &'static [Need] {
        &[Need::CodeGold, Need::FormatGold, Need::OtherFiles]
    }

    fn judge(&self, protocol: &Protocol) -> Result<Box<dyn Judge>, ProtocolError> {
        Ok(Box::new(Rules(protocol.toml(SCORING)?)))
    }
}

struct Rules(Scoring);

impl Judge for Rules {
    fn run(&self, run: &RunView) -> Vec<Cell> {
        let Some(found) = run.explorations else { return Vec::new() };
        b2(&found.b2, &self.0, run.evidence.plan.profile)
    }
}

/// The cells of a run. The full lists of cut sections are compared with gold by the thresholds that B1 has
/// for the sum of all languages.
pub fn b2(evidence: &B2Evidence, rules: &Scoring, profile: Profile) -> Vec<Cell> {
    let place = Place { corpus: "", case: "", budget: None };
    let least = rules.disclosure.min_share;
    let share = |metric: &str, part: u64, whole: u64| {
        let value = (whole > 0).then(|| part as f64 / whole as f64);
        place.judged(GATE, metric, value, (Bound::AtLeast, least), whole as usize)
    };
    let lists = rules.disclosure.min_lists;
    let enough = (Bound::AtLeast, lists as f64);
    let mut sample = place.judged(
        GATE,
        "capped_lists",
        Some(evidence.lists as f64),
        enough,
        evidence.lists as usize,
    );
    if evidence.lists < lists {
        // Few lists are not a fault, but too little to judge by.
        sample.verdict = Verdict::Insufficient;
    }
    let told = evidence.outputs - evidence.empty;
    let mut cells = vec![
        sample,
        no_models(GATE, evidence.model_tiers, evidence.outputs),
        share("outputs_with_summary", told, evidence.outputs),
        share("lists_marked", evidence.marked, evidence.lists),
        share("totals_true", evidence.true_totals, evidence.lists),
    ];
    if let Some(thresholds) = rules.thresholds.get(&profile).map(|of| of.micro) {
        let Counts { gold, found, .. } = evidence.behind;
        let (recall, precision) = (evidence.behind.recall(), evidence.behind.precision());
        for (metric, value, least, n) in [
            ("list_recall", recall, thresholds.symbol_recall, gold),
            ("list_precision", precision, thresholds.symbol_precision, found.max(gold)),
        ] {
            cells.push(place.judged(GATE, metric, value, (Bound::AtLeast, least), n as usize));
        }
    }
    if !profile.is_parity() {
        cells.push(share("nothing_hidden_silently", evidence.whole, evidence.asked_whole));
    }
    for cell in cells.iter_mut().filter(|cell| cell.verdict == Verdict::Fail) {
        cell.note = first_faults(evidence, &cell.metric);
    }
    cells
}

/// The first faults behind a metric that fails.
fn first_faults(evidence: &B2Evidence, metric: &str) -> String {
    let all: Vec<&str> = evidence
        .faults
        .iter()
        .filter(|fault| fault.metric == metric)
        .map(|fault| fault.what.as_str())
        .collect();
    let (named, others) = all.split_at(NAMED.min(all.len()));
    let more = if others.is_empty() { "" } else { "; more in explorations.txt" };
    format!("{}{more}", named.join("; "))
}

#[cfg(test)]
mod tests;
