//! The rules of the stages, and of what a map shows of them. They need no other side.

use std::collections::{BTreeMap, BTreeSet};

use record::{Cell, Profile, Stage, TagKind};

use super::{
    super::{Bound, GateId, Place},
    A2Thresholds,
};
use crate::sides::{Layers, PrefitEntry, RankingLayers};

/// Code points that a line of the map keeps.
const MAX_LINE: usize = 100;

/// What of these rules holds in the enhancement profile, as cells of a gate: the candidates stand in the order of their
/// stages, each where it belongs; the selected ones are some of them, in their order; and the text names each
/// selected file as its stage asks.
pub fn invariants(
    place: &Place,
    gate: GateId,
    layers: &Layers,
    thresholds: &A2Thresholds,
) -> Vec<Cell> {
    let cell = |metric: &str, counted: (usize, usize), note: String| {
        share_cell(place, gate, metric, counted, note, thresholds)
    };
    let (Some(ranking), Some(selected)) = (&layers.ranking, &layers.postfit) else {
        return vec![place.not_run(gate, "stage_order", "no list was recorded")];
    };
    let chat = &layers.last.chat_files;
    let (membership, stray) = membership(ranking, chat, Profile::Enhancement);
    let (kept, strange) = selection(&ranking.prefit, selected);
    let (names, absent) =
        rendered_names(selected, chat, &lines(&layers.text), Profile::Enhancement);
    vec![
        cell("stage_order", in_order(&ranking.prefit), "a stage follows a later one".into()),
        cell("stage_membership", membership, stray),
        cell("selection_order", kept, strange),
        cell("rendered_names", names, absent),
    ]
}

/// A cell of the share that holds, of so many in total. The note says which one does not hold.
pub(super) fn share_cell(
    place: &Place,
    gate: GateId,
    metric: &str,
    (holding, total): (usize, usize),
    note: String,
    thresholds: &A2Thresholds,
) -> Cell {
    let share = (total > 0).then(|| holding as f64 / total as f64);
    let least = (Bound::AtLeast, thresholds.min_share);
    let mut cell = place.judged(gate, metric, share, least, total);
    if holding < total {
        cell.note = note;
    }
    cell
}

/// Counts selected entries that are candidates and stand in the order of the candidates, each once.
fn selection(candidates: &[PrefitEntry], selected: &[PrefitEntry]) -> ((usize, usize), String) {
    let mut rest = candidates.iter();
    let mut kept = 0;
    for entry in selected {
        // What is passed over is not found again.
        if !rest.any(|candidate| candidate == entry) {
            let why = format!("{entry:?} is no candidate, or stands in another place");
            return ((kept, selected.len()), why);
        }
        kept += 1;
    }
    ((kept, selected.len()), String::new())
}

/// Counts entries whose stage is not before that of the entry above.
pub(super) fn in_order(prefit: &[PrefitEntry]) -> (usize, usize) {
    let falls = prefit.windows(2).filter(|pair| matches!(pair, [a, b] if a.stage > b.stage));
    (prefit.len() - falls.count(), prefit.len())
}

/// Counts entries that are where they belong, of all that are or ought to be there. Stage 1 holds the
/// definitions, stage 2 the graph's files without a definition, and stage 3 other files by their bare names.
/// Every definition and file of the graph appears, and no bare name appears twice. In the parity profile the
/// first two stages are in order of rank, and chat files appear as bare names in stage 2; in the enhancement
/// profile they appear nowhere.
pub(super) fn membership(
    ranking: &RankingLayers,
    chat: &[String],
    profile: Profile,
) -> ((usize, usize), String) {
    let is_parity = profile.is_parity();
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
                let follows =
                    position.is_some_and(|position| !is_parity || position >= place_in_ranking);
                place_in_ranking = position.unwrap_or(place_in_ranking);
                follows && *kind == TagKind::Definition && !chat.contains(file)
            }
            (Stage::Graph, None) => {
                let node = nodes.get(file).map(|rank| (*rank, file));
                let follows = match (last_node, node) {
                    (_, None) => false,
                    (None, Some(_)) => true,
                    (Some(_), Some(_)) if !is_parity => true,
                    (Some(last), Some(node)) => {
                        last.0.total_cmp(&node.0).then_with(|| last.1.cmp(node.1)).is_gt()
                    }
                };
                last_node = node.or(last_node);
                let may_be_there = is_parity || !chat.contains(file);
                follows && may_be_there && !defining.contains(file) && bare.insert(file)
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
    let is_lost = |file: &str| {
        !defining.contains(file) && !bare.contains(file) && (is_parity || !chat.contains(file))
    };
    let lost_files = nodes.keys().filter(|file| is_lost(file));
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

/// Counts files of the cut that the text names as it should, in order: a file with definitions by its name
/// and a colon, any other by its name alone. In the parity profile each stands below an empty line, in the
/// enhancement profile bare names follow each other.
pub(super) fn rendered_names(
    postfit: &[PrefitEntry],
    chat: &[String],
    text: &[&str],
    profile: Profile,
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
    let below_empty = text.windows(2).filter_map(|pair| match pair {
        ["", below] => Some(*below),
        _ => None,
    });
    let headings: Vec<&str> =
        if profile.is_parity() { below_empty.collect() } else { text.to_vec() };
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
pub(super) fn lines(text: &str) -> Vec<&str> {
    text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).collect()
}
