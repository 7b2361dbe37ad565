//! Templates around another language.
//!
//! A template scanner finds its own names, and the stretches that it leaves to the other language.
//! These are joined to one text, which is scanned on its own; a name across a joint is split again.

use std::ops::Range;

/// The stretches that a template scanner leaves to the other language, in
/// order.
#[derive(Default)]
pub(crate) struct Outside(Vec<Range<usize>>);

impl Outside {
    /// Adds a stretch for the other language.
    pub fn add(&mut self, stretch: Range<usize>) {
        match self.0.last_mut() {
            Some(last) if last.end == stretch.start => last.end = stretch.end,
            _ => self.0.push(stretch),
        }
    }

    /// Adds the stretches of a part that starts at `base`.
    pub fn append(&mut self, part: Self, base: usize) {
        for stretch in part.0 {
            self.add(stretch.start + base..stretch.end + base);
        }
    }
}

/// The result of a template scanner.
pub(crate) struct Layers {
    /// Names inside the template's own parts.
    pub names: Vec<Range<usize>>,
    /// The text around these parts.
    pub outside: Outside,
}

impl Layers {
    /// All names in order; `scan` finds those of the other language.
    pub fn merge(
        self,
        text: &str,
        scan: impl FnOnce(&str, &mut Vec<Range<usize>>),
    ) -> Vec<Range<usize>> {
        let joined: String =
            self.outside.0.iter().filter_map(|stretch| text.get(stretch.clone())).collect();
        let mut found = Vec::new();
        scan(&joined, &mut found);
        let mut names = self.names;
        let mut stretches = self.outside.0.into_iter();
        let Some(mut stretch) = stretches.next() else {
            return names;
        };
        // Start of the current stretch in the joined text.
        let mut start = 0;
        for mut name in found {
            while name.start < name.end {
                let end = start + stretch.len();
                if name.start < end {
                    let part = name.start..name.end.min(end);
                    names
                        .push(stretch.start + part.start - start..stretch.start + part.end - start);
                    name.start = part.end;
                } else {
                    start = end;
                    let Some(next) = stretches.next() else { break };
                    stretch = next;
                }
            }
        }
        names.sort_by_key(|name| name.start);
        names
    }
}
