//! The attempts of the fallback chain before the last one.

use crate::sides::{AttemptLayers, Layers, RankedAttempt, RankingLayers, lists::first_difference};

/// Counts attempts that are equal on both sides, of those that either side made before its last, and
/// describes the first difference. If neither side made one, that counts as one equal attempt.
pub fn earlier(ours: &Layers, theirs: &Layers, max_rank_error: f64) -> ((usize, usize), String) {
    let total = ours.earlier.len().max(theirs.earlier.len());
    if total == 0 {
        return ((1, 1), String::new());
    }
    let differing: Vec<(usize, String)> = (0..total)
        .filter_map(|at| {
            let why = match (ours.earlier.get(at), theirs.earlier.get(at)) {
                (Some(ours), Some(theirs)) => difference(ours, theirs, max_rank_error)?,
                _ => "only one side made it".to_owned(),
            };
            Some((at, why))
        })
        .collect();
    let note = differing.first().map(|(at, why)| format!("attempt {at}: {why}"));
    ((total - differing.len(), total), note.unwrap_or_default())
}

/// The difference between both sides of one attempt, in words.
fn difference(ours: &RankedAttempt, theirs: &RankedAttempt, max: f64) -> Option<String> {
    let lists = |what: &str, of: fn(&AttemptLayers) -> &Vec<String>| {
        let (ours, theirs) = (of(&ours.layers), of(&theirs.layers));
        (ours != theirs).then(|| format!("{what} {}", first_difference(ours, theirs)))
    };
    lists("chat", |layers| &layers.chat_files)
        .or_else(|| lists("mentioned files", |layers| &layers.mentioned_fnames))
        .or_else(|| lists("mentioned identifiers", |layers| &layers.mentioned_idents))
        .or_else(|| outcome(ours, theirs))
        .or_else(|| match (&ours.ranking, &theirs.ranking) {
            (None, None) => None,
            (Some(our_ranking), Some(their_ranking)) => {
                let probed = ours.layers.largest_probe().max(theirs.layers.largest_probe());
                ranking(our_ranking, their_ranking, probed, max)
            }
            _ => Some("only one side recorded a ranking".to_owned()),
        })
}

/// The difference in how an attempt ended. A search that failed is not compared: it ended where it was.
fn outcome(ours: &RankedAttempt, theirs: &RankedAttempt) -> Option<String> {
    if (ours.failed, ours.cached) != (theirs.failed, theirs.cached) {
        return Some("it failed, or was served from the cache, on one side only".to_owned());
    }
    if ours.failed {
        return None;
    }
    let (our_layers, their_layers) = (&ours.layers, &theirs.layers);
    if our_layers.target_tokens != their_layers.target_tokens {
        return Some("the targets differ".to_owned());
    }
    if our_layers.probes() != their_layers.probes() {
        let (ours, theirs) = (&our_layers.search, &their_layers.search);
        return Some(format!("search {}", first_difference(ours, theirs)));
    }
    (our_layers.listing != their_layers.listing).then(|| "the maps differ".to_owned())
}

/// The difference between two rankings; the candidates are compared up to the largest cut that was probed.
fn ranking(
    ours: &RankingLayers,
    theirs: &RankingLayers,
    probed: usize,
    max: f64,
) -> Option<String> {
    if ours.personalization != theirs.personalization {
        return Some("the personalisation differs".to_owned());
    }
    let cut = |ranking: &RankingLayers| ranking.prefit.iter().take(probed).cloned().collect();
    let (our_cut, their_cut): (Vec<_>, Vec<_>) = (cut(ours), cut(theirs));
    if our_cut != their_cut {
        return Some(format!("candidates {}", first_difference(&our_cut, &their_cut)));
    }
    if let (Some(ours), Some(theirs)) = (&ours.edges, &theirs.edges)
        && ours.sha256 != theirs.sha256
    {
        return Some("the edges differ".to_owned());
    }
    let (worst, place) = super::rank_error(ours, theirs);
    (worst > max).then(|| format!("the rank of {place}"))
}
