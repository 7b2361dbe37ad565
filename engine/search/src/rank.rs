//! The first stage: BM25F over the fields of all chunks.

use std::collections::BTreeMap;

use base::text::paths;
use rayon::prelude::*;

use crate::{
    row::{Entry, Hit, Row},
    terms::{self, Rules},
    weights::{FIELDS, KEPT, Weights},
};

/// The files that are searched: their rows by path relative to the root.
pub type Rows<'a> = BTreeMap<&'a str, Row<'a>>;

/// A chunk that contains a term of the question.
#[derive(Debug, Clone)]
pub struct Found<'a> {
    /// Its file.
    pub file: &'a str,
    /// Key of the file's language.
    pub language: &'a str,
    /// Its position among the chunks of its file.
    pub at: u32,
    /// The chunk as its row keeps it.
    pub entry: Entry,
    /// Its BM25F score, above 0.
    pub score: f64,
    /// The index of each term of the question with its contribution to the score; terms that
    /// contribute nothing are left out.
    pub by_term: Vec<(usize, f64)>,
}

/// Where the terms occur in one file.
struct Hits<'a> {
    file: &'a str,
    language: &'a str,
    entries: Vec<Entry>,
    /// How often a term occurs in each field, by entry and term.
    counts: BTreeMap<(u32, usize), [u32; FIELDS]>,
    /// Number of terms in the path.
    path_length: u32,
}

/// The best chunks for these terms, at most `most`, the best first. Chunks with equal scores are
/// ordered by file and line. The formula is BM25F (Robertson and Zaragoza, 2009).
pub fn rank<'a>(
    rows: &Rows<'a>,
    terms: &[String],
    weights: &Weights,
    rules: Rules,
    most: usize,
) -> Vec<Found<'a>> {
    let hits: Vec<Hits> =
        rows.par_iter().filter_map(|(&file, row)| hits(file, row, terms, weights, rules)).collect();
    let count: u64 = rows.values().map(|row| u64::from(row.count)).sum();
    let averages = averages(rows, count, rules);
    let mut holding = vec![0_u64; terms.len()];
    for hits in &hits {
        hits.counts.keys().for_each(|(_, term)| holding[*term] += 1);
    }
    let rarity: Vec<f64> = holding
        .iter()
        .map(|holding| {
            let (all, holding) = (count as f64, *holding as f64);
            ((all - holding + 0.5) / (holding + 0.5)).ln_1p()
        })
        .collect();
    let mut found: Vec<Found> = hits
        .into_par_iter()
        .flat_map_iter(|hits| scored(hits, &rarity, &averages, weights))
        .collect();
    found.sort_by(|one, other| {
        other.score.total_cmp(&one.score).then_with(|| one.place().cmp(&other.place()))
    });
    found.truncate(most);
    found
}

impl Found<'_> {
    /// The place by which chunks with equal scores are ordered.
    pub fn place(&self) -> (&str, u32, u32) {
        (self.file, self.entry.start, self.at)
    }
}

/// Average length of each field over all chunks, in terms; the path counts once for each chunk.
fn averages(rows: &Rows, count: u64, rules: Rules) -> [f64; FIELDS] {
    let mut sums = [0.0; FIELDS];
    for (file, row) in rows {
        for (sum, own) in sums.iter_mut().zip(row.sums) {
            *sum += f64::from(own);
        }
        sums[KEPT] += f64::from(row.count) * f64::from(path_terms(file, rules, &mut |_| {}));
    }
    sums.map(|sum| sum / (count.max(1) as f64))
}

/// Calls `each` with the terms of a path without its extension, and returns their number.
fn path_terms(path: &str, rules: Rules, each: &mut impl FnMut(&str)) -> u32 {
    let mut count = 0;
    let (stem, _) = paths::split_extension(path);
    terms::of(stem, rules, &mut |term| {
        count += 1;
        each(term);
    });
    count
}

fn hits<'a>(
    file: &'a str,
    row: &Row<'a>,
    terms: &[String],
    weights: &Weights,
    rules: Rules,
) -> Option<Hits<'a>> {
    let mut in_path = vec![0_u32; terms.len()];
    let path_length = path_terms(file, rules, &mut |term| {
        let at = terms.iter().position(|asked| asked == term);
        at.and_then(|at| in_path.get_mut(at)).into_iter().for_each(|count| *count += 1);
    });
    let counts_paths = weights.fields.path.weight > 0.0 && in_path.iter().any(|count| *count > 0);
    let found = row.find(terms);
    if found.is_none() && !counts_paths {
        return None;
    }
    let (entries, by_term) = match found {
        Some(found) => found,
        None => (row.entries()?, vec![Vec::new(); terms.len()]),
    };
    let mut counts: BTreeMap<(u32, usize), [u32; FIELDS]> = BTreeMap::new();
    for (term, hits) in by_term.iter().enumerate() {
        // Occurrences in fields of weight 0 do not count.
        let counts_any = |hit: &&Hit| {
            let fields = weights.fields.all();
            hit.counts.iter().zip(fields).any(|(count, field)| *count > 0 && field.weight > 0.0)
        };
        for hit in hits.iter().filter(counts_any) {
            let place = counts.entry((hit.entry, term)).or_default();
            place.iter_mut().zip(hit.counts).for_each(|(place, count)| *place = count);
        }
    }
    if counts_paths {
        for (term, count) in in_path.iter().enumerate().filter(|(_, count)| **count > 0) {
            for entry in 0..entries.len() as u32 {
                counts.entry((entry, term)).or_default()[KEPT] = *count;
            }
        }
    }
    Some(Hits { file, language: row.language, entries, counts, path_length })
}

fn scored<'a>(
    hits: Hits<'a>,
    rarity: &[f64],
    averages: &[f64; FIELDS],
    weights: &Weights,
) -> Vec<Found<'a>> {
    let fields = weights.fields.all();
    let k1 = weights.saturation.k1;
    let mut found: Vec<Found> = Vec::new();
    for ((at, term), counts) in hits.counts {
        let Some(entry) = hits.entries.get(at as usize) else { continue };
        let mut frequency = 0.0;
        for (number, (field, count)) in fields.iter().zip(counts).enumerate() {
            let length = entry.lengths.get(number).copied().unwrap_or(hits.path_length);
            let share =
                if averages[number] > 0.0 { f64::from(length) / averages[number] } else { 1.0 };
            let damping = 1.0 - field.length + field.length * share;
            frequency += field.weight * f64::from(count) / damping;
        }
        let adds = rarity[term] * frequency * (k1 + 1.0) / (frequency + k1);
        if adds <= 0.0 {
            continue;
        }
        // Entries come in order, so the chunk is either the last one or a new one.
        if found.last().is_none_or(|last| last.at != at) {
            found.push(Found {
                file: hits.file,
                language: hits.language,
                at,
                entry: entry.clone(),
                score: 0.0,
                by_term: Vec::new(),
            });
        }
        if let Some(last) = found.last_mut() {
            last.score += adds;
            last.by_term.push((term, adds));
        }
    }
    found
}
