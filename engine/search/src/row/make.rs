//! Makes the row of a file.

use std::collections::BTreeMap;

use index::{Content, codec};
use semantic::{File, Part};

use crate::{
    terms::{self, Rules},
    weights::KEPT,
};

/// Number of bytes of a chunk that are searched for terms: 32,000 tokens of four characters.
const COUNTED: usize = 128 * 1024;

/// Where a term occurs: how often in each field, by entry.
type Postings = BTreeMap<u32, [u32; KEPT]>;

/// The row of a file; without a file, a row without chunks.
pub fn make(file: Option<&File>, rules: Rules) -> Content {
    let parts = file.map_or(&[][..], File::parts);
    let places = file.map(File::places).unwrap_or_default();
    let mut terms: BTreeMap<String, Postings> = BTreeMap::new();
    let mut sums = [0_u32; KEPT];
    let mut entries = Vec::new();
    for (at, part) in parts.iter().enumerate() {
        let body = file.map(|file| file.lines().collapsed(&places, at)).unwrap_or_default();
        let body = body.get(..body.floor_char_boundary(COUNTED)).unwrap_or(&body);
        let fields = [
            if part.is_symbol { part.name.as_str() } else { "" },
            part.parent.as_deref().unwrap_or_default(),
            &part.signature,
            part.documentation.as_deref().unwrap_or_default(),
            body,
        ];
        let mut lengths = [0_u32; KEPT];
        for (field, text) in fields.into_iter().enumerate() {
            terms::of(text, rules, &mut |term| {
                lengths[field] += 1;
                // Most terms are already in the map: looking them up is cheaper than copying them.
                if !terms.contains_key(term) {
                    terms.insert(term.to_owned(), Postings::new());
                }
                if let Some(postings) = terms.get_mut(term) {
                    postings.entry(at as u32).or_default()[field] += 1;
                }
            });
        }
        sums.iter_mut().zip(lengths).for_each(|(sum, length)| *sum = sum.saturating_add(length));
        entry(&mut entries, part, lengths);
    }
    let mut data = Vec::new();
    codec::put(&mut data, parts.len() as u32);
    for sum in sums {
        codec::put(&mut data, sum);
    }
    text(&mut data, file.map_or("", |file| file.language.as_str()));
    data.extend_from_slice(&entries);
    for postings in terms.values() {
        let bytes = written(postings);
        codec::put(&mut data, bytes.len() as u32);
        data.extend_from_slice(&bytes);
    }
    Content { names: codec::join(terms.keys().map(String::as_str)), data }
}

fn entry(data: &mut Vec<u8>, part: &Part, lengths: [u32; KEPT]) {
    text(data, part.kind);
    text(data, &part.name);
    let flags = u32::from(part.is_symbol) | u32::from(part.parent.is_some()) << 1;
    codec::put(data, flags);
    if let Some(parent) = &part.parent {
        text(data, parent);
    }
    text(data, &part.signature);
    let inside = part.inside.map_or(0, |inside| inside as u32 + 1);
    for number in [inside, part.line, part.start, part.end].into_iter().chain(lengths) {
        codec::put(data, number);
    }
}

fn written(postings: &Postings) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut before = 0;
    for (entry, counts) in postings {
        codec::put(&mut bytes, entry - before);
        before = *entry;
        let bits =
            (0..KEPT).filter(|field| counts[*field] > 0).map(|field| 1_u32 << field).sum::<u32>();
        codec::put(&mut bytes, bits);
        counts.iter().filter(|count| **count > 0).for_each(|count| codec::put(&mut bytes, *count));
    }
    bytes
}

fn text(data: &mut Vec<u8>, text: &str) {
    codec::put(data, text.len() as u32);
    data.extend_from_slice(text.as_bytes());
}
