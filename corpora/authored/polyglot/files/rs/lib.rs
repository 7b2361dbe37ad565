//! A counter.

use std::collections::BTreeMap;

/// Counts words.
#[derive(Debug, Default)]
pub struct WordCounter<'text> {
    counts: BTreeMap<&'text str, usize>,
}

pub trait Countable {
    fn count_words(&self) -> usize;
}

impl<'text> WordCounter<'text> {
    pub fn add_words(&mut self, text: &'text str) {
        for word in text.split_whitespace() {
            *self.counts.entry(word).or_insert(0) += 1;
        }
    }
}

impl Countable for WordCounter<'_> {
    fn count_words(&self) -> usize {
        self.counts.values().sum()
    }
}

macro_rules! count {
    ($text:expr) => {{
        let mut counter = WordCounter::default();
        counter.add_words($text);
        counter.count_words()
    }};
}

pub fn count_twice(text: &str) -> usize {
    count!(text) * 2
}
