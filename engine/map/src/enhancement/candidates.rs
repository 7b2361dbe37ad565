//! Candidates in their order, as far as somebody looks at them.
//!
//! A map shows some hundred definitions, and a large repository has a hundred thousand. So they are taken from a
//! heap one by one.

use std::{cmp::Reverse, collections::BinaryHeap};

use rayon::prelude::*;

use crate::{ranking::ascending, stages::Entry};

/// A candidate with its position.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Candidate {
    /// The candidate.
    pub entry: Entry,
    /// The value that the candidates are ordered by.
    pub value: f64,
    /// Its position within its file, from 1.
    pub nth: usize,
}

/// What candidates are ordered by: the lesser one comes first. The second part decides between equal values,
/// and the position after it between equal keys.
pub type Key = (u64, u64);

/// All candidates, most important first: the definitions, and then the files by their bare names.
#[derive(Debug)]
pub struct Candidates {
    definitions: Vec<Candidate>,
    /// Positions of the definitions that are not in order yet.
    rest: BinaryHeap<Reverse<(Key, u32)>>,
    /// The files, in order.
    bare: Vec<Candidate>,
    /// The candidates that are in order so far.
    ordered: Vec<Candidate>,
}

impl Candidate {
    /// Its key, if `rank` decides between equal values.
    pub const fn key(&self, rank: u64) -> Key {
        (!ascending(self.value), rank)
    }
}

impl Candidates {
    /// The candidates of some definitions and of files in their order.
    pub fn of(
        definitions: Vec<Candidate>,
        bare: Vec<Candidate>,
        key: impl Fn(&Candidate) -> Key + Sync,
    ) -> Self {
        let keys = definitions.par_iter().enumerate().with_min_len(1 << 12);
        let rest: Vec<_> = keys.map(|(at, one)| Reverse((key(one), at as u32))).collect();
        Self { definitions, rest: rest.into(), bare, ordered: Vec::new() }
    }

    /// Number of candidates.
    pub const fn len(&self) -> usize {
        self.definitions.len() + self.bare.len()
    }

    /// Those that were put in order so far.
    pub fn ordered(&self) -> &[Candidate] {
        &self.ordered
    }

    /// So many of the first candidates, or all if there are fewer.
    pub fn first(&mut self, count: usize) -> &[Candidate] {
        while self.ordered.len() < count {
            let next = match self.rest.pop() {
                Some(Reverse((_, at))) => self.definitions.get(at as usize),
                None => self.bare.get(self.ordered.len() - self.definitions.len()),
            };
            let Some(next) = next else { break };
            self.ordered.push(*next);
        }
        self.ordered.get(..count).unwrap_or(&self.ordered)
    }

    /// As [`Candidates::first`], without their values.
    pub fn first_entries(&mut self, count: usize) -> Vec<Entry> {
        self.first(count).iter().map(|one| one.entry).collect()
    }

    /// The files by their bare names that come after so many candidates.
    pub fn bare_after(&self, count: usize) -> &[Candidate] {
        let before = count.saturating_sub(self.definitions.len());
        self.bare.get(before..).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::{Candidate, Candidates};
    use crate::stages::Entry;

    #[test]
    fn candidates_come_in_the_order_of_their_keys() {
        let mut random = fastrand::Rng::with_seed(7);
        for round in 0..200 {
            let entry = |at| Entry::Definition { file: 0, definition: at, line: 0 };
            let one = |entry| Candidate { entry, value: f64::from(random.u8(0..9)), nth: 1 };
            let definitions: Vec<Candidate> = (0..round).map(entry).map(one).collect();
            let rank = |one: &Candidate| (one.entry.file() as u64 + 1) * u64::from(one.value > 4.0);
            let bare =
                |file| Candidate { entry: Entry::Bare { file, stage: 3 }, value: 9.0, nth: 1 };
            let bare: Vec<Candidate> = (0..3).map(bare).collect();
            // A stable sort by value, greatest first.
            let mut expected = definitions.clone();
            expected.sort_by(|one, other| other.value.total_cmp(&one.value));
            expected.extend_from_slice(&bare);

            let mut candidates =
                Candidates::of(definitions, bare.clone(), |one| one.key(rank(one)));
            assert_eq!(candidates.len(), expected.len());
            assert!(candidates.ordered().is_empty());
            for count in [round / 2, round / 3, round + 1, round + 9] {
                let first = count.min(expected.len());
                assert_eq!(candidates.first(count), &expected[..first], "round {round}");
            }
            assert_eq!(candidates.ordered(), expected);
            assert_eq!(candidates.bare_after(0), bare);
            assert_eq!(candidates.bare_after(round + 1), &bare[1..]);
            assert!(candidates.bare_after(round + 4).is_empty());
        }
    }
}
