//! Tables of words with their meanings for a scanner.

/// A set of words, each with a kind.
///
/// It is written as groups of space-separated words, and is kept sorted with an index by first
/// byte, because every word of every text is looked up.
pub(crate) struct Words<K> {
    entries: Vec<(&'static str, K)>,
    starts: [u16; 257],
}

impl<K: Copy> Words<K> {
    /// Builds the table. A word in two groups has the kind of the first.
    pub fn new(groups: &[(K, &'static str)]) -> Self {
        let mut entries: Vec<(&'static str, K)> = Vec::new();
        for (kind, words) in groups {
            entries.extend(words.split_ascii_whitespace().map(|word| (word, *kind)));
        }
        entries.sort_by_key(|(word, _)| *word);
        entries.dedup_by_key(|(word, _)| *word);
        let mut starts = [0u16; 257];
        for (word, _) in &entries {
            let first = usize::from(word.bytes().next().unwrap_or(0));
            for start in starts.iter_mut().skip(first + 1) {
                *start += 1;
            }
        }
        Self { entries, starts }
    }

    /// The kind of a word, if it is in the table.
    pub fn get(&self, word: &str) -> Option<K> {
        let first = usize::from(*word.as_bytes().first()?);
        let range =
            usize::from(*self.starts.get(first)?)..usize::from(*self.starts.get(first + 1)?);
        let same = self.entries.get(range)?;
        let index = same.binary_search_by(|(entry, _)| (*entry).cmp(word)).ok()?;
        same.get(index).map(|(_, kind)| *kind)
    }

    /// Whether the table holds a word.
    pub fn has(&self, word: &str) -> bool {
        self.get(word).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::Words;

    #[test]
    fn first_group_wins_and_unknown_words_are_absent() {
        let words = Words::new(&[(1, "zeta alpha"), (2, "alpha beta")]);
        assert_eq!(words.get("alpha"), Some(1));
        assert_eq!(words.get("beta"), Some(2));
        assert_eq!(words.get("gamma"), None);
        assert!(!words.has("") && words.has("zeta"));
    }
}
