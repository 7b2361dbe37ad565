//! Byte pair encoding of one piece.

use std::{cmp::Reverse, collections::BinaryHeap};

use super::vocabulary::{rank, rank_of};

/// Longest piece, in bytes, for which every merge searches through all unions.
const SHORT: usize = 64;

/// Number of tokens that a piece is encoded as: 1 if it is a token itself. Otherwise it is the
/// number of parts left after repeatedly merging the two neighbours whose union has the lowest
/// rank, the leftmost if several are equal, until no union is a token. Takes O(n log n) time.
/// `hash` is the hash of the piece.
pub fn tokens(piece: &[u8], hash: u64) -> usize {
    if piece.len() < 2 || rank_of(piece, hash).is_some() {
        return piece.len().min(1);
    }
    if piece.len() <= SHORT { few(piece) } else { many(piece) }
}

/// Counts the tokens of a short piece: every merge searches through all unions.
fn few(piece: &[u8]) -> usize {
    // Where each part ends, and the rank of its union with the next part.
    let mut ends = [0_usize; SHORT];
    let mut ranks = [u32::MAX; SHORT];
    let of = |start: usize, end: usize| piece.get(start..end).and_then(rank).unwrap_or(u32::MAX);
    let mut count = piece.len();
    for (at, (end, rank)) in ends.iter_mut().zip(&mut ranks).take(count).enumerate() {
        *end = at + 1;
        *rank = of(at, at + 2);
    }
    loop {
        let unions = ranks.get(..count - 1).unwrap_or_default();
        let lowest = unions.iter().copied().min().filter(|rank| *rank < u32::MAX);
        let at = lowest.and_then(|lowest| unions.iter().position(|rank| *rank == lowest));
        let Some(at) = at else { return count };
        ends.copy_within(at + 1..count, at);
        ranks.copy_within(at + 1..count, at);
        count -= 1;
        let end = |part: usize| ends.get(part).copied().unwrap_or_default();
        let start = |part: usize| part.checked_sub(1).map_or(0, end);
        for part in [Some(at), at.checked_sub(1)].into_iter().flatten() {
            if let Some(rank) = ranks.get_mut(part) {
                let behind = (part + 1 < count).then(|| of(start(part), end(part + 1)));
                *rank = behind.unwrap_or(u32::MAX);
            }
        }
    }
}

/// Counts the tokens of a piece of any length: the unions are kept in a heap.
fn many(piece: &[u8]) -> usize {
    let mut parts = Parts::of(piece);
    let mut candidates: BinaryHeap<_> =
        (0..piece.len()).filter_map(|start| parts.candidate(start)).collect();
    let mut count = piece.len();
    while let Some(Reverse(candidate)) = candidates.pop() {
        // A merge on either side has changed one of its parts since.
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

/// The parts of a piece, linked in both directions by their positions.
struct Parts<'p> {
    piece: &'p [u8],
    /// The end of each part, by its beginning.
    ends: Vec<usize>,
    /// The beginning of each part, by its end.
    starts: Vec<usize>,
}

impl<'p> Parts<'p> {
    /// Makes every byte a part of its own.
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

    /// True while both parts of a candidate are unchanged.
    fn holds(&self, candidate: &Candidate) -> bool {
        self.ends.get(candidate.start) == Some(&candidate.middle)
            && self.ends.get(candidate.middle) == Some(&candidate.end)
            && self.starts.get(candidate.middle) == Some(&candidate.start)
    }

    fn merge(&mut self, candidate: &Candidate) {
        if let Some(end) = self.ends.get_mut(candidate.start) {
            *end = candidate.end;
        }
        // The middle is no longer a boundary, which is how `holds` notices the change.
        if let Some(start) = self.starts.get_mut(candidate.middle) {
            *start = usize::MAX;
        }
        if let Some(start) = self.starts.get_mut(candidate.end) {
            *start = candidate.start;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{SHORT, few, many};

    #[test]
    fn both_ways_of_merging_give_as_many_tokens() {
        let text =
            "aaaaaaaaaabbbababanullable_HTMLElementPrototypeΩ≈ç√∫˜µ0xZZtheThe    \t\t==>>>=()";
        let bytes = text.as_bytes();
        for start in 0..bytes.len() {
            for end in start + 2..=bytes.len().min(start + SHORT) {
                let piece = &bytes[start..end];
                assert_eq!(few(piece), many(piece), "{piece:?}");
            }
        }
    }
}
