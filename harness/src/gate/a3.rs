//! A3, budget safety and accounting.

use super::{A3Thresholds, Bound, Cell, Layers, Place};

const GATE: &str = "A3";

/// In the parity profile every probe of our search must equal the comparator's: the same cut,
/// the same floating-point estimate, and the same probe kept.
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
    vec![probes, kept_cell, ratio]
}

/// In the enhancement profile the safety count may never exceed the budget that was asked for,
/// which is not the multiplied target.
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
