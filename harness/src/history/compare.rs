//! Compares two runs.

use std::collections::BTreeSet;

use frames::Row;
use record::{Verdict, exit};
use serde::{Deserialize as _, Serialize};

use super::{Recordings, Side, Times, Units};
use crate::Failure;

/// Two values are equal if they differ by less than this, which covers rounding in floating-point sums.
const NOISE: f64 = 1e-12;

/// What changed from one run to another.
#[derive(Debug, Clone, Serialize)]
pub struct Diff {
    /// The older run, or the one that was named first.
    pub before: Side,
    /// The newer run.
    pub after: Side,
    /// Set and profile, where the two runs differ in them: then little else can be compared.
    pub unlike: Vec<String>,
    /// Corpora that the newer run does not have.
    pub corpora_gone: Vec<String>,
    /// Corpora that the older run does not have.
    pub corpora_added: Vec<String>,
    /// Corpora whose commit differs.
    pub corpora_changed: Vec<String>,
    /// Gates that came, went, or changed their verdict.
    pub gates: Vec<GateChange>,
    /// Cells that the newer run does not have, of corpora that both have.
    pub cells_gone: Vec<Place>,
    /// Cells that the older run does not have, of corpora that both have.
    pub cells_added: Vec<Place>,
    /// Cells with another verdict, regressions first.
    pub changed: Vec<CellChange>,
    /// Cells with the same verdict and another value, beyond the known noise, largest difference first.
    pub moved: Vec<Moved>,
    /// The number of cells that both have.
    pub compared: usize,
    /// Which recordings both have; absent if one side keeps none.
    pub recordings: Option<Recordings>,
    /// What units took, kind by kind; empty if one side does not say.
    pub times: Vec<Times>,
}

/// A gate whose verdict changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GateChange {
    /// The gate.
    pub gate: String,
    /// Its verdict in the older run; absent if it was not part of it.
    pub before: Option<String>,
    /// Its verdict in the newer run.
    pub after: Option<String>,
}

/// Where a cell was measured.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Place {
    /// The gate.
    pub gate: String,
    /// The corpus.
    pub corpus: String,
    /// The case; empty for the whole corpus.
    pub case: String,
    /// The budget in tokens.
    pub budget: Option<u64>,
    /// What was measured.
    pub metric: String,
}

/// A cell with another verdict.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CellChange {
    /// Where.
    #[serde(flatten)]
    pub place: Place,
    /// Its verdict in the older run.
    pub before: Verdict,
    /// Its verdict in the newer run.
    pub after: Verdict,
    /// The older and the newer value, in the unit of the metric.
    pub values: [Option<f64>; 2],
}

/// A cell with another value.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Moved {
    /// Where.
    #[serde(flatten)]
    pub place: Place,
    /// The older and the newer value, in the unit of the metric.
    pub values: [Option<f64>; 2],
    /// Whether the margin shrank; absent if either cell has none.
    pub worse: Option<bool>,
}

/// What changed from `before` to `after`.
///
/// # Errors
/// A table of cells cannot be read.
pub fn compare(before: &Side, after: &Side) -> Result<Diff, Failure> {
    let names = |side: &Side| side.corpora.keys().cloned().collect::<BTreeSet<_>>();
    let (old, new) = (names(before), names(after));
    let mut unlike = Vec::new();
    for (what, one, other) in
        [("set", &before.set, &after.set), ("profile", &before.profile, &after.profile)]
    {
        if one != other {
            unlike.push(format!("{what}: {one}, then {other}"));
        }
    }
    let joined = before.cells.join(&after.cells)?;
    // A corpus that is gone is listed once, not cell by cell. A cell over all corpora counts as in both.
    let in_both = |row: &&Row<'_>| old.contains(row.corpus) == new.contains(row.corpus);
    let places = |rows: &[Row<'_>]| rows.iter().filter(in_both).map(Place::of).collect();
    let mut diff = Diff {
        unlike,
        corpora_gone: old.difference(&new).cloned().collect(),
        corpora_added: new.difference(&old).cloned().collect(),
        corpora_changed: old
            .intersection(&new)
            .filter(|name| before.corpora.get(*name) != after.corpora.get(*name))
            .cloned()
            .collect(),
        gates: gates(before, after),
        cells_gone: places(&joined.first),
        cells_added: places(&joined.second),
        changed: Vec::new(),
        moved: Vec::new(),
        compared: joined.both.len(),
        recordings: (!before.recordings.is_empty() && !after.recordings.is_empty())
            .then(|| Recordings::of(&before.recordings, &after.recordings)),
        times: Times::of(&before.units, &after.units, &[]),
        before: before.clone(),
        after: after.clone(),
    };
    for [was, is] in &joined.both {
        let (place, values) = (Place::of(was), [was.value, is.value]);
        if was.verdict != is.verdict {
            let (before, after) = (verdict(was)?, verdict(is)?);
            diff.changed.push(CellChange { place, before, after, values });
        } else if distance(values) > noise(was, is) {
            let worse = was.margin.zip(is.margin).map(|(was, is)| is < was);
            diff.moved.push(Moved { place, values, worse });
        }
    }
    diff.changed.sort_by_key(|change| (!change.is_regression(), change.place.clone()));
    diff.moved.sort_by(|one, other| {
        let far = |moved: &Moved| distance(moved.values);
        far(other).total_cmp(&far(one)).then_with(|| one.place.cmp(&other.place))
    });
    Ok(diff)
}

impl Place {
    fn of(row: &Row<'_>) -> Self {
        Self {
            gate: row.gate.to_owned(),
            corpus: row.corpus.to_owned(),
            case: row.case.to_owned(),
            budget: row.budget,
            metric: row.metric.to_owned(),
        }
    }
}

/// The verdict of a cell, which its table holds as a word.
fn verdict(row: &Row<'_>) -> Result<Verdict, Failure> {
    let word = serde::de::value::StrDeserializer::<serde::de::value::Error>::new(row.verdict);
    Verdict::deserialize(word).map_err(|_| {
        let why = format!("a cell of gate {} has the unknown verdict {:?}", row.gate, row.verdict);
        Failure::new(exit::IO, why)
    })
}

impl CellChange {
    /// Whether a cell that passed no longer does.
    pub fn is_regression(&self) -> bool {
        self.before == Verdict::Pass
    }
}

impl GateChange {
    /// Whether a gate that passed no longer does, or is gone.
    pub fn is_regression(&self) -> bool {
        self.before.as_deref() == Some(Verdict::Pass.as_str())
    }
}

impl Diff {
    /// The same, with the times compared with those of earlier runs.
    #[must_use]
    pub fn with_history(mut self, earlier: &[Units]) -> Self {
        self.times = Times::of(&self.before.units, &self.after.units, earlier);
        self
    }

    /// Whether something that was measured or passed is gone or no longer passes.
    pub fn is_regression(&self) -> bool {
        !self.corpora_gone.is_empty()
            || !self.cells_gone.is_empty()
            || self.gates.iter().any(GateChange::is_regression)
            || self.changed.iter().any(CellChange::is_regression)
    }

    /// The exit code: 10 if this is a regression, else 0.
    pub fn exit_code(&self) -> u8 {
        if self.is_regression() { exit::GATE_FAILED } else { exit::PASS }
    }

    /// Whether nothing changed at all.
    pub fn is_empty(&self) -> bool {
        let lists = [self.unlike.len(), self.corpora_gone.len(), self.corpora_added.len()];
        let more = [self.corpora_changed.len(), self.gates.len(), self.cells_gone.len()];
        let cells = [self.cells_added.len(), self.changed.len(), self.moved.len()];
        lists.into_iter().chain(more).chain(cells).sum::<usize>() == 0
    }
}

fn gates(before: &Side, after: &Side) -> Vec<GateChange> {
    let names: BTreeSet<&String> = before.gates.keys().chain(after.gates.keys()).collect();
    let change = |name: &String| GateChange {
        gate: name.clone(),
        before: before.gates.get(name).cloned(),
        after: after.gates.get(name).cloned(),
    };
    let changes = names.into_iter().map(change);
    changes.filter(|change| change.before != change.after).collect()
}

/// How far apart two values are: infinitely far if only one was measured.
fn distance([one, other]: [Option<f64>; 2]) -> f64 {
    match (one, other) {
        (Some(one), Some(other)) if one == other => 0.0,
        (Some(one), Some(other)) => (one - other).abs(),
        (None, None) => 0.0,
        _ => f64::INFINITY,
    }
}

/// By how much a value may differ without having moved. Where the comparator disagrees with itself, its
/// seeded runs are samples: the known noise is the distance from their mean to their minimum.
fn noise(was: &Row<'_>, is: &Row<'_>) -> f64 {
    let width = |mean: Option<f64>, least: Option<f64>| {
        mean.zip(least).map_or(0.0, |(mean, least)| (mean - least).abs())
    };
    let widths = |row: &Row<'_>| {
        [width(row.noise_floor, row.noise_floor_min), width(row.canonical, row.canonical_min)]
    };
    [was, is].into_iter().flat_map(widths).fold(NOISE, f64::max)
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeMap, path::PathBuf};

    use record::{Cell, Spread, Verdict};
    use verdict::gate::GateId;

    use super::{Diff, Side, compare};
    use crate::report::of_cells;

    fn cell(corpus: &str, metric: &str, value: f64) -> Cell {
        let threshold = 0.85;
        Cell {
            gate: GateId::A1.name(),
            corpus: corpus.to_owned(),
            case: "none".to_owned(),
            budget: None,
            metric: metric.to_owned(),
            value: Some(value),
            threshold: Some(threshold),
            margin: Some(value - threshold),
            n: 30,
            noise_floor: None,
            seeds: None,
            verdict: if value >= threshold { Verdict::Pass } else { Verdict::Fail },
            note: String::new(),
            warning: String::new(),
        }
    }

    fn side(cells: &[Cell]) -> Side {
        let failed = cells.iter().any(|cell| cell.verdict != Verdict::Pass);
        let corpora: BTreeMap<String, String> =
            cells.iter().map(|cell| (cell.corpus.clone(), "1a".repeat(20))).collect();
        Side {
            path: PathBuf::from("run"),
            set: "smoke".to_owned(),
            profile: "parity".to_owned(),
            partial: false,
            source_commit: "2b".repeat(20),
            engine_sha256: "4d".repeat(32),
            run_profile: None,
            finished_at: None,
            units: BTreeMap::new(),
            gates: BTreeMap::from([(
                "A1".to_owned(),
                if failed { "fail" } else { "pass" }.to_owned(),
            )]),
            corpora,
            recordings: BTreeMap::new(),
            cells: of_cells(cells).unwrap(),
        }
    }

    #[expect(clippy::needless_pass_by_value, reason = "the tests below read better so")]
    fn diff(before: Vec<Cell>, after: Vec<Cell>) -> Diff {
        compare(&side(&before), &side(&after)).unwrap()
    }

    #[test]
    fn the_same_run_differs_in_nothing() {
        let cells = || vec![cell("flask", "jaccard_top", 0.9), cell("zod", "jaccard_top", 1.0)];
        let diff = diff(cells(), cells());
        assert!(diff.is_empty() && !diff.is_regression());
        assert_eq!(diff.compared, 2);
    }

    #[test]
    fn a_verdict_that_changed_is_a_regression_one_way_only() {
        let (good, bad) = (cell("flask", "jaccard_top", 0.9), cell("flask", "jaccard_top", 0.8));
        let worse = diff(vec![good.clone()], vec![bad.clone()]);
        assert_eq!((worse.changed.len(), worse.gates.len(), worse.exit_code()), (1, 1, 10));
        let better = diff(vec![bad], vec![good]);
        assert_eq!((better.changed.len(), better.gates.len(), better.exit_code()), (1, 1, 0));
    }

    #[test]
    fn what_is_gone_is_a_regression_and_a_corpus_is_told_once() {
        let both = vec![cell("flask", "jaccard_top", 0.9), cell("zod", "jaccard_top", 0.9)];
        let gone = diff(both.clone(), both[..1].to_vec());
        assert_eq!((&*gone.corpora_gone, gone.cells_gone.len()), (&["zod".to_owned()][..], 0));
        assert!(gone.is_regression());
        let added = diff(both[..1].to_vec(), both.clone());
        assert_eq!((added.corpora_added.len(), added.is_regression()), (1, false));
        let mut fewer = both.clone();
        fewer[0].metric = "spearman_top".to_owned();
        let swapped = diff(both, fewer);
        assert_eq!((swapped.cells_gone.len(), swapped.cells_added.len()), (1, 1));
        assert!(swapped.is_regression());
    }

    #[test]
    fn a_verdict_that_no_version_knows_is_refused() {
        let (before, mut after) = (side(&[cell("flask", "jaccard_top", 0.9)]), side(&[]));
        let mut rows = before.cells.rows().unwrap();
        rows[0].verdict = "fine";
        after.cells = frames::Measurements::from_rows(&rows).unwrap();
        after.corpora.clone_from(&before.corpora);
        assert!(compare(&before, &after).unwrap_err().to_string().contains("\"fine\""));
    }

    #[test]
    fn a_value_moves_only_beyond_the_noise_that_is_known() {
        let at = |value: f64, floor: Option<Spread>| {
            vec![Cell { noise_floor: floor, ..cell("flask", "jaccard_top", value) }]
        };
        let floor = Some(Spread { mean: 0.95, min: 0.90 });
        assert!(diff(at(0.93, floor), at(0.96, floor)).is_empty());
        let moved = diff(at(0.99, floor), at(0.90, floor)).moved;
        assert_eq!((moved.len(), moved[0].worse), (1, Some(true)));
        // Without a noise floor a value is the same in every run.
        assert_eq!(diff(at(0.93, None), at(0.930_001, None)).moved[0].worse, Some(false));
        let mut unmeasured = at(0.93, None);
        unmeasured[0].value = None;
        assert_eq!(diff(at(0.93, None), unmeasured).moved.len(), 1);
    }
}
