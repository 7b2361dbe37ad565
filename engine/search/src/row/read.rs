//! A row as a search reads it. A damaged row is treated as missing.

use index::{Content, codec};
use memchr::memmem;

use super::Entry;
use crate::weights::KEPT;

/// A term in an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hit {
    /// Index of the entry.
    pub entry: u32,
    /// How often the term occurs in each field.
    pub counts: [u32; KEPT],
}

/// A row whose header has been read.
#[derive(Debug, Clone, Copy)]
pub struct Row<'a> {
    /// Number of entries.
    pub count: u32,
    /// Sum of the lengths of each field.
    pub sums: [u32; KEPT],
    /// Key of the language; empty if the file is not source code.
    pub language: &'a str,
    names: &'a [u8],
    rest: &'a [u8],
}

impl<'a> Row<'a> {
    /// Reads the header; `None` if it is damaged.
    pub fn of(content: &'a Content) -> Option<Self> {
        let mut data = content.data.as_slice();
        let count = codec::take(&mut data)?;
        let mut sums = [0; KEPT];
        for sum in &mut sums {
            *sum = codec::take(&mut data)?;
        }
        let language = text(&mut data)?;
        Some(Self { count, sums, language, names: &content.names, rest: data })
    }

    /// Its entries, in the order of the file.
    pub fn entries(&self) -> Option<Vec<Entry>> {
        self.split().map(|(entries, _)| entries)
    }

    /// All entries, and for each of these terms its occurrences in the order of the entries. `None`
    /// if the row has none of the terms or is damaged.
    pub fn find(&self, terms: &[String]) -> Option<(Vec<Entry>, Vec<Vec<Hit>>)> {
        let places: Vec<Option<usize>> = terms.iter().map(|term| self.number(term)).collect();
        let last = places.iter().flatten().max().copied()?;
        let (entries, mut postings) = self.split()?;
        let mut hits = vec![Vec::new(); terms.len()];
        for number in 0..=last {
            let length = codec::take(&mut postings)? as usize;
            let (own, rest) = postings.split_at_checked(length)?;
            postings = rest;
            for (place, hits) in places.iter().zip(&mut hits) {
                if *place == Some(number) {
                    *hits = listed(own, self.count)?;
                }
            }
        }
        Some((entries, hits))
    }

    /// The number of a term in this row.
    fn number(&self, term: &str) -> Option<usize> {
        let marked = [&[codec::MARK][..], term.as_bytes(), &[codec::MARK]].concat();
        let at = memmem::find(self.names, &marked)?;
        Some(memchr::memchr_iter(codec::MARK, self.names.get(..at)?).count())
    }

    /// The entries, and the bytes that follow them.
    fn split(&self) -> Option<(Vec<Entry>, &'a [u8])> {
        let mut data = self.rest;
        // A damaged count must not ask for memory that the row cannot fill.
        let mut entries = Vec::with_capacity((self.count as usize).min(data.len()));
        for _ in 0..self.count {
            entries.push(entry(&mut data)?);
        }
        Some((entries, data))
    }
}

fn entry(data: &mut &[u8]) -> Option<Entry> {
    let kind = text(data)?.to_owned();
    let name = text(data)?.to_owned();
    let flags = codec::take(data)?;
    let parent = if flags & 2 == 0 { None } else { Some(text(data)?.to_owned()) };
    let signature = text(data)?.to_owned();
    let inside = (codec::take(data)? as usize).checked_sub(1);
    let [line, start, end] = [codec::take(data)?, codec::take(data)?, codec::take(data)?];
    let mut lengths = [0; KEPT];
    for length in &mut lengths {
        *length = codec::take(data)?;
    }
    let is_symbol = flags & 1 == 1;
    Some(Entry { kind, name, is_symbol, parent, signature, inside, line, start, end, lengths })
}

fn listed(mut bytes: &[u8], count: u32) -> Option<Vec<Hit>> {
    let mut hits = Vec::new();
    let mut entry = 0_u32;
    while !bytes.is_empty() {
        entry = entry.checked_add(codec::take(&mut bytes)?).filter(|entry| *entry < count)?;
        let bits = codec::take(&mut bytes)?;
        let mut counts = [0; KEPT];
        for (field, count) in counts.iter_mut().enumerate() {
            if bits >> field & 1 == 1 {
                *count = codec::take(&mut bytes)?;
            }
        }
        hits.push(Hit { entry, counts });
    }
    Some(hits)
}

fn text<'a>(data: &mut &'a [u8]) -> Option<&'a str> {
    let length = codec::take(data)? as usize;
    let (text, rest) = data.split_at_checked(length)?;
    *data = rest;
    std::str::from_utf8(text).ok()
}

#[cfg(test)]
mod tests {
    use index::Content;
    use semantic::File;

    use super::Row;
    use crate::{row::make, terms::Rules};

    fn made() -> Content {
        let text = b"class Purse:\n    def pay(self, sum):\n        return sum\n";
        make(Some(&File::read("a.py", text).unwrap()), Rules::default())
    }

    #[test]
    fn terms_are_found_in_their_fields() {
        let content = made();
        let row = Row::of(&content).unwrap();
        assert_eq!((row.count, row.language), (2, "python"));
        let terms = ["sum", "purs", "absent"].map(str::to_owned);
        let (entries, hits) = row.find(&terms).unwrap();
        assert_eq!((entries[0].name.as_str(), entries[1].name.as_str()), ("Purse", "pay"));
        assert_eq!((entries[1].start, entries[1].end), (2, 3));
        // Name, parent, signature, documentation, body.
        assert_eq!(hits[0][0].counts, [0, 0, 0, 0, 1]);
        assert_eq!(hits[0][1].counts, [0, 0, 1, 0, 2]);
        assert_eq!(hits[1][0].counts, [1, 0, 1, 0, 1]);
        assert_eq!(hits[1][1].counts, [0, 1, 0, 0, 0]);
        assert!(hits[2].is_empty());
        assert!(row.find(&["absent".to_owned()]).is_none());
    }

    #[test]
    fn a_damaged_row_is_none_and_never_a_panic() {
        let content = made();
        let terms = ["sum".to_owned(), "self".to_owned(), "return".to_owned()];
        for length in 0..content.data.len() {
            let data = content.data[..length].to_vec();
            let cut = Content { names: content.names.clone(), data };
            assert!(Row::of(&cut).is_none_or(|row| row.find(&terms).is_none()), "{length}");
        }
        for at in 0..content.data.len() {
            let mut data = content.data.clone();
            data[at] ^= 0xff;
            let other = Content { names: content.names.clone(), data };
            let _ = Row::of(&other).map(|row| row.find(&terms));
        }
    }
}
