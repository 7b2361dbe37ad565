//! What one side says about one case, layer by layer, in the form that gates compare.

use std::collections::BTreeMap;

use record::{Stage, Tag};
use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{Error as _, SeqAccess, Visitor},
};

use super::Edges;

/// One candidate.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct PrefitEntry {
    /// Which part of the list it belongs to.
    pub stage: Stage,
    /// The file, relative to the root.
    pub file: String,
    /// Row, name and kind of a definition; absent for a bare file name.
    pub tag: Option<Tag>,
}

/// One probe of the budget search.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Probe {
    /// Entries of the cut.
    pub middle: u64,
    /// Estimated tokens of the cut's text.
    pub tokens: f64,
    /// Relative error against the target.
    pub pct_err: f64,
    /// True if it was acceptable when probed; the last such probe gave the map.
    pub kept: bool,
}

/// Both counts of a map, in tokens.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Counters {
    /// The comparator's estimate, which decides in the parity profile.
    pub parity: f64,
    /// The conservative count, which decides in the enhancement profile.
    pub safety: f64,
}

/// How a case was ranked.
#[derive(Debug, Clone, PartialEq)]
pub struct RankingLayers {
    /// Personalisation by file, not normalised.
    pub personalization: BTreeMap<String, f64>,
    /// (file, rank) in node order.
    pub file_ranks: Vec<(String, f64)>,
    /// (file, identifier, rank), descending.
    pub definition_ranks: Vec<(String, String, f64)>,
    /// The candidates.
    pub prefit: Vec<PrefitEntry>,
    /// The edges, where recorded.
    pub edges: Option<Edges>,
}

/// One attempt of the fallback chain.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct AttemptLayers {
    /// Chat files, sorted.
    pub chat_files: Vec<String>,
    /// Mentioned files, sorted.
    pub mentioned_fnames: Vec<String>,
    /// Mentioned identifiers, sorted.
    pub mentioned_idents: Vec<String>,
    /// Budget of the search in tokens.
    #[serde(default)]
    pub target_tokens: Option<f64>,
    /// The probes.
    #[serde(default)]
    pub search: Vec<Probe>,
    /// The map.
    #[serde(default)]
    pub listing: Option<String>,
}

/// One attempt with its ranking and its outcome.
#[derive(Debug, Clone, PartialEq)]
pub struct RankedAttempt {
    /// What it was asked, its search and its map.
    pub layers: AttemptLayers,
    /// True if its answer was stored before and not computed again.
    pub cached: bool,
    /// True if it ended with an error. What it had searched until then is not compared.
    pub failed: bool,
    /// Its ranking, where it came that far.
    pub ranking: Option<RankingLayers>,
}

/// All layers of one case.
#[derive(Debug, Clone, PartialEq)]
pub struct Layers {
    /// Listed files, where recorded.
    pub tracked: Option<Vec<String>>,
    /// Tags by file, where recorded.
    pub tags: Option<BTreeMap<String, Vec<Tag>>>,
    /// The attempts of the fallback chain before the last one, in order.
    pub earlier: Vec<RankedAttempt>,
    /// The last attempt.
    pub last: AttemptLayers,
    /// Its ranking, where it came that far.
    pub ranking: Option<RankingLayers>,
    /// The map's text; empty if there is none.
    pub text: String,
    /// The entries that the map was rendered from, where recorded; see [`Layers::kept_cut`].
    pub postfit: Option<Vec<PrefitEntry>>,
    /// Both token counts of the map, where recorded.
    pub counters: Option<Counters>,
}

impl AttemptLayers {
    /// The largest cut that the search probed, in entries.
    pub fn largest_probe(&self) -> usize {
        let largest = self.search.iter().map(|probe| probe.middle).max();
        usize::try_from(largest.unwrap_or(0)).unwrap_or(usize::MAX)
    }

    /// The probes in a form in which equal searches are equal: cut, estimate, error, kept; numbers by their
    /// bits.
    pub fn probes(&self) -> Vec<(u64, u64, u64, bool)> {
        let bits = |probe: &Probe| {
            (probe.middle, probe.tokens.to_bits(), probe.pct_err.to_bits(), probe.kept)
        };
        self.search.iter().map(bits).collect()
    }
}

impl Layers {
    /// Number of attempts of the fallback chain.
    pub const fn attempts(&self) -> usize {
        self.earlier.len() + 1
    }

    /// The largest cut that the search probed, in entries.
    pub fn largest_probe(&self) -> usize {
        self.last.largest_probe()
    }

    /// The probe that gave the map.
    pub fn kept_probe(&self) -> Option<&Probe> {
        self.last.search.iter().rfind(|probe| probe.kept)
    }

    /// The cut of the candidates that the search kept.
    pub fn kept_cut(&self) -> &[PrefitEntry] {
        let length = self.kept_probe().map_or(0, |probe| probe.middle);
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        let prefit = self.ranking.as_ref().map_or(&[][..], |ranking| &ranking.prefit);
        prefit.get(..length).unwrap_or(prefit)
    }
}

impl<'de> Deserialize<'de> for PrefitEntry {
    /// Reads `[stage, file]` or `[stage, file, row, name, kind]`.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entry;
        impl<'de> Visitor<'de> for Entry {
            type Value = PrefitEntry;

            fn expecting(&self, formatter: &mut std::fmt::Formatter) -> std::fmt::Result {
                formatter.write_str("[stage, file] or [stage, file, row, name, kind]")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<PrefitEntry, A::Error> {
                let short = || A::Error::custom("a pre-fit entry is too short");
                let stage = list.next_element()?.ok_or_else(short)?;
                let file = list.next_element()?.ok_or_else(short)?;
                let tag = match list.next_element()? {
                    Some(row) => Some((
                        row,
                        list.next_element()?.ok_or_else(short)?,
                        list.next_element()?.ok_or_else(short)?,
                    )),
                    None => None,
                };
                Ok(PrefitEntry { stage, file, tag })
            }
        }
        deserializer.deserialize_seq(Entry)
    }
}

impl Serialize for PrefitEntry {
    /// Writes the form that is read.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.tag {
            Some((row, name, kind)) => {
                (self.stage, &self.file, row, name, kind).serialize(serializer)
            }
            None => (self.stage, &self.file).serialize(serializer),
        }
    }
}

#[cfg(test)]
mod tests {
    use record::TagKind;

    use super::PrefitEntry;

    #[test]
    fn entries_read_in_both_shapes() {
        let entries: Vec<PrefitEntry> =
            serde_json::from_str(r#"[[2,"a.py"],[1,"b.py",3,"f","def"]]"#).unwrap();
        assert_eq!(entries[0].tag, None);
        assert_eq!(entries[1].tag, Some((3, "f".to_owned(), TagKind::Definition)));
        assert!(serde_json::from_str::<PrefitEntry>("[1]").is_err());
        assert!(serde_json::from_str::<PrefitEntry>(r#"[1,"b.py",3]"#).is_err());
    }
}
