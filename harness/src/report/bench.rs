//! The record of a benchmark of maps, and how documents show it.

use std::fmt::Write as _;

use record::Schema;
use serde::{Deserialize, Serialize};

/// A comparison of `parity map` with the comparator, as `benches/map.rs` measured it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MapBench {
    /// Schema of this file.
    pub schema_version: Schema<3>,
    /// Threads of our program.
    pub threads: usize,
    /// One row per corpus.
    pub rows: Vec<MapRow>,
}

/// One corpus. Times are medians in seconds; each ratio is of medians before they were rounded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MapRow {
    /// Name of the corpus.
    pub corpus: String,
    /// Wall time of our whole process.
    pub our_seconds: f64,
    /// Wall time of the comparator's whole process as shipped, without a cache.
    pub comparator_seconds: f64,
    /// The comparator's time as a multiple of ours, for the whole process.
    pub whole_ratio: f64,
    /// Wall time of our map, without start-up.
    pub our_map_seconds: f64,
    /// Wall time of the comparator's map, without start-up.
    pub comparator_map_seconds: f64,
    /// The comparator's time as a multiple of ours, for the map.
    pub map_ratio: f64,
    /// Wall time of the comparator's whole process as our driver runs it, which is faster than as
    /// shipped.
    pub driven_seconds: f64,
    /// That time as a multiple of our whole process.
    pub driven_ratio: f64,
    /// The comparator's whole process with all tags in its cache, as a multiple of ours.
    pub warm_whole_ratio: f64,
    /// The comparator's map with all tags in its cache, as a multiple of ours.
    pub warm_map_ratio: f64,
    /// Our peak memory in bytes.
    pub our_peak_bytes: u64,
    /// The comparator's peak memory in bytes.
    pub comparator_peak_bytes: u64,
    /// Our peak as a share of the comparator's.
    pub peak_share: f64,
    /// Time to read, parse and query the same files on the same threads, in seconds.
    pub floor_seconds: f64,
    /// Our map as a multiple of `floor_seconds`.
    pub floor_multiple: f64,
    /// Wall time of our whole process in the enhancement profile, without the index.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enhancement_seconds: Option<f64>,
    /// That time as a multiple of `our_seconds`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enhancement_multiple: Option<f64>,
    /// The wall time of each counted run of our process, in seconds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub our_samples: Vec<f64>,
    /// The wall time of each counted run of the comparator's process, in seconds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub comparator_samples: Vec<f64>,
}

impl MapBench {
    /// The table without the comparator's cache, as Markdown.
    pub fn cold_table(&self) -> String {
        let mut out = String::from(
            "| corpus | ours | comparator | ratio | our map | its map | ratio | our peak | its peak | share | floor | multiple |\n\
             |---|---|---|---|---|---|---|---|---|---|---|---|\n",
        );
        for row in &self.rows {
            let _ = writeln!(
                out,
                "| {} | {:.3} s | {:.3} s | {:.1} | {:.3} s | {:.3} s | {:.1} | {:.1} MB | {:.1} MB | {:.2} | {:.3} s | {:.2} |",
                row.corpus,
                row.our_seconds,
                row.comparator_seconds,
                row.whole_ratio,
                row.our_map_seconds,
                row.comparator_map_seconds,
                row.map_ratio,
                row.our_peak_bytes as f64 / 1e6,
                row.comparator_peak_bytes as f64 / 1e6,
                row.peak_share,
                row.floor_seconds,
                row.floor_multiple,
            );
        }
        out
    }

    /// The table of the comparator with its cache, and as our driver runs it, as Markdown.
    pub fn warm_table(&self) -> String {
        let mut out = String::from(
            "| corpus | whole, comparator warm | map, comparator warm | whole, comparator driven | ratio |\n|---|---|---|---|---|\n",
        );
        for row in &self.rows {
            let (whole, map) = (row.warm_whole_ratio, row.warm_map_ratio);
            let (driven, ratio) = (row.driven_seconds, row.driven_ratio);
            let _ = writeln!(
                out,
                "| {} | {whole:.1} | {map:.1} | {driven:.3} s | {ratio:.1} |",
                row.corpus
            );
        }
        out
    }

    /// The table of both profiles without an index, as Markdown. A row without these times is left
    /// out.
    pub fn profiles_table(&self) -> String {
        let mut out =
            String::from("| corpus | parity | enhancement | ratio |\n|---|---|---|---|\n");
        for row in &self.rows {
            let (Some(seconds), Some(ratio)) = (row.enhancement_seconds, row.enhancement_multiple)
            else {
                continue;
            };
            let _ = writeln!(
                out,
                "| {} | {:.3} s | {seconds:.3} s | {ratio:.2} |",
                row.corpus, row.our_seconds
            );
        }
        out
    }

    /// The ratios alone, largest first, as Markdown.
    pub fn brief_table(&self) -> String {
        let mut rows: Vec<&MapRow> = self.rows.iter().collect();
        rows.sort_by(|one, other| other.whole_ratio.total_cmp(&one.whole_ratio));
        let mut out = String::from(
            "| corpus | times as fast | of its memory | times as fast as its cache |\n|---|---:|---:|---:|\n",
        );
        for row in rows {
            let share = 100.0 * row.peak_share;
            let (cold, warm) = (row.whole_ratio, row.warm_whole_ratio);
            let _ = writeln!(out, "| {} | {cold:.0} | {share:.0} % | {warm:.0} |", row.corpus);
        }
        out
    }
}
