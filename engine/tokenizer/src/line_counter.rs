//! Counts texts that share most of their lines.

use std::collections::BTreeMap;

use super::{count, pieces::split};

/// Counts the tokens of texts that share lines, such as the probes of a search for what fits a budget: each different
/// line is counted once.
///
/// A token never extends across the end of a line, unless the next line is blank. So a text has as many tokens as its
/// lines have, where blank lines count with the line before them.
#[derive(Debug, Default)]
pub struct LineCounter {
    known: BTreeMap<String, usize>,
}

impl LineCounter {
    /// Number of tokens of a text, as [`count`] says.
    pub fn count(&mut self, text: &str) -> usize {
        split(text, line).map(|line| self.line(line)).sum()
    }

    fn line(&mut self, line: &str) -> usize {
        if let Some(known) = self.known.get(line) {
            return *known;
        }
        let tokens = count(line);
        self.known.insert(line.to_owned(), tokens);
        tokens
    }
}

/// Length in bytes of the first line with its end and the blank lines after it; of the whole text if nothing but white
/// space follows, which is one piece.
fn line(text: &str) -> usize {
    let Some(end) = text.find('\n').map(|at| at + 1) else { return text.len() };
    let after = text.get(end..).unwrap_or_default();
    let rest = after.trim_start();
    if rest.is_empty() {
        return text.len();
    }
    let space = after.get(..after.len() - rest.len()).unwrap_or_default();
    end + space.rfind(['\r', '\n']).map_or(0, |at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::{LineCounter, count};

    #[test]
    fn every_short_text_has_as_many_tokens_as_its_lines() {
        let alphabet = ['\n', '\r', ' ', 'a', '(', '1', '\'', '\u{a0}'];
        let mut counter = LineCounter::default();
        let mut texts = vec![String::new()];
        for _ in 0..6 {
            let longer = |text: &String| alphabet.map(|last| format!("{text}{last}"));
            texts = texts.iter().flat_map(longer).collect();
            for text in &texts {
                assert_eq!(counter.count(text), count(text), "{text:?}");
            }
        }
    }

    #[test]
    fn a_line_that_is_known_counts_the_same_in_another_text() {
        let mut counter = LineCounter::default();
        let lines = ["\nsrc/a.rs:\n", " fn one(a: &str) {\n", "\nsrc/b.rs\n", "\n", "\t\n", " x\n"];
        for first in lines {
            for second in lines {
                for third in lines {
                    let text = [first, second, third].concat();
                    assert_eq!(counter.count(&text), count(&text), "{text:?}");
                }
            }
        }
    }
}
