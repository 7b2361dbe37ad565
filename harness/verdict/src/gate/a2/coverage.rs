//! Counts which stages the maps of a run show, and whether they are cut in each stage and between any two.
//! A run whose maps never show a stage has not tested how that stage is trimmed.

use record::{Cell, Stage, Verdict};

use super::{A2Thresholds, Bound, Counts, GATE, Layers, Place};

/// Where a cell of the whole run belongs.
const WHOLE_RUN: Place<'static> = Place { corpus: "*", case: "", budget: None };

/// The stages that a map can show.
const STAGES: [Stage; 3] = [Stage::Definitions, Stage::Graph, Stage::Others];
/// The count of all maps.
const MAPS: &str = "maps";
/// Counts of maps with an entry of a stage whose file is not in the chat.
const SHOWING: [&str; 3] = ["maps_showing_stage_1", "maps_showing_stage_2", "maps_showing_stage_3"];
/// Count of maps with an entry of every stage.
const SHOWING_ALL: &str = "maps_showing_every_stage";
/// Counts of maps whose cut lies inside a stage.
const INSIDE: [&str; 3] =
    ["maps_cut_inside_stage_1", "maps_cut_inside_stage_2", "maps_cut_inside_stage_3"];
/// Counts of maps whose cut drops the whole of stage 2, or of stage 3, and nothing above it.
const BETWEEN: [&str; 2] = ["maps_cut_between_1_and_2", "maps_cut_between_2_and_3"];

/// How many maps of a run show which stage and are cut where.
#[derive(Debug, Clone, Default)]
pub struct Coverage(Counts);

impl Coverage {
    /// What was counted over a run.
    pub fn of(counts: &Counts) -> Self {
        Self(counts.clone())
    }

    /// The counts so far.
    pub fn counts(self) -> Counts {
        self.0
    }

    /// Counts one map.
    pub fn add(&mut self, layers: &Layers) {
        self.0.add(MAPS, 1);
        let (Some(ranking), Some(postfit)) = (&layers.ranking, &layers.postfit) else { return };
        let shows = STAGES.map(|stage| {
            postfit
                .iter()
                .any(|entry| entry.stage == stage && !layers.last.chat_files.contains(&entry.file))
        });
        let mut note = |name: &'static str, holds: bool| self.0.add(name, usize::from(holds));
        for (name, shown) in SHOWING.into_iter().zip(shows) {
            note(name, shown);
        }
        note(SHOWING_ALL, shows == [true; 3]);

        let cut = postfit.len();
        let [one, two, three] =
            STAGES.map(|stage| ranking.prefit.iter().filter(|entry| entry.stage == stage).count());
        let inside = [
            cut > 0 && cut < one,
            cut > one && cut < one + two,
            cut > one + two && cut < one + two + three,
        ];
        for (name, lies) in INSIDE.into_iter().zip(inside) {
            note(name, lies);
        }
        let between = [cut == one && one > 0 && two > 0, cut == one + two && two > 0 && three > 0];
        for (name, lies) in BETWEEN.into_iter().zip(between) {
            note(name, lies);
        }
    }

    /// One cell for each stage and each kind of cut: the number of maps that have it. Too few maps are
    /// insufficient and not a failure, because nothing was found wrong.
    pub fn cells(&self, thresholds: &A2Thresholds) -> Vec<Cell> {
        let metrics = SHOWING.into_iter().chain([SHOWING_ALL]).chain(INSIDE).chain(BETWEEN);
        metrics
            .map(|metric| {
                let count = self.0.get(metric);
                let bound = (Bound::AtLeast, thresholds.min_maps as f64);
                let mut cell = WHOLE_RUN.judged(GATE, metric, Some(count as f64), bound, count);
                if cell.verdict != Verdict::Pass {
                    cell.verdict = Verdict::Insufficient;
                    cell.note = format!("of {} maps; run whole sets", self.0.get(MAPS));
                }
                cell
            })
            .collect()
    }
}
