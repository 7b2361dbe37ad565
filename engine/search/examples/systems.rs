//! Answers questions over one tree with every system that `harness/benches/search` compares: ours, ours without a
//! part, and simple ones. It has no index: everything is read anew.
//!
//! `systems TREE [WEIGHTS.toml] < QUESTIONS` reads one JSON object a line, `{"id", "query"}`, and prints for each
//! and each system `{"id", "system", "results": [[file, name, line, start, end], …]}`, the best first, at most 40.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a measurement ends at the first fault"
)]

use std::{collections::BTreeMap, env, io, path::Path};

use base::text::open;
use index::{Content, Settings};
use rayon::prelude::*;
use search::{
    Candidate, Field, Fields, Ranked, Rows, Weights, order, rank,
    row::{Row, make},
    terms::{self, Rules},
};
use semantic::File;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// Most results of a system.
const MOST: usize = 40;

/// A result: file, name, line of the name, first line, last line.
type Place<'a> = (&'a str, String, u32, u32, u32);

#[derive(Deserialize)]
struct Question {
    id: String,
    query: String,
}

#[derive(Serialize)]
struct Answer<'a> {
    id: &'a str,
    system: &'a str,
    results: Vec<Place<'a>>,
}

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let root = Path::new(&arguments[0]);
    let weights: Weights = match arguments.get(1) {
        Some(path) => toml::from_str(&open::text(Path::new(path), 1 << 20).unwrap()).unwrap(),
        None => Weights::ours().clone(),
    };
    let files = read(root);
    let raw = Rules { stems: false, wholes: false };
    let rows = |rules| -> BTreeMap<&str, Content> {
        files.par_iter().map(|(path, file)| (path.as_str(), make(Some(file), rules))).collect()
    };
    let (plain, ours) = (rows(raw), rows(Rules::default()));
    let (plain, ours) = (opened(&plain), opened(&ours));
    let texts: Vec<Text> = files.par_iter().flat_map_iter(texts_of).collect();
    let one = one_field(&weights);
    let unstaged = staged_off(&weights);
    for line in io::stdin().lines() {
        let question: Question = serde_json::from_str(&line.unwrap()).unwrap();
        let query = question.query.as_str();
        let print = |system, results: Vec<Place<'_>>| {
            let answer = Answer { id: &question.id, system, results };
            println!("{}", serde_json::to_string(&answer).unwrap());
        };
        let all = terms::of_query(query, raw, false);
        print("bm25", places(rank(&plain, &all, &one, raw, MOST)));
        let terms = terms::of_query(query, Rules::default(), true);
        let found = rank(&ours, &terms, &weights, Rules::default(), MOST);
        print("bm25f", places(found.clone()));
        print("full", ordered(order(query, found.clone(), &weights, false)));
        print("full-without-coherence", ordered(order(query, found, &unstaged, false)));
        print("count", counted(&files, &texts, query));
        print("random", random(&files, &texts, &question.id));
    }
}

/// Every file of source code of a tree, read whole.
fn read(root: &Path) -> BTreeMap<String, File> {
    let present = map::repo::present(root, &Settings::in_folder("").excluded).unwrap();
    let chosen: Vec<_> = present.files.iter().filter(|file| File::may_be_code(&file.rel)).collect();
    chosen
        .into_par_iter()
        .filter_map(|file| {
            let bytes = present.folder.exact_bytes(Path::new(&file.rel), 10 << 20).ok()?;
            Some((file.rel.clone(), File::read(&file.rel, &bytes).ok()?))
        })
        .collect()
}

fn opened<'a>(contents: &'a BTreeMap<&str, Content>) -> Rows<'a> {
    contents.iter().map(|(path, content)| (*path, Row::of(content).unwrap())).collect()
}

/// BM25 over one field, the lines.
fn one_field(weights: &Weights) -> Weights {
    let none = Field { weight: 0.0, length: 0.75 };
    let body = Field { weight: 1.0, length: 0.75 };
    let (name, parent, path, signature, documentation) = (none, none, none, none, none);
    let fields = Fields { name, parent, path, signature, documentation, body };
    Weights { fields, ..weights.clone() }
}

fn staged_off(weights: &Weights) -> Weights {
    let mut weights = weights.clone();
    weights.stage.coherence = 0.0;
    weights
}

fn places(found: Vec<Ranked<'_>>) -> Vec<Place<'_>> {
    let place = |one: Ranked<'_>| (one.entry.name, one.entry.line, one.entry.start, one.entry.end);
    found
        .into_iter()
        .map(|one| {
            let file = one.file;
            let (name, line, start, end) = place(one);
            (file, name, line, start, end)
        })
        .collect()
}

fn ordered(candidates: Vec<Candidate<'_>>) -> Vec<Place<'_>> {
    places(candidates.into_iter().map(|one| one.found).collect())
}

/// A chunk by file and index, and its lines in lower case.
type Text<'a> = (&'a str, usize, String);

/// The chunks of a file.
fn texts_of<'a>((path, file): (&'a String, &'a File)) -> Vec<Text<'a>> {
    let places = file.places();
    let text = |at| (path.as_str(), at, file.lines().collapsed(&places, at).to_lowercase());
    (0..places.len()).map(text).collect()
}

/// How often the words of a question stand in a chunk, in any case and within other words: what looking for each
/// word in turn with a line search comes to.
fn counted<'a>(
    files: &'a BTreeMap<String, File>,
    texts: &[Text<'a>],
    query: &str,
) -> Vec<Place<'a>> {
    let words: Vec<String> =
        query.split_whitespace().filter(|word| word.len() > 2).map(str::to_lowercase).collect();
    let finders: Vec<memchr::memmem::Finder> =
        words.iter().map(memchr::memmem::Finder::new).collect();
    best(files, texts, |_, (_, _, text)| {
        finders.iter().map(|finder| finder.find_iter(text.as_bytes()).count()).sum::<usize>() as u64
    })
}

/// An order that depends on the question alone.
fn random<'a>(files: &'a BTreeMap<String, File>, texts: &[Text<'a>], id: &str) -> Vec<Place<'a>> {
    let digest = Sha256::digest(id);
    let seed = u64::from_le_bytes(digest[..8].try_into().unwrap());
    best(files, texts, |number, _| {
        // The mixing steps of splitmix64.
        let mut mixed = seed.wrapping_add((number as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ mixed >> 31).max(1)
    })
}

fn best<'a>(
    files: &'a BTreeMap<String, File>,
    texts: &[Text<'a>],
    score: impl Fn(usize, &Text<'a>) -> u64 + Sync,
) -> Vec<Place<'a>> {
    let scores = texts.par_iter().enumerate().map(|(number, text)| (score(number, text), number));
    let mut all: Vec<(u64, usize)> = scores.filter(|(score, _)| *score > 0).collect();
    all.sort_by(|one, other| other.0.cmp(&one.0).then(one.1.cmp(&other.1)));
    all.truncate(MOST);
    all.into_iter()
        .map(|(_, number)| {
            let (path, at) = (texts[number].0, texts[number].1);
            let part = &files[path].parts()[at];
            (path, part.name.clone(), part.line, part.start, part.end)
        })
        .collect()
}
