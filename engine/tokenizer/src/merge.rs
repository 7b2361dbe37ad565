//! Byte pair encoding of one piece.

use std::{cmp::Reverse, collections::BinaryHeap};

use super::vocabulary::rank;

/// Number of tokens that a piece is encoded by: 1 if it is a token itself, else what is left
/// after merging the two neighbours whose union has the lowest rank, the leftmost of equals,
/// until no union is a token. Takes time in the order of n log n.
pub fn tokens(piece: &[u8]) -> usize {
    if piece.len() < 2 || rank(piece).is_some() {
        return piece.len().min(1);
    }
    let mut parts = Parts::of(piece);
    let mut candidates: BinaryHeap<_> =
        (0..piece.len()).filter_map(|start| parts.candidate(start)).collect();
    let mut count = piece.len();
    while let Some(Reverse(candidate)) = candidates.pop() {
        // A merge on either side has made this union another one.
        if !parts.holds(&candidate) {
            continue;
        }
        parts.merge(&candidate);
        count -= 1;
        let before = parts.before(candidate.start);
        let renewed = [before, Some(candidate.start)].into_iter().flatten();
        candidates.extend(renewed.filter_map(|start| parts.candidate(start)));
    }
    count
}

/// Two neighbouring parts whose union is a token; the lowest rank comes first, then the leftmost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    rank: u32,
    start: usize,
    middle: usize,
    end: usize,
}

/// The parts of a piece, linked in both directions by where they begin.
struct Parts<'p> {
    piece: &'p [u8],
    /// By beginning of a part: its end.
    ends: Vec<usize>,
    /// By end of a part: its beginning.
    starts: Vec<usize>,
}

impl<'p> Parts<'p> {
    /// Every byte a part of its own.
    fn of(piece: &'p [u8]) -> Self {
        let ends = (1..=piece.len()).collect();
        let starts = (0..=piece.len()).map(|end| end.saturating_sub(1)).collect();
        Self { piece, ends, starts }
    }

    /// The beginning of the part before the one that begins at `start`.
    fn before(&self, start: usize) -> Option<usize> {
        (start > 0).then(|| self.starts.get(start).copied()).flatten()
    }

    /// The part at `start` with its right neighbour, if their union is a token.
    fn candidate(&self, start: usize) -> Option<Reverse<Candidate>> {
        let middle = *self.ends.get(start)?;
        let end = *self.ends.get(middle)?;
        let rank = rank(self.piece.get(start..end)?)?;
        Some(Reverse(Candidate { rank, start, middle, end }))
    }

    /// True while both parts of a candidate are as they were.
    fn holds(&self, candidate: &Candidate) -> bool {
        self.ends.get(candidate.start) == Some(&candidate.middle)
            && self.ends.get(candidate.middle) == Some(&candidate.end)
            && self.starts.get(candidate.middle) == Some(&candidate.start)
    }

    fn merge(&mut self, candidate: &Candidate) {
        if let Some(end) = self.ends.get_mut(candidate.start) {
            *end = candidate.end;
        }
        // The middle is no edge any more, which `holds` can tell.
        if let Some(start) = self.starts.get_mut(candidate.middle) {
            *start = usize::MAX;
        }
        if let Some(start) = self.starts.get_mut(candidate.end) {
            *start = candidate.start;
        }
    }
}
