//! B4: data formats compared with independent parsers: required fields, entities and counts.

mod families;

use record::{
    Cell, Digest, Profile, Set, Verdict,
    protocol::{FAMILIES, FORMATS},
};

use super::{
    Bound, Gate, GateId, Judge, Need, Place,
    b1::{no_models, volt},
};
use crate::{
    RunView,
    explorations::{B4Evidence, B4Thresholds, FormatRules, FormatTally, Formats},
    metrics::f1::{Counts, share},
    protocol::{Protocol, ProtocolError},
};

pub use families::{Families, Family, families};

pub(super) const NAME: &str = "B4";
const GATE: GateId = GateId::B4;

/// The gate.
#[derive(Debug)]
pub struct B4;

impl Gate for B4 {
    fn title(&self) -> &'static str {
        "data formats"
    }

    fn profiles(&self) -> &'static [Profile] {
        &Profile::ALL
    }

    /// The corpora of formats are in the full set only.
    fn sets(&self) -> &'static [Set] {
        &[Set::Full]
    }

    fn needs(&self, profile: Profile) -> &'static [Need] {
        match profile {
            Profile::Parity => &[Need::FormatGold, Need::Volt],
            Profile::Enhancement => &[Need::FormatGold],
        }
    }

    fn judge(&self, protocol: &Protocol) -> Result<Box<dyn Judge>, ProtocolError> {
        let formats: Formats = protocol.toml(FORMATS)?;
        let matrix: Families = protocol.json(FAMILIES)?;
        let path = protocol.root().join(FAMILIES);
        let malformed = |why: String| ProtocolError::Malformed { path: path.clone(), why };
        matrix.check().map_err(malformed)?;
        let found = Digest::of_file(&path).map_err(|error| malformed(error.to_string()))?;
        if found.as_str() != formats.families_sha256 {
            return Err(malformed("it is not the matrix of the protocol".to_owned()));
        }
        Ok(Box::new(Rules { formats, matrix }))
    }
}

struct Rules {
    formats: Formats,
    matrix: Families,
}

impl Judge for Rules {
    fn run(&self, run: &RunView) -> Vec<Cell> {
        let Some(found) = run.explorations else { return Vec::new() };
        let plan = &run.evidence.plan;
        let mut cells = b4(&found.b4, &self.formats, plan.profile, plan.narrowed);
        // The matrix is judged by the cells of the whole run.
        let all = [run.cells, &cells].concat();
        cells.extend(families(&self.matrix, &all, &plan.gates, plan.narrowed));
        let files = found.volt.as_ref().map(|volt| volt.files.iter().filter(|file| file.is_format));
        cells.extend(files.into_iter().flat_map(|files| volt::cells(GATE, files)));
        cells
    }
}

/// The cells of a run. A whole run must have enough files of every format of the protocol.
pub fn b4(evidence: &B4Evidence, protocol: &Formats, profile: Profile, partial: bool) -> Vec<Cell> {
    let total = Place { corpus: "", case: "", budget: None };
    let Some(bounds) = protocol.thresholds.get(&profile) else {
        return vec![total.not_run(GATE, "thresholds", "the protocol has none for this profile")];
    };
    let mut cells = vec![no_models(GATE, evidence.model_tiers, evidence.explored)];
    for (format, rules) in &protocol.formats {
        let place = Place { case: format, ..total };
        match evidence.formats.get(format) {
            Some(tally) => cells.extend(judged(place, tally, rules, bounds, protocol.min_files)),
            None if partial => {}
            None => {
                cells.push(place.not_run(GATE, "files", "no file of this format has gold"));
            }
        }
    }
    cells
}

fn judged(
    place: Place,
    tally: &FormatTally,
    rules: &FormatRules,
    bounds: &B4Thresholds,
    min_files: u64,
) -> Vec<Cell> {
    let mut sum = Counts::default();
    let mut means = Vec::new();
    for counts in tally.entities.values() {
        sum.add(*counts);
        // A kind that no file has says nothing.
        means.extend(counts.f1());
    }
    let mean = (!means.is_empty()).then(|| means.iter().sum::<f64>() / means.len() as f64);
    let n = sum.gold.max(sum.found) as usize;
    let least = rules.min_files.unwrap_or(min_files);
    let enough = (Bound::AtLeast, least as f64);
    let mut files =
        place.judged(GATE, "files", Some(tally.files as f64), enough, tally.files as usize);
    if tally.files < least {
        files.verdict = Verdict::Insufficient;
    }
    let covered = share(tally.covered, tally.files);
    let mut cells = vec![
        files,
        place.judged(
            GATE,
            "required_fields",
            covered,
            (Bound::AtLeast, bounds.coverage),
            tally.files as usize,
        ),
        place.judged(GATE, "entity_micro_f1", sum.f1(), (Bound::AtLeast, bounds.micro_f1), n),
        place.judged(GATE, "entity_macro_f1", mean, (Bound::AtLeast, bounds.macro_f1), means.len()),
    ];
    if !rules.counts.is_empty() {
        let mape = (Bound::AtMost, bounds.mape);
        cells.push(place.judged(
            GATE,
            "count_mape",
            tally.mape.value(),
            mape,
            tally.mape.n as usize,
        ));
    }
    cells
}

#[cfg(test)]
mod tests;
