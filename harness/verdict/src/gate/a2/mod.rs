//! A2, stage correctness and render fidelity: which candidates there are, which of them are cut away,
//! and how the rest is rendered.
//!
//! Selection is judged on the lists before rendering, and the text separately. Three differences
//! are normalised, as the reference allows: path separators, line endings, order in stage 3.

mod coverage;

use std::collections::{BTreeMap, BTreeSet};

use record::{Cell, Profile, Stage, TagKind};
use serde::Deserialize;

use super::{Bound, Gate, GateId, Judge, Need, Place, PlotSpec};
use crate::{
    CaseView, RunView,
    counts::Counts,
    protocol::{Protocol, ProtocolError, Table},
    sides::{
        Layers, PrefitEntry, RankingLayers,
        lists::{first_difference, share_of_lists},
    },
};

pub use coverage::Coverage;

pub(super) const NAME: &str = "A2";
const GATE: GateId = GateId::A2;
/// Code points that a line of the map keeps.
const MAX_LINE: usize = 100;

/// Thresholds of A2.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct A2Thresholds {
    /// A further budget in tokens, so wide that most maps show every stage; run on the first case
    /// of each corpus.
    pub wide_budget: u64,
    /// Least share of entries, names and lines that are as they should be.
    pub min_share: f64,
    /// Fewest maps of a run that must show each stage, and be cut in each and between any two.
    pub min_maps: u64,
}

impl Table for A2Thresholds {
    const NAME: &'static str = "a2";
}

/// The gate.
#[derive(Debug)]
pub struct A2;

impl Gate for A2 {
    fn title(&self) -> &'static str {
        "stages and rendering"
    }

    fn profiles(&self) -> &'static [Profile] {
        &[Profile::Parity]
    }

    fn needs(&self, _: Profile) -> &'static [Need] {
        &[Need::Answers, Need::Maps, Need::WideBudget]
    }

    fn plots(&self) -> Vec<PlotSpec> {
        vec![PlotSpec::bar("Correct stages, cuts and rendering")]
    }

    fn judge(&self, protocol: &Protocol) -> Result<Box<dyn Judge>, ProtocolError> {
        Ok(Box::new(protocol.table::<A2Thresholds>()?))
    }
}

impl Judge for A2Thresholds {
    fn case(&self, view: &CaseView, counts: &mut Counts) -> Vec<Cell> {
        let mut coverage = Coverage::default();
        view.all().for_each(|(_, ours, _)| coverage.add(ours));
        counts.merge(&coverage.counts());
        if view.case.no_map {
            return Vec::new();
        }
        let cells = view
            .all()
            .flat_map(|(budget, ours, theirs)| a2(&view.place(budget), ours, theirs, self));
        cells.collect()
    }

    fn run(&self, run: &RunView) -> Vec<Cell> {
        Coverage::of(run.counts).cells(self)
    }
}

/// The cells of one case at one budget.
pub fn a2(place: &Place, ours: &Layers, theirs: &Layers, thresholds: &A2Thresholds) -> Vec<Cell> {
    let least = (Bound::AtLeast, thresholds.min_share);
    let cell = |metric: &str, (holding, total): (usize, usize), note: String| {
        let share = (total > 0).then(|| holding as f64 / total as f64);
        let mut cell = place.judged(GATE, metric, share, least, total);
        if holding < total {
            cell.note = note;
        }
        cell
    };
    let (our_text, their_text) = (lines(&ours.text), lines(&theirs.text));
    let text = cell(
        "rendered_text",
        share_of_lists(&our_text, &their_text),
        first_difference(&our_text, &their_text),
    );
    let (our_ranking, their_ranking) = match (&ours.ranking, &theirs.ranking) {
        (Some(ours), Some(theirs)) => (ours, theirs),
        (None, None) => {
            let mut none = place.reported(GATE, "stage_order", None, 0);
            "neither side assembled a list".clone_into(&mut none.note);
            return vec![none, text];
        }
        _ => return vec![place.not_run(GATE, "stage_order", "one side has no list"), text],
    };
    let Some(postfit) = &ours.postfit else {
        return vec![place.not_run(GATE, "cut_is_prefix", "no selected list was recorded"), text];
    };
    let (membership, stray) = membership(our_ranking, &ours.last.chat_files);
    let cut = ours.kept_probe().map_or(0, |probe| usize::try_from(probe.middle).unwrap_or(0));
    let kept = our_ranking.prefit.get(..cut).unwrap_or(&our_ranking.prefit);
    let probed = ours.largest_probe().max(theirs.largest_probe());
    let (our_list, their_list) =
        (normalised(&our_ranking.prefit), normalised(&their_ranking.prefit));
    let (our_cut, their_cut) = (normalised(postfit), normalised(theirs.kept_cut()));
    let (names, absent) = rendered_names(postfit, &ours.last.chat_files, &our_text);
    let candidates = our_ranking.prefit.len();
    let selected = (candidates > 0).then(|| postfit.len() as f64 / candidates as f64);
    vec![
        // The share of the candidates that the budget has room for distinguishes a map that is cut from one
        // that shows its whole repository.
        place.reported(GATE, "selected_share", selected, candidates),
        cell("stage_order", in_order(&our_ranking.prefit), "a stage follows a later one".into()),
        cell("stage_membership", membership, stray),
        cell("cut_is_prefix", share_of_lists(postfit, kept), first_difference(postfit, kept)),
        cell(
            "prefit_trace",
            same_lists(&our_list, &their_list, probed),
            first_difference(&our_list, &their_list),
        ),
        cell(
            "postfit_trace",
            share_of_lists(&our_cut, &their_cut),
            first_difference(&our_cut, &their_cut),
        ),
        cell("rendered_names", names, absent),
        text,
    ]
}

/// Counts entries whose stage is not before that of the entry above.
fn in_order(prefit: &[PrefitEntry]) -> (usize, usize) {
    let falls = prefit.windows(2).filter(|pair| matches!(pair, [a, b] if a.stage > b.stage));
    (prefit.len() - falls.count(), prefit.len())
}

/// Counts entries that are where they belong, of all that are or ought to be there. Stage 1 holds the
/// definitions as ranked, stage 2 the graph's files without a definition, by rank and name, and stage 3 other
/// files by their bare names. Every definition and file of the graph appears, no bare name appears twice, and
/// chat files appear only as bare names in stage 2.
fn membership(ranking: &RankingLayers, chat: &[String]) -> ((usize, usize), String) {
    let chat: BTreeSet<&str> = chat.iter().map(String::as_str).collect();
    let nodes: BTreeMap<&str, f64> =
        ranking.file_ranks.iter().map(|(file, rank)| (file.as_str(), *rank)).collect();
    let ranked: BTreeMap<(&str, &str), usize> = ranking
        .definition_ranks
        .iter()
        .enumerate()
        .map(|(position, (file, ident, _))| ((file.as_str(), ident.as_str()), position))
        .collect();
    let defining: BTreeSet<&str> = ranking
        .prefit
        .iter()
        .filter(|entry| entry.tag.is_some())
        .map(|entry| entry.file.as_str())
        .collect();
    let (mut shown, mut bare) = (BTreeSet::new(), BTreeSet::new());
    let mut place_in_ranking = 0;
    let mut last_node: Option<(f64, &str)> = None;
    let mut right = 0;
    let mut stray = String::new();
    for entry in &ranking.prefit {
        let file = entry.file.as_str();
        let holds = match (entry.stage, &entry.tag) {
            (Stage::Definitions, Some((_, name, kind))) => {
                let position = ranked.get(&(file, name.as_str())).copied();
                shown.insert((file, name.as_str()));
                let follows = position.is_some_and(|position| position >= place_in_ranking);
                place_in_ranking = position.unwrap_or(place_in_ranking);
                follows && *kind == TagKind::Definition && !chat.contains(file)
            }
            (Stage::Graph, None) => {
                let node = nodes.get(file).map(|rank| (*rank, file));
                let follows = match (last_node, node) {
                    (_, None) => false,
                    (None, Some(_)) => true,
                    (Some(last), Some(node)) => {
                        last.0.total_cmp(&node.0).then_with(|| last.1.cmp(node.1)).is_gt()
                    }
                };
                last_node = node.or(last_node);
                follows && !defining.contains(file) && bare.insert(file)
            }
            (Stage::Others, None) => {
                !nodes.contains_key(file)
                    && !defining.contains(file)
                    && !chat.contains(file)
                    && bare.insert(file)
            }
            _ => false,
        };
        right += usize::from(holds);
        if !holds && stray.is_empty() {
            stray = format!("{entry:?} does not belong there");
        }
    }
    let lost_files =
        nodes.keys().filter(|file| !defining.contains(**file) && !bare.contains(**file));
    let lost_definitions =
        ranked.keys().filter(|key| !chat.contains(key.0) && !shown.contains(*key));
    let lost: Vec<String> = lost_files
        .map(|file| format!("{file} is missing"))
        .chain(lost_definitions.map(|(file, ident)| format!("{ident} of {file} is missing")))
        .collect();
    if let (true, Some(first)) = (stray.is_empty(), lost.first()) {
        stray.clone_from(first);
    }
    ((right, ranking.prefit.len() + lost.len()), stray)
}

/// A list with plain separators, and with its stage 3 in order of file names.
fn normalised(entries: &[PrefitEntry]) -> Vec<PrefitEntry> {
    let mut list: Vec<PrefitEntry> = entries
        .iter()
        .map(|entry| PrefitEntry { file: entry.file.replace('\\', "/"), ..entry.clone() })
        .collect();
    let mut others: Vec<PrefitEntry> =
        list.iter().filter(|entry| entry.stage == Stage::Others).cloned().collect();
    others.sort_unstable();
    let places = list.iter_mut().filter(|entry| entry.stage == Stage::Others);
    for (place, entry) in places.zip(others) {
        *place = entry;
    }
    list
}

/// Counts equal entries: by position up to the largest probed cut, and anywhere after it, where no cut
/// was probed and ties within rounding may be ordered either way.
fn same_lists(ours: &[PrefitEntry], theirs: &[PrefitEntry], probed: usize) -> (usize, usize) {
    let split = |list: &[PrefitEntry]| {
        let (head, tail) = list.split_at(probed.min(list.len()));
        let mut tail = tail.to_vec();
        tail.sort_unstable();
        [head, &tail].concat()
    };
    share_of_lists(&split(ours), &split(theirs))
}

/// Counts files of the cut that the text names as it should, in order: a file with definitions by its name
/// and a colon, any other by its name alone, each below an empty line.
fn rendered_names(
    postfit: &[PrefitEntry],
    chat: &[String],
    text: &[&str],
) -> ((usize, usize), String) {
    let mut files: BTreeMap<&str, bool> = BTreeMap::new();
    for entry in postfit.iter().filter(|entry| !chat.contains(&entry.file)) {
        *files.entry(entry.file.as_str()).or_default() |= entry.tag.is_some();
    }
    // A name that is broken into several lines has no line of its own.
    let breaks = |character: char| character.is_control() || "\u{2028}\u{2029}".contains(character);
    files.retain(|file, _| !file.contains(breaks));
    if files.is_empty() {
        let blank = text.iter().all(|line| line.is_empty());
        return ((usize::from(blank), 1), "a text without any file".to_owned());
    }
    let headings: Vec<&str> = text
        .windows(2)
        .filter_map(|pair| match pair {
            ["", below] => Some(*below),
            _ => None,
        })
        .collect();
    let (mut found, mut from) = (0, 0);
    let mut absent = String::new();
    for (file, has_definitions) in &files {
        let name = format!("{file}{}", if *has_definitions { ":" } else { "" });
        let name: String = name.chars().take(MAX_LINE).collect();
        let rest = headings.get(from..).unwrap_or_default();
        match rest.iter().position(|heading| *heading == name) {
            Some(at) => {
                found += 1;
                from += at + 1;
            }
            None if absent.is_empty() => absent = format!("no line {name:?}"),
            None => {}
        }
    }
    ((found, files.len()), absent)
}

/// The lines of a text, with any kind of line ending.
fn lines(text: &str) -> Vec<&str> {
    text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).collect()
}
