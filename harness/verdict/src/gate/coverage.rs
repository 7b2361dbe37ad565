//! What the maps of a run show: every stage, and a cut in each and between any two. A run in which
//! a stage never shows has not tested how it is trimmed.

use record::{Cell, Stage, Verdict};

use super::{A2Thresholds, Bound, Layers, Place, a2::GATE};

/// Where a cell of the whole run belongs.
const WHOLE_RUN: Place<'static> = Place { corpus: "*", case: "", budget: None };

/// The stages that a map can show.
const STAGES: [Stage; 3] = [Stage::Definitions, Stage::Graph, Stage::Others];

/// How many maps of a run show which stage and are cut where.
#[derive(Debug, Clone, Default)]
pub struct Coverage {
    maps: usize,
    /// Maps with an entry of stage 1, 2 and 3 that is not in the chat.
    showing: [usize; 3],
    /// Maps with an entry of every stage.
    showing_all: usize,
    /// Maps whose cut lies inside stage 1, 2 and 3.
    inside: [usize; 3],
    /// Maps whose cut drops the whole of stage 2, or of stage 3, and nothing above it.
    between: [usize; 2],
}

impl Coverage {
    /// Notes one map.
    pub fn add(&mut self, layers: &Layers) {
        self.maps += 1;
        let (Some(ranking), Some(postfit)) = (&layers.ranking, &layers.postfit) else { return };
        let shows = STAGES.map(|stage| {
            postfit
                .iter()
                .any(|entry| entry.stage == stage && !layers.last.chat_files.contains(&entry.file))
        });
        for (count, shown) in self.showing.iter_mut().zip(shows) {
            *count += usize::from(shown);
        }
        self.showing_all += usize::from(shows == [true; 3]);

        let cut = postfit.len();
        let [one, two, three] =
            STAGES.map(|stage| ranking.prefit.iter().filter(|entry| entry.stage == stage).count());
        let inside = [
            cut > 0 && cut < one,
            cut > one && cut < one + two,
            cut > one + two && cut < one + two + three,
        ];
        for (count, lies) in self.inside.iter_mut().zip(inside) {
            *count += usize::from(lies);
        }
        let between = [cut == one && one > 0 && two > 0, cut == one + two && two > 0 && three > 0];
        for (count, lies) in self.between.iter_mut().zip(between) {
            *count += usize::from(lies);
        }
    }

    /// Notes the maps of another part of the run.
    pub fn merge(&mut self, other: &Self) {
        let Self { maps, showing, showing_all, inside, between } = other;
        self.maps += maps;
        self.showing_all += showing_all;
        let counts = self.showing.iter_mut().chain(&mut self.inside).chain(&mut self.between);
        for (count, more) in counts.zip(showing.iter().chain(inside).chain(between)) {
            *count += more;
        }
    }

    /// One cell for each stage and each kind of cut: the number of maps that have it. Too few are
    /// insufficient, not a failure: nothing was found wrong, and too little was looked at.
    pub fn cells(&self, thresholds: &A2Thresholds) -> Vec<Cell> {
        let [one, two, three] = self.showing;
        let [inside_one, inside_two, inside_three] = self.inside;
        let [one_two, two_three] = self.between;
        [
            ("maps_showing_stage_1", one),
            ("maps_showing_stage_2", two),
            ("maps_showing_stage_3", three),
            ("maps_showing_every_stage", self.showing_all),
            ("maps_cut_inside_stage_1", inside_one),
            ("maps_cut_between_1_and_2", one_two),
            ("maps_cut_inside_stage_2", inside_two),
            ("maps_cut_between_2_and_3", two_three),
            ("maps_cut_inside_stage_3", inside_three),
        ]
        .map(|(metric, count)| {
            let bound = (Bound::AtLeast, thresholds.min_maps as f64);
            let mut cell = WHOLE_RUN.judged(GATE, metric, Some(count as f64), bound, count);
            if cell.verdict != Verdict::Pass {
                cell.verdict = Verdict::Insufficient;
                cell.note = format!("of {} maps; run whole sets", self.maps);
            }
            cell
        })
        .into()
    }
}
