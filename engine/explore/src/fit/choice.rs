//! Chooses entries by the words that they add.
//!
//! What a reader looks for is a name, a number or a text that stands somewhere in the file. So entries are
//! chosen that add the most words to those shown so far, for the tokens that they take: the greedy choice
//! of the budgeted maximum coverage problem (Khuller, Moss and Naor 1999).

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet, BinaryHeap},
};

use base::tokens::Counter;

/// Signs that join the parts of a version, a path, an address or the like.
const JOINTS: &str = ".-/:@";

/// Room in which no entry is looked for any more, in tokens.
const LEAST: usize = 4;
/// What a new word with a digit is worth, and one that is written as only names are, against 1 for each other.
const NUMBER: u64 = 4;
const NAME: u64 = 2;

/// Something that may be shown.
pub struct Entry {
    /// As it would be shown.
    pub text: String,
    /// Where its words begin, in bytes: a line's number is none of them.
    pub start: usize,
    /// What each new word in it is worth; 0 if it is never shown for itself.
    pub worth: u64,
    /// How many new words it counts for beside those that it has.
    pub more: u64,
    /// The line of the file that it is about, if it names one. `more` counts once for each line.
    pub line: Option<usize>,
    /// The entry that it belongs to, which is shown with it; an earlier one.
    pub above: Option<usize>,
}

impl Entry {
    /// What it says, without the number of a line.
    fn told(&self) -> &str {
        self.text.get(self.start..).unwrap_or_default()
    }

    /// Its words and what each is worth where it is new, in the order of the words.
    fn words(&self) -> Vec<(&str, u64)> {
        let words: BTreeSet<&str> = words(self.told()).collect();
        words.into_iter().map(|word| (word, value(word))).collect()
    }
}

/// The entries that fit into `room` tokens beside the words of `known`, the most informative first.
pub fn chosen(entries: &[Entry], known: &str, mut room: usize) -> Vec<usize> {
    let mut shown = Shown {
        entries,
        costs: entries.iter().map(|entry| Counter.count(&entry.text) + 1).collect(),
        said: entries.iter().map(Entry::words).collect(),
        has_parts: entries.iter().filter_map(|entry| entry.above).collect(),
        words: words(known).collect(),
        texts: BTreeSet::new(),
        lines: BTreeMap::new(),
        taken: BTreeSet::new(),
    };
    // Gains nearly always fall as words become known, so an entry whose gain is the highest after it was
    // counted again is the best.
    let of_worth = entries.iter().enumerate().filter(|(_, entry)| entry.worth > 0);
    let mut waiting: BinaryHeap<(u64, Reverse<usize>)> =
        of_worth.map(|(index, _)| (u64::MAX, Reverse(index))).collect();
    let mut chosen = Vec::new();
    while let Some((before, Reverse(index))) = waiting.pop() {
        let Some(Offer { gain, cost, replaced }) = shown.offer(index) else { continue };
        if gain < before {
            waiting.push((gain, Reverse(index)));
        } else if cost <= room {
            room -= cost;
            if replaced.is_some() {
                chosen.retain(|index| Some(*index) != replaced);
            }
            chosen.extend(shown.take(index));
        } else if room < LEAST {
            break;
        }
    }
    chosen
}

/// What has been chosen so far.
struct Shown<'a> {
    entries: &'a [Entry],
    costs: Vec<usize>,
    /// The words of each entry.
    said: Vec<Vec<(&'a str, u64)>>,
    /// The entries that others belong to.
    has_parts: BTreeSet<usize>,
    words: BTreeSet<&'a str>,
    texts: BTreeSet<&'a str>,
    /// The entry that was chosen last about each line of the file.
    lines: BTreeMap<usize, usize>,
    taken: BTreeSet<usize>,
}

/// What an entry would bring.
struct Offer {
    gain: u64,
    /// In tokens, with the entries above it that are not shown yet.
    cost: usize,
    /// The entry about the same line that has no word beside those of this one, and goes.
    replaced: Option<usize>,
}

impl Shown<'_> {
    /// What an entry would bring; `None` if it is shown already or has nothing new.
    fn offer(&self, index: usize) -> Option<Offer> {
        let entry = self.entries.get(index).filter(|_| !self.taken.contains(&index))?;
        let said = self.said.get(index)?;
        let same_line = entry.line.and_then(|line| self.lines.get(&line)).copied();
        let is_told = same_line.is_some() || self.texts.contains(entry.told());
        let more = if is_told { 0 } else { entry.more };
        let new = said.iter().filter(|(word, _)| !self.words.contains(word));
        let count = new.map(|(_, value)| value).sum::<u64>() + more;
        let replaced = same_line.filter(|other| {
            let is_within =
                |other: &Vec<_>| other.iter().all(|word| said.binary_search(word).is_ok());
            !self.has_parts.contains(other) && self.said.get(*other).is_some_and(is_within)
        });
        let cost_of = |index: &usize| self.costs.get(*index).copied().unwrap_or(0);
        let cost: usize = self.with_those_above(index).iter().map(cost_of).sum();
        let cost = cost.saturating_sub(replaced.as_ref().map_or(0, cost_of)).max(1);
        let gain = count * entry.worth * 1_000 / cost as u64;
        (count > 0).then_some(Offer { gain, cost, replaced })
    }

    /// Shows an entry and those above it; returns them from above.
    fn take(&mut self, index: usize) -> Vec<usize> {
        let mut missing = self.with_those_above(index);
        missing.reverse();
        let entries = self.entries;
        for (index, entry) in
            missing.iter().filter_map(|index| Some((*index, entries.get(*index)?)))
        {
            self.words.extend(self.said.get(index).into_iter().flatten().map(|(word, _)| *word));
            self.texts.insert(entry.told());
            self.lines.extend(entry.line.map(|line| (line, index)));
            self.taken.insert(index);
        }
        missing
    }

    /// An entry and those above it that are not shown yet, from below.
    fn with_those_above(&self, index: usize) -> Vec<usize> {
        let mut missing = Vec::new();
        let mut at = Some(index);
        while let Some(index) = at.filter(|index| !self.taken.contains(index)) {
            missing.push(index);
            let above = self.entries.get(index).and_then(|entry| entry.above);
            at = above.filter(|above| *above < index);
        }
        missing
    }
}

/// What a new word is worth. A name is more often what is looked for than a word of a language, a number more
/// often still.
fn value(word: &str) -> u64 {
    if word.contains(char::is_numeric) {
        NUMBER
    } else if is_name(word) {
        NAME
    } else {
        1
    }
}

/// Whether a word is written as only names are: with a capital behind a small letter, or a sign inside.
fn is_name(word: &str) -> bool {
    let is_inner = |sign: char| !sign.is_lowercase();
    word.contains('_') || (word.contains(char::is_lowercase) && word.chars().skip(1).any(is_inner))
}

/// The words of a text: names, numbers, and what is written of them without a space, such as a version or
/// a path.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |sign: char| sign.is_alphanumeric() || sign == '_';
    let whole = text.split(move |sign: char| !is_part(sign) && !JOINTS.contains(sign));
    let whole = whole.map(|word| word.trim_matches(|sign: char| JOINTS.contains(sign)));
    whole
        .flat_map(move |word| {
            let parts = word.split(move |sign: char| !is_part(sign));
            std::iter::once(word).chain(parts.filter(move |part| part.len() < word.len()))
        })
        .filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::{Entry, chosen};

    fn entry(text: &str, above: Option<usize>) -> Entry {
        Entry { text: text.to_owned(), start: 0, worth: 1, more: 0, line: None, above }
    }

    #[test]
    fn what_is_known_is_not_chosen_and_what_adds_most_comes_first() {
        let entries = [
            entry("alpha beta", None),
            entry("alpha gamma delta epsilon", None),
            entry("beta", None),
        ];
        // The last two both have one new word then, and "beta" takes fewer tokens.
        assert_eq!(chosen(&entries, "", 100), [1, 2]);
        assert_eq!(chosen(&entries, "alpha gamma delta epsilon", 100).len(), 1);
        assert!(chosen(&entries, "", 0).is_empty());
    }

    #[test]
    fn names_count_more_than_words_and_numbers_more_than_names() {
        let entries = [entry("plain", None), entry("some_name", None), entry("4096", None)];
        let cost = |index: usize| base::tokens::Counter.count(&entries[index].text) + 1;
        assert_eq!((cost(0), cost(1), cost(2)), (2, 3, 3));
        assert_eq!(chosen(&entries, "", 3), [2]);
        assert_eq!(chosen(&entries, "", 6), [2, 1]);
        for (word, is_name) in
            [("take", false), ("Take", false), ("takeOne", true), ("a.b", true), ("TAKE", false)]
        {
            assert_eq!(super::is_name(word), is_name, "{word}");
        }
    }

    #[test]
    fn a_line_replaces_the_entry_that_says_less_of_it() {
        let mut entries = [entry("limit", None), entry("limit = 1024", None)];
        for entry in &mut entries {
            entry.line = Some(7);
        }
        assert_eq!(chosen(&entries, "", 100), [1]);
        entries[1].line = Some(8);
        entries[0].more = 9;
        assert_eq!(chosen(&entries, "", 100), [0, 1]);
    }

    #[test]
    fn an_entry_comes_with_those_that_it_belongs_to() {
        let mut entries =
            [entry("outer", None), entry("middle", Some(0)), entry("one two three four", Some(1))];
        entries.iter_mut().take(2).for_each(|entry| entry.worth = 0);
        assert_eq!(chosen(&entries, "", 100), [0, 1, 2]);
        assert!(chosen(&entries, "", 5).is_empty());
    }
}
