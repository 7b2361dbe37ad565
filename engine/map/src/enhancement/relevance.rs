//! How well files and definitions match a message: BM25F over paths, names and texts.

use std::collections::{BTreeMap, BTreeSet};

use base::text::words;
use rayon::prelude::*;

use crate::graph::{FileGraph, PERSONALIZATION, RankingInput};

/// Saturation of repeated words (k1 of BM25).
const SATURATION: f64 = 1.2;
/// Weight of a word in the path, in the name of a definition, and in the text of a file.
const FILE_WEIGHTS: [f64; 3] = [3.0, 2.0, 1.0];
/// How strongly the length of each of these fields reduces its weight (b of BM25F).
const FILE_LENGTHS: [f64; 3] = [0.3, 0.5, 0.75];
/// Weight of a word in a definition's name, relative to a word in its text.
const NAME_WEIGHT: f64 = 3.0;
/// How strongly the length of a definition's text reduces its score (b of BM25).
const DEFINITION_LENGTH: f64 = 0.6;
/// Shortest name, in bytes, that is also searched as a whole.
const MIN_WHOLE: usize = 4;

/// The words of a message that are searched for, sorted.
#[derive(Debug)]
struct Terms {
    terms: Vec<String>,
    /// For each byte, whether any term starts with it.
    starts: [bool; 256],
}

/// How well each file and each definition matches a message, from 0 to 1.
#[derive(Debug)]
pub struct Relevance {
    /// The scores of files, by file id.
    pub files: Vec<f64>,
    /// The scores of definitions, by index in the graph.
    pub definitions: Vec<f64>,
}

/// The occurrences of terms in one file.
#[derive(Debug, Default)]
struct Hits {
    /// Occurrences in the text, in order, as (0-based row, term).
    text: Vec<(u32, u32)>,
    /// Terms that occur in the path.
    path: Vec<u32>,
    /// Lengths in bytes of the path, of all names that the file defines, and of its text.
    lengths: [f64; 3],
}

impl Terms {
    fn of(message: &str) -> Self {
        let mut terms = BTreeSet::new();
        for name in words::names(message) {
            collect(name, &mut |word| {
                if !words::is_stop_word(word) {
                    terms.insert(words::stem(word).to_owned());
                }
            });
            if is_whole(name) {
                terms.insert(name.to_lowercase());
            }
        }
        let mut starts = [false; 256];
        for byte in terms.iter().filter_map(|term| term.bytes().next()) {
            starts[usize::from(byte)] = true;
        }
        Self { terms: terms.into_iter().collect(), starts }
    }

    /// Calls `found` with every term that occurs in a name.
    fn search(&self, name: &str, lower: &mut String, found: &mut impl FnMut(u32)) {
        let mut look = |word: &str, stem: fn(&str) -> &str| {
            let first = word.bytes().next().map_or(0, |byte| byte.to_ascii_lowercase());
            if !self.starts[usize::from(first)] {
                return;
            }
            lower.clear();
            lower.push_str(word);
            lower.make_ascii_lowercase();
            if let Ok(at) = self.terms.binary_search_by(|term| term.as_str().cmp(stem(lower))) {
                found(at as u32);
            }
        };
        for part in words::parts(name) {
            look(part, words::stem);
        }
        if is_whole(name) {
            look(name, |word| word);
        }
    }
}

/// Calls `each` with every part of a name, in lower case.
fn collect(name: &str, each: &mut impl FnMut(&str)) {
    for part in words::parts(name) {
        each(&part.to_ascii_lowercase());
    }
}

/// True if a name is also searched as a whole.
fn is_whole(name: &str) -> bool {
    name.len() >= MIN_WHOLE && words::is_compound(name)
}

impl Relevance {
    /// How well files and definitions match a message; `None` if the message has no word to search
    /// for.
    pub fn of(message: &str, graph: &FileGraph, input: &RankingInput) -> Option<Self> {
        let terms = Terms::of(message);
        if terms.terms.is_empty() {
            return None;
        }
        let mut defined: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (index, definition) in graph.definitions().iter().enumerate() {
            defined.entry(definition.file).or_default().push(index);
        }
        let hits: Vec<(usize, Hits)> =
            input.included.par_iter().map(|&file| (file, hits(&terms, input, file))).collect();
        let names: Vec<Vec<u32>> = graph
            .definitions()
            .iter()
            .map(|definition| found_in(&terms, graph.idents[definition.ident]))
            .collect();
        let scored = Scored { terms: &terms, hits: &hits, names: &names, defined: &defined };
        let weights = scored.inverse_frequencies();
        let mut files = vec![0.0; input.sources.files.len()];
        for (score, (file, _)) in scored.files(&weights).into_iter().zip(&hits) {
            files[*file] = score;
        }
        let definitions = scored.definitions(&weights, graph, input);
        Some(Self { files: normalised(files), definitions: normalised(definitions) })
    }
}

impl Relevance {
    /// Adds the relevant files to the personalisation. Together they get as much as the comparator
    /// shares out over all files.
    pub fn seed(&self, personalization: &mut BTreeMap<usize, f64>) {
        let sum: f64 = self.files.iter().map(|score| score * score).sum();
        for (file, score) in self.files.iter().enumerate().filter(|(_, score)| **score > 0.0) {
            *personalization.entry(file).or_default() += PERSONALIZATION * score * score / sum;
        }
    }
}

fn normalised(mut scores: Vec<f64>) -> Vec<f64> {
    let greatest = scores.iter().copied().fold(0.0, f64::max);
    if greatest > 0.0 {
        for score in &mut scores {
            *score /= greatest;
        }
    }
    scores
}

fn found_in(terms: &Terms, text: &str) -> Vec<u32> {
    let (mut found, mut lower) = (Vec::new(), String::new());
    for name in words::names(text) {
        terms.search(name, &mut lower, &mut |term| found.push(term));
    }
    found
}

fn hits(terms: &Terms, input: &RankingInput, file: usize) -> Hits {
    let source = &input.sources.files[file];
    let mut text = Vec::new();
    let mut lower = String::new();
    for (row, line) in source.text().split('\n').enumerate() {
        for name in words::names(line) {
            terms.search(name, &mut lower, &mut |term| text.push((row as u32, term)));
        }
    }
    let lengths = [source.file.rel.len() as f64, 0.0, source.text().len() as f64];
    Hits { text, path: found_in(terms, &source.file.rel), lengths }
}

/// The occurrences in all files, ready to be scored.
struct Scored<'a> {
    terms: &'a Terms,
    /// Occurrences by file, in order of the file ids.
    hits: &'a [(usize, Hits)],
    /// Terms in the name of each definition.
    names: &'a [Vec<u32>],
    /// Indices of the definitions of each file.
    defined: &'a BTreeMap<usize, Vec<usize>>,
}

impl Scored<'_> {
    /// How often each term occurs in each field of a file, and how long the fields are.
    fn fields(&self, file: usize, hits: &Hits) -> ([Vec<f64>; 3], [f64; 3]) {
        let mut counts = [(); 3].map(|()| vec![0.0; self.terms.terms.len()]);
        hits.path.iter().for_each(|term| counts[0][*term as usize] += 1.0);
        hits.text.iter().for_each(|(_, term)| counts[2][*term as usize] += 1.0);
        let defined = self.defined.get(&file).map_or(&[][..], Vec::as_slice);
        for &index in defined {
            self.names[index].iter().for_each(|term| counts[1][*term as usize] += 1.0);
        }
        let mut lengths = hits.lengths;
        lengths[1] = defined.len() as f64;
        (counts, lengths)
    }

    /// The inverse document frequency of each term: a term weighs more if fewer files contain it.
    fn inverse_frequencies(&self) -> Vec<f64> {
        let mut files = vec![0.0_f64; self.terms.terms.len()];
        for (file, hits) in self.hits {
            let (counts, _) = self.fields(*file, hits);
            for (term, files) in files.iter_mut().enumerate() {
                *files += f64::from(u8::from(counts.iter().any(|field| field[term] > 0.0)));
            }
        }
        let all = self.hits.len() as f64;
        files.iter().map(|with| (1.0 + (all - with + 0.5) / (with + 0.5)).ln()).collect()
    }

    /// The score of each file, in the order of `hits`.
    fn files(&self, weights: &[f64]) -> Vec<f64> {
        let fields: Vec<_> =
            self.hits.iter().map(|(file, hits)| self.fields(*file, hits)).collect();
        let mut average = [0.0_f64; 3];
        for (_, lengths) in &fields {
            for (sum, length) in average.iter_mut().zip(lengths) {
                *sum += length / fields.len() as f64;
            }
        }
        let score = |(counts, lengths): &([Vec<f64>; 3], [f64; 3])| {
            let of_term = |(term, weight): (usize, &f64)| {
                let frequency: f64 = (0..3)
                    .map(|field| {
                        let share = FILE_LENGTHS[field];
                        let longer = lengths[field] / average[field].max(1.0);
                        FILE_WEIGHTS[field] * counts[field][term] / (1.0 - share + share * longer)
                    })
                    .sum();
                weight * frequency / (SATURATION + frequency)
            };
            weights.iter().enumerate().map(of_term).sum()
        };
        fields.iter().map(score).collect()
    }

    /// The score of each definition, from its name and the rows up to the next definition.
    fn definitions(&self, weights: &[f64], graph: &FileGraph, input: &RankingInput) -> Vec<f64> {
        let mut scores = vec![0.0; graph.definitions().len()];
        for (file, hits) in self.hits {
            let Some(defined) = self.defined.get(file) else { continue };
            let starts = starts(defined, graph, input.sources.files[*file].text());
            let mut counts: BTreeMap<usize, BTreeMap<u32, f64>> = BTreeMap::new();
            for &index in defined {
                for term in &self.names[index] {
                    *counts.entry(index).or_default().entry(*term).or_default() += NAME_WEIGHT;
                }
            }
            for (row, term) in &hits.text {
                let after = starts.partition_point(|(start, ..)| *start <= *row);
                let Some((_, index, rows)) = after.checked_sub(1).and_then(|at| starts.get(at))
                else {
                    continue;
                };
                let longer = f64::from(*rows) / AVERAGE_ROWS;
                let norm = 1.0 - DEFINITION_LENGTH + DEFINITION_LENGTH * longer;
                *counts.entry(*index).or_default().entry(*term).or_default() += 1.0 / norm;
            }
            for (index, terms) in counts {
                scores[index] = terms
                    .iter()
                    .map(|(term, count)| weights[*term as usize] * count / (SATURATION + count))
                    .sum();
            }
        }
        scores
    }
}

/// Assumed average number of rows of a definition.
const AVERAGE_ROWS: f64 = 20.0;

/// Where the text of each definition starts, including the comment above it, as (row, index of the
/// definition, number of rows), sorted by row.
fn starts(defined: &[usize], graph: &FileGraph, text: &str) -> Vec<(u32, usize, u32)> {
    let lines: Vec<&str> = text.split('\n').collect();
    let is_comment = |row: usize| {
        let line = lines.get(row).map_or("", |line| line.trim_start());
        ["//", "/*", "*", "#", "--", ";", "%", "@", "\"\"\"", "(*", "{-"]
            .iter()
            .any(|mark| line.starts_with(mark))
    };
    let mut starts: Vec<(u32, usize, u32)> = Vec::new();
    for &index in defined {
        for line in graph.rows(index) {
            let mut row = usize::try_from(*line).unwrap_or_default();
            while row > 0 && is_comment(row - 1) {
                row -= 1;
            }
            starts.push((row as u32, index, 1));
        }
    }
    starts.sort_unstable();
    let ends = starts.iter().skip(1).map(|next| next.0).chain([lines.len() as u32]);
    let ends: Vec<u32> = ends.collect();
    for (start, end) in starts.iter_mut().zip(ends) {
        start.2 = end.saturating_sub(start.0).max(1);
    }
    starts
}

#[cfg(test)]
mod tests {
    use super::{Terms, found_in};

    #[test]
    fn a_message_is_reduced_to_what_is_looked_for() {
        let terms = Terms::of("Fix the parsing of headers in Curl_http_auth()");
        assert_eq!(
            terms.terms,
            ["auth", "curl", "curl_http_auth", "fix", "header", "http", "pars"]
        );
        assert!(Terms::of("is it so?").terms.is_empty());
    }

    #[test]
    fn terms_are_found_in_whatever_form_a_name_has_them() {
        let terms = Terms::of("parse header");
        let of =
            |text| found_in(&terms, text).into_iter().map(|at| terms.terms[at as usize].clone());
        assert_eq!(of("parseHeaders(x)").collect::<Vec<_>>(), ["pars", "header"]);
        assert_eq!(of("HEADER_parser").collect::<Vec<_>>(), ["header"]);
        assert_eq!(of("parser").count(), 0);
    }
}
